// parallel.cpp: decodes and encodes the text of a file by several threads.
#include "parallel.hpp"

#include <utfilter/utf8.hpp>
#include <utfilter/utf_error.hpp>

#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <exception>
#include <system_error>
#include <thread>
#include <utility>
#ifdef UTFCAT_PIECE_FROM_ENVIRONMENT
#  include <cstdlib>
#endif

namespace utfcat {
namespace {

using utfilter::checkpoint;
using utfilter::codec_progress;
using utfilter::codec_status;
using utfilter::error_info;

/// The bytes that are read at once. With fewer bytes each byte costs more to write, with more the text no longer fits
/// into the caches.
std::size_t piece_size() noexcept {
#ifdef UTFCAT_PIECE_FROM_ENVIRONMENT
  const char* const size = std::getenv("UTFCAT_PIECE");
  if (size != nullptr) return static_cast<std::size_t>(std::atoi(size));
#endif
  return std::size_t{1} << 20;
}

const std::size_t piece = piece_size();
const std::size_t head_size = piece / 4 + 1;     // the first bytes, which the calling thread decodes alone
const std::size_t step = piece / 16 + 1;         // bytes that are decoded and encoded at once
const std::size_t most_errors = piece / 64 + 1;  // errors and lacking characters that are kept at once

constexpr std::size_t portions_per_thread = 2;
constexpr std::chrono::milliseconds long_wait(1);  // in which a thread converts several portions, if that is easy
constexpr std::size_t most_expansion = 4;          // a byte becomes at most so many bytes of UTF-8: \xHH
constexpr std::size_t spare = 64;                  // room for a character that the decoder carries, or for its repair
constexpr std::size_t longest_sequence = 6;
constexpr std::size_t longest_rest = 64;  // bytes that are read, but left to the next portion

/// A place in a portion as a place in the file. `before` is where the portion begins; its own lines begin with 1 there.
template <class Place>
Place in_file(const Place& at, const checkpoint& before) noexcept {
  utfilter::text_position start;
  start.offset = before.offset;
  return moved(at, start, before);
}

}  // namespace

//---------------------------------------------------------------------------------------------------------- thread_team

struct thread_team::threads {
  // The threads are attached, because the pool's own threads would hang if one of them could not start.
  boost::asio::thread_pool pool{0};
  std::vector<std::thread> attached;
};

thread_team::thread_team(std::size_t size) noexcept
    : size_(size != 0 ? size : std::max<std::size_t>(std::thread::hardware_concurrency(), 1)) {}

thread_team::~thread_team() {
  if (threads_ == nullptr) return;
  threads_->pool.stop();
  for (std::thread& one : threads_->attached) one.join();
}

std::size_t thread_team::start() noexcept {
  if (threads_ != nullptr) return threads_->attached.size();
  try {
    threads_ = std::make_unique<threads>();
    threads_->attached.reserve(size_);
    while (threads_->attached.size() != size_)
      threads_->attached.emplace_back([pool = &threads_->pool] { pool->attach(); });
  } catch (const std::exception&) {  // there are as many threads as could be started
  }
  return threads_ != nullptr ? threads_->attached.size() : 0;
}

void thread_team::post(std::function<void()> work) { boost::asio::post(threads_->pool, std::move(work)); }

//-------------------------------------------------------------------------------------------------------------- portion

/// Bytes of a file, from one place between two sequences to another, and their text.
class parallel_text::portion {
 public:
  struct found_error {
    error_info error;
    std::uint64_t text;  // bytes of decoded text before its repair
  };

  explicit portion(const team_work& work)
      : tells_errors_(work.tells_errors), bytes_(new char[piece + longest_rest]), text_(new char[text_size()]) {
    if (!work.coding) return;
    utfilter::params p = work.coding->params;
    p.observer = nullptr;
    if (tells_errors_) p.observer = [this](const error_info& error) { lacking_.push_back(error); };
    encoder_.emplace(work.coding->to, p);
  }

  char* bytes() noexcept { return bytes_.get(); }
  const utfilter::decoder& decoder() const noexcept { return decoder_; }

  /// At the start of a file there are errors that are always told: those of its byte order mark.
  void begin(utfilter::encoding from, utfilter::params p, bool at_start) {
    failure_ = nullptr;
    give(0, false);
    const bool observes = p.observer && (tells_errors_ || at_start);
    p.observer = nullptr;
    if (observes)
      p.observer = [this](const error_info& error) { errors_.push_back({error, decoder_.here().bytes_out}); };
    decoder_ = utfilter::decoder(from, p);
  }

  /// The next bytes to decode are the first `size` of bytes(). With `last` they are the last ones of the file.
  void give(std::size_t size, bool last) noexcept {
    size_ = size;
    decoded_ = 0;
    last_ = last;
    ended_ = false;
  }

  /// The file cannot be read after the bytes.
  void fail(std::exception_ptr why) noexcept { failure_ = std::move(why); }

  /// Decodes and encodes the bytes: all of them, or as many as there is room for their text and errors.
  void convert() noexcept {
    text_end_ = encoded_end_ = 0;
    errors_.clear();
    lacking_.clear();
    try {
      if (encoder_) encoder_->begin(utfilter::encoder::direction::writing);
      do convert_step();
      while (!exhausted() && !(encoder_ && encoder_->failed()) && errors_.size() + lacking_.size() < most_errors &&
             text_end_ + most_expansion * step + spare <= text_size());
    } catch (...) {
      fail(std::current_exception());
      ended_ = true;
    }
  }

  std::string_view text() const noexcept { return {text_.get(), text_end_}; }
  const std::vector<found_error>& errors() const noexcept { return errors_; }

  std::optional<encoded_text> encoded() const {
    if (!encoder_) return std::nullopt;
    return encoded_text{{encoded_.data(), encoded_end_}, &lacking_, encoder_->report().errors, encoder_->failure()};
  }

  /// Whether nothing is left to convert.
  bool exhausted() const noexcept { return ended_ || (decoded_ == size_ && decoder_.needs_input()); }
  /// Whether the file's text ends here, at its end or at an error.
  bool ended() const noexcept { return ended_; }
  /// Why nothing can follow; null if something can.
  std::exception_ptr failure() const noexcept { return decoder_.failed() ? decoder_.failure() : failure_; }

  bool ready = false;            // the calling thread may take it
  std::uint64_t bytes_read = 0;  // of the file, after these bytes

 private:
  static std::size_t text_size() noexcept { return 3 * piece + most_expansion * step + spare; }

  void convert_step() {
    const std::size_t n = std::min(step, size_ - decoded_);
    char* const out = text_.get() + text_end_;
    const codec_progress done =
        decoder_.convert(bytes_.get() + decoded_, n, out, text_size() - text_end_, last_ && decoded_ + n == size_);
    decoded_ += done.consumed;
    text_end_ += done.produced;
    ended_ = done.status == codec_status::done || done.status == codec_status::malformed;
    if (encoder_) encode(out, done.produced);
  }

  void encode(const char* in, std::size_t n) {
    while (n != 0 && !encoder_->failed()) {
      if (encoded_.size() - encoded_end_ < n + spare) encoded_.resize(encoded_end_ + 2 * n + spare);
      const codec_progress done =
          encoder_->convert(in, n, encoded_.data() + encoded_end_, encoded_.size() - encoded_end_, false);
      in += done.consumed;
      n -= done.consumed;
      encoded_end_ += done.produced;
    }
  }

  const bool tells_errors_;
  std::unique_ptr<char[]> bytes_, text_;  // not vectors, which would write zeros first
  std::size_t size_ = 0, decoded_ = 0;    // of bytes_
  bool last_ = false, ended_ = false;
  std::exception_ptr failure_;
  utfilter::decoder decoder_;
  std::size_t text_end_ = 0;
  std::vector<found_error> errors_;
  std::optional<utfilter::encoder> encoder_;
  std::vector<char> encoded_;
  std::size_t encoded_end_ = 0;
  std::vector<error_info> lacking_;
};

//-------------------------------------------------------------------------------------------------- the calling thread

parallel_text::parallel_text(const team_work& work, text_reader read, std::function<std::uint64_t()> bytes_read,
                             interruption& waiting, utfilter::encoding from, const utfilter::params& p)
    : work_(work),
      read_(std::move(read)),
      count_read_(std::move(bytes_read)),
      waiting_(waiting),
      from_(from),
      params_(p),
      head_(std::make_unique<portion>(work)) {
  head_->begin(from, p, true);
  report_ = head_->decoder().report();
  if (p.start) before_ = *p.start;
}

parallel_text::~parallel_text() {
  waiting_.interrupt();
  std::unique_lock lock(state_);
  stopped_ = true;
  for_team_.notify_all();
  for_caller_.wait(lock, [this] { return working_ == 0; });
}

std::string_view parallel_text::next() {
  encoded_.reset();
  while (portion* const p = go_on()) {
    deliver(*p);
    if (p->text().empty()) continue;
    if (head_ == nullptr) encoded_ = p->encoded();
    return p->text();
  }
  return {};
}

/// Converts the next piece and returns its portion; null at the end of the text.
auto parallel_text::go_on() -> portion* {
  if (current_ != nullptr && !current_->exhausted()) {
    current_->convert();
    return current_;
  }
  if (current_ != nullptr) {
    if (const std::exception_ptr why = current_->failure()) std::rethrow_exception(why);
    if (current_->ended()) return nullptr;
    leave();
  }
  current_ = head_ != nullptr ? read_head() : take();
  return current_;
}

/// Leaves the current portion, of which nothing is left.
void parallel_text::leave() {
  if (head_ == nullptr) {
    before_ = after_;
    const std::lock_guard lock(state_);
    current_->ready = false;
    ++free_;
    for_team_.notify_one();
  } else {
    rest_.erase(0, rest_.size() - head_->decoder().pending());
    const bool has_states = utfilter::detail::has_states(after_.encoding);  // then no place is like the start
    if (after_.offset >= head_size && !has_states && work_.team->start() != 0) begin_threads();
  }
}

/// Counts what a portion has become, and tells the observer its errors.
void parallel_text::deliver(portion& p) {
  after_ = in_file(p.decoder().here(), before_);
  const utfilter::stream_report here = p.decoder().report();
  report_.encoding = here.encoding;
  report_.bom = here.bom;
  if (before_.offset == 0) {  // a checkpoint names the encoding
    report_.decided_by = here.decided_by;
    report_.confidence = here.confidence;
    report_.unused_declaration = here.unused_declaration;
  }
  report_.bytes_in = here.bytes_in;
  report_.lines = before_.line - 1 + here.lines;
  report_.errors = before_.errors + here.errors;
  after_.bytes_out = before_.bytes_out + here.bytes_out;
  after_.errors = report_.errors;
  bytes_read_ = p.bytes_read;
  if (here.last_error) report_.last_error = in_file(*here.last_error, before_);
  if (here.first_error && !report_.first_error) report_.first_error = in_file(*here.first_error, before_);
  for (const portion::found_error& found : p.errors()) {
    report_.bytes_out = before_.bytes_out + found.text;  // as a decoder tells it to its observer
    params_.observer(in_file(found.error, before_));
  }
  report_.bytes_out = after_.bytes_out;
}

auto parallel_text::read_head() -> portion* {
  const std::streamsize got = read_(head_->bytes(), static_cast<std::streamsize>(step));
  const auto size = static_cast<std::size_t>(std::max<std::streamsize>(got, 0));
  rest_.append(head_->bytes(), size);
  head_->give(size, got < 0);
  head_->convert();
  head_->bytes_read = count_read_();
  return head_.get();
}

void parallel_text::begin_threads() {
  head_.reset();
  before_ = after_;
  start_.encoding = after_.encoding;
  start_.bom = after_.bom;
  start_.offset = after_.offset;
  start_.pass_lines(0);
  utfilter::params p;
  p.on_error = utfilter::on_error::skip;
  p.start = start_;
  probe_.emplace(start_.encoding, p);
  const std::size_t threads = work_.team->start();
  while (portions_.size() != portions_per_thread * threads) portions_.push_back(std::make_unique<portion>(work_));
  const std::lock_guard lock(state_);
  free_ = portions_.size();
  spares_one_ = threads > 1;
  for (std::size_t i = spares_one_ ? 1 : 0; i != threads; ++i) call_thread();
}

/// Waits for the next portion.
auto parallel_text::take() -> portion* {
  portion& p = *portions_[taken_++ % portions_.size()];
  const auto is_ready = [&p] { return p.ready; };
  std::unique_lock lock(state_);
  if (!for_caller_.wait_for(lock, long_wait, is_ready) && std::exchange(spares_one_, false)) call_thread();
  for_caller_.wait(lock, is_ready);
  return &p;
}

/// Lets one more thread work. Call it with the lock.
void parallel_text::call_thread() {
  work_.team->post([this] { work(); });
  ++working_;
}

//--------------------------------------------------------------------------------------------------------- all threads

/// Reads portions, and converts them.
void parallel_text::work() noexcept {
  std::unique_lock lock(state_);
  for (bool more = true; more;) {
    for_team_.wait(lock, [this] { return stopped_ || free_ != 0; });
    if (stopped_) break;
    --free_;
    lock.unlock();
    portion* const p = fill();
    if (p != nullptr) p->convert();
    lock.lock();
    more = p != nullptr;
    if (more) p->ready = true;
    for_caller_.notify_one();
  }
  --working_;
  for_caller_.notify_one();  // with the lock, because the object may be destroyed as soon as working_ is 0
}

/// Reads the next bytes into the next portion; null if there are none.
auto parallel_text::fill() noexcept -> portion* {
  const std::lock_guard reading(turn_);
  if (at_end_) return nullptr;
  portion& p = *portions_[filled_++ % portions_.size()];
  try {
    utfilter::params of_portion = params_;
    of_portion.start = start_;
    p.begin(from_, std::move(of_portion), false);
    std::size_t size = rest_.copy(p.bytes(), rest_.size());
    try {
      const std::streamsize got = read_(p.bytes() + size, static_cast<std::streamsize>(piece));
      at_end_ = got < 0;
      size += static_cast<std::size_t>(std::max<std::streamsize>(got, 0));
      p.give(size, at_end_);
    } catch (...) {
      p.give(size, false);
      throw;
    }
    p.bytes_read = count_read_();
    if (at_end_) return &p;
    const std::size_t end = cut(p, size);
    rest_.assign(p.bytes() + end, size - end);
    start_.offset += end;
    start_.pass_lines(0);
  } catch (...) {
    at_end_ = true;
    p.fail(std::current_exception());
  }
  return &p;
}

/// Finds the place at which the next portion begins, and gives the portion the bytes that it needs: a decoder that has
/// read them carries none before that place.
///
/// A sequence begins at one of any `longest_sequence` bytes. If decoders that begin at each of these bytes all carry
/// nothing at one later place, a sequence ends there, whatever stands before, and the next portion can begin there. If
/// no such place is near the end of the bytes, the place is found by decoding all of them.
std::size_t parallel_text::cut(portion& p, std::size_t size) {
  const std::size_t unit = code_unit_size(start_.encoding);
  for (std::size_t end = size - size % unit; end != 0 && size - end < longest_rest; end -= unit)
    if (is_between_sequences(p.bytes(), end, unit)) {
      p.give(end, false);
      return end;
    }
  p.give(size, false);
  return size - carried_after(p.bytes(), size);
}

/// Whether a sequence ends there by the bytes before it alone.
bool parallel_text::is_between_sequences(const char* bytes, std::size_t end, std::size_t unit) {
  constexpr std::size_t before = 24;  // bytes; a multiple of each code unit
  const std::size_t begin = end - std::min(end, before);
  for (std::size_t n = 0; n < longest_sequence && begin + n < end; n += unit)
    if (carried_after(bytes + begin + n, end - begin - n) != 0) return false;
  return true;
}

/// How many bytes a decoder of these bytes carries.
std::size_t parallel_text::carried_after(const char* s, std::size_t n) {
  probe_->begin(utfilter::decoder::direction::reading);
  std::array<char, 4096> text;
  codec_progress done;
  do {
    done = probe_->convert(s, n, text.data(), text.size(), false);
    s += done.consumed;
    n -= done.consumed;
  } while (done.status == codec_status::need_output);
  return probe_->pending();
}

}  // namespace utfcat
