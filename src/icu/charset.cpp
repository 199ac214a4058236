// charset.cpp: finds the charsets of ICU by their names, and learns how each of them can be converted.
#include <utfilter/charset.hpp>

#include <utfilter/convert.hpp>
#include <utfilter/decoder.hpp>

#include "encodings/charset_names.hpp"
#include "icu/charset_facts.hpp"

#include <unicode/uset.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <new>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace utfilter {

namespace detail {

UConverter* converter::clone() const noexcept {
  UErrorCode status = U_ZERO_ERROR;
#if U_ICU_VERSION_MAJOR_NUM >= 71
  return ucnv_clone(get(), &status);
#else
  return ucnv_safeClone(get(), nullptr, nullptr, &status);
#endif
}

converter::converter(const converter& other) : icu_(other.get() != nullptr ? other.clone() : nullptr) {
  if (!icu_ && other.icu_) throw std::bad_alloc();
}

namespace {

//------------------------------------------------------------------------------------------------------------- the
//names

// ICU's functions take the names that std::string keeps zero-terminated. They return null for a name that is missing.

std::string or_empty(const char* name) { return name != nullptr ? name : ""; }

std::string alias(const std::string& name, std::uint16_t index) {
  UErrorCode status = U_ZERO_ERROR;
  return or_empty(ucnv_getAlias(name.c_str(), index, &status));
}

std::uint16_t count_aliases(const std::string& name) {
  UErrorCode status = U_ZERO_ERROR;
  return ucnv_countAliases(name.c_str(), &status);
}

/// The option that ICU knows for EBCDIC: it swaps the line feed and the newline, as z/OS does.
constexpr std::string_view swap_option = ",swaplfnl";

std::string without_option(const std::string& name) {
  const bool has_option = name.size() > swap_option.size() &&
                          name.compare(name.size() - swap_option.size(), swap_option.size(), swap_option) == 0;
  return has_option ? name.substr(0, name.size() - swap_option.size()) : name;
}

bool has_characters_of(encoding e, const std::string& icu_name);

/// The encoding of this library that has this name, or one that differs from it only in case, hyphens, underscores and
/// colons; encoding::detect if there is none.
encoding own_encoding(std::string_view name) noexcept {
  for (const encoding e : encodings())
    for (std::string_view names = encoding_names(e); !names.empty();)
      if (alike_names(name, take_name(names))) return e;
  return encoding::detect;
}

/// The name of the converter for a name of an encoding of this library. ICU knows some of these names as another byte
/// order (ucs-2, cp1200), or as other characters (cp874). The name of the encoding decides. A name with other hyphens,
/// such as windows_1253, is no name of the encoding: it is accepted if it means exactly the same.
std::string icu_name_of(encoding e, std::string_view name) {
  const std::string found = alias(std::string(encoding_name(e)), 0);
  const bool is_same =
      found.empty() || !is_single_byte(e) || encoding_from_name(name) == e || has_characters_of(e, found);
  return is_same ? found : std::string();
}

/// The entry of an encoding of cjk/names.hpp that has this name, or one that differs from it only in case, hyphens,
/// underscores and colons; null if there is none. A name that only resembles that of the encoding is refused, as above,
/// because ICU's converter has other characters.
const charset_names* find_cjk(std::string_view name) noexcept {
  return find_charset_names(cjk_charset_names, [name](std::string_view n) { return alike_names(name, n); });
}
bool has_name(const charset_names& of, std::string_view name) noexcept {
  if (same_names(name, of.preferred)) return true;
  for (std::string_view others = of.others; !others.empty();)
    if (same_names(name, take_name(others))) return true;
  return false;
}

/// The name of the converter of an entry; empty if ICU lacks it.
std::string icu_name_of(const charset_names& of) {
  return of.icu_name.empty() ? std::string() : alias(std::string(of.icu_name), 0);
}

/// The name of the converter that a name stands for; empty if it stands for none. For an unknown name ICU itself would
/// look for a file of that name; an empty name means its default charset.
std::string icu_name_of(std::string_view name) {
  constexpr std::size_t too_long = UCNV_MAX_CONVERTER_NAME_LENGTH;
  const std::string text(name.substr(0, too_long));
  const std::string base = without_option(text);
  const auto is_in_names = [](char c) {
    const char l = lower(c);
    return (l >= 'a' && l <= 'z') || (l >= '0' && l <= '9') ||
           std::string_view("-_.,:=+()").find(l) != std::string_view::npos;
  };
  const bool can_be_name = text.size() != too_long && std::all_of(text.begin(), text.end(), is_in_names);
  if (!can_be_name) return {};
  if (const charset_names* const cjk = find_cjk(text)) return has_name(*cjk, text) ? icu_name_of(*cjk) : std::string();
  if (const charset_names* const known = find_charset_names(text)) return icu_name_of(*known);
  if (const encoding own = own_encoding(text); own != encoding::detect) return icu_name_of(own, text);
  if (count_aliases(base) == 0) return {};
  const std::string found = alias(base, 0);
  // ICU 72 cannot copy a converter of this charset: both copies would free the same memory.
  if (found == "x11-compound-text") return {};
  return found + text.substr(base.size());
}

/// Calls a function with each entry that names this converter.
template <class Function>
void for_each_entry_of(const std::string& icu_name, const Function& use) {
  const auto use_if_of_it = [&](const charset_names& of) {
    if (icu_name_of(of) == icu_name) use(of);
  };
  std::for_each(std::begin(cjk_charset_names), std::end(cjk_charset_names), use_if_of_it);
  std::for_each(std::begin(all_charset_names), std::end(all_charset_names), use_if_of_it);
}

/// The preferred name of a converter: that of charset_names.hpp, or MIME's or IANA's if it leads back to this
/// converter, else ICU's.
std::string preferred_name(const std::string& icu_name) {
  std::string own;
  for_each_entry_of(icu_name, [&](const charset_names& of) {
    if (own.empty()) own = of.preferred;
  });
  if (!own.empty()) return own;
  for (const char* const standard : {"MIME", "IANA"}) {
    UErrorCode status = U_ZERO_ERROR;
    std::string name = or_empty(ucnv_getStandardName(icu_name.c_str(), standard, &status));
    if (!name.empty() && icu_name_of(name) == icu_name) return name;
  }
  return icu_name;
}

std::vector<std::string> names_of(const std::string& icu_name) {
  std::vector<std::string> names{preferred_name(icu_name)};
  for (std::uint16_t i = 0; i < count_aliases(icu_name); ++i) {
    std::string name = alias(icu_name, i);
    if (icu_name_of(name) == icu_name && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(std::move(name));
  }
  const auto add = [&](std::string_view name) {
    const auto is_same = [&](const std::string& n) { return alike_names(n, name); };
    if (std::none_of(names.begin(), names.end(), is_same)) names.emplace_back(name);
  };
  for_each_entry_of(icu_name, [&](const charset_names& of) {
    add(of.preferred);
    for (std::string_view others = of.others; !others.empty();) add(take_name(others));
  });
  return names;
}

std::vector<std::string> all_icu_names() {
  std::vector<std::string> names;
  for (std::int32_t i = 0; i < ucnv_countAvailable(); ++i) {
    std::string name = icu_name_of(or_empty(ucnv_getAvailableName(i)));
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

/// The names of each charset. Finding them takes 30 ms, so a program does it only once.
const std::vector<std::vector<std::string>>& names_of_all() {
  static const std::vector<std::vector<std::string>> all = [] {
    std::vector<std::vector<std::string>> names;
    for (const std::string& icu_name : all_icu_names()) names.push_back(names_of(icu_name));
    return names;
  }();
  return all;
}

std::string message_about(std::string_view name) {
  std::string text = "utfilter: ICU has no charset \"" + std::string(name) + '"';
  const std::vector<std::string> nearest = charset::nearest_names(name);
  const char* separator = nearest.size() == 1 ? "; the nearest name is " : "; the nearest names are ";
  for (const std::string& one : nearest) text += std::exchange(separator, ", ") + one;
  return text;
}

//------------------------------------------------------------------------------------------------------------- the
//facts

// With these callbacks ICU returns at each error. ICU's own callback would drop characters that most fonts do not show.
void U_CALLCONV stop_decoding(const void*, UConverterToUnicodeArgs*, const char*, std::int32_t,
                              UConverterCallbackReason, UErrorCode*) {}
void U_CALLCONV stop_encoding(const void*, UConverterFromUnicodeArgs*, const UChar*, std::int32_t, UChar32,
                              UConverterCallbackReason, UErrorCode*) {}

/// Null for a charset whose table is not installed: ICU knows more names than it has tables.
converter open(const std::string& icu_name) {
  UErrorCode status = U_ZERO_ERROR;
  converter opened(ucnv_open(icu_name.c_str(), &status));
  if (U_SUCCESS(status)) {
    ucnv_setToUCallBack(opened.get(), stop_decoding, nullptr, nullptr, nullptr, &status);
    ucnv_setFromUCallBack(opened.get(), stop_encoding, nullptr, nullptr, nullptr, &status);
  }
  if (status == U_MEMORY_ALLOCATION_ERROR) throw std::bad_alloc();
  if (U_FAILURE(status)) return converter();
  ucnv_setFallback(opened.get(), 0);
  return opened;
}

/// The result of decoding a few bytes at the start of a text.
struct decoded {
  std::array<UChar, 8> units = {};
  std::size_t size = 0;
  bool is_error = false;
  bool waits = false;  // for more bytes of the same character
};

decoded decode(UConverter* with, const char* bytes, std::size_t size) {
  decoded result;
  ucnv_resetToUnicode(with);
  UErrorCode status = U_ZERO_ERROR;
  for (bool goes_on = true; goes_on;) {
    UChar* out = result.units.data() + result.size;
    const char* const end = bytes + size;
    const char* next = bytes;
    status = U_ZERO_ERROR;
    ucnv_toUnicode(with, &out, result.units.data() + result.units.size(), &next, end, nullptr, 0, &status);
    const auto got = static_cast<std::size_t>(out - result.units.data());
    goes_on = U_FAILURE(status) && !(next == bytes && got == result.size) && !result.is_error;
    result.is_error = result.is_error || U_FAILURE(status);
    result.size = got;
    size -= static_cast<std::size_t>(next - bytes);
    bytes = next;
  }
  status = U_ZERO_ERROR;
  result.waits = ucnv_toUCountPending(with, &status) > 0;
  return result;
}

/// Whether the converter has, for each byte beyond ASCII, the character that this single-byte encoding has.
bool has_characters_of(encoding e, const std::string& icu_name) {
  const converter opened = open(icu_name);
  for (int byte = 0x80; byte != 0x100 && opened.get() != nullptr; ++byte) {
    const char text[] = {static_cast<char>(byte)};
    const decoded there = decode(opened.get(), text, 1);
    std::array<char, 4> here;
    decoder reader(e, on_error::skip);
    const std::size_t size = reader.convert(text, 1, here.data(), here.size(), true).produced;
    const std::string expected = there.is_error ? "" : to_utf8_string({there.units.data(), there.size});
    if (std::string_view(here.data(), size) != expected) return false;
  }
  return opened.get() != nullptr;
}

byte_kind kind_of(UConverter* with, unsigned char byte) {
  const char text[] = {static_cast<char>(byte)};
  const decoded one = decode(with, text, 1);
  if (one.is_error) return byte_kind::bad;
  if (one.waits) return byte_kind::lead;
  return byte < 0x80 && one.size == 1 && one.units[0] == byte ? byte_kind::ascii : byte_kind::character;
}

/// Whether the line feed ends a character that begins with the byte `lead`.
bool swallows_line_feed(UConverter* with, unsigned char lead, char line_feed) {
  const char text[] = {static_cast<char>(lead), line_feed};
  const decoded two = decode(with, text, 2);
  return two.size == 0 || two.units[two.size - 1] != u'\n';
}

/// charset_facts::exchanges_controls.
bool exchanges_controls(const converter& fresh) {
  const converter probe(fresh.clone());
  if (probe.get() == nullptr) throw std::bad_alloc();
  const auto is = [&](char byte, UChar unit) {
    const decoded one = decode(probe.get(), &byte, 1);
    return one.size == 1 && one.units[0] == unit;
  };
  return is('A', u'A') && is('\x1A', 0x1C) && is('\x1C', 0x7F) && is('\x7F', 0x1A);
}

bool is_stateless(UConverterType type) noexcept {
  switch (type) {
    case UCNV_SBCS:
    case UCNV_DBCS:
    case UCNV_MBCS:
    case UCNV_LATIN_1:
    case UCNV_US_ASCII:
    case UCNV_UTF8:
    case UCNV_CESU8:
    case UCNV_UTF16_BigEndian:
    case UCNV_UTF16_LittleEndian:
    case UCNV_UTF32_BigEndian:
    case UCNV_UTF32_LittleEndian: return true;
    default: return false;
  }
}

/// Whether a decoder of UTF-16 drops this byte order mark, and reads the unit after it in its byte order.
bool drops_bom(const converter& fresh, std::string_view bom_and_letter) {
  const converter probe(fresh.clone());
  if (probe.get() == nullptr) throw std::bad_alloc();
  const decoded text = decode(probe.get(), bom_and_letter.data(), bom_and_letter.size());
  return !text.is_error && text.size == 1 && text.units[0] == u'A';
}

bool is_utf16(UConverterType type) noexcept {
  return type == UCNV_UTF16 || type == UCNV_UTF16_BigEndian || type == UCNV_UTF16_LittleEndian;
}

/// Finds the kind of each byte, and how the decoder gets its bytes.
feeding learn_bytes(charset_facts& facts, UConverterType type) {
  if (type == UCNV_ISO_2022 || type == UCNV_EBCDIC_STATEFUL) return feeding::offsets;
  const bool tells_places = type == UCNV_MBCS || type == UCNV_LATIN_1 || type == UCNV_US_ASCII || type == UCNV_UTF8 ||
                            (type == UCNV_SBCS && facts.longest == 1);
  if (!tells_places) return feeding::bytes;
  const converter probe(facts.fresh.clone());
  if (probe.get() == nullptr) throw std::bad_alloc();
  int line_feeds = 0;
  for (int byte = 0; byte < 256; ++byte) {
    const auto b = static_cast<unsigned char>(byte);
    const char text[] = {static_cast<char>(b)};
    facts.kinds[b] = kind_of(probe.get(), b);
    const decoded one = decode(probe.get(), text, 1);
    if (one.size != 1 || one.units[0] != u'\n') continue;
    ++line_feeds;
    facts.line_feed = text[0];
  }
  if (facts.exchanges_controls)
    for (const char byte : {'\x1A', '\x1C', '\x7F'}) facts.kinds[static_cast<unsigned char>(byte)] = byte_kind::ascii;
  bool is_alone = line_feeds == 1;
  for (int byte = 0; byte < 256 && is_alone; ++byte) {
    const auto b = static_cast<unsigned char>(byte);
    is_alone = facts.kinds[b] != byte_kind::lead || !swallows_line_feed(probe.get(), b, facts.line_feed);
  }
  return is_alone ? feeding::pieces : feeding::bytes;
}

/// Whether the charset has codes for sequences of characters.
bool has_sequences(const converter& fresh) {
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<USet, decltype(&uset_close)> set(uset_openEmpty(), uset_close);
  ucnv_getUnicodeSet(fresh.get(), set.get(), UCNV_ROUNDTRIP_SET, &status);
  const std::int32_t items = uset_getItemCount(set.get());
  if (items == 0) return false;
  // The strings of a set come after its ranges. The size of a range is 0.
  UChar32 begin = 0, end = 0;
  status = U_ZERO_ERROR;
  return uset_getItem(set.get(), items - 1, &begin, &end, nullptr, 0, &status) != 0;
}

bool can_encode(const converter& fresh, UChar c) {
  const converter probe(fresh.clone());
  if (probe.get() == nullptr) throw std::bad_alloc();
  std::array<char, 64> bytes;
  char* out = bytes.data();
  const UChar* in = &c;
  UErrorCode status = U_ZERO_ERROR;
  ucnv_fromUnicode(probe.get(), &out, bytes.data() + bytes.size(), &in, &c + 1, nullptr, 1, &status);
  return U_SUCCESS(status);
}

/// Null if ICU cannot open the charset.
std::shared_ptr<const charset_facts> learn(const std::string& icu_name) {
  const auto facts = std::make_shared<charset_facts>();
  facts->fresh = open(icu_name);
  if (facts->fresh.get() == nullptr) return nullptr;
  facts->icu_name = icu_name;
  const std::string base = without_option(icu_name);
  facts->name = base == icu_name ? preferred_name(icu_name) : icu_name;
  const UConverterType type = ucnv_getType(facts->fresh.get());
  facts->stateless = is_stateless(type);
  facts->errors_from_front = is_utf16(type);
  if (facts->errors_from_front) {
    using namespace std::string_view_literals;
    facts->drops_bom = {drops_bom(facts->fresh, "\xFE\xFF\0A"sv), drops_bom(facts->fresh, "\xFF\xFE"
                                                                                          "A\0"sv)};
  }
  facts->waits_for_next_byte = type == UCNV_ISCII;
  facts->longest = static_cast<std::size_t>(ucnv_getMaxCharSize(facts->fresh.get()));
  facts->exchanges_controls = exchanges_controls(facts->fresh);
  facts->decodes_by = learn_bytes(*facts, type);
  const bool looks_ahead = type == UCNV_SCSU || type == UCNV_ISCII || (type >= UCNV_LMBCS_1 && type <= UCNV_LMBCS_LAST);
  facts->encodes_in_bulk = !looks_ahead;
  const bool is_simple = (type == UCNV_SBCS || type == UCNV_MBCS) && facts->longest <= 2;
  facts->encodes_utf8 = is_simple && !has_sequences(facts->fresh);
  if (facts->encodes_utf8) facts->utf8 = open("UTF-8");
  facts->has_bom_character = can_encode(facts->fresh, detail::bom_character);
  return facts;
}

}  // namespace
}  // namespace detail

charset::charset(std::string_view name) {
  const std::string icu_name = detail::icu_name_of(name);
  if (!icu_name.empty()) facts_ = detail::learn(icu_name);
  if (!facts_) throw std::invalid_argument(detail::message_about(name));
}

std::string charset::name() const { return facts_->name; }

std::vector<std::string> charset::aliases() const {
  std::vector<std::string> names = detail::names_of(facts_->icu_name);
  if (names.front() != facts_->name) names.assign(1, facts_->name);
  names.erase(names.begin());
  return names;
}

bool charset::is_stateful() const noexcept { return !facts_->stateless; }

bool charset::exists(std::string_view name) {
  const std::string icu_name = detail::icu_name_of(name);
  return !icu_name.empty() && detail::open(icu_name).get() != nullptr;
}

std::vector<std::string> charset::names() {
  std::vector<std::string> names = detail::all_icu_names();
  for (std::string& name : names) name = detail::preferred_name(name);
  return names;
}

std::vector<std::string> charset::nearest_names(std::string_view name) {
  constexpr std::size_t most = 3;
  const detail::plain_name wanted(name);
  std::vector<std::pair<std::size_t, std::string>> nearest;
  for (const std::vector<std::string>& names : detail::names_of_all()) {
    std::pair<std::size_t, std::string> best{detail::plain_name::longest + 1, ""};
    for (const std::string& one : names) {
      const std::size_t distance = name_distance(wanted, detail::plain_name(one));
      if (distance < best.first) best = {distance, one};
    }
    if (!is_near(wanted, best.first)) continue;
    const auto place =
        std::find_if(nearest.begin(), nearest.end(), [&](const auto& n) { return best.first < n.first; });
    nearest.insert(place, std::move(best));
    if (nearest.size() > most) nearest.pop_back();
  }
  std::vector<std::string> names;
  names.reserve(nearest.size());
  for (auto& [distance, text] : nearest) names.push_back(std::move(text));
  return names;
}

}  // namespace utfilter
