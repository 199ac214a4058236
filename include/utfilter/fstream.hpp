// fstream.hpp: files of any Unicode encoding as streams of UTF-8. Standard C++ alone, no Boost.
#ifndef UTFILTER_FSTREAM_HPP
#define UTFILTER_FSTREAM_HPP

#include <utfilter/stream.hpp>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <ios>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace utfilter {

namespace detail {

/// A file with a buffer of its own size. A base, so that it is there before the stream buffer over it, and after.
class file {
 public:
  file() : buffer_(65536) { file_.pubsetbuf(buffer_.data(), static_cast<std::streamsize>(buffer_.size())); }

  bool                   is_open() const { return file_.is_open(); }
  const std::error_code& open_error() const noexcept { return open_error_; }
  std::filebuf&          buffer() noexcept { return file_; }

  /// Opens it in binary, whatever the mode. Where that fails open_error() is the reason.
  bool open(const std::filesystem::path& path, std::ios_base::openmode mode) {
    // The standard library looks at the mode first, and asks the system for nothing where that makes no sense.
    open_error_ = error_of([&] { return file_.open(path, mode | std::ios_base::binary); }, EINVAL);
    return !open_error_;
  }
  /// Closes it again: open_error() is `why`. False.
  bool refuse(std::errc why) {
    file_.close();
    open_error_ = std::make_error_code(why);
    return false;
  }
  /// The system's reason where that fails.
  std::error_code close() {
    return error_of([&] { return file_.close(); }, EIO);
  }

  [[noreturn]] static void fail(const std::string& what, std::error_code why) { throw std::ios_base::failure(what, why); }

 private:
  /// What went wrong; `otherwise` where the system left no reason.
  template <class Action>
  static std::error_code error_of(Action action, int otherwise) {
    errno = 0;
    if (action() != nullptr) return {};
    return {errno != 0 ? errno : otherwise, std::generic_category()};
  }

  std::vector<char> buffer_;
  std::filebuf      file_;
  std::error_code   open_error_;
};

class decoding_file : public file, public decoding_streambuf {
 public:
  decoding_file(encoding from, const params& p) : decoding_streambuf(file::buffer(), from, p) {}

  /// std::ios::ate is the end of the decoded text: where it is, only decoding tells. Throws what fails the text on the way.
  bool open(const std::filesystem::path& path, std::ios_base::openmode mode) {
    if (!file::open(path, mode & ~std::ios_base::ate)) return false;
    if ((mode & std::ios_base::ate) == 0) return true;
    const bool can_seek = pubseekoff(0, std::ios_base::end, std::ios_base::in) != pos_type(off_type(-1));
    return can_seek || refuse(std::errc::invalid_seek);
  }
};

class encoding_file : public file, public encoding_streambuf {
 public:
  encoding_file(encoding to, const params& p) : encoding_streambuf(file::buffer(), to, p, 4096) {}
};

/// What the two kinds of file stream have in common.
template <class Stream, class Buffer>
class file_stream : public owning_stream<Stream, Buffer> {
  using base = owning_stream<Stream, Buffer>;

 protected:
  bool is_open() const { return this->buffer() && this->buffer()->is_open(); }
  std::error_code open_error() const { return this->buffer() ? this->buffer()->open_error() : std::error_code(); }

  file_stream(std::unique_ptr<Buffer> buffer, const std::filesystem::path& path, std::ios_base::openmode mode)
      : base(std::move(buffer)) {
    if (!this->buffer()->open(path, mode)) this->setstate(std::ios_base::failbit);
    this->exceptions(std::ios_base::badbit);
  }
  file_stream(file_stream&& other) : base(std::move(other)) {}
  file_stream& operator=(file_stream&& other) {
    base::operator=(std::move(other));
    return *this;
  }

  /// Throws std::ios_base::failure with the system's reason.
  void close_file() {
    const std::error_code error = this->buffer()->close();
    if (!error) return;
    this->set_silently(std::ios_base::badbit);
    file::fail("the file cannot be closed", error);
  }
};

/// Refuses to append to a file that ends inside a code unit: every byte that came after would be read in the wrong half of one.
inline void check_whole_units(const std::filesystem::path& path, std::uintmax_t size, encoding to) {
  const std::uintmax_t unit = code_unit_size(to);
  if (size % unit == 0) return;
  file::fail("utfilter::ofstream: " + to_string(to) + " cannot be appended to " + path.string() + ", which has " +
                 std::to_string(size) + " bytes and ends inside a code unit of " + std::to_string(unit) + " bytes",
             errc::incomplete_at_end);
}

/// Appending, the text is a part of what the file holds already.
inline std::unique_ptr<encoding_file> make_encoding_file(const std::filesystem::path& path, encoding to, params p,
                                                         std::ios_base::openmode mode) {
  using ios = std::ios_base;
  const auto      at_its_end = ios::in | ios::ate;  // without in, ate begins with an empty file
  const bool      appending  = (mode & ios::trunc) == 0 && ((mode & ios::app) != 0 || (mode & at_its_end) == at_its_end);
  std::error_code error;
  if (!appending || !std::filesystem::is_regular_file(path, error)) return std::make_unique<encoding_file>(to, std::move(p));
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (!error && size != 0) {
    check_whole_units(path, size, to);
    std::ifstream old(path, std::ios_base::binary);
    char          bytes[2] = {};
    old.read(bytes, sizeof bytes);
    const bool little = bytes[0] == '\xFF' && bytes[1] == '\xFE';
    if (to == encoding::utf16) to = little ? encoding::utf16le : encoding::utf16be;
    if (to == encoding::utf32) to = little ? encoding::utf32le : encoding::utf32be;
    if (p.bom == bom::require) refuse("ofstream", to, "with bom::require a signature would come to stand inside the file");
    if (p.bom == bom::automatic || p.bom == bom::add) p.bom = bom::strip;
  }
  return std::make_unique<encoding_file>(to, std::move(p));
}

}  // namespace detail

/// A file of any Unicode encoding, read as UTF-8. By default a byte order mark decides which.
///
/// A file that cannot be opened sets failbit, as for std::ifstream, and open_error() is the system's reason. All else is told by
/// exceptions: the stream starts with exceptions(badbit), since ill-formed text would otherwise look like the end of the file.
/// The file is always read as it is (binary): a carriage return stays one.
///
/// With std::ios::ate it opens at the end of the decoded text, so that tellg() is the size of that, and seekg(0) leads to all of it.
/// To find the end the constructor decodes the file: it throws what fails the text, and tells the observer, who hears of the same
/// errors again after seekg(0). A file that cannot seek, such as a pipe, cannot be opened so: open_error() is invalid_seek.
///
/// ```cpp
/// utfilter::ifstream in("notes.txt");
/// if (!in.is_open()) std::cerr << "notes.txt: " << in.open_error().message() << '\n';
/// for (std::string line; std::getline(in, line);) std::cout << line << '\n';
/// ```
///
/// Complexity and thread safety are those of decoding_streambuf, which has the rest, seeking too.
class ifstream : public detail::file_stream<std::istream, detail::decoding_file> {
 public:
  /// @{
  /// Throws std::invalid_argument for params that make no sense; with std::ios::ate what fails the text, as utf_error.
  template <class Options = params, class = detail::if_options<Options>>
  explicit ifstream(const std::filesystem::path& path, encoding from = encoding::detect, const Options& options = {},
                    openmode mode = in)
      : file_stream(std::make_unique<detail::decoding_file>(from, detail::to_params(options)), path, mode | in) {}
  template <class Options = params, class = detail::if_options<Options>>
  ifstream(const std::filesystem::path& path, const Options& options) : ifstream(path, encoding::detect, options) {}
  ifstream(const std::filesystem::path& path, openmode mode) : ifstream(path, encoding::detect, {}, mode) {}
  /// @}

  /// @{
  /// Moved from, a stream has no file, and its badbit is set.
  ifstream(ifstream&& other) : file_stream(std::move(other)) {}
  ifstream& operator=(ifstream&& other) {
    file_stream::operator=(std::move(other));
    return *this;
  }
  /// @}

  /// Whether the file could be opened, and has not been closed.
  bool is_open() const { return file_stream::is_open(); }
  /// Why the file could not be opened; no error where it could.
  std::error_code open_error() const { return file_stream::open_error(); }
  /// What has been seen of the text; nothing where the stream was moved from.
  stream_report report() const { return file_stream::report(); }

  /// Closes the file. Throws std::ios_base::failure where the system says that this failed.
  void close() {
    if (!is_open()) return setstate(failbit);
    close_file();
  }
};

/// A file written in any Unicode encoding; what is written to the stream is UTF-8.
///
/// Readers know UTF-16 and UTF-32 by the byte order mark. encoding::utf16 and utf32 write one (big-endian). utf16le, utf16be, utf32le and
/// utf32be write none: ifstream and read_file take such a file for UTF-8, unless they are told the encoding. For little-endian text
/// with a mark, as Windows has it, set params::bom to bom::add.
///
/// As ifstream: failbit and open_error() where the file cannot be opened; it starts with exceptions(badbit). close() throws what
/// the destructor would swallow. Appending (std::ios::app) to a file that is not empty adds no signature, and in utf16 or utf32
/// follows the byte order of the signature that the file begins with; without one, and where the file cannot be read, it is
/// big-endian. A file that ends inside a code unit (UTF-16 of an odd number of bytes) is left as it is: the constructor throws.
///
/// ```cpp
/// utfilter::ofstream out("notes.txt", utfilter::encoding::utf16, std::ios::app);  // with a mark where the file is new
/// out << "one line more\n";
/// out.close();
/// ```
///
/// Complexity and thread safety are those of codec_ostreambuf, which has the rest.
class ofstream : public detail::file_stream<std::ostream, detail::encoding_file> {
 public:
  /// @{
  /// Throws std::invalid_argument for params that make no sense; appending, bom::require is one of them. Appending to a file that
  /// ends inside a code unit, throws std::ios_base::failure with the path, the sizes, and errc::incomplete_at_end as its code.
  template <class Options = params, class = detail::if_options<Options>>
  explicit ofstream(const std::filesystem::path& path, encoding to = encoding::utf8, const Options& options = {},
                    openmode mode = out)
      : file_stream(detail::make_encoding_file(path, to, detail::to_params(options), mode), path, mode | out) {}
  template <class Options = params, class = detail::if_options<Options>>
  ofstream(const std::filesystem::path& path, const Options& options) : ofstream(path, encoding::utf8, options) {}
  ofstream(const std::filesystem::path& path, encoding to, openmode mode) : ofstream(path, to, params(), mode) {}
  ofstream(const std::filesystem::path& path, openmode mode) : ofstream(path, encoding::utf8, mode) {}
  /// @}

  /// @{
  /// Moved from, a stream has no file, and its badbit is set.
  ofstream(ofstream&& other) : file_stream(std::move(other)) {}
  ofstream& operator=(ofstream&& other) {
    file_stream::operator=(std::move(other));
    return *this;
  }
  /// @}

  /// Whether the file could be opened, and has not been closed.
  bool is_open() const { return file_stream::is_open(); }
  /// Why the file could not be opened; no error where it could.
  std::error_code open_error() const { return file_stream::open_error(); }
  /// What has been seen of the text; nothing where the stream was moved from.
  stream_report report() const { return file_stream::report(); }

  /// Ends the text and closes the file. Throws what failed either: utf_error, what the observer threw, std::ios_base::failure with
  /// the system's reason (a full disk, say).
  void close() {
    if (!is_open()) return setstate(failbit);
    try {
      buffer()->finish();
    } catch (...) {
      buffer()->close();
      set_silently(badbit);
      throw;
    }
    close_file();
  }
};

/// @{
/// All of a file of any Unicode encoding, as UTF-8. Under on_error::stop what precedes the first error.
///
/// ```cpp
/// const std::string text = utfilter::read_file("notes.txt", utfilter::on_error::replace);
/// ```
///
/// Throws utf_error, and std::ios_base::failure with the path and the system's reason where the file cannot be read. Complexity:
/// linear.
template <class Options = params, class = detail::if_options<Options>>
std::string read_file(const std::filesystem::path& path, encoding from, const Options& options = {}) {
  detail::decoding_file file(from, detail::to_params(options));
  if (!file.open(path, std::ios_base::in)) detail::file::fail(path.string(), file.open_error());
  std::string text;
  try {
    for (std::size_t size = 0, got = 1; got != 0; size += got, text.resize(size)) {
      text.resize(size + 65536);
      got = static_cast<std::size_t>(file.sgetn(text.data() + size, 65536));
    }
  } catch (const utf_error&) {
    throw;
  } catch (const std::ios_base::failure& why) {  // a directory, say
    detail::file::fail(path.string(), why.code());
  }
  return text;
}
template <class Options = params, class = detail::if_options<Options>>
std::string read_file(const std::filesystem::path& path, const Options& options = {}) {
  return read_file(path, encoding::detect, options);
}
/// @}

}  // namespace utfilter

#endif
