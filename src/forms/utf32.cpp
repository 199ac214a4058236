// utf32.cpp: the forms of UTF-32, one for each byte order.
#include "../utf32.hpp"

#include "../convert.hpp"

namespace utfilter::detail {

const encoding_form utf32le_form = {
    decode_utf32<little_endian>,
    encode_utf32<little_endian>,
    by_kernel<&kernel_table::utf32le_to_utf8>,
    by_kernel<&kernel_table::utf8_to_utf32le>,
    last_line<decode_utf32<little_endian>, 4>,
};

const encoding_form utf32be_form = {
    decode_utf32<big_endian>,
    encode_utf32<big_endian>,
    by_kernel<&kernel_table::utf32be_to_utf8>,
    by_kernel<&kernel_table::utf8_to_utf32be>,
    last_line<decode_utf32<big_endian>, 4>,
};

}  // namespace utfilter::detail
