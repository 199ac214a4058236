"""The recipes of a page for pre-commit and for GitHub, as the page shows them, in a git repository.

utfcat_ci_test.py UTFCAT PAGE [--all]: the recipes stand in the section "A check in CI" of the page. Both pass clean
text in many languages, leave out binary files, and name each file that has something wrong, with its line. Without
--all, tests whose programs are not installed are left out; with --all, that is a failure. Nothing of the user's
configuration has an effect here, and nothing uses the network.
"""

import json
import os
import re
import shutil
import struct
import subprocess
import tempfile
import zlib

from utfcat_cases import OTHER as PAGE, UTFCAT, check, installed, python_with, run, run_tests, write

with open(PAGE, encoding="utf-8") as page:
    SECTION = re.search(r"^## A check in CI\n(.*?)(?=^## |\Z)", page.read(), re.MULTILINE | re.DOTALL)[1]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LANGUAGES = [language for language, _ in BLOCK.findall(SECTION)]
assert LANGUAGES == ["yaml", "sh", "yaml", "gitattributes"], LANGUAGES
HOOKS, COMMANDS, STEP, ATTRIBUTES = [block for _, block in BLOCK.findall(SECTION)]
CODE_IN_TEXT = re.findall(r"`([^`\n]+)`", BLOCK.sub("", SECTION))
LIST = "long-line,no-break-space,unfinished-line"
FILES_OF_STEP = "git grep -zlI ''"
# What GitHub runs if a step has this `shell`.
SHELLS = {"bash": ["bash", "--noprofile", "--norc", "-eo", "pipefail"], None: ["bash", "-e"]}

for variable in list(os.environ):
    # git sets some of them if one of its hooks runs this test. SKIP names hooks that pre-commit leaves out.
    if variable.startswith(("GIT_", "PRE_COMMIT")) or variable == "SKIP":
        del os.environ[variable]
os.environ.update(PATH=f"{os.path.dirname(UTFCAT)}:{os.environ['PATH']}", LC_ALL="C.UTF-8", GIT_CONFIG_NOSYSTEM="1",
                  GIT_CEILING_DIRECTORIES=os.path.realpath(tempfile.gettempdir()))


def picture():
    """A PNG of 4 by 4 pixels."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 4, 4, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress((b"\0" + b"\1\2\3" * 4) * 4)) + chunk(b"IEND", b""))


PICTURES = {"logo.png": picture(), "a folder/picture": picture()}
TEXTS = {
    "README.md": "# Text\n\nIn English: “quoted” — naïve café.\n".encode(),
    "src/main.c": b"int main(void) {\n\treturn 0;\n}\n",
    "doc/русский.txt": "Съешь же ещё этих мягких французских булок.\n".encode(),
    "doc/Ελληνικά.txt": "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία.\n".encode(),
    "doc/polski.txt": "Zażółć gęślą jaźń.\n".encode(),
    "doc/français.txt": "« Où est l’été\u00a0? »\n".encode(),
    "doc/العربية.txt": "نص حكيم له سر قاطع\n".encode(),
    "doc/فارسی.txt": "می\u200cخواهم\n".encode(),
    "doc/עברית.txt": "דג סקרן שט בים\n".encode(),
    "doc/हिन्दी.txt": "ऋषियों को सताने वाले\n".encode(),
    "doc/ไทย.txt": "เป็นมนุษย์สุดประเสริฐ\n".encode(),
    "doc/日本語.txt": "いろはにほへと ちりぬるを 漢字\n".encode(),
    "doc/한국어.txt": "키스의 고유조건은\n".encode(),
    "doc/emoji.txt": "\U0001f469\u200d\U0001f467 \u2764\ufe0f \U0001f1eb\U0001f1f7\n".encode(),
    "doc/utf16.txt": "\ufeffcafé\n".encode("utf-16-le"),
    "windows/crlf.txt": b"a\r\nb\r\n",
    "windows/mark.txt": b"\xef\xbb\xbfa\r\n",
    "empty.txt": b"",
    "unfinished.txt": b"no line end",
    "long.txt": b"x" * 3000 + b"\n",
    "name with  spaces.txt": b"a\n",
    "line\nfeed.txt": b"a\n",
    "--quiet.txt": b"a\n",
    "a,b:c%d'\".txt": b"a\n",
    ".gitattributes": ATTRIBUTES.encode(),
    ".pre-commit-config.yaml": HOOKS.encode(),
}

# Each with its findings: the kind, the line and the column.
BAD = {
    "U+202E, not closed": ("a\nif (admin) \u202e{\n".encode(), [("bidi-control", 2, 12), ("open-bidi", 2, 14)]),
    "NUL": (b"a\nb\0c\n", [("nul", 2, 2)]),
    "an ill-formed byte": (b"a\nb\ncaf\xe9\n", [("ill-formed", 3, 4)]),
    "mojibake": ("a\ncafÃ©\n".encode(), [("mojibake", 2, 4)]),
    "a zero-width space": ("a\nb\u200bc\n".encode(), [("invisible", 2, 2)]),
    "a byte order mark inside": ("a\nb\n\ufeffc\n".encode(), [("mark-inside", 3, 1)]),
    "line ends of two kinds": (b"a\nb\r\nc\n", [("mixed-line-ends", 2, 2)]),
}
BAD_NAME = "doc/bad, 100%:\nname.txt"
MARK = "\u05d0\u200f!\n".encode()  # a right-to-left mark, as Hebrew text may have it


def git(*arguments):
    subprocess.run(["git", *arguments], check=True, capture_output=True)


def make_repository(files):
    """Makes the current folder a repository with these files, and with a bad file that git does not know."""
    os.environ.update(HOME=f"{os.getcwd()}/.git", XDG_CONFIG_HOME=f"{os.getcwd()}/.git",
                      PRE_COMMIT_HOME=f"{os.getcwd()}/.git/pre-commit")
    git("init", "--quiet", "--template=")
    git("config", "user.name", "A")
    git("config", "user.email", "a@example.org")
    add(files)
    write(b"\xff", "untracked.txt")


def add(files):
    for name, data in files.items():
        write(data, name)
    git("add", "--", *files)


def remove(name):
    git("rm", "--quiet", "--force", "--", name)


def with_invisible_ends(files):
    """These files, each with a character at its end that nobody sees. The files of settings get it in a comment."""
    def end_of(name, data):
        code = "utf-16-le" if data.startswith(b"\xff\xfe") else "utf-8"
        return ("\n#\u200b\n" if name.startswith(".") else "\u200b\n").encode(code)

    return {name: data + end_of(name, data) for name, data in files.items()}


def code_in_text(start):
    """The code in the section's text that begins so."""
    (code,) = {code for code in CODE_IN_TEXT if code.startswith(start)}
    return code


def with_longer_list(recipe):
    check("the recipe allows the kinds", LIST in recipe, True)
    return recipe.replace(LIST, f"{code_in_text('bidi-control')},{LIST}")


# ----------------------------------------------------------------------------------------------------------- pre-commit
def has_pre_commit():
    return installed("git", shutil.which("git")) and installed("pre-commit", shutil.which("pre-commit"))


def line_of_commands(word):
    (line,) = [line for line in COMMANDS.splitlines() if word in line.split()]
    return ["bash", "-c", line]


def shown(name):
    """The name as utfcat writes it."""
    return name.replace("\n", "\\x0A")


def run_pre_commit():
    """The status, the findings as (name as shown, line, column), and the output."""
    done = subprocess.run(line_of_commands("run"), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    out = done.stdout.decode()
    found = re.findall(r"^(.+?):(\d+):(\d+): byte \d+: ", out, re.MULTILINE)
    return done.returncode, sorted((name, int(line), int(column)) for name, line, column in found), out


def test_pre_commit_passes_clean_files():
    if has_pre_commit():
        make_repository({**TEXTS, **PICTURES})
        status, found, out = run_pre_commit()
        check(("clean", out), (status, found, "Passed" in out), (0, [], True))


def test_pre_commit_looks_at_each_text_file():
    if has_pre_commit():
        make_repository({**with_invisible_ends(TEXTS), **PICTURES})
        status, found, _ = run_pre_commit()
        check("bad", (status, {name for name, _, _ in found}), (1, set(map(shown, TEXTS))))


def test_pre_commit_names_bad_files():
    if has_pre_commit():
        make_repository({**TEXTS, **PICTURES})
        for what, (data, findings) in BAD.items():
            add({BAD_NAME: data})
            status, found, out = run_pre_commit()
            check((what, out), (status, found, "exit code: 1\n" in out),
                  (1, [(shown(BAD_NAME), line, column) for _, line, column in findings], True))
            remove(BAD_NAME)


def test_a_commit_checks_only_its_files():
    if not has_pre_commit():
        return
    make_repository({**TEXTS, **PICTURES, "old.txt": b"\xff\n"})
    git("commit", "--quiet", "-m", "before the check")
    subprocess.run(line_of_commands("install"), check=True, capture_output=True)
    for name, data, is_bad in (("bad.txt", b"a\0\n", True), ("good.txt", b"a\n", False)):
        add({name: data})
        done = subprocess.run(["git", "commit", "-m", name], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        out = done.stdout.decode()
        check((name, out), (done.returncode != 0, f"\n{name}:1:2: byte 1: NUL" in out, "old.txt" in out),
              (is_bad, is_bad, False))
        remove(name)


def test_pre_commit_allows_a_kind_in_one_folder():
    if not has_pre_commit():
        return
    first = HOOKS + " " * 8 + code_in_text("exclude: ") + "\n"
    hook = HOOKS[HOOKS.index("      - id: "):]
    second = with_longer_list(hook).replace("id: utfcat", "id: utfcat-2") + " " * 8 + code_in_text("files: ") + "\n"
    make_repository({**TEXTS, "locale/he.txt": MARK})
    check("one hook", run_pre_commit()[:2], (1, [("locale/he.txt", 1, 2)]))
    add({".pre-commit-config.yaml": (first + second).encode()})
    status, found, out = run_pre_commit()
    check(("two hooks", out), (status, found, out.count("Passed")), (0, [], 2))
    add({"other/he.txt": MARK, "locale/nul.txt": b"\0\n"})
    check("another folder, another kind", run_pre_commit()[:2],
          (1, [("locale/nul.txt", 1, 1), ("other/he.txt", 1, 2)]))


# --------------------------------------------------------------------------------------------------------------- GitHub
PYTHON_WITH_YAML = python_with("yaml")  # Debian's has it if pre-commit is installed


def has_step():
    return installed("git", shutil.which("git")) and installed("PyYAML", PYTHON_WITH_YAML)


def read_yaml(text):
    program = "import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin.buffer), sys.stdout)"
    return json.loads(subprocess.run([PYTHON_WITH_YAML, "-c", program], input=text.encode(), capture_output=True,
                                     check=True).stdout)


def decoded(text):
    """What GitHub reads in a property of an annotation."""
    for code, c in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, c)
    return text


def run_step(recipe=STEP):
    """Runs the step as GitHub does. The status, the annotations as (name, kind, line, column), and the output."""
    (step,) = read_yaml(recipe)
    check("the keys of the step", set(step) - {"shell"}, {"name", "run"})
    with tempfile.NamedTemporaryFile("w", suffix=".sh", encoding="utf-8") as script:
        script.write(step["run"])
        script.flush()
        done = subprocess.run([*SHELLS[step.get("shell")], script.name], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    found = []
    for line in done.stdout.decode().splitlines():
        annotation = re.fullmatch(r"::(?:error|warning) file=([^,:]+),line=(\d+),col=(\d+),title=([^,:]+)::.+", line)
        check(("an annotation", line), annotation is not None, True)
        if annotation:
            name, at_line, column, kind = annotation.groups()
            found.append((decoded(name), decoded(kind), int(at_line), int(column)))
    return done.returncode, sorted(found), (done.stdout + done.stderr).decode()


def test_the_step_passes_clean_files():
    if has_step():
        make_repository({**TEXTS, **PICTURES})
        check("clean", run_step(), (0, [], ""))


def test_the_step_looks_at_each_text_file():
    if has_step():
        make_repository({**with_invisible_ends(TEXTS), **PICTURES})
        status, found, _ = run_step()
        check("bad", (status, {name for name, _, _, _ in found}), (123, set(TEXTS)))


def test_the_step_names_bad_files():
    if has_step():
        make_repository({**TEXTS, **PICTURES})
        for what, (data, findings) in BAD.items():
            add({BAD_NAME: data})
            status, found, out = run_step()
            check((what, out), (status, found), (123, [(BAD_NAME, *finding) for finding in findings]))
            remove(BAD_NAME)


def test_the_step_finds_nul_where_attributes_say_text():
    if has_step():
        make_repository({**TEXTS, "nul.txt": b"a\0b\n"})
        check("with .gitattributes", run_step()[:2], (123, [("nul.txt", "nul", 1, 2)]))
        remove(".gitattributes")
        check("without", run_step()[:2], (0, []))


def test_the_step_fails_if_git_fails():
    if has_step():
        status, found, out = run_step()
        check(("no repository", out), (status != 0, found, "not a git repository" in out), (True, [], True))


def test_the_step_allows_a_kind_in_one_folder():
    if not has_step():
        return
    commands = [code for code in CODE_IN_TEXT if code.startswith(FILES_OF_STEP + " ")]
    check("commands for folders", (len(commands), FILES_OF_STEP in STEP), (2, True))
    first, second = (STEP.replace(FILES_OF_STEP, command) for command in commands)
    second = with_longer_list(second)
    make_repository({**TEXTS, "locale/he.txt": MARK})
    check("one step", run_step()[:2], (123, [("locale/he.txt", "bidi-control", 1, 2)]))
    check("the first of two", run_step(first), (0, [], ""))
    check("the second of two", run_step(second), (0, [], ""))
    add({"other/he.txt": MARK, "locale/nul.txt": b"\0\n"})
    check("another folder", run_step(first)[:2], (123, [("other/he.txt", "bidi-control", 1, 2)]))
    check("another kind", run_step(second)[:2], (123, [("locale/nul.txt", "nul", 1, 1)]))


# --------------------------------------------------------------------------------------------------------------- utfcat
def test_the_kinds_on_the_page():
    kinds = re.sub("[.,]", " ", run("--help", "fail-on")[1].decode()).split()
    in_text = map(code_in_text, ("c0-control", "private-use", "bidi-control"))
    for kind in (*LIST.split(","), *in_text):
        check(("--help names", kind), kind in kinds, True)


def test_the_statuses_on_the_page():
    """A picture would fail, so it matters that the recipes leave it out."""
    write(PICTURES["logo.png"], "logo.png")
    write(b"a\n", "a.txt")
    for status, *arguments in ((0, "a.txt"), (1, "logo.png"), (2, "missing.txt"), (2, "--fail-on", "x", "a.txt")):
        check(arguments, run("--inspect", "--fail-on", "any", *arguments)[0], status)


run_tests(globals(), at_least=80 if has_pre_commit() and has_step() else 10)
