// bom_codec.hpp: the codec of bom_filter. It changes the byte order mark, and nothing else.
// layer: codecs
#ifndef UTFILTER_BOM_CODEC_HPP
#define UTFILTER_BOM_CODEC_HPP

#include <utfilter/codec.hpp>
#include <utfilter/config.hpp>
#include <utfilter/detail/codec_with_bom.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/params.hpp>

#include <cstddef>

namespace utfilter {

/// Strips, adds, keeps, requires or rejects the byte order mark of a text, and passes all other bytes on unchecked. It
/// counts no lines.
///
/// ```cpp
/// utfilter::codec_ostreambuf<utfilter::bom_codec> marked(
///     *std::cout.rdbuf(), utfilter::bom_codec(utfilter::bom::add, utfilter::encoding::utf16le));
/// ```
///
/// Throws nothing. Complexity: linear in the bytes that pass. Thread safety: that of a plain value, such as an int.
class bom_codec : public detail::codec_with_bom {
 public:
  /// In bytes: the size of the longest byte order mark.
  static constexpr std::size_t min_output = detail::longest_bom;

  /// Looks for the byte order mark of `e`. For utf16 and utf32 this is the byte order mark of either byte order; for
  /// detect it is any byte order mark. For utf16 and utf32, bom::add adds the big-endian one. Precondition: why_not()
  /// returns null for these arguments.
  UTFILTER_API bom_codec(bom, encoding e) noexcept;

  /// Returns the reason why a combination makes no sense, as a sentence for people; null if it makes sense.
  UTFILTER_API static const char* why_not(bom, encoding e) noexcept;

  /// Converts one piece; doc/codecs.md has the rules. Linear in size + room.
  UTFILTER_API codec_progress transform(const char* in, std::size_t size, char* out, std::size_t room,
                                        bool last) noexcept;

  /// @{
  /// See codec_base. After the byte order mark all bytes pass. Constant.
  bool in_place() const noexcept { return true; }
  std::size_t check(const char* /*in*/, std::size_t size) noexcept {
    if (phase_ != phase::text || carried_ != 0) return 0;
    position_.offset += size;
    return size;
  }
  /// @}

 private:
  friend struct codec_state;  // the tests enumerate the states

  codec_status pass_on(detail::cursor&, bool last) noexcept;
  bool write_bom(detail::cursor&) noexcept;
  void write_withheld(detail::cursor&) noexcept;
};

}  // namespace utfilter

#endif
