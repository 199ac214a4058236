#!/usr/bin/env python3
"""scoreboard.py: the list of the decoders and of their promises, and the page with their results.

scoreboard.py --drivers DIRECTORY --output FILE [NAME]...: asks the drivers that test/scoreboard/run has built, and
writes FILE. With NAMEs it asks only the decoders whose names contain one of them, and does not write FILE. It fails if
utfilter fails, or if another decoder fails in a way that nobody has examined by hand.
"""
import argparse
import datetime
import pathlib
import platform
import sys
import textwrap
from collections import namedtuple

sys.dont_write_bytecode = True
import judge
import runner

HERE = pathlib.Path(__file__).resolve().parent
CORPUS = HERE.parent / "data" / "boundaries"

# ---------------------------------------------------------------------------------------------------------- exclusions

# The rows (a predicate) that a decoder is not asked about, and the reason.
Exclusion = namedtuple("Exclusion", "rows reason")

SIGNATURES = {"utf-16": ("fffe", "feff"), "utf-32": ("fffe0000", "0000feff")}


def without_signature(row):
    return row["from"] in SIGNATURES and not row["input"].startswith(SIGNATURES[row["from"]])


def undefined(row):
    return row["id"].startswith("windows-1252/undefined/")


def unpaired(row):
    """Whether a row has a lone surrogate, in UTF-16 or encoded in CESU-8. A high surrogate at the end is an error of the
    kind incomplete_at_end."""
    size = {"utf-16le": 2, "utf-16be": 2, "utf-16": 2, "cesu-8": 3}.get(row["from"])
    return size is not None and any(error["kind"].startswith("unpaired") or
                                    (error["kind"] == "incomplete_at_end" and error["size"] >= size) for error in row["errors"])


NO_SIGNATURE = Exclusion(
    without_signature, "`utf-16` and `utf-32` without a signature: the decoder does not read them as big-endian")
UNDEFINED = Exclusion(undefined, "the five bytes of windows-1252 that IANA's table leaves undefined")
UNPAIRED_CESU = Exclusion(
    lambda row: row["from"] == "cesu-8" and unpaired(row),
    "unpaired surrogates in CESU-8: they come out as surrogates of UTF-16, and UTR 26 does not say what a decoder "
    "does with them")
JAVASCRIPT_STRINGS = Exclusion(unpaired, "unpaired surrogates in UTF-16: a JavaScript string may hold them")
MARKED_UTF_32 = Exclusion(
    lambda row: row["from"] in ("utf-32le", "utf-32be") and row["output"].startswith("efbbbf"),
    "UTF-32LE and UTF-32BE that begin with U+FEFF: Java 17 does not say whether the U+FEFF stays")
UTF_32_SIGNATURE = Exclusion(
    lambda row: row["from"] == "detect" and row["input"].startswith(SIGNATURES["utf-32"]),
    "signatures of UTF-32: the WHATWG has none")
ODD_BYTES = Exclusion(
    lambda row: row["from"][-2:] in ("le", "be") and any(error["size"] % 2 for error in row["errors"]),
    "odd bytes: the function takes only whole code units")
POCO_SURROGATES = Exclusion(unpaired, "unpaired surrogates in UTF-16: its documentation says that it passes them on")

# ------------------------------------------------------------------------------------------------------- who takes part

# `what` is the page's description of the decoder. `remarks` has, for each kind of failure, the result of examining it
# by hand.
Participant = namedtuple("Participant", "name what command promises whole_only cuts_matter excluded remarks",
                         defaults=(judge.Promises(), False, True, (), {}))

OURS = judge.Promises(maximal=True, tells=True)
WHATWG = judge.Promises(maximal=True, tells=False)
TELLS = judge.Promises(maximal=False, tells=True)

PYTHON = {"end": "`utf-8-sig`, if the input ends inside a signature: `decode(b'\\xEF', True)` returns nothing, in "
                 "strict mode, too. `bytes.decode` reports the error."}
STRING_DECODER = {"end": "For an odd byte at the end of UTF-16LE `end()` returns nothing; its documentation says that "
                         "an incomplete character is replaced."}
ICONV = {"invented": "From UTF-8 to UTF-8 it passes on the sequences that RFC 2279 allowed: numbers up to 7FFFFFFF in "
                     "up to six bytes. To UTF-16 and UTF-32 it refuses these."}
JAVA = {
    "invented": "UTF-32 code units D800 to DFFF become surrogates in the string, with `REPORT`, too.",
    "good byte": "UTF-16: an error at a high surrogate without a low one includes the next character: `MALFORMED[4]`.",
    "place": "UTF-16: the malformed length is 4, but the last two of these bytes are a character.",
}
X_TEXT = {"marks": "`UTF32(…, UseBOM)` and an input of fewer than four bytes: it returns `ErrShortSrc`, but "
                   "`encoding.Decoder` promises U+FFFD."}
CODECVT = {
    "invented": "`codecvt_utf8` takes encoded surrogates for characters. With `consume_header`, `codecvt_utf16` "
                "forgets the byte order after the first call of `in()`, and reads the rest as big-endian.",
    "refused": "`codecvt_utf16`: if a call ends inside a code unit, `in()` returns `error`, not `partial`.",
    "text": "With `consume_header` each call of `in()` removes a U+FEFF, not only the first.",
    "cuts": "For each of the reasons above.",
    "place": "It reports half a code unit as the error, and not the ill-formed bytes after it.",
}
CODE_CONVERTER = {"end": "An incomplete sequence at the end is dropped, and no error is reported."}
SWALLOWS = "The byte that cuts a sequence short is dropped with it. Boost 1.81, tried by hand, does the same."
POCO_UTF_32 = "A UTF-32 code unit D800 to DFFF becomes three bytes that are not UTF-8."
POCO_TEXT = {"invented": POCO_UTF_32,
             "good byte": "An error takes as many bytes as its lead byte asks for, whatever these bytes are."}
POCO_READING = {
    "invented": "An incomplete sequence at the end is completed with bytes that an earlier sequence "
                "left in the buffer (`E2 82 AC E2 82` gives two euro signs), or with memory that was "
                "never written: zeros here, so that each run gives the same result. " + POCO_UTF_32,
    "good byte": "As with TextConverter.",
}
POCO_WRITING = {
    "invented": POCO_UTF_32,
    "text": "The first error makes the stream bad, and the rest of the text is not written. Its documentation says "
            "that it writes the default character and counts the error.",
    "marks": "The first error makes the stream bad, and the default character is not written.",
    "end": "An incomplete sequence at the end is dropped, and no error is reported.",
    "silent": "If ill-formed bytes at the end are fewer than their lead byte asks for, they are dropped, and no error "
              "is reported.",
}


def participants(drivers):
    def built(name, *arguments):
        return [str(drivers / name), *arguments]

    def by_node(what):
        return ["node", str(HERE / "drivers" / "node.js"), what]

    python = ["python3", str(HERE / "drivers" / "python_codecs.py")]
    java = ["java", "-cp", str(drivers), "Decoders"]
    again = "the unread rest of a piece is passed again with the next one"
    return [
        Participant("utfilter::decoder", "by pieces, without streams", built("utfilter_decoder"), OURS),
        Participant("utfilter::to_utf8, reading", "in a `filtering_istream`", built("utfilter_filters", "reading"), OURS),
        Participant("utfilter::to_utf8, writing", "in a `filtering_ostream`", built("utfilter_filters", "writing"), OURS),
        Participant("Python codecs", "`codecs.getincrementaldecoder`", python, excluded=(NO_SIGNATURE, UNDEFINED), remarks=PYTHON),
        Participant("Node TextDecoder", "with `stream: true`, with `fatal` and without", by_node("TextDecoder"), WHATWG),
        Participant("Node StringDecoder", "`write` and `end`", by_node("StringDecoder"), excluded=(JAVASCRIPT_STRINGS,),
                    remarks=STRING_DECODER),
        Participant("iconv(3)", f"to UTF-8; {again}, as the manual says", built("iconv"), excluded=(NO_SIGNATURE, UNDEFINED),
                    remarks=ICONV),
        Participant("ICU", "`ucnv_toUnicode` with the callbacks that stop, substitute and skip", built("icu"),
                    excluded=(UNPAIRED_CESU,)),
        Participant("Java CharsetDecoder", f"`decode` and `flush`; {again}", java,
                    excluded=(UNDEFINED, UNPAIRED_CESU, MARKED_UTF_32), remarks=JAVA),
        Participant("Go bufio.Reader", "`ReadRune`, which uses `unicode/utf8`; as documented, each byte of an error is "
                                       "a U+FFFD of size 1", built("go_decoders", "bufio"), TELLS),
        Participant("Go x/text, reading", "`transform.Reader`; strict mode is `encoding.UTF8Validator`",
                    built("go_decoders", "reader"), excluded=(UNDEFINED,), remarks=X_TEXT),
        Participant("Go x/text, writing", "the same in a `transform.Writer`", built("go_decoders", "writer"),
                    excluded=(UNDEFINED,), remarks=X_TEXT),
        Participant("Rust std", "`str::from_utf8`, fed as the documentation of `Utf8Error` says", built("rust_std"), TELLS),
        Participant("encoding_rs", "`decode_to_utf8_without_replacement`", built("encoding_rs"), OURS,
                    excluded=(UTF_32_SIGNATURE,)),
        Participant("libstdc++ codecvt", f"`std::codecvt_utf8` and `std::codecvt_utf16`, which C++17 deprecates; {again}",
                    built("std_codecvt"), remarks=CODECVT),
        Participant("Boost.Iostreams code_converter", "reading, with Boost.Locale's `utf8_codecvt`",
                    built("boost_code_converter"), remarks=CODE_CONVERTER),
        Participant("Boost.Locale utf8_codecvt", again, built("boost_locale_codecvt")),
        Participant("Boost.Locale utf_to_utf", "whole strings, with `stop` and `skip`", built("boost_locale_utf"),
                    whole_only=True, excluded=(ODD_BYTES,),
                    remarks={"good byte": SWALLOWS + " In UTF-16 a high surrogate takes the next code unit."}),
        Participant("Boost.Nowide utf8_codecvt", again, built("boost_nowide_codecvt"), remarks={"good byte": SWALLOWS}),
        Participant("Boost.Nowide widen", "whole strings", built("boost_nowide_widen"), whole_only=True,
                    remarks={"good byte": SWALLOWS}),
        Participant("POCO TextConverter", "whole strings; the default character is set to U+FFFD", built("poco", "text"), TELLS,
                    whole_only=True, excluded=(POCO_SURROGATES,), remarks=POCO_TEXT),
        Participant("POCO InputStreamConverter", "the same, reading; it reads byte by byte, so cuts make no difference",
                    built("poco", "reading"), TELLS, cuts_matter=False, excluded=(POCO_SURROGATES,), remarks=POCO_READING),
        Participant("POCO OutputStreamConverter", "the same, writing", built("poco", "writing"), TELLS, excluded=(POCO_SURROGATES,),
                    remarks=POCO_WRITING),
    ]


# ------------------------------------------------------------------------------------------------------------- the page

INTRODUCTION = """
The [boundary corpus](../test/data/boundaries/README.md), {rows} rows, each in all its cuts, was run through utfilter
and through the decoders of one system: {system}, {date}. `test/scoreboard/run` installs the packages that it needs,
repeats the runs, and writes this page.

Each decoder runs in every mode that it offers (`strict`: it stops and reports the error; `replace`: it writes U+FFFD
for an error; `skip`: it leaves the error out), and for every encoding that it has. It is fed as its documentation says,
and judged by the promises of its documentation. A number counts the rows that fail in at least one cut and mode; n/a:
the decoder does not offer this. Each kind of failure of the other decoders was reproduced without these drivers.
"""

MEANINGS = {
    "hangs": f"no answer in {runner.PATIENCE} seconds, or the program has ended; after {runner.MOST_HANGS} of these "
             "the decoder gets no more questions.",
    "invented": "the output has text that the input does not have, or is not UTF-8: ill-formed input was taken for text.",
    "refused": "well-formed input was refused or replaced.",
    "text": "characters outside of any error are missing.",
    "good byte": "characters directly after an error are missing: they were taken for a part of the error.",
    "silent": "ill-formed bytes left no trace: no error, no U+FFFD.",
    "end": "an incomplete sequence at the end of the input left no trace.",
    "cuts": "the same input, cut in another way, gives another result. (If text is refused, the output before the "
            "error may differ.)",
    "place": "the reported place is not the place of the error, or reaches into well-formed text.",
    "marks": "the decoder promises U+FFFD, and writes a wrong number of them. (If it promises no number, a run of "
             "U+FFFD counts as one.)",
}
OTHER_COLUMNS = {
    "maximal subparts": "whether the decoder writes one U+FFFD for each maximal subpart (Unicode D93b), as the corpus "
                        "expects and the WHATWG requires. No other rule requires this: if a decoder does not promise "
                        "it, a run of U+FFFD counts as one.",
    "text before an error": "in strict mode: whether the text before an error arrives even if it is in the same piece "
                            "as the error. If it does not arrive, that is no failure: a function that throws cannot "
                            "return text. But the caller loses that text.",
}


def wrapped(text, indent=""):
    return textwrap.fill(text, width=130, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def spaced(data):
    return " ".join(f"{byte:02X}" for byte in data)


def shown(output, told, places):
    """The output, and the errors reported."""
    text = f"`{spaced(output)}`" if output else "nothing"
    where = ", ".join(f"at {offset}" + (f" (size {size})" if size else "") for offset, size in places)
    return text + (f" and an error {where}".rstrip() if told else "")


def shown_expectation(example):
    expected, strict = judge.Expected(example.row), example.mode == "strict"
    output = {"replace": expected.text, "strict": expected.before, "skip": expected.good}[example.mode].encode()
    places = [(error["offset"], error["size"]) for error in expected.errors[:1]]
    return shown(output, strict and expected.errors, places if strict else [])


def failures_of(participant, outcome):
    """Yields a line for each kind of failure, with its smallest input."""
    for failure, title in judge.FAILURES.items():
        if not outcome.failed[failure]:
            continue
        example = outcome.simplest(failure)
        pieces = " | ".join(spaced(piece) or "empty" for piece in example.pieces)
        answer = f"it {example.answer}" if isinstance(example.answer, str) else shown(*example.answer)
        remark = participant.remarks.get(failure, "**Nobody has examined this by hand.**")
        yield (f"- *{title}* ({len(outcome.failed[failure])} rows): {example.row['from']}, {example.mode}, `{pieces}` gives "
               f"{answer}; expected {shown_expectation(example)}. {remark}")


def cell(participant, outcome, failure):
    not_offered = {
        "cuts": participant.whole_only or not participant.cuts_matter,
        "place": not outcome.tells_places,
        "good byte": outcome.modes == {"strict"},
        "marks": "replace" not in outcome.modes,
    }
    count = len(outcome.failed[failure])
    return f"**{count}**" if count else "n/a" if not_offered.get(failure) else "0"


def practice(outcome):
    if "replace" not in outcome.modes:
        return "n/a"
    return f"not in {len(outcome.other_marks)} rows" if outcome.other_marks else "yes"


def before_an_error(outcome):
    if "strict" not in outcome.modes:
        return "n/a"
    return "not in the same piece" if outcome.withholds else "yes"


def page(results, rows):
    release = platform.freedesktop_os_release()["PRETTY_NAME"]
    introduction = INTRODUCTION.format(rows=rows, system=f"{release}, {platform.machine()}", date=datetime.date.today())
    paragraphs = [wrapped(paragraph) + "\n" for paragraph in introduction.strip().split("\n\n")]
    titles = ["decoder", "version", "rows", "runs", *judge.FAILURES.values(), *OTHER_COLUMNS]
    lines = ["# Scoreboard: which decoder fails at which boundary", "", *paragraphs, "| " + " | ".join(titles) + " |",
             "|---|---|--:|--:|" + "--:|" * len(judge.FAILURES) + "---|---|"]
    for participant, version, outcome in results:
        cells = [participant.name, version, len(outcome.rows), outcome.runs,
                 *(cell(participant, outcome, failure) for failure in judge.FAILURES), practice(outcome), before_an_error(outcome)]
        lines.append("| " + " | ".join(map(str, cells)) + " |")

    lines += ["", "## What the columns mean", ""]
    lines += [wrapped(f"- *{title}*: {MEANINGS[failure]}", "  ") for failure, title in judge.FAILURES.items()]
    lines += [wrapped(f"- *{title}*: {meaning}", "  ") for title, meaning in OTHER_COLUMNS.items()]

    lines += ["", "## The failures, each with its smallest input", "",
              "A bar is a cut. The output is shown as UTF-8; a surrogate is shown as three bytes.", ""]
    for participant, version, outcome in results:
        found = [wrapped(line, "  ") for line in failures_of(participant, outcome)]
        if found:
            lines += [f"**{participant.name}** {version}", "", *found, ""]

    lines += ["## The modes, the encodings and the exceptions of each decoder", ""]
    for participant, _, outcome in results:
        modes = ", ".join(mode for mode in ("strict", "replace", "skip") if mode in outcome.modes)
        line = f"- **{participant.name}**: {participant.what}. {modes.capitalize()}; {', '.join(sorted(outcome.encodings))}."
        if participant.excluded:
            line += " Not asked: " + "; ".join(exclusion.reason for exclusion in participant.excluded) + "."
        lines.append(wrapped(line, "  "))
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description="Writes the scoreboard.")
    parser.add_argument("--drivers", type=pathlib.Path, required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()

    rows, results, bad = runner.rows_of(CORPUS), [], []
    for participant in participants(arguments.drivers):
        if arguments.names and not any(name.lower() in participant.name.lower() for name in arguments.names):
            continue
        version = runner.version_of(participant.command)
        asked = [row for row in rows if not any(exclusion.rows(row) for exclusion in participant.excluded)]
        outcome = runner.outcome_of(participant.command, asked, participant.promises, participant.whole_only,
                                    participant.cuts_matter)
        results.append((participant, version, outcome))
        found = [failure for failure in judge.FAILURES if outcome.failed[failure]]
        counts = ", ".join(f"{judge.FAILURES[failure]} {len(outcome.failed[failure])}" for failure in found)
        print(f"{participant.name}: {len(outcome.rows)} rows, {outcome.runs} runs; {counts or 'no failures'}", flush=True)
        if arguments.names:
            print("\n".join(failures_of(participant, outcome)))
        unseen = [judge.FAILURES[failure] for failure in found if failure not in participant.remarks]
        if unseen:
            bad.append(f"{participant.name} has failures that nobody has examined by hand: {', '.join(unseen)}")
    if not arguments.names:
        arguments.output.parent.mkdir(exist_ok=True)
        arguments.output.write_text(page(results, len(rows)))
        print(f"{arguments.output} is written")
    for complaint in bad:
        print(complaint, file=sys.stderr)
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
