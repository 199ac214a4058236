// next_element_test.cpp: in the middle of a use the element after a filter is popped and another one is pushed, as a
// rotating log does. The tests go through every pair of elements. Before the change they write nothing, whole
// characters, a cut character or an error, and flush it or not.
#define BOOST_TEST_MODULE next_element
#include "support/files.hpp"
#include "support/gzipped.hpp"
#include "support/outcomes.hpp"
#include "support/test_devices.hpp"

#include <utfilter/utfilter.hpp>

#include <boost/iostreams/close.hpp>
#include <boost/iostreams/compose.hpp>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/device/file.hpp>
#include <boost/iostreams/device/file_descriptor.hpp>
#include <boost/iostreams/filter/counter.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/newline.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <boost/iostreams/tee.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <fstream>
#include <functional>
#include <ios>
#include <istream>
#include <memory>
#include <ostream>
#include <sstream>
#include <streambuf>
#include <string>
#include <utility>
#include <vector>

namespace io = boost::iostreams;
using namespace utfilter;
using namespace std::string_literals;
using files::temporary_file;

namespace {

//---------------------------------------------------------------------------------------------- elements after a filter

/// A chain from which elements can be popped without being closed. It begins with this element.
template <class Stream>
struct changing : Stream {
  template <class Element>
  explicit changing(const Element& first, int buffer = -1) {
    this->set_auto_close(false);
    this->push(first, buffer);
  }
};
using output = changing<io::filtering_ostream>;
using input = changing<io::filtering_istream>;

/// One or two elements at the end of an output chain, and the text that has reached them.
class target {
 public:
  virtual ~target() = default;
  virtual void push(io::filtering_ostream&) = 0;
  virtual std::string text() = 0;                 // complete once they are popped or the chain is closed
  virtual void detach(io::filtering_ostream&) {}  // called before they are popped instead of closed
  virtual void finish() {}                        // called after they were popped
};

std::string text_in(const temporary_file& file) { return file.content(); }
std::string text_in(const std::ostringstream& stream) { return stream.str(); }
std::string text_in(const std::string& text) { return text; }

struct written_file {
  temporary_file file;
  std::ofstream stream{file.path().string(), std::ios::binary};  // it has its own buffer, which must be flushed
};
std::string text_in(const written_file& written) { return text_in(written.file); }

using array = std::array<char, 1000>;
std::string text_in(const array& memory) { return {memory.begin(), std::find(memory.begin(), memory.end(), '\0')}; }

struct two_texts {
  std::string one, two;
};
std::string text_in(const two_texts& both) {
  BOOST_TEST(both.one == both.two);
  return both.two;
}

/// The elements that the function `push` pushes. They write to `place`.
template <class Place, class Push>
class simple_target : public target {
 public:
  explicit simple_target(const Push& push) : push_(push) {}
  void push(io::filtering_ostream& out) override { push_(out, place_); }
  std::string text() override { return text_in(place_); }

 private:
  Push push_;
  Place place_ = Place();
};

class gzip_target : public target {
  void push(io::filtering_ostream& out) override {
    out.push(io::gzip_compressor());
    out.push(io::back_inserter(text_));
  }
  void detach(io::filtering_ostream& out) override { compressor_ = std::make_unique<io::gzip_compressor>(pushed(out)); }
  void finish() override {
    auto sink = io::back_inserter(text_);
    io::close(*compressor_, sink, std::ios::out);
  }
  std::string text() override { return text_.empty() ? "" : unpacked(text_); }

  std::unique_ptr<io::gzip_compressor> compressor_;

 protected:
  virtual const io::gzip_compressor& pushed(io::filtering_ostream& out) {
    return *out.component<io::gzip_compressor>(1);
  }
  std::string text_;
};

class composed_gzip_target : public gzip_target {
  void push(io::filtering_ostream& out) override {
    out.push(io::compose(io::gzip_compressor(), io::back_inserter(text_)));
  }
  const io::gzip_compressor& pushed(io::filtering_ostream& out) override {
    return out.component<decltype(io::compose(io::gzip_compressor(), io::back_inserter(text_)))>(1)->first();
  }
};

struct kind {
  const char* name;
  std::function<std::unique_ptr<target>()> make;
};

template <class Place, class Push>
kind into(const char* name, const Push& push) {
  return {name, [=] { return std::make_unique<simple_target<Place, Push>>(push); }};
}
template <class Filter>
kind pushed(const char* name, const Filter& filter) {
  return into<std::string>(name, [=](auto& out, auto& text) {
    out.push(filter);
    out.push(io::back_inserter(text));
  });
}
template <class Filter>
kind composed(const char* name, const Filter& filter) {
  return into<std::string>(name,
                           [=](auto& out, auto& text) { out.push(io::compose(filter, io::back_inserter(text))); });
}

const std::vector<kind>& kinds() {
  static const std::vector<kind> all = {
      into<temporary_file>(
          "file_sink", [](auto& out, auto& file) { out.push(io::file_sink(file.path().string(), std::ios::binary)); }),
      into<temporary_file>(
          "file_descriptor_sink",
          [](auto& out, auto& file) { out.push(io::file_descriptor_sink(file.path().string(), std::ios::binary)); }),
      into<std::ostringstream>("std::ostringstream", [](auto& out, auto& stream) { out.push(stream); }),
      into<written_file>("std::ofstream", [](auto& out, auto& file) { out.push(file.stream); }),
      into<std::ostringstream>(
          "std::streambuf", [](auto& out, auto& stream) { out.push(static_cast<std::streambuf&>(*stream.rdbuf())); }),
      into<std::string>("back_inserter", [](auto& out, auto& text) { out.push(io::back_inserter(text)); }),
      into<array>("array_sink",  // a direct device
                  [](auto& out, auto& memory) { out.push(io::array_sink(memory.data(), memory.size())); }),
      into<std::string>("back_inserter, unbuffered",
                        [](auto& out, auto& text) { out.push(io::back_inserter(text), 0); }),
      {"gzip_compressor", [] { return std::make_unique<gzip_target>(); }},
      pushed("newline_filter", io::newline_filter(io::newline::posix)),
      pushed("counter", io::counter()),
      pushed("bom_filter", bom_filter(bom::keep)),
      composed("compose(counter, back_inserter)", io::counter()),
      composed("compose(bom_filter, back_inserter)", bom_filter(bom::keep)),
      {"compose(gzip_compressor, back_inserter)", [] { return std::make_unique<composed_gzip_target>(); }},
      into<two_texts>("tee_filter",
                      [](auto& out, auto& to) {
                        out.push(io::tee(io::back_inserter(to.one)));
                        out.push(io::back_inserter(to.two));
                      }),
      into<two_texts>(
          "tee_device",
          [](auto& out, auto& to) { out.push(io::tee(io::back_inserter(to.one), io::back_inserter(to.two))); }),
  };
  return all;
}

/// The text written before the change and after it. `ready` is the part of `before` that a filter can hand on at once.
struct writing {
  const char* name;
  std::string before, ready, after;
};

const std::vector<writing>& writings() {
  static const std::vector<writing> all = {
      {"nothing", "", "", "after\n"},
      {"whole characters", "one\n\u00E9\n", "one\n\u00E9\n", "two\n"},
      {"a cut character", "one\n\xE2\x82", "one\n", "\xAC two\n"},
      {"whole characters, and nothing after", "one\n", "one\n", ""},
  };
  return all;
}

/// Pops a target's elements. Before them the chain has one filter.
void pop(io::filtering_ostream& out, target& t) {
  t.detach(out);
  while (out.size() > 1) out.pop();
  t.finish();
}

/// Calls the test with each pair of targets.
template <class Test>
void with_each_pair(const Test& test) {
  for (const kind& first : kinds())
    for (const kind& second : kinds())
      BOOST_TEST_CONTEXT(first.name << ", then " << second.name) test(*first.make(), *second.make());
}

//-------------------------------------------------------------------------------------------------------------- writing

BOOST_AUTO_TEST_CASE(text_written_before_and_after_a_change_arrives_once_for_every_pair_of_elements) {
  for (const writing& w : writings())
    for (const bool flushed : {false, true}) {
      with_each_pair([&](target& from, target& to) {
        BOOST_TEST_CONTEXT(w.name << ", flushed " << flushed) {
          utf8_validator check;
          output out(check);
          from.push(out);
          out << w.before;
          if (flushed) out.flush();
          BOOST_TEST(out.good());
          pop(out, from);
          to.push(out);
          out << w.after;
          if (flushed) out.flush();
          BOOST_TEST(out.good());
          BOOST_TEST(thrown_by([&] { out.reset(); }) == "");
          const std::string early = flushed ? w.ready : "";  // unflushed text waits before the filter
          BOOST_TEST(from.text() == early);
          BOOST_TEST(to.text() == (w.before + w.after).substr(early.size()));
          BOOST_TEST(check.report().bytes_in == w.before.size() + w.after.size());
          BOOST_TEST(check.report().errors == 0u);
        }
      });
    }
}

BOOST_AUTO_TEST_CASE(a_transcoder_carries_a_cut_character_over_to_the_next_element) {
  with_each_pair([](target& from, target& to) {
    output out{utf16_to_utf8(encoding::utf16be)};
    from.push(out);
    out << std::string("\0a\xD8\x3D", 4) << std::flush;
    pop(out, from);
    to.push(out);
    out << std::string("\xDE\x00\0b", 4) << std::flush;
    BOOST_TEST(out.good());
    BOOST_TEST(thrown_by([&] { out.reset(); }) == "");
    BOOST_TEST(from.text() == "a");
    BOOST_TEST(to.text() == "\U0001F600b");
  });
}

BOOST_AUTO_TEST_CASE(an_error_sticks_when_the_next_element_changes) {
  for (const bool flushed : {false, true}) {
    with_each_pair([&](target& from, target& to) {
      BOOST_TEST_CONTEXT("flushed " << flushed) {
        utf8_validator check;
        output out(check);
        from.push(out);
        out << "pq\xFFrs";
        if (flushed) out.flush();
        BOOST_TEST(out.bad() == flushed);
        pop(out, from);
        to.push(out);
        out.clear();
        out << "tu" << std::flush;
        BOOST_TEST(out.bad());
        BOOST_TEST(thrown_by([&] { out.reset(); }) == "line 1, column 3 (byte 2): byte that no text contains: FF");
        BOOST_TEST(from.text() == (flushed ? "pq" : ""));
        BOOST_TEST(to.text() == (flushed ? "" : "pq"));
        BOOST_TEST(check.report().errors == 1u);
      }
    });
  }
}

BOOST_AUTO_TEST_CASE(the_next_element_can_change_a_hundred_times_in_one_use) {
  utf8_validator check;
  output out(check);
  std::vector<std::unique_ptr<target>> all;
  std::string text, arrived;
  for (std::size_t i = 0; i < 100; ++i) {
    if (i != 0) pop(out, *all.back());
    all.push_back(kinds()[i * 7 % kinds().size()].make());
    all.back()->push(out);
    const std::string line = i % 2 == 0 ? "line " + std::to_string(i) + " \xE2\x82"
                                        : "\xAC\n"s;  // every other line begins by completing a character
    out << line << std::flush;
    BOOST_TEST(out.good());
    text += line;
  }
  BOOST_TEST(thrown_by([&] { out.reset(); }) == "");
  for (const auto& one : all) arrived += one->text();
  BOOST_TEST(arrived == text);
  BOOST_TEST(check.report().lines == 50u);
}

BOOST_AUTO_TEST_CASE(a_filter_carries_a_cut_character_from_one_composite_to_the_next) {
  std::string first, second;
  utf8_validator check;
  output out(io::compose(check, io::back_inserter(first)));
  out << "one \xE2" << std::flush;
  out.pop();
  out.push(io::compose(check, io::compose(io::counter(), io::back_inserter(second))));
  out << "\x82\xAC two" << std::flush;
  BOOST_TEST(out.good());
  BOOST_TEST(thrown_by([&] { out.reset(); }) == "");
  BOOST_TEST(first == "one ");
  BOOST_TEST(second == "\u20AC two");
  BOOST_TEST(check.report().bytes_in == 11u);
}

// When an element is popped before a flush, Boost.Iostreams deletes the text in the element's buffer, whatever filter
// stands before it. If the element has no buffer, nothing is lost.
BOOST_AUTO_TEST_CASE(long_text_is_not_lost_without_a_flush_if_the_elements_have_no_buffer) {
  std::string text;
  while (text.size() < 150'000) text += "a line with \u20AC\n";
  for (const std::size_t cut : {65'471u, 65'473u, 100'001u, 149'999u}) {
    std::string first, second;
    output out{utf8_validator()};
    out.push(io::back_inserter(first), 0);
    out << text.substr(0, cut);
    out.pop();
    out.push(io::back_inserter(second), 0);
    out << text.substr(cut);
    BOOST_TEST(thrown_by([&] { out.reset(); }) == "");
    BOOST_TEST(!first.empty() == (cut > 65'472));  // the filter's link is full
    BOOST_TEST((first + second == text));
  }
}

BOOST_AUTO_TEST_CASE(a_full_disk_is_reported_whatever_element_was_there_before) {
  const std::vector<std::pair<const char*, std::function<void(io::filtering_ostream&, std::ostream&)>>> full_disks = {
      {"file_sink", [](io::filtering_ostream& out, std::ostream&) { out.push(io::file_sink("/dev/full")); }},
      {"file_descriptor_sink",
       [](io::filtering_ostream& out, std::ostream&) { out.push(io::file_descriptor_sink("/dev/full")); }},
      {"std::ofstream", [](io::filtering_ostream& out, std::ostream& full) { out.push(full); }},
      {"std::streambuf", [](io::filtering_ostream& out, std::ostream& full) { out.push(*full.rdbuf()); }},
      {"counter, then file_descriptor_sink, unbuffered",
       [](io::filtering_ostream& out, std::ostream&) {
         out.push(io::counter(), 0);
         out.push(io::file_descriptor_sink("/dev/full"), 0);
       }},
      {"compose(counter, file_descriptor_sink)",
       [](io::filtering_ostream& out, std::ostream&) {
         out.push(io::compose(io::counter(), io::file_descriptor_sink("/dev/full")));
       }},
      {"bom_filter, then file_sink",
       [](io::filtering_ostream& out, std::ostream&) {
         out.push(bom_filter(bom::keep));
         out.push(io::file_sink("/dev/full"));
       }},
  };
  for (const kind& first : kinds())
    for (const auto& [name, push_full_disk] : full_disks)
      for (const bool before : {false, true})
        for (const bool flushed : {false, true}) {
          BOOST_TEST_CONTEXT(first.name << ", then " << name << ", text before " << before << ", flushed " << flushed) {
            const auto from = first.make();
            std::ofstream full("/dev/full");
            utf8_validator check;
            output out(check);
            from->push(out);
            if (before) out << "before" << std::flush;
            BOOST_TEST(out.good());
            pop(out, *from);
            push_full_disk(out, full);
            out << "after";
            if (flushed) out.flush();
            BOOST_TEST(out.bad() == flushed);
            BOOST_CHECK_THROW(out.reset(), std::ios_base::failure);
            BOOST_TEST(from->text() == (before ? "before" : ""));
            BOOST_TEST((check.report().failure != nullptr));
          }
        }
}

// When the last element of a chain was popped and not replaced, Boost closes the chain over a device that swallows all
// text.
BOOST_AUTO_TEST_CASE(a_chain_that_lost_its_last_element_is_closed_without_harm) {
  for (const kind& first : kinds()) {
    BOOST_TEST_CONTEXT(first.name) {
      const auto from = first.make();
      {
        output out{utf8_validator()};
        from->push(out);
        out << "one" << std::flush;
        pop(out, *from);
      }
      BOOST_TEST(from->text() == "one");
    }
  }
}

//-------------------------------------------------------------------------------------------------------------- reading

/// One or two elements that give a text at the end of an input chain.
struct source_kind {
  const char* name;
  std::function<void(io::filtering_istream&, std::istream& text, const std::string&)> push;
};

template <class Filter>
void push_filtered(io::filtering_istream& in, const Filter& filter, const std::string& text) {
  in.push(filter);
  in.push(io::array_source(text.data(), text.size()));
}

const std::vector<source_kind>& source_kinds() {
  using chain = io::filtering_istream;
  using text = const std::string;
  static const std::vector<source_kind> all = {
      {"array_source", [](chain& in, std::istream&, text& t) { in.push(io::array_source(t.data(), t.size())); }},
      {"std::istream", [](chain& in, std::istream& s, text&) { in.push(s); }},
      {"std::istream, a byte at a time", [](chain& in, std::istream& s, text&) { in.push(s, 1); }},
      {"std::streambuf", [](chain& in, std::istream& s, text&) { in.push(*s.rdbuf()); }},
      {"stream_source", [](chain& in, std::istream& s, text&) { in.push(stream_source(s)); }},
      {"counter", [](chain& in, std::istream&, text& t) { push_filtered(in, io::counter(), t); }},
      {"newline_filter",
       [](chain& in, std::istream&, text& t) { push_filtered(in, io::newline_filter(io::newline::posix), t); }},
      {"bom_filter", [](chain& in, std::istream&, text& t) { push_filtered(in, bom_filter(bom::keep), t); }},
      {"gzip_decompressor",
       [](chain& in, std::istream& s, text& t) {
         static_cast<std::istringstream&>(s).str(gzipped(t));
         in.push(io::gzip_decompressor());
         in.push(s);
       }},
      {"compose(counter, istream)", [](chain& in, std::istream& s, text&) { in.push(io::compose(io::counter(), s)); }},
      {"compose(bom_filter, istream)",
       [](chain& in, std::istream& s, text&) { in.push(io::compose(bom_filter(bom::keep), s)); }},
  };
  return all;
}

/// Calls the test with each pair of elements, as functions that push them, and with a buffer size for the filter.
template <class Test>
void with_each_pair(const std::string& one, const std::string& two, const Test& test) {
  for (const source_kind& first : source_kinds())
    for (const source_kind& second : source_kinds())
      for (const int buffer : {-1, 1}) {
        BOOST_TEST_CONTEXT(first.name << ", then " << second.name << ", buffer " << buffer) {
          std::istringstream from(one), to(two);
          const auto push_first = [&](input& in) { first.push(in, from, one); };
          const auto push_second = [&](input& in) { second.push(in, to, two); };
          test(push_first, push_second, buffer);
        }
      }
}

// The text that the popped element has read ahead is lost with it. The text that the filter has taken from it is read
// before the text of the next element.
BOOST_AUTO_TEST_CASE(reading_continues_in_the_next_element) {
  const std::string one = "one \u20AC\nrest", two = "two \u20AC\n";
  for (const std::size_t taken : {0u, 3u, 8u}) {
    with_each_pair(one, two, [&](const auto& push_first, const auto& push_second, int buffer) {
      BOOST_TEST_CONTEXT(taken << " bytes read") {
        utf8_validator check;
        input in(check, buffer);
        push_first(in);
        std::string begin(taken, '\0');
        in.read(begin.data(), static_cast<std::streamsize>(taken));
        BOOST_TEST(begin == one.substr(0, taken));
        while (in.size() > 1) in.pop();
        push_second(in);
        const std::string rest = files::rest(in);
        BOOST_TEST(rest.size() >= two.size());
        const std::string ahead = rest.substr(0, rest.size() - std::min(rest.size(), two.size()));
        BOOST_TEST(one.compare(taken, ahead.size(), ahead) == 0);
        BOOST_TEST(rest == ahead + two);
        BOOST_TEST(check.report().bytes_in == taken + rest.size());
        BOOST_TEST(check.report().errors == 0u);
      }
    });
  }
}

BOOST_AUTO_TEST_CASE(a_source_that_is_pushed_after_the_end_of_another_one_is_a_new_text) {
  const std::string one = "\xFE\xFF\0a\x20\xAC"s, two = "\xEF\xBB\xBFtwo \u20AC\n";
  with_each_pair(one, two, [&](const auto& push_first, const auto& push_second, int buffer) {
    to_utf8 decode;
    input in(decode, buffer);
    push_first(in);
    BOOST_TEST(files::rest(in) == "a\u20AC");
    in.clear();
    BOOST_TEST(in.get() == std::char_traits<char>::eof());  // this source is still at its end
    BOOST_TEST((decode.report().encoding == encoding::utf16be));
    while (in.size() > 1) in.pop();
    push_second(in);
    in.clear();
    BOOST_TEST(files::rest(in) == "two \u20AC\n");
    BOOST_TEST((decode.report().encoding == encoding::utf8));
    BOOST_TEST(decode.report().bytes_in == two.size());
  });
}

BOOST_AUTO_TEST_CASE(a_character_that_the_first_source_cut_is_completed_by_the_second) {
  const devices::piecewise_source first({"one \xE2", "\x82", ""}), second({"\xAC two"});
  utf8_validator check;
  input in(check);
  in.push(first);
  BOOST_TEST(files::rest(in) == "one ");  // until the source would block
  in.pop();
  in.push(second);
  in.clear();
  BOOST_TEST(files::rest(in) == "\u20AC two");
  BOOST_TEST(check.report().errors == 0u);
  BOOST_TEST(check.report().bytes_in == 11u);
}

BOOST_AUTO_TEST_CASE(text_that_a_filter_took_from_a_composed_source_is_read_before_the_next_source) {
  const devices::piecewise_source first({"one\n\xE2\x82"}), second({"\xAC two\n"});
  utf8_validator check;
  input in(io::compose(check, first), 1);
  std::string one, two;
  std::getline(in, one);
  BOOST_TEST(one == "one");
  in.pop();
  in.push(io::compose(check, second), 1);
  std::getline(in, two);
  BOOST_TEST(two == "\u20AC two");
  BOOST_TEST(check.report().errors == 0u);
}

BOOST_AUTO_TEST_CASE(an_error_in_one_source_sticks_when_the_next_one_is_pushed) {
  const std::string bad = "ab\xFF", good = "cd";
  utf8_validator check;
  input in(check);
  in.push(io::array_source(bad.data(), bad.size()));
  std::string line;
  std::getline(in, line);
  BOOST_TEST(line == "ab");
  BOOST_TEST(in.bad());
  in.pop();
  in.push(io::array_source(good.data(), good.size()));
  in.clear();
  BOOST_TEST(!std::getline(in, line));
  BOOST_TEST(in.bad());
  BOOST_TEST(check.report().errors == 1u);
}

}  // namespace
