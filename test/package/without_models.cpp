// without_models.cpp: a program with a library that was built with UTFILTER_GUESS=OFF. It fails if the library decides
// anything by letters, or no longer decides by structure, declarations, candidates and the program's own detector.
#include <utfilter/text.hpp>

#include <iostream>
#include <string>
#include <string_view>

namespace {

using utfilter::encoding, utfilter::evidence;

int failed = 0;

void check(bool is_right, std::string_view what) {
  if (is_right) return;
  std::cerr << "failed: " << what << '\n';
  ++failed;
}

}  // namespace

int main() {
  const std::string russian = "\xC2\xF1\xE5 \xEB\xFE\xE4\xE8 \xF0\xEE\xE6\xE4\xE0\xFE\xF2\xF1\xFF\n";
  check(utfilter::guess_encoding(russian) == encoding::windows1252, "letters decide nothing");
  check(utfilter::guess_encoding(russian).decided_by == evidence::assumption, "it is an assumption");
  check(utfilter::guess_encodings(russian).size() == 1, "there are no likely encodings");
  check(utfilter::guess_encoding("na\xC3\xAFve").decided_by == evidence::structure, "structure decides");
  check(utfilter::guess_encoding("# coding: koi8-r\n\xF0") == encoding::koi8r, "a declaration decides");
  utfilter::params p;
  p.candidates = {encoding::utf8, encoding::windows1251};
  check(utfilter::guess_encoding(russian, p) == encoding::windows1251, "the only candidate that fits");
  p.candidates = {encoding::koi8r, encoding::windows1251};
  check(utfilter::guess_encoding(russian, p) == encoding::koi8r, "the first of several candidates that fit");
  p.candidates = {};
  p.guess_legacy = [](std::string_view) noexcept { return std::string_view("windows-1251"); };
  check(utfilter::guess_encoding(russian, p) == encoding::windows1251, "a detector of the program is asked");
  return failed == 0 ? 0 : 1;
}
