"""utf8check.py: gdb commands that tell whether a text of the program is well-formed UTF-8: `utf8check EXPRESSION` and
`$is_utf8(EXPRESSION)`.

They only read memory. So they work on a core dump, too, and in a program without this library. The decoder is Python's.
"""
import codecs

import gdb

PAGE = 1 << 12   # bytes; every page of a system is a multiple of it
PIECE = 1 << 16  # bytes read at once, at most
CONTEXT = 24     # bytes of text shown on each side of an error
SHORT = {"\0": "\\0", "\t": "\\t", "\n": "\\n", "\r": "\\r"}

# The messages of errc for ill-formed sequences. NEVER has the message for each byte with which no sequence begins.
# FORBIDDEN has, for a first byte, the second bytes that it forbids, and the message.
NEVER = {**dict.fromkeys(range(0x80, 0xC0), "unexpected continuation byte"), **dict.fromkeys((0xC0, 0xC1), "overlong encoding"),
         **dict.fromkeys(range(0xF5, 0xF8), "beyond U+10FFFF"), **dict.fromkeys(range(0xF8, 0xFE), "sequence of a forbidden length"),
         **dict.fromkeys((0xFE, 0xFF), "byte that no text contains")}
FORBIDDEN = {0xE0: (range(0x80, 0xA0), "overlong encoding"), 0xED: (range(0xA0, 0xC0), "encoded surrogate"),
             0xF0: (range(0x80, 0x90), "overlong encoding"), 0xF4: (range(0x90, 0xC0), "beyond U+10FFFF")}


class Text:
    """Bytes in the memory of the program. They are read only when they are needed."""

    def __init__(self, size, read):
        self.size, self._read = size, read

    def read(self, begin, end):
        begin, end = max(0, begin), min(end, self.size)
        return self._read(begin, end) if begin < end else b""

    def pieces(self):
        for begin in range(0, self.size, PIECE):
            yield self.read(begin, begin + PIECE)


class CString(Text):
    """The bytes from an address up to the first NUL. `size` is known after all pieces have been read."""

    def __init__(self, address):
        super().__init__(0, lambda begin, end: read_memory(address + begin, end - begin))
        self._address = address

    def pieces(self):
        """Each piece ends at the end of a page, because the next page may not exist. While memory can be read, each piece is
        twice as long as the last one, up to PIECE."""
        self.size, step, nul = 0, PAGE, -1
        while nul < 0:
            at = self._address + self.size
            try:
                piece = read_memory(at, step - at % PAGE)
            except gdb.MemoryError:
                if step == PAGE:
                    raise gdb.GdbError(f"has no NUL in what can be read, {self.size} bytes from {self._address:#x} on")
                step = PAGE
                continue
            nul = piece.find(0)
            piece = piece[:nul] if nul >= 0 else piece
            self.size += len(piece)
            step = min(2 * step, PIECE)
            yield piece


class Survey:
    """Counts the characters and the errors of a text, and finds the places of the first error (`first`) and of the first
    NUL (`nul`): None if there is none."""

    def __init__(self, text):
        self.text, self.characters, self.errors, self.nul = text, 0, 0, None
        self.first, self.wrong, self.line, self.column = None, 0, 1, 1
        codecs.register_error("utf8check", self._ill_formed)
        decoder = codecs.getincrementaldecoder("utf-8")("utf8check")
        self._begin = done = 0
        for piece in text.pieces():
            if self.nul is None and 0 in piece:
                self.nul = done + piece.index(0)
            self._begin = done - len(decoder.getstate()[0])
            done += len(piece)
            self._take(decoder.decode(piece))
        self._begin = done - len(decoder.getstate()[0])
        self._take(decoder.decode(b"", final=True))
        self.characters -= self.errors

    def _take(self, good):
        self.characters += len(good)
        self._advance(good)

    def _ill_formed(self, error):
        """Python calls this for each error: a maximal subpart (Unicode D93b). U+FFFD replaces each error."""
        self.errors += 1
        if self.first is None:
            self._advance(error.object[:error.start].decode())
            self.first, self.wrong = self._begin + error.start, error.end - error.start
        return "\uFFFD", error.end

    def _advance(self, good):
        """Moves line and column over well-formed text, up to the first error. A byte order mark takes no column."""
        if self.first is not None:
            return
        if self._begin == 0 and good.startswith("\uFEFF"):
            good = good[1:]
        self.line += good.count("\n")
        self.column = len(good) - good.rfind("\n") if "\n" in good else self.column + len(good)

    def error(self):
        """The first error, in the words of utfilter::to_string."""
        data = self.text.read(self.first, self.first + self.wrong + 1)
        wrong, after = data[:self.wrong], data[self.wrong:]
        if wrong[0] in NEVER:
            what = NEVER[wrong[0]]
        elif not after:
            what = "incomplete at the end of the input"
        else:
            seconds, what = FORBIDDEN.get(wrong[0], ((), ""))
            if len(wrong) > 1 or after[0] not in seconds:
                what = "truncated sequence"
        hint = f" (looks like UTF-16{'LE' if wrong[0] == 0xFF else 'BE'})" if self.first == 0 and wrong[0] >= 0xFE else ""
        return f"line {self.line}, column {self.column} (byte {self.first}): {what}: {wrong.hex(' ').upper()}{hint}"

    def surroundings(self):
        """The text before and after the first error, and between them the bytes of the error."""
        end = self.first + self.wrong
        before, wrong, after = (self.text.read(*place) for place in ((self.first - CONTEXT, self.first), (self.first, end), (end, end + CONTEXT)))
        complete = end + CONTEXT >= self.text.size
        after, _ = codecs.utf_8_decode(after, "backslashreplace", complete)
        cut = "..." if self.first > CONTEXT else ""
        return f"{cut}{quoted(before.decode('utf-8', 'ignore'))} {wrong.hex(' ').upper()} {quoted(after)}{'' if complete else '...'}"


def quoted(text):
    """The text in quotes, with escapes for characters that are not printable."""
    return '"' + "".join(c if c.isprintable() else SHORT.get(c, f"\\u{{{ord(c):04X}}}") for c in text) + '"'


def counted(number, what):
    return f"{number} {what}{'s' * (number != 1)}"


# ------------------------------------------------------------------------------------------------- texts of the program

TAKES = "utf8check takes an array of char (also *pointer@length), a char* (up to its NUL), a std::string or a std::string_view of libstdc++"


def is_byte(kind):
    return kind.sizeof == 1 and kind.code in (gdb.TYPE_CODE_CHAR, gdb.TYPE_CODE_INT)


def read_memory(address, size):
    return bytes(gdb.selected_inferior().read_memory(address, size))


def memory(address, size):
    """The text of `size` bytes at an address."""
    def read(begin, end):
        try:
            return read_memory(address + begin, end - begin)
        except gdb.MemoryError:
            raise gdb.GdbError(f"has {size} bytes at {address:#x}, of which those from byte {begin} on cannot be read: is it initialised?")
    return Text(size, read)


def pointer_in(value):
    """The pointer that a value is, or begins with. In a std::string a struct is around the pointer; in most files clang++
    leaves out the debug information of that struct."""
    if value.address is None:
        return int(value["_M_p"] if value.type.strip_typedefs().code == gdb.TYPE_CODE_STRUCT else value)
    pointer = gdb.lookup_type("void").pointer()
    return int(value.address.cast(pointer.pointer()).dereference())


def text_of(value):
    """The text that a value of the program holds. Raises GdbError, with the reason, if it holds none."""
    kind = value.type.strip_typedefs()
    if kind.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
        return text_of(value.referenced_value())
    if value.is_optimized_out:
        raise gdb.GdbError("has been optimized out")
    kind = kind.unqualified()
    if kind.code == gdb.TYPE_CODE_ARRAY and is_byte(kind.target().strip_typedefs()):
        low, high = kind.range()
        if value.address is not None:
            return memory(int(value.address), high - low + 1)
        data = bytes(int(value[i]) & 0xFF for i in range(low, high + 1))  # a value that gdb made
        return Text(len(data), lambda begin, end: data[begin:end])
    if kind.code == gdb.TYPE_CODE_PTR and is_byte(kind.target().strip_typedefs()):
        if int(value) == 0:
            raise gdb.GdbError("is a null pointer")
        return CString(int(value))
    if kind.code == gdb.TYPE_CODE_STRUCT:
        fields = {field.name for field in kind.fields()}
        for pointer, size in (("_M_dataplus", "_M_string_length"), ("_M_str", "_M_len")):  # a std::string, a std::string_view
            if {pointer, size} <= fields and is_byte(kind.template_argument(0).strip_typedefs()):
                return memory(pointer_in(value[pointer]), int(value[size]))
    raise gdb.GdbError(f"is of type {value.type}; {TAKES}")


class Utf8Check(gdb.Command):
    """utf8check EXPRESSION: tells whether a text of the program is well-formed UTF-8, and if not, where and why.

EXPRESSION is an array of char (also *POINTER@LENGTH), a char* (up to its NUL), a std::string or a std::string_view.
The command only reads memory, so it works on a core dump, too.
Use $is_utf8(EXPRESSION) in conditions: break f if !$is_utf8(name)"""

    def __init__(self):
        super().__init__("utf8check", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument, from_tty):
        if not argument:
            raise gdb.GdbError(TAKES)
        try:
            text = text_of(gdb.parse_and_eval(argument))
            found = Survey(text)
        except gdb.GdbError as error:
            raise gdb.GdbError(f"{argument} {error}")
        except gdb.error as error:
            raise gdb.GdbError(str(error))
        nul = f"; its first NUL is byte {found.nul}" if found.nul is not None and found.nul + 1 < text.size else ""
        if found.first is None:
            print(f"{argument}: well-formed UTF-8: {counted(text.size, 'byte')}, {counted(found.characters, 'character')}{nul}")
        else:
            after = "after its NUL " if found.nul is not None and found.nul < found.first else ""
            print(f"{argument}: ill-formed UTF-8 {after}at {found.error()}")
            print(f"  {found.surroundings()}")
            print(f"  {counted(found.errors, 'error')} in {counted(text.size, 'byte')}{nul}")


class IsUtf8(gdb.Function):
    """$is_utf8(EXPRESSION): 1 if the text is well-formed UTF-8, else 0. EXPRESSION is as for utf8check."""

    def __init__(self):
        super().__init__("is_utf8")

    def invoke(self, *values):
        if len(values) != 1:
            raise gdb.GdbError(f"$is_utf8 takes one argument, a text as utf8check takes it, and not {len(values)}: $is_utf8(name)")
        try:
            return int(Survey(text_of(values[0])).first is None)
        except gdb.GdbError as error:
            raise gdb.GdbError(f"$is_utf8: the text {error}")
        except gdb.error as error:  # gdb reads values late, so reading may fail here; gdb shows an uncaught error as "Python Exception"
            raise gdb.GdbError(f"$is_utf8: {error}")


Utf8Check()
IsUtf8()
