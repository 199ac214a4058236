// others.cpp: a fuzz target that compares decoding and encoding with ICU and iconv(3): which text is well-formed, the
// output before the first error, and the replacements of errors if the other converter counts errors as Unicode does.
#include "fuzz.hpp"

#include "foreign_converters.hpp"

#include <utfilter/decoder.hpp>

namespace {

using namespace fuzz;
using conformance::to_hex;
using foreign::good_prefix;
using utfilter::encoding;
using utfilter::on_error;

struct encoding_names {
  encoding ours;
  const char* icu;
  /// Null if glibc accepts more (F5 and above in UTF-8), lacks the encoding, or maps less (windows-1252).
  const char* iconv;
};

// All encodings but KOI8-R and those whose byte order or encoding a byte order mark decides.
constexpr encoding_names encodings[] = {
    {encoding::utf8, "UTF-8", nullptr},
    {encoding::utf16le, "UTF-16LE", "UTF-16LE"},
    {encoding::utf16be, "UTF-16BE", "UTF-16BE"},
    {encoding::utf32le, "UTF-32LE", "UTF-32LE"},
    {encoding::utf32be, "UTF-32BE", "UTF-32BE"},
    {encoding::cesu8, "CESU-8", nullptr},
    {encoding::latin1, "ISO-8859-1", "ISO-8859-1"},
    {encoding::windows1252, "windows-1252", nullptr},
};

/// The foreign converters of one encoding, in one direction.
struct foreign_pair {
  foreign_pair(const encoding_names& e, bool encodes) : icu(encodes ? "UTF-8" : e.icu, encodes ? e.icu : "UTF-8") {
    if (e.iconv) iconv.emplace(encodes ? "UTF-8" : e.iconv, encodes ? e.iconv : "UTF-8");
  }

  foreign::icu_converter icu;
  std::optional<foreign::iconv_converter> iconv;
};

const foreign_pair& foreign_of(const encoding_names& e, bool encodes) {
  static std::unique_ptr<foreign_pair> all[2][std::size(encodings)];
  auto& pair = all[encodes][&e - encodings];
  if (!pair) pair = std::make_unique<foreign_pair>(e, encodes);
  return *pair;
}

std::string text_of(const std::string& bytes) { return '<' + to_hex(bytes) + '>'; }
std::string text_of(const good_prefix& p) { return text_of(p.output) + " from " + std::to_string(p.size) + " bytes"; }

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  choices choose(data, size);
  choose_kernels(choose);
  const encoding_names& e = choose.any_of(encodings);
  const bool encodes = choose.one_in(2);
  const plan sizes(choose), rooms(choose);
  const std::string text = choose.text(2000);
  const foreign_pair& others = foreign_of(e, encodes);
  const auto by_ours = [&](on_error policy) {
    utfilter::params p{policy, utfilter::bom::keep};
    if (encodes) {
      utfilter::encoder conversion(e.ours, p);
      return converted(conversion, cut(text, sizes), rooms);
    }
    utfilter::decoder conversion(e.ours, p);
    return converted(conversion, cut(text, sizes), rooms);
  };
  const auto check = [&](const auto& got, const auto& theirs, const char* whose) {
    if (got == theirs) return;
    fail(std::string(encodes ? "encoding " : "decoding ") + e.icu + ", " + to_hex(text) + "\n  ours  " + text_of(got) +
         "\n  " + whose + text_of(theirs));
  };

  const outcome strict = by_ours(on_error::strict);
  const auto end = strict.report.first_error ? strict.report.first_error->offset : strict.report.bytes_in;
  const good_prefix ours{strict.output, static_cast<std::size_t>(end)}, icus = others.icu.stopping(text);
  if (e.ours == encoding::cesu8) {  // ICU finds lone surrogates of CESU-8 later, and counts errors differently
    check(ours.output, icus.output, "ICU   ");
  } else {
    check(ours, icus, "ICU   ");
    check(by_ours(on_error::replace).output, others.icu.replacing(text), "ICU   ");
  }
  if (others.iconv) check(ours, (*others.iconv)(text), "iconv ");
  return 0;
}
