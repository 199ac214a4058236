// update_declaration_test.cpp: update_declaration changes the names in a text that declare another encoding, as the program
// that reads the declaration writes them, and nothing else, whatever the cut, the room, the errors and the policy are.
// build: portable optimised
#define BOOST_TEST_MODULE update_declaration
#include <boost/test/unit_test.hpp>

#include "support/outcomes.hpp"
#include "support/policies.hpp"
#include "support/test_devices.hpp"
#include "support/text_filter_reference.hpp"
#include "support/text_filter_trial.hpp"

#include <utfilter/changes.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/text_filters.hpp>

#include <boost/iostreams/filtering_stream.hpp>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace reference = conformance::reference;
using namespace std::string_literals;
using text_filters::filtered;
using utfilter::encoding;
using utfilter::update_declaration;

namespace {

using updater = utfilter::text_codec<utfilter::changes::update_declaration>;

constexpr std::size_t most = 4096;  // bytes that wait

std::string updated(encoding to, const std::string& text) { return filtered(update_declaration(to), text); }

/// Text that declares `name` in the way of a kind of file.
using file = std::string (*)(const std::string& name);

std::string xml(const std::string& name) { return "<?xml version=\"1.0\" encoding='" + name + "'?>\n<a/>\n"; }
std::string html(const std::string& name) { return "<!DOCTYPE html><meta charset=" + name + "><p>"; }
std::string latex(const std::string& name) { return "\\documentclass{a}\n\\usepackage[" + name + "]{inputenc}\n"; }
std::string inputencoding(const std::string& name) { return "\\inputencoding{" + name + "}\n"; }
std::string tex_comment(const std::string& name) { return "% !TEX encoding = " + name + "\n"; }
std::string rtf(const std::string& number) { return "{\\rtf1\\ansi\\ansicpg" + number + "\\deff0{\\fonttbl}"; }
std::string resources(const std::string& number) { return "#pragma code_page(" + number + ")\n"; }
std::string po(const std::string& name) {
  return "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=" + name + "\\n\"\n";
}
std::string emacs(const std::string& name) { return "# -*- coding: " + name + " -*-\n"; }
std::string hunspell(const std::string& name) { return "SET " + name + "\n"; }

}  // namespace

BOOST_AUTO_TEST_CASE(a_name_becomes_that_which_its_reader_knows) {
  struct row {
    file kind;
    std::string old;
    encoding to;
    std::string wanted;  // the same as `old` if the name must stay
  };
  const row rows[] = {
      {xml, "iso-8859-2", encoding::utf8, "utf-8"},
      {xml, "ISO-8859-2", encoding::utf8, "UTF-8"},
      {xml, "Latin2", encoding::utf8, "UTF-8"},
      {xml, "UTF-8", encoding::utf16le, "UTF-16LE"},
      {xml, "UTF-8", encoding::koi8r, "KOI8-R"},
      {xml, "utf-8", encoding::ascii, "us-ascii"},
      {xml, "IBM852", encoding::utf8, "UTF-8"},  // no encoding of this library, but a name that is known
      {html, "windows-1251", encoding::utf8, "utf-8"},
      {html, "x-user-defined", encoding::utf8, "utf-8"},
      {html, "shift_jis", encoding::utf8, "utf-8"},
      {po, "ISO-8859-15", encoding::utf8, "UTF-8"},
      {po, "UTF-8", encoding::windows1250, "cp1250"},  // gettext does not know windows-1250
      {po, "UTF-8", encoding::koi8r, "KOI8-R"},
      {po, "UTF-8", encoding::ibm866, "cp866"},
      {emacs, "latin-1", encoding::utf8, "utf-8"},
      {emacs, "latin-1-unix", encoding::utf8, "utf-8-unix"},
      {emacs, "koi8-r-dos", encoding::iso8859_5, "iso-8859-5-dos"},
      {hunspell, "ISO8859-1", encoding::utf8, "UTF-8"},
      {hunspell, "microsoft-cp1251", encoding::utf8, "utf-8"},
      {hunspell, "UTF-8", encoding::windows1251, "cp1251"},
      {latex, "latin2", encoding::utf8, "utf8"},
      {latex, "ansinew", encoding::utf8, "utf8"},
      {latex, "utf8", encoding::latin1, "latin1"},
      {latex, "utf8", encoding::windows1250, "cp1250"},
      {latex, "utf8", encoding::macintosh, "applemac"},
      {latex, "utf8", encoding::utf16le, "utf8"},        // inputenc has no name for it
      {latex, "latin1", encoding::shift_jis, "latin1"},  // nor for this
      {inputencoding, "cp1251", encoding::utf8, "utf8"},
      {tex_comment, "ISO-8859-1", encoding::utf8, "UTF-8"},
      {rtf, "1250", encoding::utf8, "65001"},
      {rtf, "65001", encoding::windows1252, "1252"},
      {rtf, "1252", encoding::latin1, "28591"},
      {rtf, "1252", encoding::shift_jis, "932"},
      {rtf, "1252", encoding::cesu8, "1252"},  // it has no code page
      {resources, "1251", encoding::utf16le, "1200"},
      // The name stays: it is right, or nobody knows it.
      {xml, "utf8", encoding::utf8, "utf8"},
      {xml, "latin1", encoding::latin1, "latin1"},
      {xml, "UTF-16", encoding::utf16le, "UTF-16"},
      {xml, "UTF-16LE", encoding::utf16, "UTF-16LE"},
      {xml, "UTF-32", encoding::utf32be, "UTF-32"},
      {xml, "what", encoding::utf8, "what"},
      {html, "../../etc/passwd", encoding::utf8, "../../etc/passwd"},
      {emacs, "undecided", encoding::utf8, "undecided"},
  };
  for (const row& r : rows) BOOST_TEST_CONTEXT(r.kind(r.old) << " in " << encoding_name(r.to)) {
      const std::string text = r.kind(r.old) + "\u017E\n", wanted = r.kind(r.wanted) + "\u017E\n";
      update_declaration filter(r.to);
      BOOST_TEST(filtered(filter, text) == wanted);
      BOOST_TEST(filter.report().changes == (r.old == r.wanted ? 0u : 1u));
      BOOST_TEST(updated(r.to, wanted) == wanted);  // once is enough
    }
}

BOOST_AUTO_TEST_CASE(every_encoding_is_declared_by_a_name_that_means_it) {
  for (const encoding to : utfilter::encodings()) {
    const std::string name(encoding_name(to));
    BOOST_TEST(updated(to, xml("WINDOWS-1258")) == xml(to == encoding::windows1258 ? "WINDOWS-1258" : name));
    const std::string tex = updated(to, latex("utf8"));
    BOOST_TEST((to == encoding::utf8 || tex == latex("utf8") || updated(encoding::utf8, tex) == latex("utf8")), name);
    const std::string page = updated(to, rtf("65001")), number = page.substr(rtf("").find("\\deff0"));
    const auto read = utfilter::encoding_from_name("cp" + number.substr(0, number.find('\\')));
    BOOST_TEST((read == to || page == rtf("65001")), name);
  }
}

BOOST_AUTO_TEST_CASE(every_declaration_of_a_text_is_updated) {
  const std::string page = xml("NAME") + "<meta charset=\"NAME\">\n" + html("NAME") + "\nvim: fenc=NAME\n";
  const auto with = [](std::string text, const std::string& name) {
    for (std::size_t at; (at = text.find("NAME")) != std::string::npos;) text.replace(at, 4, name);
    return text;
  };
  update_declaration filter;
  BOOST_TEST(filtered(filter, with(page, "koi8-r")) == with(page, "utf-8"));
  BOOST_TEST(filter.report().changes == 4u);
  const std::string feff = "\uFEFF";
  BOOST_TEST(updated(encoding::utf8, feff + xml("latin1")) == feff + xml("utf-8"));
}

// In prose, in comments and in the text itself, names are text.
BOOST_AUTO_TEST_CASE(what_is_no_declaration_stays) {
  for (const std::string& text :
       {"The encoding: koi8-r is old.\n"s, "<!-- <meta charset=koi8-r> -->"s, "a"s + xml("koi8-r"), ""s, "\n"s,
        std::string(1024, ' ') + "<meta charset=koi8-r>", "coding: latin1\n"s, "SET NAMES latin1\n"s,
        "{\\rtf1{\\ansicpg1250}"s, "charset=latin1\n"s})
    BOOST_TEST(updated(encoding::utf8, text) == text);
}

BOOST_AUTO_TEST_CASE(declarations_at_the_end_count_in_a_text_that_is_shorter_than_what_waits) {
  const std::string end = "# vim: fenc=koi8-r\n", now = "# vim: fenc=utf-8\n";
  for (const std::size_t size : {1u, 100u, 3000u, 4076u, 4077u, 4078u, 4200u}) {
    const std::string text = std::string(size, 'a') + "\n\n";
    const bool is_short = text.size() + end.size() < most;
    BOOST_TEST(updated(encoding::utf8, text + end) == text + (is_short ? now : end), size);
  }
}

BOOST_AUTO_TEST_CASE(names_that_grow_overwrite_nothing) {
  std::string text, wanted;
  while (text.size() < 1000) text += "<meta charset=l1>";
  update_declaration filter(encoding::iso8859_8i);
  wanted = filtered(filter, text + std::string(5000, 'z'));
  BOOST_TEST(filter.report().changes != 0u);
  BOOST_TEST(wanted.size() == text.size() + 5000 + filter.report().changes * ("iso-8859-8-i"s.size() - 2));
  for (std::size_t at; (at = wanted.find("iso-8859-8-i")) != std::string::npos;) wanted.replace(at, 12, "l1");
  BOOST_TEST(wanted == text + std::string(5000, 'z'));
}

BOOST_AUTO_TEST_CASE(a_charset_that_is_no_encoding_can_be_declared) {
  const utfilter::changes::update_declaration change("IBM852");
  BOOST_TEST(filtered(update_declaration(change), xml("UTF-8")) == xml("IBM852"));
  BOOST_TEST(filtered(update_declaration(change), xml("cp852")) == xml("cp852"));
  BOOST_TEST(filtered(update_declaration(change), latex("utf8")) == latex("cp852"));
  BOOST_TEST(filtered(update_declaration(utfilter::changes::update_declaration("x-own")), xml("utf-8")) ==
             xml("x-own"));
}

BOOST_AUTO_TEST_CASE(what_is_not_written_cannot_be_declared) {
  const std::string why = "utfilter: update_declaration needs the encoding in which the text will be written";
  for (const encoding none : {encoding::detect, encoding::guess, static_cast<encoding>(999)})
    BOOST_TEST(thrown_by([&] { update_declaration{none}; }) == why);
  BOOST_TEST(thrown_by([] { update_declaration{utfilter::changes::update_declaration("")}; }) == why);
}

//------------------------------------------------------------------------------------------------------------- every cut

namespace {

/// The text waits until there are 4,096 bytes of it. Then the name koi8-r, which stands once, becomes utf-8.
reference::rewritten with_new_name(const std::string& text, bool ends) {
  if (!ends && text.size() < most) return {"", 0, text.size()};
  reference::rewritten result{text, 0, 0};
  const std::size_t at = text.find("koi8-r");
  if (at == std::string::npos) return result;
  result.text.replace(at, 6, "utf-8");
  result.changes = 1;
  return result;
}

reference::outcome expected(const reference::params& p, std::string_view input, bool writing, bool ends) {
  return reference::text_filter(p, input, writing, ends, with_new_name);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_name_is_changed_wherever_the_text_is_cut) {
  const std::string text = "@charset \"koi8-r\";\xFF\u20AC\r\n\xE2\x82";
  for (const utfilter::on_error policy : text_filters::policies)
    text_filters::check_every_cut(updater(), expected, with(policy), text);
  text_filters::check_every_cut(updater(), expected, replacing_with("\u20AC\r\n"), text);
}

BOOST_AUTO_TEST_CASE(the_text_after_what_waits_passes_wherever_it_is_cut) {
  for (const std::size_t size : {4060u, 4072u, 4073u, 4074u, 4075u, 4076u, 4077u, 9000u}) {
    const std::string text =
        xml("koi8-r") + std::string(size - xml("koi8-r").size(), 'a') + "\u20AC\r\n\xFF\u20AC\r\n\xE2";
    for (const utfilter::on_error policy : text_filters::policies) {
      text_filters::trial<updater> t(updater(), expected, with(policy), text);
      for (const std::size_t piece : {7u, 256u, 4095u, 4096u, 4097u})
        text_filters::check(t, devices::in_pieces(text, piece), {4, 100, 5000}, {64});
    }
  }
}
