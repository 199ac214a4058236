// spdlog_sink.hpp: an spdlog sink that repairs the text of each message before another sink gets it. Needs spdlog, no Boost;
// utfilter.hpp does not include it.
#ifndef UTFILTER_SPDLOG_SINK_HPP
#define UTFILTER_SPDLOG_SINK_HPP

#include <utfilter/conversion.hpp>
#include <utfilter/detail/transfer.hpp>
#include <utfilter/params.hpp>
#include <utfilter/text.hpp>
#include <utfilter/transcoder.hpp>

#include <spdlog/common.h>
#include <spdlog/formatter.h>
#include <spdlog/sinks/sink.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace utfilter {

/// Stands before any other sink, and gives it messages whose payload and logger name are well-formed UTF-8.
///
///     auto file = std::make_shared<spdlog::sinks::rotating_file_sink_mt>("app.log", 1 << 20, 3);
///     spdlog::logger log("app", std::make_shared<utfilter::spdlog_sink>(file));
///
/// Each message is a text of its own: a character that is cut at its end is an error there. A well-formed message is passed on
/// as it is, at the cost of one look at its bytes and no allocation; of an ill-formed one a repaired copy. Pattern and
/// formatter are set on the other sink, and both sinks' levels hold. The pattern itself and the source location are not looked
/// at.
///
/// The check has no lock and throws nothing: where there is no memory for a repair, the message ends before its first error.
/// What the other sink throws passes through, for the logger's error handler. Threads may log at a time if they may to the
/// other sink: spdlog's _mt or _st is said there.
class spdlog_sink : public spdlog::sinks::sink {
 public:
  /// The policy is replace, skip, escape, windows1252 or keep. The observer is told each error, whose place is that in the
  /// payload or in the name, by the thread that logs, before the other sink gets the message. It may log itself, and what it
  /// throws is dropped.
  ///
  /// Throws std::invalid_argument, with the reason, where there is no other sink, and for params that could keep a message from
  /// arriving: strict, stop, an error limit. A message has no signature: bom is automatic or keep, and U+FEFF a character.
  explicit spdlog_sink(std::shared_ptr<spdlog::sinks::sink> next, params p = log_params())
      : next_(std::move(next)), params_(std::move(p)) {
    if (next_ == nullptr) throw std::invalid_argument("utfilter::spdlog_sink: there is no sink to pass messages on to");
    if (params_.on_error == on_error::strict || params_.on_error == on_error::stop)
      throw std::invalid_argument("utfilter::spdlog_sink: strict or stop would lose messages, a log must repair");
    if (params_.error_limit != no_limit)
      throw std::invalid_argument("utfilter::spdlog_sink: an error limit would lose messages, a log must repair them all");
    if (params_.bom != bom::automatic && params_.bom != bom::keep)
      throw std::invalid_argument("utfilter::spdlog_sink: a message has no byte order mark, params::bom must be automatic");
    params_.bom = bom::keep;
    observer_.swap(params_.observer);
    checker(codec(), params_);  // refuses the rest
  }
  spdlog_sink(std::shared_ptr<spdlog::sinks::sink> next, on_error policy)
      : spdlog_sink(std::move(next), detail::with(policy)) {}

  /// Messages that were ill-formed, so far. Under on_error::keep they were only counted.
  std::uint64_t repaired() const noexcept { return repaired_; }
  /// Errors in them.
  std::uint64_t errors() const noexcept { return errors_; }

  /// Linear in the message.
  void log(const spdlog::details::log_msg& message) override {
    if (!next_->should_log(message.level)) return;
    if (is_utf8(view(message.payload)) && is_utf8(view(message.logger_name))) return next_->log(message);

    spdlog::memory_buf_t     payload, name;
    spdlog::details::log_msg copy = message;
    copy.payload                  = repair(message.payload, payload);
    copy.logger_name              = repair(message.logger_name, name);
    ++repaired_;
    next_->log(copy);
  }
  void flush() override { next_->flush(); }
  void set_pattern(const std::string& pattern) override { next_->set_pattern(pattern); }
  void set_formatter(std::unique_ptr<spdlog::formatter> formatter) override { next_->set_formatter(std::move(formatter)); }

 private:
  using checker = conversion<transcoder>;

  static transcoder codec() noexcept { return transcoder::validating(bom::keep); }

  static std::string_view view(spdlog::string_view_t text) noexcept { return {text.data(), text.size()}; }

  spdlog::string_view_t repair(spdlog::string_view_t text, spdlog::memory_buf_t& repaired) noexcept {
    if (is_utf8(view(text))) return text;
    try {
      params p   = params_;
      p.observer = [this](const error_info& error) { note(error); };
      checker check(codec(), std::move(p));
      check.begin(checker::direction::writing);
      detail::push(check, text.data(), text.size(), true,
                   [&](const char* s, std::size_t n) { repaired.append(s, s + n); });
      return {repaired.data(), repaired.size()};
    } catch (...) {  // there is no memory: these bytes need none
      return {text.data(), static_cast<std::size_t>(find_error(view(text))->offset)};
    }
  }

  void note(const error_info& error) noexcept {
    ++errors_;
    try {
      if (observer_) observer_(error);
    } catch (...) {
    }
  }

  std::shared_ptr<spdlog::sinks::sink>   next_;
  params                                 params_;    // without the observer, which is not to be copied
  std::function<void(const error_info&)> observer_;
  std::atomic<std::uint64_t>             repaired_{0};
  std::atomic<std::uint64_t>             errors_{0};
};

}  // namespace utfilter

#endif
