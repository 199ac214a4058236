// large_stream_test.cpp: streams of more than 4 GiB, with errors before, across and after that limit. Checks the
// positions of the errors, the output and the counts, for chains that read and write, and for the codec alone. No text
// is ever in memory as a whole.
// build: long optimised exhaustive
#define BOOST_TEST_MODULE large_stream
#include "support/conformance.hpp"
#include "support/exhaustive.hpp"
#include "support/tally.hpp"
#include "support/test_devices.hpp"
#include "support/texts.hpp"

#include <utfilter/utfilter.hpp>

#include <boost/iostreams/filtering_stream.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace io = boost::iostreams;
namespace reference = conformance::reference;
using namespace utfilter;
using texts::text32;

namespace {

constexpr std::uint64_t four_gib = std::uint64_t{1} << 32;

//------------------------------------------------------------------------------------------------------ generated texts

/// Some bytes, repeated.
struct stretch {
  std::string bytes;
  std::uint64_t times;
};

/// Generates the bytes that a device returns, or those that it must get: one stretch after the other.
class cursor {
 public:
  explicit cursor(const std::vector<stretch>& text) : text_(&text) {}

  /// The next bytes, at most `n`. Fewer if a repetition ends before; none at the end of the text.
  std::string_view take(std::size_t n) {
    while (at_ < text_->size() && (*text_)[at_].times == round_) {
      ++at_;
      round_ = 0;
    }
    if (at_ == text_->size()) return {};
    const std::string& bytes = (*text_)[at_].bytes;
    const std::string_view piece = std::string_view(bytes).substr(offset_, n);
    offset_ += piece.size();
    if (offset_ == bytes.size()) {
      offset_ = 0;
      ++round_;
    }
    return piece;
  }

  /// Compares with the next bytes.
  bool matches(const char* s, std::size_t n) {
    while (n != 0) {
      const std::string_view piece = take(n);
      if (piece.empty() || std::memcmp(piece.data(), s, piece.size()) != 0) return false;
      s += piece.size();
      n -= piece.size();
    }
    return true;
  }

 private:
  const std::vector<stretch>* text_;
  std::size_t at_ = 0, offset_ = 0;
  std::uint64_t round_ = 0;
};

//----------------------------------------------------------------------------------------------------- expected results

/// An error, without its position. It has no bytes if every text in the encoding is well-formed.
error_info error_in(encoding e) {
  error_info error;
  const auto is = [&](errc code, std::initializer_list<unsigned char> bytes, char32_t code_point) {
    error.code = code;
    error.size = static_cast<std::uint8_t>(bytes.size());
    error.code_point = code_point;
    std::copy(bytes.begin(), bytes.end(), error.bytes.begin());
  };
  switch (e) {
    case encoding::utf8:
    case encoding::cesu8: is(errc::truncated_sequence, {0xE2, 0x82}, 0); break;
    case encoding::utf16le: is(errc::unpaired_low_surrogate, {0x00, 0xDC}, 0xDC00); break;
    case encoding::utf16be: is(errc::unpaired_low_surrogate, {0xDC, 0x00}, 0xDC00); break;
    case encoding::utf32le: is(errc::surrogate, {0x00, 0xDC, 0x00, 0x00}, 0xDC00); break;
    case encoding::utf32be: is(errc::surrogate, {0x00, 0x00, 0xDC, 0x00}, 0xDC00); break;
    default: break;
  }
  return error;
}

std::string encoded(encoding e, const text32& text) {
  std::string bytes;
  for (const char32_t c : text) bytes += reference::encode(conformance::to_reference(e), c);
  return bytes;
}

/// Lines of characters that all encodings have, or the same as a single line.
text32 block(bool lines) {
  text32 text;
  while (text.size() < 20000) {
    for (int i = 0; i < 3; ++i) text += text32(60, U'x') + U"\u00E9\u00E8\u00FC";
    text += lines ? U'\n' : U' ';
  }
  return text;
}

/// A text of more than 4 GiB with errors, and its expected results. Each error becomes `repair`.
struct large_text {
  large_text(encoding from_encoding, encoding to_encoding, const text32& characters, std::string_view repaired,
             const std::vector<std::uint64_t>& places = {1'000'001, four_gib / 2 - 1, four_gib - 1,
                                                         four_gib + 1'000'001})
      : from(from_encoding), to(to_encoding), repair(repaired) {
    const std::size_t size = encoded(from, U"x").size();
    for (const std::uint64_t at : places) {
      const std::uint64_t place = at / size * size;
      add(characters, (place - report.bytes_in) / encoded(from, characters).size());
      add(U"x", (place - report.bytes_in) / size);
      add_error();
    }
    add(characters, 2);
    report.encoding = from == encoding::utf8 ? to : from;
    report.errors = errors.size();
    if (errors.empty()) return;
    report.first_error = errors.front();
    report.last_error = errors.back();
  }

  encoding from, to;
  std::string repair;
  std::vector<stretch> input, output;
  std::vector<error_info> errors;
  stream_report report;

 private:
  void add(const text32& characters, std::uint64_t times) {
    if (times == 0) return;
    input.push_back({encoded(from, characters), times});
    output.push_back({encoded(to, characters), times});
    const auto feeds = static_cast<std::uint64_t>(std::count(characters.begin(), characters.end(), U'\n'));
    const std::size_t last = characters.rfind(U'\n') + 1;  // 0 if there is no line feed: npos + 1
    column_ = feeds == 0 ? column_ + times * characters.size() : 1 + characters.size() - last;
    report.bytes_in += times * input.back().bytes.size();
    report.bytes_out += times * output.back().bytes.size();
    report.lines += times * feeds;
    if (feeds != 0) line_offset_ = report.bytes_in - encoded(from, characters.substr(last)).size();
  }

  void add_error() {
    error_info e = error_in(from);
    if (e.size == 0) return;
    e.offset = report.bytes_in;
    e.line = 1 + report.lines;
    e.column = column_++;
    e.line_offset = line_offset_;
    errors.push_back(e);
    input.push_back({std::string(e.bytes.begin(), e.bytes.begin() + e.size), 1});
    if (!repair.empty()) output.push_back({repair, 1});
    report.bytes_in += e.size;
    report.bytes_out += repair.size();
  }

  std::uint64_t column_ = 1, line_offset_ = 0;
};

//-------------------------------------------------------------------------------------------------------------- devices

struct large_source {
  using char_type = char;
  using category = io::source_tag;

  std::streamsize read(char* s, std::streamsize n) {
    budget->spend();
    std::streamsize done = 0;
    while (done < n) {
      const std::string_view piece = at->take(static_cast<std::size_t>(n - done));
      if (piece.empty()) break;
      std::memcpy(s + done, piece.data(), piece.size());
      done += static_cast<std::streamsize>(piece.size());
    }
    budget->allow_for(static_cast<std::size_t>(done));
    return done != 0 ? done : -1;
  }

  cursor* at;
  devices::call_budget* budget;
};

/// Compares the bytes written, and keeps none.
struct large_sink {
  using char_type = char;
  using category = io::sink_tag;

  std::streamsize write(const char* s, std::streamsize n) {
    budget->spend();
    *right = *right && at->matches(s, static_cast<std::size_t>(n));
    budget->allow_for(2 * static_cast<std::size_t>(n));  // twice, because the input had to be read, too
    return n;
  }

  cursor* at;
  devices::call_budget* budget;
  bool* right;
};

//----------------------------------------------------------------------------------------------------------------- ways

bool same(const std::vector<error_info>& a, const std::vector<error_info>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const error_info& x, const error_info& y) { return same_error(x, y); });
}

/// Tries a text in several ways. Each way is one case, which checks all its results.
class examination {
 public:
  explicit examination(const large_text& text) : text_(text) {}

  /// Reads through a chain with the filter that `build(params)` returns.
  template <class Build>
  void read(const char* what, on_error policy, Build build) {
    auto filter = build(observing(policy));
    cursor from(text_.input), to(text_.output);
    devices::call_budget budget;
    io::filtering_istream in;
    in.push(filter);
    in.push(large_source{&from, &budget}, 65536);
    std::vector<char> some(65536);
    bool right = true;
    for (std::streamsize n; (n = in.rdbuf()->sgetn(some.data(), 65536)) > 0;)
      right = right && to.matches(some.data(), static_cast<std::size_t>(n));
    judge(what, right && to.take(1).empty(), filter.report());
  }

  template <class Build>
  void write(const char* what, on_error policy, Build build) {
    auto filter = build(observing(policy));
    cursor from(text_.input), to(text_.output);
    devices::call_budget budget;
    bool right = true;
    io::filtering_ostream out;
    out.push(filter);
    out.push(large_sink{&to, &budget, &right}, 65536);
    for (std::string_view piece; !(piece = from.take(65536)).empty();)
      out.write(piece.data(), static_cast<std::streamsize>(piece.size()));
    out.reset();
    judge(what, right && to.take(1).empty(), filter.report());
  }

  void codec(const char* what, transcoder codec) {
    cursor from(text_.input), to(text_.output);
    std::vector<char> out(1 << 18);
    std::vector<error_info> met;
    bool right = true;
    for (codec_status status = codec_status::need_input; status != codec_status::done;) {
      std::string_view piece = from.take(65536);
      const bool last = piece.empty();
      do {
        const codec_progress step = codec.transform(piece.data(), piece.size(), out.data(), out.size(), last);
        right = right && to.matches(out.data(), step.produced);
        piece.remove_prefix(step.consumed);
        status = step.status;
        if (status != codec_status::malformed) continue;
        met.push_back(codec.error());
        right = right && to.matches(text_.repair.data(), text_.repair.size());
      } while (status == codec_status::need_output || status == codec_status::malformed);
    }
    right =
        right && codec.position().offset == text_.report.bytes_in && codec.position().line == 1 + text_.report.lines;
    if (tally_.failed(right && to.take(1).empty() && same(met, text_.errors)))
      BOOST_ERROR(what << ": " << conformance::text_of(met));
  }

  const tally& cases() const { return tally_; }

 private:
  params observing(on_error policy) {
    met_.clear();
    params p{policy};
    p.observer = [this](const error_info& e) { met_.push_back(e); };
    return p;
  }

  void judge(const char* what, bool right, const stream_report& report) {
    conformance::outcome expected, got;
    expected.report = text_.report;
    expected.observed = text_.errors;
    got.report = report;
    got.observed = met_;
    if (tally_.failed(right && conformance::same(got, expected)))
      BOOST_ERROR(what << (right ? "" : ", the output differs") << "\nexpected " << conformance::text_of(expected)
                       << "\ngot " << conformance::text_of(got));
  }

  const large_text& text_;
  std::vector<error_info> met_;
  tally tally_;
};

const std::string replaced = "\xEF\xBF\xBD";

}  // namespace

BOOST_AUTO_TEST_CASE(more_than_4_gib_of_utf8_are_read_and_written) {
  const large_text text(encoding::utf8, encoding::utf8, block(true), replaced);
  examination all(text);
  all.read("reading", on_error::replace, [](const params& p) { return utf8_validator(p); });
  all.write("writing", on_error::replace, [](const params& p) { return utf8_validator(p); });
  all.cases().summary("chains with more than 4 GiB of UTF-8");
}

// The text is a single line, so that its last column is beyond 2^32, too.
BOOST_AUTO_TEST_CASE(a_codec_reads_one_line_of_more_than_4_gib) {
  const large_text text(encoding::utf8, encoding::utf8, block(false), replaced, {four_gib - 1, four_gib / 16 * 17});
  examination all(text);
  BOOST_TEST(text.errors.back().column > four_gib);
  all.codec("the codec", transcoder::validating(bom::automatic));
  all.cases().summary("codecs with a line of more than 4 GiB");
}

BOOST_AUTO_TEST_CASE(more_than_4_gib_of_utf16_are_read_and_written) {
  const large_text from(encoding::utf16le, encoding::utf8, block(true), replaced);
  examination reading(from);
  reading.read("reading", on_error::replace, [](const params& p) { return utf16_to_utf8(encoding::utf16le, p); });
  reading.cases().summary("chains that read more than 4 GiB of UTF-16");

  const large_text to(encoding::utf8, encoding::utf16le, block(true), encoded(encoding::utf16le, U"\uFFFD"));
  examination writing(to);
  writing.write("writing", on_error::replace, [](const params& p) { return from_utf8(encoding::utf16le, p); });
  writing.cases().summary("chains that write more than 4 GiB of UTF-16");
}

// A strict error ends the text. A standard stream delivers all text before it.
BOOST_AUTO_TEST_CASE(all_text_before_a_strict_error_after_4_gib_is_delivered) {
  const large_text text(encoding::utf8, encoding::utf8, block(true), "", {four_gib + 1'000'001});
  cursor from(text.input), to(text.output);
  devices::call_budget budget;
  io::filtering_istream source;
  source.push(large_source{&from, &budget}, 65536);
  utfilter::istream in(source, encoding::utf8);
  std::vector<char> some(65536);
  std::uint64_t delivered = 0;
  tally all;
  try {
    while (in.rdbuf()->sgetc() != EOF) {
      const std::streamsize n =
          in.rdbuf()->sgetn(some.data(), std::min<std::streamsize>(65536, in.rdbuf()->in_avail()));
      if (!to.matches(some.data(), static_cast<std::size_t>(n))) break;
      delivered += static_cast<std::uint64_t>(n);
    }
    all.check(false, "no error", "");
  } catch (const utf_error& e) {
    all.check(same_error(e.info(), text.errors.front()), e.what(), "");
  }
  all.check(delivered == text.errors.front().offset, "the text before the error", "");
  all.summary("strict errors after more than 4 GiB");
}

BOOST_AUTO_TEST_CASE(more_than_4_gib_are_converted_in_all_encodings, *exhaustive()) {
  tally all;
  for (const encoding e : {encoding::utf8, encoding::utf16le, encoding::utf16be, encoding::utf32le, encoding::utf32be,
                           encoding::cesu8, encoding::latin1, encoding::windows1252}) {
    for (const bool lines : {true, false}) {
      const large_text from(e, encoding::utf8, block(lines), replaced);
      examination decoding(from);
      decoding.read("reading", on_error::replace, [&](const params& p) { return to_utf8(e, p); });
      decoding.write("writing", on_error::replace, [&](const params& p) { return to_utf8(e, p); });
      decoding.codec("the codec", transcoder::decoding(e, bom::automatic));
      all.add(decoding.cases());

      const std::string repair = encoded(e, U"\uFFFD");
      const large_text to(encoding::utf8, e, block(lines), repair.empty() ? "?" : repair);
      examination encoding_it(to);
      encoding_it.read("reading", on_error::replace, [&](const params& p) { return from_utf8(e, p); });
      encoding_it.write("writing", on_error::replace, [&](const params& p) { return from_utf8(e, p); });
      encoding_it.codec("the codec", transcoder::encoding_to(e, bom::automatic));
      all.add(encoding_it.cases());
    }
  }
  all.summary("all encodings with more than 4 GiB");
}

BOOST_AUTO_TEST_CASE(more_than_4_gib_are_repaired_under_all_policies, *exhaustive()) {
  struct policy_case {
    on_error policy;
    std::string repair;
  };
  tally all;
  for (const policy_case& one :
       {policy_case{on_error::skip, ""}, policy_case{on_error::escape, "\\xE2\\x82"},
        policy_case{on_error::keep, "\xE2\x82"}, policy_case{on_error::windows1252, texts::utf8(U"\u00E2\u201A")}}) {
    const large_text text(encoding::utf8, encoding::utf8, block(true), one.repair);
    examination every(text);
    every.read("reading", one.policy, [](const params& p) { return utf8_validator(p); });
    every.write("writing", one.policy, [](const params& p) { return utf8_validator(p); });
    if (one.policy != on_error::keep)
      every.write("escaping", one.policy, [](const params& p) { return escape_controls(p); });
    all.add(every.cases());
  }
  all.summary("all policies with more than 4 GiB");
}
