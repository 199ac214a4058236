// logging_spdlog.cpp: spdlog into rotating files whose text is always UTF-8.
//
//   logging_spdlog FILE     logs each line of standard input
//
// If the file cannot be written, spdlog reports that on standard error. Its sinks use locks: a child process that is
// forked while another thread logs may wait for ever when it logs.
#include <utfilter/spdlog_sink.hpp>

#include <spdlog/logger.h>
#include <spdlog/sinks/rotating_file_sink.h>

#include <cstdint>
#include <exception>
#include <iostream>
#include <memory>
#include <string>

int main(int argc, char** argv) try {
  if (argc != 2) {
    std::cerr << "usage: logging_spdlog FILE\n";
    return 2;
  }

  std::uint64_t record = 1;
  utfilter::params p = utfilter::log_params();
  p.observer = [&](const utfilter::error_info& e) {
    std::clog << "record " << record << ", byte " << e.offset << ": " << e.message() << '\n';
  };
  const auto file = std::make_shared<spdlog::sinks::rotating_file_sink_mt>(argv[1], 1'000'000, 3);
  const auto check = std::make_shared<utfilter::spdlog_sink>(file, p);
  spdlog::logger log("app", check);
  log.set_pattern("[%l] %v");

  for (std::string line; std::getline(std::cin, line); ++record) log.info(line);

  log.flush();
  std::cout << check->repaired() << " records repaired, " << check->errors() << " errors\n";
} catch (const std::exception& error) {
  std::cerr << "logging_spdlog: " << error.what() << '\n';
  return 1;
}
