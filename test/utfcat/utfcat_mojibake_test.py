"""--filter mojibake:auto and reread, and the mojibake that --inspect finds, in many languages and encodings.

utfcat_mojibake_test.py UTFCAT: Python's codecs read the sentences wrong.
"""

import json
import re

from utfcat_cases import check, run, run_tests

SENTENCES = {
    "Arabic": "هذا نص عربي قصير، وفيه سؤال؟",
    "Bulgarian": "Това е кратък текст на български език.",
    "Chinese": "这是一个简短的中文句子。",
    "Croatian": "Ovo je kratka rečenica s čudnim slovima: šđčćž.",
    "Czech": "Tohle je krátká věta, ve které je plno háčků a čárek.",
    "Danish": "Det her er en sætning på dansk med æbler, øl og åer.",
    "Dutch": "Dit is één zin over coördinatie en ideeën.",
    "Estonian": "See on lühike lause, milles on õunu, ämbreid ja öö.",
    "Finnish": "Tämä on lyhyt lause, jossa on öitä ja öljyä.",
    "French": "Voilà une phrase brève : l’été, où le garçon rêve à Noël…",
    "German": "Dies ist ein kurzer Satz über schöne Größen – „süß“, nicht wahr?",
    "Greek": "Αυτή είναι μια μικρή πρόταση στα ελληνικά.",
    "Hebrew": "זה משפט קצר בעברית.",
    "Hindi": "यह हिन्दी में एक छोटा वाक्य है।",
    "Hungarian": "Ez egy rövid mondat, amelyben őzek és fűzfák vannak.",
    "Icelandic": "Þetta er stutt setning með þorn og eð: það er gott.",
    "Italian": "Perché no? È così, e più non c’è.",
    "Japanese": "これは短い日本語の文です。",
    "Korean": "이것은 짧은 한국어 문장입니다.",
    "Latvian": "Šis ir īss teikums ar garumzīmēm un ķirsi.",
    "Lithuanian": "Tai trumpas sakinys su ąžuolu, ėjimu ir žąsimi.",
    "Norwegian": "Dette er en kort setning om blåbær og rømme på øya.",
    "Polish": "To jest krótkie zdanie o żółwiu, łące i źdźbłach.",
    "Portuguese": "Esta é uma frase curta: não há pão, só maçãs.",
    "Romanian": "Aceasta este o propoziție scurtă, în care şi ţările au sedile.",
    "Russian": "Это короткое предложение на русском языке, ещё одно.",
    "Serbian": "Ово је кратка реченица на српском, љубав и ђак.",
    "Slovak": "Toto je krátka veta, v ktorej sú ľudia, dĺžne a mäkčene.",
    "Spanish": "¿Dónde está el niño? ¡Mañana será otro día!",
    "Swedish": "Det här är en mening på svenska om åar, änder och öar.",
    "Tamil": "இது ஒரு சிறிய தமிழ் வாக்கியம்.",
    "Thai": "นี่คือประโยคภาษาไทยสั้น ๆ",
    "Turkish": "Bu kısa bir cümle: şişe, ağaç, çiçek ve İstanbul’da güneş.",
    "Ukrainian": "Це коротке речення українською: їжак, ґанок і її очі.",
    "Vietnamese": "Đây là một câu ngắn bằng tiếng Việt, có nhiều dấu.",
    "emoji": "a smile 😀, a heart ❤ and a 🚀",
}
# As Python names them, and as utfcat does.
READ_AS = {"cp1252": "windows-1252", "latin_1": "windows-1252", "cp1251": "windows-1251", "cp850": "IBM850", "cp437": "IBM437",
           "koi8_r": "KOI8-R", "mac_roman": "macintosh", "cp1250": "windows-1250"}


def characters_of(encoding):
    """The character of each byte; that of its number, if the encoding has none. Programs do that."""
    def character(byte):
        try:
            return bytes([byte]).decode(encoding)
        except UnicodeDecodeError:
            return chr(byte)
    return [character(byte) for byte in range(256)]


CHARACTERS = {encoding: characters_of(encoding) for encoding in READ_AS}


def read_wrong(text, *chain):
    for encoding in chain:
        text = "".join(CHARACTERS[encoding][byte] for byte in text.encode())
    return text


def through(filters, lines):
    status, out, errors = run("--filter", filters, text="".join(line + "\n" for line in lines).encode())
    check((filters, errors), status, 0)
    return out.decode().split("\n")[:-1]


def test_right_text_stays():
    lines = list(SENTENCES.values())
    lines += [line.upper() for line in lines] + [f"«{line}» “{line}”… — {line}" for line in lines]
    for line, got in zip(lines, through("mojibake:auto", lines)):
        check(line, got, line)


def restored(chains):
    """The languages and chains whose sentences do not come back."""
    tried = [(language, chain) for chain in chains for language in SENTENCES]
    lines = through("mojibake:auto", [read_wrong(SENTENCES[language], *chain) for language, chain in tried])
    check("lines", len(lines), len(tried))
    return [(language, chain) for (language, chain), line in zip(tried, lines) if line != SENTENCES[language]]


def test_what_was_read_wrong_once_comes_back():
    # Of windows-1250 and ISO 8859-2, both of which explain the line, one would make other letters.
    check("once", restored([(encoding,) for encoding in READ_AS]), [("Icelandic", ("cp1250",))])


def test_most_that_was_read_wrong_more_often_comes_back():
    for level, most in ((2, 8), (3, 10)):
        lost = restored([(encoding,) * level for encoding in READ_AS])
        check((level, lost), len(lost) <= most, True)
    lost = restored([("cp1252", "cp1251"), ("cp1251", "cp1252"), ("latin_1", "cp1252"), ("cp1252", "latin_1")])
    check(("of two encodings", lost), len(lost) <= 2, True)


def test_each_way_to_read_wrong_is_found_and_named():
    for encoding, name in READ_AS.items():
        for language in ("French", "German", "Russian", "Polish", "Japanese"):
            text = "right\n" + read_wrong(SENTENCES[language], encoding) + "\n"
            status, out, errors = run("--inspect", "--fail-on", "mojibake", "--format", "json", text=text.encode())
            check((encoding, language, errors), status, 1)
            found = [one for one in json.loads(out) if one["rule"] == "mojibake"]
            check((encoding, language), [one["line"] for one in found], [2])
            # Letters of Latin are often the same in both code pages of DOS.
            names = {name, "IBM850"} if encoding == "cp437" else {name}
            check((encoding, language, found), re.search(r"read as ([^ ,]+)", found[0]["message"])[1] in names, True)


def test_text_of_one_legacy_encoding_that_was_read_as_another_comes_back():
    names = {"cp1252": "windows-1252", "cp1251": "windows-1251", "koi8_r": "KOI8-R", "cp866": "IBM866", "iso8859_7": "ISO-8859-7",
             "cp1250": "windows-1250", "cp850": "IBM850"}
    tried = 0
    for read_as, wrong_name in names.items():
        for is_in, name in names.items():
            for language, sentence in SENTENCES.items():
                try:
                    wrong = sentence.encode(is_in).decode(read_as)
                except UnicodeError:
                    continue
                if is_in == read_as or wrong.encode(read_as) != sentence.encode(is_in):
                    continue
                check((language, name, wrong_name), through(f"reread:{wrong_name}:{name}", [wrong]), [sentence])
                tried += 1
    check("tried", tried > 100, True)


def test_wrong_arguments_are_named():
    for filters, wanted in (("mojibake:utf-8", "needs an encoding of one byte per character, it cannot be utf-8"),
                            ("mojibake:autom", "autom"),
                            ("reread", "reread needs two encodings, such as reread:windows-1252:windows-1251"),
                            ("reread:koi8-r", "reread needs two encodings"),
                            ("reread:koi8-r:utf-16", "needs an encoding of one byte per character, it cannot be utf-16"),
                            ("reread:koi8-r:koi8-r", "with the same encoding twice changes nothing")):
        status, out, errors = run("--filter", filters)
        check((filters, errors), (status, out, wanted in errors), (2, b"", True))
    status, _, errors = run("--follow", "--filter", "mojibake:auto", "x")
    check(errors, (status, "mojibake:auto hold text back" in errors), (2, True))


run_tests(globals(), 500)
