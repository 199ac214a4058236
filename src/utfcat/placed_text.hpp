// placed_text.hpp: the text of a file, with the places of its characters, for encodings whose text does not show the sizes
// of its characters.
#ifndef UTFCAT_PLACED_TEXT_HPP
#define UTFCAT_PLACED_TEXT_HPP

#include "charsets.hpp"
#include "text_reader.hpp"

#include <utfilter/codec.hpp>
#include <utfilter/error.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace utfcat {

/// Finds places in bytes by decoding them again.
template <class Codec>
class place_finder {
 public:
  /// The codec is at the first of the bytes.
  explicit place_finder(const Codec& codec) : before_(codec), probe_(codec) {}

  /// Call this before other bytes follow: passes the bytes, all of which have been decoded.
  void leave(std::string_view bytes) {
    pass(before_, bytes, false);
    probe_ = before_;
    probed_ = 0;
  }

  /// The place of the character with this line and column. With `at_end` no more bytes follow.
  utfilter::text_position place_of(std::uint64_t line, std::uint64_t column, std::string_view bytes, bool at_end) {
    const auto is_after = [line, column](const utfilter::text_position& at) {
      return at.line != line ? at.line > line : at.column > column;
    };
    if (is_after(probe_.position())) {
      probe_ = before_;
      probed_ = 0;
    }
    // An escape sequence before the character moves the place, too.
    utfilter::text_position at = probe_.position();
    for (; probed_ < bytes.size() && !is_after(probe_.position()); ++probed_) {
      at = probe_.position();
      pass(probe_, bytes.substr(probed_, 1), false);
    }
    if (is_after(probe_.position())) return at;
    if (!at_end) return probe_.position();
    Codec end = probe_;
    pass(end, {}, true);
    return is_after(end.position()) ? probe_.position() : end.position();
  }

 private:
  /// Passes bytes through a codec without a look at the text and the errors.
  static void pass(Codec& codec, std::string_view bytes, bool last) {
    std::array<char, 4096> text;
    for (bool goes_on = true; goes_on;) {
      const auto done = codec.transform(bytes.data(), bytes.size(), text.data(), text.size(), last);
      bytes.remove_prefix(done.consumed);
      goes_on = done.status == utfilter::codec_status::need_output || done.status == utfilter::codec_status::malformed;
    }
  }

  Codec before_;  // at the first byte
  Codec probe_;   // at the byte `probed_`: the next place is usually after the last one
  std::size_t probed_ = 0;
};

/// Decodes a file by `Decoder`, which is a conversion by `Codec`.
template <class Decoder, class Codec>
class placed_text final : public charset_text {
 public:
  /// `codec` finds the places; without it the text has none.
  placed_text(text_reader read, Decoder decoder, const std::optional<Codec>& codec)
      : read_(std::move(read)), decoder_(std::move(decoder)), bytes_(65536), text_(65536) {
    if (codec) places_.emplace(*codec);
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
    return places_->place_of(line, column, {bytes_.data(), end_}, at_end_);
  }

 private:
  /// Reads the next bytes.
  void fill() {
    if (places_) places_->leave({bytes_.data(), end_});
    begin_ = end_ = 0;
    const std::streamsize got = read_(bytes_.data(), static_cast<std::streamsize>(bytes_.size()));
    at_end_ = got < 0;
    end_ = at_end_ ? 0 : static_cast<std::size_t>(got);
  }

  text_reader read_;
  Decoder decoder_;
  std::vector<char> bytes_, text_;
  std::size_t begin_ = 0, end_ = 0;  // of the bytes that are not decoded yet
  bool at_end_ = false;
  mutable std::optional<place_finder<Codec>> places_;
};

}  // namespace utfcat

#endif
