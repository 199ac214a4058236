// fuzz.hpp: what the fuzz targets share: how an input is read, how a conversion is fed, and what a failure does.
//
// An input is a header, from which a target draws its choices byte by byte, and the text behind it. So each choice has
// its place, and a change of the text leaves them alone.
#ifndef UTFILTER_TEST_FUZZ_FUZZ_HPP
#define UTFILTER_TEST_FUZZ_FUZZ_HPP

#include "support/conformance_setups.hpp"

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

/// What libFuzzer calls for each input, and replay.cpp for each file. It returns 0; a failure aborts.
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

/// The choices of an input, then its text. What a short header lacks is 0.
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

  /// The text, seldom repeated up to a size that fills buffers.
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

/// Sizes that come again and again: of pieces, of rooms, of reads. Without any it is always all there is.
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

/// The text in pieces of these sizes, empty ones among them.
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

/// Sets what the input has no say in: the kernels. Counted from the scalar table up, so that an input means the same on
/// processors that have more of them.
inline void choose_kernels(choices& choose) {
  using namespace utfilter::detail;
  const kernel_table* const* const tables = usable_kernels();
  std::size_t best = 0;
  while (tables[best + 1] != nullptr) ++best;
  chosen_kernels = tables[best - std::min<std::size_t>(choose.below(4), best)];
}

/// A filter with its parameters; none where its constructor refuses them.
inline std::optional<setup> any_setup(choices& choose) {
  using utfilter::encoding;
  static const std::string replacements[] = {
      "\xEF\xBF\xBD", "", "[?]", "\xF0\x9F\x98\x80\xC2\xBF", "long enough to be cut\r\n", "\xEF\xBF\xBD"};
  setup s{static_cast<filter_kind>(choose.below(5)), static_cast<encoding>(choose.below(11)), {}};
  s.params.bom = static_cast<utfilter::bom>(choose.below(6));
  s.params.on_error = static_cast<utfilter::on_error>(choose.below(7));
  s.params.fallback = static_cast<encoding>(1 + choose.below(10));
  s.params.replacement = choose.any_of(replacements);
  const std::size_t limit = choose.below(16);
  if (limit < 6) s.params.error_limit = limit;
  if (s.kind == filter_kind::validator) s.text = encoding::utf8;
  try {
    conformance::filter_of(s, s.params);
  } catch (const std::invalid_argument&) {
    return {};
  }
  return s;
}

//--------------------------------------------------------------------------------------------------------- a conversion

/// What the references say. Without `ends`: once this much has come, and more may follow. They are compiled by
/// themselves, without sanitizers, in which they would take most of the time.
outcome expected(const setup&, std::string_view input, bool writing, bool ends = true);
outcome expected_escaped(const utfilter::params&, std::string_view input, bool writing, bool ends = true);

/// Where errors are noted, and the parameters that do so.
struct observation {
  utfilter::params params(utfilter::params p) {
    p.observer = [this](const utfilter::error_info& e) { errors.push_back(e); };
    return p;
  }

  std::vector<utfilter::error_info> errors;
};

/// What must have come out behind one of the pieces.
struct milestone {
  std::size_t piece = plan::everything;
  std::string output;
};

/// All of a text through a conversion that has begun. The room is as planned, and grows only where nothing moves in it.
template <class Codec>
outcome converted(utfilter::conversion<Codec>& conversion, const pieces& cut, plan rooms, const milestone& due = {}) {
  using utfilter::codec_status;
  outcome got;
  codec_status status = codec_status::need_input;
  for (std::size_t i = 0; i < cut.size() && status == codec_status::need_input; ++i) {
    // Copies of exactly that size, so that a step outside of them is seen.
    const std::vector<char> in(cut[i].begin(), cut[i].end());
    const bool last = i + 1 == cut.size();
    std::size_t taken = 0, room = rooms.next();
    do {
      std::vector<char> out(std::min(room, 8 * (in.size() + 64)));
      const auto step = conversion.convert(in.data() + taken, in.size() - taken, out.data(), out.size(), last);
      if (step.produced > out.size() || step.consumed > in.size() - taken) fail("more is done than there is");
      taken += step.consumed;
      got.output.append(out.data(), step.produced);
      status = step.status;
      const bool moved = step.consumed != 0 || step.produced != 0;
      if (status == codec_status::need_output && !moved && room >= Codec::min_output)
        fail("no progress in min_output bytes");
      room = moved ? rooms.next() : room + 1;
    } while (status == codec_status::need_output);
    if (status == codec_status::need_input && (last || taken != in.size()))
      fail("asks for input that it has, or cannot have");
    if (i == due.piece && got.output != due.output)
      fail("behind piece " + std::to_string(i) + " there is " + conformance::to_hex(got.output) + ", not " +
           conformance::to_hex(due.output));
  }
  if (status == codec_status::malformed) conformance::note_failure(got, conversion.failure());
  got.report = conversion.report();
  return got;
}

/// Fails where they differ; `what()` tells how it was run.
template <class Text>
void compare(const outcome& got, const outcome& wanted, const Text& what) {
  if (!conformance::same(got, wanted))
    fail(what() + "\n  expected " + conformance::text_of(wanted) + "\n  got      " + conformance::text_of(got));
}

/// How an input wants its text to be fed to a conversion.
struct feeding {
  explicit feeding(choices& choose)
      : writing(choose.one_in(2)), sizes(choose), rooms(choose), watched(choose.byte()), text(choose.text(2000)) {}

  bool writing;
  plan sizes, rooms;
  std::size_t watched;  // the piece behind which it is looked at what has come out
  std::string text;
};

/// Feeds a conversion as planned, and then in one piece, which also shows that a use leaves nothing behind.
/// `wanted(input, ends)` is what the reference says, `what` tells what is converted.
template <class Codec, class Wanted>
void check(utfilter::conversion<Codec>& conversion, observation& observed, const feeding& f, const Wanted& wanted,
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
    conversion.begin(f.writing ? direction::writing : direction::reading);
    outcome got = whole ? converted(conversion, {f.text}, {}) : converted(conversion, all, f.rooms, due);
    got.observed = observed.errors;
    compare(got, expected, [&] {
      return what + (f.writing ? ", writing, " : ", reading, ") + conformance::text_of(whole ? pieces{f.text} : all);
    });
  }
}

}  // namespace fuzz

#endif
