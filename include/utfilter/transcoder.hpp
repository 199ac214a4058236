// transcoder.hpp: the codec under this library's own filters: every encoding to UTF-8 and back, with the signature.
#ifndef UTFILTER_TRANSCODER_HPP
#define UTFILTER_TRANSCODER_HPP

#include <utfilter/codec.hpp>
#include <utfilter/config.hpp>
#include <utfilter/detail/signed_codec.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/params.hpp>

#include <cstddef>
#include <optional>

namespace utfilter {

namespace detail {
struct encoding_scheme;
struct run;
}

/// Decodes one encoding and encodes another, of which one is UTF-8; looks for the signature first.
///
/// A stream passes through two phases. In the first, bytes that may be a signature are withheld until the earliest byte
/// that decides; then the signature is dropped, kept or added, and what was withheld is decoded like any other text. In
/// the second, a carried sequence is finished in scalar code and the middle of the buffer is handed to a kernel.
///
/// Output, errors, positions and counts are a function of the whole input alone, not of how it was cut.
///
/// ```cpp
/// auto codec = utfilter::transcoder::decoding(utfilter::encoding::utf16le, utfilter::bom::keep);
/// char       out[64];
/// const auto done = codec.transform("A\0\xAC", 3, out, sizeof out, false);  // "A"; AC is carried
/// assert(done.consumed == 3 && done.produced == 1 && codec.position().offset == 2);
/// ```
///
/// Throws nothing. Complexity: linear in the bytes that pass. Thread safety: that of a value.
class transcoder : public detail::signed_codec {
 public:
  /// The longest character is six bytes (CESU-8, supplementary).
  static constexpr std::size_t min_output = 6;

  /// UTF-8 to the same UTF-8.
  static transcoder validating(bom b) noexcept { return decoding(encoding::utf8, b); }
  /// `from` to UTF-8; `fallback` is what encoding::detect takes without a byte order mark.
  UTFILTER_API static transcoder decoding(encoding from, bom, encoding fallback = encoding::utf8) noexcept;
  /// UTF-8 to `to`.
  UTFILTER_API static transcoder encoding_to(encoding to, bom) noexcept;

  /// @{
  /// Why a combination makes no sense, as a sentence for people; null for one that does. The factory functions above
  /// take what passes here; anything else they would have to guess.
  UTFILTER_API static const char* why_not_decoding(encoding from, bom, encoding fallback) noexcept;
  UTFILTER_API static const char* why_not_encoding(encoding to, bom) noexcept;
  /// @}

  /// The rules are those of doc/codecs.md. Linear in size + room.
  UTFILTER_API codec_progress transform(const char* in, std::size_t size, char* out, std::size_t room,
                                        bool last) noexcept;

  /// One scalar value in the target encoding; 0 where it lacks it.
  UTFILTER_API std::size_t encode(char32_t c, char* out) const noexcept;

  /// See codec_base. From UTF-8 to UTF-8 nothing changes. Linear in size.
  std::optional<std::size_t> check(const char* in, std::size_t size) noexcept {
    if (source_ != target_) return std::nullopt;
    return phase_ == phase::text && carried_ == 0 && size != 0 ? check_text(in, size) : 0;
  }

 private:
  friend struct codec_state;  // the tests enumerate them

  transcoder(const detail::encoding_scheme* source, const detail::encoding_scheme* target, encoding named,
             const detail::signature_plan&) noexcept;

  UTFILTER_API std::size_t check_text(const char* in, std::size_t size) noexcept;
  std::optional<codec_status> begin_text(cursor&, bool last) noexcept;
  void read(const detail::encoding_scheme* source) noexcept;
  bool is_cut(const char* in, std::size_t size) const noexcept;
  codec_progress transform_text(const char* in, std::size_t size, char* out, std::size_t room, bool last) noexcept;
  std::optional<codec_status> write_signature(cursor&) noexcept;
  std::optional<codec_status> finish_carried(cursor&, bool last) noexcept;
  void advance(const char* bytes, const detail::run& passed) noexcept;

  const detail::encoding_scheme* source_ = nullptr;  // null while it is still to be detected
  const detail::encoding_scheme* target_;
};

}  // namespace utfilter

#endif
