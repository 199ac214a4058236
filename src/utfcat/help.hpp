// help.hpp: what utfcat says about itself.
#ifndef UTFCAT_HELP_HPP
#define UTFCAT_HELP_HPP

#include <string>

namespace utfcat {

/// The version of utfilter, such as "0.3.0".
std::string version_number();

/// The version, and a line each with what this utfcat was built with and without.
std::string version_text();

/// The text of --help: what utfcat does in brief, or more about a topic. Throws usage_error if there is no such topic.
std::string help_text(const std::string& topic);

/// The manual page, in the language of man(7).
std::string manual_page();

/// The words that may follow this word of a command line, each on a line of its own: the values of an option, or the
/// options.
std::string words_after(const std::string& word);

}  // namespace utfcat

#endif
