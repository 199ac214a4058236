// utfilter.hpp: shared by the drivers of utfilter.
#ifndef UTFILTER_SCOREBOARD_UTFILTER_HPP
#define UTFILTER_SCOREBOARD_UTFILTER_HPP

#include "driver.hpp"

#include <utfilter/codec.hpp>
#include <utfilter/error.hpp>
#include <utfilter/params.hpp>

/// The parameters of a question. `given` gets the places of all errors.
inline utfilter::params params_for(const question& asked, answer& given) {
  utfilter::params p;
  p.bom = asked.signature == "strip" ? utfilter::bom::strip : utfilter::bom::keep;
  p.on_error = asked.strict()         ? utfilter::on_error::strict
               : asked.mode == "skip" ? utfilter::on_error::skip
                                      : utfilter::on_error::replace;
  p.observer = [&given](const utfilter::error_info& error) { given.told_at(error.offset, error.size); };
  return p;
}

/// Converts all pieces with a decoder that works on buffers.
template <class Decoder>
void convert_by(Decoder& text, const question& asked, answer& given) {
  for (std::size_t i = 0; i <= asked.pieces.size(); ++i) {
    const bool last = i == asked.pieces.size();
    std::string in = last ? "" : asked.pieces[i];
    char out[64];
    utfilter::codec_progress done;
    do {
      done = text.convert(in.data(), in.size(), out, sizeof out, last);
      in.erase(0, done.consumed);
      given.output.append(out, done.produced);
    } while (done.status == utfilter::codec_status::need_output);
  }
}

#endif
