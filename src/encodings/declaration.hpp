// declaration.hpp: the name of the encoding that a text declares in its first bytes, as XML and HTML do.
#ifndef UTFILTER_ENCODINGS_DECLARATION_HPP
#define UTFILTER_ENCODINGS_DECLARATION_HPP

#include <utfilter/encoding.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace utfilter::detail {

/// Whose names a declaration has.
enum class name_form : std::uint8_t {
  plain,  // IANA's, or the number of a code page
  html,   // the same, but x-user-defined means windows-1252 (the last step of WHATWG's prescan)
  tex,    // those of LaTeX's package inputenc, such as latin1
  page,   // as plain, but gettext and Hunspell know windows-1251 as cp1251 alone
};

/// The name of an encoding in a text that declares it.
struct declaration {
  std::string_view name = {};  // empty if the text declares none
  name_form form = name_form::plain;
};

/// The meaning of a declared name; none if neither member is set.
struct declared_meaning {
  std::optional<encoding> value;
  /// A charset whose text has a form (two_byte.hpp): one that is no encoding of this library; or one of the multi-byte
  /// encodings of cjk/names.hpp, also if `value` is set.
  std::string_view charset = {};

  /// Whether the name means anything.
  explicit operator bool() const noexcept { return value || !charset.empty(); }
};

/// The meaning of a name that a text declares. An ending of Emacs, such as -unix, does not count. Complexity: linear in the
/// number of names.
declared_meaning meaning_of(std::string_view name) noexcept;

/// The size in bytes of the ending by which Emacs names the ends of lines, too: -unix, -dos or -mac; 0 if there is none.
std::size_t size_of_line_ending(std::string_view name) noexcept;

/// The first declaration of the text for whose name `knows` returns true. The text is the start of a file, or if
/// `is_whole`, all of it. Declarations count in the first 1,024 bytes; in a whole file also in the last lines. A name that
/// the end of these bytes cuts does not count. The name is a part of the text. Complexity: linear.
///
/// These are declarations:
/// - XML: `<?xml version="1.0" encoding="NAME"?>` at the start;
/// - HTML: the element meta with the attribute charset, or http-equiv and content (WHATWG HTML, section 13.2.3.2, "prescan
///   a byte stream to determine its encoding");
/// - CSS: `@charset "NAME";` at the start;
/// - a comment of Python or Ruby, `# coding: NAME`, in the first two lines (PEP 263);
/// - a line of Emacs, `-*- coding: NAME -*-`, in the first two lines, or at the end of a whole text `coding: NAME` between
///   `Local Variables:` and `End:`;
/// - a line of Vim, `vim: set fileencoding=NAME`, perhaps for some versions (`vim700:`, `vim<702:`), in the first two
///   lines, and in the last five of a whole text;
/// - a header of mail or HTTP: `Content-Type: text/plain; charset=NAME`, at the start of a line; the same in a string
///   of gettext's files, after `"` or `\n`;
/// - TeX: `\usepackage[NAME]{inputenc}` or `\RequirePackage`, and `\inputencoding{NAME}`, anywhere in a line before a
///   comment; a line `% !TEX encoding = NAME`. Of several options the last one that names an encoding counts;
/// - Hunspell: a line `SET NAME`;
/// - a Vim script: a line `scriptencoding NAME`;
/// - POD, the documentation of Perl: a line `=encoding NAME`;
/// - PostgreSQL, as pg_dump writes it: a line `SET client_encoding = 'NAME';`
/// - a resource script of Windows: a line `#pragma code_page(1252)`;
/// - RTF: `\ansicpg1252` in its header, at the start.
///
/// For TeX, Hunspell, gettext and the kinds from Vim script to resource script, the 1,024 bytes do not include the
/// comments at the start: lines that begin with # or %, and empty lines.
declaration find_declaration(std::string_view text, bool is_whole,
                             const std::function<bool(std::string_view)>& knows) noexcept;

}  // namespace utfilter::detail

#endif
