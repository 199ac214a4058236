"""findings.py: what was found when the failures of each decoder were examined by hand, for each kind of failure of
judge.py. The dictionaries whose names end in LEGACY, ENCODING_RS and TO_UTF are about the legacy encodings."""

PYTHON = {
    "end": "`utf-8-sig`, if the input ends inside a signature: `decode(b'\\xEF', True)` returns "
           "nothing, in strict mode, too. `bytes.decode` reports the error.",
}
STRING_DECODER = {
    "end": "For an odd byte at the end of UTF-16LE `end()` returns nothing; its documentation "
           "says that an incomplete character is replaced.",
}
ICONV = {
    "invented": "From UTF-8 to UTF-8 it passes on the sequences that RFC 2279 allowed: numbers up "
                "to 7FFFFFFF in up to six bytes. To UTF-16 and UTF-32 it refuses these.",
}
JAVA = {
    "invented": "UTF-32 code units D800 to DFFF become surrogates in the string, with `REPORT`, "
                "too.",
    "good byte": "UTF-16: an error at a high surrogate without a low one includes the next "
                 "character: `MALFORMED[4]`.",
    "place": "UTF-16: the malformed length is 4, but the last two of these bytes are a character.",
}
X_TEXT = {
    "marks": "`UTF32(…, UseBOM)` and an input of fewer than four bytes: it returns `ErrShortSrc`, "
             "but `encoding.Decoder` promises U+FFFD.",
}
CODECVT = {
    "invented": "`codecvt_utf8` takes encoded surrogates for characters. With `consume_header`, "
                "`codecvt_utf16` forgets the byte order after the first call of `in()`, and reads "
                "the rest as big-endian.",
    "refused": "`codecvt_utf16`: if a call ends inside a code unit, `in()` returns `error`, not "
               "`partial`.",
    "text": "With `consume_header` each call of `in()` removes a U+FEFF, not only the first.",
    "cuts": "For each of the reasons above.",
    "place": "It reports half a code unit as the error, and not the ill-formed bytes after it.",
}
CODE_CONVERTER = {
    "end": "An incomplete sequence at the end is dropped, and no error is reported.",
}
SWALLOWS = ("The byte that cuts a sequence short is dropped with it. Boost 1.81, tried by hand, "
            "does the same.")
POCO_UTF_32 = "A UTF-32 code unit D800 to DFFF becomes three bytes that are not UTF-8."
POCO_TEXT = {
    "invented": POCO_UTF_32,
    "good byte": "An error takes as many bytes as its lead byte asks for, whatever these bytes "
                 "are.",
}
POCO_READING = {
    "invented": "An incomplete sequence at the end is completed with bytes that an earlier "
                "sequence left in the buffer (`E2 82 AC E2 82` gives two euro signs), or with "
                "memory that was never written: zeros here, so that each run gives the same "
                "result. " +
                POCO_UTF_32,
    "good byte": "As with TextConverter.",
}
POCO_WRITING = {
    "invented": POCO_UTF_32,
    "text": "The first error makes the stream bad, and the rest of the text is not written. Its "
            "documentation says that it writes the default character and counts the error.",
    "marks": "The first error makes the stream bad, and the default character is not written.",
    "end": "An incomplete sequence at the end is dropped, and no error is reported.",
    "silent": "If ill-formed bytes at the end are fewer than their lead byte asks for, they are "
              "dropped, and no error is reported.",
}
UNASSIGNED_PAIR = ("If a pair is unassigned, the trail byte is a part of the error even if it is "
                   "ASCII: ")
ONE_BYTE_ERRORS = ("Where the WHATWG counts a lead byte and a bad trail byte as one error, only "
                   "the lead byte is the error, and the next byte is decoded again. ")
ICU_CONTROLS = ("Bytes 80 to 9F that begin nothing are control characters in Big5, EUC-JP and "
                "EUC-KR; FF is a private character in Big5 and GBK; 8E E0 is a character in "
                "EUC-JP. Shift_JIS has U+001A for 7F.")
ICU_LACKS = ("GBK lacks sequences of four bytes, EUC-KR the syllables that Microsoft added, "
             "GB18030 the byte 80, Shift_JIS 80, and windows-1255 CA.")
ICU_TABLES = ("Big5 is Microsoft's table, with private characters where the WHATWG has those of "
              "HKSCS, or nothing; EUC-KR has private characters for users' pairs; GBK and GB18030 "
              "are older than GB18030-2022; KOI8-U is that of RFC 2319; IBM's tables, and that of "
              "Shift_JIS, have U+001A for 7F; windows-874 and windows-1253 assign the unassigned "
              "bytes.")
PYTHON_LEGACY = {
    "refused": "`shift_jis`, `euc_jp`, `euc_kr` and `big5` lack what NEC, IBM, Microsoft and "
               "HKSCS added; `gbk` lacks private characters, 80, and sequences of four bytes; "
               "`gb18030` lacks 80; Microsoft's single-byte tables lack control characters. "
               "`cp932`, `cp949` and `big5hkscs` have more.",
    "good byte": "Only at the end of the input: if fewer bytes are left than the lead byte asks "
                 "for, all of them are one error: `b'\\x8F\\x8F>'.decode('euc_jp', 'replace')` has "
                 "no `>`.",
    "mapping": "`gb18030` is that of the year 2000, `koi8_u` that of RFC 2319; `big5` has another "
               "character for C6A1.",
    "size": ONE_BYTE_ERRORS,
}
NODE_LEGACY = {
    "invented": "It takes ICU's table. " + ICU_CONTROLS,
    "refused": "It takes ICU's table. " + ICU_LACKS,
    "text": "`decode` throws `ERR_ENCODING_INVALID_ENCODED_DATA` without `fatal`, too, if bytes "
            "of an earlier piece turn out to be ill-formed: EUC-JP `8F A2 | 41`, GB18030 `81 30 | "
            "41`. In one piece they are replaced.",
    "good byte": UNASSIGNED_PAIR +
                 "`new TextDecoder('shift_jis').decode(new Uint8Array([0x85, 0x40, 0x3E]))` has "
                 "no `@`.",
    "cuts": "It throws, as described above.",
    "mapping": "It takes ICU's table. " + ICU_TABLES,
    "size": ONE_BYTE_ERRORS,
}
ICONV_LEGACY = {
    "invented": "BIG5, EUC-JP and EUC-KR pass bytes that begin nothing on as control characters.",
    "refused": "SHIFT_JIS, EUC-JP and BIG5 lack what NEC, IBM, Microsoft and HKSCS added; GBK "
               "lacks private characters and sequences of four bytes, GB18030 80 and 84318236; "
               "Microsoft's single-byte tables lack control characters.",
    "mapping": "SHIFT_JIS has the yen sign for 5C and the overline for 7E. EUC-KR has a control "
               "character and a letter where Microsoft added a syllable; GB18030 and BIG5 have "
               "some private characters, KOI8-U is that of RFC 2319, MACINTOSH has a Greek letter "
               "for C6, and WINDOWS-1258 makes one character of a letter and its tone mark.",
}
ICU_LEGACY = {
    "invented": ICU_CONTROLS,
    "refused": ICU_LACKS,
    "good byte": UNASSIGNED_PAIR + "`85 40 3E` in Shift_JIS has no `@`.",
    "mapping": ICU_TABLES,
    "size": ONE_BYTE_ERRORS,
}
JAVA_LEGACY = {
    "refused": "Shift_JIS, EUC-KR and Big5 lack what NEC, IBM, Microsoft and HKSCS added "
               "(`windows-31j` and `x-windows-949` have more); GBK lacks sequences of four bytes, "
               "GB18030 the byte 80; Microsoft's single-byte tables lack control characters.",
    "good byte": "EUC-JP: an ill-formed byte takes the next byte with it, and 8F the next two, "
                 "whatever these are: `UNMAPPABLE[2]`. GB18030: a sequence of four bytes that is "
                 "cut short is one error with the byte that cuts it short: `MALFORMED[3]`.",
    "place": "The length reported covers the bytes that are lost.",
    "mapping": "Big5 has other characters for A1FE and C6A1; GBK is older than GB18030-2022; "
               "GB18030 has private characters for A3A0 and 84318236; KOI8-U is that of RFC 2319.",
    "size": ONE_BYTE_ERRORS + "In EUC-JP two bad bytes are one error.",
}
GO_LEGACY = {
    "refused": "Shift_JIS, GBK and GB18030 lack private characters, GBK sequences of four bytes. "
               "The control characters 80 to 9F are missing in ISO-8859-2 to -16, and "
               "some in Microsoft's tables.",
    "good byte": UNASSIGNED_PAIR + "`85 40 3E` in Shift_JIS and `81 40 3E` in Big5 have no `@`.",
    "mapping": "8135F437 in GB18030 is U+1E3F, as in the edition of 2000.",
    "size": ONE_BYTE_ERRORS +
            "At the end of the input only the first byte of a sequence of four is an error.",
}
ENCODING_RS = {
    "invented": "A call with an empty piece makes the decoders of Shift_JIS, EUC-KR and Big5 "
                "forget the lead byte before it (hsivonen/encoding_rs, issue 126).",
    **{failure: "For the same reason." for failure in ("refused", "silent", "end", "cuts", "place", "marks", "size")},
    "mapping": "For the same reason; and the version has the private characters that GB18030 had "
               "before 2022.",
}
TO_UTF = {
    "invented": "It takes iconv(3), or ICU where that lacks the encoding. BIG5, EUC-JP and EUC-KR "
                "pass bytes that begin nothing on as control characters.",
    "refused": "It has the tables of iconv(3).",
    "mapping": "It has the tables of iconv(3).",
    "size": "With `skip` it leaves out the first byte of an error, and decodes the others again.",
}
POCO_LEGACY = {
    "refused": "Shift_JIS lacks 80 and private characters, Big5 what HKSCS added; Microsoft's "
               "single-byte tables lack control characters.",
    "good byte": "An error takes as many bytes as its lead byte asks for, whatever these bytes "
                 "are.",
    "mapping": "windows-1250 and windows-1251 have the noncharacter U+FFFE for bytes that "
               "Microsoft's tables leave undefined; Big5 has another character for F9FE.",
    "size": "Each byte of an unassigned pair is an error.",
}
POCO_READING_LEGACY = {
    **POCO_LEGACY,
    "invented": "As in the Unicode encodings: an incomplete sequence at the end is completed with "
                "a byte that an earlier one left in the buffer.",
}
POCO_WRITING_LEGACY = {
    **POCO_LEGACY,
    "text": "As in the Unicode encodings: the first error makes the stream bad, and the rest of "
            "the text is not written.",
    "marks": "The first error makes the stream bad, and the default character is not written.",
    "end": "An incomplete sequence at the end is dropped, and no error is reported.",
}
