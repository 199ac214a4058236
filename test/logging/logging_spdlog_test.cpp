// logging_spdlog_test.cpp: spdlog_sink. The tests check the messages that arrive, the counts, the allocations, and that
// nothing is thrown into the program.
// build: needs:spdlog::spdlog
#define BOOST_TEST_MODULE logging_spdlog
#include "support/cancelled.hpp"
#include "support/counting_new.hpp"
#include "support/outcomes.hpp"
#include "support/spdlog_flags.hpp"
#include "support/tally.hpp"
#include "support/test_devices.hpp"

#include <utfilter/spdlog_sink.hpp>

#include <spdlog/async_logger.h>
#include <spdlog/details/thread_pool.h>
#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/dist_sink.h>
#include <spdlog/sinks/ostream_sink.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

using namespace utfilter;
using devices::device_failure;
using spdlog::details::log_msg;

// The buffers of fmt 11 and newer take their memory from malloc. So when a test makes operator new fail, malloc fails,
// too. (Not with the address sanitizer, which has a malloc of its own.)
#if defined(__has_feature)
#  if __has_feature(address_sanitizer)
#    define UTFILTER_FOREIGN_MALLOC
#  endif
#endif
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(UTFILTER_FOREIGN_MALLOC)
extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* malloc(std::size_t size) noexcept { return memory_is_out ? nullptr : __libc_malloc(size); }
#endif

// A constructor that takes params also takes an on_error or a bom alone, and no other member of params alone.
using next_sink = std::shared_ptr<spdlog::sinks::sink>;
static_assert(std::is_constructible_v<spdlog_sink, next_sink> &&
              std::is_constructible_v<spdlog_sink, next_sink, params> &&
              std::is_constructible_v<spdlog_sink, next_sink, on_error> &&
              std::is_constructible_v<spdlog_sink, next_sink, bom> &&
              !std::is_constructible_v<spdlog_sink, next_sink, encoding>);
static_assert(std::is_constructible_v<escaping_spdlog_sink, next_sink, params> &&
              std::is_constructible_v<escaping_spdlog_sink, next_sink, on_error>);
static_assert(std::is_constructible_v<codec_spdlog_sink<control_escaper>, next_sink, control_escaper, params> &&
              std::is_constructible_v<codec_spdlog_sink<control_escaper>, next_sink, control_escaper, on_error>);

namespace {

const std::string fffd = "\xEF\xBF\xBD";

/// Records the messages that arrive, if `keeps` is set. Fails the next `fails` times.
class recording_sink : public spdlog::sinks::base_sink<std::mutex> {
 public:
  struct record {
    std::string name, text;
  };
  std::vector<record> records;
  const log_msg* last = nullptr;
  const char* last_text = nullptr;
  std::size_t flushes = 0;
  std::size_t fails = 0;  // how many of the next messages fail
  bool keeps = true;

 protected:
  void sink_it_(const log_msg& msg) override {
    if (fails != 0) {
      --fails;
      throw device_failure("the sink broke");
    }
    last = &msg;
    last_text = msg.payload.data();
    if (keeps)
      records.push_back({{msg.logger_name.data(), msg.logger_name.size()}, {msg.payload.data(), msg.payload.size()}});
  }
  void flush_() override { ++flushes; }
};

/// Copies the last message into memory that was reserved before, so that it works even if no more memory can be
/// allocated.
class copying_sink : public recording_sink {
 public:
  std::string room = std::string(100'000, ' '), name = std::string(100, ' ');

 protected:
  void sink_it_(const log_msg& msg) override {
    room.assign(msg.payload.data(), msg.payload.size());
    name.assign(msg.logger_name.data(), msg.logger_name.size());
  }
};

/// A logger that writes to a check, which writes to a recording_sink. Also records the calls of the error handler.
struct log_under_test {
  explicit log_under_test(const params& p = log_params(), const std::string& name = "app")
      : check(std::make_shared<spdlog_sink>(next, p)), logger(name, check) {
    logger.set_error_handler([this](const std::string& why) { complaints.push_back(why); });
  }

  std::vector<std::string> texts() const {
    std::vector<std::string> all;
    for (const auto& record : next->records) all.push_back(record.text);
    return all;
  }

  std::shared_ptr<recording_sink> next = std::make_shared<recording_sink>();
  std::shared_ptr<spdlog_sink> check;
  spdlog::logger logger;
  std::vector<std::string> complaints;
};

params with_policy(on_error policy) {
  params p = log_params();
  p.on_error = policy;
  return p;
}

using texts = std::vector<std::string>;

BOOST_AUTO_TEST_CASE(one_bad_record_in_a_hundred_is_repaired_and_a_hundred_arrive) {
  log_under_test log;
  texts expected;
  for (int i = 0; i < 100; ++i) {
    log.logger.info("{} caf{}", i, i == 41 ? "\xE9" : "\xC3\xA9");
    expected.push_back(std::to_string(i) + " caf" + (i == 41 ? fffd : "\xC3\xA9"));
  }
  BOOST_TEST(log.texts() == expected, boost::test_tools::per_element());
  BOOST_TEST(log.check->repaired() == 1u);
  BOOST_TEST(log.check->errors() == 1u);
  BOOST_TEST(log.complaints.empty());
}

BOOST_AUTO_TEST_CASE(each_message_is_a_text_of_its_own) {
  log_under_test log;
  log.logger.info("price 5 \xE2\x82");  // together the two messages would contain a euro sign
  log.logger.info("\xAC and more");
  log.logger.info("\xE2\x82\xAC\xF0\x9F\x98");
  BOOST_TEST(log.texts() == (texts{"price 5 \uFFFD", "\uFFFD and more", "\xE2\x82\xAC\uFFFD"}),
             boost::test_tools::per_element());
  BOOST_TEST(log.check->repaired() == 3u);
  BOOST_TEST(log.check->errors() == 3u);

  // The same holds if the records have no line feed between them.
  std::ostringstream all;
  const auto file = std::make_shared<spdlog::sinks::ostream_sink_mt>(all);
  file->set_formatter(std::make_unique<spdlog::pattern_formatter>("%v", spdlog::pattern_time_type::local, ""));
  spdlog::logger joined("app", std::make_shared<spdlog_sink>(file));
  joined.info("\xE2\x82");
  joined.info("\xAC");
  BOOST_TEST(all.str() == fffd + fffd);
}

BOOST_AUTO_TEST_CASE(well_formed_messages_are_not_touched) {
  log_under_test log;
  // Control characters and escape sequences, noncharacters, a byte order mark and NUL are well-formed.
  const texts good = {
      "", "\x1B[31mred\x1B[0m", std::string("a\0b", 3), "\xEF\xBB\xBFx", "\xEF\xBF\xBE", "a\nb\r\n", "{} %v \\"};
  for (const std::string& text : good) {
    log.logger.info(spdlog::string_view_t(text.data(), text.size()));
    log_msg message("app", spdlog::level::info, spdlog::string_view_t(text.data(), text.size()));
    log.check->log(message);
    BOOST_TEST(log.next->last == &message);
    BOOST_TEST(static_cast<const void*>(log.next->last_text) == static_cast<const void*>(text.data()));
  }
  for (std::size_t i = 0; i < good.size(); ++i)
    for (const std::size_t of : {2 * i, 2 * i + 1}) BOOST_TEST(log.next->records.at(of).text == good[i]);
  BOOST_TEST(log.check->repaired() == 0u);

  // In a message that is repaired they stay unchanged, too.
  log.logger.info("\xEF\xBB\xBF\x1B[31m\xFF\x1B[0m\xEF\xBB\xBF");
  BOOST_TEST(log.texts().back() == "\xEF\xBB\xBF\x1B[31m\uFFFD\x1B[0m\xEF\xBB\xBF");
}

BOOST_AUTO_TEST_CASE(well_formed_messages_are_passed_on_without_allocation) {
  log_under_test log;
  const std::string text = std::string(5000, 'x') + "\xE2\x82\xAC";
  const log_msg message("app", spdlog::level::info, text);
  log.next->keeps = false;
  const auto logging = allocated([&] {
    for (int i = 0; i < 1000; ++i) log.check->log(message);
  });
  BOOST_TEST(logging.calls == 0u);
  BOOST_TEST(log.next->last == &message);
}

BOOST_AUTO_TEST_CASE(errors_are_repaired_by_policy) {
  const std::string bad = "a\xE9z \xE2\x82";
  const struct {
    on_error policy;
    std::string expected;
  } rows[] = {
      {on_error::replace, "a\uFFFDz \uFFFD"},
      {on_error::skip, "az "},
      {on_error::escape, "a\\xE9z \\xE2\\x82"},
      {on_error::keep, bad},
      {on_error::windows1252, "a\xC3\xA9z \xC3\xA2\xE2\x80\x9A"},
  };
  for (const auto& row : rows) {
    BOOST_TEST_CONTEXT("policy " << static_cast<int>(row.policy)) {
      log_under_test log(with_policy(row.policy));
      log.logger.info(bad);
      BOOST_TEST(log.texts() == texts{row.expected});
      BOOST_TEST(log.check->repaired() == 1u);
      BOOST_TEST(log.check->errors() == 2u);
      const auto by_policy = std::make_shared<recording_sink>();
      spdlog_sink(by_policy, row.policy).log({"app", spdlog::level::info, bad});
      BOOST_TEST(by_policy->records.at(0).text == row.expected);
    }
  }
  params p = log_params();
  p.replacement = "<not UTF-8 \xE2\x9C\x97>";
  log_under_test log(p);
  log.logger.info(bad);
  BOOST_TEST(log.texts() == texts{"a" + p.replacement + "z " + p.replacement});
}

BOOST_AUTO_TEST_CASE(long_messages_are_repaired_in_full) {
  std::string bad, expected;
  for (int i = 0; i < 20'000; ++i) {
    const std::string number = std::to_string(i);
    bad += number + "\xF0\x9F\x98";
    expected += number + fffd;
  }
  log_under_test log;
  log.logger.info(bad);
  BOOST_TEST((log.texts() == texts{expected}));
  BOOST_TEST(log.check->repaired() == 1u);
  BOOST_TEST(log.check->errors() == 20'000u);
}

BOOST_AUTO_TEST_CASE(the_end_of_a_piece_is_not_the_end_of_a_long_message) {
  // The characters have four bytes, and begin at each offset modulo four. So with most offsets a piece ends inside a
  // character, whatever its size.
  std::string faces;
  for (int i = 0; i < 10'000; ++i) faces += "\xF0\x9F\x98\x80";
  for (std::size_t lead = 0; lead < 4; ++lead) {
    log_under_test log;
    const std::string text = std::string(lead, 'x') + faces;
    log.logger.info(text + "\xF0\x9F");
    BOOST_TEST(log.texts() == (texts{text + fffd}), boost::test_tools::per_element());
    BOOST_TEST(log.check->errors() == 1u);
  }
}

BOOST_AUTO_TEST_CASE(the_logger_name_is_repaired_too) {
  log_under_test log(log_params(), "caf\xE9");
  log.logger.info("fine");
  log.logger.info("bad\xFF");
  BOOST_TEST(log.next->records.at(0).name == "caf\uFFFD");
  BOOST_TEST(log.next->records.at(0).text == "fine");
  BOOST_TEST(log.next->records.at(1).name == "caf\uFFFD");
  BOOST_TEST(log.next->records.at(1).text == "bad\uFFFD");
  BOOST_TEST(log.check->repaired() == 2u);
  BOOST_TEST(log.check->errors() == 3u);
}

BOOST_AUTO_TEST_CASE(each_error_is_observed_in_its_place) {
  std::vector<error_info> seen;
  params p = log_params();
  p.observer = [&](const error_info& error) { seen.push_back(error); };
  log_under_test log(p);
  log.logger.info("good");
  log.logger.info("line\nab\xFF\xE2\x82");
  log.logger.info("\xC0");
  BOOST_REQUIRE(seen.size() == 3u);
  BOOST_TEST(seen[0].offset == 7u);
  BOOST_TEST(seen[0].line == 2u);
  BOOST_TEST(seen[0].column == 3u);
  BOOST_TEST((seen[0].code == errc::unused_byte));
  BOOST_TEST(seen[1].offset == 8u);
  BOOST_TEST((seen[1].code == errc::incomplete_at_end));
  BOOST_TEST(seen[2].offset == 0u);
  BOOST_TEST((seen[2].code == errc::overlong));
}

BOOST_AUTO_TEST_CASE(the_observer_may_log_and_may_throw) {
  std::shared_ptr<spdlog::logger> logger;
  params p = log_params();
  p.observer = [&](const error_info& error) {
    logger->warn("byte {}: {}", error.offset, error.message());
    throw device_failure("the observer broke");
  };
  const devices::watchdog guard("an observer that logs");
  const auto next = std::make_shared<recording_sink>();
  logger = std::make_shared<spdlog::logger>("app", std::make_shared<spdlog_sink>(next, p));
  bool complained = false;
  logger->set_error_handler([&](const std::string&) { complained = true; });
  logger->info("p\xFFq");
  BOOST_REQUIRE(next->records.size() == 2u);
  BOOST_TEST(next->records[0].text == "byte 1: byte that no text contains: FF");
  BOOST_TEST(next->records[1].text == "p\uFFFDq");
  BOOST_TEST(!complained);
}

// Otherwise each message that the observer logs would call the observer again.
BOOST_AUTO_TEST_CASE(an_observer_may_log_bad_text_and_is_not_called_for_it) {
  const devices::watchdog guard("an observer that logs bad text");
  std::shared_ptr<spdlog::logger> logger;
  std::size_t observed = 0;
  params p = log_params();
  p.observer = [&](const error_info&) {
    ++observed;
    logger->warn("about \xFE");
  };
  const auto next = std::make_shared<recording_sink>();
  const auto check = std::make_shared<spdlog_sink>(next, p);
  logger = std::make_shared<spdlog::logger>("n\xFFme", check);
  for (std::size_t round = 1; round <= 2; ++round) {  // the next message is observed again
    logger->info("a\xFF");
    BOOST_TEST(observed == 2 * round);  // for the message and for the name
    BOOST_TEST(check->errors() == 6 * round);
    BOOST_TEST(check->repaired() == 3 * round);
  }
  BOOST_REQUIRE(next->records.size() == 6u);
  BOOST_TEST(next->records[0].text == "about \uFFFD");
  BOOST_TEST(next->records[0].name == "n\uFFFDme");
  BOOST_TEST(next->records[2].text == "a\uFFFD");
}

BOOST_AUTO_TEST_CASE(each_thread_observes_while_another_does) {
  const devices::watchdog guard("observers of two threads");
  std::shared_ptr<spdlog::logger> logger;
  std::atomic<int> inside{0}, observed{0};
  params p = log_params();
  p.observer = [&](const error_info&) {
    ++observed;
    for (++inside; inside < 2;) std::this_thread::yield();  // until both threads are in the observer
    logger->warn("about \xFE");
  };
  const auto next = std::make_shared<recording_sink>();
  logger = std::make_shared<spdlog::logger>("app", std::make_shared<spdlog_sink>(next, p));
  std::thread other([&] { logger->info("a\xFF"); });
  logger->info("b\xFF");
  other.join();
  BOOST_TEST(observed == 2);
  BOOST_TEST(next->records.size() == 4u);
}

BOOST_AUTO_TEST_CASE(an_observer_that_threw_is_called_for_the_next_message) {
  std::size_t observed = 0;
  params p = log_params();
  p.observer = [&](const error_info&) {
    ++observed;
    throw device_failure("the observer broke");
  };
  log_under_test log(p);
  log.logger.info("a\xFF");
  log.logger.info("b\xFF");
  BOOST_TEST(observed == 2u);
}

#ifdef CANCELLED_THREADS_UNWIND
BOOST_AUTO_TEST_CASE(a_thread_that_is_cancelled_in_the_observer_ends_and_the_log_goes_on) {
  params p = log_params();
  p.observer = [](const error_info&) { be_cancelled(); };
  log_under_test log(p);
  BOOST_TEST(ends_cancelled([&] { log.logger.info("a\xFF"); }));
  BOOST_TEST(ends_cancelled([&] { log.check->log(log_msg("app", spdlog::level::info, "b\xFF")); }));
  BOOST_TEST(log.next->records.empty());
  BOOST_TEST(log.check->errors() == 2u);
  log.logger.info("good");
  BOOST_TEST(log.texts() == texts{"good"}, boost::test_tools::per_element());
}
#endif

BOOST_AUTO_TEST_CASE(params_that_could_lose_a_message_are_refused) {
  const auto sink = std::make_shared<recording_sink>();
  const auto refused = [&](auto change) {
    params p = log_params();
    change(p);
    BOOST_CHECK_THROW(spdlog_sink(sink, p), std::invalid_argument);
  };
  refused([](params& p) { p.on_error = on_error::strict; });
  refused([](params& p) { p.on_error = on_error::stop; });
  refused([](params& p) { p.error_limit = 5; });
  refused([](params& p) { p.replacement = "\xFF"; });
  for (const bom b : {bom::strip, bom::add, bom::require, bom::reject}) refused([&](params& p) { p.bom = b; });
  BOOST_CHECK_THROW(spdlog_sink(sink, on_error::strict), std::invalid_argument);
  BOOST_CHECK_THROW(spdlog_sink(nullptr), std::invalid_argument);
  BOOST_CHECK_NO_THROW(spdlog_sink(sink, on_error::skip));
  params kept = log_params();
  kept.bom = bom::keep;
  BOOST_CHECK_NO_THROW(spdlog_sink(sink, kept));
}

BOOST_AUTO_TEST_CASE(settings_reach_the_other_sink_and_both_levels_hold) {
  std::ostringstream file;
  const auto next = std::make_shared<spdlog::sinks::ostream_sink_st>(file);
  const auto check = std::make_shared<spdlog_sink>(next);
  spdlog::logger logger("app", check);
  logger.set_pattern("<%n %l %v>");
  logger.info("a\xFF");
  check->set_pattern("[%v]");
  logger.info("b");
  check->set_formatter(std::make_unique<spdlog::pattern_formatter>("%v", spdlog::pattern_time_type::local, ";"));
  logger.info("c");
  next->set_level(spdlog::level::err);
  logger.warn("too low for the other \xFF");
  logger.error("d");
  next->set_level(spdlog::level::trace);
  check->set_level(spdlog::level::err);
  logger.warn("too low for this one \xFF");
  logger.error("e");
  BOOST_TEST(file.str() == "<app info a\uFFFD>\n[b]\nc;d;e;");
  BOOST_TEST(check->repaired() == 1u);  // messages below a level are not checked

  log_under_test log;
  log.logger.flush_on(spdlog::level::err);
  log.logger.info("a");
  BOOST_TEST(log.next->flushes == 0u);
  log.logger.error("b\xFF");
  BOOST_TEST(log.next->flushes == 1u);
}

/// A formatter whose flag %* adds this text.
std::unique_ptr<spdlog::pattern_formatter> with_flag(const std::string& pattern, const std::string& text,
                                                     const std::string& end_of_line = "\n") {
  auto made = std::make_unique<spdlog::pattern_formatter>("", spdlog::pattern_time_type::local, end_of_line);
  made->add_flag<text_flag>('*', text).set_pattern(pattern);
  return made;
}

/// A logger that writes lines to a string by a sink of this type.
template <class Sink>
struct lines_under_test {
  std::ostringstream file;
  std::shared_ptr<spdlog::sinks::ostream_sink_mt> next = std::make_shared<spdlog::sinks::ostream_sink_mt>(file);
  std::shared_ptr<Sink> check = std::make_shared<Sink>(next);
  spdlog::logger logger{"app", check};
};

BOOST_AUTO_TEST_CASE(what_the_pattern_adds_is_checked) {
  lines_under_test<spdlog_sink> plain;
  plain.logger.set_formatter(with_flag("[%*] %v", "user=\xE9"));
  plain.logger.info("a");
  plain.logger.info("b\xFF");
  BOOST_TEST(plain.file.str() == "[user=\uFFFD] a\n[user=\uFFFD] b\uFFFD\n");
  BOOST_TEST(plain.check->repaired() == 2u);  // each message counts once
  BOOST_TEST(plain.check->errors() == 3u);

  lines_under_test<escaping_spdlog_sink> escaping;
  escaping.logger.set_formatter(with_flag("[%*] %v", "eve\x1B[31m\n[info] forged"));
  escaping.logger.info("a\r\nb");
  BOOST_TEST(escaping.file.str() == "[eve\\x1B[31m\\x0A[info] forged] a\\x0D\\x0Ab\n");
}

BOOST_AUTO_TEST_CASE(what_a_width_cuts_is_repaired) {
  lines_under_test<spdlog_sink> cut;
  cut.logger.set_pattern("%4!v|");
  cut.logger.info("\u65E5\u672C");
  BOOST_TEST(cut.file.str() == "\u65E5\uFFFD|\n");
}

BOOST_AUTO_TEST_CASE(the_end_of_a_line_stays_as_the_formatter_made_it) {
  for (const std::string end : {"\n", "\r\n", "", ";"}) {
    lines_under_test<escaping_spdlog_sink> log;
    log.check->set_formatter(with_flag("%v%*", "", end));
    log.logger.info("a\n");
    log.logger.info("");
    BOOST_TEST(log.file.str() == "a\\x0A" + end + end);
  }
}

BOOST_AUTO_TEST_CASE(the_coloured_part_is_found_after_a_repair) {
  struct range {
    std::string line, coloured;
  };
  const auto formatted = [](const std::string& pattern, const std::string& text) {
    codec_spdlog_formatter<control_escaper> formatter(
        with_flag(pattern, text), control_escaper(control_escaper::line_feeds::escape), on_error::replace);
    const log_msg message("app", spdlog::level::info, "text");
    spdlog::memory_buf_t line;
    formatter.format(message, line);
    const std::string all(line.data(), line.size());
    return range{all, all.substr(message.color_range_start, message.color_range_end - message.color_range_start)};
  };
  for (const std::string text : {"x", "\x1B", "\xFF", "\n\n"}) {
    const std::string shown = text == "x" ? "x" : text == "\xFF" ? fffd : text == "\x1B" ? "\\x1B" : "\\x0A\\x0A";
    range got = formatted("%* %^%l%$ %v", text);
    BOOST_TEST(got.line == shown + " info text\n");
    BOOST_TEST(got.coloured == "info");
    got = formatted("%^%*%$ %v", text);
    BOOST_TEST(got.line == shown + " text\n");
    BOOST_TEST(got.coloured == shown);
    got = formatted("%^%v%$%*", text);
    BOOST_TEST(got.line == "text" + shown + "\n");
    BOOST_TEST(got.coloured == "text");
  }
}

// The codes of a colour would stand inside the character.
BOOST_AUTO_TEST_CASE(a_character_across_the_end_of_the_coloured_part_is_two_errors) {
  codec_spdlog_formatter<transcoder> formatter(with_flag("%^%*%$%v", "\xC3"), transcoder::validating(bom::keep));
  spdlog::memory_buf_t line;
  formatter.format({"app", spdlog::level::info, "\xA9"}, line);
  BOOST_TEST(std::string(line.data(), line.size()) == fffd + fffd + "\n");
  BOOST_TEST(formatter.errors() == 2u);
  BOOST_TEST(formatter.repaired() == 1u);
}

BOOST_AUTO_TEST_CASE(the_line_is_appended_to_what_is_there) {
  codec_spdlog_formatter<transcoder> formatter(with_flag("%v", ""), transcoder::validating(bom::keep));
  spdlog::memory_buf_t lines;
  for (const char* text : {"a\xFF", "b", "c\xFF"}) formatter.clone()->format({"app", spdlog::level::info, text}, lines);
  BOOST_TEST(std::string(lines.data(), lines.size()) == "a\uFFFD\nb\nc\uFFFD\n");
  BOOST_TEST(formatter.errors() == 2u);  // clones add to the counts
  BOOST_CHECK_THROW(codec_spdlog_formatter<transcoder>(nullptr, transcoder::validating(bom::keep)),
                    std::invalid_argument);
}

// The check goes around the formatter that each sink has.
BOOST_AUTO_TEST_CASE(a_pattern_that_was_set_before_stays_and_is_checked) {
  std::ostringstream file;
  const auto one = std::make_shared<spdlog::sinks::ostream_sink_mt>(file);
  const auto two = std::make_shared<spdlog::sinks::ostream_sink_st>(file);
  one->set_formatter(with_flag("one %* %v", "\xFF"));
  two->set_formatter(with_flag("two %* %v", "\xFE"));
  const auto both = std::make_shared<spdlog::sinks::dist_sink_mt>(std::vector<spdlog::sink_ptr>{one, two});
  const auto check = std::make_shared<spdlog_sink>(both);
  check->log({"app", spdlog::level::info, "a"});
  BOOST_TEST(file.str() == "one \uFFFD a\ntwo \uFFFD a\n");
  BOOST_TEST(check->repaired() == 1u);
  BOOST_TEST(check->errors() == 2u);

  file.str("");
  const auto composed = std::make_shared<escaping_spdlog_sink>(std::make_shared<spdlog_sink>(one));
  one->set_formatter(with_flag("%v", ""));  // set in the sink itself: nothing checks the line now
  composed->set_formatter(with_flag("%* %v", "\xFF\n"));
  composed->log({"app", spdlog::level::info, "b"});
  BOOST_TEST(file.str() == "\uFFFD\\x0A b\n");
}

// Tabs, quotes and backslashes of the pattern stay; those of a message do not.
BOOST_AUTO_TEST_CASE(options_hold_for_the_message_and_the_name) {
  std::ostringstream file;
  printable_options o;
  o.tab = o.quote = o.backslash = o.invisible = true;
  const auto check = std::make_shared<escaping_spdlog_sink>(std::make_shared<spdlog::sinks::ostream_sink_mt>(file), o);
  spdlog::logger log("a\tb", check);
  log.set_pattern("%n\t\"%v\" \\");
  log.info("c\td\\\"\u200B\xFF\n");
  BOOST_TEST(file.str() == "a\\x09b\t\"c\\x09d\\\\\\\"\\u{200B}" + fffd + "\\x0A\" \\\n");
  BOOST_CHECK_THROW(escaping_spdlog_sink(check, o, on_error::strict), std::invalid_argument);
}

// Only a message at the end of the line may have several lines. A line feed of the name or of a flag, or of a message that
// the pattern does not put at the end, would forge a record.
BOOST_AUTO_TEST_CASE(only_the_message_may_have_several_lines_and_only_at_the_end) {
  struct row {
    std::string pattern, line;
  };
  const std::string forged = "eve\r\n[info] \ttom\xFF\r", shown = "eve\\x0D\\x0A[info] \ttom" + fffd + "\\x0D";
  const std::string text = "a\r\nb\tc\rd\n", lines = "a\r\nb\tc\\x0Dd\n", escaped = "a\\x0D\\x0Ab\tc\\x0Dd\\x0A";
  const row rows[] = {
      {"%* %v", shown + " " + lines},
      {"%n %v", shown + " " + lines},
      {"%n%*%v", shown + shown + lines},
      {"%^%*%$ %v", shown + " " + lines},
      {"%^%* %v%$", shown + " " + lines},
      {"%* %^%v%$", shown + " " + lines},
      {"%v", lines},
      {"%v%v", escaped + lines},
      {"%v %*.", escaped + " " + shown + "."},
      {"%* %v.", shown + " " + escaped + "."},
      {"%* %3!v", shown + " a\\x0D\\x0A"},
  };
  for (const row& r : rows)
    for (const bool hides_ends : {false, true}) BOOST_TEST_CONTEXT(r.pattern) {
        std::ostringstream file;
        printable_options o;
        o.line_feed = hides_ends;
        const auto check =
            std::make_shared<escaping_spdlog_sink>(std::make_shared<spdlog::sinks::ostream_sink_mt>(file), o);
        spdlog::logger log(forged, check);
        log.set_formatter(with_flag(r.pattern, forged));
        log.info(text);
        if (hides_ends) {
          BOOST_TEST(file.str().find('\n') == file.str().size() - 1);
          BOOST_TEST(file.str().find('\r') == std::string::npos);
        } else {
          BOOST_TEST(file.str() == r.line + "\n");
          file.str("");
          log.info("");  // a record without text is one line, too
          const std::string line = file.str();
          BOOST_TEST(std::count(line.begin(), line.end(), '\n') == 1);
        }
        BOOST_TEST(check->repaired() != 0u);
      }
}

BOOST_AUTO_TEST_CASE(a_pattern_of_json_gives_json_whatever_the_message_is) {
  std::ostringstream file;
  printable_options json;
  json.style = escape_style::json;
  const auto check =
      std::make_shared<escaping_spdlog_sink>(std::make_shared<spdlog::sinks::ostream_sink_mt>(file), json);
  spdlog::logger log("app", check);
  log.set_formatter(with_flag(R"({"user":"%*","text":"%v"})", "eve\x1B\n"));
  log.info("say \"hi\" \\ \r\n\t\xFF\U000E0041\u2028");
  BOOST_TEST(file.str() == R"({"user":"eve\u001B\u000A","text":"say \"hi\" \\ \u000D\u000A\u0009)" + fffd +
                               "\U000E0041" +
                               R"(\u2028"})"
                               "\n");
}

BOOST_AUTO_TEST_CASE(without_memory_for_the_check_the_other_sink_keeps_its_formatter) {
  std::ostringstream file;
  const auto next = std::make_shared<spdlog::sinks::ostream_sink_mt>(file);
  next->set_formatter(with_flag("%v%*", ""));
  std::size_t refused = 0;
  for (std::size_t n = 1, happened = 1; happened != 0; ++n) {
    failing_allocation failure(n, false);
    try {
      failure.during([&] { spdlog_sink check(next); });
    } catch (const std::bad_alloc&) {
      ++refused;
    }
    happened = failure.happened();
    file.str("");
    next->log({"app", spdlog::level::info, "a"});
    BOOST_TEST(file.str() == "a\n");
  }
  BOOST_TEST(refused != 0u);
}

/// A sink that derives from none of spdlog's.
class own_sink : public spdlog::sinks::sink {
 public:
  std::unique_ptr<spdlog::formatter> formatter;
  std::string text;
  void log(const log_msg& message) override {
    spdlog::memory_buf_t line;
    formatter->format(message, line);
    text.append(line.data(), line.size());
  }
  void flush() override {}
  void set_pattern(const std::string& pattern) override {
    formatter = std::make_unique<spdlog::pattern_formatter>(pattern);
  }
  void set_formatter(std::unique_ptr<spdlog::formatter> other) override { formatter = std::move(other); }
};

BOOST_AUTO_TEST_CASE(a_sink_that_hides_its_formatter_gets_a_checked_one) {
  const auto own = std::make_shared<own_sink>();
  const auto check = std::make_shared<spdlog_sink>(own);
  check->log({"app", spdlog::level::info, "a"});
  BOOST_TEST(own->text.find("[app] [info] a") != std::string::npos);  // spdlog's default pattern
  own->text.clear();
  check->set_formatter(with_flag("%* %v", "\xFF"));
  check->log({"app", spdlog::level::info, "b"});
  BOOST_TEST(own->text == "\uFFFD b\n");
}

BOOST_AUTO_TEST_CASE(an_error_of_the_line_has_its_place_in_the_line) {
  std::ostringstream file;
  const auto check = std::make_shared<spdlog_sink>(std::make_shared<spdlog::sinks::ostream_sink_mt>(file));
  std::vector<std::vector<std::uint64_t>> places;
  check->observe([&](const error_info& e, const log_msg&) {
    places.push_back({e.offset, e.line, e.column, e.line_offset});
  });
  check->set_formatter(with_flag("%*%^%v%$%*", "\u00E9\xFF"));
  check->log({"app", spdlog::level::info, "a\n\u20AC"});
  // The first flag: bytes 0 to 2; the message: 3 to 7, with the second line from 5 on; the second flag: 8 to 10.
  const decltype(places) expected = {{2, 1, 2, 0}, {10, 2, 3, 5}};
  BOOST_TEST((places == expected));
}

// A formatter runs while its sink has a lock. If the observer ran then, its own messages would wait for ever.
BOOST_AUTO_TEST_CASE(the_observer_may_log_about_an_error_of_the_line) {
  std::ostringstream file;
  spdlog::logger* log = nullptr;
  params p = log_params();
  p.observer = [&](const error_info& error) { log->info("byte {}", error.offset); };
  const auto check = std::make_shared<spdlog_sink>(std::make_shared<spdlog::sinks::ostream_sink_mt>(file), p);
  spdlog::logger logger("app", check);
  log = &logger;
  logger.set_formatter(with_flag("%v %*", "\xFF"));
  logger.info("a");
  BOOST_TEST(file.str() == "a \uFFFD\nbyte 2 \uFFFD\n");
  BOOST_TEST(check->errors() == 2u);
}

BOOST_AUTO_TEST_CASE(under_an_async_logger_the_observer_is_told_the_message) {
  std::ostringstream file;
  const auto check = std::make_shared<spdlog_sink>(std::make_shared<spdlog::sinks::ostream_sink_mt>(file));
  std::vector<std::string> told, logged;
  check->observe([&](const error_info& error, const log_msg& message) {
    told.emplace_back(message.payload.data(), message.payload.size());
    BOOST_TEST(error.offset == told.back().size() - 1);
  });
  auto pool = std::make_shared<spdlog::details::thread_pool>(128, 1);
  const auto logger = std::make_shared<spdlog::async_logger>("app", check, pool);
  for (int i = 0; i < 1000; ++i) logger->info(logged.emplace_back("caf " + std::to_string(i) + "\xE9"));
  pool.reset();  // waits for its thread
  BOOST_TEST(told == logged, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_line_that_needs_no_change_costs_no_allocation) {
  spdlog::memory_buf_t line;
  codec_spdlog_formatter<transcoder> formatter(with_flag("%v %*", "flag"), transcoder::validating(bom::keep));
  const log_msg message("app", spdlog::level::info, "some text");
  formatter.format(message, line);
  line.clear();
  BOOST_TEST(allocated([&] { formatter.format(message, line); }).calls == 0u);
  BOOST_TEST(std::string(line.data(), line.size()) == "some text flag\n");
}

BOOST_AUTO_TEST_CASE(without_memory_for_a_repair_a_line_ends_before_its_first_change) {
  codec_spdlog_formatter<transcoder> formatter(with_flag("%v %*", "\xFF and more"), transcoder::validating(bom::keep));
  const std::string text(300, 'a');  // more than a buffer has without memory
  const log_msg message("app", spdlog::level::info, text);
  spdlog::memory_buf_t line;
  line.reserve(1000);
  std::size_t cut = 0, whole = 0;
  for (std::size_t n = 1, happened = 1; happened != 0; ++n) {
    failing_allocation failure(n, true);
    line.clear();
    failure.during([&] { formatter.format(message, line); });
    happened = failure.happened();
    const std::string got(line.data(), line.size());
    cut += got == text + " \n";
    whole += got == text + " \uFFFD and more\n";
    if (got != text + " \n" && got != text + " \uFFFD and more\n") BOOST_ERROR(got);
  }
  // From 11.1 on, fmt takes the memory of its buffers from malloc, where this test cannot refuse it.
  const bool is_refused = allocated([] { spdlog::memory_buf_t().reserve(1000); }).calls != 0;
  BOOST_TEST((cut != 0u) == is_refused);
  BOOST_TEST(whole != 0u);
}

BOOST_AUTO_TEST_CASE(checks_compose) {
  params marked = log_params();
  marked.replacement = "?";
  const auto next = std::make_shared<recording_sink>();
  const auto inner = std::make_shared<spdlog_sink>(next);
  const auto outer = std::make_shared<spdlog_sink>(inner, marked);
  outer->log({"app", spdlog::level::info, "a\xFF"});
  BOOST_TEST(next->records.at(0).text == "a?");
  BOOST_TEST(outer->repaired() == 1u);
  BOOST_TEST(inner->repaired() == 0u);
}

BOOST_AUTO_TEST_CASE(an_exception_of_a_sink_goes_to_the_error_handler_and_the_log_goes_on) {
  log_under_test log;
  log.logger.info("1");
  log.next->fails = 2;
  BOOST_CHECK_NO_THROW(log.logger.info("2 lost \xFF"));
  BOOST_CHECK_NO_THROW(log.logger.info("3 lost"));
  BOOST_CHECK_NO_THROW(log.logger.info("4 \xFF"));
  log.logger.info("5");
  BOOST_TEST(log.texts() == (texts{"1", "4 \uFFFD", "5"}), boost::test_tools::per_element());
  BOOST_TEST(log.complaints == (texts{"the sink broke", "the sink broke"}), boost::test_tools::per_element());
  BOOST_TEST(log.check->repaired() == 2u);
}

BOOST_AUTO_TEST_CASE(a_full_disk_is_reported_to_the_error_handler) {
  spdlog::logger logger(
      "app", std::make_shared<spdlog_sink>(std::make_shared<spdlog::sinks::basic_file_sink_mt>("/dev/full")));
  texts complaints;
  logger.set_error_handler([&](const std::string& why) { complaints.push_back(why); });
  logger.flush_on(spdlog::level::trace);
  BOOST_CHECK_NO_THROW(logger.info("a\xFF"));
  BOOST_CHECK_NO_THROW(logger.info("b"));
  BOOST_TEST(complaints.size() == 2u);
}

BOOST_AUTO_TEST_CASE(a_stream_that_takes_nothing_throws_nothing_and_the_log_goes_on) {
  struct deaf_buffer : std::stringbuf {
    bool deaf = false;
    std::streamsize xsputn(const char* s, std::streamsize n) override {
      return deaf ? 0 : std::stringbuf::xsputn(s, n);
    }
  } buffer;
  std::ostream file(&buffer);
  const auto sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(file);
  spdlog::logger logger("app", std::make_shared<spdlog_sink>(sink));
  logger.set_pattern("%v");
  logger.info("1");
  buffer.deaf = true;
  BOOST_CHECK_NO_THROW(logger.info("2 lost \xFF"));
  buffer.deaf = false;
  file.clear();
  logger.info("3 \xFF");
  BOOST_TEST(buffer.str() == "1\n3 \uFFFD\n");
}

BOOST_AUTO_TEST_CASE(without_memory_for_a_repair_the_message_ends_before_its_first_error) {
  const auto next = std::make_shared<copying_sink>();
  spdlog_sink check(next);
  const std::string start = "\xEF\xBB\xBFline\n" + std::string(5000, 'x'), rest = std::string(5000, 'y');
  const std::string text = start + "\xFF" + rest;
  const log_msg message("app", spdlog::level::info, text);

  memory_is_out = true;
  const bool threw = caught<std::exception>([&] { check.log(message); }).has_value();
  memory_is_out = false;
  BOOST_TEST(!threw);
  BOOST_TEST((next->room == start));
  BOOST_TEST(check.repaired() == 1u);

  check.log(message);
  BOOST_TEST((next->room == start + fffd + rest));
}

// The message arrives repaired, or cut off before its first error. Either one allocation fails, or that allocation and
// all later ones.
BOOST_AUTO_TEST_CASE(a_message_arrives_whichever_allocation_fails) {
  const std::string start = "line " + std::string(1000, 'x'), text = start + "\xFF" + start,
                    whole = start + fffd + start;
  const log_msg bad_text("app", spdlog::level::info, text), bad_name("app\xFF", spdlog::level::info, start);
  params p = log_params();
  p.observer = [](const error_info& error) { static_cast<void>(to_string(error)); };
  tally cases;
  for (const bool stays : {false, true}) {
    bool happened = true;
    for (std::size_t n = 1; happened; ++n) {
      const auto next = std::make_shared<copying_sink>();
      spdlog_sink check(next, p);
      failing_allocation failure(n, stays);
      const auto arrives = [&](const log_msg& message) {
        try {
          failure.during([&] { check.log(message); });
          happened = failure.happened();
          return true;
        } catch (...) {
          return false;
        }
      };
      const auto is = [&](const std::string& name, const std::string& room) {
        return next->name == name && next->room == room;
      };
      const bool text_right = arrives(bad_text) && (is("app", whole) || (happened && is("app", start)));
      const bool name_right = arrives(bad_name) && (is("app\uFFFD", start) || (happened && is("app", start)));
      check.log(bad_text);
      if (cases.failed(text_right && name_right && is("app", whole)))
        BOOST_ERROR("allocation " << n << (stays ? " and on: " : ": ") << text_right << name_right << ", then "
                                  << next->room);
    }
  }
  cases.summary("each allocation of two messages");
}

//----------------------------------------------------------------------------------------------- controls, other codecs

const utfilter::control_escaper one_line(utfilter::control_escaper::line_feeds::escape);

/// The text that a sink passes on for a message.
template <class Sink, class... Arguments>
std::string passed_on(const std::string& text, const Arguments&... arguments) {
  const auto next = std::make_shared<recording_sink>();
  Sink check(next, arguments...);
  check.log({"app", spdlog::level::info, text});
  return next->records.at(0).text;
}

/// A codec that passes all bytes on, and adds a full stop at the end of the text.
struct full_stop : utfilter::codec_base {
  static constexpr std::size_t min_output = 4;
  codec_progress transform(const char* in, std::size_t size, char* out, std::size_t room, bool last) noexcept {
    const std::size_t n = std::min(size, room);
    if (n != 0) std::memcpy(out, in, n);
    position_.offset += n;
    if (n < size || (last && n == room)) return {n, n, codec_status::need_output};
    if (!last) return {n, n, codec_status::need_input};
    out[n] = '.';
    return {n, n + 1, codec_status::done};
  }
};

/// A codec that changes each \u00E9 to \u00E8, byte by byte.
struct grave : utfilter::codec_base {
  static constexpr std::size_t min_output = 4;
  codec_progress transform(const char* in, std::size_t size, char* out, std::size_t room, bool last) noexcept {
    const std::size_t n = std::min(size, room);
    std::replace_copy(in, in + n, out, '\xA9', '\xA8');
    position_.offset += n;
    if (n < size) return {n, n, codec_status::need_output};
    return {n, n, last ? codec_status::done : codec_status::need_input};
  }
};

/// A codec that leaves out the first semicolon and all text after it.
struct before_semicolon : utfilter::codec_base {
  static constexpr std::size_t min_output = 4;
  codec_progress transform(const char* in, std::size_t size, char* out, std::size_t room, bool last) noexcept {
    for (std::size_t n = 0; n < size; ++n) {
      if (in[n] == ';') return {n, n, codec_status::done};
      if (n == room) return {n, n, codec_status::need_output};
      out[n] = in[n];
      ++position_.offset;
    }
    return {size, size, last ? codec_status::done : codec_status::need_input};
  }
};

BOOST_AUTO_TEST_CASE(a_message_cannot_forge_a_record_or_control_a_terminal) {
  const std::string forged = "guest\n[info] root logged in \x1B[2J\xE2\x80\xAE\xFF";
  const std::string shown = "guest\\x0A[info] root logged in \\x1B[2J\\u{202E}";
  BOOST_TEST(passed_on<escaping_spdlog_sink>(forged) == shown + fffd);
  BOOST_TEST(passed_on<escaping_spdlog_sink>(forged, on_error::escape) == shown + "\\xFF");
  BOOST_TEST(passed_on<escaping_spdlog_sink>(std::string("a\0b", 3)) == "a\\x00b");

  const auto next = std::make_shared<recording_sink>();
  escaping_spdlog_sink check(next);
  check.log({"app\n", spdlog::level::info, forged});
  check.log({"app", spdlog::level::info, "tab\tand \xE2\x82\xAC"});
  check.log({"app", spdlog::level::info, "\r\n"});
  BOOST_TEST(next->records.at(0).name == "app\\x0A");
  BOOST_TEST(next->records.at(1).text == "tab\tand \xE2\x82\xAC");
  BOOST_TEST(next->records.at(2).text == "\\x0D\\x0A");
  BOOST_TEST(check.repaired() == 2u);
  BOOST_TEST(check.errors() == 1u);

  BOOST_CHECK_THROW(escaping_spdlog_sink(next, on_error::strict), std::invalid_argument);
  BOOST_CHECK_THROW(escaping_spdlog_sink(next, on_error::keep), std::invalid_argument);
  BOOST_CHECK_THROW(escaping_spdlog_sink(nullptr), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(messages_without_controls_are_not_touched_and_cost_no_allocation) {
  const auto next = std::make_shared<recording_sink>();
  escaping_spdlog_sink check(next);
  next->keeps = false;
  for (const std::size_t size : {0u, 1u, 7u, 250u, 511u, 512u, 513u, 5000u}) {
    std::string text;
    for (std::size_t i = 0; text.size() < size; ++i) text += i % 7 == 0 ? "\xE2\x82\xAC" : "x";
    const log_msg message("app", spdlog::level::info, text);
    const auto logging = allocated([&] { check.log(message); });
    BOOST_TEST(logging.calls == 0u);
    BOOST_TEST(next->last == &message);
  }
  BOOST_TEST(check.repaired() == 0u);
}

BOOST_AUTO_TEST_CASE(the_first_change_is_found_at_every_place) {
  for (std::size_t size = 0; size < 1200; ++size) {
    const std::string good(size, 'x');
    BOOST_TEST((detail::first_change(one_line, good) == std::nullopt));
    for (const char* const changed : {"\n", "\x1B", "\xC2\x85", "\xE2\x80\xAE", "\xFF", "\xE2\x82", "\r"}) {
      if (detail::first_change(one_line, good + changed) != size ||
          detail::first_change(one_line, good + changed + "yz") != size)
        BOOST_ERROR("the first change after " << size << " bytes is not found");
    }
  }
}

BOOST_AUTO_TEST_CASE(a_codec_may_append_and_leave_out) {
  for (const std::size_t size : {0u, 1u, 511u, 512u, 513u, 2000u}) {
    const std::string text(size, 'x');
    BOOST_TEST(passed_on<codec_spdlog_sink<full_stop>>(text, full_stop()) == text + '.');
    BOOST_TEST(passed_on<codec_spdlog_sink<before_semicolon>>(text, before_semicolon()) == text);
    BOOST_TEST(passed_on<codec_spdlog_sink<before_semicolon>>(text + ";y", before_semicolon()) == text);
    BOOST_TEST(passed_on<codec_spdlog_sink<before_semicolon>>(text + ";", before_semicolon()) == text);
  }
}

BOOST_AUTO_TEST_CASE(a_change_inside_a_character_changes_the_whole_character) {
  BOOST_TEST(passed_on<codec_spdlog_sink<grave>>("caf\xC3\xA9", grave()) == "caf\xC3\xA8");
  BOOST_TEST((detail::first_change(grave(), "caf\xC3\xA9") == 3u));
}

BOOST_AUTO_TEST_CASE(without_memory_a_message_ends_before_its_first_control) {
  const auto next = std::make_shared<copying_sink>();
  escaping_spdlog_sink check(next);
  const std::string start = std::string(5000, 'x') + "\xE2\x82\xAC", text = start + "\n" + start;
  const log_msg message("app", spdlog::level::info, text);
  memory_is_out = true;
  check.log(message);
  memory_is_out = false;
  BOOST_TEST((next->room == start));
  check.log(message);
  BOOST_TEST((next->room == start + "\\x0A" + start));
}

//-------------------------------------------------------------------------------------------------------------- threads

BOOST_AUTO_TEST_CASE(several_threads_log_at_the_same_time_and_everything_is_counted) {
  const devices::watchdog guard("threads that log");
  log_under_test log;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&log] {
      for (int i = 0; i < 500; ++i) log.logger.info(i % 2 == 0 ? std::string(1000, '\xFF') : "ok");
    });
  for (std::thread& thread : threads) thread.join();
  std::string repaired;
  for (int i = 0; i < 1000; ++i) repaired += fffd;
  std::size_t arrived_repaired = 0, arrived_well = 0;
  for (const std::string& text : log.texts()) {
    arrived_repaired += text == repaired;
    arrived_well += text == "ok";
  }
  BOOST_TEST(arrived_repaired == 1000u);
  BOOST_TEST(arrived_well == 1000u);
  BOOST_TEST(log.check->repaired() == 1000u);
  BOOST_TEST(log.check->errors() == 1'000'000u);
}

}  // namespace
