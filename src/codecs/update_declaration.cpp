// update_declaration.cpp: keeps the start of a text until it is complete, and changes the names there that declare another
// encoding than that in which the text will be written.
#include <utfilter/changes.hpp>

#include "encodings/declaration.hpp"
#include "encodings/names.hpp"
#include "unicode/utf8.hpp"

#include <utfilter/encoding.hpp>
#include <utfilter/utf8.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace utfilter::changes {

using detail::declaration;
using detail::declared_meaning;

namespace {

/// A name of LaTeX's package inputenc, with the same name in IANA's registry.
struct tex_name {
  std::string_view tex, name;
};
constexpr tex_name tex_names[] = {
    {"utf8", "UTF-8"},          {"latin1", "ISO-8859-1"},   {"latin2", "ISO-8859-2"},   {"latin3", "ISO-8859-3"},
    {"latin4", "ISO-8859-4"},   {"latin5", "ISO-8859-9"},   {"latin9", "ISO-8859-15"},  {"latin10", "ISO-8859-16"},
    {"ascii", "US-ASCII"},      {"cp1250", "windows-1250"}, {"cp1251", "windows-1251"}, {"cp1252", "windows-1252"},
    {"cp1257", "windows-1257"}, {"cp437", "IBM437"},        {"cp850", "IBM850"},        {"cp852", "IBM852"},
    {"cp858", "IBM00858"},      {"cp865", "IBM865"},        {"cp866", "IBM866"},        {"koi8-r", "KOI8-R"},
    {"koi8-u", "KOI8-U"},       {"applemac", "macintosh"},
};

/// The name that inputenc has for an encoding or charset; empty if it has none.
std::string_view name_in_tex(std::string_view name) noexcept {
  for (const tex_name& row : tex_names)
    if (detail::equal_names(row.name, name)) return row.tex;
  return {};
}

/// The name by which Windows' code page is known, such as cp1250; empty if there is none. 367 and 819 are numbers of IBM's
/// alone.
std::string_view page_name(std::string_view name) noexcept {
  const std::optional<encoding> known = encoding_from_name(name);
  for (std::string_view names = known ? encoding_names(*known) : std::string_view(); !names.empty();) {
    const std::string_view one = detail::take_name(names);
    if (one.substr(0, 2) == "cp" && detail::is_number(one.substr(2)) && one != "cp367" && one != "cp819") return one;
  }
  return {};
}

/// The form of Unicode that both byte orders have in common: a text that declares UTF-16 may be UTF-16LE.
encoding without_order(encoding e) noexcept {
  switch (e) {
    case encoding::utf16le:
    case encoding::utf16be: return encoding::utf16;
    case encoding::utf32le:
    case encoding::utf32be: return encoding::utf32;
    default: return e;
  }
}

/// Whether a name means something, but not what `wanted` means, whose meaning is `should`.
bool is_other(std::string_view name, std::string_view wanted, const declared_meaning& should) noexcept {
  const declared_meaning is = detail::meaning_of(name);
  if (!is) return false;
  if (is.value && should.value) return without_order(*is.value) != without_order(*should.value);
  if (should.value || is.value) return true;
  return !detail::equal_names(is.charset, should.charset.empty() ? wanted : should.charset);
}

/// Whether a text can be written in it: not if it is detect or guess.
bool is_written(encoding e) noexcept {
  const encoding_list all = encodings();
  return std::find(all.begin(), all.end(), e) != all.end();
}

/// What to write for the name in a declaration; empty if the encoding has no name of this kind.
std::string_view new_name(const declaration& old, std::string_view name) noexcept {
  if (old.form == detail::name_form::tex) return name_in_tex(name);
  const std::string_view page = page_name(name);
  if (detail::is_number(old.name)) return page.substr(std::min<std::size_t>(page.size(), 2));
  const bool is_page = name.substr(0, 8) == "windows-" || name.substr(0, 3) == "IBM";
  return old.form == detail::name_form::page && is_page && !page.empty() ? page : name;
}

}  // namespace

update_declaration::update_declaration(encoding written_in) noexcept
    : name_(is_written(written_in) ? encoding_name(written_in) : std::string_view()) {}

void update_declaration::update(bool is_whole, text_facts& facts) noexcept {
  const std::string_view bom = detail::utf8_bom;
  char* const begin =
      start_.data() + (std::string_view(start_.data(), size_).substr(0, bom.size()) == bom ? bom.size() : 0);
  char* end = start_.data() + size_;
  const declared_meaning wanted = detail::meaning_of(name_);
  const auto is_to_change = [&](std::string_view name) { return is_other(name, name_, wanted); };
  while (true) {
    const declaration old =
        detail::find_declaration({begin, static_cast<std::size_t>(end - begin)}, is_whole, is_to_change);
    const std::string_view name = new_name(old, name_);
    const std::string_view stays = old.name.substr(old.name.size() - detail::size_of_line_ending(old.name));
    const std::size_t size = old.name.size() - stays.size();  // of what goes
    if (name.empty() || size == 0) break;
    if (static_cast<std::size_t>(end - start_.data()) - size + name.size() > start_.size()) break;

    const bool is_small = std::none_of(old.name.begin(), old.name.end(), [](char c) { return c != detail::lower(c); });
    char* const at = begin + (old.name.data() - begin);
    std::memmove(at + name.size(), at + size, static_cast<std::size_t>(end - (at + size)));
    std::transform(name.begin(), name.end(), at, [&](char c) { return is_small ? detail::lower(c) : c; });
    end += static_cast<std::ptrdiff_t>(name.size()) - static_cast<std::ptrdiff_t>(size);
    ++facts.changes;
  }
  size_ = static_cast<std::uint16_t>(end - start_.data());
  is_updated_ = true;
}

codec_progress update_declaration::operator()(text_piece in, char* out, std::size_t room, text_facts& facts) noexcept {
  const std::size_t size = in.text.size();
  if (!is_updated_) {
    // Not fitting(), which would keep a CR LF together: then another cut of the text could make another start.
    std::size_t n = std::min(size, most - size_);
    while (n != 0 && n != size && detail::is_continuation(static_cast<unsigned char>(in.text[n]))) --n;
    std::copy_n(in.text.data(), n, start_.data() + size_);
    size_ = static_cast<std::uint16_t>(size_ + n);
    in.text.remove_prefix(n);
    const bool is_full = !in.text.empty() || size_ == most;
    if (!is_full && in.next != text_piece::follows::nothing) return {size, 0, codec_status::need_input};
    update(!is_full, facts);
  }
  const text_piece start{{start_.data() + given_, std::size_t{size_} - given_}};
  const std::size_t first = start.fitting(room);
  if (first != 0) std::memcpy(out, start.text.data(), first);
  given_ = static_cast<std::uint16_t>(given_ + first);
  const std::size_t n = given_ == size_ ? in.fitting(room - first) : 0;
  if (n != 0) std::memcpy(out + first, in.text.data(), n);
  in.text.remove_prefix(n);
  const bool is_all = in.text.empty() && given_ == size_;
  return {size - in.text.size(), first + n, is_all ? codec_status::need_input : codec_status::need_output};
}

}  // namespace utfilter::changes
