// stream.hpp: std::istream and std::ostream over any other stream, with the codecs between. Standard C++ alone, no
// Boost.
#ifndef UTFILTER_STREAM_HPP
#define UTFILTER_STREAM_HPP

#include <utfilter/config.hpp>
#include <utfilter/conversion.hpp>
#include <utfilter/detail/checked_codec.hpp>
#include <utfilter/detail/transfer.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/params.hpp>
#include <utfilter/transcoder.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <ios>
#include <istream>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <streambuf>
#include <utility>
#include <vector>

namespace utfilter {

namespace detail {

/// The part of codec_istreambuf and codec_ostreambuf that knows no codec.
class UTFILTER_STREAMS_API streambuf_base : public std::streambuf {
 public:
  streambuf_base(const streambuf_base&) = delete;
  streambuf_base& operator=(const streambuf_base&) = delete;

 protected:
  streambuf_base() = default;
  ~streambuf_base() override;

  /// While this lives, the conversion is busy. An observer that uses the stream it observes, or a stream beneath that
  /// does, comes back to a conversion that has not returned yet: that fails the text, and std::logic_error says so.
  class busy {
   public:
    explicit busy(streambuf_base& user) : user_(user) {
      if (user.busy_) user.refuse();
      user.busy_ = true;
    }
    ~busy() { user_.busy_ = false; }
    busy(const busy&) = delete;
    busy& operator=(const busy&) = delete;

   private:
    streambuf_base& user_;
  };

  /// Throws failure() where the action returns false. What it throws fails the text. No other place throws what failed
  /// the text.
  template <class Action>
  void guarded(Action&& action);

  /// Of the conversion.
  virtual bool failed() const noexcept = 0;
  virtual std::exception_ptr failure() const noexcept = 0;
  virtual void fail(std::exception_ptr why) noexcept = 0;

 private:
  [[noreturn]] void refuse();

  bool busy_ = false;
};

/// The buffer beneath one that reads.
class source_beneath : public streambuf_reader {
 public:
  explicit source_beneath(std::streambuf& buffer) noexcept : streambuf_reader(buffer), buffer_(&buffer) {}

  bool ended() const noexcept { return ended_; }
  std::uint64_t taken() const noexcept { return taken_; }  // bytes
  void consume(std::size_t n) {
    streambuf_reader::consume(n);
    taken_ += n;
  }
  /// Whether wait() waits, or takes only what is there already.
  void set_patient(bool patient) noexcept { patient_ = patient; }
  std::streamsize wait() {
    if (!patient_ && buffer_->in_avail() <= 0) return 0;
    const std::streamsize got = streambuf_reader::wait();
    ended_ = got < 0;
    return got;
  }

 private:
  std::streambuf* buffer_;
  std::uint64_t taken_ = 0;
  bool ended_ = false;
  bool patient_ = true;
};

/// The part of codec_istreambuf that knows no codec: the get area, putting back, and seeking.
class UTFILTER_STREAMS_API istreambuf_base : public streambuf_base {
 protected:
  /// `least_room`, in bytes, is what the conversion needs to make progress.
  istreambuf_base(std::streambuf& source, std::size_t least_room);
  ~istreambuf_base() override;

  int_type underflow() override;
  std::streamsize xsgetn(char* s, std::streamsize n) override;
  std::streamsize showmanyc() override;
  int_type pbackfail(int_type c) override;
  pos_type seekoff(off_type offset, std::ios_base::seekdir way, std::ios_base::openmode which) override;
  pos_type seekpos(pos_type target, std::ios_base::openmode which) override;

 private:
  std::streamsize refill(bool patient);
  std::streamsize read(char* s, std::streamsize n, bool patient);
  void remember(const char* s, std::streamsize n);
  off_type position() const { return decoded_ - (egptr() - gptr()); }
  bool skip();
  bool seekable();
  bool rewind();

  virtual pull_result pull(source_beneath& source, char* s, std::size_t n) = 0;
  virtual void begin() noexcept = 0;

  std::streambuf& source_;
  source_beneath input_;
  const std::streamsize capacity_;  // of the get area, in bytes, without what can be put back
  off_type decoded_ = 0;            // bytes read by now, those in the get area among them
  std::vector<char> area_;
};

/// The part of codec_ostreambuf that knows no codec: the put area, and writing to the sink.
class UTFILTER_STREAMS_API ostreambuf_base : public streambuf_base {
 protected:
  ostreambuf_base(std::streambuf& sink, std::size_t buffer);
  ~ostreambuf_base() override;

  void finish_text();
  /// The same for destructors: swallows what that throws.
  void finish_silently() noexcept;

  /// Writes all of it to the sink, or throws.
  void write_fully(const char* s, std::size_t n);

  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* s, std::streamsize n) override;
  int sync() override;

 private:
  void put(const char* s, std::streamsize n);
  void drain();
  void empty();
  void write(const char* s, std::size_t n, bool last);
  void flush();

  /// Converts, and writes the result by write_fully. Begins a text where none has begun. False where the text has
  /// failed.
  virtual bool push(const char* s, std::size_t n, bool last) = 0;
  virtual void end() noexcept = 0;

  std::streambuf& sink_;
  std::vector<char> area_;
  bool finished_ = false;
};

}  // namespace detail

/// A stream buffer that reads another one through a codec.
///
/// It converts from the other's get area straight into its own, or into the caller's buffer where that is as large;
/// hands over what is there without waiting for more; and puts back at least four characters. What fails the text
/// (utf_error, what the observer or the other buffer throws) is thrown by the read after all that precedes it, and by
/// each further read. The end is sticky, too.
///
/// ```cpp
/// std::stringbuf names("Ann\nBob\x1B[2J\n");
/// utfilter::codec_istreambuf visible(names, utfilter::control_escaper());
/// std::cout << &visible;  // Ann, and Bob\x1B[2J with no escape in it
/// ```
///
/// Complexity: linear in the bytes read. Thread safety: one thread at a time.
///
/// Where the other can seek, so can this. Positions are bytes of the converted text. Backwards, beyond what is at hand,
/// the text is converted anew from its start: report() and the observer begin again, and an error is met again. After
/// the end there is none.
template <class Codec>
class codec_istreambuf : public detail::istreambuf_base {
 public:
  /// The source is not owned, and must outlive this. Throws std::invalid_argument, with the reason, for params that
  /// make no sense with this codec.
  template <class Options = params, class = detail::if_options<Options>>
  explicit codec_istreambuf(std::streambuf& source, const Codec& codec, const Options& options = {})
      : istreambuf_base(source, Codec::min_output), conversion_(codec, options) {
    conversion_.begin(direction::reading);
  }

  /// What has been seen, what is at hand included.
  stream_report report() const { return conversion_.report(); }

 private:
  using direction = typename conversion<Codec>::direction;

  detail::pull_result pull(detail::source_beneath& source, char* s, std::size_t n) override {
    return detail::pull(conversion_, source, s, n);
  }
  void begin() noexcept override { conversion_.begin(direction::reading); }
  bool failed() const noexcept override { return conversion_.failed(); }
  std::exception_ptr failure() const noexcept override { return conversion_.failure(); }
  void fail(std::exception_ptr why) noexcept override { conversion_.fail(std::move(why)); }

  conversion<Codec> conversion_;
};

/// A stream buffer that decodes another one to UTF-8.
///
/// ```cpp
/// std::filebuf file;
/// file.open("notes.txt", std::ios::in | std::ios::binary);
/// utfilter::decoding_streambuf text(file);
/// const std::string all{std::istreambuf_iterator<char>(&text), {}};
/// ```
///
/// Complexity and thread safety are those of codec_istreambuf, which has the rest.
class decoding_streambuf : public codec_istreambuf<transcoder> {
 public:
  /// The source is not owned, and must outlive this. Throws std::invalid_argument, with the reason, for params that
  /// make no sense.
  template <class Options = params, class = detail::if_options<Options>>
  explicit decoding_streambuf(std::streambuf& source, encoding from = encoding::detect, const Options& options = {})
      : codec_istreambuf(source, detail::checked_decoder("istream", from, detail::to_params(options)), options) {}
};

/// A stream buffer that writes what it is given through a codec to another one.
///
/// Without a buffer of its own what is written is in the other buffer when the call returns, but for the bytes of a
/// partial character, which are carried until the next call or finish(). What fails the text (utf_error, what the
/// observer or the other buffer throws, std::ios_base::failure where that takes nothing or cannot be flushed) is thrown
/// when all that precedes it has been written, and by each further call until finish().
///
/// ```cpp
/// utfilter::codec_ostreambuf<utfilter::control_escaper> visible(*std::cerr.rdbuf(), utfilter::control_escaper());
/// std::ostream(&visible) << "a\rb\n";  // a\x0Db
/// ```
///
/// Complexity: linear in the bytes written. Thread safety: one thread at a time.
template <class Codec>
class codec_ostreambuf : public detail::ostreambuf_base {
 public:
  /// The sink is not owned, and must outlive this. `buffer`, in bytes, up to 2^31 - 1: how much is gathered before it
  /// is converted. Throws std::invalid_argument, with the reason, for params that make no sense with this codec.
  template <class Options = params, class = detail::if_options<Options>>
  explicit codec_ostreambuf(std::streambuf& sink, const Codec& codec, const Options& options = {},
                            std::size_t buffer = 0)
      : ostreambuf_base(sink, buffer), conversion_(codec, options) {}

  /// Finishes the text, and swallows what that throws. As in any destructor, a thread that is cancelled meanwhile ends
  /// the program: finish() before, where that may be.
  ~codec_ostreambuf() override { finish_silently(); }

  /// Ends the text: writes what is held (bom::add writes even to a text without a character) and flushes the sink, or
  /// throws what failed the text, now or before. What is written afterwards is a text of its own; until then there is
  /// nothing to finish.
  void finish() { finish_text(); }

  /// What has been seen of this text, or of the last one.
  stream_report report() const { return conversion_.report(); }

 private:
  using direction = typename conversion<Codec>::direction;

  bool push(const char* s, std::size_t n, bool last) override {
    if (conversion_.use() == direction::none) conversion_.begin(direction::writing);
    const detail::writer sink{[this](const char* piece, std::size_t size) { write_fully(piece, size); }};
    return !conversion_.failed() && detail::push(conversion_, s, n, last, sink);
  }
  void end() noexcept override { conversion_.end(); }
  bool failed() const noexcept override { return conversion_.failed(); }
  std::exception_ptr failure() const noexcept override { return conversion_.failure(); }
  void fail(std::exception_ptr why) noexcept override { conversion_.fail(std::move(why)); }

  conversion<Codec> conversion_;
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
  explicit encoding_streambuf(std::streambuf& sink, encoding to = encoding::utf8, const Options& options = {},
                              std::size_t buffer = 0)
      : codec_ostreambuf(sink, detail::checked_encoder("ostream", to, detail::to_params(options)), options, buffer) {}
};

namespace detail {

/// What a stream is made over: another stream, or a stream buffer. It is not owned, and must live as long.
template <class Stream>
class underlying {
 public:
  underlying(Stream& stream) : underlying(stream.rdbuf()) {
    tie = stream.tie();
    state = stream.rdstate();
  }
  underlying(std::streambuf& given) : underlying(&given) {}
  underlying(std::streambuf* given) : buffer(given) {
    if (given == nullptr) throw std::invalid_argument("utfilter: the stream beneath has no buffer");
  }

  std::streambuf* buffer;
  std::ostream* tie = nullptr;
  std::ios_base::iostate state = std::ios_base::goodbit;  // a file that could not be opened is no empty one
};

/// A standard stream that owns its buffer. Moved from, it has none, and its badbit is set.
template <class Stream, class Buffer>
class owning_stream : public Stream {
 protected:
  explicit owning_stream(std::unique_ptr<Buffer> buffer) : Stream(buffer.get()), buffer_(std::move(buffer)) {}

  stream_report report() const { return buffer_ ? buffer_->report() : stream_report(); }

  owning_stream(owning_stream&& other) : Stream(std::move(other)), buffer_(std::move(other.buffer_)) {
    take_from(other);
  }
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

/// A std::istream over any other stream: what that holds, read through a codec.
///
/// The other one is a std::istream, a std::streambuf or a pointer to that; it is not owned, and must live as long. What
/// is there is handed over at once, also over std::cin; but until std::ios::sync_with_stdio(false) is called that gives
/// single bytes, which takes many times longer. badbit tells an error, and with exceptions(std::ios::badbit) what
/// failed the text itself is thrown, a utf_error say; without that, an error looks like the end to `while (getline)`.
///
/// ```cpp
/// utfilter::codec_istream in(std::cin, utfilter::control_escaper());
/// for (std::string line; std::getline(in, line);) std::cout << line << '\n';  // nothing that moves the cursor
/// ```
///
/// Complexity and thread safety are those of codec_istreambuf, which has the rest.
template <class Codec>
class codec_istream : public detail::owning_stream<std::istream, codec_istreambuf<Codec>> {
  using base = detail::owning_stream<std::istream, codec_istreambuf<Codec>>;

 public:
  /// Throws std::invalid_argument for params that make no sense with this codec, and for a stream without a buffer.
  template <class Options = params, class = detail::if_options<Options>>
  explicit codec_istream(detail::underlying<std::istream> other, const Codec& codec, const Options& options = {})
      : base(std::make_unique<codec_istreambuf<Codec>>(*other.buffer, codec, options)) {
    this->tie(other.tie);
    this->clear(other.state);
  }

  /// @{
  /// Moved from, a stream has no buffer, and its badbit is set.
  codec_istream(codec_istream&& other) : base(std::move(other)) {}
  codec_istream& operator=(codec_istream&& other) {
    base::operator=(std::move(other));
    return *this;
  }
  /// @}

  /// What has been seen of the text; nothing where the stream was moved from.
  stream_report report() const { return base::report(); }
};

/// A std::istream over any other stream: what that holds, as UTF-8. By default a byte order mark decides the encoding.
///
/// ```cpp
/// std::ios::sync_with_stdio(false);
/// utfilter::istream in(std::cin);
/// in.exceptions(std::ios::badbit);
/// for (std::string line; std::getline(in, line);) std::cout << line << '\n';
/// ```
///
/// Complexity and thread safety are those of codec_istreambuf; codec_istream has the rest.
class istream : public codec_istream<transcoder> {
 public:
  /// @{
  /// Throws std::invalid_argument for params that make no sense, and for a stream without a buffer.
  template <class Options = params, class = detail::if_options<Options>>
  explicit istream(detail::underlying<std::istream> other, encoding from = encoding::detect,
                   const Options& options = {})
      : codec_istream(other, detail::checked_decoder("istream", from, detail::to_params(options)), options) {}
  template <class Options = params, class = detail::if_options<Options>>
  istream(detail::underlying<std::istream> other, const Options& options) : istream(other, encoding::detect, options) {}
  /// @}

  /// @{
  /// Moved from, a stream has no buffer, and its badbit is set.
  istream(istream&& other) : codec_istream(std::move(other)) {}
  istream& operator=(istream&& other) = default;
  /// @}
};

/// A std::ostream over any other stream: what is written goes there through a codec.
///
/// The other one is a std::ostream, a std::streambuf or a pointer to that; it is not owned, and must live as long.
/// Nothing is buffered here, so that what both streams write stays in order.
///
/// ```cpp
/// utfilter::codec_ostream out(std::cout, utfilter::control_escaper());
/// out << "a\rb\n";  // a\x0Db
/// out.close();      // throws what the destructor would swallow
/// ```
///
/// Complexity and thread safety are those of codec_ostreambuf, which has the rest.
template <class Codec>
class codec_ostream : public detail::owning_stream<std::ostream, codec_ostreambuf<Codec>> {
  using base = detail::owning_stream<std::ostream, codec_ostreambuf<Codec>>;

 public:
  /// Throws std::invalid_argument for params that make no sense with this codec, and for a stream without a buffer.
  template <class Options = params, class = detail::if_options<Options>>
  explicit codec_ostream(detail::underlying<std::ostream> other, const Codec& codec, const Options& options = {})
      : base(std::make_unique<codec_ostreambuf<Codec>>(*other.buffer, codec, options)) {
    this->clear(other.state);
  }

  /// @{
  /// Moved from, a stream has no buffer, and its badbit is set.
  codec_ostream(codec_ostream&& other) : base(std::move(other)) {}
  codec_ostream& operator=(codec_ostream&& other) {
    base::operator=(std::move(other));
    return *this;
  }
  /// @}

  /// What has been seen of the text; nothing where the stream was moved from.
  stream_report report() const { return base::report(); }

  /// Ends the text, and throws what the destructor would swallow; see codec_ostreambuf::finish.
  void close() {
    try {
      if (this->buffer()) this->buffer()->finish();
    } catch (...) {
      this->set_silently(std::ios_base::badbit);
      throw;
    }
  }
};

/// A std::ostream over any other stream: what is written, which is to be UTF-8, in an encoding.
///
/// ```cpp
/// utfilter::ostream out(std::cout, utfilter::encoding::utf16);  // with a byte order mark; utf16le has none
/// out << "text\n";
/// out.close();  // throws what the destructor would swallow
/// ```
///
/// Complexity and thread safety are those of codec_ostreambuf; codec_ostream has the rest.
class ostream : public codec_ostream<transcoder> {
 public:
  /// @{
  /// Throws std::invalid_argument for params that make no sense, and for a stream without a buffer.
  template <class Options = params, class = detail::if_options<Options>>
  explicit ostream(detail::underlying<std::ostream> other, encoding to = encoding::utf8, const Options& options = {})
      : codec_ostream(other, detail::checked_encoder("ostream", to, detail::to_params(options)), options) {}
  template <class Options = params, class = detail::if_options<Options>>
  ostream(detail::underlying<std::ostream> other, const Options& options) : ostream(other, encoding::utf8, options) {}
  /// @}

  /// @{
  /// Moved from, a stream has no buffer, and its badbit is set.
  ostream(ostream&& other) : codec_ostream(std::move(other)) {}
  ostream& operator=(ostream&& other) = default;
  /// @}
};

}  // namespace utfilter

#endif
