// repair.cpp: decides about errors by the policy, and makes and writes their repairs.
#include <utfilter/repair.hpp>

#include "codecs/write_in.hpp"
#include "encodings/encoding_scheme.hpp"
#include "unicode/hex.hpp"

#include <utfilter/text.hpp>
#include <utfilter/utf8.hpp>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace utfilter {
namespace {

/// The number of bytes of the ill-formed subsequence that encode error.code_point: 0 if there is no code point, else
/// all. The exception is a high surrogate at the end of the input: a part of its low surrogate may follow it. 0 also for a
/// control character of ASCII, which is escaped by its byte, as escape_controls does it.
std::size_t bytes_of_code_point(const error_info& error) noexcept {
  if (error.code_point == 0 || (error.code == errc::forbidden && error.code_point < 0x80)) return 0;
  if (error.code != errc::incomplete_at_end) return error.size;
  // In CESU-8 the high surrogate begins with ED A0..AF. In UTF-16 one of its two bytes is D8..DB, so the two cannot be
  // confused.
  const bool cesu8 = error.bytes[0] == 0xED && (error.bytes[1] & 0xF0) == 0xA0;
  return cesu8 ? 3 : 2;
}

}  // namespace

std::string detail::why_no_repair(const char* what, std::string_view text) {
  const std::optional<error_info> error = find_error(text);
  return error ? std::string("utfilter: ") + what + " is not well-formed UTF-8: " + error->message() : std::string();
}

std::string detail::why_no_repair(const params& p) {
  if (p.fallback == encoding::detect) return "utfilter: params::fallback must name an encoding, it cannot be detect";
  if (p.repair && p.on_error != on_error::replace) return "utfilter: params::repair is only for on_error::replace";
  if (is_replacement_character(p.replacement)) return {};
  return why_no_repair("params::replacement", p.replacement);
}

std::size_t escape_error(const error_info& error, repair_buffer& out) noexcept {
  char* end = out.data();
  const std::size_t as_one_unit = bytes_of_code_point(error);
  if (as_one_unit != 0) end = detail::write_code_point_escape(error.code_point, end);
  for (std::size_t i = as_one_unit; i < error.size; ++i) end = detail::write_byte_escape(error.bytes[i], end);
  return static_cast<std::size_t>(end - out.data());
}

std::size_t windows1252_error(const error_info& error, repair_buffer& out) noexcept {
  std::size_t n = 0;
  for (std::size_t i = 0; i < error.size; ++i)
    n += encode_utf8(detail::windows1252_scheme.decode(&error.bytes[i], 1, true).value, out.data() + n);
  return n;
}

//------------------------------------------------------------------------------------------------------------ the policy

/// The one place that knows what each policy does.
UTFILTER_NOINLINE repairer::decision repairer::decide(const error_info& error, bool reads_utf8,
                                                      repair_buffer& buffer) const noexcept {
  const auto made = [&](std::size_t size) { return decision{verdict::repair, {buffer.data(), size}}; };
  switch (policy_) {
    case on_error::strict: return {verdict::fail, {}};
    case on_error::stop: return {verdict::end, {}};
    case on_error::replace: break;
    case on_error::skip: return {verdict::repair, {}};
    case on_error::escape: return made(escape_error(error, buffer));
    case on_error::keep: std::copy_n(error.bytes.begin(), error.size, buffer.begin()); return made(error.size);
    case on_error::windows1252:
      if (reads_utf8 && error.code != errc::unmappable && error.code != errc::forbidden)
        return made(windows1252_error(error, buffer));
      break;
  }
  return {verdict::repair, replacement()};
}

bool repairer::repairs(on_error policy) noexcept {
  repair_buffer ignored;
  return repairer(policy).decide({}, false, ignored).what == verdict::repair;
}

repairer::verdict repairer::meet(const error_info& error, bool reads_utf8) noexcept {
  count(error);
  drop();
  if (errors_ > limit_) return verdict::fail;
  const decision found = decide(error, reads_utf8, buffer_);
  if (!detail::is_of_text(error.code) && !makes()) size_ = found.repair.size();
  in_buffer_ = found.repair.data() == buffer_.data();
  return found.what;
}

std::size_t repairer::size_of_repair(const error_info& error, bool reads_utf8) const noexcept {
  repair_buffer buffer;
  return detail::is_of_text(error.code) ? 0 : decide(error, reads_utf8, buffer).repair.size();
}

//------------------------------------------------------------------------------------------------- the codecs that repair

/// Makes the repair of an error in the target encoding. Returns false if there is none, or if it is too long.
bool repairer::encode(const error_info& error, bool reads_utf8, const detail::encoding_scheme& target) noexcept {
  repair_buffer buffer;
  const decision found = decide(error, reads_utf8, buffer);
  encoded_.target = nullptr;
  if (found.what != verdict::repair || detail::is_of_text(error.code)) return false;

  const std::string_view text = found.repair;
  if (&target == &detail::utf8_scheme) {
    if (text.size() > encoded_.bytes.size()) return false;
    encoded_.size = static_cast<std::uint8_t>(text.copy(encoded_.bytes.data(), text.size()));
  } else {
    const detail::encoding_scheme* state = &target;
    const detail::repair_progress done = detail::write_in(state, text, encoded_.bytes.data(), encoded_.bytes.size());
    if (done.consumed != text.size()) return false;
    encoded_.size = static_cast<std::uint8_t>(done.produced);
  }
  encoded_.target = &target;
  encoded_.is_of_all = text.data() != buffer.data() && (policy_ != on_error::windows1252 || !reads_utf8);
  encoded_.error_size = error.size;
  encoded_.error_bytes = error.bytes;
  return true;
}

void repairer::repair_again(std::size_t n, char*& out, const char* end) noexcept {
  errors_ += n;
  const std::size_t size = encoded_.size;
  char* to = out;
  if (size <= usual)
    for (; n != 0 && static_cast<std::size_t>(end - to) >= usual; --n, to += size)
      std::memcpy(to, encoded_.bytes.data(), usual);
  for (; n != 0; --n, to += size) std::memcpy(to, encoded_.bytes.data(), size);
  out = to;
}

}  // namespace utfilter
