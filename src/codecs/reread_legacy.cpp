// reread_legacy.cpp: writes the byte that a character was, and reads it in another encoding.
#include <utfilter/changes.hpp>

#include "codecs/copy_until.hpp"
#include "encodings/encoding_scheme.hpp"
#include "unicode/utf8.hpp"

#include <utfilter/utf8.hpp>

#include <cstddef>
#include <cstring>

namespace utfilter::changes {

using detail::sequence;

namespace {

/// For copy_until: the next character that changes.
struct next_reread {
  const detail::encoding_scheme& read_as;
  const detail::encoding_scheme& is_in;
  char32_t& becomes;

  bool is_at(const char* in, std::size_t size, std::size_t at) const noexcept {
    if (at == size || static_cast<unsigned char>(in[at]) < 0x80) return false;
    const char32_t c = detail::first_character(in + at, size - at).value;
    char byte[8];
    if (read_as.encode(c, byte) == 0) {
      if (c > 0x9F) return false;
      *byte = static_cast<char>(c);  // programs pass it through
    }
    const sequence one = is_in.decode(reinterpret_cast<const unsigned char*>(byte), 1, true);
    if (one.what != sequence::kind::scalar || one.value == c) return false;
    becomes = one.value;
    return true;
  }
#ifdef __GNUC__
  detail::bytes16 marks(const char* in) const noexcept { return detail::between(detail::load(in), 0xC2, 0xF4); }
#endif
};

const detail::encoding_scheme* scheme_if_single_byte(encoding e) noexcept {
  return is_single_byte(e) ? detail::scheme_of(e) : nullptr;
}

}  // namespace

reread_legacy::reread_legacy(encoding read_as, encoding is_in) noexcept
    : read_as_(scheme_if_single_byte(read_as)), is_in_(scheme_if_single_byte(is_in)) {}

const char* reread_legacy::why_not() const noexcept {
  if (read_as_ != nullptr && is_in_ != nullptr) return nullptr;
  return "utfilter::reread_legacy: both encodings must have one byte per character";
}

codec_progress reread_legacy::operator()(text_piece in, char* out, std::size_t room, text_facts& facts) noexcept {
  return detail::progress_of(in.text.data(), in.text.size(), out, room, [&](detail::cursor& at) noexcept {
    if (why_not() != nullptr) {  // copies all
      const std::size_t n = in.fitting(at.room());
      at.write(in.text.substr(0, n));
      at.in += n;
      return at.left() == 0 ? codec_status::need_input : codec_status::need_output;
    }
    char32_t becomes = 0;
    bool is_rare = true;
    while (detail::copy_until(next_reread{*read_as_, *is_in_, becomes}, at, is_rare)) {
      char unit[4];
      const std::size_t length = encode_utf8(becomes, unit);
      if (length > at.room()) return codec_status::need_output;
      at.write({unit, length});
      at.in += detail::length_by_lead(static_cast<unsigned char>(*at.in));
      ++facts.changes;
      is_rare = false;
    }
    return at.left() == 0 ? codec_status::need_input : codec_status::need_output;
  });
}

}  // namespace utfilter::changes
