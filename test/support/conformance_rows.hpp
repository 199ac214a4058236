// conformance_rows.hpp: reads the tables of test/data, row by row.
#ifndef UTFILTER_TEST_CONFORMANCE_ROWS_HPP
#define UTFILTER_TEST_CONFORMANCE_ROWS_HPP

#include "support/conformance.hpp"
#include "support/paths.hpp"

#include <boost/property_tree/json_parser.hpp>
#include <boost/property_tree/ptree.hpp>
#include <boost/test/unit_test.hpp>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace conformance {

using tree = boost::property_tree::ptree;

inline std::vector<tree> rows_of(const std::string& file) {
  std::vector<tree> rows;
  std::ifstream in(paths::source("test/data/" + file));
  for (std::string line; std::getline(in, line);) {
    std::istringstream text(line);
    read_json(text, rows.emplace_back());
  }
  BOOST_REQUIRE_MESSAGE(!rows.empty(), file << " cannot be read");
  return rows;
}

inline setup setup_of(const tree& row) {
  const bool decoding = row.count("from") != 0;
  setup s{decoding ? filter_kind::decoder : filter_kind::encoder,
          encoding_named(row.get<std::string>(decoding ? "from" : "to")),
          {}};
  s.params.bom = named<bom>(row.get<std::string>("bom"), bom_names);
  s.params.on_error = named<on_error>(row.get<std::string>("on_error"), on_error_names);
  return s;
}

}  // namespace conformance

#endif
