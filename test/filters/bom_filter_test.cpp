// bom_filter_test.cpp: bom_filter strips the byte order mark of a text, or does with it what its arguments say.
// bom_codec_test.cpp has the rows of texts.
#define BOOST_TEST_MODULE bom_filter
#include "support/every_way.hpp"

#include <utfilter/bom_filter.hpp>

#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <string>

using namespace every_way;
using utfilter::bom_filter;

BOOST_AUTO_TEST_CASE(its_codec_is_that_of_the_present_use) {
  const bom_filter filter;
  const utfilter::bom_codec& codec = filter.codec();
  BOOST_TEST(codec.position().offset == 0u);
}

BOOST_AUTO_TEST_CASE(it_strips_unless_told_otherwise) {
  const auto written = [](bom_filter filter) {
    std::string out;
    io::filtering_ostream chain(filter | io::back_inserter(out));
    chain << feff << "A";
    chain.reset();
    return out;
  };
  BOOST_TEST(written(bom_filter()) == "A");
  BOOST_TEST(written(bom_filter(params{})) == "A");
  BOOST_TEST(written(bom_filter(on_error::replace)) == "A");
  BOOST_TEST(written(bom_filter(with(bom::keep))) == feff + "A");
  BOOST_TEST(written(bom_filter(bom::keep)) == feff + "A");
  BOOST_TEST(written(bom_filter(bom::keep, with(bom::strip))) ==
             feff + "A");  // params::bom counts only if params is the only argument
}

BOOST_AUTO_TEST_CASE(an_encoding_without_a_bom_is_refused_with_the_reason) {
  for (const encoding e : {encoding::cesu8, encoding::latin1, encoding::windows1252})
    for (const bom b : {bom::strip, bom::add, bom::require, bom::reject, bom::keep})
      check_refusal(bom_of(e, b), "byte order mark");
  check_refusal(bom_of(static_cast<encoding>(99), bom::strip), "there is no such encoding");
  check_refusal(bom_of(encoding::detect, bom::add), "detect");
  for (const bom b : every::mark) {
    check_refusal(bom_of(encoding::utf32, b), "");
    if (b != bom::add) check_refusal(bom_of(encoding::detect, b), "");
  }
}
