// follow_runs.hpp: runs utfcat --follow while the file "log" grows.
#ifndef UTFILTER_TEST_FOLLOW_RUNS_HPP
#define UTFILTER_TEST_FOLLOW_RUNS_HPP

#include "utfcat/utfcat_runs.hpp"

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <string>

#include <unistd.h>

namespace utfcat_runs {

using files::append;

inline arguments command(const arguments& options) {
  arguments words = {"utfcat", "--follow"};
  words.insert(words.end(), options.begin(), options.end());
  return words;
}

/// Ends utfcat by SIGTERM. Returns what it has written and not shown yet.
inline result end(process& p) {
  p.kill(SIGTERM);
  p.finish("");
  const int status = p.wait();
  return {status, p.text[0], p.text[1], 0};
}

/// Waits until the file has this content.
inline void wait_for(const std::string& name, const std::string& content) {
  const auto deadline = clock_type::now() + patience;
  while (get(name) != content && clock_type::now() < deadline) usleep(1000);
  BOOST_TEST(get(name) == content);
}

/// Follows "log" with --state until "out" has this content, then ends utfcat.
inline result run_until(const std::string& content, const arguments& options = {}) {
  arguments words = {"--state", "state", "-o", "out", "log"};
  words.insert(words.end(), options.begin(), options.end());
  process p(command(words));
  wait_for("out", content);
  return end(p);
}

/// Runs utfcat, which must end by itself.
inline result refused(const arguments& options = {}) {
  arguments words = {"--state", "state", "-o", "out", "log"};
  words.insert(words.end(), options.begin(), options.end());
  return run(command(words));
}

}  // namespace utfcat_runs

#endif
