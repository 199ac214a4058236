// chain_access.hpp: access to the neighbours of a filter in a chain. The code here reads the bytes at hand without
// waiting for more, writes all bytes or fails, and learns whether a flush succeeded. A part of filter.hpp, not for
// users.
// layer: filters
#ifndef UTFILTER_DETAIL_CHAIN_ACCESS_HPP
#define UTFILTER_DETAIL_CHAIN_ACCESS_HPP

#include <utfilter/config.hpp>
#include <utfilter/detail/transfer.hpp>

#include <boost/version.hpp>
#if BOOST_VERSION < 107400
#  error utfilter needs Boost 1.74 or newer (utfilter::core needs none)
#  include <utfilter/needs_boost_1_74>
#endif

#include <boost/core/ref.hpp>
#include <boost/core/typeinfo.hpp>
#include <boost/iostreams/detail/adapter/mode_adapter.hpp>
#include <boost/iostreams/detail/adapter/non_blocking_adapter.hpp>
#include <boost/iostreams/detail/functional.hpp>
#include <boost/iostreams/detail/streambuf/linked_streambuf.hpp>
#include <boost/iostreams/flush.hpp>
#include <boost/iostreams/read.hpp>
#include <boost/iostreams/traits.hpp>
#include <boost/iostreams/write.hpp>

#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstddef>
#include <ios>
#include <istream>
#include <memory>
#include <ostream>
#include <streambuf>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace boost::iostreams {
template <typename Filter, typename FilterOrDevice>
struct composite;
namespace detail {
template <typename Filter, typename Device, typename Mode>
class composite_device;
template <typename Ch>
class counted_array_source;
}
}  // namespace boost::iostreams

namespace utfilter::detail {

using chain_link = boost::iostreams::detail::linked_streambuf<char>;

//------------------------------------------------------------------------------------------------- kinds of neighbours

template <class T>
inline constexpr bool is_streambuf = std::is_base_of_v<std::streambuf, T>;

/// Whether the category of `T` has a mode of Boost.Iostreams. The category alone does not tell whether `T` can be read
/// or written: composite_device calls itself an input even if it can be written, and Boost instantiates the members of
/// filters for sources and sinks alike.
template <class T, class Mode>
inline constexpr bool has_mode = std::is_convertible_v<typename boost::iostreams::category_of<T>::type, Mode>;

/// The parts of two composed elements: a filter and the device after it. (Two composed filters make such a device for
/// each call.) Other elements have no parts: for them this is not defined.
template <class T>
struct composite_parts;
template <class Filter, class Device, class Mode>
struct composite_parts<boost::iostreams::detail::composite_device<Filter, Device, Mode>> {
  using filter = typename boost::unwrap_reference<Filter>::type;
  using device = typename boost::unwrap_reference<Device>::type;
};
template <class Filter, class Device>
struct composite_parts<boost::iostreams::composite<Filter, Device>>
    : composite_parts<boost::iostreams::detail::composite_device<Filter, Device, boost::iostreams::input>> {};

template <class T, class = void>
inline constexpr bool is_composite = false;
template <class T>
inline constexpr bool is_composite<T, std::void_t<typename composite_parts<T>::filter>> = true;

/// True for the source that io::invert makes of each write. This source ends with the write, as if the text had ended:
/// the bytes that the filter carries would be lost.
template <class Source>
inline constexpr bool is_inverted = std::is_same_v<Source, boost::iostreams::detail::counted_array_source<char>>;

/// The neighbour itself, without a wrapper. Boost wraps the sink that it passes to close in an adapter that loops for
/// ever if the sink takes nothing (Boost.Iostreams issue 140). A user may wrap an element of compose in boost::ref.
template <class T>
T& unwrap(T& device) noexcept {
  return device;
}
template <class T>
T& unwrap(const boost::reference_wrapper<T>& reference) noexcept {
  return reference.get();
}
template <class T>
T& unwrap(boost::reference_wrapper<T>& reference) noexcept {
  return reference.get();
}
template <class T>
T& unwrap(boost::iostreams::non_blocking_adapter<T>& adapter) noexcept {
  return adapter.device_;
}

/// Whether the reference is null. If push runs out of memory for a filter, Boost closes that filter with a null pointer
/// for its neighbour. Compilers assume that a reference is never null, and would drop the comparison; the volatile
/// pointers prevent that.
template <class T>
bool is_nowhere(T& neighbour) noexcept {
  const volatile void* volatile place = std::addressof(neighbour);
  return place == nullptr;
}

template <class T>
using unwrapped = std::remove_reference_t<decltype(unwrap(std::declval<T&>()))>;

/// Whether `T` has a write that compiles. The category of a composite does not tell: it is an input even if both parts
/// can be written.
template <class T>
constexpr bool can_be_written() noexcept {
  if constexpr (is_streambuf<T>)
    return true;
  else if constexpr (is_composite<T>)
    return has_mode<typename composite_parts<T>::filter, boost::iostreams::output> &&
           can_be_written<typename composite_parts<T>::device>();
  else
    return has_mode<T, boost::iostreams::output>;
}

template <class T>
inline constexpr bool is_writable = can_be_written<unwrapped<T>>();

/// Access to the protected members of a chain's link: the element that it holds, its buffers, and the flush that tells
/// whether it succeeded.
struct areas : chain_link {
  template <class Component>
  static bool holds(chain_link& link) {
    return type_of(link) == BOOST_CORE_TYPEID(Component);
  }
  static const boost::core::typeinfo& type_of(chain_link& link) { return (link.*&areas::component_type)(); }
  static void* component(chain_link& link) { return (link.*&areas::component_impl)(); }
  /// The number of bytes that a link still holds for its device. For a link with a buffer, true_eof is false. A link
  /// over a direct device holds none, because its put area is the device itself; there true_eof is true from the start.
  static std::streamsize unwritten(chain_link& link) { return link.true_eof() ? 0 : in_buffer(link); }
  static std::streamsize in_buffer(chain_link& link) { return (link.*&areas::pptr)() - (link.*&areas::pbase)(); }
  /// Whether a link has not been read yet. Precondition: the link has been read to its end, or not at all. A link over
  /// a direct device has no get area until it is read.
  static bool unread(chain_link& link) { return !link.true_eof() || (link.*&areas::gptr)() == nullptr; }
  static bool flush(chain_link& link) { return (link.*&areas::strict_sync)(); }
  /// The free room of a link's put area. The put area is empty before the first byte is written.
  static put_room room(chain_link& link) noexcept {
    char* const next = (link.*&areas::pptr)();
    return {next, std::min<std::size_t>(static_cast<std::size_t>((link.*&areas::epptr)() - next), INT_MAX)};
  }
  static void made(chain_link& link, std::size_t n) noexcept { (link.*&areas::pbump)(static_cast<int>(n)); }
};

//-------------------------------------------------------------------------------------------------------------- reading

/// Call this after the end of a source was read. Returns whether another source has been pushed since then.
inline bool is_unread(chain_link& link) { return areas::unread(link); }
template <class Source>
bool is_unread(Source&) {
  return false;  // no link: the caller passes the source directly, or it is a part of a composite
}

/// How much a filter that reads knows about the end of its source.
enum class source_end : std::uint8_t {
  ahead,  // not reached yet
  met,    // reached, but the reader may not have all the text before it yet
  told,   // reached, and the reader has all the text and was told of the end
};

template <class Source>
inline constexpr bool reads_through_streambuf = is_streambuf<Source> || std::is_base_of_v<std::istream, Source>;

/// The source of a filter. size() bytes at data() are at hand; wait() brings more until the end is reached.
template <class Source, bool = reads_through_streambuf<Source>>
class upstream;

/// A chain's link, any stream buffer, or a std::istream.
template <class Source>
class upstream<Source, true> : public streambuf_reader {
 public:
  static constexpr bool is_device = false;

  upstream(Source& source, source_end& end, input_buffer&, std::size_t) noexcept
      : streambuf_reader(streambuf_of(source)), buffer_(streambuf_of(source)), end_(end) {}

  bool ended() const noexcept { return end_ != source_end::ahead; }

  /// Waits for the first byte. Returns the number of bytes at hand then, 0 if the source would block, and -1 at the
  /// end.
  std::streamsize wait() {
    const std::streamsize got = streambuf_reader::wait();
    if (got >= 0) return got;
    if (!at_end(buffer_)) return 0;
    end_ = source_end::met;
    return -1;
  }

 private:
  static auto& streambuf_of(Source& source) noexcept {
    if constexpr (is_streambuf<Source>)
      return source;
    else
      return *source.rdbuf();
  }
  static bool at_end(const chain_link& link) { return link.true_eof(); }
  static bool at_end(const std::streambuf&) { return true; }

  decltype(streambuf_of(std::declval<Source&>())) buffer_;
  source_end& end_;
};

/// A device, or a composite of two elements.
template <class Source>
class upstream<Source, false> {
 public:
  static constexpr bool is_device = true;

  /// The reader wants `n` bytes: wait() asks for that many, but at least input_buffer::least and at most
  /// input_buffer::most.
  upstream(Source& source, source_end& end, input_buffer& input, std::size_t n) noexcept
      : source_(source), end_(end), input_(input), piece_(std::clamp(n, input_buffer::least, input_buffer::most)) {}

  const char* data() const noexcept { return input_.data(); }
  std::size_t size() const noexcept { return input_.size(); }
  void consume(std::size_t n) noexcept { input_.consume(n); }
  bool ended() const noexcept { return end_ != source_end::ahead; }

  std::streamsize wait() {
    const std::streamsize got = read(input_.room_for(piece_), piece_);
    input_.filled(got > 0 ? static_cast<std::size_t>(got) : 0);
    return got;
  }

  std::streamsize read(char* s, std::size_t n) {
    const auto size = static_cast<std::streamsize>(n);
    if constexpr (has_mode<Source, boost::iostreams::input>) {
      const std::streamsize got = boost::iostreams::read(source_, s, size);
      if (got < 0) end_ = source_end::met;
      return got;
    } else {
      throw std::ios_base::failure("utfilter: the next element of the chain cannot be read");
    }
  }

  void keep(const char* s, std::size_t n) { input_.keep(s, n); }

 private:
  Source& source_;
  source_end& end_;
  input_buffer& input_;
  std::size_t piece_;
};

//-------------------------------------------------------------------------------------------------------------- writing

/// Writes some of the bytes into the put area of the link. Makes room there if it is full; if that throws, no byte was
/// taken.
inline std::streamsize write_some(chain_link& link, const char* s, std::streamsize n) {
  using traits = std::char_traits<char>;
  const put_room room = areas::room(link);
  if (room.size == 0) return traits::eq_int_type(link.sputc(*s), traits::eof()) ? 0 : 1;
  const std::size_t taken = (std::min)(room.size, static_cast<std::size_t>(n));
  std::memcpy(room.begin, s, taken);
  areas::made(link, taken);
  return static_cast<std::streamsize>(taken);
}

template <class Sink, class = std::enable_if_t<!std::is_base_of_v<chain_link, Sink>>>
std::streamsize write_some(Sink& sink, const char* s, std::streamsize n) {
  if constexpr (is_streambuf<Sink>)
    return sink.sputn(s, n);
  else if constexpr (!can_be_written<Sink>())
    throw std::ios_base::failure("utfilter: the next element of the chain cannot be written");
  else if constexpr (is_composite<Sink>)
    return sink.write(s, n);
  else
    return boost::iostreams::write(sink, s, n);
}

/// What a filter that writes knows about the next element.
enum class next_element {
  flushed,    // flushed since the last write, or never written to
  unflushed,  // written to since the last flush
  stuck,      // a flush has failed
};

/// What a filter that writes keeps of a use: the state of the next element, and what did not reach it.
struct outlet {
  next_element next = next_element::flushed;
  unwritten rest;
  std::uint64_t dropped = 0;  // bytes of writes that came in the middle of another one

  void clear() noexcept {
    next = next_element::flushed;
    rest.clear();
    dropped = 0;
  }
};

/// The sink of a filter. The buffer of a chain's link can be filled directly.
template <class Sink>
struct downstream {
  static constexpr bool is_link = std::is_base_of_v<chain_link, Sink>;
  static constexpr taken_by_throw taken = is_link ? taken_by_throw::nothing : taken_by_throw::unknown;

  Sink& sink;
  outlet& state;

  void operator()(const char* s, std::size_t n) const {
    state.next = next_element::unflushed;
    state.rest.put(s, n, give(), taken);
  }
  /// Writes what the sink has not taken before it failed, or throws.
  void put_kept() const {
    if (!state.rest.is_empty()) state.rest.put_kept(give(), taken);
  }
  put_room room() const noexcept {
    if constexpr (is_link) return areas::room(sink);
    return {};
  }
  void made(std::size_t n) const noexcept {
    state.next = next_element::unflushed;
    if constexpr (is_link) areas::made(sink, n);
  }

 private:
  auto give() const {
    return [this](const char* s, std::streamsize n) { return write_some(sink, s, n); };
  }
};

/// The adapter in which Boost pushes a standard stream at the end of a chain. It has no flush.
template <class Stream>
using stream_adapter = boost::iostreams::detail::mode_adapter<boost::iostreams::output, Stream>;

/// The buffer of the standard stream that this link holds, which may be null. Precondition: the link holds a
/// stream_adapter<Stream>.
template <class Stream>
std::streambuf* stream_of(chain_link& link) {
  using wrapper = typename boost::iostreams::detail::wrapped_type<Stream>::type;
  static_assert(std::is_standard_layout_v<stream_adapter<Stream>> && sizeof(stream_adapter<Stream>) == sizeof(wrapper),
                "the adapter consists of its first member alone");
  Stream& stream = reinterpret_cast<wrapper*>(areas::component(link))->get();
  if constexpr (is_streambuf<Stream>)
    return &stream;
  else
    return stream.rdbuf();
}

/// Flushes the next element, and finds out whether that succeeded.
class flusher {
 public:
  /// Call this when a use begins: the next element is not known yet.
  void forget() noexcept { link_ = nullptr; }

  /// Call this before each write and each flush. If the next element is new, because the use begins or the user has
  /// pushed another one, this flushes it once before the first write. There is nothing to flush then, so the answer
  /// false means that the element has no flush (a gzip filter). From any other element false means that a flush has
  /// failed.
  template <class Sink>
  void look_at(Sink& sink) {
    if constexpr (std::is_base_of_v<chain_link, Sink>)
      if (!knows(sink)) get_to_know(sink);
  }

  /// Whether this link is the next element, as look_at has learned. Compares the type as well as the address, because a
  /// new link may stand where an old one was deleted.
  bool knows(chain_link& link) const { return link_ == &link && kind_ == kind_of(link); }

  /// Returns false if the flush fails, or if the next element still holds bytes after it: a link reports success even
  /// if its device took nothing. Such a device is asked again, most_refusals times in a row.
  template <class Sink>
  UTFILTER_INLINE bool flush(Sink& sink) {
    if constexpr (std::is_base_of_v<chain_link, Sink>) {
      if (!flush_link(sink)) return false;
      std::streambuf* const stream = find_stream_ != nullptr ? find_stream_(sink) : nullptr;
      return stream == nullptr || stream->pubsync() != -1;
    } else if constexpr (is_streambuf<Sink>) {
      return sink.pubsync() != -1;
    } else {
      // A composite returns false if one of its parts has no flush.
      return boost::iostreams::flush(sink) || is_composite<Sink>;
    }
  }

  /// The number of bytes that a flush which has failed has left in the next element.
  template <class Sink>
  static std::size_t held(Sink& sink) {
    if constexpr (std::is_base_of_v<chain_link, Sink>) return static_cast<std::size_t>(areas::unwritten(sink));
    return 0;
  }

 private:
  /// Identifies the type of a link's element, which is a part of the type of the link. Asking the link would cost a
  /// virtual call.
  static const void* kind_of(chain_link& link) {
#ifdef BOOST_NO_TYPEID
    return &areas::type_of(link);
#else
    return &typeid(link);
#endif
  }

  UTFILTER_NOINLINE void get_to_know(chain_link& link) {
    link_ = &link;
    kind_ = kind_of(link);
    tells_ = areas::flush(link);
    find_stream_ = finder_for(link);
  }

  bool flush_once(chain_link& link) const { return tells_ ? areas::flush(link) : link.pubsync() != -1; }

  UTFILTER_INLINE bool flush_link(chain_link& link) const {
    const std::streamsize before = areas::in_buffer(link);
    if (!flush_once(link)) return false;
    const std::streamsize left = areas::unwritten(link);
    return left == 0 || flush_again(link, left, left < before);
  }

  /// Flushes again after the device took nothing, or only a part. After a part, it tries only one more flush: if bytes
  /// are left even then, the link presents bytes twice (Boost.Iostreams issue 92).
  UTFILTER_NOINLINE bool flush_again(chain_link& link, std::streamsize left, bool took_part) const {
    for (int refusals = 1; refusals < most_refusals; ++refusals) {
      const std::streamsize before = left;
      if (!flush_once(link)) return false;
      left = areas::unwritten(link);
      if (left == 0) return true;
      if (took_part) return false;
      took_part = left < before;
    }
    return false;
  }

  using stream_finder = std::streambuf* (*)(chain_link&);

  /// The function that finds the stream of the link; null if the link holds another element.
  static stream_finder finder_for(chain_link& link) {
    const auto& type = areas::type_of(link);
    if (type == BOOST_CORE_TYPEID(stream_adapter<std::ostream>)) return stream_of<std::ostream>;
    if (type == BOOST_CORE_TYPEID(stream_adapter<std::streambuf>)) return stream_of<std::streambuf>;
    if (type == BOOST_CORE_TYPEID(stream_adapter<std::iostream>)) return stream_of<std::iostream>;
    return nullptr;
  }

  const chain_link* link_ = nullptr;     // null if no link is known
  const void* kind_ = nullptr;           // the type of that link
  bool tells_ = false;                   // whether the answer false means that a flush failed
  stream_finder find_stream_ = nullptr;  // null if the element is no standard stream
};

/// Call this at close, after a flush of the next link has failed. The link has swallowed the reason, but throws it when
/// it is closed. The chain would close that link next; it does not close it twice.
template <class Sink>
void close_to_learn_why(Sink& sink) {
  if constexpr (std::is_base_of_v<chain_link, Sink>)
    boost::iostreams::detail::call_member_close(static_cast<chain_link&>(sink), std::ios_base::out)();
}

}  // namespace utfilter::detail

#endif
