// utf8_validator.hpp: a filter that checks UTF-8 and passes it on.
// layer: filters
#ifndef UTFILTER_UTF8_VALIDATOR_HPP
#define UTFILTER_UTF8_VALIDATOR_HPP

#include <utfilter/detail/naming.hpp>
#include <utfilter/filter.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/transcoder.hpp>

namespace utfilter {

/// Passes well-formed UTF-8 on unchanged, and treats ill-formed UTF-8 as params say. It adds no copy to a chain: it
/// checks the bytes in place, in the buffers of the chain.
///
/// ```cpp
/// utfilter::utf8_validator check(utfilter::on_error::replace);
/// io::filtering_ostream out;
/// out.push(check);
/// out.push(io::file_sink("app.log", std::ios::app | std::ios::binary));
/// out << "caf\xC3" << std::flush;   // the partial character is kept back
/// out << "\xA9\n";
/// out.reset();
/// assert(check.report().errors == 0);
/// ```
///
/// Complexity and thread safety are those of codec_filter.
class utf8_validator : public codec_filter<transcoder> {
 public:
  /// Throws std::invalid_argument, with the reason, for params that make no sense.
  template <class Options = params, class = detail::if_options<Options>>
  explicit utf8_validator(const Options& options = {})
      : codec_filter(detail::naming<transcoder>::reading_unicode(encoding::utf8, detail::to_params(options)), options) {
  }
};
BOOST_IOSTREAMS_PIPABLE(utf8_validator, 0)

}  // namespace utfilter

#endif
