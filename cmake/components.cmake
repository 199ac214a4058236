# components.cmake: the components that need another library each, and how CMake finds these libraries. The build uses
# this file, and so does the installed package.
#
#   utfilter::icu  charsets by ICU
#   utfilter::nfc  Normalization Form C by utf8proc
set(utfilter_components icu nfc)
set(utfilter_library_of_icu ICU::uc)
set(utfilter_library_of_nfc PkgConfig::UTF8PROC)

# Looks for the library of a component. The target utfilter_library_of_COMPONENT exists afterwards if there is one.
macro(utfilter_find_library_of component)
  if("${component}" STREQUAL "icu")
    find_package(ICU QUIET COMPONENTS uc)
  else()
    find_package(PkgConfig QUIET)
    if(PkgConfig_FOUND AND "${component}" STREQUAL "nfc")
      pkg_check_modules(UTF8PROC QUIET IMPORTED_TARGET libutf8proc)
    endif()
  endif()
endmacro()
