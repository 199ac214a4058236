// identity_filter.hpp: a filter that passes everything on, to measure what Boost.Iostreams itself costs.
#ifndef UTFILTER_TEST_IDENTITY_FILTER_HPP
#define UTFILTER_TEST_IDENTITY_FILTER_HPP

#include <utfilter/utf8_validator.hpp>

#include <boost/iostreams/categories.hpp>
#include <boost/iostreams/pipeline.hpp>
#include <boost/iostreams/read.hpp>
#include <boost/iostreams/write.hpp>

#include <ios>

namespace devices {

/// Made before a test counts allocations.
inline const std::streamsize our_link = utfilter::utf8_validator().optimal_buffer_size();

/// Has the size of a utf8_validator, and asks for the same buffer size.
struct identity_filter {
  using char_type = char;
  struct category : boost::iostreams::dual_use,
                    boost::iostreams::filter_tag,
                    boost::iostreams::multichar_tag,
                    boost::iostreams::closable_tag,
                    boost::iostreams::flushable_tag,
                    boost::iostreams::optimally_buffered_tag {};
  template <class Source>
  std::streamsize read(Source& source, char* s, std::streamsize n) {
    return boost::iostreams::read(source, s, n);
  }
  template <class Sink>
  std::streamsize write(Sink& sink, const char* s, std::streamsize n) {
    return boost::iostreams::write(sink, s, n);
  }
  template <class Device>
  void close(Device&, std::ios_base::openmode) {}
  template <class Device>
  bool flush(Device&) {
    return true;
  }
  std::streamsize optimal_buffer_size() const { return our_link; }
  void* as_large_as_ours[2] = {};
};
BOOST_IOSTREAMS_PIPABLE(identity_filter, 0)
static_assert(sizeof(identity_filter) == sizeof(utfilter::utf8_validator));

}  // namespace devices

#endif
