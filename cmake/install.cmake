# install.cmake: what cmake --install installs.
#
# Two components: runtime has utfcat and the shared libraries that programs need to run; dev has the files to compile
# and link programs.
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/utfilter)
install(TARGETS utfilter_core utfilter_streams EXPORT utfilterCoreTargets
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT dev
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
if(BUILD_SHARED_LIBS AND UTFILTER_INSTALL_STATIC)
  foreach(library IN LISTS libraries)
    add_library(utfilter_${library}_static STATIC $<TARGET_OBJECTS:utfilter_${library}>)
    set_target_properties(utfilter_${library}_static PROPERTIES
      OUTPUT_NAME $<TARGET_PROPERTY:utfilter_${library},OUTPUT_NAME>)
    install(TARGETS utfilter_${library}_static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
  endforeach()
endif()
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)
install(FILES README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT dev)
install(DIRECTORY doc DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT dev FILES_MATCHING PATTERN "*.md")
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT dev
  FILES_MATCHING PATTERN "*.?pp" PATTERN samples EXCLUDE)
install(FILES src/gdb/utf8check.py DESTINATION ${CMAKE_INSTALL_DATADIR}/utfilter COMPONENT dev)
install(EXPORT utfilterCoreTargets NAMESPACE utfilter:: DESTINATION ${package_dir} COMPONENT dev)
if(TARGET utfilter_utfilter)
  install(TARGETS utfilter_utfilter EXPORT utfilterFilterTargets)
  install(EXPORT utfilterFilterTargets NAMESPACE utfilter:: DESTINATION ${package_dir} COMPONENT dev)
endif()
foreach(component IN LISTS utfilter_components)
  if(TARGET utfilter_${component})
    install(TARGETS utfilter_${component} EXPORT utfilterTargets_${component}
      RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime
      LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT dev
      ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
    install(EXPORT utfilterTargets_${component} NAMESPACE utfilter:: DESTINATION ${package_dir} COMPONENT dev)
  endif()
endforeach()
install(FILES cmake/components.cmake DESTINATION ${package_dir} RENAME utfilterComponents.cmake COMPONENT dev)
configure_package_config_file(cmake/utfilterConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/utfilterConfig.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/utfilterConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/utfilterConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/utfilterConfigVersion.cmake
  DESTINATION ${package_dir} COMPONENT dev)
file(RELATIVE_PATH prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/utfilter.pc.in ${CMAKE_CURRENT_BINARY_DIR}/utfilter.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/utfilter.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
set(module_of_icu icu-uc)
set(module_of_nfc libutf8proc)
foreach(component IN LISTS utfilter_components)
  if(TARGET utfilter_${component})
    # A program that is linked with the static library needs the other library, too: pkg-config --static.
    set(requires "utfilter, ${module_of_${component}}")
    if(BUILD_SHARED_LIBS)
      set(requires "utfilter\nRequires.private: ${module_of_${component}}")
    endif()
    configure_file(cmake/utfilter-component.pc.in ${CMAKE_CURRENT_BINARY_DIR}/utfilter-${component}.pc @ONLY)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/utfilter-${component}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
  endif()
endforeach()
