// chain.cpp: a fuzz target for chains of one or two filters that read or write, with links of any size, with gzip or
// without, with flushes or without, with observers that throw, and with a device that fails as the input says. The
// output must be the beginning of the reference's output, and all of it if nothing fails. Each failure must be
// reported, each run must end, and after close the filters must work again.
#include "fuzz.hpp"
#include "support/gzipped.hpp"
#include "support/inflated.hpp"

#include <utfilter/escape_controls.hpp>

#include <boost/iostreams/categories.hpp>
#include <boost/iostreams/compose.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <memory>
#include <variant>

namespace {

using namespace fuzz;
using conformance::any_filter;
using conformance::text_of;
using conformance::to_hex;
using utfilter::on_error;
namespace io = boost::iostreams;

/// The exception of an observer.
struct veto : std::exception {
  explicit veto(const utfilter::error_info& e) : error(e) {}
  utfilter::error_info error;
};

//-------------------------------------------------------------------------------------------------------------- devices

struct device_failure : std::runtime_error {
  device_failure() : std::runtime_error("the device broke") {}
};

/// What a device does at a call. Only a source has `end`.
enum class behaviour { all, one, none, end, failure };
constexpr const char* behaviour_names[] = {"all", "one", "none", "end", "failure"};

/// A sink that takes nothing this many times in a row is broken (filter.hpp). Fewer times are no failure.
constexpr std::size_t most_refusals = 100;

/// The state of a device, which its copies share.
struct device {
  std::vector<behaviour> calls;
  behaviour after;     // what it does at all calls after these
  std::string text;    // of a source: to be delivered; of a sink: taken
  std::size_t budget;  // calls that are still allowed
  std::size_t at = 0, delivered = 0, waits = 0, refusals = 0;
  bool ended = false, cut_off = false, failed = false;
  bool flushes = false;    // flushes use up `calls`, too
  bool unflushed = false;  // bytes were taken since the last flush
  bool refused = false;    // a flush was refused

  behaviour next(bool matters = true) {
    if (budget-- == 0) fail("the device is called without end");
    const behaviour b = at == calls.size() ? after : calls[at++];
    if (b != behaviour::failure) return b;
    failed = failed || matters;
    refused = refused || !matters;
    throw device_failure();
  }
};

class source {
 public:
  using char_type = char;
  using category = io::source_tag;
  explicit source(device& d) : device_(&d) {}

  std::streamsize read(char* s, std::streamsize n) {
    device& self = *device_;
    const behaviour b = self.next();
    const std::size_t left = self.text.size() - self.delivered;
    if (b == behaviour::none) {
      ++self.waits;
      return 0;
    }
    self.ended = left == 0 || b == behaviour::end;
    if (self.ended) {
      self.cut_off = self.cut_off || left != 0;
      self.text.resize(self.delivered);
      return -1;
    }
    const std::size_t taken = b == behaviour::one ? 1 : std::min(static_cast<std::size_t>(n), left);
    std::copy_n(self.text.data() + self.delivered, taken, s);
    self.delivered += taken;
    return static_cast<std::streamsize>(taken);
  }

 private:
  device* device_;
};

class sink {
 public:
  using char_type = char;
  struct category : io::sink_tag, io::flushable_tag {};
  explicit sink(device& d) : device_(&d) {}

  std::streamsize write(const char* s, std::streamsize n) {
    device& self = *device_;
    const behaviour b = self.next();
    const std::size_t taken = b == behaviour::none ? 0 : b == behaviour::one ? 1 : static_cast<std::size_t>(n);
    self.refusals = taken == 0 ? self.refusals + 1 : 0;
    if (self.refusals == most_refusals) self.failed = true;
    self.text.append(s, taken);
    self.unflushed = self.unflushed || taken != 0;
    return static_cast<std::streamsize>(taken);
  }
  bool flush() {
    device& self = *device_;
    if (self.flushes && self.next(self.unflushed) == behaviour::none) {
      self.failed = self.failed || self.unflushed;
      self.refused = true;
      return false;
    }
    self.unflushed = false;
    return true;
  }

 private:
  device* device_;
};

//--------------------------------------------------------------------------------------------------- filters and trials

/// A filter, and the outcome that the reference expects of it.
class element {
 public:
  explicit element(choices& choose) : escapes_(choose.one_in(4)) {
    const auto s = any_setup(choose);
    if (!s || (escapes_ && (s->params.on_error == on_error::keep || s->params.bom != utfilter::bom::automatic))) return;
    setup_ = *s;
    if (escapes_)
      filter_ = utfilter::escape_controls(observed_->params(s->params));
    else
      filter_ = conformance::filter_of(*s, observed_->params(s->params));
  }

  bool usable() const { return filter_.has_value(); }

  outcome expected(const std::string& input, bool writing, bool ends) const {
    return escapes_ ? expected_escaped(setup_.params, input, writing, ends)
                    : fuzz::expected(setup_, input, writing, ends);
  }

  /// Whether the filter stopped before the end of its input.
  bool stops(const outcome& o) const {
    return o.thrown || (setup_.params.on_error == on_error::stop && o.report.errors != 0);
  }

  template <class Chain>
  void push(Chain& chain, std::streamsize link) const {
    std::visit([&](const auto& f) { chain.push(f, link); }, *filter_);
  }
  template <class Chain, class Device>
  void push_with(const Device& device, Chain& chain, std::streamsize link) const {
    std::visit([&](const auto& f) { chain.push(io::compose(f, device), link); }, *filter_);
  }

  /// Makes the observer throw at the Nth error. The text then ends where it would end with an error limit of N - 1.
  void veto_at(std::size_t n) {
    observed_->veto_at = n;
    setup_.params.error_limit = std::min<std::uint64_t>(setup_.params.error_limit, n - 1);
  }

  void begin() const { observed_->errors.clear(); }

  /// What the filter shows of its last use: the report and the observed errors.
  outcome shown() const {
    return {{}, observed_->errors, {}, std::visit([](const auto& f) { return f.report(); }, *filter_)};
  }

  std::string text() const { return (escapes_ ? "escape_controls, as " : "") + text_of(setup_); }

 private:
  struct vetoing_observation : observation {
    std::size_t veto_at = 0;

    utfilter::params params(utfilter::params p) {
      p.observer = [this](const utfilter::error_info& e) {
        errors.push_back(e);
        if (errors.size() == veto_at) throw veto(e);
      };
      return p;
    }
  };

  bool escapes_;
  setup setup_;
  std::shared_ptr<vetoing_observation> observed_ = std::make_shared<vetoing_observation>();
  std::optional<any_filter> filter_;
};

struct trial {
  bool writing, gzipped, composed, flushing, flush_fails;
  bool dies;                           // after `calls` the sink takes nothing any more
  std::vector<std::streamsize> links;  // buffer sizes, enough for the longest chain
  plan sizes;                          // of the pieces that are written or read
  std::vector<behaviour> calls;
  std::vector<element> elements;  // in the order in which text passes them
  std::string text;

  explicit trial(choices& choose) {
    constexpr std::streamsize link_sizes[] = {1, 2, 3, 7, 64, 100, 4096, 0};
    writing = choose.one_in(2);
    gzipped = choose.one_in(4);
    composed = choose.one_in(2);
    flushing = choose.one_in(2);
    for (int i = 0; i < 4; ++i) links.push_back(choose.any_of(link_sizes));
    sizes = plan(choose);
    calls.resize(choose.below(17));
    for (std::size_t i = 0; i < 16; ++i) {
      auto b = static_cast<behaviour>(choose.below(5));
      // Boost's buffered links and gzip cannot serve a sink that takes only a part. Gzip cannot serve a source that
      // waits, either.
      const bool served = writing ? composed && !gzipped && b != behaviour::end : !gzipped || b != behaviour::none;
      if (!served && b != behaviour::failure) b = behaviour::all;
      if (i < calls.size()) calls[i] = b;
    }
    const bool two = choose.one_in(2);
    elements.emplace_back(choose);
    if (two) elements.emplace_back(choose);
    text = choose.text(10000);
    flush_fails = choose.one_in(2) && writing && !gzipped;  // gzip passes no flush on
    for (element& e : elements)
      if (choose.one_in(4)) e.veto_at(1 + choose.below(4));
    dies = choose.one_in(4) && writing && !gzipped;  // gzip never stops writing to such a sink
  }

  /// The expected outcome of each filter, in the order in which text passes them.
  std::vector<outcome> expected(const std::string& input, bool ends) const {
    std::vector<outcome> all;
    const std::string* next = &input;
    for (const element& e : elements) {
      all.push_back(e.expected(*next, writing, ends));
      // After an error, the next filter sees no end if it reads. If it writes, it is closed all the same.
      if (e.stops(all.back())) ends = writing || !all.back().thrown;
      next = &all.back().output;
    }
    return all;
  }
};

/// One use of the filters.
class use {
 public:
  /// Without `faults`, the device does all that it is asked to do.
  use(const trial& t, const std::vector<outcome>& whole, bool faults)
      : t_(t), whole_(whole), device_{{}, behaviour::all, {}, 0} {
    if (faults) device_.calls = t.calls;
    if (faults && t.dies) device_.after = behaviour::none;
    device_.flushes = t.flush_fails && faults && (!t.calls.empty() || t.dies);
    for (const element& e : t_.elements) e.begin();
  }

  void run() { t_.writing ? write() : read(); }

 private:
  using failure = std::optional<utfilter::error_info>;

  [[noreturn]] void complain(const std::string& what) const {
    std::string how = t_.writing ? "writing" : "reading";
    for (const element& e : t_.elements) how += "; " + e.text();
    how += std::string(t_.gzipped ? "; gzip" : "") + (t_.composed ? "; composed" : "") +
           (t_.flushing ? "; flushing" : "") + (device_.flushes ? "; flushes are calls" : "");
    how += "; links";
    for (const auto link : t_.links) how += ' ' + std::to_string(link);
    how += "; device";
    for (const behaviour b : device_.calls) how += std::string(" ") + behaviour_names[static_cast<int>(b)];
    if (device_.after == behaviour::none) how += ", then it takes nothing";
    fail(what + "\n  by " + how + "; " + to_hex(t_.text));
  }
  void require(bool good, const char* what) const {
    if (!good) complain(what);
  }
  void require_text(const std::string& got, const std::string& wanted, const char* when) const {
    if (got != wanted) complain(std::string(when) + ": " + to_hex(got) + ", not " + to_hex(wanted));
  }
  void require_start(const std::string& got) const {
    const std::string& output = whole_.back().output;
    if (output.compare(0, got.size(), got) != 0)
      complain("the output " + to_hex(got) + " is not a start of " + to_hex(output));
  }

  /// Checks the reports and errors of the filters, from the last one back to one that stopped. The filters before that
  /// one need not have come to their end.
  void require_reports(const std::vector<outcome>& wanted) const {
    for (std::size_t i = t_.elements.size(); i-- > 0;) {
      const outcome shown{{}, wanted[i].observed, {}, wanted[i].report};
      if (!conformance::same(t_.elements[i].shown(), shown))
        complain("filter " + std::to_string(i) + " shows " + text_of(t_.elements[i].shown()) + ", not " +
                 text_of(shown));
      if (t_.elements[i].stops(wanted[i])) return;
    }
  }

  void give_budget(std::size_t input) {
    device_.budget = 2 * (input + whole_.back().output.size()) + 16 + device_.calls.size() + 2 * most_refusals;
  }

  //------------------------------------------------------------------------------------------------------------ reading

  void push_input(io::filtering_istream& in) {
    auto link = t_.links.begin();
    for (std::size_t i = t_.elements.size() - 1; i > 0; --i) t_.elements[i].push(in, *link++);
    if (t_.composed && !t_.gzipped) return t_.elements[0].push_with(source(device_), in, *link);
    t_.elements[0].push(in, *link++);
    if (t_.gzipped) in.push(io::gzip_decompressor(), *link++);
    in.push(source(device_), *link);
  }

  /// Reads to the end or to an error, and tries again after waits. If the source fails, the next read must fail in the
  /// same way, because the filter keeps the failure until close.
  std::string read_all(std::streambuf& in, failure& thrown) {
    std::string got;
    plan sizes = t_.sizes;
    std::size_t rounds = 2 * (t_.text.size() + whole_.back().output.size()) + 16 + device_.calls.size();
    while (true) {
      require(rounds-- != 0, "reading does not end");
      const std::size_t budget = device_.budget, waits = device_.waits;
      try {
        if (in.sgetc() == std::char_traits<char>::eof()) {
          if (budget == device_.budget) return got;  // the source was not asked
          if (!t_.gzipped && waits != device_.waits) require_all_before_a_wait(got, waits);
          continue;
        }
        std::string part(std::min(std::max<std::size_t>(sizes.next(), 1), static_cast<std::size_t>(in.in_avail())),
                         '\0');
        part.resize(static_cast<std::size_t>(in.sgetn(part.data(), static_cast<std::streamsize>(part.size()))));
        got += part;
      } catch (const utfilter::utf_error& e) {
        thrown = e.info();
        return got;
      } catch (const veto& v) {
        thrown = v.error;
        return got;
      } catch (const device_failure&) {
        if (!t_.gzipped) require_failure(in);
        return got;
      } catch (const io::gzip_error&) {
        require(device_.failed || device_.cut_off, "gzip fails, although the device did not");
        return got;
      }
    }
  }

  void require_failure(std::streambuf& in) const {
    try {
      in.sgetc();
    } catch (const device_failure&) {
      return;
    }
    complain("the filter forgets that the source failed");
  }

  void require_all_before_a_wait(const std::string& got, std::size_t waits) const {
    require(device_.waits == waits + 1, "the filter asks the source again, although it would block");
    require_text(got, t_.expected(t_.text.substr(0, device_.delivered), false).back().output, "before a wait");
  }

  void read() {
    device_.text = t_.gzipped ? gzipped(t_.text, 1) : t_.text;
    give_budget(device_.text.size());
    io::filtering_istream in;
    push_input(in);
    failure thrown;
    const std::string got = read_all(*in.rdbuf(), thrown);
    try {
      in.reset();
    } catch (...) {
      require(t_.gzipped && (device_.failed || device_.cut_off || thrown), "closing a chain that reads throws");
    }

    if (t_.gzipped && device_.cut_off) return;  // Boost may take the cut for the end of the text
    if (t_.gzipped && device_.failed) return require_start(got);
    const bool all = t_.gzipped || (device_.ended && !device_.cut_off);
    const std::vector<outcome> wanted =
        all ? whole_ : t_.expected(device_.text.substr(0, device_.delivered), device_.ended);
    failure error;  // of the last filter that stops; filters before it need not have come to their own error
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (t_.elements[i].stops(wanted[i])) error = wanted[i].thrown;
    require_text(got, wanted.back().output, "delivered");
    if (!same_error(thrown, error)) complain("it throws " + text_of(thrown) + ", not " + text_of(error));
    require_reports(wanted);
  }

  //------------------------------------------------------------------------------------------------------------ writing

  void push_output(io::filtering_ostream& out) {
    auto link = t_.links.begin();
    for (std::size_t i = 0; i + 1 < t_.elements.size(); ++i) t_.elements[i].push(out, *link++);
    const element& last = t_.elements.back();
    if (t_.composed && !t_.gzipped) return last.push_with(sink(device_), out, *link);
    last.push(out, *link++);
    if (t_.gzipped)
      out.push(io::compose(io::gzip_compressor(io::gzip_params(1)), sink(device_)), *link);
    else
      out.push(sink(device_), *link);
  }

  void write() {
    give_budget(t_.text.size());
    io::filtering_ostream out;
    push_output(out);
    bool reported = false;
    std::size_t written = 0, flushes = 0;
    for (const std::string& piece : cut(t_.text, t_.sizes)) {
      out.write(piece.data(), static_cast<std::streamsize>(piece.size()));
      written += piece.size();
      if (t_.flushing) out.flush();
      if (!out) reported = true;
      out.clear();
      // The expected output is computed from the start of the text, which takes long. So of many flushes few are checked.
      constexpr std::size_t step = 64;
      const bool is_checked = flushes < step || flushes % step == 0;
      ++flushes;
      if (t_.flushing && !reported && !t_.gzipped && is_checked)
        require_text(device_.text, t_.expected(t_.text.substr(0, written), false).back().output, "after a flush");
    }
    failure thrown;
    try {
      out.reset();
    } catch (const utfilter::utf_error& e) {
      thrown = e.info();
      reported = true;
    } catch (const veto& v) {
      thrown = v.error;
      reported = true;
    } catch (const std::exception&) {
      reported = true;
    }

    const std::string got = t_.gzipped ? inflated(device_.text, whole_.back().output.size() + 1) : device_.text;
    require_start(got);
    // Closing a broken chain makes a link try its sink once more. There is no such link if the filter has the sink.
    require(!t_.composed || device_.refusals <= most_refusals, "a broken sink is asked again");
    if (device_.failed) return require(reported, "a failure of the sink is not reported");
    if (device_.refused && reported) return;
    require_text(got, whole_.back().output, "written");
    const auto is_thrown = [&](const outcome& o) { return o.thrown && same_error(o.thrown, thrown); };
    if (std::any_of(whole_.begin(), whole_.end(), [](const outcome& o) { return o.thrown.has_value(); }))
      require(std::any_of(whole_.begin(), whole_.end(), is_thrown), "closing does not throw the error");
    else
      require(!reported, "a failure is reported, and there was none");
    require_reports(whole_);
  }

  const trial& t_;
  const std::vector<outcome>& whole_;  // expected of the whole text
  device device_;
};

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  choices choose(data, size);
  choose_kernels(choose);
  const trial t(choose);
  for (const element& e : t.elements)
    if (!e.usable()) return 0;

  // Once with the faults, then once without: the filters must work as if there had been no first use.
  const std::vector<outcome> whole = t.expected(t.text, true);
  use(t, whole, true).run();
  use(t, whole, false).run();
  return 0;
}
