// wide_stream.hpp: std::wistream and std::wostream over byte streams and files in any encoding. Standard C++ alone, no
// Boost.
// layer: streams
#ifndef UTFILTER_WIDE_STREAM_HPP
#define UTFILTER_WIDE_STREAM_HPP

#include <utfilter/config.hpp>
#include <utfilter/detail/naming.hpp>
#include <utfilter/detail/wide_codec.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/fstream.hpp>
#include <utfilter/params.hpp>
#include <utfilter/stream.hpp>

#include <cstddef>
#include <filesystem>
#include <ios>
#include <istream>
#include <memory>
#include <ostream>
#include <streambuf>
#include <system_error>
#include <utility>
#include <vector>

namespace utfilter {

namespace detail {

/// A stream buffer of code units over a stream buffer of their bytes, which gives whole code units.
class UTFILTER_STREAMS_API wide_istreambuf : public std::wstreambuf {
 public:
  wide_istreambuf(const wide_istreambuf&) = delete;
  wide_istreambuf& operator=(const wide_istreambuf&) = delete;
  ~wide_istreambuf() override;

  /// From now on flushes `tied` before it reads, as a std::istream flushes the stream that it is tied to.
  void flush_before_reading(std::ostream* tied) noexcept { tied_ = tied; }

 protected:
  explicit wide_istreambuf(std::streambuf& bytes) noexcept;

  int_type underflow() override;
  std::streamsize xsgetn(wchar_t* s, std::streamsize n) override;
  std::streamsize showmanyc() override;
  int_type pbackfail(int_type c) override;
  pos_type seekoff(off_type offset, std::ios_base::seekdir way, std::ios_base::openmode which) override;
  pos_type seekpos(pos_type target, std::ios_base::openmode which) override;

 private:
  void remember(const wchar_t* s, std::streamsize n);
  void flush_tied();

  std::streambuf& bytes_;
  std::ostream* tied_ = nullptr;
  std::vector<wchar_t> area_;
};

/// A stream buffer that passes the bytes of its code units to another one.
class UTFILTER_STREAMS_API wide_ostreambuf : public std::wstreambuf {
 public:
  wide_ostreambuf(const wide_ostreambuf&) = delete;
  wide_ostreambuf& operator=(const wide_ostreambuf&) = delete;
  ~wide_ostreambuf() override;

 protected:
  explicit wide_ostreambuf(std::streambuf& bytes) noexcept : bytes_(bytes) {}

  int_type overflow(int_type c) override;
  std::streamsize xsputn(const wchar_t* s, std::streamsize n) override;
  int sync() override;

 private:
  std::streambuf& bytes_;
};

/// A base class, so that the buffer of bytes is made before the wide one, and destroyed after it.
template <class Bytes>
struct bytes_beneath {
  template <class... Arguments>
  explicit bytes_beneath(Arguments&&... arguments) : bytes(std::forward<Arguments>(arguments)...) {}

  Bytes bytes;
};

/// A wide stream buffer with its buffer of bytes. Each member calls that of the buffer of bytes, which may lack some of
/// them.
template <class Wide, class Bytes>
class widened : private bytes_beneath<Bytes>, public Wide {
 public:
  template <class... Arguments>
  explicit widened(Arguments&&... arguments)
      : bytes_beneath<Bytes>(std::forward<Arguments>(arguments)...), Wide(this->bytes) {}

  stream_report report() const { return this->bytes.report(); }
  void finish() { this->bytes.finish(); }
  void serve(const std::ios_base& stream) noexcept { this->bytes.serve(stream); }
  bool open(const std::filesystem::path& path, std::ios_base::openmode mode) { return this->bytes.open(path, mode); }
  bool is_open() const { return this->bytes.is_open(); }
  const std::error_code& open_error() const noexcept { return this->bytes.open_error(); }
  std::error_code close() { return this->bytes.close(); }
};

/// A wide codec is named as a transcoder is.
template <>
struct naming<wide_codec> : naming<transcoder> {
  static wide_codec reading(encoding from, const params& p) {
    return wide_codec::reading(naming<transcoder>::reading(from, p));
  }
  static wide_codec writing(encoding to, const params& p) {
    return wide_codec::writing(naming<transcoder>::writing(to, p));
  }
};

using wide_reader = widened<wide_istreambuf, codec_istreambuf<wide_codec>>;
using wide_writer = widened<wide_ostreambuf, codec_ostreambuf<wide_codec>>;
using wide_file_reader = widened<wide_istreambuf, file_istreambuf<wide_codec>>;
using wide_file_writer = widened<wide_ostreambuf, file_ostreambuf<wide_codec>>;

}  // namespace detail

/// A std::wistream that reads any byte stream, in any encoding of encoding.hpp. A wchar_t is a code unit of UTF-16 if it
/// has 16 bits (Windows), else of UTF-32. By default a byte order mark decides the encoding of the other stream.
///
/// It does for wchar_t what istream does for UTF-8. istream documents the rest: the other stream, policies, errors,
/// reports, and reading without waiting. The differences:
/// - Positions of seekg and tellg are code units (wchar_t) of the text. params::index_every is refused.
/// - stream_report::bytes_out counts the bytes of the wchar_t.
/// - If the other stream is tied to a std::ostream, such as std::cin to std::cout, this one flushes that before it reads
///   from the other stream. tie() can only hold a std::wostream.
/// - On Windows std::wistream takes a character U+FFFF for the end of the text, unless read() reads it, and
///   std::wostream::put does not write it.
///
/// ```cpp
/// std::stringbuf bytes("\xFF\xFE" "A\0\xAC\x20\n\0", std::ios::in);
/// utfilter::wistream in(bytes, utfilter::on_error::replace);
/// for (std::wstring line; std::getline(in, line);) std::wcout << line << L'\n';
/// ```
///
/// Complexity: linear. Thread safety: one thread at a time.
class wistream : public detail::owning_stream<std::wistream, detail::wide_reader> {
  using base = detail::owning_stream<std::wistream, detail::wide_reader>;

 public:
  /// @{
  /// Throws std::invalid_argument for params that make no sense, and for a stream without a buffer.
  template <class Options = params, class = detail::if_options<Options>>
  explicit wistream(detail::underlying<std::istream> other, encoding from = encoding::detect,
                    const Options& options = {})
      : base(std::make_unique<detail::wide_reader>(*other.buffer, from, options)) {
    buffer()->flush_before_reading(other.tie);
    clear(other.state);
  }
  template <class Options = params, class = detail::if_options<Options>>
  wistream(detail::underlying<std::istream> other, const Options& options)
      : wistream(other, encoding::detect, options) {}
  /// @}

  /// @{
  /// A moved-from stream has no buffer, and its badbit is set.
  wistream(wistream&& other) : base(std::move(other)) {}
  wistream& operator=(wistream&& other) {
    base::operator=(std::move(other));
    return *this;
  }
  /// @}

  /// The report on the text; it is empty if the stream was moved from.
  stream_report report() const { return base::report(); }
};

/// A std::wostream that writes to any byte stream, in any encoding of encoding.hpp. A wchar_t is a code unit of UTF-16
/// if it has 16 bits (Windows), else of UTF-32.
///
/// It does for wchar_t what ostream does for UTF-8. ostream documents the rest. The policy also decides about a wchar_t
/// that is an unpaired surrogate or no character. Offsets of errors and stream_report::bytes_in count the bytes of the
/// wchar_t. The first half of a surrogate pair is kept until the second one is written.
///
/// ```cpp
/// utfilter::wostream out(std::cout, utfilter::encoding::utf16);
/// out << L"\u20AC " << 12 << L'\n';
/// out.close();  // throws errors that the destructor would swallow
/// ```
///
/// Complexity: linear. Thread safety: one thread at a time.
class wostream : public detail::owning_stream<std::wostream, detail::wide_writer> {
  using base = detail::owning_stream<std::wostream, detail::wide_writer>;

 public:
  /// @{
  /// Throws std::invalid_argument for params that make no sense, and for a stream without a buffer.
  template <class Options = params, class = detail::if_options<Options>>
  explicit wostream(detail::underlying<std::ostream> other, encoding to = encoding::utf8, const Options& options = {})
      : base(std::make_unique<detail::wide_writer>(*other.buffer, to, options)) {
    clear(other.state);
  }
  template <class Options = params, class = detail::if_options<Options>>
  wostream(detail::underlying<std::ostream> other, const Options& options) : wostream(other, encoding::utf8, options) {}
  /// @}

  /// @{
  /// A moved-from stream has no buffer, and its badbit is set.
  wostream(wostream&& other) : base(std::move(other)) {}
  wostream& operator=(wostream&& other) {
    base::operator=(std::move(other));
    return *this;
  }
  /// @}

  /// The report on the text; it is empty if the stream was moved from.
  stream_report report() const { return base::report(); }

  /// Ends the text, and throws errors that the destructor would swallow; see codec_ostreambuf::finish.
  void close() { close_text(); }
};

/// A std::wistream that reads a file in any encoding of encoding.hpp. By default a byte order mark decides the encoding.
/// codec_ifstream documents how errors are reported, and what std::ios::ate does; wistream documents the rest.
///
/// ```cpp
/// utfilter::wifstream in("notes.txt");
/// if (!in.is_open()) std::cerr << "notes.txt: " << in.open_error().message() << '\n';
/// for (std::wstring line; std::getline(in, line);) std::wcout << line << L'\n';
/// ```
///
/// Complexity: linear. Thread safety: one thread at a time.
class wifstream : public detail::file_stream<std::wistream, detail::wide_file_reader> {
  using base = detail::file_stream<std::wistream, detail::wide_file_reader>;

 public:
  /// @{
  /// Throws std::invalid_argument for params that make no sense; with std::ios::ate also the exception that fails the
  /// text, such as a utf_error.
  template <class Options = params, class = detail::if_options<Options>>
  explicit wifstream(const std::filesystem::path& path, encoding from = encoding::detect, const Options& options = {},
                     openmode mode = in)
      : base(std::make_unique<detail::wide_file_reader>(from, options), path, mode | in) {}
  template <class Options = params, class = detail::if_options<Options>>
  wifstream(const std::filesystem::path& path, const Options& options) : wifstream(path, encoding::detect, options) {}
  wifstream(const std::filesystem::path& path, openmode mode) : wifstream(path, encoding::detect, params(), mode) {}
  /// @}

  /// @{
  /// A moved-from stream has no file, and its badbit is set.
  wifstream(wifstream&& other) : base(std::move(other)) {}
  wifstream& operator=(wifstream&& other) {
    base::operator=(std::move(other));
    return *this;
  }
  /// @}

  /// Whether the file was opened and has not been closed.
  bool is_open() const { return base::is_open(); }
  /// Why the file could not be opened; no error if it could.
  std::error_code open_error() const { return base::open_error(); }
  /// The report on the text; it is empty if the stream was moved from.
  stream_report report() const { return base::report(); }

  /// Closes the file. Throws std::ios_base::failure with the system's reason if that fails.
  void close() {
    if (!is_open()) return setstate(failbit);
    close_file();
  }
};

/// A std::wostream that writes a file in any encoding of encoding.hpp. ofstream documents byte order marks, appending and
/// how errors are reported; wostream documents the rest.
///
/// ```cpp
/// utfilter::wofstream out("notes.txt", utfilter::encoding::utf16);
/// if (!out.is_open()) std::cerr << "notes.txt: " << out.open_error().message() << '\n';
/// out << L"one line\n";
/// out.close();
/// ```
///
/// Complexity: linear. Thread safety: one thread at a time.
class wofstream : public detail::file_stream<std::wostream, detail::wide_file_writer> {
  using base = detail::file_stream<std::wostream, detail::wide_file_writer>;

 public:
  /// @{
  /// Throws what the constructors of ofstream throw.
  template <class Options = params, class = detail::if_options<Options>>
  explicit wofstream(const std::filesystem::path& path, encoding to = encoding::utf8, const Options& options = {},
                     openmode mode = out)
      : wofstream(path, detail::written_file<transcoder>::at(path, to, detail::to_params(options), mode), mode) {}
  template <class Options = params, class = detail::if_options<Options>>
  wofstream(const std::filesystem::path& path, const Options& options) : wofstream(path, encoding::utf8, options) {}
  wofstream(const std::filesystem::path& path, encoding to, openmode mode) : wofstream(path, to, params(), mode) {}
  wofstream(const std::filesystem::path& path, openmode mode) : wofstream(path, encoding::utf8, params(), mode) {}
  /// @}

  /// @{
  /// A moved-from stream has no file, and its badbit is set.
  wofstream(wofstream&& other) : base(std::move(other)) {}
  wofstream& operator=(wofstream&& other) {
    base::operator=(std::move(other));
    return *this;
  }
  /// @}

  /// Whether the file was opened and has not been closed.
  bool is_open() const { return base::is_open(); }
  /// Why the file could not be opened; no error if it could.
  std::error_code open_error() const { return base::open_error(); }
  /// The report on the text; it is empty if the stream was moved from.
  stream_report report() const { return base::report(); }

  /// Ends the text and closes the file. If either fails, throws the reason: a utf_error, an exception of the observer,
  /// or std::ios_base::failure with the system's reason (such as a full disk).
  void close() {
    if (!is_open()) return setstate(failbit);
    close_text_and_file();
  }

 private:
  wofstream(const std::filesystem::path& path, const detail::written_file<transcoder>& file, openmode mode)
      : base(std::make_unique<detail::wide_file_writer>(detail::wide_codec::writing(file.codec), file.p), path,
             mode | out) {}
};

}  // namespace utfilter

#endif
