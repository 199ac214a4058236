// kernel_test.cpp: every kernel table that this processor can run, kernel by kernel, against the reference: what it
// consumes, produces and counts, and every byte of its output, for each length, room, alignment and place of an error.
// Guard pages lie before and after the input and the output.
// build: portable optimised kernels cost:60
#define BOOST_TEST_MODULE kernel
#include <boost/test/unit_test.hpp>

#include "support/brief.hpp"
#include "support/code_units.hpp"
#include "support/conformance_reference.hpp"
#include "support/expected_kernels.hpp"
#include "support/guarded_memory.hpp"
#include "support/kernel_list.hpp"
#include "support/tally.hpp"
#include "support/texts.hpp"

#include "encodings/encoding_scheme.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

const utfilter::detail::kernel_table* const* tested_kernels() noexcept;  // kernel_test_generic.cpp

namespace {

namespace reference = conformance::reference;
using kernel_list::conversion;
using kernel_list::line_counter;
using kernel_list::line_counters;
using kernel_list::operator==;
using kernel_list::text_of;
using reference::encoding;
using utfilter::detail::kernel_table;
using utfilter::detail::line_end;
using utfilter::detail::run;
using utfilter::detail::usable_kernels;
using utfilter::detail::usual_run;
using text32 = std::u32string;

/// The bulk conversions of CESU-8 and of modified UTF-8 use several kernels of the chosen table.
template <const utfilter::detail::encoding_scheme& Row,
          utfilter::detail::convert_kernel utfilter::detail::encoding_scheme::*Conversion>
run call_row(const kernel_table& table, const char* in, std::size_t size, char* out, std::size_t room) {
  const auto* const chosen = utfilter::detail::chosen_kernels.exchange(&table);
  const run done = (Row.*Conversion)(in, size, out, room);
  utfilter::detail::chosen_kernels = chosen;
  return done;
}

const std::vector<conversion> conversions = [] {
  using utfilter::detail::encoding_scheme;
  std::vector<conversion> all(std::begin(kernel_list::conversions), std::end(kernel_list::conversions));
  const auto never = [](const kernel_table&) { return false; };
  using utfilter::detail::cesu8_scheme;
  using utfilter::detail::modified_utf8_scheme;
  all.push_back({"CESU-8 to UTF-8", encoding::cesu8, encoding::utf8, true,
                 call_row<cesu8_scheme, &encoding_scheme::to_utf8>, never});
  all.push_back({"UTF-8 to CESU-8", encoding::utf8, encoding::cesu8, true,
                 call_row<cesu8_scheme, &encoding_scheme::from_utf8>, never});
  all.push_back({"modified UTF-8 to UTF-8", encoding::modified_utf8, encoding::utf8, true,
                 call_row<modified_utf8_scheme, &encoding_scheme::to_utf8>, never});
  all.push_back({"UTF-8 to modified UTF-8", encoding::utf8, encoding::modified_utf8, true,
                 call_row<modified_utf8_scheme, &encoding_scheme::from_utf8>, never});
  return all;
}();

//-------------------------------------------------------------------------------------------------------- the reference

bool has(encoding e, char32_t c) {
  if (e == encoding::windows1252) {
    static const std::set<char32_t> all = [] {
      std::set<char32_t> characters;
      for (unsigned byte = 0; byte < 256; ++byte) characters.insert(reference::windows1252(byte));
      return characters;
    }();
    return all.count(c) != 0;
  }
  return e != encoding::latin1 || c <= 0xFF;
}

/// The bytes of a character that exists in the encoding. They are cached, because a text is encoded again for each
/// kernel.
const std::string& encoded(encoding e, char32_t c) {
  constexpr std::size_t encodings = static_cast<std::size_t>(encoding::modified_utf8) + 1;
  static std::pair<char32_t, std::string> all[encodings][4096];
  auto& [last, bytes] = all[static_cast<std::size_t>(e)][c % 4096];
  if (last != c || bytes.empty()) {
    last = c;
    bytes = reference::encode(e, c);
  }
  return bytes;
}

std::string encoded(encoding e, const text32& text) {
  std::string bytes;
  for (const char32_t c : text)
    if (has(e, c)) bytes += encoded(e, c);
  return bytes;
}

/// A text and the expected result of a conversion.
class expectation {
 public:
  /// From the characters that exist in the source encoding.
  expectation(const conversion& c, const text32& characters) : c_(c), after_{run{}} {
    after_.reserve(characters.size() + 1);
    bool maps = true;
    for (const char32_t character : characters) {
      if (!has(c.from, character)) continue;
      const std::string& bytes = encoded(c.from, character);
      text_ += bytes;
      maps = maps && add(character, bytes.size());
    }
  }
  /// From any bytes.
  expectation(const conversion& c, std::string text) : c_(c), text_(std::move(text)), after_{run{}} {
    const std::string_view whole = text_;
    while (after_.back().consumed < whole.size()) {
      const reference::item next = reference::decode(c.from, whole.substr(after_.back().consumed));
      if (!next.good || !add(next.value, next.size)) break;
    }
  }

  const conversion& kernel() const { return c_; }
  const std::string& text() const { return text_; }
  const std::string& output() const { return output_; }

  /// The result for the first `size` bytes with `room` bytes for output: a kernel takes all whole characters that fit.
  run of(std::size_t size, std::size_t room) const {
    return *(
        std::partition_point(after_.begin(), after_.end(),
                             [&](const run& r) { return r.consumed <= size && (!c_.writes || r.produced <= room); }) -
        1);
  }
  run of_all() const { return after_.back(); }

 private:
  bool add(char32_t character, std::size_t size) {
    if (!has(c_.to, character)) return false;
    if (c_.writes) output_ += encoded(c_.to, character);
    const run& last = after_.back();
    const std::size_t consumed = last.consumed + size;
    after_.push_back(
        {consumed, c_.writes ? output_.size() : consumed, last.characters + 1, last.line_feeds + (character == U'\n')});
    return true;
  }

  const conversion& c_;
  std::string text_, output_;
  std::vector<run> after_;  // the index is the number of characters
};

//------------------------------------------------------------------------------------------------- calls between guards

/// A call of a kernel, for messages.
struct attempt {
  const char* table;
  const char* kernel;
  const char* in;
  std::size_t size;
  const char* out;
  std::size_t room;

  std::string text() const {
    std::ostringstream text;
    const auto place = [](const char* p) { return reinterpret_cast<std::uintptr_t>(p) % 64; };
    text << table << ", " << kernel << ", " << size << " bytes at " << place(in) << " modulo 64, room for " << room
         << " at " << place(out) << ": " << hexadecimal({in, size});
    return text.str();
  }
};

attempt current{};

constexpr std::size_t memory_size = 1 << 20, margin = 64, plenty = memory_size - 4 * margin;
constexpr char untouched = '\xA5';

/// The bytes before the input could be the start of a character. A kernel that reads them goes wrong.
char open_before(encoding e) { return e == encoding::utf8 ? '\xF0' : '\xDB'; }

/// Makes the calls of a test, counts them, and prints the first failures.
class examination {
 public:
  examination() = default;
  examination(const examination&) = delete;
  examination& operator=(const examination&) = delete;
  ~examination() { tally_.summary(boost::unit_test::framework::current_test_case().p_name.get()); }

  /// Under every table, tries the first `size` bytes of the text twice: after a guard page and followed by the rest of
  /// the text, then before a guard page. The output lies after and before a guard page, too.
  void check(const expectation& e, std::size_t size, std::size_t room) {
    const run expected = e.of(size, room);
    at_front(e, e.text(), size, room, expected);
    at_back(e, std::string_view(e.text()).substr(0, size), room, expected);
  }

  void at_front(const expectation& e, std::string_view text, std::size_t size, std::size_t room, const run& expected,
                std::size_t in_offset = 0, std::size_t out_offset = 0) {
    char* const in = in_.begin() + in_offset;
    std::memset(in_.begin(), open_before(e.kernel().from), in_offset);
    std::memcpy(in, text.data(), text.size());
    check_at(e, in, size, out_.begin() + out_offset, room, expected);
  }
  void at_back(const expectation& e, std::string_view text, std::size_t room, const run& expected) {
    char* const in = in_.end() - text.size();
    std::memset(in - margin, open_before(e.kernel().from), margin);
    std::memcpy(in, text.data(), text.size());
    check_at(e, in, text.size(), out_.end() - room, room, expected);
  }

  /// Tries the text twice: after a guard page and before one.
  void check(const line_counter& l, const text32& text) {
    const std::string bytes = encoded(l.of, text);
    const line_end expected = last_line(l, text);
    at_front(l, bytes, expected);
    std::memset(in_.end() - bytes.size() - margin, open_before(l.of), margin);
    check_at(l, in_.end() - bytes.size(), bytes, expected);
  }
  void at_front(const line_counter& l, const std::string& bytes, const line_end& expected, std::size_t in_offset = 0) {
    std::memset(in_.begin(), open_before(l.of), in_offset);
    check_at(l, in_.begin() + in_offset, bytes, expected);
  }
  static line_end last_line(const line_counter& l, const text32& text) {
    const text32 line = text.substr(text.rfind(U'\n') + 1);  // all of the text if npos + 1 is 0
    return {encoded(l.of, line).size(), line.size()};
  }

 private:
  void check_at(const line_counter& l, char* in, const std::string& bytes, const line_end& expected) {
    std::memcpy(in, bytes.data(), bytes.size());
    for (const auto* table = tested_kernels(); *table != nullptr; ++table) {
      current = {(*table)->name, l.name, in, bytes.size(), nullptr, 0};
      const line_end last = ((*table)->*l.kernel)(in, bytes.size());
      if (tally_.failed(last.bytes == expected.bytes && last.characters == expected.characters))
        BOOST_ERROR(current.text() << "\nexpected " << expected.bytes << " bytes, " << expected.characters
                                   << " characters\ngot " << last.bytes << " bytes, " << last.characters
                                   << " characters");
    }
  }
  void check_at(const expectation& e, const char* in, std::size_t size, char* out, std::size_t room,
                const run& expected) {
    static const std::string clean(margin, untouched);
    const std::size_t before = std::min<std::size_t>(static_cast<std::size_t>(out - out_.begin()), margin);
    const std::size_t after = std::min<std::size_t>(static_cast<std::size_t>(out_.end() - out) - room, margin);
    for (const auto* table = tested_kernels(); *table != nullptr; ++table) {
      std::memset(out - before, untouched, before + room + after);
      current = {(*table)->name, e.kernel().name, in, size, out, room};
      const run got = e.kernel().call(**table, in, size, out, room);
      const bool right =
          got == expected && std::memcmp(out, e.output().data(), std::min(expected.produced, e.output().size())) == 0;
      const bool outside =
          std::memcmp(out - before, clean.data(), before) != 0 || std::memcmp(out + room, clean.data(), after) != 0;
      if (tally_.failed(right && !outside))
        BOOST_ERROR(current.text() << "\nexpected " << text_of(expected) << ": "
                                   << hexadecimal(std::string_view(e.output()).substr(0, expected.produced)) << "\ngot "
                                   << text_of(got) << ": " << hexadecimal({out, std::min(got.produced, room)})
                                   << (outside ? "\nand wrote outside the room" : ""));
    }
  }

  static inline const guarded_memory in_{memory_size}, out_{memory_size};

  guard_report crashes_{[] { return current.text(); }};
  tally tally_;
};

//---------------------------------------------------------------------------------------------------------------- texts

/// Characters of one to four bytes of UTF-8, on both sides of the bounds, and some in which a byte could be mistaken
/// for a line feed.
const text32 of_bytes[] = {
    text32(U"\0\x7F\n\r az@\n", 9),
    U"\x80\x85\xBF\xC0\xE9\xFF\x100\x10A\x400\x7FF",
    U"\x800\xA00\xA0A\xA41\xFFF\x1000\x20AC\xCFFF\xD000\xD7FF\xE000\xFEFF\xFFFD\xFFFF",
    U"\x10000\x1000A\x103FF\x10400\x1F600\x3FFFF\x40000\xA0A0A\xFFFFF\x100000\x10FFFF",
};
constexpr std::size_t lengths = std::size(of_bytes);

/// A character of each length, for texts of one length.
constexpr char32_t typical[lengths] = {U'a', U'\xE9', U'\u20AC', U'\U0001F600'};

class dice {
 public:
  explicit dice(std::uint_fast32_t seed) : engine_(seed) {}
  /// 0 to n - 1. (std::uniform_int_distribution would give other numbers in each standard library.)
  std::size_t below(std::size_t n) { return engine_() % n; }
  bool one_in(std::size_t n) { return below(n) == 0; }

  char32_t character(std::size_t length) { return of_bytes[length][below(of_bytes[length].size())]; }

 private:
  std::mt19937 engine_;
};

/// Texts of at least `size` characters: each length of UTF-8 alone, beginning at each of four places; line feeds; all
/// mixtures of the lengths; ISO-8859-1; mostly ASCII; runs of one length after the other.
std::vector<text32> mixtures(std::size_t size) {
  dice random(3629);
  std::vector<text32> all;
  for (std::size_t shift = 0; shift < 4; ++shift)
    for (const char32_t c : typical) all.push_back(text32(shift, U'.') + text32(size, c));
  all.emplace_back(size, U'\n');
  for (unsigned chosen = 1; chosen < 1u << lengths; ++chosen) {
    text32 text;
    while (text.size() < size) {
      const std::size_t length = random.below(lengths);
      if ((chosen >> length & 1) != 0) text += random.character(length);
    }
    all.push_back(text);
  }
  text32 latin1, sparse, runs;
  while (latin1.size() < size) latin1 += static_cast<char32_t>(random.below(256));
  while (sparse.size() < size) sparse += random.one_in(20) ? random.character(random.below(lengths)) : U'e';
  while (runs.size() < size) {
    const std::size_t length = random.below(lengths);
    for (std::size_t n = random.below(70); n != 0; --n) runs += random.character(length);
  }
  all.insert(all.end(), {latin1, sparse, runs});
  return all;
}

/// The number of lengths that exist in both encodings of a conversion.
std::size_t kinds_of(const conversion& c) {
  const auto is = [&](encoding e) { return c.from == e || c.to == e; };
  return is(encoding::latin1) ? 2 : is(encoding::windows1252) ? 3 : lengths;
}

/// The character number `n` of a length, in both encodings of a conversion.
char32_t character_of(const conversion& c, std::size_t kind, std::size_t n) {
  const char32_t character = typical[kind] + static_cast<char32_t>(n);
  if (has(c.from, character) && has(c.to, character)) return character;
  // windows-1252 has 17 characters of three bytes of UTF-8.
  static constexpr char32_t of_windows1252[] = U"\x20AC\x201A\x201E\x2026\x2020\x2021\x2030\x2039\x2018\x2019"
                                               U"\x201C\x201D\x2022\x2013\x2014\x2122\x203A";
  return of_windows1252[n % (std::size(of_windows1252) - 1)];
}

/// Calls `visit` with each text of `bytes` bytes: the lengths of its characters in every order. All characters of a
/// text differ.
template <class Visit>
void for_each_order(const conversion& c, std::size_t bytes, const Visit& visit, const text32& text = {}) {
  if (bytes == 0) return visit(text);
  for (std::size_t kind = 0; kind < kinds_of(c); ++kind) {
    const char32_t next = character_of(c, kind, text.size());
    const std::size_t size = encoded(c.from, next).size();
    if (size <= bytes) for_each_order(c, bytes - size, visit, text + next);
  }
}

/// Ill-formed or unmappable text: a kernel stops before it, whatever follows.
std::vector<std::string> obstacles(const conversion& c) {
  switch (c.from) {
    case encoding::utf8: {
      // Continuation bytes without a lead byte; overlong; truncated; surrogates; beyond U+10FFFF; no lead bytes.
      std::vector<std::string> bytes = kernel_list::units(
          c.from,
          "80 BF 80BF 80BF80 80BF80BF C0 C080 C1BF E08080 E09FBF F0808080 F08FBFBF "
          "C2 DF E0 E1 ED EF E0A0 E180 ED9F EFBF F0 F1 F4 F090 F180 F48F F09080 F3BFBF F48FBF EDA080 EDAFBF EDB080 EDBFBF "
          "F4908080 F4BFBFBF F5808080 F7BFBFBF F5 F6 F888808080 FC8480808080 FE FF");
      if (c.to == encoding::latin1 || c.to == encoding::windows1252)
        for (const char32_t c32 : {U'\x100', U'\x7FF', U'\x800', U'\x10000'}) bytes.push_back(reference::utf8(c32));
      return bytes;
    }
    case encoding::utf16le:
    case encoding::utf16be:
      return kernel_list::units(c.from, "DC00 DFFF D800 DBFF D83DD83D DC00D800 D800E000 DBFFDBFF");
    case encoding::utf32le:
    case encoding::utf32be: {
      std::vector<std::string> bytes = kernel_list::units(
          c.from,
          "0000D800 0000DBFF 0000DC00 0000DFFF 00110000 0011000A 001FFFFF 00D80000 0A000000 61000000 7FFFFFFF FFFFFFFF "
          "FFFFD800");
      for (char32_t bit = 0x80000000; bit > 0x10FFFF; bit /= 2)
        bytes.push_back(reference::store(bit + U'a', 4, c.from == encoding::utf32le));
      return bytes;
    }
    case encoding::cesu8:  // with unpaired surrogates
      return kernel_list::units(c.from,
                                "80 C1BF E282 ED EDA080 EDAFBF EDB080 EDA0BDED EDA0BDEDB8 EDA0BDEDA0BD EDB880EDA0BD "
                                "F09F9880 F4 FF");
    case encoding::modified_utf8:
      return kernel_list::units(c.from, "00 C0 C081 C000 C180 80 EDA0BD EDA0BD00 EDB880 E28200 F09F9880");
    default: return {};
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_scalar_table_is_the_last_and_all_names_differ) {
  std::set<std::string> names;
  std::string last;
  for (const auto* table = usable_kernels(); *table != nullptr; ++table) {
    last = (*table)->name;
    BOOST_TEST(names.insert(last).second, last);
  }
  BOOST_TEST(last == "scalar");
}

bool is_tested(std::string_view name) {
  for (const auto* table = tested_kernels(); *table != nullptr; ++table)
    if ((*table)->name == name) return true;
  return false;
}

#if defined(__LP64__) && defined(__GNUC__) && !defined(__clang__)
BOOST_AUTO_TEST_CASE(the_generic_table_is_tested_on_each_processor) { BOOST_TEST(is_tested("generic")); }
#endif

#if defined(__x86_64__) && defined(__LP64__) && !defined(__clang__)
BOOST_AUTO_TEST_CASE(the_table_of_avx512_is_tested_on_each_processor) {
  BOOST_TEST((is_tested("avx512") || is_tested("emulated avx512")));
}
#endif

/// Each unit as UTF-8 would write a character of its value, whether it is a surrogate or not.
std::string cesu8_of_units(std::string_view units16le) {
  text32 units;
  for (std::size_t i = 0; i + 1 < units16le.size(); i += 2) units += reference::load(units16le.substr(i), 2, true);
  return texts::utf8(units);
}

BOOST_AUTO_TEST_CASE(the_halves_of_CESU_8_convert_units_of_any_value) {
  static constexpr char32_t kinds[] = {U'a',      U'\n',  U'\x7F', U'\x80', U'\u07FF', U'\u0800',
                                       U'\u20AC', 0xD800, 0xDBFF,  0xDC00,  0xDFFF,    0xFFFF};
  const guarded_memory in(2048), out(2048);
  std::mt19937 random(2026);
  for (const auto* table = tested_kernels(); *table != nullptr; ++table) {
    BOOST_TEST_CONTEXT((*table)->name) {
      for (std::size_t length = 0; length <= 200; ++length) {
        text32 units;
        // A second text of each length has only units of three bytes.
        const std::size_t first = length % 2 == 0 ? 0 : 5;
        while (units.size() < length) units += kinds[first + random() % (std::size(kinds) - first)];
        const std::string expected = texts::utf8(units), all = texts::utf16le(units);

        char* to = out.end() - (3 * length + 128);
        char* from = in.end() - (all.size() + 64);
        std::memset(from, 0, all.size() + 64);
        all.copy(from, all.size());
        const std::size_t written = (*table)->units_to_cesu8(from, all.size(), to);
        BOOST_TEST((std::string_view(to, written) == expected), length << " units");

        // Every error, and the end of the text, at the end of the units.
        for (const std::string_view error :
             {"", "\x80", "\xC1\xBF", "\xE0\x9F\x80", "\xE2\x82", "\xF0\x9F\x98\x80", "\xFF"}) {
          for (const std::size_t after : {0u, 150u}) {
            const std::string text = expected + std::string(error) + std::string(after, '.');
            const std::string whole = error.empty() ? text : expected;
            to = out.end() - (2 * text.size() + 128);
            from = in.end() - text.size();
            text.copy(from, text.size());
            const run done = (*table)->cesu8_to_units(from, text.size(), to);
            BOOST_TEST(done.consumed <= whole.size());
            BOOST_TEST(done.consumed + 66 >= whole.size());
            BOOST_TEST((cesu8_of_units({to, done.produced}) == whole.substr(0, done.consumed)), length << " units");
          }
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(the_counts_are_the_sizes_of_the_converted_text) {
  const guarded_memory memory(16384);
  std::mt19937 random(7);
  const text32 kinds = U"a\n\x7F\x80\x7FF\x800\xD7FF\xE000\xFFFF\x10000\x10FFFF";
  for (const auto* table = tested_kernels(); *table != nullptr; ++table) {
    BOOST_TEST_CONTEXT((*table)->name) {
      const auto count = [&](utfilter::detail::count_kernel kernel_table::*kernel, const std::string& text) {
        char* const from = memory.end() - text.size();
        text.copy(from, text.size());
        return ((*table)->*kernel)(from, text.size());
      };
      // Longer than the blocks that are counted together: 512 units.
      for (std::size_t length = 0; length <= 1100; length += length < 140 ? 1 : 61) {
        // All characters; only ASCII; only the longest ones, whose sums are the largest.
        for (const text32& these : {kinds, kinds.substr(0, 3), kinds.substr(10)}) {
          text32 text;
          while (text.size() < length) text += these[random() % these.size()];
          const std::string utf8 = texts::utf8(text), utf16 = texts::utf16(text, code_units::little);
          BOOST_TEST(count(&kernel_table::utf16_units_of_utf8, utf8) == utf16.size() / 2);
          BOOST_TEST(count(&kernel_table::utf32_units_of_utf8, utf8) == text.size());
          BOOST_TEST(count(&kernel_table::utf8_bytes_of_utf16, utf16) == utf8.size());
          BOOST_TEST(count(&kernel_table::utf8_bytes_of_utf32, code_units::bytes_of(text)) == utf8.size());
        }
      }
      for (const auto kernel : {&kernel_table::utf16_units_of_utf8, &kernel_table::utf32_units_of_utf8,
                                &kernel_table::utf8_bytes_of_utf16, &kernel_table::utf8_bytes_of_utf32})
        BOOST_TEST(((*table)->*kernel)(nullptr, 0) == 0u);
    }
  }
}

/// Whether usual_text stops at this place of well-formed text, which has two bytes more.
static bool is_odd(const unsigned char* at) {
  const unsigned first = at[0], second = at[1], third = at[2];
  switch (first) {
    case '\t':
    case '\n':
    case '\r': return false;
    case 0x7F:
    case 0xEE:
    case 0xF3:
    case 0xF4: return true;
    case 0xC2: return second <= 0xA0 || second == 0xAD;
    case 0xCD:
    case 0xD8: return second == 0x8F || second == 0x9C;
    case 0xE0: return second == 0xA8 || second == 0xB4;
    case 0xE1:
    case 0xE3:
      return (second == 0x85 || second == 0x9E) &&
             (third == 0x9F || third == 0xA0 || third == 0xA4 || third == 0xB4 || third == 0xB5);
    case 0xE2: return second < 0x82 && (third < 0x90 || third > 0x9F);
    case 0xEF: return second < 0xA4 || second == 0xB7 || second == 0xBB || second >= 0xBE;
    case 0xF0:
    case 0xF1:
    case 0xF2: return third == 0xBF;
    default: return first < 0x20;
  }
}

/// What usual_text returns.
static usual_run usual(std::string text) {
  usual_run wanted{0, 0, 0};
  const std::size_t size = text.size();
  text += "\xC2\xC2";  // stands for what may follow
  for (; wanted.bytes != size && !is_odd(reinterpret_cast<const unsigned char*>(&text[wanted.bytes])); ++wanted.bytes) {
    wanted.returns += text[wanted.bytes] == '\r';
    wanted.before_feed += text[wanted.bytes] == '\r' && text[wanted.bytes + 1] == '\n';
  }
  return wanted;
}

BOOST_AUTO_TEST_CASE(the_first_byte_that_an_inspector_must_look_at_is_found) {
  const guarded_memory memory(4096);
  std::string controls = "\x7F";
  for (char c = 0; c < 0x20; ++c)
    if (c != '\t' && c != '\n' && c != '\r') controls += c;
  for (const auto* table = tested_kernels(); *table != nullptr; ++table) {
    const auto usual_text = (*table)->usual_text;
    if (usual_text == nullptr) continue;
    BOOST_TEST_CONTEXT((*table)->name) {
      BOOST_TEST(usual_text(nullptr, 0).bytes == 0u);
      tally cases;
      const auto passed = [&](const std::string& text) {
        char* const from = memory.end() - text.size();
        text.copy(from, text.size());
        return usual_text(from, text.size());
      };
      const auto check = [&](const std::string& text) {
        const usual_run got = passed(text), wanted = usual(text);
        cases.check(got.bytes == wanted.bytes, "the wrong place", text);
        cases.check(got.returns == wanted.returns, "the wrong number of CR", text);
        cases.check(got.before_feed == wanted.before_feed, "the wrong number of CR LF", text);
      };
      for (char32_t c = 0; c <= 0x10FFFF; c += c < 0x11000 ? 1 : 977) {
        if (c >= 0xD800 && c <= 0xDFFF) continue;
        const std::string one = reference::utf8(c);
        check(std::string(c % 131, 'a') + one);
        for (const char* const next : {"BEFKb", "\u00C3\u00A9\u2019", "\u00E9\u00A0", "\u4E00\u0178", "\u00E9\u02DC"})
          check(std::string(c % 131, 'a') + one + next + std::string(140, 'z'));
      }
      for (std::size_t size = 0; size < 300; ++size)
        for (std::size_t at = 0; at < size; ++at) {
          std::string text(size, 'a');
          text[at] = '\r';
          check(text);
          if (at + 1 != size) text[at + 1] = '\n';
          check(text);
          text[at] = '\x1B';
          check(text);
        }

      std::mt19937 random(2022);
      const auto one_of = [&](std::string_view characters) { return characters[random() % characters.size()]; };
      for (int i = 0; i < 20000; ++i) {
        std::string text;
        for (std::size_t size = random() % 600; text.size() < size;) {
          if (random() % 4 == 0) text += i % 3 == 0 ? "\u00E9" : i % 3 == 1 ? "\u6C34\u3002\uFF0C" : "\U0001F600";
          text += random() % 4 == 0 ? "\r\n" : std::string(1, random() % 500 == 0 ? '\x7F' : one_of("\r\nab\t"));
        }
        check(text);

        std::string bytes(random() % 300, '\0');
        for (char& b : bytes) b = static_cast<char>(random() % 64 == 0 ? random() : i % 2 == 0 ? random() | 0x80 : 'a');
        cases.check(bytes.find_first_of(controls) >= passed(bytes).bytes, "a control is passed", bytes);
      }
    }
  }
}

/// Whether the text is well-formed and has none of the characters that harmless_text finds.
bool is_harmless(const std::string& text) {
  for (std::string_view rest = text; !rest.empty();) {
    const reference::item next = reference::decode(encoding::utf8, rest);
    if (!next.good) return false;
    const char32_t c = next.value;
    if (c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0x61C || c == 0x200E || c == 0x200F) return false;
    if ((c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069)) return false;
    rest.remove_prefix(next.size);
  }
  return true;
}

BOOST_AUTO_TEST_CASE(is_well_formed_agrees_with_the_definition) {
  std::mt19937 random(26);
  const guarded_memory memory(32768);
  for (const auto* table = tested_kernels(); *table != nullptr; ++table) {
    const auto is_well_formed = (*table)->is_well_formed;
    BOOST_TEST_CONTEXT((*table)->name) {
      tally cases;
      const auto check = [&](const std::string& text) {
        char* const from = memory.end() - text.size();
        text.copy(from, text.size());
        std::string_view rest = text;
        bool good = true;
        while (good && !rest.empty()) {
          const reference::item next = reference::decode(encoding::utf8, rest);
          good = next.good;
          rest.remove_prefix(next.size);
        }
        cases.check(is_well_formed(from, text.size()) == good, "well-formed, or ill-formed", text);
      };
      BOOST_TEST(is_well_formed(nullptr, 0));
      for (const char* const one :
           {"a", "\u00E9", "\u4E2D", "\U0001F600", "a text, and \u00E9, and more text than a vector has \u4E2D"})
        for (std::size_t size = 0; size < 1300; size += size < 300 ? 1 : 19) {
          std::string text;
          while (text.size() < size) text += one;
          check(text);
          check(text.substr(0, size));  // may cut the last character
          for (const char* const bad : {"\x80", "\xFF", "\xE2\x80", "\xC0\x80", "\xED\xA0\x80", "\xF0\x9F\x98"}) {
            const std::size_t at = random() % (text.size() + 1);
            check(text.substr(0, at) + bad + text.substr(at));
            check(text + bad);
          }
        }
      // Long texts, of which most are well-formed.
      for (unsigned i = 0; i < 100; ++i) {
        std::string text;
        while (text.size() < 10000) text += random() % 200 == 0 ? "\u4E2D\u6587" : random() % 50 == 0 ? "\u00E9" : "x";
        text.resize(10000 + random() % 1000, 'y');
        check(text);
        text[random() % text.size()] = static_cast<char>(random());
        check(text);
      }
      cases.summary();
    }
  }
}

BOOST_AUTO_TEST_CASE(harmless_text_is_well_formed_without_controls) {
  const guarded_memory memory(4096);
  for (const auto* table = tested_kernels(); *table != nullptr; ++table) {
    const auto harmless_text = (*table)->harmless_text;
    if (harmless_text == nullptr) continue;
    BOOST_TEST_CONTEXT((*table)->name) {
      tally cases;
      const auto check = [&](const std::string& text) {
        char* const from = memory.end() - text.size();
        text.copy(from, text.size());
        cases.check(harmless_text(from, text.size()) == is_harmless(text), "not harmless, or harmless", text);
      };
      BOOST_TEST(harmless_text(nullptr, 0));
      for (char32_t c = 0; c <= 0x10FFFF; c += c < 0x3100 ? 1 : 977) {
        if (c >= 0xD800 && c <= 0xDFFF) continue;
        check(std::string(c % 67, 'a') + reference::utf8(c));
        check(std::string(c % 131, 'a') + reference::utf8(c) + std::string(c % 71, 'z'));
      }
      for (const char* const one : {"a", "\u00E9", "\u4E2D", "\u201D", "\u00A0", "\u0621", "\U0001F600"})
        for (std::size_t size = 0; size < 300; ++size) {
          std::string text;
          while (text.size() < size) text += one;
          check(text);
          check(text.substr(0, size));  // may cut the last character
          for (const char* const bad : {"\x1B", "\x7F", "\t", "\xC2\x85", "\xD8\x9C", "\xE2\x80\xAE", "\xE2\x81\xA6",
                                        "\x80", "\xFF", "\xE2\x80", "\xC0\x80", "\xED\xA0\x80"}) {
            check(text + bad);
            check(bad + text);
            for (std::size_t at = 0; at < text.size(); at += 1 + at / 4)
              check(text.substr(0, at) + bad + text.substr(at));
          }
        }
      std::mt19937 random(2023);
      for (int i = 0; i < 20000; ++i) {
        std::string bytes(random() % 200, '\0');
        for (char& b : bytes) b = static_cast<char>(random() % 64 == 0 ? random() : ' ' + random() % 95);
        check(bytes);
      }
      cases.summary("texts with and without controls");
    }
  }
}

BOOST_AUTO_TEST_CASE(the_first_byte_that_may_begin_a_control_is_found) {
  const guarded_memory memory(4096);
  for (const auto* table = tested_kernels(); *table != nullptr; ++table) {
    const auto no_controls = (*table)->no_controls;
    if (no_controls == nullptr) continue;
    BOOST_TEST_CONTEXT((*table)->name) {
      tally cases;
      const auto found_in = [&](const std::string& text) {
        char* const from = memory.end() - text.size();
        text.copy(from, text.size());
        return no_controls(from, text.size());
      };
      BOOST_TEST(no_controls(nullptr, 0) == 0u);
      for (const char filler : {' ', '~', '\x80', '\xBF', '\xE3', '\xFF'})
        for (std::size_t size = 0; size < 200; size += size < 70 ? 1 : 13) {
          std::string text(size, filler);
          cases.check(found_in(text) == size, "a byte is found where there is none", std::to_string(size));
          for (std::size_t at = 0; at < size; at += 1 + at / 16) {
            for (unsigned byte = 0; byte < 256; ++byte) {
              text[at] = static_cast<char>(byte);
              const bool begins = byte < 0x20 || byte == 0x7F || byte == 0xC2 || byte == 0xD8 || byte == 0xE2;
              if (found_in(text) == (begins ? at : size)) continue;
              cases.check(false, "another place", std::to_string(byte) + " at " + std::to_string(at));
            }
            text[at] = filler;
          }
        }
      cases.summary("controls");
    }
  }
}

// Sanitizers report any arithmetic with a null pointer, even a subtraction of 1.
BOOST_AUTO_TEST_CASE(null_pointers_are_accepted_for_an_empty_text_and_no_room) {
  for (const auto* table = tested_kernels(); *table != nullptr; ++table) {
    BOOST_TEST_CONTEXT((*table)->name) {
      for (const conversion& c : conversions) {
        BOOST_TEST((c.call(**table, nullptr, 0, nullptr, 0) == run{}), c.name);
        if (!c.writes) continue;
        for (const char32_t character : typical)
          for (const std::size_t length : {1u, 20u, 40u, 100u, 400u}) {
            const expectation e(c, text32(length, character));
            BOOST_TEST((c.call(**table, e.text().data(), e.text().size(), nullptr, 0) == run{}), c.name);
          }
      }
      for (const line_counter& l : line_counters) BOOST_TEST(((*table)->*l.kernel)(nullptr, 0).bytes == 0u, l.name);
    }
  }
}

BOOST_FIXTURE_TEST_CASE(every_length, examination) {
  for (const text32& text : mixtures(257))
    for (const conversion& c : conversions) {
      const expectation e(c, text);
      for (std::size_t size = 0; size <= std::min<std::size_t>(256, e.text().size()); ++size) {
        if (!brief::takes_next_fast()) continue;
        check(e, size, 4 * size + margin);
        check(e, size, e.of(size, plenty).produced);
      }
    }
}

BOOST_FIXTURE_TEST_CASE(every_room, examination, *brief::left_out()) {
  std::vector<text32> all = mixtures(120);
  all.push_back(text32(400, U'e'));       // kernels take larger steps for ASCII,
  all.push_back(text32(400, U'\u0416'));  // and for other uniform text
  all.push_back(text32(400, U'\u3042'));
  for (const text32& text : all)
    for (const conversion& c : conversions) {
      if (!c.writes) continue;
      const expectation e(c, text);
      for (std::size_t room = 0; room <= e.output().size() + 2 * margin + 8; ++room) check(e, e.text().size(), room);
    }
}

BOOST_FIXTURE_TEST_CASE(every_alignment, examination) {
  const std::vector<text32> all = mixtures(90);
  for (const std::size_t i : {std::size_t{0}, std::size_t{2}, all.size() - 4, all.size() - 3})
    for (const conversion& c : conversions) {
      const expectation e(c, all[i]);
      for (std::size_t in = 0; in < 64; ++in)
        for (std::size_t out = 0; out < 64; ++out)
          if (brief::takes_next_fast()) at_front(e, e.text(), e.text().size(), e.output().size(), e.of_all(), in, out);
    }
}

BOOST_FIXTURE_TEST_CASE(every_length_at_every_alignment, examination) {
  const std::vector<text32> all = mixtures(256);
  for (const std::size_t i : {std::size_t{0}, std::size_t{2}, all.size() - 4, all.size() - 3})
    for (const conversion& c : conversions) {
      const expectation e(c, all[i]);
      for (std::size_t size = 0; size <= std::min<std::size_t>(256, e.text().size()); ++size) {
        const run expected = e.of(size, plenty);
        for (std::size_t in = 0; in < 64; ++in) at_front(e, e.text(), size, expected.produced, expected, in, 63 - in);
      }
    }
}

// In long texts, kernels may first step to an address where reading is cheaper.
BOOST_FIXTURE_TEST_CASE(every_alignment_of_a_long_text, examination) {
  for (const text32& text : mixtures(1100))
    for (const conversion& c : conversions) {
      const expectation whole(c, text);
      for (const std::size_t size : {500u, 513u, 700u, 1030u}) {
        const std::size_t some = std::min<std::size_t>(size, whole.text().size());
        const run expected = whole.of(some, plenty);
        for (std::size_t in = 0; in < 64; ++in)
          at_front(whole, whole.text(), some, expected.produced, expected, in, 63 - in);
      }
    }
}

// A character may begin before the block that follows such a step. The work on that block must take the character into
// account.
BOOST_FIXTURE_TEST_CASE(every_place_of_a_long_character_before_an_aligned_block, examination) {
  for (std::size_t place = 50; place <= 110; ++place) {
    text32 text(500, typical[1]);  // long enough for such a step
    text[place] = typical[3];
    for (const conversion& c : conversions) {
      if (c.from != encoding::utf8) continue;
      const expectation e(c, text);
      for (std::size_t in = 0; in < 64; ++in)
        at_front(e, e.text(), e.text().size(), e.output().size(), e.of_all(), in, 0);
    }
  }
}

// Kernels have shortcuts for uniform text. They test bits of the characters, so characters with each single bit are
// tried.
BOOST_FIXTURE_TEST_CASE(every_place_of_a_character_in_uniform_text, examination, *brief::left_out()) {
  text32 others = U"\n\x7F\x7FF\xFFFF\x10FFFF";
  for (char32_t bit = 0x80; bit <= 0x100000; bit *= 2) others += bit;
  for (std::size_t length = 0; length < lengths; ++length)
    for (const char32_t other : others) {
      text32 text(length < 2 ? 330 : 130, typical[length]);
      for (char32_t& place : text) {
        place = other;
        for (const conversion& c : conversions) {
          const expectation e(c, text);
          check(e, e.text().size(), e.output().size());
        }
        place = typical[length];
      }
    }
}

// When uniform text changes, kernels still try the shortcut for the text before the change.
BOOST_FIXTURE_TEST_CASE(every_change_from_one_uniform_text_to_another, examination, *brief::left_out()) {
  const text32 characters = U"\n\x7F\x80\xE9\xFF\x100\x7FF\x800\x20AC\x8080\xFFFF\x10000\x1F600\x10FFFF";
  for (const char32_t first : characters)
    for (const char32_t second : characters)
      for (std::size_t size = 96; size < 144; ++size) {
        const text32 text = text32(size, first) + text32(300, second) + text32(70, first);
        for (const conversion& c : conversions) {
          const expectation e(c, text);
          check(e, e.text().size(), e.output().size());
        }
      }
}

// Kernels use tables, indexed by the lengths of the next characters, to place the bytes.
BOOST_FIXTURE_TEST_CASE(every_order_of_characters_of_all_lengths, examination, *brief::left_out()) {
  const text32 after(64, U'.');
  for (const conversion& c : conversions) {
    // Three lengths of one byte each: 3^10 texts. (3^16 would take an hour.)
    const std::size_t bytes = kernel_list::unit_of(c.from) == 4 ? 24 : c.from == encoding::windows1252 ? 10 : 16;
    for_each_order(c, bytes, [&](const text32& text) {
      const expectation e(c, text + after);
      check(e, e.text().size(), e.output().size());
    });
  }
}

BOOST_FIXTURE_TEST_CASE(every_place_of_an_error, examination, *brief::left_out()) {
  for (const conversion& c : conversions) {
    const std::vector<std::string> errors = obstacles(c);
    if (errors.empty()) continue;
    const std::size_t kinds = kinds_of(c);
    // After the error: nothing, or enough text for the blocks of any kernel. Its lines must not be counted.
    std::vector<std::string> follows{"", encoded(c.from, text32(80, U'\n'))};
    for (std::size_t kind = 1; kind < kinds; ++kind) follows.push_back(encoded(c.from, text32(80, typical[kind])));
    for (const std::string& error : errors)
      for (const std::string& after : follows)
        BOOST_CHECK_MESSAGE(expectation(c, error + after).of_all().consumed == 0u,
                            c.name << ": " << hexadecimal(error));

    for (std::size_t kind = 0; kind < kinds; ++kind) {
      const std::size_t size = encoded(c.from, typical[kind]).size() / kernel_list::unit_of(c.from);
      for (std::size_t place = 0; place < 136; ++place) {
        const expectation before(c, text32(place % size, U'\n') + text32(place / size, typical[kind]));
        const run expected = before.of_all();
        for (const std::string& error : errors)
          for (const std::string& after : follows) {
            const std::string text = before.text() + error + after;
            at_front(before, text, text.size(), expected.produced, expected);
            at_back(before, text, expected.produced + 4 * text.size(), expected);
          }
      }
    }
  }
}

// Kernels choose how to check the next blocks by the number of blocks before them that are not ASCII. So hundreds of
// bytes here are almost all ASCII, or all of them.
BOOST_FIXTURE_TEST_CASE(every_block_boundary_in_long_text_that_is_mostly_ascii, examination, *brief::left_out()) {
  dice random(1991);
  const text32 characters = text32(typical, lengths) + U"\n\xE000\x10FFFF";
  for (const std::size_t distance : {30u, 150u, 700u}) {
    text32 text;
    while (text.size() < 3000) text += random.one_in(distance) ? random.character(random.below(lengths)) : U'e';
    for (const conversion& c : conversions) {
      if (c.from != encoding::utf8 || c.to != encoding::utf8) continue;
      const expectation whole(c, text);
      const std::vector<std::string> errors = obstacles(c);
      for (std::size_t place = 0; place < whole.text().size(); ++place) {
        const run before = whole.of(place, plenty);
        if ((place + 4) % 64 >= 6 || before.consumed != place) continue;
        const auto with = [&](const std::string& other) { return std::string(whole.text()).insert(place, other); };
        for (const std::string& error : errors) {
          const std::string changed = with(error);
          at_front(whole, changed, changed.size(), changed.size() + margin, before);
        }
        for (const char32_t character : characters) {
          const expectation changed(c, with(encoded(c.from, character)));
          at_front(changed, changed.text(), changed.text().size(), changed.text().size() + margin, changed.of_all());
        }
      }
    }
  }
}

// The more text a kernel has passed, the more blocks it checks together, up to one block for each bit of a mask.
BOOST_FIXTURE_TEST_CASE(an_error_in_a_text_that_is_longer_than_all_steps, examination) {
  dice random(4999);
  for (const std::size_t distance : {1u, 150u}) {
    text32 text;
    while (text.size() < 16000) text += random.one_in(distance) ? random.character(random.below(lengths)) : U'e';
    for (const conversion& c : conversions) {
      if (c.from != encoding::utf8 || c.to != encoding::utf8) continue;
      const expectation whole(c, text);
      for (std::size_t place = 1; place < whole.text().size(); place += 1 + random.below(64)) {
        const run before = whole.of(place, plenty);
        for (const std::string error : {"\xBF", "\xC2", "\xF5"}) {
          const std::string changed = std::string(whole.text()).insert(before.consumed, error);
          at_front(whole, changed, changed.size(), changed.size() + margin, before);
        }
      }
    }
  }
}

// A long run of ASCII in a text of this size is written past the caches, and other text is converted in pieces. An error,
// or the end of the room, comes in one of the last blocks; the output begins at several places of a cache line.
BOOST_AUTO_TEST_CASE(ascii_that_is_larger_than_the_caches) {
  const std::size_t accented = 150001, ascii = utfilter::detail::beyond_caches;
  std::string text;
  for (std::size_t i = 0; i < accented; ++i) text += "\u00E9";
  for (std::size_t i = 0; i < ascii; ++i) text += i % 1000 == i / 16384 ? '\n' : 'e';
  const std::size_t size = text.size();
  tally cases;
  for (const auto* table = tested_kernels(); *table != nullptr; ++table)
    for (const bool big : {false, true}) {
      std::string expected;
      for (std::size_t i = 2 * accented; i < size + accented; ++i) {
        const char unit[] = {'\0', i < 3 * accented ? '\xE9' : text[i - accented]};
        expected += {unit[!big], unit[big]};
      }
      const auto convert = big ? (*table)->utf8_to_utf16be : (*table)->utf8_to_utf16le;
      for (const std::size_t shift : {0u, 1u, 2u, 62u}) {
        if (shift != 2 && !brief::takes_next_fast()) continue;
        const std::size_t good = size - 40 * shift, room = expected.size() - (shift == 2 ? 10037 : 0);
        const std::size_t units = std::min(good - accented, room / 2), consumed = units + accented;
        std::string ill_formed = text, out(expected.size() + 100, '#');
        if (good != size) ill_formed[good] = '\xFF';
        const run done = convert(ill_formed.data(), size, out.data() + shift, room);
        const auto lines = static_cast<std::size_t>(std::count(text.data(), text.data() + consumed, '\n'));
        const bool right = done == run{consumed, 2 * units, units, lines} &&
                           out.compare(shift, 2 * units, expected, 0, 2 * units) == 0 &&
                           out.find_first_not_of('#', shift + room) == out.npos;
        cases.run([&] { BOOST_TEST(right, (*table)->name << ", output moved by " << shift); });
      }
    }
  cases.summary();
}

// Blocks in which every byte is wrong, after texts that lead the kernels there by each of their paths.
BOOST_FIXTURE_TEST_CASE(long_runs_of_errors, examination, *brief::left_out()) {
  dice random(3986);
  std::vector<text32> all{U""};
  for (const std::size_t size : {60u, 64u, 128u, 131u, 512u, 3008u}) {  // bytes of UTF-8
    for (const std::size_t distance : {1u, 2u, 150u, 3001u})
      for (const text32& last : {text32(U"\x7F"), text32(1, U'\0'), text32(U"\x2000")}) {
        text32 text = last;
        std::size_t left = size - encoded(encoding::utf8, last).size();
        while (left != 0) {
          std::size_t kind = random.one_in(distance) ? 1 + random.below(lengths - 1) : 0;
          if (kind >= left) kind = 0;
          text.insert(0, 1, typical[kind]);
          left -= kind + 1;
        }
        all.push_back(text);
      }
  }
  for (std::size_t kind = 1; kind < lengths; ++kind) all.push_back(typical[kind] + text32(128 - (kind + 1), U'e'));
  for (const conversion& c : conversions) {
    std::vector<std::string> errors = obstacles(c);
    if (c.from == encoding::utf8)
      for (int byte = 0x80; byte < 0x100; ++byte) errors.emplace_back(1, static_cast<char>(byte));
    for (const text32& text : all) {
      const expectation before(c, text);
      for (const std::string& error : errors) {
        std::string changed = before.text();
        while (changed.size() < before.text().size() + 400) changed += error;
        const expectation e(c, changed + encoded(c.from, text32(100, U'.')));
        check(e, e.text().size(), e.output().size() + 2 * margin);
      }
    }
  }
}

// Errors close to the end, also cut off by the end.
BOOST_FIXTURE_TEST_CASE(every_place_of_an_error_at_every_end, examination) {
  for (const conversion& c : conversions)
    for (const std::string& error : obstacles(c)) {
      const std::string after = encoded(c.from, U"\xE9.\x20AC\x1F600..");
      for (std::size_t place = 0; place < 136; ++place) {
        const expectation before(c, text32(place, place % 2 == 0 ? U'a' : U'\n'));
        const std::string text = before.text() + error + after;
        for (std::size_t size = before.text().size(); size <= text.size(); ++size)
          if (brief::takes_next_fast())
            at_back(before, std::string_view(text).substr(0, size), before.output().size() + 16, before.of_all());
      }
    }
}

// Microsoft's table of windows-1252 has five bytes without a character. They are tried at every place of texts of one, two
// and three bytes of UTF-8.
BOOST_AUTO_TEST_CASE(a_kernel_stops_before_an_unassigned_byte) {
  const auto holes = kernel_list::table_of([](unsigned byte) {
    const char32_t c = reference::windows1252(byte);
    return c == byte ? U'\0' : c;
  });
  tally cases;
  for (const auto* table = tested_kernels(); *table != nullptr; ++table)
    for (const std::string_view unit : {"a", "\x85", "a\x99", "\x80\x83\n"})
      for (const char hole : {'\x81', '\x8D', '\x90', '\x9D', '\xA0', '\xFF'}) {
        std::string text, utf8, out;
        while (text.size() < 200) text += unit;
        for (std::size_t place = 0; place < text.size(); ++place) {
          const std::string good = text.substr(0, place), wrong = good + hole + text;
          utf8.clear();
          for (const char byte : good) utf8 += reference::utf8(reference::windows1252(reference::byte_of(byte)));
          const auto lines = static_cast<std::size_t>(std::count(good.begin(), good.end(), '\n'));
          out.assign(4 * wrong.size(), '#');
          const run done = (*table)->bytes_to_utf8(holes, wrong.data(), wrong.size(), out.data(), out.size());
          const bool right = done == run{place, utf8.size(), place, lines} && out.compare(0, utf8.size(), utf8) == 0;
          const std::string back = utf8 + reference::utf8(reference::byte_of(hole)) + utf8;
          out.assign(back.size(), '#');
          const run undone = (*table)->utf8_to_bytes(holes, back.data(), back.size(), out.data(), out.size());
          const bool right_back = undone == run{utf8.size(), place, place, lines} && out.compare(0, place, good) == 0;
          cases.run([&] { BOOST_TEST((right && right_back), (*table)->name << ", place " << place); });
        }
      }
  cases.summary();
}

// Table 3-7 says which second bytes are allowed after each lead byte.
BOOST_FIXTURE_TEST_CASE(every_pair_of_bytes, examination, *brief::left_out()) {
  for (const conversion& c : conversions) {
    if (c.from != encoding::utf8 || (c.writes && c.to != encoding::utf16le)) continue;
    for (unsigned pair = 0; pair < 0x10000; ++pair) {
      const unsigned lead = pair >> 8;
      const std::string bytes{static_cast<char>(lead), static_cast<char>(pair & 0xFF)};
      const std::string rest = bytes + std::string(lead >= 0xF0 ? 2 : lead >= 0xE0 ? 1 : 0, '\x80') + "...";
      for (const std::size_t place : {5u, 15u, 31u, 63u}) {
        const expectation e(c, std::string(place, '.') + rest);
        check(e, e.text().size(), 4 * e.text().size());
      }
    }
  }
}

BOOST_FIXTURE_TEST_CASE(every_code_point, examination) {
  // In their order, and in an order in which neighbours have little in common.
  for (const char32_t step : {0x1u, 0x5A825u}) {
    text32 text;
    for (char32_t i = 0; i < 0x110000; ++i) {
      const char32_t c = static_cast<char32_t>(std::uint64_t{i} * step % 0x110000);
      if (!reference::is_high(c) && !reference::is_low(c)) text += c;
      if (text.size() < 4096 && i != 0x10FFFF) continue;
      for (const conversion& k : conversions) {
        const expectation e(k, text);
        check(e, e.text().size(), e.output().size());
      }
      text.clear();
    }
  }
}

// Kernels may use narrow counters if they empty them in time.
BOOST_FIXTURE_TEST_CASE(long_texts_are_counted, examination) {
  for (const char32_t c : text32(U"\n") + text32(typical, lengths)) {
    const text32 text(100000, c);
    for (const conversion& k : conversions) {
      const expectation e(k, text);
      check(e, e.text().size(), e.output().size());
    }
    for (const line_counter& l : line_counters) check(l, text);
  }
}

BOOST_FIXTURE_TEST_CASE(every_surrogate, examination) {
  for (const conversion& c : conversions) {
    if (reference::is_single_byte(c.from)) continue;
    for (char32_t surrogate = 0xD800; surrogate < 0xE000; ++surrogate) {
      const bool little = c.from == encoding::utf16le || c.from == encoding::utf32le;
      const std::size_t unit = kernel_list::unit_of(c.from);
      const std::string alone = unit == 1 ? reference::utf8(surrogate) : reference::store(surrogate, unit, little);
      for (const std::size_t place : {0u, 7u, 14u, 15u, 31u, 61u, 62u, 63u}) {
        const expectation e(c,
                            encoded(c.from, text32(place, U'\u00E9')) + alone + encoded(c.from, text32(40, U'\u00E9')));
        check(e, e.text().size(), e.output().size() + 200);
      }
    }
  }
}

BOOST_FIXTURE_TEST_CASE(every_place_of_the_last_line_feed, examination) {
  for (text32 text : mixtures(280)) {
    for (const line_counter& l : line_counters)
      for (std::size_t size = 0; size <= text.size(); ++size) check(l, text.substr(0, size));
    std::replace(text.begin(), text.end(), U'\n', U'\r');
    for (char32_t& place : text) {
      const char32_t before = std::exchange(place, U'\n');
      for (const line_counter& l : line_counters) check(l, text);
      place = before;
    }
  }
}

BOOST_FIXTURE_TEST_CASE(every_length_at_every_alignment_before_the_last_line_is_counted, examination) {
  const std::vector<text32> all = mixtures(257);
  for (const std::size_t i : {std::size_t{0}, std::size_t{2}, all.size() - 4, all.size() - 3}) {
    text32 text = all[i];
    text[20] = U'\n';
    for (const line_counter& l : line_counters) {
      std::string bytes;
      for (std::size_t size = 0; bytes.size() <= 256; bytes += encoded(l.of, text[size++])) {
        const line_end expected = examination::last_line(l, text.substr(0, size));
        for (std::size_t in = 0; in < 64; ++in) at_front(l, bytes, expected, in);
      }
    }
  }
}

BOOST_FIXTURE_TEST_CASE(random_mixtures_of_text_and_noise, examination) {
  dice random(2781);
  for (int i = 0; i < 30000; ++i) {
    const conversion& c = conversions[random.below(conversions.size())];
    const std::size_t size = random.below(random.one_in(4) ? 1500 : 300);
    const std::size_t longest = 1 + random.below(random.one_in(2) ? 4 : 100);  // characters in a run of one length
    const std::size_t known = 1 + random.below(lengths);
    const std::size_t errors_in = 1 + random.below(random.one_in(4) ? 60 : 1000);
    std::string text;
    while (text.size() < size) {
      const std::size_t length = random.below(std::min(known, kinds_of(c)));
      for (std::size_t n = 1 + random.below(longest); n != 0; --n) {
        const char32_t character = random.character(length);
        if (has(c.to, character) || random.one_in(errors_in)) text += encoded(c.from, text32(1, character));
      }
      if (!random.one_in(errors_in)) continue;
      const std::vector<std::string> errors = obstacles(c);
      if (!errors.empty() && random.one_in(2)) {
        text += errors[random.below(errors.size())];
      } else {
        for (std::size_t n = random.below(4); n != 0; --n)
          text += static_cast<char>(static_cast<unsigned char>(random.below(256)));
      }
    }
    const expectation e(c, text);
    for (int part = 0; part < 4; ++part) {
      const std::size_t some = part == 0 ? text.size() : random.below(text.size() + 1);
      const std::size_t room = part < 2 ? 4 * size + margin : random.below(e.output().size() + 2 * margin);
      check(e, some, room);
      at_front(e, text, some, room, e.of(some, room), random.below(64), random.below(64));
    }
  }
}
