// conversion.hpp: a codec under policies: what becomes of errors, what is counted, how a use begins and ends.
//
// This is the part of a filter that knows no streams. codec_filter feeds it from a Boost.Iostreams chain; code with
// buffers of its own feeds it directly.
#ifndef UTFILTER_CONVERSION_HPP
#define UTFILTER_CONVERSION_HPP

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
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace utfilter {

/// Runs a codec, applies params to its errors, and keeps the report.
///
/// A use lasts from begin() to end(). Errors stick: once failed() is true, no further input is looked at. It can be
/// moved at any time, in the middle of a character or of a repair, and goes on where it was; but not copied. One that
/// was moved from may be destroyed or assigned to, and nothing else.
///
/// This, for each piece that arrives, and once without a piece and with `last` (a server whole:
/// examples/async_relay.cpp):
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
/// Complexity: linear in the bytes that pass; nothing is allocated but for exceptions. Thread safety: one thread at a
/// time.
template <class Codec>
class conversion {
  static_assert(detail::is_codec<Codec>());

 public:
  /// Bytes. With this much room every call makes progress.
  static constexpr std::size_t min_output = Codec::min_output;

  /// What a use is for. They differ in on_error::stop alone: writing, it fails as strict does.
  enum class direction { none, reading, writing };

  /// Throws std::invalid_argument, with the reason, for params that make no sense with this codec.
  template <class Options = params, class = detail::if_options<Options>>
  explicit conversion(const Codec& codec, const Options& options = {})
      : initial_(codec), codec_(codec), params_(detail::to_params(options)) {
    if (params_.fallback == encoding::detect)
      throw std::invalid_argument("utfilter: params::fallback must name an encoding, it cannot be detect");
    if (!is_utf8(params_.replacement))
      throw std::invalid_argument("utfilter: params::replacement is not well-formed UTF-8: " +
                                  find_error(params_.replacement)->message());
    if (params_.on_error == on_error::keep && !changes_nothing())
      throw std::invalid_argument(
          "utfilter: on_error::keep is for utf8_validator and to_utf8(encoding::utf8), a codec that changes text cannot "
          "keep bytes");
    if (!std::is_base_of_v<detail::signed_codec, Codec> && params_.bom != bom::automatic)
      throw std::invalid_argument("utfilter: this codec knows no byte order mark, params::bom must be automatic");
  }

  /// @{
  /// Moves the text, its report, and the observer.
  conversion(conversion&& other) noexcept(moves_quietly) : initial_(other.initial_), codec_(other.codec_) {
    *this = std::move(other);
  }
  conversion& operator=(conversion&& other) noexcept(moves_quietly) {
    if (this == &other) return *this;
    const bool of_buffer = other.repairs_from_buffer();
    const std::size_t left = other.repair_.size();
    initial_ = std::move(other.initial_);
    codec_ = std::move(other.codec_);
    taken_ = other.taken_;
    params_ = std::move(other.params_);
    use_ = other.use_;
    state_ = other.state_;
    failure_ = std::move(other.failure_);
    repair_buffer_ = other.repair_buffer_;
    repairs_by_byte_ = other.repairs_by_byte_;
    bytes_out_ = other.bytes_out_;
    errors_ = other.errors_;
    first_error_ = other.first_error_;
    // A view of the other's text would dangle. Of a replacement what is left is its end.
    repair_ = of_buffer
                  ? std::string_view(repair_buffer_.data() + (other.repair_.data() - other.repair_buffer_.data()), left)
                  : std::string_view(params_.replacement).substr(params_.replacement.size() - left);
    return *this;
  }
  /// @}
  conversion(const conversion&) = delete;
  conversion& operator=(const conversion&) = delete;

  /// What the present use is for.
  direction use() const noexcept { return use_; }

  /// Starts a use, with the codec as it was constructed and an empty report. Throws what copying the codec throws.
  void begin(direction use) noexcept(std::is_nothrow_copy_assignable_v<Codec>) {
    codec_ = initial_;
    use_ = use;
    taken_ = 0;
    state_ = state::starved;
    failure_ = nullptr;
    repair_ = {};
    bytes_out_ = errors_ = 0;
    first_error_.reset();
  }

  /// Ends the use; the report stays until the next one begins.
  void end() noexcept {
    use_ = direction::none;
    state_ = state::ended;
  }

  /// Converts until the input is used up, the output is full, or the stream has ended or failed; errors are repaired on
  /// the way. The status is need_input, need_output, done (the text has ended), or malformed (failed() is true; all
  /// that precedes the error has been produced). `in` and `out` do not overlap.
  ///
  /// What a cut leaves of a sequence is consumed and carried, so that after need_input nothing of `in` has to be kept.
  /// After need_output it is called again with what was not consumed, also where that is nothing; with a room of at
  /// least Codec::min_output it makes progress. malformed and done stay, and consume no more.
  codec_progress convert(const char* in, std::size_t size, char* out, std::size_t room, bool last) {
    codec_progress total{0, 0, codec_status::need_input};
    while (true) {
      if (repairing()) total.produced += write_repair(out + total.produced, room - total.produced);
      if (repairing()) return total.status = codec_status::need_output, total;
      if (state_ == state::failed) return total.status = codec_status::malformed, total;
      if (state_ == state::ended) return total.status = codec_status::done, total;

      const codec_progress one =
          step(in + total.consumed, size - total.consumed, out + total.produced, room - total.produced, last);
      total.consumed += one.consumed;
      total.produced += one.produced;
      if (one.status != codec_status::malformed) return total.status = one.status, total;
    }
  }

  /// Passes whole well-formed characters that are their own output, and returns their bytes: 0 where there is a repair
  /// to write, where convert must be called first, and for codecs that change text. Writes nothing: the caller's bytes
  /// are the output.
  UTFILTER_INLINE std::size_t check(const char* in, std::size_t size) noexcept {
    const std::size_t passed = at_rest() ? checked(in, size).value_or(0) : 0;
    if (passed != 0) state_ = state::starved;
    taken_ += passed;
    bytes_out_ += passed;
    return passed;
  }

  /// One call of the codec. The status is malformed where it met an error, which has been counted and observed: what
  /// follows (a repair, the end, failure()) comes from convert.
  codec_progress step(const char* in, std::size_t size, char* out, std::size_t room, bool last) {
    const std::uint64_t offset = codec_.position().offset;
    codec_progress one = codec_.transform(in, size, out, room, last);
    taken_ += one.consumed;
    bytes_out_ += one.produced;
    switch (one.status) {
      case codec_status::malformed:
        state_ = state::running;
        if (codec_.position().offset != offset || (is_bom_error(codec_.error().code) && errors_ == 0))
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

  /// Whether only input brings this on: no repair is to be written, nothing that the codec carries is complete, and
  /// there is no failure and no end.
  bool needs_input() const noexcept { return state_ == state::starved && !repairing(); }

  /// Whether well-formed text is its own output now, the bytes that are pending() included.
  bool in_place() noexcept { return at_rest() && after_signature() && changes_nothing(); }
  /// Bytes that the codec carries: taken, but neither decoded nor reported as ill-formed yet.
  std::size_t pending() const noexcept { return static_cast<std::size_t>(taken_ - codec_.position().offset); }

  /// Whether the use has failed.
  bool failed() const noexcept { return state_ == state::failed; }
  /// Why the use has failed: a utf_error, what the observer threw, or what fail was told. Null where it has not, and
  /// after end().
  std::exception_ptr failure() const noexcept { return failed() ? failure_ : nullptr; }
  /// Fails the use: a sink that broke, say. `why` is not null. A repair that has begun is still to be had from convert.
  void fail(std::exception_ptr why) noexcept {
    failure_ = std::move(why);
    state_ = state::failed;
  }

  /// What has been seen since begin(), also after end().
  stream_report report() const {
    stream_report report;
    const text_position at = codec_.position();
    const text_facts facts = detail::facts_of(codec_);
    report.encoding = facts.encoding;
    report.bom = facts.signature;
    report.bytes_in = at.offset;
    report.bytes_out = bytes_out_;
    report.lines = at.line - 1;
    report.errors = errors_;
    report.first_error = first_error_;
    if (errors_ != 0) report.last_error = codec_.error();
    report.failure = failure_;
    return report;
  }

 private:
  /// How far the use has come. A repair may still have to be written in each of these.
  enum class state : std::uint8_t {
    starved,  // the codec has asked for input
    running,  // the codec has more to write, or may have
    ended,    // the text, or the use itself
    failed,   // failure_ tells why
  };

  static constexpr bool moves_quietly =
      std::is_nothrow_copy_constructible_v<Codec> && std::is_nothrow_move_assignable_v<Codec>;

  std::optional<std::size_t> checked(const char* in, std::size_t size) noexcept {
    if constexpr (detail::has_check<Codec>)
      return codec_.check(in, size);
    else
      return std::nullopt;
  }
  /// A signature, or its absence, is for transform to see.
  bool after_signature() const noexcept {
    return !std::is_base_of_v<detail::signed_codec, Codec> || codec_.position().offset != 0;
  }
  bool changes_nothing() noexcept { return checked(nullptr, 0).has_value(); }

  bool repairing() const noexcept { return !repair_.empty(); }
  /// Whether the repair that is being written, if there is one, stands in repair_buffer_, and not in params_.
  bool repairs_from_buffer() const noexcept {
    const std::less<const char*> before;  // an order of all pointers
    const char* const begin = repair_buffer_.data();
    return !before(repair_.data(), begin) && before(repair_.data(), begin + repair_buffer_.size());
  }
  bool at_rest() const noexcept { return !repairing() && (state_ == state::starved || state_ == state::running); }

  /// These come before any other error and consume nothing; no repair changes the bytes.
  static bool is_bom_error(errc code) noexcept { return code == errc::missing_bom || code == errc::unexpected_bom; }

  /// Counts and observes an error, and does what the policy says.
  void meet(const error_info& error) {
    ++errors_;
    if (!first_error_) first_error_ = error;
    const verdict found = errors_ > params_.error_limit ? verdict::fail : judge(error);
    if (params_.observer || found == verdict::fail) tell(error, found == verdict::fail);
    if (failed() || is_bom_error(error.code)) repair_ = {};
    if (found == verdict::end && !failed()) state_ = state::ended;
  }

  enum class verdict { repair, end, fail };

  /// What the policy says of an error: a policy is an enumerator of on_error and a case here. Under repair, repair_ is
  /// set.
  verdict judge(const error_info& error) noexcept {
    switch (params_.on_error) {
      case on_error::strict: return verdict::fail;
      case on_error::stop: return use_ == direction::writing ? verdict::fail : verdict::end;
      case on_error::replace: repair_ = params_.replacement; break;
      case on_error::skip: break;
      case on_error::escape: repair_ = {repair_buffer_.data(), escape_error(error, repair_buffer_)}; break;
      case on_error::keep:
        for (std::size_t i = 0; i < error.size; ++i) repair_buffer_[i] = static_cast<char>(error.bytes[i]);
        repair_ = {repair_buffer_.data(), error.size};
        repairs_by_byte_ = true;
        break;
      case on_error::windows1252:
        if (detail::facts_of(codec_).reads_utf8 && error.code != errc::unmappable)
          repair_ = {repair_buffer_.data(), windows1252_error(error, repair_buffer_)};
        else
          repair_ = params_.replacement;
        break;
    }
    return verdict::repair;
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

  /// Writes what it can of the repair, whole characters only.
  std::size_t write_repair(char* out, std::size_t room) noexcept {
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
      // Into the output itself where any character fits: what was just written byte by byte is slow to copy.
      char edge[Codec::min_output];
      const bool fits = room - produced >= Codec::min_output;
      char* const unit = fits ? out + produced : edge;
      std::size_t taken = 1, size = 1;
      if (repairs_by_byte_) {
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
    bytes_out_ += produced;
    return produced;
  }

  // Repairs are well-formed UTF-8, so that the lead byte tells all (RFC 3629 section 3).
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

  Codec initial_;
  Codec codec_;
  params params_;
  direction use_ = direction::none;
  state state_ = state::starved;
  bool repairs_by_byte_ = false;  // a repair is bytes to write as they are; otherwise UTF-8 to encode
  std::exception_ptr failure_;    // of this use, or of the last one
  std::string_view repair_;       // what is still to be written for the last error
  repair_buffer repair_buffer_;
  std::uint64_t taken_ = 0;  // bytes of input, those that the codec carries included
  std::uint64_t bytes_out_ = 0;
  std::uint64_t errors_ = 0;
  std::optional<error_info> first_error_;
};

}  // namespace utfilter

#endif
