// utfilter_decoder.cpp: utfilter::decoder.
#include "driver.hpp"

#include <utfilter/decoder.hpp>

int main() {
  return serve("of this tree", [](const question& asked) -> std::optional<answer> {
    answer given;
    utfilter::params p;
    p.bom = asked.signature == "strip" ? utfilter::bom::strip : utfilter::bom::keep;
    p.on_error = asked.strict()         ? utfilter::on_error::strict
                 : asked.mode == "skip" ? utfilter::on_error::skip
                                        : utfilter::on_error::replace;
    p.observer = [&](const utfilter::error_info& error) { given.told_at(error.offset, error.size); };
    utfilter::decoder text(*utfilter::encoding_from_name(asked.encoding), p);
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
    return given;
  });
}
