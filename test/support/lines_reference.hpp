// lines_reference.hpp: the lines of a text and their places, computed the slow way: over the whole text at once. Tests
// compare line_reader with it. This file may include nothing of include/ or src/.
#ifndef UTFILTER_TEST_LINES_REFERENCE_HPP
#define UTFILTER_TEST_LINES_REFERENCE_HPP

#include "support/conformance_reference.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lines_reference {

namespace reference = conformance::reference;

/// A place in the source, and the counts before it.
struct place {
  std::uint64_t offset = 0, line = 1, column = 1, line_offset = 0, bytes_out = 0, errors = 0;
};

struct line {
  std::string text, ending;
  std::vector<std::uint64_t> offsets;  // in the source: of each byte of the text, and of its end
  std::uint64_t errors = 0;            // in the line
  place before, after;
};

struct reading {
  std::vector<line> lines;
  line rest;  // what next() leaves when it returns false or throws
  std::optional<reference::error_info> thrown;
  reference::outcome whole;
};

/// A character, two that have one sequence, an error, an escape sequence, or a byte order mark.
struct piece {
  std::string text;
  std::uint64_t begin, end;  // in the source
  char32_t character;        // the first; 0 for an error, an escape sequence, and a byte order mark
};

/// A lone surrogate as \u{HHHH}; the bytes of any other error as \xHH.
inline std::string escaped(const reference::item& error, std::string_view bytes, reference::encoding from) {
  std::string text;
  char digits[16];
  if (error.value != 0) {
    std::snprintf(digits, sizeof digits, "\\u{%04lX}", static_cast<unsigned long>(error.value));
    text = digits;
    const bool of_three = from == reference::encoding::cesu8 || from == reference::encoding::modified_utf8;
    bytes.remove_prefix(of_three                                                                       ? 3
                        : from == reference::encoding::utf32le || from == reference::encoding::utf32be ? 4
                                                                                                       : 2);
  }
  for (const char byte : bytes) {
    std::snprintf(digits, sizeof digits, "\\x%02X", reference::byte_of(byte));
    text += digits;
  }
  return text;
}

inline std::string repaired(const reference::item& error, std::string_view bytes, reference::encoding from,
                            const reference::params& p) {
  switch (p.on_error) {
    case reference::on_error::strict:
    case reference::on_error::stop:
    case reference::on_error::skip: return {};
    case reference::on_error::keep: return std::string(bytes);
    case reference::on_error::escape: return escaped(error, bytes, from);
    case reference::on_error::windows1252:
      if (from == reference::encoding::utf8) {
        std::string text;
        for (const char byte : bytes) text += reference::utf8(reference::windows1252(reference::byte_of(byte)));
        return text;
      }
      break;
    case reference::on_error::replace: break;
  }
  return p.replacement;
}

/// Puts pieces together to lines.
class reader {
 public:
  reader(reference::encoding from, const reference::params& p, std::string_view in) {
    const reference::converter converter({reference::filter_kind::decoder, from, p}, in, false, true);
    result_.whole = converter.result();
    read(from, p, in);
  }
  const reading& result() const { return result_; }

 private:
  void read(reference::encoding declared, const reference::params& p, std::string_view in) {
    using reference::bom;
    const bool found = result_.whole.report.bom;
    const reference::encoding from = result_.whole.report.encoding;
    const std::string mark = found ? reference::encode(from, 0xFEFF) : std::string();
    if (p.bom == bom::require && !found && !meet(p, {reference::errc::missing_bom})) return;
    if (p.bom == bom::reject && found && !meet(p, {reference::errc::unexpected_bom})) return;
    const bool strips = p.bom == bom::strip ||
                        ((p.bom == bom::automatic || p.bom == bom::require) && reference::decided_by_bom(declared));
    const bool writes = found ? !strips : p.bom == bom::add;
    put({writes ? "\xEF\xBB\xBF" : "", 0, mark.size(), 0});
    reference::text_state state;
    for (std::size_t at = mark.size(); at < in.size();) {
      const reference::item next = reference::decode(from, in.substr(at), state);
      if (!next.good && !meet(p, {next.code, at, 0, 0, 0, std::string(in.substr(at, next.size)), next.value})) return;
      std::string text = next.good ? reference::utf8(next.value) : repaired(next, in.substr(at, next.size), from, p);
      if (next.characters == 0) text.clear();
      if (next.characters == 2) text += reference::utf8(next.second);
      put({text, at, at + next.size, next.good ? next.value : 0});
      at += next.size;
      at_.column += next.good && next.value == U'\n' ? 0 : next.characters;
    }
    finish();
  }

  /// Counts an error. Returns false if it ends the text.
  bool meet(const reference::params& p, const reference::error_info& error) {
    const bool fails = p.on_error == reference::on_error::strict || met_ >= p.error_limit;
    ++met_;
    if (fails || p.on_error == reference::on_error::stop) {
      if (fails) result_.thrown = error;
      finish();
      return false;
    }
    at_.errors = met_;
    return true;
  }

  void put(const piece& next) {
    pieces_.push_back(next);
    at_.offset = next.end;
    at_.bytes_out += next.text.size();
    if (next.character != U'\n') return;
    ++at_.line;
    at_.column = 1;
    at_.line_offset = next.end;
    result_.lines.push_back(made());
    line_ = at_;
    met_before_ = met_;
    pieces_.clear();
  }

  /// The line that the pieces are.
  line made() const {
    line l;
    std::optional<piece> last;  // that has a text
    std::optional<std::uint64_t> end;
    for (const piece& p : pieces_) {
      if (p.character == U'\n') {
        l.ending = "\n";
        end = p.begin;
        if (last && last->character == U'\r') {
          l.ending = "\r\n";
          end = last->begin;
          l.text.pop_back();
          l.offsets.pop_back();
        }
        break;
      }
      l.text += p.text;
      l.offsets.insert(l.offsets.end(), p.text.size(), p.begin);
      if (!p.text.empty()) last = p;
    }
    l.offsets.push_back(end.value_or(at_.offset));
    l.errors = met_ - met_before_;
    l.before = line_;
    l.after = at_;
    return l;
  }

  void finish() {
    if (at_.offset == 0 && at_.bytes_out == 0) at_ = {};  // reading has to begin anew
    result_.rest = made();
    if (result_.thrown || result_.rest.text.empty()) return;
    result_.lines.push_back(result_.rest);
    result_.rest = {"", "", {at_.offset}, 0, at_, at_};
  }

  reading result_;
  place at_, line_;  // the places now, and where the line begins
  std::uint64_t met_ = 0, met_before_ = 0;
  std::vector<piece> pieces_;  // of the line
};

}  // namespace lines_reference

#endif
