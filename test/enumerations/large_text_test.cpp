// large_text_test.cpp: one text of more than 4 GiB in one piece. The functions of text.hpp, a codec, a conversion and
// each kernel take the text in one call; streams and filters go through all of it. Text and output need little physical
// memory: each maps the same two megabytes again and again.
//
// A text repeats one unit of 64 bytes, so that the right result is known for any place in the text.
// build: by_itself long optimised exhaustive kernels
#define BOOST_TEST_MODULE large_text
#include <boost/test/unit_test.hpp>

#undef NDEBUG  // UTFILTER_ASSERT_UTF8 does nothing without it
#include <utfilter/text.hpp>

#include "support/exhaustive.hpp"
#include "support/expected_kernels.hpp"
#include "support/process.hpp"
#include "support/kernel_list.hpp"
#include "support/large_memory.hpp"
#include "support/tally.hpp"
#include "support/texts.hpp"

#include <utfilter/decoder.hpp>
#include <utfilter/stream.hpp>
#include <utfilter/utfilter.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <new>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

//------------------------------------------------------------------------------------- large allocations of the library

namespace {

constexpr std::size_t four_gib = std::size_t{1} << 32, size = four_gib + large_memory::period;

struct large_block {
  large_memory memory;
  bool used = false;
};
std::array<large_block, 2>* large_blocks = nullptr;  // a string that grows needs two at a time

}  // namespace

// Not inlined, because g++ would warn of a free that does not match new.
[[gnu::noinline]] void* operator new(std::size_t wanted) {
  if (wanted >= four_gib / 4) {
    if (large_blocks == nullptr)  // allocated once, because millions of pages take time
      large_blocks = new std::array<large_block, 2>{{{large_memory(size + 1)}, {large_memory(2 * size + 1)}}};
    for (large_block& block : *large_blocks) {
      if (block.used || block.memory.size() < wanted) continue;
      block.used = true;
      return block.memory.begin();
    }
  } else if (void* const memory = std::malloc(wanted != 0 ? wanted : 1)) {
    return memory;
  }
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  if (large_blocks != nullptr) {
    for (large_block& block : *large_blocks) {
      if (!block.memory.contains(memory)) continue;
      block.used = false;
      return;
    }
  }
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }
// Without these, the address sanitizer's own operators would be called.
[[gnu::noinline]] void* operator new[](std::size_t wanted) { return operator new(wanted); }
[[gnu::noinline]] void operator delete[](void* memory) noexcept { operator delete(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::size_t) noexcept { operator delete(memory); }

namespace {

using namespace utfilter;
using texts::text32;

//------------------------------------------------------------------------------------------------------------- the text

/// Characters of every length, filled up with periods; 64 bytes in UTF-8.
text32 unit_with(char32_t end) {
  text32 unit = U"the place: caf\u00E9 \u20AC \U0001F600 ";
  unit += text32(63 - texts::utf8(unit).size(), U'.');
  return unit + end;
}

class repeated_text {
 public:
  explicit repeated_text(char32_t end) : unit_(texts::utf8(unit_with(end))) { memory_.fill(unit_); }

  std::string_view view() const { return {memory_.begin(), size}; }
  char* begin() const { return memory_.begin(); }
  void patch(std::size_t at, std::string_view bytes) { memory_.patch(at, bytes); }

  std::uint64_t characters_before(std::size_t at) const {
    return at / 64 * count(unit_) + count(unit_.substr(0, at % 64));
  }

  /// The position of a byte, if no errors precede it.
  text_position position(std::size_t at) const {
    if (unit_.back() != '\n') return {at, 1, 1 + characters_before(at), 0};
    return {at, 1 + at / 64, 1 + count(unit_.substr(0, at % 64)), at / 64 * 64};
  }

 private:
  static std::uint64_t count(std::string_view bytes) {
    return static_cast<std::uint64_t>(
        std::count_if(bytes.begin(), bytes.end(), [](char c) { return (c & 0xC0) != 0x80; }));
  }

  std::string unit_;

  static inline large_memory memory_{size};  // shared: only one text exists at a time
};

bool is_at(const error_info& e, const text_position& at, errc code) {
  return e.code == code && e.offset == at.offset && e.line == at.line && e.column == at.column &&
         e.line_offset == at.line_offset;
}

struct bad_bytes {
  std::size_t at;
  std::string bytes;
  errc code;
};

// Each of these replaces as many ASCII characters as it has bytes. The order is from the end of the text to its start,
// so that each is the first error in the text when it is added.
const bad_bytes all_bad_bytes[] = {
    {size - 1, "\xC3", errc::incomplete_at_end},
    {four_gib + 5000 * 64 + 1, "\xFF", errc::unused_byte},
    {four_gib - 1, "\xE2\x82", errc::truncated_sequence},  // on both sides of 4 GiB
    {four_gib / 2 - 1, "\xC0", errc::overlong},
};

/// Counts the bytes written.
struct counting_sink {
  using char_type = char;
  using category = boost::iostreams::sink_tag;
  std::streamsize write(const char*, std::streamsize n) {
    written += static_cast<std::uint64_t>(n);
    return n;
  }
  std::uint64_t written = 0;
};

/// The whole text is the get area.
struct memory_streambuf : std::streambuf {
  explicit memory_streambuf(std::string_view text) {
    char* const begin = const_cast<char*>(text.data());
    setg(begin, begin, begin + text.size());
  }

 private:
  pos_type seekoff(off_type offset, std::ios_base::seekdir, std::ios_base::openmode) override {  // relative to gptr()
    setg(eback(), gptr() + offset, egptr());
    return gptr() - eback();
  }
};

}  // namespace

//------------------------------------------------------------------------------------------------------------- text.hpp

namespace {

/// Adds the first `count` of the bad bytes, one by one. (Each pass takes half a second.)
void check_first_errors(char32_t end, std::size_t count) {
  tally all;
  repeated_text text(end);
  all.check(is_utf8(text.view()) && !find_error(text.view()), "a good text", "");
  for (std::size_t i = 0; i < count; ++i) {
    const bad_bytes& bad = all_bad_bytes[i];
    text.patch(bad.at, bad.bytes);
    const auto error = find_error(text.view());
    all.check(!is_utf8(text.view()), "an error", bad.bytes);
    all.check(error && is_at(*error, text.position(bad.at), bad.code) && error->size == bad.bytes.size(),
              error ? to_string(*error).c_str() : "no error", bad.bytes);
  }
  all.summary("errors in a text of more than 4 GiB");
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_first_error_is_found_at_any_place) {
  check_first_errors(U'\n', std::size(all_bad_bytes));
  check_first_errors(U'.', 1);  // all of the text is one line
}

BOOST_AUTO_TEST_CASE(the_first_error_in_one_line_is_found_at_any_place, *exhaustive()) {
  check_first_errors(U'.', std::size(all_bad_bytes));
}

BOOST_AUTO_TEST_CASE(complete_prefix_finds_the_last_boundary) {
  tally all;
  for (const std::string cut : {"\xC3", "\xE2\x82", "\xF0\x9F\x98"}) {
    repeated_text text(U'.');
    for (std::size_t end = four_gib + 8; end > four_gib - 8; --end) {
      text.patch(end - cut.size(), cut);
      all.check(complete_prefix(text.view().substr(0, end)) == end - cut.size(), "a cut", cut);
    }
    all.check(complete_prefix(text.view()) == size, "none", "");
  }
  all.summary("boundaries of a text of more than 4 GiB");
}

BOOST_AUTO_TEST_CASE(the_assertion_names_the_offset) {
  repeated_text text(U'\n');
  text.patch(four_gib + 64, "\xFF");
  const auto end = processes::in_child([&] { UTFILTER_ASSERT_UTF8(text.view()); });
  BOOST_TEST((end.said.find("byte 4294967360: ") != std::string::npos), end.said);
}

namespace {

void check_sanitize(on_error policy, const std::string& repair, const std::vector<std::size_t>& bad, tally& all) {
  repeated_text text(U'\n');
  for (const std::size_t at : bad) text.patch(at, "\xFF");
  const std::string got = sanitize(text.view(), policy);
  all.check(got.size() == size - bad.size() + bad.size() * repair.size(), "its size", repair);
  // All periods of the output are the same memory, so only the last period still has its bytes.
  const std::size_t last = bad.back();
  const std::string end =
      std::string(text.view().substr(last - 64, 64)) + repair + std::string(text.view().substr(last + 1));
  all.check(got.size() > end.size() && std::string_view(got).substr(got.size() - end.size()) == end, "its end", repair);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_text_is_repaired_even_if_it_grows) {
  tally all;
  check_sanitize(on_error::escape, "\\xFF", {7, four_gib - 1, four_gib + 70},
                 all);  // the repaired text is longer: the string grows
  all.summary("a text of more than 4 GiB, repaired");
}

BOOST_AUTO_TEST_CASE(a_text_is_repaired_in_every_other_way, *exhaustive()) {
  tally all;
  check_sanitize(on_error::skip, "", {four_gib + 70}, all);
  check_sanitize(on_error::replace, "\xEF\xBF\xBD", {four_gib - 1, four_gib + 70}, all);
  check_sanitize(on_error::windows1252, "\xC3\xBF", {four_gib - 1, four_gib + 70}, all);
  all.summary("a text of more than 4 GiB, repaired");
}

//----------------------------------------------------------------------------------------- codecs, conversions, streams

BOOST_AUTO_TEST_CASE(a_codec_takes_more_than_4_gib_in_one_call) {
  tally all;
  const std::unique_ptr<char[]> out(new char[size]);
  for (const char32_t end : {U'\n', U'.'}) {
    repeated_text text(end);
    for (const std::size_t bad : {four_gib + 64, four_gib - 1}) {
      text.patch(bad, "\xFF");
      transcoder codec = transcoder::validating(bom::keep);
      const codec_progress step = codec.transform(text.begin(), size, out.get(), size, true);
      all.check(step.status == codec_status::malformed && step.consumed == bad + 1 && step.produced == bad, "one call",
                "");
      all.check(is_at(codec.error(), text.position(bad), errc::unused_byte), to_string(codec.error()).c_str(), "");
    }
  }
  all.summary("codecs that take more than 4 GiB in one call");
}

BOOST_AUTO_TEST_CASE(a_conversion_takes_more_than_4_gib_in_one_call) {
  repeated_text text(U'\n');
  text.patch(four_gib, "\xFF");
  encoder conversion(encoding::utf16le, on_error::replace);
  const std::unique_ptr<char[]> out(new char[2 * size]);
  const auto step = conversion.convert(text.begin(), size, out.get(), 2 * size, true);
  const auto report = conversion.report();
  const std::size_t characters = text.characters_before(size) + size / 64;  // a character above U+FFFF has two units
  tally all;
  all.check(step.status == codec_status::done && step.consumed == size && step.produced == 2 * characters, "one call",
            "");
  all.check(
      report.bytes_in == size && report.bytes_out == 2 * characters && report.lines == size / 64 && report.errors == 1,
      "the report", "");
  all.check(report.last_error && is_at(*report.last_error, text.position(four_gib), errc::unused_byte), "the error",
            "");
  all.summary("conversions that take more than 4 GiB in one call");
}

BOOST_AUTO_TEST_CASE(streams_take_more_than_4_gib_in_one_call) {
  repeated_text text(U'\n');
  tally all;
  {
    memory_streambuf source(text.view());
    codec_istreambuf in(source);
    const std::unique_ptr<char[]> out(new char[size]);
    all.check(in.sgetn(out.get(), static_cast<std::streamsize>(size)) == static_cast<std::streamsize>(size),
              "all at once", "");
    all.check(in.sgetc() == EOF, "and no more", "");
  }
  {
    text.patch(four_gib + 64, "\xFF");
    counting_sink sink;
    utf8_validator filter;
    std::uint64_t offset = 0;
    try {
      filter.write(sink, text.begin(), static_cast<std::streamsize>(size));
    } catch (const utf_error& e) {
      offset = e.info().offset;
    }
    all.check(offset == four_gib + 64 && sink.written == four_gib + 64, "a filter that writes", "");
  }
  {
    memory_streambuf source(text.view());
    istream in(source);
    std::vector<char> some(65536);
    in.exceptions(std::ios::badbit);
    in.seekg(four_gib - 64);
    all.check(in.tellg() == static_cast<std::streamoff>(four_gib - 64), "seeking", "");
    std::string line;
    std::getline(in, line);
    all.check(line + '\n' == text.view().substr(0, 64) && in.tellg() == static_cast<std::streamoff>(four_gib), "a line",
              "");
    std::getline(in, line);
    const auto offset = [&]() -> std::uint64_t {
      try {
        std::getline(in, line);
      } catch (const utf_error& e) {
        return e.info().offset;
      }
      return 0;
    }();
    all.check(offset == four_gib + 64, "a stream that reads", "");
  }
  all.summary("streams over more than 4 GiB in one piece");
}

//-------------------------------------------------------------------------------------------------------------- kernels

namespace {

namespace reference = conformance::reference;
using kernel_list::operator==;

std::string encoded(reference::encoding e, const text32& text) {
  std::string bytes;
  for (const char32_t c : text) bytes += reference::encode(e, c);
  return bytes;
}

/// A unit of 64 bytes in the encoding c.from, of characters that both encodings have.
text32 unit_for(const kernel_list::conversion& c) {
  text32 unit;
  for (const char32_t character : {U'\u00E9', U'\u20AC', U'\U0001F600', U'\n'})
    if (!reference::encode(c.from, character).empty() && !reference::encode(c.to, character).empty()) unit += character;
  while (encoded(c.from, unit).size() < 64) unit += U'.';
  return unit;
}

/// Passes a whole text to each conversion kernel of a table, and a single line without line feeds to each line counter.
void check_kernels(const utfilter::detail::kernel_table& table, tally& all) {
  large_memory text(size), line(size), out(4 * size);
  for (const kernel_list::conversion& c : kernel_list::conversions) {
    const text32 unit = unit_for(c);
    const std::string produced = encoded(c.to, unit);
    text.fill(encoded(c.from, unit));
    const auto got = c.call(table, text.begin(), size, out.begin(), out.size());
    const auto units = size / 64;
    all.check(got == utfilter::detail::run{size, units * produced.size(), units * unit.size(), units}, c.name,
              table.name);
    // All periods of the output are the same memory, so only the last period still has its bytes. A kernel may write a
    // little after its output, which changes the start of that period. So the comparison takes the second half of the
    // period.
    const char* const end = out.begin() + units * produced.size();
    bool same = true;
    for (std::size_t back = produced.size(); c.writes && back < large_memory::period / 2; back += produced.size())
      same = same && std::string_view(end - back, produced.size()) == produced;
    all.check(same, c.name, table.name);
  }
  for (const kernel_list::line_counter& l : kernel_list::line_counters) {
    const std::string character = encoded(l.of, U"a");
    line.fill(character);
    const auto last = (table.*l.kernel)(line.begin(), size);
    all.check(last.bytes == size && last.characters == size / character.size(), l.name, table.name);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(more_than_2_to_the_32_line_feeds_are_counted) {
  large_memory text(size);
  text.fill("\n");
  tally all;
  for (const auto* table = utfilter::detail::usable_kernels(); *table != nullptr; ++table) {
    const auto got = (*table)->validate_utf8(text.begin(), size);
    all.check(got == utfilter::detail::run{size, size, size, size}, "validate_utf8", (*table)->name);
  }
  all.summary("kernels over more than 4 GiB of line feeds");
}

BOOST_AUTO_TEST_CASE(each_kernel_takes_more_than_4_gib_in_one_call, *exhaustive()) {
  tally all;
  for (const auto* table = utfilter::detail::usable_kernels(); *table != nullptr; ++table) check_kernels(**table, all);
  all.summary("kernels over more than 4 GiB");
}
