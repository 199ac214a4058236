// faults_disk_test.cpp: a disk that becomes full at each byte of a small file, one that is full from the start, and a
// pipe without a reader. In every way to write a text to them, an error is reported, if possible with the reason of the
// system, and the file holds the start of the text.
#define BOOST_TEST_MODULE faults_disk
#include "support/files.hpp"
#include "support/full_disk.hpp"
#include "support/pipe_ends.hpp"
#include "support/tally.hpp"
#include "support/test_devices.hpp"
#include "support/texts.hpp"

#include <utfilter/fstream.hpp>
#include <utfilter/scoped_filter.hpp>
#include <utfilter/utfilter.hpp>

#include <boost/iostreams/compose.hpp>
#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/device/file_descriptor.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <boost/test/unit_test.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <functional>
#include <ios>
#include <ostream>
#include <string>
#include <system_error>
#include <vector>

namespace io = boost::iostreams;
using namespace utfilter;

namespace {

const texts::text32 characters = U"a\u00E4\u20AC\U0001F600 one line\n\u4E2D\u6587 and another\r\n";
const std::string text = texts::utf8(characters);
const std::string in_file = texts::utf16be(U"\uFEFF" + characters);

/// The errors that a way to write reports.
struct told {
  bool fault = false;
  std::error_code why;  // if the error has a code
};

template <class Action>
void hear(told& heard, const Action& action) {
  try {
    action();
  } catch (const std::ios_base::failure& error) {
    heard.fault = true;
    if (!heard.why) heard.why = error.code();
  } catch (const std::exception&) {
    heard.fault = true;
  }
}

/// Writes the text to a file, as UTF-16 with a byte order mark, in pieces of a size, with or without a flush after each
/// piece.
struct way {
  const char* name;
  bool gives_reason;  // closing reports the reason of the system
  std::function<void(const std::string& file, std::size_t size, bool flushes, told&)> write;
};

template <class Stream>
void put(Stream& out, std::size_t size, bool flushes, told& heard) {
  for (const std::string& part : devices::in_pieces(text, size)) {
    hear(heard, [&] { out << part; });
    if (flushes) hear(heard, [&] { out.flush(); });
    if (out.bad()) heard.fault = true;
  }
}

void put_through(io::filtering_ostream& out, std::size_t size, bool flushes, told& heard) {
  put(out, size, flushes, heard);
  hear(heard, [&] { out.reset(); });
}

io::file_descriptor_sink descriptor(const std::string& file) {
  const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (fd < 0) throw std::system_error(errno, std::generic_category(), file);
  return io::file_descriptor_sink(fd, io::close_handle);
}

const std::vector<way> ways = {
    {"utfilter::ofstream", true,
     [](const std::string& file, std::size_t size, bool flushes, told& heard) {
       utfilter::ofstream out(file, encoding::utf16);
       put(out, size, flushes, heard);
       hear(heard, [&] { out.close(); });
     }},
    {"chain over a descriptor", false,
     [](const std::string& file, std::size_t size, bool flushes, told& heard) {
       io::filtering_ostream out(utf8_validator() | from_utf8(encoding::utf16) | descriptor(file));
       put_through(out, size, flushes, heard);
     }},
    {"chain over a descriptor, small links", false,
     [](const std::string& file, std::size_t size, bool flushes, told& heard) {
       io::filtering_ostream out;
       out.push(from_utf8(encoding::utf16), 3);
       out.push(descriptor(file), 5);
       put_through(out, size, flushes, heard);
     }},
    {"composed with a descriptor", false,
     [](const std::string& file, std::size_t size, bool flushes, told& heard) {
       io::filtering_ostream out(io::compose(from_utf8(encoding::utf16), descriptor(file)));
       put_through(out, size, flushes, heard);
     }},
    {"chain over std::ofstream", false,
     [](const std::string& file, std::size_t size, bool flushes, told& heard) {
       std::ofstream beneath(file, std::ios::binary);
       io::filtering_ostream out;
       out.push(from_utf8(encoding::utf16));
       out.push(beneath);
       put_through(out, size, flushes, heard);
     }},
    {"utfilter::ostream over std::ofstream", true,
     [](const std::string& file, std::size_t size, bool flushes, told& heard) {
       std::ofstream beneath(file, std::ios::binary);
       utfilter::ostream out(beneath, encoding::utf16);
       put(out, size, flushes, heard);
       hear(heard, [&] { out.close(); });
     }},
    {"scoped_filter over std::ofstream", false,
     [](const std::string& file, std::size_t size, bool flushes, told& heard) {
       std::ofstream beneath(file, std::ios::binary);
       const scoped_filter filter(beneath, on_error::replace, encoding::utf16);
       put(static_cast<std::ostream&>(beneath), size, flushes, heard);
       if (!beneath.flush()) heard.fault = true;
     }},
    {"copy", false,
     [](const std::string& file, std::size_t, bool, told& heard) {
       hear(heard, [&] {
         io::copy(io::array_source(text.data(), text.size()),
                  io::compose(from_utf8(encoding::utf16), descriptor(file)));
       });
     }},
};

constexpr std::size_t sizes[] = {1, 7, 1000};

}  // namespace

BOOST_AUTO_TEST_CASE(a_disk_that_becomes_full_at_any_byte_is_reported) {
  const devices::watchdog dog("a disk that is full at some byte");
  const files::directory d;
  const std::string file = d / "file";
  tally cases;
  for (const way& how : ways)
    for (const std::size_t size : sizes)
      for (const bool flushes : {false, true})
        for (std::size_t room = 0; room <= in_file.size() + 1; ++room) {
          told heard;
          {
            const full_disk full(room);
            how.write(file, size, flushes, heard);
          }
          const std::string held = files::content(file);
          std::remove(file.c_str());  // file systems write a truncated file to the disk in close
          const bool whole = room >= in_file.size();
          const bool start = in_file.compare(0, held.size(), held) == 0;
          const bool right = whole ? !heard.fault && held == in_file
                                   : heard.fault && start && held.size() <= room &&
                                         (!how.gives_reason || heard.why == std::errc::file_too_large);
          if (cases.failed(right))
            BOOST_ERROR(how.name << ", room for " << room << ", pieces of " << size << (flushes ? ", flushed" : "")
                                 << (heard.fault ? ": reported, " : ": not reported, ") << heard.why.message()
                                 << ", the file holds " << hexadecimal(held));
        }
  cases.summary("full at any byte");
}

BOOST_AUTO_TEST_CASE(a_disk_that_is_full_from_the_start_is_reported) {
  const devices::watchdog dog("a full disk");
  tally cases;
  for (const way& how : ways)
    for (const std::size_t size : sizes)
      for (const bool flushes : {false, true}) {
        told heard;
        how.write("/dev/full", size, flushes, heard);
        if (cases.failed(heard.fault && (!how.gives_reason || heard.why == std::errc::no_space_on_device)))
          BOOST_ERROR(how.name << ", pieces of " << size << (heard.fault ? ": " : ": not reported, ")
                               << heard.why.message());
      }
  cases.summary("full from the start");
}

BOOST_AUTO_TEST_CASE(a_pipe_without_a_reader_is_reported) {
  const devices::watchdog dog("a pipe that nobody reads");
  std::signal(SIGPIPE, SIG_IGN);
  tally cases;
  for (const way& how : ways)
    for (const std::size_t size : sizes)
      for (const bool flushes : {false, true}) {
        told heard;
        {
          pipe_ends pipe;
          pipe.close_reader();
          how.write(pipe.writer_name(), size, flushes, heard);
        }
        if (cases.failed(heard.fault && (!how.gives_reason || heard.why == std::errc::broken_pipe)))
          BOOST_ERROR(how.name << ", pieces of " << size << (heard.fault ? ": " : ": not reported, ")
                               << heard.why.message());
      }
  cases.summary("nobody reads");
}

// The reader reads up to some byte, and then closes its end.
BOOST_AUTO_TEST_CASE(a_pipe_whose_reader_closes_it_is_reported) {
  const devices::watchdog dog("a pipe whose reader goes away");
  std::signal(SIGPIPE, SIG_IGN);
  tally cases;
  const std::string first = "the first line\n";
  for (const bool over_stream : {false, true}) {
    pipe_ends pipe;
    std::ofstream beneath(pipe.writer_name(), std::ios::binary);
    io::filtering_ostream chain;
    utfilter::ostream stream(beneath, encoding::utf8);
    chain.push(utf8_validator());
    chain.push(descriptor(pipe.writer_name()));
    std::ostream& out = over_stream ? static_cast<std::ostream&>(stream) : chain;
    out << first << std::flush;
    const bool arrived = pipe.receive(1000) == first && out.good();
    pipe.close_reader();
    out << "the second line\n" << std::flush;
    const bool bad = out.bad();
    told heard;
    hear(heard, [&] { over_stream ? stream.close() : chain.reset(); });
    if (cases.failed(arrived && bad && heard.fault))
      BOOST_ERROR((over_stream ? "utfilter::ostream" : "chain") << " reports no error");
  }
  cases.summary("the reader goes away");
}
