// deprecated_test.cpp: the names that 0.2 had compile until 0.4, and mean what their new names mean.
// build: portable
#if defined(__GNUC__)
#  pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif
#define BOOST_TEST_MODULE deprecated
#include <boost/test/unit_test.hpp>

#include <utfilter/encoding.hpp>
#include <utfilter/signature_codec.hpp>

#include <type_traits>

using utfilter::encoding, utfilter::evidence;

BOOST_AUTO_TEST_CASE(bom_in_place_of_signature) {
  static_assert(std::is_same_v<utfilter::signature_codec, utfilter::bom_codec>);
  static_assert(evidence::mark == evidence::bom);
  for (const encoding e : utfilter::encodings()) {
    BOOST_TEST(utfilter::has_signature(e) == utfilter::has_bom(e));
    BOOST_TEST(utfilter::is_decided_by_signature(e) == utfilter::is_decided_by_bom(e));
  }
}
