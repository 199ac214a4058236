// repair.hpp: what a policy does at an error: it fails, it ends the text, or it writes a repair.
// layer: codecs
#ifndef UTFILTER_REPAIR_HPP
#define UTFILTER_REPAIR_HPP

#include <utfilter/config.hpp>
#include <utfilter/error.hpp>
#include <utfilter/params.hpp>
#include <utfilter/utf8.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace utfilter {

/// Room for the longest repair that is made of an error's bytes: six bytes, each as `\xHH`.
using repair_buffer = std::array<char, 24>;

/// The repair of on_error::escape: writes a lone surrogate or an unmappable character as `\u{HHHH}`, and each remaining
/// byte of the error as `\xHH`. Returns the number of bytes written. Complexity: constant.
UTFILTER_API std::size_t escape_error(const error_info&, repair_buffer& out) noexcept;

/// The repair of on_error::windows1252: reads each byte of the ill-formed subsequence as windows-1252 and writes it as
/// UTF-8. Returns the number of bytes written. Complexity: constant.
UTFILTER_API std::size_t windows1252_error(const error_info&, repair_buffer& out) noexcept;

namespace detail {

struct encoding_scheme;

/// The errors missing_bom, unexpected_bom and no_text are about the text as a whole. Each comes once, before all other
/// errors, and does not move the position. No repair is written for them.
constexpr bool is_of_text(errc code) noexcept {
  return code == errc::missing_bom || code == errc::unexpected_bom || code == errc::no_text;
}

/// Whether this is U+FFFD as UTF-8: the repair of most users, for which nothing is allocated and checked.
constexpr bool is_replacement_character(std::string_view text) noexcept {
  return text.size() == 3 && text[0] == replacement_character[0] && text[1] == replacement_character[1] &&
         text[2] == replacement_character[2];
}

/// @{
/// The reason why a text cannot be written as a repair: `what`, such as params::repair, is ill-formed. And why params ask
/// for repairs that make no sense. Empty if there is no reason.
UTFILTER_API std::string why_no_repair(const char* what, std::string_view text);
UTFILTER_API std::string why_no_repair(const params&);
/// @}

/// A value that most objects lack: so they keep a null pointer in its place. Copies have a value of their own.
template <class T>
class seldom {
 public:
  seldom() noexcept = default;
  explicit seldom(T value) : value_(std::make_unique<T>(std::move(value))) {}
  seldom(const seldom& other) : value_(other.value_ == nullptr ? nullptr : std::make_unique<T>(*other.value_)) {}
  seldom(seldom&&) noexcept = default;
  seldom& operator=(seldom other) noexcept {
    value_ = std::move(other.value_);
    return *this;
  }
  ~seldom() = default;

  explicit operator bool() const noexcept { return value_ != nullptr; }
  T* operator->() const noexcept { return value_.get(); }

 private:
  std::unique_ptr<T> value_;
};

/// What write_repair has read and written, in bytes.
struct repair_progress {
  std::size_t consumed, produced;
};

/// Encodes as much of a repair, which is UTF-8, as fits into the output, in whole characters. `encode(c, out)` encodes
/// one scalar value in at most `Longest` bytes and returns their number, or 0 if the target lacks it: then ? is written.
template <std::size_t Longest, class Encode>
repair_progress write_repair(std::string_view text, char* out, std::size_t room, const Encode& encode) noexcept {
  constexpr unsigned char lead_bits[] = {0x7F, 0x1F, 0x0F, 0x07};
  std::size_t consumed = 0, produced = 0;
  while (consumed != text.size()) {
    const auto lead = static_cast<unsigned char>(text[consumed]);
    const std::size_t length = length_by_lead(lead);
    char32_t value = lead & lead_bits[length - 1];
    for (const char c : text.substr(consumed + 1, length - 1))
      value = value << 6 | (static_cast<unsigned char>(c) & 0x3F);

    // Write directly into the output if any character fits. Copying bytes just after they were written one by one is
    // slow.
    char edge[Longest];
    const bool fits = room - produced >= Longest;
    char* const unit = fits ? out + produced : edge;
    std::size_t size = encode(value, unit);
    if (size == 0) size = encode(U'?', unit);
    if (size > room - produced) break;
    if (!fits) std::copy_n(edge, size, out + produced);
    produced += size;
    consumed += length;
  }
  return {consumed, produced};
}

}  // namespace detail

/// Counts the errors of a text, decides about each by a policy, and writes the repairs. A conversion has one for its
/// text, and hands it to a codec that repairs errors by itself.
///
/// ```cpp
/// auto codec = utfilter::transcoder::decoding(utfilter::encoding::utf8, utfilter::bom::keep);
/// utfilter::repairer by(utfilter::on_error::escape);
/// char out[64];
/// const auto done = codec.transform("a\xFF", 2, out, sizeof out, true, by);
/// assert(std::string(out, done.produced) == "a\\xFF" && by.errors() == 1);
/// ```
///
/// Complexity: linear in the bytes of the repairs. Thread safety: that of a plain value, such as an int.
class repairer {
 public:
  /// What the policy does at an error.
  enum class verdict : std::uint8_t {
    fail,    ///< The text fails: on_error::strict, or there are more than params::error_limit errors.
    end,     ///< The text ends before the error: on_error::stop.
    repair,  ///< A repair, which may be empty, stands for the error.
  };

  /// Whether the policy repairs errors: neither strict nor stop.
  UTFILTER_API static bool repairs(on_error) noexcept;

  /// The policy with the replacement U+FFFD, for any number of errors. Throws nothing.
  explicit repairer(on_error policy) : policy_(policy) {}
  /// Takes on_error, replacement, repair and error_limit of the params. If they have an observer, or a function that
  /// makes the repairs, a codec repairs no error by itself: conversion calls these functions for each error, because
  /// they may throw, look at the report, or end the use. Throws std::bad_alloc, and what copying params::repair throws.
  explicit repairer(const params& p)
      : policy_(p.on_error),
        leaves_errors_(p.observer || p.repair),
        limit_(p.error_limit),
        given_(p.repair || !detail::is_replacement_character(p.replacement)
                   ? detail::seldom<given_repair>({p.replacement, p.repair})
                   : detail::seldom<given_repair>()) {}

  /// Begins a text. With arguments it goes on with one, after so many errors.
  void begin(std::uint64_t errors = 0, const std::optional<error_info>& first = std::nullopt) noexcept {
    errors_ = errors;
    first_ = first;
    drop();
    encoded_.target = nullptr;
  }

  /// The number of errors so far.
  std::uint64_t errors() const noexcept { return errors_; }
  /// The first error, if it is known.
  const std::optional<error_info>& first() const noexcept { return first_; }

  /// Counts an error and decides about it. `reads_utf8` is text_facts::reads_utf8 of the codec. After verdict::repair
  /// left() is the repair, after another verdict it is empty.
  UTFILTER_API verdict meet(const error_info&, bool reads_utf8) noexcept;
  /// Whether params::repair makes the repairs: call make() after meet(). It throws what params::repair throws.
  bool makes() const noexcept { return given_ && given_->make != nullptr; }
  /// Makes the repair of the error that meet() was told. Precondition: makes().
  void make(const error_info& error) {
    given_->text = given_->make(error);
    size_ = given_->text.size();
  }
  /// The size of the repair that meet() makes of the error. If params::repair makes the repairs, that of the last one.
  UTFILTER_API std::size_t size_of_repair(const error_info&, bool reads_utf8) const noexcept;

  /// The part of the repair that is still to be written: UTF-8, or under on_error::keep the bytes of the error.
  std::string_view left() const noexcept {
    return {(in_buffer_ ? buffer_.data() : replacement().data()) + written_, size_ - written_};
  }
  /// Whether left() is not empty.
  bool has_left() const noexcept { return written_ != size_; }
  /// The bytes of the repair, as in left(), that have been written.
  std::size_t written() const noexcept { return written_; }
  /// Leaves out what is left of the repair.
  void drop() noexcept { size_ = written_ = 0; }

  /// Writes as much of left() as fits, in whole characters, and returns the bytes of output. The output is UTF-8 if
  /// `as_is` is set. `encode` is that of detail::write_repair.
  template <std::size_t Longest, class Encode>
  std::size_t write(char* out, std::size_t room, bool as_is, const Encode& encode) noexcept {
    const std::string_view text = left();
    if (as_is && text.size() <= room) {
      if (text.size() == 3)  // U+FFFD
        std::memcpy(out, text.data(), 3);
      else
        std::copy_n(text.data(), text.size(), out);
      drop();
      return text.size();
    }
    if (policy_ == on_error::keep) {
      const std::size_t size = (std::min)(text.size(), room);
      std::copy_n(text.data(), size, out);
      written_ += size;
      return size;
    }
    const detail::repair_progress done = detail::write_repair<Longest>(text, out, room, encode);
    written_ += done.consumed;
    return done.produced;
  }
  /// Takes note that the caller has written these bytes of left().
  void wrote(std::size_t size) noexcept { written_ += size; }

  /// @{
  /// For a codec that repairs errors by itself: these functions write whole repairs, in the target encoding.
  ///
  /// repair() counts an error and writes its repair. It returns false, and does nothing, if the error is not for the
  /// codec to repair, or if the repair has no room: then the codec returns the error. repair_again() repairs `n` more
  /// errors that have the repair of the last one, at most as many as most() returns: errors that are equal to it, and any
  /// errors if repairs_all_alike(). A repair has at most longest_encoded bytes; a longer one is not for the codec, either.
  static constexpr std::size_t longest_encoded = 32;
  bool repair(const error_info& error, bool reads_utf8, const detail::encoding_scheme& target, char*& out,
              const char* end) noexcept {
    if (leaves_errors_ || errors_ >= limit_ || (!is_encoded(error, target) && !encode(error, reads_utf8, target)))
      return false;
    if (static_cast<std::size_t>(end - out) < encoded_.size) return false;
    count(error);
    put_encoded(out, end);
    return true;
  }
  /// After repair(): whether every error has that repair.
  bool repairs_all_alike() const noexcept { return encoded_.is_of_all; }
  std::size_t most(std::size_t n, const char* out, const char* end) const noexcept {
    const std::size_t fitting = encoded_.size == 0 ? n : static_cast<std::size_t>(end - out) / encoded_.size;
    return static_cast<std::size_t>((std::min<std::uint64_t>)((std::min)(n, fitting), limit_ - errors_));
  }
  UTFILTER_API void repair_again(std::size_t n, char*& out, const char* end) noexcept;
  /// @}

 private:
  static constexpr std::size_t usual = 16;  // bytes of a repair; a constant size takes fewer instructions

  /// What a user has given in place of U+FFFD.
  struct given_repair {
    std::string text;  // params::replacement, or the last repair of `make`
    std::function<std::string(const error_info&)> make;
  };
  std::string_view replacement() const noexcept {
    return given_ ? std::string_view(given_->text) : std::string_view(detail::replacement_character);
  }

  struct decision {
    verdict what;
    std::string_view repair;  // in the buffer, or the replacement
  };
  decision decide(const error_info&, bool reads_utf8, repair_buffer&) const noexcept;
  bool is_encoded(const error_info& error, const detail::encoding_scheme& target) const noexcept {
    if (encoded_.target != &target) return false;
    if (encoded_.is_of_all) return true;
    return error.size == encoded_.error_size &&
           std::memcmp(error.bytes.data(), encoded_.error_bytes.data(), error.size) == 0;
  }
  UTFILTER_API bool encode(const error_info&, bool reads_utf8, const detail::encoding_scheme& target) noexcept;
  /// Writes the encoded repair, for which there is room.
  void put_encoded(char*& out, const char* end) const noexcept {
    if (encoded_.size <= usual && static_cast<std::size_t>(end - out) >= usual)
      std::memcpy(out, encoded_.bytes.data(), usual);
    else
      std::memcpy(out, encoded_.bytes.data(), encoded_.size);
    out += encoded_.size;
  }
  void count(const error_info& error) noexcept {
    ++errors_;
    if (!first_) first_ = error;
  }

  on_error policy_;
  bool leaves_errors_ = false;  // to the conversion, which must see each
  std::uint64_t limit_ = no_limit;
  detail::seldom<given_repair> given_;
  std::uint64_t errors_ = 0;
  std::optional<error_info> first_;

  // The repair of the error that meet() was told: `size_` bytes of the buffer, or the replacement.
  bool in_buffer_ = false;
  std::size_t size_ = 0, written_ = 0;
  repair_buffer buffer_ = {};

  // The repair of the error that encode() was told, in the target encoding.
  struct encoded_repair {
    const detail::encoding_scheme* target = nullptr;  // null if there is no repair
    bool is_of_all = false;                           // every error has this repair
    std::uint8_t error_size = 0;
    std::array<unsigned char, 6> error_bytes = {};
    std::uint8_t size = 0;
    std::array<char, longest_encoded> bytes = {};
  };
  encoded_repair encoded_;
};

}  // namespace utfilter

#endif
