// distinct_files.cpp: finds files that are used twice, by their identities.
#include "distinct_files.hpp"

#include "directories.hpp"
#include "messages.hpp"
#include "system.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <system_error>

namespace utfcat {
namespace {

std::string identity_of_input(const std::string& name) {
  return name == "-" ? identity_of(standard_input) : identity_of(name);
}

/// The files of a call, by their identities. Those that have no use are empty.
struct identities {
  identities(const options& o, const std::vector<std::string>& names) {
    for (const std::string& name : names) inputs.push_back(identity_of_input(name));
    writes_text = !o.only_checks() && !o.dry_run;
    const bool to_standard_output = !o.output && (!o.in_place || o.dry_run);
    if (o.output) output = identity_of(*o.output);
    if (to_standard_output) output = identity_of(standard_output);
    is_direct = to_standard_output || o.follow || (o.output && is_descriptor(*o.output));
    if (o.rejects) rejects = identity_of(*o.rejects);
    if (o.state) state = identity_of(*o.state);
  }

  std::vector<std::string> inputs;
  std::string output, rejects, state;
  bool writes_text;  // otherwise the output gets reports
  bool is_direct;    // the output is not replaced when the text is complete, but written at once
};

bool are_equal(const std::string& a, const std::string& b) { return !a.empty() && a == b; }

void refuse(bool is_so, const std::string& why) {
  if (is_so) throw usage_error(why);
}

/// What is written beside the text must be no other file of the call.
void check_second_output(const options& o, const std::string& option, const std::string& name, const std::string& file,
                         const identities& all) {
  const std::string words = option + ": " + visible(name) + " is ";
  refuse(are_equal(file, all.output), words + (o.output ? "the output as well" : "standard output as well"));
  refuse(!is_descriptor(name) && are_equal(file, identity_of(standard_error)), words + "standard error as well");
}

void check_rejects(const options& o, const std::vector<std::string>& names, const identities& all) {
  for (std::size_t i = 0; i != names.size(); ++i)
    refuse(are_equal(all.rejects, all.inputs[i]), "--rejects: " + visible(names[i]) + " is an input file as well");
  check_second_output(o, "--rejects", *o.rejects, all.rejects, all);
  refuse(replaces_an_input(o, names) && o.reject_format != utfilter::reject_format::text,
         "--rejects-format jsonl and csv do not hold the lines themselves, which would be lost when the file is "
         "replaced: leave it out, or write to another file");
}

/// Checks the output against the inputs. An output that is replaced when the text is complete may be one of the named
/// ones. One that -r has found would get its old text again with each run.
void check_output(const options& o, const std::vector<std::string>& names, const identities& all) {
  for (std::size_t i = 0; i != names.size(); ++i) {
    if (!are_equal(all.output, all.inputs[i])) continue;
    refuse(o.follow, (o.output ? visible(*o.output) : "standard output") + ": is the file that is followed as well");
    refuse(all.is_direct,
           visible(names[i]) + ": is the output as well" +
               (o.recursive ? " (write to a file outside of the directory)" : " (--output can replace it)"));
    refuse(o.decompress, visible(names[i]) +
                             ": is the output as well, and --decompress would leave plain text under its name: "
                             "let -o name another file");
    refuse(o.recursive, visible(names[i]) + ": is the output as well, so it would get its old text again: let -o name "
                                            "a file outside of the directory");
  }
}

/// A file that has two names in the call would be converted twice in place.
void check_names(const std::vector<std::string>& names) {
  std::map<std::string, std::string> known;  // by path
  for (const std::string& name : names) {
    std::error_code missing;  // reading the file will fail with the reason
    const std::filesystem::path path = std::filesystem::canonical(path_of(name), missing);
    if (missing) continue;
    const auto [other, is_new] = known.emplace(name_of(path), name);
    refuse(!is_new && other->second == name, visible(name) + ": is given twice, and --in-place would convert it twice");
    refuse(!is_new, visible(name) + ": is the file " + visible(other->second) +
                        " as well, and --in-place would convert it twice");
  }
}

/// A copy that --backup makes must be no other file of the call.
void check_copies(const options& o, const std::vector<std::string>& names, const identities& all) {
  std::map<std::string, std::string> copies;  // the names of the files, by the identities of their copies
  for (const std::string& name : o.in_place ? names : std::vector<std::string>{*o.output}) {
    if (!size_of(name)) continue;  // a file that is not there gets no copy
    const std::string copy = identity_of(name_of_backup(name, *o.backup));
    if (!copy.empty()) copies.emplace(copy, name);
  }
  const auto refuse_copy = [&](const std::string& words, const std::string& name, const std::string& file) {
    const auto of = copies.find(file);
    if (of == copies.end() || of->second == name) return;
    throw usage_error(words + " is the copy that --backup makes of " + visible(of->second) + " as well");
  };
  for (std::size_t i = 0; i != names.size(); ++i) refuse_copy(visible(names[i]) + ':', names[i], all.inputs[i]);
  if (o.rejects) refuse_copy("--rejects: " + visible(*o.rejects), *o.rejects, all.rejects);
}

}  // namespace

std::string name_of_backup(const std::string& file, std::string suffix) {
  std::filesystem::path path = path_of(file);
  std::error_code none;  // reading the file will fail with the reason
  if (is_symlink(path, none)) path = std::filesystem::canonical(path, none);
  const std::string name = name_of(path.filename());
  if (suffix.find('*') == std::string::npos) return name_of(path) + suffix;
  for (std::size_t at = 0; (at = suffix.find('*', at)) != std::string::npos; at += name.size())
    suffix.replace(at, 1, name);
  return name_of(path.parent_path() / path_of(suffix));
}

void leave_out_copies(std::vector<std::string>& files, const std::string& suffix) {
  std::set<std::string> copies;
  for (const std::string& file : files) copies.insert(name_of_backup(file, suffix));
  const auto left =
      std::remove_if(files.begin(), files.end(), [&](const std::string& name) { return copies.count(name) != 0; });
  if (left == files.end()) return;
  const auto count = static_cast<std::size_t>(files.end() - left);
  files.erase(left, files.end());
  complain(counted(count, "file") + " left out, as copies of --backup");
}

bool replaces_an_input(const options& o, const std::vector<std::string>& files) {
  if (o.in_place || !o.output) return o.in_place;
  const std::string output = identity_of(*o.output);
  return std::any_of(files.begin(), files.end(),
                     [&](const std::string& name) { return are_equal(output, identity_of_input(name)); });
}

void refuse_one_file_twice(const options& o, const std::vector<std::string>& files) {
  if (o.in_place) check_names(files);
  const identities all(o, files);
  if (o.rejects) check_rejects(o, files, all);
  if (o.state) {
    refuse(are_equal(all.state, all.inputs[0]), visible(files[0]) + ": is followed, so --state cannot replace it");
    check_second_output(o, "--state", *o.state, all.state, all);
  }
  if (o.backup && all.writes_text) check_copies(o, files, all);
  if (all.writes_text) check_output(o, files, all);
}

}  // namespace utfcat
