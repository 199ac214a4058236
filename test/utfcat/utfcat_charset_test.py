#!/usr/bin/env python3
"""utfcat_charset_test.py UTFCAT WITHOUT_ICU: utfcat with the charsets of ICU, and with the multi-byte encodings whose names ICU
knows, too: text, places of errors, policies, --list and refused options. Python's codecs decide what the text is. WITHOUT_ICU
is a utfcat with all components but ICU: the encodings are the same in it."""
import gzip
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import time

from utfcat_cases import OTHER as WITHOUT, UTFCAT, check, run, run_tests

# The names of utfcat and of Python, and the characters to try.
KANA, KANJI, HANGUL, LATIN = "あいうアイウ", "日本語漢字中文", "한국어가나다", "abc <\"\\>\n"
CHARSETS = [
    ("Shift_JIS", "cp932", KANA + KANJI),
    ("EUC-JP", "euc_jp", KANA + KANJI),
    ("ISO-2022-JP", "iso2022_jp", KANA + KANJI),
    ("EUC-KR", "euc_kr", HANGUL),
    ("windows-949", "cp949", HANGUL + "갂똠"),
    ("GBK", "gbk", KANJI + KANA),
    ("gb18030", "gb18030", KANJI + HANGUL + "é😀\u0905"),
    ("big5", "big5", "日本語中文"),
    # ICU's converters of the same names, by names of their own:
    ("ibm-943_P15A-2003", "cp932", KANA + KANJI),
    ("euc-jp-2007", "euc_jp", KANA + KANJI),
    ("ISO_2022,locale=ja,version=0", "iso2022_jp", KANA + KANJI),
    ("ibm-1363_P11B-1998", "cp949", HANGUL + "갂똠"),
    ("windows-936-2000", "gbk", KANJI + KANA),
    ("ibm-1392", "gb18030", KANJI + HANGUL + "é😀\u0905"),
    ("windows-950-2000", "big5", "日本語中文"),
    ("hz-gb-2312", "hz", "日中文"),
    ("utf-7", "utf_7", KANJI + "é😀"),
    ("ibm-37", "cp037", "éñ"),
]


def place(text, codec, index):
    """LINE:COLUMN: byte OFFSET of a character. Escape sequences belong to the character after them."""
    before = text[:index]
    size = sum(len(c.encode(codec)) for c in before)
    return f"{before.count(chr(10)) + 1}:{index - before.rfind(chr(10))}: byte {size}"


def test_texts():
    rng = random.Random(1)
    for name, codec, characters in CHARSETS:
        for size in (0, 1, 20, 30000):
            text = "".join(rng.choice(rng.choice((characters, LATIN))) for _ in range(size))
            utf8, data = text.encode(), text.encode(codec)
            check(f"-f {name}", run("-f", name, text=data), (0, utf8, ""))
            again = run("-t", name, text=utf8)
            written = again[1].removeprefix(b"~}") if codec == "hz" else again[1]  # ICU begins each text in HZ with ~}
            check(f"-t {name}", (again[0], written.decode(codec), again[2]), (0, text, ""))
            check(f"-f {name} -c", run("-f", name, "-c", text=data), (0, b"", ""))
            if size == 20:
                check(f"-f {name} -t utf-16le", run("-f", name, "-t", "utf-16le", text=data), (0, text.encode("utf-16le"), ""))
                other = run("-f", name, "-t", "GB18030", text=data)
                check(f"-f {name} -t gb18030", other, (0, text.encode("gb18030"), ""))


def test_places():
    def lacking(codec, text, begin):
        """The reports of the characters from `begin` on that ISO-8859-1 lacks."""
        return [f"-:{place(text, codec, i)}: the target encoding lacks U+{ord(text[i]):04X}: {text[i].encode().hex(' ').upper()}"
                for i in range(begin, len(text)) if ord(text[i]) > 0xFF]
    for name, codec, characters in CHARSETS:
        if codec in ("iso2022_jp", "hz", "utf_7", "cp037"):
            continue
        text = characters + "\na" + characters[::-1] + "b\n\n" + characters[0]
        # Far into the file, too: each piece has its own start.
        for before in ("", (LATIN + characters) * 2500):
            got = run("-f", name, "-t", "latin1", "-c", text=(before + text).encode(codec))[1].decode().splitlines()
            expected = lacking(codec, before + text, len(before))
            check(f"-f {name} -t latin1 -c", got[-len(expected):], expected)
    # The place of a character is after its escape sequence.
    for name in ("iso-2022-jp", "ISO_2022,locale=ja,version=0"):
        check(f"-f {name} -t latin1", run("-f", name, "-t", "latin1", "-c", text="aあ\nbい".encode("iso2022_jp"))[1],
              b"-:1:2: byte 4: the target encoding lacks U+3042: E3 81 82\n"
              b"-:2:2: byte 14: the target encoding lacks U+3044: E3 81 84\n")
    # Errors of both kinds, in the order of the file.
    data = "é".encode("gb18030") + b"\x81\"" + "中\n".encode("gb18030") + b"x\xff" + "文".encode("gb18030")
    check("-f gb18030 -t latin1 -c", run("-f", "gb18030", "-t", "latin1", "-c", text=data)[1].decode(),
          "-:1:2: byte 2: truncated sequence: 81\n-:1:4: byte 4: the target encoding lacks U+4E2D: E4 B8 AD\n"
          "-:2:2: byte 8: byte that no text contains: FF\n-:2:3: byte 9: the target encoding lacks U+6587: E6 96 87\n")
    check("-t shift_jis", run("-t", "shift_jis", text="あ\n😀い".encode()),
          (1, b"\x82\xa0\n", "utfcat: -:2:1: byte 4: the target encoding lacks U+1F600: F0 9F 98 80\n"))


def test_policies():
    bad = b"ab\x82\"c\x85\x9f\nz\x82"
    expected = {"strict": (1, b"ab"), "stop": (1, b"ab"), "replace": (0, "ab\ufffd\"c\ufffd\nz\ufffd".encode()),
                "skip": (0, b"ab\"c\nz"), "escape": (0, b"ab\\x82\"c\\x85\\x9F\nz\\x82")}
    for policy, (status, text) in expected.items():
        check(f"-e {policy}", run("-f", "sjis", "-e", policy, text=bad)[:2], (status, text))
    check("-c", run("-f", "sjis", "-c", text=bad),
          (1, b"-:1:3: byte 2: truncated sequence: 82\n-:1:6: byte 5: byte that the encoding does not assign: 85 9F\n"
              b"-:2:2: byte 9: incomplete at the end of the input: 82\n", ""))
    summary = run("-f", "sjis", "-q", "--summary", text=bad)[1].decode()
    check("--summary", summary.splitlines()[0], "-: Shift_JIS, no byte order mark, 1 line, 3 errors")
    check("-e replace -t iso-2022-jp", run("-t", "iso-2022-jp", "-e", "replace", text="あ😀い".encode())[1],
          "あ".encode("iso2022_jp") + b"?" + "い".encode("iso2022_jp"))
    check("-e escape -t hz", run("-t", "hz", "-e", "escape", text="中😀".encode())[1], b"~{VP~}\\u{1F600}")
    check("-b add -t ibm-1392", run("-t", "ibm-1392", "-b", "add", text=b"a")[1], "\ufeffa".encode("gb18030"))
    check("-t sjis of a text with a mark", run("-t", "sjis", text=b"\xef\xbb\xbfa"), (0, b"a", ""))


def test_files():
    with tempfile.TemporaryDirectory() as folder:
        text = "日本語\n" * 1000
        one, two, out = (pathlib.Path(folder, name) for name in ("one", "two", "out"))
        one.write_bytes(text.encode("cp932"))
        two.write_bytes(b"a\x82")
        out.write_bytes(b"old")
        check("two files", run("-f", "sjis", "-e", "replace", str(one), str(two)), (0, (text + "a\ufffd").encode(), ""))
        status, _, said = run("-f", "sjis", "-o", str(out), str(one), str(two))
        check("-o after an error", (status, out.read_bytes()), (1, b"old"))
        check("-o after an error says so", said.endswith("out: not written, because the text is not complete\n"), True)
        check("-o", (run("-f", "sjis", "-t", "euc-jp", "-o", str(one), str(one)), one.read_bytes()),
              ((0, b"", ""), text.encode("euc_jp")))
        line = run("-f", "euc-jp", "-s", str(one))[2]
        check("-s", line, f"{one}: EUC-JP, no byte order mark, 7000 bytes in, 10000 bytes out, 1000 lines, 0 errors\n")
        subprocess.run(["gzip", "-k", str(one)], check=True)
        check("-d", run("-d", "-f", "euc-jp", f"{one}.gz"), (0, text.encode(), ""))
        check("--range with --to", run("-f", "utf-8", "-t", "sjis", "--range", "0-", str(two))[0], 1)


NO_RANGE = "whose lines --range cannot find: write the whole file as UTF-8 first\n"
NO_FOLLOWING = "whose texts --follow cannot go on with"


def test_guesses():
    """What the letters of a text tell, utfcat decodes: by itself, or by ICU. What ICU lacks, it names."""
    texts = {"Shift_JIS": "日本語の文章です。ひらがなとカタカナ。\n", "EUC-JP": "日本語の文章です。ひらがなとカタカナ。\n",
             "EUC-KR": "안녕하세요. 이것은 한국어로 작성된 시험용 문장입니다.\n",
             "Big5": "這是一個繁體中文的測試文件，我們希望能夠正確地讀取。\n",
             "IBM852": "Příliš žluťoučký kůň úpěl ďábelské ódy, a potom všichni šli spát, protože byla už tma.\n",
             "IBM855": "Все люди рождаются свободными и равными в своём достоинстве и правах.\n",
             "IBM862": "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם.\n"}
    assumed = ("utfcat: {}: read as ISO-8859-1, which is an assumption: the text does not show its encoding (--from names it, "
               "--legacy assumes another)\n")
    for name, line in texts.items():
        text, data = line * 300, (line * 300).encode(name)
        is_own = not name.startswith("IBM")
        said = f"-: {name} (by statistics), no byte order mark, {len(data)} bytes in, {len(text.encode())} bytes out, 300 lines, 0 errors\n"
        for program in (UTFCAT, WITHOUT) if is_own else (UTFCAT,):
            check(f"-f guess: {name}, {program}", run("-f", "guess", "-s", text=data, program=program), (0, text.encode(), said))
        check(f"-f guess --jobs 2: {name}", run("-f", "guess", "--jobs", "2", text=data), (0, text.encode(), ""))
        check(f"-d -f guess: {name}", run("-d", "-f", "guess", text=gzip.compress(data)), (0, text.encode(), ""))
        check(f"-f guess -t utf-16le: {name}", run("-f", "guess", "-t", "utf-16le", text=data)[1], text.encode("utf-16-le"))
        check(f"-f guess, a short sample: {name}", run("-f", "guess", "--guess-bytes", "300", text=data), (0, text.encode(), ""))
        for mark in ("automatic", "keep", "strip", "reject"):
            check(f"-f guess -b {mark}: {name}", run("-f", "guess", "-b", mark, text=data), (0, text.encode(), ""))
        latin = data.decode("latin1").encode()
        check(f"--legacy without ICU: {name}", run("-f", "guess", "--legacy", "latin1", text=data, program=WITHOUT),
              (0, latin, assumed.format("-")))
        looks = (f"utfcat: -: looks like {name}, which utfcat cannot read: name another encoding with "
                 "--from; this utfcat was built without ICU, which knows more: install libicu-dev and build with UTFILTER_BUILD_ICU\n")
        for words in ([], ["-e", "replace"], ["-c"], ["-q"], ["-b", "require"], ["-s"], ["-cs"], ["--summary"]) if not is_own else ():
            check(f"-f guess {words} without ICU: {name}", run("-f", "guess", *words, text=data, program=WITHOUT), (2, b"", looks))
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "in")
            file.write_bytes(data)
            looks = f"utfcat: {file}: looks like {name}, a charset of ICU, {NO_RANGE}"
            size = len(line.encode(name))
            for words, lines in ((["-f", "guess", "--range", "0-9"], 1), (["--fallback", "guess", "--range", f"{200 * size}-"], 100),
                                 (["-f", "guess", "--range", f"1-{2 * size}", "--jobs", "2", "-c"], 0),
                                 (["-f", "guess", "--range", f"1-{2 * size}", "-e", "skip"], 1)):
                check(f"{words}: {name}", run(*words, str(file)), (0, (line * lines).encode(), "") if is_own else (2, b"", looks))
            for program, why in ((UTFCAT, f"{name}, a charset of ICU, {NO_FOLLOWING}: read the file without --follow, or name"),
                                 (WITHOUT, f"{name}, which utfcat cannot read: name")) if not is_own else ():
                check(f"--follow, {program}: {name}", run("-f", "guess", "--follow", str(file), program=program),
                      (2, b"", f"utfcat: {file}: looks like {why} another encoding with --from\n"))
            legacy = run("-f", "guess", "--legacy", "iso-8859-1", "--range", "0-1", str(file))
            check(f"--legacy --range: {name}", legacy,
                  (0, data[:data.find(b"\n") + 1].decode("latin1").encode(), assumed.format(file)))
    line = texts["Shift_JIS"]
    bad = line.encode("cp932") * 20 + b"\x82"
    check("-f guess, an error", run("-f", "guess", text=bad), (1, line.encode() * 20,
          f"utfcat: -:21:1: byte {len(bad) - 1}: incomplete at the end of the input: 82\n"))
    czech = texts["IBM852"]
    check("-f guess, damaged", run("-d", "-f", "guess", text=gzip.compress(czech.encode("cp852") * 20)[:-4])[:2],
          (2, czech.encode() * 20))
    check("-f guess --legacy", run("-f", "guess", "--legacy", "iso-8859-1", text=b"\x82\xa0")[1], b"\xc2\x82\xc2\xa0")
    whole, required = line * 20, ("-f", "guess", "-b", "require")
    unmarked = "-:1:1: byte 0: missing byte order mark\n"
    check("-f guess -b require", run(*required, text=whole.encode("cp932")), (1, b"", "utfcat: " + unmarked))
    check("-f guess -b require -e skip", run(*required, "-e", "skip", "-s", text=whole.encode("cp932")),
          (1, whole.encode(), f"utfcat: {unmarked}-: Shift_JIS (by statistics), no byte order mark, {len(whole.encode('cp932'))} bytes in, "
           f"{len(whole.encode())} bytes out, 20 lines, 1 error\n"))
    check("-f guess -b require -c", run(*required, "-c", text=bad), (1, unmarked.encode() +
          f"-:21:1: byte {len(bad) - 1}: incomplete at the end of the input: 82\n".encode(), ""))
    kazakh = ("Барлық адамдар тумысынан азат және қадір-қасиеті мен құқықтары тең болып дүниеге келеді.\n" * 20)
    korean = '<meta charset="johab">한국어\n'.encode("johab")
    italian = "Unità di conto europea\n"  # one letter beyond ASCII
    for program in (UTFCAT, WITHOUT):
        check(f"Italian -f guess, {program}", run("-f", "guess", text=italian.encode("latin1"), program=program),
              (0, italian.encode(), ""))
        check(f"too few letters, -f guess, {program}", run("-f", "guess", text=b"\xe9\n", program=program),
              (0, "é\n".encode(), assumed.format("-").replace("ISO-8859-1", "windows-1252")))
        check(f"Kazakh -f guess, {program}", run("-f", "guess", text=kazakh.encode("ptcp154"), program=program), (0, kazakh.encode(), ""))
        status, out, said = run("-f", "guess", text=korean, program=program)  # ICU lacks JOHAB
        check(f"JOHAB -f guess, {program}", (status, out), (2, b""))
        check(f"JOHAB -f guess, {program}, no figures", "0 bytes in" in run("-f", "guess", "-s", text=korean, program=program)[2], False)
        check(f"JOHAB -f guess, {program}", "declares JOHAB, which utfcat cannot read: name another encoding with --from" in said, True)
    check("-f guess, a mark", run("-f", "guess", text=b"\xef\xbb\xbf" + line.encode())[1], line.encode())


def reading(*arguments, **how):
    """What run() returns, without the advice that a text still declares its old encoding."""
    status, out, said = run(*arguments, **how)
    return status, out, "".join(line for line in said.splitlines(keepends=True) if ": still declares " not in line)


def test_declarations():
    """What a text declares, utfcat decodes: by itself, or by ICU; so it does ISO-2022-JP, which shows itself."""
    japanese, page = "日本語の文章です。\n", '<meta charset="{}">\n'
    for name in ("shift_jis", "euc-jp", "euc-kr", "gb2312", "big5", "gb18030"):
        text = page.format(name) + {"euc-kr": "한국어\n", "big5": "繁體中文\n"}.get(name, "日本\n")
        for program in (UTFCAT, WITHOUT):
            status, out, said = run("-f", "guess", "-s", text=text.encode(name), program=program)
            check(f"declared {name}", (status, out, " (as it declares), " in said), (0, text.encode(), True))
        # The legacy encoding does not matter.
        check(f"declared {name}, --legacy", reading("-f", "guess", "--legacy", "latin1", text=text.encode(name)), (0, text.encode(), ""))
    # A declaration that the text contradicts does not count, and the user hears of it.
    for name, shown in (("iso-8859-8", "ISO-8859-8"), ("koi8-r", None), ("utf-16", "UTF-16"), ("euc-kr", "EUC-KR"), ("what", "")):
        why = f"the text declares {shown}, but does not decode by it" if shown else "the text does not show its encoding"
        said = f"utfcat: -: read as ISO-8859-1, which is an assumption: {why} (--from names it, --legacy assumes another)\n"
        for words in ([], ["--jobs", "2"]):
            check(f"declared {name} in vain, {words}", reading("-f", "guess", "--legacy", "latin1", *words, text=page.format(name).encode() + b"\xd2 "),
                  (0, page.format(name).encode() + ("р " if shown is None else "Ò ").encode(), "" if shown is None else said))
    for words in ([], ["--jobs", "2"]):
        check(f"declared in vain, summary, {words}", run("-f", "guess", "-s", *words, text=page.format("koi8-r").encode() + "é".encode()),
              (0, page.format("koi8-r").encode() + "é".encode(), "-: UTF-8 (by its structure, though it declares KOI8-R), no byte order mark, "
               "26 bytes in, 26 bytes out, 1 line, 0 errors\n"))
    status, out, said = run("-f", "guess", "-s", text=page.format("euc-kr").encode() + japanese.encode("iso2022_jp"))
    check("ISO-2022-JP, declared as EUC-KR", "ISO-2022-JP (by its structure, though it declares EUC-KR), " in said, True)
    for program in (UTFCAT, WITHOUT):
        status, out, said = run("-f", "guess", "-s", text=japanese.encode("iso2022_jp"), program=program)
        check("ISO-2022-JP", (status, out, "ISO-2022-JP (by its structure), " in said), (0, japanese.encode(), True))
    declared = page.format("ibm852") + "žluťoučký kůň\n"
    check("declared ibm852", reading("-f", "guess", text=declared.encode("cp852")), (0, declared.encode(), ""))
    check("declared ibm852, without ICU", run("-f", "guess", text=declared.encode("cp852"), program=WITHOUT),
          (2, b"", "utfcat: -: declares IBM852, which utfcat cannot read: name another encoding with --from; this utfcat "
           "was built without ICU, which knows more: install libicu-dev and build with UTFILTER_BUILD_ICU\n"))


def test_contradicted():
    """Statistics have found another encoding than the text declares. The user hears of it once for each file."""
    line = "Пример русского текста для проверки кодировки. Это обычные предложения.\n"
    def said(file, found, declared):
        return (f"utfcat: {file}: read as {found} by statistics: the text declares {declared}, but does not decode by it "
                f"(if {found} is wrong, --from names the right one)\n")
    for declared, shown, text, codec, found in (
            ("utf-8", "UTF-8", line, "cp1251", "windows-1251"), ("euc-kr", "EUC-KR", line, "cp1251", "windows-1251"),
            ("utf-8", "UTF-8", "日本語の文章です。ひらがなとカタカナ。\n", "cp932", "Shift_JIS")):
        page = f"<meta charset={declared}>\n"
        why = said("-", found, shown)
        many, utf8 = (page + text * 10000).encode(codec), (page + text * 10000).encode()  # several threads read a file of this size
        check(f"{found}, declares {declared}, --jobs", run("-f", "guess", "--jobs", "2", text=many), (0, utf8, why))
        data, utf8 = (page + text * 10).encode(codec), (page + text * 10).encode()
        for words in ([], ["--jobs", "2"], ["--nfc"], ["-e", "replace"]):
            check(f"{found}, declares {declared}, {words}", run("-f", "guess", *words, text=data), (0, utf8, why))
        for words in (["-c"], ["-c", "--jobs", "2"]):
            check(f"{found}, declares {declared}, {words}", run("-f", "guess", *words, text=data), (0, b"", why))
        check(f"{found}, declares {declared}, -q", run("-f", "guess", "-q", text=data), (0, b"", ""))
        check(f"{found}, declares {declared}, -f", reading("-f", found, text=data), (0, utf8, ""))
        with tempfile.TemporaryDirectory() as folder:
            one, two = pathlib.Path(folder, "one"), pathlib.Path(folder, "two")
            for file in (one, two):
                file.write_bytes(data)
            check(f"{found}, declares {declared}, two files", run("-f", "guess", str(one), str(two)),
                  (0, utf8 * 2, said(one, found, shown) + said(two, found, shown)))
            check(f"{found}, declares {declared}, --range", run("-f", "guess", "-c", "--range", "99-", str(one)),
                  (0, b"", said(one, found, shown)))
            with subprocess.Popen([UTFCAT, "-f", "guess", "--follow", str(one), "-o", str(two) + "2"], stderr=subprocess.PIPE) as process:
                end = threading.Timer(60, process.kill)
                end.start()
                first = process.stderr.readline()
                with open(one, "ab") as more:
                    more.write(text.encode(codec))
                deadline = time.monotonic() + 30
                while pathlib.Path(str(two) + "2").stat().st_size != len(utf8 + text.encode()) and time.monotonic() < deadline:
                    time.sleep(0.01)
                process.terminate()
                rest = process.stderr.read()
                end.cancel()
            check(f"{found}, declares {declared}, --follow", ((first + rest).decode(), process.returncode), (said(one, found, shown), 0))
    # If the text decodes by its declaration, or is in the encoding that is declared, there is nothing to say.
    for text, codec in (("<meta charset=windows-1251>\n" + line, "cp1251"), (line, "cp1251"), ("<meta charset=koi8-r>\n" + line, "utf-8")):
        check(f"nothing to say: {text[:20]} as {codec}", reading("-f", "guess", text=text.encode(codec)), (0, text.encode(), ""))


def test_waiting():
    """A byte order mark decides at once: the first line comes before the next is sent. The memory is that of the file."""
    with subprocess.Popen([UTFCAT, "-f", "guess"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        end = threading.Timer(60, process.kill)
        end.start()
        process.stdin.write(b"\xef\xbb\xbfhello\n")
        process.stdin.flush()
        check("a mark decides at once", process.stdout.readline(), b"hello\n")
        process.stdin.close()
        process.wait()
        end.cancel()
    code = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], input=b'caf\\xe9', stdout=subprocess.DEVNULL, "
            "stderr=subprocess.DEVNULL); print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    for words in ([], ["--legacy", "latin1"]):
        used = subprocess.run([sys.executable, "-c", code, UTFCAT, "-f", "guess", "--guess-bytes", "1000000000", *words],
                              capture_output=True, check=True).stdout
        check(f"memory in KiB with {words}: {int(used)}", int(used) < 400_000, True)  # the address sanitizer takes 130,000


def test_options():
    icu = "is a charset of ICU, "
    not_ours = "is no encoding of utfcat itself, and the charsets of ICU are for --from and --to only"
    for words, why in [
            (("-f", "ibm-943_P15A-2003", "--jobs", "2"), f"--from ibm-943_P15A-2003 {icu}so one thread converts it: leave out --jobs"),
            (("-t", "hz", "--jobs", "0"), f"--to HZ-GB-2312 {icu}so one thread converts it: leave out --jobs"),
            (("-f", "ibm852", "--follow", "x"), f"--from IBM852 {icu}{NO_FOLLOWING}"),
            (("-t", "ibm852", "--follow", "x"), f"--to IBM852 {icu}{NO_FOLLOWING}"),
            (("-f", "ibm852", "--range", "1-2", "x"), f"--from IBM852 {icu}{NO_RANGE}"),
            (("-f", "s-jis"), "--from: there is no encoding s-jis (the nearest names are sjis and "),
            (("-f", "utf-7", "--range", "1-2", "x"),
             "--from UTF-7: each byte may depend on all bytes before it, so there is no --range"),
            (("-f", "ibm852", "-b", "require"), "--from IBM852: the charset has no byte order mark to strip, add, require or "
             "reject: U+FEFF in it is a character"),
            (("-t", "ibm852", "-b", "add"), "--to IBM852: the charset has no byte order mark to add, require or reject"),
            (("-f", "EUC-JQ"), "--from: there is no encoding EUC-JQ (the nearest name is euc-jp; "),
            (("--fallback", "sjiz"), "--fallback: there is no encoding sjiz (the nearest name is sjis; "),
            (("--fallback", "ibm852"), f"--fallback: ibm852 {not_ours}"),
            (("-f", "guess", "--legacy", "ibm-943_P15A-2003"), f"--legacy: ibm-943_P15A-2003 {not_ours}"),
            (("-f", "guess", "--legacy", "ibm-37"), f"--legacy: ibm-37 {not_ours}")]:
        status, text, said = run(*words)
        check(words, (status, text, said[:len("utfcat: " + why)]), (2, b"", "utfcat: " + why))
        check(f"{words}: one line", said.count("\n"), 1)
    check("the nearest charsets", run("-f", "EUC-JQ")[2].partition("); ")[2],
          "the nearest charset of ICU is EUC-JP\n")
    for program, what in ((UTFCAT, True), (WITHOUT, False)):
        lines = run("--version", text=b"", program=program)[1].decode().splitlines()[1:]
        check(f"--version, {program}", [line.startswith("built with ") for line in lines if "ICU's charsets" in line], [what])
    # Without ICU the nearest names do not help those who want one of its charsets.
    without = "; this utfcat was built without ICU, which knows more: install libicu-dev and build with UTFILTER_BUILD_ICU\n"
    for name in ("iso-2022-kr", "ibm852", "euc-tw", "utf-7", "iso-2022-jp-1", "cp737"):
        for option in ("--from", "--to"):
            check(f"{option} {name} without ICU", run(option, name, text=b"a", program=WITHOUT),
                  (2, b"", f"utfcat: {option}: there is no encoding {name}{without}"))
        for words in (("--fallback", name), ("-f", "guess", "--legacy", name)):
            check(f"{words} without ICU", run(*words, text=b"a", program=WITHOUT),
                  (2, b"", f"utfcat: {words[-2]}: {name} {not_ours}{without}"))
    for name, nearest in (("utf-9", "the nearest name is utf-8; "), ('big5"', "the nearest name is big5; "), ("nonesuch", "")):
        check(f"--to {name} without ICU", run("-t", name, text=b"a", program=WITHOUT)[2],
              f"utfcat: --to: there is no encoding {name} ({nearest}utfcat --list shows all){without}")
    check("ISO-8859-12", run("-t", "ISO-8859-12", text=b"a", program=WITHOUT)[2],
          f"utfcat: --to: there is no encoding ISO-8859-12, that part of ISO 8859 was never published (utfcat --list shows all){without}")
    help_text = " ".join(run("--help", "all")[1].decode().split())
    check("--help all", ("utf-8 (default), or any of these but detect and the charsets of ICU" in help_text,
                     "by default, the letters of the text tell its language and its encoding" in help_text), (True, True))

    ours, _, charsets = run("--list")[1].decode().partition("\n\n")
    check("--list without ICU", run("--list", program=WITHOUT)[1].decode(), ours + "\n")
    listed = [line.split() for line in charsets.splitlines()]
    check("--list", {names[0] for names in listed} > {"ibm-943_P15A-2003", "ibm-1392", "ibm-1363_P11B-1998", "ISO-2022-KR", "UTF-7", "IBM852", "windows-950-2000"}, True)
    for names in listed:
        for name in names[:1] + names[-1:]:
            check(f"-f {name}", run("-c", "-f", name), (0, b"", ""))


run_tests(globals())
