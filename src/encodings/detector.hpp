// detector.hpp: guesses the legacy encoding of a text by the statistics of its language.
//
// All encodings are compared in one pass. Each of them decodes the text, and for each language that it has the letters
// of, a model tells what the text costs: the number of bits that a code made for the language needs to write it. The
// encoding and the language of the lowest cost are the likeliest.
//
// Only words with a byte beyond ASCII are decoded (word_pairs.hpp). All encodings of single bytes are compared by the
// same pairs of bytes, so their costs can be compared, and so can those of other encodings: one character takes their
// place.
#ifndef UTFILTER_ENCODINGS_DETECTOR_HPP
#define UTFILTER_ENCODINGS_DETECTOR_HPP

#include "encodings/models.hpp"
#include "encodings/word_pairs.hpp"

#include <utfilter/detail/guess_rules.hpp>

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace utfilter::detail {

/// An encoding that a text may be in.
struct likely_encoding {
  encoding value;             // detect if the library lacks it
  std::string_view name;      // its preferred name
  std::string_view language;  // the likeliest, by ISO 639; "zh-Hant" is Chinese in traditional characters
  bool has_letters;           // the text has letters beyond ASCII; symbols alone show no encoding
  double cost = 0;            // of the text in this encoding and language, in bits
  double confidence = 0;      // 0 to 1: of the answers with 0.9, nine in ten are right
};

/// The likely encodings of a text, the likeliest first. If several encodings make the same text of it, only one of them
/// is told, and rather one that the library has. It is empty if the text has no byte beyond ASCII.
struct ranking {
  static constexpr std::size_t most = 8;
  std::array<likely_encoding, most> encodings = {};
  std::size_t size = 0;
  std::size_t pairs = 0;  // how many pairs of bytes tell it
  double noise = 0;       // the cost of the text if it is in no encoding, in bits

  const likely_encoding* begin() const noexcept { return encodings.data(); }
  const likely_encoding* end() const noexcept { return encodings.data() + size; }
};

/// Compares the encodings of a text that comes in pieces of any size. The result is the same for every cut. An object
/// has less than 3 KB and allocates nothing.
class encoding_detector {
 public:
  /// Compares the encodings that the rules allow, and prefers their language.
  explicit encoding_detector(const guess_rules& = {}) noexcept;
  /// Takes the next bytes of the text. Complexity: linear; ASCII is skipped in bulk. Of a text with more than a million
  /// pairs only the start counts.
  void feed(std::string_view piece) noexcept;
  /// The likely encodings of the text so far, if it ends here. More bytes may follow afterwards.
  ranking result() const noexcept;

 private:
  static constexpr std::size_t multi_byte_count = 6;  // candidates of several bytes, each for one language
  static constexpr std::size_t batch = 64;            // the most pairs that are compared at once

  struct byte_pair {
    std::uint8_t before, after;
    bool is_repeated;  // the byte has stood there three times or more: it tells nothing more
  };
  struct multi_byte_state {
    std::array<std::uint8_t, 4> bytes;  // of a character that is not complete
    std::uint8_t size;
    bool after_letter;  // of ASCII
    char32_t last;      // the character before these bytes
  };
  struct reading;
  struct final_cost;
  /// Bytes beyond ASCII, each once: 80 + each of these.
  class upper_bytes {
   public:
    void add(std::uint8_t byte) noexcept {
      const auto place = static_cast<std::uint8_t>(byte - 0x80);
      if (!has_[place]) places_[size_++] = place;
      has_.set(place);
    }
    const std::uint8_t* begin() const noexcept { return places_.data(); }
    const std::uint8_t* end() const noexcept { return places_.data() + size_; }

   private:
    std::bitset<128> has_;
    std::array<std::uint8_t, 128> places_ = {};
    std::size_t size_ = 0;
  };

  void add(std::uint8_t before, std::uint8_t after) noexcept;
  void compare() noexcept;
  std::uint64_t compare_alike(std::size_t number, std::uint64_t left, const upper_bytes&) noexcept;
  reading read(std::size_t candidate) const noexcept;
  void compare_multi_byte(std::size_t number) noexcept;
  bool is_hopeless(std::uint32_t cost, std::uint32_t margin) const noexcept;
  void drop_hopeless() noexcept;
  encoding read_as(encoding) const noexcept;
  final_cost* final_costs(final_cost* out) const noexcept;

  guess_rules rules_;
  word_pairs words_;
  std::array<byte_pair, batch> pairs_ = {};  // not yet compared
  std::size_t size_ = 0;
  std::size_t limit_ = 8;  // compare so many; more each time, because the first exclude most encodings
  std::size_t all_pairs_ = 0;
  std::size_t beyond_ = 0;  // bytes beyond ASCII in these
  upper_bytes seen_;        // that the text has

  // Costs are quarters of a bit.
  std::uint32_t noise_ = 0;
  std::uint32_t best_ = 0;                   // the lowest cost
  std::size_t best_candidate_ = 0;           // of single bytes
  std::uint64_t alive_ = ~std::uint64_t{0};  // a bit for each candidate of single bytes that is not hopeless
  std::array<std::uint32_t, most_candidate_languages> costs_ = {};  // of each candidate in each of its languages
  std::array<std::uint8_t, most_candidates> cases_ = {};            // of the last letter
  std::array<std::uint32_t, multi_byte_count> multi_byte_costs_ = {};
  std::array<multi_byte_state, multi_byte_count> multi_byte_states_ = {};
};

/// The likely encodings of a text. Complexity: linear.
ranking rank_encodings(std::string_view text, const guess_rules& = {}) noexcept;

/// Whether it decides by the rules.
inline bool is_sure(const likely_encoding& of, const guess_rules& rules) noexcept {
  return of.has_letters && 100 * of.confidence >= rules.least_confidence;
}

/// The number of a language for guess_rules; 0 if the detector has no model of it. The code is of ISO 639; a region may
/// follow it, as in "pt-BR". Complexity: linear in the number of languages.
std::uint8_t language_number(std::string_view code) noexcept;

/// Why there is no model of the language, as a sentence for people; null if there is one, or if the code is empty.
const char* why_no_language(std::string_view code) noexcept;

/// Of the candidates of the rules, the one that a text in this encoding is read in: the encoding itself, or one with the
/// same letters, such as ISO-8859-1 for windows-1252. Null if there is none. Complexity: linear in their number.
const encoding* candidate_for(encoding, const guess_rules&) noexcept;

}  // namespace utfilter::detail

#endif
