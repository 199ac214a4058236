// declaration_test.cpp: encoding::guess believes what a text declares about its encoding if the text decodes by it, and
// takes neither prose nor tricks for a declaration.
// build: portable
#define BOOST_TEST_MODULE declaration
#include <boost/test/unit_test.hpp>

#include <utfilter/encoding.hpp>
#include <utfilter/params.hpp>
#include <utfilter/text.hpp>

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

using namespace std::string_literals;
using namespace utfilter;

namespace {

const std::string cyrillic = "\xF0\xD2\xC9\xD7\xC5\xD4\n";  // "Привет" in KOI8-R

std::string told(const encoding_guess& found) {
  return to_string(found.encoding) + (found.decided_by == evidence::declaration ? ", declared" : "");
}

struct row {
  const char* what;
  std::string text;  // of which the rest is `cyrillic`
};

const row declarations[] = {
    {"XML", "<?xml version=\"1.0\" encoding=\"koi8-r\"?>\n<a>"},
    {"XML after blanks, with apostrophes", "\n <?xml version='1.0'\n encoding = 'KOI8-R' standalone='yes' ?><a>"},
    {"HTML, charset", "<!DOCTYPE html><html><head><meta charset=koi8-r><title>"},
    {"HTML, charset, in quotation marks", "<html>\n<META CHARSET = \"KOI8-R\" />"},
    {"HTML, http-equiv", "<meta http-equiv=\"Content-Type\" content=\"text/html; charset=koi8-r\">"},
    {"HTML, content first", "<meta content='text/html;CharSet = \"koi8-r\"' http-equiv=content-type>"},
    {"HTML after a comment", "<!-- <meta charset=utf-8> --><meta charset='koi8-r'>"},
    {"HTML after a tag with an attribute", "<p title='<meta charset=utf-8>' a=b c><meta charset=koi8-r>"},
    {"HTML after an empty comment", "<!--><meta charset=koi8-r>"},
    {"HTML after an unknown name", "<meta charset=what><meta charset=koi8-r>"},
    {"CSS", "@charset \"koi8-r\";\n/* "},
    {"Python", "#!/usr/bin/python\n# -*- coding: koi8-r -*-\n# "},
    {"Python, PEP 263's second form", "# This Python file uses the following encoding: koi8_r\n# "},
    {"Ruby", "# encoding: koi8-r\nputs '"},
    {"Emacs, in Lisp", ";;; file.el --- text  -*- mode: emacs-lisp; coding: koi8-r-unix; -*-\n;; "},
    {"Vim, in the first line", "/* vim: set ts=4 fileencoding=koi8-r : */\n"},
    {"Vim, short", "\" vim:fenc=koi8-r:sw=2\n"},
    {"gettext", "msgid \"\"\nmsgstr \"\"\n\"MIME-Version: 1.0\\n\"\n\"Content-Type: text/plain; charset=KOI8-R\\n\"\n"},
    {"mail", "From: a@example.org\nContent-Type: text/plain;\n\tcharset=\"koi8-r\"\n\n"},
    {"mail with CR LF", "Subject: a\r\nCONTENT-TYPE: text/plain; format=flowed; charset=koi8-r\r\n\r\n"},
    {"Hunspell", "SET KOI8-R\nTRY "},
    {"TeX", "\\documentclass{article}\n\\usepackage[koi8-r]{inputenc}\n"},
    {"TeX, inputencoding", "\\inputencoding{koi8-r}\n"},
    {"TeX editors", "% !TEX encoding = koi8-r\n"},
};

const row no_declarations[] = {
    {"prose", "The encoding: koi8-r is old.\n"},
    {"prose in the first line of a page", "coding: koi8-r\n"},
    {"XML that is not at the start", "a<?xml version=\"1.0\" encoding=\"koi8-r\"?>"},
    {"XML, encoding after its end", "<?xml version=\"1.0\"?><a encoding=\"koi8-r\">"},
    {"XML, another target", "<?xmlish encoding=\"koi8-r\"?>"},
    {"XML without the second quotation mark", "<?xml version=\"1.0\" encoding=\"koi8-r ?>"},
    {"HTML in a comment", "<!-- <meta charset=koi8-r> -->"},
    {"HTML in a comment without an end", "<!-- <meta charset=koi8-r>"},
    {"HTML in an attribute", "<p title='<meta charset=koi8-r>'>"},
    {"HTML, another tag", "<metadata charset=koi8-r>"},
    {"HTML, content without http-equiv", "<meta name=a content=\"text/html; charset=koi8-r\">"},
    {"HTML, a value without an end", "<meta charset=\"koi8-r"},
    {"CSS that is not at the start", " @charset \"koi8-r\";"},
    {"CSS with apostrophes", "@charset 'koi8-r';"},
    {"CSS without a semicolon", "@charset \"koi8-r\" ;"},
    {"Python in the third line", "#\n#\n# coding: koi8-r\n"},
    {"Python outside of a comment", "coding = 'koi8-r'\n"},
    {"Emacs without an end", "-*- coding: koi8-r\n"},
    {"Vim within a word", "# nvim:fenc=koi8-r\n"},
    {"Vim in the third line of a long text", "\n\n vim: fenc=koi8-r\n\n\n\n\n\n\n\n"},
    {"mail, in another header", "X-Content-Type: text/plain; charset=koi8-r\n"},
    {"mail, in the next header", "Content-Type: text/plain\nX-A: charset=koi8-r\n"},
    {"mail, another parameter", "Content-Type: text/plain; x-charset-a=koi8-r\n"},
    {"SQL", "SET NAMES koi8-r\n"},
    {"Hunspell with more words", "SET KOI8-R now\n"},
    {"TeX, another package", "\\usepackage[koi8-r]{fontenc}\n"},
    {"TeX in a comment", "% \\usepackage[koi8-r]{inputenc}\n"},
    {"an unknown name", "<meta charset=\"../../etc/passwd\">"},
    {"no name", "<?xml version=\"1.0\" encoding=\"\"?>"},
    {"a name that decides nothing", "<?xml version=\"1.0\" encoding=\"guess\"?>"},
    {"a name with a zero byte", "<meta charset=koi8\x01-r>"},
    {"after 1,024 bytes", std::string(1020, ' ') + "<meta charset=koi8-r>"},
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_text_that_declares_its_encoding_is_read_by_it) {
  for (const row& r : declarations)
    BOOST_TEST_CONTEXT(r.what) BOOST_TEST(told(guess_encoding(r.text + cyrillic)) == "KOI8-R, declared");
}

BOOST_AUTO_TEST_CASE(what_only_looks_like_a_declaration_decides_nothing) {
  for (const row& r : no_declarations) BOOST_TEST_CONTEXT(r.what) {
      const encoding_guess found = guess_encoding(r.text + cyrillic);
      BOOST_TEST(told(found) == "windows-1252");
      BOOST_TEST((found.decided_by == evidence::assumption));
    }
}

BOOST_AUTO_TEST_CASE(ascii_that_declares_its_encoding_may_go_on_in_it) {
  for (const row& r : declarations)
    BOOST_TEST_CONTEXT(r.what) BOOST_TEST(told(guess_encoding(r.text + "plain")) == "KOI8-R, declared");
  BOOST_TEST(told(guess_encoding("plain")) == "UTF-8");
}

BOOST_AUTO_TEST_CASE(a_declaration_that_the_text_contradicts_loses) {
  const std::string xml = "<?xml version=\"1.0\" encoding=\"NAME\"?>", css = "@charset \"NAME\";";
  const auto with = [](std::string text, const std::string& name) { return text.replace(text.find("NAME"), 4, name); };
  for (const std::string& text : {xml, css}) {
    // UTF-8 beyond ASCII is UTF-8, whatever it says.
    BOOST_TEST(told(guess_encoding(with(text, "koi8-r") + "caf\xC3\xA9")) == "UTF-8");
    // ISO-8859-1 has control characters at 80..9F, which no text has.
    BOOST_TEST(told(guess_encoding(with(text, "iso-8859-1") + "\x93 caf\xE9 \x94")) == "windows-1252");
    // D2 is unassigned in ISO-8859-8.
    BOOST_TEST(told(guess_encoding(with(text, "iso-8859-8") + cyrillic)) == "windows-1252");
    BOOST_TEST(told(guess_encoding(with(text, "utf-8") + cyrillic)) == "windows-1252");
    // It was read as single bytes, so it is no UTF-16; HTML has the same rule.
    BOOST_TEST(told(guess_encoding(with(text, "utf-16") + "plain")) == "UTF-8, declared");
    BOOST_TEST(told(guess_encoding(with(text, "utf-16le") + "caf\xE9")) == "windows-1252");
  }
}

BOOST_AUTO_TEST_CASE(a_byte_order_mark_is_stronger) {
  const encoding_guess found = guess_encoding("\xEF\xBB\xBF@charset \"koi8-r\";");
  BOOST_TEST(told(found) == "UTF-8");
  BOOST_TEST((found.decided_by == evidence::mark));
}

BOOST_AUTO_TEST_CASE(names_that_only_declarations_have) {
  const std::pair<const char*, encoding> rows[] = {
      {"% !TEX encoding = ansinew", encoding::windows1252},
      {"% !TEX encoding = applemac", encoding::macintosh},
      {"# coding: utf_8", encoding::utf8},
      {"# coding: latin-1", encoding::latin1},
      {"# coding: iso_8859_15", encoding::iso8859_15},
      {"-*- coding: iso-latin-1-dos -*-", encoding::latin1},
      {"SET ISO8859-2", encoding::iso8859_2},
      {"SET microsoft-cp1251", encoding::windows1251},
      {"# coding: utf-8-sig", encoding::utf8},
  };
  for (const auto& [text, expected] : rows)
    BOOST_TEST_CONTEXT(text) BOOST_TEST(told(guess_encoding(text + "\n"s)) == to_string(expected) + ", declared");
}

BOOST_AUTO_TEST_CASE(vim_reads_the_last_five_lines_of_a_whole_text) {
  const std::string text = "\n\n\n" + cyrillic + std::string(5000, ' ') + "\n# vim: fenc=koi8-r\n\n\n\n\n";
  params p;
  p.guess_bytes = text.size() + 1;
  BOOST_TEST(told(guess_encoding(text, p)) == "KOI8-R, declared");
  BOOST_TEST(told(guess_encoding(text + "\n", p)) == "windows-1252");  // now it is in the sixth
  p.guess_bytes = text.size();
  BOOST_TEST(told(guess_encoding(text, p)) == "windows-1252");
}

BOOST_AUTO_TEST_CASE(a_charset_that_is_no_encoding_here_is_named) {
  struct named {
    const char *declared, *text;
    std::string_view expected;
  };
  const named rows[] = {
      {"shift_jis", "\x93\xFA\x96\x7B\x8C\xEA", "Shift_JIS"},
      {"windows-31j", "\xB1\xB2", "windows-1252"},
      {"euc-jp", "\xC6\xFC\xCB\xDC\xB8\xEC", "EUC-JP"},
      {"ks_c_5601-1987", "\xC7\xD1\xB1\xB9", "EUC-KR"},
      {"gb2312", "\xC4\xE3\xBA\xC3", "GBK"},
      {"gb18030", "\x81\x30\x81\x30\xC4\xE3", "GB18030"},
      {"big5", "\xA7\x41\xA6\x6E", "Big5"},
      {"euc-kr", "\xC7\x20\xB1\xB9", "windows-1252"},
      {"big5", "plain", "UTF-8"},
  };
  for (const named& r : rows) BOOST_TEST_CONTEXT(r.declared) {
      const std::string text = "<meta charset=" + std::string(r.declared) + ">" + r.text;
      const charset_guess found = guess_charset(text);
      BOOST_TEST(found == r.expected);
      const bool is_declared = r.expected != "windows-1252" && r.expected != "UTF-8";
      BOOST_TEST((found.decided_by == evidence::declaration) == is_declared);
      // A reader of this library cannot read it, and says that it assumes another one.
      if (is_declared) BOOST_TEST((guess_encoding(text).decided_by == evidence::assumption));
    }
}

// Each search passes over the text once. The limit is generous: it takes microseconds.
BOOST_AUTO_TEST_CASE(hostile_text_takes_no_longer) {
  for (const std::string& part : {"<"s, "<!--"s, "<meta "s, "<meta charset="s, "<a b="s, "content-type:charset="s,
                                  "coding"s, "charset="s, "\n"s, "vim:"s, "-*-"s, "<!"s, "<?xml encoding"s, "a "s}) {
    std::string text;
    while (text.size() < 1024) text += part;
    text += "\xE9";
    const auto begin = std::chrono::steady_clock::now();
    BOOST_TEST(told(guess_encoding(text)) == "windows-1252");
    BOOST_TEST((std::chrono::steady_clock::now() - begin < std::chrono::seconds(1)));
  }
}
