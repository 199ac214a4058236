// latin1.cpp: the form of ISO-8859-1.
#include "../latin1.hpp"

#include "../convert.hpp"

namespace utfilter::detail {

const encoding_form latin1_form = {
    decode_latin1,
    encode_latin1,
    [](const char* in, std::size_t size, char* out, std::size_t room) noexcept {
      return kernels().latin1_to_utf8(in, size, out, room);
    },
    [](const char* in, std::size_t size, char* out, std::size_t room) noexcept {
      return kernels().utf8_to_latin1(in, size, out, room);
    },
    count<decode_latin1>,
};

}  // namespace utfilter::detail
