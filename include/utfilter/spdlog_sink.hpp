// spdlog_sink.hpp: spdlog sinks that repair the text of each message before another sink gets it. Needs spdlog, no
// Boost; utfilter.hpp does not include it.
#ifndef UTFILTER_SPDLOG_SINK_HPP
#define UTFILTER_SPDLOG_SINK_HPP

#include <utfilter/codec.hpp>
#include <utfilter/conversion.hpp>
#include <utfilter/control_escaper.hpp>
#include <utfilter/detail/exceptions.hpp>
#include <utfilter/detail/transfer.hpp>
#include <utfilter/params.hpp>
#include <utfilter/repair.hpp>
#include <utfilter/text.hpp>
#include <utfilter/transcoder.hpp>

#include <spdlog/common.h>
#include <spdlog/formatter.h>
#include <spdlog/sinks/sink.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace utfilter {

namespace detail {

/// The number of bytes at the start of the text, in whole characters, that the codec does not change; std::nullopt if
/// it changes nothing in the text.
template <class Codec>
std::optional<std::size_t> first_change(Codec codec, std::string_view text) noexcept {
  char buffer[std::max<std::size_t>(512, Codec::min_output)];
  std::size_t same = 0, consumed = 0;
  codec_progress progress;
  do {
    progress = codec.transform(text.data() + consumed, text.size() - consumed, buffer, sizeof buffer, true);
    consumed += progress.consumed;
    const std::string_view output(buffer, progress.produced), left = text.substr(same);
    const auto end = std::mismatch(output.begin(), output.end(), left.begin(), left.end());
    same += static_cast<std::size_t>(end.first - output.begin());
    if (end.first != output.end()) return complete_prefix(text.substr(0, same));
  } while (progress.status == codec_status::need_output);
  if (same == text.size()) return std::nullopt;
  return same;
}

/// The same for the transcoder of spdlog_sink, without converting the text.
inline std::optional<std::size_t> first_change(const transcoder&, std::string_view text) noexcept {
  if (is_utf8(text)) return std::nullopt;
  return static_cast<std::size_t>(find_error(text)->offset);
}

/// The threads that are running the observer now. Messages that the observer itself logs are not observed: each of them
/// would call it again.
class observers {
 public:
  /// One run of the observer by the present thread. It converts to false if the thread is already running the observer.
  class visit {
   public:
    explicit visit(observers& all) : all_(all) {
      const std::lock_guard<std::mutex> guard(all_.mutex_);
      for (const visit* other = all_.first_; other != nullptr; other = other->next_)
        if (other->thread_ == thread_) return;
      next_ = all_.first_;
      all_.first_ = this;
      entered_ = true;
    }
    ~visit() {
      if (!entered_) return;
      const std::lock_guard<std::mutex> guard(all_.mutex_);
      visit** link = &all_.first_;
      while (*link != this) link = &(*link)->next_;
      *link = next_;
    }
    visit(const visit&) = delete;
    visit& operator=(const visit&) = delete;
    explicit operator bool() const noexcept { return entered_; }

   private:
    observers& all_;
    const std::thread::id thread_ = std::this_thread::get_id();
    visit* next_ = nullptr;
    bool entered_ = false;
  };

 private:
  std::mutex mutex_;
  visit* first_ = nullptr;  // a list of visits, which stand on the threads' stacks
};

}  // namespace detail

/// A sink that passes the payload and the logger name of each message through a codec, from UTF-8 to UTF-8, and gives
/// the message to another sink. Each payload and each name is a text of its own.
///
/// If the codec does not change a message, the sink passes on the message itself, without allocation. Otherwise it
/// passes on a changed copy. The pattern and the formatter are those of the other sink; setting them here sets them
/// there. The levels of both sinks apply. The pattern itself and the source location are not checked.
///
/// The check takes no lock. It neither allocates nor throws if copies of the codec do not. If there is no memory for
/// the changed copy, the message is cut off before its first change. Exceptions of the other sink pass through to the
/// logger's error handler.
///
/// ```cpp
/// using visible = utfilter::codec_spdlog_sink<utfilter::control_escaper>;
/// auto console  = std::make_shared<spdlog::sinks::stdout_sink_mt>();
/// spdlog::logger log("app", std::make_shared<visible>(console, utfilter::control_escaper()));
/// ```
///
/// Complexity: linear in the message. Thread safety: several threads may log at the same time if the other sink allows
/// that; an _mt sink of spdlog does, an _st sink does not.
template <class Codec>
class codec_spdlog_sink : public spdlog::sinks::sink {
 public:
  /// The policy must be one that repairs. The thread that logs calls the observer for each error, before the other sink
  /// gets the message. The place of the error is its place in the payload or in the name. Exceptions of the observer
  /// are dropped. The observer may itself log, even to this sink: such messages are repaired and counted, but their
  /// errors are not observed. (It must not log here while a lock is held around this sink, as in spdlog's dist_sink_mt
  /// and in dump_backtrace: it would wait for that lock for ever.)
  ///
  /// Throws std::invalid_argument, with the reason, if there is no other sink, for params that could keep a message
  /// from arriving (strict, stop, an error limit), and for params that make no sense with this codec.
  template <class Options = params, class = detail::if_options<Options>>
  explicit codec_spdlog_sink(std::shared_ptr<spdlog::sinks::sink> next, const Codec& codec,
                             const Options& options = log_params())
      : next_(std::move(next)), codec_(codec), params_(detail::to_params(options)) {
    if (next_ == nullptr) throw std::invalid_argument("utfilter::spdlog_sink: there is no sink to pass messages on to");
    if (!repairer::repairs(params_.on_error))
      throw std::invalid_argument("utfilter::spdlog_sink: strict or stop would lose messages, a log must repair");
    if (params_.error_limit != no_limit)
      throw std::invalid_argument(
          "utfilter::spdlog_sink: an error limit would lose messages, a log must repair them all");
    observer_.swap(params_.observer);
    conversion<Codec>(codec_, params_);  // throws for params that make no sense with this codec
  }

  /// The number of messages changed so far. Under on_error::keep, the number of ill-formed messages, which are not
  /// changed.
  std::uint64_t repaired() const noexcept { return repaired_; }
  /// The number of errors in these messages.
  std::uint64_t errors() const noexcept { return errors_; }

  /// Passes the message on, repaired if necessary.
  void log(const spdlog::details::log_msg& message) override {
    if (!next_->should_log(message.level)) return;
    const auto payload_change = detail::first_change(codec_, view(message.payload));
    const auto name_change = detail::first_change(codec_, view(message.logger_name));
    if (!payload_change && !name_change) return next_->log(message);

    spdlog::memory_buf_t payload, name;
    spdlog::details::log_msg copy = message;
    if (payload_change) copy.payload = repair(message.payload, *payload_change, payload);
    if (name_change) copy.logger_name = repair(message.logger_name, *name_change, name);
    ++repaired_;
    next_->log(copy);
  }
  /// @{
  /// These call the other sink.
  void flush() override { next_->flush(); }
  void set_pattern(const std::string& pattern) override { next_->set_pattern(pattern); }
  void set_formatter(std::unique_ptr<spdlog::formatter> formatter) override {
    next_->set_formatter(std::move(formatter));
  }
  /// @}

 private:
  static std::string_view view(spdlog::string_view_t text) noexcept { return {text.data(), text.size()}; }

  spdlog::string_view_t repair(spdlog::string_view_t text, std::size_t first_change, spdlog::memory_buf_t& repaired) {
    try {
      params p = params_;
      p.observer = [this](const error_info& error) { note(error); };
      conversion<Codec> check(codec_, std::move(p));
      check.begin(conversion<Codec>::direction::writing);
      if (detail::push(check, text.data(), text.size(), true,
                       detail::writer{[&](const char* s, std::size_t n) { repaired.append(s, s + n); }}))
        return {repaired.data(), repaired.size()};
    } catch (...) {  // there is no memory
      if (detail::must_throw_on()) throw;
    }
    return {text.data(), first_change};  // these bytes need no repair
  }

  void note(const error_info& error) {
    ++errors_;
    if (!observer_) return;
    const auto call = [&] {
      if (const detail::observers::visit inside{observers_}) observer_(error);
    };
    detail::guarded(call, [](std::exception_ptr) {});
  }

  std::shared_ptr<spdlog::sinks::sink> next_;
  Codec codec_;
  params params_;  // without the observer, which must not be copied
  std::function<void(const error_info&)> observer_;
  detail::observers observers_;
  std::atomic<std::uint64_t> repaired_{0};
  std::atomic<std::uint64_t> errors_{0};
};

/// A sink that passes messages of well-formed UTF-8 on unchanged, and repairs all others.
///
/// ```cpp
/// auto file = std::make_shared<spdlog::sinks::rotating_file_sink_mt>("app.log", 1 << 20, 3);
/// spdlog::logger log("app", std::make_shared<utfilter::spdlog_sink>(file));
/// ```
///
/// The policy is replace, skip, escape, windows1252 or keep. A message has no signature: params::bom must be automatic
/// or keep, and an initial U+FEFF is a character. Complexity and thread safety are those of codec_spdlog_sink.
class spdlog_sink : public codec_spdlog_sink<transcoder> {
 public:
  /// Throws std::invalid_argument, with the reason, as codec_spdlog_sink does.
  template <class Options = params, class = detail::if_options<Options>>
  explicit spdlog_sink(std::shared_ptr<spdlog::sinks::sink> next, const Options& options = log_params())
      : codec_spdlog_sink(std::move(next), transcoder::validating(bom::keep),
                          without_signature(detail::to_params(options))) {}

 private:
  static params without_signature(const params& p) {
    if (p.bom != bom::automatic && p.bom != bom::keep)
      throw std::invalid_argument(
          "utfilter::spdlog_sink: a message has no byte order mark, params::bom must be automatic or keep");
    return p;
  }
};

/// A sink that makes each message one line that cannot move a terminal's cursor. It repairs messages as spdlog_sink
/// does, and escapes control characters, including line feeds, as control_escaper.hpp describes. It protects against
/// forged records and terminal escapes in text from users.
///
/// ```cpp
/// auto file = std::make_shared<spdlog::sinks::basic_file_sink_mt>("access.log");
/// spdlog::logger log("access", std::make_shared<utfilter::escaping_spdlog_sink>(file));
/// log.info("user {}", "eve\n[info] user admin");  // one line
/// ```
///
/// Complexity and thread safety are those of codec_spdlog_sink.
class escaping_spdlog_sink : public codec_spdlog_sink<control_escaper> {
 public:
  /// Throws std::invalid_argument, with the reason, as codec_spdlog_sink does, and for on_error::keep.
  template <class Options = params, class = detail::if_options<Options>>
  explicit escaping_spdlog_sink(std::shared_ptr<spdlog::sinks::sink> next, const Options& options = log_params())
      : codec_spdlog_sink(std::move(next), control_escaper(control_escaper::line_feeds::escape), options) {}
};

}  // namespace utfilter

#endif
