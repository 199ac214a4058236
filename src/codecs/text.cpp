// text.cpp: checks and repairs UTF-8 in memory, and guesses encodings.
#include <utfilter/text.hpp>

#include "encodings/guess.hpp"
#include "encodings/bom.hpp"
#include "kernels/kernels.hpp"
#include "unicode/utf8.hpp"

#include <utfilter/repair.hpp>
#include <utfilter/transcoder.hpp>
#include <utfilter/utf8_checker.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace utfilter {

bool is_utf8(std::string_view text) noexcept {
  utf8_checker whole;
  return whole.take(text) && whole.is_whole();
}

namespace {

detail::guess guess_of(std::string_view text, const params& p) noexcept {
  const auto* const bytes = reinterpret_cast<const unsigned char*>(text.data());
  const auto match = detail::match_bom(detail::boms_of(encoding::guess), bytes, text.size(), true);
  if (match.what == detail::bom_match::kind::found) return {match.found, evidence::bom};
  return detail::guess_encoding(text, p.guess_bytes, p.legacy, p.guess_legacy);
}

}  // namespace

encoding_guess guess_encoding(std::string_view text, const params& p) noexcept {
  const detail::guess found = guess_of(text, p);
  return {found.value, found.decided_by_of_value(), found.declaration_beside_value()};
}

charset_guess guess_charset(std::string_view text, const params& p) noexcept {
  const detail::guess found = guess_of(text, p);
  return {{found.name}, found.decided_by, found.unused_declaration};
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
