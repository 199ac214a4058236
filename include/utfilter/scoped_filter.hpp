// scoped_filter.hpp: filters the text written to an existing stream, such as std::clog, until the end of a scope. No
// Boost.
#ifndef UTFILTER_SCOPED_FILTER_HPP
#define UTFILTER_SCOPED_FILTER_HPP

#include <utfilter/stream.hpp>

#include <atomic>
#include <ios>
#include <memory>
#include <mutex>
#include <ostream>
#include <streambuf>
#include <string>
#include <utility>

namespace utfilter {

/// As long as the filter lives, all text that is written to the stream passes through a codec. The filter's destructor
/// gives the stream its own buffer back. Nothing is buffered: when `<<` returns, the record is in the stream's own
/// buffer.
///
/// ```cpp
/// const auto one_line = utfilter::control_escaper::line_feeds::escape;
/// {
///   utfilter::codec_scoped_filter safe(std::clog, utfilter::control_escaper(one_line));
///   std::clog << "a\nb";  // a\x0Ab
/// }
/// std::clog << '\n';
/// ```
///
/// The stream must outlive the filter. If the stream has another buffer when the filter is destroyed, such as that of a
/// filter made later, or of a progress bar that writes through this one, that buffer stays. Text that still comes to the
/// filter's own buffer then passes unchanged; so this buffer, some kilobytes, lives to the end of the program. The observer
/// may call report(). If it writes to the stream that it observes, the text fails: badbit is set, and report().failure
/// is a std::logic_error that says so.
///
/// Complexity: linear in the bytes written. Thread safety: several threads may write at the same time, as they may to
/// std::clog. Nothing is promised for a character whose bytes come from two threads. Each filter has one lock, which it
/// holds while it writes and while its observer runs:
///
/// - Two filters over streams that share a buffer do not wait for each other. std::clog and std::cerr share one after
///   std::ios::sync_with_stdio(false): then only one thread at a time may write to either of them.
/// - Two filters whose observers write to each other's stream can wait for each other for ever.
/// - A child process that is forked while another thread writes inherits the lock as taken, and waits for ever when it
///   writes. POSIX allows such a child only async-signal-safe functions before exec.
template <class Codec>
class codec_scoped_filter {
 public:
  /// @{
  /// The codec is given, or the name of the encoding of a transcoder. Throws std::invalid_argument, with the reason, for
  /// params that make no sense, and for a stream without a buffer.
  template <class Options = params, class = detail::if_options<Options>>
  explicit codec_scoped_filter(std::ostream& stream, const Codec& codec, const Options& options = log_params())
      : stream_(stream),
        own_(detail::underlying<std::ostream>(stream).buffer),
        buffer_(std::make_unique<locked_streambuf>(*own_, codec, options)) {
    set(buffer_.get());
  }
  template <class Options = params, class = detail::if_options<Options>, class C = Codec,
            class = detail::if_name_by_default<C>>
  explicit codec_scoped_filter(std::ostream& stream, const Options& options = log_params(),
                               detail::codec_name<C> to = detail::naming<C>::written_by_default)
      : codec_scoped_filter(stream, detail::naming<C>::writing(to, detail::to_params(options)), options) {}
  /// @}
  codec_scoped_filter(const codec_scoped_filter&) = delete;
  codec_scoped_filter& operator=(const codec_scoped_filter&) = delete;

  /// Ends the text: a partial character is reported as incomplete. Swallows exceptions.
  ~codec_scoped_filter() {
    if (stream_.rdbuf() == buffer_.get())
      set(own_);
    else
      locked_streambuf::keep(std::move(buffer_), *own_);
  }

  /// The report on all text since the constructor.
  stream_report report() const { return buffer_->report(); }

 private:
  class locked_streambuf : public codec_ostreambuf<Codec> {
    using base = codec_ostreambuf<Codec>;
    using int_type = typename base::int_type;

   public:
    using base::base;
    /// Finishes the text here, and not in the base class: the observer may call report(), which takes the lock, and the
    /// lock is destroyed before the base class.
    ~locked_streambuf() override {
      const lock guard(mutex_);
      this->finish_silently();
    }
    stream_report report() const {
      const lock guard(mutex_);
      return base::report();
    }

    /// Ends the text of a buffer that others still write to, and keeps the buffer to the end of the program. From now on
    /// it passes all on to `own`.
    static void keep(std::unique_ptr<locked_streambuf> buffer, std::streambuf& own) noexcept {
      const lock guard(buffer->mutex_);
      buffer->passes_to_ = &own;
      buffer->finish_silently();
      buffer->next_kept_ = kept();
      while (!kept().compare_exchange_weak(buffer->next_kept_, buffer.get())) continue;
      static_cast<void>(buffer.release());
    }

   protected:
    int_type overflow(int_type c) override {
      const lock guard(mutex_);
      if (passes_to_ == nullptr) return base::overflow(c);
      using traits = std::char_traits<char>;
      return traits::eq_int_type(c, traits::eof()) ? traits::not_eof(c) : passes_to_->sputc(traits::to_char_type(c));
    }
    std::streamsize xsputn(const char* s, std::streamsize n) override {
      const lock guard(mutex_);
      return passes_to_ == nullptr ? base::xsputn(s, n) : passes_to_->sputn(s, n);
    }
    int sync() override {
      const lock guard(mutex_);
      return passes_to_ == nullptr ? base::sync() : passes_to_->pubsync();
    }

   private:
    // Recursive, because an observer is called under the lock and may call report().
    using lock = std::lock_guard<std::recursive_mutex>;
    mutable std::recursive_mutex mutex_;

    /// A list, so that tools that look for leaks find the buffers.
    static std::atomic<locked_streambuf*>& kept() noexcept {
      static std::atomic<locked_streambuf*> first{nullptr};
      return first;
    }
    std::streambuf* passes_to_ = nullptr;  // after keep()
    locked_streambuf* next_kept_ = nullptr;
  };

  /// Sets the buffer and keeps the stream's state, which rdbuf(b) alone would reset.
  void set(std::streambuf* buffer) noexcept {
    const std::ios_base::iostate state = stream_.rdstate();
    try {
      stream_.rdbuf(buffer);
      stream_.setstate(state);
    } catch (const std::ios_base::failure&) {  // the stream was bad before; its state is set nevertheless
    }
  }

  std::ostream& stream_;
  std::streambuf* own_;
  std::unique_ptr<locked_streambuf> buffer_;
};

/// As long as the filter lives, all text that is written to the stream is checked as UTF-8 and, if asked, encoded.
///
/// ```cpp
/// utfilter::scoped_filter check(std::clog);  // every bad byte in the log becomes U+FFFD
/// ```
///
/// Complexity and thread safety are those of codec_scoped_filter.
using scoped_filter = codec_scoped_filter<transcoder>;

}  // namespace utfilter

#endif
