// names.cpp: lists of names, and how much two names differ.
#include "names.hpp"

#include <algorithm>
#include <sstream>

namespace utfcat {

std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    names.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

std::vector<std::string> words_of(std::string_view list) {
  std::istringstream in{std::string(list)};
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::string enumeration(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

std::string lower_case(std::string_view name) {
  std::string result(name);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t i = 0; i <= b.size(); ++i) row[i] = i;
  for (const char c : a) {
    std::size_t before = row[0]++;
    for (std::size_t i = 0; i < b.size(); ++i) {
      const std::size_t change = before + (c != b[i]);
      before = row[i + 1];
      row[i + 1] = std::min({change, row[i] + 1, row[i + 1] + 1});
    }
  }
  return row.back();
}

std::string nearest_of(const std::vector<std::string>& names, std::string_view word) {
  return *std::min_element(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
    return distance(a, word) < distance(b, word);
  });
}

}  // namespace utfcat
