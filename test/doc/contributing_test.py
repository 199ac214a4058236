#!/usr/bin/env python3
"""contributing_test.py SOURCE CXX STREAMS CORE: follows the recipes of CONTRIBUTING.md in a copy of the sources: adds a
policy, an encoding of one byte per character, another encoding, a recipe for logs, a text filter, and an option of
utfcat.

A recipe must name each file that this test changes. With the enumerator alone, the compiler must name the place that
lacks it. Then the test compiles only the changed files, and links them with the library, STREAMS and CORE, which was
built without the changes. If a program can use what was added, no other file of the library had to be changed.

The files, functions and macros that CONTRIBUTING.md names must exist. The examples must be as short as it says. What
the recipes do not name must not be needed: no test lists the encodings by hand, and no build the packages.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from checks import check, finish

SOURCE, CXX, LIBRARIES = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
PAGE = (SOURCE / "CONTRIBUTING.md").read_text(encoding="utf-8")
COPIED = ["CHANGELOG.md", "CMakeLists.txt", "README.md", "cmake", "doc", "include", "src", "test/data/single_byte", "test/doc", "test/encodings",
          "test/logging", "test/support"]
CODE = (".cpp", ".hpp", ".inc")
# These files have what a test must know about each encoding.
HAS_ROWS = ["conformance_reference.hpp", "encoding_rows.hpp", "encoding_test.cpp"]


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


class Tree:
    """A copy of the sources, and the objects of its changed files."""

    def __init__(self, folder):
        self.folder, self.objects = pathlib.Path(folder), []
        for part in COPIED:
            (self.folder / part).parent.mkdir(parents=True, exist_ok=True)
            (shutil.copytree if (SOURCE / part).is_dir() else shutil.copy)(SOURCE / part, self.folder / part)

    def compiler(self, file, *options):
        """The compiler's output; empty if it compiles the file without a warning."""
        ran = run(CXX, "-std=c++17", "-O0", "-Wall", "-Wextra", "-Werror", "-DUTFILTER_BUILDING_CORE",
                  *(f"-I{self.folder / folder}" for folder in ("include", "src", "test")), *options, self.folder / file)
        return ran.stderr if ran.returncode else ""

    def misses(self, file, enumerator, switches=1):
        """Checks that the compiler names the enumerator that switches in the file do not handle, and nothing else."""
        said = self.compiler(file, "-fsyntax-only")
        errors = re.findall(r"error: (.*)", said)
        named = [error for error in errors if enumerator in error and "not handled in switch" in error]
        check(named == errors and len(errors) == switches, f"{file}: {said}")

    def accepts(self, code, *options):
        """Checks that the compiler accepts this code."""
        (self.folder / "accepted.cpp").write_text(code, encoding="utf-8")
        check(not (said := self.compiler("accepted.cpp", "-fsyntax-only", *options)), said)

    def compiles(self, *files):
        for file in files:
            self.objects.append(self.folder / f"{pathlib.Path(file).stem}.o")
            said = self.compiler(file, "-c", "-o", self.objects[-1])
            check(not said, f"{file}: {said}")

    def runs(self, program):
        """Links the program with the objects, which take the place of those in the library, and runs it."""
        (self.folder / "program.cpp").write_text(program, encoding="utf-8")
        self.compiles("program.cpp")
        for step in (CXX, *self.objects, *LIBRARIES, "-o", self.folder / "program"), (self.folder / "program",):
            ran = run(*step)
            check(ran.returncode == 0, ran.stderr)
            if ran.returncode != 0:
                return


class Recipe:
    """A recipe of CONTRIBUTING.md: from its title in bold to the next one."""

    def __init__(self, tree, title):
        self.tree, self.title = tree, title
        self.text = re.search(rf"^\*\*{title}\*\*(.*?)(?=^\*\*|^##)", PAGE, re.MULTILINE | re.DOTALL)[1]

    def changes(self, file):
        """The file in the copy. The recipe must name it by its path or its name, and a new file by its folder."""
        changed = self.tree.folder / file
        names = [file, changed.name] if changed.exists() else [f"{pathlib.PurePosixPath(file).parent}/"]
        check(any(re.search(rf"(?<![\w/]){re.escape(name)}(?!\w)", self.text) for name in names),
              f"the recipe '{self.title}' does not name {file}")
        return changed

    def adds(self, file, text, before=None):
        """Adds a line to a file: before the first line that is `before` after its indent, or at the end."""
        changed = self.changes(file)
        lines = changed.read_text(encoding="utf-8").splitlines()
        place = len(lines)
        if before:
            place = next(i for i, line in enumerate(lines) if line.strip() == before)
        changed.write_text("\n".join([*lines[:place], text, *lines[place:], ""]), encoding="utf-8")

    def replaces(self, file, pattern, by, places=1):
        """Replaces places in a file."""
        changed = self.changes(file)
        text, number = re.subn(pattern, by, changed.read_text(encoding="utf-8"))
        check(number == places, f"{file} has {number} places of {pattern}")
        changed.write_text(text, encoding="utf-8")


def policy(tree):
    """A policy that writes a number sign for each error."""
    recipe = Recipe(tree, "A policy.")
    header = recipe.changes("include/utfilter/params.hpp")
    text = header.read_text(encoding="utf-8")
    end = text.index("\n};", text.index("enum class on_error {"))
    header.write_text(text[:end] + "\n  marked," + text[end:], encoding="utf-8")
    for file in "src/codecs/repair.cpp", "test/support/conformance_vocabulary.hpp":
        tree.misses(file, "marked")
    recipe.replaces("test/support/reference_items.hpp", r"(#define UTFILTER_TEST_ON_ERRORS.*\n.*)", r"\1 EACH(marked)")
    check(not tree.compiler("test/support/conformance_vocabulary.hpp", "-fsyntax-only"), "the tests lack more than a word")
    recipe.adds("src/codecs/repair.cpp", "    case on_error::marked: buffer[0] = '#'; return made(1);",
                before="case on_error::replace: break;")
    tree.compiles("src/codecs/repair.cpp")
    tree.runs("""
#include <utfilter/decoder.hpp>
#include <utfilter/text.hpp>
#undef NDEBUG
#include <cassert>
using namespace utfilter;

int main() {
  assert(sanitize("a\\xFFz", on_error::marked) == "a#z");
  char out[16];
  decoder from(encoding::utf16be, on_error::marked);
  const codec_progress done = from.convert("\\xD8\\x00\\x00z", 4, out, sizeof out, true);
  assert(std::string(out, done.produced) == "#z" && from.report().errors == 1);
  encoder to(encoding::latin1, on_error::marked);
  assert(std::string(out, to.convert("\\u20AC\\xFF", 4, out, sizeof out, true).produced) == "##");
}
""")
    code = {file.relative_to(tree.folder).as_posix(): file.read_text(encoding="utf-8")
            for folder in ("include", "src") for file in (tree.folder / folder).rglob("*") if file.suffix in CODE}
    switches = [file for file, text in code.items() if re.search(r"\bcase (utfilter::)?on_error::", text)]
    check(switches == ["src/codecs/repair.cpp"], f"there are switches over the policies in {switches}")


def encodings(tree):
    """IBM775; and an encoding of ASCII, and of U+0080 to U+07FF as two bytes: 80..9F, 80..BF."""
    recipe = Recipe(tree, "An encoding of one byte per character.")
    script = "src/encodings/single_byte.py"
    recipe.adds(script, '    Encoding("ibm775", "cp775", "Baltic languages under DOS", "IBM775 cp775"),', before="]")
    check(run(sys.executable, "-B", tree.folder / script).returncode == 0, f"{script} fails")
    page = (tree.folder / "doc/encodings.md").read_text(encoding="utf-8")
    check("| IBM775 | `ibm775` |" in page, f"{script} does not write the line of the page")
    table = tree.folder / "test/data/single_byte/IBM775.txt"
    check(table.is_file(), f"{script} does not write the table of the tests")

    recipe = Recipe(tree, "Another encoding.")
    recipe.adds("include/utfilter/encoding.hpp", "  /// Of this test. Names: x-toy.\n  toy,", before="};")
    tree.misses("src/encodings/rows.cpp", "toy")
    recipe.adds("src/encodings/rows.inc", "UTFILTER_ROW(toy)")
    for file in "doc/encodings.md", "test/encodings/encoding_test.cpp":
        recipe.changes(file)
    recipe.replaces("test/support/reference_items.hpp", r"EACH\(modified_utf8\)\n", "EACH(modified_utf8) EACH(toy)\n")
    tree.misses("test/support/conformance_reference.hpp", "toy", switches=2)
    recipe.replaces("test/support/conformance_reference.hpp", r"( +)case encoding::(shift_jis: return \w+_)shift_jis",
                    r"\1case encoding::toy:\n\g<0>", places=2)
    recipe.replaces("test/support/encoding_rows.hpp", r"(.*single_byte_row\(encoding::)latin1", r"\1toy, {}),\n\g<0>")
    tree.accepts("""
#include "support/boundary_texts.hpp"
#include "support/conformance_setups.hpp"
static_assert(conformance::to_reference(utfilter::encoding::toy) == conformance::reference::encoding::toy);
""")
    recipe.changes("src/encodings/toy.cpp").write_text("""
#include "encodings/encoding_scheme.hpp"
#include "kernels/reference.hpp"
#include "unicode/utf8.hpp"

namespace utfilter::detail {
namespace {

sequence decode(const unsigned char* in, std::size_t size, bool last) noexcept {
  if (in[0] < 0x80) return sequence::scalar(in[0], 1);
  if (in[0] < 0x82 || in[0] > 0x9F) return sequence::ill_formed(errc::unused_byte, 1);
  if (size < 2) return sequence::incomplete(last, 1);
  if (!is_continuation(in[1])) return sequence::ill_formed(errc::truncated_sequence, 1);
  return sequence::scalar((in[0] & 0x1Fu) << 6 | (in[1] & 0x3Fu), 2);
}

std::size_t encode(char32_t c, char* out) noexcept {
  if (c > 0x7FF) return 0;
  if (c < 0x80) return encode_utf8(c, out);
  out[0] = static_cast<char>(0x80 | c >> 6);
  out[1] = static_cast<char>(0x80 | (c & 0x3F));
  return 2;
}

// Each character has as many bytes as in UTF-8.
std::size_t source_size(const char*, std::size_t size) noexcept { return size; }

constexpr encoding_scheme row() noexcept {
  encoding_scheme row = scheme_named(encoding::toy, "X-Toy");
  row.longest = 2;
  row.decode = decode;
  row.encode = encode;
  row.to_utf8 = convert<decode, encode_utf8>;
  row.from_utf8 = convert<decode_utf8, encode>;
  row.source_size = source_size;
  return row;
}

}  // namespace

const encoding_scheme toy_scheme = complete<row>();

}  // namespace utfilter::detail
""", encoding="utf-8")
    check(run(sys.executable, "-B", tree.folder / script, "--check").returncode == 0, f"{script} would remove toy")

    tree.compiles(*(f"src/encodings/{name}.cpp" for name in ("toy", "single_byte", "rows", "encoding", "unicode")))
    tree.runs("""
#include <utfilter/decoder.hpp>
#include <utfilter/line_reader.hpp>
#include <sstream>
#undef NDEBUG
#include <cassert>
using namespace utfilter;

int main() {
  const encoding baltic = encoding_from_name("CP775").value();
  assert(baltic == encoding::ibm775 && encoding_name(baltic) == "IBM775" && is_single_byte(baltic));
  char out[16];
  decoder from_baltic(baltic, on_error::strict);
  assert(std::string(out, from_baltic.convert("a\\x83", 2, out, sizeof out, true).produced) == "a\\u0101");
  encoder to_baltic(baltic, on_error::replace);
  assert(std::string(out, to_baltic.convert("\\u0101\\u20AC", 5, out, sizeof out, true).produced) == "\\x83?");

  assert(encoding_from_name("x-toy") == encoding::toy && !is_single_byte(encoding::toy));
  assert(nearest_encoding_names("x-toys")[0] == "X-Toy" && *(encodings().end() - 1) == encoding::toy);
  decoder from(encoding::toy, on_error::escape);
  const codec_progress done = from.convert("a\\n\\x90\\x90\\x90z", 6, out, sizeof out, true);
  assert(std::string(out, done.produced) == "a\\n\\u0410\\\\x90z");
  const error_info error = from.report().first_error.value();
  assert(error.code == errc::truncated_sequence && error.offset == 4 && error.line == 2 && error.column == 2);
  encoder to(encoding::toy, on_error::replace);
  assert(std::string(out, to.convert("\\u0410\\u20ACz", 6, out, sizeof out, true).produced) == "\\x90\\x90?z");
  std::stringbuf bytes("\\x90\\x90z\\n");
  line_reader lines(bytes, encoding::toy);
  assert(lines.next() && lines.text() == "\\u0410z" && lines.offset_of(2) == 2);
}
""")


def log_recipe(tree):
    """A recipe for a library Toylog."""
    recipe = Recipe(tree, "A recipe for logs.")
    recipe.changes("cmake/libraries.txt")
    recipe.adds("doc/log_recipes.md", """
## Toylog

<!-- header: toylog -->
```cpp
#include "printable_line.hpp"

#include <cstdio>

inline void log(std::string_view text) { std::fputs(printable_line(text).c_str(), stdout); }
```""")
    checker = tree.folder / "test/doc/recipes_test.py"
    said = run(sys.executable, "-B", checker, tree.folder).stdout
    check("recipe_*_test.cpp do not measure toylog" in said, said)
    recipe.changes("test/logging/recipe_toylog_test.cpp").write_text(
        '#include <log_recipes/toylog.hpp>\nint main() { row("Toylog", log); }\n', encoding="utf-8")
    said = run(sys.executable, "-B", checker, tree.folder).stdout
    check("measure Toylog, which is not in logs.md" in said, said)
    recipe.replaces("doc/logs.md", r"\n\| \[Poco\]", r"\n| [Toylog](log_recipes.md#toylog) | 5 | the line | 1 / 2 |\g<0>")
    said = run(sys.executable, "-B", checker, tree.folder).stdout
    check(said.endswith(", 0 failed\n"), said)
    extract = run(sys.executable, "-B", tree.folder / "test/doc/extract.py", tree.folder / "doc/log_recipes.md", tree.folder)
    check("log_recipes/toylog.hpp" in extract.stdout, extract.stderr)
    tree.accepts("#include <log_recipes/toylog.hpp>\n", f"-I{tree.folder}")


def text_filter(tree):
    """A text filter that makes capitals of the small letters of ASCII."""
    recipe = Recipe(tree, "A text filter.")
    recipe.replaces("include/utfilter/changes.hpp", r"\n}  // namespace changes\n", """
/// Makes capitals of the small letters of ASCII.
struct upper_case {
  /// See text_codec.
  UTFILTER_API codec_progress operator()(text_piece in, char* out, std::size_t room, text_facts& facts) noexcept;
};
\\g<0>""")
    recipe.replaces("src/codecs/changes.cpp", r"\n}  // namespace utfilter::changes\n", r"""
codec_progress upper_case::operator()(text_piece in, char* out, std::size_t room, text_facts& facts) noexcept {
  const std::size_t n = in.fitting(room);
  for (std::size_t i = 0; i != n; ++i) {
    const bool is_small = in.text[i] >= 'a' && in.text[i] <= 'z';
    out[i] = is_small ? static_cast<char>(in.text[i] - 'a' + 'A') : in.text[i];
    facts.changes += is_small;
  }
  return in.progress(n, n);
}
\g<0>""")
    recipe.replaces("include/utfilter/text_filters.hpp", r"\n}  // namespace utfilter\n",
                    "\n/// See changes::upper_case.\nusing upper_case = text_filter<changes::upper_case>;\n\\\\g<0>".replace("\\\\", "\\"))
    checker = [sys.executable, "-B", tree.folder / "test/doc/fwd_test.py", tree.folder]
    check("fwd.hpp lacks upper_case" in run(*checker).stdout, "fwd_test does not miss the new filter")
    recipe.replaces("include/utfilter/fwd.hpp", r"struct strip_boms;\n", r"\g<0>struct upper_case;\n")
    recipe.replaces("include/utfilter/fwd.hpp", r"using strip_boms = .*\n",
                    r"\g<0>using upper_case = text_filter<changes::upper_case>;\n")
    said = run(*checker).stdout
    check(said.endswith(", 0 failed\n"), said)
    recipe.replaces("test/support/text_filter_rows.hpp", r'  use\("undo_mojibake".*\n',
                    r'\g<0>  use("upper_case", upper_case(), "a\\u00E9z"s, "A\\u00E9Z"s);\n')
    for file in "doc/filters.md", "README.md", "doc/promises.md", "CHANGELOG.md", "src/utfcat/filters.cpp":
        recipe.changes(file)
    tree.accepts("#include <utfilter/fwd.hpp>\n#include <utfilter/text_filters.hpp>\nutfilter::upper_case filter;\n")
    tree.compiles("src/codecs/changes.cpp")
    tree.runs(r"""
#include "support/text_filter_rows.hpp"
#include <utfilter/text_codec.hpp>
#undef NDEBUG
#include <cassert>

int main() {
  int rows = 0;
  text_filters::for_each_change([&](const std::string& name, const auto& change, const std::string& text, const std::string& changed) {
    if (name != "upper_case") return;
    ++rows;
    utfilter::text_codec codec{change};
    char out[64];
    const auto done = codec.transform(text.data(), text.size(), out, sizeof out, true);
    assert(std::string(out, done.produced) == changed && codec.facts().changes == 2);
  });
  assert(rows == 1);
}
""")


def option(tree):
    """An option --rot13 of utfcat, without its use."""
    recipe = Recipe(tree, "An option of utfcat.")
    recipe.replaces("src/utfcat/options.hpp", r"\n  bool quiet = false;", r"\g<0>\n  bool rot13 = false;")
    recipe.replaces("src/utfcat/option_rows.cpp", r"\n      option_row\('q', \"quiet\"", r"""
      option_row(0, "rot13", "", set_flag<&options::rot13>)
          .says("turn letters by thirteen places")
          .excludes({"check"}, "writes text"),\g<0>""")
    recipe.changes("CHANGELOG.md")
    for file in "option_rows.cpp", "options.cpp", "help.cpp":
        said = tree.compiler(f"src/utfcat/{file}", "-fsyntax-only", f"-I{tree.folder / 'src/utfcat'}")
        check(not said, f"{file}: {said}")
    named = [file.name for file in (SOURCE / "src/utfcat").rglob("*") if "names-only" in file.read_text(encoding="utf-8")]
    check(named == ["option_rows.cpp"], f"an option is named in {named}")


def lists():
    """Checks that no test lists the encodings: it takes them from the library, from the reference, or from the rows. And
    that no build lists the packages of the libraries."""
    rows = (SOURCE / "src/encodings/rows.inc").read_text(encoding="utf-8")
    several_bytes = re.findall(r"^UTFILTER_CJK_ROW\((\w+)\)", rows, re.MULTILINE)
    check(len(several_bytes) > 4, "there are no rows of Chinese, Japanese and Korean encodings")
    for file in sorted((SOURCE / "test").rglob("*.[ch]pp")):
        text = file.read_text(encoding="utf-8")
        check(file.name in HAS_ROWS or not all(re.search(rf"encoding::{name}\b", text) for name in several_bytes),
              f"{file.relative_to(SOURCE)} names every encoding of several bytes")
    packages = re.findall(r"\blib[\w+-]+-dev\b", (SOURCE / "cmake/libraries.txt").read_text(encoding="utf-8"))
    check(len(packages) > 15, "libraries.txt has no packages")
    builds = [file for pattern in ("CMakeLists.txt", "Jamfile") for file in SOURCE.glob(f"test/**/{pattern}")]
    for file in [SOURCE / "cmake/setup.sh", *builds]:
        named = [package for package in packages if package in file.read_text(encoding="utf-8")]
        check(not named, f"{file.relative_to(SOURCE)} names {named}, which cmake/libraries.txt has")


def names():
    """Checks that each name in code in the sections on layers and recipes is a file, or stands in the sources."""
    text = "".join(re.findall(r"^## (?:The layers|To add)$.*?(?=^## )", PAGE, re.MULTILINE | re.DOTALL))
    files = [file for folder in ("cmake", "doc", "include", "src", "test", "tools") for file in (SOURCE / folder).rglob("*")]
    paths = [f"/{file.relative_to(SOURCE).as_posix()}{'/' * file.is_dir()}" for file in [*files, *SOURCE.iterdir()]]
    words = {word for file in files if file.suffix in (*CODE, ".py") or file.name == "CMakeLists.txt"
             for word in re.findall(r"\w+", file.read_text(encoding="utf-8"))}
    for quoted, folder in re.findall(r"`([^`]+)`|^    ((?:src|include)/\w+/)", text, re.MULTILINE):
        name = (quoted or folder).removeprefix("// ").replace("recipe_NAME", "recipe_poco")
        if name.startswith("cmake "):
            continue
        is_code = "/" not in name and set(re.findall(r"\w+", name)) <= words
        check(is_code or any(path.endswith("/" + name) for path in paths),
              f"CONTRIBUTING.md names {name}, which does not exist")


def examples():
    limit = int(re.search(r"^    examples/ +programs of less than (\d+) lines", PAGE, re.MULTILINE)[1])
    for program in sorted((SOURCE / "examples").glob("**/*.cpp")):
        lines = len(program.read_text(encoding="utf-8").splitlines())
        check(lines < limit, f"{program.name} has {lines} lines")


names()
examples()
lists()
for recipe in policy, encodings, log_recipe, text_filter, option:
    with tempfile.TemporaryDirectory() as work:
        recipe(Tree(work))
finish(50)
