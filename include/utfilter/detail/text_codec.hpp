// text_codec.hpp: the base class of codecs that read UTF-8, change some of its characters, and pass all others on.
#ifndef UTFILTER_DETAIL_TEXT_CODEC_HPP
#define UTFILTER_DETAIL_TEXT_CODEC_HPP

#include <utfilter/codec.hpp>
#include <utfilter/encoding.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace utfilter {

class repairer;

namespace detail {

/// The part of such a codec that is the same in all of them: it checks the text, counts it, reports its errors and
/// carries the bytes that wait for others. src/codecs/text_codec.hpp has the functions. The codec itself has
///
///     codec_progress rewrite(const char* in, std::size_t size, follows, char* out, std::size_t room) noexcept;
///
/// which gets whole well-formed characters and writes what becomes of them, and says in which status it stopped:
///
///     need_input   everything is consumed, but for at most longest_wait bytes at the end, which wait for what follows
///     need_output  the next character has no room; with min_output bytes of room there is progress
///     malformed    the next character is an error, errc::control
///
/// At the end of the text it is called once more with no characters.
class text_codec : public codec_base {
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

  text_codec() noexcept {
    facts_.encoding = encoding::utf8;
    facts_.reads_utf8 = true;
  }

  /// A codec may hide this: the bytes at the start of any text that are surely ASCII without line feeds and pass
  /// unchanged. They are counted without a check.
  std::size_t plain_at(const char* /*in*/, std::size_t /*size*/) const noexcept { return 0; }

  /// @{
  /// The codec's transform and its insert.
  template <class Codec>
  static codec_progress transform_by(Codec&, const char* in, std::size_t size, char* out, std::size_t room,
                                     bool last) noexcept;
  template <class Codec>
  static codec_progress transform_by(Codec&, const char* in, std::size_t size, char* out, std::size_t room, bool last,
                                     repairer&) noexcept;
  template <class Codec>
  static codec_progress insert_by(Codec&, const char* in, std::size_t size, char* out, std::size_t room,
                                  bool last) noexcept;
  /// @}

  std::array<char, longest_wait + 4> carry_ = {};  // what waits, and the first bytes of a character
  std::uint8_t carried_ = 0;                       // bytes of carry_ in use

 private:
  struct step;
  template <class Codec>
  static step take_some(Codec&, const char* in, std::size_t size, bool more, bool last, char* out,
                        std::size_t room) noexcept;
  template <class Codec>
  static bool repair_by(Codec&, const char*& in, const char* in_end, char*& out, const char* out_end,
                        repairer&) noexcept;
};

}  // namespace detail

}  // namespace utfilter

#endif
