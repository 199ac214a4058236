// corpora.cpp: a generator for each corpus. Words, spaces, punctuation and lines are about as long as in real text. The
// lines differ from each other.
#include "corpora.hpp"

#include "encodings/encoding_scheme.hpp"

#include <utfilter/text.hpp>

#include <iconv.h>
#include <unicode/normalizer2.h>
#include <unicode/ucnv.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace bench {
namespace {

/// splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
class generator {
 public:
  std::uint64_t next() noexcept {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  /// A number from 0 to n - 1.
  unsigned below(unsigned n) noexcept { return static_cast<unsigned>((next() >> 32) * n >> 32); }
  bool percent(unsigned chance) noexcept { return below(100) < chance; }
  char32_t of(std::u32string_view letters) noexcept { return letters[below(static_cast<unsigned>(letters.size()))]; }
  std::string_view of(const std::string_view (&words)[4]) noexcept { return words[below(4)]; }
  /// A character from first to last, both included.
  char32_t between(char32_t first, char32_t last) noexcept { return first + below(last - first + 1); }

 private:
  std::uint64_t state_ = 20240229;
};

void put(std::string& out, char32_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c);
    return;
  }
  const int trailing = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  out += static_cast<char>((0xF00 >> (trailing + 1) & 0xFF) | c >> 6 * trailing);
  for (int i = trailing; i-- > 0;) out += static_cast<char>(0x80 | (c >> 6 * i & 0x3F));
}

/// Appends the number, with zeros before it if it has fewer digits. Returns `out`.
std::string& put_number(std::string& out, unsigned n, std::size_t digits = 1) {
  const std::string text = std::to_string(n);
  return out.append(digits > text.size() ? digits - text.size() : 0, '0') += text;
}

// Letters, each roughly as frequent as in real text.
constexpr std::u32string_view latin = U"eeeeeetttttaaaaooooiiiinnnnsssshhhrrrddlluucmfwygpbvkxjqz";
constexpr std::u32string_view accented = U"ééééèàüüööäßçñãíóê";
constexpr std::u32string_view cyrillic = U"ооооооеееееаааааииииннннттттсссррввлллккммддппууяяыьгзбчйхжшюцщэф";
constexpr std::u32string_view greek = U"αααααοοοοιιιιεεεετττννννσσσρρηηπκμλωςυδγχθφβξζψάέίόήύώ";
constexpr std::u32string_view kana = U"のにはをたがでてとしれさいるなもからりまこす";

unsigned word_length(generator& random) noexcept { return 1 + random.below(6) + random.below(6); }

template <class Letter>
void word(generator& random, std::string& out, Letter letter) {
  for (unsigned n = word_length(random); n != 0; --n) put(out, letter());
}

void ascii_word(generator& random, std::string& out) {
  word(random, out, [&] { return random.of(latin); });
}

/// A line of several sentences.
template <class Letter>
void prose(generator& random, std::string& out, Letter letter) {
  for (unsigned words = 6 + random.below(12); words != 0; --words) {
    word(random, out, letter);
    if (random.percent(9)) out += random.percent(40) ? '.' : ',';
    out += words == 1 ? '\n' : ' ';
  }
}

void ascii_line(generator& random, std::string& out) {
  static constexpr std::string_view levels[] = {"INFO ", "DEBUG", "WARN ", "ERROR"};
  static constexpr std::string_view methods[] = {"GET", "POST", "PUT", "DELETE"};
  out += "2024-";
  put_number(out, 1 + random.below(12), 2) += '-';
  put_number(out, 1 + random.below(28), 2) += 'T';
  put_number(out, random.below(24), 2) += ':';
  put_number(out, random.below(60), 2) += ':';
  put_number(out, random.below(60), 2) += '.';
  put_number(out, random.below(1000), 3) += "Z ";
  out.append(random.of(levels)) += " [worker-";
  put_number(out, random.below(64)) += "] ";
  out.append(random.of(methods)) += ' ';
  for (unsigned n = 1 + random.below(4); n != 0; --n) {
    out += '/';
    ascii_word(random, out);
  }
  out += "?id=";
  put_number(out, random.below(1000000)) += " 200 ";
  put_number(out, random.below(100000)) += " \"";
  for (unsigned n = 1 + random.below(5); n != 0; --n) {
    ascii_word(random, out);
    out += n == 1 ? '"' : ' ';
  }
  out += '\n';
}

void latin_line(generator& random, std::string& out) {
  // Accented letters: 9.5 % of the letters, 8 % of the characters.
  prose(random, out, [&] { return random.of(random.below(1000) < 95 ? accented : latin); });
}

void cyrillic_line(generator& random, std::string& out) {
  const auto alphabet = random.percent(60) ? cyrillic : greek;
  prose(random, out, [&] { return random.of(alphabet); });
}

void cjk_line(generator& random, std::string& out) {
  for (unsigned clauses = 2 + random.below(6); clauses != 0; --clauses) {
    for (unsigned n = 4 + random.below(16); n != 0; --n)
      put(out, random.percent(25) ? random.of(kana) : random.between(0x4E00, 0x9FA5));
    if (random.percent(15)) {
      out += ' ';
      ascii_word(random, out);
      out += ' ';
    }
    if (random.percent(10)) put_number(out, random.below(10000));
    put(out, clauses == 1 ? U'。' : U'、');
  }
  out += '\n';
}

void emoji_line(generator& random, std::string& out) {
  for (unsigned words = 3 + random.below(8); words != 0; --words) {
    for (unsigned n = word_length(random); n != 0; --n) {
      put(out, random.percent(60) ? random.between(0x1F600, 0x1F64F) : random.between(0x1F300, 0x1F5FF));
      if (random.percent(3)) put(out, 0xFE0F);  // a variation selector
    }
    out += words == 1 ? '\n' : ' ';
  }
}

void json_line(generator& random, std::string& out) {
  const auto name = [&](std::u32string_view letters) { word(random, out, [&] { return random.of(letters); }); };
  out += "{\"id\": ";
  put_number(out, random.below(100000000)) += ", \"name\": \"";
  switch (random.below(8)) {
    case 0:
      name(cyrillic);
      out += ' ';
      name(cyrillic);
      break;
    case 1:
      put(out, random.between(0x4E00, 0x9FA5));
      put(out, random.between(0x4E00, 0x9FA5));
      break;
    case 2:
      name(latin);
      put(out, random.of(accented));
      name(latin);
      break;
    default:
      name(latin);
      out += ' ';
      name(latin);
  }
  out += "\", \"email\": \"";
  name(latin);
  out += '@';
  name(latin);
  out += ".example\", \"active\": ";
  out += random.percent(50) ? "true" : "false";
  out += ", \"balance\": ";
  put_number(out, random.below(100000)) += '.';
  put_number(out, random.below(100), 2) += ", \"tags\": [";
  for (unsigned n = 1 + random.below(4); n != 0; --n) {
    out += '"';
    name(latin);
    out += n == 1 ? "\"" : "\", ";
  }
  out += "]}\n";
}

/// Characters of one to four bytes, all lengths equally frequent, so that no branch is predictable. U+FEFF is none of them,
/// because some filters take it out.
void random_line(generator& random, std::string& out) {
  for (unsigned n = 20 + random.below(80); n != 0; --n) switch (random.below(4)) {
      case 0: put(out, random.between(0x20, 0x7E)); break;
      case 1: put(out, random.between(0xA0, 0x7FF)); break;
      case 2: put(out, random.percent(95) ? random.between(0x800, 0xD7FF) : random.between(0xE000, 0xFEFE)); break;
      case 3: put(out, random.between(0x10000, 0x10FFFF)); break;
    }
  out += '\n';
}

//---------------------------------------------------------------------------- languages with a multi-byte encoding of theirs

/// A language. Its letters are the characters of some rows of a charset of glibc, about in the order of their frequency,
/// or of Unicode's where the charset has that order.
struct language {
  std::initializer_list<const char*> encodings;
  const char* charset;
  unsigned char first_row, last_row, first_cell;
  std::u32string_view more;  // letters, as often as all of those
  std::u32string_view comma, stop;
  unsigned word;  // the letters between spaces; 0 if the language has no spaces
};
constexpr std::u32string_view hiragana =
    U"のにはをたがでてとしれさいるなもからりまこすうくきつおえよあけんどそめだっじせみ";
const language languages[] = {
    {{"GBK", "GB18030"}, "GB2312", 0xB0, 0xD7, 0xA1, {}, U"，", U"。", 0},
    {{"Big5"}, "BIG5", 0xA4, 0xC6, 0x40, {}, U"，", U"。", 0},
    {{"Shift_JIS", "EUC-JP", "ISO-2022-JP"}, "EUC-JP", 0xB0, 0xCF, 0xA1, hiragana, U"、", U"。", 0},
    {{"EUC-KR"}, "EUC-KR", 0xB0, 0xC8, 0xA1, {}, U",", U".", 4}};

char32_t decode(const char* in, std::size_t length) noexcept;

std::u32string letters_of(const language& l) {
  std::u32string letters;
  const iconv_t converter = iconv_open("UTF-8", l.charset);
  if (converter == reinterpret_cast<iconv_t>(-1)) throw std::runtime_error(std::string("iconv has no ") + l.charset);
  for (unsigned row = l.first_row; row <= l.last_row; ++row)
    for (unsigned cell = l.first_cell; cell != 0xFF; ++cell) {
      char two[] = {static_cast<char>(row), static_cast<char>(cell)}, made[8];
      char *in = two, *out = made;
      std::size_t left = 2, room = sizeof made;
      iconv(converter, nullptr, nullptr, nullptr, nullptr);
      if (iconv(converter, &in, &left, &out, &room) == 0) letters += decode(made, sizeof made - room);
    }
  iconv_close(converter);
  return letters;
}

/// A line of sentences. The first letters are more frequent.
void language_line(generator& random, std::string& out, const language& l, std::u32string_view letters, bool is_mixed) {
  const auto count = static_cast<unsigned>(letters.size());
  for (unsigned clauses = 3 + random.below(5); clauses != 0; --clauses) {
    for (unsigned n = 4 + random.below(12), in_word = 0; n != 0; --n) {
      const bool is_more = !l.more.empty() && random.percent(50);
      put(out, is_more ? random.of(l.more) : letters[random.below(1 + random.below(count))]);
      if (l.word == 0 || n == 1 || ++in_word < 2 + random.below(l.word)) continue;
      out += ' ';
      in_word = 0;
    }
    if (is_mixed && random.percent(70)) {
      out += ' ';
      if (random.percent(70))
        ascii_word(random, out);
      else
        put_number(out, random.below(10000));
      out += ' ';
      for (unsigned n = random.below(6); n != 0; --n) put(out, letters[random.below(count)]);
    }
    for (const char32_t c : clauses == 1 ? l.stop : l.comma) put(out, c);
    if (l.word != 0 && clauses != 1) out += ' ';
  }
  out += '\n';
}

constexpr struct {
  const char* name;
  void (*line)(generator&, std::string& out);
} corpora[] = {{"ascii", ascii_line}, {"latin", latin_line}, {"cyrillic", cyrillic_line}, {"cjk", cjk_line},
               {"emoji", emoji_line}, {"json", json_line},   {"random", random_line}};

std::string read_file(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (text.empty() || !utfilter::is_utf8(text))
    throw std::runtime_error(name + ": neither a corpus nor a file of well-formed UTF-8");
  return text;
}

/// Bytes of the character that begins with this byte.
std::size_t length_of(char lead) noexcept {
  const auto byte = static_cast<unsigned char>(lead);
  return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

/// The scalar value of a well-formed sequence.
char32_t decode(const char* in, std::size_t length) noexcept {
  char32_t c = static_cast<unsigned char>(in[0]);
  if (length == 1) return c;
  c &= 0x3Fu >> (length - 1);
  for (std::size_t i = 1; i < length; ++i) c = c << 6 | (static_cast<unsigned char>(in[i]) & 0x3Fu);
  return c;
}

std::string with(std::string_view error, std::string_view text, std::size_t distance) {
  std::string result;
  result.reserve(text.size() + (text.size() / distance + 1) * error.size());
  std::size_t from = 0;
  for (std::size_t at = 0; at < text.size(); at += length_of(text[at])) {
    if (at - from < distance) continue;
    result.append(text.substr(from, at - from)) += error;
    from = at;
  }
  return result.append(text.substr(from));
}

}  // namespace

std::vector<std::string> corpus_names() {
  std::vector<std::string> names;
  for (const auto& corpus : corpora) names.emplace_back(corpus.name);
  names.insert(names.end(), {languages_dense, languages_mixed});
  return names;
}

std::string make_text_for(const std::string& encoding, const std::string& corpus, std::size_t bytes) {
  for (const language& l : languages) {
    if (std::find(l.encodings.begin(), l.encodings.end(), encoding) == l.encodings.end()) continue;
    const std::u32string letters = letters_of(l);
    std::string text;
    for (generator random; text.size() < bytes;) language_line(random, text, l, letters, corpus == languages_mixed);
    return text;
  }
  throw std::runtime_error("no language is for " + encoding);
}

std::string make_corpus(const std::string& name_or_file, std::size_t bytes) {
  std::string text;
  text.reserve(bytes + 4096);
  for (const auto& corpus : corpora)
    if (name_or_file == corpus.name)
      for (generator random; text.size() < bytes;) corpus.line(random, text);
  if (is_of_languages(name_or_file)) text = make_text_for("GBK", name_or_file, bytes);
  if (text.empty())
    for (const std::string file = read_file(name_or_file); text.size() < bytes;) text += file;
  text.resize(utfilter::complete_prefix(std::string_view(text).substr(0, bytes)));
  return text;
}

excerpt::excerpt(std::string_view text, std::size_t bytes, form limited) {
  std::size_t size = 0, units = 0;  // bytes of UTF-8, code units of UTF-16
  while (size < text.size()) {
    const std::size_t length = length_of(text[size]), more = length == 4 ? 2 : 1;
    if ((limited == form::utf8 ? size + length : (units + more) * 2) > bytes) break;
    size += length;
    units += more;
  }
  utf8 = text.substr(0, size);
  utf16le.reserve(units * 2);
  utf16be.reserve(units * 2);
  const auto unit = [&](char32_t u) {
    const char high = static_cast<char>(u >> 8), low = static_cast<char>(u & 0xFF);
    utf16le.append({low, high});
    utf16be.append({high, low});
  };
  for (std::size_t at = 0, length = 0; at < size; at += length) {
    length = length_of(text[at]);
    const char32_t c = decode(text.data() + at, length);
    if (c < 0x10000) {
      unit(c);
    } else {
      unit(0xD800 + ((c - 0x10000) >> 10));
      unit(0xDC00 + ((c - 0x10000) & 0x3FF));
    }
  }
}

encoded_text encoded(const std::string& encoding, std::string_view text, std::size_t bytes) {
  encoded_text result{encoding, {}, {}};
  // glibc has no CESU-8: there each UTF-16 unit is written as if it were a character.
  const bool cesu8 = encoding == "CESU-8";
  const iconv_t converter = iconv_open(cesu8 ? "UTF-16LE" : encoding.c_str(), "UTF-8");
  if (converter == reinterpret_cast<iconv_t>(-1)) throw std::runtime_error("iconv has no " + encoding);
  std::size_t lines = 0, missing = 0;
  while (!text.empty() && result.utf8.size() < bytes) {
    std::string line(text.substr(0, text.find('\n') + 1)), converted(4 * line.size() + 4, '\0');
    if (line.empty()) line = text;
    text.remove_prefix(line.size());
    char *in = line.data(), *out = converted.data();
    std::size_t left = line.size(), room = converted.size();
    iconv(converter, nullptr, nullptr, nullptr, nullptr);
    ++lines;
    if (iconv(converter, &in, &left, &out, &room) != 0) {
      if (2 * ++missing > lines + 20) break;
      continue;
    }
    converted.resize(converted.size() - room);
    result.utf8 += line;
    if (cesu8)
      for (std::size_t i = 0; i < converted.size(); i += 2)
        put(result.other, static_cast<unsigned char>(converted[i]) | static_cast<char32_t>(converted[i + 1] & 0xFF)
                                                                         << 8);
    else
      result.other += converted;
  }
  iconv_close(converter);
  if (2 * missing > lines) return {encoding, {}, {}};
  return result;
}

namespace {

/// Converts one character by glibc, from the initial state to the same. Returns the number of bytes; 0 for an error.
std::size_t by_iconv(iconv_t to, std::string_view character, char* out, std::size_t room) {
  char* in = const_cast<char*>(character.data());
  std::size_t left = character.size(), left_room = room;
  iconv(to, nullptr, nullptr, nullptr, nullptr);
  const bool exists = iconv(to, &in, &left, &out, &left_room) == 0;
  return exists && iconv(to, nullptr, nullptr, &out, &left_room) == 0 ? room - left_room : 0;
}

std::size_t by_this_library(const utfilter::detail::encoding_scheme& to, char32_t c, char* out) {
  const std::size_t size = to.encode(c, out);
  if (to.after == nullptr) return size;
  const std::string_view end = to.after(out, size)->at_end;
  return size + end.copy(out + size, end.size());
}

}  // namespace

encoded_text in_charset(const std::string& charset, std::string_view text, std::size_t bytes) {
  encoded_text result{charset, {}, {}};
  const iconv_t of_glibc = iconv_open(charset.c_str(), "UTF-8");
  UErrorCode status = U_ZERO_ERROR;
  UConverter* const of_icu = ucnv_open(charset.c_str(), &status);
  ucnv_setFromUCallBack(of_icu, UCNV_FROM_U_CALLBACK_STOP, nullptr, nullptr, nullptr, &status);
  if (of_glibc == reinterpret_cast<iconv_t>(-1) || U_FAILURE(status))
    throw std::runtime_error("iconv or ICU has no " + charset);
  const auto ours = utfilter::encoding_from_name(charset);
  const auto* const scheme = ours ? utfilter::detail::scheme_of(*ours) : nullptr;

  std::size_t beyond_ascii = 0, missing = 0;
  for (std::size_t at = 0, length = 0; at < text.size() && at < 3 * bytes && result.utf8.size() < bytes; at += length) {
    length = length_of(text[at]);
    const std::string_view character = text.substr(at, length);
    std::array<char, 16> made, other;
    const std::size_t size = by_iconv(of_glibc, character, made.data(), made.size());
    status = U_ZERO_ERROR;
    const std::int32_t icu_size = ucnv_fromAlgorithmic(of_icu, UCNV_UTF8, other.data(), other.size(), character.data(),
                                                       static_cast<std::int32_t>(length), &status);
    const std::string_view wanted(made.data(), size);
    bool is_same =
        size != 0 && U_SUCCESS(status) && wanted == std::string_view(other.data(), static_cast<std::size_t>(icu_size));
    if (is_same && scheme != nullptr)
      is_same = wanted == std::string_view(other.data(),
                                           by_this_library(*scheme, decode(character.data(), length), other.data()));
    beyond_ascii += length > 1;
    missing += length > 1 && !is_same;
    if (is_same) result.utf8 += character;
  }
  ucnv_close(of_icu);
  // To the end of a line: there a text in ISO-2022-JP is in the initial state.
  result.utf8.resize(result.utf8.rfind('\n') + 1);
  result.other.resize(6 * result.utf8.size() + 16);
  result.other.resize(by_iconv(of_glibc, result.utf8, result.other.data(), result.other.size()));
  iconv_close(of_glibc);
  if (result.other.empty() || 3 * missing > 2 * beyond_ascii) return {charset, {}, {}};
  return result;
}

normal_forms::normal_forms(const std::string& text) {
  UErrorCode status = U_ZERO_ERROR;
  icu::StringByteSink<std::string> to_nfc(&nfc), to_nfd(&nfd);
  icu::Normalizer2::getNFCInstance(status)->normalizeUTF8(0, text, to_nfc, nullptr, status);
  icu::Normalizer2::getNFDInstance(status)->normalizeUTF8(0, text, to_nfd, nullptr, status);
  if (U_FAILURE(status)) throw std::runtime_error("ICU cannot normalize the text");
}

std::string damaged(std::string_view text, std::size_t distance) { return with("\xFF", text, distance); }
std::string repaired(std::string_view text, std::size_t distance) { return with("\xEF\xBF\xBD", text, distance); }

}  // namespace bench
