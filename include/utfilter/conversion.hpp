// conversion.hpp: runs a codec under policies: it handles errors, counts for the report, and begins and ends a use.
//
// This is the part of a filter that knows no streams. codec_filter passes it the text of a Boost.Iostreams chain; code
// with buffers of its own calls it directly.
// layer: conversion
#ifndef UTFILTER_CONVERSION_HPP
#define UTFILTER_CONVERSION_HPP

#include <utfilter/checkpoint.hpp>
#include <utfilter/codec.hpp>
#include <utfilter/config.hpp>
#include <utfilter/detail/codec_contract.hpp>
#include <utfilter/detail/exceptions.hpp>
#include <utfilter/detail/codec_with_bom.hpp>
#include <utfilter/params.hpp>
#include <utfilter/repair.hpp>
#if UTFILTER_HAS_EXCEPTIONS
#  include <utfilter/utf_error.hpp>
#endif

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

/// A checkpoint, and what else a report on the text before it needs.
struct saved_checkpoint {
  checkpoint place;
  std::optional<error_info> first_error, last_error;
  text_facts facts;
  const encoding_scheme* state;  // the result of transcoder::state()
};

}  // namespace detail

UTFILTER_BEGIN_EXCEPTIONS_NAMESPACE

/// Runs a codec, applies params to its errors, and keeps the report.
///
/// A use lasts from begin() to end(). Errors stick: once failed() is true, the conversion reads no further input,
/// unless resume() lets it go on after a failure of a neighbour. A conversion cannot be copied. It can be moved at any
/// time, even in the middle of a character or of a repair, and then goes on from there. A moved-from conversion can
/// only be destroyed or assigned to.
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
  conversion(conversion&&) noexcept(moves_quietly) = default;
  conversion& operator=(conversion&&) noexcept(moves_quietly) = default;
  /// @}
  conversion(const conversion&) = delete;
  conversion& operator=(const conversion&) = delete;

  /// The purpose of the present use; direction::none while there is no use.
  direction use() const noexcept { return use_; }

  /// Begins a use, with a fresh copy of the codec. The report is empty, or begins with the counts of params::start.
  /// Throws only if copying the codec throws.
  void begin(direction use) noexcept(std::is_nothrow_copy_assignable_v<Codec>) { begin_with(initial_, use); }

  /// Ends the use. The report stays until the next use begins.
  void end() noexcept {
    use_ = direction::none;
    state_ = state::ended;
  }

  /// Converts until the input is used up, the output is full, or the text has ended or failed, and repairs errors on
  /// the way. The status is need_input, need_output, done (the text has ended), or malformed (failed() is true, and all
  /// text before the error has been written), and never told. `in` and `out` must not overlap.
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
    while (true) {
      if (repairing()) total.produced += write_repair(out + total.produced, room - total.produced);
      if (repairing()) return stop(codec_status::need_output);
      if (keeps_text()) total.produced += write_kept(out + total.produced, room - total.produced);
      if (keeps_text()) return stop(codec_status::need_output);
      if (state_ == state::failed) return stop(codec_status::malformed);
      if (state_ == state::ended) return stop(codec_status::done);

      const bool ends = last || (detail::ends_at_failure<Codec> && fails_next());
      const codec_progress one = step_with_repairs(in + total.consumed, size - total.consumed, out + total.produced,
                                                   room - total.produced, ends);
      total.consumed += one.consumed;
      total.produced += one.produced;
      if (fails_next() && (one.status == codec_status::need_input || one.status == codec_status::done)) {
        fail(std::move(failure_));
        continue;
      }
      if (one.status != codec_status::malformed && one.status != codec_status::told) return stop(one.status);
    }
  }

  /// Accepts whole well-formed characters that need no change from the start of `in`, and returns their size in bytes.
  /// It writes nothing: the caller's bytes are the output. It returns 0 if a repair is still to be written or convert
  /// must be called first, and for codecs that change text.
  UTFILTER_INLINE std::size_t check(const char* in, std::size_t size) noexcept {
    const std::size_t passed = at_rest() && !withholds() ? checked(in, size) : 0;
    if (passed != 0) state_ = state::starved;
    taken_ += passed;
    bytes_out_ += passed;
    return passed;
  }

  /// Whether well-formed text now needs no change, and none is carried: then check_on and copy can be called. After they
  /// have passed all of their input, it stays so.
  bool is_plain() const noexcept { return in_place() && pending() == 0; }
  /// As check, but faster. Precondition: is_plain().
  UTFILTER_INLINE std::size_t check_on(const char* in, std::size_t size) noexcept {
    const std::size_t passed = checked(in, size);
    taken_ += passed;
    bytes_out_ += passed;
    return passed;
  }
  /// As check_on, and copies the accepted bytes to `out`. It may write `size` bytes there, which must not overlap `in`.
  /// Precondition: `size` is not 0.
  UTFILTER_INLINE std::size_t copy(const char* in, std::size_t size, char* out) noexcept {
    std::size_t passed = 0;
    if constexpr (detail::has_copy<Codec>) {
      passed = codec_.copy(in, size, out);
      taken_ += passed;
      bytes_out_ += passed;
    } else {
      passed = check_on(in, size);
      std::memcpy(out, in, passed);
    }
    return passed;
  }

  /// Calls the codec once. The status is malformed if the codec met an error or broke its rules, and told if the codec
  /// had something to tell. The error is then already counted and observed, and the rest has been told. The next call of
  /// convert does what is left: it writes the repair, ends the text, reports failure(), or goes on. `in` and `out` must
  /// not overlap.
  codec_progress step(const char* in, std::size_t size, char* out, std::size_t room, bool last) {
    const std::uint64_t offset = codec_.position().offset;
    return settle(transform(in, size, out, room, last), offset, size, room, last);
  }

  /// Whether the conversion can do nothing without more input: no repair is to be written, the codec has nothing left
  /// to write, and the use has neither failed nor ended.
  bool needs_input() const noexcept { return state_ == state::starved && !repairing(); }

  /// Whether well-formed text now needs no change; this includes the pending() bytes.
  bool in_place() const noexcept { return at_rest() && after_bom() && is_in_place(); }
  /// Whether convert would write nothing more if the text ended here, and find no error.
  bool has_no_end() const noexcept { return detail::has_copy<Codec> && is_plain(); }
  /// The number of bytes that the codec carries: it has taken them, but neither decoded them nor reported them as
  /// ill-formed.
  std::size_t pending() const noexcept { return static_cast<std::size_t>(taken_ - codec_.position().offset); }
  /// Whether take_back gives the pending() bytes.
  bool gives_back() const noexcept {
    if constexpr (detail::has_give_back<Codec>) return at_rest() && !withholds() && codec_.gives_back();
    return false;
  }
  /// If gives_back(), writes the pending() bytes to `out` and returns their size: from then on they count as not taken.
  /// Otherwise returns 0. For code that checks text in its own buffer.
  std::size_t take_back([[maybe_unused]] char* out) noexcept {
    std::size_t size = 0;
    if constexpr (detail::has_give_back<Codec>)
      if (gives_back()) size = codec_.give_back(out);
    taken_ -= size;
    return size;
  }
  /// The number of bytes of input that were taken since begin(), with those that the codec carries.
  std::uint64_t taken() const noexcept { return taken_; }

  /// The codec of the present use, as it stands. For code that must repeat a step.
  const Codec& codec() const noexcept { return codec_; }
  /// The bytes of pending() that the codec has not seen: it waits for more of them at once, to guess. The view is valid
  /// until the next call of a member that is not const.
  std::string_view withheld() const noexcept { return sample_ == nullptr ? std::string_view() : sample_->left(); }

  /// The number of bytes, as UTF-8, of the last error's repair that convert must still write.
  std::size_t pending_repair() const noexcept { return repairer_.left().size(); }

  /// Whether the use has failed. If an error of the text is the reason, it is the last_error of report().
  bool failed() const noexcept { return state_ == state::failed && !keeps_text(); }
  /// Why the use has failed, as an exception: the argument of fail, the exception of the observer, a utf_error, or a
  /// std::logic_error for a codec that breaks its rules. This call makes the last two, or std::bad_alloc if it has no
  /// memory for them. Null if the use has not failed, after end(), and in a program without exceptions.
  std::exception_ptr failure() const noexcept { return failed() ? exception() : nullptr; }
  /// Makes the use fail because of a neighbour, such as a sink that is full. `why` must not be null, unless the program
  /// has no exceptions. convert still writes the rest of a repair that has begun.
  void fail(std::exception_ptr why) noexcept {
    const bool stays = state_ == state::failed && cause_ != cause::neighbour;  // resume() does not lift this failure
    fail(stays ? cause::lasting : cause::neighbour, std::move(why));
  }
  /// If fail() has made the use fail, the use goes on from where it was. The report still has the failure. Returns true
  /// if the use can go on; false if it stays failed, because of an error of the text, an exception of the observer or a
  /// codec that breaks its rules.
  bool resume() noexcept {
    if (state_ == state::failed && cause_ == cause::neighbour) state_ = state::running;
    return !failed();
  }
  /// Whether text would be lost if no more came: the codec keeps some back, or the sample for a guess has some.
  bool holds_text() const noexcept { return inserts() || withholds() || detail::ends_at_failure<Codec>; }
  /// Makes the use fail as fail does, after convert has written that text: for a source that is broken.
  void fail_after_text(std::exception_ptr why) noexcept {
    if (inserts() || !at_rest()) {
      fail(std::move(why));
      keeps_text_ = true;
      return;
    }
    if constexpr (std::is_base_of_v<detail::codec_with_bom, Codec>)
      if (withholds()) codec_.guess_by(sample_->end - sample_->begin);
    failure_ = std::move(why);
    cause_ = cause::pending;
    state_ = state::running;
  }

  /// The report on everything since begin(); it remains after end().
  stream_report report() const {
    stream_report report;
    const text_position at = codec_.position();
    const text_facts facts = detail::facts_of(codec_);
    report.encoding = facts.encoding;
    report.bom = facts.bom;
    report.decided_by = facts.decided_by;
    report.confidence = facts.confidence / 100.0;
    report.unused_declaration = facts.unused_declaration;
    report.bytes_in = at.offset;
    report.bytes_out = bytes_out_;
    report.lines = at.line - 1;
    report.errors = repairer_.errors();
    report.first_error = repairer_.first();
    if (report.first_error) report.last_error = codec_.error();
    report.failure = exception();
    report.inserted = facts.inserted;
    report.changes = facts.changes;
    return report;
  }

 protected:
  /// As the public constructor. If `keeps_checkpoints`, the caller can return to them, so that params::index_every
  /// makes sense.
  template <class Options>
  conversion(const Codec& codec, const Options& options, bool keeps_checkpoints)
      : conversion(detail::to_params(options), codec, keeps_checkpoints) {}

  /// params::index_every.
  std::uint64_t index_every() const noexcept { return start_ == nullptr ? 0 : start_->index_every; }

  /// The place in the input after the text that has been written. While an error is not repaired, or only in part, it
  /// is the place before that error. For codecs that are transcoders.
  checkpoint place() const noexcept {
    checkpoint c = codec_.here();
    c.bytes_out = bytes_out_;
    c.errors = repairer_.errors();
    if (repairing() || !repairs_last_) {
      static_cast<text_position&>(c) = codec_.error();
      c.errors -= 1;
      if (repairing()) c.bytes_out -= repairer_.written();
    }
    if (c.offset != 0 || c.bytes_out != 0) return c;
    checkpoint start;  // the errors missing_bom, unexpected_bom and no_text will be found again
    start.encoding = c.encoding;
    return start;
  }

  /// The checkpoint of place(), for begin_at; std::nullopt while an error is not repaired, or only in part.
  std::optional<detail::saved_checkpoint> saved() const {
    if (repairing() || !repairs_last_) return std::nullopt;
    const stream_report now = report();
    return detail::saved_checkpoint{place(), now.first_error, now.last_error, codec_.facts(), codec_.state()};
  }

  /// Whether the policy has ended the text at an error.
  bool ended_at_error() const noexcept { return state_ == state::ended && !repairs_last_; }

  /// All that a use needs to go on from a place where it waits for input.
  struct kept_use {
    Codec codec;
    std::size_t sample_begin, sample_end;
    std::uint64_t taken, bytes_out, errors;
    std::optional<error_info> first_error;
  };

  /// The use as it stands. Precondition: needs_input(). Throws only if copying the codec throws.
  kept_use kept() const {
    return {codec_,     sample_ ? sample_->begin : 0, sample_ ? sample_->end : 0, taken_,
            bytes_out_, repairer_.errors(),           repairer_.first()};
  }

  /// Takes back the end of the text: goes on from what kept() returned just before.
  void go_on(kept_use&& from) {
    begin_with(std::move(from.codec), use_);
    if (sample_ != nullptr) {
      sample_->begin = from.sample_begin;  // the bytes are still there, because the end brings none
      sample_->end = from.sample_end;
    }
    taken_ = from.taken;
    bytes_out_ = from.bytes_out;
    repairer_.begin(from.errors, from.first_error);
  }

  /// Begins a use at a checkpoint of this text. The report is as it was there.
  void begin_at(const detail::saved_checkpoint& from, direction use) noexcept {
    begin(use);
    codec_.go_to(from.place, from.last_error.value_or(error_info{}), &from.facts, from.state);
    taken_ = from.place.offset;
    bytes_out_ = from.place.bytes_out;
    repairer_.begin(from.place.errors, from.first_error);
  }

 private:
  conversion(const params& p, const Codec& codec, bool keeps_checkpoints)
      : initial_(codec),
        codec_(codec),
        repairer_(p),
        observer_(p.observer ? std::make_unique<const observer>(p.observer) : nullptr),
        start_(p.start || p.index_every != 0 ? std::make_unique<const start_counts>(p) : nullptr) {
    if constexpr (detail::is_observable<Codec>) {
      initial_.observe(p.observer != nullptr);
      codec_.observe(p.observer != nullptr);
    }
    if constexpr (detail::can_be_refused<Codec>)
      if (const char* const why = codec_.why_not()) detail::refuse(why);
    if (const std::string why = detail::why_no_repair(p); !why.empty()) detail::refuse(why);
    if (p.on_error == on_error::keep && !is_in_place())
      detail::refuse(
          "utfilter: on_error::keep is for utf8_validator, inspect_text and to_utf8(encoding::utf8), a codec that "
          "changes text cannot keep bytes");
    if (p.start && codec_.position() != *p.start)
      detail::refuse("utfilter: params::start is only for decoding to UTF-8 by the codecs of utfilter");
    if (!std::is_base_of_v<detail::codec_with_bom, Codec> && p.bom != bom::automatic)
      detail::refuse("utfilter: this codec knows no byte order mark, params::bom must be automatic");
    if (p.index_every != 0 && !keeps_checkpoints)
      detail::refuse("utfilter: params::index_every is only for streams that decode, such as istream and ifstream");
    // The system provides memory only when it is written to. So a short text takes its own size, not guess_bytes.
    if (lookahead() != 0) sample_ = std::make_unique<sample>(lookahead());
  }

  /// Begins a use with a codec.
  template <class From>
  void begin_with(From&& codec, direction use) noexcept(std::is_nothrow_assignable_v<Codec&, From>) {
    codec_ = std::forward<From>(codec);
    if (sample_ != nullptr) sample_->begin = sample_->end = 0;
    use_ = use;
    taken_ = codec_.position().offset;
    state_ = state::starved;
    cause_ = cause::none;
    failure_ = nullptr;
    repairer_.begin(start_ == nullptr ? 0 : start_->errors);
    bytes_out_ = start_ == nullptr ? 0 : start_->bytes_out;
    repairs_last_ = true;
    keeps_text_ = false;
  }

  using observer = std::function<void(const error_info&)>;

  /// How far the use has come. In each state, a repair may still have to be written.
  enum class state : std::uint8_t {
    starved,  // the codec has asked for input
    running,  // the codec has more to write, or may have
    ended,    // the text has ended, or the use has
    failed,   // cause_ is the reason
  };

  /// Why the use has failed. It is kept as a value, so that only callers who ask for the exception pay for it.
  enum class cause : std::uint8_t {
    none,
    text,         // the error of the codec
    no_step,      // the codec does not step over an error
    input_left,   // the codec asks for input that it has not taken
    no_progress,  // the codec makes no progress
    no_tell,      // the codec has no tell()
    neighbour,    // failure_, from fail()
    pending,      // as neighbour, but the use fails only when the codec asks for more
    lasting,      // failure_, from the observer or params::repair, or from fail() after another failure that stays
  };

  static constexpr bool moves_quietly =
      std::is_nothrow_copy_constructible_v<Codec> && std::is_nothrow_move_assignable_v<Codec>;

  /// The bytes that the codec must see before it takes any: see detail::codec_with_bom.
  std::size_t lookahead() const noexcept {
    if constexpr (std::is_base_of_v<detail::codec_with_bom, Codec>) return codec_.lookahead();
    return 0;
  }

  /// Calls the codec, with a repairer or without one.
  template <class... Repairer>
  UTFILTER_INLINE codec_progress transform(const char* in, std::size_t size, char* out, std::size_t room, bool last,
                                           Repairer&... by) noexcept {
    if (sample_ == nullptr || (sample_->end == 0 && (lookahead() == 0 || size >= lookahead() || last)))
      return codec_.transform(in, size, out, room, last, by...);
    return transform_sample(in, size, out, room, last, by...);
  }

  /// Collects the start of the text until the codec has enough to look ahead. Then passes it the collected bytes, and
  /// after them the rest of the input.
  template <class... Repairer>
  UTFILTER_NOINLINE codec_progress transform_sample(const char* in, std::size_t size, char* out, std::size_t room,
                                                    bool last, Repairer&... by) noexcept {
    if (room == 0) return {0, 0, codec_status::need_output};
    sample& start = *sample_;
    const std::size_t taken = lookahead() != 0 ? (std::min)(size, start.size - start.end) : 0;
    std::copy_n(in, taken, start.bytes.get() + start.end);
    start.end += taken;
    codec_progress one =
        codec_.transform(start.left().data(), start.left().size(), out, room, last && taken == size, by...);
    start.begin += one.consumed;
    if (start.begin == start.end) start.begin = start.end = 0;
    one.consumed = taken;
    if (one.status != codec_status::need_input || taken == size) return one;
    const codec_progress two =
        codec_.transform(in + taken, size - taken, out + one.produced, room - one.produced, last, by...);
    return {taken + two.consumed, one.produced + two.produced, two.status};
  }

  bool is_in_place() const noexcept {
    if constexpr (detail::has_check<Codec>) return codec_.in_place();
    return false;
  }
  UTFILTER_INLINE std::size_t checked(const char* in, std::size_t size) noexcept {
    if constexpr (detail::has_check<Codec>)
      if (codec_.in_place()) return codec_.check(in, size);
    return 0;
  }
  /// Whether the start of the text has passed. Only transform can deal with a byte order mark there.
  bool after_bom() const noexcept {
    return !std::is_base_of_v<detail::codec_with_bom, Codec> || codec_.position().offset != 0;
  }

  static void require_utf8(const char* what, std::string_view text) {
    if (const std::string why = detail::why_no_repair(what, text); !why.empty()) detail::refuse(why);
  }
  bool reads_utf8() const noexcept { return detail::facts_of(codec_).reads_utf8; }
  bool repairing() const noexcept { return repairer_.has_left(); }
  bool fails_next() const noexcept { return cause_ == cause::pending; }
  bool at_rest() const noexcept { return !repairing() && (state_ == state::starved || state_ == state::running); }

  /// Whether the error is about the text as a whole, and the first one of its kind.
  bool is_of_start(const error_info& error) const noexcept {
    const std::uint64_t errors = repairer_.errors();
    return detail::is_of_text(error.code) && (errors == 0 || (errors == 1 && repairer_.first()->code != error.code));
  }

  /// Counts and observes an error, and applies the policy to it.
  void meet(const error_info& error) {
    using verdict = repairer::verdict;
    verdict found = repairer_.meet(error, reads_utf8());
    if (found == verdict::end && use_ == direction::writing) found = verdict::fail;
    repairs_last_ = false;  // the observer may end this function by an exception
    if (observer_ != nullptr || found == verdict::fail || repairer_.makes()) tell(error, found);
    if (failed()) repairer_.drop();
    if (found == verdict::end && !failed()) state_ = state::ended;
    repairs_last_ = found == verdict::repair && !failed();
    keeps_text_ = !repairs_last_;
  }

  /// A separate function: keeps the exception code out of the loop that repairs.
  UTFILTER_NOINLINE void tell(const error_info& error, repairer::verdict found) {
    const auto ask = [&] {
      if (observer_ != nullptr) (*observer_)(error);
      if (failed()) return;
      if (found == repairer::verdict::fail) return fail(cause::text);
      if (found != repairer::verdict::repair || !repairer_.makes() || detail::is_of_text(error.code)) return;
      repairer_.make(error);
      require_utf8("params::repair has returned text that", repairer_.left());
    };
    detail::guarded(ask, [this](std::exception_ptr why) {
      repairer_.drop();
      fail(cause::lasting, std::move(why));
    });
  }

  /// Lets the codec tell what it has to. What the observer throws fails the use.
  UTFILTER_NOINLINE void let_tell() noexcept {
    if constexpr (detail::has_tell<Codec>)
      detail::guarded([this] { codec_.tell(observer_ != nullptr ? *observer_ : observer()); },
                      [this](std::exception_ptr why) { fail(cause::lasting, std::move(why)); });
    else
      fail(cause::no_tell);
  }

  void fail(cause why, std::exception_ptr failure = nullptr) noexcept {
    cause_ = why;
    failure_ = std::move(failure);
    state_ = state::failed;
    keeps_text_ = false;
  }

  /// The exception for cause_.
  std::exception_ptr exception() const noexcept {
    std::exception_ptr made = failure_;
#if UTFILTER_HAS_EXCEPTIONS
    const auto make = [&] {
      if (cause_ == cause::text) made = std::make_exception_ptr(utf_error(codec_.error()));
      if (const char* const rule = broken_rule())
        made = std::make_exception_ptr(std::logic_error(std::string("utfilter: ") + rule));
    };
    detail::guarded(make, [&](std::exception_ptr why) { made = std::move(why); });
#endif
    return made;
  }

  /// The rule that the codec has broken, as a sentence; null for other causes.
  const char* broken_rule() const noexcept {
    switch (cause_) {
      case cause::no_step: return broken_change() ? broken_change() : "the codec does not step over an error";
      case cause::input_left: return "the codec asks for input that it has not taken";
      case cause::no_progress: return "the codec makes no progress with min_output bytes of room";
      case cause::no_tell: return "the codec returns codec_status::told, but has no tell()";
      case cause::none:
      case cause::text:
      case cause::neighbour:
      case cause::pending:
      case cause::lasting: break;
    }
    return nullptr;
  }

  /// The rule that the codec says has been broken: that of a change, by text_codec; null if there is none.
  const char* broken_change() const noexcept {
    if constexpr (detail::has_broken_rule<Codec>) return codec_.broken_rule();
    return nullptr;
  }

  bool inserts() const noexcept {
    if constexpr (detail::may_insert<Codec>) return codec_.inserts();
    return detail::has_insert<Codec>;
  }
  bool keeps_text() const noexcept { return keeps_text_ && inserts(); }

  /// Ends the output: writes the text that the codec has kept back, and the return to the first state.
  std::size_t write_kept(char* out, std::size_t room) noexcept {
    std::size_t written = 0;
    bool tells = false;
    do {
      codec_progress rest{0, 0, codec_status::done};
      if constexpr (detail::has_insert<Codec>) rest = codec_.insert(nullptr, 0, out + written, room - written, true);
      written += rest.produced;
      tells = rest.status == codec_status::told;
      keeps_text_ = tells || rest.status == codec_status::need_output;
      check_insert(rest, room - (written - rest.produced));
      if (tells) let_tell();
    } while (tells && keeps_text_);
    bytes_out_ += written;
    return written;
  }

  /// Writes as much of the repair as fits, in whole characters.
  std::size_t write_repair(char* out, std::size_t room) noexcept {
    const std::size_t produced = inserts() ? insert_repair(out, room) : encode_repair(out, room);
    bytes_out_ += produced;
    return produced;
  }
  std::size_t insert_repair(char* out, std::size_t room) noexcept {
    codec_progress done{0, 0, codec_status::done};
    const std::string_view repair = repairer_.left();
    if constexpr (detail::has_insert<Codec>) done = codec_.insert(repair.data(), repair.size(), out, room, false);
    repairer_.wrote(done.consumed);
    if (repairing()) check_insert(done, room);
    return done.produced;
  }
  /// Fails the use if insert would never end.
  void check_insert(const codec_progress& done, std::size_t room) noexcept {
    const bool stands = room >= Codec::min_output && done.consumed == 0 && done.produced == 0;
    if (done.status == codec_status::malformed)
      fail(cause::no_step);
    else if (stands && done.status == codec_status::need_output)
      fail(cause::no_progress);
    else
      return;
    repairer_.drop();
  }
  std::size_t encode_repair(char* out, std::size_t room) noexcept {
    if constexpr (detail::has_encode<Codec>) {
      const bool as_is = reads_utf8() && is_in_place();
      const auto encode = [this](char32_t c, char* to) noexcept { return codec_.encode(c, to); };
      return repairer_.template write<Codec::min_output>(out, room, as_is, encode);
    }
    return 0;
  }

  /// As step, but a codec that can repair errors by itself does so, as far as the repairer lets it.
  codec_progress step_with_repairs(const char* in, std::size_t size, char* out, std::size_t room, bool last) {
    if constexpr (detail::has_repairs<Codec>) {
      const std::uint64_t offset = codec_.position().offset;
      return settle(transform(in, size, out, room, last, repairer_), offset, size, room, last);
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
        if (fails_next() && codec_.error().code == errc::incomplete_at_end)  // it is the source that has ended there
          fail(std::move(failure_));
        else if (broken_change() == nullptr && (codec_.position().offset != offset || is_of_start(codec_.error())))
          meet(codec_.error());
        else
          fail(cause::no_step);
        break;
      case codec_status::told:
        state_ = state::running;
        let_tell();
        if (failed()) one.status = codec_status::malformed;
        break;
      case codec_status::done: state_ = state::ended; break;
      case codec_status::need_input:
        state_ = state::starved;
        if (last || one.consumed != size) one.status = refuse_codec(cause::input_left);
        break;
      case codec_status::need_output:
        state_ = state::running;
        if (room >= Codec::min_output && one.consumed == 0 && one.produced == 0)
          one.status = refuse_codec(cause::no_progress);
        break;
    }
    return one;
  }

  codec_status refuse_codec(cause why) noexcept {
    fail(why);
    return codec_status::malformed;
  }

  /// Of params: index_every, and the counts of the checkpoint at which a use begins.
  struct start_counts {
    explicit start_counts(const params& p)
        : index_every(p.index_every),
          bytes_out(p.start ? p.start->bytes_out : 0),
          errors(p.start ? p.start->errors : 0) {}
    std::uint64_t index_every, bytes_out, errors;
  };

  /// Input that the codec has not taken yet.
  struct sample {
    explicit sample(std::size_t n) : bytes(new char[n]), size(n) {}
    std::string_view left() const noexcept { return {bytes.get() + begin, end - begin}; }

    std::unique_ptr<char[]> bytes;
    std::size_t size;                // of the memory
    std::size_t begin = 0, end = 0;  // both are 0 if nothing is collected
  };
  bool withholds() const noexcept { return sample_ != nullptr && sample_->end != 0; }

  Codec initial_;
  Codec codec_;
  std::unique_ptr<sample> sample_;  // null if the codec never looks ahead
  repairer repairer_;
  // taken_ and bytes_out_ grow in the same places. If they stood side by side, g++ would add to both with one
  // instruction, which would wait until the two numbers, stored one by one just before, have reached the cache.
  std::uint64_t taken_ = 0;                    // bytes of input consumed, including those that the codec carries
  std::unique_ptr<const observer> observer_;   // null if there is none
  std::unique_ptr<const start_counts> start_;  // null if a use begins at the start of a text, and keeps no checkpoints
  direction use_ = direction::none;
  state state_ = state::starved;
  bool repairs_last_ = true;    // whether the last error is repaired: not if it ends the use, nor while it is observed
  bool keeps_text_ = false;     // the use ends here, and the codec must still write the text that it has kept back
  cause cause_ = cause::none;   // of the failure of the present or the last use
  std::exception_ptr failure_;  // for cause::neighbour and cause::lasting
  std::uint64_t bytes_out_ = 0;
};

UTFILTER_END_EXCEPTIONS_NAMESPACE
}  // namespace utfilter

#endif
