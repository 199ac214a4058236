// conformance_test.cpp: the tables of test/data, row by row, through the codec and through real chains, in every cut.
// build: portable optimised other_kernels
#define BOOST_TEST_MODULE conformance
#include <boost/test/unit_test.hpp>

#include "support/conformance.hpp"
#include "support/conformance_rows.hpp"
#include "support/tally.hpp"

namespace {

using namespace conformance;

/// An error in the form of the extra table: "code at offset:line:column:line_offset <bytes>".
std::string place_of(error_info error) {
  error.code_point = 0;
  return text_of(error);
}

/// All runs are compared with the reference. This checks that the reference agrees with the row.
void check_reference(const tree& row, const trial& t) {
  const outcome& expected = t.expected();
  BOOST_TEST(to_hex(expected.output) == row.get<std::string>("output"));
  BOOST_TEST(expected.report.errors == row.get<std::uint64_t>("errors"));
  BOOST_TEST_REQUIRE((!row.count("offset") || !expected.observed.empty()));
  if (row.count("offset")) BOOST_TEST(expected.observed.front().offset == row.get<std::uint64_t>("offset"));
  if (row.count("length")) BOOST_TEST(expected.observed.front().size == row.get<unsigned>("length"));
  if (row.count("code"))
    BOOST_TEST(name_of(expected.observed.front().code, errc_names) == row.get<std::string>("code"));
  if (row.count("first")) BOOST_TEST(place_of(expected.observed.front()) == row.get<std::string>("first"));
  if (row.count("last")) BOOST_TEST(place_of(expected.observed.back()) == row.get<std::string>("last"));
  if (row.count("lines")) BOOST_TEST(expected.report.lines == row.get<std::uint64_t>("lines"));
  if (row.count("signature")) BOOST_TEST(expected.report.bom == row.get<bool>("signature"));
  if (row.count("decided")) BOOST_TEST(name_of(expected.report.encoding) == row.get<std::string>("decided"));
}

void check_row(const tree& row, tally& cases) {
  BOOST_TEST_CONTEXT(row.get<std::string>("id")) {
    const std::string input = from_hex(row.get<std::string>("input"));
    std::vector<setup> setups{setup_of(row)};
    // Other filters that do the same as to_utf8.
    if (row.get<std::string>("from", "") == "utf8") {
      setups.push_back(setups.front());
      setups.back().kind = filter_kind::validator;
    }
    if (row.get<std::string>("from", "").substr(0, 5) == "utf16") {
      setups.push_back(setups.front());
      setups.back().kind = filter_kind::utf16_decoder;
    }
    for (const setup& s : setups) {
      cases.run([&] {
        trial t(s, input);
        check_reference(row, t);
        const std::string why = try_everything(t, s, input);
        BOOST_TEST(why.empty(), why);
      });
    }
  }
}

void check_table(const char* file) {
  tally cases;
  for (const tree& row : rows_of(file)) check_row(row, cases);
  cases.summary(std::string("rows of ") + file + " by each of their filters");
}

}  // namespace

BOOST_AUTO_TEST_CASE(decoding_follows_the_table_in_every_cut) { check_table("decode.jsonl"); }

BOOST_AUTO_TEST_CASE(encoding_follows_the_table_in_every_cut) { check_table("encode.jsonl"); }

// Lines, columns and rules that the first two tables leave out. The positions are worked out by hand.
BOOST_AUTO_TEST_CASE(positions_follow_the_table_in_every_cut) { check_table("extra_decode.jsonl"); }

// The multi-byte encodings of the web: what the WHATWG Encoding Standard says about lead bytes at the end, ASCII after
// lead bytes, private use, four bytes, escape sequences, and character sets that a text ends in. By hand, too.
BOOST_AUTO_TEST_CASE(encodings_of_the_web_are_decoded_by_the_table_in_every_cut) { check_table("web_decode.jsonl"); }

BOOST_AUTO_TEST_CASE(encodings_of_the_web_are_encoded_by_the_table_in_every_cut) { check_table("web_encode.jsonl"); }
