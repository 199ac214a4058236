// detector.cpp: compares the costs of a text in all encodings.
#ifndef UTFILTER_WITHOUT_MODELS
#  include "encodings/detector.hpp"

#  include "encodings/encoding_scheme.hpp"
#  include "encodings/models.hpp"
#  include "encodings/names.hpp"

#  include <algorithm>
#  include <cmath>
#  include <cstring>
#  include <iterator>

namespace utfilter::detail {
namespace {

//---------------------------------------------------------------------------------------------------------------- costs

constexpr std::uint32_t bit = 4;   // costs are quarters of a bit
constexpr std::uint32_t step = 3;  // of the models
constexpr std::uint32_t dropped = UINT32_MAX;

/// A candidate that costs so much more than the best one does not come back: it leaves. One of several bytes may begin
/// with a name in rare characters, and there are few of them.
constexpr std::uint32_t hopeless = 40 * bit, hopeless_of_several_bytes = 3 * hopeless;
/// Of a longer text only the start counts, so that no cost overflows: a pair costs less than 64 bits.
constexpr std::size_t most_pairs = std::size_t{1} << 20;

/// For an encoding in which texts of the language are seldom found.
constexpr std::uint32_t unusual = 4 * bit;
/// For a language that is not the one which the user has named.
constexpr std::uint32_t other_language = 10 * bit;
/// A byte beyond ASCII in noise; and ASCII where it says nothing about the language. A letter costs more than in a language
/// that the models know, because names and words of other languages are no noise.
constexpr std::uint32_t any_byte = 7 * bit + bit / 2, any_letter = 5 * bit + bit / 2, any_ascii = 3 * bit;

std::uint32_t noise_of(std::uint8_t b) noexcept {
  return is_beyond_ascii(b) ? any_byte : is_ascii_letter(b) ? any_letter : any_ascii;
}

//-------------------------------------------------------------------------------------------- encodings of single bytes

constexpr bool has_bit(std::uint64_t set, std::size_t number) noexcept { return ((set >> number) & 1U) != 0; }

std::uint8_t kind_of(const single_byte_candidate& c, std::uint8_t b) noexcept {
  if (is_beyond_ascii(b)) return c.kinds[b - 0x80];
  if (is_ascii_letter(b)) return static_cast<std::uint8_t>(kind::first_letter + (c.of == latin ? (b | 0x20) - 'a' : 0));
  if (b >= '0' && b <= '9') return kind::digit;
  return b <= ' ' || b == 0x7F ? kind::edge : kind::punctuation;
}

bool is_letter(std::uint8_t k) noexcept { return k >= kind::first_letter || k == kind::foreign; }
bool has_case(script of) noexcept { return of == latin || of == greek || of == cyrillic || of == armenian; }

/// A letter of ASCII in a word of another script: as much as the least likely one in Latin script.
constexpr std::uint32_t letter_of_ascii = 6 * bit;
/// Where it stands right beside a letter of the script.
constexpr std::uint32_t beside_letter = 8 * bit;

/// A part of a box, or what follows one. (Models know no boxes: a part of one stands where a space does.) `is_same` says
/// that the pair is twice the same byte.
std::uint32_t cost_of_box(std::uint8_t before, std::uint8_t k, bool is_same) noexcept {
  if (k != kind::box) return bit;
  if (before == kind::box) return is_same ? bit : 9 * bit;
  return before == kind::edge ? 10 * bit : 14 * bit;
}

/// The cost beside that of the pair of classes: for the choice among the characters of a class, and for a word of two
/// scripts.
std::uint32_t cost_in_class(script of, std::uint8_t before, std::uint8_t k) noexcept {
  constexpr std::uint32_t bits[kind::first_mark] = {0, 0, 0, 4, 8, 0, 0, 20};
  if (k < kind::first_mark) return bit * bits[k];
  if (k < kind::first_letter)
    return step * models.mark_costs[(is_letter(before) ? 0 : kind::marks) + k - kind::first_mark];
  if (of == latin) return 0;
  const bool is_ascii = k == kind::first_letter, was_ascii = before == kind::first_letter;
  const bool is_beside = is_letter(before) && is_ascii != was_ascii;
  return (is_ascii ? letter_of_ascii : 0) + (is_beside ? beside_letter : 0);
}

/// The case of the letters right before a letter. case_costs is in this order.
struct case_state {
  enum : std::uint8_t { none, small, capital, capitals };
  static std::uint8_t after(std::uint8_t state, bool is_capital) noexcept {
    return !is_capital ? small : state >= capital ? capitals : capital;
  }
};

/// The character of the byte 80 + `upper`; 0 if there is none.
char32_t character(const single_byte_candidate& of, std::size_t upper) noexcept {
  if (of.characters != nullptr) return of.characters[upper];
  const auto byte = static_cast<unsigned char>(0x80 + upper);
  const sequence found = scheme_of(of.value)->decode(&byte, 1, true);
  return found.what == sequence::kind::scalar ? found.value : 0;
}

//------------------------------------------------------------------------------------------- encodings of several bytes

struct multi_byte_candidate {
  encoding value;
  han_language of;
  std::string_view code;
  std::uint32_t prior;
};
constexpr multi_byte_candidate multi_byte_candidates[] = {
    {encoding::shift_jis, han_language::japanese, "ja", 0},
    {encoding::euc_jp, han_language::japanese, "ja", 2 * bit},
    {encoding::euc_kr, han_language::korean, "ko", 0},
    {encoding::gb18030, han_language::simplified_chinese, "zh", 0},
    {encoding::gb18030, han_language::traditional_chinese, "zh-Hant", 6 * bit},
    {encoding::big5, han_language::traditional_chinese, "zh-Hant", 0},
};

/// The language_number of such a language. They follow those of the models.
std::size_t number_of(han_language of) noexcept { return 1 + models.language_count + static_cast<std::size_t>(of); }

/// A character that is repeated, as in a line: at most.
constexpr std::uint32_t repetition = 6 * bit;

bool is_ascii_letter_of(const sequence& of) noexcept {
  return of.what == sequence::kind::scalar && of.value < 0x80 && is_ascii_letter(static_cast<std::uint8_t>(of.value));
}

/// The cost of a character, or of an error.
std::uint32_t cost_of(const sequence& next, han_language of) noexcept {
  if (next.what == sequence::kind::ill_formed) return 24 * bit;
  const char32_t c = next.value;
  if (c < 0x80) return noise_of(static_cast<std::uint8_t>(c));
  if (is_c1_control(c) || (c >= 0xE000 && c < 0xF900)) return 20 * bit;
  return next.size == 1 ? 11 * bit : bit * cost_of_character(c, of);  // of one byte are the narrow kana
}

//----------------------------------------------------------------------------------------------------------- confidence

/// The confidence in an encoding is its share of the probability. A cost of one bit makes an encoding less likely by
/// `a_bit_counts` bits: less than one, because the pairs of a text depend on each other. One more possibility is that
/// the text is in no encoding. test/guessing/alone.py measures how well this fits.
///
/// `doubt` is how many times as likely other possibilities become where little speaks for the best one.
void set_confidence(ranking& of, double doubt) noexcept {
  constexpr double a_bit_counts = 0.7, no_text = 8;
  constexpr double most = 0.999;  // statistics are never certain
  if (of.size == 0) return;
  const double best = of.encodings[0].cost;
  const auto weight = [best](double cost) { return std::exp2(-a_bit_counts * std::max(cost - best, -1000.0)); };
  double all = weight(of.noise + no_text);
  for (const likely_encoding& each : of) all += weight(each.cost);
  all *= doubt;
  for (std::size_t i = 0; i != of.size; ++i)
    of.encodings[i].confidence = std::min(weight(of.encodings[i].cost) / all, most);
}

}  // namespace

//------------------------------------------------------------------------------------------------------------- detector

/// How a candidate reads the pairs of a batch, and what that costs.
struct encoding_detector::reading {
  std::array<std::uint8_t, batch> before, after;  // the kinds of the pairs that are not repeated
  std::size_t size = 0;                           // of these
  std::uint32_t common = 0;                       // the cost in all languages
  std::uint8_t case_after = 0;
};

encoding_detector::encoding_detector(const guess_rules& rules) noexcept : rules_(rules) {
  const auto is_excluded = [&](encoding e) {
    return rules.candidate_count != 0 && (e == encoding::detect || candidate_for(e, rules) == nullptr);
  };
  const auto cost_of_language = [&](bool is_it) { return rules.language == 0 || is_it ? 0 : other_language; };
  // A language may have several models.
  const bool is_modelled = rules.language != 0 && rules.language <= models.language_count;
  const std::string_view wanted = is_modelled ? models.languages[rules.language - 1].code : std::string_view();
  costs_.fill(dropped);
  for (std::size_t i = 0; i != models.candidate_count; ++i) {
    const single_byte_candidate& of = models.candidates[i];
    if (is_excluded(of.value)) continue;
    for (std::size_t l = of.first_language; l != std::size_t{of.first_language} + of.languages; ++l) {
      const candidate_language& in = models.candidate_languages[l];
      costs_[l] =
          bit * of.prior + (in.is_usual ? 0 : unusual) + cost_of_language(models.languages[in.language].code == wanted);
    }
  }
  static_assert(std::size(multi_byte_candidates) == multi_byte_count);
  for (std::size_t i = 0; i != multi_byte_count; ++i) {
    const multi_byte_candidate& of = multi_byte_candidates[i];
    const bool is_known = scheme_of(of.value) != nullptr && !is_excluded(of.value);
    multi_byte_costs_[i] = is_known ? of.prior + cost_of_language(rules.language == number_of(of.of)) : dropped;
  }
}

void encoding_detector::feed(std::string_view piece) noexcept {
  words_.feed(piece, [this](std::uint8_t before, std::uint8_t after) { add(before, after); });
}

void encoding_detector::add(std::uint8_t before, std::uint8_t after) noexcept {
  if (all_pairs_ == most_pairs) return;
  const byte_pair last = size_ != 0 ? pairs_[size_ - 1] : pairs_[batch - 1];
  const bool is_repeated = before == after && last.after == before && last.before == before;
  pairs_[size_++] = {before, after, is_repeated};
  if (!is_repeated) {
    ++all_pairs_;
    noise_ += noise_of(after);
  }
  if (is_beyond_ascii(after)) {
    seen_.add(after);
    ++beyond_;
  }
  if (size_ == limit_) compare();
}

void encoding_detector::compare() noexcept {
  for (std::size_t i = 0; i != multi_byte_count; ++i)
    if (multi_byte_costs_[i] != dropped) compare_multi_byte(i);
  best_ = *std::min_element(multi_byte_costs_.begin(), multi_byte_costs_.end());
  upper_bytes upper;
  for (std::size_t i = 0; i != size_; ++i)
    for (const std::uint8_t b : {pairs_[i].before, pairs_[i].after})
      if (is_beyond_ascii(b)) upper.add(b);
  // The best one so far comes first: then hopeless ones are known early.
  std::uint64_t left = alive_;
  if (has_bit(left, best_candidate_)) left = compare_alike(best_candidate_, left, upper);
  for (std::size_t i = 0; i != models.candidate_count; ++i)
    if (has_bit(left, i)) left = compare_alike(i, left, upper);
  drop_hopeless();
  if (size_ != 0) pairs_[batch - 1] = pairs_[size_ - 1];
  size_ = 0;
  limit_ = std::min(2 * limit_, batch);
}

/// Compares a candidate, and those of `left` that read the batch as it does: most encodings of a script have the same letters
/// for the bytes of a batch, which `upper` has. Returns the candidates that are left then.
std::uint64_t encoding_detector::compare_alike(std::size_t number, std::uint64_t left,
                                               const upper_bytes& upper) noexcept {
  constexpr std::size_t part = 4;  // pairs
  const single_byte_candidate& first = models.candidates[number];
  const reading its = read(number);
  const std::uint8_t case_before = cases_[number];
  // The cost in a language of so many pairs, which is the same in all of these candidates.
  struct partial_cost {
    std::uint32_t cost, pairs;
  };
  std::array<partial_cost, 2 * most_languages> of_language = {};  // a reversed one follows the other
  for (std::size_t c = 0; c != models.candidate_count; ++c) {
    const single_byte_candidate& of = models.candidates[c];
    const auto is_read_alike = [&](std::uint8_t i) {
      return of.kinds[i] == first.kinds[i] &&
             has_bit(of.capitals[i / 64], i % 64) == has_bit(first.capitals[i / 64], i % 64);
    };
    if (!has_bit(left, c) || of.of != first.of || cases_[c] != case_before ||
        !std::all_of(upper.begin(), upper.end(), is_read_alike))
      continue;
    left &= ~(std::uint64_t{1} << c);
    for (std::size_t l = of.first_language; l != std::size_t{of.first_language} + of.languages; ++l) {
      if (costs_[l] == dropped) continue;
      const candidate_language& language = models.candidate_languages[l];
      const language_model& model = models.languages[language.language];
      const std::uint8_t* const before = (language.is_reversed ? its.after : its.before).data();
      const std::uint8_t* const after = (language.is_reversed ? its.before : its.after).data();
      partial_cost& known = of_language[2U * language.language + language.is_reversed];
      const std::uint32_t cost = costs_[l] + its.common;
      while (known.pairs != its.size && !is_hopeless(cost + known.cost, hopeless))
        for (const std::size_t stop = std::min<std::size_t>(known.pairs + part, its.size); known.pairs != stop;
             ++known.pairs)
          known.cost += step * model.cost(model.class_of[before[known.pairs]], model.class_of[after[known.pairs]]);
      costs_[l] = cost + known.cost;
      if (costs_[l] >= best_) continue;
      best_ = costs_[l];
      best_candidate_ = c;
    }
    cases_[c] = its.case_after;
  }
  return left;
}

encoding_detector::reading encoding_detector::read(std::size_t candidate) const noexcept {
  const single_byte_candidate& of = models.candidates[candidate];
  reading found;
  std::uint8_t state = cases_[candidate];
  std::uint8_t before, after = 0;
  for (std::size_t i = 0; i != size_; ++i) {
    const bool follows = i != 0 && pairs_[i].before == pairs_[i - 1].after;
    before = follows ? after : kind_of(of, pairs_[i].before);
    after = kind_of(of, pairs_[i].after);
    if (pairs_[i].is_repeated) continue;
    const bool is_in_box = after == kind::box || (before == kind::box && after == kind::edge);
    if (is_in_box) {
      found.common += cost_of_box(before, after, pairs_[i].before == pairs_[i].after);
      continue;
    }
    found.before[found.size] = before == kind::box ? std::uint8_t{kind::edge} : before;
    found.after[found.size++] = after;
    found.common += cost_in_class(of.of, before, after);
    if (!has_case(of.of)) continue;
    if (!is_letter(before)) state = case_state::none;
    if (!is_letter(after)) continue;
    const bool is_capital = of.is_capital(pairs_[i].after);
    found.common += step * models.case_costs[2 * state + is_capital];
    state = case_state::after(state, is_capital);
  }
  found.case_after = state;
  return found;
}

void encoding_detector::compare_multi_byte(std::size_t number) noexcept {
  const multi_byte_candidate& of = multi_byte_candidates[number];
  const encoding_scheme& scheme = *scheme_of(of.value);
  multi_byte_state& state = multi_byte_states_[number];
  for (std::size_t i = 0; i != size_; ++i) {
    state.bytes[state.size++] = pairs_[i].after;
    while (state.size != 0) {
      const sequence next = scheme.decode(state.bytes.data(), state.size, state.size == state.bytes.size());
      if (next.what == sequence::kind::incomplete) break;
      std::uint32_t cost = cost_of(next, of.of);
      const bool is_ascii = next.what == sequence::kind::scalar && next.value < 0x80;
      if (is_ascii ? is_ascii_letter_of(next) && !state.after_letter && state.last >= 0x80 : state.after_letter)
        cost += beside_letter;
      if (next.value >= 0x80 && next.value == state.last) cost = std::min(cost, repetition);
      if (!pairs_[i].is_repeated) multi_byte_costs_[number] += cost;
      state.after_letter = is_ascii_letter_of(next);
      state.last = next.value;
      state.size = static_cast<std::uint8_t>(state.size - next.size);
      std::memmove(state.bytes.data(), state.bytes.data() + next.size, state.size);
    }
  }
}

bool encoding_detector::is_hopeless(std::uint32_t cost, std::uint32_t margin) const noexcept {
  return cost > best_ && cost - best_ > margin;
}

void encoding_detector::drop_hopeless() noexcept {
  for (std::uint32_t& cost : multi_byte_costs_)
    if (is_hopeless(cost, hopeless_of_several_bytes)) cost = dropped;
  for (std::size_t i = 0; i != models.candidate_count; ++i) {
    if (!has_bit(alive_, i)) continue;
    const single_byte_candidate& of = models.candidates[i];
    bool is_alive = false;
    for (std::size_t l = of.first_language; l != std::size_t{of.first_language} + of.languages; ++l) {
      if (is_hopeless(costs_[l], hopeless)) costs_[l] = dropped;
      is_alive = is_alive || costs_[l] != dropped;
    }
    if (!is_alive) alive_ &= ~(std::uint64_t{1} << i);
  }
}

/// An encoding at the end of a text.
struct encoding_detector::final_cost {
  std::uint32_t cost;
  std::size_t order;                    // of two of the same cost, the first wins
  const single_byte_candidate* single;  // null for an encoding of several bytes
  encoding value;                       // as which the text is read; detect if the library lacks it
  std::string_view language;

  bool operator<(const final_cost& other) const noexcept {
    return cost != other.cost ? cost < other.cost : order < other.order;
  }
  std::string_view name() const noexcept { return value == encoding::detect ? single->name : encoding_name(value); }
  /// Whether both encodings have the same characters for the bytes of a text.
  bool makes_same_text(const final_cost& other, const upper_bytes& upper) const noexcept {
    if (single == nullptr || other.single == nullptr) return single == other.single && value == other.value;
    return std::all_of(upper.begin(), upper.end(), [&](std::uint8_t i) {
      return single->kinds[i] == other.single->kinds[i] && character(*single, i) == character(*other.single, i);
    });
  }
  /// Whether one of these bytes is a letter.
  bool has_letters(const upper_bytes& upper) const noexcept {
    return single == nullptr || std::any_of(upper.begin(), upper.end(),
                                            [&](std::uint8_t i) { return is_letter(role_of(character(*single, i))); });
  }
};

/// The encoding itself, or the candidate of the user that it stands for.
encoding encoding_detector::read_as(encoding e) const noexcept {
  return rules_.candidate_count == 0 || e == encoding::detect ? e : *candidate_for(e, rules_);
}

/// The costs of the encodings that are not hopeless. Returns the end of them.
encoding_detector::final_cost* encoding_detector::final_costs(final_cost* const out) const noexcept {
  // Most texts in other scripts than Latin have more words than ASCII. So ASCII speaks against these, but not much.
  const auto of_ascii = static_cast<std::uint32_t>(std::min<std::size_t>(words_.skipped() * bit / 12, 6 * bit));
  final_cost* end = out;
  const auto add = [&](std::uint32_t cost, const single_byte_candidate* single, encoding e, std::string_view language) {
    const auto order = rules_.candidate_count == 0 ? end - out : candidate_for(e, rules_) - rules_.candidates;
    *end++ = {cost, static_cast<std::size_t>(order), single, read_as(e), language};
  };
  for (std::size_t i = 0; i != models.candidate_count; ++i) {
    const single_byte_candidate& of = models.candidates[i];
    const auto* const first = costs_.data() + of.first_language;
    const auto* const best = std::min_element(first, first + of.languages);
    if (*best == dropped) continue;
    const candidate_language& language = models.candidate_languages[best - costs_.data()];
    add(*best + (of.of != latin ? of_ascii : 0), &of, of.value, models.languages[language.language].code);
  }
  for (std::size_t i = 0; i != multi_byte_count; ++i) {
    const multi_byte_candidate& of = multi_byte_candidates[i];
    if (multi_byte_costs_[i] != dropped) add(multi_byte_costs_[i] + of_ascii, nullptr, of.value, of.code);
  }
  return end;
}

ranking encoding_detector::result() const noexcept {
  encoding_detector ended = *this;
  ended.words_.finish([&](std::uint8_t before, std::uint8_t after) { ended.add(before, after); });
  ended.compare();
  ranking found;
  found.pairs = ended.all_pairs_;
  found.noise = static_cast<double>(ended.noise_) / bit;
  if (found.pairs == 0) return found;
  std::array<final_cost, most_candidates + multi_byte_count> all;
  final_cost* const end = ended.final_costs(all.data());
  std::sort(all.data(), end);
  for (const final_cost* each = all.data(); each != end && found.size != ranking::most; ++each) {
    const auto makes_its_text = [&](const final_cost& other) { return each->makes_same_text(other, ended.seen_); };
    if (std::any_of(static_cast<const final_cost*>(all.data()), each, makes_its_text)) continue;
    // A name that the library knows how to read is worth more than one that fits the text a little better.
    const final_cost* known = std::find_if(each, static_cast<const final_cost*>(end), [&](const final_cost& other) {
      return other.value != encoding::detect && makes_its_text(other);
    });
    if (known == end) known = each;
    const double cost = static_cast<double>(each->cost) / bit;
    const bool has_letters = each->has_letters(ended.seen_);
    found.encodings[found.size++] = {known->value, known->name(), each->language, has_letters, cost, 0};
  }
  constexpr std::size_t enough = 4;  // pairs: one byte between spaces has two, and many of the same byte have three
  set_confidence(found, found.pairs < enough ? 2 : ended.beyond_ == 1 ? 1.3 : 1);
  return found;
}

std::uint8_t language_number(std::string_view code) noexcept {
  const auto is_same = [&](std::string_view known) {
    const std::string_view rest = code.substr(std::min(known.size(), code.size()));
    return equal_names(code.substr(0, known.size()), known) && (rest.empty() || rest[0] == '-' || rest[0] == '_');
  };
  if (is_same("zh-Hant") || is_same("zh-TW") || is_same("zh-HK"))
    return static_cast<std::uint8_t>(number_of(han_language::traditional_chinese));
  for (const multi_byte_candidate& each : multi_byte_candidates)
    if (is_same(each.code)) return static_cast<std::uint8_t>(number_of(each.of));
  for (std::size_t i = 0; i != models.language_count; ++i)
    if (is_same(models.languages[i].code)) return static_cast<std::uint8_t>(1 + i);
  return 0;
}

const char* why_no_language(std::string_view code) noexcept {
  return code.empty() || language_number(code) != 0 ? nullptr : why_unknown_language;
}

const encoding* candidate_for(encoding e, const guess_rules& rules) noexcept {
  const auto model_of = [](encoding candidate) {
    switch (candidate) {
      case encoding::latin1: return encoding::windows1252;
      case encoding::iso8859_8i: return encoding::iso8859_8;
      case encoding::iso8859_11: return encoding::windows874;
      case encoding::gbk: return encoding::gb18030;
      default: return candidate;
    }
  };
  const encoding* const end = rules.candidates + rules.candidate_count;
  if (const auto* const found = std::find(rules.candidates, end, e); found != end) return found;
  const auto* const found = std::find_if(rules.candidates, end, [&](encoding each) { return model_of(each) == e; });
  return found != end ? found : nullptr;
}

ranking rank_encodings(std::string_view text, const guess_rules& rules) noexcept {
  encoding_detector detector(rules);
  detector.feed(text);
  return detector.result();
}

}  // namespace utfilter::detail
#endif
