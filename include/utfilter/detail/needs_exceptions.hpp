// needs_exceptions.hpp: ends the compilation, with the reason, if a header that throws or catches is included without
// exceptions. Not for users.
#ifndef UTFILTER_DETAIL_NEEDS_EXCEPTIONS_HPP
#define UTFILTER_DETAIL_NEEDS_EXCEPTIONS_HPP

#include <utfilter/config.hpp>

#if !defined(__cpp_exceptions) && !defined(_CPPUNWIND)
#  error this header of utfilter needs exceptions, which -fno-exceptions turns off; text.hpp and transcoder.hpp do not
#  include <utfilter/needs_exceptions>
#endif

#endif
