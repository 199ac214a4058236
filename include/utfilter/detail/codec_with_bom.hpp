// codec_with_bom.hpp: the base of codecs whose text may begin with a byte order mark. Not for users.
// layer: codecs
#ifndef UTFILTER_DETAIL_CODEC_WITH_BOM_HPP
#define UTFILTER_DETAIL_CODEC_WITH_BOM_HPP

#include <utfilter/checkpoint.hpp>
#include <utfilter/codec.hpp>
#include <utfilter/detail/guess_rules.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/params.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace utfilter::detail {

struct cursor;
struct bom_match;
struct encoding_scheme;

/// What to do when a byte order mark is found, and when it is absent. The encoding and the policy decide this plan.
struct bom_plan : guess_rules {
  std::uint32_t marks = 0;  // the encodings whose byte order marks to look for, one bit each
  bool decides = false;     // the byte order mark, or its absence, decides the encoding
  bool keep_found = false;  // write a byte order mark if one was found
  bool add_absent = false;  // write a byte order mark if none was found
  bool must_exist = false;  // bom::require
  bool must_not = false;    // bom::reject
  bool is_assumed = false;  // nobody named `otherwise`
  // The encoding if no byte order mark decides it; null if it does not matter.
  const encoding_scheme* otherwise = nullptr;

  // Guesses about the start of a text: sets `otherwise`, and why. Returns false if it is no text. A pointer, so that only
  // programs that may guess have the guesser and the tables of all encodings.
  bool (*guess)(std::string_view sample, bom_plan&, text_facts&) noexcept = nullptr;
};

/// Withholds the first bytes of a text until they decide whether the text begins with a byte order mark.
class codec_with_bom : public codec_base {
 protected:
  enum class phase : std::uint8_t { bom, emission, text };

 public:
  /// The number of bytes that transform must get at once to guess the encoding. With fewer, and without `last`, it
  /// takes none and asks for more, unless a byte order mark decides. At least the size of the longest byte order mark;
  /// 0 if there is nothing to guess. Constant.
  std::size_t lookahead() const noexcept {
    const bool guesses = phase_ == phase::bom && plan_.guess_bytes != 0;
    return guesses ? (std::max)(plan_.guess_bytes, longest_bom) : 0;
  }
  /// Lets transform guess by so many bytes, if it wants more: no more come. Constant.
  void guess_by(std::size_t bytes) noexcept {
    if (lookahead() != 0) plan_.guess_bytes = (std::min)(plan_.guess_bytes, (std::max)(bytes, std::size_t{1}));
  }

 protected:
  codec_with_bom(encoding declared, const bom_plan& plan) noexcept : plan_(plan) { facts_.encoding = declared; }

  static bom_plan plan_for(bom, bool automatic_strips, bool automatic_adds) noexcept;
  static bom_plan plan_for_input(bom, encoding from) noexcept;

  bool guess(const cursor&, bool last) noexcept;
  bool skip_to_text(const char* in, std::size_t size) noexcept;
  void note_bom(const bom_match* found) noexcept;
  /// Without statistics: an assumption has the confidence 0, what else decides has 1.
  void note_evidence(evidence why) noexcept {
    facts_.decided_by = why;
    facts_.confidence = why == evidence::assumption ? 0 : 100;
  }
  void note_evidence(const checkpoint& place) noexcept;
  std::optional<codec_status> read_bom(cursor&, bool last) noexcept;
  encoding found() const noexcept { return static_cast<encoding>(found_number_); }
  bool adds_bom() const noexcept { return facts_.bom ? plan_.keep_found : plan_.add_absent; }
  void drop_carried(std::size_t n) noexcept;
  void give_back(cursor&, std::size_t n) noexcept;

  bom_plan plan_;
  // These members and those of transcoder are small and in this order, because each filter has two transcoders.
  std::uint8_t found_number_ = 0;  // of the encoding whose byte order mark the input began with
  phase phase_ = phase::bom;
  bool is_no_text_ = false;    // the guess found no text, and no_text is still to be reported
  std::uint8_t bom_size_ = 0;  // bytes of that byte order mark
  std::uint8_t carried_ = 0;   // bytes of carry_ in use: a possible byte order mark, or an unfinished sequence
  std::array<unsigned char, 7> carry_ = {};
};

}  // namespace utfilter::detail

#endif
