// filter_memory_test.cpp: a chain of utfcat's filters that goes on with the memory of another one gives the rest of the text:
// for each filter and each two of them, and for each place at which a text can be cut. The state of --follow has this memory.
// build: needs:utfcat_parts
#define BOOST_TEST_MODULE filter_memory
#include "support/brief.hpp"
#include "support/tally.hpp"
#include "utfcat/filters.hpp"
#include "utfcat/follow_state.hpp"
#include "utfcat/messages.hpp"

#include <utfilter/encoding.hpp>
#include <utfilter/params.hpp>
#include <utfilter/utf_error.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace {

using utfcat::filter_chain;
using utfcat::filter_choice;
using utfcat::filter_memory;
using strings = std::vector<std::string>;

std::vector<filter_choice> filters_named(const std::string& names) {
  return utfcat::read_filters(names, [](const char*, const std::string& name) {
    return utfilter::encoding_from_name(name).value_or(utfilter::encoding::detect);
  });
}

/// All filters of --follow, and each two of them that make sense.
strings stacks() {
  strings names, all;
  for (const auto& row : utfcat::help_on_filters()) {
    const std::string name = row.first.substr(0, row.first.find_first_of("[:"));
    const std::string takes = row.first.substr(name.size());
    const std::string argument = takes == ":SET" ? ":ansi+bidi" : takes == ":ENC:ENC2" ? ":windows-1252:koi8-r" : "";
    if (name != "nfc" && name != "declare") names.push_back(name + argument);
  }
  names.insert(names.end(), {"mojibake:windows-1251", "mojibake:iso-8859-1", "mojibake:koi8-r"});
  all = names;
  for (const std::string& first : names)
    for (const std::string& second : names) {
      try {
        filters_named(first + ',' + second);
        all.push_back(first + ',' + second);
      } catch (const utfcat::usage_error&) {  // one of them would be in vain
      }
    }
  return all;
}

const utfilter::params& policy() {
  static const utfilter::params p = [] {
    utfilter::params repairs;
    repairs.on_error = utfilter::on_error::replace;
    return repairs;
  }();
  return p;
}

filter_chain chain_of(const std::vector<filter_choice>& filters) { return {filters, policy(), true, true}; }

strings texts_of(const std::vector<filter_memory>& memory) {
  strings texts;
  for (const filter_memory& one : memory) texts.push_back(one.text);
  return texts;
}

bool begins_character(char c) { return (c & 0xC0) != 0x80; }

/// For each cut of the text: what one chain gives before it, and another one after it, is what a chain gives that knows no
/// cut. Both remember the same in the end, so a text may be cut as often as one likes.
void check_cuts(const std::vector<filter_choice>& filters, const std::string& text, tally& all) {
  filter_chain whole = chain_of(filters), known = chain_of(filters);
  std::string wanted(whole.pass(text, false));
  const strings memory = texts_of(whole.memory());
  wanted += whole.pass({}, true);
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    if (cut != text.size() && !begins_character(text[cut])) continue;
    filter_chain first = chain_of(filters), second = chain_of(filters);
    std::string got(first.pass(text.substr(0, cut), false));
    second.resume(first.memory());
    got += second.pass(text.substr(cut), false);
    const bool is_same = texts_of(second.memory()) == memory;
    got += second.pass({}, true);
    std::string names;
    if (got != wanted || !is_same)
      for (const filter_choice& one : filters) names += one.full_name() + ' ';
    all.check(got == wanted && is_same, ("cut after " + std::to_string(cut) + ", " + names).c_str(), text);
  }
}

/// Calls use(text) for each text of so many of the characters.
template <class Use>
void for_each_text(const strings& characters, std::size_t most, Use use, const std::string& text = "") {
  use(text);
  if (most == 0) return;
  for (const std::string& c : characters) for_each_text(characters, most - 1, use, text + c);
}

BOOST_AUTO_TEST_CASE(each_short_text_at_each_cut) {
  tally all;
  for (const std::string& names : stacks()) {
    const auto filters = filters_named(names);
    const bool is_one = filters.size() == 1;
    for_each_text({"\r", "\n", "a", "\uFEFF", "\x1B", "\u00C3"}, is_one ? 5 : 3, [&](const std::string& text) {
      if (brief::takes_next_fast()) check_cuts(filters, text, all);
    });
  }
  all.summary();
}

BOOST_AUTO_TEST_CASE(each_short_mojibake_at_each_cut) {
  tally all;
  // Letters that begin groups, what may follow them, and what may come before and after.
  const strings characters = {"\u00C3", "\u0192", "\u00C2", "\u00A9", "\u00C4", "\u00AB", "\u00DF",
                              "\u00E2", "\u20AC", "A",      "a",      " ",      "\uFEFF", "\u4E2D"};
  const auto filters = filters_named("mojibake");
  for_each_text(characters, 4, [&](const std::string& text) {
    if (brief::takes_next_fast()) check_cuts(filters, text, all);
  });
  all.summary();
}

BOOST_AUTO_TEST_CASE(long_texts_at_each_cut) {
  tally all;
  std::mt19937 random(26);
  const strings parts = {"\r",         "\n",
                         "a",          "Z",
                         " ",          "\uFEFF",
                         "\uFFFD",     "\x1B",
                         "\u009B",     "\u202E",
                         "\u00C3",     "\u0192",
                         "\u00C2",     "\u00A9",
                         "\u00C4",     "\u00AB",
                         "\u00DF",     "\u00E2",
                         "\u20AC",     "\u2122",
                         "\u00F0",     "\u0178",
                         "\u02DC",     "\u20AC",
                         "\u0420",     "\u0451",
                         "\u0432",     "\u201A",
                         "\u00E9",     "\u0080",
                         "\u0093",     "\u4E2D",
                         "\U0001F600", std::string(1, '\0')};
  for (const std::string& names : stacks()) {
    const auto filters = filters_named(names);
    for (int n = 0; n != 40; ++n) {
      std::string text;
      const std::size_t size = 1 + random() % 60, least = random() % parts.size();
      for (std::size_t i = 0; i != size; ++i) text += parts[least + random() % (parts.size() - least)];
      if (brief::takes_next_fast()) check_cuts(filters, text, all);
    }
  }
  all.summary();
}

BOOST_AUTO_TEST_CASE(a_hole_at_each_cut) {
  tally all;
  for (const std::string& names : stacks()) {
    if (names.find("skip-hole") == std::string::npos) continue;
    const auto filters = filters_named(names);
    for (const std::size_t zeros : {511U, 512U, 513U, 1100U})
      for (const char* const rest : {"", "a", "\uFEFF\r\n\u00C3"})
        check_cuts(filters, std::string(zeros, '\0') + rest + std::string(3, '\0'), all);
  }
  all.summary();
}

/// What a filter remembers is short, however long the text is. So the state is.
BOOST_AUTO_TEST_CASE(a_memory_is_short) {
  tally all;
  for (const std::string& names : stacks()) {
    const auto filters = filters_named(names);
    for (const char* const part :
         {"a", "\r", "\uFEFF", "\u00C3", "\u00C3\u00A9", "\u00E9", "\u0420\u0451", "\u00C4\u00AB", "\u00F0"}) {
      std::string text;
      for (int n = 0; n != 5000; ++n) text += part;
      filter_chain chain = chain_of(filters);
      chain.pass(text, false);
      for (const filter_memory& one : chain.memory()) all.check(one.text.size() <= 36, one.filter.c_str(), part);
    }
    filter_chain chain = chain_of(filters);
    chain.pass(std::string(100000, '\0'), false);
    for (const filter_memory& one : chain.memory()) all.check(one.text.size() <= 512, one.filter.c_str(), "zeros");
  }
  all.summary();
}

BOOST_AUTO_TEST_CASE(the_state_has_each_memory) {
  tally all;
  for (const std::string& memory : {std::string(), std::string("\r"), std::string("A\u00C3\u0192"),
                                    std::string(3, '\0'), std::string("-"), std::string(" \n")}) {
    utfcat::follow_state state;
    state.filters = {{"lf", memory}, {"mojibake:windows-1252", memory + "x"}};
    const std::string text = to_string(state);
    const std::optional<utfcat::follow_state> read = utfcat::follow_state_from_string(text);
    all.check(read && texts_of(read->filters) == (strings{memory, memory + "x"}) && to_string(*read) == text, "memory",
              memory);
    for (std::size_t i = 0; i != text.size(); ++i) {
      std::string damaged = text;
      damaged[i] = static_cast<char>(damaged[i] ^ 1);
      all.check(!utfcat::follow_state_from_string(damaged), "damaged", damaged);
    }
  }
  // Without filters the text is as before utfcat kept them.
  BOOST_TEST(to_string(utfcat::follow_state()).find("filter") == std::string::npos);
  all.summary();
}

}  // namespace
