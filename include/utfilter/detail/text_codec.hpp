// text_codec.hpp: the base class of codecs that read UTF-8, change some of its characters, and pass all others on.
// layer: codecs
#ifndef UTFILTER_DETAIL_TEXT_CODEC_HPP
#define UTFILTER_DETAIL_TEXT_CODEC_HPP

#include <utfilter/codec.hpp>
#include <utfilter/config.hpp>
#include <utfilter/encoding.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace utfilter {

class repairer;

namespace detail {

/// All of such a codec but the changes: it checks the text, counts it, reports its errors, and carries the bytes that wait
/// for others. The codec itself has
///
///     codec_progress rewrite(const char* in, std::size_t size, follows, char* out, std::size_t room) noexcept;
///
/// which gets whole well-formed characters, writes what becomes of them, and says by the status why it stopped:
///
///     need_input   everything is consumed, but for at most longest_wait bytes at the end, which wait for what follows
///     need_output  the next character has no room; with min_output bytes of room there is progress
///     malformed    the next character is an error, errc::control
///
/// At the end of the text it is called once more with no characters.
class text_codec : public codec_base {
 public:
  /// In bytes: the longest character of UTF-8.
  static constexpr std::size_t min_output = 4;

  /// Converts one piece; doc/codecs.md has the rules. Linear in size + room.
  UTFILTER_API codec_progress transform(const char* in, std::size_t size, char* out, std::size_t room,
                                        bool last) noexcept;
  /// Converts one piece as the other transform does, and repairs its errors. The repairs are changed like text. The status
  /// is malformed if the repairer has not repaired the error: conversion does that, and calls again.
  UTFILTER_API codec_progress transform(const char* in, std::size_t size, char* out, std::size_t room, bool last,
                                        repairer&) noexcept;
  /// Takes the text of a repair; doc/codecs.md has the rules. Linear in size + room.
  UTFILTER_API codec_progress insert(const char* in, std::size_t size, char* out, std::size_t room, bool last) noexcept;

 protected:
  /// What follows the text that rewrite gets.
  enum class follows : std::uint8_t {
    unknown,  // nothing is there yet
    part,     // the first bytes of a character
    error,    // an error, or the rest of a repair
    nothing,  // the end
  };

  /// In bytes.
  static constexpr std::size_t longest_wait = 36;

  /// For the constructor of the codec, which names its own class.
  template <class Codec>
  struct rewriter {};
  template <class Codec>
  explicit text_codec(rewriter<Codec>) noexcept : rewrite_(rewrite_by<Codec>) {
    facts_.encoding = encoding::utf8;
    facts_.reads_utf8 = true;
  }

  std::array<char, longest_wait + 4> carry_ = {};  // what waits, and the first bytes of a character
  std::uint8_t carried_ = 0;                       // bytes of carry_ in use

 private:
  struct step;

  template <class Codec>
  static codec_progress rewrite_by(text_codec& self, const char* in, std::size_t size, follows next, char* out,
                                   std::size_t room) noexcept {
    return static_cast<Codec&>(self).rewrite(in, size, next, out, room);
  }
  codec_progress rewritten(const char* in, std::size_t size, follows next, char* out, std::size_t room) noexcept {
    return rewrite_(*this, in, size, next, out, room);
  }
  step take_some(const char* in, std::size_t size, bool more, bool last, char* out, std::size_t room) noexcept;
  bool repair(const char*& in, const char* in_end, char*& out, const char* out_end, repairer&) noexcept;

  codec_progress (*rewrite_)(text_codec&, const char*, std::size_t, follows, char*, std::size_t) noexcept;
};

}  // namespace detail

}  // namespace utfilter

#endif
