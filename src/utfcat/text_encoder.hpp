// text_encoder.hpp: what encodes the text of the output.
#ifndef UTFCAT_TEXT_ENCODER_HPP
#define UTFCAT_TEXT_ENCODER_HPP

#include <utfilter/params.hpp>

#include <ios>
#include <string_view>

namespace utfcat {

class fd_sink;

/// Encodes the text of the output. Its functions throw what those of a filter throw.
class text_encoder {
 public:
  virtual ~text_encoder() = default;
  virtual void write(fd_sink&, std::string_view text) = 0;
  virtual void close(fd_sink&) = 0;
  virtual utfilter::stream_report report() const = 0;
};

/// A text_encoder that is a filter. It uses no chain, but calls the filter with the sink, so that an exception arrives
/// as it was thrown. A chain would only set badbit.
template <class Filter>
class filter_encoder final : public text_encoder {
 public:
  explicit filter_encoder(const Filter& filter) : filter_(filter) {}

  void write(fd_sink& to, std::string_view text) override {
    filter_.write(to, text.data(), static_cast<std::streamsize>(text.size()));
  }
  void close(fd_sink& to) override { filter_.close(to, std::ios_base::out); }
  utfilter::stream_report report() const override { return filter_.report(); }

 private:
  Filter filter_;
};

}  // namespace utfcat

#endif
