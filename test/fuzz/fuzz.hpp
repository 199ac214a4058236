// fuzz.hpp: the code that the fuzz targets share: it reads an input, feeds a conversion, and ends the program on a
// failure.
//
// An input is a header, from which a target draws its choices byte by byte, and then the text. So each choice has a
// fixed place, and a change of the text does not change the choices.
#ifndef UTFILTER_TEST_FUZZ_FUZZ_HPP
#define UTFILTER_TEST_FUZZ_FUZZ_HPP

#include "support/conformance_setups.hpp"
#include "support/escape_controls_reference.hpp"

#include "kernels/kernels.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// libFuzzer calls this for each input, and replay.cpp for each file. Returns 0. A failure aborts the program.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace fuzz {

using conformance::filter_kind;
using conformance::outcome;
using conformance::pieces;
using conformance::setup;

[[noreturn]] inline void fail(const std::string& what) {
  std::cerr << "failed: " << what << std::endl;
  std::abort();
}

//------------------------------------------------------------------------------------------------------------ the input

constexpr std::size_t header_size = 64;

/// Draws the choices of an input, then its text. Missing bytes of a short header are 0.
class choices {
 public:
  choices(const std::uint8_t* data, std::size_t size) {
    const std::size_t in_header = std::min(size, header_size);
    std::copy_n(data, in_header, header_.begin());
    text_.assign(data + in_header, data + size);
  }

  unsigned byte() { return header_.at(at_++); }
  std::size_t below(std::size_t n) { return byte() % n; }
  bool one_in(std::size_t n) { return below(n) == n - 1; }

  template <class T, std::size_t N>
  const T& any_of(const T (&values)[N]) {
    return values[below(N)];
  }

  /// The text, at most `longest` bytes. In a few inputs it is repeated, so that it fills buffers.
  std::string text(std::size_t longest) {
    const unsigned repeats = byte();
    std::string text = text_.substr(0, longest);
    if (repeats < 0xF0 || text.empty()) return text;
    const std::size_t times = std::min<std::size_t>((repeats - 0xEE) * 10, longest / text.size());
    for (std::size_t i = 1; i < times; ++i) text += text_;
    return text;
  }

 private:
  std::array<std::uint8_t, header_size> header_{};
  std::size_t at_ = 0;
  std::string text_;
};

/// Sizes in bytes of pieces, of output rooms or of reads. They are used in turn, again and again. An empty plan always
/// gives everything.
class plan {
 public:
  static constexpr std::size_t everything = 1 << 16;

  plan() = default;
  explicit plan(choices& choose) {
    const std::size_t count = choose.below(7);
    for (std::size_t i = 0; i < 6; ++i) {
      const unsigned byte = choose.byte();
      if (i < count) sizes_.push_back(byte < 0x80 ? byte : (byte - 0x7Fu) * 64);
    }
  }

  std::size_t next() { return sizes_.empty() ? everything : sizes_[at_++ % sizes_.size()]; }

 private:
  std::vector<std::size_t> sizes_;
  std::size_t at_ = 0;
};

/// The text in pieces of these sizes. Pieces may be empty.
inline pieces cut(std::string_view text, plan sizes) {
  pieces all;
  for (std::size_t empty = 0; !text.empty();) {
    const std::size_t size = std::min(empty == 8 ? text.size() : sizes.next(), text.size());
    empty = size == 0 ? empty + 1 : 0;
    all.emplace_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  if (all.empty()) all.emplace_back();
  return all;
}

/// Sets the kernels that the input chooses. Tables are counted from the scalar one up, so that an input means the same
/// on processors that have more tables.
inline void choose_kernels(choices& choose) {
  using namespace utfilter::detail;
  const kernel_table* const* const tables = usable_kernels();
  std::size_t best = 0;
  while (tables[best + 1] != nullptr) ++best;
  chosen_kernels = tables[best - std::min<std::size_t>(choose.below(4), best)];
}

/// The encodings that the reference has, by its numbers.
constexpr std::size_t known_encodings = std::size(conformance::encoding_names);
inline utfilter::encoding encoding_of(std::size_t number) {
  return conformance::from_reference(static_cast<conformance::reference::encoding>(number));
}

inline utfilter::params any_params(choices& choose) {
  static const std::string replacements[] = {
      "\xEF\xBF\xBD", "", "[?]", "\xF0\x9F\x98\x80\xC2\xBF", "long enough to be cut\r\n", "\xEF\xBF\xBD"};
  utfilter::params p;
  p.bom = static_cast<utfilter::bom>(choose.below(6));
  p.on_error = static_cast<utfilter::on_error>(choose.below(7));
  p.fallback = encoding_of(1 + choose.below(known_encodings - 1));
  p.replacement = choose.any_of(replacements);
  const std::size_t limit = choose.below(16);
  if (limit < 6) p.error_limit = limit;
  return p;
}

/// Draws a filter with its parameters. Returns nothing if the constructor refuses them.
inline std::optional<setup> any_setup(choices& choose) {
  setup s{static_cast<filter_kind>(choose.below(5)), encoding_of(choose.below(known_encodings)), {}};
  s.params = any_params(choose);
  if (s.kind == filter_kind::validator) s.text = utfilter::encoding::utf8;
  try {
    conformance::filter_of(s, s.params);
  } catch (const std::invalid_argument&) {
    return {};
  }
  return s;
}

//--------------------------------------------------------------------------------------------------------- a conversion

/// The outcome that the reference expects. Without `ends`: the outcome so far, when more input may follow. The
/// references are compiled separately, without sanitizers: with sanitizers they would take most of the time.
outcome expected(const setup&, std::string_view input, bool writing, bool ends = true);
outcome expected_escaped(const utfilter::params&, std::string_view input, bool writing, bool ends = true,
                         const conformance::reference::escape_choice& = {});

/// The errors observed so far, and parameters whose observer adds to them.
struct observation {
  utfilter::params params(utfilter::params p) {
    p.observer = [this](const utfilter::error_info& e) { errors.push_back(e); };
    return p;
  }

  std::vector<utfilter::error_info> errors;
};

/// The output that must have come after one of the pieces.
struct milestone {
  std::size_t piece = plan::everything;
  std::string output;
};

/// Feeds all pieces of a text to a conversion that has begun. The output room has the planned sizes, and grows by one
/// byte after a call that neither consumed nor produced.
template <class Codec>
outcome converted(utfilter::conversion<Codec>& conv, const pieces& cut, plan rooms, const milestone& due = {}) {
  using utfilter::codec_status;
  outcome got;
  codec_status status = codec_status::need_input;
  for (std::size_t i = 0; i < cut.size() && status == codec_status::need_input; ++i) {
    // Copies of exactly the right size, so that the sanitizers see an access outside of them.
    const std::vector<char> in(cut[i].begin(), cut[i].end());
    const bool last = i + 1 == cut.size();
    std::size_t taken = 0, room = rooms.next();
    do {
      std::vector<char> out(std::min(room, 8 * (in.size() + 64)));
      const auto step = conv.convert(in.data() + taken, in.size() - taken, out.data(), out.size(), last);
      if (step.produced > out.size() || step.consumed > in.size() - taken)
        fail("the conversion consumes or produces more bytes than it was given");
      taken += step.consumed;
      got.output.append(out.data(), step.produced);
      status = step.status;
      const bool moved = step.consumed != 0 || step.produced != 0;
      if (status == codec_status::need_output && !moved && room >= Codec::min_output)
        fail("no progress with room for min_output bytes");
      room = moved ? rooms.next() : room + 1;
    } while (status == codec_status::need_output);
    if (status == codec_status::need_input && (last || taken != in.size()))
      fail("the conversion asks for input that it already has, or for more after the last piece");
    if (i == due.piece && got.output != due.output)
      fail("after piece " + std::to_string(i) + " there is " + conformance::to_hex(got.output) + ", not " +
           conformance::to_hex(due.output));
  }
  if (status == codec_status::malformed) conformance::note_failure(got, conv.failure());
  got.report = conv.report();
  return got;
}

/// Fails if the outcomes differ. `what()` describes the run.
template <class Text>
void compare(const outcome& got, const outcome& wanted, const Text& what) {
  if (!conformance::same(got, wanted))
    fail(what() + "\n  expected " + conformance::text_of(wanted) + "\n  got      " + conformance::text_of(got));
}

/// How the input's text is fed to a conversion.
struct feeding {
  explicit feeding(choices& choose)
      : writing(choose.one_in(2)), sizes(choose), rooms(choose), watched(choose.byte()), text(choose.text(2000)) {}

  bool writing;
  plan sizes, rooms;
  std::size_t watched;  // the piece after which the output is checked
  std::string text;
};

/// Feeds a conversion as planned, and then in one piece, which also shows that the first use leaves no state for the
/// next. `wanted(input, ends)` is the outcome that the reference expects. `what` describes the conversion.
template <class Codec, class Wanted>
void check(utfilter::conversion<Codec>& conv, observation& observed, const feeding& f, const Wanted& wanted,
           const std::string& what) {
  using direction = typename utfilter::conversion<Codec>::direction;
  const pieces all = cut(f.text, f.sizes);
  milestone due;
  if (f.watched + 1 < all.size()) {
    std::size_t arrived = 0;
    for (std::size_t i = 0; i <= f.watched; ++i) arrived += all[i].size();
    due = {f.watched, wanted(std::string_view(f.text).substr(0, arrived), false).output};
  }
  const outcome expected = wanted(f.text, true);
  for (const bool whole : {false, true}) {
    observed.errors.clear();
    conv.begin(f.writing ? direction::writing : direction::reading);
    outcome got = whole ? converted(conv, {f.text}, {}) : converted(conv, all, f.rooms, due);
    got.observed = observed.errors;
    compare(got, expected, [&] {
      return what + (f.writing ? ", writing, " : ", reading, ") + conformance::text_of(whole ? pieces{f.text} : all);
    });
  }
}

}  // namespace fuzz

#endif
