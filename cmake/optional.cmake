# optional.cmake: libraries and tools that only some tests or examples need. If a library or tool is missing, the tests
# and examples that need it are left out.

# The Debian package of each library and tool, by its CMake target.
set(package_of_Boost::iostreams libboost-iostreams-dev)
set(package_of_Boost::log libboost-log-dev)
set(package_of_Boost::program_options libboost-program-options-dev)
set(package_of_ICU::uc libicu-dev)
set(package_of_Iconv::Iconv libc6-dev)
set(package_of_PkgConfig::COMPRESSION "pkg-config zlib1g-dev liblzma-dev libzstd-dev")
set(package_of_PkgConfig::EASYLOGGINGPP "pkg-config libeasyloggingpp-dev")
set(package_of_PkgConfig::LOG4CXX "pkg-config liblog4cxx-dev")
set(package_of_PkgConfig::PARSERS "pkg-config nlohmann-json3-dev libpugixml-dev rapidjson-dev libtomlplusplus-dev libyaml-cpp-dev")
set(package_of_PkgConfig::UCHARDET "pkg-config libuchardet-dev")
set(package_of_PkgConfig::UTF8PROC "pkg-config libutf8proc-dev")
set(package_of_PkgConfig::PCRE2 "pkg-config libpcre2-dev")
set(package_of_Poco::Foundation libpoco-dev)
set(package_of_Python3::Interpreter python3)
set(package_of_ZLIB::ZLIB zlib1g-dev)
set(package_of_encoding_rs "rustc librust-encoding-rs-dev")
set(package_of_fmt::fmt libfmt-dev)
set(package_of_glog::glog libgoogle-glog-dev)
set(package_of_log4cplus::log4cplus liblog4cplus-dev)
set(package_of_log_recipes python3)
set(package_of_spdlog::spdlog libspdlog-dev)
set(package_of_unicode_data unicode-data)

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

# utfilter_find(FOUND NAME TARGET...): sets FOUND to ON if all these targets, which NAME needs, exist; otherwise to OFF,
# and reports that NAME is not built.
function(utfilter_find found name)
  set(${found} ON PARENT_SCOPE)
  foreach(library IN LISTS ARGN)
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
