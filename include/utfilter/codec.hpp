// codec.hpp: the results of a codec's calls, and a base class that does the bookkeeping of a codec. doc/codecs.md
// explains how to write a codec.
// layer: codecs
#ifndef UTFILTER_CODEC_HPP
#define UTFILTER_CODEC_HPP

#include <utfilter/config.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/error.hpp>
#include <utfilter/utf8.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace utfilter {

/// Why transform returned.
enum class codec_status {
  need_input,   ///< All input is consumed.
  need_output,  ///< The next character needs more room.
  malformed,    ///< The input has an error; error() returns it.
  told,         ///< The codec has something to tell before it goes on: tell() must be called.
  done,         ///< The text has ended, and all of it has been written.
};

/// The result of one call of transform.
struct codec_progress {
  std::size_t consumed;  ///< Bytes of input taken, including those that the codec now carries.
  std::size_t produced;  ///< Bytes of output written.
  codec_status status;   ///< Why transform returned.
};

/// The facts that a codec knows about its text as a whole.
struct text_facts {
  /// For stream_report::encoding: the encoding as declared, later as detected; detect if no enumerator fits.
  utfilter::encoding encoding = encoding::detect;
  /// For stream_report::bom: whether the input began with a byte order mark.
  bool bom = false;
  /// Whether the codec reads UTF-8. If so, on_error::windows1252 reads ill-formed bytes as windows-1252.
  bool reads_utf8 = false;
  /// For stream_report::decided_by.
  evidence decided_by = evidence::named;
  /// For stream_report::confidence, in hundredths.
  std::uint8_t confidence = 100;
  /// For stream_report::inserted.
  std::uint64_t inserted = 0;
  /// For stream_report::changes.
  std::uint64_t changes = 0;
  /// For stream_report::unused_declaration.
  std::string_view unused_declaration = {};
};

/// The base class of codecs. It holds the position, the last error and the facts about the text, and encodes to UTF-8.
///
/// The guide to codecs, doc/codecs.md, has examples. A codec has a member
///
///     codec_progress transform(const char* in, std::size_t size, char* out, std::size_t room, bool last) noexcept;
///
/// and `static constexpr std::size_t min_output`. A codec whose target is not UTF-8 declares its own encode(). A codec
/// that does not change well-formed text may declare two members, which save filters and streams a copy:
///
///     bool in_place() const noexcept;
///     std::size_t check(const char* in, std::size_t size) noexcept;
///
/// in_place tells whether the output for well-formed text is that text. While it is true, check may be called: it
/// accepts whole well-formed characters from the start of `in`, moves the position past them and returns their size in
/// bytes. It writes nothing. It returns less than `size` if it meets an error or a character that the end of `in` cuts,
/// and 0 if transform must be called first. on_error::keep works only with codecs that are in_place() from the start.
///
/// Throws nothing. Complexity: each member takes constant time. Thread safety: that of a plain value, such as an int.
class codec_base {
 public:
  /// The last error; the guide has the details.
  const error_info& error() const noexcept { return error_; }
  /// The place in the input after all bytes that were decoded or reported as ill-formed, and before the bytes that the
  /// codec carries.
  text_position position() const noexcept { return position_; }
  /// The facts known about the text so far.
  const text_facts& facts() const noexcept { return facts_; }

  /// Writes one scalar value in the target encoding, here UTF-8. Returns the number of bytes, or 0 if the target lacks
  /// the character.
  std::size_t encode(char32_t c, char* out) const noexcept { return encode_utf8(c, out); }

 protected:
  /// Counts one decoded character, which took `size` bytes of input.
  void count(char32_t c, std::size_t size) noexcept { position_.pass(c, size); }

  /// Records an ill-formed subsequence of `size` bytes (1 to 6) at the present position, and moves the position past
  /// it.
  void note_error(errc code, const void* bytes, std::size_t size, char32_t code_point = 0) noexcept {
    set_error(code, bytes, size, code_point);
    position_.pass_columns(1, size);
  }

  /// Records an error of `size` bytes (0 to 6) at the present position, and leaves the position there.
  UTFILTER_API void set_error(errc code, const void* bytes, std::size_t size, char32_t code_point = 0) noexcept;

  text_position position_;  ///< Moved by count() and note_error().
  error_info error_;        ///< Set by note_error() and set_error().
  text_facts facts_;        ///< Set by the codec.
};

namespace detail {

/// Whether a codec can repair errors by itself: it has a transform that takes a repairer. The codec's header
/// specializes this as true. It stays false for classes derived from the codec, because their transform may do more.
template <class Codec>
inline constexpr bool has_repairs = false;

/// Whether the text ends for the codec if the source fails: line_sorter must count the line that it holds.
template <class Codec>
inline constexpr bool ends_at_failure = false;

/// Whether a codec can copy while it checks: it has `std::size_t copy(const char* in, std::size_t size, char* out)`. Like
/// has_repairs.
template <class Codec>
inline constexpr bool has_copy = false;

/// Whether a codec or a change has `const char* why_not() const noexcept`: the reason, as a sentence for people, why
/// adaptors refuse it with std::invalid_argument. Null if it makes sense.
template <class T, class = void>
inline constexpr bool can_be_refused = false;
template <class T>
inline constexpr bool can_be_refused<T, std::void_t<decltype(std::declval<const T&>().why_not())>> = true;

/// Whether a codec or a change has `void observe(bool is_observed) noexcept`, which adaptors call once: then it tells of its
/// changes if there is an observer.
template <class T, class = void>
inline constexpr bool is_observable = false;
template <class T>
inline constexpr bool is_observable<T, std::void_t<decltype(std::declval<T&>().observe(true))>> = true;

}  // namespace detail

}  // namespace utfilter

#endif
