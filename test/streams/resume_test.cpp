// resume_test.cpp: a sink that takes no bytes for a while. Afterwards a stream, a scoped_filter and a chain go on. No
// character is cut, wherever the sink stopped, and the report counts each byte that nobody has.
// build: portable
#define BOOST_TEST_MODULE resume
#include "support/files.hpp"
#include "support/outcomes.hpp"
#include "support/tally.hpp"
#include "support/test_streambufs.hpp"

#include <utfilter/convert.hpp>
#include <utfilter/from_utf8.hpp>
#include <utfilter/scoped_filter.hpp>
#include <utfilter/stream.hpp>
#include <utfilter/utf8_validator.hpp>
#include <utfilter/wide_stream.hpp>

#include <boost/iostreams/compose.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <ios>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace io = boost::iostreams;
using namespace utfilter;

namespace {

/// Takes bytes until it has `room` left for none.
struct disk {
  std::size_t room = devices::everything;
  std::string text;
  bool throws = false;  // when it is full

  std::streamsize take(const char* s, std::streamsize n) {
    const std::size_t taken = std::min(room, static_cast<std::size_t>(n));
    if (taken == 0 && throws) throw devices::device_failure("the disk is full");
    text.append(s, taken);
    if (room != devices::everything) room -= taken;
    return static_cast<std::streamsize>(taken);
  }
};

class disk_streambuf : public std::streambuf {
 public:
  explicit disk_streambuf(disk& d) : disk_(d) {}

 protected:
  int_type overflow(int_type c) override {
    const char one = traits_type::to_char_type(c);
    return xsputn(&one, 1) == 1 ? c : traits_type::eof();
  }
  std::streamsize xsputn(const char* s, std::streamsize n) override { return disk_.take(s, n); }

 private:
  disk& disk_;
};

struct disk_sink {
  using char_type = char;
  using category = io::sink_tag;
  std::streamsize write(const char* s, std::streamsize n) { return to->take(s, n); }
  disk* to;
};

/// Takes one byte at a time. After the first one it writes to its own chain, and flushes it.
struct talking_sink {
  using char_type = char;
  using category = io::sink_tag;
  std::streamsize write(const char* s, std::streamsize) {
    text->push_back(*s);
    if (text->size() == 1) *out << "\xFF\xFF" << std::flush << "\xFF\xFF\xFF" << std::flush;
    return 1;
  }
  std::string* text;
  io::filtering_ostream* out;
};

/// Calls the filter that writes to it, in the middle of each call.
struct calling_sink {
  using char_type = char;
  struct category : io::sink_tag, io::flushable_tag {};
  std::streamsize write(const char* s, std::streamsize n) {
    filter->flush(*this);
    filter->write(*this, "in a write", 10);
    text.append(s, static_cast<std::size_t>(n));
    return n;
  }
  bool flush() {
    ++flushes;
    filter->flush(*this);
    filter->write(*this, "in a flush", 10);
    return true;
  }
  utf8_validator* filter;
  std::string text;
  int flushes = 0;
};

const std::vector<std::string> records = {"a\u00E4\u20AC\U0001F600 first\n", "\u4E2D\u6587 second\n",
                                          "third \U0001F600\n", "\u20AC fourth\n", "fifth\n"};
constexpr std::size_t full_until = 3;  // the disk has space again before this record

std::string joined(std::size_t begin, std::size_t end) {
  std::string all;
  for (std::size_t i = begin; i < end; ++i) all += records[i];
  return all;
}

std::string encoded(const std::string& text, encoding to) {
  std::ostringstream out;
  utfilter::ostream writer(out, to);
  writer << text;
  writer.close();
  return out.str();
}

/// Writes the records to a disk with room for `room` bytes until a certain record. After each failure calls
/// `resume(out)`. Returns the number of records that failed.
template <class Resume>
std::size_t write_records(std::ostream& out, disk& d, std::size_t room, const Resume& resume) {
  std::size_t failed = 0;
  d.room = room;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (i == full_until) d.room = devices::everything;
    out << records[i] << std::flush;
    if (out.good()) continue;
    ++failed;
    resume(out);
  }
  return failed;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_stream_goes_on_wherever_the_disk_was_full_and_cuts_no_character) {
  tally cases;
  for (const encoding to : {encoding::utf8, encoding::utf16le, encoding::utf16be, encoding::utf32le})
    for (std::size_t room = 0; room < encoded(joined(0, full_until), to).size(); ++room) {
      disk d;
      disk_streambuf sink(d);
      utfilter::ostream out(sink, to);
      const std::size_t failed = write_records(out, d, room, [](std::ostream& o) { o.clear(); });
      // The record that failed first is whole in the end. Those after it, up to the first that succeeds, are lost.
      const std::string kept = joined(0, full_until - failed + 1) + joined(full_until, records.size());
      const std::size_t lost = joined(full_until - failed + 1, full_until).size();
      const stream_report report = out.report();
      const bool right = d.text == encoded(kept, to) && report.lost == lost && report.failure && failed != 0;
      if (cases.failed(right))
        BOOST_ERROR(encoding_name(to) << ", room for " << room << ": " << failed << " records failed, " << report.lost
                                      << " bytes lost, of " << lost);
      BOOST_CHECK_NO_THROW(out.close());
    }
  cases.summary("streams on a disk that is full for a while");
}

// A record begins in the character set in which the text before it has ended, also if records were lost in between.
BOOST_AUTO_TEST_CASE(a_stream_with_states_goes_on_in_the_state_of_what_was_written) {
  const std::vector<std::string> texts = {"\u3042", "b\u65E5", "\u00A5", "c\n", "\u3044", "\u00A5d", "\u672C"};
  const auto all_but = [&](std::size_t from, std::size_t to) {
    std::string text;
    for (std::size_t i = 0; i < texts.size(); ++i)
      if (i < from || i >= to) text += texts[i];
    return text;
  };
  const std::string whole = encoded(all_but(0, 0), encoding::iso_2022_jp);
  tally cases;
  for (std::size_t until = 1; until < texts.size(); ++until)
    for (std::size_t room = 0; room < whole.size(); ++room) {
      disk d;
      disk_streambuf sink(d);
      utfilter::ostream out(sink, encoding::iso_2022_jp);
      d.room = room;
      std::size_t failed = 0;
      for (std::size_t i = 0; i < texts.size(); ++i) {
        if (i == until) d.room = devices::everything;
        out << texts[i] << std::flush;
        failed += !out.good();
        out.clear();
      }
      out.close();
      const std::string kept = failed == 0 ? all_but(0, 0) : all_but(until - failed + 1, until);
      const bool right = to_utf8_string(d.text, encoding::iso_2022_jp, on_error::replace) == kept;
      if (cases.failed(right))
        BOOST_ERROR("room for " << room << " until " << until << ": " << failed << " failed, " << hexadecimal(d.text));
    }
  cases.summary("streams with states on a disk that is full for a while");
}

BOOST_AUTO_TEST_CASE(what_a_failed_write_has_left_is_written_before_the_next_text) {
  disk d;
  disk_streambuf sink(d);
  std::ostream log(&sink);
  {
    scoped_filter check(log);
    log << "1\n";
    d.room = 1;
    log << "two \xFF\n";  // the disk takes one byte of it
    BOOST_TEST(log.bad());
    log << "nobody calls the filter while badbit is set\n";
    log.clear();
    log << "3 is lost\n";
    BOOST_TEST(log.bad());
    BOOST_TEST(check.report().lost == 10u);
    d.room = devices::everything;
    log.clear();
    log << "4\n";
    BOOST_TEST(log.good());
    BOOST_TEST(check.report().lost == 10u);
    BOOST_TEST(thrown_by<std::ios_base::failure>([&] { std::rethrow_exception(check.report().failure); }) != "");
  }
  BOOST_TEST(d.text == "1\ntwo \uFFFD\n4\n");
}

BOOST_AUTO_TEST_CASE(a_text_that_is_too_long_to_keep_loses_its_end_but_no_character_is_cut) {
  std::string text;
  while (text.size() < 60000) text += "\u20AC";
  for (const std::size_t room : {30000u, 30001u, 30002u}) {
    disk d;
    disk_streambuf sink(d);
    utfilter::ostream out(sink);
    d.room = room;
    out << text;
    BOOST_TEST(out.bad());
    d.room = devices::everything;
    out.clear();
    out << "more\n";
    BOOST_TEST(out.good());
    const std::size_t whole = (room + 2) / 3 * 3;
    BOOST_TEST((d.text == text.substr(0, whole) + "more\n"));
    BOOST_TEST(out.report().lost == text.size() - whole);
  }
}

// Bytes that look like the rest of a character of UTF-8, here the first of each two, are none.
BOOST_AUTO_TEST_CASE(a_long_text_in_utf16_is_cut_between_characters) {
  std::string text;
  while (text.size() < 60000) text += "\u4E80";  // 80 4E
  disk d;
  d.room = 0;
  disk_streambuf sink(d);
  utfilter::ostream out(sink, encoding::utf16le);
  out << text;
  d.room = devices::everything;
  out.clear();
  out << "more\n";
  const std::string end = encoded("more\n", encoding::utf16le), whole = encoded(text, encoding::utf16le);
  BOOST_REQUIRE(d.text.size() > end.size());
  const std::size_t kept = d.text.size() - end.size();
  BOOST_TEST(kept % 2 == 0u);
  BOOST_TEST((d.text == whole.substr(0, kept) + end));
  BOOST_TEST(out.report().lost == whole.size() - kept);
}

// The sink works again before the call has ended.
BOOST_AUTO_TEST_CASE(no_text_overtakes_what_was_kept) {
  struct pausing_streambuf : disk_streambuf {
    using disk_streambuf::disk_streambuf;
    int refusals = devices::too_many_refusals;
    std::streamsize xsputn(const char* s, std::streamsize n) override {
      return refusals-- > 0 ? 0 : disk_streambuf::xsputn(s, n);
    }
  };
  disk d;
  pausing_streambuf sink(d);
  utfilter::ostream out(sink, on_error::replace);
  out << "a\xFFz";
  BOOST_TEST(out.bad());
  BOOST_TEST(d.text == "");
  out.clear();
  out << "b";
  BOOST_TEST(d.text == "a\uFFFDzb");
}

BOOST_AUTO_TEST_CASE(an_error_of_the_text_is_told_before_a_failure_of_the_sink) {
  disk d;
  d.room = 0;
  disk_streambuf sink(d);
  utfilter::ostream out(sink);
  out << "ab\xFFz";
  BOOST_TEST(out.report().lost == 1u);  // "ab" is kept
  d.room = devices::everything;
  BOOST_CHECK_THROW(out.close(), utf_error);
  BOOST_TEST(out.report().lost == 3u);
}

BOOST_AUTO_TEST_CASE(a_flush_after_each_output_hides_no_failure_from_close) {
  disk d;
  d.room = 0;
  d.throws = true;
  disk_streambuf sink(d);
  utfilter::ostream out(sink);
  out << std::unitbuf << "lost";
  BOOST_TEST(out.bad());
  BOOST_CHECK_THROW(out.close(), std::exception);
  BOOST_TEST(out.report().lost == 4u);
}

BOOST_AUTO_TEST_CASE(text_in_the_gathering_buffer_waits_for_the_disk) {
  disk d;
  disk_streambuf sink(d);
  codec_ostreambuf buffer(sink, encoding::utf16le, params(), 8);
  std::ostream out(&buffer);
  out << "gathered";
  d.room = 0;
  out << "late";
  BOOST_TEST(out.bad());
  out.clear();
  out << "too";  // the buffer has room for it, but the disk is tried first
  BOOST_TEST(out.bad());
  d.room = devices::everything;
  out.clear();
  out << "good";
  BOOST_TEST(out.good());
  buffer.finish();
  BOOST_TEST(d.text == encoded("gatheredgood", encoding::utf16le));
  BOOST_TEST(buffer.report().lost == 7u);
}

BOOST_AUTO_TEST_CASE(a_flush_tries_the_sink_again_too) {
  disk d;
  disk_streambuf sink(d);
  utfilter::ostream out(sink);
  d.room = 2;
  out << "abcd";
  out.clear();
  out.flush();
  BOOST_TEST(out.bad());
  d.room = devices::everything;
  out.clear();
  out.flush();
  BOOST_TEST(out.good());
  BOOST_TEST(d.text == "abcd");
  BOOST_CHECK_NO_THROW(out.close());
}

// std::cerr flushes after each output, in a destructor, where libstdc++ lets no exception out.
BOOST_AUTO_TEST_CASE(a_failure_does_not_end_a_program_whose_stream_has_unitbuf) {
  struct unflushable : disk_streambuf {
    using disk_streambuf::disk_streambuf;
    bool flushes = false;
    int sync() override { return flushes ? 0 : -1; }
  };
  const auto log_to = [](std::ostream& out, unflushable& sink, disk& d) {
    out << std::unitbuf << "a\n";
    BOOST_TEST(out.bad());
    sink.flushes = true;
    d.room = 1;
    out.clear();
    out << "bc\n";
    BOOST_TEST(out.bad());
    d.room = devices::everything;
    out.clear();
    out << "d\n";
    BOOST_TEST(out.good());
    BOOST_TEST(d.text == "a\nbc\nd\n");
    out << "e\xFF";
    BOOST_TEST(out.bad());
    BOOST_TEST(d.text == "a\nbc\nd\ne");
  };
  for (const bool is_scoped : {true, false}) {
    disk d;
    unflushable sink(d);
    std::ostream log(&sink);
    if (is_scoped) {
      const scoped_filter check(log, on_error::strict);
      log_to(log, sink, d);
    } else {
      utfilter::ostream first(log);
      utfilter::ostream out(std::move(first));
      log_to(out, sink, d);
    }
  }
  disk d;
  unflushable sink(d);
  utfilter::wostream out(sink);
  out << std::unitbuf << L"a";
  BOOST_TEST(out.bad());
}

// A sink that throws does not tell what it has taken. So nothing is written twice, and all of the call is lost.
BOOST_AUTO_TEST_CASE(what_a_throwing_sink_was_given_is_lost_and_counted) {
  disk d;
  d.throws = true;
  disk_streambuf sink(d);
  utfilter::ostream out(sink, on_error::replace);
  d.room = 0;
  out << "lost\xFFtoo\xE2";
  BOOST_TEST(out.bad());
  d.room = devices::everything;
  out.clear();
  out << "\x82\xACnext\n";
  BOOST_TEST(out.good());
  BOOST_TEST(d.text == "\u20ACnext\n");         // the cut character was carried
  BOOST_TEST(out.report().lost == 4u + 3 + 3);  // "lost", U+FFFD, "too"
}

// But if the sink has told before that it took a part, it throws when it takes nothing.
BOOST_AUTO_TEST_CASE(what_a_sink_leaves_of_a_piece_before_it_throws_is_written_later) {
  for (const encoding to : {encoding::utf8, encoding::utf16le})
    for (std::size_t room = 1; room < encoded(records[0], to).size(); ++room) {
      disk d;
      d.throws = true;
      disk_streambuf sink(d);
      utfilter::ostream out(sink, to);
      BOOST_TEST(write_records(out, d, room, [](std::ostream& o) { o.clear(); }) == full_until);
      BOOST_TEST(d.text == encoded(records[0] + joined(full_until, records.size()), to));
      BOOST_TEST(out.report().lost == joined(1, full_until).size());
    }
}

BOOST_AUTO_TEST_CASE(close_reports_a_failure_unless_a_later_write_succeeded) {
  disk d;
  disk_streambuf sink(d);
  utfilter::ostream out(sink);
  d.room = 2;
  out << "abcd";
  d.room = devices::everything;
  BOOST_CHECK_THROW(out.close(), std::ios_base::failure);
  BOOST_TEST(d.text == "ab");
  BOOST_TEST(out.report().lost == 2u);
  out.clear();
  out << "a new text";
  BOOST_TEST(out.report().lost == 0u);
  BOOST_CHECK_NO_THROW(out.close());
  BOOST_TEST(d.text == "aba new text");
}

BOOST_AUTO_TEST_CASE(errors_of_the_text_and_of_the_observer_stick) {
  struct stop_it {};
  for (const bool observed : {false, true}) {
    std::ostringstream sink;
    params p{observed ? on_error::replace : on_error::strict};
    if (observed) p.observer = [](const error_info&) { throw stop_it(); };
    utfilter::ostream out(sink, p);
    out << "a\xFFz";
    out.clear();
    out << "more";
    BOOST_TEST(out.bad());
    BOOST_TEST(out.report().lost == 5u);  // "z" and "more"
    if (observed)
      BOOST_CHECK_THROW(out.close(), stop_it);
    else
      BOOST_CHECK_THROW(out.close(), utf_error);
    BOOST_TEST(sink.str() == "a");
  }
}

// A device throws when it is full, as files do. The links have buffers for a record, because a link that is full keeps
// only a part of a record, with any filter or none.
BOOST_AUTO_TEST_CASE(a_chain_goes_on_after_resume_and_loses_nothing_wherever_the_disk_was_full) {
  tally cases;
  for (const encoding to : {encoding::utf8, encoding::utf16le})
    for (const std::streamsize buffer : {-1, 256})
      for (std::size_t room = 0; room < encoded(joined(0, full_until), to).size(); ++room) {
        disk d;
        d.throws = true;
        const from_utf8 filter(to);
        io::filtering_ostream out;
        out.push(filter, buffer);
        out.push(disk_sink{&d}, buffer);
        const std::size_t failed = write_records(out, d, room, [&](std::ostream& o) {
          from_utf8 kept = filter;
          BOOST_TEST(kept.resume());
          o.clear();
        });
        out << std::flush;
        const stream_report report = filter.report();
        const bool right = failed != 0 && d.text == encoded(joined(0, records.size()), to) && report.lost == 0 &&
                           report.failure && report.bytes_in == joined(0, records.size()).size();
        if (cases.failed(right))
          BOOST_ERROR(encoding_name(to) << ", buffers of " << buffer << ", room for " << room << ": " << failed
                                        << " failed, " << report.lost << " lost, " << to_utf8_string(d.text, to));
      }
  cases.summary("chains on a disk that is full for a while");
}

BOOST_AUTO_TEST_CASE(a_filter_that_is_called_directly_goes_on_after_resume) {
  // The disk takes a part of what it is given, and then nothing. Each failed write is repeated.
  tally cases;
  const std::string text = joined(0, records.size());
  for (const encoding to : {encoding::utf8, encoding::utf16le})
    for (const bool throws : {false, true})
      for (std::size_t room = 0; room < encoded(text, to).size(); ++room) {
        disk d;
        d.throws = throws;
        disk_sink sink{&d};
        from_utf8 filter(to);
        d.room = room;
        const auto write = [&] { filter.write(sink, text.data(), static_cast<std::streamsize>(text.size())); };
        BOOST_CHECK_THROW(write(), std::exception);
        BOOST_CHECK_THROW(write(), std::exception);  // it fails until resume
        BOOST_TEST(filter.resume());
        const bool loses = throws && room == 0;
        if (!loses) BOOST_CHECK_THROW(write(), std::exception);
        d.room = devices::everything;
        BOOST_TEST(filter.resume());
        BOOST_CHECK_NO_THROW(write());
        filter.close(sink, std::ios_base::out);
        const stream_report report = filter.report();
        // A device that throws at once does not tell what it has taken. Then nothing is written twice.
        const std::size_t lost = loses ? encoded(text, to).size() : 0;
        const bool right =
            report.lost == lost && d.text == encoded(text, to).substr(0, encoded(text, to).size() - lost);
        if (cases.failed(right))
          BOOST_ERROR(encoding_name(to) << (throws ? ", throwing" : "") << ", room for " << room << ": " << report.lost
                                        << " bytes lost, of " << lost);
      }
  cases.summary("filters over a disk that is full for a while");
}

BOOST_AUTO_TEST_CASE(other_bytes_at_the_place_of_a_failed_write_are_a_text_of_their_own) {
  disk d;
  d.room = 1;
  disk_sink sink{&d};
  utf8_validator filter;
  std::string bytes = "abc";
  BOOST_CHECK_THROW(filter.write(sink, bytes.data(), 3), std::ios_base::failure);
  d.room = devices::everything;
  BOOST_TEST(filter.resume());
  bytes.replace(0, 3, "xyz");
  filter.write(sink, bytes.data(), 3);
  BOOST_TEST(d.text == "abcxyz");
  BOOST_TEST(filter.report().lost == 0u);
}

BOOST_AUTO_TEST_CASE(resume_does_nothing_for_errors_of_the_text_and_while_nothing_has_failed) {
  disk d;
  disk_sink sink{&d};
  utf8_validator filter;
  BOOST_TEST(filter.resume());
  write_all(filter, sink, "a");
  BOOST_TEST(filter.resume());
  BOOST_CHECK_THROW(filter.write(sink, "b\xFFz", 3), utf_error);
  BOOST_TEST(!filter.resume());
  BOOST_CHECK_THROW(filter.write(sink, "c", 1), utf_error);
  BOOST_CHECK_THROW(filter.close(sink, std::ios_base::out), utf_error);
  BOOST_TEST(d.text == "ab");
}

BOOST_AUTO_TEST_CASE(a_filter_that_is_closed_before_the_disk_has_space_again_counts_what_it_has_kept) {
  disk d;
  d.room = 3;
  disk_sink sink{&d};
  utf8_validator filter;
  BOOST_CHECK_THROW(filter.write(sink, "abcdef", 6), std::ios_base::failure);
  BOOST_TEST(filter.report().lost == 0u);
  BOOST_CHECK_THROW(filter.close(sink, std::ios_base::out), std::ios_base::failure);
  BOOST_TEST(filter.report().lost == 3u);
  BOOST_TEST(d.text == "abc");
}

// A link gives the only byte of a failed write again, with further bytes after it.
BOOST_AUTO_TEST_CASE(a_single_byte_that_a_link_gives_again_is_written_once) {
  for (const std::string before : {"", "ab"})
    for (const std::string after : {"", "z"}) {
      disk d;
      d.throws = true;
      utf8_validator filter;
      io::filtering_ostream out;
      out.push(filter);
      out.push(disk_sink{&d}, 0);
      out << before << std::flush;
      d.room = 0;
      out << 'x' << std::flush;
      BOOST_TEST(out.bad());
      d.room = devices::everything;
      BOOST_TEST(filter.resume());
      out.clear();
      out << after << std::flush;
      out.reset();
      BOOST_TEST(d.text == before + "x" + after);
      BOOST_TEST(filter.report().lost == 0u);
    }
}

// A log of dots: each record is one byte, and the bytes are often the same. A link with a buffer gives the failed one again,
// and a link without one does not. In both cases the filter has kept it.
BOOST_AUTO_TEST_CASE(records_of_one_byte_are_written_once_wherever_the_disk_was_full) {
  for (const std::streamsize buffer : {-1, 0})
    for (const std::string text : {"abcd", "...."})
      for (std::size_t full = 0; full != text.size(); ++full) {
        disk d;
        d.throws = true;
        utf8_validator filter;
        io::filtering_ostream out;
        out.push(filter, buffer);
        out.push(disk_sink{&d}, 0);
        for (std::size_t i = 0; i != text.size(); ++i) {
          d.room = i == full ? 0 : devices::everything;
          out << text[i] << std::flush;
          if (i != full) continue;
          BOOST_TEST(out.bad());
          d.room = devices::everything;
          BOOST_TEST(filter.resume());
          out.clear();
          out << std::flush;
        }
        BOOST_TEST(d.text == text, "buffer " << buffer << ", full at " << full << ": " << d.text);
        out.reset();
        BOOST_TEST(d.text == text);
      }
}

// A link without a buffer gives each byte once. The next byte may be the same, and stand at the same place.
BOOST_AUTO_TEST_CASE(a_link_without_a_buffer_gives_no_byte_again) {
  disk d;
  d.throws = true;
  utf8_validator filter;
  io::filtering_ostream out;
  out.push(filter, 0);
  out.push(disk_sink{&d}, 0);
  d.room = 1;
  out << "xx";
  BOOST_TEST(out.bad());
  d.room = devices::everything;
  BOOST_TEST(filter.resume());
  out.clear();
  out << "xx";
  BOOST_TEST(d.text == "xxxx");
}

BOOST_AUTO_TEST_CASE(a_chain_counts_what_it_is_given_after_the_text_has_failed) {
  std::ostringstream text;
  utf8_validator filter;
  io::filtering_ostream out;
  out.push(filter);
  out.push(text);
  out << "a\xFFz" << std::flush;
  out.clear();
  out << "more" << std::flush;
  BOOST_TEST(out.bad());
  BOOST_CHECK_THROW(out.reset(), utf_error);
  BOOST_TEST(text.str() == "a");
  BOOST_TEST(filter.report().lost == 5u);  // "z" and "more"

  disk d;
  disk_sink sink{&d};
  BOOST_CHECK_THROW(filter.write(sink, "b\xFFz", 3), utf_error);
  BOOST_CHECK_THROW(filter.write(sink, "again", 5), utf_error);
  BOOST_TEST(filter.report().lost == 1u);  // "again" may come again
  BOOST_CHECK_THROW(filter.write(sink, "again and more", 14), utf_error);
  BOOST_CHECK_THROW(filter.close(sink, std::ios_base::out), utf_error);
  BOOST_TEST(filter.report().lost == 1u + 5 + 14);
}

BOOST_AUTO_TEST_CASE(a_chain_that_is_closed_while_the_disk_is_full_counts_what_its_last_link_holds) {
  disk d;
  d.room = 2;
  d.throws = true;
  utf8_validator filter;
  io::filtering_ostream out;
  out.push(filter);
  out.push(disk_sink{&d});
  out << "abcdef" << std::flush;
  BOOST_CHECK_THROW(out.reset(), std::exception);
  BOOST_TEST(d.text == "ab");
  BOOST_TEST(filter.report().lost == 4u);
}

// The observer flushes the chain, so that the filter is called in the middle of a call. Its pieces would overwrite the
// record in the buffer of the link, if the link took the record for written.
BOOST_AUTO_TEST_CASE(a_chain_drops_what_its_observer_writes_to_it) {
  const std::string piece = "from the observer";
  for (const bool composed : {false, true}) {
    std::ostringstream text;
    io::filtering_ostream out;
    params p = log_params();
    p.observer = [&](const error_info&) { out << piece << std::flush << piece << std::flush; };
    const utf8_validator filter(p);
    if (composed)
      out.push(io::compose(filter, utf8_validator()));
    else
      out.push(filter);
    out.push(text);
    out << "a\xFFz\xFF, a record that is not read yet" << std::flush;
    BOOST_TEST(out.good());
    out << "more" << std::flush;
    BOOST_TEST(text.str() == "a\uFFFDz\uFFFD, a record that is not read yetmore");
    BOOST_TEST(filter.report().lost == 4 * piece.size());
    BOOST_TEST(thrown_by<std::logic_error>([&] { std::rethrow_exception(filter.report().failure); }) != "");
  }
}

BOOST_AUTO_TEST_CASE(a_chain_drops_what_its_device_writes_to_it_and_writes_nothing_twice) {
  std::string text;
  io::filtering_ostream out;
  const utf8_validator filter(log_params());
  out.push(filter);
  out.push(talking_sink{&text, &out}, 0);
  out << "a record" << std::flush;
  BOOST_TEST(out.good());
  BOOST_TEST(text == "a record");
  BOOST_TEST(filter.report().lost == 5u);
  BOOST_TEST(filter.report().errors == 0u);
}

// Links with buffers are left out, because Boost itself flushes the next link after each flush of a filter.
BOOST_AUTO_TEST_CASE(a_filter_neither_writes_nor_flushes_in_the_middle_of_a_call_of_its_own) {
  utf8_validator filter;
  calling_sink sink{&filter, "", 0};
  BOOST_TEST(filter.write(sink, "text", 4) == 4);
  BOOST_TEST(sink.flushes == 0);
  BOOST_TEST(filter.flush(sink));
  BOOST_TEST(sink.flushes == 1);
  BOOST_TEST(sink.text == "text");
  BOOST_TEST(filter.report().lost == 20u);
}

BOOST_AUTO_TEST_CASE(a_filter_that_is_composed_with_itself_is_refused) {
  std::ostringstream text;
  io::filtering_ostream out;
  const utf8_validator filter;
  out.push(io::compose(filter, filter));
  out.push(text);
  out << "a" << std::flush;
  BOOST_TEST(out.bad());
  BOOST_TEST(thrown_by<std::logic_error>([&] { std::rethrow_exception(filter.report().failure); }) != "");
}

// The link keeps what came in the middle of a write that has failed, and gives it again, too.
BOOST_AUTO_TEST_CASE(what_was_dropped_stays_dropped_if_the_write_around_it_fails) {
  disk d;
  d.throws = true;
  io::filtering_ostream out;
  params p = log_params();
  p.observer = [&](const error_info&) { out << "from the observer" << std::flush; };
  utf8_validator filter(p);
  out.push(filter);
  out.push(disk_sink{&d}, 0);
  d.room = 2;
  out << "a\xFFz" << std::flush;
  BOOST_TEST(out.bad());
  d.room = devices::everything;
  BOOST_TEST(filter.resume());
  out.clear();
  out << "more" << std::flush;
  BOOST_TEST(d.text == "a\uFFFDzmore");
  BOOST_TEST(filter.report().lost == 17u);
}
