// source_test.cpp: an exception of the source fails a filter that reads. The filter first delivers all text before the
// exception. Then each read throws this exception, even if the source could continue.
#define BOOST_TEST_MODULE source
#include "support/outcomes.hpp"
#include "support/same_report.hpp"
#include "support/test_devices.hpp"
#include "support/test_streambufs.hpp"

#include <utfilter/utfilter.hpp>

#include <boost/iostreams/compose.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <algorithm>
#include <exception>
#include <istream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace io = boost::iostreams;
using namespace utfilter;
using devices::device_failure;

namespace {

/// Gives one piece at a time. For an empty piece it throws; the next call continues after it.
class hiccuping_source {
 public:
  using char_type = char;
  using category = io::source_tag;

  explicit hiccuping_source(std::vector<std::string> pieces)
      : state_(std::make_shared<state>(state{std::move(pieces), 0})) {}

  std::streamsize read(char* s, std::streamsize n) {
    if (state_->next == state_->pieces.size()) return -1;
    std::string& piece = state_->pieces[state_->next];
    if (piece.empty()) {
      ++state_->next;
      throw device_failure("hiccup " + std::to_string(state_->next));
    }
    const std::size_t taken = std::min(piece.size(), static_cast<std::size_t>(n));
    std::copy_n(piece.data(), taken, s);
    piece.erase(0, taken);
    if (piece.empty()) ++state_->next;
    return static_cast<std::streamsize>(taken);
  }

 private:
  struct state {
    std::vector<std::string> pieces;
    std::size_t next;
  };
  std::shared_ptr<state> state_;
};

using hiccuping_streambuf = streambufs::source_streambuf<hiccuping_source, 16>;

const std::vector<std::string> pieces = {"one", "", "two", "", "three"};

/// The text of the reads, then `$` at the end. For each read that throws: `!` and the message. Stops after four of
/// these.
template <class Filter, class Source>
std::string reads(Filter& filter, Source& source, std::streamsize n) {
  std::string seen;
  for (int i = 0; i < 4 && (seen.empty() || seen.back() != '$'); ++i) seen += read_all(filter, source, n);
  return seen;
}

template <class Filter>
void check(const Filter& kept, const std::string& prefix) {
  const std::string failed = prefix + "!hiccup 2!hiccup 2!hiccup 2!hiccup 2";
  for (const std::streamsize n : {1, 2, 3, 100, 5000}) {
    Filter filter = kept;
    hiccuping_source source(pieces);
    BOOST_TEST(reads(filter, source, n) == failed);
    BOOST_TEST(message_of(filter.report().failure) == "hiccup 2");
    filter.close(source, std::ios::in);
    BOOST_TEST(message_of(filter.report().failure) == "hiccup 2");
    // The next use starts again, with the rest of the source.
    BOOST_TEST(reads(filter, source, n).substr(0, 3) == "two");
    filter.close(source, std::ios::in);

    hiccuping_streambuf buffer{hiccuping_source(pieces)};
    BOOST_TEST(reads(filter, buffer, n) == failed);
    filter.close(buffer, std::ios::in);
    hiccuping_streambuf again{hiccuping_source(pieces)};
    std::istream stream(&again);
    BOOST_TEST(reads(filter, stream, n) == failed);
    filter.close(stream, std::ios::in);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(after_a_source_throws_once_every_read_throws_the_same) {
  check(utf8_validator(), "one");
  check(to_utf8(encoding::utf8), "one");
  check(to_utf8(), "one");
  check(to_utf8(encoding::latin1), "one");
  check(from_utf8(encoding::latin1), "one");
  check(bom_filter(), "one");
  check(escape_controls(), "one");
}

// The source gave only the beginning of a character. That is no text yet, and no error either, because the source did
// not end.
BOOST_AUTO_TEST_CASE(an_unfinished_character_is_not_delivered) {
  for (const std::streamsize n : {1, 2, 3, 100, 5000}) {
    utf8_validator filter;
    hiccuping_source source({"a\xE2\x82", "", "\xAC"});
    BOOST_TEST(reads(filter, source, n) == "a!hiccup 2!hiccup 2!hiccup 2!hiccup 2");
    BOOST_TEST(filter.report().errors == 0u);
    BOOST_TEST(filter.report().bytes_in == 1u);
  }
}

BOOST_AUTO_TEST_CASE(a_repair_before_the_failure_of_the_source_is_delivered_first) {
  for (const std::streamsize n : {1, 2, 3, 100, 5000}) {
    to_utf8 filter(encoding::utf8, on_error::escape);
    hiccuping_source source({"a\xFF", "", "b"});
    BOOST_TEST(reads(filter, source, n) == "a\\xFF!hiccup 2!hiccup 2!hiccup 2!hiccup 2");
  }
}

BOOST_AUTO_TEST_CASE(a_chain_reports_the_failure_of_the_source_at_each_read) {
  using row = std::pair<bool, int>;
  for (const auto& [composed, buffer] : {row(false, 1), row(false, 64), row(true, 1), row(true, 64)}) {
    to_utf8 filter(encoding::utf8);
    io::filtering_istream in;
    if (composed) {
      in.push(io::compose(filter, hiccuping_source(pieces)), buffer);
    } else {
      in.push(filter, buffer);
      in.push(hiccuping_source(pieces), buffer);
    }
    in.exceptions(std::ios::badbit);
    std::string seen;
    for (int throws = 0; throws < 3;) {
      try {
        char c = 0;
        in.get(c);
        seen += c;
      } catch (const std::exception& error) {
        seen += std::string("!") + error.what();
        in.exceptions(std::ios::goodbit);
        in.clear();
        in.exceptions(std::ios::badbit);
        ++throws;
      }
    }
    BOOST_TEST(seen == "one!hiccup 2!hiccup 2!hiccup 2");
    BOOST_TEST(message_of(filter.report().failure) == "hiccup 2");
  }
}
