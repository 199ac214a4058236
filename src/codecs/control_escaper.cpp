// control_escaper.cpp: passes runs of harmless characters on, and takes the others one at a time.
#include <utfilter/control_escaper.hpp>

#include "codecs/advance.hpp"
#include "codecs/escapes.hpp"
#include "encodings/encoding_scheme.hpp"
#include "kernels/kernels.hpp"

#include <utfilter/repair.hpp>

#include <algorithm>
#include <cstring>
#include <string_view>

namespace utfilter {

using detail::sequence;

namespace {
constexpr std::size_t longest_character = 4;  // bytes
}

control_escaper::control_escaper(const printable_options& o) noexcept : options_(detail::complete(o)) {
  facts_.encoding = encoding::utf8;
  facts_.reads_utf8 = true;
}

codec_progress control_escaper::transform(const char* in, std::size_t size, char* out, std::size_t room,
                                          bool last) noexcept {
  codec_progress done{0, 0, codec_status::need_input};
  const auto stop = [&](codec_status status) noexcept {
    done.status = status;
    return done;
  };
  while (true) {
    if (carried_ == 0) {
      const std::size_t n = pass_harmless(in + done.consumed, std::min(size - done.consumed, room - done.produced));
      if (n != 0) std::memcpy(out + done.produced, in + done.consumed, n);
      done.consumed += n;
      done.produced += n;
    }

    // The next sequence begins with the carried bytes; bytes of the input follow. Four bytes are always enough to
    // decide. If there are fewer, the input has no more.
    std::array<char, 4> bytes = carry_;
    const std::size_t taken = std::min(size - done.consumed, bytes.size() - carried_);
    const std::size_t known = carried_ + taken;
    if (known == 0) return stop(last ? codec_status::done : codec_status::need_input);
    if (taken != 0) std::memcpy(bytes.data() + carried_, in + done.consumed, taken);
    const sequence next = detail::decode_for_escapes(bytes.data(), known, last, options_);

    if (next.what == sequence::kind::incomplete) {
      carry_ = bytes;
      carried_ = static_cast<std::uint8_t>(known);
      done.consumed += taken;
      return stop(codec_status::need_input);
    }
    if (next.what == sequence::kind::scalar) {
      char escape[min_output];
      const bool harmless = !detail::is_escaped(next.value, options_);
      const std::size_t length = harmless ? next.size : encode(next.value, escape);
      if (length > room - done.produced) return stop(codec_status::need_output);
      std::memcpy(out + done.produced, harmless ? bytes.data() : escape, length);
      done.produced += length;
      count(next.value, next.size);
    } else {
      note_error(next.code, bytes.data(), next.size);
    }
    // All carried bytes belong to this sequence, because they were not a whole sequence themselves.
    done.consumed += next.size - carried_;
    carried_ = 0;
    if (next.what == sequence::kind::ill_formed) return stop(codec_status::malformed);
  }
}

/// Counts the whole characters at the start of `in` that are passed on unchanged; returns the number of their bytes.
///
/// Looks at windows of the text that become larger while nothing is escaped: a short one costs little if an escape
/// follows soon.
std::size_t control_escaper::pass_harmless(const char* in, std::size_t size) noexcept {
  constexpr std::size_t smallest = 64, largest = 4096;
  const detail::kernel_table& kernel = detail::kernels();
  std::size_t at = detail::plain_prefix(in, size, options_);
  position_.offset += at;
  position_.column += at;
  for (std::size_t window = smallest; at != size; window = std::min(2 * window, largest)) {
    const std::size_t n = std::min(window, size - at);
    detail::run passed = kernel.validate_utf8(in + at, n);
    const std::size_t harmless = detail::find_escaped(in + at, passed.consumed, options_);
    if (harmless != passed.consumed) passed = kernel.validate_utf8(in + at, harmless);
    detail::advance(position_, passed, [&] { return kernel.utf8_last_line(in + at, passed.consumed); });
    at += harmless;
    if (harmless == 0 || harmless + longest_character <= n) break;  // more is known than that a character is cut
  }
  return at;
}

/// Repairs the last error, and those after it that are the same byte. Returns false if it is not for this codec to
/// repair.
bool control_escaper::repair(const char*& in, const char* in_end, char*& out, const char* out_end,
                             repairer& by) noexcept {
  char raw[repairer::longest_encoded];
  if (static_cast<std::size_t>(out_end - out) < sizeof raw * min_output) return false;
  char* end = raw;
  if (!by.repair(error_, true, detail::utf8_scheme, end, raw + sizeof raw)) return false;
  const std::string_view text(raw, static_cast<std::size_t>(end - raw));
  char* const begin = out;
  const auto escaped = [this](char32_t c, char* to) noexcept { return encode(c, to); };
  out += detail::write_repair<min_output>(text, out, static_cast<std::size_t>(out_end - out), escaped).produced;

  // Bytes that repeat an error of one byte are the same errors. What follows the last of them decides about it.
  if (error_.size != 1 || text != std::string_view(begin, static_cast<std::size_t>(out - begin))) return true;
  const char* alike = in;
  while (alike != in_end && static_cast<unsigned char>(*alike) == error_.bytes[0]) ++alike;
  if (alike - in < 2) return true;
  const std::size_t n = by.most(static_cast<std::size_t>(alike - in) - 1, out, out_end);
  if (n == 0) return true;
  by.repair_again(n, out, out_end);
  position_.offset += n - 1;
  position_.column += n - 1;
  note_error(error_.code, in, 1, error_.code_point);
  in += n;
  return true;
}

codec_progress control_escaper::transform(const char* in, std::size_t size, char* out, std::size_t room, bool last,
                                          repairer& by) noexcept {
  const char* next = in;
  const char* const end = in + size;
  char* to = out;
  char* const to_end = out + room;
  while (true) {
    const codec_progress one =
        transform(next, static_cast<std::size_t>(end - next), to, static_cast<std::size_t>(to_end - to), last);
    next += one.consumed;
    to += one.produced;
    if (one.status != codec_status::malformed || !repair(next, end, to, to_end, by))
      return {static_cast<std::size_t>(next - in), static_cast<std::size_t>(to - out), one.status};
  }
}

std::size_t control_escaper::encode(char32_t c, char* out) const noexcept {
  return detail::is_escaped(c, options_) ? detail::write_escape(c, options_.style, out) : encode_utf8(c, out);
}

}  // namespace utfilter
