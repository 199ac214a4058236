// uchardet.cpp: asks uchardet, and translates its names.
#include <utfilter/uchardet.hpp>

#include <utfilter/encoding.hpp>

#include <uchardet/uchardet.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <new>

namespace utfilter {
namespace {

/// The charsets that uchardet names and this library lacks, perhaps because it was built without them.
struct translation {
  std::string_view name, ours;
};
constexpr translation translations[] = {
    {"BIG5", "Big5"},
    {"EUC-JP", "EUC-JP"},
    {"EUC-KR", "EUC-KR"},
    {"EUC-TW", "EUC-TW"},
    {"GB18030", "GB18030"},
    {"GEORGIAN-ACADEMY", "GEORGIAN-ACADEMY"},
    {"GEORGIAN-PS", "GEORGIAN-PS"},
    {"HZ-GB-2312", "HZ-GB-2312"},
    {"IBM852", "IBM852"},
    {"IBM855", "IBM855"},
    {"IBM862", "IBM862"},
    {"IBM865", "IBM865"},
    {"ISO-2022-CN", "ISO-2022-CN"},
    {"ISO-2022-JP", "ISO-2022-JP"},
    {"ISO-2022-KR", "ISO-2022-KR"},
    {"JOHAB", "JOHAB"},
    {"MAC-CENTRALEUROPE", "x-mac-centraleurroman"},
    {"MAC-CYRILLIC", "x-mac-cyrillic"},
    {"SHIFT_JIS", "Shift_JIS"},
    {"UHC", "EUC-KR"},
    {"VISCII", "VISCII"},
};

/// A name that lives as long as the program, unlike that of a detector.
std::string_view lasting(std::string_view name) noexcept {
  if (const auto known = encoding_from_name(name)) return encoding_name(*known);
  const auto* const found = std::find_if(std::begin(translations), std::end(translations),
                                         [&](const translation& t) { return t.name == name; });
  return found != std::end(translations) ? found->ours : std::string_view();
}

}  // namespace

std::string_view uchardet_guesser(std::string_view sample) noexcept {
  try {
    const std::unique_ptr<uchardet, decltype(&uchardet_delete)> detector(uchardet_new(), uchardet_delete);
    if (detector == nullptr || uchardet_handle_data(detector.get(), sample.data(), sample.size()) != 0) return {};
    uchardet_data_end(detector.get());
    return lasting(uchardet_get_charset(detector.get()));
  } catch (const std::bad_alloc&) {
    return {};
  }
}

}  // namespace utfilter
