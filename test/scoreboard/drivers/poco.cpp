// poco.cpp text|reading|writing: POCO's TextConverter for whole strings, its InputStreamConverter, and its
// OutputStreamConverter.
#include "driver.hpp"

#include <Poco/Encodings.h>
#include <Poco/StreamConverter.h>
#include <Poco/TextConverter.h>
#include <Poco/TextEncoding.h>
#include <Poco/UTF16Encoding.h>
#include <Poco/UTF32Encoding.h>
#include <Poco/UTF8Encoding.h>
#include <Poco/Version.h>

#include <map>
#include <memory>
#include <new>
#include <sstream>
#include <streambuf>

namespace {

/// Delivers one piece at a time.
class pieces_streambuf : public std::streambuf {
 public:
  explicit pieces_streambuf(std::vector<std::string> pieces) : pieces_(std::move(pieces)) {}

 private:
  int_type underflow() override {
    while (next_ < pieces_.size() && pieces_[next_].empty()) ++next_;
    if (next_ == pieces_.size()) return traits_type::eof();
    std::string& piece = pieces_[next_++];
    setg(piece.data(), piece.data(), piece.data() + piece.size());
    return traits_type::to_int_type(piece.front());
  }
  std::vector<std::string> pieces_;
  std::size_t next_ = 0;
};

std::string version() {
  const auto part = [](int shift) { return std::to_string(POCO_VERSION >> shift & 0xFF); };
  return part(24) + '.' + part(16) + '.' + part(8);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string how = argc == 2 ? argv[1] : "";
  Poco::registerExtraEncodings();
  return serve(version(), [=](const question& asked) -> std::optional<answer> {
    using namespace Poco;
    static const std::map<std::string, std::shared_ptr<TextEncoding>> encodings = {
        {"utf-8", std::make_shared<UTF8Encoding>()},
        {"utf-16le", std::make_shared<UTF16Encoding>(UTF16Encoding::LITTLE_ENDIAN_BYTE_ORDER)},
        {"utf-16be", std::make_shared<UTF16Encoding>(UTF16Encoding::BIG_ENDIAN_BYTE_ORDER)},
        {"utf-32le", std::make_shared<UTF32Encoding>(UTF32Encoding::LITTLE_ENDIAN_BYTE_ORDER)},
        {"utf-32be", std::make_shared<UTF32Encoding>(UTF32Encoding::BIG_ENDIAN_BYTE_ORDER)}};
    if (asked.mode != "replace" || asked.signature != "keep") return std::nullopt;
    const auto known = encodings.find(asked.encoding);
    const TextEncoding::Ptr registered = TextEncoding::find(asked.encoding);
    if (known == encodings.end() && registered.isNull()) return std::nullopt;
    const TextEncoding& from = known == encodings.end() ? *registered : *known->second;
    const UTF8Encoding to;
    constexpr int replacement = 0xFFFD;
    answer given;
    int errors = 0;
    if (how == "text") {
      TextConverter converter(from, to, replacement);
      errors = converter.convert(asked.whole(), given.output);
    } else if (how == "reading") {
      pieces_streambuf pieces(asked.pieces);
      std::istream source(&pieces);
      // InputStreamConverter reads members that it has not initialised. In zeroed memory they have the same values in
      // each run.
      alignas(InputStreamConverter) unsigned char memory[sizeof(InputStreamConverter)] = {};
      auto& in = *new (memory) InputStreamConverter(source, from, to, replacement);
      for (int c; (c = in.get()) != EOF;) given.output += static_cast<char>(c);
      errors = in.errors();
      in.~InputStreamConverter();
    } else {
      std::ostringstream sink;
      {
        OutputStreamConverter out(sink, from, to, replacement);
        for (const std::string& piece : asked.pieces) {
          out.write(piece.data(), static_cast<std::streamsize>(piece.size()));
          out.flush();
        }
        errors = out.errors() + out.bad();
      }
      given.output = sink.str();
    }
    if (errors > 0) given.told();
    return given;
  });
}
