// wide_stream.cpp: stream buffers of wchar_t over those of their bytes.
#include <utfilter/wide_stream.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace utfilter::detail {

namespace {

constexpr std::streamsize unit = sizeof(wchar_t);  // bytes
constexpr std::streamsize putback = 4, capacity = 4096 / unit;

}  // namespace

//-------------------------------------------------------------------------------------------------------------- reading

wide_streambuf::wide_streambuf(std::streambuf& bytes) noexcept : bytes_(bytes) {}

wide_streambuf::~wide_streambuf() = default;

void wide_streambuf::flush_tied() {
  if (tied_ != nullptr && bytes_.in_avail() == 0) tied_->flush();
}

auto wide_streambuf::underflow() -> int_type {
  flush_tied();
  if (std::char_traits<char>::eq_int_type(bytes_.sgetc(), std::char_traits<char>::eof())) return traits_type::eof();
  remember(nullptr, 0);
  const std::streamsize n = std::min(bytes_.in_avail() / unit, capacity);
  bytes_.sgetn(reinterpret_cast<char*>(gptr()), n * unit);
  setg(eback(), gptr(), gptr() + n);
  return traits_type::to_int_type(*gptr());
}

std::streamsize wide_streambuf::xsgetn(wchar_t* s, std::streamsize n) {
  std::streamsize got = std::min<std::streamsize>(n, egptr() - gptr());
  std::copy_n(gptr(), got, s);
  gbump(static_cast<int>(got));
  if (got == n) return got;
  flush_tied();
  const std::streamsize more = bytes_.sgetn(reinterpret_cast<char*>(s + got), (n - got) * unit) / unit;
  remember(s + got, more);
  return got + more;
}

/// The code units that are there without waiting for more.
std::streamsize wide_streambuf::showmanyc() {
  const std::streamsize bytes = bytes_.in_avail();
  return bytes > 0 ? bytes / unit : bytes;
}

auto wide_streambuf::pbackfail(int_type c) -> int_type {
  if (gptr() == eback()) return traits_type::eof();
  gbump(-1);
  if (!traits_type::eq_int_type(c, traits_type::eof())) *gptr() = traits_type::to_char_type(c);
  return traits_type::not_eof(c);
}

auto wide_streambuf::seekoff(off_type offset, std::ios_base::seekdir way, std::ios_base::openmode which) -> pos_type {
  const pos_type failed(off_type(-1));
  const off_type read = bytes_.pubseekoff(0, std::ios_base::cur, which);  // in bytes
  if (read == -1) return failed;
  const off_type here = read / unit - (egptr() - gptr());
  if (way == std::ios_base::cur && offset == 0) return here;

  off_type from = way == std::ios_base::cur ? here : 0;
  if (way == std::ios_base::end) {
    setg(nullptr, nullptr, nullptr);
    const off_type end = bytes_.pubseekoff(0, way, which);
    if (end == -1) return failed;
    from = end / unit;
  }
  if (offset < -from || offset > std::numeric_limits<off_type>::max() / unit - from) return failed;
  setg(nullptr, nullptr, nullptr);
  const off_type reached = bytes_.pubseekpos((from + offset) * unit, which);
  return reached == -1 ? failed : pos_type(reached / unit);
}

auto wide_streambuf::seekpos(pos_type target, std::ios_base::openmode which) -> pos_type {
  return seekoff(target, std::ios_base::beg, which);
}

/// Prepares the get area, which must be empty, for the next units. Up to `putback` units that were read can then be put
/// back: the last ones of the old get area, then the last of the `n` units at `s`, which were read after them.
void wide_streambuf::remember(const wchar_t* s, std::streamsize n) {
  if (area_.empty()) area_.resize(static_cast<std::size_t>(putback + capacity));
  wchar_t* const start = area_.data() + putback;
  const std::streamsize newer = std::min(n, putback);
  const std::streamsize older = std::min<std::streamsize>(gptr() - eback(), putback - newer);
  std::copy(gptr() - older, gptr(), start - newer - older);
  std::copy(s + n - newer, s + n, start - newer);
  setg(start - newer - older, start, start);
}

//-------------------------------------------------------------------------------------------------------------- writing

auto wide_streambuf::overflow(int_type c) -> int_type {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  const wchar_t one = traits_type::to_char_type(c);
  return xsputn(&one, 1) == 1 ? c : traits_type::eof();
}

std::streamsize wide_streambuf::xsputn(const wchar_t* s, std::streamsize n) {
  return bytes_.sputn(reinterpret_cast<const char*>(s), n * unit) / unit;
}

int wide_streambuf::sync() { return bytes_.pubsync(); }

//--------------------------------------------------------------------------------------------------------------- files

template <>
written_file<wide_codec> written_file<wide_codec>::at(const std::filesystem::path& path, const named_encoding& to,
                                                      const params& p, std::ios_base::openmode mode) {
  written_file<transcoder> narrow = written_file<transcoder>::at(path, to, p, mode);
  return {wide_codec::writing(narrow.codec), std::move(narrow.p)};
}

}  // namespace utfilter::detail
