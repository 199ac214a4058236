// repaired_text.cpp: finds the errors of UTF-8 in memory, and repairs them.
#include "kernels/kernels.hpp"

#include <utfilter/repair.hpp>
#include <utfilter/text.hpp>
#include <utfilter/transcoder.hpp>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

namespace utfilter {

std::optional<error_info> find_error(std::string_view text) noexcept {
  if (is_utf8(text)) return std::nullopt;
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
  std::string out;
  out.reserve(text.size());
  const std::size_t good = detail::kernels().validate_utf8(text.data(), text.size()).consumed;
  out.append(text, 0, good);
  text.remove_prefix(good);
  if (text.empty()) return out;

  const bool is_kept = policy == on_error::keep || !repairer::repairs(policy);
  repairer by(is_kept ? on_error::replace : policy);
  transcoder codec = transcoder::validating(bom::keep);
  char room[4096];
  while (true) {
    const codec_progress step = codec.transform(text.data(), text.size(), room, sizeof room, true, by);
    out.append(room, step.produced);
    text.remove_prefix(step.consumed);
    if (step.status == codec_status::done) return out;
    if (step.status == codec_status::malformed) {  // the repair of this error has no room
      by.meet(codec.error(), true);
      out.append(by.left());
    }
  }
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
