// fwd.hpp: declares the types of the library, for headers that only name them. A declaration of your own would break:
// many of the names stand for templates with arguments.
// layer: unicode
#ifndef UTFILTER_FWD_HPP
#define UTFILTER_FWD_HPP

#include <utfilter/config.hpp>

#include <cstdint>

namespace utfilter {

// Texts, errors and policies.
enum class bom;
enum class characters : std::uint32_t;
enum class encoding;
enum class errc;
enum class escape_style;
enum class evidence : std::uint8_t;
enum class line_policy;
enum class on_error;
enum class record_kind : std::uint8_t;
enum class reject_format;
class encoding_list;
class printable;
class utf_error;
struct byte_range;
struct charset_guess;
struct checkpoint;
struct encoding_candidate;
struct encoding_guess;
struct error_info;
struct line_counts;
struct line_rules;
struct params;
struct printable_options;
struct odd_line;
struct stream_report;
struct text_position;

// Codecs.
enum class codec_status;
enum class finding : std::uint8_t;
enum class newline : std::uint8_t;
class codec_base;
class control_escaper;
class inspector;
class line_sorter;
class repairer;
class bom_codec;
class transcoder;
class utf8_checker;
struct codec_progress;
struct finding_count;
struct text_facts;
struct text_inspection;
struct text_piece;
template <class Change>
class text_codec;

// Changes of text, and the filters that make them.
template <class Change>
class text_filter;
namespace changes {
struct convert_newlines;
struct escape_characters;
struct normalize_nfc;
struct reject_characters;
struct reject_controls;
struct remove_characters;
struct remove_controls;
struct reread_legacy;
struct skip_hole;
struct strip_boms;
struct undo_mojibake;
struct update_declaration;
}  // namespace changes
using convert_newlines = text_filter<changes::convert_newlines>;
using normalize_nfc = text_filter<changes::normalize_nfc>;
class escape_characters;
class reread_legacy;
using reject_characters = text_filter<changes::reject_characters>;
using reject_controls = text_filter<changes::reject_controls>;
using remove_characters = text_filter<changes::remove_characters>;
using remove_controls = text_filter<changes::remove_controls>;
using skip_hole = text_filter<changes::skip_hole>;
using strip_boms = text_filter<changes::strip_boms>;
using undo_mojibake = text_filter<changes::undo_mojibake>;
using update_declaration = text_filter<changes::update_declaration>;
using nfc_normalizer = text_codec<changes::normalize_nfc>;

// Buffers.
UTFILTER_BEGIN_EXCEPTIONS_NAMESPACE
template <class Codec>
class conversion;
template <class Codec>
class codec_decoder;
template <class Codec>
class codec_encoder;
using decoder = codec_decoder<transcoder>;
using encoder = codec_encoder<transcoder>;
UTFILTER_END_EXCEPTIONS_NAMESPACE

// Filters, sources and sinks.
template <class Codec>
class codec_filter;
class bom_filter;
class escape_controls;
class from_utf8;
using inspect_text = codec_filter<inspector>;
class to_utf8;
class to_utf8_lines;
class utf16_to_utf8;
class utf8_validator;
class follow_source;
class range_source;
class stream_source;
template <class Codec>
class codec_spdlog_formatter;
template <class Codec>
class codec_spdlog_sink;
class escaping_spdlog_sink;
class spdlog_sink;

// Streams.
enum class file_end;
struct follow_options;
class follow_streambuf;
class line_reader;
class rejects;
class range_streambuf;
template <class Codec>
class codec_istreambuf;
template <class Codec>
class codec_ostreambuf;
template <class Codec>
class codec_istream;
template <class Codec>
class codec_ostream;
template <class Codec>
class codec_ifstream;
template <class Codec>
class codec_ofstream;
template <class Codec>
class codec_scoped_filter;
using istream = codec_istream<transcoder>;
using ostream = codec_ostream<transcoder>;
using ifstream = codec_ifstream<transcoder>;
using ofstream = codec_ofstream<transcoder>;
using scoped_filter = codec_scoped_filter<transcoder>;
namespace detail {
class wide_codec;  // not for users
}
using wistream = codec_istream<detail::wide_codec>;
using wostream = codec_ostream<detail::wide_codec>;
using wifstream = codec_ifstream<detail::wide_codec>;
using wofstream = codec_ofstream<detail::wide_codec>;

// Charsets of ICU.
class charset;
class charset_reader;
class charset_writer;
class charset_to_utf8;
class utf8_to_charset;

}  // namespace utfilter

#endif
