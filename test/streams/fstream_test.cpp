// fstream_test.cpp: files of every encoding, read and written as UTF-8: open modes, byte order marks when appending,
// errors that opening and closing report, moves, and read_file.
// build: portable
#define BOOST_TEST_MODULE fstream
#include <boost/test/unit_test.hpp>

#include "support/files.hpp"
#include "support/outcomes.hpp"
#include "support/policies.hpp"
#include "support/test_devices.hpp"
#include "support/texts.hpp"

#include <utfilter/decoder.hpp>
#include <utfilter/fstream.hpp>
#include <utfilter/line_reader.hpp>
#include <utfilter/scoped_filter.hpp>
#include <utfilter/wide_stream.hpp>

#ifdef __linux__
#  include "support/pipe_ends.hpp"
#endif

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>

namespace fs = std::filesystem;
using namespace std::string_literals;
using devices::watchdog;
using utfilter::bom;
using utfilter::encoding;
using utfilter::errc;
using utfilter::on_error;
using utfilter::params;
using utfilter::read_file;
using utfilter::utf_error;

namespace {

using traits = std::char_traits<char>;

/// A directory of its own for each test. Every user may enter and list it.
struct directory {
  directory() : path(scratch_.path()), file(path / "\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80.txt") {
    fs::permissions(path, fs::perms(0755));
  }

 private:
  const files::directory scratch_;

 public:
  const fs::path path;
  const fs::path file;  // its name is not ASCII
};

std::string bytewise(const texts::text32& text) {
  std::string out;
  for (const char32_t c : text) out += static_cast<char>(c);
  return out;
}

struct form {
  encoding name;
  std::string (*encode)(const texts::text32&);
  bool detected;  // by a byte order mark
};
const form wide_forms[] = {{encoding::utf8, texts::utf8, true},
                           {encoding::utf16le, texts::utf16le, true},
                           {encoding::utf16be, texts::utf16be, true},
                           {encoding::utf32le, texts::utf32le, true},
                           {encoding::utf32be, texts::utf32be, true},
                           {encoding::cesu8, texts::cesu8, false},
                           {encoding::modified_utf8, texts::modified_utf8, false}};
const form byte_forms[] = {{encoding::latin1, bytewise, false}, {encoding::windows1252, bytewise, false}};

const texts::text32 wide_text =
    U"a\r\n\u00E4\n\u20AC\U0001F600\r\n\n\x1A\u0416z";  // a text mode would change \r\n and \x1A
const texts::text32 narrow_text = U"a\r\n\u00E4\u00FFz\n\x1A";
const texts::text32 feff = U"\uFEFF";

/// The code of the std::ios_base::failure that the action throws.
template <class Action>
std::error_code failure_of(Action action) {
  const auto why = caught<std::ios_base::failure>(action);
  return why ? why->code() : std::error_code();
}

bool is(const std::error_code& code, std::errc condition) { return code == condition; }

}  // namespace

//-------------------------------------------------------------------------------------------------------------- reading

BOOST_AUTO_TEST_CASE(a_refusal_is_the_same_sentence_in_every_interface) {
  const directory d;
  std::stringstream other;
  std::streambuf& bytes = *other.rdbuf();
  params add{on_error::strict, bom::add};
  const auto refused = [](auto make) { return thrown_by<std::invalid_argument>(make); };
  constexpr encoding e = encoding::cesu8;  // it has no byte order mark
  const std::string reading =
      "utfilter: reading CESU-8: the encoding read has no byte order mark to strip, add, require or reject";
  BOOST_TEST(refused([&] { utfilter::decoder(e, add); }) == reading);
  BOOST_TEST(refused([&] { utfilter::istream(other, e, add); }) == reading);
  BOOST_TEST(refused([&] { utfilter::codec_istreambuf(bytes, e, add); }) == reading);
  BOOST_TEST(refused([&] { utfilter::ifstream(d.file, e, add); }) == reading);
  BOOST_TEST(refused([&] { utfilter::line_reader(bytes, e, add); }) == reading);
  BOOST_TEST(refused([&] { utfilter::wistream(other, e, add); }) == reading);
  BOOST_TEST(refused([&] { utfilter::wifstream(d.file, e, add); }) == reading);
  BOOST_TEST(refused([&] { read_file(d.file, e, add); }) == reading);
  const std::string writing = "utfilter: writing CESU-8: the encoding written has no byte order mark to add";
  BOOST_TEST(refused([&] { utfilter::encoder(e, add); }) == writing);
  BOOST_TEST(refused([&] { utfilter::ostream(other, e, add); }) == writing);
  BOOST_TEST(refused([&] { utfilter::codec_ostreambuf(bytes, e, add); }) == writing);
  BOOST_TEST(refused([&] { utfilter::ofstream(d.file, e, add); }) == writing);
  BOOST_TEST(refused([&] { utfilter::scoped_filter(other, add, e); }) == writing);
  BOOST_TEST(refused([&] { utfilter::wostream(other, e, add); }) == writing);
  BOOST_TEST(refused([&] { utfilter::wofstream(d.file, e, add); }) == writing);
}

BOOST_AUTO_TEST_CASE(a_file_of_any_encoding_reads_as_utf8) {
  const directory d;
  for (const form& f : wide_forms) {
    files::write(d.file, f.encode(wide_text));
    utfilter::ifstream named(d.file, f.name);
    BOOST_TEST(named.is_open());
    BOOST_TEST(!named.open_error());
    BOOST_TEST(files::rest(named) == texts::utf8(wide_text));
    BOOST_TEST(read_file(d.file, f.name) == texts::utf8(wide_text));
    if (!f.detected) continue;
    files::write(d.file, f.encode(feff + wide_text));
    utfilter::ifstream detected(d.file);
    BOOST_TEST(files::rest(detected) == texts::utf8(wide_text));
    BOOST_TEST((detected.report().encoding == f.name));
    BOOST_TEST(detected.report().bom);
    BOOST_TEST(read_file(d.file) == texts::utf8(wide_text));
    BOOST_TEST(read_file(d.file, with(on_error::strict, bom::require)) == texts::utf8(wide_text));
  }
  for (const form& f : byte_forms) {
    files::write(d.file, f.encode(narrow_text));
    utfilter::ifstream in(d.file, f.name);
    BOOST_TEST(files::rest(in) == texts::utf8(narrow_text));
    BOOST_TEST(read_file(d.file, f.name) == texts::utf8(narrow_text));
  }
}

BOOST_AUTO_TEST_CASE(an_empty_file_is_an_empty_text) {
  const directory d;
  files::write(d.file, "");
  utfilter::ifstream in(d.file);
  BOOST_TEST(in.is_open());
  std::string line;
  BOOST_TEST(!std::getline(in, line));
  BOOST_TEST(in.eof());
  BOOST_TEST(read_file(d.file).empty());
  BOOST_CHECK_THROW(read_file(d.file, with(on_error::strict, bom::require)), utf_error);
  BOOST_TEST(read_file("/dev/null").empty());
}

BOOST_AUTO_TEST_CASE(the_lines_before_an_error_are_read_and_the_error_is_thrown) {
  const directory d;
  files::write(d.file, "one\ntwo\nthr\xFF");
  utfilter::ifstream in(d.file);
  BOOST_TEST((in.exceptions() == std::ios::badbit));
  std::string line, all;
  const auto error = caught<utf_error>([&] {
    while (std::getline(in, line)) all += line + '|';
  });
  BOOST_TEST((error && error->info().line == 3 && error->info().offset == 11));
  BOOST_TEST(all == "one|two|");
  BOOST_TEST(line == "thr");
  BOOST_TEST(in.bad());
  BOOST_TEST(in.report().errors == 1u);
}

BOOST_AUTO_TEST_CASE(every_form_of_construction_does_what_it_says) {
  const directory d;
  files::write(d.file, "a\xE4z");
  utfilter::ifstream replaced(d.file, on_error::replace), skipped(d.file, encoding::utf8, on_error::skip),
      escaped(d.file, with(on_error::escape)), latin(d.file, encoding::latin1, {}, std::ios::in);
  BOOST_TEST(files::rest(replaced) == "a\xEF\xBF\xBDz");
  BOOST_TEST(files::rest(skipped) == "az");
  BOOST_TEST(files::rest(escaped) == "a\\xE4z");
  BOOST_TEST(files::rest(latin) == "a\xC3\xA4z");
  BOOST_TEST(read_file(d.file, on_error::replace) == "a\xEF\xBF\xBDz");
  BOOST_TEST(read_file(d.file, encoding::utf8, on_error::skip) == "az");
  BOOST_TEST(read_file(d.file, with(on_error::escape)) == "a\\xE4z");
  BOOST_TEST(read_file(d.file, encoding::latin1) == "a\xC3\xA4z");
  BOOST_TEST(read_file(d.file, on_error::stop) == "a");
  BOOST_CHECK_THROW(read_file(d.file), utf_error);
  params limited = with(on_error::replace);
  limited.error_limit = 0;
  BOOST_CHECK_THROW(read_file(d.file, limited), utf_error);
}

BOOST_AUTO_TEST_CASE(params_that_make_no_sense_are_refused_before_the_file_is_touched) {
  const directory d;
  files::write(d.file, "kept");
  BOOST_CHECK_THROW(utfilter::ofstream(d.file, encoding::detect), std::invalid_argument);
  BOOST_CHECK_THROW(utfilter::ofstream(d.file, encoding::latin1, with(on_error::strict, bom::add)),
                    std::invalid_argument);
  BOOST_CHECK_THROW(utfilter::ifstream(d.file, encoding::utf16, on_error::keep), std::invalid_argument);
  BOOST_CHECK_THROW(read_file(d.file, encoding::utf16, on_error::keep), std::invalid_argument);
  BOOST_TEST(files::content(d.file) == "kept");
}

BOOST_AUTO_TEST_CASE(a_file_opened_at_the_end_tells_the_size_of_its_text_and_can_then_be_read_whole) {
  const directory d;
  texts::text32 long_text;
  for (int i = 0; i < 40000; ++i) long_text += wide_text;
  for (const texts::text32& text : {texts::text32(), wide_text, long_text})
    for (const form& f : wide_forms) {
      const std::string expected = texts::utf8(text);
      const std::string bytes = f.encode(f.detected ? feff + text : text);
      files::write(d.file, bytes);
      utfilter::ifstream in(d.file, f.detected ? encoding::detect : f.name, {}, std::ios::ate);
      BOOST_TEST_REQUIRE(in.is_open());
      BOOST_TEST(in.good());
      const std::streamoff size = in.tellg();
      BOOST_TEST_REQUIRE(size == static_cast<std::streamoff>(expected.size()));
      BOOST_TEST(in.get() == EOF);
      in.clear();
      in.seekg(0);
      std::string all(expected.size(), '\0');
      in.read(all.data(), static_cast<std::streamsize>(all.size()));
      BOOST_TEST((all == expected));
      BOOST_TEST(in.gcount() == size);
      BOOST_TEST(in.report().bytes_in == bytes.size());  // not counted twice
      BOOST_TEST(in.get() == EOF);
    }
}

BOOST_AUTO_TEST_CASE(a_file_opened_at_the_end_reports_the_same_errors) {
  const directory d;
  files::write(d.file, "pq\xFFr");
  BOOST_CHECK_THROW(utfilter::ifstream(d.file, std::ios::ate), utf_error);
  utfilter::ifstream stopped(d.file, encoding::detect, with(on_error::stop), std::ios::ate);
  BOOST_TEST(stopped.tellg() == 2);
  BOOST_TEST(stopped.report().errors == 1u);
  std::size_t observed = 0;
  params p = with(on_error::replace);
  p.observer = [&](const utfilter::error_info&) { ++observed; };
  utfilter::ifstream in(d.file, encoding::detect, p, std::ios::ate);
  BOOST_TEST(in.tellg() == 6);
  in.seekg(0);
  BOOST_TEST(files::rest(in) == "pq\uFFFDr");
  BOOST_TEST(in.report().errors == 1u);
  BOOST_TEST(observed == 2u);  // decoded twice: to find the end, and to read the text
}

BOOST_AUTO_TEST_CASE(opening_at_the_end_reports_a_missing_file_and_an_invalid_mode) {
  const directory d;
  utfilter::ifstream missing(d.path / "missing", std::ios::ate);
  BOOST_TEST((missing.fail() && !missing.is_open()));
  BOOST_TEST(is(missing.open_error(), std::errc::no_such_file_or_directory));
  files::write(d.file, "abc");
  utfilter::ifstream emptied(d.file, std::ios::ate | std::ios::trunc);
  BOOST_TEST((emptied.fail() && !emptied.is_open()));
  BOOST_TEST(is(emptied.open_error(), std::errc::invalid_argument));
  BOOST_TEST(files::content(d.file) == "abc");
}

#ifdef __linux__
BOOST_AUTO_TEST_CASE(a_pipe_has_no_end_to_open_at) {
  pipe_ends pipe;
  pipe.send("abc");
  pipe.close_writer();
  const std::string path = pipe.reader_name();
  utfilter::ifstream at_end(path, std::ios::ate);
  BOOST_TEST((at_end.fail() && !at_end.is_open()));
  BOOST_TEST(is(at_end.open_error(), std::errc::invalid_seek));
  utfilter::ifstream in(path);
  BOOST_TEST(files::rest(in) == "abc");  // the failed open took nothing
}
#endif

//-------------------------------------------------------------------------------- files that cannot be opened or closed

BOOST_AUTO_TEST_CASE(a_missing_file_sets_failbit_and_tells_why) {
  const directory d;
  utfilter::ifstream in(d.path / "missing");
  BOOST_TEST(!in.is_open());
  BOOST_TEST(in.fail());
  BOOST_TEST(!in.bad());
  BOOST_TEST(is(in.open_error(), std::errc::no_such_file_or_directory));
  BOOST_TEST((in.exceptions() == std::ios::badbit));
  std::string line;
  BOOST_TEST(!std::getline(in, line));

  utfilter::ofstream out(d.path / "no such directory" / "file");
  BOOST_TEST(!out.is_open());
  BOOST_TEST((out.fail() && !out.bad()));
  BOOST_TEST(is(out.open_error(), std::errc::no_such_file_or_directory));
  BOOST_CHECK_NO_THROW(out << "lost" << std::flush);
  BOOST_TEST((out.exceptions() == std::ios::badbit));

  const auto read_missing = [&] { read_file(d.path / "missing"); };
  BOOST_TEST(is(failure_of(read_missing), std::errc::no_such_file_or_directory));
  BOOST_TEST(thrown_by(read_missing).find((d.path / "missing").string()) != std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_invalid_open_mode_is_an_invalid_argument) {
  const directory d;
  files::write(d.file, "abc");
  errno = ENOENT;  // left by an earlier failure
  const utfilter::ifstream in(d.file, std::ios::trunc);
  BOOST_TEST((in.fail() && !in.is_open()));
  BOOST_TEST(is(in.open_error(), std::errc::invalid_argument));
  errno = ENOENT;
  const utfilter::ofstream out(d.file, encoding::utf16, std::ios::app | std::ios::trunc);
  BOOST_TEST((out.fail() && !out.is_open()));
  BOOST_TEST(is(out.open_error(), std::errc::invalid_argument));
  BOOST_TEST(files::content(d.file) == "abc");
}

// As std's: what is written is refused, and what has been read ahead is gone.
BOOST_AUTO_TEST_CASE(a_closed_file_takes_and_gives_no_text) {
  const directory d;
  const auto refuses = [&](auto& out, const auto* text) {
    out.exceptions(std::ios::goodbit);
    out.close();
    out << text;
    BOOST_TEST(out.bad());
    out.clear();
    out.put(*text);
    BOOST_TEST(out.bad());
    BOOST_TEST(files::content(d.file) == "first\n");
  };
  utfilter::ofstream out(d.file);
  out << "first\n";
  refuses(out, "record\n");
  utfilter::wofstream wide(d.file);
  wide << L"first\n";
  refuses(wide, L"record\n");
  out.open(d.file);
  out << "second\n" << std::flush;
  BOOST_TEST(files::content(d.file) == "second\n");

  files::write(d.file, "one\ntwo\nthree\n");
  const auto gives_none = [&](auto& in, auto& line) {
    BOOST_TEST(!std::getline(in, line).fail());
    in.close();
    BOOST_TEST(in.rdbuf()->in_avail() <= 0);
    BOOST_TEST(std::getline(in, line).fail());
    BOOST_TEST(line.empty());
    in.clear();
    BOOST_TEST(std::streamoff(in.tellg()) == -1);
    BOOST_TEST(in.seekg(0).fail());
  };
  std::string line;
  utfilter::ifstream in(d.file);
  gives_none(in, line);
  std::wstring wide_line;
  utfilter::wifstream wide_in(d.file);
  gives_none(wide_in, wide_line);
  in.open(d.file);
  BOOST_TEST((std::getline(in, line) && line == "one"));
}

#ifdef __linux__
// The test closes the file's descriptor under the stream: close() reports no other failure of the file.
BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_closed_tells_why) {
  const directory d;
  files::write(d.file, "abc");
  const auto close_beneath = [&] {
    for (int descriptor = 3; descriptor < 256; ++descriptor) {
      std::error_code none;
      if (fs::read_symlink("/proc/self/fd/" + std::to_string(descriptor), none) == d.file) ::close(descriptor);
    }
  };
  const auto refuses = [&](auto& file) {
    close_beneath();
    BOOST_TEST(is(failure_of([&] { file.close(); }), std::errc::bad_file_descriptor));
    BOOST_TEST(file.bad());
  };
  utfilter::ifstream in(d.file);
  refuses(in);
  utfilter::ofstream out(d.file);
  refuses(out);
}
#endif

BOOST_AUTO_TEST_CASE(closing_a_file_that_is_not_open_sets_failbit) {
  const directory d;
  utfilter::ifstream in(d.path / "missing");
  in.clear();
  BOOST_CHECK_NO_THROW(in.close());
  BOOST_TEST((in.fail() && !in.bad()));
  utfilter::ofstream out(d.path / "no" / "file", encoding::utf16);
  out.clear();
  BOOST_CHECK_NO_THROW(out.close());
  BOOST_TEST((out.fail() && !out.bad()));

  files::write(d.file, "abc");
  utfilter::ifstream twice(d.file);
  twice.close();
  BOOST_TEST(twice.good());
  BOOST_TEST(!twice.is_open());
  BOOST_CHECK_NO_THROW(twice.close());
  BOOST_TEST(twice.fail());
  utfilter::ofstream written(d.file, encoding::utf16);
  written << "x";
  written.close();
  BOOST_TEST(written.good());
  BOOST_TEST(!written.is_open());
  BOOST_CHECK_NO_THROW(written.close());
  BOOST_TEST(written.fail());
  BOOST_TEST(files::content(d.file) == "\xFE\xFF\0x"s);
}

BOOST_AUTO_TEST_CASE(a_directory_is_not_read_or_written_as_a_file) {
#ifdef _WIN32
  const auto reason = std::errc::permission_denied;  // as the C library of Windows reports it
#else
  const auto reason = std::errc::is_a_directory;
#endif
  const directory d;
  utfilter::ofstream out(d.path);
  BOOST_TEST(!out.is_open());
  BOOST_TEST(is(out.open_error(), reason));
  // Some systems open a directory for reading, others do not. Reading it must fail on all.
  utfilter::ifstream in(d.path);
  const auto fails = [&](const auto& read) {
    const auto why = caught<std::ios_base::failure>(read);
    BOOST_REQUIRE(why.has_value());
    BOOST_TEST(is(why->code(), reason));
    BOOST_TEST((std::string(why->what()).find(d.path.string()) != std::string::npos), why->what());
  };
  if (in.is_open())
    fails([&] { in.get(); });
  else
    BOOST_TEST(in.fail());
  utfilter::wifstream wide(d.path);
  if (wide.is_open()) fails([&] { wide.get(); });
  fails([&] { read_file(d.path); });
}

BOOST_AUTO_TEST_CASE(a_stream_over_a_file_that_is_missing_has_failed) {
  const directory d;
  std::ifstream missing(d.file);
  utfilter::istream in(missing);
  BOOST_TEST(!in);
  utfilter::wistream wide(missing);
  BOOST_TEST(!wide);
  std::ofstream nowhere(d.path / "no" / "file");
  utfilter::ostream out(nowhere);
  BOOST_TEST(!out);
  std::filebuf closed;
  utfilter::istream over_closed(closed);
  over_closed.get();
  BOOST_TEST(!over_closed);
}

#ifndef _WIN32  // on Windows the permissions of a file do not stop anyone from reading it
BOOST_AUTO_TEST_CASE(a_file_that_may_not_be_read_or_written_tells_why) {
  const directory d;
  files::write(d.file, "secret");
  fs::permissions(d.file, fs::perms::none);
  const bool root = ::geteuid() == 0;  // root may open any file, so another user has to try
  if (root) BOOST_TEST_REQUIRE(::seteuid(65534) == 0);
  const utfilter::ifstream in(d.file);
  const utfilter::ofstream out(d.file), appending(d.file, encoding::utf16, std::ios::app);
  const std::error_code why = failure_of([&] { read_file(d.file); });
  if (root) BOOST_TEST_REQUIRE(::seteuid(0) == 0);
  for (const std::error_code& code : {in.open_error(), out.open_error(), appending.open_error(), why})
    BOOST_TEST(is(code, std::errc::permission_denied));
  BOOST_TEST((!in.is_open() && !out.is_open() && !appending.is_open()));
}
#endif

//-------------------------------------------------------------------------------------------------------------- writing

BOOST_AUTO_TEST_CASE(a_file_is_written_in_any_encoding) {
  const directory d;
  for (const form& f : wide_forms)
    for (const bom policy : {bom::automatic, bom::add}) {
      if (policy == bom::add && !f.detected) continue;
      {
        utfilter::ofstream out(d.file, f.name, with(on_error::strict, policy));
        BOOST_TEST((out.exceptions() == std::ios::badbit));
        BOOST_TEST(!out.open_error());
        out << texts::utf8(wide_text);
      }
      BOOST_TEST(files::content(d.file) == f.encode(policy == bom::add ? feff + wide_text : wide_text));
    }
  for (const form& f : byte_forms) {
    { utfilter::ofstream(d.file, f.name) << texts::utf8(narrow_text); }
    BOOST_TEST(files::content(d.file) == f.encode(narrow_text));
  }
  { utfilter::ofstream(d.file, encoding::utf16) << "x"; }
  BOOST_TEST(files::content(d.file) == "\xFE\xFF\0x"s);
  { utfilter::ofstream(d.file, encoding::utf32) << "x"; }
  BOOST_TEST(files::content(d.file) == "\0\0\xFE\xFF\0\0\0x"s);
  { utfilter::ofstream(d.file, encoding::utf8, on_error::replace) << "x\xFF"; }
  BOOST_TEST(files::content(d.file) == "x\xEF\xBF\xBD");
  { utfilter::ofstream(d.file, with(on_error::skip, bom::add)) << "x\xFF"; }
  BOOST_TEST(files::content(d.file) == "\xEF\xBB\xBFx");
  { utfilter::ofstream(d.file, on_error::escape) << "x\xFF"; }
  BOOST_TEST(files::content(d.file) == "x\\xFF");
  { utfilter::ofstream out(d.file, encoding::utf16le, with(on_error::strict, bom::add)); }
  BOOST_TEST(files::content(d.file) == "\xFF\xFE");
  { utfilter::ofstream out(d.file, std::ios::trunc); }
  BOOST_TEST(files::content(d.file).empty());
}

BOOST_AUTO_TEST_CASE(appending_continues_the_text_with_one_bom) {
  const directory d;
  const texts::text32 first = U"a\u20AC\n", second = U"\U0001F600b\n";
  struct {
    encoding to;
    bom policy;
    std::string old;  // `first`, in some encoding
    std::string (*encode)(const texts::text32&);
    bool marked;  // a missing or empty file gets a byte order mark
  } cases[] = {
      {encoding::utf8, bom::automatic, texts::utf8(first), texts::utf8, false},
      {encoding::utf8, bom::add, texts::utf8(first), texts::utf8, true},
      {encoding::utf8, bom::add, texts::utf8(feff + first), texts::utf8, true},
      {encoding::utf8, bom::keep, texts::utf8(feff + first), texts::utf8, false},
      {encoding::utf16, bom::automatic, texts::utf16be(feff + first), texts::utf16be, true},
      {encoding::utf16, bom::automatic, texts::utf16le(feff + first), texts::utf16le, true},
      {encoding::utf16, bom::automatic, texts::utf16be(first), texts::utf16be,
       true},  // without a byte order mark it is big-endian
      {encoding::utf16, bom::add, texts::utf16le(feff + first), texts::utf16le, true},
      {encoding::utf16, bom::strip, texts::utf16le(feff + first), texts::utf16le, false},
      {encoding::utf16le, bom::automatic, texts::utf16le(feff + first), texts::utf16le, false},
      {encoding::utf16le, bom::add, texts::utf16le(first), texts::utf16le, true},
      {encoding::utf16be, bom::add, texts::utf16be(feff + first), texts::utf16be, true},
      {encoding::utf32, bom::automatic, texts::utf32le(feff + first), texts::utf32le, true},
      {encoding::utf32, bom::automatic, texts::utf32be(feff + first), texts::utf32be, true},
      {encoding::utf32, bom::automatic, texts::utf32be(first), texts::utf32be, true},
      {encoding::utf32le, bom::add, texts::utf32le(feff + first), texts::utf32le, true},
      {encoding::utf16, bom::automatic, texts::utf16le(feff), texts::utf16le, true},  // only a byte order mark
      {encoding::utf16, bom::automatic, "\xFF\x41", texts::utf16be, true},            // half a byte order mark
      {encoding::utf16, bom::automatic, "\x41\xFE", texts::utf16be, true},
      {encoding::cesu8, bom::automatic, texts::cesu8(first), texts::cesu8, false},
  };
  for (const auto& c : cases) {
    for (const auto mode : {std::ios::app, std::ios::app | std::ios::ate, std::ios::in | std::ios::app,
                            std::ios::in | std::ios::out | std::ios::ate}) {
      files::write(d.file, c.old);
      {
        utfilter::ofstream out(d.file, c.to, with(on_error::strict, c.policy), mode);
        BOOST_TEST_REQUIRE(out.is_open());
        out << texts::utf8(second);
      }
      BOOST_TEST(files::content(d.file) == c.old + c.encode(second));
      { utfilter::ofstream out(d.file, c.to, with(on_error::strict, c.policy), mode); }  // appends nothing
      BOOST_TEST(files::content(d.file) == c.old + c.encode(second));
    }
    for (const bool empty : {false, true}) {
      fs::remove(d.file);
      if (empty) files::write(d.file, "");
      { utfilter::ofstream(d.file, c.to, with(on_error::strict, c.policy), std::ios::app) << texts::utf8(first); }
      { utfilter::ofstream(d.file, c.to, with(on_error::strict, c.policy), std::ios::app) << texts::utf8(second); }
      const bool named = c.to == encoding::cesu8;
      const params p = with(on_error::strict, c.marked ? bom::require : bom::reject);
      BOOST_TEST(read_file(d.file, c.marked ? encoding::detect : c.to, named ? params() : p) ==
                 texts::utf8(first + second));
    }
  }
}

// Text after half a code unit would be read as other characters.
BOOST_AUTO_TEST_CASE(nothing_is_appended_to_a_file_that_ends_inside_a_code_unit) {
  const directory d;
  struct {
    encoding to;
    std::size_t unit;
  } cases[] = {{encoding::utf16, 2},   {encoding::utf16le, 2},    {encoding::utf16be, 2}, {encoding::utf32, 4},
               {encoding::utf32le, 4}, {encoding::utf32be, 4},    {encoding::utf8, 1},    {encoding::cesu8, 1},
               {encoding::latin1, 1},  {encoding::windows1252, 1}};
  for (const auto& c : cases)
    for (std::size_t size = 1; size <= 9; ++size)
      for (const auto mode : {std::ios::app, std::ios::in | std::ios::ate}) {
        const std::string old(size, 'x');
        files::write(d.file, old);
        BOOST_TEST_CONTEXT(to_string(c.to) << " after " << size << " bytes") {
          if (size % c.unit == 0) {
            utfilter::ofstream out(d.file, c.to, mode);
            out << "y";
            out.close();
            BOOST_TEST(files::content(d.file).size() == size + c.unit);
            continue;
          }
          try {
            utfilter::ofstream out(d.file, c.to, mode);
            BOOST_ERROR("nothing was thrown");
          } catch (const std::ios_base::failure& why) {
            const std::string what = why.what();
            BOOST_TEST((why.code() == utfilter::errc::incomplete_at_end));
            for (const std::string& part : {d.file.string(), to_string(c.to), std::to_string(size) + " bytes",
                                            "of " + std::to_string(c.unit) + " bytes"})
              BOOST_TEST((what.find(part) != std::string::npos), what << " lacks " << part);
          }
          BOOST_TEST(files::content(d.file) == old);
          utfilter::ofstream anew(d.file, c.to);  // without appending, the old content does not matter
          BOOST_TEST(anew.is_open());
        }
      }
}

BOOST_AUTO_TEST_CASE(appending_with_bom_keep_writes_a_mark_as_a_character) {
  const directory d;
  files::write(d.file, "a");
  {
    utfilter::ofstream(d.file, encoding::utf8, with(on_error::strict, bom::keep), std::ios::app)
        << texts::utf8(feff + U"b");
  }
  BOOST_TEST(files::content(d.file) == "a" + texts::utf8(feff + U"b"));
}

#ifndef _WIN32  // Windows has no files that may be written but not read
BOOST_AUTO_TEST_CASE(appending_to_a_file_that_may_only_be_written_adds_no_bom) {
  const directory d;
  files::write(d.file, texts::utf16be(feff + U"a"));
  fs::permissions(d.file, fs::perms(0222));
  const bool root = ::geteuid() == 0;  // root may read any file, so another user has to try
  if (root) BOOST_TEST_REQUIRE(::seteuid(65534) == 0);
  { utfilter::ofstream(d.file, encoding::utf16, std::ios::app) << "b"; }
  if (root) BOOST_TEST_REQUIRE(::seteuid(0) == 0);
  fs::permissions(d.file, fs::perms(0644));
  BOOST_TEST(files::content(d.file) == texts::utf16be(feff + U"ab"));
}
#endif

BOOST_AUTO_TEST_CASE(appending_to_text_cannot_require_a_bom) {
  const directory d;
  params p{on_error::strict, bom::require};
  {
    utfilter::ofstream(d.file, encoding::utf8, p, std::ios::app) << "\uFEFFa";
  }  // an empty file can require a byte order mark
  BOOST_CHECK_THROW(utfilter::ofstream(d.file, encoding::utf8, p, std::ios::app), std::invalid_argument);
  BOOST_TEST(utfilter::read_file(d.file) == "a");
}

BOOST_AUTO_TEST_CASE(only_a_new_file_needs_an_encoding_that_can_begin_it) {
  const directory d;
  const std::string text = "\xFF\xFEp\0"s;
  files::write(d.file, text);
  { utfilter::ofstream(d.file, encoding::detect, std::ios::app) << "q"; }  // the file has named the encoding
  BOOST_TEST(files::content(d.file) == text + "q\0"s);
  { utfilter::ofstream(d.file, encoding::latin1, with(bom::add), std::ios::app) << "r"; }  // no mark is due
  BOOST_TEST(files::content(d.file) == text + "q\0r"s);
  for (const encoding e : {encoding::detect, encoding::latin1})
    BOOST_CHECK_THROW(utfilter::ofstream(d.path / "new", e, with(bom::add)), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(the_appended_text_has_its_own_errors_and_counts) {
  const directory d;
  files::write(d.file, "\xFF\xFEp\0"s);
  utfilter::ofstream out(d.file, encoding::utf16, std::ios::app);
  out << "q\xE2\x82";
  try {
    out.close();
    BOOST_ERROR("nothing was thrown");
  } catch (const utf_error& error) {
    BOOST_TEST((error.info().code == errc::incomplete_at_end));
    BOOST_TEST(error.info().offset == 1u);
  }
  BOOST_TEST(files::content(d.file) == "\xFF\xFEp\0q\0"s);
}

BOOST_AUTO_TEST_CASE(flushed_text_is_in_the_file) {
  const directory d;
  utfilter::ofstream out(d.file, encoding::latin1);
  out << "a\xC3" << std::flush;
  BOOST_TEST(files::content(d.file) == "a");
  out << '\xA4' << std::flush;
  BOOST_TEST(files::content(d.file) == "a\xE4");
  for (int i = 0; i < 100'000; ++i) out.put('x');
  out << std::string(100'000, 'y');
  out.close();
  BOOST_TEST((files::content(d.file) == "a\xE4" + std::string(100'000, 'x') + std::string(100'000, 'y')));
}

BOOST_AUTO_TEST_CASE(a_strict_error_is_thrown_and_the_text_before_it_is_in_the_file) {
  const directory d;
  for (const bool flush : {false, true}) {
    utfilter::ofstream out(d.file, encoding::utf16le);
    bool threw = false;
    try {
      out << "ab\xFFlost";
      if (flush) out.flush();
    } catch (const utf_error&) {
      threw = true;
      BOOST_TEST(out.bad());
    }
    if (flush) BOOST_TEST(threw);
    BOOST_CHECK_THROW(out.close(), utf_error);
    BOOST_TEST(out.bad());
    BOOST_TEST(!out.is_open());
    BOOST_TEST(files::content(d.file) == "a\0b\0"s);
  }
  {
    utfilter::ofstream out(d.file);
    out << "ab\xFF";  // the destructor does not throw
  }
  BOOST_TEST(files::content(d.file) == "ab");
}

#ifndef _WIN32  // Windows has no device that is always full
BOOST_AUTO_TEST_CASE(a_full_disk_is_reported_as_the_reason) {
  const watchdog guard("utfilter::ofstream on a full disk");
  for (const std::size_t size : {1u, 5000u, 1'000'000u})
    for (const bool flush : {false, true}) {
      BOOST_TEST_CONTEXT(size << " bytes, flush " << flush) {
        utfilter::ofstream out("/dev/full", encoding::utf16);
        BOOST_TEST_REQUIRE(out.is_open());
        std::error_code why;
        if (flush) {
          why = failure_of([&] { out << std::string(size, 'x') << std::flush; });
          BOOST_TEST(is(why, std::errc::no_space_on_device));
          BOOST_TEST(out.bad());
        } else {
          out.exceptions(std::ios::goodbit);
          out << std::string(size, 'x');
        }
        BOOST_TEST(is(failure_of([&] { out.close(); }), std::errc::no_space_on_device));
        BOOST_TEST(out.bad());
        BOOST_TEST(!out.is_open());
        BOOST_TEST(!out.open_error());  // it was opened
      }
    }
  { utfilter::ofstream("/dev/full") << "swallowed"; }
}
#endif

//---------------------------------------------------------------------------------------------------------------- moves

BOOST_AUTO_TEST_CASE(a_moved_reader_goes_on_where_it_was) {
  const directory d;
  files::write(d.file, "abcdefgh\nsecond\n\xFF");
  utfilter::ifstream first(d.file);
  char s[6];
  first.read(s, 6);
  for (int i = 0; i < 3; ++i) first.unget();
  utfilter::ifstream second(std::move(first));
  BOOST_TEST(second.is_open());
  BOOST_TEST((second.exceptions() == std::ios::badbit));
  std::string line;
  std::getline(second, line);
  BOOST_TEST(line == "defgh");
  second.unget();
  BOOST_TEST(second.get() == '\n');

  BOOST_TEST(!first.is_open());
  BOOST_TEST(!first.open_error());
  BOOST_TEST(first.report().bytes_in == 0u);
  BOOST_TEST((first.bad() && first.rdbuf() == nullptr));

  utfilter::ifstream third(d.path / "missing");
  third = std::move(second);
  BOOST_TEST((third.is_open() && third.good() && !third.open_error()));
  std::getline(third, line);
  BOOST_TEST(line == "second");
  BOOST_CHECK_THROW(third.get(), utf_error);
  utfilter::ifstream fourth(std::move(third));
  BOOST_TEST(fourth.bad());
  BOOST_TEST(fourth.report().errors == 1u);
  first = std::move(fourth);  // assigned to a stream that was moved from
  BOOST_TEST(first.is_open());
  BOOST_TEST(first.report().errors == 1u);
  first.exceptions(std::ios::goodbit);
  first.clear();
  BOOST_TEST(first.get() == traits::eof());
  BOOST_TEST(first.bad());

  utfilter::ifstream missing(d.path / "missing");
  utfilter::ifstream moved(std::move(missing));
  BOOST_TEST((moved.fail() && !moved.bad()));
  BOOST_TEST(is(moved.open_error(), std::errc::no_such_file_or_directory));
}

BOOST_AUTO_TEST_CASE(a_moved_writer_goes_on_where_it_was) {
  const directory d;
  const fs::path other = d.path / "other";
  {
    utfilter::ofstream one(d.file, encoding::utf16);
    one << "a\xE2\x82";  // unflushed text, and a partial character
    utfilter::ofstream two(std::move(one));
    two << "\xAC";
    BOOST_TEST(!one.is_open());
    BOOST_TEST((one.bad() && one.rdbuf() == nullptr));
    utfilter::ofstream three(other, encoding::utf16le, on_error::replace);
    three << "z\xC3";
    three = std::move(two);  // `three` ends and closes its own file first
    BOOST_TEST(files::content(other) == "z\0\xFD\xFF"s);
    three << "b";
    one = std::move(three);
    one << "c";
    BOOST_TEST(one.good());
  }
  BOOST_TEST(files::content(d.file) == "\xFE\xFF\0a\x20\xAC\0b\0c"s);
}

BOOST_AUTO_TEST_CASE(streams_can_be_moved_and_not_copied) {
  BOOST_TEST(std::is_move_constructible_v<utfilter::ifstream>);
  BOOST_TEST(std::is_move_assignable_v<utfilter::ofstream>);
  BOOST_TEST(!std::is_copy_constructible_v<utfilter::ifstream>);
  BOOST_TEST(!std::is_copy_assignable_v<utfilter::ofstream>);
  const directory d;
  files::write(d.file, "text");
  const auto open = [&] { return utfilter::ifstream(d.file, encoding::utf8); };
  auto in = open();
  BOOST_TEST(files::rest(in) == "text");
}

//------------------------------------------------------------------------------------------------------------ read_file

BOOST_AUTO_TEST_CASE(a_large_file_is_read_whole) {
  const directory d;
  texts::text32 text;
  for (char32_t i = 0; i < 300'000; ++i) text += i % 5 == 0 ? U'\n' : i % 7 == 0 ? 0x10000 + i : 0x20 + i % 0x3000;
  for (const std::size_t size : {65535u, 65536u, 65537u, 131'072u, 300'000u}) {
    files::write(d.file, std::string(size, 'x'));
    BOOST_TEST((read_file(d.file) == std::string(size, 'x')));
    files::write(d.file, texts::utf16le(feff + text.substr(0, size)));
    BOOST_TEST((read_file(d.file) == texts::utf8(text.substr(0, size))));
  }
  files::write(d.file, std::string(100'000, 'x') + '\xFF');
  BOOST_TEST((read_file(d.file, on_error::stop) == std::string(100'000, 'x')));
  BOOST_CHECK_THROW(read_file(d.file), utf_error);
}

#ifndef _WIN32  // Windows has no FIFOs among its files
BOOST_AUTO_TEST_CASE(a_file_without_a_size_is_read_whole) {
  BOOST_TEST(!read_file("/proc/self/status").empty());
  const directory d;
  const fs::path fifo = d.path / "fifo";
  BOOST_TEST_REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
  const watchdog guard("read_file of a FIFO");
  const std::string text = texts::utf16be(feff + wide_text);
  std::thread writer([&] {
    std::ofstream out(fifo, std::ios::binary);
    for (const char c : text) out << c << std::flush;
  });
  BOOST_TEST(read_file(fifo) == texts::utf8(wide_text));
  writer.join();
}
#endif

BOOST_AUTO_TEST_CASE(an_observer_sees_each_error_of_a_file) {
  const directory d;
  files::write(d.file, "a\xFF\nb\xFE");
  std::string seen;
  params p = with(on_error::skip);
  p.observer = [&](const utfilter::error_info& e) {
    seen += std::to_string(e.line) + ':' + std::to_string(e.column) + ' ';
  };
  BOOST_TEST(read_file(d.file, p) == "a\nb");
  BOOST_TEST(seen == "1:2 2:2 ");
  struct enough {};
  p.observer = [](const utfilter::error_info&) { throw enough(); };
  BOOST_CHECK_THROW(read_file(d.file, p), enough);
}

BOOST_AUTO_TEST_CASE(files_can_be_opened_after_the_stream_was_made) {
  const directory d;
  utfilter::ofstream out;
  BOOST_TEST(!out.is_open());
  BOOST_TEST(out.bad());
  BOOST_TEST(!out.open_error());
  out.open(d.file, encoding::utf16le, bom::add);
  BOOST_TEST(out.is_open());
  BOOST_TEST(out.good());
  out << "one\n";
  out.open(d.path / "other");  // the first one is still open
  BOOST_TEST(out.fail());
  BOOST_TEST(!fs::exists(d.path / "other"));
  out.clear();
  out << "two\n";
  out.close();

  utfilter::ifstream in;
  in.open(d.path / "missing");
  BOOST_TEST(in.fail());
  BOOST_TEST((in.open_error() == std::errc::no_such_file_or_directory));
  in.open(d.file);
  BOOST_TEST(in.good());
  std::string line, last;
  while (std::getline(in, line)) last = line;
  BOOST_TEST(last == "two");
  BOOST_TEST(in.report().lines == 2u);
  in.close();
  in.open(d.file, std::ios_base::ate);
  BOOST_TEST(in.tellg() == std::streampos(8));
  in.close();
  BOOST_TEST(!in.is_open());
  in.open(d.path);  // a directory opens, as with std::ifstream, but cannot be read; under Windows it does not open
  if (in.is_open())
    BOOST_CHECK_THROW(in.get(), std::ios_base::failure);
  else
    BOOST_TEST(in.fail());
}
