// growth.hpp: checks that a stream over a source that grows reads on as a reader of the whole source.
#ifndef UTFILTER_TEST_GROWTH_HPP
#define UTFILTER_TEST_GROWTH_HPP

#include "support/same_report.hpp"
#include "support/tally.hpp"

#include <utfilter/stream.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <ios>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace growth {

/// The policies that go on after an error.
inline std::vector<utfilter::params> repairing_policies() {
  using utfilter::on_error;
  std::vector<utfilter::params> all;
  for (const on_error policy :
       {on_error::replace, on_error::skip, on_error::escape, on_error::windows1252, on_error::replace})
    all.push_back(utfilter::params{policy});
  all.back().replacement = "<bad>";
  return all;
}

template <class Stream>
auto rest(Stream& in) {
  std::basic_string<typename Stream::char_type> text;
  for (typename Stream::char_type c = 0; in.get(c);) text += c;
  return text;
}

/// A source, and a stream that reads it.
template <class Codec>
struct reader {
  template <class Options>
  reader(const std::string& bytes, const Codec& codec, const Options& p)
      : source(bytes, std::ios::in | std::ios::out | std::ios::ate | std::ios::binary), in(*source.rdbuf(), codec, p) {}

  std::stringstream source;
  utfilter::codec_istream<Codec> in;
};

/// Reads on after clear(), in one of four ways.
template <class Stream>
auto read_on(Stream& in, int way) {
  in.clear();
  if (way == 1) in.seekg(in.tellg());
  if (way == 2) in.seekg(0, std::ios::cur);
  if (way < 3) return rest(in);
  std::basic_string<typename Stream::char_type> got(10'000, 0);  // a large piece
  in.read(got.data(), 10'000);
  got.resize(static_cast<std::size_t>(in.gcount()));
  return got;
}

/// What the codec writes for these bytes before it knows whether more come, in bytes.
template <class Codec>
std::size_t size_before_end(const Codec& codec, const utfilter::params& p, std::string_view bytes) {
  utfilter::conversion<Codec> text(codec, p);
  text.begin(utfilter::conversion<Codec>::direction::reading);
  std::string out(10'000, '\0');
  return text.convert(bytes.data(), bytes.size(), out.data(), out.size(), false).produced;
}

/// Whether text that was read in two parts is right: nothing is left out, and nothing is read twice that is still the
/// same. `known` bytes are known before the end. `old` and `now` are the texts of the source before and after it grew.
template <class Text>
bool is_right(const Text& second, const Text& old, const Text& now, std::size_t known) {
  if (second.size() > now.size()) return false;
  const std::size_t at = now.size() - second.size();
  if (now.compare(0, old.size(), old) == 0) return now.substr(old.size()) == second;
  return at >= known && now.substr(at) == second && now.substr(0, at) == old.substr(0, at);
}

/// Cuts the bytes at each place, reads the first part to its end, and reads on when the second one has come.
template <class Codec>
void check_each_cut(tally& all, const char* name, const Codec& codec, const std::string& bytes,
                    const std::vector<utfilter::params>& policies = repairing_policies()) {
  using text = std::basic_string<typename utfilter::codec_istream<Codec>::char_type>;
  const auto show = [](const text& s) {
    return hexadecimal({reinterpret_cast<const char*>(s.data()), s.size() * sizeof(typename text::value_type)});
  };
  for (const utfilter::params& p : policies) {
    reader<Codec> whole(bytes, codec, p);
    const text now = rest(whole.in);
    const utfilter::stream_report wanted = whole.in.report();
    for (std::size_t cut = 0; cut <= bytes.size(); ++cut)
      for (int way = 0; way < 6; ++way) {
        reader<Codec> r(bytes.substr(0, cut), codec, p);
        const text old = rest(r.in);
        r.source << bytes.substr(cut);
        bool right = true;
        text second;
        if (way < 4) {
          second = read_on(r.in, way);
          const std::size_t known = size_before_end(codec, p, std::string_view(bytes).substr(0, cut));
          right = is_right(second, old, now, known / sizeof(typename text::value_type));
        }
        right = right && (way == 4 || r.in.tellg() == -1 || same_report(r.in.report(), wanted));
        r.in.clear();
        if (way == 5) r.in.seekg(0, std::ios::end);
        const bool is_at_end = way == 4 || r.in.tellg() == static_cast<std::streamoff>(now.size());
        r.in.seekg(0);
        const text again = rest(r.in);
        right = right && is_at_end && again == now && same_report(r.in.report(), wanted);
        if (all.failed(right))
          BOOST_ERROR(name << ", policy " << static_cast<int>(p.on_error) << ", way " << way << ", cut " << cut << ": "
                           << show(old) << "then " << show(second) << "instead of " << show(now) << '\n'
                           << in_words(r.in.report()) << '\n'
                           << in_words(wanted));
      }

    // One byte at a time.
    reader<Codec> r("", codec, p);
    text old;
    bool right = true;
    for (std::size_t size = 0; size <= bytes.size(); ++size) {
      reader<Codec> of_part(bytes.substr(0, size), codec, p);
      const text part = rest(of_part.in);
      right = right && is_right(read_on(r.in, 0), old, part, 0) && same_report(r.in.report(), of_part.in.report());
      old = part;
      if (size != bytes.size()) r.source << bytes[size];
    }
    if (all.failed(right)) BOOST_ERROR(name << ", policy " << static_cast<int>(p.on_error) << ", byte by byte");
  }
}

}  // namespace growth

#endif
