// follow_state.cpp: the state of utfcat --follow as text.
#include "follow_state.hpp"

#include "system.hpp"

#include <boost/crc.hpp>

#include <algorithm>
#include <charconv>
#include <ios>
#include <sstream>

namespace utfcat {
namespace {

constexpr const char* version = "utfcat-state/1";

std::uint32_t check_sum_of(std::string_view bytes) {
  boost::crc_32_type sum;
  sum.process_bytes(bytes.data(), bytes.size());
  return sum.checksum();
}

/// A word for a text that may be empty.
std::string word_for(const std::string& text) { return text.empty() ? "-" : text; }
std::string text_of(const std::string& word) { return word == "-" ? "" : word; }

/// Bytes as a word of hexadecimal digits.
std::string hex_of(const std::string& bytes) {
  std::string word;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    word += {"0123456789abcdef"[byte >> 4], "0123456789abcdef"[byte & 0xF]};
  }
  return word_for(word);
}
std::string bytes_of(const std::string& word) {
  const std::string digits = text_of(word);
  std::string bytes;
  for (std::size_t at = 0; at + 2 <= digits.size(); at += 2) {
    unsigned byte = 0;
    std::from_chars(digits.data() + at, digits.data() + at + 2, byte, 16);
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

/// A line with the filters and their memories. Without filters there is none, as before utfcat kept these.
std::string line_of(const std::vector<filter_memory>& filters) {
  std::string line;
  for (const filter_memory& one : filters) line += ' ' + one.filter + ' ' + hex_of(one.text);
  return line.empty() ? "" : "filters" + line + '\n';
}
std::vector<filter_memory> filters_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<filter_memory> filters;
  for (std::string filter, memory; in >> filter >> memory;) filters.push_back({filter, bytes_of(memory)});
  return filters;
}

}  // namespace

//------------------------------------------------------------------------------------------------------- fingerprints

std::optional<fingerprint_maker> fingerprint_maker::of_file(const std::string& name, std::uint64_t place) {
  const descriptor file = open_regular(name);
  if (file.get() < 0) return std::nullopt;
  bool whole = true;
  const auto read = [&](std::uint64_t from, std::uint64_t most) {
    std::string bytes(static_cast<std::size_t>(std::min(place - from, most)), '\0');
    whole = read_at(file.get(), from, bytes.data(), bytes.size()) == bytes.size() && whole;
    return bytes;
  };
  fingerprint_maker result;
  result.head_ = read(0, fingerprint::longest_head);
  result.tail_ = read(place - std::min<std::uint64_t>(place, fingerprint::longest_tail), fingerprint::longest_tail);
  result.size_ = place;
  return whole ? std::optional(result) : std::nullopt;
}

void fingerprint_maker::add(std::string_view bytes) {
  head_ += bytes.substr(0, std::min(bytes.size(), fingerprint::longest_head - head_.size()));
  constexpr std::size_t most = fingerprint::longest_tail + most_carried;
  tail_ += bytes.substr(bytes.size() - std::min(bytes.size(), most));
  tail_.erase(0, tail_.size() - std::min(tail_.size(), most));
  size_ += bytes.size();
}

void fingerprint_maker::cut(std::uint64_t place) {
  tail_.resize(tail_.size() - static_cast<std::size_t>(size_ - place));
  head_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(head_.size(), place)));
  size_ = place;
}

fingerprint fingerprint_maker::at(std::uint64_t place) const {
  const std::string_view before = std::string_view(tail_).substr(0, tail_.size() - (size_ - place));
  const std::string_view head = std::string_view(head_).substr(
      0, static_cast<std::size_t>(std::min<std::uint64_t>(place, fingerprint::longest_head)));
  const std::string_view tail = before.substr(before.size() - std::min(before.size(), fingerprint::longest_tail));
  return {head.size(), tail.size(), check_sum_of(head), check_sum_of(tail)};
}

//----------------------------------------------------------------------------------------------------------- the text

std::string to_string(const follow_state& s) {
  std::ostringstream text;
  text << version << "\nprocess " << s.process << "\nfile " << word_for(s.file) << " head " << s.text.head_size << ' '
       << s.text.head_sum << " tail " << s.text.tail_size << ' ' << s.text.tail_sum << "\noutput " << word_for(s.output)
       << " size " << s.output_size << " encoding " << encoding_name(s.to) << '\n'
       << line_of(s.filters) << "place " << (s.place ? to_string(*s.place) : "-") << '\n';
  return text.str() + "crc32 " + std::to_string(check_sum_of(text.str())) + '\n';
}

std::optional<follow_state> follow_state_from_string(const std::string& text) {
  std::istringstream in(text);
  std::string label, file, output, to, place;
  follow_state s;
  in >> label >> label >> s.process >> label >> file >> label >> s.text.head_size >> s.text.head_sum >> label >>
      s.text.tail_size >> s.text.tail_sum >> label >> output >> label >> s.output_size >> label >> to >> label;
  if (label == "filters") {
    std::string filters;
    std::getline(in, filters);
    s.filters = filters_of(filters);
    in >> label;
  }
  std::getline(in >> std::ws, place);
  s.file = text_of(file);
  s.output = text_of(output);
  s.to = utfilter::encoding_from_name(to).value_or(utfilter::encoding::detect);
  s.place = utfilter::checkpoint_from_string(place);
  // There is one text for each state. So the comparison covers the version, the labels and the check sum.
  return to_string(s) == text ? std::optional(s) : std::nullopt;
}

}  // namespace utfcat
