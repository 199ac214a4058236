// logging_boost_test.cpp: Boost.Log through a filtering_ostream with utf8_validator. The tests check the text that
// arrives, the counts, and that nothing is thrown into the program.
// build: needs:Boost::log
#define BOOST_TEST_MODULE logging_boost
#include "support/test_devices.hpp"

#include <utfilter/escape_controls.hpp>
#include <utfilter/utf8_validator.hpp>

#include <boost/iostreams/device/file_descriptor.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <boost/log/core.hpp>
#include <boost/log/sinks/sync_frontend.hpp>
#include <boost/log/sinks/text_ostream_backend.hpp>
#include <boost/log/sources/logger.hpp>
#include <boost/log/sources/record_ostream.hpp>
#include <boost/log/utility/exception_handler.hpp>
#include <boost/make_shared.hpp>

#include <ios>
#include <string>

namespace io = boost::iostreams;
namespace logging = boost::log;
using namespace utfilter;
using devices::recording_sink;
using devices::sink_behaviour;

namespace {

using backend_type = logging::sinks::text_ostream_backend;

/// Makes the only sink of Boost.Log: its backend writes to a chain of a check and a device.
class boost_log {
 public:
  template <class Device>
  explicit boost_log(const Device& device, const utf8_validator& c = utf8_validator(log_params())) : check(c) {
    connect(device);
    backend->auto_flush();
    logging::core::get()->add_sink(sink);
  }
  ~boost_log() { logging::core::get()->remove_all_sinks(); }
  boost_log(const boost_log&) = delete;
  boost_log& operator=(const boost_log&) = delete;

  void log(const std::string& text) { BOOST_LOG(logger) << text; }

  /// Connects a new chain. A user does this when the chain has failed.
  template <class Device>
  void connect(const Device& device) {
    const auto next = boost::make_shared<io::filtering_ostream>();
    next->push(check);
    next->push(device);
    const auto locked = sink->locked_backend();
    if (stream) locked->remove_stream(stream);
    stream.reset();
    locked->add_stream(stream = next);
  }

  /// Destroys the chain, which ends the text.
  void close() {
    sink->locked_backend()->remove_stream(stream);
    stream.reset();
  }

  utf8_validator check;
  boost::shared_ptr<io::filtering_ostream> stream;
  boost::shared_ptr<backend_type> backend = boost::make_shared<backend_type>();
  boost::shared_ptr<logging::sinks::synchronous_sink<backend_type>> sink =
      boost::make_shared<logging::sinks::synchronous_sink<backend_type>>(backend);
  logging::sources::logger logger;
};

}  // namespace

BOOST_AUTO_TEST_CASE(one_bad_record_in_a_hundred_is_repaired_and_a_hundred_arrive) {
  recording_sink device;
  boost_log log(device);
  std::string expected;
  for (int i = 0; i < 100; ++i) {
    log.log(std::to_string(i) + " caf" + (i == 41 ? "\xE9" : "\xC3\xA9"));
    expected += std::to_string(i) + " caf" + (i == 41 ? "\uFFFD" : "\xC3\xA9") + '\n';
    BOOST_TEST(device.text() == expected);  // with auto_flush, no record waits for the next one
  }
  BOOST_TEST(log.check.report().errors == 1u);
  BOOST_TEST(log.check.report().lines == 100u);
}

BOOST_AUTO_TEST_CASE(a_character_cut_at_the_end_of_a_record_ends_there) {
  recording_sink device;
  boost_log log(device);
  log.log("price 5 \xE2\x82");  // without the line feed, the next record would make it a euro sign
  BOOST_TEST(device.text() == "price 5 \uFFFD\n");
  log.log("\xAC and more");
  log.log("\xF0\x9F\x98");
  log.log("with a line feed of its own \xE2\x82\n");
  log.log("\xAC");
  BOOST_TEST(device.text() == "price 5 \uFFFD\n\uFFFD and more\n\uFFFD\nwith a line feed of its own \uFFFD\n\uFFFD\n");
  BOOST_TEST(log.check.report().errors == 5u);
}

BOOST_AUTO_TEST_CASE(records_without_line_feeds_are_one_text) {
  recording_sink device;
  boost_log log(device);
  log.backend->set_auto_newline_mode(logging::sinks::disabled_auto_newline);
  log.log("p\xE2\x82");
  BOOST_TEST(device.text() == "p");  // only whole characters arrive, even if a record is flushed
  log.log("\xACq\xE2\x82");
  log.log("r\xE2\x82");
  BOOST_TEST(device.text() == "p\u20ACq\uFFFDr");
  log.close();
  BOOST_TEST(device.text() == "p\u20ACq\uFFFDr\uFFFD");
  BOOST_TEST(log.check.report().errors == 2u);
}

BOOST_AUTO_TEST_CASE(control_characters_pass) {
  recording_sink device;
  boost_log log(device);
  const std::string text = "\x1B[31mred\x1B[0m\a";
  log.log(text);
  log.log(text + "\xFF");
  BOOST_TEST(device.text() == text + "\n" + text + "\uFFFD\n");
}

BOOST_AUTO_TEST_CASE(a_further_filter_keeps_control_characters_from_the_terminal) {
  const utf8_validator check(log_params());
  const escape_controls disarm(log_params());
  recording_sink device;
  {
    boost_log log(device);
    const auto out = boost::make_shared<io::filtering_ostream>();
    out->push(check);
    out->push(disarm);
    out->push(device);
    log.close();
    log.backend->add_stream(out);
    log.log("user \xFF\x1B[31m\rroot logged in");
  }
  BOOST_TEST(device.text() == "user \uFFFD\\x1B[31m\\x0Droot logged in\n");
  BOOST_TEST(check.report().errors == 1u);
  BOOST_TEST(disarm.report().errors == 0u);
}

BOOST_AUTO_TEST_CASE(a_device_that_fails_throws_nothing_into_the_program_and_the_chain_goes_on_after_resume) {
  sink_behaviour throwing, full;
  throwing.throws_at_write = 3;
  full.refuses_with_text = true;
  const sink_behaviour takes_nothing = devices::refusing(1, 1000);
  for (const sink_behaviour& behaviour : {throwing, full, takes_nothing}) {
    recording_sink broken(behaviour), good;
    boost_log log(broken);
    const devices::watchdog guard("a log whose device fails");
    for (int i = 0; i < 100; ++i) BOOST_CHECK_NO_THROW(log.log("lost \xFF"));
    BOOST_TEST(!log.stream->good());  // from now on the backend skips it

    // Clearing the stream alone does not help, because the failure sticks in the chain.
    const std::string before = broken.text();
    log.stream->clear();
    BOOST_CHECK_NO_THROW(log.log("lost, too"));
    BOOST_TEST(!log.stream->good());
    BOOST_TEST(broken.text() == before);
    BOOST_TEST(log.check.resume());
    log.stream->clear();
    BOOST_CHECK_NO_THROW(log.log("tried"));
    BOOST_TEST(!log.stream->good());

    BOOST_CHECK_NO_THROW(log.connect(good));
    BOOST_CHECK_NO_THROW(log.log("again \xFF"));
    BOOST_TEST(good.text() == "again \uFFFD\n");
    BOOST_TEST(log.check.report().errors == 1u);  // a new chain is a new text
  }
}

BOOST_AUTO_TEST_CASE(a_full_disk_throws_nothing_into_the_program) {
  boost_log log(io::file_descriptor_sink("/dev/full"));
  BOOST_CHECK_NO_THROW(log.log("lost \xFF"));
  BOOST_TEST(!log.stream->good());
  recording_sink good;
  BOOST_CHECK_NO_THROW(log.connect(good));
  log.log("again");
  BOOST_TEST(good.text() == "again\n");
}

BOOST_AUTO_TEST_CASE(a_stream_with_exceptions_throws_unless_the_sink_has_an_exception_handler) {
  sink_behaviour throwing;
  throwing.throws_at_write = 1;
  for (const bool handled : {false, true}) {
    boost_log log(recording_sink{throwing});
    log.stream->exceptions(std::ios::badbit);
    if (handled) log.sink->set_exception_handler(logging::make_exception_suppressor());
    if (handled)
      BOOST_CHECK_NO_THROW(log.log("lost"));
    else
      BOOST_CHECK_THROW(log.log("lost"), std::ios_base::failure);
    BOOST_TEST(log.stream->bad());
    log.stream->exceptions(std::ios::goodbit);
  }
}
