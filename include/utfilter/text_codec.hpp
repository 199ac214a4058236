// text_codec.hpp: makes a codec of a change: of a small object that rewrites well-formed UTF-8.
// layer: codecs
#ifndef UTFILTER_TEXT_CODEC_HPP
#define UTFILTER_TEXT_CODEC_HPP

#include <utfilter/codec.hpp>
#include <utfilter/detail/text_walk.hpp>
#include <utfilter/error.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace utfilter {

/// What a change gets: whole well-formed characters of UTF-8, and what it may know of the text after them.
struct text_piece {
  /// What comes after a piece.
  enum class follows : std::uint8_t {
    unknown,  ///< Nothing has arrived yet.
    part,     ///< The first bytes of a character.
    error,    ///< An error, or more of a repair.
    nothing,  ///< The end of the text.
  };

  /// In bytes: the most that a change may leave for its next call.
  static constexpr std::size_t longest_wait = 36;

  std::string_view text;            ///< The characters. It can be empty.
  follows next = follows::unknown;  ///< What comes after them.

  /// Whether characters may follow that belong to those of the piece.
  bool may_go_on() const noexcept { return next == follows::unknown || next == follows::part; }

  /// The size in bytes of the whole characters at the start of the piece that fit into the room. A CR LF is not divided.
  std::size_t fitting(std::size_t room) const noexcept {
    if (text.size() <= room) return text.size();
    while (room != 0 && (text[room] & 0xC0) == 0x80) --room;
    if (room != 0 && text[room - 1] == '\r' && text[room] == '\n') --room;
    return room;
  }

  /// The result of a change that took and wrote so many bytes: unless it took all of the text, the rest had no room.
  codec_progress progress(std::size_t consumed, std::size_t produced) const noexcept {
    return {consumed, produced, consumed == text.size() ? codec_status::need_input : codec_status::need_output};
  }
};

namespace detail {

/// Keeps what a change tells.
template <class Change, bool = is_observable<Change>>
class kept_note {};
template <class Change>
class kept_note<Change, true> {
 public:
  /// Shows the observer, if there is one, what the change has told last. Throws what the observer throws. For conversion.
  void tell(const std::function<void(const error_info&)>& observer) const {
    if (observer) observer(note_);
  }

 protected:
  error_info note_;
};

template <class Change>
inline constexpr bool is_change =
    std::is_nothrow_invocable_r_v<codec_progress, Change&, text_piece, char*, std::size_t, text_facts&>;

template <class Change, class = void>
inline constexpr std::size_t min_output_of = text_walk::min_output;
template <class Change>
inline constexpr std::size_t min_output_of<Change, std::void_t<decltype(Change::min_output)>> = Change::min_output;

/// The base of changes of which these things are known: a repair that passes unchanged right after the same repair always
/// passes unchanged; and a byte becomes at most twelve. With such a change the codec repairs errors by itself.
struct steady_change {};

}  // namespace detail

/// A codec that checks UTF-8 and gives its characters to a change, which rewrites them. A change is a small object that
/// can be copied, with
///
///     codec_progress operator()(text_piece in, char* out, std::size_t room, text_facts& facts) noexcept;
///
/// It takes characters from the start of `in`, writes at most `room` bytes of whole characters to `out`, and counts what
/// it changes in `facts.changes`. It tells how many bytes it took and wrote, and why it stopped:
///
/// - `codec_status::need_input`: it took everything. While in.may_go_on(), it may leave at most
///   text_piece::longest_wait bytes that wait for what follows: it gets these once more.
/// - `codec_status::need_output`: the next character has no room.
/// - `codec_status::malformed`: the next character is refused. This is an error, errc::forbidden.
///
/// The last call, at the end of the text, has no characters and text_piece::follows::nothing. Other calls may have none,
/// too: then a change writes what had no room. A change may have `static constexpr std::size_t min_output`, from 4 to 4096:
/// with this many bytes of room it always takes or writes something. By default that is 4. If it takes an initial U+FEFF
/// for a byte order mark, it sets `facts.bom` when it takes that character, which then is no column of the first line.
/// doc/codecs.md has examples, and what else a change may declare.
///
/// The rest is the codec's: a character is never cut, ill-formed UTF-8 is reported as transcoder reports it, positions are
/// those of the input, and repairs are rewritten like text, each character by itself. In a repair a refused character
/// becomes ?. A change that has `told` does not get repairs, which are no input. If the change breaks its rules, the use
/// fails with a std::logic_error that names the rule.
///
/// ```cpp
/// utfilter::text_codec codec{utfilter::changes::convert_newlines(utfilter::newline::crlf)};
/// char out[64];
/// const auto done = codec.transform("a\nb\r\nc\r", 7, out, sizeof out, true);
/// assert(std::string_view(out, done.produced) == "a\r\nb\r\nc\r\n" && codec.facts().changes == 2);
/// ```
///
/// Throws nothing but what copying the change throws. Complexity: linear in the bytes that pass, if that of the change is.
/// Thread safety: that of a plain value, such as an int.
template <class Change>
class text_codec : public detail::text_walk, public detail::kept_note<Change> {
  static_assert(std::is_copy_constructible_v<Change> && std::is_copy_assignable_v<Change>,
                "utfilter: a change must be copyable, because each use begins with a copy of it");
  static_assert(detail::is_change<Change>,
                "utfilter: a change must have `codec_progress operator()(text_piece in, char* out, std::size_t room, "
                "text_facts& facts) noexcept` (see doc/codecs.md)");
  static_assert(detail::min_output_of<Change> >= 4 && detail::min_output_of<Change> <= 4096,
                "utfilter: the min_output of a change must be from 4, the longest character of UTF-8, to 4096");

 public:
  /// In bytes: that of the change, or 4.
  static constexpr std::size_t min_output = detail::min_output_of<Change>;

  /// @{
  /// Throws what copying the change throws. Complexity: constant.
  explicit text_codec(const Change& change) noexcept(std::is_nothrow_copy_constructible_v<Change>)
      : text_walk(rewrite_by, detail::is_observable<Change>), change_(change) {}
  template <class C = Change, class = std::enable_if_t<std::is_default_constructible_v<C>>>
  text_codec() noexcept(std::is_nothrow_default_constructible_v<C>)
      : text_walk(rewrite_by, detail::is_observable<Change>) {}
  /// @}

  /// The change in its present state. Throws nothing. Complexity: constant.
  const Change& change() const noexcept { return change_; }

  /// The reason why adaptors refuse the change; null if there is none.
  const char* why_not() const noexcept {
    if constexpr (detail::can_be_refused<Change>) return change_.why_not();
    return nullptr;
  }
  /// Says whether an observer is there: then a change that can tell what it has changed does so.
  void observe(bool is_observed) noexcept {
    if constexpr (detail::is_observable<Change>) change_.observe(is_observed);
  }

 private:
  static codec_progress rewrite_by(text_walk& walk, const text_piece& in, char* out, std::size_t room) noexcept {
    text_codec& self = static_cast<text_codec&>(walk);
    const codec_progress done = self.change_(in, out, room, self.facts_);
    if constexpr (detail::is_observable<Change>)
      if (done.status == codec_status::told) self.note_ = self.note_of(self.change_.told(), in);
    return done;
  }

  Change change_;
};

namespace detail {
template <class Change>
inline constexpr bool has_repairs<text_codec<Change>> = std::is_base_of_v<steady_change, Change>;
}

}  // namespace utfilter

#endif
