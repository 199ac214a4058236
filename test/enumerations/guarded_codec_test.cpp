// guarded_codec_test.cpp: every codec and filter, under every error policy and every bom policy. Input and output lie
// next to inaccessible pages: right after one page, or right before another. The texts have 0 to 80 bytes and come in
// pieces. The room for the output has every size that matters. Output, counts and reports must be the same as in
// ordinary memory.
// build: long optimised
#define BOOST_TEST_MODULE guarded_codec
#include "support/conformance.hpp"
#include "support/guarded_memory.hpp"
#include "support/tally.hpp"
#include "support/test_devices.hpp"
#include "support/texts.hpp"

#include <utfilter/escape_controls.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <exception>
#include <ios>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace conformance;
using texts::text32;
using utfilter::codec_progress;
using utfilter::codec_status;

constexpr std::size_t longest = 80, beginning = 20;  // bytes of a text, and of a text that tests its byte order mark

//--------------------------------------------------------------------------------------------------------------- memory

constexpr std::size_t most_room = 1024;

/// The place of the bytes of a call in memory.
enum class place { ordinary, front, back };

class memory {
 public:
  char* of(std::size_t size, place where) {
    if (where == place::front) return guarded_.begin();
    if (where == place::back) return guarded_.end() - size;
    std::memset(ordinary_, '\xBF', sizeof ordinary_);  // bytes that could continue the text
    return ordinary_ + 64;
  }
  const guarded_memory& guarded() const { return guarded_; }

 private:
  guarded_memory guarded_{most_room};
  char ordinary_[most_room + 128];
};
memory in_memory, out_memory;

/// The current attempt, for messages.
struct attempt {
  std::string what;
  std::string_view text;
  std::size_t piece, room;
  place where;

  std::string to_string() const {
    constexpr const char* places[] = {"in ordinary memory", "after a guard", "before a guard"};
    return what + ", " + places[static_cast<int>(where)] + ", pieces of " + std::to_string(piece) + ", room for " +
           std::to_string(room) + ": " + hexadecimal(text);
  }
};
attempt current;

//---------------------------------------------------------------------------------------------------------------- texts

text32 characters(const text32& some) {
  text32 text;
  while (text.size() < longest) text += some;
  return text;
}

const text32 mixed = U"\uFEFF" + characters(U"a\u00E4\u20AC\U0001F600\n\u2028\r\n\U0010FFFF"),
             wide = characters(U"\u4E2D\u6587"), ascii = characters(U"all is well\n");
/// A text with values that are not scalar values: surrogates, and one above U+10FFFF.
const text32 wrong = [] {
  text32 some = U"ab\u00E4\u20AC";
  (some.insert(1, 1, char32_t(0xD801)) += char32_t(0x110000)) += U"\U0001F600";
  return characters(some + char32_t(0xDC01) + char32_t(0xD802));
}();

/// Text of pairs of bytes, with FF for what is no scalar value.
std::string encoded_for_the_web(encoding e, const text32& text) {
  std::string bytes;
  reference::text_state state;
  for (const char32_t c : text) {
    const bool is_scalar = c < 0xD800 || (c > 0xDFFF && c <= 0x10FFFF);
    const std::string next = is_scalar ? reference::encode(conformance::to_reference(e), c, state) : "\xFF";
    bytes += next.empty() ? reference::encode(conformance::to_reference(e), U'\u4E00', state) : next;
  }
  return bytes;
}

std::string encoded(encoding e, const text32& text) {
  switch (e) {
    case encoding::utf16le: return texts::utf16le(text);
    case encoding::utf16:
    case encoding::utf16be: return texts::utf16be(text);
    case encoding::utf32le: return texts::utf32le(text);
    case encoding::utf32:
    case encoding::utf32be: return texts::utf32be(text);
    case encoding::cesu8: return texts::cesu8(text);
    case encoding::modified_utf8: return texts::modified_utf8(text);
    default:
      if (utfilter::detail::is_cjk(e)) return encoded_for_the_web(e, text);
      return texts::utf8(text);  // an encoding of one byte takes any bytes
  }
}

/// UTF-8 in which one byte in eleven is replaced by a byte of another kind.
std::string damaged() {
  std::string text = texts::utf8(mixed);
  for (std::size_t i = 7; i < text.size(); i += 11) text[i] = "\xFF\x80\xC3\xED\xF4\xE2"[i % 6];
  return text;
}

std::vector<std::string> texts_for(const setup& s) {
  const encoding from = s.kind == filter_kind::encoder ? encoding::utf8 : s.text;
  std::vector<std::string> all;
  if (from == encoding::detect)
    for (const encoding e : {encoding::utf16le, encoding::utf16be, encoding::utf32le, encoding::utf32be})
      all.push_back(encoded(e, mixed));
  else
    for (const text32* t : {&wrong, &mixed, &wide, &ascii}) all.push_back(encoded(from, *t));
  if (from == encoding::utf8 || from == encoding::detect) all.push_back(damaged());
  for (std::string& text : all)
    text.resize(std::min(text.size(), s.params.bom == bom::automatic ? longest : beginning));
  return all;
}

/// Every kind and encoding, under every bom policy and then under every other error policy, unless the constructor
/// refuses.
std::vector<setup> all_setups() {
  std::vector<setup> all;
  const auto add = [&](const setup& s) {
    try {
      filter_of(s, s.params);
      all.push_back(s);
    } catch (const std::invalid_argument&) {
    }
  };
  for (const filter_kind kind : {filter_kind::decoder, filter_kind::encoder, filter_kind::bom})
    for (const encoding e : conformance::known_encodings) {
      setup s{kind, e, {}};
      s.params.replacement = "<\xF0\x9F\x98\x80\xC2\xBF>";
      for (std::size_t b = 0; b < std::size(bom_names); ++b) {
        s.params.bom = static_cast<bom>(b);
        s.params.on_error = on_error::replace;
        add(s);
      }
      s.params.bom = kind == filter_kind::bom ? bom::strip : bom::automatic;
      for (std::size_t p = 0; p < std::size(on_error_names); ++p) {
        s.params.on_error = static_cast<on_error>(p);
        if (s.params.on_error != on_error::replace) add(s);
      }
    }
  return all;
}

//----------------------------------------------------------------------------------------------------------------- runs

template <class T>
void note(std::string& log, const T& value) {
  log += std::to_string(value);
  log += ' ';
}

void note(std::string& log, const outcome& told) { log += text_of(told); }

/// The log of a conversion that gets the text in pieces: the result and the output of each call. The room grows only
/// after a call that neither consumed nor produced.
template <class Codec>
std::string converted(utfilter::conversion<Codec>& conv, std::string_view text, std::size_t piece, std::size_t room,
                      place where) {
  using direction = typename utfilter::conversion<Codec>::direction;
  std::string log;
  devices::call_budget budget;
  budget.allow_for(text.size());
  conv.begin(direction::reading);
  codec_status status = codec_status::need_input;
  for (std::size_t at = 0, size = 0; status == codec_status::need_input; at += size) {
    size = std::min(piece, text.size() - at);
    const bool last = at + size == text.size();
    std::size_t taken = 0, space = room;
    do {
      budget.spend();
      const std::size_t left = size - taken;
      char* const from = in_memory.of(left, where);
      char* const to = out_memory.of(space, where);
      std::memcpy(from, text.data() + at + taken, left);
      const codec_progress step = conv.convert(from, left, to, space, last);
      for (const std::size_t n : {step.consumed, step.produced}) note(log, n);
      log.append(to, std::min(step.produced, space));
      taken += step.consumed;
      status = step.status;
      const bool moved = step.consumed != 0 || step.produced != 0;
      if (moved) budget.allow(Codec::min_output + 2);
      space = moved ? room : space + 1;
    } while (status == codec_status::need_output);
    note(log, static_cast<int>(status));
    if (last && status == codec_status::need_input) return log + "asks for more at the end";
  }
  outcome told;
  if (conv.failure()) note_failure(told, conv.failure());
  told.report = conv.report();
  note(log, told);
  return log;
}

/// The smallest rooms, and rooms for a few characters, for a line, and for all of the text.
template <class Codec>
std::vector<std::size_t> rooms() {
  std::vector<std::size_t> all;
  for (std::size_t room = 0; room <= Codec::min_output + 1; ++room) all.push_back(room);
  all.insert(all.end(), {16, 31, 64, 700});
  return all;
}

/// All prefixes of the texts, with every room, in one piece and in small pieces.
template <class Codec>
void try_all(tally& cases, const std::string& what, const Codec& codec, const utfilter::params& p,
             const std::vector<std::string>& whole_texts) {
  utfilter::conversion<Codec> conv(codec, p);
  for (const std::string& whole : whole_texts)
    for (std::size_t size = 0; size <= whole.size(); ++size) {
      const std::string_view text = std::string_view(whole).substr(0, size);
      const bool chosen = size < 10 || size % 16 <= 1 || size % 16 == 15;  // only these get every room and piece size
      for (const std::size_t room : rooms<Codec>()) {
        if (!chosen && room < 31) continue;
        for (const std::size_t piece : {longest, std::size_t{5}}) {
          if (piece == 5 && !chosen) continue;
          if (cases.is_hopeless()) return;
          current = {what, text, piece, room, place::ordinary};
          const std::string expected = converted(conv, text, piece, room, place::ordinary);
          for (const place where : {place::front, place::back}) {
            current.where = where;
            if (cases.failed(converted(conv, text, piece, room, where) == expected)) BOOST_ERROR(current.to_string());
          }
        }
      }
    }
}

//-------------------------------------------------------------------------------------------------------------- filters

/// The text in pieces of a size. The first five bytes, which decide whether there is a byte order mark, are cut
/// separately.
pieces in_pieces(std::string_view text, std::size_t piece) {
  pieces all = devices::in_pieces(text.substr(0, 5), piece);
  for (const std::string& part : devices::in_pieces(text.substr(std::min<std::size_t>(5, text.size())), piece))
    all.push_back(part);
  return all;
}

/// The log of a filter that reads into a buffer of `room` bytes of its caller, call by call, from a device that returns
/// `piece` bytes at a time.
template <class Filter>
std::string read(Filter filter, std::string_view text, std::size_t piece, std::size_t room, place where) {
  std::string log;
  devices::piecewise_source source(in_pieces(text, piece));
  devices::call_budget budget;
  budget.allow_for(text.size());
  outcome told;
  try {
    while (true) {
      budget.spend();
      char* const to = out_memory.of(room, where);
      const std::streamsize got = filter.read(source, to, static_cast<std::streamsize>(room));
      note(log, got);
      if (got < 0) break;
      log.append(to, static_cast<std::size_t>(got));
      budget.allow_for(static_cast<std::size_t>(got));
    }
  } catch (...) {
    note_failure(told, std::current_exception());
  }
  filter.close(source, std::ios::in);
  told.report = filter.report();
  note(log, told);
  return log;
}

/// The log of a filter that writes the pieces of its caller. Their memory is read-only.
template <class Filter>
std::string write(Filter filter, std::string_view text, std::size_t piece, place where) {
  std::string log;
  devices::recording_sink sink;
  outcome told;
  try {
    for (const std::string& part : in_pieces(text, piece)) {
      char* const from = in_memory.of(part.size(), where);
      std::memcpy(from, part.data(), part.size());
      in_memory.guarded().make_writable(false);
      note(log, filter.write(sink, from, static_cast<std::streamsize>(part.size())));
      in_memory.guarded().make_writable(true);
    }
  } catch (...) {
    in_memory.guarded().make_writable(true);
  }
  try {
    filter.close(sink, std::ios::out);
  } catch (...) {
    note_failure(told, std::current_exception());
  }
  for (const std::string& part : sink.seen().writes) (log += part) += '|';
  told.report = filter.report();
  note(log, told);
  return log;
}

template <class Filter>
void try_filter(tally& cases, const std::string& what, const Filter& filter,
                const std::vector<std::string>& whole_texts) {
  const auto check = [&](bool passed) {
    if (cases.failed(passed)) BOOST_ERROR(current.to_string());
  };
  for (const std::string& whole : whole_texts)
    for (const std::size_t size : {0u, 1u, 3u, 7u, 16u, 33u, 64u, 79u, 80u}) {
      const std::string_view text = std::string_view(whole).substr(0, size);
      for (const std::size_t piece : {1u, 5u, 80u}) {
        for (const std::size_t room : {1u, 5u, 6u, 7u, 9u, 33u, 100u}) {
          current = {what + ", read", text, piece, room, place::ordinary};
          const std::string expected = read(filter, text, piece, room, place::ordinary);
          for (const place where : {place::front, place::back}) {
            current.where = where;
            check(read(filter, text, piece, room, where) == expected);
          }
        }
        if (piece == 1) continue;
        current = {what + ", written", text, piece, 0, place::ordinary};
        const std::string expected = write(filter, text, piece, place::ordinary);
        for (const place where : {place::front, place::back}) {
          current.where = where;
          check(write(filter, text, piece, where) == expected);
        }
      }
    }
}

const std::vector<std::string> texts_with_controls = {
    texts::utf8(characters(U"a\r\n\u009B\r\u2028\u061C\u200E\n\u2066\U0001F600\u001B[")), texts::utf8(mixed),
    texts::utf8(wrong), damaged(), texts::utf8(ascii)};

std::vector<std::string> cut_off(std::vector<std::string> all) {
  for (std::string& text : all) text.resize(std::min(text.size(), longest));
  return all;
}

utfilter::params params_of(on_error policy) {
  utfilter::params p{policy};
  p.replacement = "<\xC2\x9B\xF0\x9F\x98\x80>";
  return p;
}

constexpr on_error policies_of_escaper[] = {on_error::strict, on_error::stop,   on_error::replace,
                                            on_error::skip,   on_error::escape, on_error::windows1252};

}  // namespace

BOOST_AUTO_TEST_CASE(transcoders_stay_within_their_input_and_their_room) {
  const guard_report crashes([] { return current.to_string(); });
  tally cases;
  for (const setup& s : all_setups())
    with_codec(s, [&](const auto& codec) { try_all(cases, text_of(s), codec, s.params, texts_for(s)); });
  cases.summary("transcoders between guards");
}

BOOST_AUTO_TEST_CASE(control_escaper_stays_within_its_input_and_its_room) {
  const guard_report crashes([] { return current.to_string(); });
  tally cases;
  using utfilter::control_escaper;
  utfilter::printable_options json;
  json.style = utfilter::escape_style::json;
  json.invisible = true;
  for (const auto& codec :
       {control_escaper(), control_escaper(control_escaper::line_feeds::escape), control_escaper(json)})
    for (const on_error policy : policies_of_escaper)
      try_all(cases, std::string("control_escaper, ") + name_of(policy, on_error_names), codec, params_of(policy),
              cut_off(texts_with_controls));
  cases.summary("control_escaper between guards");
}

// If well-formed text needs no conversion, filters check it in the buffer of their caller.
BOOST_AUTO_TEST_CASE(filters_stay_within_the_buffers_of_their_callers_and_do_not_change_their_input) {
  const guard_report crashes([] { return current.to_string(); });
  tally cases;
  for (const setup& s : all_setups())
    if (s.params.bom == bom::automatic || s.params.bom == bom::strip || s.text == encoding::utf8)
      std::visit([&](const auto& f) { try_filter(cases, text_of(s), f, texts_for(s)); }, filter_of(s, s.params));
  for (const on_error policy : policies_of_escaper)
    try_filter(cases, std::string("escape_controls, ") + name_of(policy, on_error_names),
               utfilter::escape_controls(params_of(policy)), cut_off(texts_with_controls));
  cases.summary("filters between guards");
}
