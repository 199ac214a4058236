// why_no_checkpoint.cpp: compares checkpoints, and tells whether one makes sense. Unlike checkpoint.cpp, it needs no names of encodings.
#include <utfilter/checkpoint.hpp>

#include "encodings/encoding_scheme.hpp"

namespace utfilter {

bool operator==(const checkpoint& a, const checkpoint& b) noexcept {
  return static_cast<const text_position&>(a) == b && a.encoding == b.encoding && a.bom == b.bom &&
         a.bytes_out == b.bytes_out && a.errors == b.errors && a.decided_by == b.decided_by &&
         a.confidence == b.confidence && a.unused_declaration == b.unused_declaration;
}

const char* why_no_checkpoint(const checkpoint& c) noexcept {
  if (detail::why_missing(c.encoding) != nullptr || is_decided_by_bom(c.encoding))
    return "the encoding of a checkpoint must be decided, it cannot be detect, utf16 or utf32";
  if (c.offset != 0 && detail::has_states(c.encoding))
    return "a text in ISO-2022-JP has no checkpoints: escape sequences before the place decide about the bytes after it";
  const detail::encoding_scheme* const row = detail::unicode_scheme_of(c.encoding);
  if (c.bom && row == nullptr) return "the checkpoint's encoding has no byte order mark";
  if (c.bom && c.offset < row->bom.size()) return "the checkpoint is inside the byte order mark";
  if (c.line == 0 || c.column == 0) return "the checkpoint's line and column must be at least 1";
  if (c.line_offset > c.offset) return "the checkpoint's line begins after the checkpoint";
  const bool many_errors = c.errors > c.offset && c.errors - c.offset > 1;  // missing_bom is an error of no bytes
  if (c.line - 1 > c.line_offset || c.column - 1 > c.offset - c.line_offset || many_errors)
    return "the checkpoint has more lines, columns or errors than bytes before it";
  if (c.decided_by > evidence::assumption) return "the checkpoint's evidence has no enumerator";
  if (c.confidence > 100) return "the checkpoint's confidence must be at most 100";
  return nullptr;
}

}  // namespace utfilter
