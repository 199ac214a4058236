// boundaries_test.cpp: the boundary corpus (data/boundaries) through decoder and through chains that read and write, in
// each of its cuts. Checks the output, and the kinds and positions of the errors.
// build: portable optimised other_kernels
#define BOOST_TEST_MODULE boundaries
#include <boost/test/unit_test.hpp>

#include "support/conformance_rows.hpp"
#include "support/paths.hpp"
#include "support/tally.hpp"

#include <utfilter/decoder.hpp>
#include <utfilter/to_utf8.hpp>

#include <boost/iostreams/filtering_stream.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace conformance;
using utfilter::codec_progress;
using utfilter::codec_status;

/// An error of a row, and the offset of its replacement in the output.
struct expected_error {
  error_info error;
  std::size_t output_offset;
};

/// One row of the corpus.
struct corpus_row {
  std::string id;
  encoding from;
  bom policy;
  std::string input, output;  // the output has U+FFFD for each error
  std::vector<expected_error> errors;
  std::vector<pieces> cuts;
};

//--------------------------------------------------------------------------------------------------- reading the corpus

/// All ways to cut the text into pieces that are not empty. Each bit stands for a place, and tells whether there is a
/// cut.
std::vector<pieces> compositions(const std::string& text) {
  std::vector<pieces> all;
  const std::size_t places = text.empty() ? 0 : text.size() - 1;
  for (std::size_t bits = 0; bits < std::size_t{1} << places; ++bits) {
    pieces& cut = all.emplace_back();
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (i == 0 || (bits >> (i - 1) & 1) != 0) cut.emplace_back();
      cut.back() += text[i];
    }
  }
  return all;
}

/// "every" stands for all compositions, first without empty pieces, then with empty pieces around all pieces. A list
/// has the sizes of the pieces.
std::vector<pieces> cuts_of(const tree& cuts, const std::string& text) {
  std::vector<pieces> all;
  if (cuts.data() == "every") {
    all = compositions(text);
    for (std::size_t i = 0, n = all.size(); i < n; ++i) all.push_back(with_empty_pieces(all[i]));
  }
  for (const auto& sizes : cuts) {
    pieces& cut = all.emplace_back();
    std::size_t at = 0;
    for (const auto& size : sizes.second) {
      cut.push_back(text.substr(at, size.second.get_value<std::size_t>()));
      at += cut.back().size();
    }
    BOOST_REQUIRE_EQUAL(at, text.size());
  }
  BOOST_REQUIRE(!all.empty());
  return all;
}

expected_error error_of(const tree& row, const std::string& input) {
  error_info error;
  error.offset = row.get<std::uint64_t>("offset");
  error.size = row.get<std::uint8_t>("size");
  error.line = row.get<std::uint64_t>("line");
  error.column = row.get<std::uint64_t>("column");
  error.code = named<errc>(row.get<std::string>("kind"), errc_names);
  for (std::size_t i = 0; i < error.size && i < error.bytes.size(); ++i)
    error.bytes[i] = static_cast<unsigned char>(input.at(static_cast<std::size_t>(error.offset) + i));
  return {error, row.get<std::size_t>("output_offset")};
}

corpus_row row_of(const tree& row) {
  corpus_row read;
  read.id = row.get<std::string>("id");
  read.from = *utfilter::encoding_from_name(row.get<std::string>("from"));
  read.policy = named<bom>(row.get<std::string>("signature"), bom_names);
  read.input = from_hex(row.get<std::string>("input"));
  read.output = from_hex(row.get<std::string>("output"));
  read.cuts = cuts_of(row.get_child("cuts"), read.input);
  for (const auto& error : row.get_child("errors")) read.errors.push_back(error_of(error.second, read.input));
  return read;
}

std::vector<corpus_row> all_rows() {
  std::vector<corpus_row> rows;
  std::set<std::filesystem::path> files;
  for (const auto& file : std::filesystem::directory_iterator(paths::source("test/data/boundaries")))
    if (file.path().extension() == ".jsonl") files.insert(file.path().filename());
  for (const auto& file : files)
    for (const tree& row : rows_of("boundaries/" + file.string())) rows.push_back(row_of(row));
  return rows;
}

//----------------------------------------------------------------------------------------------------- running the rows

/// The result of a run, expected or seen.
struct result {
  std::string output;
  std::vector<error_info> errors;
  bool thrown = false;  // the last of the errors was thrown
};

result expected_of(const corpus_row& row, on_error policy) {
  result all;
  std::size_t copied = 0;
  for (const expected_error& e : row.errors) {
    all.output += row.output.substr(copied, e.output_offset - copied);
    copied = e.output_offset;
    all.errors.push_back(e.error);
    if (policy == on_error::strict || policy == on_error::stop) {
      all.thrown = policy == on_error::strict;
      return all;
    }
    if (policy == on_error::skip) copied += 3;  // U+FFFD
  }
  all.output += row.output.substr(copied);
  return all;
}

bool same_place(const error_info& a, const error_info& b) {
  return a.code == b.code && a.offset == b.offset && a.size == b.size && a.line == b.line && a.column == b.column &&
         a.bytes == b.bytes;
}

bool same(const result& a, const result& b) {
  return a.output == b.output && a.thrown == b.thrown &&
         std::equal(a.errors.begin(), a.errors.end(), b.errors.begin(), b.errors.end(), same_place);
}

utfilter::params params_for(const corpus_row& row, on_error policy, result& seen) {
  utfilter::params p{on_error::strict, row.policy};
  p.on_error = policy;
  p.observer = [&seen](const error_info& error) { seen.errors.push_back(error); };
  return p;
}

/// Notes whether the exception is the last error.
void note_thrown(const std::exception_ptr& failure, result& seen) {
  try {
    std::rethrow_exception(failure);
  } catch (const utfilter::utf_error& error) {
    seen.thrown = !seen.errors.empty() && same_place(error.info(), seen.errors.back());
  } catch (const std::exception& other) {
    seen.output += std::string(" and threw: ") + other.what();
  }
}

result decoded(const corpus_row& row, on_error policy, const pieces& cut) {
  result seen;
  utfilter::decoder text(row.from, params_for(row, policy, seen));
  std::array<char, 8> out;
  codec_progress done{0, 0, codec_status::need_input};
  devices::call_budget budget;
  for (std::size_t i = 0; i <= cut.size() && done.status == codec_status::need_input; ++i) {
    std::string_view in = i < cut.size() ? std::string_view(cut[i]) : std::string_view();
    budget.allow_for(in.size());
    if (in.empty()) budget.allow(1);
    do {
      budget.spend();
      done = text.convert(in.data(), in.size(), out.data(), out.size(), i == cut.size());
      in.remove_prefix(done.consumed);
      seen.output.append(out.data(), done.produced);
      budget.allow_for(done.produced);
    } while (done.status == codec_status::need_output);
  }
  if (text.failure()) note_thrown(text.failure(), seen);
  return seen;
}

/// An empty piece is a source that would block. The stream takes that for the end, so the next read continues after it.
result read(const corpus_row& row, on_error policy, const pieces& cut) {
  using iterator = std::istreambuf_iterator<char>;
  result seen;
  device_state source;
  source.text = cut;
  io::filtering_istream in(utfilter::to_utf8(row.from, params_for(row, policy, seen)) | pieces_source(source));
  try {
    for (std::size_t blocked = 0; true; blocked = source.blocked) {
      for (iterator i(in), end; i != end; ++i) seen.output += *i;
      if (source.blocked == blocked) break;
    }
  } catch (...) {
    note_thrown(std::current_exception(), seen);
  }
  return seen;
}

result written(const corpus_row& row, on_error policy, const pieces& cut) {
  result seen;
  device_state sink;
  io::filtering_ostream out;
  out.push(utfilter::to_utf8(row.from, params_for(row, policy, seen)), 0);  // no buffer: each piece is a write
  out.push(collecting_sink(sink));
  for (const std::string& piece : cut) out.write(piece.data(), static_cast<std::streamsize>(piece.size()));
  try {
    out.reset();
  } catch (...) {
    note_thrown(std::current_exception(), seen);
  }
  seen.output = sink.written;
  return seen;
}

std::string text_of(const result& r) {
  return '<' + to_hex(r.output) + "> " + conformance::text_of(r.errors) + (r.thrown ? " thrown" : "");
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_row_gives_its_result_in_each_of_its_cuts) {
  struct way {
    const char* name;
    result (*run)(const corpus_row&, on_error, const pieces&);
    std::vector<on_error> policies;
  };
  const std::vector<way> ways = {
      {"decoder", decoded, {on_error::replace, on_error::strict, on_error::skip, on_error::stop}},
      {"reading", read, {on_error::replace, on_error::strict, on_error::stop}},
      {"writing", written, {on_error::replace, on_error::strict}},
  };
  tally cases;
  for (const corpus_row& row : all_rows())
    for (const way& w : ways)
      for (const on_error policy : w.policies) {
        const result expected = expected_of(row, policy);
        for (const pieces& cut : row.cuts) {
          const result got = w.run(row, policy, cut);
          if (cases.failed(same(got, expected)))
            BOOST_ERROR(row.id << ", " << w.name << ", " << name_of(policy, on_error_names) << ", "
                               << conformance::text_of(cut) << "\n  expected " << text_of(expected) << "\n  got      "
                               << text_of(got));
        }
      }
  cases.summary("boundaries");
}
