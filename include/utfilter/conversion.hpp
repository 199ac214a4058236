// conversion.hpp: runs a codec under policies: it handles errors, counts for the report, and begins and ends a use.
//
// This is the part of a filter that knows no streams. codec_filter passes it the text of a Boost.Iostreams chain; code
// with buffers of its own calls it directly.
#ifndef UTFILTER_CONVERSION_HPP
#define UTFILTER_CONVERSION_HPP

#include <utfilter/checkpoint.hpp>
#include <utfilter/codec.hpp>
#include <utfilter/config.hpp>
#include <utfilter/detail/codec_contract.hpp>
#include <utfilter/detail/kept_exception.hpp>
#include <utfilter/detail/signed_codec.hpp>
#include <utfilter/params.hpp>
#include <utfilter/repair.hpp>
#include <utfilter/text.hpp>
#include <utfilter/utf_error.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace utfilter {

namespace detail {

/// A place in a text, and the errors before it that the report names.
struct mark {
  checkpoint place;
  std::optional<error_info> first_error, last_error;
  text_facts facts;
};

}  // namespace detail

/// Runs a codec, applies params to its errors, and keeps the report.
///
/// A use lasts from begin() to end(). Errors stick: once failed() is true, the conversion reads no further input. A
/// conversion cannot be copied. It can be moved at any time, even in the middle of a character or of a repair, and then
/// goes on from there. A moved-from conversion can only be destroyed or assigned to.
///
/// Call a function like this one for every piece of input, then once more with no input and `last` set
/// (examples/async_relay.cpp is a whole server):
///
/// ```cpp
/// void pass(utfilter::decoder& text, const char* in, std::size_t size, bool last, std::string& to) {
///   char                     out[4096];
///   utfilter::codec_progress done;
///   do {
///     done = text.convert(in, size, out, sizeof out, last);
///     in += done.consumed;
///     size -= done.consumed;
///     to.append(out, done.produced);
///   } while (done.status == utfilter::codec_status::need_output);
///   if (text.failure()) std::rethrow_exception(text.failure());
/// }
/// ```
///
/// Complexity: linear in the bytes that pass; memory is allocated only for exceptions. Thread safety: one thread at a
/// time.
template <class Codec>
class conversion {
  static_assert(detail::is_codec<Codec>());

 public:
  /// In bytes. With this much room every call makes progress.
  static constexpr std::size_t min_output = Codec::min_output;

  /// The purpose of a use. Reading and writing differ only under on_error::stop: at an error, reading ends the text,
  /// and writing fails as under on_error::strict.
  enum class direction { none, reading, writing };

  /// Throws std::invalid_argument, with the reason, for params that make no sense with this codec.
  template <class Options = params, class = detail::if_options<Options>>
  explicit conversion(const Codec& codec, const Options& options = {}) : conversion(codec, options, false) {}

  /// @{
  /// Moves the text with its state, its report, and the observer.
  conversion(conversion&& other) noexcept(moves_quietly) : initial_(other.initial_), codec_(other.codec_) {
    *this = std::move(other);
  }
  conversion& operator=(conversion&& other) noexcept(moves_quietly) {
    if (this == &other) return *this;
    const bool of_buffer = other.repairs_from_buffer();
    const std::size_t left = other.repair_.size();
    initial_ = std::move(other.initial_);
    codec_ = std::move(other.codec_);
    held_ = std::move(other.held_);
    taken_ = other.taken_;
    params_ = std::move(other.params_);
    use_ = other.use_;
    state_ = other.state_;
    failure_ = std::move(other.failure_);
    repair_buffer_ = other.repair_buffer_;
    repairs_last_ = other.repairs_last_;
    keeps_text_ = other.keeps_text_;
    bytes_out_ = other.bytes_out_;
    errors_ = other.errors_;
    first_error_ = other.first_error_;
    // A view into the other's buffers would dangle. The part of a replacement that is still to be written is its end.
    repair_ = of_buffer
                  ? std::string_view(repair_buffer_.data() + (other.repair_.data() - other.repair_buffer_.data()), left)
                  : std::string_view(params_.replacement).substr(params_.replacement.size() - left);
    return *this;
  }
  /// @}
  conversion(const conversion&) = delete;
  conversion& operator=(const conversion&) = delete;

  /// The purpose of the present use; direction::none while there is no use.
  direction use() const noexcept { return use_; }

  /// Begins a use, with a fresh copy of the codec. The report is empty, or begins with the counts of params::start.
  /// Throws only if copying the codec throws.
  void begin(direction use) noexcept(std::is_nothrow_copy_assignable_v<Codec>) {
    codec_ = initial_;
    held_.begin = held_.end = 0;
    use_ = use;
    taken_ = codec_.position().offset;
    state_ = state::starved;
    failure_ = nullptr;
    repair_ = {};
    bytes_out_ = params_.start ? params_.start->bytes_out : 0;
    errors_ = params_.start ? params_.start->errors : 0;
    first_error_.reset();
    repairs_last_ = true;
    keeps_text_ = false;
  }

  /// Ends the use. The report stays until the next use begins.
  void end() noexcept {
    use_ = direction::none;
    state_ = state::ended;
  }

  /// Converts until the input is used up, the output is full, or the text has ended or failed, and repairs errors on
  /// the way. The status is need_input, need_output, done (the text has ended), or malformed (failed() is true, and all
  /// text before the error has been written). `in` and `out` must not overlap.
  ///
  /// A sequence that the end of `in` cuts is consumed and carried, so after need_input the caller need not keep any of
  /// `in`. After need_output, call it again with the input that was not consumed, even if none is left. With at least
  /// Codec::min_output bytes of room it makes progress. malformed and done are final: further calls return the same
  /// status and consume nothing.
  codec_progress convert(const char* in, std::size_t size, char* out, std::size_t room, bool last) {
    codec_progress total{0, 0, codec_status::need_input};
    const auto stop = [&](codec_status why) noexcept {
      total.status = why;
      return total;
    };
    bool met_error = false;  // whether this call has met an error
    while (true) {
      const std::size_t repaired = repairing() ? write_repair(out + total.produced, room - total.produced) : 0;
      total.produced += repaired;
      if (repairing()) return stop(codec_status::need_output);
      if (keeps_text()) total.produced += write_kept(out + total.produced, room - total.produced);
      if (keeps_text()) return stop(codec_status::need_output);
      if (state_ == state::failed) return stop(codec_status::malformed);
      if (state_ == state::ended) return stop(codec_status::done);

      const char* const next = in + total.consumed;
      const std::size_t left = size - total.consumed, room_left = room - total.produced;
      char* const to = out + total.produced;
      const codec_progress one = met_error ? step_after_error(next, left, to, room_left, last, repaired)
                                           : step(next, left, to, room_left, last);
      total.consumed += one.consumed;
      total.produced += one.produced;
      if (one.status != codec_status::malformed) return stop(one.status);
      met_error = true;
    }
  }

  /// Accepts whole well-formed characters that need no change from the start of `in`, and returns their size in bytes.
  /// It writes nothing: the caller's bytes are the output. It returns 0 if a repair is still to be written or convert
  /// must be called first, and for codecs that change text.
  UTFILTER_INLINE std::size_t check(const char* in, std::size_t size) noexcept {
    const std::size_t passed = at_rest() && held_.end == 0 ? checked(in, size).value_or(0) : 0;
    if (passed != 0) state_ = state::starved;
    taken_ += passed;
    bytes_out_ += passed;
    return passed;
  }

  /// Calls the codec once. The status is malformed if the codec met an error or broke its rules. An error of the text
  /// is then already counted and observed. The next call of convert does the rest: it writes the repair, ends the text,
  /// or reports failure(). `in` and `out` must not overlap.
  codec_progress step(const char* in, std::size_t size, char* out, std::size_t room, bool last) {
    const std::uint64_t offset = codec_.position().offset;
    return settle(transform(in, size, out, room, last), offset, size, room, last);
  }

  /// Whether the conversion can do nothing without more input: no repair is to be written, the codec has nothing left
  /// to write, and the use has neither failed nor ended.
  bool needs_input() const noexcept { return state_ == state::starved && !repairing(); }

  /// Whether well-formed text now needs no change; this includes the pending() bytes.
  bool in_place() noexcept { return at_rest() && after_signature() && changes_nothing(); }
  /// The number of bytes that the codec carries: it has taken them, but neither decoded them nor reported them as
  /// ill-formed.
  std::size_t pending() const noexcept { return static_cast<std::size_t>(taken_ - codec_.position().offset); }

  /// The number of bytes, as UTF-8, of the last error's repair that convert must still write.
  std::size_t pending_repair() const noexcept { return repair_.size(); }

  /// Whether the use has failed.
  bool failed() const noexcept { return state_ == state::failed && !keeps_text(); }
  /// Why the use has failed: a utf_error, an exception of the observer, the argument of fail, or a std::logic_error for
  /// a codec that breaks its rules. Null if the use has not failed, and after end().
  std::exception_ptr failure() const noexcept { return failed() ? failure_ : nullptr; }
  /// Makes the use fail, for example because a sink is broken. `why` must not be null. convert still writes the rest of
  /// a repair that has begun.
  void fail(std::exception_ptr why) noexcept {
    failure_ = std::move(why);
    state_ = state::failed;
    keeps_text_ = false;
  }
  /// Makes the use fail as fail does, after convert has written the text that the codec keeps back: for a source that
  /// is broken.
  void fail_after_text(std::exception_ptr why) noexcept {
    fail(std::move(why));
    keeps_text_ = true;
  }

  /// The report on everything since begin(); it remains after end().
  stream_report report() const {
    stream_report report;
    const text_position at = codec_.position();
    const text_facts facts = detail::facts_of(codec_);
    report.encoding = facts.encoding;
    report.bom = facts.signature;
    report.decided_by = facts.decided_by;
    report.unused_declaration = facts.unused_declaration;
    report.guessed = facts.guessed;
    report.bytes_in = at.offset;
    report.bytes_out = bytes_out_;
    report.lines = at.line - 1;
    report.errors = errors_;
    report.first_error = first_error_;
    if (first_error_) report.last_error = codec_.error();
    report.failure = failure_;
    report.inserted = facts.inserted;
    return report;
  }

 protected:
  /// As the public constructor. If `keeps_marks`, the caller can return to marks, so that params::index_every makes
  /// sense.
  template <class Options>
  conversion(const Codec& codec, const Options& options, bool keeps_marks)
      : initial_(codec), codec_(codec), params_(detail::to_params(options)) {
    if (params_.fallback == encoding::detect)
      throw std::invalid_argument("utfilter: params::fallback must name an encoding, it cannot be detect");
    if (!is_utf8(params_.replacement))
      throw std::invalid_argument("utfilter: params::replacement is not well-formed UTF-8: " +
                                  find_error(params_.replacement)->message());
    if (params_.on_error == on_error::keep && !changes_nothing())
      throw std::invalid_argument(
          "utfilter: on_error::keep is for utf8_validator and to_utf8(encoding::utf8), a codec that changes text "
          "cannot keep bytes");
    if (params_.start && !begins_at(*params_.start))
      throw std::invalid_argument("utfilter: params::start is only for decoding to UTF-8 by the codecs of utfilter");
    if (!std::is_base_of_v<detail::signed_codec, Codec> && params_.bom != bom::automatic)
      throw std::invalid_argument("utfilter: this codec knows no byte order mark, params::bom must be automatic");
    if (params_.index_every != 0 && !keeps_marks)
      throw std::invalid_argument(
          "utfilter: params::index_every is only for streams that decode, such as istream and ifstream");
    // The system provides memory only when it is written to. So a short text takes its own size, not guess_bytes.
    if (lookahead() != 0) held_.bytes.reset(new char[held_.size = lookahead()]);
  }

  /// params::index_every.
  std::uint64_t index_every() const noexcept { return params_.index_every; }

  /// The place in the input after the text that has been written. While an error is not repaired, or only in part, it
  /// is the place before that error. For codecs that are transcoders.
  checkpoint place() const noexcept {
    checkpoint c = codec_.here();
    c.bytes_out = bytes_out_;
    c.errors = errors_;
    if (repairing() || !repairs_last_) {
      const error_info& error = codec_.error();
      c.offset = error.offset;
      c.line = error.line;
      c.column = error.column;
      c.line_offset = error.line_offset;
      c.errors -= 1;
      if (repairing()) c.bytes_out -= written_of_repair();
    }
    if (c.offset != 0 || c.bytes_out != 0) return c;
    checkpoint start;  // the errors missing_bom, unexpected_bom and no_text will be found again
    start.encoding = c.encoding;
    return start;
  }

  /// The mark of place(), for begin_at; std::nullopt while an error is not repaired, or only in part.
  std::optional<detail::mark> mark() const {
    if (repairing() || !repairs_last_) return std::nullopt;
    const stream_report now = report();
    return detail::mark{place(), now.first_error, now.last_error, codec_.facts()};
  }

  /// Whether the policy has ended the text at an error.
  bool ended_at_error() const noexcept { return state_ == state::ended && !repairs_last_; }

  /// The mark of the end of the text, if a conversion that begins there reads appended input as a reader of the whole
  /// input does. std::nullopt before the end, and if the end has cut a character or decided the encoding.
  std::optional<detail::mark> end_mark() const {
    constexpr std::uint64_t longest_signature = 4;
    std::optional<detail::mark> end = state_ == state::ended ? mark() : std::nullopt;
    if (!end || end->place.offset < std::max<std::uint64_t>(longest_signature, initial_.lookahead()))
      return std::nullopt;
    if (end->last_error && end->last_error->code == errc::incomplete_at_end) return std::nullopt;
    return end;
  }

  /// After the end of the text: the size in bytes of UTF-8 of the repair of a character that the end has cut, or 0.
  std::size_t repair_at_end() const noexcept {
    const bool is_cut = state_ == state::ended && repairs_last_ && first_error_ && !repairing() &&
                        codec_.error().code == errc::incomplete_at_end;
    if (!is_cut || params_.on_error == on_error::skip) return 0;
    const auto make = repair_maker();
    repair_buffer ignored;
    const std::size_t size = make != nullptr ? make(codec_.error(), ignored) : 0;
    return size != 0 ? size : params_.replacement.size();
  }

  /// Begins a use at a mark of this text. The report is as it was at the mark.
  void begin_at(const detail::mark& from, direction use) noexcept {
    begin(use);
    codec_.go_to(from.place, from.last_error.value_or(error_info{}), &from.facts);
    taken_ = from.place.offset;
    bytes_out_ = from.place.bytes_out;
    errors_ = from.place.errors;
    first_error_ = from.first_error;
  }

 private:
  /// How far the use has come. In each state, a repair may still have to be written.
  enum class state : std::uint8_t {
    starved,  // the codec has asked for input
    running,  // the codec has more to write, or may have
    ended,    // the text has ended, or the use has
    failed,   // failure_ is the reason
  };

  static constexpr bool moves_quietly =
      std::is_nothrow_copy_constructible_v<Codec> && std::is_nothrow_move_assignable_v<Codec>;

  bool begins_at(const checkpoint& start) const noexcept {
    const text_position at = codec_.position();
    return at.offset == start.offset && at.line == start.line && at.column == start.column &&
           at.line_offset == start.line_offset;
  }
  /// The bytes that the codec must see before it takes any: see detail::signed_codec.
  std::size_t lookahead() const noexcept {
    if constexpr (std::is_base_of_v<detail::signed_codec, Codec>)
      return codec_.lookahead();
    else
      return 0;
  }

  /// Calls the codec. The arguments after `last` are those of transcoder::transform.
  template <class... Repairs>
  UTFILTER_INLINE codec_progress transform(const char* in, std::size_t size, char* out, std::size_t room, bool last,
                                           Repairs&... by) noexcept {
    if (held_.bytes == nullptr || (held_.end == 0 && (lookahead() == 0 || size >= lookahead() || last)))
      return codec_.transform(in, size, out, room, last, by...);
    return transform_held(in, size, out, room, last, by...);
  }

  /// Holds input until the codec has enough to look ahead. Then passes it the held bytes, and after them the rest of
  /// the input.
  template <class... Repairs>
  UTFILTER_NOINLINE codec_progress transform_held(const char* in, std::size_t size, char* out, std::size_t room,
                                                  bool last, Repairs&... by) noexcept {
    if (room == 0) return {0, 0, codec_status::need_output};
    const std::size_t taken = lookahead() != 0 ? (std::min)(size, held_.size - held_.end) : 0;
    std::copy_n(in, taken, held_.bytes.get() + held_.end);
    held_.end += taken;
    codec_progress one = codec_.transform(held_.bytes.get() + held_.begin, held_.end - held_.begin, out, room,
                                          last && taken == size, by...);
    held_.begin += one.consumed;
    if (held_.begin == held_.end) held_.begin = held_.end = 0;
    one.consumed = taken;
    if (one.status != codec_status::need_input || taken == size) return one;
    const codec_progress two =
        codec_.transform(in + taken, size - taken, out + one.produced, room - one.produced, last, by...);
    return {taken + two.consumed, one.produced + two.produced, two.status};
  }

  std::optional<std::size_t> checked(const char* in, std::size_t size) noexcept {
    if constexpr (detail::has_check<Codec>)
      return codec_.check(in, size);
    else
      return std::nullopt;
  }
  /// Whether the start of the text has passed. Only transform can deal with a signature there.
  bool after_signature() const noexcept {
    return !std::is_base_of_v<detail::signed_codec, Codec> || codec_.position().offset != 0;
  }
  bool changes_nothing() noexcept { return checked(nullptr, 0).has_value(); }

  bool repairing() const noexcept { return !repair_.empty(); }
  /// Whether repair_ points into repair_buffer_, and not into params_.replacement.
  bool repairs_from_buffer() const noexcept {
    const std::less<const char*> before;  // unlike <, it orders any two pointers
    const char* const begin = repair_buffer_.data();
    return !before(repair_.data(), begin) && before(repair_.data(), begin + repair_buffer_.size());
  }
  /// The bytes of the present repair that are in the output. The part that is still to be written is its end.
  std::size_t written_of_repair() const noexcept {
    if (!repairs_from_buffer()) return params_.replacement.size() - repair_.size();
    return static_cast<std::size_t>(repair_.data() - repair_buffer_.data());
  }
  bool at_rest() const noexcept { return !repairing() && (state_ == state::starved || state_ == state::running); }

  /// The errors missing_bom, unexpected_bom and no_text are about the text as a whole. Each comes once, before all
  /// other errors, and does not move the position. No repair is written for them.
  static bool is_of_text(errc code) noexcept {
    return code == errc::missing_bom || code == errc::unexpected_bom || code == errc::no_text;
  }
  /// Whether the error is one of these, and the first of its kind.
  bool is_of_start(const error_info& error) const noexcept {
    return is_of_text(error.code) && (errors_ == 0 || (errors_ == 1 && first_error_->code != error.code));
  }

  /// Counts and observes an error, and applies the policy to it.
  void meet(const error_info& error) {
    ++errors_;
    if (!first_error_) first_error_ = error;
    const verdict found = errors_ > params_.error_limit ? verdict::fail : judge(error);
    repairs_last_ = false;  // the observer may end this function by an exception
    if (params_.observer || found == verdict::fail) tell(error, found == verdict::fail);
    if (failed() || is_of_text(error.code)) repair_ = {};
    if (found == verdict::end && !failed()) state_ = state::ended;
    repairs_last_ = found == verdict::repair && !failed();
    keeps_text_ = !repairs_last_;
  }

  enum class verdict { repair, end, fail };

  /// The decision of the policy about an error. If the verdict is repair, repair_ is the text to write.
  verdict judge(const error_info& error) noexcept {
    switch (params_.on_error) {
      case on_error::strict: return verdict::fail;
      case on_error::stop: return use_ == direction::writing ? verdict::fail : verdict::end;
      case on_error::skip: return verdict::repair;
      case on_error::replace:
      case on_error::escape:
      case on_error::keep:
      case on_error::windows1252: break;
    }
    const auto make = repair_maker();
    const std::size_t size = make != nullptr ? make(error, repair_buffer_) : 0;
    repair_ = size != 0 ? std::string_view(repair_buffer_.data(), size) : std::string_view(params_.replacement);
    return verdict::repair;
  }

  static std::size_t keep_error(const error_info& error, repair_buffer& out) noexcept {
    for (std::size_t i = 0; i < error.size; ++i) out[i] = static_cast<char>(error.bytes[i]);
    return error.size;
  }
  /// Returns 0 for an unmappable character, whose repair is the replacement.
  static std::size_t windows1252_repair(const error_info& error, repair_buffer& out) noexcept {
    return error.code == errc::unmappable ? 0 : windows1252_error(error, out);
  }
  /// The function that makes the repair of an error; null if all errors have the same repair.
  auto repair_maker() const noexcept -> std::size_t (*)(const error_info&, repair_buffer&) noexcept {
    switch (params_.on_error) {
      case on_error::escape: return escape_error;
      case on_error::windows1252: return detail::facts_of(codec_).reads_utf8 ? windows1252_repair : nullptr;
      case on_error::keep: return keep_error;
      case on_error::strict:
      case on_error::stop:
      case on_error::replace:
      case on_error::skip: break;
    }
    return nullptr;
  }

  /// A separate function: keeps the exception code out of the loop that repairs.
  UTFILTER_NOINLINE void tell(const error_info& error, bool fails) {
    try {
      if (params_.observer) params_.observer(error);
      if (fails && !failed()) fail(std::make_exception_ptr(utf_error(error)));
    } catch (...) {
      repair_ = {};
      fail(detail::kept_exception());
      if (detail::must_throw_on()) throw;
    }
  }

  bool keeps_text() const noexcept { return detail::has_insert<Codec> && keeps_text_; }

  /// Ends the output: writes the text that the codec has kept back, and the return to the first state.
  std::size_t write_kept(char* out, std::size_t room) noexcept {
    codec_progress rest{0, 0, codec_status::done};
    if constexpr (detail::has_insert<Codec>) rest = codec_.insert(nullptr, 0, out, room, true);
    keeps_text_ = rest.status == codec_status::need_output;
    bytes_out_ += rest.produced;
    return rest.produced;
  }

  /// Writes as much of the repair as fits, in whole characters.
  std::size_t write_repair(char* out, std::size_t room) noexcept {
    std::size_t produced = 0;
    if constexpr (detail::has_insert<Codec>) {
      const codec_progress done = codec_.insert(repair_.data(), repair_.size(), out, room, false);
      repair_.remove_prefix(done.consumed);
      produced = done.produced;
    } else {
      produced = encode_repair(out, room);
    }
    bytes_out_ += produced;
    return produced;
  }
  std::size_t encode_repair(char* out, std::size_t room) noexcept {
    std::size_t produced = 0;
    const bool from_utf8_to_utf8 = detail::facts_of(codec_).reads_utf8 && changes_nothing();
    if (room >= repair_.size() && from_utf8_to_utf8) {
      produced = repair_.size();
      if (produced == 3)  // U+FFFD
        std::memcpy(out, repair_.data(), 3);
      else
        std::memcpy(out, repair_.data(), produced);
      repair_ = {};
    }
    while (!repair_.empty()) {
      // Write directly into the output if any character fits. Copying bytes just after they were written one by one is
      // slow.
      char edge[Codec::min_output];
      const bool fits = room - produced >= Codec::min_output;
      char* const unit = fits ? out + produced : edge;
      std::size_t taken = 1, size = 1;
      if (params_.on_error == on_error::keep) {  // then the repair is bytes, not UTF-8
        unit[0] = repair_.front();
      } else {
        taken = utf8_length(repair_.front());
        size = codec_.encode(utf8_value(repair_.substr(0, taken)), unit);
        if (size == 0) size = codec_.encode(U'?', unit);
      }
      if (size > room - produced) break;
      if (!fits) std::copy_n(edge, size, out + produced);
      produced += size;
      repair_.remove_prefix(taken);
    }
    return produced;
  }

  /// As step, after an error. The repair of that error is the `repaired` bytes before `out`. A codec that can repair
  /// errors by itself repairs the next ones, unless an observer must see each.
  codec_progress step_after_error(const char* in, std::size_t size, char* out, std::size_t room, bool last,
                                  std::size_t repaired) {
    if constexpr (detail::has_repairs<Codec>) {
      if (!params_.observer && !is_of_text(codec_.error().code)) {
        const std::uint64_t offset = codec_.position().offset;
        typename Codec::repairs by{{out - repaired, repaired}, repair_maker(), params_.error_limit - errors_};
        const codec_progress all = transform(in, size, out, room, last, by);
        errors_ += by.done;
        return settle(all, offset, size, room, last);
      }
    }
    return step(in, size, out, room, last);
  }

  /// Counts the result of a call of the codec that began at `offset`, and acts on its status.
  codec_progress settle(codec_progress one, std::uint64_t offset, std::size_t size, std::size_t room, bool last) {
    taken_ += one.consumed;
    bytes_out_ += one.produced;
    switch (one.status) {
      case codec_status::malformed:
        state_ = state::running;
        if (codec_.position().offset != offset || is_of_start(codec_.error()))
          meet(codec_.error());
        else
          refuse_codec("does not step over an error");
        break;
      case codec_status::done: state_ = state::ended; break;
      case codec_status::need_input:
        state_ = state::starved;
        if (last || one.consumed != size) one.status = refuse_codec("asks for input that it has not taken");
        break;
      case codec_status::need_output:
        state_ = state::running;
        if (room >= Codec::min_output && one.consumed == 0 && one.produced == 0)
          one.status = refuse_codec("makes no progress with min_output bytes of room");
        break;
    }
    return one;
  }

  // Repairs are well-formed UTF-8, so the lead byte alone gives the length (RFC 3629 section 3).
  static std::size_t utf8_length(char lead) noexcept {
    const auto byte = static_cast<unsigned char>(lead);
    return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
  }
  static char32_t utf8_value(std::string_view bytes) noexcept {
    constexpr unsigned char lead_bits[] = {0x7F, 0x1F, 0x0F, 0x07};
    char32_t value = static_cast<unsigned char>(bytes.front()) & lead_bits[bytes.size() - 1];
    for (const char c : bytes.substr(1)) value = value << 6 | (static_cast<unsigned char>(c) & 0x3F);
    return value;
  }

  codec_status refuse_codec(const char* why) {
    fail(std::make_exception_ptr(std::logic_error(std::string("utfilter: the codec ") + why)));
    return codec_status::malformed;
  }

  /// Input that the codec has not taken yet. It has memory only if the codec may ask to look ahead.
  struct held {
    std::unique_ptr<char[]> bytes;
    std::size_t size = 0;            // of the memory
    std::size_t begin = 0, end = 0;  // both are 0 if nothing is held
  };

  Codec initial_;
  Codec codec_;
  held held_;
  params params_;
  direction use_ = direction::none;
  state state_ = state::starved;
  bool repairs_last_ = true;    // whether the last error is repaired: not if it ends the use, nor while it is observed
  bool keeps_text_ = false;     // the use ends here, and the codec must still write the text that it has kept back
  std::exception_ptr failure_;  // why the present or the last use failed
  std::string_view repair_;     // the rest of the repair of the last error
  repair_buffer repair_buffer_;
  // taken_ and bytes_out_ grow in the same places. If they stood side by side, g++ would add to both with one
  // instruction, which would wait until the two numbers, stored one by one just before, have reached the cache.
  std::uint64_t taken_ = 0;  // bytes of input consumed, including those that the codec carries
  std::uint64_t errors_ = 0;
  std::uint64_t bytes_out_ = 0;
  std::optional<error_info> first_error_;
};

}  // namespace utfilter

#endif
