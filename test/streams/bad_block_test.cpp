// bad_block_test.cpp: a file with a block that the disk cannot read. All text before the block is delivered, then the
// system's error. Also: how often files are read. The library calls read(2) and pread(2), which this program has of its
// own.
#define BOOST_TEST_MODULE bad_block
#include "support/files.hpp"
#include "support/texts.hpp"

#include <utfilter/follow_streambuf.hpp>
#include <utfilter/fstream.hpp>
#include <utfilter/range_streambuf.hpp>

#include <boost/test/unit_test.hpp>

#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <ios>
#include <optional>
#include <streambuf>
#include <string>

using texts::repeated;

namespace {

/// The file whose block is bad, and the first byte of that block.
struct {
  ino_t file = 0;
  off_t from = 0;
} bad;
std::size_t errors_met = 0, reads = 0;

bool is_bad_file(int descriptor) {
  struct stat facts;
  return bad.file != 0 && fstat(descriptor, &facts) == 0 && facts.st_ino == bad.file;
}

/// The bytes that can be read from the offset on, at most n. Empty, with errno, at the bad block.
std::optional<size_t> readable(int descriptor, size_t n, off_t offset) {
  if (!is_bad_file(descriptor)) return n;
  const off_t left = bad.from - offset;
  if (left > 0) return std::min(n, static_cast<size_t>(left));
  ++errors_met;
  errno = EIO;
  return std::nullopt;
}

}  // namespace

extern "C" ssize_t read(int descriptor, void* to, size_t size) {
  ++reads;
  const auto n = readable(descriptor, size, lseek(descriptor, 0, SEEK_CUR));
  return n ? syscall(SYS_read, descriptor, to, *n) : -1;
}

extern "C" ssize_t pread(int descriptor, void* to, size_t size, off_t offset) {
  const auto n = readable(descriptor, size, offset);
  return n ? syscall(SYS_pread64, descriptor, to, *n, offset) : -1;
}

// The name of the same function where _FILE_OFFSET_BITS is 64.
extern "C" ssize_t pread64(int descriptor, void* to, size_t size, off_t offset) {
  return pread(descriptor, to, size, offset);
}

namespace {

struct file_with_bad_block : files::temporary_file {
  file_with_bad_block(const std::string& bytes, std::size_t block) : files::temporary_file(bytes) {
    struct stat facts;
    BOOST_REQUIRE(stat(path().c_str(), &facts) == 0);
    bad = {facts.st_ino, static_cast<off_t>(block)};
    errors_met = 0;
  }
  ~file_with_bad_block() { bad.file = 0; }
};

/// Reads until the error of the block, whose place is `before.size()`, and returns what came before.
std::string read_to_block(std::streambuf& in, std::size_t n) {
  std::string text;
  std::size_t size = 0;
  const auto more = [&] {
    text.resize(size + n);
    const std::streamsize got = in.sgetn(text.data() + size, static_cast<std::streamsize>(n));
    size += static_cast<std::size_t>(got);
    return got != 0;
  };
  BOOST_CHECK_EXCEPTION(while (more()) continue, std::ios_base::failure,
                        [](const auto& why) { return why.code() == std::errc::io_error; });
  BOOST_TEST(errors_met != 0u);
  BOOST_CHECK_THROW(in.sgetc(), std::ios_base::failure);
  return text;
}

void check_read(utfilter::ifstream& in, std::size_t n, const std::string& before) {
  BOOST_TEST_INFO_SCOPE("the block is at byte " << before.size() << ", reads of " << n);
  const std::string text = read_to_block(*in.rdbuf(), n);
  BOOST_TEST(in.report().bytes_out == before.size());
  BOOST_TEST((text.substr(0, before.size()) == before));  // the read that failed has filled its buffer up to the block
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_text_before_the_bad_block_is_delivered) {
  const std::string text = repeated("0123456789abcdef", 20000);
  for (const std::size_t block : {0u, 1u, 512u, 4096u, 32768u, 65536u, 65537u, 66048u, 131072u, 200192u})
    for (const std::size_t n : {1u, 1000u, 4096u, 32768u, 40000u, 65536u, 1000000u}) {
      const file_with_bad_block file(text, block);
      utfilter::ifstream in(file.path());
      check_read(in, n, text.substr(0, block));
    }
}

BOOST_AUTO_TEST_CASE(a_stream_that_begins_at_a_checkpoint_delivers_all_text_before_the_bad_block) {
  const std::string text = repeated("0123456789abcdef", 20000);
  utfilter::params p;
  p.start.emplace();
  p.start->offset = 10000;
  p.start->column = 10001;
  for (const std::size_t block : {10000u, 65536u, 200192u})
    for (const std::size_t n : {4096u, 65536u, 1000000u}) {
      const file_with_bad_block file(text, block);
      utfilter::ifstream in(file.path(), utfilter::encoding::utf8, p);
      check_read(in, n, text.substr(10000, block - 10000));
    }
}

BOOST_AUTO_TEST_CASE(the_text_can_be_read_again_up_to_the_bad_block) {
  const std::string text = repeated("0123456789abcdef", 20000);
  const file_with_bad_block file(text, 100000);
  utfilter::ifstream in(file.path());
  for (int i = 0; i < 3; ++i) {
    check_read(in, 65536, text.substr(0, 100000));
    in.clear();
    in.seekg(0);
    BOOST_TEST(in.good());
  }
}

/// For a buffer that returns fewer bytes than were asked for before it throws: no read that fails takes any.
void check_bytes(std::streambuf& in, std::size_t n, const std::string& text, std::size_t block) {
  BOOST_TEST_INFO_SCOPE("the block is at byte " << block << ", reads of " << n);
  std::string before = read_to_block(in, n);
  before.resize(std::min(before.size(), block));
  BOOST_TEST((before == text.substr(0, block)));
  bad.file = 0;
  std::string after(text.size() - block, '\0');
  const auto wanted = static_cast<std::streamsize>(after.size());
  BOOST_TEST(in.sgetn(after.data(), wanted) == wanted);
  BOOST_TEST((after == text.substr(block)));
}

BOOST_AUTO_TEST_CASE(a_file_that_is_followed_and_a_range_deliver_all_bytes_before_the_bad_block) {
  const std::string text = repeated("0123456789abcdef", 20000);
  for (const std::size_t block : {0u, 1u, 64u, 65536u, 65600u, 131072u, 200192u})
    for (const std::size_t n : {1u, 1000u, 65536u, 1000000u}) {
      {
        const file_with_bad_block file(text, block);
        utfilter::follow_streambuf log(file.path());
        check_bytes(log, n, text, block);
      }
      if (block == 0) continue;  // the constructor of a range reads the first bytes
      const file_with_bad_block file(text, std::max<std::size_t>(block, 4));
      utfilter::range_streambuf lines(file.path(), {0, text.size()}, utfilter::encoding::windows1252);
      check_bytes(lines, n, text, std::max<std::size_t>(block, 4));
    }
}

BOOST_AUTO_TEST_CASE(after_an_error_nothing_can_be_put_back) {
  const std::string text = repeated("0123456789abcdef", 20000);
  const file_with_bad_block file(text, 65536);
  utfilter::follow_streambuf log(file.path());
  read_to_block(log, 1000);
  BOOST_TEST(log.sungetc() == std::char_traits<char>::eof());
  bad.file = 0;
  BOOST_TEST(log.sgetc() == '0');
  BOOST_TEST(log.sungetc() == 'f');
}

BOOST_AUTO_TEST_CASE(a_text_whose_file_fails_says_so_in_its_report) {
  const file_with_bad_block file(repeated("a", 100000), 70000);
  utfilter::ifstream in(file.path());
  std::string piece(200000, '\0');
  BOOST_CHECK_THROW(in.read(piece.data(), 200000), std::ios_base::failure);
  BOOST_TEST((in.report().failure != nullptr));
}

BOOST_AUTO_TEST_CASE(a_file_of_the_system_that_may_wait_is_read_once_for_its_first_byte) {
  utfilter::ifstream in("/proc/self/status");  // a regular file of 0 bytes, for stat(2)
  BOOST_REQUIRE(in.is_open());
  reads = 0;
  BOOST_TEST(in.peek() == 'N');  // Name:
  BOOST_TEST(reads == 1u);
}

BOOST_AUTO_TEST_CASE(a_large_piece_of_a_file_is_read_at_once) {
  const files::temporary_file file(repeated("0123456789abcdef", 100000));
  utfilter::ifstream in(file.path());
  std::string piece(1000000, '\0');
  in.read(piece.data(), 100);  // the stream looks for a byte order mark in a piece of its own
  reads = 0;
  in.read(piece.data(), 1000000);
  BOOST_TEST(reads <= 2u);
}
