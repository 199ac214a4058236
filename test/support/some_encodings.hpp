// some_encodings.hpp: the encodings for tests that take too long for all single-byte encodings.
#ifndef UTFILTER_TEST_SOME_ENCODINGS_HPP
#define UTFILTER_TEST_SOME_ENCODINGS_HPP

#include <utfilter/encoding.hpp>

#include <algorithm>
#include <vector>

/// All encodings but detect; of the single-byte ones only ISO-8859-1, which has kernels of its own, two with tables, and
/// one with unassigned bytes.
inline std::vector<utfilter::encoding> some_encodings() {
  using utfilter::encoding;
  std::vector<encoding> some;
  for (const encoding e : utfilter::encodings())
    if (!is_single_byte(e)) some.push_back(e);
  some.insert(some.end(), {encoding::latin1, encoding::windows1252, encoding::koi8r, encoding::iso8859_11});
  return some;
}

/// Those in which reading can begin between any two characters: all but those with states, such as ISO-2022-JP.
inline std::vector<utfilter::encoding> some_encodings_with_places() {
  std::vector<utfilter::encoding> some = some_encodings();
  some.erase(std::remove_if(some.begin(), some.end(), utfilter::detail::has_states), some.end());
  return some;
}

inline std::vector<utfilter::encoding> some_encodings_with_places_and_detect() {
  std::vector<utfilter::encoding> some = some_encodings_with_places();
  some.push_back(utfilter::encoding::detect);
  return some;
}

inline std::vector<utfilter::encoding> some_encodings_and_detect() {
  std::vector<utfilter::encoding> some = some_encodings();
  some.push_back(utfilter::encoding::detect);
  return some;
}

#endif
