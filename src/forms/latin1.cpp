// latin1.cpp: the form of ISO-8859-1.
#include "../latin1.hpp"

#include "../convert.hpp"

namespace utfilter::detail {

const encoding_form latin1_form = {
    decode_latin1,
    encode_latin1,
    by_kernel<&kernel_table::latin1_to_utf8>,
    by_kernel<&kernel_table::utf8_to_latin1>,
    last_line<decode_latin1, 1>,
};

}  // namespace utfilter::detail
