// line_reader.cpp: decodes pieces of the source into one buffer, and finds the lines in it.
#include <utfilter/line_reader.hpp>

#include <algorithm>
#include <cstring>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>

namespace utfilter {
namespace {

constexpr std::size_t piece = 8192;                     // bytes of the source that are decoded at once
constexpr std::size_t room_for_piece = 3 * piece + 16;  // a byte becomes three at most; some bytes were carried

bool is_continuation(char c) noexcept { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// Sets a flag as long as this object lives.
class raised {
 public:
  explicit raised(bool& flag) noexcept : flag_(flag) { flag_ = true; }
  ~raised() { flag_ = false; }
  raised(const raised&) = delete;
  raised& operator=(const raised&) = delete;

 private:
  bool& flag_;
};

}  // namespace

line_reader::line_reader(const params& p, std::streambuf& source, encoding from, std::size_t limit)
    : decoder_(from, p),
      source_(source),
      stops_(p.on_error == on_error::stop),
      adds_bom_(p.bom == bom::add),
      start_(decoder_.here()),
      limit_(limit),
      map_({start_.bytes_out, start_.offset}, start_.errors),
      patch_(map_.end()),
      patch_end_(patch_),
      reached_(patch_),
      begin_(patch_.last.end) {
  taken_ = start_.offset;
  begun_ = start_.offset != 0 || start_.bytes_out != 0;
  if (begun_) map_.read_as(start_.encoding);
  number_ = start_.line;
  errors_before_ = start_.errors;
  text_before_ = start_.bytes_out;
}

//--------------------------------------------------------------------------------------------------- finding the lines

bool line_reader::next() {
  if (busy_) {
    decoder_.fail(std::make_exception_ptr(
        std::logic_error("utfilter: a line_reader was used by its own observer or source, while it was reading")));
    std::rethrow_exception(decoder_.failure());
  }
  if (failed_) std::rethrow_exception(decoder_.failure());
  const raised once(busy_);
  line_ += size_ + ending_;
  text_before_ += size_ + ending_;
  if (places_found_) begin_ = {text_before_, end_};
  places_found_ = false;
  number_ += ending_ != 0;
  errors_before_ += errors_;
  patch_ = patch_end_;
  size_ = ending_ = 0;
  errors_ = 0;
  searched_ = 0;
  reached_ = patch_;
  for (; !find_end(); decode())
    if (ended_ || decoder_.failed()) return take_rest();
  return true;
}

/// Finds the end of the line, and takes the line. Returns false if the end is not in the buffer.
bool line_reader::find_end() {
  const char* const line = buffer_.data() + line_;
  const std::size_t there = filled_ - line_;
  while (searched_ != there) {
    const void* const found = std::memchr(line + searched_, '\n', there - searched_);
    if (found == nullptr) break;
    const auto end = static_cast<std::size_t>(static_cast<const char*>(found) - line);
    const std::uint64_t at = text_before_ + end;
    map_.pass(reached_, at);
    if (reached_.at == patch_.at || reached_.last.end.text <= at) return take_line(end);
    searched_ = static_cast<std::size_t>(reached_.last.end.text - text_before_);  // the line feed is a part of a repair
  }
  searched_ = there;
  // A carriage return at the end is no text if a line feed follows it.
  if (there > limit_ && (there - limit_ > 1 || line[there - 1] != '\r')) refuse_line();
  return false;
}

/// The line ends with the line feed at `end`. Its last patch is the one before reached_.
bool line_reader::take_line(std::size_t end) {
  bool carriage_return = end != 0 && buffer_[line_ + end - 1] == '\r';
  if (reached_.at != patch_.at) {
    carriage_return = carriage_return && !follows_repair(text_before_ + end);
    errors_ = reached_.last.errors - errors_before_;
  }
  if (end - carriage_return > limit_) refuse_line();
  size_ = end - carriage_return;
  ending_ = std::size_t{1} + carriage_return;
  patch_end_ = reached_;
  return true;
}

/// Whether a repair ends at this place of the text. Escape sequences may stand after it: these are patches without
/// text.
bool line_reader::follows_repair(std::uint64_t text) const noexcept {
  const auto ends_there = [text](const source_map::patch& p) { return p.end.text == text && p.begin != text; };
  if (reached_.last.end.text != text) return false;
  if (reached_.last.begin != text || !map_.is_irregular()) return ends_there(reached_.last);
  for (source_map::cursor c = patch_; c.at != reached_.at;) {
    c = map_.next(c);
    if (ends_there(c.last)) return true;
  }
  return false;
}

/// Takes the text after the last line feed. Returns false if it is empty.
bool line_reader::take_rest() {
  if (filled_ - line_ > limit_) refuse_line();
  size_ = filled_ - line_;
  patch_end_ = map_.end();
  is_rest_ = true;
  errors_ = decoder_.report().errors - errors_before_;
  if (decoder_.failed()) fail();
  return size_ != 0;
}

void line_reader::fail() {
  failed_ = true;
  std::rethrow_exception(decoder_.failure());
}

void line_reader::refuse_line() {
  errors_ = 0;
  decoder_.fail(std::make_exception_ptr(std::length_error("utfilter: line " + std::to_string(number_) +
                                                          " has more than " + std::to_string(limit_) + " bytes")));
  fail();
}

//------------------------------------------------------------------------------------------------------------- decoding

/// Decodes a piece of the source, up to its first error, and repairs that. Throws if the source throws.
void line_reader::decode() {
  make_room(room_for_piece);
  if (source_.size() == 0 && !source_ended_ && decoder_.needs_input()) source_ended_ = source_.wait() < 0;
  detail::attempt(decoder_, [this] {
    const std::size_t size = std::min(source_.size(), piece);
    const bool last = source_ended_ && size == source_.size();
    char* const out = buffer_.data() + filled_;
    const std::uint64_t before = position(), text = text_before_ + (filled_ - line_);
    const bool may_be_irregular = !begun_ || map_.is_irregular();
    const std::optional<transcoder> codec = may_be_irregular ? std::optional(decoder_.codec()) : std::nullopt;
    const std::string withheld(may_be_irregular ? decoder_.withheld() : std::string_view());
    const std::string_view bytes(source_.data(), size);
    const codec_progress done = decoder_.step(source_.data(), size, out, buffer_.size() - filled_, last);
    filled_ += done.produced;
    taken_ += done.consumed;
    source_.consume(done.consumed);
    const bool is_error = done.status == codec_status::malformed;
    is_even_ = is_even_ && begun_ && !is_error && map_.is_even({out, done.produced}, position() - before);
    // An error that is about the text as a whole, such as no_text, takes no bytes. The encoding may be decided after
    // it.
    const bool begins = !begun_ && (done.produced != 0 || position() != 0);
    if (begins) begin_text({out, done.produced}, is_error);
    if (map_.is_irregular() && begun_) {
      const std::uint64_t end = is_error ? decoder_.report().last_error->offset : position();
      // The first piece may have a byte order mark that was added, which makes the text longer.
      if (begins || end - before != map_.source_size({out, done.produced})) {
        // A codec that guesses has got no bytes yet: they are withheld.
        const bool guessed = codec->lookahead() != 0;
        const bom policy = adds_bom_ ? bom::add : bom::keep;
        // The byte that has shown that there is no byte order mark may stand after the error.
        const std::string_view decisive = bytes.substr(0, is_error ? size : done.consumed);
        add_irregular(guessed ? transcoder::decoding(decoder_.report().encoding, policy) : *codec, text, withheld,
                      decisive, last);
      }
    }
    ended_ = done.status == codec_status::done || (is_error && stops_);
    if (is_error && !ended_ && !decoder_.failed()) meet_error();
  });
}

/// Call this when the first text has been decoded, and perhaps an error after it: the encoding is decided. If the text
/// is as long as its source, there was no byte order mark, or it is a part of the text. Otherwise a byte order mark was
/// dropped or added.
void line_reader::begin_text(std::string_view text, bool is_before_error) {
  const stream_report report = decoder_.report();
  map_.read_as(report.encoding);
  begun_ = true;
  if (map_.is_irregular()) return;  // such an encoding has no byte order mark
  const std::uint64_t source = is_before_error ? report.last_error->offset : report.bytes_in;
  const std::uint64_t measured = map_.source_size(text);
  constexpr std::uint64_t size_of_bom = 3;
  const std::uint64_t errors = map_.end().last.errors;
  if (source > measured) map_.add({0, {0, source - measured}, errors});
  if (source < measured) map_.add({0, {size_of_bom, 0}, errors});
}

/// Decodes a piece again, byte by byte, to find the sequences whose size the text does not show. The codec is the one
/// before the piece. `text` is the number of bytes of text before the piece. The piece consists of bytes that were
/// withheld from the codec, and of `bytes` after them.
void line_reader::add_irregular(transcoder codec, std::uint64_t text, std::string_view withheld, std::string_view bytes,
                                bool last) {
  // Decodes one sequence after the other: there is no more room than the next one needs. Returns false at an error.
  const auto pass = [&](const char* in, std::size_t size, bool ends) {
    char characters[transcoder::min_output];
    for (std::size_t room = 1; room <= sizeof characters;) {
      const std::uint64_t before = codec.position().offset;
      const codec_progress done = codec.transform(in, size, characters, room, ends);
      const bool is_error = done.status == codec_status::malformed;
      in += done.consumed;
      size -= done.consumed;
      const std::uint64_t after = is_error ? codec.error().offset : codec.position().offset;
      const std::uint64_t end = text + done.produced;
      if (after - before != map_.source_size({characters, done.produced}))
        map_.add({text, {end, after}, map_.end().last.errors});
      text = end;
      if (is_error) return false;
      if (done.status != codec_status::need_output) break;
      room = done.produced != 0 ? 1 : room + 1;
    }
    return true;
  };
  if (!pass(nullptr, 0, false)) return;  // after an error, what the codec carries may be a character
  for (const std::string_view part : {withheld, bytes})
    for (const char& byte : part)
      if (!pass(&byte, 1, false)) return;
  if (last) pass(nullptr, 0, true);
}

/// The decoder has met an error: notes its place, and writes its repair. The decoder may still carry bytes. They are the
/// beginning of a sequence; or the text began as a byte order mark does, and then there may be more errors in them, which
/// the decoder meets as soon as the repair is written.
void line_reader::meet_error() {
  // An error at the end of the text, before `source` bytes, whose repair has `size` bytes.
  const auto add_error = [this](std::uint64_t source, std::size_t size) {
    const std::uint64_t here = text_before_ + (filled_ - line_);
    map_.add({here, {here + size, source}, map_.end().last.errors + 1});
  };
  while (true) {
    const std::size_t size = decoder_.pending_repair();
    add_error(position(), size);
    if (size == 0) return;
    make_room(size);
    std::optional<transcoder> codec;
    if (decoder_.pending() != 0) codec = decoder_.codec();
    decoder_.convert(nullptr, 0, buffer_.data() + filled_, size, false);
    filled_ += size;
    if (!codec || position() == codec->position().offset) return;
    // Further errors. The last one fails the text or has a repair; the repairs of the others have no bytes.
    while (codec->transform(nullptr, 0, nullptr, 0, false).status == codec_status::malformed &&
           codec->position().offset != position())
      add_error(codec->position().offset, 0);
    if (decoder_.failed()) return;
  }
}

/// Makes room for this many bytes more. The lines before the present one leave the buffer.
void line_reader::make_room(std::size_t room) {
  if (line_ != 0) {
    const std::size_t rest = filled_ - line_;
    const std::string_view text(buffer_.data() + line_, rest);
    const std::uint64_t of_rest = map_.source_size(text);
    // Counts back from the end of the text, which is nearer than begin_, unless a patch is in between.
    const bool is_plain = !map_.has_next(patch_);
    begin_ = is_plain ? source_map::place{text_before_, position() - of_rest} : place_of(text_before_, patch_);
    is_even_ = map_.is_even(text, of_rest);
    std::memmove(buffer_.data(), buffer_.data() + line_, rest);
    filled_ = rest;
    line_ = 0;
    reached_.at -= patch_.at;
    map_.forget(patch_);
    patch_end_ = patch_;
  }
  if (buffer_.size() - filled_ < room) buffer_.resize(std::max({4 * piece, 2 * buffer_.size(), filled_ + room}));
}

//---------------------------------------------------------------------------------------------- places in the source

std::uint64_t line_reader::offset_of(std::size_t n) const {
  if (n > size_)
    throw std::out_of_range("utfilter: offset_of(" + std::to_string(n) + ") in a line of " + std::to_string(size_) +
                            " bytes");
  find_places();
  const std::uint64_t text = text_before_ + n;
  source_map::cursor patches = patch_;
  while (patches.at != patch_end_.at) {
    const source_map::cursor next = map_.next(patches);
    if (next.last.end.text > text) {
      if (next.last.begin <= text) return place_of(next.last.begin, patches).source;
      break;
    }
    patches = next;
  }
  while (n != size_ && is_continuation(buffer_[line_ + n])) --n;
  return place_of(text_before_ + n, patches).source;
}

checkpoint line_reader::after() const noexcept {
  if (is_rest_) return decoder_.here();
  if (ending_ == 0 && number_ == start_.line) return start_;
  find_places();
  checkpoint c = decoder_.here();
  c.offset = end_;
  c.line = number_;
  c.pass_lines(ending_ != 0);
  c.bytes_out = text_before_ + size_ + ending_;
  c.errors = errors_before_ + errors_;
  return c;
}

void line_reader::find_both_places() const noexcept {
  if (begin_.text != text_before_) begin_ = place_of(text_before_, patch_);
  end_ = place_of(text_before_ + size_ + ending_, patch_end_).source;
  places_found_ = true;
}

std::uint64_t line_reader::source_size(const char* text, std::size_t size) const noexcept {
  return is_even_ ? map_.unit() * size : map_.source_size({text, size});
}

/// The place after `text` bytes of text, which are in the buffer from begin_ on. `patches` is the place after the
/// patches before it.
auto line_reader::place_of(std::uint64_t text, const source_map::cursor& patches) const noexcept -> source_map::place {
  const source_map::place from = patches.last.end.text >= begin_.text ? patches.last.end : begin_;
  const char* const at = buffer_.data() + static_cast<std::size_t>(line_ + from.text - text_before_);
  return {text, from.source + source_size(at, static_cast<std::size_t>(text - from.text))};
}

}  // namespace utfilter
