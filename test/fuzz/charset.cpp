// charset.cpp: a fuzz target for charsets of ICU, in both directions, under every policy. The outcome must not depend
// on the cuts and rooms that the input chooses; decoded text must be well-formed UTF-8, and encoded text must be
// well-formed in its charset; errors must be in order and have the bytes of the text. The text before an error, and
// after it, must be what these bytes give alone. Where ICU tells the places of errors, ICU must give the same text up
// to the first error.
#include "foreign_converters.hpp"
#include "fuzz.hpp"

#include <utfilter/charset.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace fuzz;
using conformance::to_hex;
using foreign::good_prefix;
using utfilter::charset;
using utfilter::codec_decoder;
using utfilter::codec_encoder;
using utfilter::on_error;
using utfilter::params;

struct charset_name {
  const char* name;
  bool tells_places;       // ICU does, at one go
  bool is_regular = true;  // ICU reads what it has written, and writes nothing for a character that the charset lacks
};

// Charsets of each kind: those with several bytes for a character, those with shift states, and those of Unicode.
constexpr charset_name names[] = {
    {"Shift_JIS", true},
    {"EUC-JP", true},
    {"ibm-970", true},
    {"GBK", true},
    {"GB18030", true},
    {"windows-950-2000", true},
    {"ibm-1375_P100-2008", true},
    {"EUC-TW", true},
    {"ibm-1363_P11B-1998", true},
    {"ISO-8859-3", true},
    {"ibm-37", true},
    {"ibm-930", false},
    {"ISO-2022-JP", false},
    {"ISO-2022-JP-2", false},
    {"ISO-2022-KR", false},
    {"ISO-2022-CN-EXT", false},
    {"HZ-GB-2312", false},
    {"UTF-7", false},
    {"SCSU", false},
    {"BOCU-1", false},
    {"UTF-16", false},
    {"UTF-32", false},
    {"CESU-8", false},
    {"ISCII,version=0", false, false},
    {"LMBCS-1", false, false},
    {"ibm-1390", false},
};

/// A charset, and ICU's converters for it.
struct known {
  explicit known(const char* name) : ours(name), decodes(name, "UTF-8"), encodes("UTF-8", name) {
    // For some names the library takes a larger charset than ICU: windows-949 is ICU's ibm-1363_P11B-1998.
    const std::vector<std::string> others = ours.aliases();
    const std::string icu_name = foreign::icu_converter_name(name);
    if (ours.name() != icu_name && std::find(others.begin(), others.end(), icu_name) == others.end())
      fail(std::string(name) + " is another charset in ICU: compare with the one that the library takes");
  }

  charset ours;
  foreign::icu_converter decodes, encodes;
};

const known& known_of(const charset_name& n) {
  static std::unique_ptr<known> all[std::size(names)];
  auto& found = all[&n - names];
  if (!found) found = std::make_unique<known>(n.name);
  return *found;
}

std::uint64_t lines_of(std::string_view text) {
  return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

bool begins_with_mark(std::string_view utf8) { return utf8.substr(0, 3) == "\xEF\xBB\xBF"; }

/// Whether the error has the line and the column after this UTF-8, in whose last line some errors were left out. A
/// byte order mark is no character.
bool is_after(std::string_view utf8, std::size_t errors, const utfilter::error_info& e) {
  if (e.line == 1 && begins_with_mark(utf8)) utf8.remove_prefix(3);
  const std::string_view line = utf8.substr(utf8.rfind('\n') + 1);
  const auto characters = std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; });
  return e.line == 1 + lines_of(utf8) && e.column == 1 + errors + static_cast<std::uint64_t>(characters);
}

/// Calls the function with a conversion of the charset.
template <class Use>
auto with_conversion(const charset& of, bool encodes, const params& p, Use&& use) {
  if (encodes) {
    codec_encoder conv(of, p);
    return use(conv);
  }
  codec_decoder conv(of, p);
  return use(conv);
}

/// A text that is decoded or encoded, and the checks of its outcome.
class trial {
 public:
  explicit trial(choices& choose)
      : name_(choose.any_of(names)), encodes_(choose.one_in(2)), params_(any_params(choose)), feeding_(choose) {
    if (!encodes_) params_.bom = utfilter::bom::automatic;
  }

  /// Throws std::invalid_argument for params that make no sense.
  void run() {
    got_ = with_conversion(known_of(name_).ours, encodes_, observed_.params(params_),
                           [&](auto& conv) { return in_all_cuts(conv); });
    check_errors();
    check_counts();
    check_output();
    if (!got_.observed.empty() && got_.observed[0].size != 0 && (encodes_ || name_.tells_places)) check_parts();
    if (name_.tells_places && stops_at_error() && params_.bom == utfilter::bom::automatic) check_with_icu();
  }

 private:
  /// The policy ends the text at the first error.
  bool stops_at_error() const { return params_.on_error == on_error::strict || params_.on_error == on_error::stop; }
  std::string_view text() const { return feeding_.text; }

  std::string title() const {
    return std::string(encodes_ ? "encoding " : "decoding ") + name_.name + ", on_error " +
           conformance::name_of(params_.on_error, conformance::on_error_names) + ": ";
  }
  void require(bool good, const std::string& what) const {
    if (!good) fail(title() + to_hex(text()) + ": " + what + "\n  " + conformance::text_of(got_));
  }

  /// The outcome, which must be the same in one piece and in pieces.
  template <class Conversion>
  outcome in_all_cuts(Conversion& conv) {
    using direction = typename Conversion::direction;
    std::optional<outcome> first;
    for (const pieces& all : {pieces{feeding_.text}, cut(text(), feeding_.sizes)}) {
      observed_.errors.clear();
      conv.begin(feeding_.writing ? direction::writing : direction::reading);
      outcome got = converted(conv, all, first ? feeding_.rooms : plan());
      got.observed = observed_.errors;
      if (!first) first = got;
      compare(got, *first, [&] { return title() + conformance::text_of(all); });
    }
    return *first;
  }

  /// What a part of the text gives by itself.
  std::string alone(std::string_view part, on_error policy) const {
    params p{on_error::strict, params_.bom};
    p.on_error = policy;
    return with_conversion(known_of(name_).ours, encodes_, p,
                           [&](auto& conv) { return converted(conv, {std::string(part)}, {}).output; });
  }

  /// The errors are in order, and have the bytes of the text.
  void check_errors() const {
    std::uint64_t end = 0, line = 1;
    for (const utfilter::error_info& e : got_.observed) {
      const bool of_bom = e.code == utfilter::errc::missing_bom || e.code == utfilter::errc::unexpected_bom;
      require(e.offset >= end && e.offset + e.size <= text().size() && (e.size != 0 || of_bom),
              "an error is at a wrong place");
      const auto at = static_cast<std::size_t>(e.offset);
      require(text().substr(at, e.size) == std::string_view(reinterpret_cast<const char*>(e.bytes.data()), e.size),
              "an error has other bytes than the text");
      require(e.line_offset <= e.offset && e.line >= line && e.column != 0 && e.line <= 1 + got_.report.lines,
              "an error has an impossible line or column");
      const std::string_view before = text().substr(0, at);
      require(!encodes_ || (e.line == 1 + lines_of(before) && e.line_offset == before.rfind('\n') + 1),
              "an error is in another line");
      line = e.line;
      if (!of_bom) end = e.offset + e.size;
    }
  }

  void check_counts() const {
    const auto& r = got_.report;
    require(r.errors == got_.observed.size() && r.bytes_out == got_.output.size(), "the report has wrong counts");
    const bool stopped = got_.thrown || (params_.on_error == on_error::stop && r.errors != 0);
    require(stopped ? r.bytes_in <= text().size() : r.bytes_in == text().size(), "the bytes read are wrong");
    const auto read = static_cast<std::size_t>(stopped ? got_.observed.back().offset : r.bytes_in);
    if (encodes_)
      require(r.lines == lines_of(text().substr(0, read)), "the lines of the text are not counted");
    else if (params_.replacement.find('\n') == std::string::npos)
      require(r.lines == lines_of(got_.output), "the lines of the output are not counted");
    // A repair has at most 24 characters: six bytes as \xHH. No character has more than four bytes, but escape
    // sequences may be around it.
    require(got_.output.size() <= 64 + 8 * text().size() + r.errors * 192, "the output is too long");
  }

  void check_output() const {
    if (!encodes_) {
      const setup strict{filter_kind::validator, utfilter::encoding::utf8, {}};
      require(!expected(strict, got_.output, false).thrown, "the output is ill-formed UTF-8");
    } else if (name_.is_regular) {
      codec_decoder back(known_of(name_).ours, on_error::replace);
      require(converted(back, {got_.output}, {}).report.errors == 0, "the output is ill-formed");
    }
  }

  /// The text before the first error is what these bytes give alone and, in a charset without shift states, also the
  /// text after it.
  void check_parts() const {
    const utfilter::error_info &first = got_.observed.front(), &last = got_.observed.back();
    const auto at = static_cast<std::size_t>(first.offset);
    const std::string before = alone(text().substr(0, at), on_error::strict);
    if (encodes_) {
      require(is_after(text().substr(0, at), 0, first), "the first error is in another column");
    } else {
      const std::string all = alone(text().substr(0, static_cast<std::size_t>(last.offset)), on_error::skip);
      const auto in_line = std::count_if(got_.observed.begin(), got_.observed.end(),
                                         [&](const utfilter::error_info& e) { return e.line == last.line; });
      require(is_after(all, static_cast<std::size_t>(in_line) - 1, last), "the last error is in another column");
    }
    if (stops_at_error() && name_.is_regular)
      require(got_.output == before, "the bytes before the error give " + to_hex(before));

    const std::string_view rest = text().substr(at + first.size);
    const bool has_mark = encodes_ && (params_.bom == utfilter::bom::add || begins_with_mark(rest));
    if (params_.on_error == on_error::skip && !got_.thrown && name_.tells_places && !has_mark) {
      const std::string both = before + alone(rest, on_error::skip);
      require(got_.output == both, "the bytes before and after the error give " + to_hex(both));
    }
  }

  void check_with_icu() const {
    if (encodes_ && begins_with_mark(text())) return;                            // dropped if the charset lacks U+FEFF
    if (text().find_first_of("\x1A\x1C\x7F") != std::string_view::npos) return;  // ICU exchanges these in some charsets
    const auto end = got_.report.first_error ? got_.report.first_error->offset : got_.report.bytes_in;
    const good_prefix ours{got_.output, static_cast<std::size_t>(end)};
    const known& of = known_of(name_);
    const good_prefix icus = (encodes_ ? of.encodes : of.decodes).stopping(text());
    require(ours == icus, "ICU gives " + to_hex(icus.output) + " of " + std::to_string(icus.size) + " bytes");
  }

  const charset_name& name_;
  bool encodes_;
  params params_;
  feeding feeding_;
  observation observed_;
  outcome got_;
};

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  choices choose(data, size);
  choose_kernels(choose);
  try {
    trial(choose).run();
  } catch (const std::invalid_argument&) {
    return 0;
  }
  return 0;
}
