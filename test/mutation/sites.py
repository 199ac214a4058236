"""sites.py: finds the places where C++ sources can be changed, and the changes; writes sources with each change as a
choice at run time.

It is a tokenizer, not a compiler: it relies on the project's formatting (an operator with two operands has spaces
around it, the angle brackets of templates have none inside). Its mistakes do not compile, and mutate.py leaves them
out. Comments, strings and preprocessor lines are never changed.
"""
import bisect
import dataclasses
import re



def files_of_library(root):
    """The source files in src/ and include/, as paths from root; not those of utfcat, which is a program."""
    files = [file.relative_to(root) for folder in ("include", "src") for file in sorted((root / folder).rglob("*"))
             if file.suffix in (".hpp", ".cpp", ".inc")]
    return [str(file) for file in files if file.parts[:2] != ("src", "utfcat")]


PRECEDENCE = {op: level for level, ops in enumerate((
    ("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="), ("?",), ("||",), ("&&",), ("|",), ("^",), ("&",),
    ("==", "!="), ("<", "<=", ">", ">="), ("<<", ">>"), ("+", "-"), ("*", "/", "%")), 1) for op in ops}
COMPARISONS = {"<", "<=", ">", ">=", "==", "!=", "&&", "||"}
REPLACEMENTS = {
    "<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"), "==": ("!=",), "!=": ("==",),
    "&&": ("||",), "||": ("&&",), "+": ("-",), "-": ("+",), "*": ("/",), "/": ("*",), "%": ("*",),
    "&": ("|",), "|": ("&",), "^": ("|",), "<<": (">>",), ">>": ("<<",),
    "+=": ("-=",), "-=": ("+=",), "*=": ("/=",), "&=": ("|=",), "|=": ("&=",), "^=": ("|=",), "<<=": (">>=",), ">>=": ("<<=",),
    "++": ("--",), "--": ("++",)}
# The operation in the middle of a vector instruction's name, and the one that replaces it.
INSTRUCTIONS = [(re.compile(rf"^(_mm(?:256|512)?_(?:mask_|maskz_)?){old}(_\w+)$"), rf"\g<1>{new}\g<2>") for old, new in (
    ("add", "sub"), ("sub", "add"), ("subs", "adds"), ("and", "or"), ("or", "and"), ("xor", "or"), ("andnot", "and"),
    ("min", "max"), ("max", "min"), ("cmpeq", "cmpgt"), ("cmpneq", "cmpeq"), ("cmpgt", "cmpeq"), ("cmpge", "cmpgt"),
    ("cmplt", "cmple"), ("slli", "srli"), ("srli", "slli"), ("unpacklo", "unpackhi"), ("unpackhi", "unpacklo"),
    ("packs", "packus"), ("packus", "packs"), ("test", "testn"), ("testn", "test"))]

NOT_STATEMENTS = {"if", "for", "while", "do", "switch", "else", "case", "default", "try", "catch", "using", "static_assert", "constexpr",
                  "const", "auto", "static", "struct", "class", "enum", "union", "template", "typedef", "alignas", "goto", "asm",
                  "public", "private", "protected", "inline", "extern", "friend", "namespace"}
KEYWORDS = {"return", "throw", "case", "else", "do", "new", "delete", "sizeof", "co_return", "goto", "operator"}
NUMBER = r"(?:0[xX][0-9a-fA-F']+|0[bB][01']+|\d[\d']*)[uUlLzZ]*"

TOKEN = re.compile(r"""
    (?P<space>\s+)
  | (?P<comment>//(?:[^\n\\]|\\.|\\\n)*|/\*.*?\*/)
  | (?P<raw>(?:u8|[uUL])?R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)")
  | (?P<string>(?:u8|[uUL])?"(?:[^"\\\n]|\\.)*"\w*)
  | (?P<char>(?:u8|[uUL])?'(?:[^'\\\n]|\\.)+')
  | (?P<number>\.?\d(?:[eEpP][+-]|'[0-9a-zA-Z]|[\w.])*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<op><<=|>>=|\.\.\.|->\*|::|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[-+*/%&|^~!<>=?:;,.(){}\[\]\#@\\])
""", re.VERBOSE | re.DOTALL)


@dataclasses.dataclass
class Token:
    kind: str
    text: str
    start: int
    end: int
    spaced_before: bool = False
    spaced_after: bool = False


@dataclasses.dataclass
class Site:
    """A part of a source, and the texts that may replace it."""
    start: int
    end: int
    changes: list        # (name of the change, the replacing text; None for nothing)
    # run: code that runs; constexpr: in a constexpr function, which may run; table: in a function that only the compiler
    # runs; constant: a value that the compiler computes.
    flavour: str
    frame: tuple = ("", "")   # text before and after the original
    order: int = 0       # of sites with the same text, the lowest is the outer one
    numbers: list = dataclasses.field(default_factory=list)


def tokens_of(source):
    """All tokens except spaces; a preprocessor line is one token."""
    tokens, at, fresh_line = [], 0, True
    while at < len(source):
        if fresh_line and (line := re.compile(r"[ \t]*#(?:[^\n\\]|\\.|\\\n)*", re.DOTALL).match(source, at)):
            tokens.append(Token("directive", line.group(), line.start(), line.end()))
            at = line.end()
            continue
        match = TOKEN.match(source, at)
        if not match:
            raise ValueError(f"no token at {source[at:at + 40]!r}")
        kind = "string" if match.lastgroup in ("raw", "mark") else match.lastgroup
        if kind == "space":
            fresh_line = "\n" in match.group()
        else:
            tokens.append(Token(kind, match.group(), match.start(), match.end()))
            fresh_line = False
        at = match.end()
    for token in tokens:
        token.spaced_before = token.start == 0 or source[token.start - 1].isspace()
        token.spaced_after = token.end == len(source) or source[token.end].isspace()
    return tokens


class Source:
    """A source, its brackets with their kinds, and its sites."""

    def __init__(self, text):
        self.text = text
        self.lines = [0] + [m.end() for m in re.finditer("\n", text)]
        self.tokens = [t for t in tokens_of(text) if t.kind not in ("comment", "directive")]
        self.unchanged = [t for t in tokens_of(text) if t.kind in ("comment", "directive")]
        self.directives = [t.start for t in self.unchanged if t.kind == "directive"]
        self.pair, self.up = {}, {}
        self._match()
        self.kind = {}
        self._name_braces()
        self.flavour = [None] * len(self.tokens)
        self._find_flavours()
        self.sites = []
        self._find_sites()

    def line_of(self, offset):
        return bisect.bisect_right(self.lines, offset)

    def whole_lines(self, line):
        """The beginning and end of all lines of the statement that this line belongs to."""
        def ends(number):
            code = self.text[self.lines[number - 1]:self.end_of(number)].split("//")[0].strip()
            if code.startswith("for (") and code.count("(") > code.count(")"):
                return False
            return not code or code[0] == "#" or code[-1] in ";{}:" or code.endswith("},")
        first = last = line
        while first > 1 and not ends(first - 1):
            first -= 1
        while last < len(self.lines) and not ends(last):
            last += 1
        return self.lines[first - 1], self.end_of(last)

    def end_of(self, line):
        end = self.text.find("\n", self.lines[line - 1])
        return len(self.text) if end < 0 else end

    def is_op(self, i, *texts):
        return 0 <= i < len(self.tokens) and self.tokens[i].kind == "op" and self.tokens[i].text in texts

    def is_name(self, i, *texts):
        return 0 <= i < len(self.tokens) and self.tokens[i].kind == "name" and (not texts or self.tokens[i].text in texts)

    # --------------------------------------------------------------------------------------------------------- brackets

    def _match(self):
        """Fills `pair` (in both directions) and `up` (the bracket around each token), and distinguishes angle brackets
        from operators."""
        opened, i = [], 0
        while i < len(self.tokens):
            t = self.tokens[i]
            self.up[i] = opened[-1] if opened else None
            if t.kind == "op":
                if t.text in "([{":
                    opened.append(i)
                elif t.text == "<" and (self.is_name(i - 1, "template") or not t.spaced_before) and not self.is_name(i - 1, "operator"):
                    t.kind, t.text = "angle", "<"
                    opened.append(i)
                elif t.text in (">", ">>") and opened and self.tokens[opened[-1]].kind == "angle" and not t.spaced_before:
                    if t.text == ">>":
                        second = Token("op", ">", t.start + 1, t.end, False, t.spaced_after)
                        self.tokens.insert(i + 1, second)
                        t.end, t.spaced_after = t.end - 1, False
                    t.kind, t.text = "angle", ">"
                    self._close(opened, i)
                elif t.text in ")]}":
                    while opened and self.tokens[opened[-1]].kind == "angle":  # it was no angle bracket
                        self.tokens[opened.pop()].kind = "op"
                    self._close(opened, i)
            i += 1

    def _close(self, opened, i):
        if not opened:
            raise ValueError(f"unmatched bracket in line {self.line_of(self.tokens[i].start)}")
        self.pair[i] = opened.pop()
        self.pair[self.pair[i]] = i
        self.up[i] = opened[-1] if opened else None

    def closes(self, i):
        return i in self.pair and self.pair[i] < i

    def opens(self, i):
        return i in self.pair and self.pair[i] > i

    def outer(self, first, last):
        """The indices of the tokens in [first, last) that are not inside a bracket within it."""
        while first < last:
            yield first
            first = self.pair[first] + 1 if self.opens(first) else first + 1

    def outer_names(self, first, last):
        return {self.tokens[i].text for i in self.outer(first, last) if self.tokens[i].kind == "name"}

    # ----------------------------------------------------------------------------------------------------------- braces

    def statement_start(self, i):
        """The first token of the declaration or statement that leads to the brace."""
        start = i
        while start > 0:
            if self.closes(start - 1):
                if self.is_op(start - 1, "}") and self.kind[self.pair[start - 1]] in ("block", "function", "namespace", "class"):
                    break
                start = self.pair[start - 1]
            elif self.is_op(start - 1, ";", "{") or self.opens(start - 1) or \
                    self.is_op(start - 1, ":") and self.is_name(start - 2, "public", "private", "protected"):
                break
            else:
                start -= 1
        return start

    def _name_braces(self):
        for i, t in enumerate(self.tokens):
            if self.is_op(i, "{"):
                self.kind[i] = self._kind_of_brace(i)

    def _kind_of_brace(self, i):
        around = self.up[i]
        while around is not None and not self.is_op(around, "{"):
            if self.is_op(around, "(", "["):
                return "block" if self._begins_body(i) else "init"
            around = self.up[around]
        around = self.kind[around] if around is not None else "namespace"
        if around in ("init", "enum"):
            return "block" if self._begins_body(i) else "init"
        start = self.statement_start(i)
        names = self.outer_names(start, i)
        if "namespace" in names or "extern" in names and self.tokens[i - 1].kind == "string":
            return "namespace"
        if not self.is_op(i - 1, "="):
            if "enum" in names:
                return "enum"
            if names & {"struct", "class", "union"} and \
                    not any(self.is_op(k, "(") and not self.is_name(k - 1, "alignas") for k in self.outer(start, i)):
                return "class"
        if around in ("block", "function"):
            block = start == i or self._begins_body(i) or self.is_name(i - 1, "else", "do", "try") or self.is_op(i - 1, ":")
            return "block" if block else "init"
        initializers = self.initializers(start, i)
        body = self.is_op(i - 1, ")", "}") if initializers else self._begins_body(i)
        return "function" if body else "init"

    def initializers(self, start, i):
        """The colon before a constructor's initializers, if there is one."""
        return next((k for k in self.outer(start, i) if self.is_op(k, ":") and (self.is_op(k - 1, ")") or self.is_name(k - 1, "noexcept"))), None)

    def _begins_body(self, i):
        if self.is_op(i - 1, ")", "]") or self.is_name(i - 1, "noexcept", "const", "override", "final", "mutable"):
            return True
        k = i - 1  # -> type
        while k > 0 and (self.tokens[k].kind == "name" or self.is_op(k, "::", "*", "&") or self.tokens[k].kind == "angle" and self.closes(k)):
            k = self.pair[k] - 1 if self.closes(k) else k - 1
        return self.is_op(k, "->") and (self.is_op(k - 1, ")") or self.is_name(k - 1, "noexcept", "const"))

    def scope_of(self, offset):
        """The name of the function, class or enumeration around an offset; for a constant of a namespace its own name;
        or empty."""
        i = bisect.bisect_right([t.start for t in self.tokens], offset) - 1
        brace, inner = self.up[i] if not self.is_op(i, "{") else i, i
        while brace is not None and self.kind.get(brace) not in ("function", "class", "enum", "namespace"):
            brace, inner = self.up[brace], brace
        if brace is None or self.kind[brace] == "namespace":
            start = self.statement_start(inner)
            first = next((k for k in self.outer(start, len(self.tokens)) if self.is_op(k, "=", "[", "{", "(", ";")), start)
            return self.tokens[first - 1].text if self.is_name(first - 1) else ""
        start = self.statement_start(brace)
        if self.kind[brace] == "function":
            k = next((k for k in self.outer(start, brace) if self.is_op(k, "(") and not self.is_name(k - 1, "alignas", "noexcept")), start + 1)
            if self.is_name(k - 2, "operator") or self.is_name(k - 1, "operator"):
                return "operator" + (self.tokens[k - 1].text if not self.is_name(k - 1, "operator") else "()")
            return self.tokens[k - 1].text
        keyword = next(k for k in self.outer(start, brace) if self.is_name(k, "struct", "class", "enum", "union"))
        return next((self.tokens[k].text for k in self.outer(keyword + 1, brace) if self.is_name(k) and not self.is_name(k, "class", "alignas")), "")

    # --------------------------------------------------------------------------------------------------------- flavours

    def _find_flavours(self):
        """Finds the tokens that are code that runs."""
        def paint(first, last, flavour):
            self.flavour[first:last] = [flavour] * (last - first)

        self.table_makers = {i for i in self.kind if self._makes_table(i)}
        for i in sorted(self.kind):
            start, end = self.statement_start(i), self.pair[i]
            if self.kind[i] == "function":
                constexpr = "constexpr" in self.outer_names(start, i)
                paint(self.initializers(start, i) or i, end, "table" if i in self.table_makers else "constexpr" if constexpr else "run")
            elif self.kind[i] in ("class", "namespace"):
                paint(i, end, None)
                self._paint_members(i, end, self.kind[i], paint)
            elif self.kind[i] == "enum":
                paint(i, end, "constant")
        self._paint_members(-1, len(self.tokens), "namespace", paint)
        for i, t in enumerate(self.tokens):
            if t.kind == "name" and self.flavour[i] in ("run", "constexpr", "table"):
                if t.text == "constexpr" and not self.is_name(i - 1, "if") and not self.is_op(i - 1, ")"):
                    paint(i, next(k for k in self.outer(i, len(self.tokens)) if self.is_op(k, ";")), "constant")
                elif t.text in ("static_assert", "alignas", "sizeof", "decltype", "noexcept", "asm", "constexpr") and self.is_op(i + 1, "("):
                    paint(i, self.pair[i + 1], None)
                elif t.text == "case":
                    paint(i, next(k for k in self.outer(i, len(self.tokens)) if self.is_op(k, ":")), None)
                elif self.is_op(i + 1, "[") and (self.is_name(i - 1) and self.tokens[i - 1].text not in KEYWORDS or
                                                 self.tokens[i - 1].kind == "angle" and self.closes(i - 1)):
                    paint(i + 1, self.pair[i + 1], "constant")  # the size of an array that is declared
        for i, t in enumerate(self.tokens):
            if t.kind == "angle" and t.text == "<" and self.flavour[i] not in (None, "constant") or \
                    self.is_op(i, "[") and self.is_op(i + 1, "["):
                paint(i, self.pair[i], None)

    def _makes_table(self, i):
        """Whether the brace belongs to a constexpr function without parameters and without an object."""
        start = self.statement_start(i)
        return self.kind[i] == "function" and "constexpr" in self.outer_names(start, i) and \
            any(self.is_op(k, "(") and self.pair[k] == k + 1 and not self.is_name(k + 2, "const") for k in self.outer(start, i))

    def _paint_members(self, first, end, kind, paint):
        """Paints the initializers of a class's members, and of constants."""
        i = first + 1
        while i < end:
            stop = next((k for k in self.outer(i, end) if self.is_op(k, ";")), end)
            body = next((k for k in self.outer(i, stop) if self.kind.get(k) in ("function", "class", "namespace", "enum")), None)
            label = next((k for k in self.outer(i, min(i + 2, stop)) if self.is_op(k, ":")), None)
            if label is not None:
                i = label + 1
                continue
            if body is not None:
                i = self.pair[body] + 1
                continue
            names = self.outer_names(i, stop)
            begin = next((k for k in self.outer(i, stop) if self.is_op(k, "=") or self.kind.get(k) == "init"), None)
            if begin is not None and not names & {"using", "typedef", "friend", "operator", "static_assert"}:
                if "constexpr" in names:
                    paint(begin, stop, "constant")
                elif kind == "class" and not self.is_op(begin - 1, ")") and not self.is_name(begin - 1, "const", "noexcept", "override"):
                    table = any(self.up[k] == first for k in self.table_makers)
                    paint(begin, stop, "table" if table else "constexpr")  # a constexpr constructor may run them
            i = stop + 1

    def is_binary(self, i):
        t = self.tokens[i]
        return t.kind == "op" and t.text in PRECEDENCE and t.spaced_before and t.spaced_after and not self.is_name(i - 1, "operator")

    def left_of(self, i, precedence):
        """The first token of the left operand of an operator at i."""
        k = i
        while k > 0:
            before = k - 1
            if self.closes(before):
                opener = self.pair[before]
                if self.is_op(before, "}") and self.kind[opener] != "init":
                    break
                if self.is_op(before, ")") and self.is_name(opener - 1, "if", "while", "for", "switch", "constexpr"):
                    break
                k = opener
            elif self.opens(before) or self.is_op(before, ",", ";", ":", "?") or self.is_name(before, *KEYWORDS):
                break
            elif self.is_binary(before) and PRECEDENCE[self.tokens[before].text] < precedence:
                break
            else:
                k = before
        return k

    def right_of(self, i, precedence):
        """The token after the right operand of an operator at i."""
        k, conditions = i + 1, 0  # ?: that belong to the operand, as in an assignment
        while k < len(self.tokens):
            if self.opens(k):
                if self.is_op(k, "{") and self.kind[k] not in ("init", "block"):
                    break
                k = self.pair[k] + 1
            elif precedence == 1 and self.is_op(k, "?") or conditions and self.is_op(k, ":"):
                conditions += 1 if self.is_op(k, "?") else -1
                k += 1
            elif self.closes(k) or self.is_op(k, ",", ";", ":", "?"):
                break
            elif self.is_binary(k) and PRECEDENCE[self.tokens[k].text] <= precedence and not (precedence == 1 == PRECEDENCE[self.tokens[k].text]):
                break
            else:
                k += 1
        return k

    def chain_start(self, i):
        """The first token of the postfix expression whose last token, or a name in it, is at i."""
        k = i
        while True:
            if self.closes(k):
                k = self.pair[k]
                if self.is_name(k - 1) and self.tokens[k - 1].text not in KEYWORDS and not self.tokens[k].spaced_before or self.closes(k - 1) and not self.tokens[k].spaced_before:
                    k -= 1
                    continue
            if self.is_op(k - 1, ".", "->", "::"):
                if self.is_name(k - 2) or self.closes(k - 2):
                    k -= 2
                    continue
                return k - 1
            return k

    def chain_end(self, i):
        """The token after the unary or postfix expression that begins at i."""
        while self.is_op(i, "*", "!", "-", "~", "++", "--", "&"):
            i += 1
        i = self.pair[i] + 1 if self.opens(i) else i + 1
        while i < len(self.tokens):
            if self.opens(i) and not self.tokens[i].spaced_before:
                i = self.pair[i] + 1
            elif self.is_op(i, ".", "->", "::"):
                i += 2
            else:
                break
        return i

    # ------------------------------------------------------------------------------------------------------------ sites

    def span(self, first, last):
        """The tokens [first, last) in one line."""
        text, before = "", None
        for t in self.tokens[first:last]:
            text += " " if before is not None and before.end != t.start else ""
            text += t.text
            before = t
        return text

    def replaced(self, first, last, i, text):
        """The tokens [first, last) in one line, with another text for the one at i."""
        spaced = lambda k: " " if 0 < k and self.tokens[k - 1].end != self.tokens[k].start else ""
        return self.span(first, i) + (spaced(i) if i > first else "") + text + \
            (spaced(i + 1) if i + 1 < last else "") + self.span(i + 1, last)

    def add(self, first, last, changes, flavour, **more):
        start, end = self.tokens[first].start, self.tokens[last - 1].end
        if changes and not any(start <= d < end for d in self.directives):
            self.sites.append(Site(start, end, changes, flavour, **more))

    def _find_sites(self):
        for i, t in enumerate(self.tokens):
            flavour = self.flavour[i]
            if t.kind == "angle" and t.text == "<" and self.is_op(self.pair[i] + 1, "(") and self.is_name(i - 1):
                self._template_arguments(i)
            if flavour is None:
                continue
            if t.kind in ("number", "char") or self.is_name(i, "true", "false"):
                self._literal(i, flavour)
            elif t.kind == "op":
                self._operator(i, flavour)
            elif t.kind == "name" and flavour != "constant":
                self._name(i, flavour)
            if flavour != "constant":
                self._statement(i, flavour)
        self.sites.sort(key=lambda s: (s.start, -s.end, s.order))
        self._keep_nested()

    def _keep_nested(self):
        kept, open_sites = [], []
        for site in self.sites:
            while open_sites and open_sites[-1].end <= site.start:
                open_sites.pop()
            if open_sites and site.end > open_sites[-1].end:
                continue
            open_sites.append(site)
            kept.append(site)
        self.sites = kept

    def literal_values(self, i):
        """For each change of a literal: (the name of its new value, an expression of the same type)."""
        t = self.tokens[i]
        if t.text in ("true", "false"):
            other = "false" if t.text == "true" else "true"
            return [(other, other)]
        if t.kind == "char":
            return [(f"{t.text} + 1", f"{t.text} + 1"), (f"{t.text} - 1", f"{t.text} - 1")]
        if not re.fullmatch(NUMBER, t.text):
            return []
        digits = re.sub(r"[uUlLzZ']", "", t.text)
        value = int(digits, 8 if re.fullmatch(r"0[0-7]+", digits) else 0)
        changes = [(f"{t.text} + 1", f"{t.text} + 1"), (f"{t.text} - 1", f"{t.text} - 1")]
        return changes + [("0", "0")] if value > 1 else changes

    def _literal(self, i, flavour):
        changes = self.literal_values(i)
        if self.is_op(i - 1, "=") and self.is_op(i + 1, ";") and self.is_op(i - 2, ")"):
            return  # pure virtual
        call = self.up[i]
        if flavour != "constant" and call is not None and self.is_op(call, "(") and self.is_name(call - 1) and \
                self.tokens[call - 1].text.startswith("_mm") and (self.is_op(i - 1, ",", "(")) and self.is_op(i + 1, ",", ")"):
            first, last = call - 1, self.pair[call] + 1  # it may have to be a constant
            self.add(first, last, [(f"{self.tokens[i].text} -> {name}", self.replaced(first, last, i, f"({text})")) for name, text in changes],
                     flavour, order=5)
            return
        kind = f"decltype({self.tokens[i].text})"
        self.add(i, i + 1, [(f"{self.tokens[i].text} -> {name}", text if self.is_name(i) else f"{kind}({text})") for name, text in changes],
                 flavour, order=9)

    def _template_arguments(self, i):
        """Changes the template arguments of a call: it calls another instance."""
        flavour = self.flavour[i - 1]
        if flavour in (None, "constant") or self.tokens[i - 1].text in ("static_cast", "reinterpret_cast", "const_cast"):
            return
        last = self.pair[self.pair[i] + 1] + 1
        first = self.chain_start(i - 1)
        for k in range(i + 1, self.pair[i]):
            if self.tokens[k].kind in ("number", "char") or self.is_name(k, "true", "false"):
                changes = [(f"{self.tokens[k].text} -> {name}", self.replaced(first, last, k, f"({text})")) for name, text in self.literal_values(k)]
                self.add(first, last, changes, flavour, order=6)

    def _operator(self, i, flavour):
        t = self.tokens[i]
        if t.text == "?" and flavour != "constant":
            self._condition(self.left_of(i, PRECEDENCE["?"]), i, flavour)
        elif self.is_binary(i):
            first, last = self.left_of(i, PRECEDENCE[t.text]), self.right_of(i, PRECEDENCE[t.text])
            changes = [(f"{t.text} -> {new}", self.replaced(first, last, i, new)) for new in REPLACEMENTS.get(t.text, ())]
            self.add(first, last, changes, flavour, order=20 - PRECEDENCE[t.text])
        elif t.text in ("++", "--"):
            after = not t.spaced_before and (self.is_name(i - 1) or self.closes(i - 1))
            first, last = (self.chain_start(i - 1), i + 1) if after else (i, self.chain_end(i))
            other = REPLACEMENTS[t.text][0]
            self.add(first, last, [(f"{t.text} -> {other}", self.replaced(first, last, i, other))], flavour, order=7)
        elif t.text in ("!", "~", "-") and not t.spaced_after and not self.is_name(i - 1, "operator") and \
                (t.spaced_before or self.opens(i - 1) or self.tokens[i - 1].kind == "op") and self.tokens[i + 1].kind != "number":
            last = self.chain_end(i)
            cast = "static_cast<bool>" if t.text == "!" else ""
            self.add(i, last, [(f"{t.text} -> nothing", f"{cast}({self.span(i + 1, last)})")], flavour, order=8)

    def _name(self, i, flavour):
        t = self.tokens[i]
        if t.text in ("if", "while", "for") and self.is_op(i + 1, "("):
            first, last = i + 2, self.pair[i + 1]
            stops = [k for k in self.outer(first, last) if self.is_op(k, ";")]
            if t.text == "for":
                if len(stops) == 2 and stops[1] > stops[0] + 1:
                    self._condition(stops[0] + 1, stops[1], flavour)
            else:
                self._condition(stops[0] + 1 if stops else first, last, flavour)
        elif self.is_op(i + 1, "(") and t.text.startswith("_mm"):
            last = self.pair[i + 1] + 1
            changes = [(f"{t.text} -> {new}", self.replaced(i, last, i, new)) for old, template in INSTRUCTIONS
                       if (new := old.sub(template, t.text)) != t.text]
            self.add(i, last, changes, flavour, order=6)

    def _condition(self, first, last, flavour):
        """Negates a condition, unless the change of an operator in it does the same."""
        outer = list(self.outer(first, last))
        if any(self.is_binary(k) and self.tokens[k].text in COMPARISONS for k in outer) or self.is_op(first, "!") or \
                self.is_name(first, "true", "false", "const", "auto") or any(self.is_op(k, "=") for k in outer):
            return
        text = self.span(first, last)
        self.add(first, last, [(f"{text} -> !", f"!({text})")], flavour, frame=("static_cast<bool>(", ")"), order=2)

    def _statement(self, i, flavour):
        """Removes the statement that begins here, if any, unless it is a declaration, or the end of a function or a
        switch."""
        around = self.up[i]
        if around is None or self.kind.get(around) not in ("block", "function"):
            return
        header = self.closes(i - 1) and self.is_op(i - 1, ")") and self.is_name(self.pair[i - 1] - 1, "if", "while", "for", "constexpr")
        begins = i - 1 == around or self.is_op(i - 1, ";") or self.is_name(i - 1, "else", "do") or header or \
            self.is_op(i - 1, "}") and self.kind[self.pair[i - 1]] == "block" and not self.is_op(i, ",", ")", ";", ".") or \
            self.is_op(i - 1, ":") and self._is_label(i - 1)
        if not begins or self.closes(i) or self.is_op(i, "{", ";", "[") or self.is_name(i) and self.tokens[i].text in NOT_STATEMENTS or self._declares(i):
            return
        end = next((k for k in self.outer(i, self.pair[around]) if self.is_op(k, ";")), None)
        if end is None:
            return
        is_last = end + 1 == self.pair[around] and not (around > 0 and self.is_op(around - 1, ")") and
                                                        self.is_name(self.pair[around - 1] - 1, "if", "while", "for", "switch", "constexpr")
                                                        or self.is_name(around - 1, "else", "do", "try"))
        if self.is_name(i, "return") and is_last and not header:
            return
        ends_switch = end + 1 == self.pair[around] and self.is_op(around - 1, ")") and self.is_name(self.pair[around - 1] - 1, "switch")
        if self.is_name(i, "break") and ends_switch:
            return
        self.add(i, end + 1, [("removed", None)], flavour, order=0)

    def _is_label(self, i):
        k = i - 1
        while k > 0 and not self.is_op(k, ";", "{", "}", "?"):
            if self.is_name(k, "case", "default"):
                return True
            k = self.pair[k] - 1 if self.closes(k) else k - 1
        return False

    def _declares(self, i):
        if not self.is_name(i) or self.tokens[i].text in KEYWORDS | {"break", "continue", "this"}:
            return False
        k = i + 1
        while True:
            if self.is_op(k, "::"):
                k += 2
            elif self.tokens[k].kind == "angle" and self.opens(k):
                k = self.pair[k] + 1
            else:
                break
        pointers = k
        while self.is_op(k, "*", "&", "&&") or self.is_name(k, "const"):
            k += 1
        return self.is_name(k) and (k == pointers or not self.tokens[pointers].spaced_before)

    # -------------------------------------------------------------------------------------------------------- rendering

    def with_choices(self, sites):
        """The source with a choice for each of the numbered sites; and (begin, end, site) of each, as (line, column),
        the inner ones first. No line break is added or removed."""
        out, places, line = [], [], [1, 0]  # the present place: line, bytes before it in the line

        def write(text):
            out.append(text)
            feeds = text.count("\n")
            line[0] += feeds
            line[1] = len(text.rpartition("\n")[2].encode()) + (0 if feeds else line[1])

        def copy(start, end, inner):
            for site in inner_sites(inner, start, end):
                write(self.text[start:site.start])
                render(site, [s for s in inner if s is not site and site.start <= s.start and s.end <= site.end and
                              (s.start, -s.end, s.order) >= (site.start, -site.end, site.order)])
                start = site.end
            write(self.text[start:end])

        def inner_sites(sites, start, end):
            at = start
            for site in sites:
                if site.start >= at:
                    yield site
                    at = site.end

        def render(site, inner):
            call = "utfilter_mutant" if site.flavour == "run" else "utfilter_constexpr_mutant"
            begin = tuple(line)
            removes = site.changes[0][1] is None
            if removes:
                write("{ if (!" + f"{call}({site.numbers[0]})) ")
            else:
                write("(" + "".join(f"{call}({number}) ? {text} : " for number, (_, text) in zip(site.numbers, site.changes)))
                write(site.frame[0])
            copy(site.start, site.end, inner)
            write(" }" if removes else site.frame[1] + ")")
            places.append((begin, tuple(line), site))

        copy(0, len(self.text), sites)
        return "".join(out), places

    def with_change(self, site, text):
        """The source with one change."""
        return self.text[:site.start] + (";" if text is None else text) + self.text[site.end:]
