// range_streambuf.cpp: finds the lines of a range in a file, and reads them.
#include <utfilter/detail/transfer.hpp>
#include <utfilter/range_streambuf.hpp>

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace utfilter {
namespace {

constexpr std::size_t area_size = 65536;  // a multiple of each code unit

std::string name_of(const byte_range& range) {
  const bool has_end = range.end != std::numeric_limits<std::uint64_t>::max();
  return "the range " + std::to_string(range.begin) + '-' + (has_end ? std::to_string(range.end) : "");
}

}  // namespace

range_streambuf::~range_streambuf() = default;

//-------------------------------------------------------------------------------------------------------------- opening

void range_streambuf::open(encoding from) {
  if (range_.begin > range_.end) throw std::invalid_argument("utfilter: " + name_of(range_) + " ends before it begins");
  if (params_.start)
    throw std::invalid_argument("utfilter: a range of a file has a start of its own, params::start must be empty");
  if (from == encoding::detect) from = params_.declared;
  params_.declared = from;
  const transcoder codec = detail::naming<transcoder>::reading(from, params_);
  open_file();
  decide_encoding(codec);

  if (const std::optional<std::uint64_t> first = find_first_line()) {
    start_.offset = *first;
  } else {
    found_end_ = true;
    params_.bom = bom::automatic;  // no text begins here, so a decoder must neither add a byte order mark nor miss one
    start_.offset = range_.begin != 0 ? std::max(std::min(range_.begin, size_), start_.offset) : 0;
  }
  start_.bom = start_.bom && start_.offset != 0;
  start_.pass_lines(0);
  params_.start = start_;
}

void range_streambuf::open_file() {
  std::error_code ignored;  // if there is no such file, open() gives the reason
  const std::filesystem::file_status status = std::filesystem::status(path_, ignored);
  if (is_directory(status)) fail("a directory has no ranges", std::errc::is_a_directory);
  if (exists(status) && !is_regular_file(status)) fail("only a regular file has ranges", std::errc::invalid_seek);
  if (!file_.open(path_, std::ios_base::in)) detail::file::fail(path_.string(), file_.open_error());
  const std::streampos size = file_.buffer().pubseekoff(0, std::ios_base::end, std::ios_base::in);
  if (size == std::streampos(std::streamoff(-1))) fail("its size cannot be read", std::errc::invalid_seek);
  size_ = static_cast<std::uint64_t>(std::streamoff(size));
}

/// Decides the encoding by the start of the file, as the codec does. Sets the encoding of start_, and start_.offset to
/// the size of the byte order mark.
void range_streambuf::decide_encoding(transcoder codec) {
  const std::size_t most = std::max(detail::longest_bom, codec.lookahead());
  area_.resize(std::max(area_size, static_cast<std::size_t>(std::min<std::uint64_t>(most, size_))));
  seek(0);
  fill(most);
  const auto size = static_cast<std::size_t>(area_end_);
  char text[2 * transcoder::min_output];
  codec_progress found = codec.transform(area_.data(), size, text, sizeof text, size < most);
  if (found.status == codec_status::malformed && codec.error().code == errc::missing_bom)  // no_text may follow
    found = codec.transform(area_.data() + found.consumed, size - found.consumed, text, sizeof text, size < most);
  if (found.status == codec_status::malformed && codec.error().code == errc::no_text)
    detail::file::fail(path_.string() + ": its lines cannot be found", errc::no_text);
  start_ = codec.here();
  static_cast<text_position&>(start_) = {};
  if (start_.decided_by != evidence::named) {
    // A guess by the bytes of the range could be another one, so params::start tells this one.
    params_.declared = encoding::detect;
    params_.fallback = encoding::utf8;
  }

  if (detail::has_states(start_.encoding))
    fail("its lines cannot be found, because in " + std::string(encoding_name(start_.encoding)) +
             " escape sequences decide about the bytes after them",
         std::errc::operation_not_supported);
  const transcoder writer = transcoder::encoding_to(start_.encoding, bom::keep);
  unit_ = writer.encode(U'\n', line_feed_.data());
  char bytes[transcoder::min_output];
  start_.offset = start_.bom ? writer.encode(detail::bom_character, bytes) : 0;
}

/// The offset of the first line that begins in the range.
std::optional<std::uint64_t> range_streambuf::find_first_line() {
  const bool is_whole = size_ == 0;  // an empty file has one range, which may be empty
  if (range_.begin == 0 && (range_.end != 0 || is_whole)) {
    seek(0);
    return 0;
  }
  const std::uint64_t end = std::min(range_.end, size_);
  if (range_.begin >= end) return std::nullopt;
  // A line that begins at `end` is not in the range. So the line feed before the first line must end before `end`.
  for (seek(unit_before(range_.begin)); area_end_ < end - 1;) {
    fill(area_size);
    if (const auto first = end_of_line(area_begin_, std::min(area_end_, end - 1))) {
      show(*first);
      return first;
    }
  }
  return std::nullopt;
}

//-------------------------------------------------------------------------------------------------------------- reading

auto range_streambuf::underflow() -> int_type {
  if (gptr() == egptr() && !found_end_ && area_end_ != size_) {
    fill(area_size);
    show(area_begin_);
  }
  return gptr() != egptr() ? traits_type::to_int_type(*gptr()) : traits_type::eof();
}

/// Lets the reader have the area from this offset on, up to the end of the last line.
void range_streambuf::show(std::uint64_t from) {
  std::uint64_t end = area_end_;
  if (range_.end < size_) {
    // The first line feed from here on ends the last line.
    const std::uint64_t last = std::max(unit_before(range_.end), area_begin_);
    if (const auto found = last < area_end_ ? end_of_line(last, area_end_) : std::nullopt) {
      end = *found;
      found_end_ = true;
    }
  }
  char* const first = area_.data() + (from - area_begin_);
  setg(first, first, area_.data() + (end - area_begin_));
}

//------------------------------------------------------------------------------------------------------------- the file

void range_streambuf::seek(std::uint64_t offset) {
  file_.buffer().pubseekoff(static_cast<std::streamoff>(offset), std::ios_base::beg, std::ios_base::in);
  area_begin_ = area_end_ = offset;
}

/// Reads the next bytes of the file into the area: `most`, or all that the file has left.
void range_streambuf::fill(std::size_t most) {
  const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(most, size_ - area_end_));
  std::error_code error;
  const std::size_t got = is_shorter_ ? 0 : read(wanted, error);
  if (got == 0 && error) detail::file::fail(path_.string(), error);
  is_shorter_ = got < wanted && !error;
  if (got == 0 && is_shorter_)
    fail(name_of(range_) + " lacks byte " + std::to_string(area_end_) + ": the file has become shorter, it had " +
             std::to_string(size_) + " bytes when it was opened",
         std::errc::io_error);
  area_begin_ = area_end_;
  area_end_ += got;
}

/// Reads the next n bytes of the file into the area, fewer at its end and before an error.
std::size_t range_streambuf::read(std::size_t n, std::error_code& error) {
  std::filebuf& file = file_.buffer();
  try {
    return static_cast<std::size_t>(file.sgetn(area_.data(), static_cast<std::streamsize>(n)));
  } catch (const std::ios_base::failure& why) {
    error = why.code();
  }
  // sgetn does not tell how many bytes it has read before the error. The get area does.
  std::size_t got = 0;
  try {
    file.pubseekoff(static_cast<std::streamoff>(area_end_), std::ios_base::beg, std::ios_base::in);
    detail::streambuf_reader input(file);
    while (got != n && input.wait() > 0)
      got += static_cast<std::size_t>(detail::take(input, area_.data() + got, n - got));
  } catch (const std::ios_base::failure&) {  // the same error
  }
  return got;
}

/// The offset after the first line feed between two offsets in the area. `from` must be at a code unit.
std::optional<std::uint64_t> range_streambuf::end_of_line(std::uint64_t from, std::uint64_t to) const noexcept {
  const char* const begin = area_.data() + (from - area_begin_);
  const char* const end = area_.data() + (to - area_begin_);
  const void* found = nullptr;
  for (const char* at = begin; (found = std::memchr(at, '\n', static_cast<std::size_t>(end - at))) != nullptr; ++at) {
    at = static_cast<const char*>(found);
    const char* const unit = at - static_cast<std::size_t>(at - begin) % unit_;
    if (static_cast<std::size_t>(end - unit) >= unit_ && std::memcmp(unit, line_feed_.data(), unit_) == 0)
      return from + static_cast<std::uint64_t>(unit - begin) + unit_;
  }
  return std::nullopt;
}

/// The offset of the last code unit that begins before this offset, which must not be 0. If a line begins at the offset
/// or later, the line feed before it is that code unit or a later one.
std::uint64_t range_streambuf::unit_before(std::uint64_t offset) const noexcept { return (offset - 1) / unit_ * unit_; }

void range_streambuf::fail(const std::string& what, std::errc why) const {
  detail::file::fail(path_.string() + ": " + what, std::make_error_code(why));
}

}  // namespace utfilter
