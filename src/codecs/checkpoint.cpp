// checkpoint.cpp: checkpoints as lines of text.
#include <utfilter/checkpoint.hpp>

#include "encodings/two_byte.hpp"
#include "unicode/hex.hpp"

#include <array>
#include <charconv>
#include <cstddef>
#include <system_error>

namespace utfilter {
namespace {

constexpr std::string_view version = "utfilter-checkpoint/1 encoding=";

/// The members that are numbers, in the order of the line.
struct field {
  std::string_view label;
  std::uint64_t checkpoint::*value;
};
constexpr field fields[] = {
    {" offset=", &checkpoint::offset},       {" line=", &checkpoint::line},
    {" column=", &checkpoint::column},       {" line_offset=", &checkpoint::line_offset},
    {" bytes_out=", &checkpoint::bytes_out}, {" errors=", &checkpoint::errors},
};

constexpr std::string_view evidence_label = " decided_by=", confidence_label = " confidence=",
                           declaration_label = " unused_declaration=";

constexpr evidence all_evidence[] = {evidence::named,     evidence::bom,        evidence::declaration,
                                     evidence::structure, evidence::statistics, evidence::assumption};

/// The name itself, as an encoding or a charset of the library has it, so that it lives as long as the program. Empty for
/// any other name.
std::string_view known_name(std::string_view name) noexcept {
  const std::optional<encoding> named = encoding_from_name(name);
  return named ? encoding_name(*named) : detail::declared_charset_named(name);
}

/// CRC-32 (ISO 3309, the one of gzip), bit by bit.
std::uint32_t check_sum_of(std::string_view text) noexcept {
  std::uint32_t sum = 0xFFFFFFFF;
  for (const char c : text) {
    sum ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ (0xEDB88320 & (0 - (sum & 1)));
  }
  return ~sum;
}

/// A line of limited length, built piece by piece.
class line {
 public:
  line& operator<<(std::string_view s) noexcept {
    end_ += s.copy(text_.data() + end_, text_.size() - end_);
    return *this;
  }
  line& operator<<(std::uint64_t n) noexcept {
    char* const end = std::to_chars(text_.data() + end_, text_.data() + text_.size(), n).ptr;
    end_ = static_cast<std::size_t>(end - text_.data());
    return *this;
  }
  std::string_view text() const noexcept { return {text_.data(), end_}; }

 private:
  std::array<char, 400> text_;
  std::size_t end_ = 0;
};

line line_of(const checkpoint& c) noexcept {
  line to;
  to << version << encoding_name(c.encoding) << " bom=" << std::uint64_t{c.bom};
  for (const field& f : fields) to << f.label << c.*f.value;
  // Where nobody guessed, the line is one that 0.2 reads.
  if (c.decided_by != evidence::named || c.confidence != 100)
    to << evidence_label << to_string(c.decided_by) << confidence_label << std::uint64_t{c.confidence};
  if (const std::string_view name = known_name(c.unused_declaration); !name.empty()) to << declaration_label << name;
  char sum[8];
  detail::write_hex(check_sum_of(to.text()), 8, sum);
  return to << " crc32=" << std::string_view(sum, sizeof sum);
}

}  // namespace

std::string to_string(const checkpoint& c) { return std::string(line_of(c).text()); }

std::optional<checkpoint> checkpoint_from_string(std::string_view text) noexcept {
  std::string_view rest = text;
  const auto skip = [&](std::string_view label) noexcept {
    if (rest.substr(0, label.size()) != label) return false;
    rest.remove_prefix(label.size());
    return true;
  };
  const auto read = [&](std::uint64_t& n) noexcept {
    const auto done = std::from_chars(rest.data(), rest.data() + rest.size(), n);
    rest.remove_prefix(static_cast<std::size_t>(done.ptr - rest.data()));
    return done.ec == std::errc();
  };
  const auto read_word = [&]() noexcept {
    const std::string_view word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(word.size());
    return word;
  };

  checkpoint c;
  if (!skip(version)) return std::nullopt;
  const std::optional<encoding> named = encoding_from_name(read_word());
  if (!named) return std::nullopt;
  c.encoding = *named;
  std::uint64_t bom = 0;
  if (!skip(" bom=") || !read(bom)) return std::nullopt;
  c.bom = bom != 0;
  for (const field& f : fields)
    if (!skip(f.label) || !read(c.*f.value)) return std::nullopt;
  if (skip(evidence_label)) {
    const std::string_view word = read_word();
    for (const evidence why : all_evidence)
      if (word == to_string(why)) c.decided_by = why;
    std::uint64_t confidence = 0;
    if (!skip(confidence_label) || !read(confidence) || confidence > 100) return std::nullopt;
    c.confidence = static_cast<std::uint8_t>(confidence);
  }
  if (skip(declaration_label)) c.unused_declaration = known_name(read_word());
  // There is one line for each checkpoint. So the comparison covers the check sum and all that was skipped.
  if (line_of(c).text() != text || why_no_checkpoint(c) != nullptr) return std::nullopt;
  return c;
}

}  // namespace utfilter
