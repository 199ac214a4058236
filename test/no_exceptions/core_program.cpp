// core_program.cpp: tests the core in a program without exceptions and run-time type information, with every kernel
// table: every encoding in both directions, with many sizes of pieces and of output buffers; errors and their
// positions; the codecs that change, sort and inspect text; policies, limits and observers; checkpoints; text.hpp;
// convert.hpp. It prints what it covered, and exits with 1 if a check failed. With the argument "refused" it makes a
// decoder that makes no sense, with "strict" and "bytes" it converts a string that is ill-formed. It needs no library,
// not even streams, so the memory sanitizer sees all its code.
#include <utfilter/checkpoint.hpp>
#include <utfilter/control_escaper.hpp>
#include <utfilter/convert.hpp>
#include <utfilter/decoder.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/inspector.hpp>
#include <utfilter/line_sorter.hpp>
#include <utfilter/printable.hpp>
#include <utfilter/binary.hpp>
#include <utfilter/bom_codec.hpp>
#include <utfilter/text.hpp>
#include <utfilter/transcoder.hpp>
#include <utfilter/utf8_checker.hpp>

#include "support/text_filter_rows.hpp"
#include "support/texts.hpp"

#include "kernels/kernels.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#if defined(__cpp_exceptions) || defined(__cpp_rtti)
#  error "compile this with -fno-exceptions -fno-rtti"
#endif

namespace {

using namespace std::string_literals;
using namespace utfilter;
using texts::text32;

std::uint64_t cases = 0, failed = 0;

void check(bool passed, const std::string& what) {
  ++cases;
  if (!passed && ++failed <= 10) std::printf("failed: %s: %s\n", detail::kernels().name, what.c_str());
}

//------------------------------------------------------------------------------------------------------ running a codec

struct outcome {
  std::string output;  // with an exclamation mark for each error
  std::vector<error_info> errors;
  bool ended = false;  // within 2 x (input + output) + 16 calls
};

/// Converts the whole input in pieces of `size` bytes, with `room` bytes for the output. Each piece and each output
/// buffer is a separate allocation of exactly that size.
template <class Codec>
outcome run(Codec codec, std::string_view input, std::size_t size, std::size_t room) {
  outcome got;
  const std::size_t all = input.size();
  for (std::size_t calls = 0; !got.ended && calls < 2 * (all + got.output.size()) + 16; ++calls) {
    const std::size_t taken = std::min(size, input.size());
    const std::unique_ptr<char[]> in(new char[taken]), out(new char[room]);
    std::copy_n(input.data(), taken, in.get());
    const codec_progress step = codec.transform(in.get(), taken, out.get(), room, taken == input.size());
    got.output.append(out.get(), step.produced);
    input.remove_prefix(step.consumed);
    got.ended = step.status == codec_status::done;
    if (step.status != codec_status::malformed) continue;
    got.errors.push_back(codec.error());
    got.output += '!';
  }
  return got;
}

/// Runs the codec with many sizes of pieces and room. `what` names the case.
template <class Codec>
void check(const Codec& codec, const std::string& input, const std::string& output,
           const std::vector<error_info>& errors, const std::string& what) {
  for (const std::size_t size :
       {std::size_t{1}, std::size_t{3}, std::size_t{50}, std::size_t{64}, std::size_t{333}, input.size()}) {
    for (const std::size_t room : {Codec::min_output, std::size_t{70}, std::size_t{222}, 4 * input.size() + 64}) {
      const outcome got = run(codec, input, size, room);
      check(got.ended && got.output == output && got.errors == errors,
            what + ", pieces of " + std::to_string(size) + ", room for " + std::to_string(room));
    }
  }
}

//------------------------------------------------------------------------------------------------------------ encodings

std::string latin1(const text32& text) { return {text.begin(), text.end()}; }

/// Encodes in windows-1252. Of the 27 characters that ISO-8859-1 lacks, it knows only the two in the text below.
std::string windows1252(const text32& text) {
  std::string bytes;
  for (const char32_t c : text)
    bytes += c == U'\u20AC' ? '\x80' : c == U'\u0178' ? '\x9F' : static_cast<char>(static_cast<unsigned char>(c));
  return bytes;
}

/// Encodes in ISO-2022-JP. Of its two-byte characters it knows only U+3042.
std::string iso_2022_jp(const text32& text) {
  std::string bytes;
  bool is_ascii = true;
  for (const char32_t c : text) {
    if (is_ascii != (c < 0x80)) bytes += c < 0x80 ? "\x1B(B" : "\x1B$B";
    is_ascii = c < 0x80;
    bytes += is_ascii ? std::string(1, static_cast<char>(c)) : "$\"";
  }
  return bytes + (is_ascii ? "" : "\x1B(B");
}

struct known_encoding {
  encoding name;
  std::string (*encode)(const text32&);
  bool has_all_characters;
};

constexpr known_encoding encodings[] = {
    {encoding::utf8, texts::utf8, true},
    {encoding::utf16, texts::utf16be, true},
    {encoding::utf16le, texts::utf16le, true},
    {encoding::utf16be, texts::utf16be, true},
    {encoding::utf32, texts::utf32be, true},
    {encoding::utf32le, texts::utf32le, true},
    {encoding::utf32be, texts::utf32be, true},
    {encoding::cesu8, texts::cesu8, true},
    {encoding::modified_utf8, texts::modified_utf8, true},
    {encoding::latin1, latin1, false},
    {encoding::windows1252, windows1252, false},
    {encoding::iso_2022_jp, iso_2022_jp, false},
};

/// A text longer than the blocks of any kernel, with the characters on both sides of each limit.
text32 text_for(const known_encoding& e) {
  text32 text;
  for (std::size_t i = 0; i < 12; ++i) {
    text += text32(40 * (i % 3), U'a') + U"\n\t~";
    text += e.has_all_characters              ? U"\x7F\x80\x7FF\x800\xD7FF\xE000\xFFFF\x10000\x1F600\x10FFFF"
            : e.name == encoding::iso_2022_jp ? U"\x7F\x3042\x3042~\x3042"
            : e.name == encoding::windows1252 ? U"\x7F\x20AC\x178\xA0\xE9\xFF"
                                              : U"\x7F\x80\x9F\xA0\xE9\xFF";
  }
  return text;
}

void check_encodings() {
  for (const known_encoding& e : encodings) {
    const text32 text = text_for(e);
    const std::string name(encoding_name(e.name));
    check(encoding_from_name(name) == e.name, "the name of " + name);
    check(transcoder::why_not_decoding(e.name, bom::keep, encoding::utf8) == nullptr, "decoding " + name);
    check(transcoder::why_not_encoding(e.name, bom::keep) == nullptr, "encoding " + name);
    check(transcoder::decoding(e.name, bom::keep), e.encode(text), texts::utf8(text), {}, "from " + name);
    check(transcoder::encoding_to(e.name, bom::keep), texts::utf8(text), e.encode(text), {}, "to " + name);
    if (!e.has_all_characters || !has_bom(e.name)) continue;  // these have no byte order mark

    const text32 marked = U'\uFEFF' + text;
    check(transcoder::decoding(encoding::detect, bom::automatic), e.encode(marked), texts::utf8(text), {},
          "detected " + name);
    check(transcoder::encoding_to(e.name, bom::add), texts::utf8(text), e.encode(marked), {}, "marked " + name);
    check(utfilter::bom_codec(bom::strip, e.name), e.encode(marked), e.encode(text), {}, "unmarked " + name);
  }
  check(transcoder::why_not_encoding(encoding::detect, bom::keep) != nullptr, "encoding to `detect`");
}

//--------------------------------------------------------------------------------------------------------------- errors

struct error_case {
  encoding from;
  std::string bytes;
  errc code;
  char32_t code_point = 0;
};

const error_case error_cases[] = {
    {encoding::utf8, "\x80", errc::unexpected_continuation},
    {encoding::utf8, "\xE2\x82", errc::truncated_sequence},
    {encoding::utf8, "\xC0", errc::overlong},
    {encoding::utf8, "\xED", errc::truncated_sequence},
    {encoding::utf8, "\xF5", errc::out_of_range},
    {encoding::utf8, "\xF8", errc::forbidden_length},
    {encoding::utf8, "\xFF", errc::unused_byte},
    {encoding::utf16le, "\x01\xD8"s, errc::unpaired_high_surrogate, 0xD801},
    {encoding::utf16be, "\xDF\xFF"s, errc::unpaired_low_surrogate, 0xDFFF},
    {encoding::utf32le, "\x00\xD8\x00\x00"s, errc::surrogate, 0xD800},
    {encoding::utf32be, "\x00\x11\x00\x00"s, errc::out_of_range},
    {encoding::cesu8, "\xED\xA0\x80", errc::unpaired_high_surrogate, 0xD800},
    {encoding::cesu8, "\xF1", errc::forbidden_length},
    {encoding::modified_utf8, "\0"s, errc::unused_byte},
};

/// The expected error after the text `before`, whose last line is `last_line`.
error_info error_at(const std::string& before, const std::string& last_line, std::uint64_t line, std::uint64_t column,
                    errc code, const std::string& bytes, char32_t code_point) {
  error_info e;
  e.code = code;
  e.offset = before.size();
  e.line = line;
  e.column = column;
  e.line_offset = before.size() - last_line.size();
  e.size = static_cast<std::uint8_t>(bytes.size());
  e.code_point = code_point;
  std::copy_n(bytes.begin(), std::min(bytes.size(), e.bytes.size()), e.bytes.begin());
  return e;
}

void check_errors() {
  const text32 lines = text32(90, U'\u20AC') + U"\n\U0001F600\n", last_line(70, U'x'), after = U"\u00E9.";
  for (const error_case& e : error_cases) {
    const auto encode = std::find_if(std::begin(encodings), std::end(encodings), [&](const known_encoding& k) {
                          return k.name == e.from;
                        })->encode;
    const error_info expected =
        error_at(encode(lines + last_line), encode(last_line), 3, 71, e.code, e.bytes, e.code_point);
    check(transcoder::decoding(e.from, bom::keep), encode(lines + last_line) + e.bytes + encode(after),
          texts::utf8(lines + last_line) + '!' + texts::utf8(after), {expected}, "an error, " + expected.message());
  }

  const std::string before(100, 'x'), euro = texts::utf8(U"\u20AC"), cut = euro.substr(0, 2);
  check(transcoder::encoding_to(encoding::latin1, bom::keep), before + euro + "y", before + "!y",
        {error_at(before, before, 1, 101, errc::unmappable, euro, U'\u20AC')}, "unmappable");
  check(transcoder::decoding(encoding::windows1253, bom::keep), before + "\xD2\xE1",
        before + '!' + texts::utf8(U"\u03B1"), {error_at(before, before, 1, 101, errc::unassigned, "\xD2", 0)},
        "unassigned");
  check(transcoder::validating(bom::keep), before + cut, before + '!',
        {error_at(before, before, 1, 101, errc::incomplete_at_end, cut, 0)}, "incomplete");
  check(transcoder::validating(bom::require), before, '!' + before, {error_at("", "", 1, 1, errc::missing_bom, "", 0)},
        "no byte order mark");

  check(control_escaper(), before + "\x1B[0m\r\n\xFF" + texts::utf8(U"\u202E"), before + "\\x1B[0m\r\n!\\u{202E}",
        {error_at(before + "\x1B[0m\r\n", "", 2, 1, errc::unused_byte, "\xFF", 0)}, "controls");
  printable_options json;
  json.style = escape_style::json;
  json.limit = 110;
  check(to_printable(before + "\x1B\n\xFF" + texts::utf8(U"\u202E")) == before + "\\x1B\\x0A\\xFF\\u{202E}",
        "printable");
  check(to_printable(before + "\x1B\n\xFF", json) == before + "\\u001B" + texts::utf8(U"\u2026"), "printable, cut");
  check(make_error_code(errc::overlong) == std::errc::illegal_byte_sequence, "the condition");
  check(to_string(error_at("ab", "ab", 1, 3, errc::overlong, "\xC0", 0)) ==
            "line 1, column 3 (byte 2): overlong encoding: C0",
        "the message");
}

//----------------------------------------------------------------------- codecs that change, sort and inspect text

/// The output of a conversion that has begun, from input in pieces of `size` bytes.
template <class Conversion>
std::string converted(Conversion& text, std::string_view input, std::size_t size) {
  std::string got;
  char out[64];
  codec_progress done{0, 0, codec_status::need_output};
  while (done.status == codec_status::need_output || done.status == codec_status::need_input) {
    const std::size_t taken = std::min(size, input.size());
    done = text.convert(input.data(), taken, out, sizeof out, taken == input.size());
    input.remove_prefix(done.consumed);
    got.append(out, done.produced);
  }
  return got;
}

void check_codecs_of_text() {
  const std::string before(100, 'x');
  text_filters::for_each_change([&](const char* name, const auto& change, const auto& text, const auto& changed) {
    const text_codec codec(change);
    const std::string whole = text + before;
    check(codec, whole, changed + before, run(codec, whole, whole.size(), 4096).errors, name);
  });
  check(text_codec(changes::reject_controls()), before + "\x1B\t", before + "!\t",
        {error_at(before, before, 1, 101, errc::forbidden, "\x1B", 0x1B)}, "a refused control");
  check(inspector(), before + "\r\nb\n", before + "\r\nb\n", {}, "inspected");

  inspector eyes;
  char out[64];
  eyes.transform("a\r\nb\n", 5, out, sizeof out, true);
  check(eyes.inspection()[finding::crlf].count == 1 && eyes.inspection()[finding::lf].first.line == 2, "findings");

  std::string told;
  params observed;
  observed.observer = [&](const error_info& error) { told += error.message(); };
  codec_decoder undone{text_codec(changes::undo_mojibake()), observed};
  check(converted(undone, "\xC3\x83\xC2\xA9", 1) == "\xC3\xA9" && told == "changed to U+00E9: C3 83 C2 A9",
        "an observer");

  line_rules rules;
  rules.policy = line_policy::put_aside;
  rules.sink = [&](const odd_line& line) { told = std::string(line.text) + line.reason(); };
  codec_decoder sorted{line_sorter(transcoder::validating(bom::keep), rules)};
  check(converted(sorted, "a\n\xFF\nb", 1) == "a\nb" && told == "\xFF\n" + to_string(errc::unused_byte), "put aside");
  rules = {line_policy::fall_back, {encoding::windows1252}};
  codec_decoder read{line_sorter(transcoder::validating(bom::keep), rules)};
  check(converted(read, "\xE9\n", 1) == "\xC3\xA9\n" && read.codec().counts().lines_fallen_back == 1, "a fallback");
}

//---------------------------------------------------------------------------------------- text.hpp and utf8_checker.hpp

void check_text() {
  for (const std::size_t size : {0u, 1u, 31u, 64u, 200u}) {
    const std::string good = std::string(size, 'x') + texts::utf8(U"\u20AC\U0001F600"), bad = good + "\xE2\x82";
    check(is_utf8(good) && !find_error(good) && sanitize(good) == good && complete_prefix(good) == good.size(),
          "a good text");
    const auto error = find_error(bad);
    check(!is_utf8(bad) && error && error->offset == good.size() && error->column == size + 3, "a text that is cut");
    check(complete_prefix(bad) == good.size(), "its complete prefix");
    check(shows_utf8(good) && !shows_utf8(bad) && binary_format(good).empty() && binary_format("%PDF-") == "PDF",
          "a format");
    check(sanitize(bad) == good + "\xEF\xBF\xBD", "replaced");
    check(sanitize(bad, on_error::skip) == good, "skipped");
    check(sanitize(bad, on_error::escape) == good + "\\xE2\\x82", "escaped");
    check(sanitize(bad, on_error::windows1252) == good + texts::utf8(U"\u00E2\u201A"), "as windows-1252");

    const std::u16string units = to_u16string(bad);
    check(units.size() == size + 4 && units.back() == 0xFFFD && to_utf8_string(units) == sanitize(bad), "as UTF-16");
    check(to_u32string(bad, on_error::stop) == to_u32string(good, on_error::strict), "as UTF-32, up to the error");

    utf8_checker pieces;
    check(pieces.take(good) && pieces.is_whole() && pieces.take("\xE2\x82") && !pieces.is_whole(), "its pieces");
    check(!pieces.take("x") && pieces.offset() == bad.size(), "an impossible byte");
  }
}

//--------------------------------------------------------------------------------------------------------- decoder.hpp

struct policy_case {
  on_error policy;
  const char* output;
  bool fails;
};

void check_policies() {
  const std::string input = "p\xFFq\xC3(\xE2\x82";
  const policy_case cases_of_policies[] = {
      {on_error::strict, "p", true},
      {on_error::stop, "p", false},
      {on_error::replace, "p\uFFFDq\uFFFD(\uFFFD", false},
      {on_error::skip, "pq(", false},
      {on_error::escape, "p\\xFFq\\xC3(\\xE2\\x82", false},
      {on_error::keep, "p\xFFq\xC3(\xE2\x82", false},
      {on_error::windows1252, "p\u00FFq\u00C3(\u00E2\u201A", false},
  };
  for (const policy_case& c : cases_of_policies)
    for (const std::size_t size : {std::size_t{1}, std::size_t{2}, input.size()}) {
      std::vector<error_info> seen;
      params p{c.policy};
      p.observer = [&](const error_info& error) { seen.push_back(error); };
      decoder text(encoding::utf8, p);
      const std::string what = "policy " + std::to_string(static_cast<int>(c.policy));
      check(converted(text, input, size) == c.output, what + ": its output");
      const bool ends = c.fails || c.policy == on_error::stop;
      const stream_report report = text.report();
      check(seen.size() == (ends ? 1 : 3) && report.errors == seen.size(), what + ": its errors");
      check(report.first_error == seen.front() && report.last_error == seen.back(), what + ": the errors it names");
      check(seen.front() == error_at("p", "p", 1, 2, errc::unused_byte, "\xFF", 0), what + ": its first error");
      check(text.failed() == c.fails && text.failure() == nullptr && report.failure == nullptr, what + ": its end");
      char out[64];
      const auto status = text.convert("x", 1, out, sizeof out, true).status;
      check(status == (c.fails ? codec_status::malformed : codec_status::done), what + ": its end stays");
    }
}

void check_conversions() {
  params limited{on_error::skip};
  limited.error_limit = 2;
  decoder few(encoding::utf8, limited);
  check(converted(few, "p\xFFq\xFFr\xFFs", 1) == "pqr" && few.failed() && few.report().errors == 3, "a limit");
  few.begin(decoder::direction::reading);
  check(converted(few, "p\xFFq", 1) == "pq" && !few.failed() && few.report().errors == 1, "the next text");

  params numbered{on_error::replace};
  numbered.repair = [](const error_info& error) { return "<" + std::to_string(error.offset) + ">"; };
  decoder numbers(encoding::utf8, numbered);
  check(converted(numbers, "p\xFF\xFF", 1) == "p<1><2>", "params::repair");

  params marked{on_error::strict, bom::require};
  decoder lacking(encoding::utf16le, marked);
  check(converted(lacking, "A\0"s, 1).empty() && lacking.failed() &&
            lacking.report().last_error->code == errc::missing_bom,
        "a missing byte order mark");

  encoder latin1(encoding::latin1, on_error::replace);
  check(converted(latin1, "\xC3\xA9\xE2\x82\xAC", 1) == "\xE9?", "an encoder");
  check(latin1.report().last_error->code_point == 0x20AC, "a character that the target lacks");

  decoder first(encoding::utf16le, on_error::escape);
  char out[64];
  const codec_progress done = first.convert("A\0\0\xDC\xAC", 5, out, sizeof out, false);
  decoder moved = std::move(first);
  check(std::string(out, done.produced) == "A\\u{DC00}" && converted(moved, "\x20", 1) == "\xE2\x82\xAC",
        "a moved decoder");

  params outside;
  decoder stopped(encoding::utf8, outside);
  stopped.fail(nullptr);
  check(stopped.convert("p", 1, out, sizeof out, true).status == codec_status::malformed && stopped.failed(), "fail()");

  const std::string& euro = texts::euro;
  params rest;
  decoder whole(encoding::utf8);
  check(whole.convert(euro.data(), 2, out, sizeof out, false).produced == 0 && whole.pending() == 2, "carried bytes");
  rest.start = whole.here();
  decoder again(encoding::utf8, rest);
  check(converted(again, euro, 2) == euro && again.report().bytes_in == 3, "params::start");
}

//------------------------------------------------------------------------------------------------------ checkpoint.hpp

void check_checkpoints() {
  transcoder first = transcoder::decoding(encoding::utf16, bom::automatic);
  char out[64];
  const codec_progress done = first.transform("\xFF\xFE"
                                              "A\0\n\0\xAC",
                                              7, out, sizeof out, false);
  check(done.consumed == 7 && std::string(out, done.produced) == "A\n", "the text before a checkpoint");
  const checkpoint here = first.here();
  check(here == checkpoint{{6, 2, 1, 6}, encoding::utf16le, true, 0, 0}, "a checkpoint");
  check(checkpoint_from_string(to_string(here)) == here && !checkpoint_from_string("x"), "its line");
  transcoder second = transcoder::decoding(encoding::detect, bom::automatic, here);
  const codec_progress rest = second.transform("\xAC\x20", 2, out, sizeof out, true);
  check(std::string(out, rest.produced) == texts::utf8(U"\u20AC") && second.position().offset == 8, "its rest");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "refused") {
    params p;
    p.fallback = encoding::detect;
    decoder(encoding::detect, p);
  }
  if (argc == 2 && std::string_view(argv[1]) == "strict") to_u16string("a\xFF", on_error::strict);
  if (argc == 2 && std::string_view(argv[1]) == "bytes")
    to_utf8_string("\xFF\xFE\0\xDC"s, encoding::detect, on_error::strict);
  std::string kernels;
  for (const auto* table = detail::usable_kernels(); *table != nullptr; ++table) {
    detail::chosen_kernels = *table;
    kernels += std::string(" ") + (*table)->name;
    check_encodings();
    check_errors();
    check_codecs_of_text();
    check_text();
    check_policies();
    check_conversions();
    check_checkpoints();
  }
  std::printf("core under%s: %llu cases, %llu failed\n", kernels.c_str(), static_cast<unsigned long long>(cases),
              static_cast<unsigned long long>(failed));
  return failed != 0;
}
