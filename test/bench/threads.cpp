// threads.cpp: two threads at once, each with chains of its own. The same work in one thread is the bar: if the threads
// do not hinder each other, two take half the time. On a machine whose two processors share a core they take more; the
// identity filter shows how much.
#include "filters.hpp"

#include <utfilter/text.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

namespace bench {
namespace {

namespace io = boost::iostreams;

constexpr std::size_t lines = 20000;  // in each thread

/// Does the work in two threads at once. Returns the seconds from its start to its end in the slower thread.
double in_two_threads(const std::function<void()>& work) {
  using clock = std::chrono::steady_clock;
  std::atomic<int> waiting{2};
  double seconds[2];
  const auto run = [&](double& took) {
    for (--waiting; waiting != 0;) continue;
    const clock::time_point start = clock::now();
    work();
    took = std::chrono::duration<double>(clock::now() - start).count();
  };
  std::thread other(run, std::ref(seconds[1]));
  run(seconds[0]);
  other.join();
  return std::max(seconds[0], seconds[1]);
}

double in_one_thread(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Adds the work twice: in two threads, and in one that does it two times. `Work` is called with a verifier.
template <class Work>
void add_both(const task& t, const std::string& who, Work work) {
  const auto timed = [=](double (*seconds)(const std::function<void()>&)) {
    // Threads would mix their output up.
    return [=](verifier* seen) { return (seen != nullptr ? in_one_thread : seconds)([&] { work(seen); }); };
  };
  t.add_timed(who, timed(in_two_threads));
  t.add_timed(who + ", one thread", timed(in_one_thread));
}

}  // namespace

void add_threads(const corpus& c) {
  static std::string line;
  line = std::string_view(c.memory.utf8)
             .substr(0, utfilter::complete_prefix(std::string_view(c.memory.utf8).substr(0, 99)));
  line += '\n';
  const auto size = static_cast<std::streamsize>(line.size());

  constexpr std::size_t chains = lines / 10;
  const task write{"two threads, write and flush lines", c.name, 2 * lines * line.size(), line, 2 * lines};
  const task build{"two threads, build chains", c.name, 2 * chains * line.size(), line, 2 * chains};
  for_each_validator([&](const char* who, auto push) {
    const auto begin = [=](io::filtering_ostream& chain, verifier* seen) {
      push(chain);
      chain.push(sink{seen});
      chain.exceptions(std::ios::badbit);
    };
    add_both(write, who, [=](verifier* seen) {
      io::filtering_ostream chain;
      begin(chain, seen);
      for (std::size_t n = lines; n != 0; --n) chain.write(line.data(), size).flush();
      chain.reset();
    });
    add_both(build, who, [=](verifier* seen) {
      for (std::size_t n = chains; n != 0; --n) {
        io::filtering_ostream chain;
        begin(chain, seen);
        chain.write(line.data(), size);
        chain.reset();
      }
    });
  });
}

}  // namespace bench
