"""Builds the project test/package/consumer with the package, and runs its programs."""
from pathlib import Path

from conan import ConanFile
from conan.tools.build import can_run
from conan.tools.cmake import CMake, cmake_layout

CONSUMER = Path(__file__).resolve().parents[3] / "test" / "package" / "consumer"


class UtfilterTest(ConanFile):
    settings = "os", "compiler", "build_type", "arch"
    generators = "CMakeDeps", "CMakeToolchain"

    def requirements(self):
        self.requires(self.tested_reference_str)

    def layout(self):
        cmake_layout(self)

    def components(self):
        filters = self.dependencies["utfilter"].options.filters
        return ["core", "streams"] + (["filter"] if filters else [])

    def build(self):
        cmake = CMake(self)
        names = ["utfilter" if name == "filter" else name for name in self.components()]
        cmake.configure(variables={"UTFILTER_COMPONENTS": ";".join(names)}, build_script_folder=str(CONSUMER))
        cmake.build()

    def test(self):
        if can_run(self):
            for name in self.components():
                self.run(str(Path(self.cpp.build.bindir) / f"{name}_consumer"), env="conanrun")
