# manual.cmake: makes the manual page, with the names of the encodings that UTFCAT --list prints.
#
#   cmake -D INPUT=utfcat.1.in -D OUTPUT=utfcat.1 -P manual.cmake -- UTFCAT...
foreach(i RANGE ${CMAKE_ARGC})
  if(after_dashes)
    list(APPEND utfcat ${CMAKE_ARGV${i}})
  elseif(CMAKE_ARGV${i} STREQUAL "--")
    set(after_dashes ON)
  endif()
endforeach()
execute_process(COMMAND ${utfcat} --list OUTPUT_VARIABLE list RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${utfcat} --list failed: ${failed}")
endif()
string(REGEX REPLACE "\n\n.*" "\n" list "${list}")  # the page refers to --list for the charsets of ICU
string(REGEX REPLACE "(^|\n)([^ \n]+)[^\n]*" "\\2;" names "${list}")
string(TOLOWER "${names}" names)
list(FILTER names EXCLUDE REGEX "^[ \r\n]*$")
string(REPLACE "-" "\\-" names "${names}")
list(TRANSFORM names PREPEND "\\%")  # no hyphenation
list(JOIN names ", " names)
file(READ ${INPUT} page)
string(REPLACE "ENCODINGS" "${names}" page "${page}")
file(WRITE ${OUTPUT} "${page}")
