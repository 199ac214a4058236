// corpora.hpp: the texts that are measured: generated, the same each time, or a file.
#ifndef UTFILTER_BENCH_CORPORA_HPP
#define UTFILTER_BENCH_CORPORA_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

/// The names of the generated corpora.
std::vector<std::string> corpus_names();

/// At most that many bytes of well-formed UTF-8, cut at a character. A generated corpus does not repeat; a file that is
/// shorter is repeated. Throws std::runtime_error where there is neither such a corpus nor such a file of well-formed
/// UTF-8.
std::string make_corpus(const std::string& name_or_file, std::size_t bytes);

/// The beginning of a text, in three forms.
struct excerpt {
  enum class form { utf8, utf16 };

  /// As many characters as fit into that many bytes of that form.
  excerpt(std::string_view text, std::size_t bytes, form);

  std::string utf8, utf16le, utf16be;
};

/// The text with an ill-formed byte after each `distance` bytes (and up to three more, to the end of the character), or
/// with U+FFFD there.
std::string damaged(std::string_view text, std::size_t distance);
std::string repaired(std::string_view text, std::size_t distance);

}  // namespace bench

#endif
