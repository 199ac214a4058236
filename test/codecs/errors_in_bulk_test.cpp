// errors_in_bulk_test.cpp: errors at each place of a text whose characters are converted many at a time, whole and in
// random pieces and rooms. The characters and their bytes are those of the reference, so are the places of the errors.
// build: portable optimised other_kernels
#define BOOST_TEST_MODULE errors_in_bulk
#include <boost/test/unit_test.hpp>

#include "support/brief.hpp"
#include "support/conformance_reference.hpp"
#include "support/conformance_vocabulary.hpp"
#include "support/some_encodings.hpp"
#include "support/tally.hpp"

#include <utfilter/conversion.hpp>
#include <utfilter/transcoder.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace {

using utfilter::codec_status;
using utfilter::encoding;
using utfilter::text_position;

/// A character or an error, in the encoding and in UTF-8.
struct part {
  std::string bytes, utf8;
  bool is_error, is_line_feed;
};

/// The byte FF is an error in each of these encodings, whatever stands before and after it.
std::vector<encoding> encodings_without_ff() {
  std::vector<encoding> all = some_encodings();
  const auto has_ff = [](encoding e) {
    return code_unit_size(e) != 1 || e == encoding::latin1 || e == encoding::windows1252 || e == encoding::koi8r;
  };
  all.erase(std::remove_if(all.begin(), all.end(), has_ff), all.end());
  return all;
}

/// Characters as in texts: most are of one kind, and some kinds are rare.
class author {
 public:
  author(encoding e, std::uint_fast32_t seed)
      : random_(seed), to_(conformance::to_reference(e)), style_(random_() % 4) {}

  part character() {
    while (true) {
      const char32_t c = any();
      if (!is_decoded_again(c)) continue;
      const std::string bytes = conformance::reference::encode(to_, c, state_);
      if (!bytes.empty()) return {bytes, conformance::reference::utf8(c), false, c == U'\n'};
    }
  }
  std::size_t below(std::size_t n) { return random_() % n; }

 private:
  char32_t between(char32_t first, char32_t last) {
    return first + static_cast<char32_t>(below(last - first + std::size_t{1}));
  }
  /// Some characters are encoded as others that look like them.
  bool is_decoded_again(char32_t c) const {
    using conformance::reference::encoding;
    if (to_ == encoding::iso_2022_jp) return c < 0xFF61 || c > 0xFF9F;
    const std::string bytes = conformance::reference::encode(to_, c);
    conformance::reference::text_state start;
    return !bytes.empty() && conformance::reference::decode(to_, bytes, start).value == c;
  }
  char32_t any() {
    if (run_ == 0) {
      kind_ = style_ == 0 ? 0 : below(style_ == 1 ? 2 : 12);
      run_ = 1 + below(style_ == 3 ? 50 : 8);
    }
    --run_;
    if (below(30) == 0) return U'\n';
    switch (kind_) {
      case 1: return between(U' ', U'~');
      case 2: return between(0x80, 0x7FF);
      case 3: return between(0x10000, 0x2FFFF);
      case 4: return between(0xE000, 0xFFFF);
      case 5: return between(0xFF61, 0xFF9F);
      case 6: return between(0, 0x1F);
      case 7: return between(0xAC00, 0xD7A3);
      default: return between(0x3041, 0x9FA5);
    }
  }

  std::mt19937 random_;
  conformance::reference::encoding to_;
  conformance::reference::text_state state_;
  std::size_t style_, kind_ = 0, run_ = 0;
};

struct text {
  std::string bytes, utf8;
  std::size_t errors = 0, lines = 0;
  text_position first, last;  // of the errors
};

/// The parts, with errors at some places, each of `copies` bytes.
text text_of(const std::vector<part>& parts, const std::vector<std::size_t>& places, std::size_t copies) {
  text all;
  text_position here;
  const auto add = [&](const part& p) {
    all.bytes += p.bytes;
    all.utf8 += p.utf8;
    if (p.is_error) {
      if (all.errors++ == 0) all.first = here;
      all.last = here;
    }
    here.offset += p.bytes.size();
    ++here.column;
    if (!p.is_line_feed) return;
    ++all.lines;
    ++here.line;
    here.column = 1;
    here.line_offset = here.offset;
  };
  for (std::size_t i = 0; i <= parts.size(); ++i) {
    if (std::find(places.begin(), places.end(), i) != places.end())
      for (std::size_t n = copies; n != 0; --n) add({"\xFF", "\xEF\xBF\xBD", true, false});
    if (i != parts.size()) add(parts[i]);
  }
  return all;
}

/// Converts the text in pieces and rooms of random sizes up to these, or whole if they are 0. Compares all that the
/// conversion tells.
bool is_right(const text& expected, encoding e, std::size_t piece, std::size_t room, author& random) {
  utfilter::params p{utfilter::on_error::replace};
  p.bom = utfilter::bom::keep;
  utfilter::conversion<utfilter::transcoder> by(utfilter::transcoder::decoding(e, p.bom), p);
  by.begin(utfilter::conversion<utfilter::transcoder>::direction::reading);
  std::string output;
  for (std::string_view left = expected.bytes;;) {
    const std::size_t size = std::min(left.size(), piece == 0 ? left.size() : 1 + random.below(piece));
    const std::size_t space = utfilter::transcoder::min_output + (room == 0 ? 4096 : random.below(room));
    const std::unique_ptr<char[]> in(new char[size]), out(new char[space]);  // the sanitizers see reads outside
    left.copy(in.get(), size);
    const utfilter::codec_progress done = by.convert(in.get(), size, out.get(), space, size == left.size());
    left.remove_prefix(done.consumed);
    output.append(out.get(), done.produced);
    if (done.status == codec_status::done) break;
    if (done.status == codec_status::malformed) return false;
  }
  const utfilter::stream_report r = by.report();
  if (r.errors != expected.errors || !r.first_error || !r.last_error) return false;
  return output == expected.utf8 && r.bytes_in == expected.bytes.size() && r.lines == expected.lines &&
         text_position(*r.first_error) == expected.first && text_position(*r.last_error) == expected.last;
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_error_at_each_place_is_repaired_there) {
  tally all;
  for (const encoding e : encodings_without_ff()) {
    for (std::uint_fast32_t seed = 0; seed != 40; ++seed) {
      author by(e, seed);
      std::vector<part> parts;
      for (std::size_t n = 10 + by.below(190); n != 0; --n) parts.push_back(by.character());
      for (std::size_t place = 0; place <= parts.size(); place += brief::nth) {
        std::vector<std::size_t> places = {place};
        for (std::size_t n = by.below(4); n != 0; --n) places.push_back(place + 1 + by.below(40));
        const text t = text_of(parts, places, by.below(4) == 0 ? 1 + by.below(3) : 1);
        const bool good = is_right(t, e, 0, 0, by) && is_right(t, e, 90, 150, by) && is_right(t, e, 12, 30, by);
        if (all.failed(good))
          BOOST_ERROR(encoding_name(e) << ", seed " << seed << ", an error at " << place << ": "
                                       << hexadecimal(t.bytes));
      }
    }
  }
  all.summary();
}
