// kernel_choice_test.cpp: the choice of the kernel table. Also runs other tests, the programs after `--` on the command
// line, once more under each table that is not the default.
// build: portable posix kernels
#define BOOST_TEST_MODULE kernel_choice
#include <boost/test/unit_test.hpp>

#include "support/chosen_kernels.hpp"
#include "support/process.hpp"
#include "support/tally.hpp"

#include "kernels/kernels.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

namespace {

using utfilter::detail::kernel_table;
using utfilter::detail::kernels;
using utfilter::detail::usable_kernels;

std::vector<std::string> names_of(const kernel_table* const* tables) {
  std::vector<std::string> names;
  for (; *tables != nullptr; ++tables) names.emplace_back((*tables)->name);
  return names;
}
std::vector<std::string> usable_names() { return names_of(usable_kernels()); }

/// The name of the table that a process chooses if UTFILTER_KERNELS has this value, or is absent for null; or the first
/// line of its message if it aborts. A child process chooses, because a process can choose only once.
std::string choice_under(const char* value) {
  auto end = processes::in_child([&] {
    if (value != nullptr)
      setenv("UTFILTER_KERNELS", value, 1);
    else
      unsetenv("UTFILTER_KERNELS");
    choose_kernels_from_environment();
    std::cerr << kernels().name << std::flush;
  });
  end.said.resize(std::min(end.said.find('\n'), end.said.size()));  // an emulator prints more
  return WIFSIGNALED(end.status) && WTERMSIG(end.status) == SIGABRT ? "aborted: " + end.said : end.said;
}

}  // namespace

BOOST_AUTO_TEST_CASE(without_a_name_the_best_table_is_chosen) {
  tally choices;
  for (const char* const value : {static_cast<const char*>(nullptr), ""})
    choices.run([&] { BOOST_TEST(choice_under(value) == usable_names().front()); });
  choices.summary();
}

BOOST_AUTO_TEST_CASE(each_usable_table_can_be_named) {
  tally choices;
  for (const std::string& name : usable_names()) choices.run([&] { BOOST_TEST(choice_under(name.c_str()) == name); });
  choices.summary();
}

// On x86-64 compares with the features that Linux reports. Processors without vectors, also those of 32 bits, have
// scalar code alone.
BOOST_AUTO_TEST_CASE(each_processor_has_the_right_tables) {
  std::vector<std::string> expected;
#if defined(__x86_64__)
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line) && line.rfind("flags", 0) != 0) continue;
  line += ' ';
  const auto has = [&](std::initializer_list<const char*> flags) {
    return std::all_of(flags.begin(), flags.end(),
                       [&](std::string flag) { return line.find(' ' + flag + ' ') != line.npos; });
  };
  if (has({"avx512bw", "avx512vl", "avx512vbmi", "avx512_vbmi2", "avx512_bitalg", "bmi2", "popcnt"}))
    expected.push_back("avx512");
  if (has({"avx2", "bmi1", "bmi2", "popcnt"})) expected.push_back("avx2");
  if (has({"sse4_1", "ssse3", "popcnt"})) expected.push_back("sse41");
#elif defined(__AARCH64EL__)
  expected.push_back("neon");
#elif defined(UTFILTER_GENERIC_KERNELS)
  expected.push_back("generic");
#endif
  expected.push_back("scalar");
  tally processor;
  processor.run([&] { BOOST_TEST(usable_names() == expected, boost::test_tools::per_element()); });
  processor.summary();
}

#if defined(__x86_64__)
// A child process chooses, so that the choice does not reach other tests.
BOOST_AUTO_TEST_CASE(amd_processors_with_avx512_fetch_less_far_ahead) {
  using utfilter::detail::chosen_distances, utfilter::detail::distances_for;
  using utfilter::detail::far_ahead, utfilter::detail::near_ahead;
  tally distances;
  distances.run([] { BOOST_TEST(&distances_for(true, true) == &near_ahead); });
  distances.run([] { BOOST_TEST(&distances_for(true, false) == &far_ahead); });
  distances.run([] { BOOST_TEST(&distances_for(false, true) == &far_ahead); });

  bool is_amd = false;
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) is_amd = is_amd || line.find("AuthenticAMD") != line.npos;
  const bool is_near = is_amd && usable_names().front() == "avx512";
  const auto end = processes::in_child([&] {
    chosen_distances = is_near ? &far_ahead : &near_ahead;
    utfilter::detail::choose_kernels();
    std::cerr << (chosen_distances.load() == (is_near ? &near_ahead : &far_ahead) ? "right" : "wrong") << std::flush;
  });
  distances.run([&] { BOOST_TEST(end.said.substr(0, 5) == "right"); });
  distances.summary();
}

// A processor may have any of the features, and a virtual machine may hide some.
BOOST_AUTO_TEST_CASE(a_table_is_usable_only_with_all_features_that_it_needs) {
  using features = utfilter::detail::x86_64_features;
  struct need {
    const char* table;
    std::initializer_list<bool features::*> of;
  };
  const need needs[] = {
      {"avx512",
       {&features::avx512bw, &features::avx512vl, &features::avx512vbmi, &features::avx512vbmi2,
        &features::avx512bitalg, &features::bmi2, &features::popcnt}},
      {"avx2", {&features::avx2, &features::bmi, &features::bmi2, &features::popcnt}},
      {"sse41", {&features::sse41, &features::ssse3, &features::popcnt}},
      {"scalar", {}},
  };
  bool features::*const all[] = {&features::ssse3,       &features::sse41,       &features::popcnt,
                                 &features::avx2,        &features::bmi,         &features::bmi2,
                                 &features::avx512bw,    &features::avx512vl,    &features::avx512vbmi,
                                 &features::avx512vbmi2, &features::avx512bitalg};
  tally processors;
  for (unsigned some = 0; some < 1u << std::size(all); ++some) {
    features has{};
    for (std::size_t i = 0; i < std::size(all); ++i) has.*all[i] = (some >> i & 1) != 0;
    std::vector<std::string> expected;
    for (const need& n : needs)
      if (std::all_of(n.of.begin(), n.of.end(), [&](bool features::*f) { return has.*f; }))
        expected.emplace_back(n.table);
    processors.run([&] {
      BOOST_TEST(names_of(utfilter::detail::kernels_with(has).tables) == expected, boost::test_tools::per_element());
    });
  }
  processors.summary();
}
#endif

// Some of the existing tables are for other processors. If such a table is named, the process ends, so that no test
// passes under another table than the one named.
BOOST_AUTO_TEST_CASE(a_name_of_no_usable_table_ends_the_process) {
  const std::vector<std::string> usable = usable_names();
  tally choices;
  for (const std::string name : {"avx512", "avx2", "sse41", "neon", "generic", "no such thing", "scalar ", "SCALAR"}) {
    if (std::count(usable.begin(), usable.end(), name) != 0) continue;
    const std::string expected = "aborted: utfilter: this processor has no kernels named " + name;
    choices.run([&] { BOOST_TEST(choice_under(name.c_str()) == expected); });
  }
  choices.summary();
}

// Runs only if its name and the program are on the command line. The program may follow an emulator that runs it.
BOOST_AUTO_TEST_CASE(a_program_passes_under_every_other_table, *boost::unit_test::disabled()) {
  const auto& self = boost::unit_test::framework::master_test_suite();
  std::string program;
  for (int i = 1; i < self.argc; ++i) program += " '" + std::string(self.argv[i]) + '\'';
  const auto run_under = [&](const std::string& table) {
    return processes::shell("UTFILTER_KERNELS='" + table + '\'' + program + " 2>&1");
  };
  BOOST_TEST_REQUIRE(run_under("none").output.find("no kernels named none") != std::string::npos);
  const std::vector<std::string> usable = usable_names();
  tally tables;
  for (std::size_t i = 1; i < usable.size(); ++i) {
    const processes::shell_outcome it = run_under(usable[i]);
    if (tables.failed(it.status == 0)) BOOST_ERROR(usable[i] << ':' << program << ": " << it.output.substr(0, 4000));
  }
  tables.summary();
}
