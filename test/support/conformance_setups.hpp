// conformance_setups.hpp: makes the filter and the codec of a setup; compares and prints the outcomes of runs.
#ifndef UTFILTER_TEST_CONFORMANCE_SETUPS_HPP
#define UTFILTER_TEST_CONFORMANCE_SETUPS_HPP

#include "support/conformance_vocabulary.hpp"
#include "support/same_error.hpp"

#include <utfilter/bom_filter.hpp>
#include <utfilter/control_escaper.hpp>
#include <utfilter/from_utf8.hpp>
#include <utfilter/bom_codec.hpp>
#include <utfilter/to_utf8.hpp>
#include <utfilter/utf16_to_utf8.hpp>
#include <utfilter/utf8_validator.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace conformance {

/// The library's filters, as their base classes: the filters themselves only add constructors.
using any_filter =
    std::variant<utfilter::codec_filter<utfilter::transcoder>, utfilter::codec_filter<utfilter::bom_codec>,
                 utfilter::codec_filter<utfilter::control_escaper>>;
using any_conversion =
    std::variant<utfilter::conversion<utfilter::transcoder>, utfilter::conversion<utfilter::bom_codec>>;
using pieces = std::vector<std::string>;

//--------------------------------------------------------------------------------------------------------------- setups

inline any_filter filter_of(const setup& s, utfilter::params p) {
  switch (s.kind) {
    case filter_kind::validator: return utfilter::utf8_validator(std::move(p));
    case filter_kind::utf16_decoder: return utfilter::utf16_to_utf8(s.text, std::move(p));
    case filter_kind::decoder: return utfilter::to_utf8(s.text, std::move(p));
    case filter_kind::encoder: return utfilter::from_utf8(s.text, std::move(p));
    case filter_kind::bom: break;
  }
  return utfilter::bom_filter(p.bom, s.text, p);
}

/// Calls `use` with the codec of the setup.
template <class Use>
auto with_codec(const setup& s, Use&& use) {
  using utfilter::transcoder;
  switch (s.kind) {
    case filter_kind::validator: return use(transcoder::validating(s.params.bom));
    case filter_kind::encoder: return use(transcoder::encoding_to(s.text, s.params.bom));
    case filter_kind::bom: return use(utfilter::bom_codec(s.params.bom, s.text));
    default: return use(transcoder::decoding(s.text, s.params.bom, s.params.fallback));
  }
}

//------------------------------------------------------------------------------------------------------ names and bytes

inline std::string from_hex(std::string_view digits) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes += static_cast<char>(static_cast<unsigned char>(std::stoul(std::string(digits.substr(i, 2)), nullptr, 16)));
  return bytes;
}

inline std::string to_hex(std::string_view bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) (text += digits[reference::byte_of(c) / 16]) += digits[reference::byte_of(c) % 16];
  return text;
}

template <class T, std::size_t N>
const char* name_of(T value, const char* const (&names)[N]) {
  const auto i = static_cast<std::size_t>(value);
  return i < N ? names[i] : "?";
}
constexpr const char* filter_names[] = {"utf8_validator", "utf16_to_utf8", "to_utf8", "from_utf8", "bom_filter"};

inline std::string name_of(encoding e) {
  const std::optional<reference::encoding> known = find_in_reference(e);
  return known ? name_of(*known, encoding_names) : to_string(e);
}

/// The value with that name. The names stand in the tests' own tables, so an unknown name is a mistake in a table.
template <class T, std::size_t N>
T named(const std::string& name, const char* const (&names)[N]) {
  for (std::size_t i = 0; i < N; ++i)
    if (name == names[i]) return static_cast<T>(i);
  throw std::logic_error("no such name: " + name);
}

inline encoding encoding_named(const std::string& name) {
  return from_reference(named<reference::encoding>(name, encoding_names));
}

inline std::string text_of(const setup& s) {
  std::string text = filter_names[static_cast<int>(s.kind)];
  (text += ' ') += name_of(s.text);
  (text += ", bom ") += name_of(s.params.bom, bom_names);
  (text += ", on_error ") += name_of(s.params.on_error, on_error_names);
  if (s.params.fallback != encoding::utf8) (text += ", fallback ") += name_of(s.params.fallback);
  if (s.params.error_limit != utfilter::no_limit) text += ", error_limit " + std::to_string(s.params.error_limit);
  if (s.params.replacement != "\xEF\xBF\xBD") text += ", replacement " + to_hex(s.params.replacement);
  return text;
}

inline std::string text_of(const error_info& e) {
  std::ostringstream text;
  text << name_of(e.code, errc_names) << " at " << e.offset << ':' << e.line << ':' << e.column << ':' << e.line_offset
       << " <" << to_hex({reinterpret_cast<const char*>(e.bytes.data()), e.size}) << '>';
  if (e.code_point != 0) text << " U+" << std::hex << static_cast<unsigned long>(e.code_point);
  return text.str();
}

inline std::string text_of(const std::vector<error_info>& errors) {
  std::string text;
  for (const error_info& e : errors) text += '[' + text_of(e) + ']';
  return text;
}

inline std::string text_of(const std::optional<error_info>& e) { return e ? text_of(*e) : "none"; }

inline std::string text_of(const outcome& o) {
  std::ostringstream text;
  const auto& r = o.report;
  text << "output <" << to_hex(o.output) << "> thrown " << text_of(o.thrown) << " observed " << text_of(o.observed)
       << " report " << name_of(r.encoding) << (r.bom ? " bom" : "") << " in " << r.bytes_in << " out " << r.bytes_out
       << " lines " << r.lines << " errors " << r.errors << " first " << text_of(r.first_error) << " last "
       << text_of(r.last_error) << " inserted " << r.inserted << " changes " << r.changes;
  return text.str();
}

inline std::string text_of(const pieces& cut) {
  std::string text;
  for (const std::string& piece : cut) text += '|' + to_hex(piece);
  return text + '|';
}

constexpr std::streamsize link_sizes[] = {0, 1, 2, 3, 7, 64, 4096};

inline bool same(const outcome& a, const outcome& b) {
  const auto &r = a.report, &s = b.report;
  return a.output == b.output && same_error(a.thrown, b.thrown) &&
         std::equal(a.observed.begin(), a.observed.end(), b.observed.begin(), b.observed.end(),
                    [](const error_info& x, const error_info& y) { return same_error(x, y); }) &&
         r.encoding == s.encoding && r.bom == s.bom && r.inserted == s.inserted && r.changes == s.changes &&
         r.bytes_in == s.bytes_in && r.bytes_out == s.bytes_out && r.lines == s.lines && r.errors == s.errors &&
         same_error(r.first_error, s.first_error) && same_error(r.last_error, s.last_error);
}

/// Records the exception in the outcome.
inline void note_failure(outcome& got, const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const utfilter::utf_error& e) {
    got.thrown = e.info();
  } catch (const std::exception& e) {
    got.output += std::string(" and threw: ") + e.what();
  }
}

}  // namespace conformance

#endif
