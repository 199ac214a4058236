// utfcat_test.cpp: runs utfcat as a user does, and checks its output, messages, exit status and the files that it
// leaves. Also runs two examples.
// build: program:utfcat program:entry_point program:shift_jis
#define BOOST_TEST_MODULE utfcat
#include "support/brief.hpp"
#include "support/paths.hpp"
#include "support/single_byte_tables.hpp"
#include "support/tally.hpp"
#include "support/texts.hpp"
#include "utfcat/utfcat_runs.hpp"

#include <boost/test/unit_test.hpp>

#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filter/zstd.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace utfcat_runs;
using namespace std::string_literals;

namespace {

using texts::feff;

/// Runs utfcat with the descriptor on a terminal. Returns its result and the output on the terminal, up to a line's
/// end.
std::pair<result, std::string> on_a_terminal(const arguments& args, int descriptor) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  BOOST_REQUIRE(terminal >= 0);
  BOOST_REQUIRE(grantpt(terminal) == 0);
  BOOST_REQUIRE(unlockpt(terminal) == 0);
  const std::string name = ptsname(terminal);
  const int keep = open(name.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);  // keeps the output until it is read
  const result r = utfcat(args, "", [&] { dup2(open(name.c_str(), O_RDWR | O_NOCTTY), descriptor); });
  std::string shown;  // the output may arrive only after a while
  for (pollfd one{terminal, POLLIN, 0}; (shown.empty() || shown.back() != '\n') && poll(&one, 1, 5000) > 0;) {
    char buffer[4096];
    const ssize_t got = ::read(terminal, buffer, sizeof buffer);
    shown.append(buffer, static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  }
  close(keep);
  close(terminal);
  return {r, shown};
}

//--------------------------------------------------------------------------------------------------------------- faults

const auto heeding_permissions = without({CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH});
const auto losing_privileges = without({CAP_FSETID});  // a write clears the set-user-ID bit of the file

std::function<void()> files_end_at(std::size_t size) {
  return [size] {
    const rlimit limit{size, size};
    setrlimit(RLIMIT_FSIZE, &limit);
  };
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(utfcat_command, scratch)

//------------------------------------------------------------------------------------------------------- text and files

BOOST_AUTO_TEST_CASE(it_copies_well_formed_text_from_files_and_standard_input) {
  put("a", "A\xC3\xA9\n");
  put("b", "B");
  BOOST_TEST(utfcat({}, "text\n") == expected(0, "text\n"));
  BOOST_TEST(utfcat({}, "") == expected(0, ""));
  BOOST_TEST(utfcat({"a", "-", "b"}, "x\n") == expected(0, "A\xC3\xA9\nx\nB"));
  BOOST_TEST(utfcat({"--", "a", "b"}) == expected(0, "A\xC3\xA9\nB"));
  put("-c", "dash");
  BOOST_TEST(utfcat({"--", "-c"}) == expected(0, "dash"));
  put("big", numbers(300000));
  BOOST_TEST((utfcat({"big"}) == expected(0, numbers(300000))));
  BOOST_TEST((utfcat({}, numbers(300000)) == expected(0, numbers(300000))));
}

BOOST_AUTO_TEST_CASE(it_transcodes_from_and_to_each_encoding) {
  const std::string text = "a\xC3\xA9\n";
  const std::vector<std::pair<const char*, std::string>> encoded = {
      {"utf-8", text},
      {"UTF-8", text},
      {"utf-16le", "a\0\xE9\0\n\0"s},
      {"utf-16be", "\0a\0\xE9\0\n"s},
      {"utf-16", "\xFE\xFF\0a\0\xE9\0\n"s},
      {"utf-32le", "a\0\0\0\xE9\0\0\0\n\0\0\0"s},
      {"utf-32be", "\0\0\0a\0\0\0\xE9\0\0\0\n"s},
      {"utf-32", "\0\0\xFE\xFF\0\0\0a\0\0\0\xE9\0\0\0\n"s},
      {"cesu-8", text},
      {"latin1", "a\xE9\n"},
      {"iso-8859-1", "a\xE9\n"},
      {"windows-1252", "a\xE9\n"}};
  for (const auto& [name, bytes] : encoded) {
    BOOST_TEST_CONTEXT(name) {
      BOOST_TEST(utfcat({"-f", name}, bytes) == expected(0, text));
      BOOST_TEST(utfcat({"--to", name}, text) == expected(0, bytes));
    }
  }
  BOOST_TEST(utfcat({"-f", "detect"}, "\xFF\xFE" + utf16le(u"a\u00E9\n")) == expected(0, text));
}

BOOST_AUTO_TEST_CASE(it_reads_and_writes_each_single_byte_encoding_by_its_table) {
  for (const single_byte::table& t : single_byte::tables()) {
    BOOST_TEST_CONTEXT(t.names.front()) {
      std::string bytes, written, text;
      for (unsigned byte = 0; byte < 256; ++byte) {
        if (!t.assigns(byte)) continue;
        bytes += static_cast<char>(static_cast<unsigned char>(byte));
        written += static_cast<char>(static_cast<unsigned char>(t.written_for(byte)));
        text += texts::utf8({t.characters[byte]});
      }
      BOOST_TEST(utfcat({"-f", t.names.front()}, bytes) == expected(0, text));
      BOOST_TEST(utfcat({"-t", t.names.back()}, text) == expected(0, written));
    }
  }
}

BOOST_AUTO_TEST_CASE(an_unassigned_byte_is_reported_and_repaired_as_asked) {
  const std::string bytes = "\xC1\n\xD2\xE1\n";
  const std::string report = "-:2:1: byte 2: byte that the encoding does not assign: D2\n";
  BOOST_TEST(utfcat({"-f", "greek"}, bytes) == expected(1, "\u0391\n", "utfcat: " + report));
  BOOST_TEST(utfcat({"-c", "-f", "greek"}, bytes) == expected(1, report));
  BOOST_TEST(utfcat({"-f", "greek", "-e", "stop"}, bytes) == expected(1, "\u0391\n", "utfcat: " + report));
  BOOST_TEST(utfcat({"-f", "greek", "-e", "replace"}, bytes) == expected(0, "\u0391\n\uFFFD\u03B1\n"));
  BOOST_TEST(utfcat({"-f", "greek", "-e", "skip"}, bytes) == expected(0, "\u0391\n\u03B1\n"));
  BOOST_TEST(utfcat({"-f", "greek", "-e", "escape"}, bytes) == expected(0, "\u0391\n\\xD2\u03B1\n"));
  BOOST_TEST(utfcat({"-c", "--summary", "-f", "greek"}, bytes) ==
             expected(1, "-: ISO-8859-7, no byte order mark, 2 lines, 1 error\n"
                         "  byte that the encoding does not assign  1  ########################################\n"
                         "  2:1  byte that the encoding does not assign: D2  [D2]\u03B1\n"));
}

BOOST_AUTO_TEST_CASE(a_byte_order_mark_stands_once_at_the_beginning_of_the_output) {
  put("marked1", feff + "A");
  put("marked2", feff + "B");
  put("plain", "C");
  put("little", "\xFF\xFE" + utf16le(u"D"));
  put("empty", "");
  struct row {
    arguments args;
    std::string out;
  };
  const row table[] = {{{"marked1", "marked2", "plain", "little"}, "ABCD"},
                       {{"-b", "automatic", "-f", "utf-8", "marked1", "marked2"}, feff + "AB"},
                       {{"-b", "keep", "empty", "marked1", "plain", "marked2", "little"}, feff + "ACBD"},
                       {{"-b", "keep", "plain", "marked1"}, "CA"},
                       {{"-b", "strip", "marked1", "little"}, "AD"},
                       {{"--bom=add", "plain", "marked1"}, feff + "CA"},
                       {{"-b", "add", "empty"}, feff},
                       {{"-b", "require", "marked1", "little", "marked2"}, "ADB"},
                       {{"-b", "require", "-f", "utf-8", "marked1", "marked2"}, feff + "AB"},
                       {{"-b", "reject", "plain", "plain"}, "CC"},
                       {{"-t", "utf-16", "plain", "marked1"}, "\xFE\xFF\0C\0A"s},
                       {{"-t", "utf-16", "-b", "strip", "marked1"}, "\0A"s},
                       {{"-t", "utf-16le", "marked1"}, "A\0"s},
                       {{"-t", "utf-16le", "-b", "add", "plain", "marked1"}, "\xFF\xFE"s + "C\0A\0"s},
                       {{"-t", "utf-16be", "-b", "keep", "little", "marked1"}, "\xFE\xFF\0D\0A"s},
                       {{"-t", "latin1", "-f", "utf-8", "marked1", "marked2"}, "AB"},
                       {{"-f", "latin1", "-b", "add", "plain"}, feff + "C"}};
  for (const row& r : table) BOOST_TEST(utfcat(r.args) == expected(0, r.out));

  BOOST_TEST(utfcat({"-b", "require", "marked1", "plain", "marked2"}) ==
             expected(1, "AB", "utfcat: plain:1:1: byte 0: missing byte order mark\n"));
  BOOST_TEST(utfcat({"-b", "reject", "plain", "marked1"}) ==
             expected(1, "C", "utfcat: marked1:1:1: byte 0: unexpected byte order mark: EF BB BF\n"));
  // No policy repairs these errors, so they are reported under each policy. The text is complete.
  BOOST_TEST(utfcat({"-b", "require", "-e", "replace", "plain"}) ==
             expected(1, "C", "utfcat: plain:1:1: byte 0: missing byte order mark\n"));
  BOOST_TEST(utfcat({"-b", "reject", "-e", "skip", "marked1", "marked2"}).out == feff + "AB");
}

//------------------------------------------------------------------------------------------------------------- policies

BOOST_AUTO_TEST_CASE(ill_formed_input_is_treated_by_policy) {
  const std::string bad = "ok\na\xC0z\n";
  const std::string where = "utfcat: -:2:2: byte 4: overlong encoding: C0\n";
  BOOST_TEST(utfcat({}, bad) == expected(1, "ok\na", where));
  BOOST_TEST(utfcat({"-e", "strict"}, bad) == expected(1, "ok\na", where));
  BOOST_TEST(utfcat({"-e", "stop"}, bad) == expected(1, "ok\na", where));
  BOOST_TEST(utfcat({"-e", "replace"}, bad) == expected(0, "ok\na\xEF\xBF\xBDz\n"));
  BOOST_TEST(utfcat({"--on-error=skip"}, bad) == expected(0, "ok\naz\n"));
  BOOST_TEST(utfcat({"--on-error", "escape"}, bad) == expected(0, "ok\na\\xC0z\n"));
  BOOST_TEST(utfcat({"-e", "windows-1252"}, bad) == expected(0, "ok\na\xC3\x80z\n"));
  BOOST_TEST(utfcat({"-f", "utf-8", "-e", "keep"}, bad) == expected(0, bad));
  BOOST_TEST(utfcat({"-f", "utf-16le", "-e", "escape"}, "\0\xD8z\0"s) == expected(0, "\\u{D800}z"));
}

BOOST_AUTO_TEST_CASE(after_ill_formed_input_the_other_files_are_written) {
  put("bad1", "one\xFF never");
  put("good", "two");
  put("cut", "three\xE2\x82");
  put("rest", "\xAC");
  BOOST_TEST(utfcat({"bad1", "good", "cut", "rest", "good"}) ==
             expected(1, "onetwothreetwo",
                      "utfcat: bad1:1:4: byte 3: byte that no text contains: FF\n"
                      "utfcat: cut:1:6: byte 5: incomplete at the end of the input: E2 82\n"
                      "utfcat: rest:1:1: byte 0: unexpected continuation byte: AC\n"));
}

BOOST_AUTO_TEST_CASE(characters_that_the_output_lacks_are_treated_by_policy_and_reported_in_their_file) {
  const std::string text = "\xC3\xA9\nab\xE2\x82\xACz\n";
  const std::string lacks = "the target encoding lacks U+20AC: E2 82 AC\n";
  BOOST_TEST(utfcat({"-t", "latin1", "-e", "replace"}, text) == expected(0, "\xE9\nab?z\n"));
  BOOST_TEST(utfcat({"-t", "latin1", "-e", "skip"}, text) == expected(0, "\xE9\nabz\n"));
  BOOST_TEST(utfcat({"-t", "latin1", "-e", "escape"}, text) == expected(0, "\xE9\nab\\u{20AC}z\n"));
  BOOST_TEST(utfcat({"-t", "windows-1252"}, text) == expected(0, "\xE9\nab\x80z\n"));
  BOOST_TEST(utfcat({"-t", "latin1"}, text) == expected(1, "\xE9\nab", "utfcat: -:2:3: byte 5: " + lacks));
  BOOST_TEST(utfcat({"-t", "latin1", "-e", "stop"}, text) ==
             expected(1, "\xE9\nab", "utfcat: -:2:3: byte 5: " + lacks));

  put("first", "abc\n");
  put("utf8", feff + text);
  put("utf16", "\xFF\xFE" + utf16le(u"\u00E9\nab\u20ACz\n"));
  put("utf32", "\0\0\xFE\xFF\0\0\0\xE9\0\0\x20\xAC"s);
  BOOST_TEST(utfcat({"-t", "latin1", "first", "utf8", "utf16", "utf32", "first"}) ==
             expected(1, "abc\n\xE9\nab\xE9\nab\xE9"s + "abc\n",
                      "utfcat: utf8:2:3: byte 8: " + lacks + "utfcat: utf16:2:3: byte 10: " + lacks +
                          "utfcat: utf32:1:2: byte 8: " + lacks));

  // The reported place is counted in the input, even if it is far from the beginning.
  const std::string many(200000, 'x');
  BOOST_TEST(utfcat({"-t", "latin1"}, many + "\n" + many + "\xE2\x82\xAC").err ==
             "utfcat: -:2:200001: byte 400001: " + lacks);
}

//---------------------------------------------------------------------------------------------------------------- check

BOOST_AUTO_TEST_CASE(a_check_writes_every_error_and_no_text) {
  put("bad", "a\n\xC0\xAF-\xFF\n");
  put("good", "good\n");
  const std::string errors = "bad:2:1: byte 2: overlong encoding: C0\n"
                             "bad:2:2: byte 3: unexpected continuation byte: AF\n"
                             "bad:2:4: byte 5: byte that no text contains: FF\n";
  BOOST_TEST(utfcat({"-c", "good"}) == expected(0, ""));
  BOOST_TEST(utfcat({"-c", "good", "bad", "good"}) == expected(1, errors));
  BOOST_TEST(utfcat({"--check", "-e", "skip", "bad"}) == expected(1, errors));
  BOOST_TEST(utfcat({"-c"}, "\xE2\x82") == expected(1, "-:1:1: byte 0: incomplete at the end of the input: E2 82\n"));
  BOOST_TEST(utfcat({"-c", "-b", "require", "good"}) == expected(1, "good:1:1: byte 0: missing byte order mark\n"));
  BOOST_TEST(utfcat({"-c", "nosuch", "bad"}) == expected(2, errors, "utfcat: nosuch: No such file or directory\n"));
  BOOST_TEST(utfcat({"-c", "good"}, "", [] { dup2(open("/dev/full", O_WRONLY), 1); }) == expected(0, ""));
  BOOST_TEST(utfcat({"-c", "bad"}, "", [] { dup2(open("/dev/full", O_WRONLY), 1); }) ==
             expected(2, "", "utfcat: standard output: No space left on device\n"));

  // Characters that the output's encoding lacks are reported among the other errors, in order.
  BOOST_TEST(utfcat({"-c", "-t", "latin1"}, "\xE2\x82\xAC\xFF\xE2\x82\xAC\n\xC3\xA9\xFE\xFE\xE2\x82\xAC") ==
             expected(1, "-:1:1: byte 0: the target encoding lacks U+20AC: E2 82 AC\n"
                         "-:1:2: byte 3: byte that no text contains: FF\n"
                         "-:1:3: byte 4: the target encoding lacks U+20AC: E2 82 AC\n"
                         "-:2:2: byte 10: byte that no text contains: FE\n"
                         "-:2:3: byte 11: byte that no text contains: FE\n"
                         "-:2:4: byte 12: the target encoding lacks U+20AC: E2 82 AC\n"));
  // With `require` the decoder leaves the mark in the text, and utfcat drops that of the second file.
  put("signed", "\xEF\xBB\xBF\xE2\x82\xE2\x82\xAC");
  const std::string in_signed = "signed:1:1: byte 3: truncated sequence: E2 82\n"
                                "signed:1:2: byte 5: the target encoding lacks U+20AC: E2 82 AC\n";
  BOOST_TEST(utfcat({"-c", "-f", "utf-8", "-b", "require", "-t", "latin1", "signed", "signed"}) ==
             expected(1, in_signed + in_signed));
}

//---------------------------------------------------------------------------------------------------------- compression

BOOST_AUTO_TEST_CASE(compressed_files_are_recognised_by_their_first_bytes) {
  const std::string text = numbers(20000);
  const std::string all[] = {compressed<io::gzip_compressor>(text), compressed<io::bzip2_compressor>(text),
                             compressed<io::zstd_compressor>(text), compressed<io::lzma_compressor>(text), text};
  for (const std::string& bytes : all) {
    put("x", bytes);
    BOOST_TEST((utfcat({"-d", "x"}) == expected(0, text)));
    BOOST_TEST((utfcat({"--decompress"}, bytes) == expected(0, text)));
    BOOST_TEST((utfcat({"-d", "x", "x"}) == expected(0, text + text)));
  }
  for (const char* plain : {"", "B", "BZ", "BZh", "BZh9", "(", "P", "\n"})
    BOOST_TEST(utfcat({"-d"}, plain) == expected(0, plain));
  BOOST_TEST(utfcat({"-d"}, compressed<io::bzip2_compressor>("")) == expected(0, ""));
  BOOST_TEST(utfcat({"-d"}, compressed<io::gzip_compressor>("\xFF\xFE" + utf16le(u"\u20AC\n"))) ==
             expected(0, "\xE2\x82\xAC\n"));
  // Frames of zstd that Boost does not write: one with a checksum, one with a block that repeats one byte.
  const std::string sum = "\x28\xB5\x2F\xFD\x04\x58\x19\0\0hi\n\x34\x3D\x50\x92"s;
  const std::string run_length = "\x28\xB5\x2F\xFD\x20\x05\x2B\0\0x"s;
  BOOST_TEST(utfcat({"-d"}, sum + run_length + sum) == expected(0, "hi\nxxxxxhi\n"));
  BOOST_TEST(utfcat({"-d"}, run_length + sum.substr(0, sum.size() - 1)) ==
             expected(2, "xxxxxhi\n", "utfcat: -: truncated zstd data\n"));
  // A skippable frame of zstd, as pzstd writes it, comes before the data.
  BOOST_TEST((utfcat({"-d"}, "\x50\x2A\x4D\x18\x02\0\0\0zz"s + all[2]) == expected(0, text)));
}

BOOST_AUTO_TEST_CASE(members_and_frames_follow_one_another) {
  const auto check = [](auto compress) {
    // Members of many sizes, so that their borders fall on each place of the buffers.
    std::string all, text;
    for (int i = 0; i < 600; ++i) {
      const std::string part = numbers(i % 97) + std::string(static_cast<std::size_t>(i), 'x');
      text += part;
      all += compress(part);
    }
    const result r = utfcat({"-d"}, all);
    BOOST_TEST(r.status == 0);
    BOOST_TEST(r.err == "");
    BOOST_TEST((r.out == text));
  };
  check(compressed<io::gzip_compressor>);
  check(compressed<io::bzip2_compressor>);
  check(compressed<io::zstd_compressor>);
  check(compressed<io::lzma_compressor>);
}

BOOST_AUTO_TEST_CASE(text_before_the_end_of_a_truncated_archive_is_delivered) {
  const auto check = [](const char* name, const std::string& bytes, const std::string& text, std::size_t smallest) {
    for (std::size_t size = smallest; size < bytes.size(); size += brief::nth * (1 + bytes.size() / 100)) {
      const result r = utfcat({"-d"}, bytes.substr(0, size));
      BOOST_TEST(r.status == 2);
      BOOST_TEST(r.err == "utfcat: -: truncated "s + name + " data\n");
      BOOST_TEST((text.substr(0, r.out.size()) == r.out));
      // The trailer of gzip has eight bytes. The text of bzip2 is one block, which arrives as a whole or not at all.
      if (name == "gzip"s && size + 8 >= bytes.size()) BOOST_TEST((r.out == text));
      if (name == "bzip2"s) BOOST_TEST((r.out.empty() || r.out == text));
    }
    // Without the last byte all of the text is there, because in gzip, bzip2 and xz the last bytes are no text.
    const result r = utfcat({"-d"}, bytes.substr(0, bytes.size() - 1));
    BOOST_TEST(r.status == 2);
    BOOST_TEST((r.out == text || name == "zstd"s));
    // If the second of two archives is truncated, the first one is whole.
    const std::string two = bytes + bytes.substr(0, smallest);
    BOOST_TEST((utfcat({"-d"}, two) == expected(2, text, "utfcat: -: truncated "s + name + " data\n")));
  };
  for (const std::string& text : {"small\n"s, "a little more than is asked of them at once"s, numbers(30000)}) {
    check("gzip", compressed<io::gzip_compressor>(text), text, 4);
    check("bzip2", compressed<io::bzip2_compressor>(text), text, 11);
    check("zstd", compressed<io::zstd_compressor>(text), text, 5);
    check("xz", compressed<io::lzma_compressor>(text), text, 6);
  }
  // All of the data has been read, and its text is more than the decoder takes at once.
  BOOST_TEST((utfcat({"-d"}, "\x28\xB5\x2F\xFD\0\x58\x02\0\x10x"s) ==
              expected(2, std::string(131072, 'x'), "utfcat: -: truncated zstd data\n")));
  const std::string full = compressed<io::gzip_compressor>(std::string(65536, 'x'));  // exactly what it takes at once
  for (std::size_t cut = 1; cut < 20; ++cut)
    BOOST_TEST(utfcat({"-d"}, full.substr(0, full.size() - cut)).err == "utfcat: -: truncated gzip data\n");
  // The text ends inside a character only because the data is truncated: there is no other message.
  std::string character = compressed<io::zstd_compressor>("\xE2\x82\xAC");
  character.pop_back();
  BOOST_TEST(utfcat({"-d"}, character) == expected(2, "", "utfcat: -: truncated zstd data\n"));
}

BOOST_AUTO_TEST_CASE(text_before_damage_is_delivered) {
  const auto check = [](const std::string& bytes, const std::string& text, const char* message) {
    const result r = utfcat({"-d"}, bytes);
    const bool as_expected = r == expected(2, text, "utfcat: -: "s + message + " data\n");
    BOOST_TEST(as_expected, message << ": status " << r.status << ", " << r.out.size() << " bytes, " << r.err);
  };
  for (const std::string& text : {"small\n"s, numbers(30000)}) {
    const std::string gzip = compressed<io::gzip_compressor>(text), bzip2 = compressed<io::bzip2_compressor>(text),
                      zstd = compressed<io::zstd_compressor>(text), xz = compressed<io::lzma_compressor>(text);
    for (const std::string& junk : {"no archive"s, "x"s, "\0\0x"s}) {
      check(gzip + junk, text, "unexpected bytes after the gzip");
      check(gzip + gzip + junk, text + text, "unexpected bytes after the gzip");
      check(bzip2 + junk, text, "unexpected bytes after the bzip2");
    }
    for (const std::string& junk : {"no archive"s, "\0\0\0\0"s}) {
      check(zstd + junk, text, "unexpected bytes after the zstd");
      check(zstd + zstd + junk, text + text, "unexpected bytes after the zstd");
    }
    const auto changed = [](std::string bytes, std::size_t place, int change) {
      bytes[place] = static_cast<char>(bytes[place] ^ change);
      return bytes;
    };
    check(changed(gzip, gzip.size() - 6, 0xFF), text, "corrupt gzip");     // the checksum
    check(changed(gzip, gzip.size() - 2, 0xFF), text, "corrupt gzip");     // the size
    check(gzip + changed(gzip, 2, 0xFF), text, "corrupt gzip");            // the method
    check(changed(bzip2, 12, 0xFF), text, "corrupt bzip2");                // the checksum of the first block
    check(changed(bzip2, bzip2.size() - 3, 0xFF), text, "corrupt bzip2");  // the checksum of the whole
    check(zstd + changed(zstd, 6, ~zstd[6] & 6), text, "corrupt zstd");    // the type of the first block, now reserved
    check(xz + "no archive after it", text, "corrupt xz");                 // xz(1) reports the same
    check(xz + std::string(3, '\0') + xz, text, "corrupt xz");             // zeros, but not a multiple of four
    check(changed(xz, xz.size() - 14, 0xFF), text, "corrupt xz");          // the checksum of the index
    check(changed(xz, xz.size() - 1, 0xFF), text, "corrupt xz");           // the magic bytes at the end
    check(xz + changed(xz, 7, 0xFF), text, "corrupt xz");                  // the kind of checksum
  }
  // The damage comes directly after the text: a reserved type of block, a wrong checksum.
  check("\x1F\x8B\x08\0\0\0\0\0\0\x03\0\x05\0\xFA\xFFhello\x07"s, "hello", "corrupt gzip");
  check("\x28\xB5\x2F\xFD\x04\x58\x19\0\0hi\n\x34\x3D\x50\x93"s, "hi\n", "corrupt zstd");
  check("\x28\xB5\x2F\xFD\0\x90\x01\0\0"s, "", "too much memory needed to decompress the zstd");  // 256 MiB
  check("\x28\xB5\x2F\xFD\x20\x05\x2A\0\0x\x07\0\0"s, "xxxxx", "corrupt zstd");
}

BOOST_AUTO_TEST_CASE(zeros_may_follow_gzip_data) {
  const std::string gzip = compressed<io::gzip_compressor>("text\n");
  for (const std::size_t size : {1u, 2u, 512u, 100000u})
    for (const std::string& next : {""s, gzip})
      BOOST_TEST(utfcat({"-d"}, gzip + std::string(size, '\0') + next) ==
                 expected(0, next.empty() ? "text\n" : "text\ntext\n"));
}

// xz(1) accepts the same.
BOOST_AUTO_TEST_CASE(zeros_in_a_multiple_of_four_may_follow_xz_data) {
  const std::string xz = compressed<io::lzma_compressor>("text\n");
  for (const std::size_t size : {4u, 8u, 512u, 100000u})
    for (const std::string& next : {""s, xz})
      BOOST_TEST(utfcat({"-d"}, xz + std::string(size, '\0') + next) ==
                 expected(0, next.empty() ? "text\n" : "text\ntext\n"));
  BOOST_TEST(utfcat({"-d"}, xz + std::string(3, '\0')) == expected(2, "text\n", "utfcat: -: truncated xz data\n"));
}

// The data is refused even if each of its bytes is a character of the encoding, as in windows-1252.
BOOST_AUTO_TEST_CASE(data_that_is_packed_in_another_way_is_refused_and_named) {
  struct row {
    std::string start, name;
  };
  const row table[] = {{"PK\3\4\x14\0", "zip data, which utfcat does not decompress (unzip -p does)"},
                       {"PK\5\6\0\0"s, "zip data, which utfcat does not decompress (unzip -p does)"},
                       {"PK\7\x08PK", "zip data, which utfcat does not decompress (unzip -p does)"},
                       {"7z\xBC\xAF\x27\x1C\0\4"s, "7z data, which utfcat does not decompress (7z e -so does)"},
                       {"Rar!\x1A\7\1\0"s, "rar data, which utfcat does not decompress (unrar p -inul does)"},
                       {"Rar!\x1A\7\0"s, "rar data, which utfcat does not decompress (unrar p -inul does)"},
                       {"MSCF\0\0\0\0x"s, "cabinet data, which utfcat does not decompress (cabextract -p does)"},
                       {"]\0\0\x80\0\xFF\xFF\xFF\xFF"s, "lzma data, which utfcat does not decompress (xz -dc does)"},
                       {"]\0\0\x04\0\7\0\0\0"s, "lzma data, which utfcat does not decompress (xz -dc does)"},
                       {"]\0\0\0\4\xFF\xFF\xFF\xFF\xFF"s, "lzma data, which utfcat does not decompress (xz -dc does)"},
                       {"LZIP\1\x0C", "lzip data, which utfcat does not decompress (lzip -dc does)"},
                       {"\x89LZO\0\r\n\x1A\n\x10"s, "lzop data, which utfcat does not decompress (lzop -dc does)"},
                       {"\x04\x22\x4D\x18\x64\x40", "lz4 data, which utfcat does not decompress (lz4 -dc does)"},
                       {"\x02\x21\x4C\x18x", "lz4 data, which utfcat does not decompress (lz4 -dc does)"},
                       {"\x1F\x9D\x90t", "compress data, which utfcat does not decompress (gzip -dc does)"},
                       {"\x1F\x1E\0\0"s, "pack data, which utfcat does not decompress (gzip -dc does)"},
                       {"\xFF\6\0\0sNaPpY\0"s, "snappy data, which utfcat does not decompress"}};
  put("old", "old");
  for (const row& r : table) {
    const std::string message = "utfcat: -: this is " + r.name + '\n';
    for (const char* from : {"detect", "windows-1252", "utf-16le", "latin1"})
      BOOST_TEST(utfcat({"-d", "-f", from}, r.start + std::string(100, 'x')) == expected(2, "", message));
    BOOST_TEST(utfcat({"-d"}, r.start) == expected(2, "", message));
    BOOST_TEST(utfcat({"-d", "-o", "old"}, r.start) ==
               expected(2, "", message + "utfcat: old: not written, because the text is not complete\n"));
    BOOST_TEST(get("old") == "old");
    // Without -d it is read as text. In an encoding of single bytes it stays unchanged.
    BOOST_TEST(utfcat({"-f", "latin1", "-t", "latin1"}, r.start) == expected(0, r.start));
  }
  BOOST_TEST(utfcat({}, "PK\3\4\xFF").err == "utfcat: -:1:5: byte 4: byte that no text contains: FF"
                                             " (this is zip data, which utfcat does not decompress (unzip -p does))\n");
  // Data with a similar beginning is text.
  for (const std::string& text : {"PK"s, "PK\3\5"s, "7z"s, "Rar!\n"s, "MSCF\n"s, "]\n"s, "LZIP\n"s, "LZIP"s,
                                  "\x50\x55\x4D\x18"s, "BZh#1AY&SY"s, "BZh01AY&SY"s})
    BOOST_TEST(utfcat({"-d"}, text) == expected(0, text));
  BOOST_TEST(utfcat({"-d", "-f", "utf-32le"}, "]\0\0\0\1\4\0\0"s) == expected(0, "]\xD0\x81"));
  BOOST_TEST(utfcat({"-d", "-f", "utf-16le"}, "\x1F\x9D\x1F\x1E"s) == expected(0, "\xE9\xB4\x9F\xE1\xB8\x9F"));
}

BOOST_AUTO_TEST_CASE(compressed_data_read_as_text_is_named) {
  const result r = utfcat({}, compressed<io::gzip_compressor>("text\n"));
  BOOST_TEST(
      r ==
      expected(1, "\x1F",
               "utfcat: -:1:2: byte 1: unexpected continuation byte: 8B (this is gzip data: give --decompress)\n"));
}

//------------------------------------------------------------------------------------------------------------- --output

// A program that looks at the time of a file, such as make, then sees no change.
BOOST_AUTO_TEST_CASE(an_output_file_with_the_same_content_stays_as_it_is) {
  const auto facts = [](const char* name) {
    struct stat s {};
    BOOST_REQUIRE(stat(name, &s) == 0);
    return std::vector<long long>{static_cast<long long>(s.st_ino),
                                  static_cast<long long>(s.st_nlink),
                                  static_cast<long long>(s.st_mode),
                                  s.st_mtim.tv_sec,
                                  s.st_mtim.tv_nsec,
                                  s.st_ctim.tv_sec,
                                  s.st_ctim.tv_nsec};
  };
  tally texts;
  for (const std::string& text : {"text\n"s, ""s, numbers(20000)}) {
    put("file", text);
    fs::remove("link");
    fs::create_hard_link("file", "link");
    fs::last_write_time("file", fs::file_time_type::clock::now() - std::chrono::hours(1));
    const auto before = facts("file");
    texts.run([&] {
      BOOST_TEST(utfcat({"-o", "file", "file"}) == expected(0, ""));
      BOOST_TEST(facts("file") == before, boost::test_tools::per_element());
      BOOST_TEST(get("file") == text);
    });
    // A text that differs in its last character, or is longer.
    for (const std::string& other : {text + "x", text.substr(0, text.size() - !text.empty()) + "y"})
      texts.run([&] {
        BOOST_TEST(utfcat({"-o", "file"}, other).status == 1);  // the other name would keep the old text
        BOOST_TEST(get("file") == text);
        BOOST_TEST(utfcat({"--force", "-o", "file"}, other) == expected(0, ""));
        BOOST_TEST(get("file") == other);
        BOOST_TEST(get("link") == text);
        fs::remove("file");
        fs::create_hard_link("link", "file");
      });
  }
  fs::remove("link");
  fs::remove("file");
  BOOST_TEST(files_here().empty());
  texts.summary();
}

BOOST_AUTO_TEST_CASE(an_output_file_is_made_or_replaced) {
  umask(027);
  put("in", "text\n");
  BOOST_TEST(utfcat({"-o", "new", "in"}) == expected(0, ""));
  BOOST_TEST(get("new") == "text\n");
  BOOST_TEST((fs::status("new").permissions() == fs::perms(0640)));

  put("old", "a longer text, which is replaced");
  fs::permissions("old", fs::perms(0754));
  BOOST_TEST(utfcat({"--output=old", "in"}) == expected(0, ""));
  BOOST_TEST(get("old") == "text\n");
  BOOST_TEST((fs::status("old").permissions() == fs::perms(0754)));

  // The output is one of the inputs.
  put("self", feff + "x\n");
  BOOST_TEST(utfcat({"-o", "self", "-t", "utf-16le", "self", "self"}) == expected(0, ""));
  BOOST_TEST(get("self") == utf16le(u"x\nx\n"));

  const bool root = geteuid() == 0;  // only root may give files away
  const uid_t owner = root ? 1234 : geteuid();
  put("old", "another text");
  BOOST_REQUIRE(chown("old", owner, root ? 1234 : getegid()) == 0);
  fs::permissions("old", fs::perms(04754));
  BOOST_TEST(utfcat({"-o", "old", "in"}, "", losing_privileges) == expected(0, ""));
  struct stat status {};
  BOOST_REQUIRE(stat("old", &status) == 0);
  BOOST_TEST(status.st_uid == owner);
  BOOST_TEST((status.st_mode & 07777u) == 04754u);

  // A symbolic link stays one.
  fs::create_directory("d");
  put("d/target", "old");
  fs::create_symlink("d/target", "link");
  fs::create_symlink("d/none", "dangling");
  BOOST_TEST(utfcat({"-o", "link", "in"}) == expected(0, ""));
  BOOST_TEST(utfcat({"-o", "dangling", "in"}) == expected(0, ""));
  BOOST_TEST(fs::is_symlink("link"));
  BOOST_TEST(get("d/target") == "text\n");
  BOOST_TEST(get("d/none") == "text\n");

  BOOST_TEST(utfcat({"-o", "-", "in"}) == expected(0, "text\n"));
  BOOST_TEST((files_here() == arguments{"d", "dangling", "in", "link", "new", "old", "self"}));
}

// The test uses a pipe and not a device, because a broken utfcat would replace the device.
BOOST_AUTO_TEST_CASE(an_output_that_is_no_regular_file_is_written_and_not_replaced) {
  BOOST_REQUIRE(mkfifo("pipe", 0600) == 0);
  const int reader = open("pipe", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  process p({"utfcat", "-o", "pipe"});
  p.send("text\n");
  pollfd readable{reader, POLLIN, 0};
  poll(&readable, 1, static_cast<int>(std::chrono::milliseconds(patience).count()));
  char buffer[16];
  BOOST_TEST(std::string(buffer, static_cast<std::size_t>(
                                     std::max<ssize_t>(::read(reader, buffer, sizeof buffer), 0))) == "text\n");
  close(reader);
  p.finish("");
  BOOST_TEST(p.wait() == 0);
  BOOST_TEST((files_here() == arguments{"pipe"}));
  BOOST_TEST(fs::is_fifo("pipe"));
}

BOOST_AUTO_TEST_CASE(an_output_that_is_an_open_descriptor_is_written_at_its_position) {
  fs::create_symlink("/dev/stdout", "link");
  fs::create_symlink("link", "link_to_link");
  const std::string self = "/proc/self/fd/", process_itself = "/proc/thread-self/../../fd/";
  for (const std::string& name :
       {"/dev/stdout"s, "/dev/fd/1"s, self + '1', process_itself + '1', "link"s, "link_to_link"s}) {
    BOOST_TEST_CONTEXT(name) {
      BOOST_TEST(utfcat({"-o", name}, "text\n") == expected(0, "text\n"));
      for (const int how : {0, O_APPEND}) {
        put("out", "a longer text");
        const ino_t before = [] {
          struct stat status {};
          stat("out", &status);
          return status.st_ino;
        }();
        BOOST_TEST(utfcat({"-o", name}, "text", [how] {
                     const int file = open("out", O_WRONLY | how);
                     lseek(file, 2, SEEK_SET);
                     dup2(file, 1);
                   }) == expected(0, ""));
        struct stat after {};
        BOOST_REQUIRE(stat("out", &after) == 0);
        BOOST_TEST(after.st_ino == before);
        BOOST_TEST(get("out") == (how == O_APPEND ? "a longer texttext" : "a texter text"));
      }
    }
  }
  BOOST_TEST(utfcat({"-o", "/dev/stderr"}, "text\n") == expected(0, "", "text\n"));
  BOOST_TEST(utfcat({"-o", "/dev/fd/7"}, "text\n", [] { dup2(open("out", O_WRONLY | O_TRUNC), 7); }) ==
             expected(0, ""));
  BOOST_TEST(get("out") == "text\n");
  BOOST_TEST(utfcat({"-o", "/dev/fd/77"}, "x") == expected(2, "", "utfcat: /dev/fd/77: Bad file descriptor\n"));
  BOOST_TEST(utfcat({"-o", "/dev/stdout"}, "x", [] { dup2(open("/dev/full", O_WRONLY), 1); }) ==
             expected(2, "", "utfcat: /dev/stdout: No space left on device\n"));
  BOOST_TEST(utfcat({"-o", "/dev/stdout", "out"}, "", [] { dup2(open("out", O_WRONLY | O_APPEND), 1); }) ==
             expected(2, "", "utfcat: out: is the output as well (--output can replace it)\n"));
  // A file with such a name in another directory is an ordinary file.
  fs::create_directory("fd");
  BOOST_TEST(utfcat({"-o", "fd/1"}, "text\n") == expected(0, ""));
  BOOST_TEST(get("fd/1") == "text\n");
  BOOST_TEST((files_here() == arguments{"fd", "link", "link_to_link", "out"}));
}

BOOST_AUTO_TEST_CASE(after_a_failure_an_output_file_is_untouched) {
  const std::string not_written = "utfcat: out: not written, because the text is not complete\n";
  put("out", "old");
  put("good", "good\n");
  put("bad", "b\xFF"
             "d\n");
  put("cut.gz", compressed<io::gzip_compressor>(numbers(1000)).substr(0, 1000));
  const auto untouched = [&](
                             const arguments& args, int status, const std::string& err,
                             const std::function<void()>& in_child = [] {}) {
    arguments all = {"-o", "out"};
    all.insert(all.end(), args.begin(), args.end());
    BOOST_TEST(utfcat(all, "", in_child) == expected(status, "", err));
    BOOST_TEST(get("out") == "old");
    BOOST_TEST((files_here() == arguments{"bad", "big", "cut.gz", "good", "out"}));
  };
  put("big", numbers(100000));
  untouched({"bad", "good"}, 1, "utfcat: bad:1:2: byte 1: byte that no text contains: FF\n" + not_written);
  untouched({"good", "nosuch"}, 2, "utfcat: nosuch: No such file or directory\n" + not_written);
  untouched({"-d", "cut.gz"}, 2, "utfcat: cut.gz: truncated gzip data\n" + not_written);
  untouched({"-b", "require", "-e", "replace", "good"}, 1,
            "utfcat: good:1:1: byte 0: missing byte order mark\n" + not_written);
  untouched({"-t", "latin1", "big"}, 1,
            "utfcat: big:1:3: byte 2: the target encoding lacks U+20AC: E2 82 AC\n" + not_written);
  untouched({"--fallback", "nonesuch", "good"}, 2,
            "utfcat: --fallback: there is no encoding nonesuch (utfcat "
            "--list shows all)\n");
  untouched({"-f", "latin1", "-b", "strip", "good"}, 2,
            "utfcat: --from ISO-8859-1: the encoding read has no byte order mark to strip, add, require or reject\n");
  untouched({"big"}, 2, "utfcat: out: File too large\n", files_end_at(100000));
  BOOST_TEST(utfcat({"-o", "none", "bad"}).status == 1);
  BOOST_TEST(!fs::exists("none"));

  // Under stop the error ends the text, so the text is complete.
  BOOST_TEST(utfcat({"-o", "out", "-e", "stop", "bad", "good"}) ==
             expected(1, "", "utfcat: bad:1:2: byte 1: byte that no text contains: FF\n"));
  BOOST_TEST(get("out") == "bgood\n");
}

BOOST_AUTO_TEST_CASE(if_utfcat_is_killed_the_output_file_is_untouched) {
  put("out", "old");
  {
    process p({"utfcat", "-o", "out"});
    p.send("new\n");
    const auto deadline = clock_type::now() + patience;
    const auto begun = [] {
      for (const std::string& name : files_here())
        if (name != "out" && fs::file_size(name) == 4) return true;
      return false;
    };
    while (!begun() && clock_type::now() < deadline) usleep(1000);
    BOOST_TEST(begun());
    BOOST_TEST(get("out") == "old");
    p.kill(SIGKILL);
    BOOST_TEST(p.wait() == -1);
  }
  BOOST_TEST(get("out") == "old");
  BOOST_TEST(files_here().size() == 2u);
}

// Whenever utfcat is killed, the file is unchanged (or absent, if there was none), or it is the whole new file. A link
// stays a link.
BOOST_AUTO_TEST_CASE(at_each_system_call_the_output_file_is_as_it_was_or_the_new_one) {
  struct row {
    const char* output;
    const char* file;  // the file that gets the text
    bool exists;
    bool is_link;
  };
  const row table[] = {{"old", "old", true, false},
                       {"new", "new", false, false},
                       {"link", "d/old", true, true},
                       {"dangling", "d/new", false, true}};
  const std::string text = numbers(20000);
  put("in", text);
  put("old", "old");
  fs::create_directory("d");
  put("d/old", "old");
  fs::create_symlink("d/old", "link");
  fs::create_symlink("d/new", "dangling");
  tally cases;
  for (const row& r : table) {
    std::size_t untouched = 0, written = 0;
    const int status = run_by_system_calls({"utfcat", "-o", r.output, "in"}, [&](pid_t) {
      const std::string left = get(r.file);
      const bool there = fs::exists(r.file), is_old = there == r.exists && left == (r.exists ? "old" : "");
      const bool is_new = there && left == text;
      untouched += is_old;
      written += is_new;
      if (cases.failed((is_old || is_new) && fs::is_symlink(r.output) == r.is_link))
        BOOST_ERROR(r.output << ", before call " << untouched + written << ", has " << left.size() << " bytes");
    });
    BOOST_TEST(status == 0);
    BOOST_TEST(untouched > 10u);
    BOOST_TEST(written > 0u);
    BOOST_TEST(get(r.file) == text);
  }
  BOOST_TEST((files_here() == arguments{"d", "dangling", "in", "link", "new", "old"}));
  BOOST_TEST(std::distance(fs::directory_iterator("d"), {}) == 2);
  cases.summary("utfcat -o at each system call");
}

// After a crash of the machine a line must be in one of the two files.
BOOST_AUTO_TEST_CASE(lines_put_aside_are_on_the_disk_before_the_file_is_replaced) {
  const std::string here = fs::current_path().filename().string();
  const std::vector<arguments> ways = {{"-i", "file"}, {"-o", "file", "file"}, {"-o", "file", "other"}};
  for (const arguments& way : ways) {
    put("file", "a\nb\xFF\n");
    put("other", "a\nb\xFF\n");
    fs::remove("aside");
    arguments command = {"utfcat", "--rejects", "aside"}, calls;
    command.insert(command.end(), way.begin(), way.end());
    const int status = run_by_system_calls(command, [&](pid_t utfcat) {
      const std::string call = call_of(utfcat);
      if (call == "append aside" || call == "fsync aside" || call == "fsync " + here || call == "rename")
        calls.push_back(call);
    });
    BOOST_TEST(status == 0);
    BOOST_TEST(calls == (arguments{"append aside", "fsync aside", "fsync " + here, "rename"}),
               boost::test_tools::per_element());
    BOOST_TEST(get("file") + get("aside") == "a\nb\xFF\n");
  }
}

BOOST_AUTO_TEST_CASE(an_output_file_that_cannot_be_made_is_named) {
  fs::create_directory("d");
  put("file", "");
  BOOST_TEST(utfcat({"-o", "d"}) == expected(2, "", "utfcat: d: Is a directory\n"));
  BOOST_TEST(utfcat({"-o", "no/such"}) ==
             expected(2, "", "utfcat: no/such: cannot create a file in no: No such file or directory\n"));
  BOOST_TEST(utfcat({"-o", "file/x"}) == expected(2, "", "utfcat: file/x: Not a directory\n"));
  BOOST_TEST(utfcat({"-o", ""}) == expected(2, "", "utfcat: '': No such file or directory\n"));
  fs::create_symlink("loop", "loop");
  BOOST_TEST(utfcat({"-o", "loop"}) == expected(2, "", "utfcat: loop: Too many levels of symbolic links\n"));
  fs::permissions("file", fs::perms(0444));
  BOOST_TEST(utfcat({"-o", "file"}, "", heeding_permissions) == expected(2, "", "utfcat: file: Permission denied\n"));
  BOOST_TEST(get("file") == "");
}

//------------------------------------------------------------------------------------------------------------ --summary

BOOST_AUTO_TEST_CASE(a_summary_counts_each_kind_and_shows_the_first_places) {
  put("good", "good\n");
  BOOST_TEST(utfcat({"-c", "--summary", "good"}) ==
             expected(0, "good: UTF-8, no byte order mark, 1 line, well-formed\n"));

  // 41 errors of one kind and 1 of each other kind: a bar that rounds to nothing still has one mark. Only five places
  // are shown. Characters that control a terminal are escaped.
  put("bad", "a\xC0\x1B[2Jb\n\xE2\x80\xAE\xE3\x81\x82\xE3\x81.\tz\nABCDEFGHIJKLMNOPQRSTUVWXYZ\xFE"
             "ABCDEFGHIJKLMNOPQRSTUVWXYZ\n" +
                 std::string(41, '\x80') + "\xC3");
  BOOST_TEST(utfcat({"-c", "--summary", "bad"}) ==
             expected(1,
                      "bad: UTF-8, no byte order mark, 3 lines, 45 errors\n"
                      "  unexpected continuation byte        41  ########################################\n"
                      "  truncated sequence                   1  #\n"
                      "  overlong encoding                    1  #\n"
                      "  byte that no text contains           1  #\n"
                      "  incomplete at the end of the input   1  #\n"
                      "   1:2  overlong encoding: C0             a[C0]\\x1B[2Jb\n"
                      "   2:3  truncated sequence: E3 81         \\u{202E}\xE3\x81\x82[E3 81].\\x09z\n"
                      "  3:27  byte that no text contains: FE    CDEFGHIJKLMNOPQRSTUVWXYZ[FE]ABCDEFGHIJKLMNOPQRSTUVWX\n"
                      "   4:1  unexpected continuation byte: 80  [80]????????????????????????\n"
                      "   4:2  unexpected continuation byte: 80  ?[80]????????????????????????\n"));
}

BOOST_AUTO_TEST_CASE(a_summary_has_colours_on_a_terminal_unless_they_are_not_wanted) {
  put("bad", "a\xFF\x1B[32m");
  const arguments args{"-c", "--summary", "bad"};
  const std::string bar(40, '#');
  setenv("TERM", "xterm", 1);
  BOOST_TEST(on_a_terminal(args, 1).second ==
             "bad: UTF-8, no byte order mark, 0 lines, 1 error "
             "(no character beyond ASCII is UTF-8: try --from windows-1252)\r\n"
             "  byte that no text contains  1  \x1B[31m" +
                 bar +
                 "\x1B[0m\r\n"
                 "  1:2  byte that no text contains: FF  a\x1B[1;31m[FF]\x1B[0m\\x1B[32m\r\n");
  BOOST_TEST(utfcat(args).out.find('\x1B') == std::string::npos);
  setenv("NO_COLOR", "1", 1);
  BOOST_TEST(on_a_terminal(args, 1).second.find('\x1B') == std::string::npos);
  setenv("NO_COLOR", "", 1);  // an empty NO_COLOR counts as not set (no-color.org)
  BOOST_TEST(on_a_terminal(args, 1).second.find('\x1B') != std::string::npos);
  unsetenv("NO_COLOR");
  setenv("TERM", "dumb", 1);
  BOOST_TEST(on_a_terminal(args, 1).second.find('\x1B') == std::string::npos);
  unsetenv("TERM");
}

BOOST_AUTO_TEST_CASE(a_summary_shows_encoding_and_bom_and_suggests_an_option) {
  const auto first_line = [](const arguments& args) {
    const std::string out = utfcat(args).out;
    return out.substr(0, out.find('\n'));
  };
  put("utf16", "\xFF\xFE" + utf16le(u"text\n"));
  BOOST_TEST(first_line({"-c", "--summary", "utf16"}) == "utf16: UTF-16LE, byte order mark, 1 line, well-formed");
  BOOST_TEST(first_line({"-c", "--summary", "-f", "utf-8", "utf16"}) ==
             "utf16: UTF-8, no byte order mark, 1 line, 2 errors: try --from detect");
  const std::string shown = utfcat({"-c", "--summary", "-f", "utf-8", "utf16"}).out;
  BOOST_TEST(
      shown.find("\n  1:1  byte that no text contains: FF (looks like UTF-16LE)  [FF]?t\\x00e\\x00x\\x00t\\x00\n") !=
          std::string::npos,
      shown);
  put("unsigned", utf16le(u"\xE9t\xE9, some text\n"));
  BOOST_TEST(first_line({"-c", "--summary", "unsigned"}) ==
             "unsigned: UTF-8, no byte order mark, 1 line, 2 errors (looks like UTF-16LE: try --from utf-16le)");
  put("program", std::string("\x7F"
                             "ELF\2\1\1\0\0\0\xFF\n",
                             12));
  BOOST_TEST(first_line({"-c", "--summary", "program"}) ==
             "program: UTF-8, no byte order mark, 1 line, 1 error (there are NUL bytes: is it text?)");
  put("latin1", "\xE9t\xE9\n");
  BOOST_TEST(first_line({"-c", "--summary", "latin1"}) == "latin1: UTF-8, no byte order mark, 1 line, 2 errors "
                                                          "(--from guess reads it as windows-1252)");
  put("unsure", "\x81\x8D\n");
  BOOST_TEST(first_line({"-c", "--summary", "unsure"}) ==
             "unsure: UTF-8, no byte order mark, 1 line, 2 errors "
             "(no character beyond ASCII is UTF-8: try --from windows-1252)");
  put("packed.gz", compressed<io::gzip_compressor>("\xC3\xA9\xFF\n"));
  BOOST_TEST(first_line({"-c", "--summary", "-d", "packed.gz"}) ==
             "packed.gz: gzip, UTF-8, no byte order mark, 1 line, 1 error");
}

// The text around an error may be in the piece before or in the piece after it. An error may be found before the text
// around it has come.
BOOST_AUTO_TEST_CASE(a_summary_shows_the_text_around_an_error_wherever_pieces_end) {
  for (const std::string mark : {"", "\xEF\xBB\xBF"})
    for (std::size_t size = 65536 - 70; size <= 65536 + 10; size += brief::nth) {
      put("long", mark + std::string(size - mark.size(), '.') +
                      "\n0123456789\xE3\x81\x82 0123456789\xE3\x81 0123456789\xE3\x81\x82 0123456789\n");
      const result r = utfcat({"-c", "--summary", "-f", "utf-8", "long"});
      BOOST_TEST(r.out.substr(r.out.find("\n  2:")) ==
                 "\n  2:23  truncated sequence: E3 81  0123456789\xE3\x81\x82 0123456789[E3 81] "
                 "0123456789\xE3\x81\x82 0123456789\n");
    }
  // Of a long line only the last characters are shown, and none of them is cut.
  for (int ones = 0; ones < 4; ++ones) {
    std::string line(static_cast<std::size_t>(ones), '.');
    for (int i = 0; i < 40; ++i) line += "\xF0\x9F\x98\x80";
    for (const char* const last : {"", ".", "..", "..."}) {
      put("wide", line + last + "\xFF");
      const result r = utfcat({"-c", "--summary", "wide"});
      BOOST_TEST(r.out.substr(r.out.rfind("FF  ") + 4) ==
                 line.substr(line.size() - 4 * (24 - std::strlen(last))) + last + "[FF]\n");
    }
  }
  // A byte order mark at the beginning is not shown as text; a later U+FEFF is.
  put("signature", "\xEF\xBB\xBF\xFF\xEF\xBB\xBF");
  BOOST_TEST(utfcat({"-c", "--summary", "-f", "utf-8", "signature"}).out ==
             "signature: UTF-8, byte order mark, 0 lines, 1 error\n"
             "  byte that no text contains  1  ########################################\n"
             "  1:1  byte that no text contains: FF  [FF]\xEF\xBB\xBF\n");
}

BOOST_AUTO_TEST_CASE(a_character_that_the_output_lacks_is_found_after_an_error_at_the_start_of_a_piece) {
  process p({"utfcat", "-e", "skip", "-t", "latin1", "--summary"});
  p.send("a");
  BOOST_TEST(p.receive(1) == "a");
  p.send("\xFF\u20ACb");
  BOOST_TEST(p.receive(1) == "b");
  p.finish("");
  BOOST_TEST(p.wait() == 0);
  BOOST_TEST(p.text[1].find("\n  1:3  the target encoding lacks U+20AC: E2 82 AC  ") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_summary_includes_errors_of_the_bom_and_characters_that_the_target_lacks) {
  put("in", "a\xC2\x80\xFF\xE2\x82\xAC.");
  BOOST_TEST(utfcat({"-c", "--summary", "-b", "require", "-t", "windows-1252", "in"}).out ==
             "in: UTF-8, no byte order mark, 0 lines, 3 errors\n"
             "  byte that no text contains                1  ########################################\n"
             "  missing byte order mark                   1  ########################################\n"
             "  character that the target encoding lacks  1  ########################################\n"
             "  1:1  missing byte order mark                  a\\u{0080}?\xE2\x82\xAC.\n"
             "  1:2  the target encoding lacks U+0080: C2 80  a[U+0080]?\xE2\x82\xAC.\n"
             "  1:3  byte that no text contains: FF           a\\u{0080}[FF]\xE2\x82\xAC.\n");
  BOOST_TEST(utfcat({"-c", "--summary", "-t", "iso-8859-1", "in"}).out ==
             "in: UTF-8, no byte order mark, 0 lines, 2 errors\n"
             "  byte that no text contains                1  ########################################\n"
             "  character that the target encoding lacks  1  ########################################\n"
             "  1:3  byte that no text contains: FF              a\\u{0080}[FF]\xE2\x82\xAC.\n"
             "  1:4  the target encoding lacks U+20AC: E2 82 AC  a\\u{0080}?[U+20AC].\n");
  put("signed", "\xEF\xBB\xBF\xE2\x82\xAC.");
  BOOST_TEST(utfcat({"-c", "--summary", "-t", "iso-8859-1", "-b", "keep", "signed"}).out ==
             "signed: UTF-8, byte order mark, 0 lines, 2 errors\n"
             "  character that the target encoding lacks  2  ########################################\n"
             "  1:1  the target encoding lacks U+FEFF: EF BB BF  [U+FEFF]\xE2\x82\xAC.\n"
             "  1:1  the target encoding lacks U+20AC: E2 82 AC  [U+20AC].\n");
}

//------------------------------------------------------------------------------------------------------- I/O that fails

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_read_is_named_and_the_others_are_written) {
  put("good", "good\n");
  fs::create_directory("d");
  BOOST_TEST(utfcat({"good", "nosuch", "good"}) ==
             expected(2, "good\ngood\n", "utfcat: nosuch: No such file or directory\n"));
  BOOST_TEST(utfcat({"d", "good"}) == expected(2, "good\n", "utfcat: d: Is a directory\n"));
  BOOST_TEST(utfcat({"good/x", "good"}) == expected(2, "good\n", "utfcat: good/x: Not a directory\n"));
  BOOST_TEST(utfcat({"", "good"}) == expected(2, "good\n", "utfcat: '': No such file or directory\n"));
  // Without any text, no byte order mark is written.
  BOOST_TEST(utfcat({"-t", "utf-16", "nosuch"}) == expected(2, "", "utfcat: nosuch: No such file or directory\n"));
  // Exit status 2 takes precedence over 1.
  put("bad", "\xFF");
  BOOST_TEST(utfcat({"nosuch", "bad"}).status == 2);
  BOOST_TEST(utfcat({"bad", "nosuch"}).status == 2);
  BOOST_TEST(utfcat({}, "", [] { close(0); }) == expected(2, "", "utfcat: -: Bad file descriptor\n"));
  put("closed", "closed\n");
  fs::permissions("closed", fs::perms::none);
  BOOST_TEST(utfcat({"closed", "good"}, "", heeding_permissions) ==
             expected(2, "good\n", "utfcat: closed: Permission denied\n"));
}

BOOST_AUTO_TEST_CASE(names_in_messages_are_safe_for_a_terminal) {
  BOOST_TEST(
      utfcat({"no\nsuch\t\x1B[2J\x7F\xFF\xC2\x9B\xC3\xA9\xE2\x80\xAE"}) ==
      expected(2, "",
               "utfcat: no\\x0Asuch\\x09\\x1B[2J\\x7F\\xFF\\u{009B}\xC3\xA9\\u{202E}: No such file or directory\n"));
  put("b\x1B"
      "d",
      "\xFF");
  BOOST_TEST(utfcat({"b\x1B"
                     "d"})
                 .err == "utfcat: b\\x1Bd:1:1: byte 0: byte that no text contains: FF (looks like UTF-16LE)\n");
  BOOST_TEST(utfcat({"-c", "b\x1B"
                           "d"})
                 .out == "b\\x1Bd:1:1: byte 0: byte that no text contains: FF (looks like UTF-16LE)\n");
  BOOST_TEST(utfcat({"-s", "b\x1B"
                           "d"})
                 .err.find('\x1B') == std::string::npos);
  BOOST_TEST(utfcat({"-f", "\x1B"}).err.find('\x1B') == std::string::npos);
  BOOST_TEST(utfcat({"--\x1B"}).err.find('\x1B') == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_full_disk_is_reported) {
  const std::string full = "utfcat: standard output: No space left on device\n";
  const auto to_full = [] { dup2(open("/dev/full", O_WRONLY), 1); };
  BOOST_TEST(utfcat({}, "x", to_full) == expected(2, "", full));
  BOOST_TEST(utfcat({}, numbers(100000), to_full) == expected(2, "", full));
  BOOST_TEST(utfcat({"-t", "utf-16"}, "x", to_full) == expected(2, "", full));
  BOOST_TEST(utfcat({"-t", "utf-16"}, "", to_full) == expected(2, "", full));
  BOOST_TEST(utfcat({"-b", "add"}, "", to_full) == expected(2, "", full));
  BOOST_TEST(utfcat({"--help"}, "", to_full) == expected(2, "", full));
  BOOST_TEST(utfcat({"--version"}, "", to_full) == expected(2, "", full));
  BOOST_TEST(utfcat({}, "", to_full) == expected(0, ""));
  BOOST_TEST(utfcat({}, "x", [] { close(1); }) == expected(2, "", "utfcat: standard output: Bad file descriptor\n"));
}

BOOST_AUTO_TEST_CASE(a_disk_that_is_full_at_any_byte_is_reported_and_has_the_text_before_it) {
  put("in", numbers(12));
  const std::string text = utfcat({"-t", "utf-16", "in"}).out;
  tally cases;
  for (std::size_t size = 0; size <= text.size(); size += brief::nth) {
    const bool full = size < text.size();
    const auto outcome = [full](const std::string& to) {
      return full ? expected(2, "", "utfcat: " + to + ": File too large\n") : expected(0, "");
    };
    const result redirected = utfcat({"-t", "utf-16", "in"}, "", [size] {
      dup2(open("redirected", O_WRONLY | O_CREAT | O_TRUNC, 0600), 1);
      files_end_at(size)();
    });
    if (cases.failed(redirected == outcome("standard output") && get("redirected") == text.substr(0, size)))
      BOOST_ERROR("full after " << size << " bytes: " << redirected);

    put("out", "old");
    const result replaced = utfcat({"-t", "utf-16", "-o", "out", "in"}, "", files_end_at(size));
    if (cases.failed(replaced == outcome("out") && get("out") == (full ? "old" : text)))
      BOOST_ERROR("full after " << size << " bytes, with --output: " << replaced);
  }
  BOOST_TEST((files_here() == arguments{"in", "out", "redirected"}));
  cases.summary("disks full at each byte");
}

BOOST_AUTO_TEST_CASE(descriptors_that_the_caller_closed_are_not_reused_for_files) {
  put("in", "text\n");
  put("out", "old");
  BOOST_TEST(utfcat({"-o", "out", "in", "nosuch"}, "", [] { close(2); }).status == 2);
  BOOST_TEST(get("out") == "old");
  BOOST_TEST(utfcat({"-s", "-o", "out", "in"}, "", [] { close(2); }).status == 0);
  BOOST_TEST(get("out") == "text\n");
}

BOOST_AUTO_TEST_CASE(a_file_is_not_appended_to_itself) {
  put("log", "line\n");
  const auto to_log = [] { dup2(open("log", O_WRONLY | O_APPEND), 1); };
  BOOST_TEST(utfcat({"log"}, "", to_log) ==
             expected(2, "", "utfcat: log: is the output as well (--output can replace it)\n"));
  BOOST_TEST(get("log") == "line\n");
}

BOOST_AUTO_TEST_CASE(each_line_is_written_as_soon_as_it_is_read) {
  for (const arguments& args :
       {arguments{}, {"-e", "replace"}, {"-d"}, {"-t", "utf-8", "-b", "add"}, {"-f", "utf-8", "-b", "keep"}}) {
    arguments command = args;
    command.insert(command.begin(), "utfcat");
    process p(command);
    const bool adds = std::count(args.begin(), args.end(), "add") != 0;
    p.send("\n");
    BOOST_TEST(p.receive(adds ? 4 : 1) == (adds ? feff : "") + "\n");
    p.send("one \xE2\x82\xAC\n");
    BOOST_TEST(p.receive(8) == "one \xE2\x82\xAC\n");
    p.send("two\xE2");  // the character is not complete yet
    BOOST_TEST(p.receive(3) == "two");
    p.send("\x82\xAC\n");
    BOOST_TEST(p.receive(4) == "\xE2\x82\xAC\n");
    p.finish("");
    BOOST_TEST(p.wait() == 0);
  }
  process p({"utfcat", "-t", "utf-16be"});
  p.send("a\n");
  BOOST_TEST(p.receive(4) == "\0a\0\n"s);
  process check({"utfcat", "-c"});
  check.send("a\xFF\n");
  BOOST_TEST(check.receive(12) == "-:1:2: byte ");
}

BOOST_AUTO_TEST_CASE(text_that_a_compressor_has_flushed_is_written_at_once) {
  // Two members: the first one is complete.
  process p({"utfcat", "-d"});
  const std::string first(4095, 'x');
  p.send(compressed<io::gzip_compressor>(first + '\n'));
  BOOST_TEST((p.receive(4096) == first + '\n'));
  p.send(compressed<io::gzip_compressor>("second\n"));
  BOOST_TEST(p.receive(7) == "second\n");
  p.finish("");
  BOOST_TEST(p.wait() == 0);
}

BOOST_AUTO_TEST_CASE(memory_is_constant) {
  put("small", "x");
  put("much", "");
  fs::resize_file("much", 100 << 20);  // of U+0000
  const std::string some(65536, '\xFF');
  for (int i = 0; i < 8; ++i) std::ofstream("garbage", std::ios::binary | std::ios::app) << some;

  const auto quiet = [] {
    dup2(open("/dev/null", O_WRONLY), 1);
    setenv("ASAN_OPTIONS", "quarantine_size_mb=1", 0);  // the address sanitizer keeps freed memory in a quarantine
  };
  const long least = utfcat({"small"}, "", quiet).memory;  // KiB; includes the memory of this program at the fork
  for (const arguments& args : {arguments{"much"},
                                {"-t", "utf-16", "much"},
                                {"-c", "much"},
                                {"-e", "skip", "garbage"},
                                {"-c", "garbage"},
                                {"-c", "-t", "latin1", "garbage"}})
    BOOST_TEST(utfcat(args, "", quiet).memory < least + 16 * 1024);
}

//------------------------------------------------------------------------------------------------- options and messages

BOOST_AUTO_TEST_CASE(wrong_usage_is_reported_in_one_line) {
  struct row {
    arguments args;
    std::string message;
  };
  const row table[] = {
      {{"--nonesuch"}, "unrecognised option '--nonesuch' (see utfcat --help)"},
      {{"-x"}, "unrecognised option '-x' (see utfcat --help)"},
      {{"-f"}, "the required argument for option '--from' is missing (see utfcat --help)"},
      {{"--fallback", "utf-9"},
       "--fallback: there is no encoding utf-9 (the nearest name is utf-8; utfcat --list shows all)"},
      {{"--fallback", "CP125"},
       "--fallback: there is no encoding CP125 (the nearest names are cp1252, cp1250 and cp1251; utfcat --list shows "
       "all)"},
      {{"-t", ""}, "--to: there is no encoding '' (utfcat --list shows them)"},
      {{"-e", "ignore"}, "--on-error: ignore is none of strict, stop, replace, skip, escape, keep, windows-1252"},
      {{"-b", "no"}, "--bom: no is none of automatic, keep, strip, add, require, reject"},
      {{"-t", "detect"}, "--to detect: the encoding to write must be named, it cannot be detect"},
      {{"-t", "latin1", "-b", "add"}, "--to ISO-8859-1: the encoding written has no byte order mark to add"},
      {{"-f", "latin1", "-b", "require"},
       "--from ISO-8859-1: the encoding read has no byte order mark to strip, add, require or reject"},
      {{"-f", "cesu-8", "-b", "reject"},
       "--from CESU-8: the encoding read has no byte order mark to strip, add, require or reject"},
      {{"-e", "keep"}, "--on-error keep passes bytes from UTF-8 to UTF-8 only: give --from utf-8, and no other --to"},
      {{"-e", "keep", "-f", "utf-8", "-t", "utf-16"},
       "--on-error keep passes bytes from UTF-8 to UTF-8 only: give --from utf-8, and no other --to"},
      {{"-c", "-o", "x"}, "--check writes no text, so there is none for --output"},
      {{"--range", "1-2", "-d", "x"},
       "--range is in the bytes of the file itself, so --decompress makes no sense with it"},
      {{"--range", "1-2"}, "--range needs the name of one file: standard input and other pipes have no ranges"},
      {{"--range", "1-2", "-"}, "--range needs the name of one file: standard input and other pipes have no ranges"},
      {{"--range", "1-2", "a", "b"},
       "--range needs the name of one file: standard input and other pipes have no ranges"},
      {{"--jobs", "1025", "x"}, "--jobs: 1025 is not a number from 0 to 1024"},
      {{"--jobs", "", "x"}, "--jobs: '' is not a number from 0 to 1024"},
      {{"--jobs=-1", "x"}, "--jobs: -1 is not a number from 0 to 1024"},
      {{"--jobs", "99999999999999999999", "x"}, "--jobs: 99999999999999999999 is not a number from 0 to 1024"},
      {{"--range", "9-5", "x"}, "--range: 9-5 ends before it begins"},
      {{"--range", "0-18446744073709551616", "x"}, "--range: 0-18446744073709551616 has a number of 2^64 or more"},
      {{"--range", "18446744073709551616-", "x"}, "--range: 18446744073709551616- has a number of 2^64 or more"}};
  for (const row& r : table) BOOST_TEST(utfcat(r.args, "text") == expected(2, "", "utfcat: " + r.message + '\n'));
  for (const std::string text :
       {"5", "-", "a-b", "1-b", "1-2x", "1--2", "1-2-3", " 1-2", "+1-2", "0x1-2", "1K-2K", "1:2", "1,2"})
    BOOST_TEST(
        utfcat({"--range=" + text, "x"}) ==
        expected(2, "", "utfcat: --range: " + text + " is not BEGIN-END or BEGIN-, in bytes, such as 0-1048576\n"));
  BOOST_TEST(utfcat({"--range", "", "x"}) ==
             expected(2, "", "utfcat: --range: '' is not BEGIN-END or BEGIN-, in bytes, such as 0-1048576\n"));
}

BOOST_AUTO_TEST_CASE(options_may_stand_anywhere_be_joined_and_be_repeated) {
  put("in", compressed<io::gzip_compressor>("a\xFF\n"));
  BOOST_TEST(utfcat({"in", "-d", "-e", "skip"}) == expected(0, "a\n"));
  BOOST_TEST(utfcat({"-dd", "-d", "-eskip", "in"}) == expected(0, "a\n"));
  BOOST_TEST(utfcat({"-d", "-e", "strict", "-eskip", "in"}) == expected(2, "", "utfcat: --on-error is given twice\n"));
  BOOST_TEST(utfcat({"-cd", "in"}) == expected(1, "in:1:2: byte 1: byte that no text contains: FF\n"));
}

BOOST_AUTO_TEST_CASE(help_and_version) {
  const result brief = utfcat({"--help"}), help = utfcat({"--help", "all"});
  BOOST_TEST(brief.status == 0);
  BOOST_TEST(utfcat({"-h"}) == brief);
  BOOST_TEST(utfcat({"-hr"}) == brief);
  BOOST_TEST(brief.err == "");
  BOOST_TEST(std::count(brief.out.begin(), brief.out.end(), '\n') <= 50);  // two screens
  BOOST_TEST(help.status == 0);
  BOOST_TEST(utfcat({"--help=all"}) == help);
  BOOST_TEST(help.err == "");
  for (const std::string& word : texts::split(
           "-f, --from|-t, --to|-e, --on-error|-b, --bom|-c, --check|-d, --decompress|-o, --output|-s, --stats|"
           "-p, --progress|-q, --quiet|-l, --list|--fallback|--guess-bytes N|--legacy ENC|guess|--range BEGIN-END|"
           "--jobs N|--follow|--state STATE|--from-start|--summary|-h, --help|-V, --version|detect|utf-8|utf-16|"
           "utf-16le|utf-16be|utf-32|utf-32le|utf-32be|cesu-8|iso-8859-1|windows-1252|strict|stop|replace|skip|"
           "escape|keep|automatic|strip|add|require|reject|gzip|bzip2|xz|zstd|Exit status: 0|Examples:|"
           "FILE:LINE:COLUMN"))
    BOOST_TEST(help.out.find(word) != std::string::npos, word);
  for (const std::string& text : {brief.out, help.out, utfcat({"--help", "encodings"}).out}) {
    std::size_t longest = 0;
    for (std::size_t from = 0, to; (to = text.find('\n', from)) != std::string::npos; from = to + 1)
      longest = std::max(longest, to - from);
    BOOST_TEST(longest <= 100u);
  }
  const result filters = utfcat({"--help", "filters"});
  BOOST_TEST(filters.out.find("reject-controls") != std::string::npos);
  BOOST_TEST(utfcat({"--help", "filter"}) == filters);
  BOOST_TEST(utfcat({"--help", "--", "--filter"}) == filters);
  BOOST_TEST(utfcat({"--help", "e"}) == utfcat({"--help=on-error"}));
  BOOST_TEST(utfcat({"--help", "fitlers"}) ==
             expected(2, "",
                      "utfcat: --help: there is no topic fitlers (the nearest is filters; they are all, encodings, "
                      "filters and the names of options)\n"));
  const result version = utfcat({"--version"});
  BOOST_TEST(version.status == 0);
  BOOST_TEST(version.out.rfind("utfcat (utfilter) ", 0) == 0u);
}

BOOST_AUTO_TEST_CASE(stats_have_one_line_for_each_file) {
  put("a", "\xFF\xFE" + utf16le(u"\u20AC\nb\n"));
  put("b", "x\xFFy\xFF");
  put("c", compressed<io::gzip_compressor>("z\n"));
  BOOST_TEST(utfcat({"-s", "-d", "-e", "replace", "a", "b", "c"}) ==
             expected(0, "\xE2\x82\xAC\nb\nx\xEF\xBF\xBDy\xEF\xBF\xBDz\n",
                      "a: UTF-16LE, byte order mark, 10 bytes in, 6 bytes out, 2 lines, 0 errors\n"
                      "b: UTF-8, no byte order mark, 4 bytes in, 8 bytes out, 0 lines, 2 errors\n"
                      "c: gzip, UTF-8, no byte order mark, 2 bytes in, 2 bytes out, 1 line, 0 errors\n"));
  BOOST_TEST(utfcat({"-cs"}, "\xFF\n") ==
             expected(1, "-:1:1: byte 0: byte that no text contains: FF (looks like UTF-16LE)\n",
                      "-: UTF-8, no byte order mark, 2 bytes in, 0 bytes out, 1 line, 1 error\n"));
  BOOST_TEST(utfcat({"-s", "-t", "latin1", "-e", "replace", "a"}).err ==
             "a: UTF-16LE, byte order mark, 10 bytes in, 4 bytes out, 2 lines, 1 error\n");
  BOOST_TEST(utfcat({"-s", "-t", "latin1", "a", "a"}).err ==
             "utfcat: a:1:1: byte 2: the target encoding lacks U+20AC: E2 82 AC\n"
             "a: UTF-16LE, byte order mark, 4 bytes in, 0 bytes out, 0 lines, 1 error\n"
             "utfcat: a:1:1: byte 2: the target encoding lacks U+20AC: E2 82 AC\n"
             "a: UTF-16LE, byte order mark, 4 bytes in, 0 bytes out, 0 lines, 1 error\n");
  // The text ends before the first character that the output lacks: what follows it is neither counted nor reported.
  BOOST_TEST(utfcat({"-s", "-t", "latin1"}, "a\n\xE2\x82\xAC\xFF\n") ==
             expected(1, "a\n",
                      "utfcat: -:2:1: byte 2: the target encoding lacks U+20AC: E2 82 AC\n"
                      "-: UTF-8, no byte order mark, 5 bytes in, 2 bytes out, 1 line, 1 error\n"));
  BOOST_TEST(utfcat({"-s"}, "a\xFF") ==
             expected(1, "a",
                      "utfcat: -:1:2: byte 1: byte that no text contains: FF\n"
                      "-: UTF-8, no byte order mark, 2 bytes in, 1 byte out, 0 lines, 1 error\n"));
}

BOOST_AUTO_TEST_CASE(progress_is_shown_only_on_a_terminal) {
  put("in", numbers(100000));
  BOOST_TEST((utfcat({"-p", "in"}) == expected(0, numbers(100000))));

  const auto [r, shown] = on_a_terminal({"-p", "in", "nosuch\x07"}, 2);
  BOOST_TEST(r.status == 2);
  BOOST_TEST((r.out == numbers(100000)));
  BOOST_TEST(shown.find("\r[") == 0u);
  BOOST_TEST(shown.find(" % ") != std::string::npos);
  BOOST_TEST(shown.find("\r\x1B[Kutfcat: nosuch\\x07: No such file") != std::string::npos);

  const auto [by_threads, bar_of_threads] = on_a_terminal({"-p", "-s", "--jobs", "3", "in"}, 2);
  BOOST_TEST((by_threads.out == numbers(100000)));
  BOOST_TEST(bar_of_threads.find("\r[") == 0u);
  BOOST_TEST(bar_of_threads.find(" % ") != std::string::npos);

  const auto [of_range, bar] = on_a_terminal({"-p", "-s", "--range", "6-12", "in"}, 2);
  BOOST_TEST(of_range.out == "1 \xE2\x82\xAC\n");
  BOOST_TEST(bar.find("] 100 % 0.0 MB") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

//----------------------------------------------------------------------------------------------------- two examples

BOOST_FIXTURE_TEST_SUITE(examples, scratch)

BOOST_AUTO_TEST_CASE(the_samples_have_the_encodings_that_examples_run_names) {
  const std::string samples = paths::source("examples/samples");
  const result languages = utfcat({"-d", "-s", samples + "/languages.utf16.gz"});
  BOOST_TEST(languages.status == 0);
  BOOST_TEST(languages.out.find("\n日本語     どの文字にも居場所がある。\n") != std::string::npos);
  BOOST_TEST(languages.err.find("gzip, UTF-16LE, byte order mark, ") != std::string::npos);
  BOOST_TEST(languages.err.find(" 0 errors\n") != std::string::npos);
  BOOST_TEST(utfcat({"-c", "-d", "-b", "reject"}, languages.out) == expected(0, ""));
  BOOST_TEST(utfcat({"-f", "latin1", samples + "/letter.latin1"}).out.find("crème brûlée coûte 5 £") !=
             std::string::npos);
  BOOST_TEST(utfcat({samples + "/letter.latin1"}).status == 1);
  const result broken = utfcat({"-c", samples + "/broken.utf8"});
  BOOST_TEST(broken.status == 1);
  BOOST_TEST(std::count(broken.out.begin(), broken.out.end(), '\n') == 9);
}

BOOST_AUTO_TEST_CASE(entry_point_logs_then_refuses_or_repairs) {
  BOOST_TEST(run({"entry_point", "Zo\xC3\xAB"}) == expected(0, "200 Hello, Zo\xC3\xAB!\n"));
  BOOST_TEST(
      run({"entry_point", "ok",
           "b\xC0"
           "d"}) ==
      expected(1, "200 Hello, ok!\n400 The request is not UTF-8: line 1, column 2 (byte 1): overlong encoding: C0\n",
               "request: column 2 (byte 1): overlong encoding: C0\n"));
  BOOST_TEST(run({"entry_point", "--replace"},
                 "b\xC0"
                 "d\xFF\nok\n") == expected(0, "200 Hello, b\uFFFDd\uFFFD!\n200 Hello, ok!\n",
                                            "request: column 2 (byte 1): overlong encoding: C0\n"
                                            "request: column 4 (byte 3): byte that no text contains: FF\n"));
}

BOOST_AUTO_TEST_CASE(shift_jis_is_decoded_by_policy) {
  const std::string text = "\x82\xB1\x82\xEA\x82\xCD \xC3\xBD\xC4 A\n";  // the half-width katakana are single bytes
  const std::string utf8 = "これは ﾃｽﾄ A\n";
  BOOST_TEST(run({"shift_jis"}, text) == expected(0, utf8));
  std::string much, much_utf8;
  for (int i = 0; i < 5000; ++i) {
    much += text + std::string(static_cast<std::size_t>(i % 7), 'x');
    much_utf8 += utf8 + std::string(static_cast<std::size_t>(i % 7), 'x');
  }
  BOOST_TEST((run({"shift_jis"}, much) == expected(0, much_utf8)));

  const std::string bad = "a\n\x82\xB1\xFF\x82z\x85\x80\x82";
  const std::string where = "shift_jis: line 2, column 2 (byte 4): byte that no text contains: FF\n";
  BOOST_TEST(run({"shift_jis"}, bad) == expected(1, "a\nこ", where));
  BOOST_TEST(run({"shift_jis", "stop"}, bad) == expected(1, "a\nこ", where));
  BOOST_TEST(run({"shift_jis", "replace"}, bad) == expected(0, "a\nこ\uFFFD\uFFFDz\uFFFD\uFFFD"));
  BOOST_TEST(run({"shift_jis", "skip"}, bad) == expected(0, "a\nこz"));
  BOOST_TEST(run({"shift_jis", "escape"}, bad) == expected(0, "a\nこ\\xFF\\x82z\\x85\\x80\\x82"));
  BOOST_TEST(run({"shift_jis", "nonesuch"}).status == 2);
  BOOST_TEST(run({"shift_jis"}, text, [] { dup2(open("/dev/full", O_WRONLY), 1); }) ==
             expected(2, "", "shift_jis: cannot write standard output\n"));
}

BOOST_AUTO_TEST_SUITE_END()
