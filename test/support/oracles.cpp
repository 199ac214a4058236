// oracles.cpp: the oracles parse their specifications, and judge strings by them.
#include "support/oracles.hpp"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <array>
#include <bitset>
#include <cctype>
#include <map>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace oracles {
namespace {

unsigned byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

unsigned hexadecimal(const std::string& digits) { return static_cast<unsigned>(std::stoul(digits, nullptr, 16)); }

/// Parses a range such as "80-BF", "80..BF", "E0" or "U+0080..U+07FF".
range parse_range(const std::string& text) {
  std::vector<std::string> ends(1);
  for (const char c : text) {
    if (std::isxdigit(static_cast<unsigned char>(c)) != 0) {
      ends.back() += c;
    } else if (!ends.back().empty()) {
      ends.emplace_back();
    }
  }
  if (ends.size() > 2 || ends.back().empty()) throw std::invalid_argument("no range: " + text);
  return {hexadecimal(ends.front()), hexadecimal(ends.back())};
}

std::vector<std::string> words(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> result;
  for (std::string word; in >> word;) result.push_back(word);
  return result;
}

std::vector<std::vector<std::string>> lines_of_words(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::vector<std::vector<std::string>> result;
  for (std::string line; std::getline(in, line);) {
    if (auto found = words(line); !found.empty()) result.push_back(std::move(found));
  }
  return result;
}

// --------------------------------------------------------------------------------------- sequences of byte ranges

/// Judges by a list of alternatives: a string is well-formed if it is a concatenation of them. No alternative begins
/// with another (the first byte settles the length), so at most one of them matches.
class alternatives : public oracle {
 public:
  alternatives(std::string name, const std::vector<sequence>& all) : oracle(std::move(name)) {
    for (const sequence& one : all)
      for (unsigned lead = one.front().from; lead <= one.front().to; ++lead) by_lead_[lead].push_back(one);
  }

  bool well_formed(std::string_view text) const override {
    while (!text.empty()) {
      std::size_t taken = 0;
      for (const sequence& one : by_lead_[byte_at(text, 0)]) {
        if (begins_with(text, one)) taken = one.size();
      }
      if (taken == 0) return false;
      text.remove_prefix(taken);
    }
    return true;
  }

 private:
  static bool begins_with(std::string_view text, const sequence& one) {
    if (text.size() < one.size()) return false;
    for (std::size_t i = 1; i < one.size(); ++i) {
      if (!one[i].contains(byte_at(text, i))) return false;
    }
    return true;
  }

  std::array<std::vector<sequence>, 256> by_lead_;
};

/// Reads the part of ABNF that the grammar of UTF-8 needs: rules, alternatives, %xHH and %xHH-HH, N( rule ), *( rule ).
class abnf_reader {
 public:
  explicit abnf_reader(std::string_view rules) {
    std::string name;
    for (const auto& line : lines_of_words(rules)) {
      auto word = line.begin();
      if (line.size() > 1 && line[1] == "=") {
        name = line[0];
        word += 2;
      }
      auto& rule = rules_[name];
      rule.insert(rule.end(), word, line.end());
    }
  }

  /// The name of the rule that "name = *( rule )" repeats.
  std::string repeated_by(const std::string& name) const {
    const auto& body = rules_.at(name);
    if (body.size() != 3 || body[0] != "*(" || body[2] != ")") throw std::invalid_argument("no repetition: " + name);
    return body[1];
  }

  /// All alternatives of the rule, in terminal values.
  std::vector<sequence> expand(const std::string& name) const {
    std::vector<sequence> result, present{{}};
    const auto& body = rules_.at(name);
    for (std::size_t i = 0; i < body.size(); ++i) {
      const std::string& word = body[i];
      if (word == "/") {
        result.insert(result.end(), present.begin(), present.end());
        present = {{}};
      } else if (word[0] == '%') {
        present = product(present, {{parse_range(word.substr(2))}});
      } else if (word.back() == '(') {
        for (int times = std::stoi(word); times > 0; --times) present = product(present, expand(body.at(i + 1)));
        i += 2;  // the rule and the closing parenthesis
      } else {
        present = product(present, expand(word));
      }
    }
    result.insert(result.end(), present.begin(), present.end());
    return result;
  }

 private:
  static std::vector<sequence> product(const std::vector<sequence>& heads, const std::vector<sequence>& tails) {
    std::vector<sequence> result;
    for (const sequence& head : heads)
      for (const sequence& tail : tails) {
        result.push_back(head);
        result.back().insert(result.back().end(), tail.begin(), tail.end());
      }
    return result;
  }

  std::map<std::string, std::vector<std::string>> rules_;
};

// ------------------------------------------------------------------------------------------------- a state machine

class machine : public segmenting_oracle {
 public:
  explicit machine(std::string_view transitions) : segmenting_oracle("state machine") {
    const auto rows = lines_of_words(transitions);
    std::map<std::string, std::size_t> number;
    for (const auto& row : rows) number.emplace(row.front(), number.size());
    next_.resize(rows.size());
    for (const auto& row : rows) {
      auto& from = next_[number.at(row.front())];
      from.fill(error);
      for (std::size_t i = 1; i + 1 < row.size(); i += 2) {
        const range bytes = parse_range(row[i]);
        for (unsigned b = bytes.from; b <= bytes.to; ++b) {
          if (from[b] != error) throw std::invalid_argument("two ways to go from " + row.front());
          from[b] = number.at(row[i + 1]);
        }
      }
    }
  }

  bool well_formed(std::string_view text) const override {
    std::size_t state = start;
    for (std::size_t i = 0; i < text.size(); ++i) {
      state = next_[state][byte_at(text, i)];
      if (state == error) return false;
    }
    return state == start;
  }

  segment next(std::string_view text, std::size_t offset) const override {
    std::size_t state = start, size = 0;
    while (offset + size < text.size()) {
      state = next_[state][byte_at(text, offset + size)];
      if (state == error) return {offset, size == 0 ? 1 : size, false};
      ++size;
      if (state == start) return {offset, size, true};
    }
    return {offset, size, false};
  }

 private:
  static constexpr std::size_t start = 0, error = static_cast<std::size_t>(-1);
  std::vector<std::array<std::size_t, 256>> next_;
};

// --------------------------------------------------------------------------------------------- regular expressions

class expression : public oracle {
 public:
  expression(std::string name, std::string_view pattern, bool match_means_well_formed)
      : oracle(std::move(name)), verdict_of_match_(match_means_well_formed) {
    int code = 0;
    PCRE2_SIZE offset = 0;
    // The pattern matches bytes, not characters. `$` matches only at the very end, not before a last line feed.
    code_.reset(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(),
                              PCRE2_NEVER_UTF | PCRE2_DOLLAR_ENDONLY | PCRE2_NO_AUTO_CAPTURE, &code, &offset, nullptr));
    if (!code_) throw std::invalid_argument("no regular expression, at " + std::to_string(offset));
    compiled_ = pcre2_jit_compile(code_.get(), PCRE2_JIT_COMPLETE) == 0;
    match_.reset(pcre2_match_data_create_from_pattern(code_.get(), nullptr));
  }

  bool well_formed(std::string_view text) const override {
    const auto* bytes = reinterpret_cast<PCRE2_SPTR>(text.data() == nullptr ? "" : text.data());
    const int found = compiled_ ? pcre2_jit_match(code_.get(), bytes, text.size(), 0, 0, match_.get(), nullptr)
                                : pcre2_match(code_.get(), bytes, text.size(), 0, 0, match_.get(), nullptr);
    if (found < 0 && found != PCRE2_ERROR_NOMATCH) throw std::runtime_error("a regular expression gave up");
    return (found >= 0) == verdict_of_match_;
  }

 private:
  struct release {
    void operator()(pcre2_code* p) const { pcre2_code_free(p); }
    void operator()(pcre2_match_data* p) const { pcre2_match_data_free(p); }
  };
  bool verdict_of_match_;
  bool compiled_ = false;
  std::unique_ptr<pcre2_code, release> code_;
  std::unique_ptr<pcre2_match_data, release> match_;
};

// -------------------------------------------------------------------------------------------- patterns less exclusions

class patterns_less_exclusions : public oracle {
 public:
  patterns_less_exclusions(std::string_view bytes, std::string_view pairs, std::string_view patterns)
      : oracle("patterns less bytes and pairs that never occur") {
    for (const std::string& word : words(std::string(bytes))) {
      const range all = parse_range(word);
      for (unsigned b = all.from; b <= all.to; ++b) never_[b] = true;
    }
    for (const auto& line : lines_of_words(pairs)) {
      const range first = parse_range(line.at(0)), second = parse_range(line.at(1));
      for (unsigned a = first.from; a <= first.to; ++a)
        for (unsigned b = second.from; b <= second.to; ++b) never_pair_[a << 8 | b] = true;
    }
    for (const auto& line : lines_of_words(patterns))
      for (unsigned b = 0; b < 256; ++b) {
        if (fits(b, line.front())) length_[b] = line.size();
        if (line.size() > 1 && fits(b, line.back())) continuation_[b] = true;
      }
  }

  bool well_formed(std::string_view text) const override {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (never_[byte_at(text, i)]) return false;
      if (i > 0 && never_pair_[byte_at(text, i - 1) << 8 | byte_at(text, i)]) return false;
    }
    for (std::size_t i = 0; i < text.size();) {
      const std::size_t length = length_[byte_at(text, i)];
      if (length == 0 || length > text.size() - i) return false;
      for (const std::size_t end = i++ + length; i < end; ++i) {
        if (!continuation_[byte_at(text, i)]) return false;
      }
    }
    return true;
  }

 private:
  /// Whether a byte has the form `bits`, for example "110xxxxx".
  static bool fits(unsigned byte, const std::string& bits) {
    for (std::size_t i = 0; i < 8; ++i) {
      const char bit = (byte >> (7 - i) & 1) != 0 ? '1' : '0';
      if (bits.at(i) != 'x' && bits.at(i) != bit) return false;
    }
    return true;
  }

  std::bitset<256> never_, continuation_;
  std::bitset<65536> never_pair_;
  std::array<std::size_t, 256> length_ = {};
};

// --------------------------------------------------------------------------------------------------- every code point

class code_points : public segmenting_oracle {
 public:
  explicit code_points(std::string_view ranges) : segmenting_oracle("every scalar value encoded") {
    two_.resize(std::size_t{1} << 16);
    three_.resize(std::size_t{1} << 24);
    four_.resize(std::size_t{16} << 24);  // the first byte is F0 or more
    for (const std::string& word : words(std::string(ranges))) {
      const range all = parse_range(word);
      for (unsigned c = all.from; c <= all.to; ++c) {
        const std::string bytes = encoded(c);
        length_[byte_at(bytes, 0)] = bytes.size();
        if (bytes.size() > 1) two_[packed(bytes, 2)] = true;
        if (bytes.size() > 2) three_[packed(bytes, 3)] = true;
        if (bytes.size() > 3) four_[packed(bytes, 4)] = true;
      }
    }
  }

  segment next(std::string_view text, std::size_t offset) const override {
    text.remove_prefix(offset);
    const std::size_t length = length_[byte_at(text, 0)];
    if (length == 0) return {offset, 1, false};
    std::size_t size = 1;
    while (size < length && size < text.size() && initial(text, size + 1)) ++size;
    return {offset, size, size == length};
  }

 private:
  /// Whether a well-formed sequence begins with the first `size` bytes. The caller knows that one begins with the first
  /// `size` - 1 bytes.
  bool initial(std::string_view text, std::size_t size) const {
    const auto bits = packed(text, size);
    return size == 2 ? two_[bits] : size == 3 ? three_[bits] : four_[bits];
  }

  static std::size_t packed(std::string_view bytes, std::size_t size) {
    std::size_t bits = 0;
    for (std::size_t i = 0; i < size; ++i) bits = bits << 8 | byte_at(bytes, i);
    return size == 4 ? bits & 0xFFFFFFF : bits;
  }

  std::array<std::size_t, 256> length_ = {};
  std::vector<bool> two_, three_, four_;
};

}  // namespace

bool segmenting_oracle::well_formed(std::string_view text) const {
  for (std::size_t offset = 0; offset < text.size();) {
    const segment piece = next(text, offset);
    if (!piece.well_formed) return false;
    offset += piece.size;
  }
  return true;
}

std::vector<segment> segmenting_oracle::segments(std::string_view text) const {
  std::vector<segment> result;
  for (std::size_t offset = 0; offset < text.size(); offset += result.back().size) result.push_back(next(text, offset));
  return result;
}

std::vector<sequence> characters(std::string_view rules) {
  const abnf_reader reader(rules);
  return reader.expand(reader.repeated_by("UTF8-octets"));
}

std::unique_ptr<oracle> grammar(std::string_view rules) {
  return std::make_unique<alternatives>("grammar", characters(rules));
}

std::unique_ptr<oracle> table(std::string_view rows) {
  std::vector<sequence> all;
  for (const auto& row : lines_of_words(rows)) {
    sequence one;
    for (std::size_t i = 1; i < row.size(); ++i) one.push_back(parse_range(row[i]));
    all.push_back(one);
  }
  return std::make_unique<alternatives>("table", all);
}

std::unique_ptr<segmenting_oracle> state_machine(std::string_view transitions) {
  return std::make_unique<machine>(transitions);
}

std::unique_ptr<oracle> matching(std::string_view pattern) {
  return std::make_unique<expression>("expression that matches well-formed strings", pattern, true);
}

std::unique_ptr<oracle> not_matching(std::string_view pattern) {
  return std::make_unique<expression>("expression found in ill-formed strings", pattern, false);
}

std::unique_ptr<oracle> exclusion(std::string_view bytes, std::string_view pairs, std::string_view patterns) {
  return std::make_unique<patterns_less_exclusions>(bytes, pairs, patterns);
}

short_strings::short_strings(std::string_view rules) : characters_(characters(rules)), three_(1 << 24) {
  for (unsigned bits = 0; bits < 1 << 24; ++bits) {
    const unsigned char bytes[] = {static_cast<unsigned char>(bits >> 16), static_cast<unsigned char>(bits >> 8),
                                   static_cast<unsigned char>(bits)};
    three_[bits] = walk(bytes, 3);
  }
}

prefix short_strings::walk(const unsigned char* text, unsigned size) const {
  prefix result{};
  while (const std::size_t length = character_at(text + result.bytes, size - result.bytes)) {
    if (text[result.bytes] == 0x0A) ++result.line_feeds;
    result.bytes = static_cast<std::uint8_t>(result.bytes + length);
    ++result.characters;
  }
  return result;
}

std::bitset<256> short_strings::ends_of(const unsigned char* three) const {
  const unsigned begun = of_three(three).bytes;
  std::bitset<256> ends;
  for (const sequence& c : characters_) {
    if (c.size() != 4 - begun || !matches(c, three + begun, c.size() - 1)) continue;
    for (unsigned b = c.back().from; b <= c.back().to; ++b) ends.set(b);
  }
  return ends;
}

bool short_strings::matches(const sequence& c, const unsigned char* text, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i)
    if (!c[i].contains(text[i])) return false;
  return true;
}

std::size_t short_strings::character_at(const unsigned char* text, std::size_t size) const {
  for (const sequence& c : characters_)
    if (c.size() <= size && matches(c, text, c.size())) return c.size();
  return 0;
}

std::unique_ptr<segmenting_oracle> enumeration(std::string_view ranges) {
  return std::make_unique<code_points>(ranges);
}

std::vector<std::unique_ptr<oracle>> all() {
  std::vector<std::unique_ptr<oracle>> result;
  result.push_back(grammar());
  result.push_back(table());
  result.push_back(state_machine());
  result.push_back(matching());
  result.push_back(not_matching());
  result.push_back(exclusion());
  result.push_back(enumeration());
  return result;
}

std::string encoded(char32_t c) {
  const auto byte = [](char32_t bits) { return static_cast<char>(static_cast<unsigned char>(bits)); };
  std::string bytes;
  if (c <= 0x7F) return bytes += byte(c);
  // From the last byte to the first: six bits in each, and the remaining bits in the lead byte, with its length mark.
  const std::size_t length = c <= 0x7FF ? 2 : c <= 0xFFFF ? 3 : 4;
  for (std::size_t i = 1; i < length; ++i, c >>= 6) bytes.insert(bytes.begin(), byte(0x80 + c % 64));
  const char32_t marks[] = {0xC0, 0xE0, 0xF0};
  bytes.insert(bytes.begin(), byte(marks[length - 2] + c));
  return bytes;
}

}  // namespace oracles
