// fstream.hpp: files in any encoding as streams of UTF-8. Standard C++ alone, no Boost.
// layer: streams
#ifndef UTFILTER_FSTREAM_HPP
#define UTFILTER_FSTREAM_HPP

#include <utfilter/stream.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <ios>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace utfilter {

namespace detail {

/// A file buffer whose errors in reading name the file.
class UTFILTER_STREAMS_API named_filebuf : public std::filebuf {
 public:
  std::filesystem::path path;

 protected:
  int_type underflow() override;
  std::streamsize xsgetn(char* s, std::streamsize n) override;
};

/// A file with a buffer of its own size. It is a base class, so that it is constructed before the stream buffer over
/// it, and destroyed after it.
class UTFILTER_STREAMS_API file {
 public:
  bool is_open() const { return file_.is_open(); }
  const std::error_code& open_error() const noexcept { return open_error_; }
  std::filebuf& buffer() noexcept { return file_; }

  /// Opens the file in binary mode, whatever `mode` says. If that fails, returns false, and open_error() is the reason.
  /// Call it once.
  bool open(const std::filesystem::path& path, std::ios_base::openmode mode);
  /// Goes to the checkpoint. Returns false if the file cannot seek. Throws std::invalid_argument if it ends before.
  bool go_to(const checkpoint& start);
  /// Whether large pieces are to be read by sgetn; see source_beneath.
  bool reads_directly() const noexcept { return reads_directly_; }
  /// Closes the file again, and makes `why` the open_error(). Returns false.
  bool refuse(std::errc why);
  /// Closes the file. Returns the system's reason if that fails.
  std::error_code close();

  [[noreturn]] static void fail(const std::string& what, std::error_code why);

 private:
  std::vector<char> buffer_;
  named_filebuf file_;
  std::error_code open_error_;
  bool reads_directly_ = false;
};

template <class Codec>
class file_istreambuf : public file, public codec_istreambuf<Codec> {
 public:
  /// Takes a codec, or its name.
  template <class From, class Options>
  file_istreambuf(const From& from, const Options& options)
      : codec_istreambuf<Codec>(file::buffer(), from, options), start_(to_params(options).start) {}

  /// std::ios::ate means the end of the converted text. To find it, this function converts the whole file. Throws the
  /// exception that fails the text on the way.
  bool open(const std::filesystem::path& path, std::ios_base::openmode mode) {
    if (!file::open(path, mode & ~std::ios_base::ate)) return false;
    if (start_ && !go_to(*start_)) return false;
    if (reads_directly()) this->read_directly();
    if ((mode & std::ios_base::ate) == 0) return true;
    const std::streampos failed(std::streamoff(-1));
    return this->pubseekoff(0, std::ios_base::end, std::ios_base::in) != failed || refuse(std::errc::invalid_seek);
  }
  std::error_code close() {
    this->close_area();
    return file::close();
  }

 private:
  std::optional<checkpoint> start_;
};

template <class Codec>
class file_ostreambuf : public file, public codec_ostreambuf<Codec> {
 public:
  template <class Options>
  file_ostreambuf(const Codec& codec, const Options& options)
      : codec_ostreambuf<Codec>(file::buffer(), codec, options, 4096) {}

  std::error_code close() {
    this->close_area();
    return file::close();
  }
};

/// A standard stream over a file of its own.
template <class Codec, class Stream, class Bytes>
class file_stream : public owning_stream<Codec, Stream, Bytes> {
  using base = owning_stream<Codec, Stream, Bytes>;

 public:
  /// Whether the file was opened and has not been closed.
  bool is_open() const { return this->buffer() && this->buffer()->is_open(); }
  /// Why the file could not be opened; no error if it could.
  std::error_code open_error() const { return this->buffer() ? this->buffer()->open_error() : std::error_code(); }

  /// Ends the text, if it is written, and closes the file. If either fails, throws the reason: a utf_error, an
  /// exception of the observer, or std::ios_base::failure with the system's reason (such as a full disk).
  void close() {
    if (!is_open()) return this->setstate(std::ios_base::failbit);
    if constexpr (base::writes) {
      try {
        this->close_text();
      } catch (...) {
        this->buffer()->close();
        throw;
      }
    }
    const std::error_code error = this->buffer()->close();
    if (!error) return;
    this->set_silently(std::ios_base::badbit);
    file::fail("the file cannot be closed", error);
  }

 protected:
  file_stream() = default;
  template <class From, class Options>
  file_stream(const std::filesystem::path& path, std::ios_base::openmode mode, const From& from, const Options& options)
      : base(std::in_place, from, options) {
    if (!this->buffer()->open(path, mode)) this->setstate(std::ios_base::failbit);
    this->exceptions(std::ios_base::badbit);
  }
  file_stream(file_stream&& other) : base(std::move(other)) {}
  file_stream& operator=(file_stream&& other) {
    base::operator=(std::move(other));
    return *this;
  }
};

template <class Codec>
using file_istream = file_stream<Codec, typename stream_types<Codec>::istream, file_istreambuf<Codec>>;
template <class Codec>
using file_ostream = file_stream<Codec, typename stream_types<Codec>::ostream, file_ostreambuf<Codec>>;

/// The codec and the params that write a file.
template <class Codec>
struct written_file {
  /// Chooses both for a file to which text may be appended. Throws what the constructor of codec_ofstream throws.
  static written_file at(const std::filesystem::path&, const codec_name<Codec>& to, const params&,
                         std::ios_base::openmode);

  Codec codec;
  params p;
};
template <>
UTFILTER_STREAMS_API written_file<transcoder> written_file<transcoder>::at(const std::filesystem::path&,
                                                                           const named_encoding& to, const params&,
                                                                           std::ios_base::openmode);

/// A mode alone stands for a transcoder, as options alone do.
template <>
struct codecs_of<std::ios_base::openmode> : codecs_of<encoding> {};

/// The size in bytes of the file to which this mode appends. Nothing if the mode does not append, if the file is empty
/// or does not exist, or if it is no regular file.
UTFILTER_STREAMS_API std::optional<std::uintmax_t> size_to_append_to(const std::filesystem::path& path,
                                                                     std::ios_base::openmode mode);

UTFILTER_STREAMS_API std::string read_file(const std::filesystem::path& path, encoding from, const params& p);

}  // namespace detail

/// A stream that reads a file through a codec.
///
/// If the file cannot be opened, failbit is set, as in std::ifstream, and open_error() is the system's reason. If it
/// cannot be read, because it is a directory for example, std::ios_base::failure has its path and the system's reason.
/// All errors but those of opening are thrown: the stream starts with exceptions(badbit), because otherwise ill-formed
/// text would look like the end of the file. The file is always read in binary mode: a carriage return stays a
/// character.
///
/// is_open() says whether the file was opened and has not been closed. report() is the report on the text; it is empty
/// if the stream was moved from. close() closes the file; it throws std::ios_base::failure with the system's reason if
/// that fails, and sets failbit if no file is open.
///
/// With std::ios::ate it opens at the end of the converted text: tellg() is the size of that text in bytes, and
/// seekg(0) goes to its start. To find the end, the constructor converts the whole file: it throws the exception that
/// fails the text, and calls the observer for each error. The observer is called for the same errors again after
/// seekg(0). With params::index_every the constructor thus makes the whole index. A file that cannot seek, such as a
/// pipe, cannot be opened in this way: open_error() is std::errc::invalid_seek.
///
/// With params::start the stream goes to that byte of the file. Positions of seekg and tellg count from there. If the
/// file ends before, the constructor throws std::invalid_argument; if it cannot seek, open_error() is
/// std::errc::invalid_seek.
///
/// ```cpp
/// utfilter::codec_ifstream in("users.txt", utfilter::control_escaper());
/// if (!in.is_open()) std::cerr << "users.txt: " << in.open_error().message() << '\n';
/// for (std::string line; std::getline(in, line);) std::cout << line << '\n';  // no byte moves the cursor
/// ```
///
/// Complexity and thread safety are those of codec_istreambuf, which documents the rest, including seeking.
template <class Codec>
class codec_ifstream : public detail::file_istream<Codec> {
  using base = detail::file_istream<Codec>;

 public:
  /// @{
  /// The codec is given or made, as in codec_istreambuf. Throws std::invalid_argument for params that make no sense
  /// with this codec; with std::ios::ate also the exception that fails the text, such as a utf_error.
  template <class Options = params, class = detail::if_options<Options>>
  explicit codec_ifstream(const std::filesystem::path& path, const Codec& codec, const Options& options = {},
                          std::ios_base::openmode mode = std::ios_base::in)
      : base(path, mode | std::ios_base::in, codec, options) {}
  template <class Options = params, class = detail::if_options<Options>>
  explicit codec_ifstream(const std::filesystem::path& path, const detail::codec_name<Codec>& from,
                          const Options& options = {}, std::ios_base::openmode mode = std::ios_base::in)
      : codec_ifstream(path, detail::naming<Codec>::reading(from, detail::to_params(options)), options, mode) {}
  template <class Options = params, class = detail::if_options<Options>, class C = Codec,
            class = detail::if_name_by_default<C>>
  explicit codec_ifstream(const std::filesystem::path& path, const Options& options = {},
                          std::ios_base::openmode mode = std::ios_base::in)
      : codec_ifstream(path, detail::naming<C>::read_by_default, options, mode) {}
  template <class C = Codec, class = detail::if_name_by_default<C>>
  codec_ifstream(const std::filesystem::path& path, std::ios_base::openmode mode)
      : codec_ifstream(path, params(), mode) {}
  /// @}

  /// Without a file; its badbit is set.
  codec_ifstream() = default;

  /// Opens a file as the constructor with these arguments does, with the state of a new stream. Only sets failbit if a
  /// file is open already.
  template <class... Arguments>
  void open(const std::filesystem::path& path, const Arguments&... arguments) {
    if (this->is_open()) return this->setstate(std::ios_base::failbit);
    *this = codec_ifstream(path, arguments...);
  }

  /// @{
  /// A moved-from stream has no file, and its badbit is set.
  codec_ifstream(codec_ifstream&& other) : base(std::move(other)) {}
  codec_ifstream& operator=(codec_ifstream&& other) {
    base::operator=(std::move(other));
    return *this;
  }
  /// @}
};
template <class What = params, class Options = params>
codec_ifstream(const std::filesystem::path&, const What& = {}, const Options& = {}, std::ios_base::openmode = {})
    -> codec_ifstream<detail::reader_of<What>>;

/// A stream that reads a file in any encoding of encoding.hpp as UTF-8. By default a byte order mark decides the
/// encoding. The base class codec_ifstream documents how errors are reported, and what std::ios::ate does.
///
/// ```cpp
/// utfilter::ifstream in("notes.txt");
/// if (!in.is_open()) std::cerr << "notes.txt: " << in.open_error().message() << '\n';
/// for (std::string line; std::getline(in, line);) std::cout << line << '\n';
/// ```
///
/// Complexity and thread safety are those of codec_istreambuf, which documents the rest, including seeking.
using ifstream = codec_ifstream<transcoder>;

/// A stream that writes a file through a codec.
///
/// As in codec_ifstream, failbit is set and open_error() is the reason if the file cannot be opened, and the stream
/// starts with exceptions(badbit). When appending (std::ios::app), the codec knows nothing of the text that is already
/// in the file.
///
/// is_open() and report() are as in codec_ifstream. close() ends the text and closes the file. If either fails, it
/// throws the reason, which the destructor would swallow: a utf_error, an exception of the observer, or
/// std::ios_base::failure with the system's reason (such as a full disk).
///
/// ```cpp
/// utfilter::codec_ofstream out("session.log", utfilter::control_escaper(), utfilter::on_error::replace);
/// if (!out.is_open()) std::cerr << "session.log: " << out.open_error().message() << '\n';
/// out << "a\rb\n";  // a\x0Db
/// out.close();
/// ```
///
/// Complexity and thread safety are those of codec_ostreambuf, which documents the rest.
template <class Codec>
class codec_ofstream : public detail::file_ostream<Codec> {
  using base = detail::file_ostream<Codec>;

 public:
  /// @{
  /// The codec is given or made, as in codec_ostreambuf. Throws std::invalid_argument for params that make no sense
  /// with this codec. If it makes the codec, it also throws what ofstream and charset_writer say about appending.
  template <class Options = params, class = detail::if_options<Options>>
  explicit codec_ofstream(const std::filesystem::path& path, const Codec& codec, const Options& options = {},
                          std::ios_base::openmode mode = std::ios_base::out)
      : base(path, mode | std::ios_base::out, codec, options) {}
  template <class Options = params, class = detail::if_options<Options>>
  explicit codec_ofstream(const std::filesystem::path& path, const detail::codec_name<Codec>& to,
                          const Options& options = {}, std::ios_base::openmode mode = std::ios_base::out)
      : codec_ofstream(path, detail::written_file<Codec>::at(path, to, detail::to_params(options), mode), mode) {}
  template <class Options = params, class = detail::if_options<Options>, class C = Codec,
            class = detail::if_name_by_default<C>>
  explicit codec_ofstream(const std::filesystem::path& path, const Options& options = {},
                          std::ios_base::openmode mode = std::ios_base::out)
      : codec_ofstream(path, detail::naming<C>::written_by_default, options, mode) {}
  codec_ofstream(const std::filesystem::path& path, const detail::codec_name<Codec>& to, std::ios_base::openmode mode)
      : codec_ofstream(path, to, params(), mode) {}
  template <class C = Codec, class = detail::if_name_by_default<C>>
  codec_ofstream(const std::filesystem::path& path, std::ios_base::openmode mode)
      : codec_ofstream(path, params(), mode) {}
  /// @}

  /// Without a file; its badbit is set.
  codec_ofstream() = default;

  /// Opens a file as the constructor with these arguments does, with the state of a new stream. Only sets failbit if a
  /// file is open already.
  template <class... Arguments>
  void open(const std::filesystem::path& path, const Arguments&... arguments) {
    if (this->is_open()) return this->setstate(std::ios_base::failbit);
    *this = codec_ofstream(path, arguments...);
  }

  /// @{
  /// A moved-from stream has no file, and its badbit is set.
  codec_ofstream(codec_ofstream&& other) : base(std::move(other)) {}
  codec_ofstream& operator=(codec_ofstream&& other) {
    base::operator=(std::move(other));
    return *this;
  }
  /// @}

 private:
  codec_ofstream(const std::filesystem::path& path, const detail::written_file<Codec>& file,
                 std::ios_base::openmode mode)
      : codec_ofstream(path, file.codec, file.p, mode) {}
};
template <class What = params, class Options = params>
codec_ofstream(const std::filesystem::path&, const What& = {}, const Options& = {}, std::ios_base::openmode = {})
    -> codec_ofstream<detail::writer_of<What>>;

/// A stream that takes UTF-8 and writes it to a file in any encoding of encoding.hpp. The base class codec_ofstream
/// documents how errors are reported.
///
/// Readers recognise UTF-16 and UTF-32 by the byte order mark. encoding::utf16 and utf32 write one (big-endian).
/// utf16le, utf16be, utf32le and utf32be write none: ifstream and read_file take such a file for UTF-8 unless the
/// caller names the encoding. For little-endian text with a byte order mark, as on Windows, write utf16le with
/// params::bom set to bom::add.
///
/// Appending (std::ios::app) to a file that is not empty adds no byte order mark. In utf16 or utf32 it follows the byte
/// order of the byte order mark at the start of the file; if there is none, or the file cannot be read, it writes
/// big-endian. A file that ends inside a code unit (UTF-16 with an odd number of bytes) is left as it is: the
/// constructor throws std::ios_base::failure with the path and the sizes in its message, and errc::incomplete_at_end as
/// its code. bom::require makes no sense for such a file.
///
/// ```cpp
/// utfilter::ofstream out("notes.txt", utfilter::encoding::utf16, std::ios::app);  // a new file gets a byte order mark
/// if (!out.is_open()) std::cerr << "notes.txt: " << out.open_error().message() << '\n';
/// out << "one line more\n";
/// out.close();
/// ```
///
/// Complexity and thread safety are those of codec_ostreambuf, which documents the rest.
using ofstream = codec_ofstream<transcoder>;

/// @{
/// Reads a whole file in any encoding of encoding.hpp, and returns it as UTF-8. By default a byte order mark decides
/// the encoding. Under on_error::stop it returns the text before the first error.
///
/// ```cpp
/// const std::string text = utfilter::read_file("notes.txt", utfilter::on_error::replace);
/// ```
///
/// Throws utf_error, std::ios_base::failure with the path and the system's reason if the file cannot be read, and
/// std::invalid_argument for params that make no sense. Complexity: linear.
template <class Options = params, class = detail::if_options<Options>>
std::string read_file(const std::filesystem::path& path, detail::named_encoding from, const Options& options = {}) {
  return detail::read_file(path, from, detail::to_params(options));
}
template <class Options = params, class = detail::if_options<Options>>
std::string read_file(const std::filesystem::path& path, const Options& options = {}) {
  return detail::read_file(path, encoding::detect, detail::to_params(options));
}
/// @}

}  // namespace utfilter

#endif
