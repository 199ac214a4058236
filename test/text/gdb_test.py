"""gdb_test.py: tests utf8check and $is_utf8 in gdb, on gdb_program stopped in stop_here. Run it by `gdb --batch -x`."""
import pathlib
import sys
import tempfile
import time
import traceback

import gdb

SCRIPT = pathlib.Path(__file__).parents[2] / "src" / "gdb" / "utf8check.py"
cases = failed = 0


def expect(what, got, expected):
    global cases, failed
    cases += 1
    if got != expected:
        failed += 1
        print(f"{what}:\n  got      {got!r}\n  expected {expected!r}")


def told(command):
    """The lines that gdb prints, or its error message."""
    try:
        return gdb.execute(command, to_string=True).splitlines()
    except gdb.error as error:
        return [f"error: {error}"]


def on_every_example():
    size = int(gdb.parse_and_eval("size"))
    for i in range(size):
        error = gdb.parse_and_eval(f"examples[{i}].error").string()
        first = told(f"utf8check examples[{i}].text")[0].replace(" after its NUL", "")
        expect(f"example {i}", first.partition(" at ")[2] if error else first.partition(":")[2].partition(":")[0], error or " well-formed UTF-8")
        expect(f"$is_utf8 of example {i}", int(gdb.parse_and_eval(f"$is_utf8(examples[{i}].text)")), int(not error))
    expect("examples", size > 6000, True)


def on_variables():
    gdb.selected_frame().older().select()
    takes = "utf8check takes an array of char (also *pointer@length), a char* (up to its NUL), a std::string or a std::string_view of libstdc++"
    text = ["ill-formed UTF-8 at line 1, column 6 (byte 7): overlong encoding: C0", '  "grüß " C0 "\\x80 dich"', "  2 errors in 14 bytes"]
    for name, lines in {
            "text": text, "reference": text, "view": text, "*&view": text,
            "pointer": ["ill-formed UTF-8 at line 2, column 1 (byte 6): encoded surrogate: ED", '  "café\\n" ED "\\xa0\\x80"', "  3 errors in 9 bytes"],
            "last_of_memory": ["well-formed UTF-8: 200000 bytes, 200000 characters"],
            "last_of_memory + 200000": ["well-formed UTF-8: 0 bytes, 0 characters"],
            "*pointer@5": ["well-formed UTF-8: 5 bytes, 4 characters"],
            "*pointer@4": ["ill-formed UTF-8 at line 1, column 4 (byte 3): incomplete at the end of the input: C3", '  "caf" C3 ""',
                           "  1 error in 4 bytes"],
            "room": ["ill-formed UTF-8 after its NUL at line 1, column 11 (byte 10): unexpected continuation byte: 80",
                     '  "well\\0\\0\\0\\0\\0\\0" 80 "\\0\\0\\0\\0\\0"', "  1 error in 16 bytes; its first NUL is byte 4"],
            "*room@10": ["well-formed UTF-8: 10 bytes, 10 characters; its first NUL is byte 4"],
            "bytes": ["ill-formed UTF-8 at line 1, column 2 (byte 3): incomplete at the end of the input: E2 82", '  "€" E2 82 ""', "  1 error in 5 bytes"],
            "controls": ["ill-formed UTF-8 at line 1, column 7 (byte 8): byte that no text contains: FF",
                         '  "\\u{001B}[31m\\u{202E}" FF "\\u{0007}\\0"', "  1 error in 11 bytes"],
            '"literal"': ["well-formed UTF-8: 8 bytes, 8 characters"],
    }.items():
        expect(name, told(f"utf8check {name}"), [f"{name}: {lines[0]}", *lines[1:]])
    for name, error in {
            "null": "null is a null pointer",
            "units": f"units is of type const std::u16string; {takes}",
            "wide": f"wide is of type const wchar_t [4]; {takes}",
            "number": f"number is of type const int; {takes}",
            "letters": f"letters is of type const std::vector<char, std::allocator<char> >; {takes}",
            "main": f"main is of type int (void); {takes}",
            "": takes,
            "absent": 'No symbol "absent" in current context.',
            "nowhere": "nowhere has 1000 bytes at 0x10, of which those from byte 0 on cannot be read: is it initialised?",
            "(char*)16": "(char*)16 has no NUL in what can be read, 0 bytes from 0x10 on",
            "without_nul": f"without_nul has no NUL in what can be read, 200001 bytes from {int(gdb.parse_and_eval('without_nul')):#x} on",
    }.items():
        expect(name or "nothing", told(f"utf8check {name}".strip()), [f"error: {error}"])
    for arguments, error in {
            "": "takes one argument, a text as utf8check takes it, and not 0: $is_utf8(name)",
            "text, 2": "takes one argument, a text as utf8check takes it, and not 2: $is_utf8(name)",
            "null": ": the text is a null pointer",
            "number": f": the text is of type const int; {takes}",
            "*(char**)16": ": Cannot access memory at address 0x10",
    }.items():
        expect(f"$is_utf8({arguments})", told(f"print $is_utf8({arguments})"), [f"error: $is_utf8{' ' * (error[0] != ':')}{error}"])
    expect("one of each", told("utf8check *pointer@1"), ["*pointer@1: well-formed UTF-8: 1 byte, 1 character"])


def on_long_texts():
    """Checking a text that is eight times as long takes about eight times the time, not 64 times. Few calls read memory."""
    global read_memory
    reads, seconds, really_read = {}, {}, read_memory

    def counting(address, size):
        reads[name] += 1
        return really_read(address, size)
    read_memory = counting  # utf8check.py's own function: gdb runs all scripts in one module
    for name, size in {"large": 3 << 22, "eighth": 3 << 19}.items():
        reads[name] = 0
        expect(name, told(f"utf8check {name}"), [f"{name}: well-formed UTF-8: {size} bytes, {size // 3} characters"])
        expect(f"{name}: enough reads, and not too many: {reads[name]}", size >> 16 <= reads[name] <= (size >> 16) + 10, True)
        seconds[name] = []
        for _ in range(5):
            begin = time.process_time()
            expect(f"$is_utf8({name})", int(gdb.parse_and_eval(f"$is_utf8({name})")), 1)
            seconds[name].append(time.process_time() - begin)
    read_memory = really_read
    expect(f"the time grows with the text: {seconds}", min(seconds["large"]) < 5 * 8 * min(seconds["eighth"]), True)


def on_a_core_dump():
    with tempfile.TemporaryDirectory() as directory:
        gdb.execute(f"generate-core-file {directory}/core", to_string=True)
        gdb.execute("kill", to_string=True)
        gdb.execute(f"core-file {directory}/core", to_string=True)
        on_variables()
        gdb.execute("core-file", to_string=True)


try:
    # gdb's output is UTF-8 in any locale. Newer versions decode it to a string only if the host charset says so.
    for command in ("set host-charset UTF-8", f"source {SCRIPT}", "break stop_here", "run"):
        gdb.execute(command, to_string=True)
    on_every_example()
    on_variables()
    on_long_texts()
    on_a_core_dump()
except BaseException:
    traceback.print_exc()
    failed += 1
print(f"{cases} cases, {failed} failed")
sys.stdout.flush()
gdb.execute(f"quit {int(failed != 0 or cases == 0)}")
