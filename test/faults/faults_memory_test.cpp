// faults_memory_test.cpp: operator new fails at the Nth call, once or from there on, for every N, while filters,
// chains, streams, files, conversions and texts in memory are made and used. Either an exception reports the failure,
// and the output is the start of the text, or all output is there and right. Nothing leaks, and objects made before the
// failure work again afterwards. (faults_reading_test and faults_writing_test check that no text before the failure is
// lost; logging_spdlog_test has spdlog's sinks. gzip is left out: if push has no memory for it, Boost closes the
// compressor through a null pointer, and writes there.)
// build: option:-fno-sanitize=null option:-fno-delete-null-pointer-checks
#define BOOST_TEST_MODULE faults_memory
#include "support/counting_new.hpp"
#include "support/files.hpp"
#include "support/tally.hpp"
#include "support/test_devices.hpp"
#include "support/test_streambufs.hpp"
#include "support/texts.hpp"

#include <utfilter/decoder.hpp>
#include <utfilter/fstream.hpp>
#include <utfilter/scoped_filter.hpp>
#include <utfilter/stream.hpp>
#include <utfilter/stream_source.hpp>
#include <utfilter/text.hpp>
#include <utfilter/utfilter.hpp>

#include <boost/iostreams/compose.hpp>
#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <boost/test/unit_test.hpp>

#include <fcntl.h>
#include <unistd.h>

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
#include <vector>

namespace io = boost::iostreams;
using namespace utfilter;

namespace {

//-------------------------------------------------------------------------------------------------------------- judging

/// The output of a use. It outlives a failure, and needs no memory. Text that does not fit is not stored, so that the
/// comparison fails.
struct room {
  char bytes[1000];
  std::size_t size = 0;
  devices::call_budget budget;  // for a sink

  void append(std::string_view text) { size += text.copy(bytes + size, sizeof bytes - size); }
  void operator+=(char c) { append({&c, 1}); }
  std::string_view text() const { return {bytes, size}; }
};

/// The outer function makes the objects and returns their use. The use can be repeated, and writes its output to the
/// room.
using use_function = std::function<void(room&)>;
using make_function = std::function<use_function()>;

/// How an action ends.
enum class ending { done, without_memory, wrong };

template <class Action>
ending tried(failing_allocation& failure, const Action& action) {
  try {
    failure.during(action);
    return ending::done;
  } catch (const std::bad_alloc&) {
    return ending::without_memory;
  } catch (const utf_error&) {  // each test catches the errors of its text
    return ending::wrong;
  } catch (const std::ios_base::failure& e) {
    // Thrown by a stream over an incomplete chain: the link does not pass on the reason.
    return e.code() == std::io_errc::stream ? ending::without_memory : ending::wrong;
  } catch (...) {
    return ending::wrong;
  }
}

/// The output of a use with enough memory.
std::string delivered(const use_function& use) {
  room to;
  use(to);
  return std::string(to.text());
}

/// Each allocation fails in turn: first while the objects are made and used, then while existing objects are used.
void check(tally& cases, const char* name, const make_function& make, const std::string& expected) {
  const devices::watchdog dog(name);  // for loops that call none of our devices
  if (delivered(make()) != expected)
    BOOST_ERROR(name << ": without a failure there is " << hexadecimal(delivered(make())));
  for (const bool making : {true, false})
    for (const bool stays : {false, true}) {
      bool happened = true;
      for (std::size_t n = 1; happened; ++n) {
        failing_allocation failure(n, stays);
        room to;
        ending end;
        bool works = true;
        const std::ptrdiff_t before = live_blocks;
        if (making) {
          end = tried(failure, [&] { make()(to); });
        } else {
          const use_function use = make();
          end = tried(failure, [&] { use(to); });
          works = delivered(use) == expected;
        }
        const std::ptrdiff_t leaked = live_blocks - before;
        happened = failure.happened();
        const bool right = end == ending::done ? to.text() == expected
                                               : end == ending::without_memory && happened &&
                                                     expected.compare(0, to.size, to.text()) == 0;
        if (cases.failed(right && works && leaked == 0))
          BOOST_ERROR(name << (making ? ", made and used" : ", used") << ", allocation " << n
                           << (stays ? " and on: " : ": ") << hexadecimal(to.text())
                           << (end == ending::done    ? ", done"
                               : end == ending::wrong ? ", another exception"
                                                      : ", a failure")
                           << (works ? "" : ", does not work again") << ", leaked " << leaked);
      }
    }
}

//-------------------------------------------------------------------------------------------------------------- devices

/// Returns its text three bytes at a time, and allocates nothing.
class small_source {
 public:
  using char_type = char;
  using category = io::source_tag;
  explicit small_source(std::string_view text) : rest(text) { budget.allow_for(text.size()); }

  std::streamsize read(char* s, std::streamsize n) {
    budget.spend();
    if (rest.empty()) return -1;
    const std::size_t size = rest.copy(s, std::min<std::size_t>(3, static_cast<std::size_t>(n)));
    rest.remove_prefix(size);
    return static_cast<std::streamsize>(size);
  }

 private:
  std::string_view rest;
  devices::call_budget budget;
};

/// The same source as a stream buffer.
struct small_streambuf : streambufs::source_streambuf<small_source, 3> {
  explicit small_streambuf(std::string_view text) : source_streambuf(small_source{text}) {}
};

/// Takes text, and allocates nothing.
struct room_sink {
  using char_type = char;
  struct category : io::sink_tag, io::flushable_tag {};
  room* to;

  std::streamsize write(const char* s, std::streamsize n) {
    to->budget.spend();
    to->budget.allow_for(static_cast<std::size_t>(n));
    to->append({s, static_cast<std::size_t>(n)});
    return n;
  }
  bool flush() {
    to->budget.spend();
    return true;
  }
};
/// A room_sink that needs memory for each write.
struct needy_sink : room_sink {
  std::streamsize write(const char* s, std::streamsize n) {
    const std::vector<char> copy(s, s + n);
    return room_sink::write(copy.data(), n);
  }
};
struct room_streambuf : streambufs::sink_streambuf<room_sink> {
  explicit room_streambuf(room& r) : sink_streambuf(room_sink{&r}) {}
};

//---------------------------------------------------------------------------------------------------------------- texts

const std::string long_line = "one line that is too long for a small string\n";
const std::string wrong = long_line + "\xC3\xA4\xFF\xE2\x82\xAC\xE2\x82\n\xF0\x9F\x98\x80";
const std::string repaired = long_line + "\xC3\xA4\xEF\xBF\xBD\xE2\x82\xAC\xEF\xBF\xBD\n\xF0\x9F\x98\x80";
const std::string good = "a line that is too long for a small string \xC3\xA4\xE2\x82\xAC\nanother\n";
const texts::text32 characters = U"a line that is too long for a small string \u00E4\u20AC\nanother\n";
const std::string as_utf16 = texts::utf16be(U"\uFEFF" + characters);

/// The observer of errors allocates.
params telling(std::string& log) {
  params p = utfilter::log_params();
  p.observer = [&log](const error_info& e) { log += e.message() + '\n'; };
  return p;
}

/// Stores each character as soon as it is read.
void read_all(std::istream& in, room& to) {
  in.exceptions(std::ios::badbit);
  for (int c; (c = in.get()) != std::char_traits<char>::eof();) to += std::char_traits<char>::to_char_type(c);
}

/// Stores the message of a final error after the characters.
void read_all_and_error(std::istream& in, room& to) {
  try {
    read_all(in, to);
  } catch (const utf_error& e) {
    to.append(e.what());
  }
}

const std::string start_of_wrong_and_error =
    wrong.substr(0, 47) + "line 2, column 2 (byte 47): byte that no text contains: FF";

//--------------------------------------------------------------------------------------------------------------- chains

BOOST_AUTO_TEST_CASE(reading_chains_survive_every_failed_allocation) {
  tally cases;
  check(
      cases, "validator",
      [] {
        return [f = utf8_validator(utfilter::log_params())](room& to) {
          io::filtering_istream in(f | small_source{wrong});
          read_all(in, to);
        };
      },
      repaired);
  check(
      cases, "two filters, composed and not",
      [] {
        return [encode = from_utf8(encoding::utf16), decode = to_utf8(), check = utf8_validator()](room& to) {
          io::filtering_istream in;
          in.push(check, 5);
          in.push(decode);
          in.push(io::compose(encode, small_source{good}));
          read_all(in, to);
        };
      },
      good);
  check(
      cases, "stream_source",
      [] {
        return [f = to_utf8()](room& to) {
          small_streambuf buffer(as_utf16);
          std::istream beneath(&buffer);
          io::filtering_istream in(f | stream_source(beneath));
          io::copy(in, room_sink{&to});
        };
      },
      good);
  check(
      cases, "getline",
      [] {
        return [f = to_utf8()](room& to) {
          io::filtering_istream in(f | small_source{as_utf16});
          in.exceptions(std::ios::badbit);
          for (std::string line; std::getline(in, line);) to.append(line += '\n');
        };
      },
      good);
  check(
      cases, "strict error",
      [] {
        return [f = utf8_validator()](room& to) {
          io::filtering_istream in(f | small_source{wrong});
          read_all_and_error(in, to);
        };
      },
      start_of_wrong_and_error);
  check(
      cases, "filter",
      [] {
        return [f = escape_controls(on_error::escape)](room& to) mutable {
          struct closing {
            escape_controls& filter;
            small_source& source;
            ~closing() { filter.close(source, std::ios::in); }
          };
          small_source source{"a\x1B\xFF and a rest that is longer"};
          const closing at_end{f, source};
          char some[64];
          for (std::streamsize n; (n = f.read(source, some, sizeof some)) >= 0;)
            to.append({some, static_cast<std::size_t>(n)});
        };
      },
      "a\\x1B\\xFF and a rest that is longer");
  cases.summary("chains that read");
}

BOOST_AUTO_TEST_CASE(writing_chains_survive_every_failed_allocation) {
  tally cases;
  check(
      cases, "to UTF-16",
      [] {
        return [f = from_utf8(encoding::utf16)](room& to) {
          io::filtering_ostream out(f | room_sink{&to});
          out.exceptions(std::ios::badbit);
          out << good << std::flush;
          out.reset();
        };
      },
      as_utf16);
  check(
      cases, "two filters, composed and not",
      [] {
        return [encode = from_utf8(encoding::utf16), decode = to_utf8(),
                check = utf8_validator(utfilter::log_params())](room& to) {
          io::filtering_ostream out;
          out.push(check);
          out.push(encode, 4);
          out.push(io::compose(decode, room_sink{&to}));
          out.exceptions(std::ios::badbit);
          out << wrong;
          out.reset();
        };
      },
      repaired);
  check(
      cases, "a sink that needs memory",
      [] {
        return [f = escape_controls()](room& to) {
          io::filtering_ostream out(f | needy_sink{{&to}});
          out.exceptions(std::ios::badbit);
          for (int i = 0; i < 3; ++i) out << good << std::flush;
          out.reset();
        };
      },
      good + good + good);
  check(
      cases, "strict error",
      [] {
        return [f = utf8_validator()](room& to) {
          io::filtering_ostream out(f | room_sink{&to});
          out << wrong;
          try {
            out.reset();
          } catch (const utf_error& e) {
            to.append(e.what());
          }
        };
      },
      start_of_wrong_and_error);
  cases.summary("chains that write");
}

//-------------------------------------------------------------------------------------------------------------- streams

BOOST_AUTO_TEST_CASE(standard_streams_survive_every_failed_allocation) {
  tally cases;
  check(
      cases, "istream",
      [] {
        return [](room& to) {
          small_streambuf beneath(as_utf16);
          utfilter::istream in(&beneath);
          read_all(in, to);
        };
      },
      good);
  check(
      cases, "istream that seeks",
      [] {
        return [](room& to) {
          std::istringstream beneath(as_utf16);
          utfilter::istream in(beneath, utfilter::log_params());
          read_all(in, to);
          in.clear();
          in.seekg(2);
          read_all(in, to);
        };
      },
      good + good.substr(2));
  check(
      cases, "istream, strict error",
      [] {
        return [](room& to) {
          small_streambuf beneath(wrong);
          utfilter::istream in(&beneath);
          read_all_and_error(in, to);
        };
      },
      start_of_wrong_and_error);
  check(
      cases, "ostream",
      [] {
        return [](room& to) {
          room_streambuf beneath(to);
          utfilter::ostream out(&beneath, encoding::utf16);
          out.exceptions(std::ios::badbit);
          out << good;
          out.close();
        };
      },
      as_utf16);
  check(
      cases, "ostream and an observer",
      [] {
        return [](room& to) {
          room_streambuf beneath(to);
          std::string log;
          utfilter::ostream out(&beneath, encoding::utf8, telling(log));
          out.exceptions(std::ios::badbit);
          out << wrong;
          out.close();
          to.append(log);
        };
      },
      repaired + "byte that no text contains: FF\ntruncated sequence: E2 82\n");
  check(
      cases, "scoped_filter",
      [] {
        return [](room& to) {
          room_streambuf beneath(to);
          std::ostream out(&beneath);
          {
            scoped_filter filter(out);
            out.exceptions(std::ios::badbit);
            out << wrong << std::flush;
          }
          if (out.rdbuf() != &beneath) to.append("the buffer was not put back");
        };
      },
      repaired);
  cases.summary("standard streams");
}

/// Its destructor delivers the content of a written file, even if a failure cut the writing short. Allocates nothing.
struct delivery_of_file {
  const char* file;
  room& to;
  ~delivery_of_file() {
    const int descriptor = ::open(file, O_RDONLY | O_CLOEXEC);
    char bytes[1000];
    if (const ssize_t size = ::read(descriptor, bytes, sizeof bytes); size > 0)
      to.append({bytes, static_cast<std::size_t>(size)});
    ::close(descriptor);
    ::unlink(file);
  }
};

BOOST_AUTO_TEST_CASE(file_streams_survive_every_failed_allocation) {
  const files::directory d;
  const std::string file = d / "file", wrong_file = d / "wrong", written = d / "written";
  files::write(file, as_utf16);
  files::write(wrong_file, wrong);
  tally cases;
  check(
      cases, "ifstream",
      [&] {
        return [&](room& to) {
          utfilter::ifstream in(file);
          read_all(in, to);
        };
      },
      good);
  check(
      cases, "ofstream",
      [&] {
        return [&](room& to) {
          const delivery_of_file at_last{written.c_str(), to};
          utfilter::ofstream out(written, encoding::utf16);
          out << good;
          out.close();
        };
      },
      as_utf16);
  check(
      cases, "ofstream that appends",
      [&] {
        return [&](room& to) {
          const delivery_of_file at_last{written.c_str(), to};
          files::write(written, "\xFF\xFE");
          utfilter::ofstream out(written, encoding::utf16, std::ios::app);
          out << "p";
          out.close();
        };
      },
      std::string("\xFF\xFEp\0", 4));
  check(
      cases, "read_file", [&] { return [&](room& to) { to.append(read_file(file)); }; }, good);
  check(
      cases, "read_file, strict error",
      [&] {
        return [&](room& to) {
          try {
            read_file(wrong_file);
          } catch (const utf_error& e) {
            to.append(e.what());
          }
        };
      },
      "line 2, column 2 (byte 47): byte that no text contains: FF");
  check(
      cases, "read_file of a missing file",
      [&] {
        return [&](room& to) {
          try {
            read_file(d / "none");
          } catch (const std::ios_base::failure& e) {
            to.append(e.code() == std::errc::no_such_file_or_directory ? "none" : "another");
          }
        };
      },
      "none");
  cases.summary("files");
}

//------------------------------------------------------------------------------------------------------ without streams

BOOST_AUTO_TEST_CASE(conversions_and_text_functions_survive_every_failed_allocation) {
  tally cases;
  check(
      cases, "decoder",
      [] {
        return [d = std::make_shared<decoder>(utfilter::log_params())](room& to) {
          char some[7];
          std::size_t taken = 0;
          d->begin(decoder::direction::reading);
          for (std::size_t calls = 0; calls < wrong.size(); ++calls) {
            const codec_progress step = d->convert(wrong.data() + taken, wrong.size() - taken, some, sizeof some, true);
            taken += step.consumed;
            to.append({some, step.produced});
            if (d->failure()) std::rethrow_exception(d->failure());
            if (step.status == codec_status::done) break;
          }
        };
      },
      repaired);
  check(
      cases, "decoder, strict",
      [] {
        return [d = std::make_shared<decoder>(encoding::utf8, on_error::strict)](room& to) {
          char some[100];
          d->begin(decoder::direction::reading);
          to.append({some, d->convert(wrong.data(), wrong.size(), some, sizeof some, true).produced});
          try {
            if (d->failure()) std::rethrow_exception(d->failure());
          } catch (const utf_error& e) {
            to.append(e.what());
          }
        };
      },
      start_of_wrong_and_error);
  check(
      cases, "invalid params",
      [] {
        return [](room& to) {
          try {
            encoder{encoding::detect};
          } catch (const std::invalid_argument&) {
            to.append("refused");
          }
        };
      },
      "refused");
  check(
      cases, "sanitize", [] { return [](room& to) { to.append(sanitize(wrong)); }; }, repaired);
  check(
      cases, "find_error",
      [] {
        return [](room& to) {
          if (!is_utf8(wrong)) to.append(to_string(*find_error(wrong)));
        };
      },
      "line 2, column 2 (byte 47): byte that no text contains: FF");
  check(
      cases, "utf_category", [] { return [](room& to) { to.append(make_error_code(errc::overlong).message()); }; },
      utf_category().message(static_cast<int>(errc::overlong)));
  cases.summary("conversions and texts");
}

}  // namespace
