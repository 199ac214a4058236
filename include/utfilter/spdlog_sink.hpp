// spdlog_sink.hpp: spdlog sinks that repair the text of each message before another sink gets it, and the line that the
// pattern makes of it. Needs spdlog, no Boost; utfilter.hpp does not include it.
// layer: logs
#ifndef UTFILTER_SPDLOG_SINK_HPP
#define UTFILTER_SPDLOG_SINK_HPP

#include <utfilter/codec.hpp>
#include <utfilter/conversion.hpp>
#include <utfilter/control_escaper.hpp>
#include <utfilter/detail/exceptions.hpp>
#include <utfilter/detail/printable_pieces.hpp>
#include <utfilter/detail/transfer.hpp>
#include <utfilter/params.hpp>
#include <utfilter/repair.hpp>
#include <utfilter/text.hpp>
#include <utfilter/transcoder.hpp>

#include <spdlog/common.h>
#include <spdlog/details/console_globals.h>
#include <spdlog/details/null_mutex.h>
#include <spdlog/formatter.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/dist_sink.h>
#include <spdlog/sinks/sink.h>
#include <spdlog/sinks/stdout_sinks.h>

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
#include <type_traits>
#include <utility>
#include <vector>

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
  const std::optional<error_info> error = find_error(text);
  return error ? std::optional(static_cast<std::size_t>(error->offset)) : std::nullopt;
}

/// The same for control_escaper. It passes what a printable writes unchanged.
inline std::optional<std::size_t> first_change(const control_escaper& codec, std::string_view text) noexcept {
  if (is_harmless(text, codec.options())) return std::nullopt;
  printable_options o = codec.options();
  o.limit = printable_pieces::unlimited;
  const std::string_view first = printable_pieces(text, o).next();
  return first.data() == text.data() ? first.size() : 0;  // 0: an escape
}

/// @{
/// Whether the codec changes nothing in the text.
template <class Codec>
bool leaves(const Codec& codec, std::string_view text) noexcept {
  return !first_change(codec, text);
}
inline bool leaves(const transcoder&, std::string_view text) noexcept { return is_utf8(text); }
inline bool leaves(const control_escaper& codec, std::string_view text) noexcept {
  return is_harmless(text, codec.options());
}
/// @}

/// Whether the codec leaves a text unchanged if it leaves each part of the text unchanged.
template <class Codec>
inline constexpr bool checks_parts = std::is_same_v<Codec, transcoder> || std::is_same_v<Codec, control_escaper>;

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

/// The error of a part of a text, with its place in the whole text, which begins with `before`. Throws std::bad_alloc.
inline error_info after(std::string_view before, error_info error) {
  const std::string_view last_line = before.substr(before.rfind('\n') + 1);  // all, if there is no line feed
  text_position start;
  start.offset = before.size() - last_line.size();
  start.pass_lines(static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n')));
  start.pass_columns(count_characters(sanitize(last_line)), last_line.size());  // each error is one character
  return moved(error, {}, start);
}

/// What a sink and the formatters that it has made share: it checks texts by a codec, repairs them, and counts.
template <class Codec>
class log_check {
 public:
  using observer = std::function<void(const error_info&, const spdlog::details::log_msg&)>;

  /// The lines have a codec of their own, because the codec of the messages has already changed a part of each.
  log_check(const Codec& codec, const Codec& of_lines, const params& p)
      : codec_(codec), of_lines_(of_lines), params_(p) {
    if (!repairer::repairs(params_.on_error))
      throw std::invalid_argument("utfilter::spdlog_sink: strict or stop would lose messages, a log must repair");
    if (params_.error_limit != no_limit)
      throw std::invalid_argument(
          "utfilter::spdlog_sink: an error limit would lose messages, a log must repair them all");
    if (params_.observer)
      observer_ = [tell = std::move(params_.observer)](const error_info& e, const spdlog::details::log_msg&) {
        tell(e);
      };
    params_.observer = nullptr;
    conversion<Codec>(codec_, params_);  // throws for params that make no sense with this codec
  }

  void observe(observer tell) { observer_ = std::move(tell); }
  std::uint64_t repaired() const noexcept { return repaired_; }
  std::uint64_t errors() const noexcept { return errors_; }
  /// Whether ill-formed bytes stay. Then a line need not be checked after its message.
  bool keeps() const noexcept { return params_.on_error == on_error::keep; }

  const Codec& of_messages() const noexcept { return codec_; }
  const Codec& of_lines() const noexcept { return of_lines_; }

  /// Appends the repaired text. Calls `note` for each error, if there is an observer. If there is no memory, appends
  /// nothing and returns false.
  template <class Note>
  bool repair(const Codec& codec, std::string_view text, spdlog::memory_buf_t& to, const Note& note) {
    const std::size_t before = to.size();
    try {
      params observed;
      if (observer_) {
        observed = params_;
        observed.observer = [&](const error_info& error) {
          ++errors_;
          note(error);
        };
      }
      conversion<Codec> check(codec, observer_ ? observed : params_);
      check.begin(conversion<Codec>::direction::writing);
      const bool whole = push(check, text.data(), text.size(), true,
                              writer{[&](const char* s, std::size_t n) { to.append(s, s + n); }});
      if (!observer_) errors_ += check.report().errors;
      if (whole) return true;
    } catch (...) {  // there is no memory
      if (must_throw_on()) throw;
    }
    to.resize(before);
    return false;
  }

  void tell(const error_info& error, const spdlog::details::log_msg& message) {
    const auto call = [&] {
      if (const observers::visit inside{observers_}) observer_(error, message);
    };
    guarded(call, [](std::exception_ptr) {});
  }

  /// A message that the present thread logs through a sink. It counts once, however many formatters change its line.
  class passing_message {
   public:
    explicit passing_message(log_check& check) noexcept : check_(check), outer_(innermost_) { innermost_ = this; }
    ~passing_message() {
      innermost_ = outer_;
      if (changed_) ++check_.repaired_;
    }
    passing_message(const passing_message&) = delete;
    passing_message& operator=(const passing_message&) = delete;

    void has_changed() noexcept { changed_ = true; }
    /// Call this when the payload of the message has passed the check.
    void has_checked(std::string_view payload) noexcept { checked_ = payload; }
    /// Whether this payload, the same memory, has passed the check.
    bool knows(std::string_view payload) const noexcept {
      return payload.data() == checked_.data() && payload.size() == checked_.size();
    }
    /// Keeps an error of the line. A formatter runs while its sink has a lock, for which an observer that logs would
    /// wait for ever.
    void keep(const error_info& error) { errors_.push_back(error); }
    void tell_kept(const spdlog::details::log_msg& message) {
      for (const error_info& error : errors_) check_.tell(error, message);
    }

   private:
    friend class log_check;
    log_check& check_;
    passing_message* const outer_;
    std::vector<error_info> errors_;
    std::string_view checked_;
    bool changed_ = false;
  };

  /// The message that this thread logs through the sink of this check; null if a formatter is used without the sink.
  passing_message* passing() noexcept {
    passing_message* m = innermost_;
    while (m != nullptr && &m->check_ != this) m = m->outer_;
    return m;
  }
  void count_line() noexcept { ++repaired_; }

 private:
  static inline thread_local passing_message* innermost_ = nullptr;

  Codec codec_, of_lines_;
  params params_;  // without the observer
  observer observer_;
  observers observers_;
  std::atomic<std::uint64_t> repaired_{0};
  std::atomic<std::uint64_t> errors_{0};
};

using wrap_formatter = std::function<std::unique_ptr<spdlog::formatter>(std::unique_ptr<spdlog::formatter>)>;

/// A sink that passes messages on to another one.
struct passing_sink : spdlog::sinks::sink {
  virtual spdlog::sinks::sink& next() noexcept = 0;
};

#ifdef __cpp_rtti
/// Access to the formatter of spdlog's sinks, which no public member returns.
template <class Mutex>
struct opened_sink : spdlog::sinks::base_sink<Mutex> {
  static bool wrap(spdlog::sinks::sink& s, const wrap_formatter& wrapped) {
    auto* const base = dynamic_cast<spdlog::sinks::base_sink<Mutex>*>(&s);
    if (base == nullptr) return false;
    const std::lock_guard<Mutex> guard(base->*&opened_sink::mutex_);
    auto& formatter = base->*&opened_sink::formatter_;
    formatter = wrapped(formatter->clone());
    return true;
  }
};
template <class ConsoleMutex>
struct opened_stdout_sink : spdlog::sinks::stdout_sink_base<ConsoleMutex> {
  static bool wrap(spdlog::sinks::sink& s, const wrap_formatter& wrapped) {
    auto* const base = dynamic_cast<spdlog::sinks::stdout_sink_base<ConsoleMutex>*>(&s);
    if (base == nullptr) return false;
    auto& formatter = base->*&opened_stdout_sink::formatter_;
    formatter = wrapped(formatter->clone());
    return true;
  }
};
template <class Mutex>
struct opened_dist_sink : spdlog::sinks::dist_sink<Mutex> {
  static std::vector<std::shared_ptr<spdlog::sinks::sink>> sinks(spdlog::sinks::sink& s) {
    auto* const dist = dynamic_cast<spdlog::sinks::dist_sink<Mutex>*>(&s);
    if (dist == nullptr) return {};
    const std::lock_guard<Mutex> guard(dist->*&opened_dist_sink::mutex_);
    return dist->*&opened_dist_sink::sinks_;
  }
};
#endif

/// Puts a formatter around that of a sink. Where that cannot be reached, puts it around spdlog's default formatter.
/// Wraps a clone, so that the sink keeps its own if there is no memory.
inline void wrap_formatter_of(spdlog::sinks::sink& s, const wrap_formatter& wrapped) {
#ifdef __cpp_rtti
  if (auto* const passing = dynamic_cast<passing_sink*>(&s)) return wrap_formatter_of(passing->next(), wrapped);
  auto several = opened_dist_sink<std::mutex>::sinks(s);
  if (several.empty()) several = opened_dist_sink<spdlog::details::null_mutex>::sinks(s);
  for (const auto& one : several) wrap_formatter_of(*one, wrapped);
  if (opened_sink<std::mutex>::wrap(s, wrapped) || opened_sink<spdlog::details::null_mutex>::wrap(s, wrapped) ||
      opened_stdout_sink<spdlog::details::console_mutex>::wrap(s, wrapped) ||
      opened_stdout_sink<spdlog::details::console_nullmutex>::wrap(s, wrapped))
    return;
#endif
  s.set_formatter(wrapped(std::make_unique<spdlog::pattern_formatter>()));
}

}  // namespace detail

/// A formatter that checks what another formatter has made: the whole line, with all that the pattern adds to the
/// message, such as the source location, the values of flags of your own (a mapped diagnostic context), and what is
/// left of a text that `%10!v` has cut inside a character.
///
/// The line feed at the end of the line, or CR LF, is not checked. The part of the line that the pattern colours, by %^
/// and %$, is found again after a repair. Ill-formed bytes on both sides of its ends are separate errors. A line that
/// needs no change costs no allocation. If there is no memory for a repair, the line is cut off before its first
/// change.
///
/// codec_spdlog_sink puts such a formatter into its sink by itself. Use it alone for a sink that is not wrapped:
///
/// ```cpp
/// spdlog::logger log("app", std::make_shared<spdlog::sinks::stdout_sink_mt>());
/// auto plain = std::make_unique<spdlog::pattern_formatter>("%n: %v");
/// log.set_formatter(std::make_unique<utfilter::codec_spdlog_formatter<utfilter::control_escaper>>(
///     std::move(plain), utfilter::control_escaper(utfilter::control_escaper::line_feeds::escape)));
/// ```
///
/// Complexity: that of the other formatter, and linear in the line. Thread safety: that of the other formatter.
template <class Codec>
class codec_spdlog_formatter : public spdlog::formatter {
 public:
  /// The params are those of codec_spdlog_sink. Throws std::invalid_argument, with the reason, if there is no other
  /// formatter, and as codec_spdlog_sink does. The observer runs while the sink has its lock, so it must not log to
  /// that sink.
  template <class Options = params, class = detail::if_options<Options>>
  explicit codec_spdlog_formatter(std::unique_ptr<spdlog::formatter> inner, const Codec& codec,
                                  const Options& options = log_params())
      : codec_spdlog_formatter(std::move(inner),
                               std::make_shared<detail::log_check<Codec>>(codec, codec, detail::to_params(options))) {}

  /// The number of lines changed so far, by this formatter and its clones.
  std::uint64_t repaired() const noexcept { return check_->repaired(); }
  /// The number of errors in these lines.
  std::uint64_t errors() const noexcept { return check_->errors(); }

  /// Appends the line, repaired if necessary.
  void format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& to) override {
    const std::size_t begin = to.size();
    inner_->format(message, to);
    if (check_->keeps()) return;
    const std::string_view line(to.data() + begin, to.size() - begin);
    const std::size_t end = line.size() - size_of_end(line);
    parts p{{0, end, end, end}, end - checked_end(line.substr(0, end), message)};
    if (message.color_range_end > message.color_range_start) {
      p.bounds[1] = (std::min)((std::max)(message.color_range_start, begin) - begin, end);
      p.bounds[2] = (std::min)((std::max)(message.color_range_end, begin) - begin, end);
    }
    auto change = detail::first_change(check_->of_lines(), line.substr(0, p.checked));
    for (const std::size_t bound : {p.bounds[1], p.bounds[2]}) {
      if (bound >= end || (line[bound] & 0xC0) != 0x80) continue;
      if (!change) change = complete_prefix(line.substr(0, bound));
      p.checked = end;  // the message is ill-formed in two parts
    }
    if (change) repair(message, to, begin, p, *change);
  }

  /// A formatter of its own, whose counts are added to these.
  std::unique_ptr<spdlog::formatter> clone() const override {
    return std::unique_ptr<spdlog::formatter>(new codec_spdlog_formatter(inner_->clone(), check_));
  }

 private:
  template <class>
  friend class codec_spdlog_sink;

  codec_spdlog_formatter(std::unique_ptr<spdlog::formatter> inner, std::shared_ptr<detail::log_check<Codec>> check)
      : inner_(std::move(inner)), check_(std::move(check)) {
    if (inner_ == nullptr)
      throw std::invalid_argument("utfilter::codec_spdlog_formatter: there is no formatter whose lines to check");
  }

  /// Places in a line, in bytes from its start.
  struct parts {
    std::size_t bounds[4];  // the part between the second and the third is coloured
    std::size_t checked;    // where the message begins that was checked before; the end of the line if there is none
  };

  static std::size_t size_of_end(std::string_view line) noexcept {
    if (line.empty() || line.back() != '\n') return 0;
    return line.size() > 1 && line[line.size() - 2] == '\r' ? 2 : 1;
  }

  /// The number of bytes at the end of the line that were checked before: those of the message, if the line ends with
  /// it.
  std::size_t checked_end(std::string_view line, const spdlog::details::log_msg& message) const noexcept {
    if (!detail::checks_parts<Codec> || message.payload.size() > line.size()) return 0;
    const std::string_view payload(message.payload.data(), message.payload.size());
    const auto* const passing = check_->passing();
    if (passing == nullptr || !passing->knows(payload)) return 0;
    return line.substr(line.size() - payload.size()) == payload ? payload.size() : 0;
  }

  /// Repairs the line at `begin`, part by part, without the message that was checked before. The first change is at
  /// `change`.
  void repair(const spdlog::details::log_msg& message, spdlog::memory_buf_t& to, std::size_t begin, const parts& p,
              std::size_t change) {
    auto* const passing = check_->passing();
    if (passing != nullptr)
      passing->has_changed();
    else
      check_->count_line();
    const std::string_view line(to.data() + begin, to.size() - begin);
    char end_of_line[2];
    const std::size_t end_size = line.copy(end_of_line, sizeof end_of_line, p.bounds[3]);
    std::size_t places[4] = {};
    spdlog::memory_buf_t made;
    bool whole = true;
    for (std::size_t i = 0; whole && i < 3; ++i) {
      const std::size_t part = p.bounds[i], next = p.bounds[i + 1], checked = std::clamp(p.checked, part, next);
      const auto note = [&](const error_info& error) {
        const error_info in_line = detail::after(line.substr(0, part), error);
        if (passing != nullptr)
          passing->keep(in_line);
        else
          check_->tell(in_line, message);
      };
      whole = check_->repair(check_->of_lines(), line.substr(part, checked - part), made, note);
      const auto append_checked = [&] { made.append(line.data() + checked, line.data() + next); };
      if (whole) detail::guarded(append_checked, [&](std::exception_ptr) { whole = false; });
      places[i + 1] = made.size();
    }
    to.resize(begin + (whole ? 0 : change));
    if (whole) {
      to.append(made.data(), made.data() + made.size());
      if (message.color_range_end > message.color_range_start) {
        message.color_range_start = begin + places[1];
        message.color_range_end = begin + places[2];
      }
    } else {
      message.color_range_start = (std::min)(message.color_range_start, to.size());
      message.color_range_end = (std::min)(message.color_range_end, to.size());
    }
    to.append(end_of_line, end_of_line + end_size);
  }

  std::unique_ptr<spdlog::formatter> inner_;
  std::shared_ptr<detail::log_check<Codec>> check_;
};

/// A sink that passes each message through a codec, from UTF-8 to UTF-8, and gives it to another sink: first the
/// payload and the logger name, each a text of its own, then the line that the other sink's formatter makes of them
/// (codec_spdlog_formatter). So every byte that a sink with a formatter writes has passed the codec.
///
/// If the codec does not change a message, the sink passes on the message itself, without allocation. Otherwise it
/// passes on a changed copy. The levels of both sinks apply.
///
/// The constructor puts the check around the formatter that the other sink has. A coloured console of spdlog, or a sink
/// that derives from none of spdlog's, hides its formatter: there a pattern that was set before is replaced by spdlog's
/// default. Patterns and formatters that are set here, or by the logger, are set in the other sink, with the check. Do
/// not set them there afterwards: then lines are not checked. In a dist_sink_mt, the check is put into the sinks that
/// it has at that time.
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
class codec_spdlog_sink : public detail::passing_sink {
 public:
  /// The policy must be one that repairs. The thread that logs calls the observer for each error. Errors of the message
  /// come before the other sink gets it, with their place in the payload or in the name. Then come errors that only the
  /// finished line has, with their place in the line. Exceptions of the observer are dropped. The observer may itself
  /// log, even to this sink: such messages are repaired and counted, but their errors are not observed. (It must not
  /// log here while a lock is held around this sink, as in spdlog's dist_sink_mt and in dump_backtrace: it would wait
  /// for that lock for ever.)
  ///
  /// Throws std::invalid_argument, with the reason, if there is no other sink, for params that could keep a message
  /// from arriving (strict, stop, an error limit), and for params that make no sense with this codec.
  template <class Options = params, class = detail::if_options<Options>>
  explicit codec_spdlog_sink(std::shared_ptr<spdlog::sinks::sink> next, const Codec& codec,
                             const Options& options = log_params())
      : codec_spdlog_sink(std::move(next), codec, codec, detail::to_params(options)) {}

  /// The observer is also given the message that has the error. Under an async logger only that tells which message it
  /// is: a thread of the pool calls the observer, while the program logs the next ones. Replaces params::observer. Call
  /// it before the first message.
  ///
  /// ```cpp
  /// auto check = std::make_shared<utfilter::spdlog_sink>(std::make_shared<spdlog::sinks::stdout_sink_mt>());
  /// check->observe([](const utfilter::error_info& error, const spdlog::details::log_msg& message) {
  ///   std::clog << message.thread_id << ": " << to_string(error) << '\n';
  /// });
  /// ```
  void observe(std::function<void(const error_info&, const spdlog::details::log_msg&)> observer) {
    check_->observe(std::move(observer));
  }

  /// The number of messages changed so far. Under on_error::keep, the number of ill-formed messages, which are not
  /// changed.
  std::uint64_t repaired() const noexcept { return check_->repaired(); }
  /// The number of errors in these messages.
  std::uint64_t errors() const noexcept { return check_->errors(); }

  /// Passes the message on, repaired if necessary.
  void log(const spdlog::details::log_msg& message) override {
    if (!next_->should_log(message.level)) return;
    typename detail::log_check<Codec>::passing_message passing(*check_);
    const Codec& codec = check_->of_messages();
    if (detail::leaves(codec, view(message.payload)) && detail::leaves(codec, view(message.logger_name))) {
      passing.has_checked(view(message.payload));
      next_->log(message);
    } else {
      log_changed(message, passing);
    }
    passing.tell_kept(message);
  }
  /// @{
  /// These call the other sink.
  void flush() override { next_->flush(); }
  void set_pattern(const std::string& pattern) override {
    set_formatter(std::make_unique<spdlog::pattern_formatter>(pattern));
  }
  void set_formatter(std::unique_ptr<spdlog::formatter> formatter) override {
    next_->set_formatter(checked(std::move(formatter)));
  }
  /// @}

 protected:
  /// The lines get a codec of their own: the first one has already changed the messages in them.
  codec_spdlog_sink(std::shared_ptr<spdlog::sinks::sink> next, const Codec& codec, const Codec& of_lines,
                    const params& p)
      : next_(std::move(next)), check_(std::make_shared<detail::log_check<Codec>>(codec, of_lines, p)) {
    if (next_ == nullptr) throw std::invalid_argument("utfilter::spdlog_sink: there is no sink to pass messages on to");
    detail::wrap_formatter_of(*next_, [this](auto formatter) { return checked(std::move(formatter)); });
  }

 private:
  spdlog::sinks::sink& next() noexcept override { return *next_; }

  static std::string_view view(spdlog::string_view_t text) noexcept { return {text.data(), text.size()}; }

  std::unique_ptr<spdlog::formatter> checked(std::unique_ptr<spdlog::formatter> inner) const {
    return std::unique_ptr<spdlog::formatter>(new codec_spdlog_formatter<Codec>(std::move(inner), check_));
  }

  /// Passes on a message that the codec changes.
  UTFILTER_NOINLINE void log_changed(const spdlog::details::log_msg& message,
                                     typename detail::log_check<Codec>::passing_message& passing) {
    spdlog::memory_buf_t payload, name;
    spdlog::details::log_msg copy = message;
    if (const auto change = detail::first_change(check_->of_messages(), view(message.payload)))
      copy.payload = repaired(message.payload, message, *change, payload);
    if (const auto change = detail::first_change(check_->of_messages(), view(message.logger_name)))
      copy.logger_name = repaired(message.logger_name, message, *change, name);
    passing.has_changed();
    passing.has_checked(view(copy.payload));
    next_->log(copy);
  }

  spdlog::string_view_t repaired(spdlog::string_view_t text, const spdlog::details::log_msg& message,
                                 std::size_t first_change, spdlog::memory_buf_t& to) {
    if (check_->repair(check_->of_messages(), view(text), to,
                       [&](const error_info& error) { check_->tell(error, message); }))
      return {to.data(), to.size()};
    return {text.data(), first_change};  // these bytes need no repair
  }

  std::shared_ptr<spdlog::sinks::sink> next_;
  std::shared_ptr<detail::log_check<Codec>> check_;
};

/// A sink that passes messages of well-formed UTF-8 on unchanged, and repairs all others.
///
/// ```cpp
/// auto file = std::make_shared<spdlog::sinks::rotating_file_sink_mt>("app.log", 1 << 20, 3);
/// spdlog::logger log("app", std::make_shared<utfilter::spdlog_sink>(file));
/// ```
///
/// The policy is replace, skip, escape, windows1252 or keep. A message has no byte order mark: params::bom must be
/// automatic or keep, and an initial U+FEFF is a character. Complexity and thread safety are those of
/// codec_spdlog_sink.
class spdlog_sink : public codec_spdlog_sink<transcoder> {
 public:
  /// Throws std::invalid_argument, with the reason, as codec_spdlog_sink does.
  template <class Options = params, class = detail::if_options<Options>>
  explicit spdlog_sink(std::shared_ptr<spdlog::sinks::sink> next, const Options& options = log_params())
      : codec_spdlog_sink(std::move(next), transcoder::validating(bom::keep), without_bom(detail::to_params(options))) {
  }

 private:
  static params without_bom(const params& p) {
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
/// With printable_options it escapes what they say, in each message and each name. In the finished line it passes tabs,
/// quotes and backslashes, because they are the pattern's. It escapes carriage returns and line feeds there, except
/// those that end the line. With printable_options::line_feed = false a message may have several lines: its line feeds
/// pass, if the finished line ends with the message, as by the pattern "%n: %v"; what stands before it is one line.
///
/// ```cpp
/// auto file = std::make_shared<spdlog::sinks::basic_file_sink_mt>("access.log");
/// spdlog::logger log("access", std::make_shared<utfilter::escaping_spdlog_sink>(file));
/// log.info("user {}", "eve\n[info] user admin");  // one line
///
/// utfilter::printable_options json;
/// json.style = utfilter::escape_style::json;
/// spdlog::logger records("access", std::make_shared<utfilter::escaping_spdlog_sink>(file, json));
/// records.set_pattern(R"({"level":"%l","text":"%v"})");  // each line is JSON, whatever the text is
/// ```
///
/// A flag of your own that adds a text within quotes escapes it itself: to_printable(text, json). Complexity and thread
/// safety are those of codec_spdlog_sink.
class escaping_spdlog_sink : public codec_spdlog_sink<control_escaper> {
 public:
  /// Throws std::invalid_argument, with the reason, as codec_spdlog_sink does, and for on_error::keep.
  template <class Options = params, class = detail::if_options<Options>>
  explicit escaping_spdlog_sink(std::shared_ptr<spdlog::sinks::sink> next, const Options& options = log_params())
      : escaping_spdlog_sink(std::move(next), printable_options(), options) {}

  /// The same, but escapes what the second argument says; printable_options::limit does not count. Throws what the
  /// first constructor throws.
  template <class Options = params, class = detail::if_options<Options>>
  explicit escaping_spdlog_sink(std::shared_ptr<spdlog::sinks::sink> next, const printable_options& escaped,
                                const Options& options = log_params())
      : codec_spdlog_sink(std::move(next), control_escaper(escaped), of_lines(escaped), detail::to_params(options)) {}

 private:
  static control_escaper of_lines(printable_options o) {
    o.line_feed = true;  // only the message may have several lines
    return control_escaper(o).for_lines();
  }
};

}  // namespace utfilter

#endif
