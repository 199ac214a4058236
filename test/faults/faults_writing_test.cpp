// faults_writing_test.cpp: sinks that throw, take one byte or none, or refuse too often, at any call. A schedule says
// what the sink does at each call; the tests try every schedule of a few calls. Other sinks throw from the Nth write or
// flush on, for every N. Writing always ends. The failure is reported by an exception or badbit. The sink gets the
// start of the text, and no part of it twice. The filters work again after close. The same holds for an observer that
// throws at any error, and for memory that runs out at any time.
// build: optimised cost:15
#define BOOST_TEST_MODULE faults_writing
#include "support/counting_new.hpp"
#include "support/filter_stacks.hpp"
#include "support/tally.hpp"
#include "support/test_devices.hpp"
#include "support/test_streambufs.hpp"

#include <utfilter/scoped_filter.hpp>
#include <utfilter/stream.hpp>

#include <boost/iostreams/compose.hpp>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/filter/gzip.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <functional>
#include <ios>
#include <iterator>
#include <memory>
#include <optional>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace filter_stacks;
using devices::act;
using devices::all_schedules;
using devices::schedule;
using devices::scheduled_sink;

constexpr std::size_t sizes[] = {1, 5, 3, 64};  // bytes in each write

const schedule every_act = {act::all, act::one, act::none, act::end, act::failure};
const schedule all_or_not = {act::all, act::failure};

//-------------------------------------------------------------------------------------------------------- ways to write

/// A chain, or an object used like one. Each call throws if it reports a failure.
struct writing {
  std::function<void(std::string_view)> write;
  std::function<void()> flush, close;
};

struct way {
  std::string name;
  std::function<writing(const stack&, const scheduled_sink&)> open;
  std::size_t refusals = devices::too_many_refusals;  // this many in a row are a failure
  bool goes_on = false;  // a write after a failure of the sink is tried, and text between them may be lost
};

/// Streams report failures by badbit. This throws if it is set, and clears it.
void require_good(std::ostream& out) {
  const bool bad = out.bad();
  out.clear();
  if (bad) throw std::ios_base::failure("badbit");
}

template <class Stream>
writing writes(const std::shared_ptr<Stream>& out, std::function<void()> close) {
  return {[out](std::string_view text) {
            out->write(text.data(), static_cast<std::streamsize>(text.size()));
            require_good(*out);
          },
          [out] { require_good(out->flush()); }, std::move(close)};
}

using chain = std::shared_ptr<io::filtering_ostream>;

writing writing_chain(const chain& out) {
  return writes(out, [out] { out->reset(); });
}

void push(const chain& out, const filter& f, std::streamsize link) {
  f.visit([&](const auto& one) { out->push(one, link); });
}

/// Links of one size before a device whose link has another size; 0 is a link without a buffer. Such a link writes byte
/// by byte. At the first refusal it returns that it took fewer bytes, which is progress for the filter. So one more
/// refusal is needed.
way in_a_chain(const std::string& name, std::streamsize link, std::streamsize device) {
  return {name,
          [=](const stack& s, const scheduled_sink& sink) {
            const auto out = std::make_shared<io::filtering_ostream>();
            for (const filter& f : s.filters) push(out, f, link);
            out->push(sink, device);
            return writing_chain(out);
          },
          devices::too_many_refusals + (device == 0 ? 1 : 0)};
}

way composed(const std::string& name, std::streamsize link) {
  return {name, [=](const stack& s, const scheduled_sink& sink) {
            const auto out = std::make_shared<io::filtering_ostream>();
            for (std::size_t i = 0; i + 1 < s.filters.size(); ++i) push(out, s.filters[i], link);
            s.filters.back().visit([&](const auto& f) { out->push(io::compose(f, sink), link); });
            return writing_chain(out);
          }};
}

const way directly = {"directly", [](const stack& s, const scheduled_sink& sink) {
                        const auto device = std::make_shared<scheduled_sink>(sink);
                        return s.filters[0].visit([&](const auto& f) {
                          const auto own = std::make_shared<std::decay_t<decltype(f)>>(f);
                          return writing{[own, device](std::string_view text) {
                                           own->write(*device, text.data(), static_cast<std::streamsize>(text.size()));
                                         },
                                         [own, device] { own->flush(*device); },
                                         [own, device] { own->close(*device, std::ios::out); }};
                        });
                      }};

//-------------------------------------------------------------------------------------------------------------- judging

/// The failures that a use of the filters reports.
struct told {
  bool fault = false;
  std::optional<error_info> error;

  template <class Action>
  bool by(const Action& action) {
    try {
      action();
      return false;
    } catch (const utfilter::utf_error& e) {
      error = e.info();
    } catch (const std::exception&) {
    }
    return fault = true;
  }
};

enum class flushing { never, always };

/// Writes the text in pieces, and closes.
std::string complaint_of(const way& how, const scheduled_sink& sink, const stack& s, const expectation& e, flushing f) {
  const writing out = how.open(s, sink);
  const auto& log = sink.seen();
  const due& all = e.of_all();
  const auto broken = [&] { return log.threw || log.most_refused >= how.refusals; };
  std::size_t written = 0;
  told heard;
  for (std::size_t call = 0; written < s.text.size(); ++call) {
    if (heard.fault && how.goes_on) break;  // resume_test has what comes after that
    const std::string_view part = std::string_view(s.text).substr(written, sizes[call % std::size(sizes)]);
    written += part.size();
    heard.by([&] { out.write(part); });
    if (f == flushing::never) continue;
    heard.by([&] { out.flush(); });
    const due& so_far = e.of(written, false);
    if (!heard.fault && broken()) return "a failure is not reported by the flush";
    if (!heard.fault && log.text != so_far.output) return "after a flush the sink has " + conformance::to_hex(log.text);
  }
  heard.by([&] { out.close(); });

  const std::string& text = log.text;
  if (log.budget.exceeded()) return "it does not end";
  if (all.output.compare(0, text.size(), text) != 0) return "the sink has another text: " + conformance::to_hex(text);
  if (log.refused != 0 && all.output.compare(text.size(), log.presented.size(), log.presented) != 0)
    return "the refused text is not the next part of the output: " + conformance::to_hex(log.presented);
  if (broken() && !heard.fault) return "the failure is not reported";
  const auto is_told = [&](const error_info& one) { return heard.error && same_error(*heard.error, one); };
  const bool is_due = std::any_of(all.errors.begin(), all.errors.end(), is_told);
  if (heard.fault && (log.failures != 0 || log.most_refused >= devices::too_many_refusals || log.unflushable))
    return "";
  if (heard.fault && !is_due)
    return all.errors.empty() ? "a failure is reported that did not happen" : "another error is reported";
  if (!heard.fault && !all.errors.empty()) return "the error is not reported";
  return text == all.output ? ""
                            : "the sink has " + conformance::to_hex(text) + ", not " + conformance::to_hex(all.output);
}

/// Writes as scheduled, closes, and writes once more with the same filters: the failures must leave no trace.
void check(tally& cases, const way& how, const stack& s, const expectation& e, const schedule& calls, flushing f,
           bool flushes_are_calls = false) {
  if (cases.is_hopeless()) return;
  const devices::watchdog dog(how.name + ", " + s.name + ':' +
                              devices::text_of(calls));  // for loops that call no device
  std::string why;
  for (const schedule& some : {calls, schedule()}) {
    const scheduled_sink sink(some, flushes_are_calls);
    why = complaint_of(how, sink, s, e, f);
    if (why.empty()) continue;
    why += some.empty() ? " (after close)" : "";
    break;
  }
  if (cases.failed(why.empty()))
    BOOST_ERROR(how.name << ", " << s.name << (f == flushing::always ? ", flushing" : "")
                         << ", sink:" << devices::text_of(calls) << ": " << why);
}

void check_schedules(const std::string& name, const std::vector<way>& ways, const std::vector<stack>& stacks,
                     const schedule& acts, std::size_t calls_in_a_schedule) {
  tally cases;
  const std::vector<schedule> schedules = all_schedules(calls_in_a_schedule, acts);
  for (const stack& s : stacks) {
    const expectation e(s, true);
    for (const way& how : ways)
      for (const schedule& calls : schedules)
        for (const flushing f : {flushing::never, flushing::always})
          check(cases, how, s, e, devices::repeated(calls, 3), f);
  }
  cases.summary(name);
}

//------------------------------------------------------------------------------------------------------------ schedules

BOOST_AUTO_TEST_CASE(a_filter_writes_to_a_device_with_any_schedule) {
  check_schedules("one filter, directly", {directly}, single_filters(), every_act, 5);
}

BOOST_AUTO_TEST_CASE(a_filter_writes_to_and_flushes_a_device_with_any_schedule) {
  tally cases;
  const std::vector<schedule> schedules = all_schedules(4, every_act);
  for (const stack& s : single_filters()) {
    const expectation e(s, true);
    for (const schedule& calls : schedules)
      for (const flushing f : {flushing::never, flushing::always})
        check(cases, directly, s, e, devices::repeated(calls, 3), f, true);
  }
  cases.summary("one filter, directly, flushes are calls");
}

BOOST_AUTO_TEST_CASE(a_chain_of_one_filter_writes_to_a_device_with_any_schedule) {
  const std::vector<way> ways = {composed("composed", -1), in_a_chain("without a buffer", 3, 0)};
  check_schedules("one filter in a chain", ways, single_filters(), every_act, 4);
}

BOOST_AUTO_TEST_CASE(a_chain_of_two_filters_writes_to_a_device_with_any_schedule) {
  const std::vector<way> ways = {composed("composed", -1), composed("composed, links of 1", 1),
                                 in_a_chain("no buffers", 0, 0)};
  check_schedules("two filters in a chain", ways, double_filters(), every_act, 4);
}

// A link with a buffer does not work with a device that takes only a part of a write: it writes some of it twice (issue
// 92 of Boost.Iostreams).
BOOST_AUTO_TEST_CASE(a_chain_with_buffers_writes_to_a_device_that_takes_all_or_throws) {
  const std::vector<way> ways = {in_a_chain("chain", -1, -1), in_a_chain("links of 1", 1, 1),
                                 in_a_chain("links of 3", 3, 7)};
  check_schedules("one filter before a buffer", ways, single_filters(), all_or_not, 9);
  check_schedules("two filters before a buffer", ways, double_filters(), all_or_not, 9);
}

struct sink_stream : std::ostream {
  explicit sink_stream(const scheduled_sink& sink) : std::ostream(nullptr), buffer(sink) { rdbuf(&buffer); }
  streambufs::sink_streambuf<scheduled_sink> buffer;
};

/// utfilter::ostream over another stream.
way standard_stream(encoding to, const utfilter::params& p) {
  return {"utfilter::ostream",
          [=](const stack&, const scheduled_sink& sink) {
            const auto beneath = std::make_shared<sink_stream>(sink);
            const auto out = std::make_shared<utfilter::ostream>(*beneath, to, p);
            return writes(out, [out, beneath] { out->close(); });
          },
          devices::too_many_refusals, true};
}

/// A scoped_filter on a stream. The end of its scope reports no failure, so the stream is flushed before.
way scoped(encoding to, const utfilter::params& p) {
  return {"scoped_filter",
          [=](const stack&, const scheduled_sink& sink) {
            const auto beneath = std::make_shared<sink_stream>(sink);
            auto filter = std::make_shared<utfilter::scoped_filter>(*beneath, p, to);
            writing all = writes(beneath, {});
            all.close = [beneath, filter = std::move(filter)]() mutable {
              bool bad = !beneath->flush();
              filter.reset();
              if (bad) throw std::ios_base::failure("badbit");
              require_good(*beneath);
            };
            return all;
          },
          devices::too_many_refusals, true};
}

BOOST_AUTO_TEST_CASE(our_ostream_and_scoped_filter_write_to_a_standard_stream_with_any_schedule) {
  tally cases;
  for (const auto& [to, policy] :
       {std::pair(encoding::utf16le, on_error::replace), std::pair(encoding::utf8, on_error::strict)}) {
    const setup s = setup_of(filter_kind::encoder, to, policy);
    const stack one{"encoder", {filter(s)}, policy == on_error::strict ? mixed_text : wrong_text + 'z'};
    const expectation e(one, true);
    for (const way& how : {standard_stream(to, s.params), scoped(to, s.params)})
      for (const schedule& calls : all_schedules(4, every_act))
        for (const flushing f : {flushing::never, flushing::always})
          for (const bool flushes_are_calls : {false, true})
            check(cases, how, one, e, devices::repeated(calls, 3), f, flushes_are_calls);
  }
  cases.summary("standard streams");
}

//--------------------------------------------------------------------------------------------------- failures at each N

/// A failure sticks, so no more calls are needed.
constexpr std::size_t calls_after_a_failure = 8;

/// The sink throws from the Nth write or flush on, for every N up to their number.
void check_each(tally& cases, const way& how, const stack& s, const expectation& e, flushing f) {
  for (std::size_t n = 1; !cases.is_hopeless(); ++n) {
    schedule calls(n - 1, act::all);
    calls.resize(n + calls_after_a_failure, act::failure);
    const scheduled_sink sink(calls, true);
    const std::string why = complaint_of(how, sink, s, e, f);
    if (cases.failed(why.empty()))
      BOOST_ERROR(how.name << ", " << s.name << (f == flushing::always ? ", flushing" : "") << ", call " << n << ": "
                           << why);
    if (sink.seen().failures == 0) return;
  }
}

stack long_stack(stack s) {
  const std::string once = s.text;
  while (s.text.size() < 600) s.text += once;
  return s;
}

BOOST_AUTO_TEST_CASE(a_device_that_throws_from_any_write_or_flush_on_is_reported) {
  tally cases;
  for (const flushing f : {flushing::never, flushing::always}) {
    for (const stack& s : single_filters()) {
      const expectation e(s, true);
      for (const way& how :
           {directly, composed("composed", -1), in_a_chain("chain", -1, -1), in_a_chain("links of 3", 3, 3)})
        check_each(cases, how, s, e, f);
    }
    for (const std::size_t i : {0u, 1u, 3u}) {
      const stack s = long_stack(double_filters()[i]);
      const expectation e(s, true);
      for (const way& how : {composed("composed", 16), in_a_chain("chain", -1, -1), in_a_chain("links of 16", 16, 16)})
        check_each(cases, how, s, e, f);
    }
  }
  cases.summary("throwing from the Nth call on");
}

//----------------------------------------------------------------------------------------------------------------- gzip

/// Decompresses as much of the data as possible.
std::string unzipped(const std::string& data) {
  std::string text;
  io::filtering_istream in;
  in.push(io::gzip_decompressor(io::zlib::default_window_bits, 1), 1);
  in.push(io::array_source(data.data(), data.size()), 1);
  try {
    for (int c; (c = in.rdbuf()->sbumpc()) != std::char_traits<char>::eof();)
      text += std::char_traits<char>::to_char_type(c);
  } catch (const std::exception&) {
  }
  return text;
}

/// Passes on its text, and keeps a record of the part taken.
struct recorder {
  using char_type = char;
  using category = io::multichar_output_filter_tag;
  std::shared_ptr<std::string> text = std::make_shared<std::string>();

  template <class Sink>
  std::streamsize write(Sink& to, const char* s, std::streamsize n) {
    const std::streamsize taken = io::write(to, s, n);
    if (taken > 0) text->append(s, static_cast<std::size_t>(taken));
    return taken;
  }
};

/// The place of gzip in a chain: between two links; after one link; or directly between the last filter and the device.
enum class gzip_place { before_a_link, after_a_link, between };
constexpr const char* gzip_place_names[] = {"gzip before a link", "gzip after a link", "gzip between"};

writing through_gzip(const stack& s, const recorder& record, const scheduled_sink& sink, gzip_place place) {
  // gzip gets little memory and looks for no repetitions, so that it does not keep all text until the end.
  const io::gzip_params prompt(io::zlib::best_speed, io::zlib::deflated, io::zlib::default_window_bits, 1,
                               io::zlib::huffman_only);
  const auto gzip = io::gzip_compressor(prompt, 16);
  const auto out = std::make_shared<io::filtering_ostream>();
  for (std::size_t i = 0; i + 1 < s.filters.size(); ++i) push(out, s.filters[i], 16);
  s.filters.back().visit([&](const auto& f) {
    switch (place) {
      case gzip_place::before_a_link:
        out->push(io::compose(f, record), 16);
        out->push(gzip, 16);
        out->push(sink, 4);
        break;
      case gzip_place::after_a_link:
        out->push(io::compose(f, record), 16);
        out->push(io::compose(gzip, sink), 16);
        break;
      case gzip_place::between: out->push(io::compose(f, io::compose(record, io::compose(gzip, sink))), 16); break;
    }
  });
  return writing_chain(out);
}

std::string complaint_of_gzip(gzip_place place, const scheduled_sink& sink, const stack& s, const due& whole) {
  const recorder record;
  const writing out = through_gzip(s, record, sink, place);
  const auto& log = sink.seen();
  told heard;
  for (const std::string& part : devices::in_pieces(s.text, 7)) heard.by([&] { out.write(part); });
  const bool early = log.threw;
  heard.by([&] { out.close(); });
  const std::string text = unzipped(log.text);
  if (log.budget.exceeded()) return "it does not end";
  if (!starts_with(whole.output, *record.text)) return "gzip got another text: " + conformance::to_hex(*record.text);
  if (!heard.fault) {
    if (log.threw && !early && place == gzip_place::before_a_link) return "";
    if (text != whole.output) return "no failure is reported, but the text is " + conformance::to_hex(text);
    return whole.errors.empty() || log.threw ? "" : "the error is not reported";
  }
  // If a link fails and later works again, gzip writes its buffer once more, after the part that was taken.
  const bool garbled = log.threw && place == gzip_place::before_a_link && log.budget.spent() > log.calls.size();
  if (!garbled && !starts_with(whole.output, text)) return "the archive has another text: " + conformance::to_hex(text);
  if (log.threw || log.hesitated) return "";
  if (whole.errors.empty()) return "a failure is reported that did not happen";
  return text == whole.output ? "" : "the sink has " + conformance::to_hex(text);
}

/// Texts that gzip keeps until the end, and longer texts.
std::vector<stack> gzip_stacks() {
  std::vector<stack> all = double_filters();
  for (const std::size_t i : {0u, 1u, 3u}) all.push_back(long_stack(all[i]));
  return all;
}

/// Writes to a sink that fails, and once more, with the same filters, to one that works.
void check_gzip(tally& cases, const stack& s, const expectation& e, gzip_place place, const scheduled_sink& failing) {
  const devices::watchdog dog("gzip, " + s.name);
  const scheduled_sink good(schedule{});
  std::string why = complaint_of_gzip(place, failing, s, e.of_all());
  if (why.empty()) why = complaint_of_gzip(place, good, s, e.of_all());
  if (cases.failed(why.empty())) {
    const auto& calls = failing.seen().calls;
    BOOST_ERROR(gzip_place_names[static_cast<int>(place)] << ", " << s.name << ", sink:" << devices::text_of(calls)
                                                          << ": " << why);
  }
}

// Boost's compressor does not flush. Closing its link, or a link after it, reports no failure. So if the bytes that
// compressor and links still hold, or the end of gzip's data, cannot be written, nothing is reported.
BOOST_AUTO_TEST_CASE(two_filters_and_gzip_write_to_a_device_that_throws_from_any_write_on) {
  tally cases;
  for (const stack& s : gzip_stacks()) {
    const expectation e(s, true);
    for (const auto place : {gzip_place::before_a_link, gzip_place::after_a_link, gzip_place::between})
      for (const bool persistent : {false, true})
        for (std::size_t n = 1; !cases.is_hopeless(); ++n) {
          schedule calls(n - 1, act::all);
          calls.resize(n + (persistent ? calls_after_a_failure : 0), act::failure);
          const scheduled_sink failing(calls);
          check_gzip(cases, s, e, place, failing);
          if (failing.seen().failures == 0) break;
        }
  }
  cases.summary("two filters and gzip");
}

// gzip works with a device that takes a part of a write, if no link with a buffer is between the two. It does not work
// with a device that returns -1: gzip then counts one byte more than its buffer has, and writes past the buffer. Until
// its header is written, gzip takes no text and returns 0.
BOOST_AUTO_TEST_CASE(two_filters_and_gzip_write_to_a_device_with_any_schedule) {
  tally cases;
  for (const stack& s : gzip_stacks()) {
    const expectation e(s, true);
    for (const schedule& some : all_schedules(4, {act::all, act::one, act::none, act::failure}))
      for (const bool has_header : {false, true}) {
        schedule calls(has_header ? 1 : 0, act::all);
        for (const act a : devices::repeated(some, 3)) calls.push_back(a);
        check_gzip(cases, s, e, gzip_place::between, scheduled_sink(calls));
      }
  }
  cases.summary("two filters and gzip, directly");
}

//------------------------------------------------------------------------------------------------------------ observers

struct veto : std::exception {};

BOOST_AUTO_TEST_CASE(an_observer_that_throws_at_any_error_fails_the_writing) {
  tally cases;
  const std::string text = wrong_text + 'z';  // closing finds no error: scoped_filter would not report it
  for (std::size_t i = 0; i < std::size(conformance::on_error_names); ++i) {
    const auto policy = static_cast<on_error>(i);
    setup s = setup_of(filter_kind::validator, encoding::utf8, policy);
    const std::size_t errors = filter(s).expected(text, true, true).observed.size();
    for (std::size_t n = 1; n <= errors + 1; ++n) {
      // The observer throws at error n. A limit of n - 1 errors ends the text at the same place.
      s.params.error_limit = n - 1;
      const outcome expected = filter(s).expected(text, true, true);
      std::size_t seen = 0;
      s.params.error_limit = utfilter::no_limit;
      s.params.observer = [&](const error_info&) {
        if (++seen == n) throw veto();
      };
      const stack one{"observed", {filter(s)}, text};
      const way stream = standard_stream(encoding::utf8, s.params), scope = scoped(encoding::utf8, s.params);
      s.params.observer = {};
      for (const way& how : {directly, composed("composed", 4), in_a_chain("chain", -1, -1), stream, scope})
        for (const std::size_t size : {1u, 3u, 64u}) {
          for (const int again : {0, 1}) {  // again after close, with the same result
            const scheduled_sink sink(schedule{});
            const writing all = how.open(one, sink);
            std::size_t vetoes = 0;
            seen = 0;
            const auto count = [&](auto action) {
              try {
                action();
              } catch (const std::exception&) {
                ++vetoes;
              }
            };
            for (const std::string& part : devices::in_pieces(text, size)) count([&] { all.write(part); });
            count(all.close);
            const bool vetoing = n <= errors || expected.thrown;
            const bool right =
                sink.seen().text == expected.output && (vetoes != 0) == vetoing && seen == std::min(n, errors);
            if (cases.failed(right))
              BOOST_ERROR(how.name << ", on_error " << conformance::name_of(policy, conformance::on_error_names)
                                   << ", error " << n << ", use " << again << ", pieces of " << size << ": " << seen
                                   << " seen, " << conformance::to_hex(sink.seen().text) << ", not "
                                   << conformance::to_hex(expected.output));
          }
        }
    }
  }
  cases.summary("observers that throw, writing");
}

//--------------------------------------------------------------------------------------------------------------- memory

/// Writes the text in pieces, flushes each, and closes.
std::string complaint_without_memory(const writing& out, const scheduled_sink& sink, const stack& s,
                                     const expectation& e, failing_allocation& failure) {
  const std::string& text = sink.seen().text;
  const due& all = e.of_all();
  const due* least = &e.of(0, false);  // the output that must be there
  std::size_t written = 0;
  told heard;
  const auto missing = [&] {
    return "the sink has " + conformance::to_hex(text) + ", not " + conformance::to_hex(least->output);
  };
  for (std::size_t call = 0; written < s.text.size(); ++call) {
    const std::string_view part = std::string_view(s.text).substr(written, sizes[call % std::size(sizes)]);
    const std::size_t before = written;
    written += part.size();
    const auto write = [&] {
      out.write(part);
      out.flush();
    };
    if (heard.fault) {
      heard.by(write);
    } else if (heard.by([&] { failure.during(write); })) {
      least = &e.before_errors(before, written);
    } else if (text != (least = &e.of(written, false))->output) {
      return missing();
    }
  }
  heard.by([&] { heard.fault ? out.close() : failure.during(out.close); });
  if (!starts_with(text, least->output)) return missing();
  if (!starts_with(all.output, text)) return "the sink has another text: " + conformance::to_hex(text);
  if (!heard.fault && !all.errors.empty()) return "the error is not reported";
  if (heard.fault && !failure.happened() && all.errors.empty()) return "a failure is reported that did not happen";
  return heard.fault || text == all.output
             ? ""
             : "the sink has " + conformance::to_hex(text) + ", not " + conformance::to_hex(all.output);
}

/// While text is written to a chain, each allocation fails in turn, once or from there on. Then the filters are used
/// once more.
void check_memory(tally& cases, const way& how, const stack& s) {
  const expectation e(s, true);
  for (const bool stays : {false, true}) {
    bool happened = true;
    for (std::size_t n = 1; happened; ++n) {
      const devices::watchdog dog(how.name + ", " + s.name);
      failing_allocation failure(n, stays);
      const stack filters = unused(s);
      const scheduled_sink sink(schedule{}), again(schedule{});
      std::string why = complaint_without_memory(how.open(filters, sink), sink, s, e, failure);
      happened = failure.happened();
      if (why.empty()) why = complaint_of(how, again, filters, e, flushing::always);
      if (cases.failed(why.empty()))
        BOOST_ERROR(how.name << ", " << s.name << ", allocation " << n << (stays ? " and on: " : ": ") << why);
    }
  }
}

BOOST_AUTO_TEST_CASE(memory_that_runs_out_at_any_time_fails_the_writing) {
  tally cases;
  for (const stack& s : filters_that_allocate()) {
    for (const way& how : {composed("composed", -1), in_a_chain("chain", -1, -1), in_a_chain("links of 3", 3, 3)})
      check_memory(cases, how, s);
    if (s.filters.size() == 1) check_memory(cases, directly, s);
  }
  const auto to_utf16 = [](on_error policy) {
    return observed(setup_of(filter_kind::encoder, encoding::utf16le, policy));
  };
  const setup strict = to_utf16(on_error::strict), repairing = to_utf16(on_error::replace);
  const stack failing{"strict", {filter(strict)}, wrong_text},
      repaired{"repairing", {filter(repairing)}, wrong_text + 'z'};
  check_memory(cases, standard_stream(encoding::utf16le, strict.params), failing);
  check_memory(cases, standard_stream(encoding::utf16le, repairing.params), repaired);
  check_memory(cases, scoped(encoding::utf16le, repairing.params), repaired);
  cases.summary("memory that runs out, writing");
}

}  // namespace
