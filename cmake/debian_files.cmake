# debian_files.cmake: cpack runs it before it makes Debian packages. It adds the files that Debian wants in each package, a
# copyright file and a compressed changelog, and compresses the manual pages.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
find_program(GZIP gzip REQUIRED)
file(GLOB to_compress ${CPACK_TEMPORARY_DIRECTORY}/*${CPACK_PACKAGING_INSTALL_PREFIX}/share/man/man1/*.1)
string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)  # SOURCE_DATE_EPOCH decides, if it is set
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} name)
  set(documentation
    ${CPACK_TEMPORARY_DIRECTORY}/${component}${CPACK_PACKAGING_INSTALL_PREFIX}/share/doc/${CPACK_DEBIAN_${name}_PACKAGE_NAME})
  file(COPY ${CPACK_UTFILTER_COPYRIGHT} DESTINATION ${documentation}
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
  file(WRITE ${documentation}/changelog "${CPACK_PACKAGE_NAME} (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium\n\n"
    "  * The changes are in CHANGELOG.md, which the package ${CPACK_DEBIAN_DEV_PACKAGE_NAME} has.\n\n"
    " -- ${CPACK_PACKAGE_CONTACT}  ${now}\n")
  list(APPEND to_compress ${documentation}/changelog)
endforeach()
foreach(file IN LISTS to_compress)
  execute_process(COMMAND ${GZIP} -9 -n -f ${file} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
