// test_devices.hpp: sources and sinks that behave as badly as real ones can, and record how they were used.
//
// Each has a budget of calls, 2 x (input + output) + 16, so that a loop without progress fails instead of hanging.
// Boost.Iostreams copies devices: all copies of a device share a log, which the test reads from the copy that it keeps.
#ifndef UTFILTER_TEST_DEVICES_HPP
#define UTFILTER_TEST_DEVICES_HPP

#include "support/brief.hpp"
#include "support/call_budget.hpp"

#include <boost/iostreams/categories.hpp>
#include <boost/test/unit_test.hpp>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <future>
#include <ios>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace devices {

namespace io = boost::iostreams;

inline constexpr std::size_t never = std::numeric_limits<std::size_t>::max();
inline constexpr std::size_t everything = never;

/// The exception of a device that the test told to fail.
struct device_failure : std::runtime_error {
  explicit device_failure(const std::string& what) : std::runtime_error(what) {}
};

/// For tests with real devices, which have no budget of calls: after two minutes the program prints `what` and
/// ends. (An emulated processor takes long.)
class watchdog {
 public:
  watchdog(const watchdog&) = delete;
  watchdog& operator=(const watchdog&) = delete;

#ifndef _WIN32
  explicit watchdog(const std::string& what) {
    std::snprintf(text, sizeof text, "error: it hangs: %s\n", what.c_str());
    std::signal(SIGALRM, [](int) {
      const auto written = ::write(2, text, std::char_traits<char>::length(text));
      ::_exit(written < 0 ? 3 : 2);
    });
    ::alarm(120);
  }
  ~watchdog() { ::alarm(0); }

 private:
  inline static char text[200];
#else
  explicit watchdog(const std::string& what)
      : thread_([what, this] {
          if (over_.get_future().wait_for(std::chrono::seconds(120)) == std::future_status::ready) return;
          std::fprintf(stderr, "error: it hangs: %s\n", what.c_str());
          ::_exit(2);
        }) {}
  ~watchdog() {
    over_.set_value();
    thread_.join();
  }

 private:
  std::promise<void> over_;
  std::thread thread_;
#endif
};

//-------------------------------------------------------------------------------------------------------------- sources

/// Each read delivers one piece, or a part of a piece that is larger than the read. For an empty piece the read returns
/// 0: the source would block. After the last piece the source ends, or throws.
class piecewise_source {
 public:
  using char_type = char;
  using category = io::source_tag;

  struct request {
    const char* into;
    std::streamsize size;
  };
  struct log {
    std::vector<std::string> pieces;
    std::size_t at = 0;
    bool throws_at_end = false;
    std::size_t ends = 0;  // how often a read returned -1
    std::vector<request> requests;
    call_budget budget;
  };

  explicit piecewise_source(std::vector<std::string> pieces, bool throws_at_end = false)
      : log_(std::make_shared<log>()) {
    log_->pieces = std::move(pieces);
    log_->throws_at_end = throws_at_end;
    for (const std::string& piece : log_->pieces) {
      log_->budget.allow_for(piece.size());
      if (piece.empty()) log_->budget.allow(1);
    }
  }

  std::streamsize read(char* s, std::streamsize n) {
    log& self = *log_;
    self.budget.spend();
    self.requests.push_back({s, n});
    if (self.at == self.pieces.size()) {
      if (self.throws_at_end) throw device_failure("the source broke");
      ++self.ends;
      return -1;
    }
    std::string& piece = self.pieces[self.at];
    const std::size_t taken = std::min(piece.size(), static_cast<std::size_t>(n));
    std::copy_n(piece.data(), taken, s);
    piece.erase(0, taken);
    if (piece.empty()) ++self.at;
    return static_cast<std::streamsize>(taken);
  }

  const log& seen() const { return *log_; }
  log& seen() { return *log_; }

 private:
  std::shared_ptr<log> log_;
};

/// The text in pieces of `size` bytes.
inline std::vector<std::string> in_pieces(std::string_view text, std::size_t size) {
  std::vector<std::string> pieces;
  for (; !text.empty(); text.remove_prefix(std::min(size, text.size()))) pieces.emplace_back(text.substr(0, size));
  return pieces;
}

//---------------------------------------------------------------------------------------------------------------- sinks

/// How a sink behaves. Writes and flushes are counted from 1. If the Nth one fails, all later ones fail, too.
struct sink_behaviour {
  std::size_t takes_at_most = everything;  // bytes in one write; 0 for a sink that takes nothing
  std::size_t throws_at_write = never;
  std::size_t throws_at_flush = never;
  std::size_t refuses_at_flush = never;  // this flush returns false
  bool refuses_with_text = false;        // flushes return false once bytes were taken, as those of a full file do
  std::size_t refuses_from = never;      // from this write on it takes nothing ...
  std::size_t refusals = 0;              // ... this many times in a row
};

/// A sink counts as broken if this many writes in a row take nothing.
inline constexpr std::size_t too_many_refusals = 100;

inline sink_behaviour behaving(std::size_t sink_behaviour::*member, std::size_t n) {
  sink_behaviour b;
  b.*member = n;
  return b;
}
inline sink_behaviour throwing_at_write(std::size_t n) { return behaving(&sink_behaviour::throws_at_write, n); }
inline sink_behaviour throwing_at_flush(std::size_t n) { return behaving(&sink_behaviour::throws_at_flush, n); }
inline sink_behaviour refusing_at_flush(std::size_t n) { return behaving(&sink_behaviour::refuses_at_flush, n); }
inline sink_behaviour taking(std::size_t n) { return behaving(&sink_behaviour::takes_at_most, n); }
inline sink_behaviour refusing_to_flush_text() {
  sink_behaviour b;
  b.refuses_with_text = true;
  return b;
}
/// A sink that takes nothing for `times` writes in a row, from write number `from` on.
inline sink_behaviour refusing(std::size_t from, std::size_t times) {
  sink_behaviour b;
  b.refuses_from = from;
  b.refusals = times;
  return b;
}

class recording_sink {
 public:
  using char_type = char;
  struct category : io::sink_tag, io::flushable_tag, io::closable_tag {};

  struct log {
    sink_behaviour behaviour;
    std::string text;                     // the bytes taken
    std::vector<std::string> writes;      // the bytes offered by each write
    std::vector<const char*> pointers;    // and their addresses
    std::vector<std::size_t> flushed_at;  // bytes taken before each flush
    std::size_t closes = 0;
    call_budget budget;
  };

  explicit recording_sink(sink_behaviour behaviour = {}) : log_(std::make_shared<log>()) {
    log_->behaviour = behaviour;
    log_->budget.allow(2 * behaviour.refusals);  // each may be followed by a flush
  }

  std::streamsize write(const char* s, std::streamsize n) {
    log& self = *log_;
    self.budget.spend();
    self.writes.emplace_back(s, static_cast<std::size_t>(n));
    self.pointers.push_back(s);
    if (self.writes.size() >= self.behaviour.throws_at_write) throw device_failure("the sink broke");
    const std::size_t from = self.behaviour.refuses_from;
    if (self.writes.size() >= from && self.writes.size() - from < self.behaviour.refusals) return 0;
    const std::size_t taken = std::min(static_cast<std::size_t>(n), self.behaviour.takes_at_most);
    self.text.append(s, taken);
    self.budget.allow_for(taken);
    return static_cast<std::streamsize>(taken);
  }

  bool flush() {
    log& self = *log_;
    self.budget.spend();
    self.flushed_at.push_back(self.text.size());
    if (self.flushed_at.size() >= self.behaviour.throws_at_flush) throw device_failure("the sink cannot be flushed");
    if (self.behaviour.refuses_with_text && !self.text.empty()) return false;
    return self.flushed_at.size() < self.behaviour.refuses_at_flush;
  }

  void close() { ++log_->closes; }

  /// Allows calls for a piece of input. For tests in which more bytes go in than reach this sink.
  void allow_for_piece(std::size_t bytes) { log_->budget.allow_for_piece(bytes); }

  const log& seen() const { return *log_; }
  const std::string& text() const { return log_->text; }

 private:
  std::shared_ptr<log> log_;
};

//------------------------------------------------------------------------------------------------------------ schedules

/// What a device does at a call. `all`, `one`, `none`: it moves as many bytes as it can, one byte, or no byte.
/// `end`: it returns -1; a source then ends, and a sink refuses too_many_refusals writes. `failure`: it throws.
enum class act { all, one, none, end, failure };
inline constexpr const char* act_names[] = {"all", "1", "0", "-1", "throw"};
using schedule = std::vector<act>;

/// Every schedule of `calls` calls, made of these acts. In a brief run, each schedule has one call less.
inline std::vector<schedule> all_schedules(std::size_t calls, const schedule& acts) {
  if (brief::nth != 1) --calls;
  std::vector<schedule> all{{}};
  for (; calls != 0; --calls) {
    std::vector<schedule> longer;
    for (const schedule& some : all)
      for (const act a : acts) (longer.emplace_back(some)).push_back(a);
    all = std::move(longer);
  }
  return all;
}

inline schedule repeated(const schedule& calls, std::size_t times) {
  schedule all;
  for (; times != 0; --times) all.insert(all.end(), calls.begin(), calls.end());
  return all;
}

inline std::string text_of(const schedule& calls) {
  std::string text;
  for (const act a : calls) (text += ' ') += act_names[static_cast<std::size_t>(a)];
  return text;
}

/// A device's schedule, the next call in it, and the events so far. After the end of its schedule a device behaves
/// well.
struct schedule_log {
  schedule calls;
  std::size_t at = 0;
  std::size_t waits = 0, failures = 0;  // how often it returned 0, or threw
  call_budget budget;

  act next() {
    budget.spend();
    const act a = at == calls.size() ? act::all : calls[at++];
    if (a == act::none) ++waits;
    if (a == act::failure) {
      ++failures;
      throw device_failure("the device broke");
    }
    return a;
  }
};

/// Delivers its text as scheduled, in pieces of a fixed size at most.
class scheduled_source {
 public:
  using char_type = char;
  using category = io::source_tag;

  struct log : schedule_log {
    std::string text;
    std::size_t piece;
    std::size_t delivered = 0;  // bytes
    bool waited_at_end = false;
    bool ended = false;    // a read returned -1
    bool cut_off = false;  // before the end of the text
  };

  scheduled_source(std::string text, std::size_t piece, schedule calls) : log_(std::make_shared<log>()) {
    log_->budget.allow_for(text.size());
    log_->budget.allow(calls.size());
    log_->calls = std::move(calls);
    log_->text = std::move(text);
    log_->piece = piece;
  }

  std::streamsize read(char* s, std::streamsize n) {
    log& self = *log_;
    const act a = self.next();
    const std::size_t left = self.text.size() - self.delivered;
    if (a == act::none) {
      self.waited_at_end = self.waited_at_end || left == 0;
      return 0;
    }
    if (a == act::end || left == 0) {
      self.ended = true;
      self.cut_off = self.cut_off || left != 0;
      return -1;
    }
    const std::size_t taken = a == act::one ? 1 : std::min({static_cast<std::size_t>(n), self.piece, left});
    std::copy_n(self.text.data() + self.delivered, taken, s);
    self.delivered += taken;
    return static_cast<std::streamsize>(taken);
  }

  const log& seen() const { return *log_; }

 private:
  std::shared_ptr<log> log_;
};

/// Takes text as scheduled. If `flushes`, the schedule counts flushes as calls, too.
class scheduled_sink {
 public:
  using char_type = char;
  struct category : io::sink_tag, io::flushable_tag {};

  struct log : schedule_log {
    std::string text;                           // the bytes taken
    std::string presented;                      // the bytes offered by the last write
    bool flushes = false;                       // flushes are scheduled as well
    bool unflushed = false;                     // bytes were taken since the last flush
    std::size_t dead = 0;                       // how many further writes are refused
    std::size_t refused = 0, most_refused = 0;  // writes in a row that moved nothing: now, and the most so far
    bool hesitated = false;                     // a write did not move all its bytes
    bool threw = false;                         // a write threw, or a flush of bytes that were taken failed
    bool unflushable = false;                   // a flush returned false

    void die() {
      if (dead == 0) budget.allow(dead = too_many_refusals);
      --dead;
    }
  };

  explicit scheduled_sink(schedule calls, bool flushes = false) : log_(std::make_shared<log>()) {
    log_->budget.allow(calls.size());
    log_->calls = std::move(calls);
    log_->flushes = flushes;
    // A test may make allocations fail, but not these.
    log_->text.reserve(1000);
    log_->presented.reserve(1000);
  }

  std::streamsize write(const char* s, std::streamsize n) {
    log& self = *log_;
    self.presented.assign(s, static_cast<std::size_t>(n));
    const act a = self.dead != 0 ? act::end : next(true);
    const bool moves = a == act::all || a == act::one;
    if (a == act::end) self.die();
    self.refused = moves ? 0 : self.refused + 1;
    self.most_refused = std::max(self.most_refused, self.refused);
    self.hesitated = self.hesitated || a != act::all;
    if (!moves) return a == act::none ? 0 : -1;
    const std::size_t taken = a == act::one ? 1 : static_cast<std::size_t>(n);
    self.text.append(s, taken);
    self.unflushed = true;
    self.budget.allow_for(taken);
    return static_cast<std::streamsize>(taken);
  }

  bool flush() {
    log& self = *log_;
    if (self.flushes && next(self.unflushed) == act::end) {
      self.threw = self.threw || self.unflushed;
      self.unflushable = true;
      return false;
    }
    if (!self.flushes) self.budget.spend();
    self.unflushed = false;
    return true;
  }

  const log& seen() const { return *log_; }

 private:
  act next(bool matters) {
    try {
      return log_->next();
    } catch (const device_failure&) {
      log_->threw = log_->threw || matters;
      throw;
    }
  }

  std::shared_ptr<log> log_;
};

}  // namespace devices

#endif
