// follow.hpp: utfcat --follow.
#ifndef UTFCAT_FOLLOW_HPP
#define UTFCAT_FOLLOW_HPP

#include "options.hpp"

namespace utfcat {

/// Follows the file until a signal or an error ends it, and returns the exit status. Throws input_failure,
/// output_failure, std::ios_base::failure for a file that cannot be followed, and std::invalid_argument if the options
/// do not fit together.
int follow(const options&);

}  // namespace utfcat

#endif
