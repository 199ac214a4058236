// line_reader.cpp: decodes pieces of the source into one buffer, and finds the lines in it.
#include <utfilter/line_reader.hpp>

#include <utfilter/detail/checked_codec.hpp>
#include <utfilter/transcoder.hpp>

#include <algorithm>
#include <cstring>
#include <exception>
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

decoder checked(encoding from, const params& p) {
  static_cast<void>(detail::checked_decoder("line_reader", from, p));
  return decoder(from, p);
}

}  // namespace

line_reader::line_reader(const params& p, std::streambuf& source, encoding from, std::size_t limit)
    : decoder_(checked(from, p)),
      source_(source),
      stops_(p.on_error == on_error::stop),
      limit_(limit),
      begin_(decoder_.here()),
      after_(begin_) {
  taken_ = begin_.offset;
  errors_before_ = errors_met_ = begin_.errors;
  begun_ = begin_.offset != 0 || begin_.bytes_out != 0;
  if (begun_) measure_ = measure_of(begin_.encoding);
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
  size_ = ending_ = 0;
  begin_ = after_;
  errors_before_ += errors_;
  errors_ = 0;
  patch_ = patch_end_;
  for (std::size_t searched = 0; !find_end(searched); decode())
    if (ended_ || decoder_.failed()) return take_rest();
  return true;
}

/// Finds the end of the line, and takes the line. Returns false if the end is not in the buffer. The first `searched`
/// bytes of the line are known to have no end.
bool line_reader::find_end(std::size_t& searched) {
  const char* const line = buffer_.data() + line_;
  const std::size_t there = filled_ - line_;
  while (searched != there) {
    const void* const found = std::memchr(line + searched, '\n', there - searched);
    if (found == nullptr) break;
    const auto end = static_cast<std::size_t>(static_cast<const char*>(found) - line);
    std::size_t patches = patch_;
    const std::uint64_t place = begin_.bytes_out + end;
    while (patches != patches_.size() && patches_[patches].begin <= place) ++patches;
    if (patches == patch_ || patches_[patches - 1].end <= place) return take_line(end, patches);
    searched = static_cast<std::size_t>(patches_[patches - 1].end - begin_.bytes_out);
  }
  searched = there;
  // If a line feed follows, a carriage return is no text.
  if (there > limit_ && (there - limit_ > 1 || line[there - 1] != '\r')) refuse_line();
  return false;
}

/// The line ends with the line feed at `end`. `patches` is the end of its patches.
bool line_reader::take_line(std::size_t end, std::size_t patches) {
  const bool after_repair = patches != patch_ && patches_[patches - 1].end == begin_.bytes_out + end &&
                            patches_[patches - 1].begin != patches_[patches - 1].end;
  const bool carriage_return = end != 0 && buffer_[line_ + end - 1] == '\r' && !after_repair;
  if (end - carriage_return > limit_) refuse_line();
  size_ = end - carriage_return;
  ending_ = std::size_t{1} + carriage_return;
  patch_end_ = patches;
  after_.offset = after_.line_offset = source_offset(end + 1, patches);
  after_.line = begin_.line + 1;
  after_.column = 1;
  after_.bytes_out = begin_.bytes_out + end + 1;
  if (patches != patch_) {
    after_.errors = patches_[patches - 1].errors;
    errors_ = after_.errors - errors_before_;
  }
  return true;
}

/// Takes the text after the last line feed. Returns false if it is empty.
bool line_reader::take_rest() {
  if (filled_ - line_ > limit_) refuse_line();
  size_ = filled_ - line_;
  patch_end_ = patches_.size();
  after_ = decoder_.here();
  errors_ = decoder_.report().errors - errors_before_;
  if (decoder_.failed()) fail();
  return size_ != 0;
}

void line_reader::fail() {
  failed_ = true;
  std::rethrow_exception(decoder_.failure());
}

void line_reader::refuse_line() {
  decoder_.fail(std::make_exception_ptr(std::length_error("utfilter: line " + std::to_string(begin_.line) +
                                                          " has more than " + std::to_string(limit_) + " bytes")));
  fail();
}

//-------------------------------------------------------------------------------------------------------------- decoding

/// Decodes a piece of the source, up to its first error, and repairs that. Throws if the source throws.
void line_reader::decode() {
  make_room(room_for_piece);
  if (source_.size() == 0 && !source_ended_ && decoder_.needs_input()) source_ended_ = source_.wait() < 0;
  detail::attempt(decoder_, [this] {
    const std::size_t size = std::min(source_.size(), piece);
    const bool last = source_ended_ && size == source_.size();
    char* const out = buffer_.data() + filled_;
    const codec_progress done = decoder_.step(source_.data(), size, out, buffer_.size() - filled_, last);
    filled_ += done.produced;
    taken_ += done.consumed;
    source_.consume(done.consumed);
    const bool is_error = done.status == codec_status::malformed;
    if (!begun_ && (done.produced != 0 || taken_ != decoder_.pending() || is_error)) begin_text({out, done.produced});
    ended_ = done.status == codec_status::done || (is_error && stops_);
    if (is_error && !ended_ && !decoder_.failed()) meet_errors();
  });
}

/// The first text has been decoded: the encoding is decided. If the text is as long as its source, then there was no
/// signature, or it is a part of the text. Otherwise a signature was dropped or added.
void line_reader::begin_text(std::string_view text) {
  const stream_report report = decoder_.report();
  after_.encoding = report.encoding;
  after_.bom = report.bom;
  measure_ = measure_of(report.encoding);
  begun_ = true;
  const std::uint64_t source = report.first_error ? report.first_error->offset : report.bytes_in;
  const std::uint64_t measured = measure_(text);
  constexpr std::uint64_t size_of_signature = 3;
  if (source > measured) patches_.push_back({0, 0, source - measured, 0});
  if (source < measured) patches_.push_back({0, size_of_signature, 0, 0});
}

/// The decoder has met an error: notes its place, and writes its repair. If the decoder carries bytes after the error,
/// they may have further errors.
void line_reader::meet_errors() {
  std::size_t size = 0;
  do {
    size = decoder_.pending_repair();
    const std::uint64_t place = begin_.bytes_out + (filled_ - line_);
    const patch met{place, place + size, taken_ - decoder_.pending(), ++errors_met_};
    // Errors that leave no text are one patch, so that bytes without text need no memory.
    if (size == 0 && !patches_.empty() && patches_.back().begin == place)
      patches_.back() = met;
    else
      patches_.push_back(met);
    if (size == 0) return;
    make_room(size);
    decoder_.convert(nullptr, 0, buffer_.data() + filled_, size, false);
    filled_ += size;
  } while (decoder_.pending_repair() != 0);
}

/// Makes room for this many bytes more. The lines before the present one leave the buffer.
void line_reader::make_room(std::size_t room) {
  if (line_ != 0)
    std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(line_),
              buffer_.begin() + static_cast<std::ptrdiff_t>(filled_), buffer_.begin());
  filled_ -= line_;
  line_ = 0;
  patches_.erase(patches_.begin(), patches_.begin() + static_cast<std::ptrdiff_t>(patch_));
  patch_ = patch_end_ = 0;
  if (buffer_.size() - filled_ < room) buffer_.resize(std::max(2 * buffer_.size(), filled_ + room));
}

//---------------------------------------------------------------------------------------------- places in the source

auto line_reader::measure_of(encoding e) noexcept -> measure {
  measure m;
  m.unit = code_unit_size(e);
  m.of_characters = m.unit != 1 || is_single_byte(e);
  char bytes[transcoder::min_output];
  const std::size_t of_supplementary = transcoder::encoding_to(e, bom::keep).encode(0x10000, bytes);
  const std::size_t usual = m.of_characters ? m.unit : 4;
  m.more = of_supplementary > usual ? of_supplementary - usual : 0;
  return m;
}

std::uint64_t line_reader::measure::operator()(std::string_view text) const noexcept {
  if (!of_characters && more == 0) return text.size();
  std::size_t characters = 0, supplementary = 0;
  for (const char c : text) {
    characters += !is_continuation(c);
    supplementary += static_cast<unsigned char>(c) >= 0xF0;
  }
  return std::uint64_t{unit} * (of_characters ? characters : text.size()) + std::uint64_t{more} * supplementary;
}

std::uint64_t line_reader::offset_of(std::size_t n) const {
  if (n > size_)
    throw std::out_of_range("utfilter: offset_of(" + std::to_string(n) + ") in a line of " + std::to_string(size_) +
                            " bytes");
  const std::uint64_t place = begin_.bytes_out + n;
  std::size_t patches = patch_;
  while (patches != patch_end_ && patches_[patches].end <= place) ++patches;
  if (patches != patch_end_ && patches_[patches].begin <= place)
    n = static_cast<std::size_t>(patches_[patches].begin - begin_.bytes_out);
  else
    while (n != size_ && is_continuation(buffer_[line_ + n])) --n;
  return source_offset(n, patches);
}

/// The offset in the source of byte n of the line. `patches` is the end of the patches before it.
std::uint64_t line_reader::source_offset(std::size_t n, std::size_t patches) const noexcept {
  std::size_t from = 0;
  std::uint64_t offset = begin_.offset;
  if (patches != patch_) {
    from = static_cast<std::size_t>(patches_[patches - 1].end - begin_.bytes_out);
    offset = patches_[patches - 1].source_end;
  }
  return offset + measure_({buffer_.data() + line_ + from, n - from});
}

}  // namespace utfilter
