// nfc_page.cpp: the code of nfc.md.
#include <boost/test/unit_test.hpp>

#include <iterator>
#include <string>

#include <nfc.hpp>

namespace {
BOOST_AUTO_TEST_SUITE(nfc_page)

BOOST_AUTO_TEST_CASE(texts_that_look_the_same_are_the_same) {
  using namespace nfc;
  BOOST_TEST(are_same("caf\xC3\xA9", "cafe\xCC\x81"));
  BOOST_TEST(!are_same("caf\xC3\xA9", "cafe"));
  BOOST_TEST(normal_form(std::string("\xFF\xFE\x65\0\x01\x03", 6)) == "\xC3\xA9");
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace
