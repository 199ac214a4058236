// utf16.cpp: the forms of UTF-16, one for each byte order.
#include "../utf16.hpp"

namespace utfilter::detail {

const encoding_form utf16le_form = {
    decode_utf16<little_endian>,
    encode_utf16<little_endian>,
    [](const char* in, std::size_t size, char* out, std::size_t room) noexcept {
      return kernels().utf16le_to_utf8(in, size, out, room);
    },
    [](const char* in, std::size_t size, char* out, std::size_t room) noexcept {
      return kernels().utf8_to_utf16le(in, size, out, room);
    },
    [](const char* in, std::size_t size) noexcept { return kernels().count_utf16le(in, size); },
};

const encoding_form utf16be_form = {
    decode_utf16<big_endian>,
    encode_utf16<big_endian>,
    [](const char* in, std::size_t size, char* out, std::size_t room) noexcept {
      return kernels().utf16be_to_utf8(in, size, out, room);
    },
    [](const char* in, std::size_t size, char* out, std::size_t room) noexcept {
      return kernels().utf8_to_utf16be(in, size, out, room);
    },
    [](const char* in, std::size_t size) noexcept { return kernels().count_utf16be(in, size); },
};

}  // namespace utfilter::detail
