// interfaces_test.cpp: every way to read a text gives the same text, errors and report, and refuses what the others
// refuse: a decoder, streams of bytes, of wide characters and of files, a reader of lines, ranges put together, chains
// that read and write, and a string that is converted at once. The texts are dirty, each way gets its own random cuts, and
// the encoding is named, detected or guessed.
// build: portable optimised
#define BOOST_TEST_MODULE interfaces
#include <boost/test/unit_test.hpp>

#include "support/brief.hpp"
#include "support/boundary_texts.hpp"
#include "support/files.hpp"
#include "support/outcomes.hpp"
#include "support/policies.hpp"
#include "support/same_report.hpp"
#include "support/some_encodings.hpp"
#include "support/tally.hpp"

#include <utfilter/convert.hpp>
#include <utfilter/decoder.hpp>
#include <utfilter/fstream.hpp>
#include <utfilter/line_reader.hpp>
#include <utfilter/range_streambuf.hpp>
#include <utfilter/stream.hpp>
#include <utfilter/to_utf8.hpp>
#include <utfilter/utf_error.hpp>
#include <utfilter/wide_stream.hpp>

#include <boost/iostreams/filtering_stream.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <iterator>
#include <random>
#include <sstream>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <utility>
#include <vector>

namespace io = boost::iostreams;
using namespace utfilter;

namespace {

/// What an interface makes of a text.
struct outcome {
  std::string text;
  std::vector<error_info> observed;
  stream_report report;
  std::string refused;  // the reason, if the params make no sense
};

/// A text, and the params to read it by.
struct trial {
  std::string bytes;
  encoding from;
  params p;
  const std::filesystem::path& file;
  std::mt19937& random;

  std::size_t up_to(std::size_t most) const { return 1 + random() % most; }
};

/// Gives a text in random pieces.
class pieces : public std::streambuf {
 public:
  explicit pieces(const trial& t) : trial_(t), bytes_(t.bytes) {}

 protected:
  int_type underflow() override {
    if (gptr() != egptr()) return traits_type::to_int_type(*gptr());
    if (at_ == bytes_.size()) return traits_type::eof();
    const std::size_t size = std::min(bytes_.size() - at_, trial_.up_to(9));
    setg(&bytes_[at_], &bytes_[at_], &bytes_[at_] + size);
    at_ += size;
    return traits_type::to_int_type(*gptr());
  }

 private:
  const trial& trial_;
  std::string bytes_;
  std::size_t at_ = 0;
};

/// Reads to the end, or to an error: some streams throw it, the others set badbit.
template <class Stream>
std::basic_string<typename Stream::char_type> all_of(Stream& in) {
  std::basic_string<typename Stream::char_type> text;
  try {
    for (typename Stream::char_type c; in.get(c);) text += c;
  } catch (const utf_error&) {
  }
  return text;
}

outcome by_decoder(const trial& t, const params& p) {
  outcome got;
  decoder text(t.from, p);
  std::size_t at = 0;
  for (codec_status status = codec_status::need_input;
       status != codec_status::done && status != codec_status::malformed;) {
    char out[64];
    const std::size_t size = std::min(t.bytes.size() - at, t.up_to(20) - 1);
    const codec_progress done =
        text.convert(t.bytes.data() + at, size, out, 5 + t.up_to(59), at + size == t.bytes.size());
    at += done.consumed;
    got.text.append(out, done.produced);
    status = done.status;
  }
  got.report = text.report();
  return got;
}

outcome by_stream(const trial& t, const params& p) {
  pieces source(t);
  utfilter::istream in(source, t.from, p);
  outcome got;
  got.text = all_of(in);
  got.report = in.report();
  return got;
}

outcome by_file(const trial& t, const params& p) {
  utfilter::ifstream in(t.file, t.from, p);
  outcome got;
  got.text = all_of(in);
  got.report = in.report();
  return got;
}

outcome by_lines(const trial& t, const params& p) {
  pieces source(t);
  line_reader lines(source, t.from, p);
  outcome got;
  const auto take = [&] {
    got.text += lines.text();
    got.text += lines.ending();
  };
  try {
    while (lines.next()) take();
  } catch (const std::exception&) {
    take();
  }
  got.report = lines.report();
  return got;
}

outcome by_chain(const trial& t, const params& p) {
  const to_utf8 filter(t.from, p);
  pieces source(t);
  io::filtering_istream in;
  in.push(filter, static_cast<std::streamsize>(t.up_to(50)));
  in.push(source, static_cast<std::streamsize>(t.up_to(50)));
  outcome got;
  got.text = all_of(in);
  got.report = filter.report();
  return got;
}

outcome by_writing_chain(const trial& t, const params& p) {
  const to_utf8 filter(t.from, p);
  std::stringbuf sink;
  outcome got;
  {
    io::filtering_ostream out;
    out.push(filter, static_cast<std::streamsize>(t.up_to(50) - 1));
    out.push(sink, static_cast<std::streamsize>(t.up_to(50) - 1));
    for (std::size_t at = 0, size = 0; at != t.bytes.size() && out; at += size) {
      size = std::min(t.bytes.size() - at, t.up_to(20));
      out.write(t.bytes.data() + at, static_cast<std::streamsize>(size));
      if (t.random() % 4 == 0) out.flush();
    }
  }
  got.text = sink.str();
  got.report = filter.report();
  return got;
}

outcome by_string(const trial& t, const params& p) {
  outcome got;
  try {
    got.text = to_utf8_string(t.bytes, t.from, p);
  } catch (const utf_error&) {
    got.report.failure = std::current_exception();
  }
  return got;
}

/// Merges the reports of ranges, and appends their texts up to the range that ends the text.
outcome by_ranges(const trial& t, const params& p) {
  std::vector<std::uint64_t> cuts = {0, std::max<std::uint64_t>(t.bytes.size(), 1)};
  for (std::size_t n = t.up_to(4) - 1; n != 0; --n) cuts.push_back(t.random() % (t.bytes.size() + 1));
  std::sort(cuts.begin(), cuts.end());
  outcome got;
  for (std::size_t i = 1; i != cuts.size(); ++i) {
    if (cuts[i] == cuts[i - 1]) continue;
    range_streambuf bytes(t.file, {cuts[i - 1], cuts[i]}, t.from, p);
    utfilter::istream in(bytes, bytes.params());
    got.text += all_of(in);
    got.report = merge(got.report, in.report());
    if (in.report().failure || (p.on_error == on_error::stop && in.report().errors != 0)) break;
  }
  return got;
}

outcome by_wide_stream(const trial& t, const params& p) {
  pieces source(t);
  utfilter::wistream in(source, t.from, p);
  outcome got;
  got.text = to_utf8_string(all_of(in));
  got.report = in.report();
  got.report.bytes_out = got.text.size();  // it counts those of the wide characters
  return got;
}

struct interface {
  const char* name;
  std::function<outcome(const trial&, const params&)> read;
  bool takes_keep = true;  // the wide streams have other code units
  bool sees_lines = true;  // ranges count the lines of errors from their own start
  bool has_states = true;  // ranges cannot begin in the middle of a state
  bool takes_stop = true;  // who writes cannot end the text
  bool has_report = true;  // a string has none, and no text before the error that ends it
};

const interface interfaces[] = {
    {"decoder", by_decoder},
    {"istream", by_stream},
    {"ifstream", by_file},
    {"line_reader", by_lines},
    {"a chain", by_chain},
    {"a chain that writes", by_writing_chain, true, true, true, false},
    {"a string", by_string, true, true, true, true, false},
    {"ranges", by_ranges, true, false, false},
    {"wistream", by_wide_stream, false},
};

outcome read_by(const interface& i, const trial& t) {
  std::vector<error_info> observed;
  params p = t.p;
  p.observer = [&](const error_info& e) { observed.push_back(e); };
  outcome got;
  try {
    got = i.read(t, p);
  } catch (const std::invalid_argument& e) {
    got.refused = e.what();
  } catch (const std::exception& e) {
    BOOST_ERROR(i.name << " throws " << e.what());
  }
  got.observed = std::move(observed);
  return got;
}

bool is_same(const outcome& a, const outcome& b, const interface& i) {
  const auto alike = [&](error_info x, const error_info& y) {
    if (!i.sees_lines) x.line = y.line;
    return same_error(x, y);
  };
  if (!a.refused.empty() || !b.refused.empty()) return a.refused.empty() == b.refused.empty();
  const bool is_whole = b.report.failure == nullptr;
  const bool same_text = i.has_report || is_whole ? a.text == b.text : a.report.failure != nullptr;
  return same_text && (!i.has_report || same_report(a.report, b.report)) &&
         std::equal(a.observed.begin(), a.observed.end(), b.observed.begin(), b.observed.end(), alike);
}

/// Boundary bytes and lines, then cut, flipped, or mixed with the bytes of another encoding.
std::string dirty_text(encoding from, std::mt19937& random) {
  const bool is_decided = from != encoding::detect && from != encoding::guess;
  const auto& units = boundary_texts::units_of(is_decided ? from : encoding::utf8);
  const auto& others = boundary_texts::units_of(random() % 2 == 0 ? encoding::utf16le : encoding::utf8);
  static const std::string marks[] = {"", "", "\xEF\xBB\xBF", "\xFF\xFE", "\xFE\xFF", "\xEF\xBB", std::string(2, '\0')};
  std::string text = marks[random() % std::size(marks)];
  for (std::size_t n = random() % 12; n != 0; --n) {
    const std::size_t kind = random() % 8;
    if (kind == 0)
      text += std::string(code_unit_size(from) - 1, '\0') + '\n';
    else if (kind == 1)
      text += '\n' + std::string(code_unit_size(from) - 1, '\0');
    else if (kind == 2)
      text += others[random() % others.size()];
    else
      text += units[random() % units.size()];
  }
  if (!text.empty() && random() % 3 == 0) text.resize(random() % text.size());
  if (!text.empty() && random() % 3 == 0) text[random() % text.size()] ^= static_cast<char>(1 << random() % 8);
  return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_interface_gives_the_same_text_and_report_and_refuses_the_same) {
  const files::directory place;
  const std::filesystem::path file = place / "text";
  std::mt19937 random(2026);
  tally all;
  std::vector<encoding> froms = some_encodings_and_detect();
  const std::vector<encoding> named(froms.begin(), froms.end() - 1);
  froms.push_back(encoding::guess);
  for (const encoding from : froms)
    for (int turn = 0; turn != 400; ++turn) {
      if (!brief::takes_next()) continue;
      trial t{dirty_text(from, random), from, {}, file, random};
      t.p.on_error = every::policy[random() % std::size(every::policy)];
      t.p.bom = every::mark[random() % std::size(every::mark)];
      if (random() % 3 == 0) t.p.replacement = random() % 2 == 0 ? "" : "?\n";
      if (random() % 4 == 0) t.p.error_limit = random() % 3;
      if (from == encoding::detect) t.p.fallback = named[random() % named.size()];
      if (from == encoding::guess) {
        t.p.guess_bytes = t.up_to(100);
        if (random() % 2 == 0) t.p.legacy = encoding::latin1;
      }
      files::write(file, t.bytes);
      outcome wanted = read_by(interfaces[0], t);
      for (const interface& i : interfaces) {
        const encoding read = from == encoding::detect ? t.p.fallback : from;
        if (!i.takes_keep && t.p.on_error == on_error::keep) continue;
        if (!i.takes_stop && t.p.on_error == on_error::stop) continue;
        if (!i.has_states && detail::has_states(read)) continue;
        // A range names what it has guessed to the stream above it, so the report says that the encoding was named. It throws
        // for data that is no text, in which it cannot find lines.
        if (!i.sees_lines && from == encoding::guess) continue;
        // Each range has its own limit.
        if (!i.sees_lines && t.p.error_limit != no_limit && t.p.error_limit != 0) continue;
        const outcome got = read_by(i, t);
        if (all.failed(is_same(got, wanted, i)))
          BOOST_ERROR(i.name << ", " << to_string(from) << ", fallback " << to_string(t.p.fallback) << ", on_error "
                             << static_cast<int>(t.p.on_error) << ", bom " << static_cast<int>(t.p.bom) << ", "
                             << hexadecimal(t.bytes) << '\n'
                             << hexadecimal(got.text) << in_words(got.report) << got.refused << "\ninstead of\n"
                             << hexadecimal(wanted.text) << in_words(wanted.report) << wanted.refused);
      }
    }
  all.summary();
}
