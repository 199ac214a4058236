// utf16_filter: a filter process for git. Files that are UTF-16LE in the work tree are UTF-8 in the repository.
//
//   echo '*.rc filter=utf16 -text' >> .gitattributes    # -text: git itself leaves the line ends alone
//   git config filter.utf16.process /path/to/utf16_filter
//   git config filter.utf16.required true               # otherwise git commits what the filter refuses
//
// A file is converted only if it comes back byte for byte: it begins with a byte order mark, is well-formed, and has no
// NUL characters. `git add` of any other file fails, with the reason. If the repository has something else than such
// text, because it was committed without the filter, it is checked out unchanged, with a warning. doc/git.md says more.
//
// The protocol: gitattributes(5), "Long Running Filter Process".
#include <utfilter/convert.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/params.hpp>
#include <utfilter/printable.hpp>
#include <utfilter/stream.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

//------------------------------------------------------------------------------------------------------- the conversion

using refusal = std::runtime_error;  // why a file would not come back byte for byte; utfilter::utf_error is one, too

utfilter::params with(utfilter::bom policy) {
  utfilter::params p;
  p.bom = policy;
  return p;
}

std::string to_utf8(const std::string& utf16) {
  if (utf16.empty()) return {};
  if (utf16.compare(0, 2, "\xFF\xFE") != 0) throw refusal("does not begin with FF FE, the byte order mark of UTF-16LE");
  return utfilter::to_utf8_string(utf16, utfilter::encoding::utf16le, with(utfilter::bom::strip));
}

std::string to_utf16(const std::string& utf8) {
  if (utf8.empty()) return {};
  std::ostringstream bytes;
  utfilter::ostream text(bytes, utfilter::encoding::utf16le, with(utfilter::bom::add));
  text << utf8;
  text.close();  // throws if the text is ill-formed
  return bytes.str();
}

/// Converts a file of the work tree ("clean"), or of the repository ("smudge").
std::string convert(const std::string& content, bool clean) {
  const std::string made = clean ? to_utf8(content) : to_utf16(content);
  if ((clean ? made : content).find('\0') != std::string::npos) throw refusal("has NUL characters");
  if ((clean ? to_utf16(made) : to_utf8(made)) != content) throw refusal("would not come back byte for byte");
  return made;
}

//--------------------------------------------------------------------------------------------------------- the protocol

/// A packet is the four hexadecimal digits of its size, digits included, and up to 65516 bytes. "0000" ends a list.
constexpr std::size_t digits = 4, longest = 65516;

/// Reads the packets up to the end of a list. Returns false if the input has ended before: git needs nothing more.
bool read_list(std::vector<std::string>& list) {
  list.clear();
  char number[digits];
  while (std::cin.read(number, digits)) {
    std::size_t size = 0;
    const auto read = std::from_chars(number, number + digits, size, 16);
    if (read.ptr != number + digits || size > digits + longest || (size != 0 && size < digits))
      throw std::runtime_error("standard input has no packets as git writes them");
    if (size == 0) return true;
    list.emplace_back(size - digits, '\0');
    if (!std::cin.read(list.back().data(), static_cast<std::streamsize>(size - digits))) break;
  }
  if (std::cin.gcount() == 0 && list.empty()) return false;
  throw std::runtime_error("standard input ends too early");
}

/// The value of a key in a list of lines KEY=VALUE; empty if the key is not there.
std::string value(const std::vector<std::string>& list, const std::string& key) {
  for (std::string line : list) {
    if (line.compare(0, key.size() + 1, key + '=') != 0) continue;
    if (line.back() == '\n') line.pop_back();
    return line.substr(key.size() + 1);
  }
  return {};
}

void write_packet(std::string_view data) {
  char number[digits + 1];
  std::snprintf(number, sizeof number, "%04zx", digits + data.size());
  std::cout << number << data;
}

void end_list() {
  if (!std::cout.write("0000", 4).flush()) throw std::runtime_error("standard output cannot be written");
}

/// Answers a command about the file at `path`.
void answer(const std::string& command, const std::string& path, std::string content) {
  bool success = command == "clean" || command == "smudge";
  try {
    if (success) content = convert(content, command == "clean");
  } catch (const refusal& why) {
    success = command == "smudge";
    std::cerr << "utf16_filter: " << utfilter::printable(path) << ": "
              << (success ? "checked out unchanged: " : "not converted: ") << why.what() << std::endl;
  }

  write_packet(success ? "status=success\n" : "status=error\n");
  end_list();
  if (!success) return;
  for (std::string_view rest = content; !rest.empty(); rest.remove_prefix(std::min(rest.size(), longest)))
    write_packet(rest.substr(0, longest));
  end_list();
  end_list();  // an empty list: the status has not changed
}

}  // namespace

int main() try {
  std::ios::sync_with_stdio(false);
  std::vector<std::string> list;
  if (!read_list(list) || value(list, "version") != "2") throw std::runtime_error("git did not offer version 2");
  write_packet("git-filter-server\n");
  write_packet("version=2\n");
  end_list();
  if (!read_list(list)) throw std::runtime_error("git did not offer capabilities");
  write_packet("capability=clean\n");
  write_packet("capability=smudge\n");
  end_list();
  while (read_list(list)) {
    const std::string command = value(list, "command"), path = value(list, "pathname");
    std::string content;
    if (!path.empty()) {  // the content follows
      if (!read_list(list)) throw std::runtime_error("standard input ends too early");
      for (const std::string& piece : list) content += piece;
    }
    answer(command, path, std::move(content));
  }
} catch (const std::exception& why) {
  std::cerr << "utf16_filter: " << why.what() << std::endl;
  return 1;
}
