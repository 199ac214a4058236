// charsets.cpp: this library's charsets of ICU, with buffers. others.cpp has the competitors.
#include "bench.hpp"

#include <utfilter/charset.hpp>

#include <memory>
#include <stdexcept>
#include <string_view>

namespace bench {
namespace {

/// Each run converts a whole text, which begins with a fresh copy of the codec.
template <class Conversion>
void add(const task& t, const std::shared_ptr<Conversion>& with, typename Conversion::direction use,
         std::string_view in, std::string& output) {
  t.add("utfilter", [=, &output](verifier* seen) {
    with->begin(use);
    const auto done = with->convert(in.data(), in.size(), output.data(), output.size(), true);
    if (done.status != utfilter::codec_status::done) throw std::runtime_error("the text has not ended");
    if (seen != nullptr) (*seen)(output.data(), done.produced);
  });
}

}  // namespace

void add_charsets(const corpus& c) {
  using charset_decoder = utfilter::codec_decoder<utfilter::charset_reader>;
  using charset_encoder = utfilter::codec_encoder<utfilter::charset_writer>;
  for (const encoded_text& text : c.charsets) {
    const utfilter::charset charset(text.name);
    const task from = decoding(c, text), to = encoding(c, text);
    add(from, std::make_shared<charset_decoder>(charset), charset_decoder::direction::reading, text.other, c.output);
    add(to, std::make_shared<charset_encoder>(charset), charset_encoder::direction::writing, text.utf8, c.output);
  }
}

}  // namespace bench
