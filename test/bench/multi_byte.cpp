// multi_byte.cpp: the multi-byte encodings of the web with errors, which the library and encoding_rs repair with U+FFFD.
// kernels.cpp and others.cpp have the same texts without errors.
#include "bench.hpp"

#include <utfilter/encoding.hpp>
#include <utfilter/repair.hpp>
#include <utfilter/transcoder.hpp>

#include <deque>
#include <stdexcept>

#ifdef UTFILTER_BENCH_ENCODING_RS
extern "C" std::size_t encoding_rs_repaired(const char* label, std::size_t label_size, const char* text,
                                            std::size_t size, char* out, std::size_t room);  // encoding_rs.rs
#endif

namespace bench {
namespace {

constexpr std::string_view error = "\xFF", repair = "\xEF\xBF\xBD";  // FF is an error in all of them

std::string before_line_feeds(std::string_view inserted, std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\n') result += inserted;
    result += c;
  }
  return result;
}

void add(const task& t, const std::string& name, std::string_view in, std::string& output) {
  const utfilter::encoding from = utfilter::encoding_from_name(name).value();
  t.add("utfilter", [=, &output](verifier* seen) {
    auto codec = utfilter::transcoder::decoding(from, utfilter::bom::keep);
    utfilter::repairer by(utfilter::on_error::replace);
    const auto done = codec.transform(in.data(), in.size(), output.data(), output.size(), true, by);
    if (done.status != utfilter::codec_status::done) throw std::runtime_error("the text has not ended");
    if (seen != nullptr) (*seen)(output.data(), done.produced);
  });
#ifdef UTFILTER_BENCH_ENCODING_RS
  t.add("encoding_rs", [=, &output](verifier* seen) {
    const std::size_t size =
        encoding_rs_repaired(name.data(), name.size(), in.data(), in.size(), output.data(), output.size());
    if (seen != nullptr) (*seen)(output.data(), size);
  });
#endif
}

}  // namespace

void add_repairs_of_multi_byte(const corpus& c) {
  static const std::string errors(128 << 10, error[0]);
  static std::deque<std::string> texts;
  for (const encoded_text& text : c.multi_byte) {
    const std::string& dirty = texts.emplace_back(before_line_feeds(error, text.other));
    const std::string& clean = texts.emplace_back(before_line_feeds(repair, text.utf8));
    add({text.name + " to UTF-8, repairing an error in each line", c.name, dirty.size(), clean}, text.name, dirty,
        c.output);
    add({text.name + " to UTF-8, repairing bytes FF", c.name, errors.size(), repair, errors.size()}, text.name, errors,
        c.output);
  }
}

}  // namespace bench
