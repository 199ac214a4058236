// params.hpp: what a filter is told (policies), and what it tells (the report).
#ifndef UTFILTER_PARAMS_HPP
#define UTFILTER_PARAMS_HPP

#include <utfilter/encoding.hpp>
#include <utfilter/error.hpp>

#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

namespace utfilter {

/// What becomes of an ill-formed subsequence, or of a character that the target encoding lacks.
enum class on_error {
  strict,   ///< Throw utf_error, after all that precedes the error has been delivered.
  stop,     ///< Reading: end the stream cleanly there; the report says why. Writing: as strict.
  replace,  ///< Write params::replacement once per ill-formed subsequence; ? for each character the target lacks.
  skip,     ///< Leave it out.
  escape,   ///< A lone surrogate or an unmappable character as `\u{HHHH}` (four digits or more), other bytes as `\xHH`.
            ///< A backslash in the text stays as it is, so that this cannot be undone.
  keep,     ///< Pass the bytes on unchanged, counted and observed. Only from UTF-8 to UTF-8.
  windows1252,  ///< Read each ill-formed byte of UTF-8 as windows-1252; elsewhere as replace.
};

/// What becomes of the signature, U+FEFF at the start of the text (RFC 3629 section 6).
///
/// Where a protocol forbids the signature an initial U+FEFF is a character: that is `keep`. `reject`, which makes it an
/// error, is stricter than the RFC. The errors of `require` and `reject` come before all others, and no policy repairs
/// them.
enum class bom {
  /// Strip it where it was used to detect (detect, utf16, utf32) and where the target cannot hold it (one of bytes);
  /// add it when writing utf16 and utf32; else keep it. So utf16le, utf16be, utf32le and utf32be are written without
  /// one, and a reader that detects, such as ifstream, takes that text for UTF-8: write utf16, say `add`, or tell the
  /// reader.
  automatic,
  keep,     ///< Pass it on.
  strip,    ///< Drop the first one only; U+FEFF anywhere else is a character.
  add,      ///< Exactly one, also on an empty stream and before an error at offset 0. A flush alone never writes it.
  require,  ///< An error (missing_bom) where there is none, an empty stream included; then as automatic.
  reject,   ///< An error (unexpected_bom) where there is one. None is added either, not even to utf16 and utf32.
};

/// No limit on the number of errors that are repaired.
inline constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

/// How a filter is to behave. An aggregate: in C++20, `{.on_error = on_error::replace, .error_limit = 100}`.
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
  utfilter::on_error on_error = utfilter::on_error::strict;  ///< What becomes of ill-formed text.
  utfilter::bom bom = utfilter::bom::automatic;              ///< What becomes of the signature.
  /// What encoding::detect takes for text without a byte order mark; any encoding but detect.
  encoding fallback = encoding::utf8;
  /// Well-formed UTF-8 of any length, also none. In the target encoding, ? stands for what that encoding lacks.
  std::string replacement = "\xEF\xBF\xBD";
  /// So many errors are repaired; the one beyond is counted, observed and thrown, whatever the policy.
  std::uint64_t error_limit = no_limit;
  /// Called for each error, in order, when it is found: the report counts it already, the text before it may not have
  /// been delivered yet. What it throws fails the stream like a strict error; so does pthread_cancel of its thread,
  /// under glibc. It may ask for the report. It must not use the stream it observes: utfilter's own streams fail with
  /// std::logic_error then.
  std::function<void(const error_info&)> observer = {};
};

/// For text that goes into a log: each error is replaced, none can stop it. on_error::strict must not be used there:
/// the record with the bad byte would be cut off, and as errors stick, every record after it lost. Throws nothing.
/// Complexity: constant.
inline params log_params() {
  params p;
  p.on_error = on_error::replace;
  return p;
}

namespace detail {

/// Constructors take their policies as one argument, the options: params, or an on_error alone, which leaves the rest
/// at its default. They are templates of its type. Braces tell no type, so they get the default one, params: {}, in
/// C++20 {.on_error = on_error::skip}.
template <class Options>
using if_options =
    std::enable_if_t<std::is_convertible_v<const Options&, params> || std::is_convertible_v<const Options&, on_error>>;

inline const params& to_params(const params& p) noexcept { return p; }
inline params to_params(on_error policy) {
  params p;
  p.on_error = policy;
  return p;
}

}  // namespace detail

/// What a filter has seen since the use of it began. Counts are the same for every way the input was cut once the
/// stream has run to its end, to an error or to close; before that they may run ahead of what was delivered.
struct stream_report {
  utfilter::encoding encoding = encoding::detect;  ///< As declared, or as decided.
  bool bom = false;                       ///< The input began with a signature; a U+FEFF that is a character is none.
  std::uint64_t bytes_in = 0;             ///< Bytes decoded, and those of ill-formed subsequences and signatures.
  std::uint64_t bytes_out = 0;            ///< Bytes produced.
  std::uint64_t lines = 0;                ///< Line feeds (U+000A) decoded.
  std::uint64_t errors = 0;               ///< Found, repaired ones included.
  std::optional<error_info> first_error;  ///< Of these.
  std::optional<error_info> last_error;   ///< Of these.
  /// What failed the use, also where a destructor swallowed it: a utf_error, what the observer threw, or what the
  /// source or the sink of a filter or the buffer beneath a stream threw. Null where nothing did.
  std::exception_ptr failure;
};

}  // namespace utfilter

#endif
