// logging_boost.cpp: Boost.Log whose text is always UTF-8, on standard error and in gzipped files that rotate.
//
//   logging_boost PREFIX [BYTES]    logs each line of standard input to PREFIX.1.gz, PREFIX.2.gz, ...; each file is a
//                                   complete archive, and ends with the record that brings it to BYTES bytes of text
//                                   (default 1000000)
#include "rotating_gzip_files.hpp"

#include <utfilter/utf8_validator.hpp>

#include <boost/iostreams/device/file_descriptor.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <boost/log/core.hpp>
#include <boost/log/expressions.hpp>
#include <boost/log/sinks/sync_frontend.hpp>
#include <boost/log/sinks/text_ostream_backend.hpp>
#include <boost/log/trivial.hpp>
#include <boost/make_shared.hpp>
#include <boost/ref.hpp>

#include <charconv>
#include <cstddef>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <system_error>

namespace io = boost::iostreams;
namespace logging = boost::log;
namespace expr = boost::log::expressions;

namespace {

/// Adds a sink to Boost.Log: each record goes through the check to the device, as one line.
///
/// If a device fails, the backend skips its stream from then on. (rotating_gzip_files never fails.) To go on when the
/// device works again, call resume() of the check and clear() of the stream, while the sink's locked_backend() is held.
/// Nothing is thrown into the program, unless the stream has exceptions() and the sink has no exception handler.
///
/// Boost.Log, spdlog and glog use locks. A child process that is forked while another thread logs may wait for ever
/// when it logs.
template <class Device>
utfilter::utf8_validator log_to(const Device& device) {
  const utfilter::utf8_validator check(utfilter::log_params());
  const auto out = boost::make_shared<io::filtering_ostream>();
  out->push(check);
  out->push(device);
  const auto backend = boost::make_shared<logging::sinks::text_ostream_backend>();
  backend->add_stream(out);
  backend->auto_flush();
  const auto sink = boost::make_shared<logging::sinks::synchronous_sink<logging::sinks::text_ostream_backend>>(backend);
  sink->set_formatter(expr::stream << '[' << logging::trivial::severity << "] " << expr::smessage);
  logging::core::get()->add_sink(sink);
  return check;
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string_view digits = argc > 2 ? argv[2] : "1000000";
  std::size_t bytes = 0;
  const auto number = std::from_chars(digits.data(), digits.data() + digits.size(), bytes);
  if (argc < 2 || argc > 3 || number.ec != std::errc() || number.ptr != digits.data() + digits.size() || bytes == 0) {
    std::cerr << "usage: logging_boost PREFIX [BYTES]      BYTES is a number from 1 on\n";
    return 2;
  }
  log_to(io::file_descriptor_sink(2, io::never_close_handle));
  rotating_gzip_files files(argv[1], bytes);
  const auto check = log_to(boost::ref(files));

  for (std::string line; std::getline(std::cin, line);) BOOST_LOG_TRIVIAL(info) << line;

  logging::core::get()->remove_all_sinks();  // closes the last file, too
  std::cout << check.report().lines << " lines, " << check.report().errors << " repairs\n";
  return files.lost() == 0 ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << "logging_boost: " << error.what() << '\n';
  return 1;
}
