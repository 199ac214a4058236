// logging_boost.cpp: Boost.Log whose text is always UTF-8: on standard error, and in gzipped files that rotate.
//
//   logging_boost PREFIX [BYTES]     logs each line of standard input to PREFIX.1.gz, PREFIX.2.gz, ...; each file ends with the
//                                    record that brings it to BYTES bytes of text (default 1000000), and is a complete archive
#include <utfilter/utf8_validator.hpp>

#include <boost/iostreams/device/file_descriptor.hpp>
#include <boost/iostreams/filter/gzip.hpp>
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
#include <filesystem>
#include <ios>
#include <iostream>
#include <optional>
#include <string>
#include <utility>

namespace io      = boost::iostreams;
namespace logging = boost::log;
namespace expr    = boost::log::expressions;

namespace {

/// A device for the end of a log's chain, which is flushed after each record. It never fails, as an error would stick in the
/// chain before it and every later record be lost: what cannot be written is told on standard error, and a new file begun. The
/// compressor holds some kilobytes back until a file is closed; a program that crashes loses them.
class rotating_gzip_files {
 public:
  using char_type = char;
  struct category : io::sink_tag, io::flushable_tag, io::closable_tag {};

  rotating_gzip_files(std::string prefix, std::size_t limit) : prefix_(std::move(prefix)), limit_(limit) {}

  std::streamsize write(const char* s, std::streamsize n) {
    attempt([&] {
      if (!file_) open();
      size_ += static_cast<std::size_t>(n);
      if (file_->write(s, n)) return;
      file_->reset();  // throws the reason, if it is still there
      throw std::ios_base::failure("a write failed");
    });
    return n;
  }
  bool flush() {
    if (size_ >= limit_) close();
    return true;
  }
  void close() {
    attempt([&] {
      if (file_) file_->reset();
    });
    forget();
  }

 private:
  void open() {
    std::string name;
    do name = prefix_ + '.' + std::to_string(++number_) + ".gz";
    while (std::filesystem::exists(name));
    const io::file_descriptor_sink file(name);
    file_.emplace();
    file_->push(io::gzip_compressor());
    file_->push(file, 0);  // without a buffer, in which the end of an archive would fail unseen
  }
  void forget() noexcept {
    file_.reset();
    size_ = 0;
  }

  template <class Action>
  void attempt(Action action) {
    try {
      action();
    } catch (const std::exception& error) {
      std::cerr << "logging_boost: records are lost: " << error.what() << '\n';
      forget();
    }
  }

  std::string                          prefix_;
  std::size_t                          limit_;       // bytes of text
  std::size_t                          size_   = 0;  // of this file
  std::size_t                          number_ = 0;
  std::optional<io::filtering_ostream> file_;
};

/// Records go through the check to the device, one line each. Where a device fails that is less patient than the one above, the
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
} catch (const std::exception& error) {
  return std::cerr << "logging_boost: " << error.what() << '\n', 1;
}
