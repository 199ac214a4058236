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

BOOST_AUTO_TEST_CASE(the_family_is_the_base_family_and_for_15_the_extended_one_too) {
  const struct {
    unsigned leaf_1_eax, family;
  } processors[] = {
      {0x00A60F12, 0x19},  // AMD's Ryzen 9 7950X, Zen 4
      {0x00B40F40, 0x1A},  // AMD's Ryzen AI 9, Zen 5
      {0x00A20F10, 0x19},  // AMD's Ryzen 9 5950X, Zen 3
      {0x000806F8, 6},     // Intel's Sapphire Rapids
      {0x00000F41, 15},    // Intel's Pentium 4
  };
  tally families;
  for (const auto& one : processors)
    families.run([&] { BOOST_TEST(utfilter::detail::family_of(one.leaf_1_eax) == one.family); });
  families.summary();
}

// Zen 4 is the only processor that has been measured to lose by far_ahead.
BOOST_AUTO_TEST_CASE(zen_4_fetches_less_far_ahead_and_all_other_processors_far) {
  using utfilter::detail::distances_for, utfilter::detail::far_ahead, utfilter::detail::near_ahead;
  const struct {
    const char* vendor;
    unsigned family;
    bool has_avx512;
    const utfilter::detail::fetch_distances& expected;
  } processors[] = {
      {"AuthenticAMD", 0x19, true, near_ahead},                                           // Zen 4
      {"AuthenticAMD", 0x19, false, far_ahead},                                           // Zen 3
      {"AuthenticAMD", 0x17, false, far_ahead},                                           // Zen 2
      {"AuthenticAMD", 0x1A, true, far_ahead},                                            // Zen 5
      {"AuthenticAMD", 0x1A, false, far_ahead},                                           // Zen 5 in a virtual machine
      {"AuthenticAMD", 0x1B, true, far_ahead},                                            // a processor to come
      {"GenuineIntel", 6, true, far_ahead},     {"GenuineIntel", 0x19, true, far_ahead},  //
      {"HygonGenuine", 0x19, true, far_ahead},  {"", 0, true, far_ahead},
  };
  tally distances;
  for (const auto& one : processors)
    distances.run([&] { BOOST_TEST(&distances_for(one.vendor, one.family, one.has_avx512) == &one.expected); });
  distances.summary();
}

#if defined(__x86_64__)
// Compares with what Linux says about the processor. A child process chooses, so that the choice does not reach other
// tests.
BOOST_AUTO_TEST_CASE(the_distances_of_this_processor_are_chosen) {
  using utfilter::detail::chosen_distances, utfilter::detail::far_ahead, utfilter::detail::near_ahead;
  std::string vendor;
  unsigned family = 0;
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line) && !line.empty();) {
    const std::string value = line.substr(std::min(line.find(": ") + 2, line.size()));
    if (line.rfind("vendor_id", 0) == 0) vendor = value;
    if (line.rfind("cpu family", 0) == 0) family = static_cast<unsigned>(std::stoul(value));
  }
  const auto& expected = utfilter::detail::distances_for(vendor, family, usable_names().front() == "avx512");
  const auto end = processes::in_child([&] {
    chosen_distances = &expected == &near_ahead ? &far_ahead : &near_ahead;
    utfilter::detail::choose_kernels();
    std::cerr << (chosen_distances.load() == &expected ? "right" : "wrong") << std::flush;
  });
  tally distances;
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
