# cmake -D PORT=DIRECTORY -D WORK=DIRECTORY -D FEATURES=... -D LINKAGE=static|dynamic -D CXX=... -P vcpkg_steps.cmake:
# takes a port through its steps without vcpkg. Stand-ins for vcpkg's functions call CMake as vcpkg would. The package
# is written to WORK/package.
cmake_minimum_required(VERSION 3.22)

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
endfunction()

function(vcpkg_check_features)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "OUT_FEATURE_OPTIONS" "FEATURES;INVERTED_FEATURES")
  foreach(kind IN ITEMS FEATURES INVERTED_FEATURES)
    while(arg_${kind})
      list(POP_FRONT arg_${kind} feature variable)
      set(value OFF)
      if((feature IN_LIST FEATURES AND kind STREQUAL "FEATURES") OR (NOT feature IN_LIST FEATURES AND kind STREQUAL "INVERTED_FEATURES"))
        set(value ON)
      endif()
      list(APPEND options -D${variable}=${value})
    endwhile()
  endforeach()
  set(${arg_OUT_FEATURE_OPTIONS} ${options} PARENT_SCOPE)
endfunction()

function(vcpkg_find_acquire_program variable)
  find_program(found pkg-config)
  set(${variable} ${found} PARENT_SCOPE)
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FILE_LIST")
  file(COPY_FILE ${arg_FILE_LIST} ${CURRENT_PACKAGES_DIR}/share/utfilter/copyright)
endfunction()

function(vcpkg_cmake_configure)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "SOURCE_PATH" "OPTIONS")
  set(shared OFF)
  if(LINKAGE STREQUAL "dynamic")
    set(shared ON)
  endif()
  run(${CMAKE_COMMAND} -S ${arg_SOURCE_PATH} -B ${WORK}/build -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_COMPILER=${CXX}
    -DBUILD_SHARED_LIBS=${shared} -DCMAKE_INSTALL_LIBDIR=lib ${arg_OPTIONS})
endfunction()

function(vcpkg_cmake_install)
  run(${CMAKE_COMMAND} --build ${WORK}/build --parallel 2)
  run(${CMAKE_COMMAND} --install ${WORK}/build --prefix ${CURRENT_PACKAGES_DIR})
endfunction()

# Moves the CMake files to share/PORT. There they are one directory less deep, so their paths to the package change.
function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "CONFIG_PATH" "")
  file(GLOB files ${CURRENT_PACKAGES_DIR}/${arg_CONFIG_PATH}/*)
  if(NOT files)
    message(FATAL_ERROR "there are no files in ${arg_CONFIG_PATH}")
  endif()
  foreach(file IN LISTS files)
    file(READ ${file} text)
    string(REPLACE "/../../../" "/../../" text "${text}")
    string(REPLACE "get_filename_component(_IMPORT_PREFIX \"\${_IMPORT_PREFIX}\" PATH)\nget_filename_component(_IMPORT_PREFIX"
                   "get_filename_component(_IMPORT_PREFIX" text "${text}")
    cmake_path(GET file FILENAME name)
    file(WRITE ${CURRENT_PACKAGES_DIR}/share/utfilter/${name} "${text}")
  endforeach()
  file(REMOVE_RECURSE ${CURRENT_PACKAGES_DIR}/lib/cmake)
endfunction()

function(vcpkg_fixup_pkgconfig)
  if(NOT EXISTS ${CURRENT_PACKAGES_DIR}/lib/pkgconfig/utfilter.pc)
    message(FATAL_ERROR "utfilter.pc is not where vcpkg looks for it")
  endif()
endfunction()

function(vcpkg_copy_tools)
  cmake_parse_arguments(PARSE_ARGV 0 arg "AUTO_CLEAN" "" "TOOL_NAMES")
  foreach(tool IN LISTS arg_TOOL_NAMES)
    file(COPY ${CURRENT_PACKAGES_DIR}/bin/${tool} DESTINATION ${CURRENT_PACKAGES_DIR}/tools/utfilter)
    file(REMOVE ${CURRENT_PACKAGES_DIR}/bin/${tool})
  endforeach()
endfunction()

set(CURRENT_PORT_DIR ${PORT})
set(CURRENT_PACKAGES_DIR ${WORK}/package)
include(${PORT}/portfile.cmake)
