// charset_facts.hpp: a charset of ICU as the codecs see it: a converter to copy, and the facts that decide how to feed
// it.
#ifndef UTFILTER_ICU_CHARSET_FACTS_HPP
#define UTFILTER_ICU_CHARSET_FACTS_HPP

#include <unicode/ucnv.h>

#include <array>
#include <cstddef>
#include <memory>
#include <string>

namespace utfilter::detail {

/// A converter of ICU, or none. A copy has the state of the original; copying throws std::bad_alloc.
class converter {
 public:
  explicit converter(UConverter* opened = nullptr) noexcept : icu_(opened) {}
  converter(const converter& other);
  converter& operator=(const converter&) = delete;
  converter(converter&&) noexcept = default;
  converter& operator=(converter&&) noexcept = default;
  ~converter() = default;

  UConverter* get() const noexcept { return icu_.get(); }
  /// A copy that the caller closes; null without memory.
  UConverter* clone() const noexcept;

 private:
  struct close {
    void operator()(UConverter* icu) const noexcept { ucnv_close(icu); }
  };
  std::unique_ptr<UConverter, close> icu_;
};

/// Room for the bytes or units of an error that ICU reports.
inline constexpr std::size_t most_told = 32;

/// The kind of a byte at the start of a text.
enum class byte_kind : unsigned char {
  character,  // a whole character, or a part of the state
  ascii,      // a whole character: the ASCII character of this value
  lead,       // the first byte of a longer character
  bad,        // no character begins with it
};

/// How the decoder gets its bytes.
enum class feeding {
  pieces,   // many at once: the byte `line_feed` is U+000A wherever it stands
  offsets,  // many at once: ICU tells where line feeds are
  bytes,    // one at a time: ICU's results depend on the pieces, or it does not tell the places of errors
};

/// A charset. Its converter is in the state at the start of a text. It stops at errors and never substitutes or drops a
/// character.
struct charset_facts {
  converter fresh;
  converter utf8;        // of ICU's UTF-8; only if encodes_utf8
  std::string name;      // the preferred name: of MIME, else of IANA, else of ICU
  std::string icu_name;  // the converter's own name, which identifies the charset
  /// Whether a byte means the same wherever a character begins. Otherwise it depends on the bytes before.
  bool stateless = false;
  feeding decodes_by = feeding::bytes;
  /// Whether the encoder may take many characters at once, because the output does not depend on the characters that
  /// follow. Other charsets take one character at a time.
  bool encodes_in_bulk = false;
  /// Whether ICU encodes UTF-8 faster than UTF-16, and with the same result for all pieces of whole characters. Then a
  /// character has at most two bytes.
  bool encodes_utf8 = false;
  /// Whether an error of the decoder is the first bytes that it has not decoded, and not the last ones (UTF-16).
  bool errors_from_front = false;
  /// Whether the decoder drops FE FF, and FF FE, at the start of a text. ICU does not tell that it has dropped them.
  std::array<bool, 2> drops_bom = {};
  /// Whether ICU gives a character only when it has seen the next byte (ISCII). ICU does not tell that it keeps one.
  bool waits_for_next_byte = false;
  /// Whether ICU decodes 1A 1C 7F as U+001C U+007F U+001A, and encodes these characters in the same way, as in IBM's
  /// tables. The codecs here use the byte of the same value for each, as in ASCII.
  bool exchanges_controls = false;
  bool has_bom_character = false;  // the charset has U+FEFF
  char line_feed = '\n';
  std::size_t longest = 1;                // bytes of the longest character, and of a change of the state before it
  std::array<byte_kind, 256> kinds = {};  // of each byte; only for feeding::pieces
};

/// These undo ICU's exchange for a charset with exchanges_controls. In such a charset no other character has a byte of
/// these values.
inline void restore_decoded_controls(UChar* units, std::size_t size) noexcept {
  for (std::size_t i = 0; i != size; ++i) {
    const UChar c = units[i];
    units[i] = c == 0x1C ? UChar{0x1A} : c == 0x7F ? UChar{0x1C} : c == 0x1A ? UChar{0x7F} : c;
  }
}
inline void restore_encoded_controls(char* bytes, std::size_t size) noexcept {
  for (std::size_t i = 0; i != size; ++i) {
    const char c = bytes[i];
    bytes[i] = c == 0x7F ? '\x1A' : c == 0x1A ? '\x1C' : c == 0x1C ? '\x7F' : c;
  }
}

}  // namespace utfilter::detail

#endif
