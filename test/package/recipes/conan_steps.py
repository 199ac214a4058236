#!/usr/bin/env python3
"""conan_steps.py CONANFILE DIRECTORY CXX [OPTION=VALUE]...: takes a recipe and its test_package through the steps of
`conan create` without Conan. A stand-in for the modules that they import calls CMake as Conan would. Writes the package
to DIRECTORY/package, and prints the version and the programs of test_package."""
import fnmatch
import importlib.util
import pathlib
import shutil
import subprocess
import sys
import types

recipe, directory, cxx = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3]
sys.dont_write_bytecode = True


class CppInfo:
    def __init__(self):
        self.properties = {}

    def set_property(self, name, value):
        self.properties[name] = value


class ConanFile:
    def requires(self, reference, **traits):
        self.required.append(reference)

    def run(self, program, env):
        run(program)
        print(pathlib.Path(program).name)


class CMakeToolchain:
    def __init__(self, conanfile):
        self.conanfile, self.cache_variables = conanfile, {}

    def generate(self):
        self.conanfile.variables = {**self.cache_variables, "BUILD_SHARED_LIBS": self.conanfile.options.shared}


class CMake:
    def __init__(self, conanfile):
        self.of = conanfile

    def configure(self, variables={}, build_script_folder=None):
        variables = {**self.of.variables, **variables, "CMAKE_CXX_COMPILER": cxx, "CMAKE_BUILD_TYPE": "None", "CMAKE_CXX_STANDARD": "17"}
        run("cmake", "-Werror=dev", "-S", build_script_folder or self.of.export_sources_folder, "-B", self.of.build_folder,
            *(f"-D{name}={ {True: 'ON', False: 'OFF'}.get(value, value) }" for name, value in variables.items()))

    def build(self):
        run("cmake", "--build", self.of.build_folder, "--parallel", "2")

    def install(self):
        run("cmake", "--install", self.of.build_folder, "--prefix", self.of.package_folder)


def run(*command):
    subprocess.run(list(map(str, command)), check=True, stdout=subprocess.DEVNULL)


def copy(_, pattern, src, dst):
    """Copies files as Conan does: * matches any number of directories."""
    for file in pathlib.Path(src).glob(pattern.split("/")[0] + ("/**/*" if "/" in pattern else "")):
        if file.is_file() and fnmatch.fnmatch(file.relative_to(src).as_posix(), pattern):
            to = pathlib.Path(dst) / file.relative_to(src)
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, to)


def check_min_cppstd(_, standard):
    assert standard == 17


for name, content in {"conan": dict(ConanFile=ConanFile), "conan.tools": {},
                      "conan.tools.build": dict(check_min_cppstd=check_min_cppstd, can_run=lambda conanfile: True),
                      "conan.tools.cmake": dict(CMake=CMake, CMakeToolchain=CMakeToolchain, cmake_layout=lambda conanfile: None),
                      "conan.tools.files": dict(copy=copy, load=lambda _, path: pathlib.Path(path).read_text())}.items():
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(content)


def made_by(file):
    """An object of the recipe's class."""
    spec = importlib.util.spec_from_file_location("recipe", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return next(value for value in vars(module).values() if isinstance(value, type) and issubclass(value, ConanFile) and value is not ConanFile)()


package = made_by(recipe)
package.recipe_folder, package.required, package.cpp_info = str(recipe.parent), [], CppInfo()
package.export_sources_folder, package.build_folder, package.package_folder = directory / "sources", directory / "build", directory / "package"
package.options = types.SimpleNamespace(**package.default_options)
for option in sys.argv[4:]:
    name, value = option.split("=")
    assert name in package.default_options, name
    setattr(package.options, name, value == "True")
for step in ("set_version", "export_sources", "requirements", "validate", "layout", "generate", "build", "package", "package_info"):
    getattr(package, step)()
parts = [part for part in ("icu", "nfc") if getattr(package.options, part)]
assert package.cpp_info.libs == [*(f"utfilter_{part}" for part in parts), "utfilter_streams", "utfilter"], package.cpp_info.libs
for library in package.cpp_info.libs:
    assert list((package.package_folder / "lib").glob(f"lib{library}.*")), library
assert len(package.required) == package.options.filters + len(parts), package.required
assert (package.package_folder / "licenses" / "copyright").exists()
for builddir in package.cpp_info.builddirs:
    assert (package.package_folder / builddir / "utfilterConfig.cmake").exists(), builddir
print(package.version)

consumer = made_by(recipe.parent / "test_package" / "conanfile.py")
consumer.required, consumer.tested_reference_str = [], f"utfilter/{package.version}"
consumer.dependencies, consumer.variables = {"utfilter": package}, {"CMAKE_PREFIX_PATH": package.package_folder}
consumer.build_folder = directory / "consumer"
consumer.cpp = types.SimpleNamespace(build=types.SimpleNamespace(bindir=consumer.build_folder))
for step in ("requirements", "layout", "build", "test"):
    getattr(consumer, step)()
assert consumer.required == [consumer.tested_reference_str], consumer.required
