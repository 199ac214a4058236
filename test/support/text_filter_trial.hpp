// text_filter_trial.hpp: runs a codec that changes some characters of UTF-8, cut anywhere and with any room, by itself and
// in chains of both directions, and compares all that it shows with a reference that sees the whole input at once.
#ifndef UTFILTER_TEST_TEXT_FILTER_TRIAL_HPP
#define UTFILTER_TEST_TEXT_FILTER_TRIAL_HPP

#include <boost/test/unit_test.hpp>

#include "support/brief.hpp"
#include "support/conformance.hpp"
#include "support/outcomes.hpp"
#include "support/policies.hpp"
#include "support/test_devices.hpp"

#include <utfilter/conversion.hpp>
#include <utfilter/filter.hpp>
#include <utfilter/text.hpp>
#include <utfilter/utf_error.hpp>

#include <boost/iostreams/compose.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <initializer_list>
#include <ios>
#include <iterator>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace text_filters {

namespace io = boost::iostreams;
namespace reference = conformance::reference;
using conformance::outcome;
using conformance::pieces;

constexpr std::streamsize link_sizes[] = {1, 2, 3, 7, 64};
constexpr utfilter::on_error policies[] = {utfilter::on_error::strict,  utfilter::on_error::stop,
                                           utfilter::on_error::replace, utfilter::on_error::skip,
                                           utfilter::on_error::escape,  utfilter::on_error::windows1252};

/// What a filter makes of a whole text.
template <class Filter>
std::string filtered(Filter filter, const std::string& text) {
  devices::recording_sink sink;
  filter.write(sink, text.data(), static_cast<std::streamsize>(text.size()));
  filter.close(sink, std::ios::out);
  return sink.text();
}

/// The outcome that the input must have: all of it, or without `ends` the part that is decided.
using expectation =
    std::function<reference::outcome(const reference::params&, std::string_view input, bool writing, bool ends)>;

/// The places in the output of a writing filter at which a piece may end.
using places = std::function<std::vector<std::size_t>(const reference::params&, std::string_view input)>;

/// The places at which a character ends. `is_whole` says that CR LF is one.
inline std::vector<std::size_t> ends_of_characters(const std::string& text, bool is_whole = false) {
  std::vector<std::size_t> ends;
  for (std::size_t at = 1; at <= text.size(); ++at) {
    const bool is_inside =
        at != text.size() && ((text[at] & 0xC0) == 0x80 || (is_whole && text.compare(at - 1, 2, "\r\n") == 0));
    if (!is_inside) ends.push_back(at);
  }
  return ends;
}

/// One input under one policy. Each way to run it returns a complaint, or an empty string.
template <class Codec>
class trial {
 public:
  trial(const Codec& codec, expectation expected, utfilter::params p, std::string input, places ends = {})
      : codec_(codec),
        expected_(std::move(expected)),
        ends_(std::move(ends)),
        params_(observed_by(std::move(p))),
        input_(std::move(input)),
        filter_(codec_, params_) {}
  trial(const trial&) = delete;

  /// Runs the codec in a conversion. The room for output grows only after a call that neither consumed nor produced.
  std::string codec(const pieces& cut, std::size_t room) {
    using utfilter::codec_status;
    observed_.clear();
    told_ = 0;
    utfilter::conversion<Codec> used(codec_, params_);
    used.begin(decltype(used)::direction::reading);
    outcome got;
    codec_status status = codec_status::need_input;
    for (std::size_t i = 0; i < cut.size() && status == codec_status::need_input; ++i) {
      // Buffers of exactly this size: the address sanitizer reports any access outside of them.
      const std::vector<char> in(cut[i].begin(), cut[i].end());
      std::size_t taken = 0, space = room;
      do {
        std::vector<char> out(space);
        const utfilter::codec_progress step =
            used.convert(in.data() + taken, in.size() - taken, out.data(), space, i + 1 == cut.size());
        taken += step.consumed;
        got.output.append(out.data(), step.produced);
        status = step.status;
        const bool moved = step.consumed != 0 || step.produced != 0;
        if (!moved && status == codec_status::need_output && space >= Codec::min_output) return "no progress";
        space = moved ? room : space + 1;
      } while (status == codec_status::need_output);
      if (status == codec_status::need_input && taken != in.size()) return "asks for more before it took all";
    }
    if (status == codec_status::need_input) return "asks for more after the end";
    if (used.failure()) got.thrown = error_of([&] { std::rethrow_exception(used.failure()); });
    got.report = used.report();
    return compared(got, false);
  }

  /// Reads through a chain. At an empty piece the source would block. By then all output that is decided must have come
  /// out.
  std::string read(const pieces& cut, std::streamsize link) {
    observed_.clear();
    told_ = 0;
    outcome got;
    conformance::device_state source;
    std::string late;
    source.text = cut;
    got.thrown = error_of([&] {
      io::filtering_istream in;
      in.push(filter_, link);
      in.push(conformance::pieces_source(source), link);
      for (std::size_t blocked = 1; blocked != source.blocked && late.empty();) {
        blocked = source.blocked;
        for (std::istreambuf_iterator<char> i(in), end; i != end; ++i) got.output += *i;
        if (blocked == source.blocked) break;
        const std::string due = expected(std::string_view(input_).substr(0, source.delivered), false, false).output;
        if (got.output != due) late = "before a wait " + told(got.output) + ", not " + told(due);
      }
    });
    if (!late.empty()) return late;
    got.report = filter_.report();
    return compared(got, false);
  }

  /// Writes through a chain to a sink that sees each piece as the filter wrote it, and where it ends. After a flush the
  /// sink has all output that is decided.
  std::string write(const pieces& cut, std::streamsize link, bool flush) {
    observed_.clear();
    told_ = 0;
    const outcome whole = expected(input_, true, true);
    const std::vector<std::size_t> ends =
        ends_ ? ends_(conformance::to_reference(params_), input_) : ends_of_characters(whole.output);
    outcome got;
    conformance::device_state sink;
    std::size_t written = 0;
    io::filtering_ostream out;
    sink.boundaries = &ends;
    out.push(io::compose(filter_, conformance::collecting_sink(sink)), link);
    for (const std::string& piece : cut) {
      sink.budget.allow_for_piece(piece.size());
      out << piece;
      written += piece.size();
      if (!flush) continue;
      out.flush();
      const outcome due = expected(std::string_view(input_).substr(0, written), true, false);
      if (sink.written != due.output) return "after a flush " + told(sink.written) + ", not " + told(due.output);
      if (out.bad() != due.thrown.has_value()) return "a flush hides an error, or invents one";
    }
    got.thrown = error_of([&] { out.reset(); });
    got.output = sink.written;
    got.report = filter_.report();
    if (!sink.whole) return "a piece did not end with a whole character";
    return compared(got, true);
  }

 private:
  utfilter::params observed_by(utfilter::params p) {
    p.observer = [this](const utfilter::error_info& e) {
      if (e.code == utfilter::errc{})
        ++told_;
      else
        observed_.push_back(e);
    };
    return p;
  }

  outcome expected(std::string_view input, bool writing, bool ends) const {
    return conformance::from_reference(expected_(conformance::to_reference(params_), input, writing, ends));
  }

  template <class Action>
  static std::optional<utfilter::error_info> error_of(Action action) {
    const auto error = caught<utfilter::utf_error>(action);
    return error ? std::optional(error->info()) : std::nullopt;
  }

  static std::string told(const std::string& text) { return '<' + conformance::to_hex(text) + '>'; }

  std::string compared(outcome got, bool writing) const {
    const outcome wanted = expected(input_, writing, true);
    got.observed = observed_;
    if (told_ != (utfilter::detail::has_tell<Codec> ? got.report.changes : 0)) return "the observer missed a change";
    if (conformance::same(got, wanted)) return {};
    return "\n  expected " + conformance::text_of(wanted) + "\n  got      " + conformance::text_of(got);
  }

  std::vector<utfilter::error_info> observed_;
  std::uint64_t told_ = 0;  // changes that the observer has seen
  Codec codec_;
  expectation expected_;
  places ends_;  // null: the ends of characters
  utfilter::params params_;
  std::string input_;
  utfilter::codec_filter<Codec> filter_;
};

template <class Codec>
void check(trial<Codec>& t, const pieces& cut, std::initializer_list<std::size_t> rooms,
           std::initializer_list<std::streamsize> links) {
  const pieces with_waits = conformance::with_empty_pieces(cut);
  const auto agrees = [&](const std::string& how, std::streamsize size, const std::string& why) {
    BOOST_REQUIRE_MESSAGE(why.empty(), how << ' ' << size << ", " << conformance::text_of(cut) << ": " << why);
  };
  for (const std::size_t room : rooms) {
    agrees("codec with room for", static_cast<std::streamsize>(room), t.codec(cut, room));
    agrees("codec, empty calls, with room for", static_cast<std::streamsize>(room), t.codec(with_waits, room));
  }
  for (const std::streamsize link : links) {
    agrees("reading with a link of", link, t.read(with_waits, link));
    agrees("writing with a link of", link, t.write(cut, link, false));
    agrees("flushing with a link of", link, t.write(cut, link, true));
  }
}

/// Every cut in two and in three pieces, and in single bytes; every room up to one byte more than the longest
/// character. A brief run takes some pairs of a cut and a room or a buffer size.
template <class Codec>
void check_every_cut(const Codec& codec, const expectation& expected, const utfilter::params& p,
                     const std::string& input, const places& ends = {}) {
  trial<Codec> t(codec, expected, p, input, ends);
  for (const pieces& cut : conformance::every_cut(input)) {
    for (const std::size_t room : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 9u, 100u})
      if (brief::takes_next()) check(t, cut, {room}, {});
    for (const std::streamsize link : link_sizes)
      if (brief::takes_next()) check(t, cut, {}, {link});
  }
}

/// Texts made of these parts and of noise, under every policy, cut at random.
template <class Codec>
void check_mixtures(const Codec& codec, const expectation& expected, const std::vector<std::string>& parts,
                    std::size_t texts, const places& ends = {}) {
  std::mt19937 random(20261127);
  const auto below = [&](std::size_t n) { return random() % n; };
  for (std::size_t i = 0; i < texts; ++i) {
    std::string text;
    for (std::size_t n = 1 + below(i % 10 == 0 ? 400 : 24); n != 0; --n) {
      text += parts[below(parts.size())];
      if (below(8) == 0) text += static_cast<char>(below(256));
      if (below(8) == 0) text += std::string(below(100), 'x');
    }
    utfilter::params p;
    p.on_error = policies[i % std::size(policies)];
    if (below(3) == 0) p.replacement = parts[below(parts.size())];
    if (!utfilter::is_utf8(p.replacement)) p.replacement.clear();
    if (below(6) == 0) p.error_limit = below(4);
    pieces cut;
    for (std::size_t at = 0; at < text.size();) {
      cut.push_back(text.substr(at, 1 + below(below(3) == 0 ? 100 : 8)));
      at += cut.back().size();
    }
    cut.emplace_back();
    trial<Codec> t(codec, expected, p, text, ends);
    check(t, cut, {below(12), 1000}, {link_sizes[below(std::size(link_sizes))]});
  }
}

}  // namespace text_filters

#endif
