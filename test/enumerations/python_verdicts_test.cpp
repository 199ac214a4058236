// python_verdicts_test.cpp: text.hpp against Python's UTF-8 decoder, on millions of short strings: which are
// well-formed, where each error begins and ends, its replacement, and where a text may be cut. python_verdicts.py has
// recorded Python's answers.
// build: long optimised
#define BOOST_TEST_MODULE python_verdicts
#include <boost/test/unit_test.hpp>

#include "support/paths.hpp"
#include "support/tally.hpp"

#include <utfilter/text.hpp>

#include <boost/crc.hpp>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <ios>
#include <sstream>
#include <string>
#include <string_view>

namespace {

using namespace std::string_literals;

// The same bytes as in python_verdicts.py.
const std::string boundaries =
    "\0\x7F\x80\x8F\x90\x9F\xA0\xBF\xC0\xC1\xC2\xDF\xE0\xE1\xEC\xED\xEE\xEF\xF0\xF1\xF3\xF4\xF5\xFF"s;
const std::string classes = "\x41\x85\x98\xB3\xC1\xD0\xE0\xE7\xED\xF0\xF2\xF4\xFA";

void append(std::string& verdict, std::size_t number) {
  verdict += static_cast<char>(static_cast<unsigned char>(number));
}

/// The verdict as python_verdicts.py defines it: size, bytes up to the last boundary, number of errors, begin and end
/// of each error, and the repaired text.
std::string verdict(std::string_view text) {
  std::string places;
  std::size_t errors = 0, begin = 0;
  while (const auto error = utfilter::find_error(text.substr(begin))) {
    append(places, begin + error->offset);
    begin += error->offset + error->size;
    append(places, begin);
    ++errors;
  }
  std::string all;
  append(all, text.size());
  append(all, utfilter::complete_prefix(text));
  append(all, errors);
  if (utfilter::is_utf8(text) != (errors == 0)) return "is_utf8 and find_error disagree";
  return all + places + utfilter::sanitize(text);
}

/// The verdicts of a group of strings, one after the other.
class group {
 public:
  /// Adds all strings of that size that begin with the prefix.
  void add(const std::string& prefix, const std::string& alphabet, std::size_t size) {
    if (prefix.size() == size) {
      const std::string one = verdict(prefix);
      sum_.process_bytes(one.data(), one.size());
      ++strings_;
    } else {
      for (const char byte : alphabet) add(prefix + byte, alphabet, size);
    }
  }

  std::uint64_t strings() const { return strings_; }
  std::uint32_t sum() const { return sum_.checksum(); }

 private:
  boost::crc_32_type sum_;
  std::uint64_t strings_ = 0;
};

}  // namespace

BOOST_AUTO_TEST_CASE(short_strings_are_decoded_as_python_does) {
  std::ifstream recorded(paths::source("test/data/python_utf8.txt"));
  tally strings;
  for (std::string line; std::getline(recorded, line);) {
    if (line.front() == '#') continue;
    std::istringstream fields(line);
    std::string digits, prefix;
    std::uint64_t size = 0;
    std::uint32_t sum = 0;
    fields >> digits >> size >> std::hex >> sum;
    if (digits != "-")
      for (std::size_t i = 0; i < digits.size(); i += 2)
        prefix += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));

    // A longer prefix has longer strings: without a prefix up to one byte, after two bytes up to four, after three
    // bytes five and six.
    group all;
    const bool long_ones = prefix.size() == 3;
    for (std::size_t n = long_ones ? 5 : prefix.size(); n <= (long_ones ? 6u : prefix.empty() ? 1u : 4u); ++n)
      all.add(prefix, long_ones ? classes : boundaries, n);

    BOOST_CHECK_MESSAGE(all.strings() == size,
                        "the group " << digits << " has " << all.strings() << " strings, not " << size);
    // The checksum does not tell which strings differ, so all strings of the group count as failed.
    const bool right = all.sum() == sum;
    if (!right && !strings.is_hopeless())
      BOOST_ERROR("not as Python: some of the " << size << " strings that begin with " << digits
                                                << "; python_verdicts.py " << digits << " shows them");
    for (std::uint64_t i = 0; i < all.strings(); ++i) strings.failed(right);
  }
  strings.summary("short strings, by Python's verdicts");
  BOOST_TEST(strings.cases() > 5'000'000u);
}
