// stream.cpp: the parts of the stream buffers that do not depend on their codec.
#include <utfilter/stream.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <deque>
#include <iterator>
#include <limits>
#include <new>
#include <optional>
#include <thread>

namespace utfilter::detail {

//------------------------------------------------------------------------------------------------------------ both ways

streambuf_base::~streambuf_base() = default;

template <class Action>
UTFILTER_INLINE void streambuf_base::guarded(Action&& action) {
  bool done = false;
  detail::guarded([&] { done = action(); }, [&](std::exception_ptr why) { fail(std::move(why)); });
  if (!done) std::rethrow_exception(failure());
}

void streambuf_base::refuse() {
  fail(std::make_exception_ptr(std::logic_error(
      "utfilter: a stream was used by its own observer, or by what is beneath it, while it was converting")));
  std::rethrow_exception(failure());
}

//--------------------------------------------------------------------------------------------------- reading the source

void source_beneath::read_directly() {
  start_ = buffer_->pubseekoff(0, std::ios_base::cur, std::ios_base::in);
  direct_ = start_ != std::streampos(std::streamoff(-1));
}

void source_beneath::begin_again(std::uint64_t taken) noexcept {
  streambuf_reader::operator=(streambuf_reader(*buffer_));
  kept_.clear();
  taken_ = taken;
  at_end_ = ended_ = false;
}

void source_beneath::consume(std::size_t n) {
  if (direct_) {
    kept_.consume(n);
  } else {
    streambuf_reader::consume(n);
    taken_ += n;
  }
}

std::streamsize source_beneath::wait() {
  if (!patient_ && buffer_->in_avail() <= 0) return 0;
  if (direct_) {
    // Between two large pieces only the rest of a character is needed.
    const std::size_t n = read_large_ ? input_buffer::least : input_buffer::most;
    read_large_ = false;
    const std::streamsize got = fetch(kept_.room_for(n), n);
    if (direct_) {
      kept_.filled(static_cast<std::size_t>(got));
      return got;
    }
  }
  const std::streamsize got = streambuf_reader::wait();
  at_end_ = got < 0;
  return at_end_ ? 0 : got;
}

std::streamsize source_beneath::read(char* s, std::size_t n) {
  read_large_ = true;
  const std::streamsize got = fetch(s, n);
  if (direct_) return got;
  // The rest of the source is read from its get area.
  return wait() == 0 ? 0 : take(*this, s, n);
}

/// Reads up to n bytes directly. After an error of the file, direct_ is false, and the source is at the first byte that
/// was not taken: sgetn does not tell how many bytes it has read before an error, the get area does.
std::streamsize source_beneath::fetch(char* s, std::size_t n) {
  try {
    const std::streamsize got = buffer_->sgetn(s, static_cast<std::streamsize>(n));
    taken_ += static_cast<std::uint64_t>(got);
    at_end_ = got == 0;
    return got;
  } catch (const std::ios_base::failure&) {
    direct_ = false;
    const auto back = start_ + static_cast<std::streamoff>(taken_);
    if (buffer_->pubseekpos(back, std::ios_base::in) != back) throw;
    return 0;
  }
}

//------------------------------------------------------------------------------------------------------------ the index

/// Places from which a text can be read again, in their order. The facts that all of them share are kept once, so each
/// takes 48 bytes, or about 54 with the memory that the deque adds.
class text_index {
 public:
  /// `start` is the start of the text, `every` the distance of the places in bytes.
  text_index(const saved_checkpoint& start, std::uint64_t every)
      : latest_(start.place), begin_(start.place), every_(static_cast<std::streamoff>(std::min(every, no_end))) {}

  std::uint64_t offset_of(const saved_checkpoint& m) const noexcept { return m.place.offset - begin_.offset; }
  std::streamoff position_of(const saved_checkpoint& m) const noexcept { return position_of(m.place.bytes_out); }

  /// The position of the last place.
  std::streamoff last() const noexcept { return position_of(latest_.bytes_out); }
  /// The position of the next place to add. It may have passed, if none could be added there.
  std::streamoff next() const noexcept { return last() + every_; }

  /// Adds a place after the last one. Without memory for it the index stays as it is: a seek then reads a little more.
  void add(const saved_checkpoint& m) {
    const checkpoint& c = m.place;
    try {
      if (c.errors != latest_.errors) errors_.push_back(*m.last_error);
      if (!first_error_) first_error_ = m.first_error;
      if (states_.empty() || states_.back().after != m.state) states_.push_back({c.offset, m.state});
      places_.push_back({c, c.bytes_out, c.errors});
      latest_ = c;
      facts_ = m.facts;
    } catch (const std::bad_alloc&) {
    }
  }

  /// The last place at or before this position; nothing if that is the start.
  std::optional<saved_checkpoint> before(std::streamoff position) const {
    const auto is_before = [this](std::streamoff p, const entry& e) { return p < position_of(e.bytes_out); };
    const auto next = std::upper_bound(places_.begin(), places_.end(), position, is_before);
    if (next == places_.begin()) return std::nullopt;
    const entry& e = *std::prev(next);
    const auto begins_after = [](std::uint64_t offset, const state& s) { return offset < s.offset; };
    saved_checkpoint m;
    m.state = std::prev(std::upper_bound(states_.begin(), states_.end(), e.offset, begins_after))->after;
    m.facts = facts_;
    m.place = {e, latest_.encoding, latest_.bom, e.bytes_out, e.errors};
    if (e.errors == begin_.errors) return m;
    const auto follows = [](std::uint64_t offset, const error_info& error) { return offset <= error.offset; };
    m.first_error = first_error_;
    m.last_error = *std::prev(std::upper_bound(errors_.begin(), errors_.end(), e.offset, follows));
    return m;
  }

 private:
  static constexpr std::uint64_t no_end = std::uint64_t{1} << 62;  // a text is shorter

  struct entry : text_position {
    std::uint64_t bytes_out, errors;
  };

  std::streamoff position_of(std::uint64_t bytes_out) const noexcept {
    return static_cast<std::streamoff>(bytes_out - begin_.bytes_out);
  }

  struct state {
    std::uint64_t offset;
    const encoding_scheme* after;
  };

  std::deque<entry> places_;
  std::deque<state> states_;       // for each place with another state than the place before it
  std::deque<error_info> errors_;  // for each place with new errors since the place before it: the last of them
  std::optional<error_info> first_error_;
  checkpoint latest_;  // the last place
  text_facts facts_;
  checkpoint begin_;
  std::streamoff every_;
};

//-------------------------------------------------------------------------------------------------------------- reading

namespace {
constexpr std::streamsize putback = 4;
}

istreambuf_base::istreambuf_base(std::streambuf& source, std::size_t least_room)
    : source_(source),
      input_(source),
      least_room_(static_cast<std::streamsize>(least_room)),
      capacity_(std::max<std::streamsize>(4096, least_room_)) {}

istreambuf_base::~istreambuf_base() = default;

void istreambuf_base::keep_checkpoints(std::uint64_t every) {
  index_ = std::make_unique<text_index>(*here(), std::max(every, static_cast<std::uint64_t>(least_room_)));
}

auto istreambuf_base::underflow() -> int_type {
  follow();
  if (gptr() == egptr()) refill(true);
  return gptr() != egptr() ? traits_type::to_int_type(*gptr()) : traits_type::eof();
}

std::streamsize istreambuf_base::xsgetn(char* s, std::streamsize n) {
  std::streamsize got = 0;
  while (got < n) {
    follow();
    if (gptr() == egptr() && n - got >= capacity_) {
      const std::streamsize more = read(s + got, n - got, true);
      if (more <= 0) break;
      remember(s + got, more);
      got += more;
    } else if (gptr() == egptr() && refill(true) <= 0) {
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

/// Converts the bytes that are there already, without waiting for more.
std::streamsize istreambuf_base::showmanyc() {
  follow();
  return gptr() == egptr() ? refill(false) : egptr() - gptr();
}

auto istreambuf_base::pbackfail(int_type c) -> int_type {
  if (gptr() == eback()) return traits_type::eof();
  gbump(-1);
  if (!traits_type::eq_int_type(c, traits_type::eof())) *gptr() = traits_type::to_char_type(c);
  return traits_type::not_eof(c);
}

auto istreambuf_base::seekoff(off_type offset, std::ios_base::seekdir way, std::ios_base::openmode which) -> pos_type {
  if (busy_) refuse();
  const pos_type failed(off_type(-1));
  if ((which & std::ios_base::in) == 0 || is_closed_ || !seekable()) return failed;
  if (way == std::ios_base::end) {
    if ((has_grown() && !go_on()) || (index_ && !approach(std::max(decoded_, index_->last())))) return failed;
    while (skip()) continue;
  }
  const off_type from = way == std::ios_base::beg ? 0 : position();
  if (offset < -from || offset > std::numeric_limits<off_type>::max() - from) return failed;
  const off_type target = from + offset;
  const bool stays = target == position() && !is_final();  // if the source has grown, the next read goes on
  return stays || ((!has_grown() || go_on()) && move_to(target)) ? pos_type(target) : failed;
}

auto istreambuf_base::seekpos(pos_type target, std::ios_base::openmode which) -> pos_type {
  return seekoff(target, std::ios_base::beg, which);
}

/// Reads into the get area, which must be empty. Returns the number of bytes, 0 if there are none yet, -1 at the end.
std::streamsize istreambuf_base::refill(bool patient) {
  if (is_closed_) return -1;
  remember(nullptr, 0);
  char* const start = gptr();
  const std::streamsize got = read(start, capacity_, patient);
  if (got > 0) setg(eback(), start, start + got);  // an observer may have put bytes back meanwhile
  return got;
}

std::streamsize istreambuf_base::read(char* s, std::streamsize n, bool patient) {
  if (is_closed_) return -1;
  const busy once(*this);
  if (index_ && decoded_ == 0 && !seekable()) index_.reset();
  // A read ends at the next position that the index wants. If a repair is half written there, the next read writes only
  // its rest.
  const off_type left = index_ ? index_->next() - decoded_ : n;
  const bool is_late = left < least_room_ && !here();
  if (left >= least_room_ && left < n) n = static_cast<std::streamsize>(left);
  input_.set_patient(patient);
  std::streamsize got = 0;
  guarded([&] {
    const auto room = static_cast<std::size_t>(n);
    pull_result result = is_late ? finish_repair(s, room) : pull(input_, s, room);
    if (input_.is_at_end() && !input_.ended()) {
      prepare_end();
      result = pull(input_, s, room);
    }
    if (result.what == pulled::failed) return false;
    got = result.what == pulled::end ? -1 : static_cast<std::streamsize>(result.size);
    return true;
  });
  told_end_ = got < 0;
  if (got > 0) decoded_ += got;
  if (got > 0 && input_.ended() && can_grow_)
    detail::guarded([&] { end_text_.append(s, static_cast<std::size_t>(got)); },
                    [&](const std::exception_ptr&) { end_text_.clear(); });
  // The end of the source is not marked: if the source grows, the text before the end may be read in another way.
  if (index_ && got > 0 && index_->next() - decoded_ < least_room_ && !input_.ended())
    if (const std::optional<saved_checkpoint> place = here()) index_->add(*place);
  return got;
}

/// Keeps the use before the codec is told of the end: if the source grows, the use goes on from there. If it cannot be
/// kept, the text is then converted again from the start.
void istreambuf_base::prepare_end() {
  end_ = decoded_;
  end_text_.clear();
  can_grow_ = false;
  const auto keep = [&] {
    can_grow_ = seekable();
    if (can_grow_) keep_use();
  };
  detail::guarded(keep, [](const std::exception_ptr&) {});
  input_.end();
}

/// Prepares the get area, which must be empty, for the next bytes. Up to `putback` bytes that were read can then be put
/// back: the last bytes of the old get area, then the last of the `n` bytes at `s`, which were read after them.
void istreambuf_base::remember(const char* s, std::streamsize n) {
  if (area_ == nullptr) area_.reset(new char[static_cast<std::size_t>(putback + capacity_)]);
  char* const start = area_.get() + putback;
  const std::streamsize newer = std::min(n, putback);
  const std::streamsize older = std::min<std::streamsize>(gptr() - eback(), putback - newer);
  std::copy(gptr() - older, gptr(), start - newer - older);
  std::copy(s + n - newer, s + n, start - newer);
  setg(start - newer - older, start, start);
}

/// Drops the rest of the get area and fills it again. Returns false at the end.
bool istreambuf_base::skip() {
  gbump(static_cast<int>(egptr() - gptr()));
  return refill(true) > 0;
}

/// Goes to a position of the text. Returns false if the text ends before it, or the source cannot seek.
bool istreambuf_base::move_to(off_type target) {
  if (!approach(target)) return false;
  while (target > position() + (egptr() - gptr()))
    if (!skip()) return false;
  gbump(static_cast<int>(target - position()));
  return true;
}

bool istreambuf_base::seekable() {
  try {
    return source_.pubseekoff(0, std::ios_base::cur, std::ios_base::in) != pos_type(off_type(-1));
  } catch (const std::ios_base::failure&) {  // Boost.Iostreams throws this if the source cannot seek
    return false;
  }
}

/// Whether the source has more bytes since it ended. Some systems remember the end of a file until a seek, Windows among
/// them: seekable() moves to where the file is.
bool istreambuf_base::has_grown() {
  if (!input_.ended() || !can_grow_ || !seekable()) return false;
  const busy once(*this);
  bool grown = false;
  guarded([&] {
    grown = !traits_type::eq_int_type(source_.sgetc(), traits_type::eof());
    return true;
  });
  return grown;
}

/// Call this if the source has grown since it ended. Goes to the place before the text that was written because of that
/// end: it is no longer a part of the text. Returns false if the source cannot seek there.
bool istreambuf_base::go_on() {
  bool goes_on = false;
  guarded([&] {
    goes_on = go_on_with_use();
    return true;
  });
  if (!goes_on) return go_to(nullptr) && move_to(end_);
  told_end_ = false;
  input_.begin_again(input_.taken());
  char* const end = egptr() - std::min(decoded_ - end_, static_cast<off_type>(egptr() - eback()));
  setg(eback(), std::min(gptr(), end), end);
  decoded_ = end_;
  return true;
}

/// If the text has ended, but its source has grown, lets the next read go on. The text that was written because of the
/// old end is read again only if it is no longer the same.
void istreambuf_base::follow() {
  if (!told_end_ || gptr() != egptr() || is_final() || !has_grown()) return;
  const std::string known = std::move(end_text_);
  if (!go_on()) return;
  const off_type end = end_;
  std::size_t alike = 0;
  while (alike != known.size() && (gptr() != egptr() || refill(true) > 0)) {
    const std::size_t n = std::min(known.size() - alike, static_cast<std::size_t>(egptr() - gptr()));
    if (!std::equal(gptr(), gptr() + n, known.data() + alike)) {
      move_to(end);
      return;
    }
    gbump(static_cast<int>(n));
    alike += n;
  }
}

/// Goes to the place from which the target is to be read, if that is not the present one. Returns false if the source
/// cannot seek there.
bool istreambuf_base::approach(off_type target) {
  const bool is_behind = target < position() - (gptr() - eback());
  if (!is_behind && (target <= decoded_ || !index_ || failed())) return true;
  // `putback` bytes before the target are read, too, so that they can be put back.
  const std::optional<saved_checkpoint> place = index_ ? index_->before(target - putback) : std::nullopt;
  if (!is_behind && (!place || index_->position_of(*place) <= decoded_)) return true;
  return go_to(place ? &*place : nullptr);
}

/// Goes to a place of the index; or if it is null, to the place where the source was when the first byte was read from
/// it. Returns false if the source cannot seek there.
bool istreambuf_base::go_to(const saved_checkpoint* place) {
  const busy once(*this);
  const std::uint64_t offset = place != nullptr ? index_->offset_of(*place) : 0;
  const auto move = static_cast<off_type>(offset - input_.taken());
  if (source_.pubseekoff(move, std::ios_base::cur, std::ios_base::in) == pos_type(off_type(-1))) return false;
  input_.begin_again(offset);
  told_end_ = false;
  setg(nullptr, nullptr, nullptr);
  guarded([&] {
    begin(place);
    return true;
  });
  decoded_ = place != nullptr ? index_->position_of(*place) : 0;
  return true;
}

//-------------------------------------------------------------------------------------------------------------- writing

namespace {

/// Waits longer from call to call: first only until other threads have run.
void wait(int& calls) noexcept {
  constexpr int yields = 64;     // calls
  constexpr int longest = 1000;  // microseconds
  if (calls < yields)
    std::this_thread::yield();
  else
    std::this_thread::sleep_for(std::chrono::microseconds(std::min(calls, longest)));
  ++calls;
}

/// Access to the put area of any stream buffer.
struct put_area : std::streambuf {
  static char* begin(const std::streambuf& b) { return (b.*&put_area::pbase)(); }
  static char* next(const std::streambuf& b) { return (b.*&put_area::pptr)(); }
  static char* end(const std::streambuf& b) { return (b.*&put_area::epptr)(); }
  static void set(std::streambuf& b, char* begin, char* end) { (b.*&put_area::setp)(begin, end); }
  static void skip(std::streambuf& b, int n) { (b.*&put_area::pbump)(n); }
};

/// Leaves no room in the put area of a stream buffer as long as this object lives. So each byte that comes meanwhile, also
/// by sputc, which calls no virtual function while there is room, is given to overflow or xsputn. It does nothing to a
/// buffer without a put area, which several threads may use.
class closed_put_area {
 public:
  explicit closed_put_area(std::streambuf& b)
      : buffer_(b),
        begin_(put_area::begin(b)),
        end_(put_area::end(b)),
        size_(static_cast<int>(put_area::next(b) - begin_)) {
    if (begin_ != end_) put_area::set(buffer_, begin_ + size_, begin_ + size_);
  }
  ~closed_put_area() {
    if (begin_ == end_) return;
    put_area::set(buffer_, begin_, end_);
    put_area::skip(buffer_, size_);
  }
  closed_put_area(const closed_put_area&) = delete;
  closed_put_area& operator=(const closed_put_area&) = delete;

 private:
  std::streambuf& buffer_;
  char* const begin_;
  char* const end_;
  const int size_;  // bytes in the put area
};

}  // namespace

ostreambuf_base::ostreambuf_base(std::streambuf& sink, std::size_t buffer, callers who)
    : sink_(sink), area_(buffer == 0 ? nullptr : new char[buffer]), area_size_(buffer), who_(who) {
  empty();
}

ostreambuf_base::~ostreambuf_base() = default;

/// Returns false if this thread is inside already. One step takes the place and says whose it is: a signal handler finds
/// either nobody inside, or its own thread.
bool ostreambuf_base::enter() const noexcept {
  if (who_ != callers::one_thread && !is_only_thread()) return enter_in_turn();
  const std::uint64_t found = inside_.load(std::memory_order_relaxed);
  if (found != 0 && exists(found)) return false;
  inside_.store(this_thread(), std::memory_order_relaxed);
  if (found != 0) was_abandoned_ = true;
  return true;
}

/// The same, if other threads may call.
UTFILTER_NOINLINE bool ostreambuf_base::enter_in_turn() const noexcept {
  const std::uint64_t me = this_thread();
  std::uint64_t found = 0;
  int waits = 0;
  while (!inside_.compare_exchange_weak(found, me, std::memory_order_acquire)) {
    if (found == me) return false;
    if (found == 0 || !exists(found)) continue;
    wait(waits);
    found = 0;
  }
  if (found != 0) was_abandoned_ = true;
  return true;
}

/// Counts a write from inside of another one, and says that it has succeeded. A signal handler may call this.
std::streamsize ostreambuf_base::drop(std::streamsize n) noexcept {
  dropped_.fetch_add(static_cast<std::uint64_t>(n), std::memory_order_relaxed);
  return n;
}

void ostreambuf_base::begin_report() noexcept {
  unwritten_ = {};
  dropped_ = 0;
}

/// Begins the use of this buffer by a call that writes. Returns false if the call is nested.
bool ostreambuf_base::may_write(const entry& once) noexcept {
  if (once.is_nested()) return false;
  if (was_abandoned_) begin_anew();
  return true;
}

void ostreambuf_base::begin_anew() noexcept {
  was_abandoned_ = false;
  end();
  unwritten_.drop();
  empty();
  is_broken_ = goes_on_ = false;
  finished_ = true;
}

void ostreambuf_base::finish_text() {
  const entry once(*this);
  if (!may_write(once)) refuse();
  end_text();
}

void ostreambuf_base::end_text() {
  if (finished_) return;
  try {
    drain();
    write(nullptr, 0, true);
    flush();
  } catch (...) {
    begin_anew();
    throw;
  }
  begin_anew();
}

void ostreambuf_base::finish_silently() noexcept {
  const entry once(*this);
  if (may_write(once)) end_silently();
}

/// A sink that has failed may be able to take the text now: then the last record is whole.
void ostreambuf_base::end_silently() noexcept {
  const auto ignore = [](const std::exception_ptr&) {};
  if (!finished_) detail::guarded([this] { try_again(); }, ignore);
  detail::guarded([this] { end_text(); }, ignore);
}

void ostreambuf_base::finish_and_pass() noexcept {
  const entry once(*this);
  if (may_write(once)) end_silently();
  passes_ = true;
  stream_ = nullptr;
}

UTFILTER_INLINE void ostreambuf_base::put_now(const char* s, std::size_t n) {
  unwritten_.put(
      s, n, [this](const char* t, std::streamsize m) { return sink_.sputn(t, m); }, taken_by_throw::unknown);
}
void ostreambuf_base::put_piece(const char* s, std::size_t n) { put_now(s, n); }

auto ostreambuf_base::overflow(int_type c) -> int_type {
  const bool is_character = !traits_type::eq_int_type(c, traits_type::eof());
  const char one = is_character ? traits_type::to_char_type(c) : '\0';
  const std::streamsize n = is_character ? 1 : 0;
  const entry once(*this);
  if (goes_on(once)) {
    write_on(&one, static_cast<std::size_t>(n));
  } else if (!may_write(once)) {
    drop(n);
  } else if (passes_) {
    if (sink_.sputn(&one, n) != n) return traits_type::eof();
  } else {
    put(&one, n, true);
  }
  return traits_type::not_eof(c);
}

std::streamsize ostreambuf_base::xsputn(const char* s, std::streamsize n) {
  const entry once(*this);
  if (goes_on(once)) {
    write_on(s, static_cast<std::size_t>(n));
    return n;
  }
  if (!may_write(once)) return drop(n);
  if (passes_) return sink_.sputn(s, n);
  put(s, n, n > epptr() - pptr() || is_broken_);
  return n;
}

int ostreambuf_base::sync() {
  const entry once(*this);
  if (!may_write(once)) return 0;
  if (passes_) return sink_.pubsync();
  const bool flushes_always = stream_ != nullptr && (stream_->flags() & std::ios_base::unitbuf) != 0;
  if (!flushes_always) {
    flush_all();
    return 0;
  }
  // After each output. If that has failed, badbit is set already. A destructor of the standard library may be the caller,
  // which (in libstdc++ before that of GCC 15) cannot throw.
  if (is_broken_) return -1;
  bool done = false;
  detail::guarded(
      [&] {
        flush_all();
        done = true;
      },
      [](const std::exception_ptr&) {});
  return done ? 0 : -1;
}

void ostreambuf_base::flush_all() {
  try_again();
  drain();
  flush();
}

/// Takes n bytes, or throws; then they are lost. Empties the put area before if asked, and after a failure tries the sink
/// again.
void ostreambuf_base::put(const char* s, std::streamsize n, bool empties) {
  if (empties) {
    try {
      try_again();
      drain();
    } catch (...) {
      lose(static_cast<std::size_t>(n));
      throw;
    }
  }
  if (n > epptr() - pptr()) {
    write(s, static_cast<std::size_t>(n), false);
  } else {
    std::copy_n(s, n, pptr());
    pbump(static_cast<int>(n));
  }
}

/// Goes on if the last call has failed because of the sink. Throws if that is impossible.
void ostreambuf_base::try_again() {
  if (!is_broken_) return;
  guarded([&] {
    if (!resume()) return false;
    const closed_put_area closed(*this);
    unwritten_.put_kept([this](const char* s, std::streamsize n) { return sink_.sputn(s, n); },
                        taken_by_throw::unknown);
    return true;
  });
  is_broken_ = false;
}

/// Writes the bytes of the put area. It has none while the sink is broken.
void ostreambuf_base::drain() {
  if (pptr() == pbase()) return;
  const auto size = static_cast<std::size_t>(pptr() - pbase());
  empty();
  write(area_.get(), size, false);
}

void ostreambuf_base::empty() noexcept { setp(area_.get(), area_.get() + area_size_); }

void ostreambuf_base::write(const char* s, std::size_t n, bool last) {
  finished_ = goes_on_ = false;
  is_broken_ = true;
  guarded([&] {
    const closed_put_area closed(*this);  // the bytes may stand there
    return push(s, n, last);
  });
  is_broken_ = false;
  goes_on_ = area_ == nullptr && is_plain();
}

/// As write, while goes_on_ is true: what most writes of a log are.
UTFILTER_INLINE void ostreambuf_base::write_on(const char* s, std::size_t n) {
  goes_on_ = false;
  is_broken_ = true;
  bool still_plain = true;
  guarded([&] {
    const std::size_t passed = n != 0 ? check(s, n) : 0;
    if (passed != 0) put_now(s, passed);
    if (passed != n) {
      const bool done = push(s + passed, n - passed, false);
      still_plain = is_plain();
      return done;
    }
    raise(true);
    return true;
  });
  is_broken_ = false;
  goes_on_ = still_plain;
}

void ostreambuf_base::flush() {
  is_broken_ = true;
  guarded([&] {
    if (failed()) return false;
    const closed_put_area closed(*this);
    errno = 0;
    if (sink_.pubsync() == -1) detail::fail("the text cannot be flushed");
    return true;
  });
  is_broken_ = false;
}

}  // namespace utfilter::detail
