// convert_test.cpp: strings of UTF-16, UTF-32, wchar_t and char8_t from UTF-8, and back, against the reference. Also
// compiled as C++23, which has char8_t and another way to make a string.
// build: portable optimised other_kernels
#define BOOST_TEST_MODULE convert
#include <boost/test/unit_test.hpp>

#include <utfilter/convert.hpp>

#include "support/boundary_texts.hpp"
#include "support/brief.hpp"
#include "support/code_units.hpp"
#include "support/conformance_rows.hpp"
#include "support/conformance_vocabulary.hpp"
#include "support/counting_new.hpp"
#include "support/same_error.hpp"
#include "support/tally.hpp"
#include "support/texts.hpp"

#include <random>

namespace {

using namespace std::string_literals;
using code_units::bytes_of;
using code_units::encoding_of;
using code_units::little;
using code_units::units_of;
using utfilter::encoding;
using utfilter::error_info;
using utfilter::on_error;
namespace reference = conformance::reference;

/// The bytes of the result, or the error that was thrown.
struct outcome {
  std::string bytes = {};
  std::optional<error_info> thrown = {};
};

outcome expected(std::size_t from, std::size_t to, on_error policy, const std::string& bytes) {
  const auto kind = to == 1 ? reference::filter_kind::decoder : reference::filter_kind::encoder;
  const encoding e = encoding_of(to == 1 ? from : to);
  const reference::setup setup{kind,
                               conformance::to_reference(e),
                               {conformance::to_reference(policy), reference::bom::keep, reference::encoding::utf8,
                                "\uFFFD", reference::no_limit}};
  const reference::converter converted(setup, bytes, false, true);
  const auto thrown = conformance::from_reference(converted.result().thrown);
  return {thrown ? "" : converted.result().output, thrown};
}

template <class Convert>
outcome outcome_of(Convert convert) {
  outcome got;
  try {
    got.bytes = bytes_of(convert());
  } catch (const utfilter::utf_error& error) {
    got.thrown = error.info();
  }
  return got;
}

/// The functions that convert a string of this type, with the sizes of the code units of their results.
template <class Visit>
void for_each_conversion(const std::string& text, const Visit& visit) {
  visit(2, [&](on_error p) { return utfilter::to_u16string(text, p); });
  visit(4, [&](on_error p) { return utfilter::to_u32string(text, p); });
  visit(sizeof(wchar_t), [&](on_error p) { return utfilter::to_wstring(text, p); });
#ifdef __cpp_lib_char8_t
  visit(1, [&](on_error p) { return utfilter::to_u8string(text, p); });
  const auto u8 = units_of<char8_t>(text);
  visit(1, [&](on_error p) { return utfilter::to_utf8_string(u8, p); });
  visit(2, [&](on_error p) { return utfilter::to_u16string(u8, p); });
  visit(4, [&](on_error p) { return utfilter::to_u32string(u8, p); });
  visit(sizeof(wchar_t), [&](on_error p) { return utfilter::to_wstring(u8, p); });
#endif
}
template <class Unit, class Visit>
void for_each_conversion(const std::basic_string<Unit>& text, const Visit& visit) {
  visit(1, [&](on_error p) { return utfilter::to_utf8_string(text, p); });
#ifdef __cpp_lib_char8_t
  visit(1, [&](on_error p) { return utfilter::to_u8string(text, p); });
#endif
}

constexpr on_error policies[] = {on_error::strict, on_error::stop,   on_error::replace,
                                 on_error::skip,   on_error::escape, on_error::windows1252};

/// Converts a string to each type under each policy.
template <class Unit>
void check(const std::string& bytes, tally& cases) {
  const auto text = units_of<Unit>(bytes);
  for_each_conversion(text, [&](std::size_t to, auto convert) {
    for (const on_error policy : policies) {
      const outcome want = expected(sizeof(Unit), to, policy, bytes);
      const outcome got = outcome_of([&] { return convert(policy); });
      if (cases.failed(got.bytes == want.bytes && same_error(got.thrown, want.thrown)))
        BOOST_ERROR(hexadecimal(bytes) << "under policy " << static_cast<int>(policy) << " to units of " << to << ": "
                                       << hexadecimal(got.bytes));
    }
  });
}
void check(std::size_t unit, const std::string& bytes, tally& cases) {
  if (unit == 1) check<char>(bytes, cases);
  if (unit == 2) check<char16_t>(bytes, cases);
  if (unit == 4) check<char32_t>(bytes, cases);
  if (unit == sizeof(wchar_t)) check<wchar_t>(bytes, cases);
}

constexpr std::size_t unit_sizes[] = {1, 2, 4};

BOOST_AUTO_TEST_CASE(short_strings_of_boundary_units_convert_as_the_reference_does) {
  tally cases;
  for (const std::size_t unit : unit_sizes)
    boundary_texts::for_each_string(boundary_texts::units_of(encoding_of(unit)), unit == 1 ? 3 : 4,
                                    [&](const std::string& bytes) {
                                      if (bytes.size() % unit == 0 && (bytes.size() < 3 * unit || brief::takes_next()))
                                        check(unit, bytes, cases);
                                    });
  cases.summary("short strings under six policies");
}

/// The text in the encoding of these units.
std::string encoded(const texts::text32& text, std::size_t unit) {
  return unit == 1 ? texts::utf8(text) : unit == 2 ? texts::utf16(text, little) : texts::utf32(text, little);
}

// The sizes are around those at which the way of converting or counting changes.
BOOST_AUTO_TEST_CASE(an_error_at_any_place_of_a_longer_text_is_repaired) {
  tally cases;
  const texts::text32 lines = texts::random_lines(14000), ascii(9000, U'x'), emoji(9000, U'\U0001F600');
  for (const std::size_t unit : unit_sizes) {
    const std::string bad = unit == 1   ? "\xE2\x82"
                            : unit == 2 ? encoded(texts::text32(1, 0xD801), 2)
                                        : encoded(texts::text32(1, 0x110000), 4);
    for (const texts::text32& text : {lines, ascii, emoji})
      for (const unsigned size : {31u,  32u,  33u,   255u,  256u,  257u,  340u,  341u,  342u,  343u,  511u,
                                  512u, 513u, 1023u, 1024u, 1025u, 3000u, 4094u, 4095u, 4096u, 4097u, 8192u})
        for (const unsigned after : {0u, 1u, 40u, 700u}) {
          if (!brief::takes_next()) continue;
          const std::string before = encoded(text.substr(0, size), unit),
                            rest = encoded(text.substr(size, after), unit);
          check(unit, before + rest, cases);
          check(unit, before + bad + rest, cases);
          check(unit, before + texts::repeated(bad, 30) + rest, cases);
        }
  }
  cases.summary("longer texts under six policies");
}

BOOST_AUTO_TEST_CASE(a_text_of_errors_alone_is_repaired) {
  tally cases;
  for (const char byte : {'\xFF', '\x80', '\xF0'})
    for (const unsigned size : {1u, 100u, 1024u, 1025u, 40000u}) check(1, std::string(size, byte), cases);
  for (const std::size_t unit : {2u, 4u})
    for (const unsigned size : {1u, 100u, 341u, 342u, 10000u})
      check(unit, encoded(texts::text32(size, 0xDC00), unit), cases);
  cases.summary("texts of errors");
}

// The rows that read UTF-8, and those that read units of any byte order: these are brought into the processor's order.
BOOST_AUTO_TEST_CASE(the_tables_hold_for_strings) {
  tally cases;
  for (const char* file : {"decode.jsonl", "extra_decode.jsonl", "encode.jsonl"})
    for (const conformance::tree& row : conformance::rows_of(file)) {
      const conformance::setup s = conformance::setup_of(row);
      const bool decodes = s.kind == conformance::filter_kind::decoder;
      const std::size_t unit = utfilter::code_unit_size(s.text);
      const bool is_in_order = s.text == encoding::utf8 || s.text == encoding_of(unit);
      if (!is_in_order || s.params.bom != utfilter::bom::keep || s.params.on_error == on_error::keep) continue;
      std::string input = conformance::from_hex(row.get<std::string>("input"));
      if (decodes && input.size() % unit != 0) continue;
      const outcome want = expected(decodes ? unit : 1, decodes ? 1 : unit, s.params.on_error, input);
      const std::string output = conformance::from_hex(row.get<std::string>("output"));
      BOOST_TEST((want.thrown || want.bytes == output), row.get<std::string>("id"));
      check(decodes ? unit : 1, input, cases);
    }
  cases.summary("rows of the tables");
}

BOOST_AUTO_TEST_CASE(well_formed_text_takes_one_allocation_of_about_its_size) {
  for (const unsigned size : {0u, 3u, 100u, 1000u, 5000u, 100000u})
    for (const std::size_t unit : unit_sizes) {
      const texts::text32 text = texts::random_lines(200'000).substr(0, size);
      const std::string bytes = encoded(text, unit);
      const auto of = [&](auto units) {
        for_each_conversion(units, [&](std::size_t to, auto convert) {
          std::size_t capacity = 0;
          const allocation_counts all = allocated([&] { capacity = convert(on_error::strict).capacity(); });
          BOOST_TEST(all.calls <= 1u);
          const std::size_t needed = encoded(text, to).size();
          BOOST_TEST(capacity * to <= needed + needed / 4 + 64);
        });
      };
      if (unit == 1) of(units_of<char>(bytes));
      if (unit == 2) of(units_of<char16_t>(bytes));
      if (unit == 4) of(units_of<char32_t>(bytes));
    }
}

/// Whether a string that is much too large shrinks.
template <class String>
constexpr bool shrinks = true;
#ifdef __cpp_lib_char8_t
template <>
constexpr bool shrinks<std::u8string> = false;
#endif

/// Parts of each text differ, so that an estimate of the result's size from some of them is too small, or too large.
BOOST_AUTO_TEST_CASE(texts_whose_parts_differ_convert) {
  std::mt19937 random(20261130);
  tally cases;
  for (int i = 0; i < 20; ++i) {
    texts::text32 text;
    while (text.size() < 30'000) {
      const char32_t of_part[] = {U'a', U'\u00E9', U'\u20AC', U'\U0001F600'};
      text.append(1 + random() % (i % 2 == 0 ? 300 : 20'000), of_part[random() % 4]);
    }
    for (const std::size_t unit : unit_sizes) {
      std::string bytes = encoded(text, unit);
      const auto of = [&](auto units) {
        for_each_conversion(units, [&](std::size_t to, auto convert) {
          std::size_t capacity = 0;
          const allocation_counts all = allocated([&] { capacity = convert(on_error::strict).capacity(); });
          const std::size_t needed = encoded(text, to).size();
          const bool is_close =
              !shrinks<decltype(convert(on_error::strict))> || capacity * to <= needed + needed / 4 + 64;
          if (cases.failed(all.calls <= 3 && is_close))
            BOOST_ERROR("text " << i << ", units of " << unit << " to " << to << ": " << all.calls << " allocations, "
                                << capacity << " units for " << needed / to);
        });
      };
      if (unit == 1) of(units_of<char>(bytes));
      if (unit == 2) of(units_of<char16_t>(bytes));
      if (unit == 4) of(units_of<char32_t>(bytes));
      check(unit, bytes, cases);
      for (int errors = 0; errors < 3; ++errors) bytes[random() % bytes.size()] = '\xFF';
      check(unit, bytes, cases);
    }
  }
  cases.summary("texts whose parts differ");
}

BOOST_AUTO_TEST_CASE(keep_is_refused_with_the_reason) {
  const auto is_refused = [](const std::invalid_argument& why) {
    return std::string(why.what()).find("on_error::keep") != std::string::npos;
  };
  for_each_conversion("a"s, [&](std::size_t, auto convert) {
    BOOST_CHECK_EXCEPTION(convert(on_error::keep), std::invalid_argument, is_refused);
  });
  for_each_conversion(u"a"s, [&](std::size_t, auto convert) {
    BOOST_CHECK_EXCEPTION(convert(on_error::keep), std::invalid_argument, is_refused);
  });
}

BOOST_AUTO_TEST_CASE(literals_and_empty_views_convert) {
  BOOST_TEST((utfilter::to_u16string("caf\u00E9 \U0001F600") == u"caf\u00E9 \U0001F600"));
  BOOST_TEST((utfilter::to_u32string("caf\xE9") == U"caf\uFFFD"));
  BOOST_TEST((utfilter::to_wstring("\u20AC") == L"\u20AC"));
  BOOST_TEST(utfilter::to_utf8_string(u"\U0001F600") == "\U0001F600");
  BOOST_TEST(utfilter::to_utf8_string(U"\U0001F600") == "\U0001F600");
  BOOST_TEST(utfilter::to_utf8_string(L"\u20AC") == "\u20AC");
  BOOST_TEST(utfilter::to_u16string(std::string_view()).empty());
  BOOST_TEST(utfilter::to_utf8_string(std::wstring_view()).empty());
}

}  // namespace
