// spdlog_flags.hpp: a flag for the patterns of spdlog.
#ifndef UTFILTER_TEST_SPDLOG_FLAGS_HPP
#define UTFILTER_TEST_SPDLOG_FLAGS_HPP

#include <spdlog/pattern_formatter.h>

#include <ctime>
#include <memory>
#include <string>
#include <utility>

/// A flag of the user's, as for a mapped diagnostic context: it adds text after the message was checked.
class text_flag : public spdlog::custom_flag_formatter {
 public:
  explicit text_flag(std::string text) : text_(std::move(text)) {}
  void format(const spdlog::details::log_msg&, const std::tm&, spdlog::memory_buf_t& to) override {
    to.append(text_.data(), text_.data() + text_.size());
  }
  std::unique_ptr<custom_flag_formatter> clone() const override { return std::make_unique<text_flag>(text_); }

 private:
  std::string text_;
};

#endif
