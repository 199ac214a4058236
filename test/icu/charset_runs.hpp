// charset_runs.hpp: passes a text through the codec of a charset, in given pieces and with a given room.
#ifndef UTFILTER_TEST_CHARSET_RUNS_HPP
#define UTFILTER_TEST_CHARSET_RUNS_HPP

#include <utfilter/charset.hpp>

#include <cstddef>
#include <exception>
#include <string>
#include <vector>

namespace charset_runs {

struct outcome {
  std::string text;
  std::vector<utfilter::error_info> errors;
  utfilter::stream_report report;
  std::string failure;
};

/// All that must not depend on the pieces, as text.
inline std::string summary(const outcome& o) {
  std::string all = o.text;
  for (const utfilter::error_info& e : o.errors)
    all += "\n" + to_string(e) + " (line at " + std::to_string(e.line_offset) + ")";
  const utfilter::stream_report& r = o.report;
  return all + "\n" + std::to_string(r.bytes_in) + " in, " + std::to_string(r.bytes_out) + " out, " +
         std::to_string(r.lines) + " lines, " + std::to_string(r.errors) + " errors" + o.failure;
}

/// Passes the text, cut at these places, through one use of the conversion.
template <class Conversion>
outcome pass(Conversion& conv, std::vector<utfilter::error_info>& errors, typename Conversion::direction way,
             const std::string& text, const std::vector<std::size_t>& cuts, std::size_t room) {
  outcome result;
  errors.clear();
  conv.begin(way);
  std::vector<char> buffer(room);
  std::size_t begin = 0;
  for (std::size_t piece = 0; piece <= cuts.size() + 1; ++piece) {
    const bool last = piece == cuts.size() + 1;
    const std::size_t end = piece < cuts.size() ? cuts[piece] : text.size();
    const char* in = text.data() + begin;
    std::size_t size = end - begin;
    utfilter::codec_progress done;
    do {
      done = conv.convert(size == 0 ? nullptr : in, size, buffer.data(), room, last);
      in += done.consumed;
      size -= done.consumed;
      result.text.append(buffer.data(), done.produced);
    } while (done.status == utfilter::codec_status::need_output);
    begin = end;
    if (conv.failed()) break;
  }
  result.errors = errors;
  result.report = conv.report();
  try {
    if (conv.failure()) std::rethrow_exception(conv.failure());
  } catch (const std::exception& e) {
    result.failure = std::string(" ") + e.what();
  }
  return result;
}

/// A charset with its conversions, which are used again and again.
class converter {
 public:
  explicit converter(const std::string& name, utfilter::on_error policy = utfilter::on_error::replace)
      : charset_(name), decoder_(charset_, options(policy)), encoder_(charset_, options(policy)) {}
  converter(const converter&) = delete;
  converter& operator=(const converter&) = delete;

  outcome decode(const std::string& bytes, const std::vector<std::size_t>& cuts = {}, std::size_t room = 4096) {
    return pass(decoder_, errors_, decoder::direction::reading, bytes, cuts, room);
  }
  outcome encode(const std::string& utf8, const std::vector<std::size_t>& cuts = {}, std::size_t room = 4096) {
    return pass(encoder_, errors_, encoder::direction::writing, utf8, cuts, room);
  }
  const utfilter::charset& charset() const { return charset_; }

 private:
  using decoder = utfilter::codec_decoder<utfilter::charset_reader>;
  using encoder = utfilter::codec_encoder<utfilter::charset_writer>;

  utfilter::params options(utfilter::on_error policy) {
    utfilter::params p{policy};
    p.observer = [this](const utfilter::error_info& e) { errors_.push_back(e); };
    return p;
  }

  std::vector<utfilter::error_info> errors_;
  utfilter::charset charset_;
  decoder decoder_;
  encoder encoder_;
};

/// Calls the function with each list of up to two places at which a text of this size can be cut, then with a list of
/// all places.
template <class Each>
void each_cut(std::size_t size, Each&& each) {
  std::vector<std::size_t> all;
  for (std::size_t a = 0; a <= size; ++a) {
    each({a});
    for (std::size_t b = a; b <= size; ++b) each({a, b});
    all.push_back(a);
  }
  each(all);
}

}  // namespace charset_runs

#endif
