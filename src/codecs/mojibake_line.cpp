// mojibake_line.cpp: tries each encoding in which a program may have read the UTF-8 of a line. What looks less odd than
// the line is what it was.
#include "codecs/mojibake_line.hpp"

#include "codecs/mojibake_group.hpp"
#include "codecs/oddness.hpp"
#include "encodings/characters.hpp"
#include "encodings/encoding_scheme.hpp"
#include "unicode/utf8.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace utfilter::detail {
namespace {

constexpr char32_t replacement = 0xFFFD;
constexpr std::size_t most = line_text::most;

/// The encodings that are tried. Of those that explain a line equally well, the first counts.
constexpr encoding tried[] = {encoding::windows1252, encoding::windows1251, encoding::ibm850,      encoding::ibm437,
                              encoding::koi8r,       encoding::macintosh,   encoding::windows1250, encoding::iso8859_2};
constexpr std::size_t all_tried = sizeof tried / sizeof *tried;

/// A character, and the encodings in which it is a lead byte of UTF-8, and a continuation byte: bit n for tried[n].
struct byte_uses {
  char16_t c;
  std::uint8_t leads, continuations;
};
constexpr byte_uses uses[] = {
#include "codecs/mojibake_bytes.inc"
};

byte_uses uses_of(char32_t c) noexcept {
  if (c >= 0x80 && c <= 0x9F) return {0, 0, 0xFF};  // programs show it for a byte that an encoding lacks
  const auto comes_before = [](const byte_uses& row, char32_t value) { return row.c < value; };
  const byte_uses* const found = std::lower_bound(std::begin(uses), std::end(uses), c, comes_before);
  return found != std::end(uses) && found->c == c ? *found : byte_uses{0, 0, 0};
}

}  // namespace

namespace {

/// The encodings in which two characters can be the first bytes of one: bit n for tried[n].
unsigned encodings_of(char32_t first, char32_t second) noexcept {
  const unsigned leads = uses_of(first).leads;
  return leads == 0 ? 0 : leads & uses_of(second).continuations;
}

/// A letter beyond ASCII that is no byte of this kind. Beside such a letter no cluster changes.
bool is_foreign(char32_t c, unsigned encodings) noexcept { return encodings == 0 && c >= 0x80 && is_letter(c); }

}  // namespace

bool may_begin_mojibake(std::string_view before, std::string_view text) noexcept {
  const auto first_of = [](std::string_view in) noexcept { return first_character(in.data(), in.size()); };
  const sequence first = first_of(text), second = first_of(text.substr(first.size));
  unsigned may_be = encodings_of(first.value, second.value);
  if (may_be == 0) return false;
  const char32_t last = before.empty() ? U' ' : last_character(before.data(), before.size());
  for (std::size_t k = 0; k != all_tried; ++k) {
    const unsigned bit = 1u << k;
    if ((may_be & bit) == 0 || is_foreign(last, uses_of(last).continuations & bit)) continue;
    char lead[4] = {};
    scheme_of(tried[k])->encode(first.value, lead);
    std::string_view rest = text.substr(first.size);
    std::size_t more = length_by_lead(static_cast<unsigned char>(*lead)) - 1;
    while (more != 0 && !rest.empty() && (uses_of(first_of(rest).value).continuations & bit) != 0) {
      rest.remove_prefix(first_of(rest).size);
      --more;
    }
    if (rest.empty()) return true;
    if (more == 0 && !is_foreign(first_of(rest).value, uses_of(first_of(rest).value).leads & bit)) return true;
  }
  return false;
}

namespace {

/// The encodings in which any two neighbours of a line can.
unsigned encodings_in(const line_text& line) noexcept {
  unsigned all = 0;
  for (std::size_t i = line_text::context + 1; i < line.size; ++i)
    if (line.at[i] >= 0x80 && line.at[i - 1] >= 0x80) all |= encodings_of(line.at[i - 1], line.at[i]);
  return all;
}

//------------------------------------------------------------------------------------------------- reading as bytes

constexpr bool is_lead(unsigned char byte) noexcept { return byte >= 0xC2 && byte <= 0xF4; }

/// One or more characters of a line that stand for one.
struct restored {
  std::size_t size = 0;  // characters; 0 if there is none
  char32_t value = 0;
  bool is_lossy = false;     // a byte was lost
  bool has_space = false;    // it is a space; otherwise U+FFFD
  bool keeps_space = false;  // the space is not the lost byte alone, but also a space
};

/// A line as the bytes that it was in an encoding.
class line_bytes {
 public:
  line_bytes(encoding, const line_text&) noexcept;

  /// Whether any characters stand for one, and are not part of a word with others beyond ASCII.
  bool may_change() const noexcept;
  /// The character for which those from a place on stand.
  restored at(std::size_t place, bool lossy) const noexcept;
  /// Whether the place is part of a character of which a byte was lost, or that is cut.
  bool is_lossy(std::size_t place) const noexcept { return is_lossy_[place]; }
  /// Whether at the place is a letter beyond ASCII that is no part of such a character.
  bool is_foreign(std::size_t place) const noexcept;
  bool is_dos_or_mac() const noexcept { return is_dos_or_mac_; }

 private:
  static constexpr unsigned char space = 1, lost = 2;  // in the place of bytes

  /// How many characters at the end are the first bytes of one that is cut.
  std::size_t cut_at_end() const noexcept;
  bool is_restored(std::size_t place) const noexcept;
  bool joins_next_word(std::size_t place) const noexcept;
  char32_t that_fits(std::size_t place, std::size_t size) const noexcept;

  const line_text& line_;
  const encoding_scheme& read_as_;
  bool is_dos_or_mac_;
  std::array<unsigned char, most + 6> bytes_;  // 0 for a character that was no byte
  std::array<bool, most> is_lossy_;
};

line_bytes::line_bytes(encoding e, const line_text& line) noexcept : line_(line), read_as_(*scheme_of(e)) {
  // Programs pass the control characters of C1 through for bytes that an encoding lacks; and ISO 8859-1, which has all of
  // them, is read as windows-1252.
  const bool has_c1 = e == encoding::windows1252 || e == encoding::iso8859_2;
  is_dos_or_mac_ = !has_c1 && e != encoding::windows1250;
  bytes_.fill(0);
  for (std::size_t i = line_text::context; i != line.size; ++i) {
    const char32_t c = line.at[i];
    char byte[4];
    if (c == U' ')
      bytes_[i] = space;
    else if (c == replacement)
      bytes_[i] = lost;
    else if (c >= 0x80 && c <= 0xFFFF && read_as_.encode(c, byte) != 0)
      bytes_[i] = static_cast<unsigned char>(*byte);
    else if (c >= 0x80 && c <= 0x9F) {
      const auto same = static_cast<unsigned char>(c);
      if (has_c1 || read_as_.decode(&same, 1, true).what != sequence::kind::scalar) bytes_[i] = same;
    }
  }
  is_lossy_.fill(false);
  const auto place = [&](std::size_t i) noexcept { return is_lossy_.begin() + static_cast<std::ptrdiff_t>(i); };
  for (std::size_t i = line_text::context; i != line.size; ++i)
    if (const restored one = at(i, true); one.is_lossy) std::fill_n(place(i), one.size, true);
  std::fill(place(line.size - cut_at_end()), place(line.size), true);
}

bool line_bytes::may_change() const noexcept {
  for (std::size_t i = line_text::context; i < line_.size;) {
    std::size_t end = i;
    while (end < line_.size && is_lead(bytes_[end])) {
      const std::size_t size = at(end, false).size;
      if (size == 0) break;
      end += size;
    }
    if (end == i) {
      ++i;
      continue;
    }
    if (!is_foreign(i - 1) && !is_foreign(end)) return true;
    i = end;
  }
  return false;
}

bool line_bytes::is_foreign(std::size_t place) const noexcept {
  if (place < line_text::context || place == line_.size) return false;
  return line_.at[place] >= 0x80 && is_letter(line_.at[place]) && !is_lossy(place);
}

/// Whether a character has been restored before, so that it was no byte. But `Â` and `Ã` may be bytes again.
bool line_bytes::is_restored(std::size_t place) const noexcept {
  const char32_t c = line_.at[place];
  const unsigned length = c < 0x800 ? 2 : 3;
  return line_.from[place + 1] - line_.from[place] != static_cast<int>(length) && c != 0xC2 && c != 0xC3;
}

std::size_t line_bytes::cut_at_end() const noexcept {
  for (std::size_t n = 1; n != 4 && n + line_text::context <= line_.size; ++n) {
    const unsigned char byte = bytes_[line_.size - n];
    if (is_lead(byte)) return n < length_by_lead(byte) ? n : 0;
    if (!is_continuation(byte)) return 0;
  }
  return 0;
}

/// Whether the space after an `à` is only its lost byte: Portuguese has àquele, àquela, àquilo and às.
bool line_bytes::joins_next_word(std::size_t place) const noexcept {
  const auto is = [&](std::u32string_view word) noexcept {
    return std::equal(word.begin(), word.end(), line_.at.begin() + static_cast<std::ptrdiff_t>(place),
                      line_.at.begin() + static_cast<std::ptrdiff_t>(std::min(place + word.size(), line_.size)));
  };
  if (is(U"quele") || is(U"quela") || is(U"quilo")) return true;
  return is(U"s") && (place + 1 == line_.size || line_.at[place + 1] <= 0x20);
}

/// The only character that texts have and whose bytes are these, of which the last is lost; U+FFFD if there are more.
char32_t line_bytes::that_fits(std::size_t place, std::size_t size) const noexcept {
  unsigned char bytes[4] = {};
  std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(place), size - 1, bytes);
  char32_t only = replacement;
  for (unsigned byte = 0x80; byte != 0xC0; ++byte) {
    bytes[size - 1] = static_cast<unsigned char>(byte);
    const sequence shown = read_as_.decode(&bytes[size - 1], 1, true);
    if (shown.what == sequence::kind::scalar && shown.value > 0x9F) continue;  // it would not be lost
    const sequence one = decode_utf8(bytes, size, true);
    if (one.what != sequence::kind::scalar || one.size != size || !is_expected(one.value)) continue;
    const bool is_rare = (one.value >= 0x2000 && one.value <= 0x2010) || (one.value >= 0xFE00 && one.value <= 0xFE0E) ||
                         (one.value >= 0xFE10 && one.value <= 0xFE1F);
    if (is_rare) continue;
    if (only != replacement) return replacement;
    only = one.value;
  }
  const bool within_word =
      place > 0 && place + size < line_.size && is_letter(line_.at[place - 1]) && is_letter(line_.at[place + size]);
  return within_word ? replacement : only;
}

restored line_bytes::at(std::size_t place, bool lossy) const noexcept {
  const unsigned char lead = bytes_[place];
  if (!is_lead(lead)) return {};
  const unsigned char* const in = &bytes_[place];
  const std::size_t left = line_.size - place, need = length_by_lead(lead);

  // A surrogate pair of which each half was written as UTF-8 writes a character (CESU-8).
  if (lead == 0xED && left >= 6 && in[1] >= 0xA0 && in[1] < 0xB0 && is_continuation(in[2]) && in[3] == 0xED &&
      in[4] >= 0xB0 && in[4] < 0xC0 && is_continuation(in[5])) {
    const unsigned high = (in[1] & 0xFu) << 6 | (in[2] & 0x3Fu), low = (in[4] & 0xFu) << 6 | (in[5] & 0x3Fu);
    return {6, 0x10000 + (high << 10 | low)};
  }

  unsigned char bytes[4] = {lead};
  bool has_space = false;
  for (std::size_t n = 1; n != need; ++n) {
    if (n == left) return {};
    bytes[n] = in[n];
    if (lossy && (in[n] == lost || in[n] == space) && is_restored(place)) return {};
    if (lossy && in[n] == lost) {
      std::size_t size = n;
      while (size != need && size != left && (in[size] == lost || is_continuation(in[size]))) ++size;
      const bool is_last = size == need && n + 1 == need;
      return {size, is_last ? that_fits(place, size) : replacement, true};
    }
    if (lossy && in[n] == space) {
      bytes[n] = 0xA0;
      has_space = true;
    }
    if (!is_continuation(bytes[n])) return {};
  }
  const sequence one = decode_utf8(bytes, need, true);
  if (one.what != sequence::kind::scalar || !is_expected(one.value)) return {};
  restored found{need, one.value, has_space, has_space};
  if (has_space && need == 2 && one.value != 0xA0) {
    char32_t next = place + 2 < line_.size ? line_.at[place + 2] : U' ';
    if (one.value == 0xE0)
      found.keeps_space = next != U' ' && !joins_next_word(place + 2);
    else {
      if (const restored word = next != U' ' ? at(place + 2, false) : restored(); word.size != 0) next = word.value;
      if (!is_letter(next) || !is_letter(one.value) || script_of(next) != script_of(one.value)) return {};
    }
  }
  return found;
}

//------------------------------------------------------------------------------------------------ what one reading gives

/// Neighbours that each stand for one.
struct cluster {
  std::uint16_t begin, end;
  std::int16_t gain;  // the odd things that go, minus those that come
  bool is_lossy;
};
constexpr std::int16_t never = -9;  // the gain of a cluster that must stay

/// The clusters of a line, in one reading.
struct clusters {
  std::size_t size;
  std::array<cluster, most / 2> all;

  clusters(const line_text&, const line_bytes&, bool lossy) noexcept;

 private:
  void add(const line_text&, const line_bytes&, std::size_t begin, bool lossy) noexcept;
  void keep_parts_of_words(const line_text&, const line_bytes&) noexcept;
};

clusters::clusters(const line_text& line, const line_bytes& bytes, bool lossy) noexcept : size(0) {
  for (std::size_t i = line_text::context; i < line.size;) {
    if (bytes.at(i, lossy).size == 0) {
      ++i;
      continue;
    }
    add(line, bytes, i, lossy);
    i = all[size - 1].end;
  }
  keep_parts_of_words(line, bytes);
}

/// Adds the cluster that begins at a place.
void clusters::add(const line_text& line, const line_bytes& bytes, std::size_t begin, bool lossy) noexcept {
  char32_t to[most + most / 2];
  std::size_t n = 0, groups = 0, end = begin;
  int bonus = 0;
  bool is_lossy = false, is_certain = false, needs_neighbours = false, is_one_script = true, is_box = true;
  for (restored one = bytes.at(begin, lossy); one.size != 0; one = bytes.at(end, lossy)) {
    const script first = script_of(groups == 0 ? one.value : to[0]);
    is_one_script = is_one_script && is_letter(one.value) && script_of(one.value) == first;
    bool is_ending = true, is_word = true;
    int signs = 0;
    for (std::size_t i = end; i != end + one.size; ++i) {
      const char32_t c = line.at[i];
      is_box = is_box && use_of(c) == use::box;
      if (i == end) continue;
      is_ending = is_ending && ends_word(c);
      is_word = is_word && is_letter(c);
      signs += !is_letter(c) && !ends_word(c);
    }
    // Three or more characters are seldom a character's bytes by chance, unless they are a word, or end one.
    if (one.size >= 3 && !is_ending && !is_word) bonus += 1 + signs;
    is_certain = is_certain || !one.is_lossy;
    needs_neighbours = needs_neighbours || (one.has_space && one.size > 2);
    is_lossy = is_lossy || one.is_lossy;
    to[n++] = one.value;
    if (one.keeps_space) to[n++] = U' ';
    end += one.size;
    ++groups;
    if (end >= line.size) break;
  }
  const char32_t* const from = &line.at[begin];
  const char32_t before = from[-1], after = end < line.size ? line.at[end] : U' ';
  int gain = odd(before, from, end - begin, after) - odd(before, to, n, after) + bonus;
  if (groups > 2 && is_one_script) gain += static_cast<int>(groups) - 2;
  // A letter of another script is seldom by itself.
  if (groups == 1 && is_letter(to[0]) && script_of(to[0]) > script::cyrillic) gain = std::min(gain - bonus, 0);
  if (is_box) gain = std::min(gain, 0);  // lines that are drawn
  const bool is_apostrophe = from[1] == 0x2013 || from[1] == 0x2014 || from[1] == 0x2018 || from[1] == 0x2019 ||
                             from[1] == 0x201C || from[1] == 0x201D || from[1] == 0x2026;
  // Â and Ã, of a character of Latin-1, seldom end a word.
  if ((from[0] == 0xC2 || from[0] == 0xC3) && to[0] < 0x100 && gain == 0 && !is_lossy && !is_apostrophe) gain = 1;

  // In text that was read wrong, all letters beyond ASCII of a word are part of a cluster.
  if (!lossy && (bytes.is_foreign(begin - 1) || bytes.is_foreign(end))) gain = never;
  const bool fits = script_of(after) == script_of(to[n - 1]) || script_of(before) == script_of(to[0]);
  if (needs_neighbours && !is_certain && !fits) gain = never;
  for (std::size_t i = 0; i != n; ++i) {
    // A small letter between capitals, or after two.
    const char32_t last = i > 0 ? to[i - 1] : before, next = i + 1 != n ? to[i + 1] : after;
    const char32_t second = i > 1 ? to[i - 2] : from[static_cast<std::ptrdiff_t>(i) - 2];
    if (use_of(to[i]) != use::small || use_of(last) != use::capital || script_of(last) != script_of(to[i])) continue;
    if (use_of(next) == use::capital || (use_of(second) == use::capital && !is_letter(next))) gain = std::min(gain, -1);
  }
  all[size++] = {static_cast<std::uint16_t>(begin), static_cast<std::uint16_t>(end),
                 static_cast<std::int16_t>(std::max<int>(gain, never)), is_lossy};
}

/// A cluster that gains nothing stays, unless all characters beyond ASCII of its word are in clusters.
void clusters::keep_parts_of_words(const line_text& line, const line_bytes& bytes) noexcept {
  std::array<bool, most> is_covered;
  for (std::size_t i = 0; i != line.size; ++i) is_covered[i] = bytes.is_lossy(i);
  for (std::size_t i = 0; i != size; ++i)
    std::fill(is_covered.begin() + all[i].begin, is_covered.begin() + all[i].end, true);
  const auto is_in_word = [&](std::size_t i) noexcept {
    return is_covered[i] || (line.at[i] > 0x20 && line.at[i] != 0xA0);
  };
  const auto is_explained = [&](std::size_t i) noexcept { return is_covered[i] || line.at[i] < 0x80; };
  for (std::size_t i = 0; i != size; ++i) {
    if (all[i].gain != 0) continue;
    bool is_whole = true;
    for (std::size_t j = all[i].begin; j-- != 0 && is_in_word(j);) is_whole = is_whole && is_explained(j);
    for (std::size_t j = all[i].end; j != line.size && is_in_word(j); ++j) is_whole = is_whole && is_explained(j);
    if (!is_whole) all[i].gain = -1;
  }
}

/// The line with the clusters of a gain of at least `least` restored.
void restore(const line_text& line, const line_bytes& bytes, const clusters& found, int least, bool lossy,
             line_text& to) noexcept {
  to.size = 0;
  const cluster* next = found.all.data();
  const cluster* const end = next + found.size;
  for (std::size_t i = 0; i != line.size;) {
    while (next != end && (next->end <= i || next->gain < least)) ++next;
    if (next == end || i < next->begin) {
      to.add(line.at[i], line.from[i]);
      ++i;
      continue;
    }
    const restored one = bytes.at(i, lossy);
    to.add(one.value, line.from[i]);
    if (one.keeps_space) to.add(U' ', line.from[i + 1]);
    i += one.size;
  }
  to.from[to.size] = line.from[line.size];
}

bool is_equal(const line_text& a, const line_text& b) noexcept {
  return a.size == b.size && std::equal(a.at.begin(), a.at.begin() + static_cast<std::ptrdiff_t>(a.size), b.at.begin());
}

std::size_t c1_controls(const line_text& line) noexcept {
  const auto end = line.at.begin() + static_cast<std::ptrdiff_t>(line.size);
  return static_cast<std::size_t>(
      std::count_if(line.at.begin(), end, [](char32_t c) { return c >= 0x80 && c < 0xA0; }));
}

//------------------------------------------------------------------------------------------------------------ the search

/// What readings, one after the other, gain.
struct chain {
  int gain = 0;
  unsigned used = 0;  // bit n for tried[n]
  std::size_t first = 0;
};

// How much weighs what. Of readings that explain a line equally, few are more likely, and those that explain more of it.
constexpr int gain_of_odd = 128, gain_of_reading = -64, gain_of_cluster = 1;

/// Finds the readings, at most `depth`, that gain most, and gives the line to which they lead. The last one is the same
/// encoding as that before it, or windows-1252.
chain search(const line_text& line, int depth, std::size_t same, line_text& best) noexcept {
  chain found;
  bool is_unsure = false;
  const unsigned may_be = encodings_in(line);
  for (std::size_t k = 0; k != all_tried; ++k) {
    if (depth == 1 && k != same && k != 0) continue;
    if ((may_be >> k & 1) == 0) continue;
    const line_bytes bytes(tried[k], line);
    if (!bytes.may_change()) continue;
    const clusters here(line, bytes, false);
    // First without the clusters that alone would look odder, then with them: the next reading may explain them.
    for (const int least : {0, never + 1}) {
      int odd_less = 0, count = 0;
      for (std::size_t i = 0; i != here.size; ++i) {
        if (here.all[i].gain < least) continue;
        odd_less += here.all[i].gain;
        ++count;
      }
      if (count == 0 || (depth == 1 && least < 0)) continue;
      line_text next, last;
      restore(line, bytes, here, least, false, next);
      chain rest;
      if (depth > 1) rest = search(next, depth - 1, k, last);
      const bool goes_on = rest.gain > 0;
      const line_text& result = goes_on ? last : next;
      int gain = odd_less * gain_of_odd + std::min(count, 63) * gain_of_cluster + (depth != 3 ? gain_of_reading : 0);
      if (goes_on) gain += rest.gain;
      // Texts of DOS and of a Macintosh had no control characters of C1.
      if (bytes.is_dos_or_mac() && !goes_on && c1_controls(next) > c1_controls(line)) continue;
      // Central Europe has two encodings that often explain a line equally, but differ in letters.
      const bool is_rival = tried[k] == encoding::iso8859_2 && tried[found.first] == encoding::windows1250;
      if (gain == found.gain && is_rival && !is_equal(result, best)) is_unsure = true;
      if (gain < gain_of_odd / 2 || gain <= found.gain) continue;
      is_unsure = false;
      found = {gain, (goes_on ? rest.used : 0) | 1u << k, k};
      best = result;
    }
  }
  return is_unsure ? chain() : found;
}

/// Restores characters of which a byte was lost, in an encoding of which the line had others.
bool restore_lossy(line_text& line, std::size_t k) noexcept {
  const line_bytes bytes(tried[k], line);
  clusters here(line, bytes, true);
  bool any = false;
  for (std::size_t i = 0; i != here.size; ++i) {
    cluster& one = here.all[i];
    if (!one.is_lossy)
      one.gain = never;
    else if (one.gain != never)
      one.gain = 0;
    any = any || one.gain == 0;
  }
  if (!any) return false;
  line_text next;
  restore(line, bytes, here, 0, true, next);
  line = next;
  return true;
}

/// Whether an `à` after a small letter has lost its second byte: "voilÃ ".
bool ends_word_with_grave(const line_text& line) noexcept {
  for (std::size_t i = line_text::context; i + 1 < line.size; ++i)
    if (line.at[i] == 0xC3 && line.at[i + 1] == U' ' && use_of(line.at[i - 1]) == use::small) return true;
  return false;
}

/// Reads control characters of C1 as the characters of windows-1252, but not one that begins an escape sequence.
bool reread_c1(line_text& line) noexcept {
  const encoding_scheme& by = *scheme_of(encoding::windows1252);
  bool any = false;
  for (std::size_t i = line_text::context; i != line.size; ++i) {
    const char32_t c = line.at[i], next = i + 1 != line.size ? line.at[i + 1] : U' ';
    if (c < 0x80 || c > 0x9F || (c == 0x9B && ((next >= U'0' && next <= U'9') || next == U';' || next == U'?')))
      continue;
    const auto byte = static_cast<unsigned char>(c);
    const sequence one = by.decode(&byte, 1, true);
    if (one.what != sequence::kind::scalar || one.value <= 0xA0) continue;
    line.at[i] = one.value;
    any = true;
  }
  return any;
}

}  // namespace

encoding undo_mojibake_of(line_text& line) noexcept {
  encoding last = encoding::detect;
  unsigned used = 0;
  for (int round = 0; round != 3; ++round) {
    line_text next;
    const chain found = search(line, 3, 0, next);
    if (found.gain <= 0) break;
    if (last == encoding::detect) last = tried[found.first];
    used |= found.used;
    line = next;
  }
  if (ends_word_with_grave(line)) used |= 1;
  for (std::size_t k = 0; k != all_tried; ++k)
    if ((used >> k & 1) != 0 && restore_lossy(line, k) && last == encoding::detect) last = tried[k];
  if (reread_c1(line) && last == encoding::detect) last = encoding::latin1;
  return last;
}

}  // namespace utfilter::detail
