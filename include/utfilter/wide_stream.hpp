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

/// A stream buffer of code units over a stream buffer of their bytes, which gives and takes whole code units.
class UTFILTER_STREAMS_API wide_streambuf : public std::wstreambuf {
 public:
  explicit wide_streambuf(std::streambuf& bytes) noexcept;
  wide_streambuf(const wide_streambuf&) = delete;
  wide_streambuf& operator=(const wide_streambuf&) = delete;
  ~wide_streambuf() override;

  /// From now on flushes `tied` before it reads, as a std::istream flushes the stream that it is tied to.
  void flush_before_reading(std::ostream* tied) noexcept { tied_ = tied; }
  /// Forgets what is in the get area: for a file that is closed.
  void close_area() noexcept { setg(nullptr, nullptr, nullptr); }

 protected:
  int_type underflow() override;
  std::streamsize xsgetn(wchar_t* s, std::streamsize n) override;
  std::streamsize showmanyc() override;
  int_type pbackfail(int_type c) override;
  pos_type seekoff(off_type offset, std::ios_base::seekdir way, std::ios_base::openmode which) override;
  pos_type seekpos(pos_type target, std::ios_base::openmode which) override;
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const wchar_t* s, std::streamsize n) override;
  int sync() override;

 private:
  void remember(const wchar_t* s, std::streamsize n);
  void flush_tied();

  std::streambuf& bytes_;
  std::ostream* tied_ = nullptr;
  std::vector<wchar_t> area_;
};

/// A stream buffer of bytes, with the wide one over it.
template <class Bytes>
struct widened : Bytes {
  using Bytes::Bytes;

  /// For a file. A template, because other streams have no close().
  template <class File = Bytes>
  auto close() {
    wide.close_area();
    return File::close();
  }

  wide_streambuf wide{*this};
};

template <>
struct stream_types<wide_codec> {
  using istream = std::wistream;
  using ostream = std::wostream;
  template <class Bytes>
  using buffer = widened<Bytes>;

  template <class Bytes>
  static std::wstreambuf* shown(widened<Bytes>* buffer) noexcept {
    return buffer != nullptr ? &buffer->wide : nullptr;
  }
  static void tie(std::wistream& in, std::ostream* tied) {
    static_cast<wide_streambuf*>(in.rdbuf())->flush_before_reading(tied);
  }
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

template <>
UTFILTER_STREAMS_API written_file<wide_codec> written_file<wide_codec>::at(const std::filesystem::path&,
                                                                           const named_encoding& to, const params&,
                                                                           std::ios_base::openmode);

}  // namespace detail

/// A std::wistream that reads any byte stream, in any encoding of encoding.hpp. A wchar_t is a code unit of UTF-16 if
/// it has 16 bits (Windows), else of UTF-32. By default a byte order mark decides the encoding of the other stream.
///
/// It does for wchar_t what istream does for UTF-8. istream documents the rest: the other stream, policies, errors,
/// reports, and reading without waiting. The differences:
/// - Positions of seekg and tellg are code units (wchar_t) of the text. params::index_every is refused.
/// - stream_report::bytes_out counts the bytes of the wchar_t.
/// - If the other stream is tied to a std::ostream, such as std::cin to std::cout, this one flushes that before it
///   reads from the other stream. tie() can only hold a std::wostream.
/// - On Windows std::wistream takes a character U+FFFF for the end of the text, unless read() reads it, and
///   std::wostream::put does not write it.
///
/// ```cpp
/// std::stringbuf bytes("\xFF\xFE" "A\0\xAC\x20\n\0", std::ios::in);
/// utfilter::wistream in(bytes, utfilter::on_error::replace);
/// for (std::wstring line; std::getline(in, line);) std::wcout << line << L'\n';
/// in.report().throw_if_failed();
/// ```
///
/// Complexity: linear. Thread safety: one thread at a time.
using wistream = codec_istream<detail::wide_codec>;

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
using wostream = codec_ostream<detail::wide_codec>;

/// A std::wistream that reads a file in any encoding of encoding.hpp. By default a byte order mark decides the
/// encoding. codec_ifstream documents how errors are reported, and what std::ios::ate does; wistream documents the
/// rest.
///
/// ```cpp
/// utfilter::wifstream in("notes.txt");
/// if (!in.is_open()) std::cerr << "notes.txt: " << in.open_error().message() << '\n';
/// for (std::wstring line; std::getline(in, line);) std::wcout << line << L'\n';
/// ```
///
/// Complexity: linear. Thread safety: one thread at a time.
using wifstream = codec_ifstream<detail::wide_codec>;

/// A std::wostream that writes a file in any encoding of encoding.hpp. ofstream documents byte order marks, appending
/// and how errors are reported; wostream documents the rest.
///
/// ```cpp
/// utfilter::wofstream out("notes.txt", utfilter::encoding::utf16);
/// if (!out.is_open()) std::cerr << "notes.txt: " << out.open_error().message() << '\n';
/// out << L"one line\n";
/// out.close();
/// ```
///
/// Complexity: linear. Thread safety: one thread at a time.
using wofstream = codec_ofstream<detail::wide_codec>;

}  // namespace utfilter

#endif
