// progress.hpp: a progress bar on a terminal.
#ifndef UTFCAT_PROGRESS_HPP
#define UTFCAT_PROGRESS_HPP

#include "system.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

namespace utfcat {

class progress {
 public:
  /// `total` is in bytes, 0 if it is not known.
  progress(bool wanted, std::uint64_t total) : wanted_(wanted), total_(total) {}
  ~progress() { erase(); }

  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  /// Shows how many bytes have been read, at most ten times a second.
  void show(std::uint64_t bytes) {
    using namespace std::chrono_literals;
    if (!wanted_) return;
    const auto now = std::chrono::steady_clock::now();
    if (shown_ && now - last_ < 100ms) return;
    last_ = now;
    shown_ = true;

    char text[64];
    std::string line = "\r";
    if (total_ != 0) {
      constexpr std::uint64_t width = 40;
      const auto done = std::min(bytes, total_);
      const auto part = static_cast<double>(done) / static_cast<double>(total_);
      const auto full = static_cast<std::size_t>(part * static_cast<double>(width));
      line += '[' + std::string(full, '#') + std::string(width - full, '.') + ']';
      std::snprintf(text, sizeof text, " %3.0f %%", part * 100);
      line += text;
    }
    std::snprintf(text, sizeof text, " %.1f MB", static_cast<double>(bytes) / 1e6);
    print(line + text + to_end_of_line);
  }

  /// Erases the bar, to make room for another message.
  void erase() {
    if (shown_) print(std::string("\r") + to_end_of_line);
    shown_ = false;
  }

 private:
  static constexpr char to_end_of_line[] = "\x1B[K";  // erases the rest of the line

  static void print(const std::string& s) { write_fully(standard_error, s.data(), s.size()); }

  bool wanted_;
  std::uint64_t total_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace utfcat

#endif
