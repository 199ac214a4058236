// in_child.hpp: what ends the process, done in a child of it.
#ifndef UTFILTER_TEST_IN_CHILD_HPP
#define UTFILTER_TEST_IN_CHILD_HPP

#include <boost/test/unit_test.hpp>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <string>

struct end_of_child {
  int         status;
  std::string said;  // on standard error
};

/// Runs the action in a child process.
template <class Action>
end_of_child in_child(Action action) {
  int ends[2];
  BOOST_REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  BOOST_REQUIRE(child >= 0);
  if (child == 0) {
    const rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    std::signal(SIGABRT, SIG_DFL);  // the test framework has its own
    dup2(ends[1], STDERR_FILENO);
    action();
    _exit(0);
  }
  close(ends[1]);
  end_of_child end = {0, {}};
  char         buffer[256];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;) end.said.append(buffer, static_cast<std::size_t>(n));
  close(ends[0]);
  waitpid(child, &end.status, 0);
  return end;
}

#endif
