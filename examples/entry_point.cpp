// entry_point: checks text where it enters the program, logs each error with its place, then refuses or repairs the
// text.
//
//   entry_point [--replace] [REQUEST...]      without a REQUEST, each line of standard input is a request
#include <utfilter/text.hpp>
#include <utfilter/utf8_validator.hpp>

#include <boost/iostreams/compose.hpp>
#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/device/back_inserter.hpp>

#include <iostream>
#include <string>
#include <string_view>
#include <vector>

namespace io = boost::iostreams;

namespace {

struct response {
  int status;
  std::string body;
};

/// The purpose of the program. All code after the entry point may rely on well-formed UTF-8. In debug builds the macro
/// checks that.
response greet(std::string_view name) {
  UTFILTER_ASSERT_UTF8(name);
  return {200, "Hello, " + std::string(name) + '!'};
}

/// The entry point. Nearly all requests are well-formed: for these the bytes are read once and not copied.
response handle_request(std::string_view request, utfilter::on_error policy) {
  if (utfilter::is_utf8(request)) return greet(request);

  utfilter::params p;
  p.on_error = policy;
  p.observer = [](const utfilter::error_info& error) {
    std::clog << "request: column " << error.column << " (byte " << error.offset << "): " << error.message() << '\n';
  };
  std::string repaired;
  try {
    io::copy(io::compose(utfilter::utf8_validator(p), io::array_source(request.data(), request.size())),
             io::back_inserter(repaired));
  } catch (const utfilter::utf_error& error) {
    return {400, "The request is not UTF-8: " + std::string(error.what())};
  }
  return greet(repaired);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> requests(argv + 1, argv + argc);
  auto policy = utfilter::on_error::strict;
  if (!requests.empty() && requests.front() == "--replace") {
    policy = utfilter::on_error::replace;
    requests.erase(requests.begin());
  }
  if (requests.empty())
    for (std::string line; std::getline(std::cin, line);) requests.push_back(line);

  bool refused = false;
  for (const std::string& request : requests) {
    const response r = handle_request(request, policy);
    std::cout << r.status << ' ' << r.body << '\n';
    refused = refused || r.status != 200;
  }
  return refused ? 1 : 0;
}
