// results.hpp: what became of files.
#ifndef UTFCAT_RESULTS_HPP
#define UTFCAT_RESULTS_HPP

#include <cstddef>
#include <cstdint>
#include <string>

namespace utfcat {

struct results {
  bool opened = false;  // at least one could be opened
  bool whole = true;    // nothing is missing in the output
  bool ill_formed = false;
  bool left_alone = false;    // a file, which would have become worse
  bool would_change = false;  // a file of a dry run
  bool failed = false;        // a file could not be read or replaced, or a report could not be written
  std::uint64_t lines = 0, lines_put_aside = 0, errors = 0, files_with_errors = 0, files_not_read = 0;
  std::size_t skipped = 0;  // binary files
  std::string first_skipped;

  void add(const results& more) {
    opened = opened || more.opened;
    whole = whole && more.whole;
    ill_formed = ill_formed || more.ill_formed;
    left_alone = left_alone || more.left_alone;
    would_change = would_change || more.would_change;
    failed = failed || more.failed;
    lines += more.lines;
    lines_put_aside += more.lines_put_aside;
    errors += more.errors;
    files_with_errors += more.files_with_errors;
    files_not_read += more.files_not_read;
    if (skipped == 0) first_skipped = more.first_skipped;
    skipped += more.skipped;
  }

  int status() const noexcept { return failed ? 2 : ill_formed || left_alone || would_change ? 1 : 0; }
};

}  // namespace utfcat

#endif
