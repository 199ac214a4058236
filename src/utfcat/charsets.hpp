// charsets.hpp: the charsets of ICU in utfcat. Without ICU there are none.
#ifndef UTFCAT_CHARSETS_HPP
#define UTFCAT_CHARSETS_HPP

#include "text_encoder.hpp"
#include "text_reader.hpp"

#include <utfilter/codec.hpp>
#include <utfilter/params.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace utfcat {

/// The bytes of a file in a charset as UTF-8, piece by piece.
class charset_text {
 public:
  virtual ~charset_text() = default;

  /// The next available text, in whole characters; empty at the end. Throws utf_error, and what the source throws, after
  /// all text before the error has been returned.
  virtual std::string_view next() = 0;
  virtual utfilter::stream_report report() const = 0;
  /// The place in the file of a character of the last piece. Only if the text was made with `tells_places`.
  virtual utfilter::text_position place_of(std::uint64_t line, std::uint64_t column) const = 0;
};

/// A charset of ICU.
class charset {
 public:
  virtual ~charset() = default;
  virtual std::string name() const = 0;
  virtual bool is_stateful() const = 0;
  /// Reads the bytes of the file. Throws std::invalid_argument if the params make no sense.
  virtual std::unique_ptr<charset_text> decode(text_reader, const utfilter::params&, bool tells_places) const = 0;
  /// Throws std::invalid_argument if the params make no sense.
  virtual std::unique_ptr<text_encoder> encoder(const utfilter::params&) const = 0;
};

/// Why a file in a charset has no ranges, after "this is" or the like.
inline constexpr char why_no_range[] =
    "a charset of ICU, whose lines --range cannot find: write the whole file as UTF-8 first";

/// Why a text with escape sequences does not go with an option, whose name comes after this.
inline constexpr char why_states[] = ": each byte may depend on all bytes before it, so there is no ";

/// Why such a file cannot be followed.
inline constexpr char why_no_following[] = "a charset of ICU, whose texts --follow cannot go on with";

/// Why its lines are not put aside or read in another encoding.
inline constexpr char why_no_lines[] =
    "a charset of ICU, whose lines --rejects and --line-fallback cannot find: write the whole file as UTF-8 first";

/// Null if ICU has no charset with this name, or if utfcat was built without ICU. Null, too, for an encoding that the library
/// was built without: ICU's charset of that name has other characters.
std::shared_ptr<const charset> find_charset(const std::string& name);

/// Whether ICU has a charset with this name. Without ICU: whether texts declare such a charset by this name.
bool is_charset(const std::string& name);

/// For the message about a name that nobody has: "; " and the nearest names of ICU, or how to get a utfcat with ICU.
std::string advice_on_charset(const std::string& name);

/// "; " and how to get a utfcat with ICU. Empty if this one has ICU.
std::string advice_on_icu();

/// The name of each charset and its other names. Names that belong to an encoding of utfilter are left out.
std::vector<std::pair<std::string, std::string>> list_of_charsets();

}  // namespace utfcat

#endif
