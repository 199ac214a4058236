// declaration.hpp: the name of the encoding that a text declares in its first bytes, as XML and HTML do.
#ifndef UTFILTER_ENCODINGS_DECLARATION_HPP
#define UTFILTER_ENCODINGS_DECLARATION_HPP

#include <string_view>

namespace utfilter::detail {

/// The first name that the text declares and for which `knows` returns true; empty if there is none. The text is the
/// start of a file, or if `is_whole`, all of it. Declarations count in the first 1,024 bytes; in a whole file also in
/// the last lines. A name that the end of these bytes cuts does not count. The result is a part of the text, or
/// the name windows-1252, which x-user-defined means in HTML. Complexity: linear.
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
std::string_view declared_name(std::string_view text, bool is_whole, bool (*knows)(std::string_view) noexcept) noexcept;

}  // namespace utfilter::detail

#endif
