// held_line.hpp: keeps a line until it is complete, to find out whether it was read wrong. Not for users.
// layer: codecs
#ifndef UTFILTER_DETAIL_HELD_LINE_HPP
#define UTFILTER_DETAIL_HELD_LINE_HPP

#include <utfilter/encoding.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace utfilter::detail {

struct line_text;

/// A line from its first character beyond ASCII on, or a part of it.
struct held_line {
  static constexpr std::size_t most = 1024;  // bytes

  /// The bytes at the start of well-formed text that need not be held: up to the first beyond ASCII. Call it while no line
  /// is held, and then passed() with those that have passed.
  static std::size_t ascii_of(std::string_view text) noexcept;
  void passed(std::string_view ascii) noexcept { drop(0, ascii); }

  enum class state : std::uint8_t { goes_on, is_full, ends };
  /// Takes bytes from the start of well-formed text that follows, up to a line end. Returns their number, and whether the
  /// line ends after them or has no more room.
  std::size_t take(std::string_view text, state&) noexcept;

  /// Undoes the mojibake of the line, or if it is full, of a part. Returns the encoding in which it was read last. The part
  /// has to.from[to.size] bytes. With encoding::detect it is right, and `to` has only its size.
  encoding undo(bool is_full, line_text& to) const noexcept;
  /// Forgets the first bytes. What they became is the text before what follows; a space stands for an error.
  void drop(std::size_t bytes, std::string_view became) noexcept;

  std::array<char, most> bytes = {};
  std::uint16_t size = 0;             // bytes that are held
  char32_t before[2] = {U' ', U' '};  // the characters before them
};

/// What a line becomes.
struct undone_line {
  /// A character that has come back.
  struct place {
    std::uint16_t from, size;  // the bytes of the line
    std::uint16_t to;          // where it begins in the text
  };

  std::array<char, held_line::most + held_line::most / 2> text;
  std::array<place, held_line::most / 2> places;
  std::uint16_t size = 0, given = 0;    // bytes of the text, and those that have been written
  std::uint16_t changes = 0, told = 0;  // places, and those that have been written
  std::uint16_t line_bytes = 0;         // the part of the line that becomes this
  bool before_error = false;            // an error, or more of a repair, follows
};

}  // namespace utfilter::detail

#endif
