// needs_exceptions.hpp: ends the compilation, with the reason, if a header that throws or catches is included without
// exceptions. Not for users.
// layer: exceptions
#ifndef UTFILTER_DETAIL_NEEDS_EXCEPTIONS_HPP
#define UTFILTER_DETAIL_NEEDS_EXCEPTIONS_HPP

#include <utfilter/config.hpp>

#if !UTFILTER_HAS_EXCEPTIONS
#  error this header of utfilter needs exceptions, which -fno-exceptions turns off; text.hpp and decoder.hpp do not
#  include <utfilter/needs_exceptions>
#endif

#endif
