// bad_block_test.cpp: a file with a block that the disk cannot read. All text before the block is delivered, then the
// system's error. Also: how often files are read. The file buffer calls read(2), which this program has of its own.
#define BOOST_TEST_MODULE bad_block
#include "support/files.hpp"
#include "support/texts.hpp"

#include <utfilter/fstream.hpp>

#include <boost/test/unit_test.hpp>

#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <ios>
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

}  // namespace

extern "C" ssize_t read(int descriptor, void* to, size_t size) {
  ++reads;
  if (is_bad_file(descriptor)) {
    const off_t left = bad.from - lseek(descriptor, 0, SEEK_CUR);
    if (left <= 0) {
      ++errors_met;
      errno = EIO;
      return -1;
    }
    size = std::min(size, static_cast<size_t>(left));
  }
  return syscall(SYS_read, descriptor, to, size);
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

/// Reads until the error of the block, whose place is `before.size()`, and checks what came before.
void check_read(utfilter::ifstream& in, std::size_t n, const std::string& before) {
  BOOST_TEST_INFO_SCOPE("the block is at byte " << before.size() << ", reads of " << n);
  std::string text;
  std::size_t size = 0;
  const auto more = [&] {
    text.resize(size + n);
    const std::streamsize got = in.rdbuf()->sgetn(text.data() + size, static_cast<std::streamsize>(n));
    size += static_cast<std::size_t>(got);
    return got != 0;
  };
  BOOST_CHECK_EXCEPTION(while (more()) continue, std::ios_base::failure,
                        [](const auto& why) { return why.code() == std::errc::io_error; });
  BOOST_TEST(errors_met != 0u);
  BOOST_TEST(in.report().bytes_out == before.size());
  BOOST_TEST((text.substr(0, before.size()) == before));  // the read that failed has filled its buffer up to the block
  BOOST_CHECK_THROW(in.rdbuf()->sgetc(), std::ios_base::failure);
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
  in.read(piece.data(), 100);  // the stream looks for a signature in a piece of its own
  reads = 0;
  in.read(piece.data(), 1000000);
  BOOST_TEST(reads <= 2u);
}
