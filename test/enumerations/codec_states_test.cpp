// codec_states_test.cpp: calls a codec in each state that it can reach: with each byte or with no byte, with and
// without `last`, and with room for 0 to min_output + 1 bytes of output. The reference, which sees all bytes so far,
// says what the codec must deliver and why it must stop. A call with one byte depends on the state alone, so the result
// holds for texts of any length.
//
// Bytes of every kind lead from one state to the next. In the exhaustive run every byte does so, as the first or second
// byte of a character.
// build: long optimised exhaustive
#define BOOST_TEST_MODULE codec_states
#include <boost/test/unit_test.hpp>

#include "support/conformance_setups.hpp"
#include "support/encoding_rows.hpp"
#include "support/escape_controls_reference.hpp"
#include "support/exhaustive.hpp"
#include "support/policies.hpp"
#include "support/tally.hpp"

#include <utfilter/control_escaper.hpp>
#include <utfilter/bom_codec.hpp>
#include <utfilter/transcoder.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace utfilter {

/// The bytes of a codec that its behaviour depends on. These are all but the last error and the position, to which the
/// codec only adds.
struct codec_state {
  static std::string of(const transcoder& t) { return all_of(t.source_, t.target_) + of_bom(t); }
  static std::string of(const bom_codec& s) { return of_bom(s); }
  static std::string of(const control_escaper& e) {
    return all_of(e.options_.style, e.options_.line_feed).append(e.carry_.begin(), e.carry_.begin() + e.carried_);
  }

 private:
  template <class Codec>
  static std::string of_bom(const Codec& c) {
    const detail::bom_plan& plan = c.plan_;
    return all_of(c.facts_.encoding, plan.otherwise, plan.candidates, c.found(), c.phase_, c.bom_size_,
                  plan.guess_bytes, c.is_no_text_, plan.decides, plan.keep_found, plan.add_absent, plan.must_exist,
                  plan.must_not)
        .append(c.carry_.begin(), c.carry_.begin() + c.carried_);
  }

  template <class... Values>
  static std::string all_of(const Values&... values) {
    std::string bytes;
    (bytes.append(reinterpret_cast<const char*>(&values), sizeof values), ...);
    return bytes;
  }
};

}  // namespace utfilter

namespace {

using namespace std::string_view_literals;
namespace reference = conformance::reference;
using reference::filter_kind;
using utfilter::bom;
using utfilter::codec_progress;
using utfilter::codec_status;
using utfilter::encoding;
using utfilter::transcoder;

/// Compares the position of a codec or of an error.
template <class Place>
bool same_place(const Place& got, const reference::error_info& right) {
  return got.offset == right.offset && got.line == right.line && got.column == right.column &&
         got.line_offset == right.line_offset;
}

bool same(const utfilter::error_info& got, const reference::error_info& right) {
  return got.code == conformance::from_reference(right.code) && same_place(got, right) &&
         got.code_point == right.code_point && got.size == right.bytes.size() &&
         std::memcmp(got.bytes.data(), right.bytes.data(), got.size) == 0;
}

/// The bytes that lead to other states. The index is the number of bytes that the codec carries; the last entry is for
/// that number and all above it.
using bytes_by_place = std::vector<std::string_view>;

/// Visits all states of a codec, beginning with the first, in the order of the bytes that lead there. `Reference(seen,
/// ends)` returns the result that the bytes seen so far must have.
template <class Codec, class Reference>
class exploration {
 public:
  /// The bytes of `path` lead to new states. In each state all bytes of `tried` are tried.
  exploration(const Codec& codec, Reference reference_of, bytes_by_place path, std::string_view tried)
      : reference_of_(reference_of), path_(std::move(path)), tried_(tried) {
    add({codec, {}, 0, std::nullopt, false});
    for (; !waiting_.empty(); waiting_.pop_front()) leave(waiting_.front());
  }

  const tally& cases() const { return tally_; }
  std::size_t states() const { return known_.size(); }

 private:
  /// A state, and how it was reached.
  struct node {
    Codec codec;
    std::string consumed;
    std::size_t delivered;        // in steps of the reference
    std::optional<char> offered;  // a byte that was not consumed and is passed again
    bool last;                    // no byte follows
  };

  void add(const node& n) {
    // Adds the state of the reference: the bytes seen after the position of the codec. At the start a byte order mark
    // does not always move the position. So the number of steps delivered is added, too.
    const auto at = static_cast<std::size_t>(n.codec.position().offset);
    std::string state = utfilter::codec_state::of(n.codec) + n.consumed.substr(at);
    if (at == 0) state += std::to_string(n.delivered);
    state += n.last ? '1' : '0';
    if (n.offered) state += *n.offered;
    if (known_.insert(state).second) waiting_.push_back(n);
  }

  void leave(const node& n) {
    for (const bool last : {false, true}) {
      if (n.last && !last) continue;
      if (!n.offered) call(n, std::nullopt, last);
      if (n.last && !n.offered) continue;
      for (const char byte : n.offered ? std::string_view(&*n.offered, 1) : tried_) call(n, byte, last);
    }
  }

  bool leads_on(const node& n, char byte) const {
    const std::size_t carried = n.consumed.size() - static_cast<std::size_t>(n.codec.position().offset);
    return path_[std::min(carried, path_.size() - 1)].find(byte) != std::string_view::npos;
  }

  /// One call, repeated with each room.
  void call(const node& n, std::optional<char> byte, bool last) {
    const std::string seen = byte ? n.consumed + *byte : n.consumed;
    const auto whole = reference_of_(seen, last);
    for (std::size_t room = 0; room <= Codec::min_output + 1; ++room) {
      std::array<char, Codec::min_output + 2> out;
      out.fill('\xA5');
      node next = n;
      const codec_progress progress =
          next.codec.transform(byte ? &*byte : nullptr, byte ? 1 : 0, out.data(), room, last);
      const bool right =
          judge(whole, next, progress, {out.data(), progress.produced}, byte.has_value(), room, last) &&
          std::string_view(out.data() + room, out.size() - room).find_first_not_of('\xA5') == std::string_view::npos;
      if (tally_.failed(right))
        BOOST_ERROR("after " << hexadecimal(n.consumed)
                             << (byte ? " comes " + hexadecimal({&*byte, 1}) : " comes no byte")
                             << (last ? ", as the last" : "") << ", room for " << room << ": status "
                             << static_cast<int>(progress.status) << ", " << progress.consumed << " consumed, output "
                             << hexadecimal({out.data(), progress.produced}));
      if (!right || progress.status == codec_status::done) continue;
      if (byte && !n.offered && !leads_on(n, *byte)) continue;
      // If the call had no effect, this state has been visited already.
      const bool idle = progress.consumed == 0 && next.delivered == n.delivered;
      if (idle && utfilter::codec_state::of(next.codec) == utfilter::codec_state::of(n.codec)) continue;

      if (progress.consumed != 0) next.consumed += *byte;
      next.offered = progress.consumed == 0 ? byte : std::nullopt;
      next.last = last;
      add(next);
    }
  }

  /// Returns whether the call delivered all output that is due and fits, and returned the right status. Moves the node
  /// on.
  template <class Whole>
  static bool judge(const Whole& whole, node& n, const codec_progress& progress, std::string_view output, bool offered,
                    std::size_t room, bool last) {
    const auto& steps = whole.steps();
    std::string due;
    for (; n.delivered < steps.size() && !steps[n.delivered].error; ++n.delivered) {
      if (due.size() + steps[n.delivered].output.size() > room) break;
      due += steps[n.delivered].output;
    }
    if (output != due || progress.consumed > offered) return false;
    if (n.delivered == steps.size()) {
      const auto& report = whole.result().report;
      return progress.status == (last ? codec_status::done : codec_status::need_input) &&
             progress.consumed == offered && same_place(n.codec.position(), whole.place()) &&
             n.codec.facts().bom == report.bom &&
             n.codec.facts().encoding == conformance::from_reference(report.encoding);
    }
    if (!steps[n.delivered].error) return progress.status == codec_status::need_output;
    return progress.status == codec_status::malformed && same(n.codec.error(), *steps[n.delivered++].error);
  }

  Reference reference_of_;
  bytes_by_place path_;
  std::string_view tried_;
  std::deque<node> waiting_;
  tally tally_;

  std::unordered_set<std::string> known_;
};

/// Bytes of every kind that begin, continue or end a character or a byte order mark in the encoding.
std::string_view kinds_of_bytes(encoding e) { return encoding_rows::of(e).kinds; }

/// The same for text in UTF-8 that is encoded. For ISO-2022-JP also the bytes of U+00A5, U+203E and U+3042, which are
/// in other character sets, and of controls that it lacks.
std::string_view kinds_of_bytes_to(encoding e) {
  if (e == encoding::iso_2022_jp) return "\x0A\x1B\x41\x5C\x80\x81\x82\xA5\xBE\xC2\xE2\xE3\xF0\xFF"sv;
  return kinds_of_bytes(encoding::utf8);
}

conformance::setup setup_of(filter_kind kind, encoding text, bom b) {
  utfilter::params p;
  p.on_error = utfilter::on_error::skip;  // no output for an error
  p.bom = b;
  return {kind, text, p};
}

std::string all_bytes() {
  std::string bytes;
  for (unsigned b = 0; b < 256; ++b) bytes += static_cast<char>(static_cast<unsigned char>(b));
  return bytes;
}

/// Explores codecs and adds up the cases.
class sum {
 public:
  void explore(const conformance::setup& s, const bytes_by_place& path, std::string_view tried) {
    const auto words = conformance::to_reference(s);
    const auto reference_of = [&](std::string_view seen, bool ends) {
      return reference::converter(words, seen, false, ends);
    };
    conformance::with_codec(s, [&](const auto& codec) { add(exploration(codec, reference_of, path, tried)); });
  }
  void explore(const utfilter::control_escaper& codec, const reference::escape_choice& choice,
               const bytes_by_place& path, std::string_view tried) {
    const auto skip =
        conformance::to_reference(setup_of(filter_kind::validator, encoding::utf8, bom::automatic).params);
    const auto reference_of = [&](std::string_view seen, bool ends) {
      return reference::escaper(skip, seen, false, ends, choice);
    };
    add(exploration(codec, reference_of, path, tried));
  }
  ~sum() { tally_.summary(std::to_string(states_) + " states with each byte and room"); }

 private:
  template <class Exploration>
  void add(const Exploration& e) {
    tally_.add(e.cases());
    states_ += e.states();
  }

  tally tally_;
  std::size_t states_ = 0;
};

/// The states of a byte order mark, under every bom policy.
void explore_boms(std::string_view tried) {
  const bytes_by_place path{"\x00\x41\xBB\xBF\xEF\xFE\xFF"sv};
  sum all;
  for (const bom b : every::mark) {
    for (const encoding e : conformance::known_encodings) {
      if (transcoder::why_not_encoding(e, b) == nullptr) all.explore(setup_of(filter_kind::encoder, e, b), path, tried);
      if (utfilter::bom_codec::why_not(b, e) == nullptr) all.explore(setup_of(filter_kind::bom, e, b), path, tried);
      if (transcoder::why_not_decoding(e, b, encoding::utf8) == nullptr)
        all.explore(setup_of(filter_kind::decoder, e, b), path, tried);
    }
    for (const encoding fallback : {encoding::utf16, encoding::utf32le, encoding::windows1252}) {
      conformance::setup s = setup_of(filter_kind::decoder, encoding::detect, b);
      s.params.fallback = fallback;
      all.explore(s, path, tried);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_state_of_text_follows_the_reference) {
  const std::string tried = all_bytes();
  sum all;
  for (const encoding e : conformance::known_encodings) {
    all.explore(setup_of(filter_kind::decoder, e, bom::automatic), {kinds_of_bytes(e)}, tried);
    if (e == encoding::detect) continue;
    all.explore(setup_of(filter_kind::encoder, e, bom::automatic), {kinds_of_bytes_to(e)}, tried);
  }
}

BOOST_AUTO_TEST_CASE(every_state_of_control_escaper_follows_the_reference) {
  using utfilter::control_escaper;
  // Also bytes that begin and end escaped characters: C2 80 to 9F, D8 9C, E2 80 8E to AE, E2 81 A6 to A9.
  const bytes_by_place path{"\x00\x0A\x0D\x1B\x41\x80\x81\x8E\x90\x9C\xA6\xA8\xBF\xC2\xD8\xE0\xE2\xED\xF0\xF4"sv};
  sum all;
  reference::escape_choice choice;
  all.explore(control_escaper(), choice, path, all_bytes());
  choice.line_feed = true;
  all.explore(control_escaper(control_escaper::line_feeds::escape), choice, path, all_bytes());
  utfilter::printable_options json;
  json.style = utfilter::escape_style::json;
  choice.json = true;
  all.explore(control_escaper(json), choice, path, all_bytes());
}

BOOST_AUTO_TEST_CASE(every_state_of_a_bom_follows_the_reference) {
  explore_boms("\x00\x0A\x41\x80\xBB\xBF\xC2\xD8\xEF\xFE\xFF"sv);
}

BOOST_AUTO_TEST_CASE(every_state_of_a_bom_follows_the_reference_for_every_byte, *exhaustive()) {
  explore_boms(all_bytes());
}

// Every byte as the third of a character would lead to millions of states. In UTF-32 every byte as the second would,
// too. For an encoder every byte is tried only as the first of a character, because an encoder reads UTF-8 like the
// decoder of UTF-8.
BOOST_AUTO_TEST_CASE(every_state_of_text_follows_the_reference_for_every_byte, *exhaustive()) {
  const std::string bytes = all_bytes();
  const auto kinds = kinds_of_bytes(encoding::utf8);
  sum all;
  for (const encoding e :
       {encoding::utf8, encoding::cesu8, encoding::modified_utf8, encoding::utf16le, encoding::utf16be})
    all.explore(setup_of(filter_kind::decoder, e, bom::automatic), {bytes, bytes, kinds_of_bytes(e)}, bytes);
  for (const encoding e : conformance::known_encodings)
    if (e != encoding::detect) all.explore(setup_of(filter_kind::encoder, e, bom::automatic), {bytes, kinds}, bytes);
}
