# optional.cmake: libraries and tools that only some tests or examples need. If a library or tool is missing, the tests
# and examples that need it are left out.

# The rows of libraries.txt: package_of_TARGET is Debian's packages, search_of_TARGET how to find the target.
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/libraries.txt rows REGEX "^[A-Za-z]")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/libraries.txt)
foreach(row IN LISTS rows)
  string(REGEX MATCH "^([^ ]+) +[|] ([^|]*[^| ]) *[|] ?([^|]*)" row "${row}")
  set(package_of_${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
  separate_arguments(search_of_${CMAKE_MATCH_1} UNIX_COMMAND "${CMAKE_MATCH_3}")
endforeach()

# utfilter_not_built(NAME MISSING [PACKAGES]): prints one line: NAME is not built, because MISSING was not found. With
# UTFILTER_REQUIRE_ALL this is an error.
function(utfilter_not_built name missing)
  set(severity STATUS)
  if(UTFILTER_REQUIRE_ALL)
    set(severity SEND_ERROR)
  endif()
  if(ARGN)
    set(hint " (Debian: ${ARGN})")
  endif()
  message(${severity} "utfilter: ${name} is not built: ${missing} was not found${hint}")
endfunction()

# utfilter_left_out(TEST REASON): notes that this build has no TEST. test/run prints the notes.
file(WRITE ${PROJECT_BINARY_DIR}/left_out.txt "")
function(utfilter_left_out test reason)
  file(APPEND ${PROJECT_BINARY_DIR}/left_out.txt "${test}: ${reason}\n")
endfunction()

# utfilter_find(FOUND NAME TARGET...): looks for these targets, which NAME needs. Sets FOUND to ON if all exist; otherwise
# to OFF, and reports that NAME is not built.
function(utfilter_find found name)
  set(${found} ON PARENT_SCOPE)
  foreach(library IN LISTS ARGN)
    set(search ${search_of_${library}})
    if(NOT TARGET ${library} AND search MATCHES "^pkg-config;(.*)")
      set(modules ${CMAKE_MATCH_1})
      find_package(PkgConfig QUIET)
      if(PkgConfig_FOUND)
        string(REPLACE PkgConfig:: "" prefix ${library})
        pkg_check_modules(${prefix} QUIET IMPORTED_TARGET ${modules})
      endif()
    elseif(NOT TARGET ${library} AND search)
      find_package(${search} QUIET)
    endif()
    if(NOT TARGET ${library})
      set(${found} OFF PARENT_SCOPE)
      set(packages "${package_of_${library}}")
      if(library STREQUAL "glog::glog" AND glog_NOT_FOUND_MESSAGE MATCHES "Unwind")
        # Debian has two packages with a libunwind, and glog's CMake files need the one that LLVM does not make.
        set(packages "libunwind-dev; libgoogle-glog-dev is there, but needs it in place of LLVM's libunwind, \
which libc++-dev brings and which hides glog from CMake")
      endif()
      utfilter_not_built(${name} ${library} "${packages}")
      break()
    endif()
  endforeach()
endfunction()
