"""candidates.py: the encodings of single bytes among which the library guesses by statistics.

They are the library's, and some code pages of DOS and of the Macintosh that it lacks, whose texts are common enough to be
named. Encodings that make the same text as another one of each language, such as ISO-8859-1, are left out by models.py.
"""
import codecs
import unicodedata
from collections import namedtuple

import single_byte

# name       the preferred name
# codec      Python's codec
# enumerator the enumerator of utfilter::encoding, or None
# script     of its letters beyond ASCII
# prior      what it costs that a text is in it, in bits: the rarer, the more. The answer to short texts depends on it
Candidate = namedtuple("Candidate", "name codec enumerator script prior")

# Of two encodings of the same cost the first one wins.
OF_THE_LIBRARY = [
    ("windows1252", "latin", 0), ("latin1", "latin", 0), ("iso8859_15", "latin", 2),
    ("windows1250", "latin", 1), ("iso8859_2", "latin", 1),
    ("iso8859_3", "latin", 6), ("iso8859_4", "latin", 5),
    ("windows1254", "latin", 1), ("iso8859_9", "latin", 1),
    ("iso8859_10", "latin", 6), ("windows1257", "latin", 2), ("iso8859_13", "latin", 3), ("iso8859_14", "latin", 7),
    ("iso8859_16", "latin", 0),  # Romanian in windows-1250 has the same bytes, but quotation marks of its own
    ("windows1258", "latin", 3), ("macintosh", "latin", 3), ("ibm437", "latin", 5), ("ibm850", "latin", 4),
    ("viscii", "latin", 7), ("tcvn", "latin", 7), ("kamenicky", "latin", 8),
    ("windows1251", "cyrillic", 0), ("iso8859_5", "cyrillic", 2), ("koi8r", "cyrillic", 1), ("koi8u", "cyrillic", 2),
    ("ibm866", "cyrillic", 3), ("mac_cyrillic", "cyrillic", 3), ("ptcp154", "cyrillic", 5), ("rk1048", "cyrillic", 5),
    ("mik", "cyrillic", 7),
    ("windows1253", "greek", 0), ("iso8859_7", "greek", 1),
    ("windows1255", "hebrew", 0), ("iso8859_8", "hebrew", 2),
    ("windows1256", "arabic", 0), ("iso8859_6", "arabic", 2),
    ("windows874", "thai", 0), ("iso8859_11", "thai", 1),
    ("armscii8", "armenian", 7), ("georgian_academy", "georgian", 7), ("georgian_ps", "georgian", 7),
]
OTHERS = [
    ("IBM852", "cp852", "latin", 4), ("x-mac-centraleurroman", "mac_latin2", "latin", 8), ("IBM857", "cp857", "latin", 6),
    ("IBM775", "cp775", "latin", 7), ("IBM865", "cp865", "latin", 7), ("IBM860", "cp860", "latin", 8),
    ("IBM861", "cp861", "latin", 8), ("IBM863", "cp863", "latin", 8), ("x-mac-turkish", "mac_turkish", "latin", 7),
    ("IBM855", "cp855", "cyrillic", 5),
    ("IBM737", "cp737", "greek", 5), ("IBM869", "cp869", "greek", 7), ("x-mac-greek", "mac_greek", "greek", 7),
    ("IBM862", "cp862", "hebrew", 5), ("ibm-720", "cp720", "arabic", 6),
]
# Those whose Hebrew may be in visual order: the last letter of a line comes first.
VISUAL = {"iso8859_8", "cp862"}

OF_ENUMERATOR = {e.enumerator: e for e in single_byte.ENCODINGS}
# Python lacks these: here they are codecs by the names of their enumerators.
OWN = ["viscii", "tcvn", "kamenicky", "mik", "armscii8", "georgian_academy", "georgian_ps"]


@codecs.register
def own_codec(name):
    if name not in OWN:
        return None
    decoding = "".join("\ufffe" if c is None else chr(c) for c in single_byte.characters(OF_ENUMERATOR[name]))

    class Decoder(codecs.IncrementalDecoder):
        def decode(self, data, final=False):
            return codecs.charmap_decode(data, self.errors, decoding)[0]
    return codecs.CodecInfo(lambda text, errors="strict": codecs.charmap_encode(text, errors, codecs.charmap_build(decoding)),
                            lambda data, errors="strict": codecs.charmap_decode(data, errors, decoding),
                            incrementaldecoder=Decoder, name=name)


ENCODINGS = [Candidate(single_byte.preferred(OF_ENUMERATOR[e]), e if e in OWN else OF_ENUMERATOR[e].codec, e, script, prior)
             for e, script, prior in OF_THE_LIBRARY]
ENCODINGS += [Candidate(name, codec, None, script, prior) for name, codec, script, prior in OTHERS]


def characters(candidate):
    """The characters of the bytes 80 to FF; None for an unassigned byte."""
    if candidate.enumerator:
        codes = single_byte.characters(OF_ENUMERATOR[candidate.enumerator])[0x80:]
        return [None if code is None else chr(code) for code in codes]
    return [bytes([byte]).decode(candidate.codec, "ignore") or None for byte in range(0x80, 0x100)]


# ------------------------------------------------------------------------------- texts as they are in legacy encodings

# Letters of Romanian that most encodings have in an older form.
ALIASES = str.maketrans("șțȘȚ", "şţŞŢ")
# Persian in windows-1256.
PERSIAN = str.maketrans("یۀى۰۱۲۳۴۵۶۷۸۹", "يهي0123456789")
TONES = "\u0300\u0301\u0303\u0309\u0323"  # of Vietnamese


def decomposed(text):
    """Vietnamese as in windows-1258: a tone is a mark of its own if the encoding lacks the letter with it."""
    def of(c):
        if c.encode("cp1258", "ignore"):
            return c
        parts = unicodedata.normalize("NFD", c)
        letter = unicodedata.normalize("NFC", "".join(part for part in parts if part not in TONES))
        return letter + "".join(part for part in parts if part in TONES)
    return "".join(map(of, unicodedata.normalize("NFC", text)))


def prepared(text, code, encodings=""):
    """The text of a language in the letters that encodings of single bytes have."""
    if code == "vi" and "cp1258" in encodings:
        return decomposed(text)
    if code == "fa":
        return text.translate(PERSIAN).replace("\u0654", "")
    return unicodedata.normalize("NFC", text).translate(ALIASES)
