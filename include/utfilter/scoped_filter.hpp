// scoped_filter.hpp: filters the text written to an existing stream, such as std::clog, until the end of a scope. No
// Boost.
#ifndef UTFILTER_SCOPED_FILTER_HPP
#define UTFILTER_SCOPED_FILTER_HPP

#include <utfilter/stream.hpp>

#include <ios>
#include <mutex>
#include <ostream>
#include <streambuf>
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
/// The stream must outlive the filter. Several filters of one stream must be destroyed in reverse order. The observer
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
      : stream_(stream), own_(detail::underlying<std::ostream>(stream).buffer), buffer_(*own_, codec, options) {
    set(&buffer_);
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
  ~codec_scoped_filter() { set(own_); }

  /// The report on all text since the constructor.
  stream_report report() const { return buffer_.report(); }

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

   protected:
    int_type overflow(int_type c) override {
      const lock guard(mutex_);
      return base::overflow(c);
    }
    std::streamsize xsputn(const char* s, std::streamsize n) override {
      const lock guard(mutex_);
      return base::xsputn(s, n);
    }
    int sync() override {
      const lock guard(mutex_);
      return base::sync();
    }

   private:
    // Recursive, because an observer is called under the lock and may call report().
    using lock = std::lock_guard<std::recursive_mutex>;
    mutable std::recursive_mutex mutex_;
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
  locked_streambuf buffer_;
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
