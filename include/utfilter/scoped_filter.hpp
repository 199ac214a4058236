// scoped_filter.hpp: filters the text written to an existing stream, such as std::clog, until the end of a scope. No
// Boost.
// layer: streams
#ifndef UTFILTER_SCOPED_FILTER_HPP
#define UTFILTER_SCOPED_FILTER_HPP

#include <utfilter/stream.hpp>

#include <atomic>
#include <ios>
#include <memory>
#include <ostream>
#include <streambuf>
#include <string>
#include <utility>

namespace utfilter {

/// As long as the filter lives, all text that is written to the stream passes through a codec. The filter's destructor
/// gives the stream its own buffer back. Nothing is buffered: when `<<` returns, the record is in the stream's own
/// buffer, but for what the codec keeps back until more comes, or the end: the first bytes of a character; undo_mojibake
/// keeps up to 35 bytes of a group, and line_sorter the line that has not ended.
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
/// filter's own buffer then passes unchanged; so this buffer, some kilobytes, lives to the end of the program.
///
/// Nothing ends the log, except an error of the text under a policy that fails it:
///
/// - A full disk sets badbit, as without a filter. After clear(), the next record is written.
/// - A record that the observer or a signal handler writes in the middle of another one is dropped. The stream stays
///   good. (The observer may call report().)
/// - A child process may write even if it was forked in the middle of a record of another thread. Its text begins anew.
///
/// report().lost counts the bytes that were lost by the first two, and report().failure says why.
///
/// Complexity: linear in the bytes written. Thread safety: several threads may write at the same time, as they may to
/// std::clog. Nothing is promised for a character whose bytes come from two threads. A thread waits while another one
/// writes or observes:
///
/// - Two filters over streams that share a buffer do not wait for each other. std::clog and std::cerr share one after
///   std::ios::sync_with_stdio(false): then only one thread at a time may write to either of them.
/// - Two filters whose observers write to each other's stream can wait for each other for ever.
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
        buffer_(std::make_unique<shared_streambuf>(*own_, codec, detail::to_params(options))) {
    buffer_->serve(stream_);
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
      shared_streambuf::keep(std::move(buffer_));
  }

  /// The report on all text since the constructor.
  stream_report report() const { return buffer_->report(); }

 private:
  class shared_streambuf : public codec_ostreambuf<Codec> {
   public:
    shared_streambuf(std::streambuf& sink, const Codec& codec, const params& p)
        : codec_ostreambuf<Codec>(sink, codec, p, 0, detail::callers::threads) {}

    /// Ends the text of a buffer that others still write to, and keeps the buffer to the end of the program. From now on
    /// it passes all on to its sink.
    static void keep(std::unique_ptr<shared_streambuf> buffer) noexcept {
      buffer->finish_and_pass();
      buffer->next_kept_ = kept();
      while (!kept().compare_exchange_weak(buffer->next_kept_, buffer.get())) continue;
      static_cast<void>(buffer.release());
    }

   private:
    /// A list, so that tools that look for leaks find the buffers.
    static std::atomic<shared_streambuf*>& kept() noexcept {
      static std::atomic<shared_streambuf*> first{nullptr};
      return first;
    }
    shared_streambuf* next_kept_ = nullptr;
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
  std::unique_ptr<shared_streambuf> buffer_;
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
