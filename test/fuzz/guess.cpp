// guess.cpp: a fuzz target for encoding::guess. Well-formed UTF-8 beyond ASCII must be guessed as UTF-8, and the reader
// must find what guess_encoding finds, in every cut. It must give what the reference gives for that encoding, as soon
// as the bytes that decide have arrived.
#include "fuzz.hpp"

#include <utfilter/decoder.hpp>
#include <utfilter/text.hpp>

#include <algorithm>

namespace {

using namespace fuzz;
using conformance::to_hex;
using utfilter::encoding;
using utfilter::params;

/// A guesser that always says the same.
template <std::size_t Name>
std::string_view always(std::string_view) noexcept {
  constexpr std::string_view names[] = {"", "ISO-8859-11", "Shift_JIS", "UTF-16LE", "guess", "windows-1252"};
  return names[Name];
}

params guessing(choices& choose) {
  constexpr encoding legacy[] = {encoding::windows1252, encoding::latin1, encoding::iso8859_11, encoding::cesu8};
  constexpr utfilter::charset_guesser guessers[] = {nullptr,   always<0>, always<1>, always<2>,
                                                    always<3>, always<4>, always<5>};
  params p = any_params(choose);
  p.fallback = encoding::guess;
  p.legacy = choose.any_of(legacy);
  p.guess_legacy = choose.any_of(guessers);
  const unsigned bytes = choose.byte();
  p.guess_bytes = bytes < 0x80 ? 1 + bytes : bytes < 0xC0 ? bytes * 8 : utfilter::default_guess_bytes;
  return p;
}

setup reading(encoding e, params p) {
  setup s{filter_kind::decoder, e, std::move(p)};
  if (s.params.fallback == encoding::guess) s.params.fallback = encoding::utf8;
  return s;
}

bool is_marked(const std::string& text) { return expected(reading(encoding::detect, {}), text, false).report.bom; }

/// Whether the bytes that decide are well-formed UTF-8 beyond ASCII, as far as they go, without zero bytes.
bool is_utf8(const std::string& text, const params& p) {
  const std::string_view sample = std::string_view(text).substr(0, p.guess_bytes);
  const setup strict{filter_kind::validator, encoding::utf8, {}};
  const std::string_view whole =
      sample.substr(0, sample.size() - std::min<std::size_t>(sample.size(), 3));  // no cut end
  const auto is_beyond_ascii = [](char c) { return static_cast<unsigned char>(c) >= 0x80; };
  return std::any_of(whole.begin(), whole.end(), is_beyond_ascii) &&
         !expected(strict, sample, false, sample.size() < p.guess_bytes).thrown &&
         sample.find('\0') == std::string_view::npos;
}

/// The outcome that a decoder which is told the encoding gives for all input at once. This is for encodings that the
/// reference lacks. single_byte_test compares such a decoder with their tables.
outcome told(const setup& s, std::string_view input, bool writing, bool ends) {
  using direction = utfilter::decoder::direction;
  observation observed;
  utfilter::decoder conv(s.text, observed.params(s.params));
  conv.begin(writing ? direction::writing : direction::reading);
  outcome got;
  got.output.resize(64 * (input.size() + 1));  // a repair has at most 24 bytes
  const auto step = conv.convert(input.data(), input.size(), got.output.data(), got.output.size(), ends);
  got.output.resize(step.produced);
  if (step.status == utfilter::codec_status::malformed) conformance::note_failure(got, conv.failure());
  got.observed = observed.errors;
  got.report = conv.report();
  return got;
}

/// Data that is no text is one error before all text. Only a missing byte order mark comes before it.
void check_no_text(utfilter::decoder& conv, observation& observed, const feeding& f, const std::string& what) {
  using direction = utfilter::decoder::direction;
  std::optional<outcome> whole;
  for (const pieces& all : {pieces{f.text}, cut(f.text, f.sizes)}) {
    observed.errors.clear();
    conv.begin(f.writing ? direction::writing : direction::reading);
    outcome got = converted(conv, all, whole ? f.rooms : plan());
    got.observed = observed.errors;
    const auto told = [&] { return what + "no text, " + conformance::text_of(all); };
    const auto& errors = got.observed;
    const std::size_t at = !errors.empty() && errors[0].code == utfilter::errc::missing_bom ? 1 : 0;
    const bool stops_there = at == 1 && errors.size() == 1 && got.report.bytes_in == 0;
    if (!stops_there && (errors.size() <= at || errors[at].code != utfilter::errc::no_text || errors[at].size != 0 ||
                         errors[at].offset != 0))
      fail(told() + ": the errors are " + conformance::text_of(errors));
    if (!whole) whole = got;
    compare(got, *whole, told);
  }
}

/// The report says that the byte order mark decided, if there is one, and else that the text did.
void check_reason(utfilter::decoder& conv, const feeding& f, bool marked, const std::string& what) {
  conv.begin(utfilter::decoder::direction::reading);
  std::string out(64 * (f.text.size() + 1), '\0');
  conv.convert(f.text.data(), f.text.size(), out.data(), out.size(), true);
  const utfilter::evidence why = conv.report().decided_by;
  if (why == utfilter::evidence::named || (why == utfilter::evidence::bom) != marked)
    fail(what + to_hex(f.text) + " is decided by evidence " + std::to_string(static_cast<int>(why)));
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  choices choose(data, size);
  choose_kernels(choose);
  params p = guessing(choose);
  const bool names_guess = choose.one_in(2);
  const feeding f(choose);
  observation observed;
  std::optional<utfilter::decoder> conv;
  try {
    if (names_guess)
      conv.emplace(encoding::guess, observed.params(p));
    else
      conv.emplace(observed.params(p));
  } catch (const std::invalid_argument&) {
    return 0;
  }

  const encoding found = utfilter::guess_encoding(f.text, p);
  const bool marked = is_marked(f.text);
  const bool utf8 = !marked && is_utf8(f.text, p);
  const std::string what = "guessing by " + std::to_string(p.guess_bytes) + " bytes: ";
  if (utf8 && found != encoding::utf8)
    fail(what + to_hex(f.text) + " is " + to_string(found) + ", but well-formed UTF-8");
  if (found == encoding::detect) {
    check_no_text(*conv, observed, f, what);
    return 0;
  }

  setup s = reading(encoding::detect, p);
  s.params.fallback = found;
  const auto wanted = [&](std::string_view input, bool ends) {
    if (!marked && !ends && input.size() < p.guess_bytes) return outcome();
    const bool in_reference = conformance::find_in_reference(found).has_value();
    return in_reference ? expected(s, input, f.writing, ends) : told(s, input, f.writing, ends);
  };
  check(*conv, observed, f, wanted, what + conformance::text_of(s));
  check_reason(*conv, f, marked, what);
  return 0;
}
