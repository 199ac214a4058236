// threads_test.cpp: many threads at once choose the kernels for the first time, and use filters, codecs and functions.
// Each thread has its own objects; the threads share only constant ones. It is an ordinary test, too, but is meant for
// the thread sanitizer (test/sanitize thread).
// build: portable posix kernels
#define BOOST_TEST_MODULE threads
#include "support/conformance_vocabulary.hpp"
#include "support/texts.hpp"

#include "kernels/kernels.hpp"

#include <utfilter/decoder.hpp>
#include <utfilter/fstream.hpp>
#include <utfilter/text.hpp>
#include <utfilter/utfilter.hpp>

#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstddef>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace io = boost::iostreams;
using namespace utfilter;
using utfilter::detail::kernel_table;

namespace {

constexpr std::size_t thread_count = 8;

/// Runs the action in many threads, which begin together. Returns the result of each.
template <class Action>
auto in_threads(Action action) {
  std::vector<decltype(action())> results(thread_count);
  std::atomic<std::size_t> waiting{thread_count};
  std::vector<std::thread> threads;
  for (auto& result : results)
    threads.emplace_back([&] {
      --waiting;
      while (waiting != 0) std::this_thread::yield();
      result = action();
    });
  for (std::thread& one : threads) one.join();
  return results;
}

/// Checks that each thread gets the same result as one thread alone, and prints how many did not.
template <class Action>
void check(const char* what, std::size_t rounds, Action action) {
  const std::string alone = action();
  std::size_t failed = 0;
  for (std::size_t round = 0; round < rounds; ++round)
    for (const std::string& got : in_threads(action)) failed += got != alone;
  BOOST_TEST(failed == 0u, what);
  std::cout << what << ": " << rounds * thread_count << " cases, " << failed << " failed\n";
}

const texts::text32 all_characters = [] {
  texts::text32 all = U"\uFEFF";
  for (std::size_t i = 0; i < 40; ++i) all += texts::text32(i, U'a') + U"\n\u00E9\u20AC\U0001F600";
  return all;
}();

/// A text with one error in the middle and one at the end.
const std::string damaged = texts::utf8(all_characters) + '\xFF' + texts::utf8(all_characters) + "\xE2\x82";

std::string to_text(const stream_report& r) {
  std::ostringstream text;
  text << encoding_name(r.encoding) << r.bom << ' ' << r.bytes_in << ' ' << r.bytes_out << ' ' << r.lines << ' '
       << r.errors;
  if (r.last_error) text << to_string(*r.last_error);
  return text.str();
}

}  // namespace

// This test comes first, when no kernels have been chosen yet. It repeats the choice often, because races are rare.
BOOST_AUTO_TEST_CASE(all_threads_choose_the_same_kernels) {
  std::size_t failed = 0;
  for (std::size_t round = 0; round < 500; ++round) {
    utfilter::detail::chosen_kernels = nullptr;
    const auto tables = in_threads([] { return &utfilter::detail::kernels(); });
    for (const kernel_table* table : tables) failed += table == nullptr || table != &utfilter::detail::kernels();
  }
  BOOST_TEST(failed == 0u);
  std::cout << "first choices of the kernels: " << 500 * thread_count << " cases, " << failed << " failed\n";
}

BOOST_AUTO_TEST_CASE(the_functions_of_text_hpp_do_not_disturb_each_other) {
  check("text.hpp", 20, [] {
    std::string all = to_string(*find_error(damaged)) + std::to_string(complete_prefix(damaged)) +
                      (is_utf8(damaged) ? "good" : "bad");
    for (const on_error policy : {on_error::replace, on_error::skip, on_error::escape, on_error::windows1252})
      all += sanitize(damaged, policy);
    return all;
  });
}

BOOST_AUTO_TEST_CASE(names_of_encodings_and_messages_of_errors_are_the_same_in_every_thread) {
  check("names and messages", 20, [] {
    std::string all;
    for (const char* const name : {"UTF-8", "cp819", "utf-16le", "csUTF32", "none of these"}) {
      const auto known = encoding_from_name(name);
      all += known ? encoding_name(*known) : "?";
    }
    for (int code = 1; code <= static_cast<int>(errc::unassigned); ++code) {
      const std::error_code e = static_cast<errc>(code);
      all += e.message() + e.category().name() + (e == std::errc::illegal_byte_sequence ? "=" : "!");
    }
    return all;
  });
}

// All threads copy the same codec and params. Each has its own conversion.
BOOST_AUTO_TEST_CASE(conversions_made_from_shared_params_do_not_disturb_each_other) {
  const transcoder prototype = transcoder::decoding(encoding::detect, bom::automatic);
  const params shared = [] {
    params p = log_params();
    p.replacement = "a replacement that no string keeps in itself";
    p.observer = [](const error_info&) {};
    return p;
  }();
  check("conversions", 20, [&] {
    std::string all;
    for (const auto encode : {texts::utf8, texts::utf16le, texts::utf16be, texts::utf32le, texts::utf32be}) {
      const std::string input = encode(all_characters);
      conversion<transcoder> converter(prototype, shared);
      converter.begin(conversion<transcoder>::direction::reading);
      std::string out(4 * input.size() + 64, '\0');
      out.resize(converter.convert(input.data(), input.size(), out.data(), out.size(), true).produced);
      all += out + to_text(converter.report());
    }
    return all;
  });
}

BOOST_AUTO_TEST_CASE(chains_that_read_do_not_disturb_each_other) {
  check("chains that read", 20, [] {
    std::string all;
    for (const encoding from : {encoding::utf8, encoding::cesu8, encoding::windows1252, encoding::utf16le,
                                encoding::utf32be, encoding::gb18030, encoding::iso_2022_jp}) {
      to_utf8 decode(from, on_error::replace);
      io::filtering_istream in;
      in.push(escape_controls(log_params()), 100);
      in.push(decode);
      in.push(io::array_source(damaged.data(), damaged.size()), 64);
      all.append(std::istreambuf_iterator<char>(in), {});
      all += to_text(decode.report());
    }
    return all;
  });
}

BOOST_AUTO_TEST_CASE(chains_that_write_do_not_disturb_each_other) {
  check("chains that write", 20, [] {
    std::string all;
    for (const encoding to : {encoding::utf8, encoding::cesu8, encoding::latin1, encoding::utf16, encoding::utf32le,
                              encoding::gb18030, encoding::iso_2022_jp}) {
      from_utf8 encode(to, on_error::escape);
      io::filtering_ostream out;
      out.push(encode);
      out.push(io::back_inserter(all), 64);
      for (const char c : damaged) out.put(c);
      out.reset();
      all += to_text(encode.report());
    }
    return all;
  });
}

BOOST_AUTO_TEST_CASE(streams_over_standard_streams_do_not_disturb_each_other) {
  check("standard streams", 20, [] {
    std::istringstream file(damaged);
    std::ostringstream copy;
    utfilter::istream in(file, on_error::replace);
    utfilter::ostream out(copy, encoding::utf16le);
    out << in.rdbuf();
    out.close();
    return copy.str() + to_text(in.report()) + to_text(out.report());
  });
}

// A chain is for one thread at a time, but that need not be the same thread each time.
BOOST_AUTO_TEST_CASE(a_chain_can_go_from_thread_to_thread) {
  utf8_validator check(on_error::replace);
  io::filtering_istream in;
  in.push(check);
  in.push(io::array_source(damaged.data(), damaged.size()), 64);
  std::string text;
  while (in.good()) {
    std::thread([&] {
      for (int i = 0; i < 500 && in.peek() != EOF; ++i) text += static_cast<char>(in.get());
    }).join();
  }
  BOOST_TEST(text == sanitize(damaged));
  BOOST_TEST(check.report().errors == 2u);
  std::cout << "a chain in several threads: 1 cases, " << (text != sanitize(damaged)) << " failed\n";
}
