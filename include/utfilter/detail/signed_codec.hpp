// signed_codec.hpp: the base of codecs whose text may begin with a signature (byte order mark). Not for users.
// layer: codecs
#ifndef UTFILTER_DETAIL_SIGNED_CODEC_HPP
#define UTFILTER_DETAIL_SIGNED_CODEC_HPP

#include <utfilter/codec.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/params.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace utfilter::detail {

/// What to do when a signature is found, and when it is absent. The encoding and the policy decide this plan.
struct signature_plan {
  std::uint64_t candidates = 0;         // the encodings whose signatures to look for, one bit each
  bool decides = false;                 // the signature, or its absence, decides the encoding
  bool keep_found = false;              // write a signature if one was found
  bool add_absent = false;              // write a signature if none was found
  bool must_exist = false;              // bom::require
  bool must_not = false;                // bom::reject
  encoding otherwise = encoding::utf8;  // the encoding if no signature decides it
  bool is_assumed = false;              // nobody named `otherwise`

  // Of params, for encoding::guess: guess_bytes (0 if there is nothing to guess), legacy and guess_legacy.
  std::size_t guess_bytes = 0;
  encoding legacy = encoding::windows1252;
  charset_guesser guess_legacy = nullptr;
};

/// Withholds the first bytes of a text until they decide whether the text begins with a signature.
class signed_codec : public codec_base {
 protected:
  enum class phase : std::uint8_t { signature, emission, text };
  struct cursor;

 public:
  /// The number of bytes that transform must get at once to guess the encoding. With fewer, and without `last`, it
  /// takes none and asks for more, unless a signature decides. At least the size of the longest signature; 0 if there
  /// is nothing to guess. Constant.
  std::size_t lookahead() const noexcept {
    const bool guesses = phase_ == phase::signature && plan_.guess_bytes != 0;
    return guesses ? (std::max)(plan_.guess_bytes, longest_signature) : 0;
  }

 protected:
  signed_codec(encoding declared, const signature_plan& plan) noexcept : plan_(plan) { facts_.encoding = declared; }

  static signature_plan plan_for(bom, bool automatic_strips, bool automatic_adds) noexcept;
  static signature_plan plan_for_input(bom, encoding from, encoding fallback) noexcept;

  bool guess(const cursor&, bool last) noexcept;
  bool skip_to_text(const char* in, std::size_t size) noexcept;
  std::optional<codec_status> read_signature(cursor&, bool last) noexcept;
  bool adds_signature() const noexcept { return facts_.signature ? plan_.keep_found : plan_.add_absent; }
  void drop_carried(std::size_t n) noexcept;
  void give_back(cursor&, std::size_t n) noexcept;

  signature_plan plan_;
  encoding found_ = encoding::detect;  // the encoding whose signature the input began with
  phase phase_ = phase::signature;
  bool is_no_text_ = false;          // the guess found no text, and no_text is still to be reported
  std::uint8_t signature_size_ = 0;  // bytes of that signature
  std::uint8_t carried_ = 0;         // bytes of carry_ in use: a possible signature, or an unfinished sequence
  std::array<unsigned char, 8> carry_ = {};
};

}  // namespace utfilter::detail

#endif
