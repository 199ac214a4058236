// compositions_test.cpp: passes every string of six boundary bytes to the codec, cut into pieces in all 32 ways (the
// compositions of six). Output, errors and positions must be those of the reference, which gets the string in one
// piece. All 24 boundary bytes of UTF-8 take minutes.
// build: long optimised exhaustive
#define BOOST_TEST_MODULE compositions
#include <boost/test/unit_test.hpp>

#include "support/conformance_vocabulary.hpp"
#include "support/exhaustive.hpp"
#include "support/tally.hpp"

#include <utfilter/transcoder.hpp>

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace reference = conformance::reference;
using utfilter::codec_status;
using utfilter::encoding;
using utfilter::transcoder;

constexpr std::size_t length = 6;

/// Output, errors and column of a codec, in small numbers, so that they are quick to copy and compare.
struct outcome {
  struct error {
    std::uint8_t code, offset, size, column;
  };
  std::array<char, 12> output{};
  std::array<error, length> errors{};
  std::uint8_t output_size = 0, error_count = 0, column = 1;

  void write(const char* bytes, std::size_t size) {
    std::memcpy(output.data() + output_size, bytes, size);
    output_size = static_cast<std::uint8_t>(output_size + size);
  }
  void note(utfilter::errc code, std::uint64_t offset, std::size_t size, std::uint64_t at_column) {
    errors[error_count++] = {static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(offset),
                             static_cast<std::uint8_t>(size), static_cast<std::uint8_t>(at_column)};
  }
};
static_assert(sizeof(outcome) == 12 + 4 * length + 3, "no padding");
bool operator==(const outcome& a, const outcome& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

/// A codec after a part of the text, and its results so far.
struct course {
  transcoder codec;
  outcome seen{};

  bool feed(const char* in, std::size_t size, bool last) {
    for (unsigned calls = 0; calls < 2 * length; ++calls) {
      char room[16];
      const auto step = codec.transform(in, size, room, sizeof room, last);
      if (seen.output_size + step.produced > seen.output.size()) return false;
      seen.write(room, step.produced);
      in += step.consumed;
      size -= step.consumed;
      if (step.status == (last ? codec_status::done : codec_status::need_input)) {
        seen.column = static_cast<std::uint8_t>(codec.position().column);
        return size == 0;
      }
      if (step.status != codec_status::malformed || seen.error_count == length) return false;
      const utfilter::error_info& error = codec.error();
      seen.note(error.code, error.offset, error.size, error.column);
    }
    return false;
  }
};

outcome expected(reference::encoding from, std::string_view text) {
  outcome result;
  for (std::size_t at = 0; at < text.size();) {
    const reference::item next = reference::decode(from, text.substr(at));
    if (next.good) {
      const std::string bytes = reference::utf8(next.value);
      result.write(bytes.data(), bytes.size());
    } else {
      result.note(conformance::from_reference(next.code), at, next.size, result.column);
    }
    at += next.size;
    ++result.column;
  }
  return result;
}

/// Goes through all strings of the bytes as through a tree. A prefix of d bytes has 2^(d - 1) courses, one for each of
/// its compositions.
class compositions {
 public:
  compositions(encoding from, std::string_view bytes) : from_(from), bytes_(bytes) {
    courses_[0].push_back({transcoder::decoding(from, utfilter::bom::keep)});
    grow(0);
    tally_.summary("strings of six of " + std::to_string(bytes.size()) + " bytes in 32 compositions each, " +
                   std::string(encoding_name(from)));
  }

 private:
  void grow(std::size_t size) {
    if (size == length) return compare();
    for (const char byte : bytes_) {
      text_[size] = byte;
      if (size + 1 < length) {
        courses_[size + 1].clear();
        for_each_course(size + 1, false, [&](const course& c, bool) { courses_[size + 1].push_back(c); });
      }
      grow(size + 1);
    }
  }

  /// Continues the courses of every shorter prefix with the missing bytes as one piece. Calls `visit` for each, with
  /// true if all calls returned the right status.
  template <class Visit>
  void for_each_course(std::size_t size, bool last, Visit visit) {
    for (std::size_t begin = 0; begin < size; ++begin)
      for (course next : courses_[begin]) {
        const bool well = next.feed(text_ + begin, size - begin, last);
        visit(next, well);
      }
  }

  void compare() {
    const outcome right = expected(conformance::to_reference(from_), {text_, length});
    for_each_course(length, true, [&](const course& c, bool well) {
      tally_.check(well && c.seen == right, "differs from the result in one piece", {text_, length});
    });
  }

  encoding from_;
  std::string_view bytes_;
  char text_[length];
  std::vector<course> courses_[length];  // the index is the number of bytes
  tally tally_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(six_bytes_of_each_encoding_give_the_same_in_all_compositions) {
  using namespace std::string_view_literals;
  compositions(encoding::utf8, "\x7F\x80\x9F\xA0\xC2\xE0\xED\xF0\xF4"sv);
  compositions(encoding::cesu8, "\x7F\x80\xA0\xAF\xB0\xE0\xED"sv);
  compositions(encoding::modified_utf8, "\x00\x7F\x80\xAF\xB0\xC0\xED"sv);
  compositions(encoding::utf16le, "\x00\x41\xD7\xD8\xDB\xDC\xDF\xE0"sv);
  compositions(encoding::utf16be, "\x00\x41\xD7\xD8\xDB\xDC\xDF\xE0"sv);
  compositions(encoding::utf32le, "\x00\x10\x11\xD7\xD8\xDF\xE0"sv);
  compositions(encoding::utf32be, "\x00\x10\x11\xD7\xD8\xDF\xE0"sv);
}

BOOST_AUTO_TEST_CASE(six_of_all_boundary_bytes_of_utf8_give_the_same_in_all_compositions, *exhaustive()) {
  compositions(
      encoding::utf8,
      {"\x00\x7F\x80\x8F\x90\x9F\xA0\xBF\xC0\xC1\xC2\xDF\xE0\xE1\xEC\xED\xEE\xEF\xF0\xF1\xF3\xF4\xF5\xFF", 24});
}
