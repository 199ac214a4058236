// params.hpp: params, the policies that a filter takes; and stream_report, the report that it returns.
// layer: codecs
#ifndef UTFILTER_PARAMS_HPP
#define UTFILTER_PARAMS_HPP

#include <utfilter/checkpoint.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/error.hpp>
#include <utfilter/utf8.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace utfilter {

/// The policy for an ill-formed subsequence, or for a character that the target encoding lacks.
enum class on_error {
  strict,   ///< Throw utf_error, after all text before the error has been delivered.
  stop,     ///< Reading: end the stream cleanly before the error; the report says why. Writing: as strict.
  replace,  ///< Write params::replacement for each error. ? replaces each of its characters that the target lacks.
  skip,     ///< Leave out the ill-formed bytes or the character.
  escape,   ///< Write a lone surrogate or an unmappable character as `\u{HHHH}` (four digits or more), and any other
            ///< ill-formed byte as `\xHH`. A backslash in the text stays as it is, so the escapes cannot be undone.
  keep,     ///< Pass the bytes on unchanged, but count and observe the error. Only from UTF-8 to UTF-8.
  windows1252,  ///< Read each ill-formed byte of UTF-8 as windows-1252. Any other error: as replace.
};

/// The policy for the byte order mark: U+FEFF at the start of the text (RFC 3629 section 6).
///
/// If a protocol forbids the byte order mark, an initial U+FEFF is a character: use `keep`. `reject` makes it an error,
/// which is stricter than the RFC. The errors of `require` and `reject` come before all other errors. If the policy is
/// to repair, these two errors are only counted and observed: no bytes change.
enum class bom {
  /// Strip it if it decides the encoding (detect, utf16, utf32), or if the target cannot hold it (a single-byte
  /// encoding). Add it when writing utf16 and utf32. Otherwise keep it. So utf16le, utf16be, utf32le and utf32be are
  /// written without a byte order mark. A reader that detects the encoding, such as ifstream, takes such text for
  /// UTF-8. To avoid this, write utf16, use `add`, or name the encoding to the reader.
  automatic,
  keep,     ///< Pass it on.
  strip,    ///< Drop it. A U+FEFF anywhere else in the text is a character.
  add,      ///< Write exactly one, even to an empty stream or before an error at offset 0. A flush alone writes none.
  require,  ///< An error (missing_bom) if there is none, also in an empty stream. Apart from that, as automatic.
  reject,   ///< An error (unexpected_bom) if there is one. None is added either, not even to utf16 and utf32.
};

/// A function that names the charset of a sample of text, as params::guess_legacy: for example "Shift_JIS". An empty
/// name means that it does not know. The name must live as long as the program.
using charset_guesser = std::string_view (*)(std::string_view sample) noexcept;

/// The default of params::guess_bytes.
inline constexpr std::size_t default_guess_bytes = 4096;

/// The params::error_limit that repairs any number of errors.
inline constexpr std::uint64_t no_limit = (std::numeric_limits<std::uint64_t>::max)();

/// The policies of a filter. An aggregate: in C++20, `{.on_error = on_error::replace, .error_limit = 100}`.
///
/// A constructor or function with an argument `options` takes params, an object that converts to params, an `on_error`
/// alone (the other members then have their defaults), or braces: `{}`, in C++20 `{.on_error = on_error::skip}`.
///
/// ```cpp
/// utfilter::params p;
/// p.on_error    = utfilter::on_error::replace;
/// p.error_limit = 100;  // a file with more is no text
/// p.observer    = [](const utfilter::error_info& error) { std::clog << to_string(error) << '\n'; };
/// io::filtering_istream in;
/// in.push(utfilter::to_utf8(p));
/// ```
struct params {
  utfilter::on_error on_error = utfilter::on_error::strict;  ///< The policy for errors.
  utfilter::bom bom = utfilter::bom::automatic;              ///< The policy for the byte order mark.
  /// The encoding that encoding::detect assumes for text without a byte order mark. It cannot be detect. With guess
  /// the text itself decides.
  encoding fallback = encoding::utf8;
  /// The text that on_error::replace writes: U+FFFD, or any other well-formed UTF-8, which may be empty. ? replaces
  /// each of its characters that the target encoding lacks.
  std::string replacement = detail::replacement_character;
  /// The number of errors that are repaired. The next error is counted, observed and thrown, whatever the policy.
  std::uint64_t error_limit = no_limit;
  /// The filter calls this function for each error, in order, as soon as it finds the error. The report already counts
  /// the error; the text before it may not have been delivered yet. An exception from the observer fails the stream
  /// like a strict error, and so does pthread_cancel of the observer's thread (under glibc). The observer may call
  /// report(). It must not use the stream that it observes: utfilter's own streams then fail with std::logic_error.
  /// undo_mojibake shows it each change of the text in the same way, with the code errc{}.
  std::function<void(const error_info&)> observer = {};
  /// Makes the repair of each error under on_error::replace, instead of `replacement`: for example a number, or an
  /// element of XML. It gets the error after the observer, and returns well-formed UTF-8. ? replaces each of its
  /// characters that the target encoding lacks. Other text, and an exception from the function, fail the stream like a
  /// strict error. The rules for an observer hold for it, too.
  std::function<std::string(const error_info&)> repair = {};
  /// The place at which the input begins, if that is not the start of a text. It is for decoders, streams that read,
  /// and the filters to_utf8, utf16_to_utf8 and utf8_validator. They look for no byte order mark there, and count on
  /// from the counts of the checkpoint. encoding::detect and guess take the encoding of the checkpoint, and so do utf16
  /// and utf32 if it is UTF-8, UTF-16 or UTF-32; any other encoding must be equal to it. At the start of the text
  /// encoding::guess guesses anew.
  std::optional<checkpoint> start = {};
  /// The encoding that a decoder takes if it is made without one, or with encoding::detect. range_source and
  /// range_streambuf set it in the params that they return. Otherwise detect would take the initial U+FEFF of a text
  /// declared as utf16le for a byte order mark.
  encoding declared = encoding::detect;
  /// The number of bytes that decide about encoding::guess, at least 1. A reader keeps that many in memory, at least
  /// four. It begins to decode when it has them or the text has ended; a byte order mark decides at once.
  std::size_t guess_bytes = default_guess_bytes;
  /// The encodings of which the text has one, for encoding::guess; if empty, all. If no structure decides, it is the
  /// likeliest of them, and of equally likely ones the first. A byte order mark decides all the same, and data that is no
  /// text stays no text. utf16 stands for both byte orders, and so does utf32. It cannot hold detect and guess.
  encoding_list candidates = {};
  /// The language of the text, if it is known, by ISO 639, such as "cs" or "pt-BR": encoding::guess prefers encodings of
  /// texts in it, and excludes none. A language that the guess does not know is refused.
  std::string language = {};
  /// encoding::guess decides by the statistics of languages if the confidence in the answer is at least this, from 0 to 1.
  /// With less it assumes `legacy`, or the likeliest of the candidates. With 1 statistics decide nothing.
  double least_confidence = 0.7;
  /// The encoding that encoding::guess assumes for text that is none of UTF-8, UTF-16 and UTF-32, if nothing decides, or
  /// the library lacks the encoding that the statistics find. Its code units must be bytes.
  encoding legacy = encoding::windows1252;
  /// Asked, instead of the library's own statistics, about text that is none of UTF-8, UTF-16 and UTF-32: a
  /// detector of your own. It gets the first guess_bytes bytes, or all of a shorter text. If it does not know, or if the
  /// sample is unlikely text by its answer, `legacy` is assumed.
  charset_guesser guess_legacy = nullptr;
  /// The distance of checkpoints in bytes of output; 0 keeps none. With checkpoints codec_istreambuf, istream and
  /// ifstream seek from the nearest one before the target, and not from the start of the text. They keep checkpoints at
  /// this distance, at least 6 bytes apart, in all text that they read or seek over; each takes about 54 bytes of
  /// memory. A seek then decodes at most this many bytes: with 1 << 20, it takes about a millisecond. Distances below
  /// 65536 slow down reading. Filters, decoders, and streams that write or have another codec cannot seek, and refuse
  /// it.
  std::uint64_t index_every = 0;
};

/// Params for text that goes into a log: each error is replaced, and no error stops the log. Do not use
/// on_error::strict for a log: it would cut off the record with the bad byte and lose every record after it, because a
/// failed stream stays failed. Throws nothing. Complexity: constant.
inline params log_params() {
  params p;
  p.on_error = on_error::replace;
  return p;
}

namespace detail {

/// Constructors take their policies as one argument, the options: params, or an on_error or a bom alone, which leaves
/// the other members at their defaults. The type of the options is a template parameter. Braces, such as {} or in C++20
/// {.on_error = on_error::skip}, have no type, so the compiler takes the default type, params.
template <class Options>
using if_options =
    std::enable_if_t<std::is_convertible_v<const Options&, params> || std::is_convertible_v<const Options&, on_error> ||
                     std::is_convertible_v<const Options&, bom>>;

inline const params& to_params(const params& p) noexcept { return p; }
inline params to_params(on_error policy) {
  params p;
  p.on_error = policy;
  return p;
}
inline params to_params(bom policy) {
  params p;
  p.bom = policy;
  return p;
}

}  // namespace detail

/// The report of a filter on one use, from its first read or write to close. Once the stream has reached its end, an
/// error or close, the counts do not depend on how the input was cut into pieces. Before that they may run ahead of the
/// text delivered.
struct stream_report {
  /// The encoding, as declared or as detected. For data that is no text it is detect, or params::legacy as soon as a
  /// policy that repairs lets the data be decoded in that.
  utfilter::encoding encoding = encoding::detect;
  bool bom = false;  ///< Whether the input began with a byte order mark. U+FEFF as a character does not count.
  std::uint64_t bytes_in = 0;   ///< Bytes of input decoded, including ill-formed subsequences and byte order marks.
  std::uint64_t bytes_out = 0;  ///< Bytes of output produced.
  std::uint64_t lines = 0;      ///< Line feeds (U+000A) decoded.
  std::uint64_t errors = 0;     ///< Errors found, including repaired ones.
  std::optional<error_info> first_error;  ///< The first of these errors.
  std::optional<error_info> last_error;   ///< The last of these errors.
  /// The exception that failed the use, even if a destructor swallowed it: a utf_error, or an exception of the
  /// observer, of the filter's source or sink, or of the buffer beneath a stream. Null if the use has not failed. If
  /// the use went on after its sink had failed, this is the last such exception; and after a write that came in the
  /// middle of another one, a std::logic_error that says so.
  std::exception_ptr failure;
  /// Characters that the filter has inserted into the text, apart from repairs: those of normalize_nfc. 0 for other
  /// filters.
  std::uint64_t inserted = 0;
  /// How many places of the text, and of its repairs, a filter has changed whose purpose is to change text: what the
  /// changes of changes.hpp count, characters that escape_controls has escaped, and lines that to_utf8_lines has put aside
  /// or read by a fallback. 0 for other filters.
  std::uint64_t changes = 0;
  /// Why the text was read in this encoding.
  evidence decided_by = evidence::named;
  /// How sure that is, from 0 to 1: of the texts that statistics decided with 0.9, nine in ten are in that encoding. 1 if
  /// other evidence decided; 0 if nothing speaks for an assumption.
  double confidence = 1;
  /// The name of the encoding or charset that a guessed text declares in its first lines, if the text was not read in
  /// it: the text does not decode by it, or its structure shows another. Empty otherwise. The name lives as long as the
  /// program.
  std::string_view unused_declaration = {};
  /// Bytes that were written to the filter or stream and reached nobody, because its sink had failed, its text had
  /// failed, or the write came in the middle of another one. Bytes count as they were given; those that the sink
  /// refused after they were converted count as converted.
  std::uint64_t lost = 0;

  /// Throws `failure`, unless it is null: for loops over a stream in which an error looks like the end of the text.
  ///
  /// ```cpp
  /// utfilter::istream in(std::cin);
  /// for (std::string line; std::getline(in, line);) std::cout << line << '\n';
  /// in.report().throw_if_failed();
  /// ```
  void throw_if_failed() const {
    if (failure != nullptr) std::rethrow_exception(failure);
  }
};

}  // namespace utfilter

#endif
