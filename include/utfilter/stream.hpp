// stream.hpp: std::istream and std::ostream over any other stream, with the codecs between. Standard C++ alone, no Boost.
#ifndef UTFILTER_STREAM_HPP
#define UTFILTER_STREAM_HPP

#include <utfilter/config.hpp>
#include <utfilter/conversion.hpp>
#include <utfilter/detail/checked_codec.hpp>
#include <utfilter/detail/transfer.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/params.hpp>
#include <utfilter/transcoder.hpp>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <exception>
#include <ios>
#include <istream>
#include <limits>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace utfilter {

namespace detail {

/// While this lives, a conversion is busy. An observer that uses the stream it observes, or a stream beneath that does, comes back to a
/// conversion that has not returned yet: that fails the text, and std::logic_error says so.
class busy {
 public:
  template <class Codec>
  busy(bool& flag, conversion<Codec>& conv) : flag_(flag) {
    if (flag_) refuse(conv);
    flag_ = true;
  }
  ~busy() { flag_ = false; }
  busy(const busy&) = delete;
  busy& operator=(const busy&) = delete;

 private:
  template <class Codec>
  [[noreturn]] UTFILTER_NOINLINE static void refuse(conversion<Codec>& conv) {
    conv.fail(std::make_exception_ptr(std::logic_error(
        "utfilter: a stream was used by its own observer, or by what is beneath it, while it was converting")));
    std::rethrow_exception(conv.failure());
  }

  bool& flag_;
};

}  // namespace detail

/// A stream buffer that decodes another one to UTF-8.
///
/// It decodes from the other's get area straight into its own, or into the caller's buffer where that is as large; hands over
/// what is there without waiting for more; and puts back at least four characters. What fails the text (utf_error, what the
/// observer or the other buffer throws) is thrown by the read behind all that precedes it, and by each further read. The end is
/// sticky, too.
///
/// ```cpp
/// std::filebuf file;
/// file.open("notes.txt", std::ios::in | std::ios::binary);
/// utfilter::decoding_streambuf text(file);
/// const std::string all{std::istreambuf_iterator<char>(&text), {}};
/// ```
///
/// Complexity: linear in the bytes read. Thread safety: one thread at a time.
///
/// Where the other can seek, so can this. Positions are bytes of the decoded text. Backwards, beyond what is at hand, the text is
/// decoded anew from its start: report() and the observer begin again, and an error is met again. Behind the end there is none.
class decoding_streambuf : public std::streambuf {
 public:
  /// The source is not owned. Throws std::invalid_argument, with the reason, for params that make no sense.
  template <class Options = params, class = detail::if_options<Options>>
  explicit decoding_streambuf(std::streambuf& source, encoding from = encoding::detect, const Options& options = {})
      : source_(source), input_(source), conversion_(detail::checked_decoder("istream", from, detail::to_params(options)), options) {
    conversion_.begin(conversion<transcoder>::direction::reading);
  }
  decoding_streambuf(const decoding_streambuf&) = delete;
  decoding_streambuf& operator=(const decoding_streambuf&) = delete;

  /// What has been seen, what is at hand included.
  stream_report report() const { return conversion_.report(); }

 protected:
  int_type underflow() override {
    refill(input_);
    return gptr() != egptr() ? traits_type::to_int_type(*gptr()) : traits_type::eof();
  }

  std::streamsize xsgetn(char* s, std::streamsize n) override {
    std::streamsize got = 0;
    while (got < n) {
      if (gptr() == egptr() && n - got >= capacity) {
        const std::streamsize more = pull(input_, s + got, n - got);
        if (more <= 0) break;
        remember(s + got, more);
        got += more;
      } else if (gptr() == egptr() && refill(input_) <= 0) {
        break;
      } else {
        const std::streamsize more = std::min<std::streamsize>(n - got, egptr() - gptr());
        std::copy_n(gptr(), more, s + got);
        gbump(static_cast<int>(more));
        got += more;
      }
    }
    return got;
  }

  /// Decodes what is there already.
  std::streamsize showmanyc() override {
    struct {
      const char*     data() const { return input.data(); }
      std::size_t     size() const { return input.size(); }
      void            consume(std::size_t n) { input.consume(n); }
      std::streamsize wait() { return source.in_avail() > 0 ? input.wait() : 0; }

      detail::streambuf_reader& input;
      std::streambuf&           source;
    } at_hand{input_, source_};
    return refill(at_hand);
  }

  int_type pbackfail(int_type c) override {
    if (gptr() == eback()) return traits_type::eof();
    gbump(-1);
    if (!traits_type::eq_int_type(c, traits_type::eof())) *gptr() = traits_type::to_char_type(c);
    return traits_type::not_eof(c);
  }

  pos_type seekoff(off_type offset, std::ios_base::seekdir way, std::ios_base::openmode which) override {
    const pos_type failed(off_type(-1));
    if ((which & std::ios_base::in) == 0 || !seekable()) return failed;
    while (way == std::ios_base::end && skip()) continue;
    const off_type from = way == std::ios_base::beg ? 0 : position();
    if (offset < -from || offset > std::numeric_limits<off_type>::max() - from) return failed;
    const off_type target = from + offset;
    if (target < position() - (gptr() - eback()) && !rewind()) return failed;
    while (target > position() + (egptr() - gptr()))
      if (!skip()) return failed;
    gbump(static_cast<int>(target - position()));
    return target;
  }
  pos_type seekpos(pos_type target, std::ios_base::openmode which) override {
    return seekoff(target, std::ios_base::beg, which);
  }

 private:
  static constexpr std::streamsize putback  = 4;
  static constexpr std::streamsize capacity = 4096;

  /// Reads into the get area, which is empty.
  template <class Input>
  std::streamsize refill(Input& input) {
    remember(nullptr, 0);
    const std::streamsize got = pull(input, gptr(), capacity);
    if (got > 0) setg(eback(), gptr(), gptr() + got);
    return got;
  }

  template <class Input>
  std::streamsize pull(Input& input, char* s, std::streamsize n) {
    const detail::busy once(busy_, conversion_);
    std::streamsize    got = 0;
    detail::guarded(conversion_, [&] { got = detail::pull(conversion_, input, at_end_, s, static_cast<std::size_t>(n)); });
    return got;
  }

  /// Makes room in the get area, which is empty, behind the last characters read: those before it, then these.
  void remember(const char* s, std::streamsize n) {
    if (area_.empty()) area_.resize(static_cast<std::size_t>(putback + capacity));
    char* const           start = area_.data() + putback;
    const std::streamsize newer = std::min(n, putback);
    const std::streamsize older = std::min<std::streamsize>(gptr() - eback(), putback - newer);
    std::copy(gptr() - older, gptr(), start - newer - older);
    std::copy(s + n - newer, s + n, start - newer);
    setg(start - newer - older, start, start);
  }

  off_type position() const { return static_cast<off_type>(report().bytes_out) - (egptr() - gptr()); }

  /// Steps over the get area and fills it. False at the end.
  bool skip() {
    gbump(static_cast<int>(egptr() - gptr()));
    return refill(input_) > 0;
  }

  bool seekable() {
    try {
      return source_.pubseekoff(0, std::ios_base::cur, std::ios_base::in) != pos_type(off_type(-1));
    } catch (const std::ios_base::failure&) {  // so Boost.Iostreams says that it cannot
      return false;
    }
  }

  /// Back to where the source was when this began to read it.
  bool rewind() {
    const detail::busy once(busy_, conversion_);
    const auto taken = static_cast<off_type>(report().bytes_in + conversion_.pending());
    if (source_.pubseekoff(-taken, std::ios_base::cur, std::ios_base::in) == pos_type(off_type(-1))) return false;
    input_ = detail::streambuf_reader(source_);
    conversion_.begin(conversion<transcoder>::direction::reading);
    at_end_ = false;
    setg(nullptr, nullptr, nullptr);
    return true;
  }

  std::streambuf&          source_;
  detail::streambuf_reader input_;
  conversion<transcoder>   conversion_;
  std::vector<char>        area_;
  bool                     at_end_ = false;
  bool                     busy_   = false;
};

/// A stream buffer that writes what it is given through a codec to another one.
///
/// Without a buffer of its own what is written is in the other buffer when the call returns, but for the bytes of a partial
/// character, which are carried until the next call or finish(). What fails the text (utf_error, what the observer or the other
/// buffer throws, std::ios_base::failure where that takes nothing or cannot be flushed) is thrown when all that precedes
/// it has been written, and by each further call until finish().
///
/// ```cpp
/// utfilter::codec_ostreambuf<utfilter::control_escaper> visible(*std::cerr.rdbuf(), utfilter::control_escaper());
/// std::ostream(&visible) << "a\rb\n";  // a\x0Db
/// ```
///
/// Complexity: linear in the bytes written. Thread safety: one thread at a time.
template <class Codec>
class codec_ostreambuf : public std::streambuf {
 public:
  /// The sink is not owned, and must outlive this. `buffer`, in bytes, up to 2^31 - 1: how much is gathered before it is
  /// converted. Throws std::invalid_argument, with the reason, for params that make no sense with this codec.
  template <class Options = params, class = detail::if_options<Options>>
  explicit codec_ostreambuf(std::streambuf& sink, const Codec& codec, const Options& options = {}, std::size_t buffer = 0)
      : sink_(sink), conversion_(codec, options), area_(buffer) {
    empty();
  }

  /// Finishes the text, and swallows what that throws. As in any destructor, a thread that is cancelled meanwhile ends the program:
  /// finish() before, where that may be.
  ~codec_ostreambuf() override { finish_silently(); }

  /// Ends the text: writes what is held (bom::add writes even to a text without a character) and flushes the sink, or throws what
  /// failed the text, now or before. What is written afterwards is a text of its own; until then there is nothing to finish.
  void finish() {
    if (finished_) return;
    const detail::busy once(busy_, conversion_);
    try {
      drain();
      write(nullptr, 0, true);
      detail::guarded(conversion_, [&] { flush(); });
    } catch (...) {
      end();
      throw;
    }
    end();
  }

  /// What has been seen of this text, or of the last one.
  stream_report report() const { return conversion_.report(); }

 protected:
  /// finish(), for destructors: swallows what that throws.
  void finish_silently() noexcept {
    try {
      finish();
    } catch (...) {
    }
  }

  int_type overflow(int_type c) override {
    const detail::busy once(busy_, conversion_);
    drain();
    if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
    const char one = traits_type::to_char_type(c);
    put(&one, 1);
    return c;
  }

  std::streamsize xsputn(const char* s, std::streamsize n) override {
    const detail::busy once(busy_, conversion_);
    put(s, n);
    return n;
  }

  int sync() override {
    const detail::busy once(busy_, conversion_);
    drain();
    detail::guarded(conversion_, [&] { flush(); });
    return 0;
  }

 private:
  using direction = typename conversion<Codec>::direction;

  void put(const char* s, std::streamsize n) {
    if (n > epptr() - pptr()) drain();
    if (n > epptr() - pptr()) {
      write(s, static_cast<std::size_t>(n), false);
    } else {
      std::copy_n(s, n, pptr());
      pbump(static_cast<int>(n));
    }
  }

  void empty() { setp(area_.data(), area_.data() + area_.size()); }

  void drain() {
    const auto size = static_cast<std::size_t>(pptr() - pbase());
    empty();
    if (size != 0) write(area_.data(), size, false);
  }

  void end() noexcept {
    conversion_.end();
    finished_ = true;
  }

  void write(const char* s, std::size_t n, bool last) {
    if (conversion_.use() == direction::none) conversion_.begin(direction::writing);
    finished_ = false;
    detail::guarded(conversion_, [&] {
      detail::push(conversion_, s, n, last, detail::writer{[&](const char* piece, std::size_t size) {
        detail::write_fully(
            piece, static_cast<std::streamsize>(size), [&](const char* t, std::streamsize m) { return sink_.sputn(t, m); },
            [] { detail::fail("the text cannot be written"); });
      }});
    });
  }

  void flush() {
    errno = 0;
    if (sink_.pubsync() == -1) detail::fail("the text cannot be flushed");
  }

  std::streambuf&   sink_;
  conversion<Codec> conversion_;
  std::vector<char> area_;
  bool              finished_ = false;
  bool              busy_     = false;
};

/// A stream buffer that checks UTF-8, encodes it and writes it to another one.
///
/// ```cpp
/// std::filebuf file;
/// file.open("label.txt", std::ios::out | std::ios::binary);
/// utfilter::encoding_streambuf text(file, utfilter::encoding::latin1);
/// std::ostream out(&text);
/// out << "na\u00EFve\n";
/// text.finish();  // throws what the destructor would swallow
/// ```
///
/// Complexity and thread safety are those of codec_ostreambuf.
class encoding_streambuf : public codec_ostreambuf<transcoder> {
 public:
  /// Throws std::invalid_argument, with the reason, for params that make no sense.
  template <class Options = params, class = detail::if_options<Options>>
  explicit encoding_streambuf(std::streambuf& sink, encoding to = encoding::utf8, const Options& options = {}, std::size_t buffer = 0)
      : codec_ostreambuf(sink, detail::checked_encoder("ostream", to, detail::to_params(options)), options, buffer) {}
};

namespace detail {

/// What a stream is made over: another stream, or a stream buffer. It is not owned, and must live as long.
template <class Stream>
class underlying {
 public:
  underlying(Stream& stream) : underlying(stream.rdbuf()) {
    tie   = stream.tie();
    state = stream.rdstate();
  }
  underlying(std::streambuf& given) : underlying(&given) {}
  underlying(std::streambuf* given) : buffer(given) {
    if (given == nullptr) throw std::invalid_argument("utfilter: the stream beneath has no buffer");
  }

  std::streambuf*        buffer;
  std::ostream*          tie   = nullptr;
  std::ios_base::iostate state = std::ios_base::goodbit;  // a file that could not be opened is no empty one
};

/// A standard stream that owns its buffer. Moved from, it has none, and its badbit is set.
template <class Stream, class Buffer>
class owning_stream : public Stream {
 protected:
  explicit owning_stream(std::unique_ptr<Buffer> buffer) : Stream(buffer.get()), buffer_(std::move(buffer)) {}

  stream_report report() const { return buffer_ ? buffer_->report() : stream_report(); }

  owning_stream(owning_stream&& other) : Stream(std::move(other)), buffer_(std::move(other.buffer_)) { take_from(other); }
  owning_stream& operator=(owning_stream&& other) {
    if (this == &other) return *this;
    Stream::operator=(std::move(other));
    buffer_ = std::move(other.buffer_);
    take_from(other);
    return *this;
  }

  Buffer* buffer() const noexcept { return buffer_.get(); }

  /// Sets the bits, whatever exceptions() says.
  void set_silently(std::ios_base::iostate bits) noexcept {
    try {
      this->setstate(bits);
    } catch (const std::ios_base::failure&) {
    }
  }

 private:
  void take_from(owning_stream& other) {
    this->set_rdbuf(buffer_.get());
    other.set_rdbuf(nullptr);
    other.set_silently(std::ios_base::badbit);
  }

  std::unique_ptr<Buffer> buffer_;
};

}  // namespace detail

/// A std::istream over any other stream: what that holds, as UTF-8.
///
/// The other one is a std::istream, a std::streambuf or a pointer to that; it is not owned, and must live as long. By default a byte
/// order mark decides the encoding. What is there is handed over at once, also over std::cin; but until
/// std::ios::sync_with_stdio(false) is called that gives single bytes, which takes many times longer. badbit tells an error, and
/// with exceptions(std::ios::badbit) the utf_error itself is thrown; without that, an error looks like the end to
/// `while (getline)`.
///
/// ```cpp
/// std::ios::sync_with_stdio(false);
/// utfilter::istream in(std::cin);
/// in.exceptions(std::ios::badbit);
/// for (std::string line; std::getline(in, line);) std::cout << line << '\n';
/// ```
///
/// Complexity and thread safety are those of decoding_streambuf, which has the rest.
class istream : public detail::owning_stream<std::istream, decoding_streambuf> {
 public:
  /// @{
  /// Throws std::invalid_argument for params that make no sense, and for a stream without a buffer.
  template <class Options = params, class = detail::if_options<Options>>
  explicit istream(detail::underlying<std::istream> other, encoding from = encoding::detect, const Options& options = {})
      : owning_stream(std::make_unique<decoding_streambuf>(*other.buffer, from, options)) {
    tie(other.tie);
    clear(other.state);
  }
  template <class Options = params, class = detail::if_options<Options>>
  istream(detail::underlying<std::istream> other, const Options& options) : istream(other, encoding::detect, options) {}
  /// @}

  /// @{
  /// Moved from, a stream has no buffer, and its badbit is set.
  istream(istream&& other) : owning_stream(std::move(other)) {}
  istream& operator=(istream&& other) {
    owning_stream::operator=(std::move(other));
    return *this;
  }
  /// @}

  /// What has been seen of the text; nothing where the stream was moved from.
  stream_report report() const { return owning_stream::report(); }
};

/// A std::ostream over any other stream: what is written, which is to be UTF-8, in an encoding.
///
/// The other one is a std::ostream, a std::streambuf or a pointer to that; it is not owned, and must live as long. Nothing is buffered
/// here, so that what both streams write stays in order.
///
/// ```cpp
/// utfilter::ostream out(std::cout, utfilter::encoding::utf16);  // with a byte order mark; utf16le has none
/// out << "text\n";
/// out.close();  // throws what the destructor would swallow
/// ```
///
/// Complexity and thread safety are those of codec_ostreambuf, which has the rest.
class ostream : public detail::owning_stream<std::ostream, encoding_streambuf> {
 public:
  /// @{
  /// Throws std::invalid_argument for params that make no sense, and for a stream without a buffer.
  template <class Options = params, class = detail::if_options<Options>>
  explicit ostream(detail::underlying<std::ostream> other, encoding to = encoding::utf8, const Options& options = {})
      : owning_stream(std::make_unique<encoding_streambuf>(*other.buffer, to, options)) {
    clear(other.state);
  }
  template <class Options = params, class = detail::if_options<Options>>
  ostream(detail::underlying<std::ostream> other, const Options& options) : ostream(other, encoding::utf8, options) {}
  /// @}

  /// @{
  /// Moved from, a stream has no buffer, and its badbit is set.
  ostream(ostream&& other) : owning_stream(std::move(other)) {}
  ostream& operator=(ostream&& other) {
    owning_stream::operator=(std::move(other));
    return *this;
  }
  /// @}

  /// What has been seen of the text; nothing where the stream was moved from.
  stream_report report() const { return owning_stream::report(); }

  /// Ends the text, and throws what the destructor would swallow; see encoding_streambuf::finish.
  void close() {
    try {
      if (buffer()) buffer()->finish();
    } catch (...) {
      set_silently(badbit);
      throw;
    }
  }
};

}  // namespace utfilter

#endif
