// shift_jis: an encoding as a codec of your own, by iconv(3). (EUC-TW, which the library lacks, needs the same code.)
//
//   shift_jis [strict|stop|replace|skip|escape] < SHIFT_JIS > UTF-8
//
// doc/codecs.md is the guide. Here the codec owns a converter of another library. An iconv descriptor has a state that
// cannot be copied, but a codec must be copyable at any time. So the codec converts each character separately, from the
// bytes that it carries, and each copy opens its own descriptor.
#include <utfilter/codec.hpp>
#include <utfilter/filter.hpp>
#include <utfilter/utf_error.hpp>

#include <boost/iostreams/filtering_stream.hpp>

#include <array>
#include <cerrno>
#include <cstddef>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <iconv.h>

namespace io = boost::iostreams;

namespace {

/// Owns a conversion descriptor. Only one thread may use it at a time, as with the filters that contain it.
class converter {
 public:
  explicit converter(const char* from) : from_(from), descriptor_(iconv_open("UTF-32LE", from)) {
    if (descriptor_ == iconv_t(-1)) throw std::system_error(errno, std::generic_category(), from);
  }
  converter(const converter& other) : converter(other.from_) {}
  converter& operator=(converter other) noexcept {
    std::swap(from_, other.from_);
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~converter() { iconv_close(descriptor_); }

  /// Converts 1 or 2 bytes. Returns true and sets `c` if all of them together are exactly one character.
  bool convert(const unsigned char* bytes, std::size_t size, char32_t& c) noexcept {
    char in[2] = {static_cast<char>(bytes[0]), size > 1 ? static_cast<char>(bytes[1]) : '\0'};
    std::array<unsigned char, 4> unit{};
    char* from = in;
    char* to = reinterpret_cast<char*>(unit.data());
    std::size_t left = size, room = unit.size();
    iconv(descriptor_, nullptr, nullptr, nullptr, nullptr);
    const bool whole = iconv(descriptor_, &from, &left, &to, &room) == 0 && left == 0 && room == 0;
    c = char32_t{unit[0]} | char32_t{unit[1]} << 8 | char32_t{unit[2]} << 16 | char32_t{unit[3]} << 24;
    return whole;
  }

 private:
  const char* from_;
  iconv_t descriptor_;
};

/// In Shift_JIS a character is one byte, or a lead byte and a trail byte.
class shift_jis_to_utf8 : public utfilter::codec_base {
 public:
  static constexpr std::size_t min_output = 4;

  utfilter::codec_progress transform(const char* in, std::size_t size, char* out, std::size_t room,
                                     bool last) noexcept {
    using utfilter::codec_status;
    utfilter::codec_progress done{0, 0, codec_status::need_input};
    const auto stop = [&](codec_status why) noexcept {
      done.status = why;
      return done;
    };
    while (true) {
      if (carried_ == 0 || (carried_ == 1 && is_lead(carry_[0]))) {
        if (done.consumed != size) {
          carry_[carried_++] = static_cast<unsigned char>(in[done.consumed++]);
          continue;
        }
        if (!last) return done;
        return stop(carried_ == 0 ? codec_status::done : reject(utfilter::errc::incomplete_at_end, 1));
      }
      // The carried bytes are one character, or an error. An ASCII byte is never part of an error, as WHATWG says.
      char32_t c = 0;
      if (!iconv_.convert(carry_.data(), carried_, c)) {
        const auto code = carried_ == 1 ? utfilter::errc::unused_byte : utfilter::errc::truncated_sequence;
        return stop(reject(code, carried_ == 1 || carry_[1] < 0x80 ? 1 : 2));
      }
      if (room - done.produced < min_output) return stop(codec_status::need_output);
      done.produced += encode(c, out + done.produced);
      count(c, carried_);
      carried_ = 0;
    }
  }

 private:
  static bool is_lead(unsigned char byte) noexcept {
    return (byte >= 0x81 && byte <= 0x9F) || (byte >= 0xE0 && byte <= 0xFC);
  }

  /// Reports the first `size` carried bytes as an error. If another byte is carried, it is decoded again.
  utfilter::codec_status reject(utfilter::errc code, std::size_t size) noexcept {
    note_error(code, carry_.data(), size);
    carry_[0] = carry_[1];
    carried_ = carried_ - size;
    return utfilter::codec_status::malformed;
  }

  converter iconv_{"SHIFT_JIS"};
  std::array<unsigned char, 2> carry_{};
  std::size_t carried_ = 0;
};

std::optional<utfilter::on_error> policy_from_name(std::string_view name) {
  using utfilter::on_error;
  constexpr std::pair<std::string_view, on_error> policies[] = {{"strict", on_error::strict},
                                                                {"stop", on_error::stop},
                                                                {"replace", on_error::replace},
                                                                {"skip", on_error::skip},
                                                                {"escape", on_error::escape}};
  for (const auto& [known, policy] : policies)
    if (name == known) return policy;
  return std::nullopt;
}

}  // namespace

int main(int argc, char** argv) try {
  const auto policy = policy_from_name(argc > 1 ? argv[1] : "strict");
  if (argc > 2 || !policy) {
    std::cerr << "usage: shift_jis [strict|stop|replace|skip|escape] < SHIFT_JIS > UTF-8\n";
    return 2;
  }
  const utfilter::codec_filter<shift_jis_to_utf8> decode(*policy);
  io::filtering_istream in;
  in.push(decode);
  in.push(std::cin);
  in.exceptions(std::ios::badbit);

  std::string line;
  try {
    while (std::getline(in, line)) std::cout << line << (in.eof() ? "" : "\n");
  } catch (const utfilter::utf_error&) {
    std::cout << line;  // the text before the error, in the line of the error
  }
  if (!std::cout.flush()) {
    std::cerr << "shift_jis: cannot write standard output\n";
    return 2;
  }
  const auto report = decode.report();
  const bool repaired = policy != utfilter::on_error::strict && policy != utfilter::on_error::stop;
  if (report.errors == 0 || repaired) return 0;
  std::cerr << "shift_jis: " << to_string(*report.first_error) << '\n';
  return 1;
} catch (const std::exception& why) {
  std::cerr << "shift_jis: " << why.what() << '\n';
  return 2;
}
