// names.hpp: lists of names, and how much two names differ.
#ifndef UTFCAT_NAMES_HPP
#define UTFCAT_NAMES_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace utfcat {

/// The names in NAME[,NAME]...; an empty list has one empty name.
std::vector<std::string> names_in(const std::string& list);

/// The words of a list that spaces separate.
std::vector<std::string> words_of(std::string_view list);

/// "a, b and c".
std::string enumeration(const std::vector<std::string>& names);

/// The name with small letters.
std::string lower_case(std::string_view name);

/// The least number of letters to insert, leave out or exchange that makes one word of the other.
std::size_t distance(std::string_view a, std::string_view b);

/// The first of the names with the least distance from a word. Precondition: there is a name.
std::string nearest_of(const std::vector<std::string>& names, std::string_view word);

}  // namespace utfcat

#endif
