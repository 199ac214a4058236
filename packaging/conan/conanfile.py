"""The recipe for Conan 2. It packages the source tree that contains it: conan create packaging/conan"""
import re
from pathlib import Path

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load

# The parts that stand on a library of their own: the option, and the package with that library.
PARTS = {"icu": "icu/[>=70]", "nfc": "utf8proc/[>=2.7]"}


class Utfilter(ConanFile):
    name = "utfilter"
    license = "LicenseRef-none-chosen-yet"  # the file licenses/copyright says what that means
    description = "Boost.Iostreams filters: UTF-8 validation and repair, byte order marks, transcoding"
    topics = ("utf-8", "unicode", "encoding", "boost", "iostreams")
    package_type = "library"
    settings = "os", "compiler", "build_type", "arch"
    generators = ("CMakeDeps", "PkgConfigDeps")
    options = {"shared": [True, False], "fPIC": [True, False], "filters": [True, False],
               **{part: [True, False] for part in PARTS}}
    default_options = {"shared": False, "fPIC": True, "filters": True, **{part: False for part in PARTS}}
    implements = ("auto_shared_fpic",)

    def _sources(self):
        """The project's directory. Valid only while Conan exports the recipe from it."""
        return Path(self.recipe_folder).resolve().parents[1]

    def _parts(self):
        return [part for part in PARTS if getattr(self.options, part)]

    def set_version(self):
        header = load(self, self._sources() / "include" / "utfilter" / "config.hpp")
        number = int(re.search(r"^#define UTFILTER_VERSION (\d+)$", header, re.M)[1])
        self.version = f"{number // 10000}.{number // 100 % 100}.{number % 100}"

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md",
                        "cmake/*", "doc/*", "examples/*", "include/*", "packaging/debian/*", "src/*"):
            copy(self, pattern, src=self._sources(), dst=self.export_sources_folder)

    def requirements(self):
        if self.options.filters:
            self.requires("boost/[>=1.74.0]", transitive_headers=True)
        for part in self._parts():
            self.requires(PARTS[part])

    def validate(self):
        check_min_cppstd(self, 17)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["UTFILTER_BUILD_UTFCAT"] = False
        for part in PARTS:
            toolchain.cache_variables[f"UTFILTER_BUILD_{part.upper()}"] = part in self._parts()
        toolchain.cache_variables["UTFILTER_REQUIRE_ALL"] = True  # a part whose library is not found is an error
        toolchain.cache_variables["CMAKE_DISABLE_FIND_PACKAGE_Boost"] = not self.options.filters
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "copyright", src=Path(self.export_sources_folder) / "packaging" / "debian",
             dst=Path(self.package_folder) / "licenses")

    def package_info(self):
        # CMake finds the library by its installed CMake files, which define the targets, as it does without Conan.
        # Other generators use the names of the libraries below.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.set_property("pkg_config_name", "utfilter")
        self.cpp_info.builddirs = ["lib/cmake/utfilter"]
        # In the order of linking:
        self.cpp_info.libs = [*(f"utfilter_{part}" for part in self._parts()), "utfilter_streams", "utfilter"]
