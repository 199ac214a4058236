// input.cpp: one file of utfcat.
#include "input.hpp"

#include "messages.hpp"
#include "placed_text.hpp"
#include "reading.hpp"

#include <utfilter/decoder.hpp>
#include <utfilter/range_source.hpp>
#include <utfilter/utf_error.hpp>

#include <algorithm>
#include <cerrno>
#include <filesystem>

namespace utfcat {
namespace {

/// Whether UTF-8 that is read in this encoding becomes other characters, without an error that tells so.
bool is_legacy(utfilter::encoding e) noexcept {
  using utfilter::encoding;
  return code_unit_size(e) == 1 && e != encoding::utf8 && e != encoding::cesu8 && e != encoding::modified_utf8 &&
         e != encoding::ascii;
}

}  // namespace

//------------------------------------------------------------------------------------------------- raw_file, raw_source

raw_file::raw_file(const std::string& name, bool tell_compression, input_buffer& buffer)
    : name_(name), fd_(standard_input), buffer_(buffer) {
  buffer.allocate();
  if (name != "-") {
    own_ = open_to_read(name);
    fd_ = own_.get();
    if (fd_ < 0) throw input_failure(because(name_, errno));
  }
  // Reads only until it is clear whether the data is compressed. If a pipe has text, its first byte usually shows that.
  do end_ += read_file(buffer_.data() + end_, input_buffer::size - end_);
  while (tell_compression && !at_end_ && !guess_compression(head()).decided);
}

std::size_t raw_file::read_file(char* s, std::size_t n) {
  if (waiting_ != nullptr && !at_end_) at_end_ = !waiting_->wait(fd_);
  const std::ptrdiff_t got = at_end_ ? 0 : read_some(fd_, s, n);
  if (got < 0) throw input_failure(because(name_, errno));
  const auto size = static_cast<std::size_t>(got);
  if (size != 0 && head_size_ != head_.size())  // a full head may be looked at by another thread
    head_size_ += std::string_view(s, size).copy(head_.data() + head_size_, head_.size() - head_size_);
  bytes_read_ += size;
  at_end_ = size == 0;
  return size;
}

std::string_view raw_file::peek() {
  if (begin_ == end_) {
    begin_ = 0;
    end_ = read_file(buffer_.data(), input_buffer::size);
  }
  return {buffer_.data() + begin_, end_ - begin_};
}

std::size_t raw_file::read(char* s, std::size_t n) {
  if (begin_ == end_ && n >= input_buffer::size / 2) return read_file(s, n);
  const std::size_t size = peek().copy(s, n);
  consume(size);
  return size;
}

std::streamsize raw_source::read(char* s, std::streamsize n) {
  const std::size_t size = file_->read(s, static_cast<std::size_t>(n));
  return size != 0 ? static_cast<std::streamsize>(size) : -1;
}

//-------------------------------------------------------------------------------------------------- decompressed_source

std::streamsize decompressed_source::read(char* s, std::streamsize n) {
  char* out = s;
  while (out == s) {
    switch (damage_) {
      case damage::none: break;
      case damage::corrupt: fail("corrupt");
      case damage::foreign: fail("unexpected bytes after the");
      case damage::too_large: fail("too much memory needed to decompress the");
    }
    const std::string_view there = full_ ? std::string_view() : file_->peek();
    if (there.empty() && !full_) {
      if (decompressor_->complete()) return -1;
      fail("truncated");
    }
    const char* in = there.data();
    damage_ = decompressor_->run(in, there.data() + there.size(), out, s + n);
    full_ = out == s + n;
    file_->consume(static_cast<std::size_t>(in - there.data()));
  }
  return out - s;
}

void decompressed_source::fail(const char* what) const {
  throw input_failure(visible(name_) + ": " + what + ' ' + std::string(name_of(data_)) + " data");
}

//---------------------------------------------------------------------------------------------------------------- input

input::input(const std::string& name, bool decompress, std::optional<utfilter::byte_range> range,
             input_buffers& buffers)
    : name_(name), raw_(name, decompress, buffers.bytes), range_(range), piece_(buffers.text) {
  if (!decompress) return;
  decompressed_ = guess_compression(raw_.head()).data;
  if (decompressed_ != compression::none && !can_decompress(decompressed_))
    throw input_failure(visible(name) + ": " + advice_on(decompressed_));
}

std::string advice_on(compression data) {
  const std::string name(name_of(data)), command(command_for(data));
  if (can_decompress(data)) return "this is " + name + " data: give --decompress";
  return "this is " + name + " data, which utfcat does not decompress" +
         (command.empty() ? "" : " (" + command + " does)");
}

std::string input::start_of_bytes() const {
  if (decompressed_ == compression::none) return std::string(raw_.start());
  std::string bytes(utfilter::default_guess_bytes, '\0');
  const char* in = raw_.start().data();
  char* out = bytes.data();
  make_decompressor(decompressed_)
      ->run(in, in + raw_.start().size(), out, out + bytes.size());  // reading tells of damage
  bytes.resize(static_cast<std::size_t>(out - bytes.data()));
  return bytes;
}

std::size_t input::utf8_sequences() const {
  return !charset_name_.empty() || is_legacy(report().encoding) ? watch_.sequences() : 0;
}

void input::decode(utfilter::encoding from, const utfilter::params& p, const team_work* team, bool tells_places) {
  if (range_) {
    try {
      utfilter::range_source source(path_of(name_), *range_, from, p);
      start_ = source.start().offset;
      const auto read = [source](char* s, std::streamsize n) mutable { return source.read(s, n); };
      if (check_ != nullptr)
        return read_from(reader_source(checked(read)), utfilter::encoding::detect, source.params(), team, tells_places);
      read_from(source, utfilter::encoding::detect, source.params(), team, tells_places);
    } catch (const std::ios_base::failure& why) {
      throw input_failure(visible(why.what()));
    }
    return;
  }
  if (rest_ || check_ != nullptr)
    read_from(reader_source(checked(bytes())), from, p, team, tells_places);
  else if (decompressed_ == compression::none)
    read_from(raw_source(raw_), from, p, team, tells_places);
  else
    read_from(decompressed_source(raw_, decompressed_, name_), from, p, team, tells_places);
}

/// Reads the bytes of the file, decompressed.
text_reader input::file_bytes() {
  if (decompressed_ == compression::none)
    return [source = raw_source(raw_)](char* s, std::streamsize n) mutable { return source.read(s, n); };
  return [source = decompressed_source(raw_, decompressed_, name_)](char* s, std::streamsize n) mutable {
    return source.read(s, n);
  };
}

/// The same, after a guess: first those that were read for it.
text_reader input::bytes() {
  if (!rest_) return file_bytes();
  return [this, begin = std::string_view(sample_)](char* s, std::streamsize n) mutable {
    const std::size_t size = begin.copy(s, static_cast<std::size_t>(n));
    begin.remove_prefix(size);
    return size != 0 ? static_cast<std::streamsize>(size) : rest_(s, n);
  };
}

/// Reads the same bytes, and tells them the check, if there is one.
text_reader input::checked(text_reader read) const {
  if (check_ == nullptr) return read;
  return [check = check_, read = std::move(read)](char* s, std::streamsize n) {
    const std::streamsize got = read(s, n);
    check->read({s, static_cast<std::size_t>(std::max<std::streamsize>(got, 0))});
    return got;
  };
}

/// Reads the start of the file, until it decides about the encoding.
void input::read_sample(utfilter::params& p) {
  constexpr std::size_t step = 65536;
  rest_ = file_bytes();
  std::size_t size = 0;
  const std::optional<file_size> all = size_of(name_);
  deciding_size deciding(p.guess_bytes, all && all->regular && p.guess_bytes == utfilter::default_guess_bytes);
  const auto has_bom = [&] { return begins_with_bom({sample_.data(), size}); };
  try {
    while (size < p.guess_bytes && !has_bom()) {
      sample_.resize(std::min(p.guess_bytes, size + step));
      const std::streamsize got = rest_(&sample_[size], static_cast<std::streamsize>(sample_.size() - size));
      if (got < 0) break;
      size += static_cast<std::size_t>(got);
      p.guess_bytes = deciding.of({sample_.data(), size});
    }
  } catch (...) {  // the text before the failure comes first
    rest_ = [failure = std::current_exception()](char*, std::streamsize) -> std::streamsize {
      std::rethrow_exception(failure);
    };
  }
  sample_.resize(size);
}

std::shared_ptr<const charset> input::guess_charset(utfilter::params& p, bool identifies) {
  read_sample(p);
  if (const std::size_t size = size_before_utf16(sample_); size != sample_.size()) p.guess_bytes = size;
  const utfilter::charset_guess guess = utfilter::guess_charset(sample_, p);
  const std::string name(guess), looks(look_of_charset(guess));
  guessed_ = utfilter::encoding_from_name(name);
  language_ = guess.language;
  if (looks.empty()) {
    if (range_) guess_ = guess;
    return nullptr;
  }
  std::shared_ptr<const charset> found = find_charset(name);
  if (identifies && (!found || range_)) {
    charset_name_ = name;
    guess_ = guess;
    p.candidates = {utfilter::encoding::latin1};
    return nullptr;
  }
  if (!found)
    throw input_failure(
        visible(name_) + looks + name + ", which utfcat cannot read: name another encoding with --from" +
        (utfilter::detail::is_left_out(name) ? std::string("; ") + utfilter::detail::why_left_out : advice_on_icu()));
  if (range_) throw input_failure(visible(name_) + looks + found->name() + ", " + why_no_range);
  guess_ = guess;
  return found;
}

void input::decode(const charset& from, const utfilter::params& p, bool tells_places) {
  charset_name_ = from.name();
  watch_.on();
  const auto read = [watched = watched_source(reader_source(checked(bytes())), watch_, utf16_watch_)](
                        char* s, std::streamsize n) mutable { return watched.read(s, n); };
  in_charset_ = from.decode(read, p, tells_places);
}

utfilter::error_info input::lack_bom() {
  lacks_bom_ = true;
  utfilter::error_info error;
  error.code = utfilter::errc::missing_bom;
  return error;
}

std::string input::encoding() const {
  return !charset_name_.empty() ? charset_name_ : std::string(encoding_name(report().encoding));
}

// This function uses no chain: it calls the filter with the device. If the bytes need no conversion, the device then
// fills the piece directly.
template <class Source>
void input::read_from(Source unwatched, utfilter::encoding from, const utfilter::params& p, const team_work* team,
                      bool tells_places) {
  if (is_legacy(expected(from, p))) watch_.on();
  if (expected(from, p) == utfilter::encoding::utf8) utf16_watch_.on(start_, start_, ends_at_utf16_);
  if (const std::optional<file_size> size = size_of(name_); size && size->regular) utf16_watch_.never_waits();
  watched_source<Source> source(std::move(unwatched), watch_, utf16_watch_);
  if (tells_places && !line_rules_ && utfilter::detail::is_irregular(expected(from, p))) return place(source, from, p);
  if (team != nullptr && waiting_.begin(raw_.fd())) {
    raw_.wait_by(waiting_);
    const auto read = [source](char* s, std::streamsize n) mutable { return source.read(s, n); };
    parallel_ = std::make_unique<parallel_text>(
        *team, read, [this] { return raw_.bytes_read(); }, waiting_, from, p);
    return;
  }
  piece_.allocate();
  // In a range the encoding is known already. A text with a byte order mark decides it only now, and leaves out the
  // fallbacks of another code unit itself.
  if (line_rules_ && p.start) leave_out_fallbacks(code_unit_size(p.start->encoding));
  if (line_rules_) return read_through(lines_.emplace(from, *line_rules_, p), source);
  decoder_ = utfilter::to_utf8(from, p);
  read_through(decoder_, source);
}

/// No line can be in an encoding whose code units have another size than those of the text.
void input::leave_out_fallbacks(std::size_t code_unit) {
  utfilter::line_rules& rules = *line_rules_;
  const auto has_other_units = [&](utfilter::encoding e) { return code_unit_size(e) != code_unit; };
  rules.fallbacks.erase(std::remove_if(rules.fallbacks.begin(), rules.fallbacks.end(), has_other_units),
                        rules.fallbacks.end());
  if (!rules.fallbacks.empty()) return;
  rules.observer = nullptr;
  rules.policy = rules.sink ? utfilter::line_policy::put_aside : utfilter::line_policy::keep;
}

template <class Filter, class Source>
void input::read_through(const Filter& decoder, Source source) {
  read_ = [filter = decoder, source](char* s, std::streamsize n) mutable { return filter.read(source, s, n); };
}

/// The encoding of the text as far as it is known: that of a text without a byte order mark. What is no text is read in
/// params::legacy.
utfilter::encoding input::expected(utfilter::encoding from, const utfilter::params& p) const {
  using utfilter::encoding;
  if (p.start) return p.start->encoding;
  encoding found = from == encoding::detect ? p.fallback : from;
  if (found == encoding::guess) found = guessed_.value_or(encoding::detect);
  return found == encoding::detect ? p.legacy : found;
}

/// Reads text whose places place_of() finds.
template <class Source>
void input::place(Source source, utfilter::encoding from, const utfilter::params& p) {
  using utfilter::encoding, utfilter::transcoder;
  const auto read = [source](char* s, std::streamsize n) mutable { return source.read(s, n); };
  transcoder codec = transcoder::decoding(from, p);
  // A guess needs many bytes at once, but place_of() goes byte by byte.
  if (codec.lookahead() != 0) codec = transcoder::decoding(expected(from, p), utfilter::bom::keep);
  in_charset_ = std::make_unique<placed_text<utfilter::decoder, transcoder>>(read, utfilter::decoder(from, p),
                                                                             std::optional(codec));
}

bool input::knows_offsets() const {
  if (!lines_) return true;
  const auto& others = line_rules_->fallbacks;
  return !utfilter::detail::is_irregular(report().encoding) &&
         std::none_of(others.begin(), others.end(), [](utfilter::encoding e) {
           return e == utfilter::encoding::guess || utfilter::detail::is_irregular(e);
         });
}

std::string_view input::next() {
  try {
    if (in_charset_) return in_charset_->next();
    if (parallel_) return parallel_->next();
    const std::streamsize size = read_(piece_.data(), static_cast<std::streamsize>(input_buffer::size));
    return {piece_.data(), static_cast<std::size_t>(std::max<std::streamsize>(size, 0))};
  } catch (const utfilter::utf_error&) {
    throw;
  } catch (const std::ios_base::failure& why) {  // from a range_source
    throw input_failure(visible(why.what()));
  }
}

}  // namespace utfcat
