// transcoder.hpp: the codec under this library's own filters: every encoding to UTF-8 and back, with the signature.
#ifndef UTFILTER_TRANSCODER_HPP
#define UTFILTER_TRANSCODER_HPP

#include <utfilter/codec.hpp>
#include <utfilter/config.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/params.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace utfilter {

namespace detail {
struct encoding_form;
struct run;
}

/// Decodes one encoding and encodes another, of which one is UTF-8; looks for the signature first.
///
/// A stream passes through two phases. In the first, bytes that may be a signature are withheld until the earliest byte that
/// decides; then the signature is dropped, kept or added, and what was withheld is decoded like any other text. In
/// the second, a carried sequence is finished in scalar code and the middle of the buffer is handed to a kernel.
///
/// Output, errors, positions and counts are a function of the whole input alone, not of how it was cut.
///
/// ```cpp
/// auto codec = utfilter::transcoder::decoding(utfilter::encoding::utf16le, utfilter::bom::keep);
/// char       out[64];
/// const auto done = codec.transform("A\0\xAC", 3, out, sizeof out, false);  // "A"; AC is carried
/// assert(done.consumed == 3 && done.produced == 1 && codec.pending() == 1);
/// ```
///
/// Throws nothing. Complexity: linear in the bytes that pass. Thread safety: that of a value.
class transcoder : public codec_base {
 public:
  /// The longest character is six bytes (CESU-8, supplementary).
  static constexpr std::size_t min_output  = 6;
  /// params::bom is followed.
  static constexpr bool        handles_bom = true;

  /// UTF-8 to the same UTF-8.
  static transcoder validating(bom b) noexcept { return decoding(encoding::utf8, b); }
  /// `from` to UTF-8; `fallback` is what encoding::detect takes without a byte order mark.
  UTFILTER_API static transcoder decoding(encoding from, bom, encoding fallback = encoding::utf8) noexcept;
  /// UTF-8 to `to`.
  UTFILTER_API static transcoder encoding_to(encoding to, bom) noexcept;
  /// The signature of `e` only: all other bytes pass as they are, unchecked, and no lines are counted.
  UTFILTER_API static transcoder signature_only(bom, encoding e) noexcept;

  /// @{
  /// Why a combination makes no sense, as a sentence for people; null for one that does. The factory functions above take
  /// what passes here; anything else they would have to guess.
  UTFILTER_API static const char* why_not_decoding(encoding from, bom, encoding fallback) noexcept;
  UTFILTER_API static const char* why_not_encoding(encoding to, bom) noexcept;
  UTFILTER_API static const char* why_not_signature(bom, encoding e) noexcept;
  /// @}

  /// The rules are those of doc/codecs.md. Linear in size + room.
  UTFILTER_API codec_progress transform(const char* in, std::size_t size, char* out, std::size_t room, bool last) noexcept;

  /// One scalar value in the target encoding; 0 where it lacks it.
  UTFILTER_API std::size_t encode(char32_t c, char* out) const noexcept;

  /// @{
  /// What codec_base says of them.
  bool        identity() const noexcept { return source_ == target_; }
  bool        in_place() const noexcept { return phase_ == phase::text && source_ == target_; }
  std::size_t pass(const char* in, std::size_t size, char* out) noexcept {
    return in_place() && carried_ == 0 ? check(in, size, out) : 0;
  }
  std::size_t pending() const noexcept { return carried_; }
  UTFILTER_API bool reads_utf8() const noexcept;
  encoding    text_encoding() const noexcept { return encoding_; }
  bool        signature() const noexcept { return signature_ != 0; }
  /// @}

 private:
  friend struct codec_state;  // the tests enumerate them

  struct cursor;
  enum class phase : std::uint8_t { signature, emission, text };

  // What the signature, found or absent, leads to; made by the factory functions from the encoding and the policy.
  struct signature_plan {
    std::uint16_t candidates = 0;      // the encodings whose signatures are looked for, a bit each
    bool          decides    = false;  // the signature, or its absence, decides the encoding
    bool          keep_found = false;  // write one where one was found
    bool          add_absent = false;  // write one where none was found
    bool          must_exist = false;  // bom::require
    bool          must_not   = false;  // bom::reject
    encoding      otherwise  = encoding::utf8;  // the encoding where no signature decides it
    encoding      passed     = encoding::utf8;  // whose signature was found; where all bytes pass, is added
  };

  transcoder(const detail::encoding_form* source, const detail::encoding_form* target, encoding named,
             const signature_plan& plan) noexcept
      : source_(source), target_(target), encoding_(named), plan_(plan) {}

  static signature_plan plan_for(bom, bool automatic_strips, bool automatic_adds) noexcept;
  static signature_plan plan_for_input(bom, encoding from, encoding fallback) noexcept;

  UTFILTER_API std::size_t check(const char* in, std::size_t size, char* out) noexcept;
  bool begin_text(cursor&, bool last, codec_status&) noexcept;
  codec_progress transform_text(const char* in, std::size_t size, char* out, std::size_t room, bool last) noexcept;
  bool read_signature(cursor&, bool last, codec_status&) noexcept;
  bool write_signature(cursor&, codec_status&) noexcept;
  bool finish_carried(cursor&, bool last, codec_status&) noexcept;
  void advance(const char* bytes, const detail::run& passed) noexcept;
  void drop_carried(std::size_t n) noexcept;
  void give_back(cursor&, std::size_t n) noexcept;

  const detail::encoding_form* source_;    // null while it is still to be detected
  const detail::encoding_form* target_;
  encoding                     encoding_;  // for the report: as declared, then as decided
  signature_plan               plan_;
  phase                        phase_     = phase::signature;
  std::uint8_t                 signature_ = 0;  // bytes of the signature that the input began with
  std::uint8_t                 carried_   = 0;  // bytes of carry_ in use: withheld, or an unfinished sequence
  std::array<unsigned char, 8> carry_     = {};
};

}  // namespace utfilter

#endif
