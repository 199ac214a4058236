// corpora.hpp: the texts of the benchmark: generated texts, the same in each run, or a file.
#ifndef UTFILTER_BENCH_CORPORA_HPP
#define UTFILTER_BENCH_CORPORA_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

/// The names of the generated corpora: first those of one text for all tasks, then languages_dense and languages_mixed.
std::vector<std::string> corpus_names();

/// The corpora that are a text for each of the multi-byte encodings of the web, in a language that it is for: in one of them
/// the text is nearly without ASCII, except for the spaces of Korean; in the other one words of ASCII stand among the
/// others, at irregular distances.
inline constexpr const char *languages_dense = "dense", *languages_mixed = "mixed";
inline bool is_of_languages(const std::string& corpus) {
  return corpus == languages_dense || corpus == languages_mixed;
}
/// Such a text.
std::string make_text_for(const std::string& encoding, const std::string& corpus, std::size_t bytes);

/// Returns at most `bytes` bytes of well-formed UTF-8, cut between two characters. A generated corpus does not repeat
/// itself; a file that is shorter is repeated. Throws std::runtime_error if the name is neither that of a corpus nor
/// that of a file of well-formed UTF-8.
std::string make_corpus(const std::string& name_or_file, std::size_t bytes);

/// The beginning of a text in three encodings.
struct excerpt {
  enum class form { utf8, utf16 };

  /// Takes as many characters as fit into `bytes` bytes in the encoding that the form names.
  excerpt(std::string_view text, std::size_t bytes, form);

  std::string utf8, utf16le, utf16be;
};

/// Lines of a text, in UTF-8 and in another encoding.
struct encoded_text {
  std::string name;  // of the encoding: all libraries know it
  std::string utf8, other;
};

/// The first lines that exist in the encoding, up to about `bytes` bytes of UTF-8. Empty if most lines do not.
encoded_text encoded(const std::string& encoding, std::string_view text, std::size_t bytes);

/// The same, but leaves out characters instead of lines: those that glibc, ICU and this library do not all write, or not
/// with the same bytes. The library is asked only if the charset is an encoding of its own. Empty if two thirds of the
/// characters beyond ASCII are left out.
encoded_text in_charset(const std::string& charset, std::string_view text, std::size_t bytes);

/// A text in Unicode's normalization forms, by ICU.
struct normal_forms {
  explicit normal_forms(const std::string& text);

  std::string nfc, nfd;
};

/// The text with an ill-formed byte (damaged) or U+FFFD (repaired) after each `distance` bytes, or up to three bytes
/// later, at the end of the character.
std::string damaged(std::string_view text, std::size_t distance);
std::string repaired(std::string_view text, std::size_t distance);

}  // namespace bench

#endif
