// filter.hpp: codec_filter, which makes any codec a Boost.Iostreams filter.
// layer: filters
#ifndef UTFILTER_FILTER_HPP
#define UTFILTER_FILTER_HPP

#include <utfilter/detail/chain_access.hpp>
#include <utfilter/detail/exceptions.hpp>
#include <utfilter/detail/transfer.hpp>
#include <utfilter/config.hpp>
#include <utfilter/conversion.hpp>

#include <boost/iostreams/categories.hpp>
#include <boost/iostreams/pipeline.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <ios>
#include <memory>
#include <new>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <utility>

namespace utfilter {

/// A Boost.Iostreams filter over a codec: dual-use (the same type reads in a filtering_istream and writes in a
/// filtering_ostream), multi-character, closable, flushable, optimally buffered.
///
/// A filter and its copies share one state: a copy that the caller keeps reports on the chain, even after the chain is
/// gone. A filter can be in one chain at a time, and only once in it. Moving a filter copies it.
///
/// ```cpp
/// utfilter::codec_filter<utfilter::control_escaper> escape;  // a default-constructible codec need not be passed
/// io::filtering_istream in;
/// in.push(escape);
/// in.push(io::file_descriptor_source("users.txt"));
/// in.exceptions(std::ios::badbit);  // otherwise an error looks like the end of the text
/// for (std::string line; std::getline(in, line);) std::cout << line << '\n';
/// std::clog << escape.report().errors << " errors\n";
/// ```
///
/// In both directions:
///
/// - Chunking is invisible: output, errors, positions and counts do not depend on how the input is cut into pieces.
/// - Each piece passed on is whole characters, except from bom_filter and under on_error::keep. The buffer of a link
///   may cut a piece again, and so may a sink that takes only a part of it. So a device that sends each piece as a
///   message must put cut characters together.
/// - The filter never waits for more input than it needs.
/// - All text before an error is delivered before the error. After the use has failed, each read or write fails until
///   close, or until resume() if the sink had failed.
/// - A sink that takes nothing a hundred times in a row is an error.
/// - Memory is constant; nothing is allocated per call.
///
/// A use begins with the first read or write, or with close on output. This resets the report. Close ends the use; then
/// the filter can be used again.
///
/// The next element can be replaced in the middle of a use: with set_auto_close(false), flush, pop the device and push
/// another one. The bytes that the filter carries go to the new device. (Boost deletes the buffer of an element that is
/// popped: bytes that were not flushed from it are lost.) If a source was read to its end and another one is pushed in
/// its place, the new source is a text of its own and begins a new use.
///
/// Complexity: linear in the bytes that pass. Thread safety: one filter and its copies are for one thread at a time;
/// different filters share nothing.
template <class Codec>
class codec_filter {
 public:
  using char_type = char;  ///< Bytes.
  /// The category of this filter, for Boost.Iostreams.
  struct category : boost::iostreams::dual_use,
                    boost::iostreams::filter_tag,
                    boost::iostreams::multichar_tag,
                    boost::iostreams::closable_tag,
                    boost::iostreams::flushable_tag,
                    boost::iostreams::optimally_buffered_tag {};

  /// @{
  /// Throws std::invalid_argument, with the reason, for params that make no sense with this codec.
  template <class Options = params, class = detail::if_options<Options>>
  explicit codec_filter(const Codec& codec, const Options& options = {})
      : state_(std::make_shared<state>(codec, detail::to_params(options))) {}
  template <class C = Codec, class = std::enable_if_t<std::is_default_constructible_v<C>>>
  codec_filter() : codec_filter(C()) {}
  template <class Options = params, class = detail::if_options<Options>, class C = Codec,
            class = std::enable_if_t<std::is_default_constructible_v<C>>>
  explicit codec_filter(const Options& options) : codec_filter(C(), options) {}
  /// @}

  /// @{
  /// A copy shares the state. (There is no move constructor, because a moved-from filter must remain usable.)
  codec_filter(const codec_filter&) = default;
  codec_filter& operator=(const codec_filter&) = default;
  /// @}

  /// The report on the present use, or on the last one.
  stream_report report() const {
    stream_report report = state_->conv.report();
    detail::complete(report, state_->out.rest.lost(), state_->out.dropped);
    return report;
  }

  /// Call this after a write or a flush has failed, when the sink may work again, such as a disk that has space. The next
  /// write begins with what the sink has not taken of the text before, so that no character is cut, and the use goes on.
  /// Returns false if the use cannot go on: errors of the text and exceptions of the observer stay until close. Does
  /// nothing while the use has not failed.
  ///
  /// ```cpp
  /// void log(io::filtering_ostream& out, utfilter::utf8_validator check, const std::string& record) {  // a kept copy
  ///   if (!out && check.resume()) out.clear();
  ///   out << record << std::endl;
  /// }
  /// ```
  bool resume() {
    if (state_->out.next == detail::next_element::stuck) state_->out.next = detail::next_element::unflushed;
    return state_->conv.resume();
  }

  /// The size in bytes of the buffer of this filter's link in the chain. When a program writes, the link passes at most
  /// that many bytes on at a time; a smaller buffer is slower. When a program reads, the link asks for that many bytes,
  /// and gets fewer, so that they stay in the processor's first cache. The system provides memory for the buffer as it
  /// is used: an idle chain uses little of it.
  ///
  /// Neither size is a power of two, so that the distance between this buffer and another one changes from piece to piece.
  /// On AMD's Zen 4, memcpy is many times slower if that distance is 1 to 15 modulo 4096. With buffers of 4096 or 8192 bytes
  /// that would be so for every piece, or for none.
  std::streamsize optimal_buffer_size() const {
    state_->is_asked = true;
    return link_size;
  }

  /// Reads at most n bytes and returns their number. It returns the text that the source has; once there is a whole
  /// character, it does not wait for more. Returns -1 at the end, and 0 if the source would block. Throws utf_error,
  /// and exceptions of the observer and the source; each further read then throws the same exception.
  template <class Source>
  std::streamsize read(Source& source, char* s, std::streamsize n) {
    static_assert(
        !detail::is_inverted<Source>,
        "utfilter: io::invert would lose text; push the filter without io::invert, because it both reads and writes");
    if (n <= 0) return 0;
    const entry once(*state_, call_of(source, s, n));
    auto& from = detail::unwrap(source);
    // If one source was read to its end and the user has pushed another one, the new source is a text of its own. So
    // the old use ends.
    if (state_->source == detail::source_end::told && detail::is_unread(from)) state_->conv.end();
    begin(direction::reading);
    using upstream = detail::upstream<std::decay_t<decltype(from)>>;
    const auto size = static_cast<std::size_t>(n == link_size ? piece_for_link : n);
    detail::pull_result got{detail::pulled::failed, 0};
    detail::attempt(state_->conv,
                    [&] { got = read_some(upstream(from, state_->source, state_->input, size), s, size); });
    switch (got.what) {
      case detail::pulled::text: return static_cast<std::streamsize>(got.size);
      case detail::pulled::would_block: return 0;
      case detail::pulled::end:
        if (state_->source == detail::source_end::met) state_->source = detail::source_end::told;
        break;
      case detail::pulled::too_little_room:  // read_some never returns this
      case detail::pulled::failed: throw_failure(state_->conv.failure());
    }
    return -1;
  }

  /// Writes all n bytes, or throws: utf_error, an exception of the observer or the sink, or std::ios_base::failure if
  /// the sink takes nothing. Before the first write of a use it flushes the next element once, to learn whether that
  /// element has a flush at all. A write in the middle of another write or of a flush, from the observer or the sink, is
  /// dropped: report().lost counts it.
  template <class Sink>
  UTFILTER_INLINE std::streamsize write(Sink& sink, const char* s, std::streamsize n) {
    if (n <= 0) return 0;
    const std::size_t done = copy_text(sink, s, static_cast<std::size_t>(n));
    return done == static_cast<std::size_t>(n) ? n : write_rest(sink, s, n, done);
  }

  /// In a chain that writes, flushes the next element, and throws std::ios_base::failure if that fails. A partial
  /// sequence is kept back. Does nothing in a chain that reads, and in the middle of another write or flush.
  template <class Sink>
  UTFILTER_INLINE bool flush(Sink& sink) {
    if (!is_usual(sink)) return flush_unusual(sink);
    state& self = *state_;
    if (self.out.next == detail::next_element::flushed) return true;
    const entry once(self, call_of(sink, nullptr, 0));
    detail::attempt(self.conv, [&] { flush_next(self, sink); });
    if (self.conv.failed()) throw_failure(self.conv.failure());
    self.is_usual = true;
    return true;
  }

  /// Ends the use. On output: converts the carried bytes as the end of the text, and flushes the next element. Then it
  /// throws the exception if the use has failed, now or before. On input: throws nothing.
  template <class Device>
  void close(Device& device, std::ios_base::openmode which) {
    state_->is_usual = false;
    if (which == std::ios_base::out) {
      if constexpr (detail::is_writable<Device>)
        if (auto& next = detail::unwrap(device); !detail::is_nowhere(next)) close_output(next);
    } else if (state_->conv.use() == direction::reading) {
      state_->conv.end();
    }
  }

  /// The codec of the present use, or of the last one, as it stands: for what it knows beyond the report, such as
  /// `codec().inspection()` of inspect_text. The reference is valid as long as the filter or a copy of it lives.
  const Codec& codec() const noexcept { return state_->conv.codec(); }

 private:
  using direction = typename conversion<Codec>::direction;

  static constexpr std::streamsize link_size = 65472, piece_for_link = 12224;

  using call = detail::running_call;

  struct state {
    state(const Codec& codec, const params& p) : conv(codec, p) {}

    conversion<Codec> conv;
    detail::input_buffer input;  // bytes that a device gave and that are not converted yet
    call running;
    detail::outlet out;
    detail::failed_write failed;
    detail::flusher next_flusher;
    detail::source_end source = detail::source_end::ahead;
    // The last write succeeded, no call runs, nothing waits for a neighbour that had failed, and conv.copy can be called.
    bool is_usual = false;
    bool is_asked = false;     // a link has asked for the size of its buffer since the last use began
    bool is_gathered = false;  // the writes of this use come from a buffer: a link has asked, or brought several bytes
    // If the caller reads less than a character at a time: the character, and the part of it that is still to be read.
    std::array<char, Codec::min_output> cut;
    std::uint16_t cut_begin = 0;
    std::uint16_t cut_end = 0;
    static_assert(Codec::min_output <= 0xFFFF, "utfilter: a codec's min_output is at most 65535 bytes");
  };

  /// Notes the call as long as this object lives. Refuses a filter that is in a chain twice: its read or write would call
  /// itself.
  class entry {
   public:
    UTFILTER_INLINE entry(state& s, const call& running) : state_(s) {
      if (s.running.neighbour != nullptr) detail::refuse_second_place();
      s.running = running;
      s.is_usual = false;
    }
    ~entry() { state_.running.neighbour = nullptr; }
    entry(const entry&) = delete;
    entry& operator=(const entry&) = delete;

   private:
    state& state_;
  };

  template <class Neighbour>
  static call call_of(Neighbour& neighbour, const char* s, std::streamsize n) noexcept {
    static constexpr char kind = 0;
    return {std::addressof(neighbour), &kind, s, static_cast<std::size_t>(n), 0};
  }

  /// Begins the use unless it has begun already. Returns true if this call began it.
  bool begin(direction use) {
    state& self = *state_;
    if (self.conv.use() == use) return false;
    if (self.conv.use() != direction::none)
      throw std::logic_error("utfilter: a filter is for one chain at a time, close it before it is used the other way");
    self.conv.begin(use);
    self.input.clear();
    self.source = detail::source_end::ahead;
    self.out.clear();
    self.failed = {};
    self.is_gathered = std::exchange(self.is_asked, false);
    self.cut_begin = self.cut_end = 0;
    return true;
  }

  template <class Sink>
  void begin_writing(Sink& sink) {
    if (begin(direction::writing)) state_->next_flusher.forget();
    state_->next_flusher.look_at(sink);
  }

  template <class Upstream>
  detail::pull_result read_some(Upstream source, char* s, std::size_t n) {
    using detail::pulled;
    state& self = *state_;
    auto& conv = self.conv;
    if (self.cut_begin == self.cut_end) {
      detail::pull_result got{pulled::failed, 0};
      if constexpr (Upstream::is_device)
        got = detail::pull_in_place(conv, source, s, n);
      else
        got = detail::pull(conv, source, s, n);
      if (got.what != pulled::too_little_room) return got;
      got = detail::pull(conv, source, self.cut.data(), self.cut.size());
      if (got.what != pulled::text) return got;
      self.cut_begin = 0;
      self.cut_end = static_cast<std::uint16_t>(got.size);
    }
    // The bound cut.size() is there because g++ 12 warns without it.
    const std::size_t taken = (std::min)({n, static_cast<std::size_t>(self.cut_end - self.cut_begin), self.cut.size()});
    std::copy_n(self.cut.data() + self.cut_begin, taken, s);
    self.cut_begin = static_cast<std::uint16_t>(self.cut_begin + taken);
    return {pulled::text, taken};
  }

  /// Whether the next element is a link, the same as in the last write, and state::is_usual.
  template <class Sink>
  UTFILTER_INLINE bool is_usual([[maybe_unused]] Sink& sink) const noexcept {
    if constexpr (detail::downstream<Sink>::is_link) return state_->is_usual && state_->next_flusher.knows(sink);
    return false;
  }

  /// Copies text that needs no change to the buffer of the next link, if there is nothing unusual: so it is with most lines
  /// of a log. Returns the number of bytes. It calls nothing of the user, so that no other call can come in the middle.
  template <class Sink>
  UTFILTER_INLINE std::size_t copy_text(Sink& sink, const char* s, std::size_t n) noexcept {
    std::size_t passed = 0;
    if constexpr (detail::downstream<Sink>::is_link) {
      if (!is_usual(sink)) return 0;
      state& self = *state_;
      const detail::downstream<Sink> to = output(sink);
      const detail::put_room room = to.room();
      if (n > room.size) return 0;
      passed = self.conv.copy(s, n, room.begin);
      if (passed == 0) return 0;
      to.made(passed);
      self.is_gathered |= n > 1;
    }
    return passed;
  }

  /// write() without the first bytes, which copy_text has copied.
  template <class Sink>
  UTFILTER_NOINLINE std::streamsize write_rest(Sink& sink, const char* s, std::streamsize n, std::size_t copied) {
    state& self = *state_;
    const call now = call_of(sink, s, n);
    if (now.is_inside(self.running)) return self.running.drop(now, self.out.dropped);
    const entry once(self, now);
    begin_writing(sink);
    auto& conv = self.conv;
    const std::uint64_t before = conv.taken();
    const auto size = static_cast<std::size_t>(n);
    self.is_gathered |= n > 1;
    const bool after_failure = self.failed.size != 0;
    const std::size_t done = after_failure ? self.failed.known(s, size, self.is_gathered, self.out.rest) : copied;
    if (!conv.failed()) {
      bool well_formed = true;
      detail::attempt(conv, [&] {
        if (after_failure) output(sink).put_kept();
        well_formed = write_all(sink, s + done, size - done, false);
      });
      if (!well_formed) flush_prefix(sink);
    }
    if (conv.failed()) {
      self.failed.remember(s, size, done + static_cast<std::size_t>(conv.taken() - before), self.running.more);
      throw_failure(conv.failure());
    }
    self.is_usual = conv.is_plain();
    return n;
  }

  template <class Sink>
  UTFILTER_INLINE bool write_all(Sink& sink, const char* in, std::size_t size, bool last) {
    state& self = *state_;
    const bool well_formed = detail::push(self.conv, in, size, last, detail::downstream<Sink>{sink, self.out});
    self.out.rest.raise(well_formed);
    return well_formed;
  }

  template <class Sink>
  detail::downstream<Sink> output(Sink& sink) noexcept {
    return {sink, state_->out};
  }

  /// flush(), if anything is unusual.
  template <class Sink>
  UTFILTER_NOINLINE bool flush_unusual(Sink& sink) {
    state& self = *state_;
    auto& conv = self.conv;
    if (conv.use() != direction::writing || self.running.neighbour != nullptr) return true;
    const entry once(self, call_of(sink, nullptr, 0));
    if (!conv.failed())
      detail::attempt(conv, [&] {
        if (self.failed.size != 0) output(sink).put_kept();
        if (self.out.next == detail::next_element::flushed) return;
        self.next_flusher.look_at(sink);
        flush_next(self, sink);
      });
    if (conv.failed()) throw_failure(conv.failure());
    return true;
  }

  template <class Sink>
  UTFILTER_INLINE static void flush_next(state& self, Sink& sink) {
    errno = 0;
    if (!self.next_flusher.flush(sink)) {
      self.out.next = detail::next_element::stuck;
      detail::fail("the next element of the chain could not be flushed");
    }
    self.out.next = detail::next_element::flushed;
  }

  /// Flushes the text before an error: a pop would delete the buffer of the next element with that text in it. If the
  /// flush fails, too, only the error of the text is reported.
  ///
  /// Do not call this in a catch handler: a thread that is cancelled during the flush could not be unwound there.
  template <class Sink>
  UTFILTER_NOINLINE void flush_prefix(Sink& sink) {
    detail::guarded([&] { state_->next_flusher.flush(sink); }, [](std::exception_ptr) {});
  }

  template <class Sink>
  void close_output(Sink& sink) {
    begin_writing(sink);
    auto& conv = state_->conv;
    if (!conv.failed()) {
      detail::attempt(conv, [&] {
        output(sink).put_kept();
        if (!write_all(sink, nullptr, 0, true) || state_->out.next == detail::next_element::flushed) return;
        state_->next_flusher.look_at(sink);
        flush_next(*state_, sink);
      });
    }
    state_->failed.forget(state_->out.rest);
    state_->out.rest.drop();
    if (state_->out.next == detail::next_element::stuck) state_->out.rest.lose(state_->next_flusher.held(sink));
    // Closing the next element throws its own reason, which says more than ours.
    if (state_->out.next == detail::next_element::stuck)
      detail::attempt(conv, [&] { detail::close_to_learn_why(sink); });
    const std::exception_ptr why = conv.failure();
    conv.end();
    if (why != nullptr) throw_failure(why);
  }

  /// Throws the exception that failed the use. No other function of the filter does.
  [[noreturn]] UTFILTER_NOINLINE static void throw_failure(std::exception_ptr why) {
    std::rethrow_exception(std::move(why));
  }

  std::shared_ptr<state> state_;
};
BOOST_IOSTREAMS_PIPABLE(codec_filter, 1)

}  // namespace utfilter

#endif
