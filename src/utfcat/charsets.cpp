// charsets.cpp: the charsets of ICU in utfcat.
#include "charsets.hpp"

#include <utfilter/encoding.hpp>
#include <utfilter/text.hpp>
#ifdef UTFCAT_WITH_ICU
#  include "messages.hpp"
#  include "output.hpp"
#  include "placed_text.hpp"

#  include <utfilter/icu.hpp>

#  include <algorithm>
#  include <cstddef>
#  include <optional>
#endif

namespace utfcat {

#ifdef UTFCAT_WITH_ICU

namespace {

/// The preferred name, or ICU's own if the former is that of an encoding of the library that has other characters, as
/// the Chinese, Japanese and Korean ones do (doc/charsets.md).
std::string name_of(const utfilter::charset& of) {
  const std::string preferred = of.name();
  const auto own = utfilter::encoding_from_name(preferred);
  if (!own || !utfilter::detail::is_cjk(*own)) return preferred;
  const std::vector<std::string> names = of.aliases();
  const auto found = std::find_if(names.begin(), names.end(),
                                  [](const std::string& name) { return !utfilter::encoding_from_name(name); });
  return found != names.end() ? *found : preferred;
}

using icu_text = placed_text<utfilter::codec_decoder<utfilter::charset_reader>, utfilter::charset_reader>;

class icu_charset final : public charset {
 public:
  explicit icu_charset(const std::string& name) : charset_(name) {}

  std::string name() const override { return name_of(charset_); }
  bool is_stateful() const override { return charset_.is_stateful(); }

  std::unique_ptr<charset_text> decode(text_reader read, const utfilter::params& given,
                                       bool tells_places) const override {
    utfilter::params p = given;
    if (p.bom == utfilter::bom::keep) p.bom = utfilter::bom::automatic;  // U+FEFF is a character in any case
    std::optional<utfilter::charset_reader> places;
    if (tells_places) places.emplace(charset_);
    return std::make_unique<icu_text>(std::move(read), utfilter::codec_decoder(charset_, p), places);
  }

  std::unique_ptr<text_encoder> encoder(const utfilter::params& p) const override {
    return std::make_unique<filter_encoder<utfilter::utf8_to_charset>>(utfilter::utf8_to_charset(charset_, p));
  }

 private:
  utfilter::charset charset_;
};

}  // namespace

std::shared_ptr<const charset> find_charset(const std::string& name) {
  const bool is_there = !utfilter::detail::is_left_out(name) && utfilter::charset::exists(name);
  return is_there ? std::make_shared<icu_charset>(name) : nullptr;
}

bool is_charset(const std::string& name) { return utfilter::charset::exists(name); }

std::string advice_on_charset(const std::string& name) {
  const std::vector<std::string> nearest = utfilter::charset::nearest_names(name);
  return nearest.empty() ? "" : "; " + nearest_in_words("charset of ICU", "charsets of ICU", nearest);
}

std::string advice_on_icu() { return ""; }

std::vector<std::pair<std::string, std::string>> list_of_charsets() {
  const auto is_ours = [](const std::string& name) {
    const std::string start = name.substr(0, 5);  // of ICU's variants of UTF-16 and UTF-32
    return start == "UTF-1" || start == "UTF16" || start == "UTF-3" || start == "UTF32" ||
           utfilter::encoding_from_name(name).has_value();
  };
  std::vector<std::pair<std::string, std::string>> list;
  for (const std::string& preferred : utfilter::charset::names()) {
    const utfilter::charset one(preferred);
    const std::string name = name_of(one);
    if (is_ours(name)) continue;
    std::string others;
    for (const std::string& other : one.aliases())
      if (other != name && !is_ours(other)) others += (others.empty() ? "" : " ") + other;
    list.emplace_back(name, others);
  }
  return list;
}

#else

std::shared_ptr<const charset> find_charset(const std::string&) { return nullptr; }

/// The library knows the names that texts declare, but only guess_charset tells them.
bool is_charset(const std::string& name) {
  if (name.find_first_of("\"'<>") != std::string::npos) return false;
  for (const char* const known : {"utf-7", "UTF-7", "hz-gb-2312", "HZ-GB-2312"})  // their declarations never count
    if (name == known) return true;
  // Other charsets of ASCII bytes count only with their escape sequence.
  for (const char* const escape : {"", "\x1B$)C"}) {
    const std::string text = "<?xml version=\"1.0\" encoding=\"" + name + "\"?>" + escape;
    utfilter::params p;
    p.guess_bytes = text.size();  // then it is the start of a text, and characters beyond ASCII may follow
    const utfilter::charset_guess declared = utfilter::guess_charset(text, p);
    if (declared.decided_by == utfilter::evidence::declaration && !utfilter::encoding_from_name(declared)) return true;
  }
  return false;
}

std::string advice_on_charset(const std::string&) { return advice_on_icu(); }

std::string advice_on_icu() {
  return "; this utfcat was built without ICU, which knows more: install libicu-dev and build with UTFILTER_BUILD_ICU";
}

std::vector<std::pair<std::string, std::string>> list_of_charsets() { return {}; }

#endif

}  // namespace utfcat
