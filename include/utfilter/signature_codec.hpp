// signature_codec.hpp: the codec under bom_filter: it changes the signature (byte order mark), and nothing else.
#ifndef UTFILTER_SIGNATURE_CODEC_HPP
#define UTFILTER_SIGNATURE_CODEC_HPP

#include <utfilter/codec.hpp>
#include <utfilter/config.hpp>
#include <utfilter/detail/signed_codec.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/params.hpp>

#include <cstddef>
#include <optional>

namespace utfilter {

/// Strips, adds, keeps, requires or rejects the signature of a text, and passes all other bytes unchecked. It counts no
/// lines.
///
/// ```cpp
/// utfilter::codec_ostreambuf<utfilter::signature_codec> marked(
///     *std::cout.rdbuf(), utfilter::signature_codec(utfilter::bom::add, utfilter::encoding::utf16le));
/// ```
///
/// Throws nothing. Complexity: linear in the bytes that pass. Thread safety: that of a value.
class signature_codec : public detail::signed_codec {
 public:
  /// Bytes of the longest signature.
  static constexpr std::size_t min_output = 4;

  /// The signature of `e`; for utf16 and utf32 that of either byte order, and the big-endian one is added; for detect
  /// any. Precondition: why_not() is null.
  UTFILTER_API signature_codec(bom, encoding e) noexcept;

  /// Why a combination makes no sense, as a sentence for people; null for one that does.
  UTFILTER_API static const char* why_not(bom, encoding e) noexcept;

  /// The rules are those of doc/codecs.md. Linear in size + room.
  UTFILTER_API codec_progress transform(const char* in, std::size_t size, char* out, std::size_t room,
                                        bool last) noexcept;

  /// See codec_base. Once the signature has passed, all bytes pass. Constant.
  std::optional<std::size_t> check(const char* /*in*/, std::size_t size) noexcept {
    if (phase_ != phase::text || carried_ != 0) return 0;
    position_.offset += size;
    return size;
  }

 private:
  friend struct codec_state;  // the tests enumerate them

  codec_status pass_on(cursor&, bool last) noexcept;
  bool write_signature(cursor&) noexcept;
  void write_withheld(cursor&) noexcept;
};

}  // namespace utfilter

#endif
