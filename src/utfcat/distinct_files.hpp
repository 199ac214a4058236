// distinct_files.hpp: refuses a call in which one file has two uses, under whatever names.
#ifndef UTFCAT_DISTINCT_FILES_HPP
#define UTFCAT_DISTINCT_FILES_HPP

#include "options.hpp"

#include <string>
#include <vector>

namespace utfcat {

/// Throws usage_error if one of the files is used twice, such as an input that is the file of --rejects as well. `files` are
/// the inputs, and those that -r has found. Opens no file, so call this before any file is opened for writing.
void refuse_one_file_twice(const options&, const std::vector<std::string>& files);

/// The name of the copy that --backup makes of a file: each * in the suffix is the name of the file; without one the suffix
/// ends it. It is beside the file itself, not beside a link to it.
std::string name_of_backup(const std::string& file, std::string suffix);

/// Removes the names of copies of the other files, which -r has found beside them. Says so.
void leave_out_copies(std::vector<std::string>& files, const std::string& suffix);

/// Whether the text of an input replaces that input: with --in-place, and if --output names one.
bool replaces_an_input(const options&, const std::vector<std::string>& files);

}  // namespace utfcat

#endif
