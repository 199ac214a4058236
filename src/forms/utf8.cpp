// utf8.cpp: the form of UTF-8, and of bytes that are passed unread.
#include "../utf8.hpp"

#include "../forms.hpp"

#include <utfilter/codec.hpp>

#include <algorithm>
#include <cstring>

namespace utfilter::detail {
namespace {

run copy_utf8(const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  if (in == out) return kernels().validate_utf8(in, std::min(size, room));  // in place: checked, not moved
  return kernels().copy_utf8(in, size, out, room);
}

/// Text is mostly written line by line.
line_end last_line(const char* in, std::size_t size) noexcept {
  if (size != 0 && in[size - 1] == '\n') return {0, 0};
  return kernels().utf8_last_line(in, size);
}

sequence decode_octet(const unsigned char* in, std::size_t, bool) noexcept { return sequence::scalar(in[0], 1); }

std::size_t encode_octet(char32_t c, char* out) noexcept {
  out[0] = static_cast<char>(static_cast<unsigned char>(c));
  return 1;
}

run copy_octets(const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  const std::size_t n = std::min(size, room);
  if (n != 0 && in != out) std::memcpy(out, in, n);
  return {n, n, 0, 0};
}

line_end no_line(const char*, std::size_t size) noexcept { return {size, 0}; }

}  // namespace

const encoding_form utf8_form  = {decode_utf8, encode_utf8, copy_utf8, copy_utf8, last_line};
const encoding_form octet_form = {decode_octet, encode_octet, copy_octets, copy_octets, no_line};

}  // namespace utfilter::detail
