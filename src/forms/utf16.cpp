// utf16.cpp: the forms of UTF-16, one for each byte order.
#include "../utf16.hpp"

namespace utfilter::detail {

const encoding_form utf16le_form = {
    decode_utf16<little_endian>,
    encode_utf16<little_endian>,
    by_kernel<&kernel_table::utf16le_to_utf8>,
    by_kernel<&kernel_table::utf8_to_utf16le>,
    by_kernel<&kernel_table::utf16le_last_line>,
};

const encoding_form utf16be_form = {
    decode_utf16<big_endian>,
    encode_utf16<big_endian>,
    by_kernel<&kernel_table::utf16be_to_utf8>,
    by_kernel<&kernel_table::utf8_to_utf16be>,
    by_kernel<&kernel_table::utf16be_last_line>,
};

}  // namespace utfilter::detail
