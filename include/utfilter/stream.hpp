// stream.hpp: std::istream and std::ostream over any other stream, with a codec between them. Standard C++ alone, no
// Boost.
// layer: streams
#ifndef UTFILTER_STREAM_HPP
#define UTFILTER_STREAM_HPP

#include <utfilter/config.hpp>
#include <utfilter/conversion.hpp>
#include <utfilter/detail/deduction.hpp>
#include <utfilter/detail/transfer.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/params.hpp>
#include <utfilter/transcoder.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <ios>
#include <istream>
#include <memory>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <type_traits>
#include <utility>

namespace utfilter {

namespace detail {

/// A source that has no bytes, and would block.
struct no_source {
  static const char* data() noexcept { return nullptr; }
  static std::size_t size() noexcept { return 0; }
  static void consume(std::size_t) noexcept {}
  static bool ended() noexcept { return false; }
  static std::streamsize wait() noexcept { return 0; }
};

/// The common part of codec_istreambuf and codec_ostreambuf, which does not depend on the codec.
class UTFILTER_STREAMS_API streambuf_base : public std::streambuf {
 public:
  streambuf_base(const streambuf_base&) = delete;
  streambuf_base& operator=(const streambuf_base&) = delete;

 protected:
  streambuf_base() = default;
  ~streambuf_base() override;

  /// Fails the text, because this buffer was used in the middle of a call of its own.
  [[noreturn]] void refuse();

  /// Calls the action. An exception from the action fails the text. Throws failure() if the action threw or returned
  /// false.
  template <class Action>
  void guarded(Action&& action);

  /// These call the functions of the conversion with the same names.
  virtual bool failed() const noexcept = 0;
  virtual std::exception_ptr failure() const noexcept = 0;
  virtual void fail(std::exception_ptr why) noexcept = 0;
};

/// The stream buffer that an istreambuf_base reads from.
///
/// It reads from the get area of that buffer, or directly: by sgetn, which a file buffer passes on to the system for
/// large pieces. sgetn waits until a piece is full; so only a file that never waits may be read directly.
class UTFILTER_STREAMS_API source_beneath : private streambuf_reader {
 public:
  explicit source_beneath(std::streambuf& buffer) noexcept : streambuf_reader(buffer), buffer_(&buffer) {}

  /// From now on reads the buffer directly, if the buffer can seek. Precondition: nothing was read.
  void read_directly();
  /// Call this after the buffer has gone to another place, `taken` bytes after the first byte that was read. Forgets
  /// the bytes at hand.
  void begin_again(std::uint64_t taken) noexcept;

  const char* data() const { return direct_ ? kept_.data() : streambuf_reader::data(); }
  std::size_t size() const { return direct_ ? kept_.size() : streambuf_reader::size(); }
  void consume(std::size_t n);
  /// Whether the buffer has no more bytes. The conversion is told of it only after end(): from then on ended() is true.
  bool is_at_end() const noexcept { return at_end_; }
  void end() noexcept { ended_ = true; }
  bool ended() const noexcept { return ended_; }
  std::uint64_t taken() const noexcept { return taken_; }  // bytes that are no longer in the buffer
  /// Whether wait() may wait. Otherwise it takes only the bytes that are there already.
  void set_patient(bool patient) noexcept { patient_ = patient; }
  std::streamsize wait();

  /// Whether read(s, n) may be called, because it is faster than wait() for n bytes.
  bool reads_into(std::size_t n) const noexcept { return direct_ && n >= large; }
  std::streamsize read(char* s, std::size_t n);
  void keep(const char* s, std::size_t n) { kept_.keep(s, n); }

 private:
  static constexpr std::size_t large = 32768;  // bytes

  std::streamsize fetch(char* s, std::size_t n);

  std::streambuf* buffer_;
  std::streampos start_;  // the place in the buffer where direct reading began
  input_buffer kept_;     // bytes that were read directly and are at hand
  std::uint64_t taken_ = 0;
  bool direct_ = false;
  bool read_large_ = false;  // the last piece was large
  bool at_end_ = false;
  bool ended_ = false;
  bool patient_ = true;
};

class text_index;

/// The part of codec_istreambuf that does not depend on the codec: the get area, putting back, and seeking.
class UTFILTER_STREAMS_API istreambuf_base : public streambuf_base {
 protected:
  /// `least_room` is the room that the conversion needs to make progress, in bytes.
  istreambuf_base(std::streambuf& source, std::size_t least_room);
  ~istreambuf_base() override;

  /// Call this if the source never waits, and its sgetn is faster for large pieces than its get area. Precondition:
  /// nothing was read.
  void read_directly() { input_.read_directly(); }
  /// From now on keeps a checkpoint after each `every` bytes of output, and seeks from there. Precondition: nothing was
  /// read.
  void keep_checkpoints(std::uint64_t every);
  /// From now on there is no text, not even what is in the get area: for a file that is closed.
  void close_area() noexcept {
    setg(nullptr, nullptr, nullptr);
    is_closed_ = true;
  }

  int_type underflow() override;
  std::streamsize xsgetn(char* s, std::streamsize n) override;
  std::streamsize showmanyc() override;
  int_type pbackfail(int_type c) override;
  pos_type seekoff(off_type offset, std::ios_base::seekdir way, std::ios_base::openmode which) override;
  pos_type seekpos(pos_type target, std::ios_base::openmode which) override;

 private:
  /// Marks the conversion as busy as long as this object lives. If the observer or the stream beneath reads this stream
  /// meanwhile, it calls a conversion that has not returned yet. Then the text fails with a std::logic_error that says
  /// so.
  class busy {
   public:
    explicit busy(istreambuf_base& user) : user_(user) {
      if (user.busy_) user.refuse();
      user.busy_ = true;
    }
    ~busy() { user_.busy_ = false; }
    busy(const busy&) = delete;
    busy& operator=(const busy&) = delete;

   private:
    istreambuf_base& user_;
  };

  std::streamsize refill(bool patient);
  std::streamsize read(char* s, std::streamsize n, bool patient);
  void prepare_end();
  void remember(const char* s, std::streamsize n);
  off_type position() const { return decoded_ - (egptr() - gptr()); }
  bool skip();
  bool move_to(off_type target);
  bool seekable();
  bool approach(off_type target);
  bool is_final() const noexcept { return failed() || ended_at_error(); }
  bool has_grown();
  bool go_on();
  void follow();
  bool go_to(const saved_checkpoint* place);

  virtual pull_result pull(source_beneath& source, char* s, std::size_t n) = 0;
  /// As pull, without a source: writes only the rest of a repair that has begun.
  virtual pull_result finish_repair(char* s, std::size_t n) = 0;
  /// Begins at the place, or at the start if it is null. Throws only if copying the codec throws.
  virtual void begin(const saved_checkpoint* place) = 0;
  /// The present place; nothing if the text cannot begin here again.
  virtual std::optional<saved_checkpoint> here() const = 0;
  /// Keeps the use, before the codec is told of the end. Throws only if copying the codec throws.
  virtual void keep_use() = 0;
  /// Goes on with the use that was kept. Returns false if there is none.
  virtual bool go_on_with_use() = 0;
  /// Calls the function of the conversion with the same name.
  virtual bool ended_at_error() const noexcept = 0;

  std::streambuf& source_;
  source_beneath input_;
  const std::streamsize least_room_;  // bytes
  const std::streamsize capacity_;    // size of the get area in bytes, without room for putting back
  std::unique_ptr<text_index> index_;
  off_type decoded_ = 0;   // bytes converted so far, including those in the get area
  off_type end_ = 0;       // the position at which the codec was told that the source has ended
  std::string end_text_;   // the text that it wrote then
  bool can_grow_ = false;  // the source that has ended can seek
  bool told_end_ = false;  // the last read has returned the end
  bool busy_ = false;
  bool is_closed_ = false;
  std::unique_ptr<char[]> area_;  // null until the first read
};

/// The number of this thread, from 1 on. No other thread has it, nor had it before a fork. The thread that calls fork
/// keeps its number in the child.
UTFILTER_STREAMS_API std::uint64_t this_thread() noexcept;
/// Whether the thread with this number exists in this process: of its parent's threads, only the one that called fork
/// does. (It may have ended.)
UTFILTER_STREAMS_API bool exists(std::uint64_t thread) noexcept;

/// Whether this thread is known to be the only one of the process.
UTFILTER_STREAMS_API bool is_only_thread() noexcept;

/// Which calls may come while another call is inside an ostreambuf_base.
enum class callers {
  one_thread,  // only those that the call itself has caused, and those of a signal handler
  threads,     // also those of other threads, which wait
};

/// The part of codec_ostreambuf that does not depend on the codec: who may enter, the put area, writing to the sink,
/// and going on after it has failed.
class UTFILTER_STREAMS_API ostreambuf_base : public streambuf_base {
 public:
  /// Tells the buffer which stream writes to it. If that stream has unitbuf, as std::cerr has, a flush that fails
  /// returns -1, and throws nothing.
  void serve(const std::ios_base& stream) noexcept { stream_ = &stream; }

 protected:
  ostreambuf_base(std::streambuf& sink, std::size_t buffer, callers who);
  ~ostreambuf_base() override;

  /// Enters the buffer as long as this object lives.
  ///
  /// It may find this thread inside already: a signal handler, the observer, or the sink calls. Then is_nested() is
  /// true, and the caller must leave the conversion alone. A thread can also be inside that does not exist in this
  /// process, because the process was forked in the middle of a write. Then the text begins anew.
  class entry {
   public:
    explicit entry(const ostreambuf_base& b) noexcept : entered_(b.enter() ? &b : nullptr) {}
    ~entry() {
      if (entered_ != nullptr) entered_->inside_.store(0, std::memory_order_release);
    }
    entry(const entry&) = delete;
    entry& operator=(const entry&) = delete;

    bool is_nested() const noexcept { return entered_ == nullptr; }

   private:
    const ostreambuf_base* entered_;
  };

  void finish_text();
  /// Calls finish_text() and swallows exceptions: for destructors.
  void finish_silently() noexcept;

  /// As finish_silently(). From then on all bytes pass to the sink unchanged.
  void finish_and_pass() noexcept;
  /// From now on the sink gets each byte, without a put area: one that is closed refuses it at once. Precondition: the text
  /// has ended.
  void close_area() noexcept {
    setp(nullptr, nullptr);
    goes_on_ = false;
    passes_ = true;
  }

  /// These call the functions of the same or a similar name of detail::unwritten.
  void put_piece(const char* s, std::size_t n);
  void raise(bool well_formed) { unwritten_.raise(well_formed); }
  void lose(std::uint64_t bytes) noexcept { unwritten_.lose(bytes); }
  void begin_report() noexcept;
  void complete(stream_report& report) const {
    detail::complete(report, unwritten_.lost(), dropped_.load(std::memory_order_relaxed));
  }

  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* s, std::streamsize n) override;
  int sync() override;

 private:
  bool enter() const noexcept;
  bool enter_in_turn() const noexcept;
  bool goes_on(const entry& once) const noexcept { return goes_on_ && !once.is_nested() && !was_abandoned_; }
  bool may_write(const entry& once) noexcept;
  void begin_anew() noexcept;
  void end_text();
  void end_silently() noexcept;
  std::streamsize drop(std::streamsize n) noexcept;
  void put_now(const char* s, std::size_t n);
  void put(const char* s, std::streamsize n, bool empties);
  void try_again();
  void drain();
  void empty() noexcept;
  void write(const char* s, std::size_t n, bool last);
  void write_on(const char* s, std::size_t n);
  void flush();
  void flush_all();

  /// Converts the bytes, and writes the result by put_piece. Begins a text if none has begun. Returns false if the text
  /// has failed; then it loses the bytes that it has not taken. Throws what raise() throws.
  virtual bool push(const char* s, std::size_t n, bool last) = 0;
  /// Accepts whole well-formed characters from the start of the bytes, and returns their size. The caller writes them.
  /// Precondition: is_plain().
  virtual std::size_t check(const char* s, std::size_t n) noexcept = 0;
  /// Whether well-formed text now needs no change, and none is carried.
  virtual bool is_plain() const noexcept = 0;
  virtual void end() noexcept = 0;
  /// Calls the function of the conversion with the same name.
  virtual bool resume() noexcept = 0;

  std::streambuf& sink_;
  std::unique_ptr<char[]> area_;  // null without a put area
  const std::size_t area_size_;   // bytes
  unwritten unwritten_;
  std::atomic<std::uint64_t> dropped_{0};         // bytes of writes that were nested
  mutable std::atomic<std::uint64_t> inside_{0};  // the thread that is inside, or 0
  mutable bool was_abandoned_ = false;            // by a thread that does not exist in this process
  const callers who_;
  const std::ios_base* stream_ = nullptr;
  bool finished_ = false;
  bool is_broken_ = false;  // the last write or flush has failed
  bool goes_on_ = false;  // the last write has not failed, is_plain(), and what is written goes on at once: no put area
  bool passes_ = false;   // bytes pass unchanged
};

}  // namespace detail

/// A stream buffer that reads another one through a codec.
///
/// It converts from the other buffer's get area directly into its own, or into the caller's buffer if that is as large.
/// It returns the text at hand without waiting for more. At least the last four characters (bytes) can be put back. An
/// exception that fails the text (utf_error, or an exception of the observer or of the other buffer) is thrown by the
/// read that comes after all text before the error, and by each further read. After the end of the text, each further
/// read returns the end, unless the other buffer can seek and has grown.
///
/// ```cpp
/// std::stringbuf names("Ann\nBob\x1B[2J\n");
/// utfilter::codec_istreambuf visible(names, utfilter::control_escaper());
/// std::cout << &visible;  // Ann, then Bob\x1B[2J in visible characters
/// ```
///
/// Without a codec it decodes to UTF-8; its type is then codec_istreambuf<transcoder>:
///
/// ```cpp
/// std::filebuf file;
/// file.open("notes.txt", std::ios::in | std::ios::binary);
/// utfilter::codec_istreambuf text(file);
/// const std::string all{std::istreambuf_iterator<char>(&text), {}};
/// ```
///
/// Complexity: linear in the bytes read. Thread safety: one thread at a time.
///
/// If the other buffer can seek, so can this one. Positions are bytes of the converted text, from params::start on. To
/// seek back beyond the get area, it converts the text again from the start: report() and the observer begin anew and
/// see the same errors again. With params::index_every it converts from a checkpoint before the target, also to go
/// forward where it has been before. report() is then as if it had converted from the start, but the observer sees
/// again only the errors after the checkpoint; the other buffer may grow meanwhile, but must not change. There are no
/// positions after the end of the text.
///
/// A buffer that can seek may grow, as a file does. Its text then goes on: after clear(), a stream over this buffer
/// reads what was appended, as a std::ifstream does, and so it does after seekg. A codec may write text only because the
/// source has ended, such as a repair for a cut character. When the source has grown, that text counts no longer, neither
/// in positions nor in report(). If other text stands there now, such as the whole character, it is read; text that is
/// still the same is not read twice. The observer may see errors there again. A text that has failed, or that has ended
/// at an error under on_error::stop, goes on only after seekg.
template <class Codec>
class codec_istreambuf : public detail::istreambuf_base {
 public:
  /// @{
  /// The codec is given, or it is made: a transcoder from the name of the encoding, encoding::detect by default, and a
  /// charset_reader from a charset. The source is not owned, and must outlive this object. Throws
  /// std::invalid_argument, with the reason, for params that make no sense with this codec.
  template <class Options = params, class = detail::if_options<Options>>
  explicit codec_istreambuf(std::streambuf& source, const Codec& codec, const Options& options = {})
      : istreambuf_base(source, Codec::min_output), conversion_(codec, options) {
    conversion_.begin(direction::reading);
    if (conversion_.index_every() != 0) keep_checkpoints(conversion_.index_every());
  }
  template <class Options = params, class = detail::if_options<Options>>
  explicit codec_istreambuf(std::streambuf& source, const detail::codec_name<Codec>& from, const Options& options = {})
      : codec_istreambuf(source, detail::naming<Codec>::reading(from, detail::to_params(options)), options) {}
  template <class Options = params, class = detail::if_options<Options>, class C = Codec,
            class = detail::if_name_by_default<C>>
  explicit codec_istreambuf(std::streambuf& source, const Options& options = {})
      : codec_istreambuf(source, detail::naming<C>::read_by_default, options) {}
  /// @}

  /// The report on all text converted so far, including text that is still in the get area.
  stream_report report() const { return conversion_.report(); }

 private:
  using direction = typename conversion<Codec>::direction;

  /// The conversion, which can return to its checkpoints if the codec is a transcoder.
  struct saving_conversion : conversion<Codec> {
    static constexpr bool keeps_checkpoints = std::is_same_v<Codec, transcoder>;
    using conversion<Codec>::begin_at;
    using conversion<Codec>::ended_at_error;
    using conversion<Codec>::index_every;
    using conversion<Codec>::go_on;
    using conversion<Codec>::kept;
    using conversion<Codec>::saved;
    using typename conversion<Codec>::kept_use;

    template <class Options>
    saving_conversion(const Codec& codec, const Options& options)
        : conversion<Codec>(codec, options, keeps_checkpoints) {}
  };

  detail::pull_result pull(detail::source_beneath& source, char* s, std::size_t n) override {
    return source.reads_into(n) ? detail::pull_in_place(conversion_, source, s, n)
                                : detail::pull(conversion_, source, s, n);
  }
  detail::pull_result finish_repair(char* s, std::size_t n) override {
    detail::no_source nothing;
    return detail::pull(conversion_, nothing, s, n);
  }
  void begin(const detail::saved_checkpoint* place) override {
    if constexpr (saving_conversion::keeps_checkpoints)
      if (place != nullptr) return conversion_.begin_at(*place, direction::reading);
    conversion_.begin(direction::reading);
  }
  std::optional<detail::saved_checkpoint> here() const override {
    if constexpr (saving_conversion::keeps_checkpoints)
      return conversion_.saved();
    else
      return std::nullopt;
  }
  void keep_use() override {
    use_.reset();
    use_ = std::make_unique<kept_use>(conversion_.kept());
  }
  bool go_on_with_use() override {
    if (use_ == nullptr) return false;
    conversion_.go_on(std::move(*use_));
    use_.reset();
    return true;
  }
  bool ended_at_error() const noexcept override { return conversion_.ended_at_error(); }
  bool failed() const noexcept override { return conversion_.failed(); }
  std::exception_ptr failure() const noexcept override { return conversion_.failure(); }
  void fail(std::exception_ptr why) noexcept override { conversion_.fail(std::move(why)); }

  using kept_use = typename saving_conversion::kept_use;

  saving_conversion conversion_;
  std::unique_ptr<kept_use> use_;  // as it was before the codec was told of the end
};
template <class What = params, class Options = params>
codec_istreambuf(std::streambuf&, const What& = {}, const Options& = {}) -> codec_istreambuf<detail::reader_of<What>>;

/// A stream buffer that passes the text written to it through a codec to another buffer.
///
/// By default it has no buffer of its own: when a call returns, the text is in the other buffer. Only the bytes of a
/// partial character are carried until the next call or finish().
///
/// An exception that fails the text (a utf_error, or an exception of the observer) is thrown after all text before the
/// error has been written, and by each further call until finish(). If the other buffer fails (it throws, it takes
/// nothing, or it cannot be flushed), that is thrown, too: a std::ios_base::failure, or its own exception. But the next
/// write or flush tries it again, and begins with what it has not taken of the text before. So a disk that was full for
/// a while cuts no character. A buffer that throws without a count does not tell what it has taken: then the rest of
/// that call is lost. report().lost counts what nobody has.
///
/// A write may come in the middle of another one, from the observer, from the other buffer, or from a signal handler.
/// It is dropped without an error, because the stream must live on: report().lost counts it, and report().failure says
/// so.
///
/// ```cpp
/// utfilter::codec_ostreambuf visible(*std::cerr.rdbuf(), utfilter::control_escaper());
/// std::ostream(&visible) << "a\rb\n";  // a\x0Db
/// ```
///
/// With an encoding in place of a codec it checks UTF-8 and encodes it; its type is then codec_ostreambuf<transcoder>:
///
/// ```cpp
/// std::filebuf file;
/// file.open("label.txt", std::ios::out | std::ios::binary);
/// utfilter::codec_ostreambuf text(file, utfilter::encoding::latin1);
/// std::ostream(&text) << "na\u00EFve\n";
/// text.finish();  // throws errors that the destructor would swallow
/// ```
///
/// Complexity: linear in the bytes written. Thread safety: one thread at a time.
template <class Codec>
class codec_ostreambuf : public detail::ostreambuf_base {
 public:
  /// @{
  /// The codec is given, or it is made: a transcoder from the name of the encoding, encoding::utf8 by default, and a
  /// charset_writer from a charset. The sink is not owned, and must outlive this object. `buffer` is the number of
  /// bytes, up to 2^31 - 1, that are gathered before they are converted; 0 means none. Throws std::invalid_argument,
  /// with the reason, for params that make no sense with this codec.
  template <class Options = params, class = detail::if_options<Options>>
  explicit codec_ostreambuf(std::streambuf& sink, const Codec& codec, const Options& options = {},
                            std::size_t buffer = 0)
      : codec_ostreambuf(sink, codec, detail::to_params(options), buffer, detail::callers::one_thread) {}
  template <class Options = params, class = detail::if_options<Options>>
  explicit codec_ostreambuf(std::streambuf& sink, const detail::codec_name<Codec>& to, const Options& options = {},
                            std::size_t buffer = 0)
      : codec_ostreambuf(sink, detail::naming<Codec>::writing(to, detail::to_params(options)), options, buffer) {}
  template <class Options = params, class = detail::if_options<Options>, class C = Codec,
            class = detail::if_name_by_default<C>>
  explicit codec_ostreambuf(std::streambuf& sink, const Options& options = {})
      : codec_ostreambuf(sink, detail::naming<C>::written_by_default, options) {}
  /// @}

  /// Finishes the text, and swallows exceptions. As in any destructor, cancelling the thread here ends the program. If
  /// the thread may be cancelled, call finish() first.
  ~codec_ostreambuf() override { finish_silently(); }

  /// Ends the text: writes the rest (bom::add writes a byte order mark even for an empty text) and flushes the sink.
  /// Throws the exception that fails the text here, or that has failed it before. (A failure of the sink is forgotten
  /// when a later write succeeds.) Later writes begin a new text; until then, further calls of finish() do nothing.
  void finish() { finish_text(); }

  /// The report on this text, or on the last one.
  stream_report report() const {
    const entry once(*this);
    stream_report report = conversion_.report();
    complete(report);
    return report;
  }

 protected:
  /// As the public constructor. `who` may call at the same time.
  codec_ostreambuf(std::streambuf& sink, const Codec& codec, const params& p, std::size_t buffer, detail::callers who)
      : ostreambuf_base(sink, buffer, who), conversion_(codec, p) {}

 private:
  using direction = typename conversion<Codec>::direction;

  bool push(const char* s, std::size_t n, bool last) override {
    if (conversion_.use() == direction::none) {
      conversion_.begin(direction::writing);
      begin_report();
    }
    const std::uint64_t before = conversion_.taken();
    const detail::writer sink{[this](const char* piece, std::size_t size) { put_piece(piece, size); }};
    const bool done = !conversion_.failed() && detail::push(conversion_, s, n, last, sink);
    if (!done) lose(n - (conversion_.taken() - before));
    raise(done);
    return done;
  }
  std::size_t check(const char* s, std::size_t n) noexcept override { return conversion_.check_on(s, n); }
  bool is_plain() const noexcept override { return conversion_.is_plain(); }
  void end() noexcept override { conversion_.end(); }
  bool resume() noexcept override { return conversion_.resume(); }
  bool failed() const noexcept override { return conversion_.failed(); }
  std::exception_ptr failure() const noexcept override { return conversion_.failure(); }
  void fail(std::exception_ptr why) noexcept override { conversion_.fail(std::move(why)); }

  conversion<Codec> conversion_;
};
template <class What = params, class Options = params>
codec_ostreambuf(std::streambuf&, const What& = {}, const Options& = {}, std::size_t = 0)
    -> codec_ostreambuf<detail::writer_of<What>>;

namespace detail {

/// The stream that a new stream reads or writes: another stream, or a stream buffer. It is not owned, and must live as
/// long as the new one.
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
  std::ios_base::iostate state = std::ios_base::goodbit;  // a file that failed to open must not look empty
};

/// The types of a stream over a codec: that of the standard library, and the buffer that the stream owns if `Bytes` is
/// a stream buffer over the codec. wide_stream.hpp has those of the wide streams.
template <class Codec>
struct stream_types {
  using istream = std::istream;
  using ostream = std::ostream;
  template <class Bytes>
  using buffer = Bytes;

  /// What the stream reads or writes; null if there is no buffer.
  static std::streambuf* shown(std::streambuf* buffer) noexcept { return buffer; }
  /// From now on the stream flushes `tied` before it reads.
  static void tie(std::istream& in, std::ostream* tied) { in.tie(tied); }
};

/// A standard stream that owns its buffer. A moved-from stream has no buffer, and its badbit is set.
template <class Codec, class Stream, class Bytes>
class owning_stream : public Stream {
  using types = stream_types<Codec>;

 public:
  /// The report on the text; it is empty if the stream was moved from.
  stream_report report() const { return buffer_ ? buffer_->report() : stream_report(); }

 protected:
  static constexpr bool writes = std::is_base_of_v<std::basic_ostream<typename Stream::char_type>, Stream>;
  using buffer_type = typename types::template buffer<Bytes>;

  owning_stream() : Stream(nullptr) {}
  template <class... Arguments>
  explicit owning_stream(std::in_place_t, Arguments&&... arguments)
      : Stream(nullptr), buffer_(std::make_unique<buffer_type>(std::forward<Arguments>(arguments)...)) {
    this->rdbuf(types::shown(buffer_.get()));
    be_served();
  }
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

  buffer_type* buffer() const noexcept { return buffer_.get(); }

  /// Ends the text, and throws errors that the destructor of the buffer would swallow.
  void close_text() {
    try {
      if (buffer_) buffer_->finish();
    } catch (...) {
      set_silently(std::ios_base::badbit);
      throw;
    }
  }

  /// Sets the bits, and never throws, whatever exceptions() says.
  void set_silently(std::ios_base::iostate bits) noexcept {
    try {
      this->setstate(bits);
    } catch (const std::ios_base::failure&) {
    }
  }

 private:
  void take_from(owning_stream& other) {
    this->set_rdbuf(types::shown(buffer_.get()));
    be_served();
    other.set_rdbuf(nullptr);
    other.set_silently(std::ios_base::badbit);
  }

  void be_served() noexcept {
    if constexpr (writes)
      if (buffer_) buffer_->serve(*this);
  }

  std::unique_ptr<buffer_type> buffer_;
};

template <class Codec>
using owning_istream = owning_stream<Codec, typename stream_types<Codec>::istream, codec_istreambuf<Codec>>;
template <class Codec>
using owning_ostream = owning_stream<Codec, typename stream_types<Codec>::ostream, codec_ostreambuf<Codec>>;

}  // namespace detail

/// A std::istream that reads any other stream through a codec.
///
/// The other stream is a std::istream, a std::streambuf or a pointer to a std::streambuf. It is not owned, and must
/// live as long as this one. Text is returned as soon as it is there, also from std::cin. But call
/// std::ios::sync_with_stdio(false) first: before that, std::cin gives single bytes, which is many times slower. An
/// error sets badbit. With exceptions(std::ios::badbit), the exception that failed the text is thrown, such as a
/// utf_error. Without that, an error looks like the end of the text to `while (getline)`. report() is the report on the
/// text; it is empty if the stream was moved from.
///
/// ```cpp
/// utfilter::codec_istream in(std::cin, utfilter::control_escaper());
/// for (std::string line; std::getline(in, line);) std::cout << line << '\n';  // no byte moves the cursor
/// in.report().throw_if_failed();  // otherwise an error looks like the end of the text
/// ```
///
/// Complexity and thread safety are those of codec_istreambuf, which documents the rest.
template <class Codec>
class codec_istream : public detail::owning_istream<Codec> {
  using base = detail::owning_istream<Codec>;

 public:
  /// @{
  /// The codec is given or made, as in codec_istreambuf. Throws std::invalid_argument for params that make no sense
  /// with this codec, and for a stream without a buffer.
  template <class Options = params, class = detail::if_options<Options>>
  explicit codec_istream(detail::underlying<std::istream> other, const Codec& codec, const Options& options = {})
      : base(std::in_place, *other.buffer, codec, options) {
    detail::stream_types<Codec>::tie(*this, other.tie);
    this->clear(other.state);
  }
  template <class Options = params, class = detail::if_options<Options>>
  explicit codec_istream(detail::underlying<std::istream> other, const detail::codec_name<Codec>& from,
                         const Options& options = {})
      : codec_istream(other, detail::naming<Codec>::reading(from, detail::to_params(options)), options) {}
  template <class Options = params, class = detail::if_options<Options>, class C = Codec,
            class = detail::if_name_by_default<C>>
  explicit codec_istream(detail::underlying<std::istream> other, const Options& options = {})
      : codec_istream(other, detail::naming<C>::read_by_default, options) {}
  /// @}

  /// @{
  /// A moved-from stream has no buffer, and its badbit is set.
  codec_istream(codec_istream&& other) : base(std::move(other)) {}
  codec_istream& operator=(codec_istream&& other) {
    base::operator=(std::move(other));
    return *this;
  }
  /// @}
};
template <class What = params, class Options = params>
codec_istream(detail::underlying<std::istream>, const What& = {}, const Options& = {})
    -> codec_istream<detail::reader_of<What>>;

/// A std::istream that reads any other stream as UTF-8. By default a byte order mark decides the encoding of the other
/// stream.
///
/// ```cpp
/// std::ios::sync_with_stdio(false);
/// utfilter::istream in(std::cin);
/// in.exceptions(std::ios::badbit);
/// for (std::string line; std::getline(in, line);) std::cout << line << '\n';
/// ```
///
/// Complexity and thread safety are those of codec_istreambuf; codec_istream documents the rest.
using istream = codec_istream<transcoder>;

/// A std::ostream that writes to any other stream through a codec.
///
/// The other stream is a std::ostream, a std::streambuf or a pointer to a std::streambuf. It is not owned, and must
/// live as long as this one. Nothing is buffered here, so the text that both streams write stays in order. report() is
/// the report on the text; it is empty if the stream was moved from.
///
/// ```cpp
/// utfilter::codec_ostream out(std::cout, utfilter::control_escaper());
/// out << "a\rb\n";  // a\x0Db
/// out.close();      // throws errors that the destructor would swallow
/// ```
///
/// Complexity and thread safety are those of codec_ostreambuf, which documents the rest.
template <class Codec>
class codec_ostream : public detail::owning_ostream<Codec> {
  using base = detail::owning_ostream<Codec>;

 public:
  /// @{
  /// The codec is given or made, as in codec_ostreambuf. Throws std::invalid_argument for params that make no sense
  /// with this codec, and for a stream without a buffer.
  template <class Options = params, class = detail::if_options<Options>>
  explicit codec_ostream(detail::underlying<std::ostream> other, const Codec& codec, const Options& options = {})
      : base(std::in_place, *other.buffer, codec, options) {
    this->clear(other.state);
  }
  template <class Options = params, class = detail::if_options<Options>>
  explicit codec_ostream(detail::underlying<std::ostream> other, const detail::codec_name<Codec>& to,
                         const Options& options = {})
      : codec_ostream(other, detail::naming<Codec>::writing(to, detail::to_params(options)), options) {}
  template <class Options = params, class = detail::if_options<Options>, class C = Codec,
            class = detail::if_name_by_default<C>>
  explicit codec_ostream(detail::underlying<std::ostream> other, const Options& options = {})
      : codec_ostream(other, detail::naming<C>::written_by_default, options) {}
  /// @}

  /// @{
  /// A moved-from stream has no buffer, and its badbit is set.
  codec_ostream(codec_ostream&& other) : base(std::move(other)) {}
  codec_ostream& operator=(codec_ostream&& other) {
    base::operator=(std::move(other));
    return *this;
  }
  /// @}

  /// Ends the text, and throws errors that the destructor would swallow; see codec_ostreambuf::finish.
  void close() { this->close_text(); }
};
template <class What = params, class Options = params>
codec_ostream(detail::underlying<std::ostream>, const What& = {}, const Options& = {})
    -> codec_ostream<detail::writer_of<What>>;

/// A std::ostream that takes UTF-8 and writes it to any other stream in a given encoding.
///
/// ```cpp
/// utfilter::ostream out(std::cout, utfilter::encoding::utf16);  // with a byte order mark; utf16le has none
/// out << "text\n";
/// out.close();  // throws errors that the destructor would swallow
/// ```
///
/// Complexity and thread safety are those of codec_ostreambuf; codec_ostream documents the rest.
using ostream = codec_ostream<transcoder>;

/// @cond
// Names of version 0.2, until 0.4.
using decoding_streambuf [[deprecated("until 0.4: write codec_istreambuf<transcoder>")]] = codec_istreambuf<transcoder>;
using encoding_streambuf [[deprecated("until 0.4: write codec_ostreambuf<transcoder>")]] = codec_ostreambuf<transcoder>;
/// @endcond

}  // namespace utfilter

#endif
