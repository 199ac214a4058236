// text.cpp: checks and repairs UTF-8 in memory.
#include <utfilter/text.hpp>

#include "kernels/kernels.hpp"
#include "unicode/utf8.hpp"

#include <utfilter/repair.hpp>
#include <utfilter/transcoder.hpp>
#include <utfilter/utf8_checker.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace utfilter {

namespace {

/// Appends the repair of an ill-formed subsequence of UTF-8.
void append_repair(std::string& out, const unsigned char* bytes, std::size_t size, on_error policy) {
  error_info error;
  repair_buffer repair;
  switch (policy) {
    case on_error::skip: return;
    case on_error::escape:
    case on_error::windows1252:
      error.size = static_cast<std::uint8_t>(size);
      std::copy_n(bytes, size, error.bytes.begin());
      out.append(repair.data(),
                 policy == on_error::escape ? escape_error(error, repair) : windows1252_error(error, repair));
      return;
    case on_error::strict:
    case on_error::stop:
    case on_error::replace:
    case on_error::keep: out += "\xEF\xBF\xBD";
  }
}

}  // namespace

bool is_utf8(std::string_view text) noexcept {
  utf8_checker whole;
  return whole.take(text) && whole.is_whole();
}

std::optional<error_info> find_error(std::string_view text) noexcept {
  transcoder codec = transcoder::validating(bom::strip);
  // The codec needs room for a copy of the text. When the room is full, the codec stops, and the loop calls it again.
  char room[1024];
  while (true) {
    const codec_progress step = codec.transform(text.data(), text.size(), room, sizeof room, true);
    if (step.status == codec_status::malformed) return codec.error();
    if (step.status == codec_status::done) return std::nullopt;
    text.remove_prefix(step.consumed);
  }
}

std::string sanitize(std::string_view text, on_error policy) {
  const auto& validate = detail::kernels().validate_utf8;
  std::string out;
  out.reserve(text.size());
  while (true) {
    const std::size_t good = validate(text.data(), text.size()).consumed;
    out.append(text, 0, good);
    text.remove_prefix(good);
    if (text.empty()) return out;
    // Errors often follow each other; until the last of them, the kernel would find nothing. ASCII is no error.
    do {
      const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
      const detail::sequence next = detail::decode_utf8(bytes, text.size(), true);
      if (next.what == detail::sequence::kind::scalar) break;
      append_repair(out, bytes, next.size, policy);
      text.remove_prefix(next.size);
    } while (!text.empty() && static_cast<unsigned char>(text.front()) >= 0x80);
  }
}

std::size_t complete_prefix(std::string_view text) noexcept {
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  for (std::size_t back = 1; back <= 3 && back <= text.size(); ++back) {
    const std::size_t start = text.size() - back;
    if (detail::is_continuation(bytes[start])) continue;
    const bool incomplete = detail::decode_utf8(bytes + start, back, false).what == detail::sequence::kind::incomplete;
    return incomplete ? start : text.size();
  }
  return text.size();
}

namespace detail {

void assert_utf8_failed(const char* expression, const error_info& error, const char* file, unsigned line,
                        const char* function) noexcept {
  std::fprintf(stderr, "%s:%u: %s: %s is not well-formed UTF-8: byte %llu: %s\n", file, line, function, expression,
               static_cast<unsigned long long>(error.offset), error.message().c_str());
  std::abort();
}

}  // namespace detail
}  // namespace utfilter
