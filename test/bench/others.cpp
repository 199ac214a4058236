// others.cpp: other libraries on the same text in memory: iconv(3), ICU, utfcpp, Boost.Locale, encoding_rs.
#include "bench.hpp"

#include <boost/locale/encoding_utf.hpp>
#include <iconv.h>
#include <unicode/ucnv.h>
#include <unicode/ustring.h>
#include <utf8.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

#ifdef UTFILTER_BENCH_ENCODING_RS
extern "C" {
using encoding_rs_function = std::size_t(const char* label, std::size_t label_size, const char* text, std::size_t size,
                                         char* out, std::size_t room);
encoding_rs_function encoding_rs_to_utf8, encoding_rs_from_utf8;  // encoding_rs.rs
}
#endif

namespace bench {
namespace {

struct closer {
  void operator()(iconv_t descriptor) const noexcept { iconv_close(descriptor); }
  void operator()(UConverter* converter) const noexcept { ucnv_close(converter); }
};
using descriptor = std::shared_ptr<std::remove_pointer_t<iconv_t>>;
using converter = std::shared_ptr<UConverter>;

[[noreturn]] void fail(const char* what) { throw std::runtime_error(what); }

void add_iconv(const task& t, const char* to, const char* from, std::string_view in, std::string& output) {
  const iconv_t opened = iconv_open(to, from);
  if (opened == reinterpret_cast<iconv_t>(-1)) fail("iconv_open");
  t.add("iconv(3)", [in, &output, with = descriptor(opened, closer())](verifier* seen) {
    char* next = const_cast<char*>(in.data());
    char* out = output.data();
    std::size_t left = in.size(), room = output.size();
    if (iconv(with.get(), &next, &left, &out, &room) == static_cast<std::size_t>(-1) || left != 0) fail("iconv");
    if (seen != nullptr) (*seen)(output.data(), output.size() - room);
  });
}

converter open_converter(const char* name) {
  UErrorCode status = U_ZERO_ERROR;
  const converter opened(ucnv_open(name, &status), closer());
  ucnv_setToUCallBack(opened.get(), UCNV_TO_U_CALLBACK_STOP, nullptr, nullptr, nullptr, &status);
  if (U_FAILURE(status)) fail("ucnv_open");
  return opened;
}

/// Converts by way of ICU's internal UTF-16, as all conversions of ICU do.
void add_icu(const task& t, const char* to, const char* from, std::string_view in, std::string& output) {
  t.add("ICU", [in, &output, source = open_converter(from), target = open_converter(to)](verifier* seen) {
    UChar pivot[4096];
    UChar *pivot_source = pivot, *pivot_target = pivot;
    const char* next = in.data();
    char* out = output.data();
    UErrorCode status = U_ZERO_ERROR;
    ucnv_convertEx(target.get(), source.get(), &out, output.data() + output.size(), &next, in.data() + in.size(), pivot,
                   &pivot_source, &pivot_target, pivot + 4096, true, true, &status);
    if (U_FAILURE(status)) fail(u_errorName(status));
    if (seen != nullptr) (*seen)(output.data(), static_cast<std::size_t>(out - output.data()));
  });
}

std::int32_t int32(std::size_t n) { return static_cast<std::int32_t>(n); }

/// Decodes a charset to UTF-16 in one call, and that to UTF-8 in another. This is often faster than add_icu's way.
void add_icu_decoding(const task& t, const char* from, std::string_view in, std::string& output) {
  t.add("ICU, two calls",
        [in, &output, source = open_converter(from), units = std::u16string(in.size(), u'\0')](verifier* seen) mutable {
          const char* next = in.data();
          char16_t* to = units.data();
          std::int32_t size = 0;
          UErrorCode status = U_ZERO_ERROR;
          ucnv_resetToUnicode(source.get());
          ucnv_toUnicode(source.get(), &to, to + units.size(), &next, next + in.size(), nullptr, true, &status);
          u_strToUTF8(output.data(), int32(output.size()), &size, units.data(),
                      static_cast<std::int32_t>(to - units.data()), &status);
          if (U_FAILURE(status)) fail(u_errorName(status));
          if (seen != nullptr) (*seen)(output.data(), static_cast<std::size_t>(size));
        });
}

/// The same for encoding.
void add_icu_encoding(const task& t, const char* to, std::string_view in, std::string& output) {
  t.add("ICU, two calls",
        [in, &output, target = open_converter(to), units = std::u16string(in.size(), u'\0')](verifier* seen) mutable {
          std::int32_t size = 0;
          UErrorCode status = U_ZERO_ERROR;
          u_strFromUTF8(units.data(), int32(units.size()), &size, in.data(), int32(in.size()), &status);
          const char16_t* next = units.data();
          char* out = output.data();
          ucnv_resetFromUnicode(target.get());
          ucnv_fromUnicode(target.get(), &out, out + output.size(), &next, next + size, nullptr, true, &status);
          if (U_FAILURE(status)) fail(u_errorName(status));
          if (seen != nullptr) (*seen)(output.data(), static_cast<std::size_t>(out - output.data()));
        });
}

#ifdef UTFILTER_BENCH_ENCODING_RS
void add_encoding_rs(const task& t, const std::string& name, encoding_rs_function* convert, std::string_view in,
                     std::string& output) {
  t.add("encoding_rs", [=, &output](verifier* seen) {
    const std::size_t size = convert(name.data(), name.size(), in.data(), in.size(), output.data(), output.size());
    if (size == 0) fail("encoding_rs");
    if (seen != nullptr) (*seen)(output.data(), size);
  });
}
#endif

void add_encoding(const corpus& c, const encoded_text& text, [[maybe_unused]] bool encoding_rs_has_it) {
  const char* const name = text.name.c_str();
  const task from = decoding(c, text), to = encoding(c, text);
  if (text.name != "CESU-8") {
    add_iconv(from, "UTF-8", name, text.other, c.output);
    add_iconv(to, name, "UTF-8", text.utf8, c.output);
  }
  add_icu(from, "UTF-8", name, text.other, c.output);
  add_icu(to, name, "UTF-8", text.utf8, c.output);
#ifdef UTFILTER_BENCH_ENCODING_RS
  if (!encoding_rs_has_it) return;
  add_encoding_rs(from, text.name, encoding_rs_to_utf8, text.other, c.output);
  add_encoding_rs(to, text.name, encoding_rs_from_utf8, text.utf8, c.output);
#endif
}

void add_two_calls_of_icu(const corpus& c, const encoded_text& text) {
  add_icu_decoding(decoding(c, text), text.name.c_str(), text.other, c.output);
  add_icu_encoding(encoding(c, text), text.name.c_str(), text.utf8, c.output);
}

// UTF-16LE text as code units. Correct only on a little-endian machine.
const char16_t* units(const std::string& s) { return reinterpret_cast<const char16_t*>(s.data()); }

}  // namespace

void add_others(const corpus& c) {
  const std::string &utf8 = c.hot8.utf8, &utf16 = c.hot16.utf16le;
  std::string& output = c.output;
  char* const out = output.data();

  const task validate{"validate, hot", c.name, utf8.size(), utf8};
  validate.add("utfcpp", [&utf8](verifier* seen) {
    if (!utf8::is_valid(utf8.begin(), utf8.end())) fail("utfcpp");
    if (seen != nullptr) (*seen)(utf8);
  });

  const task copy{"validate and copy, hot", c.name, utf8.size(), utf8};
  add_iconv(copy, "UTF-8", "UTF-8", utf8, output);
  add_icu(copy, "UTF-8", "UTF-8", utf8, output);
  copy.add("Boost.Locale", [&utf8](verifier* seen) {
    const std::string made = boost::locale::conv::utf_to_utf<char>(utf8, boost::locale::conv::stop);
    if (seen != nullptr) (*seen)(made);
  });

  const task from{"UTF-16LE to UTF-8, hot", c.name, utf16.size(), c.hot16.utf8};
  add_iconv(from, "UTF-8", "UTF-16LE", utf16, output);
  add_icu(from, "UTF-8", "UTF-16LE", utf16, output);
  from.add("utfcpp", [&utf16, out](verifier* seen) {
    const char* const end = utf8::utf16to8(units(utf16), units(utf16) + utf16.size() / 2, out);
    if (seen != nullptr) (*seen)(out, static_cast<std::size_t>(end - out));
  });
  from.add("Boost.Locale", [&utf16](verifier* seen) {
    const char16_t* const in = units(utf16);
    const std::string made =
        boost::locale::conv::utf_to_utf<char>(in, in + utf16.size() / 2, boost::locale::conv::stop);
    if (seen != nullptr) (*seen)(made);
  });

  const task to{"UTF-8 to UTF-16LE, hot", c.name, utf8.size(), c.hot8.utf16le};
  add_iconv(to, "UTF-16LE", "UTF-8", utf8, output);
  add_icu(to, "UTF-16LE", "UTF-8", utf8, output);
  to.add("utfcpp", [&utf8, out](verifier* seen) {
    auto* const begin = reinterpret_cast<char16_t*>(out);
    const char16_t* end = utf8::utf8to16(utf8.begin(), utf8.end(), begin);
    if (seen != nullptr) (*seen)(out, static_cast<std::size_t>(end - begin) * 2);
  });
  to.add("Boost.Locale", [&utf8](verifier* seen) {
    const std::u16string made = boost::locale::conv::utf_to_utf<char16_t>(utf8, boost::locale::conv::stop);
    if (seen != nullptr) (*seen)(reinterpret_cast<const char*>(made.data()), made.size() * 2);
  });

  // encoding_rs lacks the others, or means another one by the name.
  for (const encoded_text& text : c.encoded)
    add_encoding(c, text, text.name == "windows-1252" || text.name == "KOI8-R");
  for (const encoded_text& text : c.charsets) {
    add_encoding(c, text, false);
    add_two_calls_of_icu(c, text);
  }
}

void add_others_of_multi_byte(const corpus& c) {
  for (const encoded_text& text : c.multi_byte) {
    add_encoding(c, text, true);
    add_two_calls_of_icu(c, text);
  }
}

}  // namespace bench
