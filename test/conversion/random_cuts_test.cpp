// random_cuts_test.cpp: random mixtures of text and noise, in every encoding that the reference has, under every
// policy, cut at random. The result must be that of the reference. The seed is fixed, so that a failure can be
// repeated. The message of a failure has the input.
// build: optimised
#define BOOST_TEST_MODULE random_cuts
#include <boost/test/unit_test.hpp>

#include "support/brief.hpp"
#include "support/conformance.hpp"
#include "support/policies.hpp"
#include "support/tally.hpp"

#include <random>

namespace {

using namespace conformance;
using utfilter::params;

// Random numbers. std::uniform_int_distribution would give other numbers in each standard library; this class does not.
class dice {
 public:
  explicit dice(std::uint_fast32_t seed) : engine_(seed) {}
  /// 0 to n - 1.
  std::size_t below(std::size_t n) { return engine_() % n; }
  bool one_in(std::size_t n) { return below(n) == 0; }

  template <class T, std::size_t N>
  T any_of(const T (&values)[N]) {
    return values[below(N)];
  }

  /// Scalar values of all encoded lengths, with line feeds, U+FEFF and values at the edges.
  char32_t character() {
    constexpr char32_t edges[] = {U'\n', U'\n',  U'\r',  0,      0x7F,   0x80,    0x7FF,
                                  0x800, 0xD7FF, 0xE000, 0xFEFF, 0xFFFF, 0x10000, 0x10FFFF};
    // Characters that the encodings of the web have, or that they treat in another way than their neighbours.
    constexpr char32_t of_the_web[] = {0x3042, 0x30A2, 0x4E00, 0x65E5, 0xAC00, 0xFF61, 0xFF9F, 0xA5, 0x203E, 0x2212,
                                       0xCA,   0x20AC, 0xE5E5, 0xE7C7, 0xFE10, 0x5C,   0x7E,   0x0E, 0x1B};
    switch (below(7)) {
      case 4: return any_of(of_the_web);
      case 0: return any_of(edges);
      case 1: return static_cast<char32_t>(0x80 + below(0x780));
      case 2: return static_cast<char32_t>(0x1000 + below(0xC000));
      case 3: return static_cast<char32_t>(0x10000 + below(0x100000));
      default: return static_cast<char32_t>(' ' + below(95));
    }
  }

  std::string noise(std::size_t size) {
    // About half of the bytes are likely to begin, continue or break sequences.
    constexpr unsigned char likely[] = {0x80, 0xBF, 0xA0, 0x9F, 0xC2, 0xE0, 0xE2, 0xED, 0xEF, 0xBB, 0xF0,
                                        0xF4, 0x90, 0xFE, 0xFF, 0xD8, 0xDC, 0xDB, 0xDF, 0x00, 0x0A, 0x1B,
                                        0x24, 0x28, 0x42, 0x30, 0x39, 0x81, 0x84, 0x88, 0x8E, 0x8F};
    std::string text;
    for (; size != 0; --size)
      text += static_cast<char>(one_in(2) ? any_of(likely) : static_cast<unsigned char>(below(256)));
    return text;
  }

  /// Text in `e`, mixed with noise: about one part in `noise_in`.
  std::string text(encoding e, std::size_t size, std::size_t noise_in) {
    std::string out;
    reference::text_state state;
    if (e == encoding::detect) e = encoding::utf8;
    while (out.size() < size) {
      if (one_in(noise_in)) {
        out += noise(1 + below(4));
      } else {
        std::string next = reference::encode(to_reference(e), character(), state);
        if (next.empty()) next = "?";
        out += one_in(4 * noise_in) ? next.substr(0, 1 + below(next.size())) : next;
      }
    }
    return out;
  }

  pieces cut(const std::string& text, std::size_t longest) {
    pieces all;
    for (std::size_t at = 0; at < text.size();) {
      all.push_back(text.substr(at, one_in(8) ? 0 : 1 + below(longest)));
      at += all.back().size();
    }
    if (all.empty()) all.emplace_back();
    return all;
  }

 private:
  std::mt19937 engine_;
};

/// Text for the setup. If the setup looks for a byte order mark, most texts begin with one, or with a part of one.
std::string text_for(const setup& s, dice& random, std::size_t size, std::size_t noise_in) {
  const encoding from = s.kind == filter_kind::encoder ? encoding::utf8 : s.text;
  const auto byte_order_marks = reference::byte_order_marks(to_reference(from));
  std::string start;
  encoding in = from == encoding::detect ? s.params.fallback : from;
  if (!byte_order_marks.empty() && !random.one_in(3)) {
    const auto& chosen = byte_order_marks[random.below(byte_order_marks.size())];
    start = chosen.first;
    in = from_reference(chosen.second);
    if (random.one_in(4)) start.resize(random.below(start.size()));
  }
  return start + random.text(in, size, noise_in);
}

void run(const setup& s, const std::string& input, dice& random, std::size_t longest, tally& cases) {
  trial t(s, input);
  const pieces cut = random.cut(input, longest);
  std::string why = try_codec(t, s, cut);
  if (why.empty()) why = try_chains(t, s, cut, random.any_of(link_sizes));
  if (why.empty()) why = try_chains(t, s, {input}, random.any_of(link_sizes));
  if (cases.failed(why.empty())) BOOST_ERROR(why);
}

/// All setups that the constructors accept.
std::vector<setup> every_setup() {
  std::vector<setup> all;
  for (const filter_kind kind : {filter_kind::validator, filter_kind::utf16_decoder, filter_kind::decoder,
                                 filter_kind::encoder, filter_kind::bom}) {
    for (const encoding e : conformance::known_encodings) {
      if (kind == filter_kind::validator && e != encoding::utf8) continue;
      for (const on_error policy : every::policy)
        for (const bom b : every::mark) {
          setup s{kind, e, {}};
          s.params.on_error = policy;
          s.params.bom = b;
          try {
            filter_of(s, s.params);
            all.push_back(s);
          } catch (const std::invalid_argument&) {
          }
        }
    }
  }
  return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(results_do_not_depend_on_the_cut_in_any_encoding_or_policy) {
  dice random(20240229);
  tally cases;
  for (setup s : every_setup())
    for (std::size_t i = 0; i < 16 / brief::nth; ++i) {
      constexpr encoding fallbacks[] = {encoding::utf8,  encoding::latin1,      encoding::utf16le,
                                        encoding::cesu8, encoding::iso_2022_jp, encoding::gb18030};
      constexpr std::size_t noise_in[] = {2, 5, 20};
      const std::string replacements[] = {"\xEF\xBF\xBD", "", "[?]", "\xF0\x9F\x98\x80\xC2\xBF",
                                          "long enough to be cut"};
      s.params.fallback = s.text == encoding::detect ? random.any_of(fallbacks) : encoding::utf8;
      s.params.replacement = random.any_of(replacements);
      s.params.error_limit = random.one_in(3) ? random.below(6) : utfilter::no_limit;
      const std::size_t size = random.below(random.one_in(2) ? 16 : 200);
      run(s, text_for(s, random, size, random.any_of(noise_in)), random, random.one_in(2) ? 4 : 40, cases);
    }
  cases.summary();
}

// Whatever the input is and however it is repaired, the output is well-formed text. (on_error::keep passes ill-formed
// bytes on.)
BOOST_AUTO_TEST_CASE(what_is_encoded_is_decoded_without_an_error) {
  dice random(1994);
  tally cases;
  for (setup s : every_setup()) {
    if (s.kind != filter_kind::encoder || s.params.on_error == on_error::keep) continue;
    for (std::size_t i = 0; i < 64 / brief::nth; ++i) {
      const std::string replacements[] = {"\xEF\xBF\xBD", "", "[?]", "\xE3\x80\x93", "\xC2\xA5"};
      s.params.replacement = random.any_of(replacements);
      const std::string text = text_for(s, random, random.below(60), random.one_in(2) ? 3 : 8);
      trial t(s, text);
      const setup back{filter_kind::decoder, s.text, {on_error::replace, bom::keep}};
      const reference::converter decoded(to_reference(back), t.expected(true).output, false, true);
      const std::string why = t.codec(random.cut(text, 5), utfilter::transcoder::min_output, true);
      if (cases.failed(why.empty() && decoded.result().observed.empty()))
        BOOST_ERROR(text_of(s) << ", " << to_hex(text) << ": " << to_hex(t.expected(true).output) << why);
    }
  }
  cases.summary();
}

BOOST_AUTO_TEST_CASE(utf8_is_repaired_as_the_standard_says) {
  dice random(3629);
  tally cases;
  const setup s{filter_kind::validator, encoding::utf8, {on_error::replace}};
  for (int i = 0; i < 2000; ++i) {
    const std::size_t size = random.below(200);
    const std::string text = random.one_in(2) ? random.noise(size) : random.text(encoding::utf8, size, 6);
    run(s, text, random, 1 + random.below(30), cases);
  }
  cases.summary();
}

// Texts longer than the buffers of a chain, and long enough for whole blocks of the kernels.
BOOST_AUTO_TEST_CASE(results_for_long_texts_do_not_depend_on_the_cut) {
  dice random(2781);
  tally cases;
  for (const setup& s : every_setup()) {
    if (s.params.bom != bom::automatic || s.params.on_error == on_error::strict || s.params.on_error == on_error::stop)
      continue;
    constexpr std::streamsize sizes[] = {64, 100, 4096, 5000};
    const std::streamsize link = random.any_of(sizes);
    const std::string text = text_for(s, random, 10000, 400);
    const pieces cut = random.cut(text, 3000);
    trial t(s, text);
    std::string why = complaint_about("codec", s, {}, t.codec(cut, 4096, false));
    if (why.empty())
      why = complaint_about("reading", s, {}, t.read(without_empty_pieces(cut), link, 4096, trial::reader::lines));
    if (why.empty()) why = complaint_about("composed", s, {}, t.read(cut, link, 4096, trial::reader::composed));
    if (why.empty()) why = complaint_about("writing", s, {}, t.write(cut, link, trial::writer::composed, false));
    if (cases.failed(why.empty())) BOOST_ERROR(why.substr(0, 2000));
  }
  cases.summary();
}
