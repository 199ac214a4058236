// utf32.cpp: the forms of UTF-32, one for each byte order.
#include "../utf32.hpp"

#include "../convert.hpp"

namespace utfilter::detail {

const encoding_form utf32le_form = {
    decode_utf32<little_endian>,
    encode_utf32<little_endian>,
    [](const char* in, std::size_t size, char* out, std::size_t room) noexcept {
      return kernels().utf32le_to_utf8(in, size, out, room);
    },
    [](const char* in, std::size_t size, char* out, std::size_t room) noexcept {
      return kernels().utf8_to_utf32le(in, size, out, room);
    },
    count<decode_utf32<little_endian>>,
};

const encoding_form utf32be_form = {
    decode_utf32<big_endian>,
    encode_utf32<big_endian>,
    [](const char* in, std::size_t size, char* out, std::size_t room) noexcept {
      return kernels().utf32be_to_utf8(in, size, out, room);
    },
    [](const char* in, std::size_t size, char* out, std::size_t room) noexcept {
      return kernels().utf8_to_utf32be(in, size, out, room);
    },
    count<decode_utf32<big_endian>>,
};

}  // namespace utfilter::detail
