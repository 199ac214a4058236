// field_streams_test.cpp: failures of Boost.Iostreams, one test each (field_decoders_test.cpp has those of decoders).
//
// Each test first describes the failure. Then come the text, the property, our ways to read or write, and the mocks.
// The property holds for all our ways and for no mock: a mock makes the same mistake as the original, and so shows that
// the test can fail. The test also tries the original, in the installed version of Boost, and prints the result. Every
// sink has a budget of calls, so nothing hangs.
#define BOOST_TEST_MODULE field_streams
#include "support/outcomes.hpp"
#include "support/test_streambufs.hpp"

#include <utfilter/utfilter.hpp>

#include <boost/iostreams/close.hpp>
#include <boost/iostreams/compose.hpp>
#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <boost/ref.hpp>
#include <boost/version.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <iostream>
#include <istream>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <vector>

namespace io = boost::iostreams;
using utfilter::utf8_validator;

namespace {

//----------------------------------------------------------------------------------------------- the form of every test

template <class Use>
struct way {
  std::string name;
  std::function<Use> use;
};

/// Checks that the property, a function of a way, holds for all of our ways and for no mock. Prints the results of the
/// originals.
template <class Use, class Property>
void check(const Property& property, const std::vector<way<Use>>& ours, const std::vector<way<Use>>& mocks,
           const std::vector<way<Use>>& originals) {
  const std::string name = boost::unit_test::framework::current_test_case().p_name.get();
  const devices::watchdog dog(name);
  std::size_t failed = 0;
  for (const way<Use>& one : ours) {
    const bool held = property(one);
    BOOST_TEST(held, one.name);
    failed += !held;
  }
  std::cout << name << ": " << ours.size() << " cases, " << failed << " failed\n";
  for (const way<Use>& one : mocks) BOOST_CHECK_MESSAGE(!property(one), "the mock passes: " << one.name);
  for (const way<Use>& one : originals)
    std::cout << name << ": " << one.name << " of Boost " BOOST_LIB_VERSION
              << (property(one) ? " errs no longer\n" : " still errs\n");
}

//---------------------------------------------------------------------------------------------------------------- tools

using write_text = void(const std::string& text, std::ostream& to);
using peek_at = int(std::istream& from);

/// Takes at most `takes_at_most` bytes in one write. After `calls` calls it throws.
class reluctant_streambuf : public std::streambuf {
 public:
  explicit reluctant_streambuf(std::size_t takes_at_most, std::size_t calls)
      : takes_at_most_(takes_at_most), calls_left_(calls) {}

  const std::string& text() const { return text_; }
  bool exhausted() const { return calls_left_ == 0; }

 protected:
  std::streamsize xsputn(const char* s, std::streamsize n) override {
    spend();
    const std::size_t taken = std::min(static_cast<std::size_t>(n), takes_at_most_);
    text_.append(s, taken);
    return static_cast<std::streamsize>(taken);
  }
  int_type overflow(int_type c) override {
    const char one = traits_type::to_char_type(c);
    return xsputn(&one, 1) == 1 ? c : traits_type::eof();
  }
  int sync() override {
    spend();
    return 0;
  }

 private:
  void spend() {
    if (calls_left_ == 0) throw std::runtime_error("called without end");
    --calls_left_;
  }

  std::size_t takes_at_most_, calls_left_;
  std::string text_;
};

/// The result of writing a text.
struct written {
  std::string text;  // the bytes that the sink took
  bool ended;        // within 2 x (input + output + refusals) + 16 calls
  bool told;         // an exception reported the failure
};

written write(const way<write_text>& one, const std::string& text, std::size_t takes_at_most) {
  const std::size_t refusals = takes_at_most == 0 ? devices::too_many_refusals : 0;  // each may be followed by a flush
  reluctant_streambuf sink(takes_at_most, 2 * (text.size() + (takes_at_most == 0 ? 0 : text.size()) + refusals) + 16);
  std::ostream to(&sink);
  const bool told = caught<std::exception>([&] { one.use(text, to); }).has_value();
  return {sink.text(), !sink.exhausted(), told};
}

/// A text longer than any buffer, which no compressor can make small.
std::string long_text() {
  std::string text;
  std::uint32_t random = 56;
  while (text.size() < 20'000) text += static_cast<char>('!' + ((random = random * 1664525 + 1013904223) >> 24) % 90);
  return text;
}

/// Our ways to write. Each closes at the end, so that every failure of the sink can show.
const std::vector<way<write_text>> ours_of_writing = {
    {"chain",
     [](const std::string& text, std::ostream& to) {
       io::filtering_ostream out;
       out.push(utf8_validator());
       out.push(to);
       out << text;
       out.reset();
     }},
    {"chain, closed",
     [](const std::string& text, std::ostream& to) {
       io::filtering_ostream out;
       out.push(utf8_validator());
       out.push(to);
       out << text;
       io::close(out);
     }},
    {"two filters",
     [](const std::string& text, std::ostream& to) {
       io::filtering_ostream out;
       out.push(utf8_validator());
       out.push(utfilter::to_utf8(utfilter::encoding::utf8), 16);
       out.push(to, 16);
       out << text;
       out.reset();
     }},
    {"copy",
     [](const std::string& text, std::ostream& to) {
       std::istringstream from(text);
       io::filtering_streambuf<io::output> out;
       out.push(utf8_validator());
       out.push(to);
       io::copy(from, out);
     }},
    {"standard stream",
     [](const std::string& text, std::ostream& to) {
       utfilter::ostream out(to);
       out << text;
       out.close();
     }},
};

bool ends_and_is_told(const written& got) { return got.ended && got.told; }

/// Repeats the write until the sink has taken everything.
void write_until_taken(const std::string& text, std::ostream& to) {
  for (std::size_t at = 0; at < text.size();)
    at += static_cast<std::size_t>(to.rdbuf()->sputn(text.data() + at, static_cast<std::streamsize>(text.size() - at)));
}

}  // namespace

// Issue 56: copying to a full disk never returns, because the failing write is repeated for ever.
BOOST_AUTO_TEST_CASE(boost_iostreams_56_copying_to_a_full_disk_ends_and_fails) {
  const std::string text = long_text();
  const auto property = [&](const way<write_text>& one) { return ends_and_is_told(write(one, text, 0)); };
  const auto boost = [](const std::string& plain, std::ostream& to) {
    std::string packed;
    io::filtering_ostream pack(io::bzip2_compressor() | io::back_inserter(packed));
    pack << plain;
    pack.reset();
    std::istringstream from(packed);
    io::filtering_streambuf<io::output> out;
    out.push(io::bzip2_decompressor());
    out.push(to);
    io::copy(from, out);
  };
  check<write_text>(property, ours_of_writing, {{"repeats", write_until_taken}}, {{"copy through bzip2", boost}});
}

// Issue 92: a sink took two parts of a buffer, one after the other. The buffer then went back to the end of the first
// part, and the second part was written again. This still happens if the last link of a chain has a buffer and the sink
// takes less than the buffer holds. Our ways avoid it.
BOOST_AUTO_TEST_CASE(boost_iostreams_92_a_sink_that_takes_little_gets_the_text_once) {
  const std::string text = "0123456789ABCDEF";
  const auto property = [&](const way<write_text>& one) {
    const written got = write(one, text, 3);
    return got.text == text && got.ended && !got.told;
  };
  const std::vector<way<write_text>> ours = {
      {"composed",
       [](const std::string& all, std::ostream& to) {
         io::filtering_ostream out(io::compose(utf8_validator(), boost::ref(to)));
         out << all;
         out.reset();
       }},
      {"without a buffer",
       [](const std::string& all, std::ostream& to) {
         io::filtering_ostream out;
         out.push(utf8_validator());
         out.push(to, 0);
         out << all;
         out.reset();
       }},
      {"standard stream",
       [](const std::string& all, std::ostream& to) {
         utfilter::ostream out(to);
         out << all;
         out.close();
       }},
  };
  const auto goes_back = [](const std::string& all, std::ostream& to) {
    std::size_t base = 0;
    for (int flush = 0; flush < 4; ++flush) {
      const std::size_t left = all.size() - base;
      const auto taken =
          static_cast<std::size_t>(to.rdbuf()->sputn(all.data() + base, static_cast<std::streamsize>(left)));
      base = taken == left ? all.size() : taken;  // the mistake: it should be base + taken
    }
  };
  const auto boost = [](const std::string& all, std::ostream& to) {
    io::filtering_ostream out;
    out.push(to);
    out << all << std::flush;
    out.reset();
  };
  check<write_text>(property, ours, {{"goes back", goes_back}}, {{"a chain without filters", boost}});
}

// Issue 124: a chain over std::cin waits until its whole buffer is filled, although a typed line is there to read.
BOOST_AUTO_TEST_CASE(boost_iostreams_124_a_line_can_be_read_as_soon_as_it_was_typed) {
  const auto property = [](const way<peek_at>& one) {
    std::size_t asked = 0;
    for (const streambufs::area how : streambufs::areas) {
      streambufs::pieces_streambuf typed({"one\n", "two\n", "three\n"}, how);
      std::istream from(&typed);
      if (one.use(from) != 'o') return false;
      asked = std::max(asked, typed.fetches);
    }
    return asked == 1;
  };
  const std::vector<way<peek_at>> ours = {
      {"chain",
       [](std::istream& from) {
         io::filtering_istream in(utf8_validator() | utfilter::stream_source(from));
         return in.peek();
       }},
      {"without a filter",
       [](std::istream& from) {
         io::filtering_istream in;
         in.push(utfilter::stream_source(from));
         return in.peek();
       }},
      {"composed",
       [](std::istream& from) {
         io::filtering_istream in(io::compose(utf8_validator(), boost::ref(from)));
         return in.peek();
       }},
      {"standard stream", [](std::istream& from) { return utfilter::istream(from).peek(); }},
  };
  const auto fills_a_buffer = [](std::istream& from) -> int {
    char buffer[4096];
    return from.rdbuf()->sgetn(buffer, sizeof buffer) > 0 ? buffer[0] : EOF;
  };
  const auto boost = [](std::istream& from) {
    io::filtering_istream in;
    in.push(from);
    return in.peek();
  };
  check<peek_at>(property, ours, {{"fills a buffer", fills_a_buffer}}, {{"a chain without filters", boost}});
}

// Issue 140: resetting a chain over a broken sink never returns. The text that a filter writes while it is closed goes
// through an adapter, and the adapter repeats each write until the sink has taken everything.
BOOST_AUTO_TEST_CASE(boost_iostreams_140_resetting_a_chain_over_a_broken_sink_ends_and_fails) {
  const auto boost = [](const std::string& text, std::ostream& to) {
    io::filtering_ostream out;
    out.push(io::gzip_compressor());
    out.push(to, 1);
    out << text;
    out.reset();
  };
  const auto property = [text = long_text()](const way<write_text>& one) {
    return ends_and_is_told(write(one, "a line\n", 0)) && ends_and_is_told(write(one, text, 0));
  };
  std::vector<way<write_text>> ours = ours_of_writing;
  ours.push_back({"text that only closing writes", [](const std::string&, std::ostream& to) {
                    io::filtering_ostream out;
                    out.push(utf8_validator(utfilter::on_error::replace));
                    out.push(to, 0);
                    out << "\xE2\x82";
                    out.reset();
                  }});
  check<write_text>(property, ours, {{"repeats", write_until_taken}}, {{"reset with gzip", boost}});
}

// Issue 170: close() ignores the result of pubsync(). A small text stays in the buffer of a std::ofstream until then;
// if the buffer cannot be written, no error is reported.
BOOST_AUTO_TEST_CASE(boost_iostreams_170_close_reports_a_stream_that_cannot_be_flushed) {
  const auto property = [](const way<write_text>& one) {
    streambufs::recording_streambuf buffer;
    buffer.refuses_at_sync = 1;  // it takes the text, but cannot pass it on
    std::ostream to(&buffer);
    return caught<std::ios_base::failure>([&] { one.use("a line\n", to); }).has_value();
  };
  const auto does_not_look = [](const std::string& text, std::ostream& to) {
    to.rdbuf()->sputn(text.data(), static_cast<std::streamsize>(text.size()));
    to.rdbuf()->pubsync();
  };
  const auto boost = [](const std::string& text, std::ostream& to) {
    io::filtering_ostream out;
    out.push(io::gzip_compressor());
    out.push(to);
    out << text;
    io::close(out);
  };
  check<write_text>(property, ours_of_writing, {{"does not look", does_not_look}}, {{"close with gzip", boost}});
}
