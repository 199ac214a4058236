// logging_boost.cpp: Boost.Log whose text is always UTF-8: on standard error, and in gzipped files that rotate.
//
//   logging_boost PREFIX [BYTES]     logs each line of standard input to PREFIX.1.gz, PREFIX.2.gz, ...; each file ends with the
//                                    record that brings it to BYTES bytes of text (default 1000000), and is a complete archive
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

#include <cstddef>
#include <exception>
#include <iostream>
#include <string>

namespace io      = boost::iostreams;
namespace logging = boost::log;
namespace expr    = boost::log::expressions;

namespace {

/// Records go through the check to the device, one line each. Where a device fails that is less patient than rotating_gzip_files, the
/// backend skips its stream from then on, and clear() does not help, since errors stick in the chain: through the sink's
/// locked_backend(), remove_stream() it, make a new chain, and add_stream() that. Nothing is thrown into the program, unless
/// the stream has exceptions() and the sink no exception handler.
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
  if (argc < 2 || argc > 3) return std::cerr << "usage: logging_boost PREFIX [BYTES]\n", 2;
  log_to(io::file_descriptor_sink(2, io::never_close_handle));
  rotating_gzip_files files(argv[1], argc > 2 ? std::stoul(argv[2]) : 1'000'000);
  const auto check = log_to(boost::ref(files));

  for (std::string line; std::getline(std::cin, line);) BOOST_LOG_TRIVIAL(info) << line;

  logging::core::get()->remove_all_sinks();  // closes the last file, too
  std::cout << check.report().lines << " lines, " << check.report().errors << " repairs\n";
  return files.lost() == 0 ? 0 : 1;
} catch (const std::exception& error) {
  return std::cerr << "logging_boost: " << error.what() << '\n', 1;
}
