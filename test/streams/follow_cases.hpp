// follow_cases.hpp: tests of follow_streambuf that hold for every way to wait and for every system. follow_test.cpp runs
// them with inotify and with polling, follow_portable_test.cpp with the code for systems without POSIX. The ways to wait
// are defined before this file is included, as follow_cases::ways: `polls` is the option, and `renames` tells whether a
// file that is open can be renamed.
#ifndef UTFILTER_TEST_FOLLOW_CASES_HPP
#define UTFILTER_TEST_FOLLOW_CASES_HPP

#include <boost/test/unit_test.hpp>

#include "support/files.hpp"
#include "support/outcomes.hpp"
#include "support/tally.hpp"
#include "support/texts.hpp"

#include <utfilter/decoder.hpp>
#include <utfilter/follow_source.hpp>
#include <utfilter/follow_streambuf.hpp>
#include <utfilter/line_reader.hpp>
#include <utfilter/stream.hpp>
#include <utfilter/to_utf8.hpp>

#include <boost/iostreams/filtering_stream.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <future>
#include <ios>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

namespace follow_cases {

/// Defines a test case: a function template, which is called with each way to wait.
#define FOLLOW_CASE(name) \
  template <class Way> \
  void name(); \
  BOOST_AUTO_TEST_CASE(name##_in_each_way) { \
    std::apply([](auto... way) { (name<decltype(way)>(), ...); }, ways()); \
  } \
  template <class Way> \
  void name()

namespace fs = std::filesystem;
namespace io = boost::iostreams;
using namespace std::chrono_literals;
using namespace std::string_literals;
using namespace utfilter;

constexpr auto patience = 20s;

using files::append;

/// A directory in which a file is followed. It may be renamed to "file.1", "file.2" ...
struct scene : files::directory {
  fs::path file = path() / "file";
  int renamed = 0;

  void rename() { fs::rename(file, file.string() + '.' + std::to_string(++renamed)); }
  fs::path old(int n) const { return file.string() + '.' + std::to_string(n); }
};

/// Options for tests that need not wait: a replaced file ends at once.
template <class Way>
follow_options impatient() {
  follow_options o;
  o.polls = Way::polls;
  o.grace = 0ms;
  o.interval = 10ms;
  return o;
}

/// The bytes that can be read without waiting.
inline std::string at_hand(follow_streambuf& log) {
  std::string bytes;
  while (log.wait_for(0ms) && log.sgetc() != std::char_traits<char>::eof()) bytes += static_cast<char>(log.sbumpc());
  return bytes;
}

/// Reads all files up to the end, each as a text. The end of each is in brackets.
inline std::string texts_of(follow_streambuf& log, encoding from = encoding::detect) {
  std::string all;
  do {
    line_reader lines(log, from, on_error::escape);
    while (lines.next()) {
      all += lines.text();
      all += lines.ending();
    }
    switch (log.ended().value()) {
      case file_end::replaced: all += "[replaced]"; break;
      case file_end::truncated: all += "[truncated]"; break;
      case file_end::stopped: all += "[stopped]"; break;
      case file_end::timed_out: all += "[timed out]"; break;
      case file_end::rewritten: all += "[rewritten]"; break;
    }
  } while (log.next_file());
  return all;
}

/// Texts and their bytes, made by hand.
struct sample_text {
  encoding from;
  std::string bytes, text;
};
inline const std::vector<sample_text> samples = {
    {encoding::detect, "\xEF\xBB\xBFz\xC3\xA4\n\xE2\x82\xAC\r\n\xF0\x9F\x98\x80", "z\u00E4\n\u20AC\r\n\U0001F600"},
    {encoding::detect, "\xFF\xFEz\0\n\0\xAC\x20\x3D\xD8\x00\xDE\n\0"s, "z\n\u20AC\U0001F600\n"},
    {encoding::utf16be, "\x0A\x41\0\n\xD8\x3D\xDE\0"s, "\u0A41\n\U0001F600"},
    {encoding::detect, "\0\0\xFE\xFF\0\0\0z\0\1\xF6\0\0\0\0\n"s, "z\U0001F600\n"},
    {encoding::cesu8, "\xED\xA0\xBD\xED\xB8\x80\n", "\U0001F600\n"},
    {encoding::modified_utf8, "\xC0\x80\xED\xA0\xBD\xED\xB8\x80\n", "\0\U0001F600\n"s},
    {encoding::shift_jis, "\x82\xA0\xB1\n\x95\x5C", "\u3042\uFF71\n\u8868"},
    {encoding::euc_jp, "\x8F\xB0\xA1\n\x8E\xB1", "\u4E02\n\uFF71"},
    {encoding::gb18030, "\x81\x30\x81\x30\n\xC4\xE3", "\u0080\n\u4F60"},
    {encoding::big5, "\x88\x62\n\xA4\x40", "\u00CA\u0304\n\u4E00"},
};

//--------------------------------------------------------------------------------------------------------------- growth

FOLLOW_CASE(text_that_is_cut_anywhere_waits_for_its_rest) {
  tally all;
  for (const sample_text& s : samples)
    for (std::size_t cut = 0; cut <= s.bytes.size(); ++cut) {
      scene here;
      files::write(here.file, s.bytes.substr(0, cut));
      follow_streambuf log(here.file, impatient<Way>());
      decoder text(s.from);
      std::string out;
      const auto convert = [&](const std::string& bytes, bool last) {
        char room[256];
        out.append(room, text.convert(bytes.data(), bytes.size(), room, sizeof room, last).produced);
      };
      convert(at_hand(log), false);
      const std::string before = out;
      append(here.file, s.bytes.substr(cut));
      convert(at_hand(log), false);
      convert("", true);
      all.check(s.text.substr(0, before.size()) == before && out == s.text && text.report().errors == 0 && !log.ended(),
                "cut", s.bytes.substr(0, cut));
    }
  all.summary("cuts");
}

// A file may be allocated beforehand: then its end is zeros, over which the next text is written.
FOLLOW_CASE(zeros_at_the_end_wait_for_what_comes_after_them) {
  for (const std::size_t size : {4u, 5u, 7u, 300u, 65'536u, 70'000u, 300'000u}) {
    const std::string zeros(size, '\0');
    scene here;
    files::write(here.file, "l1\n" + zeros);
    follow_streambuf log(here.file, impatient<Way>());
    BOOST_TEST(at_hand(log) == "l1\n");
    std::fstream(here.file, std::ios::in | std::ios::out | std::ios::binary).seekp(3) << "l2\n";
    BOOST_TEST(at_hand(log) == "l2\n");
    BOOST_TEST(at_hand(log) == "");
    BOOST_TEST(!log.ended());
    append(here.file, "l3\n");  // a hole, as one that is left by a truncation
    BOOST_TEST((at_hand(log) == zeros.substr(3) + "l3\n"));
    append(here.file, zeros);
    BOOST_TEST(at_hand(log) == "");
    append(here.file, zeros + "l4\n\0"s);
    BOOST_TEST((at_hand(log) == zeros + zeros + "l4\n"));
    if (!Way::renames) continue;
    append(here.file, zeros);
    BOOST_TEST(at_hand(log) == "");
    here.rename();
    files::write(here.file, zeros + "new");
    BOOST_TEST((at_hand(log) == zeros + '\0'));  // nobody writes over them any more
    BOOST_TEST((log.ended() == file_end::replaced));
    BOOST_TEST(log.next_file());
    BOOST_TEST((at_hand(log) == zeros + "new"));
    append(here.file, zeros);
    fs::resize_file(here.file, 1);
    BOOST_TEST(at_hand(log) == "");
    BOOST_TEST((log.ended() == file_end::truncated));
  }
}

FOLLOW_CASE(zeros_that_end_a_character_do_not_wait) {
  for (const sample_text& s : {sample_text{encoding::utf16le, texts::utf16le(U"ab\n"), {}},
                               sample_text{encoding::utf16le, texts::utf16le(U"\uFEFF\u65E5\n"), {}},
                               sample_text{encoding::utf16be, texts::utf16be(U"\uFEFF\u4E00"), {}},
                               sample_text{encoding::utf32le, texts::utf32le(U"a\n"), {}},
                               // The start does not show it.
                               sample_text{encoding::utf16le, texts::utf16le(std::u32string(5000, 0) + U"a\n"), {}},
                               sample_text{encoding::utf32le, texts::utf32le(std::u32string(5000, 0) + U"a\n"), {}},
                               sample_text{encoding::utf16le, texts::utf16le(U"\u65E5\u672C\r\n"), {}},
                               sample_text{encoding::utf16be, texts::utf16be(U"\u65E5\u672C\r\n\u4E00"), {}}}) {
    scene here;
    files::write(here.file, s.bytes);
    follow_streambuf log(here.file, impatient<Way>());
    BOOST_TEST((at_hand(log) == s.bytes));
    append(here.file, std::string(40, '\0'));
    BOOST_TEST(at_hand(log) == "");
  }
}

FOLLOW_CASE(a_line_arrives_before_the_next_is_written) {
  scene here;
  follow_options o = impatient<Way>();
  if (!Way::polls) o.interval = 1h;  // only inotify can tell
  follow_streambuf log(here.file, o);
  std::promise<std::string> lines[3];
  std::thread reader([&] {
    utfilter::istream in(log);
    for (auto& line : lines) {
      std::string text;
      std::getline(in, text);
      line.set_value(text);
    }
  });
  for (int i = 0; i < 3; ++i) {
    std::this_thread::sleep_for(5ms);  // most of the time the reader waits already
    if (i == 2 && Way::renames) here.rename();
    append(i == 2 && Way::renames ? here.old(1) : here.file, "line " + std::to_string(i) + '\n');
    auto line = lines[i].get_future();
    const bool came = line.wait_for(patience) == std::future_status::ready;
    BOOST_TEST(came);
    if (!came) log.stop();
    BOOST_TEST(line.get() == "line " + std::to_string(i));
  }
  reader.join();
}

FOLLOW_CASE(in_avail_tells_the_truth) {
  scene here;
  follow_streambuf log(here.file, impatient<Way>());
  BOOST_TEST(log.in_avail() == 0);
  files::write(here.file, "abc");
  BOOST_TEST(log.in_avail() == 3);
  BOOST_TEST(log.sbumpc() == 'a');
  BOOST_TEST(log.in_avail() == 2);
  BOOST_TEST(at_hand(log) == "bc");
  BOOST_TEST(log.in_avail() == 0);
  BOOST_TEST(log.sungetc() == 'c');
  BOOST_TEST(log.sungetc() == 'b');
  append(here.file, "d");
  BOOST_TEST(at_hand(log) == "bcd");
  BOOST_TEST(log.sungetc() == 'd');
  BOOST_TEST(log.sungetc() == 'c');
  BOOST_TEST(at_hand(log) == "cd");
  const std::string large(200000, 'x');
  append(here.file, large);
  BOOST_TEST((at_hand(log) == large));
  BOOST_TEST(!log.ended().has_value());
  log.stop();
  BOOST_TEST(log.in_avail() == -1);
}

FOLLOW_CASE(looks_in_vain_leave_the_bytes_to_put_back) {
  scene here;
  std::string text;
  for (char c = ' '; c <= '~'; ++c) text += c;
  files::write(here.file, text);
  follow_streambuf log(here.file, impatient<Way>());
  BOOST_TEST(at_hand(log) == text);  // the last look finds nothing
  const std::string last = text.substr(text.size() - 64);
  std::string back;
  while (back.size() != last.size() && log.sungetc() != std::char_traits<char>::eof())
    back.insert(back.begin(), static_cast<char>(log.sgetc()));
  BOOST_TEST(back == last);
  append(here.file, "more");
  BOOST_TEST(at_hand(log) == last + "more");
}

FOLLOW_CASE(reading_begins_at_a_checkpoint) {
  for (const sample_text& s : samples)
    for (std::size_t cut = 0; cut <= s.bytes.size(); ++cut) {
      scene here;
      files::write(here.file, s.bytes);
      decoder first(s.from);
      char room[256];
      const std::size_t size = first.convert(s.bytes.data(), cut, room, sizeof room, false).produced;
      params p;
      if (first.here().offset != 0) p.start = first.here();
      follow_options o = impatient<Way>();
      o.offset = first.here().offset;
      follow_streambuf log(here.file, o);
      utfilter::istream in(log, p.start ? encoding::detect : s.from, p);
      std::string rest;
      for (char c; log.wait_for(0ms) && rest.size() + size < s.text.size() && in.get(c);) rest += c;
      for (char c; rest.size() + size < s.text.size() && in.get(c);) rest += c;
      BOOST_TEST(std::string(room, size) + rest == s.text);
    }

  scene here;
  files::write(here.file, "abc");
  follow_options o = impatient<Way>();
  o.offset = 3;
  follow_streambuf end(here.file, o);
  append(here.file, "d");
  BOOST_TEST(at_hand(end) == "d");
  files::write(here.file, "xbcdefg");  // the bytes before the place are known, too
  BOOST_TEST(at_hand(end) == "");
  BOOST_CHECK(end.ended() == file_end::rewritten);
  o.offset = 8;
  BOOST_CHECK_THROW(follow_streambuf(here.file, o), std::invalid_argument);
  o.offset = 1;
  BOOST_CHECK_EXCEPTION(follow_streambuf(here.path() / "missing", o), std::ios_base::failure,
                        [](auto& why) { return why.code() == std::errc::no_such_file_or_directory; });
}

//------------------------------------------------------------------------------------------------- rotation, truncation

/// The old file has text in UTF-8, the new one in UTF-16. Each is cut anywhere; the reader looks at each moment.
FOLLOW_CASE(a_renamed_file_is_read_to_its_end) {
  if (!Way::renames) return;
  const std::string old_bytes = "\xEF\xBB\xBF\xE2\x82\xAC.\n\xF0\x9F\x98\x80", new_bytes = "\xFF\xFE\xAC\x20\n\0"s;
  tally all;
  for (std::size_t cut = 0; cut <= old_bytes.size(); ++cut)
    for (int looks = 0; looks < 16; ++looks) {
      scene here;
      // A file is in the hands of the reader when it gets its first byte.
      files::write(here.file, old_bytes.substr(0, cut));
      follow_streambuf log(here.file, impatient<Way>());
      std::string seen;
      if ((looks & 1) != 0) seen += at_hand(log);
      here.rename();
      if ((looks & 2) != 0) seen += at_hand(log);
      append(here.old(1), old_bytes.substr(cut));
      if ((looks & 4) != 0) seen += at_hand(log);
      files::write(here.file, new_bytes);
      if ((looks & 8) != 0) seen += at_hand(log);
      seen += at_hand(log);
      const bool read = seen == old_bytes && log.ended() == file_end::replaced;
      if (all.failed(read && log.next_file() && at_hand(log) == new_bytes))
        BOOST_ERROR("cut " << cut << ", looks " << looks << ": " << hexadecimal(seen));
    }
  all.summary("cuts and looks");

  scene here;
  files::write(here.file, old_bytes);
  follow_options o = impatient<Way>();
  o.timeout = 100ms;
  follow_streambuf log(here.file, o);
  BOOST_TEST(log.sgetc() == 0xEF);
  here.rename();
  files::write(here.file, new_bytes);
  BOOST_TEST(texts_of(log) == "\u20AC.\n\U0001F600[replaced]\u20AC\n[timed out]");
}

FOLLOW_CASE(a_replaced_file_has_time_to_grow) {
  if (!Way::renames) return;
  scene here;
  files::write(here.file, "a");
  follow_options o = impatient<Way>();
  o.grace = 300ms;
  follow_streambuf log(here.file, o);
  BOOST_TEST(at_hand(log) == "a");
  here.rename();
  files::write(here.file, "new");
  const auto begin = std::chrono::steady_clock::now();
  BOOST_TEST(at_hand(log) == "");
  for (const char* const late : {"b", "c", "d"}) {
    std::this_thread::sleep_for(150ms);  // in all longer than the grace
    append(here.old(1), late);
    BOOST_TEST(at_hand(log) == late);
  }
  const auto quiet = std::chrono::steady_clock::now();
  BOOST_TEST(log.sgetc() == std::char_traits<char>::eof());
  BOOST_CHECK(log.ended() == file_end::replaced);
  BOOST_TEST((std::chrono::steady_clock::now() - quiet).count() >= std::chrono::nanoseconds(250ms).count());
  BOOST_TEST((quiet - begin).count() >= std::chrono::nanoseconds(450ms).count());
  append(here.old(1), "too late");
  BOOST_TEST(log.next_file());
  BOOST_TEST(at_hand(log) == "new");
}

FOLLOW_CASE(the_longest_times_do_not_overflow) {
  scene here;
  files::write(here.file, "a");
  follow_options o = impatient<Way>();
  o.grace = o.interval = std::chrono::milliseconds::max();
  o.timeout = std::chrono::milliseconds::max();
  follow_streambuf log(here.file, o);
  BOOST_TEST(at_hand(log) == "a");
  BOOST_TEST(!log.wait_for(std::chrono::milliseconds::min()));
  o.timeout = std::chrono::milliseconds::min();
  follow_streambuf hasty(here.file, o);
  BOOST_TEST(at_hand(hasty) == "a");
  BOOST_CHECK(hasty.ended() == file_end::timed_out);
  if (!Way::renames) return;
  here.rename();
  files::write(here.file, "new");
  BOOST_TEST(!log.wait_for(20ms));
  append(here.old(1), "b");
  BOOST_TEST(at_hand(log) == "b");
}

FOLLOW_CASE(files_that_were_seen_are_not_lost) {
  if (!Way::renames) return;
  scene here;
  follow_options o = impatient<Way>();
  o.grace = 100ms;
  o.timeout = 300ms;
  files::write(here.file, "first");
  follow_streambuf log(here.file, o);
  BOOST_TEST(at_hand(log) == "first");
  for (const char* const text : {"4444", "333", "22"}) {
    here.rename();
    files::write(here.file, text);
    BOOST_TEST(log.in_avail() == 0);  // a look
  }
  BOOST_TEST(texts_of(log) == "[replaced]4444[replaced]333[replaced]22[timed out]");
}

// If it is not shorter at the next look, it counts as one that was rewritten from the first other byte on.
FOLLOW_CASE(a_truncated_file_begins_anew) {
  tally all;
  const std::string old_bytes = "0123456789";
  for (std::size_t size = 0; size < old_bytes.size(); ++size)
    for (const std::string more : {"", "ab", "abcdefghijklmnop"}) {
      scene here;
      std::vector<file_end> told;
      follow_options o = impatient<Way>();
      o.observer = [&](file_end why) { told.push_back(why); };
      files::write(here.file, old_bytes);
      follow_streambuf log(here.file, o);
      const bool read = at_hand(log) == old_bytes;
      fs::resize_file(here.file, size);
      append(here.file, more);
      const bool is_shorter = size + more.size() < old_bytes.size();
      const file_end why = is_shorter ? file_end::truncated : file_end::rewritten;
      const bool ended = at_hand(log).empty() && log.ended() == why && log.sbumpc() == -1 &&
                         log.unchanged() == (is_shorter ? 0 : size);
      const bool heard = told == std::vector{why};
      const bool goes_on = log.next_file() && !log.ended() && at_hand(log) == old_bytes.substr(0, size) + more;
      if (all.failed(read && ended && heard && goes_on)) BOOST_ERROR("size " << size << ", then " << more);
    }
  all.summary("truncations");

  // These bytes cannot be told from bytes that were appended.
  scene here;
  files::write(here.file, "old");
  follow_streambuf log(here.file, impatient<Way>());
  BOOST_TEST(at_hand(log) == "old");
  files::write(here.file, "old+");
  BOOST_TEST(at_hand(log) == "+");
}

/// Writes over bytes of a file.
inline void overwrite(const fs::path& file, std::uint64_t offset, const std::string& bytes) {
  std::fstream(file, std::ios::in | std::ios::out | std::ios::binary).seekp(static_cast<std::streamoff>(offset))
      << bytes;
}

// Here all bytes are compared at each look, so the first changed one is known.
FOLLOW_CASE(each_byte_that_changes_is_found) {
  tally all;
  const std::string old_bytes = "0123456789";
  for (std::size_t changed = 0; changed < old_bytes.size(); ++changed)
    for (const std::string more : {"", "+"})
      for (std::size_t from = 0; from <= changed; ++from) {
        scene here;
        files::write(here.file, old_bytes);
        follow_streambuf log(here.file, impatient<Way>());
        const bool read = at_hand(log) == old_bytes;
        std::string bytes = old_bytes;
        bytes.replace(changed, 1, "x");
        overwrite(here.file, changed, "x");
        append(here.file, more);
        bytes += more;
        const bool ended = at_hand(log).empty() && log.ended() == file_end::rewritten && log.unchanged() == changed;
        const bool refuses = caught<std::invalid_argument>([&] { log.next_file(changed + 1); }).has_value();
        const bool goes_on =
            log.next_file(from) && log.unchanged() == 0 && !log.ended() && at_hand(log) == bytes.substr(from);
        append(here.file, "more");
        const bool grows = at_hand(log) == "more" && !log.ended();
        overwrite(here.file, from, "y");
        const bool again = at_hand(log).empty() && log.ended() == file_end::rewritten && log.unchanged() == from;
        if (all.failed(read && ended && refuses && goes_on && grows && again))
          BOOST_ERROR("changed " << changed << ", then from " << from << more);
      }
  all.summary("changes");
}

/// Bytes that are the same nowhere.
inline std::string numbered(std::size_t size) {
  std::string bytes;
  for (std::size_t line = 0; bytes.size() < size; ++line) bytes += std::to_string(line) + '\n';
  return bytes.substr(0, size);
}

/// Whether so many bytes before a change were found to be the same: all of them among the last 4096, and elsewhere those up
/// to the start of a block.
inline bool is_near(std::uint64_t unchanged, std::size_t changed, std::size_t size) {
  const std::size_t block = std::max<std::size_t>(4096, size / 512);
  return unchanged <= changed && changed - unchanged < (changed + 4096 >= size ? 1 : block);
}

// The time of a change may be no other than that of the growth before it, so here it gets one: that of each place is another,
// in whole seconds after 1970, which every system has.
FOLLOW_CASE(a_change_in_each_block_is_found) {
  tally all;
  for (const std::size_t size : {5'000u, 8'192u, 70'000u, 4'194'304u, 4'194'305u, 9'000'000u}) {
    const std::string bytes = numbered(size);
    scene here;
    files::write(here.file, bytes);
    follow_streambuf log(here.file, impatient<Way>());
    std::string last(100, ' ');
    BOOST_TEST(log.sgetn(last.data(), static_cast<std::streamsize>(last.size())) == 100);
    BOOST_TEST((last == bytes.substr(0, 100)));
    std::vector<std::size_t> places = {0, 31, 32, 4095, 4096, size - 4097, size - 4096, size - 1};
    for (std::size_t at = 1; at < size; at += size / 7) places.push_back(at);
    std::string rest(size - 100, ' ');
    for (const std::size_t at : places) {
      log.sgetn(rest.data(), static_cast<std::streamsize>(rest.size()));
      const bool read = rest == bytes.substr(size - rest.size()) && !log.wait_for(0ms);
      overwrite(here.file, at, "\xFF");
      fs::last_write_time(here.file, fs::file_time_type::clock::now() - 2s * (at + 1));
      const bool ended = log.sgetc() == -1 && log.ended() == file_end::rewritten;
      if (all.failed(read && ended && is_near(log.unchanged(), at, size)))
        BOOST_ERROR("byte " << at << " of " << size << " has changed, and " << log.unchanged() << " have not");
      const std::uint64_t from = log.unchanged();
      if (!log.next_file(from)) break;
      overwrite(here.file, at, bytes.substr(at, 1));
      rest.resize(size - static_cast<std::size_t>(from));
    }
  }
  all.summary("changes");
}

FOLLOW_CASE(a_file_that_grows_and_changes_at_once_is_compared_when_it_is_quiet) {
  const std::string bytes = numbered(300'000);
  scene here;
  files::write(here.file, bytes);
  follow_streambuf log(here.file, impatient<Way>());
  BOOST_TEST((at_hand(log) == bytes));
  overwrite(here.file, 123'456, "x");
  append(here.file, "more");
  BOOST_TEST(at_hand(log) == "more");
  BOOST_TEST(log.wait_for(patience));
  BOOST_TEST((log.ended() == file_end::rewritten));
  BOOST_TEST(is_near(log.unchanged(), 123'456, bytes.size()));
}

FOLLOW_CASE(a_file_is_compared_before_it_ends_as_replaced) {
  if (!Way::renames) return;
  const std::string bytes = numbered(9'000'000);
  scene here;
  files::write(here.file, bytes);
  follow_streambuf log(here.file, impatient<Way>());
  std::string read(bytes.size(), ' ');
  log.sgetn(read.data(), static_cast<std::streamsize>(read.size()));
  BOOST_TEST((read == bytes));
  overwrite(here.file, 7'654'321, "x");
  append(here.file, "more");
  here.rename();
  files::write(here.file, "new");
  std::string more = at_hand(log);
  BOOST_TEST(log.sgetc() == -1);
  BOOST_TEST((log.ended() == file_end::rewritten));
  BOOST_TEST(is_near(log.unchanged(), 7'654'321, bytes.size()));
  const std::uint64_t from = log.unchanged();
  BOOST_TEST(log.next_file(from));
  std::string rest(bytes.size() + 4 - static_cast<std::size_t>(from), ' ');
  log.sgetn(rest.data(), static_cast<std::streamsize>(rest.size()));
  BOOST_TEST((rest == std::string(bytes).replace(7'654'321, 1, "x").substr(static_cast<std::size_t>(from)) + "more"));
  BOOST_TEST(log.sgetc() == -1);
  BOOST_TEST((log.ended() == file_end::replaced));
  BOOST_TEST(log.next_file());
  BOOST_TEST(at_hand(log) == "new");
}

FOLLOW_CASE(a_file_that_is_shorter_than_what_is_unchanged_is_truncated) {
  scene here;
  files::write(here.file, "0123456789");
  follow_streambuf log(here.file, impatient<Way>());
  BOOST_TEST(at_hand(log) == "0123456789");
  overwrite(here.file, 8, "x");
  BOOST_TEST(at_hand(log) == "");
  BOOST_TEST(log.unchanged() == 8u);
  fs::resize_file(here.file, 3);
  BOOST_TEST(log.next_file(8));
  BOOST_TEST((log.ended() == file_end::truncated));
  BOOST_TEST(log.next_file());
  BOOST_TEST(at_hand(log) == "012");
}

FOLLOW_CASE(zeros_of_a_character_are_told_by_the_size_of_a_unit) {
  for (const std::size_t unit_size : {0u, 1u, 2u, 4u}) {
    scene here;
    files::write(here.file, "\xE5\x65\x2C\x67\x0A\0"s);  // two characters beyond ASCII, and a line feed
    follow_options o = impatient<Way>();
    o.unit_size = unit_size;
    follow_streambuf log(here.file, o);
    BOOST_TEST((at_hand(log) == (unit_size < 2 ? "\xE5\x65\x2C\x67\x0A"s : "\xE5\x65\x2C\x67\x0A\0"s)));
    append(here.file, std::string(40, '\0'));
    BOOST_TEST((at_hand(log) == std::string(unit_size == 4 ? 2 : 0, '\0')));  // the unit is complete
    append(here.file, "\n");
    BOOST_TEST((at_hand(log) == std::string(unit_size < 2 ? 41 : unit_size == 2 ? 40 : 38, '\0') + '\n'));
    if (unit_size != 2) continue;
    append(here.file, "\0"s);  // it ends the unit that was begun
    BOOST_TEST((at_hand(log) == "\0"s));
  }
}

FOLLOW_CASE(a_file_that_is_not_there_yet_is_awaited) {
  scene here;
  here.file = here.path() / "folder" / "file";
  follow_streambuf log(here.file, impatient<Way>());
  BOOST_TEST(log.in_avail() == 0);
  BOOST_TEST(log.identity() == "");
  BOOST_TEST(follow_streambuf::identity_of(here.file) == "");
  fs::create_directory(here.path() / "folder");
  BOOST_TEST(log.in_avail() == 0);
  std::thread writer([&] {
    std::this_thread::sleep_for(20ms);
    files::write(here.file, "text");
  });
  BOOST_TEST(log.sgetc() == 't');
  writer.join();
  BOOST_TEST(at_hand(log).size() >= 1);
  BOOST_TEST(log.identity() == follow_streambuf::identity_of(here.file));
}

FOLLOW_CASE(earlier_files_come_first) {
  scene here;
  files::write(here.old(2), "\xEF\xBB\xBFtwo");
  files::write(here.old(1), "one");
  files::write(here.file, "now");
  follow_options o = impatient<Way>();
  o.offset = 4;
  o.earlier = {here.old(2), here.old(1)};
  o.timeout = 200ms;
  {
    follow_streambuf log(here.file, o);
    BOOST_TEST(texts_of(log) == "wo[replaced]one[replaced]now[timed out]");
  }
  o.earlier = {here.old(3)};
  BOOST_CHECK_THROW(follow_streambuf(here.file, o), std::ios_base::failure);
}

//------------------------------------------------------------------------------------------------------ ends and errors

FOLLOW_CASE(stop_ends_every_wait) {
  for (int round = 0; round < 20; ++round) {
    scene here;
    if (round % 2 == 0) files::write(here.file, "text\xE2\x82");
    follow_options o;
    o.polls = Way::polls;
    o.interval = 1h;
    follow_streambuf log(here.file, o);
    std::thread stopper([&] {
      std::this_thread::sleep_for(std::chrono::microseconds(300 * round));
      log.stop();
      log.stop();
    });
    if (round % 2 == 0) {
      const std::string text = texts_of(log);
      BOOST_TEST((text == "text\\xE2\\x82[stopped]" || text == "[stopped]"));
    } else {
      BOOST_TEST(texts_of(log) == "[stopped]");
    }
    stopper.join();
    BOOST_TEST(!log.next_file());
    BOOST_CHECK(log.ended() == file_end::stopped);
    append(here.file, "more");
    BOOST_TEST(log.sgetc() == -1);
  }
}

FOLLOW_CASE(a_timeout_ends_the_file) {
  scene here;
  follow_options o = impatient<Way>();
  o.timeout = 100ms;
  const auto begin = std::chrono::steady_clock::now();
  follow_streambuf missing(here.file, o);
  BOOST_TEST(texts_of(missing) == "[timed out]");
  BOOST_TEST((std::chrono::steady_clock::now() - begin).count() >= std::chrono::nanoseconds(100ms).count());
  files::write(here.file, "text");
  follow_streambuf log(here.file, o);
  BOOST_TEST(at_hand(log) == "text");
  std::this_thread::sleep_for(150ms);  // the time between two reads does not count
  BOOST_TEST(!log.wait_for(0ms));
  append(here.file, "\nmore");
  BOOST_TEST(texts_of(log) == "\nmore[timed out]");
  BOOST_TEST(!log.next_file());
  o.timeout = 500ms;
  follow_streambuf other(here.file, o);
  for (int i = 0; i < 3; ++i) {
    BOOST_TEST(at_hand(other) == (i == 0 ? "text\nmore" : "."));
    BOOST_TEST(!other.wait_for(200ms));  // each byte begins the time anew; a busy machine may take 300 ms more
    append(here.file, ".");
  }
  BOOST_TEST(at_hand(other) == ".");
}

/// Whether reading throws a failure with this reason and with the path.
inline bool fails(follow_streambuf& log, const fs::path& path, std::errc why) {
  const auto error = caught<std::ios_base::failure>([&] { log.sgetc(); });
  return error && error->code() == why && std::string_view(error->what()).find(path.string()) != std::string_view::npos;
}

FOLLOW_CASE(what_is_no_file_is_refused) {
  if (!Way::renames) return;
  scene here;
  fs::create_directory(here.file);
  BOOST_CHECK_EXCEPTION(follow_streambuf(here.file, impatient<Way>()), std::ios_base::failure,
                        [](auto& why) { return why.code() == std::errc::is_a_directory; });
  fs::remove(here.file);
  follow_streambuf late(here.file, impatient<Way>());
  fs::create_directory(here.file);
  BOOST_TEST(fails(late, here.file, std::errc::is_a_directory));
  BOOST_TEST(fails(late, here.file, std::errc::is_a_directory));
  fs::remove(here.file);
  files::write(here.file, "text");
  BOOST_TEST(at_hand(late) == "text");

  // The old file is read first. After that each read tries again.
  follow_streambuf log(here.file, impatient<Way>());
  here.rename();
  fs::create_directory(here.file);
  append(here.old(1), "\n");
  BOOST_TEST(log.in_avail() == 5);
  std::string text(5, ' ');
  log.sgetn(text.data(), 5);
  BOOST_TEST(text == "text\n");
  BOOST_TEST(fails(log, here.file, std::errc::is_a_directory));
  append(here.old(1), "late");
  BOOST_TEST(log.sgetc() == 'l');
  BOOST_TEST(log.in_avail() == 4);
  log.sgetn(text.data(), 4);
  BOOST_TEST(fails(log, here.file, std::errc::is_a_directory));
  fs::remove(here.file);
  BOOST_TEST(at_hand(log) == "");
  BOOST_TEST(!log.ended().has_value());
  files::write(here.file, "ne");
  BOOST_TEST(log.next_file());
  BOOST_TEST(at_hand(log) == "ne");
}

FOLLOW_CASE(next_file_skips_the_rest) {
  if (!Way::renames) return;
  scene here;
  files::write(here.file, std::string(100000, 'x'));
  follow_streambuf log(here.file, impatient<Way>());
  BOOST_TEST(log.sbumpc() == 'x');
  here.rename();
  files::write(here.file, "new");
  BOOST_TEST(log.next_file());
  BOOST_TEST(at_hand(log) == "new");
  log.stop();
  BOOST_TEST(!log.next_file());
}

FOLLOW_CASE(a_chain_follows) {
  if (!Way::renames) return;
  scene here;
  files::write(here.file, "\xFF\xFE\xAC\x20\n\0"s);
  follow_options o = impatient<Way>();
  o.timeout = 100ms;
  follow_source log(here.file, o);
  std::string all;
  for (bool more = true; more; more = log.next_file()) {
    io::filtering_istream in(to_utf8() | log);
    for (std::string line; std::getline(in, line);) {
      all += line + '|';
      if (line != "\u20AC") continue;
      here.rename();
      files::write(here.file, "new\n");
    }
  }
  BOOST_TEST(all == "\u20AC|new|");
  BOOST_CHECK(log.ended() == file_end::timed_out);
  BOOST_TEST(!log.next_file());
  follow_source copy = log;
  BOOST_TEST(copy.identity() == follow_streambuf::identity_of(here.file));
  char c;
  BOOST_TEST(copy.read(&c, 1) == -1);
}

FOLLOW_CASE(a_source_that_was_moved_from_follows_on) {
  scene here;
  files::write(here.file, "text");
  follow_source log(here.file, impatient<Way>());
  follow_source moved = std::move(log);
  char bytes[10] = {};
  // NOLINTBEGIN(bugprone-use-after-move): it is defined what happens
  BOOST_TEST(log.wait_for(0ms));
  BOOST_TEST(log.read(bytes, 2) == 2);
  BOOST_TEST(moved.read(bytes + 2, 8) == 2);
  BOOST_TEST(std::string(bytes) == "text");
  BOOST_TEST(log.identity() == moved.identity());
  BOOST_TEST(!log.ended().has_value());
  log.stop();
  follow_source other(here.file, impatient<Way>());
  other = std::move(log);
  BOOST_TEST(log.read(bytes, 10) == -1);
  BOOST_TEST(other.read(bytes, 10) == -1);
  BOOST_TEST(!log.next_file());
  // NOLINTEND(bugprone-use-after-move)
}

}  // namespace follow_cases

#endif
