// charset_file.cpp: appends to files in a charset, if a reader of the file will read the appended text rightly.
#include <utfilter/charset.hpp>

#include "icu/charset_facts.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace utfilter::detail {

namespace {

/// Texts that may be appended: ASCII, and characters for which stateful charsets change their state, such as those of
/// the windows of SCSU.
constexpr std::string_view probes[] = {"\n",     " ",      "+",      "~",      "09",     "Az",        "\u00E9",
                                       "\u0159", "\u03B1", "\u0416", "\u0628", "\u05D0", "\u0E01",    "\u0905",
                                       "\u0915", "\u093C", "\u094D", "\u3042", "\u30A2", "\uFF21",    "\u4E2D",
                                       "\u9FA5", "\uAC00", "\uD55C", "\u2014", "\u20AC", "\U0001F600"};

struct reading {
  std::string text;
  bool has_old_error = false;  // that begins before the piece
  bool has_error = false;      // that begins in the piece
};

/// Decodes a last piece, before which the codec has taken `before` bytes.
reading read_last(charset_reader codec, std::uint64_t before, std::string_view piece) {
  reading result;
  char out[256];
  while (true) {
    const codec_progress done = codec.transform(piece.data(), piece.size(), out, sizeof out, true);
    result.text.append(out, done.produced);
    piece.remove_prefix(done.consumed);
    if (done.status == codec_status::done) return result;
    if (done.status != codec_status::malformed) continue;
    (codec.error().offset < before ? result.has_old_error : result.has_error) = true;
  }
}

/// Decodes a piece, and forgets the text.
void read_over(charset_reader& codec, std::string_view piece) {
  char out[4096];
  for (codec_progress done{0, 0, codec_status::need_output}; done.status != codec_status::need_input;) {
    done = codec.transform(piece.data(), piece.size(), out, sizeof out, false);
    piece.remove_prefix(done.consumed);
  }
}

/// The bytes of the text at the start of a file; empty if the charset lacks a character.
std::string encoded(const charset& to, std::string_view text) {
  charset_writer codec(to);
  char out[256];
  const codec_progress done = codec.transform(text.data(), text.size(), out, sizeof out, true);
  return done.status == codec_status::done ? std::string(out, done.produced) : std::string();
}

[[noreturn]] void refuse(const charset& to, const std::filesystem::path& path, const char* why,
                         const std::error_code& code) {
  file::fail("utfilter::codec_ofstream: " + to.name() + " cannot be appended to " + path.string() + ", " + why, code);
}

/// The offset after the last byte of this value in the file; 0 if there is none.
std::uintmax_t end_of_last(std::ifstream& file, std::uintmax_t size, char byte) {
  char block[4096];
  while (size != 0) {
    const std::uintmax_t n = std::min<std::uintmax_t>(size, sizeof block);
    file.seekg(static_cast<std::streamoff>(size - n));
    file.read(block, static_cast<std::streamsize>(n));
    const std::size_t found = std::string_view(block, static_cast<std::size_t>(file.gcount())).rfind(byte);
    if (found != std::string_view::npos) return size - n + found + 1;
    size -= n;
  }
  return 0;
}

/// Refuses to append to the file if a reader would misread appended text.
void check_end(const std::filesystem::path& path, std::uintmax_t size, const charset& to, const charset_facts& facts) {
  if (facts.stateless && facts.longest == 1) return;
  std::ifstream file;
  do {  // a signal may interrupt the opening
    errno = 0;
    file.clear();
    file.open(path, std::ios_base::binary);
  } while (!file.is_open() && errno == EINTR);
  const auto fail_to_read = [&] {
    const std::error_code why(errno != 0 ? errno : EIO, std::generic_category());
    refuse(to, path, "whose end cannot be read", why);
  };
  if (!file) fail_to_read();
  // In most stateless charsets nothing before a line feed matters.
  const bool line_feed_tells = facts.stateless && facts.decodes_by == feeding::pieces;
  file.seekg(static_cast<std::streamoff>(line_feed_tells ? end_of_last(file, size, facts.line_feed) : 0));

  charset_reader codec(to);
  std::uint64_t taken = 0;
  char block[65536];
  while (file) {
    file.read(block, sizeof block);
    const auto got = static_cast<std::size_t>(file.gcount());
    read_over(codec, {block, got});
    taken += got;
  }
  if (!file.eof()) fail_to_read();

  const reading rest = read_last(codec, taken, {});
  if (rest.has_old_error || rest.has_error)
    refuse(to, path, "which ends inside a character", make_error_code(errc::incomplete_at_end));
  for (const std::string_view probe : probes) {
    const std::string bytes = encoded(to, probe);
    const reading alone = read_last(charset_reader(to), 0, bytes);
    if (bytes.empty() || alone.has_error) continue;
    const reading after = read_last(codec, taken, bytes);
    if (after.has_error || after.has_old_error || after.text != rest.text + alone.text)
      refuse(to, path, "because a reader of that file would read further text wrongly",
             std::make_error_code(std::errc::operation_not_supported));
  }
}

}  // namespace

template <>
written_file<charset_writer> written_file<charset_writer>::at(const std::filesystem::path& path, const charset& to,
                                                              const params& p, std::ios_base::openmode mode) {
  charset_writer codec = naming<charset_writer>::writing(to, p);
  const auto size = size_to_append_to(path, mode);
  if (!size) return {std::move(codec), p};
  if (p.bom == bom::require)
    refuse("writing", to.name(), "with bom::require a byte order mark would be required inside the file");
  params appended = p;
  if (p.bom == bom::add) appended.bom = bom::automatic;
  check_end(path, *size, to, *to.facts_);
  return {charset_writer(to, appended.bom), std::move(appended)};
}

}  // namespace utfilter::detail
