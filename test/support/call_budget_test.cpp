// call_budget_test.cpp: tests the devices that other tests use: a loop that makes no progress must fail soon.
#define BOOST_TEST_MODULE call_budget
#include "support/tally.hpp"
#include "support/test_devices.hpp"
#include "support/test_streambufs.hpp"

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>

using namespace devices;
using namespace streambufs;

namespace {

char room[1000];

/// Repeats the call until the budget refuses it. Returns how often it was answered.
std::size_t answered(const std::function<void()>& call) {
  for (std::size_t calls = 0; calls < 1000; ++calls) {
    try {
      call();
    } catch (const std::logic_error&) {
      return calls;
    } catch (const device_failure&) {
    }
  }
  return 1000;
}

/// Checks that the budget allows exactly this many answers.
void check(tally& budgets, std::size_t answers, const std::function<void()>& call) {
  const std::size_t got = answered(call);
  if (budgets.failed(got == answers)) BOOST_ERROR(got << " calls were answered, not " << answers);
}

/// Each budget that is exceeded fails the test. Here these failures are expected; any other number of failures throws.
void require_failures(unsigned long expected) {
  const auto& test = boost::unit_test::framework::current_test_case();
  const auto seen = boost::unit_test::results_collector.results(test.p_id).p_assertions_failed.get();
  if (seen != expected) throw std::runtime_error("failures counted in this test: " + std::to_string(seen));
}

}  // namespace

BOOST_AUTO_TEST_CASE(reads_without_progress_exceed_the_budget, *boost::unit_test::expected_failures(4)) {
  tally budgets;
  piecewise_source ended({}), would_block({"", "", ""}), broken({"abcd"}, true);
  check(budgets, 16, [&] { ended.read(room, 10); });
  check(budgets, 19, [&] { would_block.read(room, 10); });
  check(budgets, 24, [&] { broken.read(room, 10); });
  pieces_streambuf buffer({"abcd"});
  buffer.sgetn(room, 4);
  check(budgets, 23, [&] { buffer.sgetc(); });
  budgets.summary();
  require_failures(4);
}

BOOST_AUTO_TEST_CASE(writes_without_progress_exceed_the_budget, *boost::unit_test::expected_failures(5)) {
  tally budgets;
  recording_sink full(taking(0)), broken(throwing_at_write(1)), idle;
  check(budgets, 16, [&] { full.write("abcd", 4); });
  check(budgets, 16, [&] { broken.write("abcd", 4); });
  idle.write("abcd", 4);
  check(budgets, 23, [&] { idle.flush(); });
  recording_streambuf buffer;
  buffer.takes_in_all = 2;
  check(budgets, 20, [&] { buffer.sputn("abcd", 4); });
  recording_streambuf flushed;
  check(budgets, 16, [&] { flushed.pubsync(); });
  budgets.summary();
  require_failures(5);
}

BOOST_AUTO_TEST_CASE(calls_that_make_progress_stay_within_the_budget) {
  const std::string text(1000, 'x');
  piecewise_source source({text});
  recording_sink sink(taking(1));
  tally rounds;
  for (std::size_t i = 0; i < text.size(); ++i) {
    rounds.run([&] {
      BOOST_TEST(source.read(room, 1) == 1);
      BOOST_TEST(sink.write(text.data(), 10) == 1);
      BOOST_TEST(sink.flush());
    });
  }
  rounds.summary();
}
