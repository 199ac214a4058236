// call_budget_test.cpp: the devices of the tests themselves: a loop that makes no progress fails, and soon.
#define BOOST_TEST_MODULE call_budget
#include "test_devices.hpp"
#include "test_streambufs.hpp"

#include <boost/test/results_collector.hpp>

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>

using namespace devices;
using namespace streambufs;

namespace {

char room[1000];

/// Repeats the call until it is refused, and says how often it was answered.
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

/// Each budget that is exceeded fails the test. Here that is expected, and nothing else is.
void require_failures(unsigned long expected) {
  const auto& test = boost::unit_test::framework::current_test_case();
  const auto  seen = boost::unit_test::results_collector.results(test.p_id).p_assertions_failed.get();
  if (seen != expected) throw std::runtime_error("so many times the test was failed: " + std::to_string(seen));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_source_is_asked_for_ever, *boost::unit_test::expected_failures(4)) {
  piecewise_source ended({}), would_block({"", "", ""}), broken({"abcd"}, true);
  BOOST_TEST(answered([&] { ended.read(room, 10); }) == 16u);
  BOOST_TEST(answered([&] { would_block.read(room, 10); }) == 19u);
  BOOST_TEST(answered([&] { broken.read(room, 10); }) == 24u);
  pieces_streambuf buffer({"abcd"});
  buffer.sgetn(room, 4);
  BOOST_TEST(answered([&] { buffer.sgetc(); }) == 23u);
  require_failures(4);
}

BOOST_AUTO_TEST_CASE(a_sink_is_written_for_ever, *boost::unit_test::expected_failures(5)) {
  recording_sink full(taking(0)), broken(throwing_at_write(1)), idle;
  BOOST_TEST(answered([&] { full.write("abcd", 4); }) == 16u);
  BOOST_TEST(answered([&] { broken.write("abcd", 4); }) == 16u);
  idle.write("abcd", 4);
  BOOST_TEST(answered([&] { idle.flush(); }) == 31u);
  recording_streambuf buffer;
  buffer.takes_in_all = 2;
  BOOST_TEST(answered([&] { buffer.sputn("abcd", 4); }) == 24u);
  recording_streambuf flushed;
  BOOST_TEST(answered([&] { flushed.pubsync(); }) == 16u);
  require_failures(5);
}

BOOST_AUTO_TEST_CASE(progress_is_paid_for) {
  const std::string text(1000, 'x');
  piecewise_source  source({text});
  recording_sink    sink(taking(1));
  for (std::size_t i = 0; i < text.size(); ++i) {
    BOOST_TEST(source.read(room, 1) == 1);
    BOOST_TEST(sink.write(text.data(), 10) == 1);
    BOOST_TEST(sink.flush());
  }
}
