// foreign_converters.hpp: ICU and iconv(3) on whole texts. An oracle: it must include nothing from include/ or src/.
#ifndef UTFILTER_TEST_FUZZ_FOREIGN_CONVERTERS_HPP
#define UTFILTER_TEST_FUZZ_FOREIGN_CONVERTERS_HPP

#include <unicode/ucnv.h>
#include <unicode/ucnv_cb.h>
#include <unicode/ucnv_err.h>

#include <iconv.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace foreign {

/// The result of a converter that stops at the first error.
struct good_prefix {
  std::string output;
  std::size_t size;  // bytes of the input before the first error; all of them if there is none
};
inline bool operator==(const good_prefix& a, const good_prefix& b) { return a.output == b.output && a.size == b.size; }

/// iconv(3) from one encoding to another.
class iconv_converter {
 public:
  iconv_converter(const char* from, const char* to) : descriptor_(iconv_open(to, from)) {
    if (descriptor_ == iconv_t(-1)) throw std::runtime_error(std::string("iconv has no ") + from + " to " + to);
  }
  ~iconv_converter() { iconv_close(descriptor_); }
  iconv_converter(const iconv_converter&) = delete;
  iconv_converter& operator=(const iconv_converter&) = delete;

  good_prefix operator()(std::string_view text) const {
    iconv(descriptor_, nullptr, nullptr, nullptr, nullptr);
    std::string out(4 * text.size() + 16, '\0');
    char* in = const_cast<char*>(text.data());  // iconv does not write to it
    char* end = out.data();
    std::size_t left = text.size(), room = out.size();
    const auto replaced = iconv(descriptor_, &in, &left, &end, &room);
    if (replaced == static_cast<std::size_t>(-1) && errno != EILSEQ && errno != EINVAL)
      throw std::runtime_error("iconv");
    return {out.substr(0, out.size() - room), text.size() - left};
  }

 private:
  iconv_t descriptor_;
};

/// The name that ICU itself has for the charset to which a name leads.
inline std::string icu_converter_name(const char* name) {
  UErrorCode status = U_ZERO_ERROR;
  const char* const first = ucnv_getAlias(name, 0, &status);
  return first != nullptr ? first : name;
}

/// ICU from one encoding to another, by way of UTF-16.
class icu_converter {
 public:
  icu_converter(const char* from, const char* to) : from_(open(from)), to_(open(to)) {
    UErrorCode status = U_ZERO_ERROR;
    ucnv_setSubstString(to_, u"?", 1, &status);
    check(status);
  }
  ~icu_converter() {
    ucnv_close(from_);
    ucnv_close(to_);
  }
  icu_converter(const icu_converter&) = delete;
  icu_converter& operator=(const icu_converter&) = delete;

  good_prefix stopping(std::string_view text) const {
    policy(UCNV_TO_U_CALLBACK_STOP, stop);
    std::size_t size = text.size();
    const std::u16string units = decoded(text, size);
    std::size_t taken = units.size();
    good_prefix result{encoded(units, taken), size};
    if (taken != units.size()) result.size = utf8_size(std::u16string_view(units).substr(0, taken));
    return result;
  }

  /// Replaces ill-formed subsequences by U+FFFD, and characters that the target lacks by ?.
  std::string replacing(std::string_view text) const {
    policy(UCNV_TO_U_CALLBACK_SUBSTITUTE, substitute);
    std::size_t size = text.size();
    const std::u16string units = decoded(text, size);
    std::size_t taken = units.size();
    return encoded(units, taken);
  }

 private:
  static void check(UErrorCode status) {
    if (U_FAILURE(status)) throw std::runtime_error(std::string("ICU: ") + u_errorName(status));
  }

  // These replace ICU's own callbacks, which leave out Default_Ignorable characters without an error.
  static void stop(const void*, UConverterFromUnicodeArgs*, const char16_t*, std::int32_t, UChar32,
                   UConverterCallbackReason, UErrorCode*) {}
  static void substitute(const void*, UConverterFromUnicodeArgs* args, const char16_t*, std::int32_t, UChar32,
                         UConverterCallbackReason reason, UErrorCode* status) {
    if (reason > UCNV_IRREGULAR) return;  // a reset, close or clone, not a character
    *status = U_ZERO_ERROR;
    ucnv_cbFromUWriteSub(args, 0, status);
  }

  static UConverter* open(const char* name) {
    UErrorCode status = U_ZERO_ERROR;
    UConverter* const converter = ucnv_open(name, &status);
    check(status);
    return converter;
  }

  void policy(UConverterToUCallback decoding, UConverterFromUCallback encoding) const {
    UErrorCode status = U_ZERO_ERROR;
    ucnv_reset(from_);
    ucnv_reset(to_);
    ucnv_setToUCallBack(from_, decoding, nullptr, nullptr, nullptr, &status);
    ucnv_setFromUCallBack(to_, encoding, nullptr, nullptr, nullptr, &status);
    check(status);
  }

  /// The text in UTF-16, up to the first error if the converter stops there. In this case `size` becomes the number of
  /// bytes before the error.
  std::u16string decoded(std::string_view text, std::size_t& size) const {
    std::u16string units(2 * text.size() + 16, u'\0');
    char16_t* end = units.data();
    const char* in = text.data();
    UErrorCode status = U_ZERO_ERROR;
    ucnv_toUnicode(from_, &end, end + units.size(), &in, in + text.size(), nullptr, true, &status);
    units.resize(static_cast<std::size_t>(end - units.data()));
    if (U_SUCCESS(status)) return units;
    char invalid[16];
    std::int8_t length = sizeof invalid;
    UErrorCode ignored = U_ZERO_ERROR;
    ucnv_getInvalidChars(from_, invalid, &length, &ignored);
    check(ignored);
    size = static_cast<std::size_t>(in - text.data() - length);
    return units;
  }

  std::string encoded(std::u16string_view units, std::size_t& taken) const {
    std::string bytes(4 * units.size() + 16, '\0');
    char* end = bytes.data();
    const char16_t* in = units.data();
    UErrorCode status = U_ZERO_ERROR;
    ucnv_fromUnicode(to_, &end, end + bytes.size(), &in, in + units.size(), nullptr, true, &status);
    bytes.resize(static_cast<std::size_t>(end - bytes.data()));
    if (U_SUCCESS(status)) return bytes;
    char16_t invalid[16];
    std::int8_t length = 16;
    UErrorCode ignored = U_ZERO_ERROR;
    ucnv_getInvalidUChars(to_, invalid, &length, &ignored);
    check(ignored);
    taken = static_cast<std::size_t>(in - units.data() - length);
    return bytes;
  }

  /// The number of bytes that well-formed UTF-16 takes in UTF-8. Each surrogate of a pair counts as half of four.
  static std::size_t utf8_size(std::u16string_view units) {
    std::size_t size = 0;
    for (const char16_t u : units) size += u < 0x80 ? 1 : u < 0x800 || (u >= 0xD800 && u <= 0xDFFF) ? 2 : 3;
    return size;
  }

  UConverter* from_;
  UConverter* to_;
};

}  // namespace foreign

#endif
