// without_cjk.cpp: a program with a library that was built with UTFILTER_CJK=OFF. It fails if the library still has one of
// the Chinese, Japanese and Korean encodings, or does not say why it lacks them.
#include <utfilter/checkpoint.hpp>
#include <utfilter/decoder.hpp>
#include <utfilter/text.hpp>

#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

int failed = 0;

void check(bool is_right, std::string_view what) {
  if (is_right) return;
  std::cerr << "failed: " << what << '\n';
  ++failed;
}

std::string why_not(utfilter::encoding e) {
  try {
    utfilter::decoder text(e);
    return "";
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

}  // namespace

int main() {
  using utfilter::encoding;
  for (int number = 0; number != 64; ++number) {
    const auto e = static_cast<encoding>(number);
    if (!utfilter::detail::is_cjk(e)) continue;
    for (const encoding known : utfilter::encodings()) check(known != e, "encodings() has none of them");
    check(utfilter::encoding_name(e) == "unknown", "they have no names");
    check(why_not(e).find("UTFILTER_CJK") != std::string::npos, "a decoder says how the library was built");
    utfilter::checkpoint place;
    place.encoding = e;
    check(utfilter::why_no_checkpoint(place) != nullptr, "no text has a checkpoint in them");
  }
  for (const std::string_view name : {"shift_jis", "euc-jp", "iso-2022-jp", "euc-kr", "gbk", "gb18030", "big5"})
    check(!utfilter::encoding_from_name(name), "their names are unknown");
  check(why_not(encoding::latin1).empty(), "other encodings are there");

  // A text that declares one of them is read in params::legacy, as an assumption.
  const std::string text = "<?xml version='1.0' encoding='euc-kr'?>\n\xB0\xA1\xB0\xA2\n";
  const utfilter::encoding_guess guess = utfilter::guess_encoding(text);
  check(guess.encoding == encoding::windows1252, "a declaration of one of them is no encoding");
  check(guess.decided_by == utfilter::evidence::assumption, "what replaces it is an assumption");
  return failed != 0;
}
