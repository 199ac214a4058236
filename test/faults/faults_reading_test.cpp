// faults_reading_test.cpp: sources that fail, end too soon, return one byte or none, at any call. A schedule says what
// the source does at each call; the tests try every schedule of five calls. Reading always ends. The failure is
// reported by an exception or badbit, and again by each further read. All text before it has been delivered by then,
// and none twice. The filters work again after close. The same holds for an observer that throws at any error, and for
// memory that runs out at any time.
#define BOOST_TEST_MODULE faults_reading
#include "support/counting_new.hpp"
#include "support/filter_stacks.hpp"
#include "support/gzipped.hpp"
#include "support/tally.hpp"
#include "support/test_devices.hpp"
#include "support/test_streambufs.hpp"

#include <utfilter/stream.hpp>
#include <utfilter/stream_source.hpp>

#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/gzip.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <functional>
#include <ios>
#include <istream>
#include <iterator>
#include <memory>
#include <streambuf>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace filter_stacks;
using devices::act;
using devices::all_schedules;
using devices::device_failure;
using devices::schedule;
using devices::scheduled_source;
using traits = std::char_traits<char>;

constexpr std::size_t piece = 4;                    // most bytes that a source returns
constexpr std::size_t longest = 5;                  // calls in a schedule, which is repeated three times
constexpr std::streamsize sizes[] = {1, 7, 2, 64};  // of reads

const schedule every_act = {act::all, act::one, act::none, act::end, act::failure};
const schedule never_waiting = {act::all, act::one, act::end, act::failure};

//--------------------------------------------------------------------------------------------------------- ways to read

/// Reads at most n bytes. Returns 0 if the source would block, -1 at the end.
using read_function = std::function<std::streamsize(char* s, std::streamsize n)>;

/// A chain, or an object used like one. It lives as long as it is read.
struct reading {
  read_function read;
  std::function<void()> close;
};

struct way {
  std::string name;
  std::function<reading(const stack&, const scheduled_source&)> open;
};

/// Reads a stream buffer. A stream buffer cannot report a source that would block: it seems to end, and continues
/// later.
template <class Stream>
read_function reads(const std::shared_ptr<Stream>& in, const scheduled_source& source) {
  return [in, source](char* s, std::streamsize n) -> std::streamsize {
    std::streambuf& buffer = *in->rdbuf();
    const std::size_t waits = source.seen().waits;
    if (traits::eq_int_type(buffer.sgetc(), traits::eof())) return source.seen().waits != waits ? 0 : -1;
    return buffer.sgetn(s, std::min(n, buffer.in_avail()));
  };
}

using chain = std::shared_ptr<io::filtering_istream>;

reading reading_chain(const chain& in, const scheduled_source& source) {
  return {reads(in, source), [in] { in->reset(); }};
}

void push(const chain& in, const filter& f, std::streamsize link) {
  f.visit([&](const auto& one) { in->push(one, link); });
}

/// Pushes all filters but the first, which is next to the source. A chain has its filters in the reverse order of the
/// data.
void push_all_but_the_first(const chain& in, const stack& s, std::streamsize link) {
  for (std::size_t i = s.filters.size(); i-- > 1;) push(in, s.filters[i], link);
}

chain chain_of(const stack& s, const scheduled_source& source, std::streamsize link = -1, std::streamsize device = -1) {
  const auto in = std::make_shared<io::filtering_istream>();
  push_all_but_the_first(in, s, link);
  push(in, s.filters[0], link);
  in->push(source, device);
  return in;
}

way in_a_chain(const std::string& name, std::streamsize link, std::streamsize device) {
  return {name, [=](const stack& s, const scheduled_source& source) {
            return reading_chain(chain_of(s, source, link, device), source);
          }};
}

const way directly = {"directly", [](const stack& s, const scheduled_source& source) {
                        const auto device = std::make_shared<scheduled_source>(source);
                        return s.filters[0].visit([&](const auto& f) {
                          const auto own = std::make_shared<std::decay_t<decltype(f)>>(f);
                          return reading{
                              [own, device](char* to, std::streamsize n) { return own->read(*device, to, n); },
                              [own, device] { own->close(*device, std::ios::in); }};
                        });
                      }};

const way composed = {"composed", [](const stack& s, const scheduled_source& source) {
                        const auto in = std::make_shared<io::filtering_istream>();
                        push_all_but_the_first(in, s, 3);
                        s.filters[0].visit([&](const auto& f) { in->push(io::compose(f, source)); });
                        return reading_chain(in, source);
                      }};

const std::vector<way> chains = {in_a_chain("chain", -1, -1), in_a_chain("links of 1", 1, 1), composed};

//-------------------------------------------------------------------------------------------------------------- judging

std::string where(const due& got, const due& wanted, const char* when) {
  return std::string(when) + ": " + text_of(got) + ", not " + text_of(wanted);
}

/// Reads to the end, or to an error. Errors and failures of the source stick. Whenever the source would block or fails,
/// all text that follows from the bytes so far must have been delivered.
std::string complaint_of(const reading& in, const scheduled_source& source, const expectation& e) {
  const auto& log = source.seen();
  due got;
  devices::call_budget reads;
  reads.allow_for(log.text.size() + e.of_all().output.size());
  reads.allow(log.calls.size());
  const auto here = [&](const char* when) {
    const due& wanted = e.of(log.delivered, false);
    return same(got, wanted) ? std::string() : where(got, wanted, when);
  };
  bool broken = false;
  for (std::size_t call = 0;; ++call) {
    reads.spend();
    const std::size_t waits = log.waits, failures = log.failures, spent = log.budget.spent();
    char room[64];
    std::streamsize n = 0;
    try {
      n = in.read(room, sizes[call % std::size(sizes)]);
    } catch (const device_failure&) {
      if (broken) return log.budget.spent() == spent ? "" : "the source is asked after its failure";
      if (log.failures != failures + 1) return "a failure is reported that did not happen, or that happened twice";
      std::string why = here("before a failure");
      if (!why.empty()) return why;
      broken = true;
      continue;
    } catch (const utfilter::utf_error& error) {
      got.thrown = error.info();
      break;
    }
    if (broken) return "the failure does not stick";
    if (log.failures != failures) return "a failure is not reported";
    if (n < 0) break;
    if (n == 0) {
      if (log.waits != waits + 1) return "the reader asks again instead of waiting, or waits without need";
      std::string why = here("before a wait");
      if (!why.empty()) return why;
    }
    got.output.append(room, static_cast<std::size_t>(n));
  }
  const due& wanted = e.of(log.delivered, log.ended);
  if (!same(got, wanted)) return where(got, wanted, "in the end");

  // The end or the error sticks.
  const std::size_t spent = log.budget.spent();
  for (int i = 0; i < 2; ++i) {
    char one;
    try {
      if (in.read(&one, 1) != -1 || got.thrown) return "something follows the end";
    } catch (const utfilter::utf_error& error) {
      if (!got.thrown || !same_error(error.info(), *got.thrown)) return "another error follows";
    }
  }
  return log.budget.spent() == spent ? "" : "the source is asked after the end";
}

/// Reads as scheduled, closes, and reads once more with the same filters: the failures must leave no trace.
void check(tally& cases, const way& how, const stack& s, const expectation& e, const schedule& calls) {
  if (cases.is_hopeless()) return;
  const devices::watchdog dog(how.name + ", " + s.name + ':' +
                              devices::text_of(calls));  // for loops that call no device
  std::string why;
  for (const schedule& some : {devices::repeated(calls, 3), schedule()}) {
    const scheduled_source source(s.text, piece, some);
    try {
      const reading in = how.open(s, source);
      why = complaint_of(in, source, e);
      in.close();
    } catch (const std::exception& error) {
      why = std::string("it throws ") + error.what();
    }
    if (!why.empty()) {
      why += some.empty() ? " (after close)" : "";
      break;
    }
  }
  if (cases.failed(why.empty()))
    BOOST_ERROR(how.name << ", " << s.name << ", source:" << devices::text_of(calls) << ": " << why);
}

void check_schedules(const std::string& name, const std::vector<way>& ways, const std::vector<stack>& stacks,
                     const schedule& acts) {
  tally cases;
  const std::vector<schedule> schedules = all_schedules(longest, acts);
  for (const stack& s : stacks) {
    const expectation e(s, false);
    for (const way& how : ways)
      for (const schedule& calls : schedules) check(cases, how, s, e, calls);
  }
  cases.summary(name);
}

//------------------------------------------------------------------------------------------------------------ schedules

BOOST_AUTO_TEST_CASE(a_filter_reads_from_a_device_with_any_schedule) {
  check_schedules("one filter, directly", {directly}, single_filters(), every_act);
}

BOOST_AUTO_TEST_CASE(a_chain_of_one_filter_reads_from_a_device_with_any_schedule) {
  check_schedules("one filter in a chain", chains, single_filters(), every_act);
}

BOOST_AUTO_TEST_CASE(a_chain_of_two_filters_reads_from_a_device_with_any_schedule) {
  check_schedules("two filters in a chain", chains, double_filters(), every_act);
}

using source_streambuf = streambufs::source_streambuf<scheduled_source, piece>;

way standard_stream(encoding from, const utfilter::params& p) {
  return {"utfilter::istream", [=](const stack&, const scheduled_source& source) {
            const auto beneath = std::make_shared<source_streambuf>(source);
            const auto in = std::make_shared<utfilter::istream>(*beneath, from, p);
            return reading{reads(in, source), [beneath] {}};
          }};
}

// A stream buffer that returns no bytes is at its end, so these schedules never wait.
BOOST_AUTO_TEST_CASE(our_istream_reads_from_a_stream_buffer_with_any_schedule) {
  tally cases;
  for (const auto& [from, policy] :
       {std::pair(encoding::utf8, on_error::replace), std::pair(encoding::utf8, on_error::strict),
        std::pair(encoding::detect, on_error::escape)}) {
    const setup s = setup_of(filter_kind::decoder, from, policy);
    const stack one{
        "decoder", {filter(s)}, from == encoding::utf8 ? wrong_text : texts::utf16le(U"\uFEFFa\u20AC\xD800z\n")};
    const expectation e(one, false);
    for (const schedule& calls : all_schedules(longest, never_waiting))
      check(cases, standard_stream(from, s.params), one, e, calls);
  }
  cases.summary("utfilter::istream");
}

BOOST_AUTO_TEST_CASE(a_chain_reads_from_a_stream_source_with_any_schedule) {
  const way how = {"stream_source", [](const stack& s, const scheduled_source& source) {
                     struct stream_over : std::istream {
                       explicit stream_over(const scheduled_source& from) : std::istream(nullptr), buffer(from) {
                         rdbuf(&buffer);
                       }
                       source_streambuf buffer;
                     };
                     const auto beneath = std::make_shared<stream_over>(source);
                     const auto in = std::make_shared<io::filtering_istream>();
                     push_all_but_the_first(in, s, 5);
                     push(in, s.filters[0], 5);
                     in->push(utfilter::stream_source(*beneath));
                     reading all = reading_chain(in, source);
                     all.close = [in, beneath] { in->reset(); };
                     return all;
                   }};
  check_schedules("stream_source", {how}, double_filters(), never_waiting);
}

//----------------------------------------------------------------------------------------------------------------- gzip

/// Passes on the text of its source, and keeps a record of it. It records the output of gzip, because gzip loses
/// decompressed text if its source fails.
class recorder {
 public:
  using char_type = char;
  using category = io::multichar_input_filter_tag;

  struct log {
    std::string text;
    bool ended = false;
  };

  template <class Link>
  std::streamsize read(Link& from, char* s, std::streamsize n) {
    if (traits::eq_int_type(from.sgetc(), traits::eof())) {
      log_->ended = from.true_eof();
      return log_->ended ? -1 : 0;
    }
    n = from.sgetn(s, std::min(n, from.in_avail()));
    log_->text.append(s, static_cast<std::size_t>(n));
    return n;
  }

  const log& seen() const { return *log_; }

 private:
  std::shared_ptr<log> log_ = std::make_shared<log>();
};

/// Reads the text that gzip decompresses, until the source fails for good. All output of gzip must have been delivered.
std::string complaint_of_gzip(const stack& s, const expectation& e, const scheduled_source& source,
                              std::streamsize buffer) {
  const recorder gzip;
  const auto& log = source.seen();
  const auto& given = gzip.seen();
  const auto in = std::make_shared<io::filtering_istream>();
  bool told = false;
  due got;
  push_all_but_the_first(in, s, -1);
  push(in, s.filters[0], -1);
  in->push(gzip);
  in->push(io::gzip_decompressor(io::zlib::default_window_bits, buffer), buffer);
  in->push(source, buffer);
  try {
    std::size_t waits = 0;
    do {
      waits = log.waits;
      for (int c; (c = in->rdbuf()->sbumpc()) != traits::eof();) got.output += traits::to_char_type(c);
    } while (log.waits != waits);
  } catch (const utfilter::utf_error& error) {
    got.thrown = error.info();
  } catch (const std::exception&) {
    told = true;
  }
  try {
    in->reset();
  } catch (const std::exception&) {  // thrown by gzip
    told = true;
  }
  const due& wanted = e.of(given.text.size(), given.ended);
  if (!starts_with(s.text, given.text)) return "gzip gives " + conformance::to_hex(given.text);
  if (!same(got, wanted)) return where(got, wanted, "after gzip");
  if (log.failures != 0 || log.cut_off) return told || got.thrown || log.cut_off ? "" : "the failure is not reported";
  if (told && log.waited_at_end) return "";  // gzip takes the 0 for a byte after its end, and fails to put it back
  if (told) return "a failure is reported that did not happen";
  return same(got, e.of_all()) ? "" : where(got, e.of_all(), "in the end");
}

// Boost's decompressor cannot continue after a failure. It may take an end that comes too soon for the end of the text.
BOOST_AUTO_TEST_CASE(a_chain_reads_from_gzip_over_a_device_with_any_schedule) {
  tally cases;
  std::vector<schedule> schedules = all_schedules(longest, never_waiting),
                        waiting = all_schedules(longest - 1, every_act);
  schedules.insert(schedules.end(), waiting.begin(), waiting.end());
  for (const stack& s : double_filters()) {
    const expectation e(s, false);
    const std::string packed = gzipped(s.text);
    for (const std::streamsize buffer : {1, 4096})
      for (const schedule& calls : schedules)
        for (const schedule& some : {devices::repeated(calls, 3), schedule()}) {
          const devices::watchdog dog("gzip, " + s.name + ':' + devices::text_of(some));
          const std::string why = complaint_of_gzip(s, e, scheduled_source(packed, 16, some), buffer);
          if (cases.failed(why.empty()))
            BOOST_ERROR(s.name << ", buffer " << buffer << ", source:" << devices::text_of(some) << ": " << why);
        }
  }
  cases.summary("two filters and gzip");
}

//--------------------------------------------------------------------------------------------------- reports of streams

// A failure is reported again after clear(), even if the source would continue, because part of the text may be lost.
// Reading on after a wait loses nothing.
BOOST_AUTO_TEST_CASE(a_failure_sets_badbit_again_after_it_is_cleared) {
  tally cases;
  const stack s = double_filters()[0];
  const expectation e(s, false);
  for (const schedule& calls : all_schedules(longest, {act::all, act::one, act::none, act::failure})) {
    const scheduled_source source(s.text, piece, calls);
    const chain in = chain_of(s, source);
    std::string got;
    std::size_t bad = 0;
    while (got.size() <= e.of_all().output.size() && bad != 3) {
      const std::size_t waits = source.seen().waits;
      const int c = in->get();
      if (in->good()) {
        got += traits::to_char_type(c);
      } else if (in->bad() || source.seen().waits != waits) {
        bad += in->bad();
        in->clear();
      } else {
        break;
      }
    }
    const bool failed = source.seen().failures != 0;
    const auto& before = failed ? e.of(source.seen().delivered, false).output : e.of_all().output;
    if (cases.failed(got == before && source.seen().failures <= 1 && bad == (failed ? 3 : 0)))
      BOOST_ERROR("source:" << devices::text_of(calls) << ": " << bad << " times bad, " << conformance::to_hex(got));
  }
  cases.summary("get, and clear");
}

BOOST_AUTO_TEST_CASE(a_failure_is_thrown_by_getline_and_copy) {
  tally cases;
  for (const stack& s : {double_filters()[0], single_filters()[0]}) {
    const expectation e(s, false);
    for (const schedule& calls : all_schedules(longest, {act::all, act::one, act::failure}))
      for (const bool lines : {false, true}) {
        const scheduled_source source(s.text, piece, calls);
        const chain in = chain_of(s, source);
        std::string got;
        bool told = false;
        try {
          if (lines) {
            in->exceptions(std::ios::badbit);
            std::string line;
            try {
              while (std::getline(*in, line)) got += in->eof() ? line : line + '\n';
            } catch (...) {
              got += line;
              throw;
            }
          } else {
            io::copy(*in, io::back_inserter(got));
          }
        } catch (const device_failure&) {
          told = true;
        }
        const bool failed = source.seen().failures != 0;
        const auto& before = e.of(source.seen().delivered, !failed).output;
        const bool right =
            told == failed && (lines || !failed ? got == before : before.compare(0, got.size(), got) == 0);
        if (cases.failed(right))
          BOOST_ERROR((lines ? "getline, " : "copy, ")
                      << s.name << ", source:" << devices::text_of(calls) << ": " << conformance::to_hex(got)
                      << ", not " << conformance::to_hex(before));
      }
  }
  cases.summary("getline and copy");
}

//------------------------------------------------------------------------------------------------------------ observers

struct veto {};

BOOST_AUTO_TEST_CASE(an_observer_that_throws_at_any_error_fails_the_reading) {
  tally cases;
  for (std::size_t i = 0; i < std::size(conformance::on_error_names); ++i) {
    const auto policy = static_cast<on_error>(i);
    setup s = setup_of(filter_kind::validator, encoding::utf8, policy);
    const std::size_t errors = filter(s).expected(wrong_text, false, true).observed.size();
    for (std::size_t n = 1; n <= errors + 1; ++n) {
      // The observer throws at error n. A limit of n - 1 errors ends the text at the same place.
      s.params.error_limit = n - 1;
      const outcome expected = filter(s).expected(wrong_text, false, true);
      std::size_t seen = 0;
      s.params.error_limit = utfilter::no_limit;
      s.params.observer = [&](const error_info&) {
        if (++seen == n) throw veto();
      };
      const stack one{"observed", {filter(s)}, wrong_text};
      s.params.observer = {};
      for (const way& how : {directly, chains[0], chains[1], composed})
        for (const schedule& calls : all_schedules(2, {act::all, act::one, act::none})) {
          for (const int again : {0, 1}) {  // again after close, with the same result
            const scheduled_source source(wrong_text, piece, devices::repeated(calls, 10));
            const reading in = how.open(one, source);
            std::string got;
            int vetoes = 0;
            seen = 0;
            for (int call = 0; call < 200 && vetoes < 3; ++call) {
              char room[7];
              try {
                const std::streamsize some = in.read(room, 7);
                if (some < 0) break;
                got.append(room, static_cast<std::size_t>(some));
              } catch (const veto&) {
                ++vetoes;
              } catch (const utfilter::utf_error&) {
                break;
              }
            }
            in.close();
            const bool vetoing = n <= errors;
            const bool right = got == expected.output && vetoes == (vetoing ? 3 : 0) && seen == (vetoing ? n : errors);
            if (cases.failed(right))
              BOOST_ERROR(how.name << ", on_error " << conformance::name_of(policy, conformance::on_error_names)
                                   << ", error " << n << ", use " << again << ", source:" << devices::text_of(calls)
                                   << ": " << seen << " seen, " << conformance::to_hex(got) << ", not "
                                   << conformance::to_hex(expected.output));
          }
        }
    }
  }
  cases.summary("observers that throw, reading");
}

//--------------------------------------------------------------------------------------------------------------- memory

/// Reads to the end, or to a failure. Failures stick.
std::string complaint_without_memory(const reading& in, const scheduled_source& source, const expectation& e,
                                     failing_allocation& failure) {
  const auto& log = source.seen();
  due got;
  devices::call_budget reads;
  reads.allow_for(log.text.size() + e.of_all().output.size());
  std::vector<char> room(8192);  // more than the buffer of a filter holds
  bool failed = false;
  std::size_t before = 0, delivered = 0;  // bytes of the source, before and after the last call that got some
  for (std::size_t call = 0;; ++call) {
    reads.spend();
    std::streamsize n = 0;
    const auto read = [&] { n = in.read(room.data(), call % 3 == 0 ? 7 : 8192); };
    if (log.delivered != delivered) before = std::exchange(delivered, log.delivered);
    try {
      failed ? read() : failure.during(read);
    } catch (const std::bad_alloc&) {
      if (failed) return "";
      failed = true;
      const due& most = e.of(log.delivered, log.ended);
      const due& least = e.before_errors(log.delivered == delivered ? before : delivered, log.delivered);
      if (!failure.happened()) return "a failure is reported that did not happen";
      if (!starts_with(most.output, got.output)) return where(got, most, "before a failure");
      if (!starts_with(got.output, least.output)) return where(got, least, "before a failure");
      continue;
    } catch (const utfilter::utf_error& error) {
      got.thrown = error.info();
      break;
    }
    if (n < 0) break;
    got.output.append(room.data(), static_cast<std::size_t>(n));
  }
  const due& wanted = e.of(log.delivered, log.ended);
  return same(got, wanted) ? "" : where(got, wanted, "in the end");
}

/// While a chain is read, each allocation fails in turn, once or from there on. Then the filters are used once more.
void check_memory(tally& cases, const way& how, const stack& s) {
  const expectation e(s, false);
  for (const std::size_t size : {std::size_t{1}, piece, devices::everything})
    for (const bool stays : {false, true}) {
      bool happened = true;
      for (std::size_t n = 1; happened; ++n) {
        const devices::watchdog dog(how.name + ", " + s.name);
        failing_allocation failure(n, stays);
        const scheduled_source source(s.text, size, {}), again(s.text, size, {});
        const stack filters = unused(s);
        const reading in = how.open(filters, source);
        std::string why = complaint_without_memory(in, source, e, failure);
        in.close();
        happened = failure.happened();
        if (why.empty()) {
          const reading once_more = how.open(filters, again);
          why = complaint_of(once_more, again, e);
          once_more.close();
        }
        if (cases.failed(why.empty()))
          BOOST_ERROR(how.name << ", " << s.name << ", pieces of " << size << ", allocation " << n
                               << (stays ? " and on: " : ": ") << why);
      }
    }
}

BOOST_AUTO_TEST_CASE(memory_that_runs_out_at_any_time_fails_the_reading) {
  tally cases;
  for (const stack& s : filters_that_allocate()) {
    for (const way& how : chains) check_memory(cases, how, s);
    if (s.filters.size() == 1) check_memory(cases, directly, s);
  }
  for (const on_error policy : {on_error::strict, on_error::replace}) {
    const setup s = observed(setup_of(filter_kind::decoder, encoding::detect, policy));
    check_memory(cases, standard_stream(s.text, s.params), {"decoder", {filter(s)}, wrong_text});
  }
  // After the first error there is more text than the filter holds at a time.
  const setup skipping = setup_of(filter_kind::validator, encoding::utf8, on_error::skip);
  const stack longer{
      "validator, skip", {filter(skipping)}, std::string(4096, 'x') + "yz" + std::string(5000, '\xFF') + "end"};
  check_memory(cases, directly, longer);
  cases.summary("memory that runs out, reading");
}

}  // namespace
