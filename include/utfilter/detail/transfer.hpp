// transfer.hpp: the loops between a conversion and its neighbours, which filters and streams share. Not for users.
// layer: transfer
#ifndef UTFILTER_DETAIL_TRANSFER_HPP
#define UTFILTER_DETAIL_TRANSFER_HPP

#include <utfilter/codec.hpp>
#include <utfilter/config.hpp>
#include <utfilter/conversion.hpp>
#include <utfilter/detail/exceptions.hpp>
#include <utfilter/detail/needs_exceptions.hpp>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <ios>
#include <memory>
#include <new>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <system_error>
#include <utility>

namespace utfilter::detail {

//-------------------------------------------------------------------------------------------------------------- reading

/// Access to the get area of any stream buffer.
struct get_area : std::streambuf {
  static const char* next(std::streambuf& b) { return (b.*&get_area::gptr)(); }
  static std::size_t available(std::streambuf& b) {
    return static_cast<std::size_t>((b.*&get_area::egptr)() - (b.*&get_area::gptr)());
  }
  static void skip(std::streambuf& b, std::size_t n) { (b.*&get_area::gbump)(static_cast<int>(n)); }
};

/// Reads a stream buffer directly from its get area: size() bytes at data() are at hand. sgetn would wait until the
/// whole buffer of the caller is full.
class streambuf_reader {
 public:
  explicit streambuf_reader(std::streambuf& buffer) noexcept : buffer_(&buffer) {}

  const char* data() const { return unbuffered_ ? &byte_ : get_area::next(*buffer_); }
  std::size_t size() const {
    // gbump takes an int, and the get area of a memory-mapped file may be longer.
    return unbuffered_ ? 1 : std::min<std::size_t>(get_area::available(*buffer_), INT_MAX);
  }
  void consume(std::size_t n) {
    if (n == 0) return;
    if (unbuffered_) {
      buffer_->sbumpc();
      unbuffered_ = false;
    } else {
      get_area::skip(*buffer_, n);
    }
  }

  /// Waits for the first byte. Returns the number of bytes at hand then, or -1 if there is none.
  std::streamsize wait() {
    using traits = std::char_traits<char>;
    const auto first = buffer_->sgetc();
    if (traits::eq_int_type(first, traits::eof())) return -1;
    if (get_area::available(*buffer_) == 0) {  // a stream buffer that has no get area
      byte_ = traits::to_char_type(first);
      unbuffered_ = true;
    }
    return static_cast<std::streamsize>(size());
  }

 private:
  std::streambuf* buffer_;
  char byte_ = 0;
  bool unbuffered_ = false;
};

/// Copies at most n of the bytes that a source has at hand, and consumes them. Returns their number.
template <class Source>
std::streamsize take(Source& source, char* s, std::size_t n) {
  const std::size_t taken = (std::min)(n, source.size());
  std::copy_n(source.data(), taken, s);
  source.consume(taken);
  return static_cast<std::streamsize>(taken);
}

/// Bytes that were read from a source and are not converted yet. The buffer allocates memory when it first has to hold
/// bytes.
class input_buffer {
 public:
  static constexpr std::size_t least = 4096, most = 65536;  // bytes to read at a time

  const char* data() const noexcept { return bytes_.get() + begin_; }
  std::size_t size() const noexcept { return end_ - begin_; }
  void consume(std::size_t n) noexcept { begin_ += n; }
  void clear() noexcept { begin_ = end_ = 0; }

  /// Returns at least n bytes of room for new content. The old content is lost.
  char* room_for(std::size_t n) {
    if (capacity_ < n) {
      bytes_.reset(new char[n]);
      capacity_ = n;
    }
    return bytes_.get();
  }
  void filled(std::size_t n) noexcept {
    begin_ = 0;
    end_ = n;
  }
  /// Copies bytes that were read into another buffer. The old content is lost.
  void keep(const char* s, std::size_t n) {
    if (n == 0) return;
    std::copy_n(s, n, room_for((std::max)(n, least)));
    filled(n);
  }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0, end_ = 0;
};

/// The result of reading through a conversion.
enum class pulled {
  text,             // text was read
  end,              // the text has ended
  would_block,      // the source has nothing now
  too_little_room,  // the next character is longer than the room
  failed,           // the conversion has failed
};
struct pull_result {
  pulled what;
  std::size_t size;  // bytes of text
};

/// Waits for input by `wait()`. If the source is broken and the conversion holds text, that text is delivered before the
/// exception, and the result is -1.
template <class Codec, class Wait>
std::streamsize wait_for_input(conversion<Codec>& conv, const Wait& wait) {
  if (!conv.holds_text()) return wait();
  std::streamsize got = -1;
  guarded([&] { got = wait(); }, [&](std::exception_ptr why) { conv.fail_after_text(std::move(why)); });
  return got;
}

/// Reads at most n bytes through a conversion. It reads the text that the source has; once there is a character, it
/// does not wait for more. Throws exceptions of the source; in that case nothing was read.
///
/// The source has data(), size() and consume(), as streambuf_reader has. Its wait() brings more bytes: it returns the
/// number of bytes at hand, 0 if the source would block, and -1 at the end. From the end on, ended() is true.
template <class Codec, class Source>
pull_result pull(conversion<Codec>& conv, Source& source, char* s, std::size_t n) {
  while (true) {
    const bool asks = source.size() == 0 && !source.ended() && conv.needs_input();
    if (asks && wait_for_input(conv, [&] { return source.wait(); }) == 0) return {pulled::would_block, 0};
    const codec_progress progress = conv.convert(source.data(), source.size(), s, n, source.ended());
    source.consume(progress.consumed);
    if (progress.produced != 0) return {pulled::text, progress.produced};
    switch (progress.status) {
      case codec_status::malformed: return {pulled::failed, 0};
      case codec_status::done: return {pulled::end, 0};
      case codec_status::need_output: return {pulled::too_little_room, 0};
      case codec_status::need_input:
      case codec_status::told: break;
    }
  }
}

/// Lets the source write into the caller's buffer, after room for the carried bytes, and checks the text there. If the
/// codec gives the carried bytes back, they are checked there, too. Moves the bytes after an error to the source's own
/// buffer, because the repair may be longer than the bytes that it replaces. If the result has no bytes of text, the
/// caller must read on.
template <class Codec, class Source>
pull_result read_in_place(conversion<Codec>& conv, Source& source, char* s, std::size_t n) {
  char* const in = s + conv.pending();
  const std::streamsize got = wait_for_input(conv, [&] { return source.read(in, n - conv.pending()); });
  if (got == 0) return {pulled::would_block, 0};
  if (got < 0) return {pulled::text, 0};
  const char* const end = in + got;
  // Carried text that is longer than what came is not taken back: a source that gives single bytes would be slow.
  const char* next = in - (static_cast<std::size_t>(got) >= conv.pending() ? conv.take_back(s) : 0);
  std::size_t produced = 0;
  char edge[Codec::min_output];
  const auto left = [&] { return static_cast<std::size_t>(end - next); };
  if (conv.pending() != 0) {
    const codec_progress finished = conv.step(next, left(), edge, sizeof edge, false);
    std::copy_n(edge, finished.produced, s);
    produced = finished.produced;
    next += finished.consumed;
  }
  const std::size_t passed = s + produced == next ? conv.check(next, left()) : 0;
  produced += passed;
  next += passed;
  // The rest begins with an ill-formed or incomplete sequence, or follows a byte order mark that was dropped.
  if (next != end && conv.in_place()) next += conv.step(next, left(), edge, 0, false).consumed;
  try {
    source.keep(next, left());
  } catch (const std::bad_alloc&) {  // the text before the error is still delivered
    conv.fail(std::current_exception());
  }
  return {pulled::text, produced};
}

/// As pull, for a source that can write into the caller's buffer: text that needs no change is checked there. Such a
/// source also has `read(s, n)`, which returns as wait() does, and `keep(s, n)`, after which the n bytes are at hand.
template <class Codec, class Source>
pull_result pull_in_place(conversion<Codec>& conv, Source& source, char* s, std::size_t n) {
  while (source.size() == 0 && !source.ended() && conv.needs_input() &&
         (conv.in_place() || (conv.gives_back() && n / 2 >= conv.pending())) &&
         n >= Codec::min_output + conv.pending()) {
    const pull_result got = read_in_place(conv, source, s, n);
    if (got.what != pulled::text || got.size != 0) return got;
  }
  return pull(conv, source, s, n);
}

//-------------------------------------------------------------------------------------------------------------- writing

/// A sink that takes nothing this many times in a row is broken. Fewer times are no error: the sinks in Boost's own
/// filter tests refuse at random.
inline constexpr int most_refusals = 100;

/// Writes all n bytes by `write(s, n)`, which returns the number of bytes that it took. Calls `fail`, which throws, if
/// `write` takes none most_refusals times in a row.
template <class Write, class Fail>
UTFILTER_INLINE void write_fully(const char* s, std::streamsize n, Write&& write, Fail&& fail) {
  int refusals = 0;
  while (n > 0) {
    const std::streamsize taken = write(s, n);
    if (taken > 0) {
      refusals = 0;
      s += taken;
      n -= taken;
    } else if (++refusals == most_refusals) {
      fail();
    } else {
      errno = 0;  // errno after the last refusal must be the reason of that refusal
    }
  }
}

/// Throws std::ios_base::failure, with the system's reason if the sink left one in errno.
[[noreturn]] UTFILTER_STREAMS_API void fail(const char* what);
/// Throws std::logic_error, because a filter is in a chain twice.
[[noreturn]] UTFILTER_STREAMS_API void refuse_second_place();

/// How many of its bytes a call of the sink has taken if it throws: none, or nobody knows.
enum class taken_by_throw { nothing, unknown };

/// Keeps what a sink had not taken when it failed, and writes that first when the sink is tried again. So a failure
/// cuts no character, no escape sequence of the encoding, and no record that was given in one piece.
class unwritten {
 public:
  bool is_empty() const noexcept { return bytes_.empty(); }
  std::uint64_t lost() const noexcept { return lost_; }
  void lose(std::uint64_t bytes) noexcept { lost_ += bytes; }
  /// Forgets the bytes, and counts them as lost.
  void drop() noexcept {
    lose(bytes_.size());
    bytes_.clear();
  }

  void clear() noexcept {
    bytes_.clear();
    lost_ = 0;
    why_ = nullptr;
    keeps_ = counts_ = false;
  }

  /// Writes the piece by `write`, as write_fully does. If that fails, keeps the rest of this piece and all further
  /// ones. If nobody knows how much the sink has taken, they are lost instead. It is known if the sink returned that it
  /// takes nothing, if it is a link (`taken`), and if it threw but has returned before that it took a part. Throws
  /// nothing: raise() does.
  template <class Write>
  UTFILTER_INLINE void put(const char* s, std::size_t n, Write&& write, taken_by_throw taken) {
    if (why_ != nullptr) return keep(s, n);
    const char* rest = s;
    const auto write_rest = [&](const char* t, std::streamsize m) {
      rest = t;
      return write(t, m);
    };
    bool knows_rest = taken == taken_by_throw::nothing;
    guarded(
        [&] {
          detail::write_fully(s, static_cast<std::streamsize>(n), write_rest, [&] {
            knows_rest = true;
            fail("the sink takes no bytes");
          });
        },
        [&](std::exception_ptr why) {
          why_ = std::move(why);
          counts_ = counts_ || rest != s;
          keeps_ = knows_rest || counts_;
          keep(rest, static_cast<std::size_t>(s + n - rest));
        });
  }
  /// Writes what was kept.
  template <class Write>
  UTFILTER_NOINLINE void put_kept(Write&& write, taken_by_throw taken) {
    const std::string kept = std::exchange(bytes_, {});
    put(kept.data(), kept.size(), write, taken);
    raise();
  }
  /// Call this after the last put() of a call. Throws the failure of the puts. If the text is not well-formed, throws
  /// nothing, because the caller throws that error.
  void raise(bool well_formed = true) {
    if (why_ == nullptr) return;
    const std::exception_ptr why = std::exchange(why_, nullptr);
    if (well_formed) std::rethrow_exception(why);
  }

 private:
  /// Keeps the bytes. If they are too many, or there is no memory for them, keeps only those that complete a character
  /// of UTF-8 of which the sink has a part.
  UTFILTER_STREAMS_API void keep(const char* s, std::size_t n) noexcept;

  std::string bytes_;
  std::uint64_t lost_ = 0;
  std::exception_ptr why_;  // null unless a put has failed since the last raise()
  bool keeps_ = false;      // whether the bytes that the present failure has left are kept
  bool counts_ = false;     // the sink has once returned that it took a part, so a call that throws has taken nothing
};

/// A read, write or flush of a filter that has not returned yet.
struct running_call {
  const void* neighbour = nullptr;  // null if none is running
  const void* kind = nullptr;       // identifies the type of the neighbour
  const char* begin = nullptr;
  std::size_t size = 0;  // bytes from `begin` on that it was given
  std::size_t more = 0;  // bytes after these that came in the middle of the call, by the same link

  /// Whether this write comes in the middle of another one from the same element. (A composite is another object each time,
  /// but a link gives the bytes of the running write again.)
  bool is_inside(const running_call& other) const noexcept {
    return other.neighbour != nullptr && other.kind == kind && (other.neighbour == neighbour || other.begin == begin);
  }
  /// Counts a write in the middle of this one as dropped. Returns the number of bytes that the element may forget. A link
  /// with a buffer must forget none, because it would put the next bytes where the running write still reads. When the
  /// running write returns, the link forgets all.
  UTFILTER_STREAMS_API std::streamsize drop(const running_call& now, std::uint64_t& dropped) noexcept;
};

/// The bytes of a write that has thrown.
struct failed_write {
  const char* begin = nullptr;
  std::size_t size = 0;   // 0 if the last write has not thrown
  std::size_t taken = 0;  // bytes that were converted nevertheless
  std::size_t hash = 0;

  /// How many of these bytes the write has taken, and forgets it. A link of Boost keeps the bytes of a write that has
  /// thrown, and gives them to the next write again, with further ones after them. A link without a buffer gives each byte
  /// once, and by itself.
  UTFILTER_STREAMS_API std::size_t known(const char* s, std::size_t n, bool is_gathered, unwritten& rest) noexcept;
  /// Counts the bytes that the write has not taken as lost, because the link does not give them again.
  UTFILTER_STREAMS_API void forget(unwritten& rest) noexcept;
  /// `more` are those of running_call. The link gives them again, too.
  UTFILTER_STREAMS_API void remember(const char* s, std::size_t n, std::size_t taken, std::size_t more) noexcept;
};

/// Room in the buffer of a neighbour, which writes the bytes that are put there.
struct put_room {
  char* begin = nullptr;
  std::size_t size = 0;  // bytes
};

/// Passes output to `write(s, n)`, which takes all of it or throws. It offers no room.
template <class Write>
struct writer {
  Write write;

  void operator()(const char* s, std::size_t n) const { write(s, n); }
  static put_room room() noexcept { return {}; }
  static void made(std::size_t) noexcept {}
};
template <class Write>
writer(Write) -> writer<Write>;

template <class Codec, class Put>
UTFILTER_NOINLINE bool push_rest(conversion<Codec>& conv, const char* in, std::size_t size, bool last, Put&& put) {
  // The buffer is twice as large as a piece, because ASCII doubles in size as UTF-16, and kernels are slow if the room
  // cuts their output.
  constexpr std::size_t piece = std::max<std::size_t>(8192, Codec::min_output);
  char buffer[2 * piece];
  while (true) {
    // If only a carried sequence keeps us from checking the caller's buffer in place, finish just that sequence.
    const bool finish = size != 0 && conv.pending() != 0 && conv.in_place();
    const std::size_t room = finish ? Codec::min_output : sizeof buffer;
    const std::size_t taken = (std::min)(size, piece);
    const codec_progress progress = conv.convert(in, taken, buffer, room, last && taken == size);
    if (progress.produced != 0) put(buffer, progress.produced);
    in += progress.consumed;
    size -= progress.consumed;
    if (conv.failed()) return false;
    if (progress.status == codec_status::done) return true;
    if (size != 0 && conv.pending() == 0) {
      const std::size_t passed = conv.check(in, size);
      if (passed != 0) put(in, passed);
      in += passed;
      size -= passed;
    }
    if (progress.status == codec_status::need_input && size == 0 && !last) return true;
  }
}

/// Ends the text. The conversion has little left to write; a buffer as large as that of push_rest would reach into
/// stack memory that is in no cache.
template <class Codec, class Put>
bool push_end(conversion<Codec>& conv, Put&& put) {
  if (conv.has_no_end()) return true;
  char buffer[std::max<std::size_t>(64, Codec::min_output)];
  while (true) {
    const codec_progress progress = conv.convert(nullptr, 0, buffer, sizeof buffer, true);
    if (progress.produced != 0) put(buffer, progress.produced);
    if (conv.failed()) return false;
    if (progress.status == codec_status::done) return true;
  }
}

/// Passes all of the input through a conversion to `put`, in pieces of whole characters. Returns false if the
/// conversion fails; `put` has then been called for all text before the error. Throws exceptions of `put`.
template <class Codec, class Put>
UTFILTER_INLINE bool push(conversion<Codec>& conv, const char* in, std::size_t size, bool last, Put&& put) {
  // Text that needs no change, such as a line, is copied directly to the neighbour's buffer if there is room.
  const std::size_t passed = size != 0 && conv.pending() == 0 ? conv.check(in, size) : 0;
  if (passed != 0) {
    const put_room room = put.room();
    if (passed <= room.size) {
      std::memcpy(room.begin, in, passed);
      put.made(passed);
    } else {
      put(in, passed);
    }
  }
  if (passed != size) return push_rest(conv, in + passed, size - passed, last, put);
  return last ? push_end(conv, put) : !conv.failed();
}

/// Adds to a report what the conversion does not know: the bytes that were lost, and those among them that were dropped
/// because they came in the middle of another write.
UTFILTER_STREAMS_API void complete(stream_report& report, std::uint64_t lost, std::uint64_t dropped);

/// Calls an action in which a neighbour of the conversion takes part. An exception from the action fails the
/// conversion, but is not thrown on: the adaptor throws failure(), in one place, after it has done the rest of its
/// work.
template <class Conversion, class Action>
UTFILTER_INLINE void attempt(Conversion& conv, Action&& action) {
  guarded(action, [&](std::exception_ptr why) { conv.fail(std::move(why)); });
}

}  // namespace utfilter::detail

#endif
