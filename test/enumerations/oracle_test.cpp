// oracle_test.cpp: the oracles agree with one another, and each oracle that is broken on purpose differs from the
// others.
// build: long optimised needs:utfilter_oracles
#define BOOST_TEST_MODULE oracle
#include <boost/test/unit_test.hpp>

#include "support/oracles.hpp"
#include "support/tally.hpp"

#include <array>
#include <bitset>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <sstream>

namespace {

/// The first and last byte of every range that a specification names, and their neighbours.
constexpr unsigned char edges[] = {0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1,
                                   0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3,
                                   0xF4, 0xF5, 0xF7, 0xF8, 0xFB, 0xFC, 0xFD, 0xFE, 0xFF};

char to_char(std::uint64_t byte) { return static_cast<char>(static_cast<unsigned char>(byte)); }

using predicate = std::function<bool(std::string_view)>;

/// The first string for which `holds` returns true, among all strings of up to `full` bytes, and then those of up to
/// four bytes of `edges`.
std::optional<std::string> find_string(std::size_t full, const predicate& holds) {
  if (holds("")) return "";
  std::string text;
  for (std::size_t size = 1; size <= full; ++size) {
    text.assign(size, '\0');
    for (std::uint64_t bits = 0; bits < std::uint64_t{1} << 8 * size; ++bits) {
      for (std::size_t i = 0; i < size; ++i) text[i] = to_char(bits >> 8 * (size - 1 - i));
      if (holds(text)) return text;
    }
  }
  std::uint64_t strings = 1;
  for (std::size_t size = 1; size <= 4; ++size) {
    strings *= std::size(edges);
    text.assign(size, '\0');
    for (std::uint64_t number = 0; number < strings; ++number) {
      std::uint64_t rest = number;
      for (char& c : text) {
        c = to_char(edges[rest % std::size(edges)]);
        rest /= std::size(edges);
      }
      if (holds(text)) return text;
    }
  }
  return std::nullopt;
}

/// The comparisons that every pair of oracles must pass and every broken oracle must fail.
predicate different(const oracles::oracle& a, const oracles::oracle& b) {
  return [&](std::string_view text) { return a.well_formed(text) != b.well_formed(text); };
}
predicate cut_differently(const oracles::segmenting_oracle& a, const oracles::segmenting_oracle& b) {
  return [&](std::string_view text) {
    for (std::size_t offset = 0; offset < text.size();) {
      const oracles::segment piece = a.next(text, offset);
      if (!(piece == b.next(text, offset))) return true;
      offset += piece.size;
    }
    return false;
  };
}

/// Returns the first string for which `holds` returns true. Each string up to that one is a case.
std::optional<std::string> find_failure(tally& strings, const predicate& holds) {
  return find_string(3, [&](std::string_view text) { return strings.failed(!holds(text)); });
}

bool is_noticed(const predicate& differ) { return find_string(2, differ).has_value(); }

/// The specification with one passage replaced. The passage must occur in it.
std::string altered(std::string_view specification, std::string_view passage, std::string_view replacement) {
  std::string text(specification);
  const auto at = text.find(passage);
  BOOST_REQUIRE_MESSAGE(at != std::string::npos, "the specification does not say " << passage);
  return text.replace(at, passage.size(), replacement);
}

using maker = std::function<std::unique_ptr<oracles::oracle>(std::string_view)>;

const maker by_grammar = [](std::string_view text) { return oracles::grammar(text); };
const maker by_table = [](std::string_view text) { return oracles::table(text); };
const maker by_machine = [](std::string_view text) { return oracles::state_machine(text); };
const maker by_matching = [](std::string_view text) { return oracles::matching(text); };
const maker by_not_matching = [](std::string_view text) { return oracles::not_matching(text); };
const maker by_never_bytes = [](std::string_view text) { return oracles::exclusion(text); };
const maker by_never_pairs = [](std::string_view text) { return oracles::exclusion(oracles::never_bytes, text); };
const maker by_patterns = [](std::string_view text) {
  return oracles::exclusion(oracles::never_bytes, oracles::never_pairs, text);
};
const maker by_enumeration = [](std::string_view text) { return oracles::enumeration(text); };

struct fault {
  const char* what;
  const maker& make;
  std::string_view specification, passage, replacement;
};

const fault faults[] = {
    {"grammar: C0 and C1 allowed", by_grammar, oracles::rfc3629_grammar, "%xC2-DF", "%xC0-DF"},
    {"grammar: overlong E0 allowed", by_grammar, oracles::rfc3629_grammar, "%xA0-BF", "%x80-BF"},
    {"grammar: surrogates allowed", by_grammar, oracles::rfc3629_grammar, "%x80-9F", "%x80-BF"},
    {"grammar: overlong F0 allowed", by_grammar, oracles::rfc3629_grammar, "%x90-BF", "%x80-BF"},
    {"grammar: beyond U+10FFFF allowed", by_grammar, oracles::rfc3629_grammar, "%x80-8F", "%x80-BF"},
    {"grammar: one tail too few", by_grammar, oracles::rfc3629_grammar, "3( UTF8-tail )", "2( UTF8-tail )"},
    {"grammar: an alternative missing", by_grammar, oracles::rfc3629_grammar, " / UTF8-4", ""},
    {"table: C1 allowed", by_table, oracles::unicode_table_3_7, "C2..DF", "C1..DF"},
    {"table: surrogates allowed", by_table, oracles::unicode_table_3_7, "80..9F", "80..BF"},
    {"table: beyond U+10FFFF allowed", by_table, oracles::unicode_table_3_7, "80..8F", "80..90"},
    {"table: F5 allowed", by_table, oracles::unicode_table_3_7, "F1..F3", "F1..F5"},
    {"state machine: C1 allowed", by_machine, oracles::tang_state_machine, "C2-DF A", "C1-DF A"},
    {"state machine: surrogates allowed", by_machine, oracles::tang_state_machine, "ED D", "ED B"},
    {"state machine: F5 allowed", by_machine, oracles::tang_state_machine, "F4 G", "F4-F5 G"},
    {"state machine: overlong F0 allowed", by_machine, oracles::tang_state_machine, "90-BF B", "80-BF B"},
    {"matching: C0 and C1 allowed", by_matching, oracles::well_formed_expression, R"(\xC2)", R"(\xC0)"},
    {"matching: surrogates allowed", by_matching, oracles::well_formed_expression, R"(\x9F)", R"(\xA0)"},
    {"matching: beyond U+10FFFF allowed", by_matching, oracles::well_formed_expression, R"(\x8F)", R"(\x90)"},
    {"matching: the end not looked at", by_matching, oracles::well_formed_expression, ")*$", ")*"},
    {"matching: the start not looked at", by_matching, oracles::well_formed_expression, "^(", "("},
    {"not matching: C1 allowed", by_not_matching, oracles::ill_formed_expression, R"(\xC0-\xC1)", R"(\xC0)"},
    {"not matching: surrogates allowed", by_not_matching, oracles::ill_formed_expression, R"(|\xED[\xA0-\xBF])", ""},
    {"not matching: F4 90 allowed", by_not_matching, oracles::ill_formed_expression, R"(\xF4[\x90)", R"(\xF4[\x91)"},
    {"not matching: a fourth byte not asked for", by_not_matching, oracles::ill_formed_expression,
     R"(|[\xF0-\xF4](?![\x80-\xBF]{3}))", ""},
    {"not matching: a third continuation byte always allowed", by_not_matching, oracles::ill_formed_expression,
     R"((?<![\xF0-\xF4][\x80-\xBF]{2}))", R"((?<![\x80-\xBF]{2}))"},
    {"exclusion: C0 allowed", by_never_bytes, oracles::never_bytes, "C0-C1", "C1"},
    {"exclusion: F5 allowed", by_never_bytes, oracles::never_bytes, "F5-FF", "F6-FF"},
    {"exclusion: overlong E0 allowed", by_never_pairs, oracles::never_pairs, "E0    80-9F", ""},
    {"exclusion: surrogates allowed", by_never_pairs, oracles::never_pairs, "ED    A0-BF", ""},
    {"exclusion: F0 8F allowed", by_never_pairs, oracles::never_pairs, "80-8F", "80-8E"},
    {"exclusion: F4 90 allowed", by_never_pairs, oracles::never_pairs, "90-BF", "91-BF"},
    {"exclusion: four bytes not known", by_patterns, oracles::rfc2279_patterns, "11110xxx 10xxxxxx 10xxxxxx 10xxxxxx",
     ""},
    {"enumeration: surrogates allowed", by_enumeration, oracles::unicode_scalar_values, "D7FF E000", "D800 E000"},
    {"enumeration: U+110000 allowed", by_enumeration, oracles::unicode_scalar_values, "10FFFF", "110000"},
    {"enumeration: U+10FFFF missing", by_enumeration, oracles::unicode_scalar_values, "10FFFF", "10FFFE"},
};

/// Examples of the Unicode Standard, section 3.9. `pieces` has the size of each ill-formed piece, and a hyphen for each
/// character.
struct example {
  const char* what;
  std::string bytes;
  const char* pieces;
};

const example examples[] = {
    {"table 3-8, non-shortest forms", "\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41", "11111111-"},
    {"table 3-9, surrogates", "\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41", "11111111-"},
    {"table 3-10, other ill-formed sequences", "\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42", "11111-11-"},
    {"table 3-11, truncated sequences", "\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41", "2132-"},
    {"at the end", "\x41\xF4\x8F\xBF", "-3"},
    {"characters of every length", "\x41\xC2\x80\xE1\x80\x80\xF1\x80\x80\x80", "----"},
};

}  // namespace

BOOST_AUTO_TEST_CASE(all_oracles_agree) {
  const auto all = oracles::all();
  tally strings;
  for (const auto& other : all) {
    if (other == all.front()) continue;
    const auto witness = find_failure(strings, different(*all.front(), *other));
    BOOST_CHECK_MESSAGE(!witness.has_value(), all.front()->name() << " and " << other->name() << " differ on "
                                                                  << hexadecimal(witness.value_or("")));
  }
  strings.summary();
}

BOOST_AUTO_TEST_CASE(all_oracles_agree_on_longer_strings) {
  const auto all = oracles::all();
  std::mt19937 random(3629);
  tally strings;
  // Mostly characters, with a byte changed in every second string. Random bytes alone would hardly ever be well-formed.
  for (int n = 0; n < 200'000; ++n) {
    std::string text;
    while (text.size() < 12) {
      const char32_t c = static_cast<char32_t>(random() % 0x110000) >> random() % 21;
      text += oracles::encoded(c);
    }
    if (n % 2 == 0) text[random() % text.size()] = to_char(edges[random() % std::size(edges)]);
    const bool verdict = all.front()->well_formed(text);
    for (const auto& other : all)
      if (strings.failed(other->well_formed(text) == verdict))
        BOOST_ERROR(other->name() << " differs on " << hexadecimal(text));
  }
  strings.summary();
}

BOOST_AUTO_TEST_CASE(every_broken_oracle_differs_from_a_correct_one) {
  const auto right = oracles::table();
  tally cases;
  for (const fault& one : faults) {
    const auto whole = one.make(one.specification),
               broken = one.make(altered(one.specification, one.passage, one.replacement));
    if (cases.failed(is_noticed(different(*whole, *broken)))) BOOST_ERROR(one.what << " is not noticed");
    if (cases.failed(is_noticed(different(*right, *broken))))
      BOOST_ERROR(one.what << " is not noticed by another oracle");
  }
  cases.summary();
}

// Each byte in a specification is changed by one. The change must be noticed.
BOOST_AUTO_TEST_CASE(every_boundary_of_a_specification_matters) {
  const auto right = oracles::grammar();
  const auto digit = [](char c) { return std::string_view("0123456789ABCDEF").find(c) != std::string_view::npos; };
  const std::pair<maker, std::string_view> all[] = {{by_grammar, oracles::rfc3629_grammar},
                                                    {by_table, oracles::unicode_table_3_7},
                                                    {by_machine, oracles::tang_state_machine},
                                                    {by_matching, oracles::well_formed_expression}};
  tally cases;
  for (const auto& [make, specification] : all)
    for (std::size_t at = 0; at + 2 <= specification.size(); ++at) {
      // Two hexadecimal digits alone are a byte. The code points of the table have four digits or more, and UTF8-tail
      // is a name.
      const bool begins = at == 0 || (!digit(specification[at - 1]) && specification[at - 1] != 'T');
      const bool ends = at + 2 == specification.size() || !digit(specification[at + 2]);
      if (!begins || !ends || !digit(specification[at]) || !digit(specification[at + 1])) continue;
      const auto value = std::stoi(std::string(specification.substr(at, 2)), nullptr, 16);
      for (const int other : {value - 1, value + 1}) {
        if (other < 0 || other > 0xFF) continue;
        std::string text(specification);
        text.replace(at, 2, hexadecimal(std::string(1, to_char(static_cast<std::uint64_t>(other)))).substr(0, 2));
        // make throws if the specification contradicts itself: if the bounds of a range are swapped, or if a state has
        // two next states for one byte.
        std::unique_ptr<oracles::oracle> broken;
        try {
          broken = make(text);
        } catch (const std::invalid_argument&) {
          continue;
        }
        if (cases.failed(is_noticed(different(*right, *broken))))
          BOOST_ERROR(std::hex << value << " as " << other << " is not noticed, at " << std::dec << at << " of"
                               << specification);
      }
    }
  cases.summary();
  BOOST_TEST(cases.cases() > 150u);
}

BOOST_AUTO_TEST_CASE(the_examples_of_the_unicode_standard_are_cut_as_printed) {
  const auto machine = oracles::state_machine();
  const auto enumeration = oracles::enumeration();
  tally cases;
  for (const example& one : examples) {
    std::vector<oracles::segment> expected;
    std::size_t offset = 0;
    for (const char piece : std::string_view(one.pieces)) {
      const bool character = piece == '-';
      const std::size_t lengths[] = {1, 1, 1, 1, 1, 1, 1, 1,
                                     0, 0, 0, 0, 2, 2, 3, 4};  // the index is the upper half of the first byte
      const std::size_t size = character ? lengths[static_cast<unsigned char>(one.bytes[offset]) >> 4]
                                         : static_cast<std::size_t>(piece - '0');
      expected.push_back({offset, size, character});
      offset += size;
    }
    BOOST_TEST(offset == one.bytes.size(), one.what);
    cases.check(machine->segments(one.bytes) == expected, one.what, one.bytes);
    cases.check(enumeration->segments(one.bytes) == expected, one.what, one.bytes);
  }
  cases.summary();
}

BOOST_AUTO_TEST_CASE(both_segmenting_oracles_cut_in_the_same_places) {
  const auto machine = oracles::state_machine(), enumeration = oracles::enumeration();
  tally strings;
  const auto witness = find_failure(strings, cut_differently(*machine, *enumeration));
  BOOST_CHECK_MESSAGE(!witness.has_value(), "they differ on " << hexadecimal(witness.value_or("")));
  strings.summary();
}

BOOST_AUTO_TEST_CASE(every_broken_segmenting_oracle_cuts_in_other_places) {
  const auto right = oracles::enumeration();
  tally cases;
  for (const fault& one : faults) {
    const auto broken = one.make(altered(one.specification, one.passage, one.replacement));
    const auto segmenter = dynamic_cast<const oracles::segmenting_oracle*>(broken.get());
    if (segmenter == nullptr) continue;
    if (cases.failed(is_noticed(cut_differently(*right, *segmenter)))) BOOST_ERROR(one.what << " is not noticed");
  }
  cases.summary();
}

// The two halves of table 3-7 agree: each row has as many byte sequences as code points, in the same order.
BOOST_AUTO_TEST_CASE(the_byte_sequences_in_table_3_7_are_those_of_its_code_points) {
  std::istringstream rows{std::string(oracles::unicode_table_3_7)};
  std::uint64_t code_points = 0;
  tally cases;
  for (std::string row; std::getline(rows, row);) {
    if (row.empty()) continue;
    std::istringstream words(row);
    std::string word, first, last;
    words >> word;
    const auto from = static_cast<char32_t>(std::stoul(word.substr(2), nullptr, 16));
    const auto to = static_cast<char32_t>(std::stoul(word.substr(word.rfind('+') + 1), nullptr, 16));
    std::uint64_t sequences = 1;
    while (words >> word) {
      const auto low = std::stoul(word, nullptr, 16), high = std::stoul(word.substr(word.rfind('.') + 1), nullptr, 16);
      first += to_char(low);
      last += to_char(high);
      sequences *= high - low + 1;
    }
    if (cases.failed(sequences == to - from + 1 && first == oracles::encoded(from) && last == oracles::encoded(to)))
      BOOST_ERROR(row);
    code_points += sequences;
  }
  cases.summary();
  BOOST_TEST(code_points == 0x110000u - 0x800u);
}

// The lists of bytes and pairs that never occur are complete, and have no byte or pair that occurs.
BOOST_AUTO_TEST_CASE(the_lists_of_bytes_and_pairs_that_never_occur_are_exact) {
  std::bitset<256> bytes, first, last;
  std::bitset<65536> pairs;
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    const std::string text = oracles::encoded(c);
    for (std::size_t i = 0; i < text.size(); ++i) {
      const auto byte = static_cast<unsigned char>(text[i]);
      bytes[byte] = true;
      if (i == 0) first[byte] = true;
      if (i + 1 == text.size()) last[byte] = true;
      if (i > 0) pairs[static_cast<std::size_t>(static_cast<unsigned char>(text[i - 1]) << 8 | byte)] = true;
    }
  }
  std::bitset<256> listed;
  std::bitset<65536> listed_pairs;
  const auto read = [](std::istream& in) {
    std::string word;
    in >> word;
    if (word.empty()) word = "00";  // the end of the list
    return std::array<unsigned long, 2>{std::stoul(word, nullptr, 16),
                                        std::stoul(word.substr(word.size() - 2), nullptr, 16)};
  };
  std::istringstream byte_list{std::string(oracles::never_bytes)}, pair_list{std::string(oracles::never_pairs)};
  for (auto range = read(byte_list); byte_list; range = read(byte_list))
    for (auto b = range[0]; b <= range[1]; ++b) listed[b] = true;
  for (auto range = read(pair_list); pair_list; range = read(pair_list)) {
    const auto second = read(pair_list);
    for (auto a = range[0]; a <= range[1]; ++a)
      for (auto b = second[0]; b <= second[1]; ++b) listed_pairs[a << 8 | b] = true;
  }
  tally cases;
  for (std::size_t a = 0; a < 256; ++a) {
    cases.check(listed[a] != bytes[a], "listed or not", std::string{to_char(a)});
    for (std::size_t b = 0; b < 256; ++b) {
      const bool occurs = pairs[a << 8 | b] || (last[a] && first[b]);
      if (bytes[a] && bytes[b])
        cases.check(listed_pairs[a << 8 | b] != occurs, "listed or not", std::string{to_char(a), to_char(b)});
    }
  }
  cases.summary();
}
