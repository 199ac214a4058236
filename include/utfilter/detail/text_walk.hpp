// text_walk.hpp: the part of text_codec that is the same for all changes. Not for users.
// layer: codecs
#ifndef UTFILTER_DETAIL_TEXT_WALK_HPP
#define UTFILTER_DETAIL_TEXT_WALK_HPP

#include <utfilter/codec.hpp>
#include <utfilter/config.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/error.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace utfilter {

class repairer;
struct text_piece;

namespace detail {

struct cursor;

/// The part of text_codec that does not depend on the change: it checks the text, counts it, reports its errors, and
/// carries the bytes that wait for others.
class text_walk : public codec_base {
 public:
  /// In bytes: the longest character of UTF-8.
  static constexpr std::size_t min_output = 4;

  /// Converts one piece; doc/codecs.md has the rules. Linear in size + room.
  UTFILTER_API codec_progress transform(const char* in, std::size_t size, char* out, std::size_t room,
                                        bool last) noexcept;
  /// Converts one piece as the other transform does, and repairs its errors. The repairs are changed like text, if the
  /// change gets them. The status is malformed if the repairer has not repaired the error: conversion does that, and calls
  /// again.
  UTFILTER_API codec_progress transform(const char* in, std::size_t size, char* out, std::size_t room, bool last,
                                        repairer&) noexcept;
  /// Takes the text of a repair; doc/codecs.md has the rules. Linear in size + room.
  UTFILTER_API codec_progress insert(const char* in, std::size_t size, char* out, std::size_t room, bool last) noexcept;

  /// The rule that the change has broken, as a sentence; null as long as it keeps all rules.
  const char* broken_rule() const noexcept { return broken_rule_; }

 protected:
  using rewrite_function = codec_progress (*)(text_walk&, const text_piece&, char*, std::size_t) noexcept;

  /// With `keeps_repairs` the change does not get the text of repairs.
  explicit text_walk(rewrite_function f, bool keeps_repairs = false) noexcept
      : rewrite_(f), keeps_repairs_(keeps_repairs) {
    facts_.encoding = encoding::utf8;
    facts_.reads_utf8 = true;
  }

  /// What the observer sees of what a change tells, with an offset in a piece that begins where the walk is. With line 0 it
  /// is before the piece, in the same line: by so many bytes and columns.
  UTFILTER_API error_info note_of(error_info told, const text_piece&) const noexcept;

  // In bytes: text_piece::longest_wait, and the first bytes of a character.
  static constexpr std::size_t longest_carry = 40;

  std::array<char, longest_carry> carry_ = {};
  std::uint8_t carried_ = 0;  // bytes of carry_ in use

 private:
  struct step;

  codec_progress rewrite(const text_piece&, char* out, std::size_t room) noexcept;
  step take_some(const char* in, std::size_t size, bool more, bool last, char* out, std::size_t room) noexcept;
  codec_status pass(cursor&, bool last) noexcept;
  bool repair(cursor&, repairer&) noexcept;

  rewrite_function rewrite_;
  bool keeps_repairs_;
  const char* broken_rule_ = nullptr;
};

}  // namespace detail

}  // namespace utfilter

#endif
