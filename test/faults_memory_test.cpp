// faults_memory_test.cpp: operator new that fails at the Nth call, once or from there on, for every N: making and using filters,
// chains, streams, files, conversions, and texts in memory. Either an exception tells, or all is done and right; nothing leaks; and
// what was made before works again afterwards.
#define BOOST_TEST_MODULE faults_memory
#include "counting_new.hpp"
#include "shell.hpp"
#include "tally.hpp"
#include "texts.hpp"

#include <utfilter/decoder.hpp>
#include <utfilter/fstream.hpp>
#include <utfilter/scoped_filter.hpp>
#include <utfilter/stream.hpp>
#include <utfilter/stream_source.hpp>
#include <utfilter/text.hpp>
#include <utfilter/utfilter.hpp>

#include <boost/iostreams/compose.hpp>
#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <functional>
#include <ios>
#include <istream>
#include <memory>
#include <new>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <string_view>
#include <system_error>

namespace io = boost::iostreams;
using namespace utfilter;

namespace {

//---------------------------------------------------------------------------------------------------------------- judging

/// Makes what is used, and returns its use, which can be repeated and returns what came of it.
using use_function  = std::function<std::string()>;
using make_function = std::function<use_function()>;

struct result {
  std::string text, complaint;
  bool        failed = false;  // by want of memory
};

template <class Action>
result tried(std::size_t nth, bool stays, bool& happened, Action action) {
  result r;
  {
    const failing_allocation failure(nth, stays);
    try {
      r.text = action();
    } catch (const std::bad_alloc&) {
      r.failed = true;
    } catch (const std::ios_base::failure&) {  // a link of a chain keeps the reason for itself
      r.failed = true;
    } catch (...) {
      r.complaint = "another exception";
    }
    happened = failure.happened();
  }
  return r;
}

/// Each allocation in turn, of making and using, and of using what was made.
void check(tally& cases, const char* name, const make_function& make, const std::string& expected) {
  if (make()() != expected) BOOST_ERROR(name << ": without a failure there is " << hexadecimal(make()()));
  for (const bool making : {true, false}) {
    for (const bool stays : {false, true}) {
      bool happened = true;
      for (std::size_t n = 1; happened; ++n) {
        std::string why;
        why.reserve(1000);
        bool                 right = false, works = true;
        const std::ptrdiff_t before = live_blocks;
        {
          result r;
          if (making) {
            r = tried(n, stays, happened, [&] { return make()(); });
          } else {
            use_function use = make();
            r                = tried(n, stays, happened, use);
            works            = use() == expected;
          }
          right = r.complaint.empty() && (r.failed ? happened : r.text == expected);
          why += r.complaint + (r.failed ? "a failure" : hexadecimal(r.text));
        }
        const std::ptrdiff_t leaked = live_blocks - before;
        if (cases.failed(right && works && leaked == 0))
          BOOST_ERROR(name << (making ? ", made and used" : ", used") << ", allocation " << n << (stays ? " and on: " : ": ") << why
                           << (works ? "" : ", does not work again") << ", leaked " << leaked);
      }
    }
  }
}

//---------------------------------------------------------------------------------------------------------------- devices

/// Gives its text three bytes at a time, and allocates nothing.
struct small_source {
  using char_type = char;
  using category  = io::source_tag;
  std::string_view rest;

  std::streamsize read(char* s, std::streamsize n) {
    if (rest.empty()) return -1;
    const std::size_t size = rest.copy(s, std::min<std::size_t>(3, static_cast<std::size_t>(n)));
    rest.remove_prefix(size);
    return static_cast<std::streamsize>(size);
  }
};

/// The same as a stream buffer.
struct small_streambuf : std::streambuf {
  explicit small_streambuf(std::string_view text) : source{text} {}
  int_type underflow() override {
    const std::streamsize got = source.read(area, 3);
    if (got < 0) return traits_type::eof();
    setg(area, area, area + got);
    return traits_type::to_int_type(*gptr());
  }
  small_source source;
  char         area[3];
};

/// Takes a text that is not too long, and allocates nothing.
struct room {
  char        bytes[1000];
  std::size_t size = 0;

  std::string text() const { return {bytes, size}; }
};
struct room_sink {
  using char_type = char;
  struct category : io::sink_tag, io::flushable_tag {};
  room* to;

  std::streamsize write(const char* s, std::streamsize n) {
    to->size += std::string_view(s, static_cast<std::size_t>(n)).copy(to->bytes + to->size, sizeof to->bytes - to->size);
    return n;
  }
  bool flush() { return true; }
};
struct room_streambuf : std::streambuf {
  explicit room_streambuf(room& r) : sink{&r} {}
  std::streamsize xsputn(const char* s, std::streamsize n) override { return sink.write(s, n); }
  room_sink       sink;
};

//------------------------------------------------------------------------------------------------------------------- texts

const std::string long_line = "one line that is too long for a small string\n";
const std::string wrong     = long_line + "\xC3\xA4\xFF\xE2\x82\xAC\xE2\x82\n\xF0\x9F\x98\x80";
const std::string repaired  = long_line + "\xC3\xA4\xEF\xBF\xBD\xE2\x82\xAC\xEF\xBF\xBD\n\xF0\x9F\x98\x80";
const std::string good     = "a line that is too long for a small string \xC3\xA4\xE2\x82\xAC\nanother\n";
const texts::text32 characters = U"a line that is too long for a small string \u00E4\u20AC\nanother\n";
const std::string   as_utf16   = texts::utf16be(U"\uFEFF" + characters);

params repairing() {
  params p;
  p.on_error = on_error::replace;
  return p;
}
/// Errors are told at a place that allocates.
params telling(std::string& log) {
  params p   = repairing();
  p.observer = [&log](const error_info& e) { log += e.message() + '\n'; };
  return p;
}

/// The last line and what was wrong there.
std::string line_and_error(std::istream& in) {
  in.exceptions(std::ios::badbit);
  std::string line;
  try {
    while (std::getline(in, line)) continue;
  } catch (const utf_error& e) {
    return line + e.what();
  }
  return "no error";
}

std::string all_lines(std::istream& in) {
  std::string text;
  for (std::string line; std::getline(in, line);) text += line + '\n';
  return text;
}

}  // namespace

//------------------------------------------------------------------------------------------------------------------- chains

BOOST_AUTO_TEST_CASE(chains_that_read) {
  tally cases;
  check(cases, "validator", [] {
    return [f = utf8_validator(repairing())] {
      io::filtering_istream in;
      in.push(f);
      in.push(small_source{wrong});
      in.exceptions(std::ios::badbit);
      return all_lines(in);
    };
  }, repaired + '\n');
  check(cases, "two filters, composed and not", [] {
    return [encode = from_utf8(encoding::utf16), decode = to_utf8(), check = utf8_validator()] {
      io::filtering_istream in;
      in.push(check, 5);
      in.push(decode);
      in.push(io::compose(encode, small_source{good}));
      in.exceptions(std::ios::badbit);
      return all_lines(in);
    };
  }, good);
  check(cases, "stream_source", [] {
    return [f = to_utf8()] {
      small_streambuf       buffer(as_utf16);
      std::istream          beneath(&buffer);
      io::filtering_istream in;
      in.push(f);
      in.push(stream_source(beneath));
      std::string text;
      io::copy(in, io::back_inserter(text));
      return text;
    };
  }, good);
  check(cases, "strict error", [] {
    return [f = utf8_validator()] {
      io::filtering_istream in;
      in.push(f);
      in.push(small_source{wrong});
      return line_and_error(in);
    };
  }, "\xC3\xA4line 2, column 2 (byte 47): byte that no text contains: FF");
  // The filter itself: without memory for what follows an error, what precedes it has been delivered.
  check(cases, "filter", [] {
    return [f = escape_controls(on_error::escape)]() mutable {
      struct closing {
        escape_controls& filter;
        small_source&    source;
        ~closing() { filter.close(source, std::ios::in); }
      };
      small_source  source{"a\x1B\xFF and a rest that is longer"};
      const closing at_end{f, source};
      std::string   text;
      char          some[64];
      for (std::streamsize n; (n = f.read(source, some, sizeof some)) >= 0;) text.append(some, static_cast<std::size_t>(n));
      return text;
    };
  }, "a\\x1B\\xFF and a rest that is longer");
  cases.summary("chains that read");
}

BOOST_AUTO_TEST_CASE(chains_that_write) {
  tally cases;
  check(cases, "to UTF-16", [] {
    return [f = from_utf8(encoding::utf16)] {
      room                  to;
      io::filtering_ostream out;
      out.push(f);
      out.push(room_sink{&to});
      out.exceptions(std::ios::badbit);
      out << good << std::flush;
      out.reset();
      return to.text();
    };
  }, as_utf16);
  check(cases, "two filters, composed and not", [] {
    return [encode = from_utf8(encoding::utf16), decode = to_utf8(), check = utf8_validator(repairing())] {
      room                  to;
      io::filtering_ostream out;
      out.push(check);
      out.push(encode, 4);
      out.push(io::compose(decode, room_sink{&to}));
      out.exceptions(std::ios::badbit);
      out << wrong;
      out.reset();
      return to.text();
    };
  }, repaired);
  check(cases, "a sink that needs memory", [] {
    return [f = escape_controls()] {
      std::string           text;
      io::filtering_ostream out;
      out.push(f);
      out.push(io::back_inserter(text));
      out.exceptions(std::ios::badbit);
      for (int i = 0; i < 3; ++i) out << good << std::flush;
      out.reset();
      return text;
    };
  }, good + good + good);
  check(cases, "strict error", [] {
    return [f = utf8_validator()] {
      room                  to;
      io::filtering_ostream out;
      out.push(f);
      out.push(room_sink{&to});
      out << wrong;
      try {
        out.reset();
      } catch (const utf_error& e) {
        return to.text() + e.what();
      }
      return std::string("no error");
    };
  }, wrong.substr(0, 47) + "line 2, column 2 (byte 47): byte that no text contains: FF");
  cases.summary("chains that write");
}

//------------------------------------------------------------------------------------------------------------------ streams

BOOST_AUTO_TEST_CASE(standard_streams) {
  tally cases;
  check(cases, "istream", [] {
    return [] {
      small_streambuf   beneath(as_utf16);
      utfilter::istream in(&beneath);
      in.exceptions(std::ios::badbit);
      return all_lines(in);
    };
  }, good);
  check(cases, "istream that seeks", [] {
    return [] {
      std::istringstream beneath(as_utf16);
      utfilter::istream  in(beneath, repairing());
      in.exceptions(std::ios::badbit);
      std::string text = all_lines(in);
      in.clear();
      in.seekg(2);
      return text + all_lines(in);
    };
  }, good + good.substr(2));
  check(cases, "istream, strict error", [] {
    return [] {
      small_streambuf   beneath(wrong);
      utfilter::istream in(&beneath);
      return line_and_error(in);
    };
  }, "\xC3\xA4line 2, column 2 (byte 47): byte that no text contains: FF");
  check(cases, "ostream", [] {
    return [] {
      room              to;
      room_streambuf    beneath(to);
      utfilter::ostream out(&beneath, encoding::utf16);
      out.exceptions(std::ios::badbit);
      out << good;
      out.close();
      return to.text();
    };
  }, as_utf16);
  check(cases, "ostream and an observer", [] {
    return [] {
      room              to;
      room_streambuf    beneath(to);
      std::string       log;
      utfilter::ostream out(&beneath, encoding::utf8, telling(log));
      out.exceptions(std::ios::badbit);
      out << wrong;
      out.close();
      return to.text() + log;
    };
  }, repaired + "byte that no text contains: FF\ntruncated sequence: E2 82\n");
  check(cases, "scoped_filter", [] {
    return [] {
      room           to;
      room_streambuf beneath(to);
      std::ostream   out(&beneath);
      {
        scoped_filter filter(out);
        out.exceptions(std::ios::badbit);
        out << wrong << std::flush;
      }
      if (out.rdbuf() != &beneath) return std::string("the buffer was not put back");
      return to.text();
    };
  }, repaired);
  cases.summary("standard streams");
}

BOOST_AUTO_TEST_CASE(files) {
  const shell::scratch_directory d;
  const std::string              file = d / "file", wrong_file = d / "wrong", written = d / "written";
  shell::write(file, as_utf16);
  shell::write(wrong_file, wrong);
  tally cases;
  check(cases, "ifstream", [&] {
    return [&] {
      utfilter::ifstream in(file);
      return all_lines(in);
    };
  }, good);
  check(cases, "ofstream", [&] {
    return [&] {
      utfilter::ofstream out(written, encoding::utf16);
      out << good;
      out.close();
      return shell::content(written);
    };
  }, as_utf16);
  check(cases, "ofstream that appends", [&] {
    return [&] {
      shell::write(written, "\xFF\xFE");
      utfilter::ofstream out(written, encoding::utf16, std::ios::app);
      out << "a";
      out.close();
      return shell::content(written);
    };
  }, std::string("\xFF\xFE" "a\0", 4));
  check(cases, "read_file", [&] { return [&] { return read_file(file); }; }, good);
  check(cases, "read_file, strict error", [&] {
    return [&] {
      try {
        return read_file(wrong_file);
      } catch (const utf_error& e) {
        return std::string(e.what());
      }
    };
  }, "line 2, column 2 (byte 47): byte that no text contains: FF");
  check(cases, "read_file that is none", [&] {
    return [&] {
      try {
        return read_file(d / "none");
      } catch (const std::ios_base::failure& e) {
        return std::string(e.code() == std::errc::no_such_file_or_directory ? "none" : "another");
      }
    };
  }, "none");
  cases.summary("files");
}

//--------------------------------------------------------------------------------------------------------- without streams

BOOST_AUTO_TEST_CASE(conversions_and_texts) {
  tally cases;
  check(cases, "decoder", [] {
    return [d = std::make_shared<decoder>(repairing())] {
      std::string text;
      char        some[7];
      std::size_t taken = 0;
      d->begin(decoder::direction::reading);
      for (std::size_t calls = 0; calls < wrong.size(); ++calls) {
        const codec_progress step = d->convert(wrong.data() + taken, wrong.size() - taken, some, sizeof some, true);
        taken += step.consumed;
        text.append(some, step.produced);
        if (d->failure()) std::rethrow_exception(d->failure());
        if (step.status == codec_status::done) break;
      }
      return text;
    };
  }, repaired);
  check(cases, "decoder, strict", [] {
    return [d = std::make_shared<decoder>(encoding::utf8, on_error::strict)] {
      char some[100];
      d->begin(decoder::direction::reading);
      d->convert(wrong.data(), wrong.size(), some, sizeof some, true);
      try {
        if (d->failure()) std::rethrow_exception(d->failure());
      } catch (const utf_error& e) {
        return std::string(e.what());
      }
      return std::string("no error");
    };
  }, "line 2, column 2 (byte 47): byte that no text contains: FF");
  const auto refusal = [] {
    try {
      encoder{encoding::detect};
    } catch (const std::invalid_argument& e) {
      return std::string(e.what());
    }
    return std::string("none");
  };
  check(cases, "params that make no sense", [=] { return refusal; }, refusal());
  check(cases, "sanitize", [] { return [] { return sanitize(wrong); }; }, repaired);
  check(cases, "find_error", [] {
    return [] { return is_utf8(wrong) ? std::string() : to_string(*find_error(wrong)); };
  }, "line 2, column 2 (byte 47): byte that no text contains: FF");
  check(cases, "utf_category", [] {
    return [] { return make_error_code(errc::overlong).message(); };
  }, utf_category().message(static_cast<int>(errc::overlong)));
  cases.summary("conversions and texts");
}
