// declaration_test.cpp: encoding::guess believes what a text declares about its encoding if the text decodes by it, and
// takes neither prose nor tricks for a declaration.
// build: portable
#define BOOST_TEST_MODULE declaration
#include <boost/test/unit_test.hpp>

#include "support/texts.hpp"
#include "support/without_statistics.hpp"

#include <utfilter/changes.hpp>
#include <utfilter/decoder.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/params.hpp>
#include <utfilter/text.hpp>
#include <utfilter/text_codec.hpp>

#include <cstddef>
#include <ctime>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

/// Comments of 1,200 bytes.
std::string licence(const std::string& mark) {
  std::string text;
  while (text.size() < 1200) text += mark + " A licence.\n";
  return text;
}

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
    {"Emacs, in a second list", "-*- mode: text -*- -*- coding: koi8-r -*-\n"},
    {"Vim, in the first line", "/* vim: set ts=4 fileencoding=koi8-r : */\n"},
    {"Vim, short", "\" vim:fenc=koi8-r:sw=2\n"},
    {"Vim 7 or newer", "# vim700: set fenc=koi8-r:\n"},
    {"Vim before 7.2", "# vim<702:fenc=koi8-r\n"},
    {"Vim after 6", "# vim>600: fenc=koi8-r\n"},
    {"Vim 6 or newer", "# vim>=600: set fenc=koi8-r :\n"},
    {"Vim 8", "# Vim=800: set fenc=koi8-r :\n"},
    {"gettext", "msgid \"\"\nmsgstr \"\"\n\"MIME-Version: 1.0\\n\"\n\"Content-Type: text/plain; charset=KOI8-R\\n\"\n"},
    {"gettext, all on one line",
     "msgid \"\"\nmsgstr \"Project-Id-Version: x\\nContent-Type: text/plain; charset=KOI8-R\\n\"\n"},
    {"gettext, two fields on a line",
     "msgid \"\"\nmsgstr \"\"\n\"MIME-Version: 1.0\\nContent-Type: text/plain; charset=KOI8-R\\nA: b\\n\"\n"},
    {"gettext, first on the line", "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=KOI8-R\\n\"\n"},
    {"gettext, all on one line after a long licence",
     licence("#") + "msgid \"\"\nmsgstr\t\"A: b\\nContent-Type: text/plain; charset=KOI8-R\\n\"\n"},
    {"gettext after a long licence",
     licence("#") + "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=KOI8-R\\n\"\n"},
    {"TeX with blanks", "\\usepackage [ koi8-r ] {inputenc}\n"},
    {"mail, with another parameter", "Content-Type: text/plain; charset=koi8-r; format=flowed\n\n"},
    {"mail, with a comment", "Content-Type: text/plain; charset=koi8-r (Russian)\n\n"},
    {"mail", "From: a@example.org\nContent-Type: text/plain;\n\tcharset=\"koi8-r\"\n\n"},
    {"mail with CR LF", "Subject: a\r\nCONTENT-TYPE: text/plain; format=flowed; charset=koi8-r\r\n\r\n"},
    {"Hunspell", "SET KOI8-R\nTRY "},
    {"TeX", "\\documentclass{article}\n\\usepackage[koi8-r]{inputenc}\n"},
    {"TeX, inputencoding", "\\inputencoding{koi8-r}\n"},
    {"TeX editors", "% !TEX encoding = koi8-r\n"},
    {"TeX after another command", "\\documentclass[a4paper]{article} \\usepackage[koi8-r]{inputenc}\n"},
    {"TeX after another package", "\\usepackage[T2A]{fontenc}\\usepackage[koi8-r]{inputenc}\n"},
    {"TeX, RequirePackage", "\\NeedsTeXFormat{LaTeX2e}\\RequirePackage[koi8-r]{inputenc}[2005/01/01]\n"},
    {"TeX, the last of several options", "\\usepackage[utf8, koi8-r]{inputenc}\n"},
    {"TeX, an option that names no encoding", "\\usepackage[koi8-r,T2A]{fontenc,inputenc}\n"},
    {"TeX, several packages", "\\usepackage[koi8-r]{ inputenc , fontenc }\n"},
    {"TeX after a percent sign", "\\title{20\\% off}\\usepackage[koi8-r]{inputenc}\n"},
    {"TeX before a comment", "\\usepackage[koi8-r]{inputenc}% \\usepackage[utf8]{inputenc}\n"},
    {"TeX, inputencoding after another command", "\\begin{document}\\inputencoding {koi8-r}\n"},
    {"HTML, charset between blanks", "<meta charset=\" koi8-r\t\">"},
    {"HTML, content, charset between blanks", "<meta http-equiv=content-type content=\"a; charset=' koi8-r '\">"},
    {"Emacs, at the end", "# Local Variables:\n# mode: text\n# coding: koi8-r-unix\n# End:\n"},
    {"Hunspell after a long licence", licence("#") + "\nLANG ru\nSET KOI8-R\n"},
    {"TeX after a long licence", licence("%") + "\\usepackage[koi8-r]{inputenc}\n"},
    {"mail, with a sign after the name", "Content-Type: text/plain; charset=koi8-r ;\n\n"},
    {"a Vim script", "\" a keymap\nscriptencoding koi8-r\n"},
    {"a Vim script, short", "\tscripte  koi8-r \n"},
    {"POD", "package A;\n\n=pod\n\n=encoding koi8-r\n\n=head1 "},
    {"PostgreSQL", "--\n-- PostgreSQL database dump\n--\n\nSET lock_timeout = 0;\nSET client_encoding = 'KOI8R';\n"},
    {"PostgreSQL, TO", "set client_encoding to koi8r;\n"},
    {"a resource script", "// icons\n#include <windows.h>\n#pragma code_page(20866)\n"},
    {"a resource script, blanks", " # pragma\tcode_page ( 20866 )\n"},
    {"RTF", "{\\rtf1\\ansi\\ansicpg20866\\deff0{\\fonttbl}"},
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
    {"Emacs, no name of this kind", "-*- coding: latin-99 -*-\n"},
    {"Emacs, between two lists", "-*- mode: text -*- coding: koi8-r -*- mode: text -*-\n"},
    {"Vim within a word", "# nvim:fenc=koi8-r\n"},
    {"Vim, another program", "# vimx: fenc=koi8-r\n"},
    {"Vim, a version without a colon", "# vim700 fenc=koi8-r\n"},
    {"Vim, a version in front", "# 700vim: fenc=koi8-r\n"},
    {"vi with a version", "# vi700: fenc=koi8-r\n"},
    {"Vim in the third line of a long text", "\n\n vim: fenc=koi8-r\n\n\n\n\n\n\n\n"},
    {"mail, in another header", "X-Content-Type: text/plain; charset=koi8-r\n"},
    {"mail, in the next header", "Content-Type: text/plain\nX-A: charset=koi8-r\n"},
    {"mail, another parameter", "Content-Type: text/plain; x-charset-a=koi8-r\n"},
    {"gettext, in the next field", "msgstr \"Content-Type: text/plain\\nX-A: charset=koi8-r\\n\"\n"},
    {"gettext, within a field", "msgstr \"X-A: Content-Type: text/plain; charset=koi8-r\\n\"\n"},
    {"gettext, in a comment", "# \"Content-Type: text/plain; charset=koi8-r\\n\"\n"},
    {"gettext, in a msgid", "msgid \"Content-Type: text/plain; charset=koi8-r\\n\"\n"},
    {"SQL", "SET NAMES koi8-r\n"},
    {"Hunspell with more words", "SET KOI8-R now\n"},
    {"TeX, another package", "\\usepackage[koi8-r]{fontenc}\n"},
    {"TeX in a comment after a command", "\\documentclass{article} % \\usepackage[koi8-r]{inputenc}\n"},
    {"TeX in a comment after a line feed of TeX", "a\\\\% \\usepackage[koi8-r]{inputenc}\n"},
    {"TeX, text after a line feed of TeX", "a\\\\usepackage[koi8-r]{inputenc}\n"},
    {"TeX, a package of a similar name", "\\usepackage[koi8-r]{inputencs}\n"},
    {"TeX, another command", "\\usepackages[koi8-r]{inputenc}\n"},
    {"TeX without options", "\\usepackage{inputenc}[koi8-r]\n"},
    {"TeX in a comment", "% \\usepackage[koi8-r]{inputenc}\n"},
    {"an unknown name", "<meta charset=\"../../etc/passwd\">"},
    {"no name", "<?xml version=\"1.0\" encoding=\"\"?>"},
    {"a name that decides nothing", "<?xml version=\"1.0\" encoding=\"guess\"?>"},
    {"a name with a zero byte", "<meta charset=koi8\x01-r>"},
    {"after 1,024 bytes", std::string(1020, ' ') + "<meta charset=koi8-r>"},
    {"Hunspell after 1,024 bytes that are no comment", std::string(1024, 'a') + "\nSET KOI8-R\n"},
    {"Emacs, after the end of the variables", "Local Variables:\nEnd:\ncoding: koi8-r\n"},
    {"Emacs, without the first line of the variables", "a\nb\ncoding: koi8-r\nEnd:\n"},
    {"a number in the first line", "20866\n"},
    {"a title", "KOI8-R\n"},
    {"a title with CR LF", "KOI8-R\r\n\r\n"},
    {"a title, underlined", "KOI8-R\n======\n"},
    {"a title in lower case", "koi8_r\n\n"},
    {"a Vim script, in a comment", "\" scriptencoding koi8-r\n"},
    {"a Vim script, with more words", "scriptencoding koi8-r now\n"},
    {"a Vim script, another word", "scriptencodings koi8-r\n"},
    {"POD within a line", " =encoding koi8-r\n"},
    {"POD with more words", "=encoding koi8-r now\n"},
    {"POD, another command", "=encodings koi8-r\n"},
    {"PostgreSQL, in a comment", "-- SET client_encoding = 'koi8-r';\n"},
    {"PostgreSQL, another variable", "SET client_encodings = 'koi8-r';\n"},
    {"PostgreSQL, a query", "SELECT client_encoding = 'koi8-r';\n"},
    {"a resource script, in a comment", "// #pragma code_page(20866)\n"},
    {"a resource script, another pragma", "#pragma code_seg(20866)\n"},
    {"RTF that is not at the start", " {\\rtf1\\ansicpg20866{}"},
    {"RTF, in a group", "{\\rtf1{\\ansicpg20866}"},
    {"a number in a comment", "# Encoding: 866 files\n"},
    {"a number alone in a comment", "# Encoding: 866\n"},
    {"a language in a comment", "# Text encoding: Cyrillic\n"},
    {"a language and more in a comment", "# Encoding: Greek and Latin\n"},
    {"a computer in a comment", "# Transcoding: Mac to PC\n"},
    {"a name with more words in a comment", "# encoding: koi8-r is old\n"},
    {"a setting", "SET mac\n"},
    {"a setting of a register", "SET r8\n"},
    {"a setting of a number", "SET 866\n"},
    {"prose about a header", "Content-Type: text/plain; charset=koi8-r is what the old server sent\n"},
    {"Vim, a number", "# vim: fenc=866\n"},
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_text_that_declares_its_encoding_is_read_by_it) {
  for (const row& r : declarations)
    BOOST_TEST_CONTEXT(r.what) BOOST_TEST(told(guess_encoding(r.text + cyrillic)) == "KOI8-R, declared");
}

BOOST_AUTO_TEST_CASE(what_only_looks_like_a_declaration_decides_nothing) {
  for (const row& r : no_declarations) BOOST_TEST_CONTEXT(r.what) {
      const encoding_guess found = guess_encoding(r.text + cyrillic, without_statistics());
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
    BOOST_TEST(told(guess_encoding(with(text, "iso-8859-8") + cyrillic, without_statistics())) == "windows-1252");
    BOOST_TEST(told(guess_encoding(with(text, "utf-8") + cyrillic, without_statistics())) == "windows-1252");
    // It was read as single bytes, so it is no UTF-16; HTML has the same rule.
    BOOST_TEST(told(guess_encoding(with(text, "utf-16") + "plain")) == "UTF-8, declared");
    BOOST_TEST(told(guess_encoding(with(text, "utf-16le") + "caf\xE9")) == "windows-1252");
  }
}

// In these rows the name stands once.
BOOST_AUTO_TEST_CASE(what_is_believed_can_be_updated_and_nothing_else) {
  const auto updated = [](const std::string& text) {
    codec_decoder names{text_codec(changes::update_declaration())};
    std::string result(text.size() + 100, '\0');
    const codec_progress done = names.convert(text.data(), text.size(), result.data(), result.size(), true);
    BOOST_TEST((done.status == codec_status::done));
    return result.substr(0, done.produced);
  };
  for (const row& r : declarations) BOOST_TEST_CONTEXT(r.what) {
      std::string wanted = r.text + "\u0416";
      const std::string number = "20866";
      const std::size_t page = wanted.find(number);
      if (page != std::string::npos) wanted.replace(page, number.size(), "65001");
      const bool is_tex =
          wanted.find("{inputenc}") != std::string::npos || wanted.find("inputenc ") != std::string::npos ||
          wanted.find(",inputenc") != std::string::npos || wanted.find("\\inputencoding") != std::string::npos;
      for (const std::string old : {"koi8-r", "KOI8-R", "koi8_r", "KOI8R", "koi8r"})
        if (const std::size_t at = wanted.find(old); at != std::string::npos)
          wanted.replace(at, old.size(), is_tex ? "utf8" : old[0] == 'K' ? "UTF-8" : "utf-8");
      BOOST_TEST(updated(r.text + "\u0416") == wanted);
    }
  for (const row& r : no_declarations)
    BOOST_TEST_CONTEXT(r.what) BOOST_TEST(updated(r.text + "\u0416") == r.text + "\u0416");
}

// Whatever decides in its place: nobody takes a text for what it says unless it is that.
BOOST_AUTO_TEST_CASE(a_declaration_that_does_not_decide_is_told) {
  struct row {
    const char *name, *text;
    std::string found, unused;  // of guess_charset
  };
  const row rows[] = {
      {"koi8-r", "caf\xC3\xA9", "UTF-8", "KOI8-R"},
      {"koi8-r", "caf\xC3\xA9 \xC3\xA8 \xFF", "UTF-8", "KOI8-R"},  // damaged
      {"big5", "caf\xC3\xA9", "UTF-8", "Big5"},
      {"latin1", "\x93 caf\xE9 \x94", "windows-1252", "ISO-8859-1"},
      {"utf-8", "caf\xE9", "windows-1252", "UTF-8"},
      {"utf-16le", "caf\xE9", "windows-1252", "UTF-16LE"},
      {"us-ascii", "caf\xE9", "windows-1252", "US-ASCII"},
      {"euc-kr", "\xD2 ", "windows-1252", "EUC-KR"},
      {"shift_jis", "\x1B$BF|K\\\x1B(B", "ISO-2022-JP", "Shift_JIS"},
      // These decide, or say the same.
      {"koi8-r", "\xD2\xC9", "KOI8-R", ""},
      {"utf-8", "caf\xC3\xA9", "UTF-8", ""},
      {"utf-16", "caf\xC3\xA9", "UTF-8", ""},
      {"us-ascii", "caf\xC3\xA9", "UTF-8", ""},
      {"utf-16", "plain", "UTF-8", ""},
      {"euc-kr", "plain", "UTF-8", ""},
      {"euc-kr", "\xC7\xD1\xB1\xB9", "EUC-KR", ""},
      {"what", "caf\xE9", "windows-1252", ""},
  };
  for (const row& r : rows) BOOST_TEST_CONTEXT(r.name << ", " << r.text) {
      const std::string text = "<meta charset=" + std::string(r.name) + ">" + r.text;
      const charset_guess found = guess_charset(text);
      BOOST_TEST(found == r.found);
      BOOST_TEST(found.unused_declaration == r.unused);
      // A library without the multi-byte encodings reads another encoding than is declared.
      const std::string unused = encoding_from_name(r.found) || r.found == "ISO-2022-JP" ? r.unused : r.found;
      BOOST_TEST(guess_encoding(text).unused_declaration == unused);
      params p{on_error::replace};
      p.fallback = encoding::guess;
      for (const std::size_t cut : {std::size_t{1}, text.size() / 2, text.size()}) {
        decoder reader(p);
        char out[200];
        reader.convert(text.data(), cut, out, sizeof out, false);
        BOOST_TEST(reader.report().unused_declaration == "");  // the text goes on
        reader.convert(text.data() + cut, text.size() - cut, out, sizeof out, true);
        BOOST_TEST(reader.report().unused_declaration == unused);
      }
    }
  BOOST_TEST(guess_encoding("\xEF\xBB\xBF<meta charset=koi8-r>").unused_declaration == "");  // no guess
}

// Damage may leave too little for the structure to decide. The errors are told.
BOOST_AUTO_TEST_CASE(damaged_utf8_that_declares_itself_is_utf8) {
  const std::string signs = "5 \xE2\x82\xAC\xE2\x82\xAC, ";
  BOOST_TEST(told(guess_encoding("# coding: utf-8\n" + signs + "caf\xE9 l\xE0\n")) == "UTF-8, declared");
  BOOST_TEST(told(guess_encoding("# coding: utf-8\n" + signs + "caf\xE9 d\xE9j\xE0\n")) == "windows-1252");
  BOOST_TEST(told(guess_encoding(signs + "caf\xE9 l\xE0\n")) == "windows-1252");
}

BOOST_AUTO_TEST_CASE(a_byte_order_mark_is_stronger) {
  const encoding_guess found = guess_encoding("\xEF\xBB\xBF@charset \"koi8-r\";");
  BOOST_TEST(told(found) == "UTF-8");
  BOOST_TEST((found.decided_by == evidence::bom));
}

BOOST_AUTO_TEST_CASE(names_that_only_declarations_have) {
  const std::pair<const char*, encoding> rows[] = {
      {"% !TEX encoding = ansinew", encoding::windows1252},
      {"% !TEX encoding = applemac", encoding::macintosh},
      {"# coding: utf_8", encoding::utf8},
      {"# coding: latin-1", encoding::latin1},
      {"# coding: iso_8859_15", encoding::iso8859_15},
      {"-*- coding: iso-latin-1-dos -*-", encoding::latin1},
      {"-*- coding: iso-latin-3 -*-", encoding::iso8859_3},
      {"# coding: latin-2", encoding::iso8859_2},
      {"# coding: Latin-10-unix", encoding::iso8859_16},
      {"SET ISO8859-2", encoding::iso8859_2},
      {"SET microsoft-cp1251", encoding::windows1251},
      {"# coding: utf-8-sig", encoding::utf8},
  };
  for (const auto& [text, expected] : rows)
    BOOST_TEST_CONTEXT(text) BOOST_TEST(told(guess_encoding(text + "\n"s)) == to_string(expected) + ", declared");
}

// So do browsers: pages that declare it mean no characters for private use. In other texts it is what it says.
BOOST_AUTO_TEST_CASE(x_user_defined_means_windows_1252_in_html_alone) {
  const std::string text = "caf\xE9 \x80 5";
  for (const std::string& html : {"<meta charset=x-user-defined>"s, "<meta charset=' X-USER-DEFINED '>"s,
                                  "<meta http-equiv=content-type content='text/html; charset=x-user-defined'>"s}) {
    BOOST_TEST(told(guess_encoding(html + text)) == "windows-1252, declared");
    BOOST_TEST(guess_charset(html + "\xC3\xA9").unused_declaration == "windows-1252");
  }
  BOOST_TEST(told(guess_encoding("Content-Type: text/plain; charset=x-user-defined\n\n" + text)) ==
             "x-user-defined, declared");
  BOOST_TEST(told(guess_encoding("<?xml version='1.0' encoding='x-user-defined'?>" + text)) ==
             "x-user-defined, declared");
}

// After `charset=` a name is no word of prose. What follows it in an attribute is not read, as in WHATWG's prescan.
BOOST_AUTO_TEST_CASE(names_that_are_words_or_numbers) {
  const std::pair<const char*, encoding> rows[] = {
      {"Content-Type: text/plain; charset=greek\n", encoding::iso8859_7},
      {"Content-Type: text/plain; charset=866\n", encoding::ibm866},
      {"Content-Type: text/plain; charset=mac; format=flowed\n", encoding::macintosh},
      {"<meta http-equiv=content-type content='text/html; charset=hebrew'>", encoding::iso8859_8},
      {"<meta http-equiv=content-type content='text/html; charset=koi8-r what'>", encoding::koi8r},
      {"<meta charset=cyrillic>", encoding::iso8859_5},
  };
  for (const auto& [text, expected] : rows)
    BOOST_TEST_CONTEXT(text) BOOST_TEST(told(guess_encoding(text)) == to_string(expected) + ", declared");
}

BOOST_AUTO_TEST_CASE(vim_reads_the_last_five_lines_of_a_whole_text) {
  const std::string text = "\n\n\n" + cyrillic + std::string(5000, ' ') + "\n# vim: fenc=koi8-r\n\n\n\n\n";
  params p = without_statistics();
  p.guess_bytes = text.size() + 1;
  BOOST_TEST(told(guess_encoding(text, p)) == "KOI8-R, declared");
  BOOST_TEST(told(guess_encoding(text + "\n", p)) == "windows-1252");  // now it is in the sixth
  p.guess_bytes = text.size();
  BOOST_TEST(told(guess_encoding(text, p)) == "windows-1252");
}

BOOST_AUTO_TEST_CASE(a_charset_of_several_bytes_or_without_a_table_here_is_named) {
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
      {"euc-china-unix", "\xC4\xE3\xBA\xC3", "GBK"},
      {"gb18030", "\x81\x30\x84\x36\xC4\xE3", "GB18030"},
      {"gb18030", "\x81\x30\x81\x30", encoding_from_name("GB18030") ? "windows-1252" : "GB18030"},  // U+0080
      {"big5", "\xA7\x41\xA6\x6E", "Big5"},
      {"euc-kr", "\xC7\x20\xB1\xB9", "windows-1252"},
      {"big5", "plain", "UTF-8"},
      {"euc-kr", "\x8C\x63", "EUC-KR"},  // of windows-949
      {"big5-hkscs", "\x87\x40", "Big5"},
      {"shiftjis", "\x93\xFA", "Shift_JIS"},
      {"ms-kanji", "\x93\xFA", "Shift_JIS"},  // an underscore is a hyphen
      {"euc_jp", "\xC6\xFC", "EUC-JP"},
      {"IBM857", "\x98\x9F", "IBM857"},
      {"cp852", "\xA5\xA9", "IBM852"},
      {"x-mac-greek", "\xE1\xE2", "x-mac-greek"},
      {"koi8-t", "\xC1\xC2", "KOI8-T"},
      {"cp737", "plain", "UTF-8"},
      {"iso-2022-jp", "plain", "UTF-8"},
      {"iso-2022-jp", "caf\xE9", "windows-1252"},
  };
  for (const named& r : rows) BOOST_TEST_CONTEXT(r.declared) {
      const std::string text = "<meta charset=" + std::string(r.declared) + ">" + r.text;
      const charset_guess found = guess_charset(text, without_statistics());
      BOOST_TEST(found == r.expected);
      const bool is_declared = r.expected != "windows-1252" && r.expected != "UTF-8";
      BOOST_TEST((found.decided_by == evidence::declaration) == is_declared);
      // If a reader of this library cannot read it, it says that it assumes another one.
      const bool is_read = is_declared && encoding_from_name(r.expected);
      const encoding_guess read = guess_encoding(text);
      if (is_declared) BOOST_TEST((read.decided_by == (is_read ? evidence::declaration : evidence::assumption)));
      if (is_read) BOOST_TEST(to_string(read) == r.expected);
    }
}

// Otherwise +ADw-script+AD4- would become a script.
BOOST_AUTO_TEST_CASE(ascii_stays_as_it_is_whatever_it_declares) {
  const std::string text = "\n+ADw-script+AD4- ~{<:Ky2;NpJ)l6HK!#~} \x0E"
                           "30\x0F \\ ~ +- && $B \x1B[31m\n";
  const std::string long_text = text + std::string(5000, ' ');
  for (const std::string& name :
       {"utf-7"s, "UTF7"s, "utf_7"s, "unicode-1-1-utf-7"s, "unicode-2-0-utf-7"s, "csUTF7"s, "cp65000"s,
        "windows-65000"s, "hz-gb-2312"s, "HZ"s, "cp52936"s, "iso-2022-kr"s, "csiso2022kr"s, "iso-2022-cn"s,
        "iso-2022-cn-ext"s, "scsu"s, "bocu-1"s, "imap-mailbox-name"s, "replacement"s})
    for (const std::string& declaration :
         {"<meta charset=" + name + ">", "<meta http-equiv=content-type content='a; charset=" + name + "'>",
          "<?xml version='1.0' encoding='" + name + "'?>", "@charset \"" + name + "\";", "# coding: " + name,
          "-*- coding: " + name + "-unix -*-", "vim: fenc=" + name, "Content-Type: text/plain; charset=" + name})
      BOOST_TEST_CONTEXT(declaration) {
        BOOST_TEST(guess_charset(declaration + text) == "UTF-8");
        BOOST_TEST(guess_charset(declaration + long_text) == "UTF-8");
      }
  for (const std::string& declaration : {"<meta charset=iso-2022-jp>"s, "#pragma code_page(65000)\n"s})
    BOOST_TEST(guess_charset(declaration + text) == "UTF-8");
}

// Escape sequences are no ASCII text. But browsers refuse a page that declares these charsets.
BOOST_AUTO_TEST_CASE(escape_sequences_show_that_a_declaration_is_right) {
  struct row {
    const char *name, *text;
    bool in_html;
  };
  const row rows[] = {{"ISO-2022-JP-2", "\x1B$A<:\x1B(B", true},
                      {"ISO-2022-KR", "\x1B$)C\n\x0EGQ\x0F\n", false},
                      {"ISO-2022-CN", "\x1B$)A\x0E<:\x0F\n", false}};
  for (const row& r : rows) BOOST_TEST_CONTEXT(r.name) {
      BOOST_TEST(guess_charset("Content-Type: text/plain; charset=" + std::string(r.name) + "\n\n" + r.text) == r.name);
      BOOST_TEST(guess_charset("<meta charset=" + std::string(r.name) + ">" + r.text) ==
                 (r.in_html ? r.name : "UTF-8"));
    }
  BOOST_TEST(told(guess_encoding("<meta charset=iso-2022-kr><meta charset=koi8-r>")) == "KOI8-R, declared");
}

// After the sample, text in the charset may follow.
BOOST_AUTO_TEST_CASE(ascii_that_declares_a_charset_of_two_bytes_may_go_on_in_it) {
  for (const std::string& name : {"EUC-KR"s, "ISO-2022-JP"s, "IBM737"s}) {
    const std::string text = "<meta charset=" + name + ">" + std::string(5000, ' ');
    const charset_guess cut = guess_charset(text), whole = guess_charset(text.substr(0, 100));
    BOOST_TEST(cut == name);
    BOOST_TEST((cut.decided_by == evidence::declaration));
    BOOST_TEST(whole == "UTF-8");
    BOOST_TEST((whole.decided_by == evidence::structure));
  }
}

namespace {

/// The time that this program has used the processor: on a busy machine the clock says more.
double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// A kind of declaration: what stands before and after the name, and the same without its end.
struct form {
  const char* what;
  std::string before, after, unclosed;
  bool has_number = false;  // of a code page, in place of a name

  std::string with(const std::string& name) const { return before + name + after; }
};

const form forms[] = {
    {"XML", "<?xml version=\"1.0\" encoding=\"", "\"?>\n", "<?xml version=\"1.0\" encoding=\"koi8-r?>\n"},
    {"HTML", "<meta charset=\"", "\">", "<meta charset=\"koi8-r>"},
    {"HTML, content", "<meta http-equiv=content-type content='a; charset=", "'>",
     "<meta http-equiv=content-type content='a; charset=koi8-r>"},
    {"CSS", "@charset \"", "\";\n", "@charset \"koi8-r;\n"},
    {"Python", "# coding: ", "\n", "# coding:\n koi8-r\n"},
    {"Emacs", "-*- coding: ", " -*-\n", "-*- coding: koi8-r\n-*-"},
    {"Emacs, at the end", "Local Variables:\ncoding: ", "\nEnd:\n", "Local Variables:\ncoding:\nkoi8-r\nEnd:\n"},
    {"Vim", "vim: set fenc=", " :\n", "vim: set fenc=\n koi8-r :\n"},
    {"mail", "Content-Type: text/plain; charset=\"", "\"\n", "Content-Type: text/plain; charset=\"koi8-r\n"},
    {"TeX", "\\usepackage[", "]{inputenc}\n", "\\usepackage[koi8-r\n]{inputenc}\n"},
    {"Hunspell", "SET ", "\n", "SET\nkoi8-r\n"},
    {"a Vim script", "scriptencoding ", "\n", "scriptencoding\nkoi8-r\n"},
    {"POD", "=encoding ", "\n", "=encoding\nkoi8-r\n"},
    {"PostgreSQL", "SET client_encoding = '", "';\n", "SET client_encoding = 'koi8-r;\n"},
    {"a resource script", "#pragma code_page(", ")\n", "#pragma code_page(20866\n)\n", true},
    {"RTF", "{\\rtf1\\ansicpg", "\\deff0{}", "{\\rtf1\\ansicpg{20866}", true},
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_hostile_text_declares_nothing) {
  const std::string zero(1, '\0');
  for (const form& f : forms) {
    const std::string name = f.has_number ? "20866" : "koi8-r";
    BOOST_TEST_CONTEXT(f.what) {
      BOOST_TEST(told(guess_encoding(f.with(name) + cyrillic)) == "KOI8-R, declared");
      std::string many;
      while (many.size() < 5000) many += f.with("what");
      const std::pair<const char*, std::string> texts[] = {
          {"without its end", f.unclosed},
          {"a long name", f.with(name + std::string(3000, '1'))},
          {"a name after many zeros", f.with(std::string(3000, '0') + name)},
          {"a name that ends with a zero byte", f.with(name + zero)},
          {"a zero byte in the name", f.with(name.substr(0, 3) + zero + name.substr(3))},
          {"a zero byte before the name", f.with(zero + name)},
          {"no name", f.with("")},
          {"a path", f.with("../../etc/passwd")},
          {"a format", f.with("%s%n")},
          {"another function of the library", f.with("guess")},
          {"a sign", f.with("-" + name)},
          {"a byte beyond ASCII", f.with("\xD2" + name)},
          {"many unknown names", many},
      };
      for (const auto& [what, text] : texts)
        BOOST_TEST_CONTEXT(what) BOOST_TEST((guess_encoding(text + cyrillic).decided_by != evidence::declaration));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_text_that_was_read_as_bytes_is_no_utf_16) {
  for (const form& f : forms) BOOST_TEST_CONTEXT(f.what) {
      const std::string text = f.with(f.has_number ? "1200" : "utf-16le");
      BOOST_TEST(told(guess_encoding(text + "plain")) == "UTF-8, declared");
      BOOST_TEST(told(guess_encoding(text + cyrillic, without_statistics())) == "windows-1252");
    }
}

// "iso-8859-15" is not "iso-8859-1" because it is cut there.
BOOST_AUTO_TEST_CASE(a_name_that_is_cut_is_none) {
  for (const form& f : forms) BOOST_TEST_CONTEXT(f.what) {
      params p;
      p.guess_bytes = f.before.size() + (f.has_number ? 3 : 10);
      const std::string text = f.with(f.has_number ? "8661" : "iso-8859-15");
      BOOST_TEST(told(guess_encoding(text, p)) == "UTF-8");
    }
  // The limit of 1,024 bytes cuts it, too.
  const std::pair<std::string, std::string> rows[] = {{"<meta charset=iso-8859-1", "5>"},
                                                      {"content-type: a; charset=iso-8859-1", "5\n"}};
  for (const auto& [begin, end] : rows) {
    const std::string before = std::string(1024 - 1 - begin.size(), ' ') + "\n" + begin;
    BOOST_TEST(told(guess_encoding(before + end + "\xE9")) == "windows-1252");
    BOOST_TEST(told(guess_encoding(before + "\n>\xE9")) == "ISO-8859-1, declared");
  }
}

// Each search passes over the text once. The limits are generous: it takes microseconds, or for a long text
// milliseconds.
BOOST_AUTO_TEST_CASE(hostile_text_takes_no_longer) {
  for (const std::string& part : texts::split(
           "<|<!--|<meta |<meta charset=|<a b=|content-type:charset=|msgstr \"content-type:\\n|\"\\ncontent-type:\\n|"
           "coding|charset=|\n|vim:|vim700|vim |-*-|<!|<?xml encoding|\\usepackage[|\\inputencoding{|a ")) {
    std::string text;
    while (text.size() < 1024) text += part;
    text += "\xE9";
    const double begin = processor_seconds();
    BOOST_TEST(told(guess_encoding(text)) == "windows-1252");
    BOOST_TEST(processor_seconds() - begin < 1);
  }
}

BOOST_AUTO_TEST_CASE(a_long_text_takes_no_longer) {
  std::vector<std::string> parts = {licence("#"), licence("%"), "#",  "# ", "#pragma ",
                                    "#\n",        "% !tex ",    "\n", "\r", "end:"};
  for (const form& f : forms) {
    parts.push_back(f.before);
    parts.push_back(f.with("what"));
    parts.push_back("#" + f.before);
    parts.push_back("# " + f.with("what") + "\n");
  }
  for (const std::string& part : parts) BOOST_TEST_CONTEXT(part) {
      std::string text;
      while (!part.empty() && text.size() < 200'000) text += part;
      text += "\xE9.";
      params p;
      for (const std::size_t size : {text.size(), text.size() + 1}) {
        p.guess_bytes = size;
        const double begin = processor_seconds();
        BOOST_TEST(told(guess_encoding(text, p)) == "windows-1252");
        BOOST_TEST(processor_seconds() - begin < 2);
      }
    }
}
