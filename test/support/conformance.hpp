// conformance.hpp: runs a filter over an input in every way (the codec alone with every size of output buffer, chains
// that read, chains that write, every cut, many buffer sizes) and compares each run with the reference.
#ifndef UTFILTER_TEST_CONFORMANCE_HPP
#define UTFILTER_TEST_CONFORMANCE_HPP

#include "support/brief.hpp"
#include "support/call_budget.hpp"
#include "support/conformance_setups.hpp"

#include <boost/iostreams/categories.hpp>
#include <boost/iostreams/compose.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <ios>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace conformance {

namespace io = boost::iostreams;

//-------------------------------------------------------------------------------------------------------------- devices

/// The state of the devices. A chain copies its devices; the test and all copies share this.
struct device_state {
  devices::call_budget budget;
  pieces text;  // reading: the pieces to deliver
  std::size_t piece = 0, at = 0;
  std::size_t delivered = 0;  // bytes
  std::size_t blocked = 0;    // empty pieces delivered
  std::string written;
  bool whole = true;  // writing: each piece so far ended at one of the `boundaries`
  const std::vector<std::size_t>* boundaries = nullptr;
};

/// Delivers the pieces one by one. At an empty piece one read returns 0, as if the source would block.
class pieces_source {
 public:
  using char_type = char;
  using category = io::source_tag;
  explicit pieces_source(device_state& s) : state_(&s) {}

  std::streamsize read(char* s, std::streamsize n) {
    device_state& self = *state_;
    self.budget.spend();
    if (self.piece == self.text.size()) return -1;
    const std::string& piece = self.text[self.piece];
    const std::size_t taken = std::min(static_cast<std::size_t>(n), piece.size() - self.at);
    std::copy_n(piece.data() + self.at, taken, s);
    self.at += taken;
    self.delivered += taken;
    self.budget.allow_for(taken);
    if (taken == 0) {
      ++self.blocked;
      self.budget.allow(1);
    }
    if (self.at == piece.size()) {
      self.at = 0;
      ++self.piece;
    }
    return static_cast<std::streamsize>(taken);
  }

 private:
  device_state* state_;
};

/// Collects the bytes written to it.
class collecting_sink {
 public:
  using char_type = char;
  struct category : io::sink_tag, io::flushable_tag {};
  explicit collecting_sink(device_state& s) : state_(&s) {}

  std::streamsize write(const char* s, std::streamsize n) {
    state_->budget.spend();
    state_->budget.allow_for(static_cast<std::size_t>(n));
    state_->written.append(s, static_cast<std::size_t>(n));
    const auto* ends = state_->boundaries;
    if (ends && !std::binary_search(ends->begin(), ends->end(), state_->written.size())) state_->whole = false;
    return n;
  }
  bool flush() {
    state_->budget.spend();
    return true;
  }

 private:
  device_state* state_;
};

//----------------------------------------------------------------------------------------------------------------- runs

/// One setup and one input, the outcome that the reference expects, and the runs that must give this outcome. A run
/// returns a complaint, or an empty string.
class trial {
 public:
  trial(const setup& s, std::string input)
      : setup_(s),
        input_(std::move(input)),
        params_(observing(s.params)),
        filter_(filter_of(s, params_)),
        conversion_(
            with_codec(s, [this](const auto& codec) { return any_conversion(utfilter::conversion(codec, params_)); })) {
    for (const bool writing : {false, true}) {
      const reference::converter whole(to_reference(setup_), input_, writing, true);
      expected_[writing] = from_reference(whole.result());
      boundaries_[writing] = whole.boundaries();
      prefixes_[writing].resize(input_.size() + 1);
    }
  }

  const outcome& expected(bool writing = false) const { return expected_[writing]; }

  /// Runs the codec in a conversion. The room for output grows only when the status is need_output although the call
  /// neither consumed nor produced anything.
  std::string codec(const pieces& cut, std::size_t room, bool writing) {
    return std::visit([&](auto& used) { return convert(used, cut, room, writing); }, conversion_);
  }

  enum class reader { iterator, lines, composed };

  /// Runs a chain that reads. Whenever the source would block, all output that its bytes determine must have come out.
  std::string read(const pieces& cut, std::streamsize link, std::streamsize device, reader how) {
    outcome got;
    device_state source;
    std::string complaint;
    source.text = cut;
    begin();
    {
      io::filtering_istream in;
      if (how == reader::composed) {
        std::visit([&](const auto& f) { in.push(io::compose(f, pieces_source(source)), link); }, filter_);
      } else {
        std::visit([&](const auto& f) { in.push(f, link); }, filter_);
        in.push(pieces_source(source), device);
      }
      if (how == reader::lines)
        read_lines(in, got);
      else
        complaint = read_characters(in, source, got);
      try {
        in.reset();
      } catch (...) {
        complaint = "closing a chain that reads threw";
      }
    }
    if (!complaint.empty()) return complaint;
    got.report = report();
    return compared(std::move(got), false);
  }

  /// Runs the filter alone, and asks it for `wanted` bytes at a time. Each piece that it returns must end with a whole
  /// character, if `wanted` has room for any character.
  std::string read_directly(const pieces& cut, std::size_t wanted) {
    outcome got;
    device_state state;
    pieces_source source(state);
    const auto& ends = boundaries_[false];
    state.text = cut;
    begin();
    std::string complaint;
    try {
      std::vector<char> buffer(wanted);
      while (complaint.empty()) {
        const std::streamsize n = read_some(source, buffer.data(), wanted);
        if (n < 0) break;
        got.output.append(buffer.data(), static_cast<std::size_t>(n));
        const bool whole = std::binary_search(ends.begin(), ends.end(), got.output.size());
        if (n == 0) complaint = complaint_if_late(got, state);
        if (n > 0 && wanted >= utfilter::transcoder::min_output && setup_.params.on_error != on_error::keep && !whole)
          complaint = "a piece did not end with a whole character";
      }
      if (complaint.empty() && read_some(source, buffer.data(), 1) != -1) complaint = "something followed the end";
    } catch (...) {
      note_failure(got, std::current_exception());
    }
    std::visit([&](auto& f) { f.close(source, std::ios::in); }, filter_);
    if (!complaint.empty()) return complaint;
    got.report = report();
    return compared(std::move(got), false);
  }

  enum class writer { buffered, unbuffered, composed };

  /// Runs a chain that writes. `flushing`: with a flush after each piece. After a flush the sink must have all output
  /// that the bytes so far determine, and the stream must be bad if these bytes make the filter throw. Each further
  /// write makes the stream bad again, and closing throws the error again. `composed`: the sink gets each piece as the
  /// filter writes it, and each must end with a whole character.
  std::string write(const pieces& cut, std::streamsize link, writer how, bool flushing) {
    outcome got;
    device_state sink;
    std::optional<error_info> thrown_by_write;
    std::size_t written = 0;
    if (how == writer::composed && setup_.params.on_error != on_error::keep) sink.boundaries = &boundaries_[true];
    begin();
    {
      io::filtering_ostream out;
      if (how == writer::composed) {
        std::visit([&](const auto& f) { out.push(io::compose(f, collecting_sink(sink)), link); }, filter_);
      } else {
        std::visit([&](const auto& f) { out.push(f, link); }, filter_);
        out.push(collecting_sink(sink), how == writer::buffered ? 4096 : 0);
      }
      if (!flushing) out.exceptions(std::ios::badbit);
      for (const std::string& piece : cut) {
        written += piece.size();
        sink.budget.allow_for_piece(piece.size());
        const outcome& decided = so_far(true, written);
        try {
          if (flushing) out.clear();
          out.write(piece.data(), static_cast<std::streamsize>(piece.size()));
          if (!flushing) continue;
          out.flush();
          // If the flush fails, a buffered link after the filter keeps its bytes until it is closed.
          const bool arrived = !decided.thrown || how != writer::buffered;
          if (arrived && sink.written != decided.output)
            return "after a flush: " + instead(sink.written, decided.output);
          if (out.bad() && !decided.thrown) return "the stream is bad without an error";
          if (!out.bad() && decided.thrown) return "the flush did not report the error";
        } catch (const utfilter::utf_error& e) {
          thrown_by_write = e.info();
          break;
        }
      }
      if (!flushing && link == 0 && !same_error(thrown_by_write, so_far(true, written).thrown))
        return "write threw " + text_of(thrown_by_write) + ", not " + text_of(so_far(true, written).thrown);
      try {
        out.exceptions(std::ios::goodbit);
        out.reset();
      } catch (...) {
        note_failure(got, std::current_exception());
      }
    }
    if (thrown_by_write && !same_error(thrown_by_write, got.thrown)) return "write and close threw different errors";
    if (!sink.whole) return "a piece did not end with a whole character";
    got.output = sink.written;
    got.report = report();
    return compared(std::move(got), true);
  }

 private:
  std::streamsize read_some(pieces_source& source, char* s, std::size_t n) {
    return std::visit([&](auto& f) { return f.read(source, s, static_cast<std::streamsize>(n)); }, filter_);
  }
  utfilter::stream_report report() const {
    return std::visit([](const auto& f) { return f.report(); }, filter_);
  }

  template <class Conversion>
  std::string convert(Conversion& used, const pieces& cut, std::size_t room, bool writing) {
    outcome got;
    begin();
    used.begin(writing ? Conversion::direction::writing : Conversion::direction::reading);
    bool over = false;
    devices::call_budget budget;
    budget.allow_for(input_.size());
    for (std::size_t i = 0; i < cut.size() && !over; ++i) {
      // A copy of exactly the piece's size, so that the address sanitizer sees an access outside of it.
      const std::vector<char> in(cut[i].begin(), cut[i].end());
      const bool last = i + 1 == cut.size();
      std::size_t taken = 0, space = room;
      if (in.empty()) budget.allow(1);
      while (true) {
        budget.spend();
        std::vector<char> out(space + 1, guard);
        const auto step = used.convert(in.data() + taken, in.size() - taken, out.data(), space, last);
        if (step.produced > space || out[space] != guard) return "wrote beyond the end of its output buffer";
        if (step.consumed > in.size() - taken) return "consumed more than its input";
        taken += step.consumed;
        got.output.append(out.data(), step.produced);
        budget.allow_for(step.produced);
        const bool moved = step.consumed != 0 || step.produced != 0;
        if (step.status == utfilter::codec_status::need_output) {
          if (!moved && space >= Conversion::min_output) return "no progress with min_output bytes of room";
          if (!moved) budget.allow(1);  // for the call with more room
          space = moved ? room : space + 1;
        } else if (step.status == utfilter::codec_status::need_input) {
          if (last || taken != in.size()) return "asked for input after the end, or before it took all of the piece";
          break;
        } else {
          over = true;
          if (step.status == utfilter::codec_status::malformed) note_failure(got, used.failure());
          break;
        }
      }
    }
    if (!over) return "did not end";
    got.report = used.report();
    used.end();
    return compared(std::move(got), writing);
  }

  static constexpr char guard = '\x5A';

  utfilter::params observing(utfilter::params p) {
    p.observer = [seen = observed_](const error_info& e) { seen->push_back(e); };
    return p;
  }

  /// All runs share one filter and one conversion. So each run also shows that the previous one left no state behind.
  void begin() { observed_->clear(); }

  /// The outcome that a stream must show once `arrived` bytes of the input have come and more may follow.
  const outcome& so_far(bool writing, std::size_t arrived) {
    auto& known = prefixes_[writing][arrived];
    const auto start = std::string_view(input_).substr(0, arrived);
    if (!known) known = from_reference(reference::converter(to_reference(setup_), start, writing, false).result());
    return *known;
  }

  /// Called when the source would block: all output that its bytes determine must be there.
  std::string complaint_if_late(const outcome& got, const device_state& source) {
    const outcome& decided = so_far(false, source.delivered);
    return got.output == decided.output ? "" : "the source would block: " + instead(got.output, decided.output);
  }

  static std::string instead(const std::string& got, const std::string& expected) {
    return "there was <" + to_hex(got) + ">, not <" + to_hex(expected) + '>';
  }

  void read_lines(io::filtering_istream& in, outcome& got) {
    in.exceptions(std::ios::badbit);
    std::string line;
    try {
      while (std::getline(in, line)) {
        got.output += line;
        if (!in.eof()) got.output += '\n';
      }
    } catch (const utfilter::utf_error& e) {
      got.output += line;
      got.thrown = e.info();
    }
  }

  std::string read_characters(io::filtering_istream& in, device_state& source, outcome& got) {
    using iterator = std::istreambuf_iterator<char>;
    try {
      while (true) {
        const std::size_t blocked = source.blocked;
        for (iterator i(in), end; i != end; ++i) got.output += *i;
        if (source.blocked == blocked) break;
        const std::string late = complaint_if_late(got, source);
        if (!late.empty()) return late;
      }
      if (iterator(in) != iterator()) return "something followed the end";
    } catch (const utfilter::utf_error& e) {
      got.thrown = e.info();
      try {
        in.rdbuf()->sgetc();
        return "the error did not stick";
      } catch (const utfilter::utf_error& again) {
        if (!same_error(again.info(), *got.thrown)) return "another error followed the first";
      }
    }
    return {};
  }

  std::string compared(outcome got, bool writing) {
    got.observed = *observed_;
    if (same(got, expected_[writing])) return {};
    return "\n  expected " + text_of(expected_[writing]) + "\n  got      " + text_of(got);
  }

  setup setup_;
  std::string input_;
  std::shared_ptr<std::vector<error_info>> observed_ = std::make_shared<std::vector<error_info>>();
  utfilter::params params_;
  any_filter filter_;
  any_conversion conversion_;
  outcome expected_[2];  // reading, writing
  std::vector<std::size_t> boundaries_[2];
  std::vector<std::optional<outcome>> prefixes_[2];  // computed when first needed
};

//----------------------------------------------------------------------------------------------------------------- cuts

inline pieces with_empty_pieces(const pieces& cut) {
  pieces all{""};
  for (const std::string& piece : cut) all.insert(all.end(), {piece, ""});
  return all;
}

inline pieces without_empty_pieces(pieces cut) {
  cut.erase(std::remove(cut.begin(), cut.end(), std::string()), cut.end());
  return cut;
}

/// The input in one piece, in two and three pieces cut at every place, and in single bytes.
inline std::vector<pieces> every_cut(const std::string& text) {
  std::vector<pieces> cuts{{text}};
  for (std::size_t i = 0; i <= text.size(); ++i)
    for (std::size_t j = i; j <= text.size(); ++j)
      cuts.push_back({text.substr(0, i), text.substr(i, j - i), text.substr(j)});
  pieces bytes;
  for (const char c : text) bytes.emplace_back(1, c);
  if (!bytes.empty()) cuts.push_back(bytes);
  return cuts;
}

inline std::string complaint_about(const std::string& what, const setup& s, const pieces& cut, const std::string& why) {
  return why.empty() ? why : what + ", " + text_of(s) + ", " + text_of(cut) + ": " + why;
}

/// Runs the codec with one cut and every size of room. Returns the first complaint, or an empty string.
inline std::string try_codec(trial& t, const setup& s, const pieces& cut) {
  for (std::size_t room = 0; room <= utfilter::transcoder::min_output + 1; ++room)
    for (const bool writing : {false, true})
      for (const pieces& variant : {cut, with_empty_pieces(cut)}) {
        const std::string why = t.codec(variant, room, writing);
        if (!why.empty()) return complaint_about("codec with room for " + std::to_string(room), s, variant, why);
      }
  return {};
}

/// Runs each kind of chain with one cut and one buffer size of the link. Returns as try_codec does.
inline std::string try_chains(trial& t, const setup& s, const pieces& cut, std::streamsize link) {
  using reader = trial::reader;
  using writer = trial::writer;
  const std::string size = " with a link of " + std::to_string(link);
  const pieces empty = with_empty_pieces(cut), full = without_empty_pieces(cut);
  const auto wide = std::streamsize{4096};
  std::string why = complaint_about("reading" + size, s, empty, t.read(empty, link, wide, reader::iterator));
  if (why.empty())
    why = complaint_about("reading, device" + size, s, empty, t.read(empty, link, link, reader::iterator));
  if (why.empty()) why = complaint_about("reading lines" + size, s, full, t.read(full, link, wide, reader::lines));
  if (why.empty())
    why = complaint_about("reading, composed" + size, s, empty, t.read(empty, link, wide, reader::composed));
  const auto wanted = static_cast<std::size_t>(std::max<std::streamsize>(link, 1));
  if (why.empty()) why = complaint_about("reading directly" + size, s, empty, t.read_directly(empty, wanted));
  if (why.empty())
    why = complaint_about("writing and flushing" + size, s, empty, t.write(empty, link, writer::buffered, true));
  if (why.empty())
    why = complaint_about("flushing, unbuffered" + size, s, empty, t.write(empty, link, writer::unbuffered, true));
  if (why.empty()) why = complaint_about("writing" + size, s, cut, t.write(cut, link, writer::unbuffered, false));
  if (why.empty())
    why = complaint_about("writing, composed" + size, s, cut, t.write(cut, link, writer::composed, false));
  if (why.empty())
    why = complaint_about("flushing, composed" + size, s, empty, t.write(empty, link, writer::composed, true));
  return why;
}

/// Runs everything above with every cut. A brief run takes some pairs of a cut and a buffer size.
inline std::string try_everything(trial& t, const setup& s, const std::string& input) {
  for (const pieces& cut : every_cut(input)) {
    std::string why = try_codec(t, s, cut);
    for (const std::streamsize link : link_sizes) {
      if (why.empty() && brief::takes_next()) why = try_chains(t, s, cut, link);
    }
    if (!why.empty()) return why;
  }
  return {};
}

}  // namespace conformance

#endif
