// charsets.cpp: the charsets of ICU in utfcat.
#include "charsets.hpp"

#include <utfilter/encoding.hpp>
#include <utfilter/text.hpp>
#ifdef UTFCAT_WITH_ICU
#  include <utfilter/icu.hpp>

#  include <algorithm>
#  include <array>
#  include <cstddef>
#  include <exception>
#  include <optional>
#endif

namespace utfcat {

#ifdef UTFCAT_WITH_ICU

namespace {

class icu_text final : public charset_text {
 public:
  icu_text(const utfilter::charset& from, text_reader read, const utfilter::params& p, bool tells_places)
      : read_(std::move(read)), decoder_(from, p), bytes_(65536), text_(65536) {
    if (tells_places) before_.emplace(from);
  }

  std::string_view next() override {
    while (true) {
      if (begin_ == end_ && decoder_.needs_input() && !at_end_) fill();
      const auto done = decoder_.convert(bytes_.data() + begin_, end_ - begin_, text_.data(), text_.size(), at_end_);
      begin_ += done.consumed;
      if (done.produced != 0) return {text_.data(), done.produced};
      if (decoder_.failure()) std::rethrow_exception(decoder_.failure());
      if (done.status == utfilter::codec_status::done) return {};
    }
  }

  utfilter::stream_report report() const override { return decoder_.report(); }

  utfilter::text_position place_of(std::uint64_t line, std::uint64_t column) const override {
    const auto is_after = [line, column](const utfilter::text_position& at) {
      return at.line != line ? at.line > line : at.column > column;
    };
    if (is_after(probe_->position())) {
      probe_ = before_;
      probed_ = 0;
    }
    const auto is_there = [&] {
      const utfilter::text_position& at = probe_->position();
      return is_after(at) || (at.line == line && at.column == column);
    };
    for (; probed_ < end_ && !is_there(); ++probed_) pass(*probe_, probed_, 1, false);
    if (is_there() || !at_end_) return probe_->position();
    utfilter::charset_reader end = *probe_;
    pass(end, 0, 0, true);
    return end.position();
  }

 private:
  /// Reads the next bytes. Before that, before_ passes the present ones.
  void fill() {
    if (before_) {
      pass(*before_, 0, end_, false);
      probe_ = before_;
      probed_ = 0;
    }
    begin_ = end_ = 0;
    const std::streamsize got = read_(bytes_.data(), static_cast<std::streamsize>(bytes_.size()));
    at_end_ = got < 0;
    end_ = at_end_ ? 0 : static_cast<std::size_t>(got);
  }

  /// Passes bytes through a codec without a look at the text and the errors.
  void pass(utfilter::charset_reader& codec, std::size_t begin, std::size_t size, bool last) const {
    std::array<char, 4096> text;
    const char* in = bytes_.data() + begin;
    for (bool goes_on = true; goes_on;) {
      const auto done = codec.transform(in, size, text.data(), text.size(), last);
      in += done.consumed;
      size -= done.consumed;
      goes_on = done.status == utfilter::codec_status::need_output || done.status == utfilter::codec_status::malformed;
    }
  }

  text_reader read_;
  utfilter::charset_decoder decoder_;
  std::vector<char> bytes_, text_;
  std::size_t begin_ = 0, end_ = 0;  // of the bytes that are not decoded yet
  bool at_end_ = false;
  std::optional<utfilter::charset_reader> before_;  // at the first byte of bytes_
  // At the byte `probed_` of bytes_: the next place is usually after the last one.
  mutable std::optional<utfilter::charset_reader> probe_;
  mutable std::size_t probed_ = 0;
};

class icu_charset final : public charset {
 public:
  explicit icu_charset(const std::string& name) : charset_(name) {}

  std::string name() const override { return charset_.name(); }
  bool is_stateful() const override { return charset_.is_stateful(); }

  std::unique_ptr<charset_text> decode(text_reader read, const utfilter::params& given,
                                       bool tells_places) const override {
    utfilter::params p = given;
    if (p.bom == utfilter::bom::keep) p.bom = utfilter::bom::automatic;  // U+FEFF is a character in any case
    return std::make_unique<icu_text>(charset_, std::move(read), p, tells_places);
  }

  std::unique_ptr<text_encoder> encoder(const utfilter::params& p) const override {
    return std::make_unique<filter_encoder<utfilter::utf8_to_charset>>(utfilter::utf8_to_charset(charset_, p));
  }

 private:
  utfilter::charset charset_;
};

}  // namespace

std::shared_ptr<const charset> find_charset(const std::string& name) {
  return utfilter::charset::exists(name) ? std::make_shared<icu_charset>(name) : nullptr;
}

bool is_charset(const std::string& name) { return utfilter::charset::exists(name); }

std::string advice_on_charset(const std::string& name) {
  std::string text = "; the nearest charsets of ICU are ";
  const std::vector<std::string> nearest = utfilter::charset::nearest_names(name);
  for (std::size_t i = 0; i < nearest.size(); ++i)
    text += (i == 0 ? "" : i + 1 == nearest.size() ? " and " : ", ") + nearest[i];
  return text;
}

std::string advice_on_icu() { return ""; }

std::vector<std::pair<std::string, std::string>> list_of_charsets() {
  const auto is_ours = [](const std::string& name) {
    const std::string start = name.substr(0, 5);  // of ICU's variants of UTF-16 and UTF-32
    return start == "UTF-1" || start == "UTF16" || start == "UTF-3" || start == "UTF32" ||
           utfilter::encoding_from_name(name).has_value();
  };
  std::vector<std::pair<std::string, std::string>> list;
  for (const std::string& name : utfilter::charset::names()) {
    std::vector<std::string> names = utfilter::charset(name).aliases();
    names.insert(names.begin(), name);
    names.erase(std::remove_if(names.begin(), names.end(), is_ours), names.end());
    if (names.empty() || is_ours(name)) continue;
    std::string others;
    for (std::size_t i = 1; i < names.size(); ++i) others += (i == 1 ? "" : " ") + names[i];
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
  for (const char* const escape : {"", "\x1B$)C\x0E"}) {
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
