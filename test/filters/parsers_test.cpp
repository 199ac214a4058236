// parsers_test.cpp: unmodified parsers (nlohmann-json, pugixml, yaml-cpp, RapidJSON, toml++ and Boost.PropertyTree)
// read every encoding through the streams and chains of this library. The tests also show how each parser reports
// ill-formed text to its user.
// build: long needs:PkgConfig::PARSERS option:-fno-sanitize=pointer-overflow cost:24
#define BOOST_TEST_MODULE parsers
#define BOOST_BIND_GLOBAL_PLACEHOLDERS
#include "support/files.hpp"
#include "support/gzipped.hpp"
#include "support/texts.hpp"

#include <utfilter/fstream.hpp>
#include <utfilter/stream.hpp>
#include <utfilter/to_utf8.hpp>

#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/device/file.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <boost/property_tree/ini_parser.hpp>
#include <boost/property_tree/json_parser.hpp>
#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <rapidjson/document.h>
#include <rapidjson/error/en.h>
#include <rapidjson/istreamwrapper.h>
#include <toml++/toml.h>
#include <yaml-cpp/yaml.h>

#include <unistd.h>

#include <cstddef>
#include <exception>
#include <fstream>
#include <functional>
#include <ios>
#include <istream>
#include <iterator>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace io = boost::iostreams;
namespace pt = boost::property_tree;
using namespace utfilter;
using namespace std::string_literals;
using texts::repeated;

/// For the address sanitizer: yaml-cpp 0.7 leaks 2048 bytes if the first read throws.
extern "C" const char* __lsan_default_suppressions() { return "leak:libyaml-cpp"; }

namespace {

//------------------------------------------------------------------------------------------------------------ documents
// The same four entries in each grammar: names and values inside and outside the BMP, an escaped value and a long
// value.

using entries = std::map<std::string, std::string>;
using text32 = std::u32string;
using grammar = text32 (*)(const text32& long_value);

text32 json_text(const text32& v) {
  return U"{\"ключ\": \"€ 100\", \"🔑\": \"𝄞😀\",\n \"escaped\": \"\\u00e9\\uD83D\\uDE00\", \"long\": \"" + v + U"\"}\n";
}
text32 xml_text(const text32& v) {
  return U"<?xml version=\"1.0\" encoding=\"UTF-16\"?>\n<данные ключ=\"€ 100\"><🔑>𝄞😀</🔑>"
         U"<escaped>&#xE9;&#x1F600;</escaped><long>" +
         v + U"</long></данные>\n";
}
text32 yaml_text(const text32& v) {
  return U"ключ: € 100\n\"🔑\": 𝄞😀\nescaped: \"\\u00e9\\U0001F600\"\nlong: \"" + v + U"\"\n";
}
text32 toml_text(const text32& v) {
  return U"\"ключ\" = \"€ 100\"\n\"🔑\" = \"𝄞😀\"\nescaped = \"\\u00e9\\U0001F600\"\nlong = \"" + v + U"\"\n";
}
text32 ini_text(const text32& v) {  // this grammar has no escapes
  return U"[данные]\nключ = € 100\n🔑 = 𝄞😀\nescaped = é😀\nlong = " + v + U"\n";
}

entries expected(const std::string& long_value) {
  return {{"\xD0\xBA\xD0\xBB\xD1\x8E\xD1\x87", "\xE2\x82\xAC 100"},
          {"\xF0\x9F\x94\x91", "\xF0\x9D\x84\x9E\xF0\x9F\x98\x80"},
          {"escaped", "\xC3\xA9\xF0\x9F\x98\x80"},
          {"long", long_value}};
}

// 200 kB: longer than any buffer between file and parser.
const text32 long_value = repeated(U"xä€😀", 20'000);
const std::string long_value_bytes = repeated("x\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80"s, 20'000);

//-------------------------------------------------------------------------------------------------------------- parsers
// Each parser is called as its users call it. If a parser returns a status, the code here throws the description of an
// error.

struct parser {
  const char* name;
  grammar document;
  entries (*parse)(std::istream&);
  bool asks_for_positions = false;  // calls tellg, which fails on a chain
  bool needs_positions = false;     // reads nothing without them
};

entries from_json(const nlohmann::json& document) { return document.get<entries>(); }

/// Gathers the strings of one object.
struct gatherer : nlohmann::json_sax<nlohmann::json> {
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t& value) override {
    found[name] = value;
    return true;
  }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t& value) override {
    name = value;
    return true;
  }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& why) override {
    throw std::runtime_error(why.what());
  }

  entries found;
  std::string name;
};

const parser nlohmann_parse{"json::parse(in)", json_text,
                            [](std::istream& in) { return from_json(nlohmann::json::parse(in)); }};
const parser nlohmann_iterators{
    "json::parse(istreambuf_iterator)", json_text, [](std::istream& in) {
      return from_json(nlohmann::json::parse(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()));
    }};
const parser nlohmann_discarding{"json::parse(in, nullptr, false)", json_text, [](std::istream& in) {
                                   const nlohmann::json document = nlohmann::json::parse(in, nullptr, false);
                                   if (document.is_discarded()) throw std::runtime_error("discarded");
                                   return from_json(document);
                                 }};
const parser nlohmann_sax{"json::sax_parse(in)", json_text, [](std::istream& in) {
                            gatherer handler;
                            nlohmann::json::sax_parse(in, &handler);
                            return handler.found;
                          }};
const parser nlohmann_extraction{"in >> json", json_text, [](std::istream& in) {
                                   nlohmann::json document;
                                   in >> document;
                                   return from_json(document);
                                 }};

entries load_xml(std::istream& in, pugi::xml_encoding encoding) {
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load(in, pugi::parse_default, encoding);
  if (!result) throw std::runtime_error(result.description());
  entries found;
  for (const auto& attribute : document.document_element().attributes()) found[attribute.name()] = attribute.value();
  for (const auto& child : document.document_element().children()) found[child.name()] = child.text().get();
  return found;
}
const parser pugixml_utf8{"xml_document::load(in, parse_default, encoding_utf8)", xml_text,
                          [](std::istream& in) { return load_xml(in, pugi::encoding_utf8); }, true};
const parser pugixml_auto{"xml_document::load(in)", xml_text,
                          [](std::istream& in) { return load_xml(in, pugi::encoding_auto); }, true};

const parser yaml_load{"YAML::Load(in)", yaml_text, [](std::istream& in) { return YAML::Load(in).as<entries>(); }};
const parser yaml_load_all{"YAML::LoadAll(in)", yaml_text,
                           [](std::istream& in) { return YAML::LoadAll(in).at(0).as<entries>(); }};

const parser rapidjson_parse{"rapidjson::Document::ParseStream", json_text, [](std::istream& in) {
                               rapidjson::IStreamWrapper wrapper(in);
                               rapidjson::Document document;
                               document.ParseStream(wrapper);
                               if (document.HasParseError())
                                 throw std::runtime_error(rapidjson::GetParseError_En(document.GetParseError()));
                               entries found;
                               for (const auto& member : document.GetObject())
                                 found.emplace(std::string(member.name.GetString(), member.name.GetStringLength()),
                                               std::string(member.value.GetString(), member.value.GetStringLength()));
                               return found;
                             }};

entries from_toml(const toml::table& table) {
  entries found;
  for (const auto& [key, value] : table) found.emplace(key.str(), value.value_or(std::string()));
  return found;
}
const parser toml_parse{"toml::parse(in, path)", toml_text,
                        [](std::istream& in) { return from_toml(toml::parse(in, std::string("file.toml"))); }, true,
                        true};
const parser toml_string{"toml::parse(string)", toml_text, [](std::istream& in) {
                           return from_toml(toml::parse(std::string(std::istreambuf_iterator<char>(in), {})));
                         }};

entries from_tree(const pt::ptree& tree) {
  entries found;
  for (const auto& [name, child] : tree) found.emplace(name, child.data());
  return found;
}
const parser tree_json{"read_json(in)", json_text, [](std::istream& in) {
                         pt::ptree tree;
                         pt::read_json(in, tree);
                         return from_tree(tree);
                       }};
const parser tree_xml{"read_xml(in)", xml_text, [](std::istream& in) {
                        const pt::ptree none;
                        pt::ptree tree;
                        pt::read_xml(in, tree);
                        tree = tree.front().second;
                        entries found = from_tree(tree);
                        found.erase("<xmlattr>");
                        found.merge(from_tree(tree.get_child("<xmlattr>", none)));
                        return found;
                      }};
const parser tree_ini{"read_ini(in)", ini_text, [](std::istream& in) {
                        pt::ptree tree;
                        pt::read_ini(in, tree);
                        return tree.empty() ? entries() : from_tree(tree.front().second);
                      }};

const std::vector<parser> parsers = {
    nlohmann_parse, nlohmann_iterators, nlohmann_discarding, nlohmann_sax,  nlohmann_extraction,
    pugixml_utf8,   pugixml_auto,       yaml_load,           yaml_load_all, rapidjson_parse,
    toml_parse,     toml_string,        tree_json,           tree_xml,      tree_ini};

//--------------------------------------------------------------------------------------------------------- ways to read

struct sample {
  std::string bytes;
  encoding from = encoding::detect;
};

/// Whether a stream throws the error of the text (exceptions(badbit)), or only sets badbit.
enum class manner { throwing, quiet };

using reader = std::function<void(std::istream&)>;

/// Opens a stream on the sample, lets `read` read it, and returns the report.
struct way {
  const char* name;
  bool is_chain;
  bool has_positions;
  stream_report (*open)(const sample&, const params&, manner, const reader& read);
};

template <class Stream>
void read_in_manner(Stream& in, manner m, const reader& read) {
  in.exceptions(m == manner::throwing ? std::ios::badbit : std::ios::goodbit);
  read(in);
}

const std::vector<way> ways = {
    {"utfilter::ifstream", false, true,
     [](const sample& s, const params& p, manner m, const reader& read) {
       const files::temporary_file file(s.bytes);
       utfilter::ifstream in(file.path(), s.from, p);
       if (m == manner::quiet) in.exceptions(std::ios::goodbit);
       read(in);
       return in.report();
     }},
    {"utfilter::istream over std::ifstream", false, true,
     [](const sample& s, const params& p, manner m, const reader& read) {
       const files::temporary_file file(s.bytes);
       std::ifstream beneath(file.path(), std::ios::binary);
       utfilter::istream in(beneath, s.from, p);
       read_in_manner(in, m, read);
       return in.report();
     }},
    {"utfilter::istream over gzip", false, false,
     [](const sample& s, const params& p, manner m, const reader& read) {
       const std::string bytes = gzipped(s.bytes);
       io::filtering_istream beneath(io::gzip_decompressor() | io::array_source(bytes.data(), bytes.size()));
       utfilter::istream in(beneath, s.from, p);
       read_in_manner(in, m, read);
       return in.report();
     }},
    {"to_utf8 on a file", true, false,
     [](const sample& s, const params& p, manner m, const reader& read) {
       const files::temporary_file file(s.bytes);
       to_utf8 decode(s.from, p);
       io::filtering_istream in(decode | io::file_source(file.path().string(), std::ios::binary));
       read_in_manner(in, m, read);
       return decode.report();
     }},
    {"to_utf8 on gzip", true, false,
     [](const sample& s, const params& p, manner m, const reader& read) {
       const std::string bytes = gzipped(s.bytes);
       to_utf8 decode(s.from, p);
       io::filtering_istream in(decode | io::gzip_decompressor() | io::array_source(bytes.data(), bytes.size()));
       read_in_manner(in, m, read);
       return decode.report();
     }},
};

bool fits(const parser& p, const way& w, manner m) {
  if (p.needs_positions) return w.has_positions;
  return !(p.asks_for_positions && w.is_chain && m == manner::throwing);
}

/// The result that the user of a parser sees.
struct outcome {
  enum { document, utf_error, stream_failure, own_error } what = document;
  entries found;
  errc code = {};
  std::string message;
  bool bad = false;
};

outcome observe(const parser& p, std::istream& in) {
  outcome seen;
  try {
    seen.found = p.parse(in);
  } catch (const utf_error& error) {
    seen.what = outcome::utf_error;
    seen.code = error.info().code;
    seen.message = error.what();
  } catch (const std::ios_base::failure& error) {
    seen.what = outcome::stream_failure;
    seen.message = error.what();
  } catch (const std::exception& error) {
    seen.what = outcome::own_error;
    seen.message = error.what();
  }
  seen.bad = in.bad();
  return seen;
}

/// Calls `check(outcome, report)` for each way that fits the parser.
template <class Check>
void in_each_way(const parser& p, const sample& s, const params& with, manner m, Check check) {
  for (const way& w : ways) {
    if (!fits(p, w, m)) continue;
    BOOST_TEST_CONTEXT(p.name << ", " << w.name << (m == manner::throwing ? ", throwing" : ", quiet")) {
      outcome seen;
      const stream_report report = w.open(s, with, m, [&](std::istream& in) { seen = observe(p, in); });
      check(seen, report);
    }
  }
}

//----------------------------------------------------------------------------------------------------- ill-formed input

struct damage {
  const char* name;
  sample input;
  errc code;
  bool complete;  // the document is complete, and the text after it is ill-formed
};

const std::string utf16le_bom = "\xFF\xFE";

std::vector<damage> damages(grammar document) {
  const std::string good = utf16le_bom + texts::utf16le(document(long_value));
  const std::string broken = texts::utf16le(document(long_value + U'\xD800' + long_value));
  return {
      {"in the first character", {utf16le_bom + "\x00\xDC"s + good.substr(2)}, errc::unpaired_low_surrogate, false},
      {"in the middle", {utf16le_bom + broken}, errc::unpaired_high_surrogate, false},
      {"in the middle, without a byte order mark", {broken, encoding::utf16le}, errc::unpaired_high_surrogate, false},
      {"cut inside a surrogate pair", {good.substr(0, good.rfind("\x3D\xD8") + 2)}, errc::incomplete_at_end, false},
      {"cut inside a code unit", {good.substr(0, good.size() - 1)}, errc::incomplete_at_end, true},
      {"after the document", {good + "\x00\xDC\n\0"s}, errc::unpaired_low_surrogate, true},
      {"in UTF-8", {texts::utf8(document(long_value + U"|")).replace(150'000, 1, "\xFF")}, errc::unused_byte, false},
  };
}

/// Calls `check(damage, outcome, report)` for each damage and for each way that fits the parser.
template <class Check>
void check_refusals(const parser& p, manner m, Check check) {
  for (const damage& d : damages(p.document)) BOOST_TEST_CONTEXT(d.name)
  in_each_way(p, d.input, {}, m, [&](const outcome& seen, const stream_report& report) { check(d, seen, report); });
}

void is_utf_error(const damage& d, const outcome& seen, const stream_report&) {
  BOOST_TEST(seen.what == outcome::utf_error);
  BOOST_TEST((seen.code == d.code));
}

bool contains(std::string_view text, std::string_view what) { return text.find(what) != std::string_view::npos; }

}  // namespace

//------------------------------------------------------------------------------------------------ well-formed documents

BOOST_AUTO_TEST_CASE(every_parser_reads_every_encoding_in_every_way_and_the_report_names_the_encoding) {
  struct {
    const char* name;
    std::string bom;
    std::string (*encode)(const text32&);
    encoding from, told;
  } const encodings[] = {
      {"UTF-8", "", texts::utf8, encoding::detect, encoding::utf8},
      {"UTF-8 with a byte order mark", "\xEF\xBB\xBF", texts::utf8, encoding::detect, encoding::utf8},
      {"UTF-16LE with a byte order mark", "\xFF\xFE", texts::utf16le, encoding::detect, encoding::utf16le},
      {"UTF-16BE with a byte order mark", "\xFE\xFF", texts::utf16be, encoding::detect, encoding::utf16be},
      {"UTF-16LE", "", texts::utf16le, encoding::utf16le, encoding::utf16le},
      {"UTF-16, which is big-endian", "", texts::utf16be, encoding::utf16, encoding::utf16be},
  };
  for (const auto& e : encodings) {
    BOOST_TEST_CONTEXT(e.name) {
      for (const parser& p : parsers) {
        const sample input{e.bom + e.encode(p.document(long_value)), e.from};
        for (const manner m : {manner::throwing, manner::quiet}) {
          in_each_way(p, input, {}, m, [&](const outcome& seen, const stream_report& report) {
            BOOST_TEST(seen.what == outcome::document, seen.message);
            BOOST_TEST((seen.found == expected(long_value_bytes)));
            BOOST_TEST(!seen.bad);
            BOOST_TEST((report.encoding == e.told));
            BOOST_TEST(report.bom == !e.bom.empty());
            BOOST_TEST(report.bytes_in == input.bytes.size());
            BOOST_TEST(report.errors == 0u);
          });
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_replaced_error_is_a_replacement_character_in_the_parsed_value) {
  const std::string repaired = long_value_bytes + "\xEF\xBF\xBD" + long_value_bytes;
  for (const parser& p : parsers) {
    const sample broken{utf16le_bom + texts::utf16le(p.document(long_value + U'\xD800' + long_value))};
    const params replacing{on_error::replace};
    in_each_way(p, broken, replacing, manner::throwing, [&](const outcome& seen, const stream_report& report) {
      BOOST_TEST(seen.what == outcome::document, seen.message);
      BOOST_TEST((seen.found == expected(repaired)));
      BOOST_TEST(report.errors == 1u);
    });
  }
}

//------------------------------------------------------------------------------------------------- ill-formed documents

BOOST_AUTO_TEST_CASE(nlohmann_json_lets_the_utf_error_through_even_if_it_was_told_not_to_throw) {
  for (const parser& p : {nlohmann_parse, nlohmann_iterators, nlohmann_discarding, nlohmann_sax})
    for (const manner m : {manner::throwing, manner::quiet}) check_refusals(p, m, is_utf_error);
}

BOOST_AUTO_TEST_CASE(nlohmann_json_extracts_a_complete_document_and_leaves_an_error_after_it_to_the_next_read) {
  for (const manner m : {manner::throwing, manner::quiet}) {
    check_refusals(nlohmann_extraction, m, [](const damage& d, const outcome& seen, const stream_report& report) {
      if (!d.complete) return is_utf_error(d, seen, report);
      BOOST_TEST(seen.what == outcome::document);
      BOOST_TEST((seen.found == expected(long_value_bytes)));
    });
  }
  std::istringstream source(R"({"a": 1} )"
                            "\xFF");
  utfilter::istream in(source);
  in.exceptions(std::ios::badbit);
  nlohmann::json first, next;
  in >> first;
  BOOST_TEST(first["a"] == 1);
  BOOST_CHECK_THROW(in >> next, utf_error);
}

BOOST_AUTO_TEST_CASE(pugixml_lets_the_utf_error_through_but_returns_status_io_error_for_a_quiet_stream) {
  for (const parser& p : {pugixml_utf8, pugixml_auto}) {
    check_refusals(p, manner::throwing, is_utf_error);
    check_refusals(p, manner::quiet, [](const damage&, const outcome& seen, const stream_report& report) {
      BOOST_TEST(seen.what == outcome::own_error);
      BOOST_TEST(seen.message == "Error reading from file/stream");
      BOOST_TEST(seen.bad);
      BOOST_TEST(report.errors == 1u);
    });
  }
}

BOOST_AUTO_TEST_CASE(yaml_cpp_lets_the_utf_error_through_or_says_that_the_stream_is_bad) {
  for (const parser& p : {yaml_load, yaml_load_all})
    for (const manner m : {manner::throwing, manner::quiet}) {
      check_refusals(p, m, [](const damage& d, const outcome& seen, const stream_report& report) {
        if (seen.what != outcome::own_error) return is_utf_error(d, seen, report);
        BOOST_TEST(contains(seen.message, YAML::ErrorMsg::BAD_FILE));  // the BadStream of versions after 0.8
      });
    }
}

BOOST_AUTO_TEST_CASE(rapidjson_lets_the_utf_error_through_but_takes_an_error_in_a_quiet_stream_for_the_end) {
  check_refusals(rapidjson_parse, manner::throwing, is_utf_error);
  check_refusals(rapidjson_parse, manner::quiet, [](const damage& d, const outcome& seen, const stream_report& report) {
    BOOST_TEST(seen.bad);  // this shows damage after the document
    BOOST_TEST(report.errors == 1u);
    BOOST_TEST(seen.what == (d.complete ? outcome::document : outcome::own_error));
    if (d.complete) BOOST_TEST((seen.found == expected(long_value_bytes)));
  });
}

BOOST_AUTO_TEST_CASE(toml_throws_a_parse_error_with_the_message_of_the_utf_error) {
  const auto throws = [](const damage& d, const outcome& seen, const stream_report& report) {
    if (d.name == "in the first character"s)
      return is_utf_error(d, seen, report);  // toml++ looks for a byte order mark
    BOOST_TEST(seen.what == outcome::own_error);
    BOOST_TEST_REQUIRE(report.first_error.has_value());
    BOOST_TEST((report.first_error->code == d.code));
    BOOST_TEST(seen.message == utf_error(*report.first_error).what());
  };
  check_refusals(toml_parse, manner::throwing, throws);
  for (const manner m : {manner::throwing, manner::quiet}) check_refusals(toml_string, m, is_utf_error);
}

BOOST_AUTO_TEST_CASE(
    toml_throws_a_parse_error_for_a_quiet_stream_but_returns_an_empty_table_if_the_first_character_is_ill_formed) {
  check_refusals(toml_parse, manner::quiet, [](const damage& d, const outcome& seen, const stream_report&) {
    BOOST_TEST(seen.bad);
    const bool first = d.name == "in the first character"s;
    BOOST_TEST(seen.what == (first ? outcome::document : outcome::own_error));
    BOOST_TEST(seen.found.empty());
  });
}

BOOST_AUTO_TEST_CASE(property_tree_lets_the_utf_error_through_but_read_ini_reports_a_read_error_for_a_quiet_stream) {
  for (const parser& p : {tree_json, tree_xml})
    for (const manner m : {manner::throwing, manner::quiet}) check_refusals(p, m, is_utf_error);
  check_refusals(tree_ini, manner::throwing, is_utf_error);
  check_refusals(tree_ini, manner::quiet, [](const damage&, const outcome& seen, const stream_report&) {
    BOOST_TEST(seen.what == outcome::own_error);
    BOOST_TEST(contains(seen.message, "read error"));
    BOOST_TEST(seen.bad);
  });
}

//------------------------------------------------------------------------------------------------------------ positions

BOOST_AUTO_TEST_CASE(a_parser_that_asks_a_throwing_chain_for_its_position_gets_an_exception) {
  for (const parser& p : {pugixml_utf8, pugixml_auto, toml_parse}) {
    const sample input{utf16le_bom + texts::utf16le(p.document(U"short"))};
    for (const way& w : ways) {
      if (!w.is_chain) continue;
      w.open(input, {}, manner::throwing, [&](std::istream& in) {
        const outcome seen = observe(p, in);
        BOOST_TEST(seen.what == outcome::stream_failure);
        BOOST_TEST(contains(seen.message, "no random access"));
      });
    }
  }
}

BOOST_AUTO_TEST_CASE(toml_reads_nothing_from_a_stream_without_positions_unless_it_finds_a_bom) {
  const sample input{utf16le_bom + texts::utf16le(toml_text(U"short"))};
  for (const way& w : ways) {
    if (w.has_positions) continue;
    BOOST_TEST_CONTEXT(w.name) {
      w.open(input, {}, manner::quiet, [&](std::istream& in) {
        const outcome seen = observe(toml_parse, in);
        BOOST_TEST(seen.what == outcome::document);  // as with std::cin from a pipe
        BOOST_TEST(seen.found.empty());
        BOOST_TEST(in.fail());
      });
      if (w.is_chain) continue;
      w.open(input, params{on_error::strict, bom::add}, manner::throwing,
             [&](std::istream& in) { BOOST_TEST((observe(toml_parse, in).found == expected("short"))); });
    }
  }
}

//--------------------------------------------------------------------------------------- behaviour of the parsers alone

BOOST_AUTO_TEST_CASE(malformed_documents_in_well_formed_text_are_the_parsers_own_errors) {
  struct {
    std::vector<parser> parsers;
    text32 document;
    const char* message;
  } const table[] = {
      {{nlohmann_parse, nlohmann_iterators, nlohmann_sax, nlohmann_extraction}, U"{\"ä\": 1,\n]", "line 2, column 1"},
      {{nlohmann_discarding}, U"{\"ä\": 1,\n]", "discarded"},
      {{pugixml_utf8, pugixml_auto}, U"<ä></b>", "tags mismatch"},
      {{yaml_load, yaml_load_all}, U"ä: 1\nb: [", "line 2"},
      {{rapidjson_parse}, U"{\"ä\": 1,\n]", "Missing a name"},
      {{toml_parse, toml_string}, U"\"ä\" = 1\nb = [", "array"},
      {{tree_json}, U"{\"ä\": 1,\n]", "(2)"},
      {{tree_xml}, U"<ä>\n</b", "(2)"},
      {{tree_ini}, U"ä = 1\nb", "(2)"},
  };
  for (const auto& row : table) {
    const sample input{utf16le_bom + texts::utf16le(row.document)};
    for (const parser& p : row.parsers) {
      in_each_way(p, input, {}, manner::throwing, [&](const outcome& seen, const stream_report& report) {
        BOOST_TEST(seen.what == outcome::own_error);
        BOOST_CHECK_MESSAGE(contains(seen.message, row.message), seen.message << " does not contain " << row.message);
        BOOST_TEST(report.errors == 0u);
      });
    }
  }
}

BOOST_AUTO_TEST_CASE(for_a_missing_file_each_parser_does_the_same_with_our_ifstream_as_with_std_ifstream) {
  const char* const missing = "/nonexistent/file";
  for (const parser& p : parsers) {
    BOOST_TEST_CONTEXT(p.name) {
      std::ifstream plain(missing);
      utfilter::ifstream in(missing);
      const outcome usual = observe(p, plain), seen = observe(p, in);
      BOOST_TEST(seen.what == usual.what);
      BOOST_TEST(seen.message == usual.message);
      BOOST_TEST(seen.found.empty());
    }
  }
}

BOOST_AUTO_TEST_CASE(pugixml_told_to_read_utf8_ignores_the_encoding_in_the_declaration) {
  const std::string document = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><r><v>\xE9</v></r>";
  for (const bool told : {true, false}) {
    std::istringstream source(document);
    utfilter::istream in(source, encoding::latin1);
    BOOST_TEST((told ? pugixml_utf8 : pugixml_auto).parse(in)["v"] == (told ? "\xC3\xA9" : "\xC3\x83\xC2\xA9"));
  }
}
