// decoded_start.cpp: decodes a whole text by the bulk conversion alone, if it is as texts usually are.
#include <utfilter/detail/decoded_start.hpp>

#include "codecs/advance.hpp"
#include "codecs/decoded_start.hpp"
#include "codecs/guessing.hpp"
#include "codecs/overwrite.hpp"
#include "encodings/encoding_scheme.hpp"

#include <utfilter/repair.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace utfilter::detail {
namespace {

constexpr std::size_t few = 1024;    // bytes of a short text
constexpr std::size_t piece = 8192;  // bytes of output that are made at a time
constexpr std::size_t longest = 8;   // bytes of the characters that one sequence becomes, at most

run& operator+=(run& a, const run& b) noexcept {
  a.consumed += b.consumed;
  a.produced += b.produced;
  a.characters += b.characters;
  a.line_feeds += b.line_feeds;
  return a;
}

/// Notes the place after the start of a text.
void stop_after(const encoding_scheme& row, std::string_view bytes, const char* utf8, const run& passed,
                decoded_start& start) noexcept {
  checkpoint& end = start.end.emplace();
  end.encoding = row.value;
  end.bytes_out = passed.produced;
  advance(end, passed, [&] {
    if (row.last_line != nullptr) return row.last_line(bytes.data(), passed.consumed);
    return last_line_by_utf8(bytes.data(), utf8, passed);
  });
}

/// For encodings other than UTF-8.
UTFILTER_NOINLINE std::string decode_long(const encoding_scheme& row, std::string_view bytes, decoded_start& start) {
  std::string made;
  char buffer[piece];
  run passed{}, one{};
  do {
    one = row.to_utf8(bytes.data() + passed.consumed, bytes.size() - passed.consumed, buffer, piece);
    // The rest will hardly grow by more than a sixteenth than this piece.
    if (passed.consumed == 0 && one.consumed != 0 && one.consumed != bytes.size())
      made.reserve(bytes.size() / one.consumed * (one.produced + one.produced / 16) + piece);
    passed += one;
    made.append(buffer, one.produced);
  } while (passed.consumed != bytes.size() && piece - one.produced < longest);
  start.is_whole = passed.consumed == bytes.size();
  if (!start.is_whole) stop_after(row, bytes, made.data(), passed, start);
  return made;
}

UTFILTER_NOINLINE std::string copy_long(std::string_view bytes, decoded_start& start) {
  std::string made;
  run passed{};
  overwrite(made, bytes.size(), [&](char* all, std::size_t room) noexcept {
    passed = kernels().copy_utf8(bytes.data(), bytes.size(), all, room);
    return passed.produced;
  });
  start.is_whole = passed.consumed == bytes.size();
  if (!start.is_whole) stop_after(utf8_scheme, bytes, bytes.data(), passed, start);
  return made;
}

/// As decode_start, for UTF-8.
std::string copy_start(std::string_view bytes, decoded_start& start) {
  if (bytes.size() > few) return copy_long(bytes, start);
  const run passed = kernels().validate_utf8(bytes.data(), bytes.size());
  start.is_whole = passed.consumed == bytes.size();
  if (!start.is_whole) stop_after(utf8_scheme, bytes, bytes.data(), passed, start);
  return {bytes.data(), passed.consumed};
}

/// The row of UTF-16 or UTF-32; null if the text begins with a byte order mark.
const encoding_scheme* row_without_bom(encoding from, std::string_view bytes) noexcept {
  const auto* const begin = reinterpret_cast<const unsigned char*>(bytes.data());
  if (match_bom(boms_of(from), begin, bytes.size(), true).what != bom_match::kind::absent) return nullptr;
  return unicode_scheme_of(unicode_scheme_of(from)->without_bom);
}

}  // namespace

std::string decode_start(const encoding_scheme& row, std::string_view bytes, decoded_start& start) {
  if (bytes.size() > few / 4) return decode_long(row, bytes, start);
  char buffer[few];
  const run passed = row.to_utf8(bytes.data(), bytes.size(), buffer, few);
  start.is_whole = passed.consumed == bytes.size();
  if (!start.is_whole) stop_after(row, bytes, buffer, passed, start);
  return {buffer, passed.produced};
}

std::string decode_unicode_start(std::string_view bytes, encoding from, decoded_start& start) {
  if (from == encoding::utf8)
    return bytes.substr(0, utf8_bom.size()) == utf8_bom ? std::string() : copy_start(bytes, start);
  const bool decides = from == encoding::utf16 || from == encoding::utf32;
  const encoding_scheme* const row = decides ? row_without_bom(from, bytes) : unicode_scheme_of(from);
  return row == nullptr ? std::string() : decode_start(*row, bytes, start);
}

bool is_usual(const params& p) noexcept {
  return is_usual(p.on_error) && p.bom == bom::automatic && p.fallback == encoding::utf8 &&
         is_replacement_character(p.replacement) && !p.repair && !p.start && p.guess_bytes != 0 &&
         p.legacy == encoding::windows1252 && p.candidates.empty() && is_share(p.least_confidence) &&
         p.index_every == 0;
}

}  // namespace utfilter::detail
