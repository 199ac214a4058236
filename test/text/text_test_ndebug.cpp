// text_test_ndebug.cpp: the part of text_test.cpp that tests the assertion of text.hpp as release builds have it.
#ifndef NDEBUG
#  define NDEBUG
#endif
#include <utfilter/text.hpp>

int evaluations_under_ndebug();

int evaluations_under_ndebug() {
  int evaluations = 0;
  [[maybe_unused]] const auto ill_formed = [&] {
    ++evaluations;
    return "\xFF";
  };
  UTFILTER_ASSERT_UTF8(ill_formed());
  return evaluations;
}
