// text_test_ndebug.cpp: the assertion of text.hpp as a release build has it, for text_test.cpp.
#ifndef NDEBUG
#  define NDEBUG
#endif
#include <utfilter/text.hpp>

int evaluations_under_ndebug();

int evaluations_under_ndebug() {
  int evaluations = 0;
  [[maybe_unused]] const auto ill_formed = [&] { return ++evaluations, "\xFF"; };
  UTFILTER_ASSERT_UTF8(ill_formed());
  return evaluations;
}
