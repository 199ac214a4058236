// charset.hpp: every charset of ICU, as codecs, for buffers, and as streams. It needs the component icu
// (utfilter::icu), but no Boost; icu.hpp adds the filters.
// layer: icu
#ifndef UTFILTER_CHARSET_HPP
#define UTFILTER_CHARSET_HPP

#include <utfilter/codec.hpp>
#include <utfilter/config.hpp>
#include <utfilter/convert.hpp>
#include <utfilter/decoder.hpp>
#include <utfilter/detail/deduction.hpp>
#include <utfilter/detail/codec_with_bom.hpp>
#include <utfilter/fstream.hpp>
#include <utfilter/params.hpp>
#include <utfilter/stream.hpp>

#include <cstddef>
#include <filesystem>
#include <ios>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace utfilter {

class charset_writer;

namespace detail {
struct charset_facts;
}

/// A charset of ICU: IBM852 and other pages of DOS, pages of EBCDIC, EUC-TW, ISO-2022-KR, UTF-7, and about 180 more.
///
/// For the encodings of encoding.hpp use the functions that take an encoding: they are many times faster, and their
/// texts can begin at a checkpoint. A charset with the name of such an encoding is ICU's converter. Those of Shift_JIS,
/// EUC-JP, ISO-2022-JP, EUC-KR, GBK, GB18030 and Big5 have other characters than the encodings: doc/charsets.md lists
/// them, and says which bytes are ill-formed.
///
/// ```cpp
/// const utfilter::charset czech("cp852");
/// assert(czech.name() == "IBM852" && !czech.is_stateful());
/// ```
///
/// The buffers and streams of any codec (codec_decoder, codec_istream, codec_ifstream, and their like that write) take
/// a charset, or its name, as their second argument, the buffers as their first. They are then made of charset_reader
/// or charset_writer: the type of this stream is codec_ifstream<charset_reader>.
///
/// ```cpp
/// utfilter::codec_ifstream in("letter.txt", "EUC-TW");
/// if (!in.is_open()) std::cerr << "letter.txt: " << in.open_error().message() << '\n';
/// for (std::string line; std::getline(in, line);) std::cout << line << '\n';
/// ```
///
/// A copy is the same charset. A move is a copy. Complexity: each member states its own. Thread safety: that of a
/// std::shared_ptr; copies may be used in different threads.
class UTFILTER_ICU_API charset {
 public:
  /// Finds a charset by any name that ICU knows, and by the names that mail, the web and Windows write. Case, - and _
  /// do not count. There is one exception: a name that differs from that of an encoding of encoding.hpp only by - and _
  /// is refused, unless ICU's charset has exactly the characters of the encoding. Of two similar charsets a name means
  /// the larger one, as in the WHATWG Encoding Standard: "gb2312" is GBK. A name of an encoding of encoding.hpp has the
  /// byte order of that encoding: "ucs-2" is UTF-16LE. The suffix ",swaplfnl" swaps line feed and newline, for EBCDIC
  /// of z/OS. Throws std::invalid_argument, with the three nearest names, if there is no such charset, and
  /// std::bad_alloc. Complexity: some ten thousand instructions, so keep the object.
  explicit charset(std::string_view name);
  /// The same, for functions that take a charset and are given a name: charset_to_utf8("IBM852"). Throws what the
  /// constructor above throws.
  template <class Name, class = std::enable_if_t<std::is_convertible_v<const Name&, std::string_view>>>
  charset(const Name& name) : charset(std::string_view(name)) {}
  /// @{
  /// Copies. There is no move, so a charset always has its facts.
  charset(const charset&) = default;
  charset& operator=(const charset&) = default;
  ~charset() = default;
  /// @}

  /// The preferred name: MIME's, else IANA's, else ICU's. Complexity: constant.
  std::string name() const;
  /// All other names. A name that ICU gives to several charsets is listed only for the charset that the constructor
  /// finds by it.
  std::vector<std::string> aliases() const;
  /// Whether the meaning of a byte depends on those before it, as in ISO-2022-JP, HZ and UTF-7. Then no part of a text
  /// can be decoded without the text before it.
  bool is_stateful() const noexcept;

  /// Whether the constructor accepts the name. Throws std::bad_alloc.
  static bool exists(std::string_view name);
  /// The preferred names of all charsets, in ICU's order. Throws std::bad_alloc.
  static std::vector<std::string> names();
  /// The names that are nearest to a wrong one, of at most three charsets; see nearest_encoding_names. Throws
  /// std::bad_alloc.
  static std::vector<std::string> nearest_names(std::string_view name);

 private:
  friend class charset_reader;
  friend class charset_writer;
  friend struct detail::written_file<charset_writer>;

  std::shared_ptr<const detail::charset_facts> facts_;
};

/// The codec from a charset to UTF-8.
///
/// ```cpp
/// utfilter::charset_reader codec(utfilter::charset("EUC-TW"));
/// char out[16];
/// const auto done = codec.transform("\xC4\xE3\xC4", 3, out, sizeof out, false);  // one character; C4 is carried
/// assert(done.consumed == 3 && std::string(out, done.produced) == "\u4E2D");
/// ```
///
/// A buffer or stream that is made from a charset throws std::invalid_argument, with the reason, for params that make
/// no sense: on_error::keep, params::start, params::index_every, or a policy for the byte order mark. Text in a charset
/// cannot begin at a checkpoint.
///
/// ```cpp
/// utfilter::codec_decoder text(utfilter::charset("GB18030"), utfilter::on_error::replace);
/// char out[16];
/// const auto done = text.convert("\xD6\xD0\x81", 3, out, sizeof out, true);  // U+4E2D, U+FFFD
/// assert(done.produced == 6 && text.report().errors == 1 && text.report().first_error->offset == 2);
/// ```
///
/// Copying it throws std::bad_alloc; all else throws nothing. A codec that was moved from can only be destroyed or
/// assigned to. Complexity: linear. Thread safety: that of a plain value.
class UTFILTER_ICU_API charset_reader : public codec_base {
 public:
  static constexpr std::size_t min_output = 4;  ///< In bytes.

  /// Begins a text in this charset. Throws std::bad_alloc.
  explicit charset_reader(const charset& from);
  /// @{
  /// A copy has the state of the original, also in the middle of a character.
  charset_reader(const charset_reader&);
  charset_reader& operator=(const charset_reader&);
  charset_reader(charset_reader&&) noexcept;
  charset_reader& operator=(charset_reader&&) noexcept;
  ~charset_reader();
  /// @}

  /// Converts one piece; doc/codecs.md has the rules.
  codec_progress transform(const char* in, std::size_t size, char* out, std::size_t room, bool last) noexcept;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

/// The codec from UTF-8 to a charset; charset_reader documents the rest.
///
/// ```cpp
/// utfilter::charset_writer codec(utfilter::charset("IBM852"));
/// char out[64];
/// const auto done = codec.transform("\u0159", 2, out, sizeof out, true);
/// assert(std::string(out, done.produced) == "\xFD");
/// ```
///
/// Text that codec_ofstream appends to a file (std::ios::app) begins in the charset's first state; close() also leaves
/// a file in that state. For some charsets that is not enough. A reader of the file would read the appended text as
/// other text (BOCU-1, SCSU), as an error (ISO-2022-JP, right after a character beyond ASCII), or with a byte order
/// mark in the middle (UTF-16). So the constructor reads the file, and tries how a reader would read further text. If a
/// reader would misread it, or the file ends inside a character or cannot be read, the constructor throws
/// std::ios_base::failure with the path and the reason, and the file stays as it is. After a line feed nearly all
/// charsets can go on. For a file that is not empty, bom::add writes no byte order mark, and bom::require makes no
/// sense. The constructor reads the file once; in most charsets that are not stateful only the last line, and nothing
/// if each character is one byte.
///
/// ```cpp
/// utfilter::codec_ofstream out("letter.txt", "EUC-TW", std::ios::app);
/// if (!out.is_open()) std::cerr << "letter.txt: " << out.open_error().message() << '\n';
/// out << "\u4E2D\n";
/// out.close();
/// ```
///
/// Complexity: linear. Thread safety: that of a plain value.
class UTFILTER_ICU_API charset_writer : public detail::codec_with_bom {
 public:
  static constexpr std::size_t min_output = 32;  ///< In bytes: a character and the escape sequences around it.

  /// The policy decides about U+FEFF at the start of the text. Under bom::automatic it is written if the charset has
  /// it, and dropped otherwise. Throws std::bad_alloc. It does not check the policy: see why_not.
  explicit charset_writer(const charset& to, bom = bom::automatic);
  /// @{
  /// A copy has the state of the original, also in the middle of a character. Copying throws std::bad_alloc.
  charset_writer(const charset_writer&);
  charset_writer& operator=(const charset_writer&);
  charset_writer(charset_writer&&) noexcept;
  charset_writer& operator=(charset_writer&&) noexcept;
  ~charset_writer();
  /// @}

  /// Converts one piece; doc/codecs.md has the rules.
  codec_progress transform(const char* in, std::size_t size, char* out, std::size_t room, bool last) noexcept;
  /// Takes the text of a repair; doc/codecs.md has the rules.
  codec_progress insert(const char* in, std::size_t size, char* out, std::size_t room, bool last) noexcept;

  /// Why a policy makes no sense for a charset, as a sentence for people; null if it makes sense.
  static const char* why_not(const charset& to, bom) noexcept;

 private:
  using codec_with_bom::encode;  // hidden: it writes UTF-8

  struct state;
  std::unique_ptr<state> state_;
};

namespace detail {

/// The codecs are named by their charset. For params that make no sense, both functions throw std::invalid_argument,
/// with the reason.
template <>
struct naming<charset_reader> {
  using name = charset;
  UTFILTER_ICU_API static charset_reader reading(const charset& from, const params& p);
};
template <>
struct naming<charset_writer> {
  using name = charset;
  UTFILTER_ICU_API static charset_writer writing(const charset& to, const params& p);
};

/// A charset, or its name.
template <class What>
struct codecs_of<What, std::enable_if_t<std::is_convertible_v<const What&, charset>>> {
  using reader = charset_reader;
  using writer = charset_writer;
};

template <>
UTFILTER_ICU_API written_file<charset_writer> written_file<charset_writer>::at(const std::filesystem::path&,
                                                                               const charset& to, const params&,
                                                                               std::ios_base::openmode);

}  // namespace detail

/// Decodes bytes in a charset to UTF-8. to_utf8_string in convert.hpp documents the rest.
///
/// ```cpp
/// assert(utfilter::to_utf8_string("\xC4\xE3", "EUC-TW") == "\u4E2D");
/// ```
///
/// Throws what the constructor of codec_decoder and std::rethrow_exception(codec_decoder::failure()) throw. Complexity:
/// linear. Thread safety: each call by itself.
template <class Options = on_error, class = detail::if_options<Options>>
std::string to_utf8_string(std::string_view bytes, const charset& from, const Options& options = on_error::replace) {
  std::string made;
  string_detail::append_decoded(made, codec_decoder(from, options), bytes);
  return made;
}

/// @cond
// Names of version 0.2, until 0.4.
using charset_decoder [[deprecated("until 0.4: write codec_decoder<charset_reader>")]] = codec_decoder<charset_reader>;
using charset_encoder [[deprecated("until 0.4: write codec_encoder<charset_writer>")]] = codec_encoder<charset_writer>;
using charset_istream [[deprecated("until 0.4: write codec_istream<charset_reader>")]] = codec_istream<charset_reader>;
using charset_ostream [[deprecated("until 0.4: write codec_ostream<charset_writer>")]] = codec_ostream<charset_writer>;
using charset_ifstream [[deprecated("until 0.4: write codec_ifstream<charset_reader>")]] =
    codec_ifstream<charset_reader>;
using charset_ofstream [[deprecated("until 0.4: write codec_ofstream<charset_writer>")]] =
    codec_ofstream<charset_writer>;
/// @endcond

}  // namespace utfilter

#endif
