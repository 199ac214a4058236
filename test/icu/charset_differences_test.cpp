// charset_differences_test.cpp: how the library's multi-byte encodings differ from ICU's converters of the same names:
// the table of doc/charsets.md. With the argument --write the program writes the table into the page. The page has that
// of one version of ICU.
// build: optimised needs:utfilter::icu needs:ICU::uc cost:10
#define BOOST_TEST_MODULE charset_differences
#include "support/paths.hpp"
#include "support/texts.hpp"

#include <utfilter/charset.hpp>
#include <utfilter/convert.hpp>
#include <utfilter/decoder.hpp>
#include <utfilter/encoding.hpp>

#include <boost/test/unit_test.hpp>
#include <unicode/uvernum.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <initializer_list>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

using namespace std::string_literals;
using utfilter::encoding;
using utfilter::on_error;

namespace {

/// An encoding, and the converter that one of its names meant when ICU read it.
struct pair_of_names {
  const char *ours, *icu;
};
const pair_of_names compared[] = {
    {"Shift_JIS", "ibm-943_P15A-2003"}, {"EUC-JP", "euc-jp-2007"},     {"ISO-2022-JP", "ISO_2022,locale=ja,version=0"},
    {"EUC-KR", "ibm-1363_P11B-1998"},   {"GBK", "windows-936-2000"},   {"GB18030", "ibm-1392"},
    {"Big5", "windows-950-2000"},       {"Big5", "ibm-1375_P100-2008"}};

using lines = std::vector<std::string>;

lines split(const std::string& text) {
  lines all;
  for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    all.push_back(text.substr(begin, end - begin));
  return all;
}

/// Converts each line. In all these encodings a line feed ends an error, and a line begins in the first state.
template <class Converter>
lines converted(Converter converter, const lines& in) {
  std::string all;
  for (const std::string& line : in) all += line + '\n';
  std::string out(6 * all.size() + 64, '\0');
  out.resize(converter.convert(all.data(), all.size(), &out[0], out.size(), true).produced);
  return split(out);
}

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02X", static_cast<unsigned>(static_cast<unsigned char>(c)));
    text += digits;
  }
  return text;
}

/// The bytes of one character, without the escape sequences around them.
std::string shown_bytes(const std::string& bytes) {
  const bool is_in_set = bytes.size() > 6 && bytes.substr(0, 3) == "\x1B$B";
  return '`' + hex(is_in_set ? bytes.substr(3, bytes.size() - 6) : bytes) + '`';
}

std::string shown_text(const std::string& utf8) {
  std::string text;
  for (const char32_t c : utfilter::to_u32string(utf8)) {
    char name[16];
    std::snprintf(name, sizeof name, "U+%04X", static_cast<unsigned>(c));
    text += (text.empty() ? "" : " ") + std::string(name);
  }
  return text;
}

/// All sequences that may be one character. A line feed is none of them, because it ends them.
lines sequences_of(encoding e) {
  lines all;
  for (unsigned a = 0; a < 0x100; ++a)
    if (a != '\n' && (e != encoding::iso_2022_jp || (a != 0x0E && a != 0x0F && a != 0x1B)))
      all.push_back({static_cast<char>(a)});
  if (e == encoding::iso_2022_jp) {
    const lines singles = all;
    for (const char* const escape : {"\x1B(J", "\x1B(I"})
      for (const std::string& one : singles) all.push_back(escape + one + "\x1B(B");
    for (char a = 0x21; a < 0x7F; ++a)
      for (char b = 0x21; b < 0x7F; ++b) all.push_back("\x1B$B"s + a + b + "\x1B(B");
    return all;
  }
  const auto add = [&](std::initializer_list<unsigned> bytes) {
    std::string one;
    for (const unsigned b : bytes) one += static_cast<char>(b);
    all.push_back(one);
  };
  for (unsigned a = 0x80; a < 0x100; ++a)
    for (unsigned b = 0x30; b < 0x100; ++b) add({a, b});
  if (e == encoding::euc_jp)
    for (unsigned a = 0xA1; a < 0xFF; ++a)
      for (unsigned b = 0xA1; b < 0xFF; ++b) add({0x8F, a, b});
  if (e == encoding::gb18030 || e == encoding::gbk)
    for (unsigned a = 0x81; a < 0xFF; ++a)
      for (unsigned b = 0x30; b < 0x3A; ++b)
        for (unsigned c = 0x81; c < 0xFF; ++c)
          for (unsigned d = 0x30; d < 0x3A; ++d) add({a, b, c, d});
  return all;
}

/// Each character but the line feed, surrogates, and U+FEFF, which would be a byte order mark.
lines characters() {
  lines all;
  for (char32_t c = 0; c < 0x110000; ++c)
    if (c != U'\n' && c != 0xFEFF && (c < 0xD800 || c > 0xDFFF)) all.push_back(texts::utf8(std::u32string(1, c)));
  return all;
}

/// A difference: its kind, and the lines where it is.
struct difference {
  const char* kind;
  std::vector<std::size_t> at;
};

/// The first ranges, in which each line follows the line before it.
template <class Show>
std::string ranges(const std::vector<std::size_t>& at, const Show& show) {
  constexpr std::size_t most = 4;
  std::string text;
  std::size_t n = 0;
  for (std::size_t i = 0; i < at.size(); ++n) {
    std::size_t end = i + 1;
    while (end < at.size() && at[end] == at[end - 1] + 1) ++end;
    if (n < most) text += (n == 0 ? "" : "; ") + show(at[i], at[end - 1]);
    i = end;
  }
  if (n > most) text += "; and " + std::to_string(n - most) + (n == most + 1 ? " more" : " more ranges");
  return text;
}

std::string row(const std::string& what, const difference& of, const std::string& which) {
  return "| " + what + " | " + of.kind + " | " + std::to_string(of.at.size()) + " | " + which + " |\n";
}

std::string from_to(const std::string& first, const std::string& last) {
  return first == last ? first : first + " to " + last;
}

std::string reading(const pair_of_names& of) {
  const encoding e = utfilter::encoding_from_name(of.ours).value();
  const lines in = sequences_of(e), here = converted(utfilter::decoder(e, on_error::replace), in),
              there = converted(utfilter::codec_decoder(utfilter::charset(of.icu), on_error::replace), in);
  BOOST_TEST_REQUIRE((here.size() == in.size() && there.size() == in.size()));
  const auto is_error = [](const std::string& text) { return text.find("\uFFFD") != std::string::npos; };
  std::array<bool, 0x100> is_single = {};  // the byte alone is a character, so it begins no longer sequence
  for (std::size_t i = 0; i != in.size(); ++i)
    if (in[i].size() == 1) is_single[static_cast<unsigned char>(in[i][0])] = !is_error(here[i]) || !is_error(there[i]);
  difference other{"other character", {}}, lacks{"error in ICU", {}}, has{"error here", {}}, extent{"other error", {}};
  for (std::size_t i = 0; i != in.size(); ++i) {
    if (here[i] == there[i]) continue;
    const char first = in[i][0];
    if (in[i].size() != 1 && first != 0x1B && is_single[static_cast<unsigned char>(first)]) continue;
    const bool wrong = is_error(here[i]), wrong_there = is_error(there[i]);
    (wrong && wrong_there ? extent : wrong ? has : wrong_there ? lacks : other).at.push_back(i);
  }
  std::string text;
  const std::string name = "`"s + of.icu + "`, reading";
  const auto bytes = [&](std::size_t a, std::size_t b) { return from_to(shown_bytes(in[a]), shown_bytes(in[b])); };
  const auto add = [&](const difference& d, const auto& show) {
    if (!d.at.empty()) text += row(name, d, ranges(d.at, show));
  };
  add(other, [&](std::size_t a, std::size_t b) {
    return bytes(a, b) + ": " + shown_text(here[a]) + (a == b ? "" : "...") + ", in ICU " + shown_text(there[a]);
  });
  add(lacks,
      [&](std::size_t a, std::size_t b) { return bytes(a, b) + ": " + shown_text(here[a]) + (a == b ? "" : "..."); });
  add(has,
      [&](std::size_t a, std::size_t b) { return bytes(a, b) + ": " + shown_text(there[a]) + (a == b ? "" : "..."); });
  // Most often ICU has one error of two bytes where there are two here, or the other way round.
  add(extent, bytes);
  return text;
}

std::string writing(const pair_of_names& of, const lines& in) {
  const encoding e = utfilter::encoding_from_name(of.ours).value();
  const lines here = converted(utfilter::encoder(e, on_error::skip), in),
              there = converted(utfilter::codec_encoder(utfilter::charset(of.icu), on_error::skip), in);
  BOOST_TEST_REQUIRE((here.size() == in.size() && there.size() == in.size()));
  difference other{"other bytes", {}}, lacks{"lacking in ICU", {}}, has{"lacking here", {}};
  for (std::size_t i = 0; i != in.size(); ++i)
    if (here[i] != there[i]) (here[i].empty() ? has : there[i].empty() ? lacks : other).at.push_back(i);
  std::string text;
  const std::string name = "`"s + of.icu + "`, writing";
  const auto chars = [&](std::size_t a, std::size_t b) { return from_to(shown_text(in[a]), shown_text(in[b])); };
  const auto add = [&](const difference& d, const auto& show) {
    if (!d.at.empty()) text += row(name, d, ranges(d.at, show));
  };
  add(other, [&](std::size_t a, std::size_t b) {
    return chars(a, b) + ": " + shown_bytes(here[a]) + (a == b ? "" : "...") + ", in ICU " + shown_bytes(there[a]);
  });
  const auto with = [&](const lines& bytes) {
    return [&](std::size_t a, std::size_t b) {
      return chars(a, b) + ": " + shown_bytes(bytes[a]) + (a == b ? "" : "...");
    };
  };
  add(lacks, with(here));
  add(has, with(there));
  return text;
}

std::string table() {
  std::string text = "ICU " + std::to_string(U_ICU_VERSION_MAJOR_NUM) + ":\n\n";
  text += "| ICU's converter | | sequences, or characters | which |\n|---|---|--:|---|\n";
  const lines all = characters();
  for (const pair_of_names& one : compared) text += reading(one) + writing(one, all);
  return text;
}

constexpr std::string_view begin = "<!-- differences -->\n", end = "<!-- /differences -->\n";

}  // namespace

BOOST_AUTO_TEST_CASE(the_page_has_the_differences) {
  const std::string path = paths::source("doc/charsets.md");
  std::ifstream file(path, std::ios::binary);
  const std::string page(std::istreambuf_iterator<char>(file), {});
  file.close();
  const std::size_t from = page.find(begin), to = page.find(end);
  BOOST_TEST_REQUIRE((from != std::string::npos && to != std::string::npos));
  if (!utfilter::encoding_from_name("Shift_JIS")) {
    std::cout << "skipped: the differences, because the library was built without the encodings\n";
    return;
  }
  const std::string old = page.substr(from + begin.size(), to - from - begin.size()), found = table();
  const auto& program = boost::unit_test::framework::master_test_suite();
  if (program.argc == 2 && program.argv[1] == "--write"s) {
    std::ofstream(path, std::ios::binary) << page.substr(0, from + begin.size()) << found << page.substr(to);
  } else if (old.substr(0, old.find('\n')) != found.substr(0, found.find('\n'))) {
    std::cout << "skipped: the differences, because the page has those of another version of ICU\n";
  } else {
    BOOST_CHECK_MESSAGE(old == found, "run charset_differences_test -- --write: the page must have\n" + found);
  }
}
