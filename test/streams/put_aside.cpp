// put_aside.cpp: put_aside FORMAT NAME LIMIT: reads UTF-8 from standard input, named NAME, and writes the lines that are
// ill-formed or longer than LIMIT bytes to standard output in the format. For rejects_test.py.
#include <utfilter/utfilter.hpp>

#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/device/null.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <exception>
#include <iostream>
#include <string>
#include <string_view>

int main(int argc, char** argv) {
  try {
    if (argc != 4) return 2;
    const std::string_view name = argv[1];
    const auto format = name == "csv"     ? utfilter::reject_format::csv
                        : name == "jsonl" ? utfilter::reject_format::jsonl
                                          : utfilter::reject_format::text;
    utfilter::line_rules rules;
    rules.policy = utfilter::line_policy::put_aside;
    rules.limit = std::stoul(argv[3]);
    rules.sink = utfilter::rejects(std::cout, format, argv[2]);
    boost::iostreams::filtering_istream in;
    in.push(utfilter::to_utf8_lines(utfilter::encoding::utf8, rules));
    in.push(utfilter::stream_source(std::cin));
    in.exceptions(std::ios::badbit);
    boost::iostreams::copy(in, boost::iostreams::null_sink());
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
