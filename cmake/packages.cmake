# packages.cmake: settings for `cpack`: Debian packages (DEB), one for each component, and an archive of both (TGZ).
# doc/installing.md says how to make them and what each contains.
set(CPACK_PACKAGE_VENDOR utfilter)
# This address receives no mail: SECURITY.md says how to reach the maintainers.
set(CPACK_PACKAGE_CONTACT "The maintainers of utfilter <maintainers@utfilter.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "UTF-8 validation and repair, and transcoding, for Boost.Iostreams")
set(CPACK_COMPONENTS_ALL runtime dev)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_GENERATOR DEB TGZ)

# The archive contains one directory. Users may move it.
set(CPACK_SYSTEM_NAME "${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_ARCHIVE_COMPONENT_INSTALL OFF)

# The Debian packages. dpkg-shlibdeps finds the dependencies of the component runtime.
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME utfilter)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libutfilter-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libboost-dev (>= 1.74)")
set(CPACK_DEBIAN_DEV_PACKAGE_RECOMMENDS libboost-iostreams-dev)
foreach(component IN LISTS utfilter_components)
  if(TARGET utfilter_${component})
    string(REPLACE "pkg-config " "" needed "${package_of_${utfilter_library_of_${component}}}")
    string(APPEND CPACK_DEBIAN_DEV_PACKAGE_RECOMMENDS ", ${needed}")
  endif()
endforeach()
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_SOURCE_DIR}/cmake/debian_files.cmake)
set(CPACK_UTFILTER_COPYRIGHT ${CMAKE_CURRENT_SOURCE_DIR}/packaging/debian/copyright)
if(BUILD_SHARED_LIBS)
  # Packages of programs that are linked with a shared library will depend on the name libutfilterMAJOR.MINOR, which
  # the runtime package provides.
  get_target_property(soversion utfilter_core SOVERSION)
  set(shlibs)
  foreach(library IN LISTS libraries)
    get_target_property(name utfilter_${library} OUTPUT_NAME)
    string(APPEND shlibs "lib${name} ${soversion} libutfilter${soversion}\n")
  endforeach()
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/packages/shlibs "${shlibs}")
  # A trigger runs ldconfig once for all packages that are installed together. cpack would also add scripts that run it,
  # postinst and postrm. It does not if the list has files with these names, and it leaves out files that do not exist.
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/packages/triggers "activate-noawait ldconfig\n")
  set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA shlibs triggers postinst postrm)
  list(TRANSFORM CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA PREPEND ${CMAKE_CURRENT_BINARY_DIR}/packages/)
  set(CPACK_DEBIAN_RUNTIME_PACKAGE_PROVIDES libutfilter${soversion})
  string(APPEND CPACK_DEBIAN_DEV_PACKAGE_DEPENDS ", utfilter (= ${PROJECT_VERSION})")
endif()
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "utfcat, and the shared library for programs that are linked with it.
 utfcat checks, repairs and transcodes text files, compressed ones too.")
set(CPACK_COMPONENT_DEV_DESCRIPTION "Headers, libraries and documentation to compile programs with utfilter.
 The files for CMake and pkg-config are here, too.")
include(CPack)
