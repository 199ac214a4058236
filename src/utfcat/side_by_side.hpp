// side_by_side.hpp: --jobs with many files: several threads read small files ahead, and what they tell comes in the files'
// order.
#ifndef UTFCAT_SIDE_BY_SIDE_HPP
#define UTFCAT_SIDE_BY_SIDE_HPP

#include "parallel.hpp"
#include "reporter.hpp"
#include "results.hpp"

#include <functional>
#include <string>
#include <vector>

namespace utfcat {

/// Reads a file, changes nothing, and tells the reporter what it finds. Without a team the file is small, and the thread may
/// not wait for others. Several threads may call it.
using file_reader = std::function<results(const std::string& name, reporter&, thread_team*)>;

/// Reads each file, and tells in the files' order what the reader finds. The calling thread reads the large files, and each
/// small one that no other thread has begun when it is its turn. The first exception of the reader ends the work, and is
/// thrown.
results read_side_by_side(const std::vector<std::string>& files, thread_team&, reporter&, const file_reader&);

}  // namespace utfcat

#endif
