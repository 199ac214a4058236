// every_way.hpp: checks a filter against output and errors that were worked out by hand: the codec alone, and chains in
// both directions, in every cut.
#ifndef UTFILTER_TEST_EVERY_WAY_HPP
#define UTFILTER_TEST_EVERY_WAY_HPP

#include "support/conformance.hpp"
#include "support/outcomes.hpp"
#include "support/policies.hpp"
#include "support/texts.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

namespace every_way {

using namespace conformance;
using utfilter::params;

using texts::euro, texts::fffd, texts::grin, texts::feff;

inline setup decoder(encoding from, params p) { return {filter_kind::decoder, from, std::move(p)}; }
inline setup encoder(encoding to, params p) { return {filter_kind::encoder, to, std::move(p)}; }
inline setup validator(params p) { return {filter_kind::validator, encoding::utf8, std::move(p)}; }
inline setup bom_of(encoding e, bom b, on_error policy = on_error::strict) {
  return {filter_kind::bom, e, with(b, policy)};
}

/// "overlong@3 unexpected_continuation@4!": the observed errors. A ! follows if the last one was thrown.
inline std::string summary(const outcome& o) {
  std::string text;
  for (const error_info& e : o.observed)
    text += (text.empty() ? "" : " ") + std::string(name_of(e.code, errc_names)) + '@' + std::to_string(e.offset);
  return o.thrown ? text + '!' : text;
}

/// Checks that the reading chain, the writing chain and the codec give this output and these errors for every cut.
inline void check(const setup& s, const std::string& input, const std::string& output, const std::string& errors = "") {
  BOOST_TEST_CONTEXT(text_of(s) << ", " << to_hex(input)) {
    trial t(s, input);
    BOOST_TEST(to_hex(t.expected().output) == to_hex(output));
    BOOST_TEST(summary(t.expected()) == errors);
    const std::string why = try_everything(t, s, input);
    BOOST_TEST(why.empty(), why);
  }
}

/// Checks that the filter is refused for this reason, which is a part of the message; "" if it is accepted.
inline void check_refusal(const setup& s, const std::string& reason) {
  const std::string why = thrown_by<std::invalid_argument>([&] { filter_of(s, s.params); });
  BOOST_TEST_CONTEXT(text_of(s))
  BOOST_CHECK_MESSAGE(reason.empty() ? why.empty() : why.find(reason) != std::string::npos, "the reason is: " << why);
}

template <std::size_t N>
std::string bytes(const char (&text)[N]) {
  return {text, N - 1};
}

/// The text in an encoding that has all its characters.
inline std::string in(encoding e, const std::u32string& text) { return reference::encode(to_reference(e), text); }

}  // namespace every_way

#endif
