// bench.hpp: the tasks and the competitors in each. Before a competitor is measured, a verifier checks its output once.
//
// The name of a measurement is WHAT/CORPUS/WHO (task, corpus, competitor); report.py makes the tables from these names.
#ifndef UTFILTER_BENCH_BENCH_HPP
#define UTFILTER_BENCH_BENCH_HPP

#include "corpora.hpp"

#include <cstddef>
#include <functional>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

constexpr std::size_t chunk = 65536;  // bytes in each read or write

/// Compares output with the expected output, piece by piece.
class verifier {
 public:
  /// Expects the text `times` times in a row.
  explicit verifier(std::string_view expected, std::size_t times = 1)
      : expected_(expected), left_(expected.size() * times) {}

  void operator()(const char* s, std::size_t n);
  void operator()(std::string_view s) { (*this)(s.data(), s.size()); }
  bool passed() const noexcept { return right_ && left_ == 0; }

 private:
  std::string_view expected_;
  std::size_t at_ = 0;  // in expected_
  std::size_t left_;
  bool right_ = true;
};

/// Shows the verifier what is written to a stream.
class shown_buffer : public std::streambuf {
 public:
  explicit shown_buffer(verifier* seen) : seen_(seen) {}

 private:
  int_type overflow(int_type c) override {
    const char one = traits_type::to_char_type(c);
    return xsputn(&one, 1) == 1 ? c : traits_type::eof();
  }
  std::streamsize xsputn(const char* s, std::streamsize n) override {
    if (seen_ != nullptr) (*seen_)(s, static_cast<std::size_t>(n));
    return n;
  }

  verifier* seen_;
};

/// Does the work once. If the verifier is not null, passes the output to it; such a run is not measured.
using action = std::function<void(verifier*)>;
/// The same, but returns the seconds that the work took.
using timed_action = std::function<double(verifier*)>;

/// Work that several competitors can do. The texts are not owned.
struct task {
  std::string what;
  std::string corpus;
  std::size_t bytes;          // of input
  std::string_view expected;  // the output
  std::size_t times = 1;      // how often `expected` is repeated in the output
  std::size_t lines = 0;      // if not 0: the number of lines, and the result is the time for one line

  void add(const std::string& who, action) const;
  void add_timed(const std::string& who, timed_action) const;
};

/// The texts of all tasks.
struct corpus {
  corpus(const std::string& name_or_file, std::size_t bytes, std::string working_directory);

  std::string name;
  excerpt memory;                     // larger than the caches
  excerpt hot8, hot16;                // 128 KiB of UTF-8; 128 KiB of UTF-16
  std::vector<encoded_text> encoded;  // 128 KiB of UTF-8 in other encodings, where most lines of the corpus exist
  std::vector<encoded_text>
      multi_byte;                      // the same in multi-byte encodings of the web that have enough of its characters
  std::vector<encoded_text> charsets;  // the same in such charsets of ICU
  normal_forms normalized;             // 128 KiB of UTF-8
  std::string directory;               // for files
  std::size_t file_size;               // approximate, in bytes
  mutable std::string output;          // room for any output
};

/// @{
/// The tasks with a text in another encoding.
task decoding(const corpus&, const encoded_text&);
task encoding(const corpus&, const encoded_text&);
/// @}

// Each source file defines one of these functions.
void add_kernels(const corpus&);
void add_multi_byte(const corpus&);
void add_others(const corpus&);
void add_others_of_multi_byte(const corpus&);
void add_repairs_of_multi_byte(const corpus&);
void add_chains(const corpus&);
void add_lines(const corpus&);
void add_threads(const corpus&);
void add_typed(const corpus&);
void add_charsets(const corpus&);
void add_nfc(const corpus&);
void add_files(const corpus&);
void add_logs(const corpus&);  // only with spdlog

}  // namespace bench

#endif
