// report_format.hpp: the formats of --format.
#ifndef UTFCAT_REPORT_FORMAT_HPP
#define UTFCAT_REPORT_FORMAT_HPP

namespace utfcat {

/// How reports are written: for people, as JSON, as commands of GitHub's workflows, as SARIF.
enum class report_format { text, json, github, sarif };

}  // namespace utfcat

#endif
