"""Builds the project test/package/consumer with the package, and runs its programs."""
from pathlib import Path

from conan import ConanFile
from conan.tools.build import can_run
from conan.tools.cmake import CMake, cmake_layout

CONSUMER = Path(__file__).resolve().parents[3] / "test" / "package" / "consumer"


class UtfilterTest(ConanFile):
    settings = "os", "compiler", "build_type", "arch"
    generators = "CMakeDeps", "PkgConfigDeps", "CMakeToolchain"

    def requirements(self):
        self.requires(self.tested_reference_str)

    def layout(self):
        cmake_layout(self)

    def has_filters(self):
        return self.dependencies["utfilter"].options.filters

    def build(self):
        cmake = CMake(self)
        components = ["core", "streams"] + (["utfilter"] if self.has_filters() else [])
        components += [part for part in ("icu", "nfc") if getattr(self.dependencies["utfilter"].options, part)]
        cmake.configure(variables={"UTFILTER_COMPONENTS": ";".join(components)}, build_script_folder=str(CONSUMER))
        cmake.build()

    def test(self):
        if can_run(self):
            programs = ["core_consumer", "streams_consumer"] + (["filter_consumer"] if self.has_filters() else [])
            for program in programs:
                self.run(str(Path(self.cpp.build.bindir) / program), env="conanrun")
