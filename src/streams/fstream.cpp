// fstream.cpp: opens, closes and appends to files; reads a whole file.
#include <utfilter/fstream.hpp>

#include <cerrno>
#include <cstdint>
#include <istream>
#include <optional>
#include <stdexcept>
#include <utility>

namespace utfilter::detail {

//--------------------------------------------------------------------------------------------------------------- a file

namespace {

/// Runs an action, which returns null if it fails. Returns no error if it succeeded, else errno; or the error
/// `otherwise` if the system has not set errno.
template <class Action>
std::error_code error_of(Action action, int otherwise) {
  errno = 0;
  if (action() != nullptr) return {};
  return {errno != 0 ? errno : otherwise, std::generic_category()};
}

/// Opens the file, and tries again if a signal interrupts that. Returns no error if the file is open. EINVAL is for a
/// mode that makes no sense: there the standard library fails without a call to the system.
std::error_code open_uninterrupted(std::filebuf& file, const std::filesystem::path& path,
                                   std::ios_base::openmode mode) {
  std::error_code error;
  do error = error_of([&] { return file.open(path, mode | std::ios_base::binary); }, EINVAL);
  while (error == std::errc::interrupted);
  return error;
}

/// Whether to read the file directly. Only libstdc++ passes a large sgetn on to the system. A regular file without a
/// size may be one of the system's own, such as /proc/kmsg, whose reader waits.
bool is_read_directly([[maybe_unused]] const std::filesystem::path& path,
                      [[maybe_unused]] std::ios_base::openmode mode) {
#ifdef __GLIBCXX__
  std::error_code error;
  return (mode & std::ios_base::out) == 0 && std::filesystem::is_regular_file(path, error) &&
         std::filesystem::file_size(path, error) > 0;
#else
  return false;
#endif
}

}  // namespace

auto named_filebuf::underflow() -> int_type {
  try {
    return std::filebuf::underflow();
  } catch (const std::ios_base::failure& why) {
    file::fail(path.string(), why.code());
  }
}

std::streamsize named_filebuf::xsgetn(char* s, std::streamsize n) {
  try {
    return std::filebuf::xsgetn(s, n);
  } catch (const std::ios_base::failure& why) {
    file::fail(path.string(), why.code());
  }
}

bool file::open(const std::filesystem::path& path, std::ios_base::openmode mode) {
  if ((mode & std::ios_base::in) != 0) file_.path = path;  // only errors in reading name it
  reads_directly_ = is_read_directly(path, mode);
  // libstdc++ passes an sgetn on if it is longer than the buffer.
  buffer_.resize(reads_directly_ ? 2048 : 65536);
  file_.pubsetbuf(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  open_error_ = open_uninterrupted(file_, path, mode);
  return !open_error_;
}

bool file::go_to(const checkpoint& start) {
  const std::streampos size = file_.pubseekoff(0, std::ios_base::end, std::ios_base::in);
  if (size == std::streampos(std::streamoff(-1))) return refuse(std::errc::invalid_seek);
  const auto bytes = static_cast<std::uint64_t>(std::streamoff(size));
  if (start.offset > bytes)
    throw std::invalid_argument("utfilter: params::start is byte " + std::to_string(start.offset) +
                                ", but the file has only " + std::to_string(bytes) + " bytes");
  file_.pubseekoff(static_cast<std::streamoff>(start.offset), std::ios_base::beg, std::ios_base::in);
  return true;
}

bool file::refuse(std::errc why) {
  file_.close();
  open_error_ = std::make_error_code(why);
  return false;
}

std::error_code file::close() {
  return error_of([&] { return file_.close(); }, EIO);
}

void file::fail(const std::string& what, std::error_code why) { throw std::ios_base::failure(what, why); }

//------------------------------------------------------------------------------------------------------------ appending

namespace {

/// Refuses to append to a file that ends inside a code unit. Readers would join the first bytes appended with that
/// part, and read all code units after it wrongly.
void check_whole_units(const std::filesystem::path& path, std::uintmax_t size, encoding to) {
  const std::uintmax_t unit = code_unit_size(to);
  if (size % unit == 0) return;
  file::fail("utfilter::ofstream: " + to_string(to) + " cannot be appended to " + path.string() + ", which has " +
                 std::to_string(size) + " bytes and ends inside a code unit of " + std::to_string(unit) + " bytes",
             errc::incomplete_at_end);
}

/// The encoding in which to append to the file: utf16 and utf32 get the byte order of the text that is there, or the
/// default one if the file cannot be read.
encoding encoding_to_append_in(const std::filesystem::path& path, encoding to) {
  if (!is_decided_by_bom(to)) return to;
  std::filebuf file;
  open_uninterrupted(file, path, std::ios_base::in);
  char start[4], text[2 * transcoder::min_output];
  std::istream bytes(&file);
  bytes.read(start, sizeof start);
  transcoder codec = transcoder::decoding(to, bom::automatic);
  codec.transform(start, static_cast<std::size_t>(bytes.gcount()), text, sizeof text, true);
  return codec.facts().encoding;
}

}  // namespace

std::optional<std::uintmax_t> size_to_append_to(const std::filesystem::path& path, std::ios_base::openmode mode) {
  using ios = std::ios_base;
  const auto at_its_end = ios::in | ios::ate;  // std::ios::ate without std::ios::in empties the file
  const bool to_the_end = (mode & ios::app) != 0 || (mode & at_its_end) == at_its_end;
  const bool appending = (mode & ios::trunc) == 0 && to_the_end;
  std::error_code error;
  if (!appending || !std::filesystem::is_regular_file(path, error)) return std::nullopt;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error || size == 0) return std::nullopt;
  return size;
}

/// Text that is appended to a file follows its byte order, and gets no byte order mark.
template <>
written_file<transcoder> written_file<transcoder>::at(const std::filesystem::path& path, const named_encoding& to,
                                                      const params& p, std::ios_base::openmode mode) {
  const auto size = size_to_append_to(path, mode);
  if (!size) return {naming<transcoder>::writing(to, p), p};
  check_whole_units(path, *size, to);
  const encoding found = encoding_to_append_in(path, to);
  if (p.bom == bom::require)
    refuse("writing", to_string(found), "with bom::require a byte order mark would be written inside the file");
  params appended = p;
  if (p.bom == bom::automatic || p.bom == bom::add) appended.bom = bom::strip;
  return {naming<transcoder>::writing(found, appended), std::move(appended)};
}

//--------------------------------------------------------------------------------------------------------- a whole file

std::string read_file(const std::filesystem::path& path, encoding from, const params& p) {
  file_istreambuf<transcoder> file(naming<transcoder>::reading(from, p), p);
  if (!file.open(path, std::ios_base::in)) file::fail(path.string(), file.open_error());
  std::string text;
  for (std::size_t size = 0, got = 1; got != 0; size += got, text.resize(size)) {
    text.resize(size + 65536);
    got = static_cast<std::size_t>(file.sgetn(text.data() + size, 65536));
  }
  return text;
}

}  // namespace utfilter::detail
