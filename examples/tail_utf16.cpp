// tail_utf16.cpp: follows a log in UTF-16, as tail -F does, and logs its lines with spdlog, as UTF-8.
//
//   tail_utf16 LOG FILE     appends the lines of LOG to FILE, until SIGINT or SIGTERM
//
// A byte order mark decides the byte order of LOG; without one it is little-endian. Ill-formed text is replaced and
// counted. LOG may be renamed, replaced, truncated, rewritten, or not exist yet.
#include <utfilter/follow_streambuf.hpp>
#include <utfilter/line_reader.hpp>

#include <spdlog/logger.h>
#include <spdlog/sinks/basic_file_sink.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <exception>
#include <iostream>
#include <memory>

namespace {

std::atomic<utfilter::follow_streambuf*> followed{nullptr};
extern "C" void stop(int) { followed.load()->stop(); }

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) {
    std::cerr << "usage: tail_utf16 LOG FILE\n";
    return 2;
  }
  spdlog::logger log("tail", std::make_shared<spdlog::sinks::basic_file_sink_st>(argv[2]));
  log.set_pattern("[%l] %v");
  log.flush_on(spdlog::level::info);  // a line is in the file before the next one comes

  utfilter::follow_options options;
  options.observer = [&](utfilter::file_end why) {
    if (why == utfilter::file_end::truncated) log.warn("{} was truncated", argv[1]);
    if (why == utfilter::file_end::rewritten) log.warn("{} was rewritten, and is read again", argv[1]);
  };
  utfilter::follow_streambuf file(argv[1], options);
  followed = &file;
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, stop);

  utfilter::params p = utfilter::log_params();
  p.fallback = utfilter::encoding::utf16le;
  std::uint64_t lines = 0, errors = 0;
  do {
    utfilter::line_reader text(file, p);
    for (; text.next(); ++lines) log.info(text.text());
    errors += text.report().errors;
  } while (file.next_file());
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
  std::cout << lines << " lines, " << errors << " errors\n";
} catch (const std::exception& error) {
  std::cerr << "tail_utf16: " << error.what() << '\n';
  return 1;
}
