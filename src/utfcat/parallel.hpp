// parallel.hpp: the text of a file, decoded and encoded by several threads.
//
//   source -> portions of its bytes -> decoder, encoder -> text in order
//   one thread at a time               all threads         the caller
#ifndef UTFCAT_PARALLEL_HPP
#define UTFCAT_PARALLEL_HPP

#include "output.hpp"
#include "system.hpp"
#include "text_reader.hpp"

#include <utfilter/checkpoint.hpp>
#include <utfilter/codec.hpp>
#include <utfilter/decoder.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/params.hpp>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <ios>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace utfcat {

/// Threads that wait for work.
class thread_team {
 public:
  /// The threads start with the first call of start(). 0 means as many as the system has processors.
  explicit thread_team(std::size_t size) noexcept;
  ~thread_team();

  /// Starts the threads. Returns their number, which is smaller if the system allows no more; it may be 0.
  std::size_t start() noexcept;

  void post(std::function<void()>);

 private:
  struct threads;

  std::size_t size_;
  std::unique_ptr<threads> threads_;
};

/// How several threads share the work on a file.
struct team_work {
  thread_team* team;
  bool tells_errors;                    // the caller wants the errors and the lacking characters
  std::optional<output_coding> coding;  // how to encode the text, if it is to be encoded
};

/// A file as UTF-8, piece by piece, and each piece as encoded text.
///
/// The source is read by one thread at a time. After each read the bytes are cut between two sequences of the encoding,
/// so each portion can be decoded alone. Its lines and columns then count from its start; next() adds those before it.
/// So the text, the errors and the report are those of one decoder, wherever the cuts are.
///
/// The calling thread alone decodes the start of a file. So a short file costs no threads, and the encoding and the
/// byte order mark are known when the threads begin.
///
/// The calling thread usually writes the text, and that is often the longest part of the work. So one thread of the
/// team leaves it a processor, until the calling thread has waited for long.
class parallel_text {
 public:
  /// The text_reader reads the bytes of the file, and `bytes_read` returns how many it has read. `waiting` ends the
  /// reader's wait for input, because the destructor ends the reading.
  parallel_text(const team_work&, text_reader, std::function<std::uint64_t()> bytes_read, interruption& waiting,
                utfilter::encoding from, const utfilter::params&);
  ~parallel_text();

  parallel_text(const parallel_text&) = delete;
  parallel_text& operator=(const parallel_text&) = delete;

  /// The next text, in whole characters; empty at the end. Calls the observer for the errors in it. Throws utf_error
  /// and what the source throws, after all text before the error has been returned. The observer has been told the
  /// place of the error; the place in the utf_error counts from that of a portion.
  std::string_view next();

  /// The text that next() has returned last, encoded; null if it is not encoded.
  const encoded_text* encoded() const noexcept { return encoded_ ? &*encoded_ : nullptr; }

  /// The report on the file up to that text, without its first and last error.
  const utfilter::stream_report& report() const noexcept { return report_; }

  /// The bytes that the source had read when it had read that text.
  std::uint64_t bytes_read() const noexcept { return bytes_read_; }

 private:
  class portion;

  portion* go_on();
  void leave();
  portion* read_head();
  void begin_threads();
  portion* take();
  void call_thread();
  void work() noexcept;
  portion* fill() noexcept;
  std::size_t cut(portion&, std::size_t size);
  bool is_between_sequences(const char* bytes, std::size_t end, std::size_t unit);
  std::size_t carried_after(const char* s, std::size_t n);
  void deliver(portion&);

  // Never changed.
  const team_work work_;
  const text_reader read_;
  const std::function<std::uint64_t()> count_read_;
  interruption& waiting_;
  const utfilter::encoding from_;
  const utfilter::params params_;

  // For the calling thread.
  std::unique_ptr<portion> head_;  // null after the threads have begun
  portion* current_ = nullptr;     // the portion of the text that next() has returned last
  std::uint64_t taken_ = 0;        // portions that take() has returned
  utfilter::checkpoint before_;    // the place at which the current portion begins
  utfilter::checkpoint after_;     // the place after the text
  utfilter::stream_report report_;
  std::uint64_t bytes_read_ = 0;
  std::optional<encoded_text> encoded_;

  // For the thread that has the turn to read.
  std::mutex turn_;
  std::uint64_t filled_ = 0;    // portions
  bool at_end_ = false;         // there is nothing more to read
  std::string rest_;            // bytes that have been read, but are not in a portion
  utfilter::checkpoint start_;  // the place at which they begin, as line 1
  std::optional<utfilter::decoder> probe_;

  // For all threads.
  std::vector<std::unique_ptr<portion>> portions_;
  std::mutex state_;                    // guards portion::ready and the members below
  std::condition_variable for_caller_;  // a portion is ready, or a thread of the team ends
  std::condition_variable for_team_;    // a portion may be filled
  std::size_t working_ = 0;             // calls of work() that have not returned
  std::size_t free_ = 0;                // portions that may be filled
  bool spares_one_ = false;             // one thread of the team does not work yet
  bool stopped_ = false;                // no more portions are wanted
};

}  // namespace utfcat

#endif
