// codec.cpp: stores the error of a codec.
#include <utfilter/codec.hpp>

namespace utfilter {
namespace {

/// Makes the compiler load each count with an instruction of its own. Otherwise it loads two counts with one
/// instruction. The counts were stored one by one just before, so the processor would have to wait for both stores.
std::uint64_t single(std::uint64_t n) noexcept {
#ifdef __GNUC__
  asm("" : "+r"(n));
#endif
  return n;
}

}  // namespace

void codec_base::set_error(errc code, const void* bytes, std::size_t size, char32_t code_point) noexcept {
  error_.code = code;
  error_.offset = single(position_.offset);
  error_.line = single(position_.line);
  error_.column = single(position_.column);
  error_.line_offset = single(position_.line_offset);
  error_.size = static_cast<std::uint8_t>(size);
  error_.code_point = code_point;
  error_.bytes = {};
  // By a loop: most errors have one or two bytes, and calling memcpy for them takes longer.
  const auto* const from = static_cast<const unsigned char*>(bytes);
  for (std::size_t i = 0; i != error_.bytes.size() && i != size; ++i) error_.bytes[i] = from[i];
}

}  // namespace utfilter
