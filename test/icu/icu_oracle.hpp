// icu_oracle.hpp: ICU's C functions, called without utfilter: what the charsets of utfilter are compared with.
#ifndef UTFILTER_TEST_ICU_ORACLE_HPP
#define UTFILTER_TEST_ICU_ORACLE_HPP

#include <unicode/ucnv.h>
#include <unicode/uset.h>
#include <unicode/ustring.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace icu_oracle {

struct closes {
  void operator()(UConverter* c) const { ucnv_close(c); }
  void operator()(USet* s) const { uset_close(s); }
};
using converter = std::unique_ptr<UConverter, closes>;

inline void U_CALLCONV stop_to(const void*, UConverterToUnicodeArgs*, const char*, std::int32_t,
                               UConverterCallbackReason, UErrorCode*) {}
inline void U_CALLCONV stop_from(const void*, UConverterFromUnicodeArgs*, const UChar*, std::int32_t, UChar32,
                                 UConverterCallbackReason, UErrorCode*) {}

/// A new converter, which stops at errors.
inline converter open(const std::string& name) {
  UErrorCode status = U_ZERO_ERROR;
  converter c(ucnv_open(name.c_str(), &status));
  ucnv_setToUCallBack(c.get(), stop_to, nullptr, nullptr, nullptr, &status);
  ucnv_setFromUCallBack(c.get(), stop_from, nullptr, nullptr, nullptr, &status);
  if (U_FAILURE(status)) throw std::runtime_error("ICU cannot open " + name);
  ucnv_setFallback(c.get(), 0);
  return c;
}

/// The names of ICU's converters, but the one that ICU cannot copy.
inline std::vector<std::string> names() {
  std::vector<std::string> all;
  for (std::int32_t i = 0; i < ucnv_countAvailable(); ++i)
    if (std::string name = ucnv_getAvailableName(i); name != "x11-compound-text") all.push_back(std::move(name));
  return all;
}

inline std::string utf8(const std::u16string& units) {
  std::string text(3 * units.size(), '\0');
  std::int32_t size = 0;
  UErrorCode status = U_ZERO_ERROR;
  u_strToUTF8(text.data(), static_cast<std::int32_t>(text.size()), &size, reinterpret_cast<const UChar*>(units.data()),
              static_cast<std::int32_t>(units.size()), &status);
  if (U_FAILURE(status)) throw std::runtime_error("u_strToUTF8 fails");
  text.resize(static_cast<std::size_t>(size));
  return text;
}

/// The characters of a charset: those that it gives and takes. Three controls are left out: ICU exchanges them in some
/// charsets, and utfilter does not.
inline std::vector<char32_t> characters(UConverter* c) {
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<USet, closes> set(uset_openEmpty());
  ucnv_getUnicodeSet(c, set.get(), UCNV_ROUNDTRIP_SET, &status);
  std::vector<char32_t> all;
  for (std::int32_t i = 0; i < uset_getItemCount(set.get()); ++i) {
    UChar32 begin = 0, end = 0;
    status = U_ZERO_ERROR;
    if (uset_getItem(set.get(), i, &begin, &end, nullptr, 0, &status) != 0) continue;
    for (UChar32 value = begin; value <= end; ++value)
      if ((value < 0xD800 || value > 0xDFFF) && value != 0x1A && value != 0x1C && value != 0x7F)
        all.push_back(static_cast<char32_t>(value));
  }
  return all;
}

/// The bytes of a text; nothing if the charset lacks a character. Some converters look at the next characters to
/// choose among several codes: they get one at a time.
inline std::optional<std::string> encode(const std::string& name, const std::u32string& text) {
  const converter c = open(name);
  std::string bytes;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    UChar units[2];
    std::int32_t size = 0;
    if (i != text.size()) U16_APPEND_UNSAFE(units, size, static_cast<UChar32>(text[i]));
    char out[64];
    char* to = out;
    const UChar* from = units;
    UErrorCode status = U_ZERO_ERROR;
    ucnv_fromUnicode(c.get(), &to, out + sizeof out, &from, units + size, nullptr, i == text.size(), &status);
    if (U_FAILURE(status)) return std::nullopt;
    bytes.append(out, to);
  }
  return bytes;
}

/// An error in a text, by ICU's account.
struct error {
  std::uint64_t offset, line, column, line_offset;
  std::string bytes;
  UErrorCode code;
};

struct decoded {
  std::u16string units;  // U+FFFD for each error
  std::vector<error> errors;
};

/// Decodes a text at one go. Only for converters that tell the offset of each unit, and the bytes of each error.
inline decoded decode(const std::string& name, const std::string& text) {
  const converter c = open(name);
  decoded result;
  std::uint64_t line = 1, column = 1, line_offset = 0;
  const char* from = text.data();
  const char* const end = text.data() + text.size();
  while (true) {
    UChar units[256];
    std::int32_t offsets[256];
    UChar* to = units;
    const char* const begin = from;
    UErrorCode status = U_ZERO_ERROR;
    ucnv_toUnicode(c.get(), &to, units + 256, &from, end, offsets, 1, &status);
    for (const UChar* u = units; u != to; ++u) {
      result.units += static_cast<char16_t>(*u);
      if (!U16_IS_TRAIL(*u)) ++column;
      if (*u != '\n') continue;
      ++line;
      column = 1;
      line_offset = static_cast<std::uint64_t>(begin - text.data() + offsets[u - units]) + 1;
    }
    if (U_SUCCESS(status)) return result;
    if (status == U_BUFFER_OVERFLOW_ERROR) continue;
    char bytes[32];
    std::int8_t size = sizeof bytes;
    UErrorCode ignored = U_ZERO_ERROR;
    ucnv_getInvalidChars(c.get(), bytes, &size, &ignored);
    const auto kept = ucnv_toUCountPending(c.get(), &ignored);
    result.errors.push_back({static_cast<std::uint64_t>(from - text.data() - kept - size), line, column, line_offset,
                             std::string(bytes, static_cast<std::size_t>(size)), status});
    result.units += u'\uFFFD';
    ++column;
  }
}

}  // namespace icu_oracle

#endif
