// icu.cpp: ICU's ucnv_toUnicode, with a callback that writes U+FFFD, and with ICU's callbacks that stop and skip. (ICU's
// callback that substitutes writes U+001A instead for a single byte in some legacy encodings.)
#include "driver.hpp"

#include <unicode/ucnv.h>
#include <unicode/ucnv_cb.h>

#include <cstdint>
#include <map>
#include <memory>

namespace {

void substitute(const void*, UConverterToUnicodeArgs* to, const char*, std::int32_t, UConverterCallbackReason why,
                UErrorCode* status) {
  if (why > UCNV_IRREGULAR) return;  // reset, close, clone
  constexpr UChar mark = 0xFFFD;
  *status = U_ZERO_ERROR;
  ucnv_cbToUWriteUChars(to, &mark, 1, 0, status);
}

}  // namespace

int main() {
  return serve(U_ICU_VERSION, [](const question& asked) -> std::optional<answer> {
    static const std::map<std::string, const char*> names = {
        {"utf-8 keep", "UTF-8"},       {"utf-16le keep", "UTF-16LE"}, {"utf-16be keep", "UTF-16BE"},
        {"utf-32le keep", "UTF-32LE"}, {"utf-32be keep", "UTF-32BE"}, {"utf-16 strip", "UTF-16"},
        {"utf-32 strip", "UTF-32"}};
    const auto name = names.find(asked.encoding + ' ' + asked.signature);
    if (name == names.end() && asked.signature == "strip") return std::nullopt;
    // Opening a converter is slow; a reset makes it as good as new.
    static std::map<std::string, std::shared_ptr<UConverter>> opened;
    auto& converter = opened[asked.encoding];
    UErrorCode status = U_ZERO_ERROR;
    if (!converter)
      converter.reset(ucnv_open(name == names.end() ? asked.encoding.c_str() : name->second, &status), ucnv_close);
    if (!converter) return std::nullopt;
    ucnv_reset(converter.get());
    const auto callback = asked.strict()         ? UCNV_TO_U_CALLBACK_STOP
                          : asked.mode == "skip" ? UCNV_TO_U_CALLBACK_SKIP
                                                 : substitute;
    ucnv_setToUCallBack(converter.get(), callback, nullptr, nullptr, nullptr, &status);
    answer given;
    std::u16string units;
    for (std::size_t i = 0; i <= asked.pieces.size() && U_SUCCESS(status); ++i) {
      const bool last = i == asked.pieces.size();
      const std::string piece = last ? "" : asked.pieces[i];
      const char* source = piece.data();
      do {
        UChar out[64];
        UChar* target = out;
        status = U_ZERO_ERROR;
        ucnv_toUnicode(converter.get(), &target, out + 64, &source, piece.data() + piece.size(), nullptr, last,
                       &status);
        units.append(out, target);
      } while (status == U_BUFFER_OVERFLOW_ERROR);
    }
    if (U_FAILURE(status)) given.told();  // ICU reports the bytes, but not their place
    for (std::size_t i = 0; i < units.size(); ++i) {
      unsigned long c = units[i];
      if (c >= 0xD800 && c < 0xDC00 && i + 1 < units.size() && units[i + 1] >= 0xDC00 && units[i + 1] < 0xE000)
        c = 0x10000 + ((c - 0xD800) << 10) + (units[++i] - 0xDC00u);
      append_utf8(given.output, c);
    }
    return given;
  });
}
