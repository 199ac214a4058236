// oracles.hpp: seven oracles that decide what is well-formed UTF-8, each by a specification and never by this library.
//
// Each oracle is made from the specification's own text: a grammar, a table, a state machine, a pattern. Another text
// makes another oracle: that is how tests break each oracle on purpose. This file may include nothing of include/ or
// src/.
#ifndef UTFILTER_TEST_ORACLES_HPP
#define UTFILTER_TEST_ORACLES_HPP

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace oracles {

// ------------------------------------------------------------------------------------------------- the specifications

/// RFC 3629 section 4, as printed there.
inline constexpr std::string_view rfc3629_grammar = R"(
UTF8-octets = *( UTF8-char )
UTF8-char   = UTF8-1 / UTF8-2 / UTF8-3 / UTF8-4
UTF8-1      = %x00-7F
UTF8-2      = %xC2-DF UTF8-tail
UTF8-3      = %xE0 %xA0-BF UTF8-tail / %xE1-EC 2( UTF8-tail ) /
              %xED %x80-9F UTF8-tail / %xEE-EF 2( UTF8-tail )
UTF8-4      = %xF0 %x90-BF 2( UTF8-tail ) / %xF1-F3 3( UTF8-tail ) /
              %xF4 %x80-8F 2( UTF8-tail )
UTF8-tail   = %x80-BF
)";

/// The Unicode Standard, table 3-7, "Well-Formed UTF-8 Byte Sequences".
inline constexpr std::string_view unicode_table_3_7 = R"(
U+0000..U+007F      00..7F
U+0080..U+07FF      C2..DF  80..BF
U+0800..U+0FFF      E0      A0..BF  80..BF
U+1000..U+CFFF      E1..EC  80..BF  80..BF
U+D000..U+D7FF      ED      80..9F  80..BF
U+E000..U+FFFF      EE..EF  80..BF  80..BF
U+10000..U+3FFFF    F0      90..BF  80..BF  80..BF
U+40000..U+FFFFF    F1..F3  80..BF  80..BF  80..BF
U+100000..U+10FFFF  F4      80..8F  80..BF  80..BF
)";

/// Frank Tang, "The Algorithm to Validate an UTF-8 String" (Unicode mailing list, February 2003): its state machine.
/// A transition that is not listed is an error.
inline constexpr std::string_view tang_state_machine = R"(
START  00-7F START  C2-DF A  E1-EC B  EE-EF B  E0 C  ED D  F1-F3 E  F0 F  F4 G
A      80-BF START
B      80-BF A
C      A0-BF A
D      80-9F A
E      80-BF B
F      90-BF B
G      80-8F B
)";

// The paper's other tools are rewritten here by their meaning, because the exact words of its drafts were not at hand:
// an expression that matches the whole of every well-formed string, an expression that is found in every other string,
// and the bytes and pairs of bytes that no well-formed string contains.

/// Matches a well-formed string from its first byte to its last.
inline constexpr std::string_view well_formed_expression =
    R"(^([\x00-\x7F]|[\xC2-\xDF][\x80-\xBF])"
    R"(|\xE0[\xA0-\xBF][\x80-\xBF]|[\xE1-\xEC][\x80-\xBF]{2}|\xED[\x80-\x9F][\x80-\xBF]|[\xEE-\xEF][\x80-\xBF]{2})"
    R"(|\xF0[\x90-\xBF][\x80-\xBF]{2}|[\xF1-\xF3][\x80-\xBF]{3}|\xF4[\x80-\x8F][\x80-\xBF]{2})*$)";

/// Is found in every ill-formed string: a byte that UTF-8 never uses; a lead byte without an allowed second byte or
/// with too few bytes after it; a continuation byte that no lead byte before it asks for.
inline constexpr std::string_view ill_formed_expression =
    R"([\xC0-\xC1\xF5-\xFF])"
    R"(|\xE0[\x80-\x9F]|\xED[\xA0-\xBF]|\xF0[\x80-\x8F]|\xF4[\x90-\xBF])"
    R"(|[\xC2-\xF4](?![\x80-\xBF])|[\xE0-\xF4](?![\x80-\xBF]{2})|[\xF0-\xF4](?![\x80-\xBF]{3}))"
    R"(|(?<![\xC2-\xF4])(?<![\xE0-\xF4][\x80-\xBF])(?<![\xF0-\xF4][\x80-\xBF]{2})[\x80-\xBF])";

/// Bytes that well-formed UTF-8 never contains.
inline constexpr std::string_view never_bytes = "C0-C1 F5-FF";

/// Pairs of adjacent bytes that well-formed UTF-8 never contains, although it may contain each byte alone.
inline constexpr std::string_view never_pairs = R"(
00-7F 80-BF
C2-F4 00-7F
C2-F4 C2-F4
E0    80-9F
ED    A0-BF
F0    80-8F
F4    90-BF
)";

/// RFC 2279 section 2, "UTF-8 definition", cut to the lengths that RFC 3629 kept.
inline constexpr std::string_view rfc2279_patterns = R"(
0xxxxxxx
110xxxxx 10xxxxxx
1110xxxx 10xxxxxx 10xxxxxx
11110xxx 10xxxxxx 10xxxxxx 10xxxxxx
)";

/// The Unicode scalar values (Unicode D76). UTF-8 assigns a byte sequence to each (D92).
inline constexpr std::string_view unicode_scalar_values = "0000-D7FF E000-10FFFF";

// -------------------------------------------------------------------------------------------------------- the oracles

class oracle {
 public:
  explicit oracle(std::string name) : name_(std::move(name)) {}
  virtual ~oracle() = default;
  oracle(const oracle&) = delete;
  oracle& operator=(const oracle&) = delete;

  const std::string& name() const noexcept { return name_; }
  virtual bool well_formed(std::string_view text) const = 0;

 private:
  std::string name_;
};

/// A piece of a string: one character, or one ill-formed subsequence.
struct segment {
  std::size_t offset, size;
  bool well_formed;
};
inline bool operator==(const segment& a, const segment& b) {
  return a.offset == b.offset && a.size == b.size && a.well_formed == b.well_formed;
}

/// An oracle that also cuts a string into characters and maximal subparts of ill-formed subsequences (Unicode D93b and
/// tables 3-8 to 3-11): each piece is the longest initial part of a well-formed sequence, or one byte.
class segmenting_oracle : public oracle {
 public:
  using oracle::oracle;
  /// The piece that begins at `offset`. The offset is less than the size of the text and not inside a piece.
  virtual segment next(std::string_view text, std::size_t offset) const = 0;

  bool well_formed(std::string_view text) const override;
  std::vector<segment> segments(std::string_view text) const;
};

/// The values from one number to another, both included.
struct range {
  unsigned from, to;
  bool contains(unsigned value) const { return from <= value && value <= to; }
};
/// The byte sequences of some characters: a range for each byte.
using sequence = std::vector<range>;

/// The alternatives of the character that a grammar in ABNF (RFC 5234) repeats.
std::vector<sequence> characters(std::string_view rules = rfc3629_grammar);

/// Judges by a grammar in ABNF.
std::unique_ptr<oracle> grammar(std::string_view rules = rfc3629_grammar);
/// Judges by the rows of a table of byte ranges.
std::unique_ptr<oracle> table(std::string_view rows = unicode_table_3_7);
/// Judges by a state machine. Its pieces end before the byte that leads to an error.
std::unique_ptr<segmenting_oracle> state_machine(std::string_view transitions = tang_state_machine);
/// Judges by a regular expression that well-formed strings match.
std::unique_ptr<oracle> matching(std::string_view expression = well_formed_expression);
/// Judges by a regular expression that is found in ill-formed strings.
std::unique_ptr<oracle> not_matching(std::string_view expression = ill_formed_expression);
/// Judges by the bit patterns, without the bytes and the pairs that never occur.
std::unique_ptr<oracle> exclusion(std::string_view bytes = never_bytes, std::string_view pairs = never_pairs,
                                  std::string_view patterns = rfc2279_patterns);
/// Judges by the encodings of all code points in these ranges, computed beforehand. Its pieces follow D93b literally.
std::unique_ptr<segmenting_oracle> enumeration(std::string_view code_points = unicode_scalar_values);

/// The well-formed start of a string of up to four bytes.
struct prefix {
  std::uint8_t bytes, characters, line_feeds;
};

/// The verdicts of a grammar in ABNF on all strings of up to four bytes. There are too many strings of four bytes for a
/// table. So a table holds the verdicts on three bytes; the verdict on four bytes follows from the first three and from
/// the bytes that can end a character after them.
class short_strings {
 public:
  explicit short_strings(std::string_view rules = rfc3629_grammar);

  prefix of_three(const unsigned char* text) const {
    return three_[std::size_t{text[0]} << 16 | std::size_t{text[1]} << 8 | text[2]];
  }
  /// The well-formed start of the first `size` bytes, found by matching one character after the other.
  prefix walk(const unsigned char* text, unsigned size) const;
  /// The fourth bytes that make all four bytes well-formed.
  std::bitset<256> ends_of(const unsigned char* three) const;

 private:
  static bool matches(const sequence& c, const unsigned char* text, std::size_t size);
  /// The number of bytes of the character that begins the text, or 0 if none does.
  std::size_t character_at(const unsigned char* text, std::size_t size) const;

  std::vector<sequence> characters_;
  std::vector<prefix> three_;
};

/// One oracle of each kind.
std::vector<std::unique_ptr<oracle>> all();

/// Encodes a code point by the bit distribution of Unicode table 3-6, whether it is a scalar value or not.
std::string encoded(char32_t code_point);

}  // namespace oracles

#endif
