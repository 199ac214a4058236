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
import findings
import judge
import runner

HERE = pathlib.Path(__file__).resolve().parent
CORPUS = HERE.parent / "data" / "boundaries"
MULTI_BYTE = ("shift_jis", "euc-jp", "euc-kr", "gbk", "gb18030", "big5")  # the others among the legacy encodings have one byte
SOURCE = "encoding_rs"  # the decoder that the rows of legacy encodings name as a source
UNSEEN = "**Nobody has examined this by hand.**"

# ---------------------------------------------------------------------------------------------------------- exclusions

# The rows (a predicate) that a decoder is not asked about, and the reason.
Exclusion = namedtuple("Exclusion", "rows reason")

SIGNATURES = {"utf-16": ("fffe", "feff"), "utf-32": ("fffe0000", "0000feff")}


def without_signature(row):
    return row["from"] in SIGNATURES and not row["input"].startswith(SIGNATURES[row["from"]])


def unpaired(row):
    """Whether a row has a lone surrogate, in UTF-16 or encoded in CESU-8. A high surrogate at the end is an error of the
    kind incomplete_at_end."""
    size = {"utf-16le": 2, "utf-16be": 2, "utf-16": 2, "cesu-8": 3}.get(row["from"])
    return size is not None and any(error["kind"].startswith("unpaired") or
                                    (error["kind"] == "incomplete_at_end" and error["size"] >= size) for error in row["errors"])


NO_SIGNATURE = Exclusion(
    without_signature, "`utf-16` and `utf-32` without a signature: the decoder does not read them as big-endian")
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

# `what` is the page's description of the decoder. `remarks` and `legacy` have, for each kind of failure, the result of
# examining it by hand, in the Unicode encodings and in the legacy encodings.
Participant = namedtuple("Participant", "name what command promises whole_only cuts_matter excluded remarks legacy",
                         defaults=(judge.Promises(), False, True, (), {}, {}))

# The results of a participant in the Unicode encodings and in the legacy encodings.
Result = namedtuple("Result", "participant version unicode legacy")

OURS = judge.Promises(maximal=True, tells=True)
WHATWG = judge.Promises(maximal=True, tells=False)
TELLS = judge.Promises(maximal=False, tells=True)


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
        Participant("utfilter::istream", "a stream over a stream that has the pieces", built("utfilter_stream"), OURS),
        Participant("utfcat", "whole files, with `-f`; the errors that it repairs are those that `--check` names",
                    ["python3", str(HERE / "drivers" / "utfcat.py"), str(drivers / "utfilter" / "bin" / "utfcat")], OURS,
                    whole_only=True),
        Participant("Python codecs", "`codecs.getincrementaldecoder`", python, excluded=(NO_SIGNATURE,), remarks=findings.PYTHON,
                    legacy=findings.PYTHON_LEGACY),
        Participant("Node TextDecoder", "with `stream: true`, with `fatal` and without", by_node("TextDecoder"), WHATWG,
                    legacy=findings.NODE_LEGACY),
        Participant("Node StringDecoder", "`write` and `end`", by_node("StringDecoder"), excluded=(JAVASCRIPT_STRINGS,),
                    remarks=findings.STRING_DECODER),
        Participant("iconv(3)", f"to UTF-8; {again}, as the manual says", built("iconv"), excluded=(NO_SIGNATURE,),
                    remarks=findings.ICONV, legacy=findings.ICONV_LEGACY),
        Participant("ICU", "`ucnv_toUnicode` with the callbacks that stop and skip, and with one that writes U+FFFD (ICU's own writes "
                           "U+001A for single bytes of some legacy encodings)", built("icu"),
                    excluded=(UNPAIRED_CESU,), legacy=findings.ICU_LEGACY),
        Participant("Java CharsetDecoder", f"`decode` and `flush`; {again}", java,
                    excluded=(UNPAIRED_CESU, MARKED_UTF_32), remarks=findings.JAVA, legacy=findings.JAVA_LEGACY),
        Participant("Go bufio.Reader", "`ReadRune`, which uses `unicode/utf8`; as documented, each byte of an error is "
                                       "a U+FFFD of size 1", built("go_decoders", "bufio"), TELLS),
        Participant("Go x/text, reading", "`transform.Reader`; strict mode is `encoding.UTF8Validator`",
                    built("go_decoders", "reader"), remarks=findings.X_TEXT, legacy=findings.GO_LEGACY),
        Participant("Go x/text, writing", "the same in a `transform.Writer`", built("go_decoders", "writer"), remarks=findings.X_TEXT,
                    legacy=findings.GO_LEGACY),
        Participant("Rust std", "`str::from_utf8`, fed as the documentation of `Utf8Error` says", built("rust_std"), TELLS),
        Participant("encoding_rs", "`decode_to_utf8_without_replacement`", built("encoding_rs"), OURS,
                    excluded=(UTF_32_SIGNATURE,), legacy=findings.ENCODING_RS),
        Participant("libstdc++ codecvt", f"`std::codecvt_utf8` and `std::codecvt_utf16`, which C++17 deprecates; {again}",
                    built("std_codecvt"), remarks=findings.CODECVT),
        Participant("Boost.Iostreams code_converter", "reading, with Boost.Locale's `utf8_codecvt`",
                    built("boost_code_converter"), remarks=findings.CODE_CONVERTER),
        Participant("Boost.Locale utf8_codecvt", again, built("boost_locale_codecvt")),
        Participant("Boost.Locale utf_to_utf", "whole strings, with `stop` and `skip`", built("boost_locale_utf"),
                    whole_only=True, excluded=(ODD_BYTES,),
                    remarks={"good byte": findings.SWALLOWS + " In UTF-16 a high surrogate takes the next code unit."}),
        Participant("Boost.Locale to_utf", "whole strings, with `stop` and `skip`", built("boost_locale_charset"),
                    whole_only=True, legacy=findings.TO_UTF),
        Participant("Boost.Nowide utf8_codecvt", again, built("boost_nowide_codecvt"), remarks={"good byte": findings.SWALLOWS}),
        Participant("Boost.Nowide widen", "whole strings", built("boost_nowide_widen"), whole_only=True,
                    remarks={"good byte": findings.SWALLOWS}),
        Participant("POCO TextConverter", "whole strings; the default character is set to U+FFFD", built("poco", "text"), TELLS,
                    whole_only=True, excluded=(POCO_SURROGATES,), remarks=findings.POCO_TEXT, legacy=findings.POCO_LEGACY),
        Participant("POCO InputStreamConverter", "the same, reading; it reads byte by byte, so cuts make no difference",
                    built("poco", "reading"), TELLS, cuts_matter=False, excluded=(POCO_SURROGATES,), remarks=findings.POCO_READING,
                    legacy=findings.POCO_READING_LEGACY),
        Participant("POCO OutputStreamConverter", "the same, writing", built("poco", "writing"), TELLS, excluded=(POCO_SURROGATES,),
                    remarks=findings.POCO_WRITING, legacy=findings.POCO_WRITING_LEGACY),
    ]


# ------------------------------------------------------------------------------------------------------------- the page

INTRODUCTION = """
The [boundary corpus](../test/data/boundaries/README.md), {rows} rows, each in all its cuts, was run through utfilter
and through the decoders of one system: {system}, {date}. `test/scoreboard/run` installs the packages that it needs,
repeats the runs, and writes this page. The first table has the Unicode encodings; the [second](#legacy-encodings) has
Shift_JIS, EUC-JP, EUC-KR, GBK, GB18030, Big5 and 33 single-byte encodings.

Each decoder runs in every mode that it offers (`strict`: it stops and reports the error; `replace`: it writes U+FFFD
for an error; `skip`: it leaves the error out), and for every encoding that it has. It is fed as its documentation says,
and judged by the promises of its documentation. A number counts the rows that fail in at least one cut and mode; n/a:
the decoder does not offer this. Each kind of failure of the other decoders was reproduced without these drivers.
"""

LEGACY = """
{rows} rows: {multi} of Shift_JIS, EUC-JP, EUC-KR, GBK, GB18030 and Big5, and {single} of 33 single-byte encodings. All
decoders are judged by one rule, that of the [WHATWG Encoding Standard](https://encoding.spec.whatwg.org/), which browsers
follow. Only few of them promise it, so a number is not always a fault. The first columns, up to *wrong place*, are
faults by any rule, and the text or its safety suffers: *loses text after an error* means here that an ASCII byte is
gone, for example a quote or a `<` after half a character. The last columns show that the decoder has another table or
another rule.

Each decoder is asked for the encoding by its name. If it does not know the name, or means another encoding by it, it
lacks the encoding. Some have tables that are nearer to the WHATWG's under other names, such as cp932 or windows-31j for
Shift_JIS, and cp949 for EUC-KR.
"""

BY_ENCODING = """
The next table shows in how many rows of each encoding a decoder differs from the WHATWG in any way. A dash: it lacks the
encoding. The last column counts the single-byte encodings that it has, and those in which it never differs.
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
    "mapping": "a sequence gives another character than in the WHATWG's index, or an unassigned one gives a character.",
    "size": "the text is right except that an error has another size than the WHATWG's: so the number of U+FFFD differs, "
            "or bytes after the error are decoded in another way. No ASCII byte is lost.",
}
IN_LEGACY = {
    "invented": "bytes that are ill-formed in every table gave text.",
    "refused": "the decoder has no character for a sequence of the WHATWG's index.",
    "good byte": "an ASCII byte after an error is missing: it was taken for a part of the error.",
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


def by_encoding(counts):
    """How many rows of each multi-byte encoding, and how many of the single-byte ones."""
    single = sum(count for name, count in counts.items() if name not in MULTI_BYTE)
    counts = [f"{name} {counts[name]}" for name in MULTI_BYTE if counts[name]]
    return ", ".join(counts + [f"single-byte {single}"] if single else counts)


def failures_of(outcome, remarks):
    """Yields a line for each kind of failure, with its smallest input."""
    for failure, title in judge.FAILURES.items():
        if not outcome.failed[failure]:
            continue
        example = outcome.simplest(failure)
        pieces = " | ".join(spaced(piece) or "empty" for piece in example.pieces)
        answer = f"it {example.answer}" if isinstance(example.answer, str) else shown(*example.answer)
        remark = remarks.get(failure, UNSEEN)
        count = len(outcome.failed[failure])
        rows = f"{count} row" if count == 1 else f"{count} rows"
        if runner.is_legacy(example.row):
            rows += ": " + by_encoding(outcome.failed_rows(failure))
        yield (f"- *{title}* ({rows}): {example.row['from']}, {example.mode}, `{pieces}` gives "
               f"{answer}; expected {shown_expectation(example)}. {remark}")


def cell(participant, outcome, failure):
    """How many rows fail, or whether the decoder does not offer what this failure is about."""
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


def bulleted(items):
    return [wrapped(f"- {item}", "  ") for item in items]


def table(titles, words, lines):
    """A table in which the columns hold numbers, except those with the titles in `words`."""
    align = "|" + "".join("---|" if title in words else "--:|" for title in titles)
    return ["| " + " | ".join(titles) + " |", align, *("| " + " | ".join(map(str, line)) + " |" for line in lines), ""]


def unicode_table(results):
    kinds = [failure for failure in judge.FAILURES if failure not in judge.ONLY_LEGACY]
    lines = [[result.participant.name, result.version, len(result.unicode.rows), result.unicode.runs,
              *(cell(result.participant, result.unicode, failure) for failure in kinds),
              practice(result.unicode), before_an_error(result.unicode)]
             for result in results if result.unicode.rows]
    titles = ["decoder", "version", "rows", "runs", *(judge.FAILURES[failure] for failure in kinds), *OTHER_COLUMNS]
    return table(titles, ("decoder", "version", *OTHER_COLUMNS), lines)


def legacy_kinds():
    """The columns of the second table: first the faults by any rule."""
    by_rule = ("invented", "mapping", "refused", "size")
    return [failure for failure in judge.FAILURES if failure not in (*by_rule, "marks")] + list(by_rule)


def legacy_table(results):
    kinds, lines = legacy_kinds(), []
    for result in results:
        if result.legacy.rows:
            lines.append([result.participant.name, result.version, len(result.legacy.rows), result.legacy.runs,
                          *(cell(result.participant, result.legacy, failure) for failure in kinds)])
    titles = ["decoder", "version", "rows", "runs", *(judge.FAILURES[failure] for failure in kinds)]
    return table(titles, ("decoder", "version"), lines)


def encoding_table(results):
    lines = []
    for result in results:
        if not result.legacy.rows:
            continue
        failed = result.legacy.failed_rows()
        single = result.legacy.encodings - set(MULTI_BYTE)
        cells = [failed[name] if name in result.legacy.encodings else "–" for name in MULTI_BYTE]
        lines.append([result.participant.name, *(f"**{count}**" if count not in (0, "–") else count for count in cells),
                      f"{len(single)}, {sum(not failed[name] for name in single)}"])
    return table(["decoder", *MULTI_BYTE, "single-byte"], ("decoder",), lines)


def failure_sections(results, outcome_of, remarks_of):
    """A section for each decoder that fails; decoders that fail in the same ways share one."""
    decoders = {}
    for result in results:
        outcome = outcome_of(result)
        found = tuple(wrapped(line, "  ") for line in failures_of(outcome, remarks_of(result.participant)))
        if found:
            decoders.setdefault(found, []).append(f"**{result.participant.name}** {result.version}")
    for found, names in decoders.items():
        yield from [wrapped("; ".join(names)), "", *found, ""]


def names_of_legacy(encodings, single):
    """The names of the multi-byte encodings, and how many of the single-byte ones, `single`, a decoder has."""
    names, lacking = [name for name in MULTI_BYTE if name in encodings], sorted(single - encodings)
    if lacking == sorted(single):
        return names
    if len(lacking) + 1 == len(single):
        return names + sorted(single & encodings)
    return names + [f"all {len(single)} single-byte encodings" + (f" but {', '.join(lacking)}" if lacking else "")]


def offers_of(result, single):
    """The modes and encodings of a decoder, and what it is not asked."""
    participant, outcomes = result.participant, (result.unicode, result.legacy)
    modes = ", ".join(mode for mode in ("strict", "replace", "skip") if any(mode in outcome.modes for outcome in outcomes))
    names = sorted(result.unicode.encodings) + names_of_legacy(result.legacy.encodings, single)
    line = f"**{participant.name}**: {participant.what}. {modes.capitalize()}; {', '.join(names)}."
    if participant.excluded:
        line += " Not asked: " + "; ".join(exclusion.reason for exclusion in participant.excluded) + "."
    return line


def page(results, rows):
    release = platform.freedesktop_os_release()["PRETTY_NAME"]
    legacy = [row for row in rows if runner.is_legacy(row)]
    multi = sum(row["from"] in MULTI_BYTE for row in legacy)
    single = {row["from"] for row in legacy} - set(MULTI_BYTE)

    def paragraphs(text, **values):
        return [wrapped(paragraph) + "\n" for paragraph in text.strip().format(**values).split("\n\n")]

    return "\n".join([
        "# Scoreboard: which decoder fails at which boundary", "",
        *paragraphs(INTRODUCTION, rows=len(rows), system=f"{release}, {platform.machine()}", date=datetime.date.today()),
        *unicode_table(results),
        "## Legacy encodings", "",
        *paragraphs(LEGACY, rows=len(legacy), multi=multi, single=len(legacy) - multi),
        *legacy_table(results),
        *paragraphs(BY_ENCODING),
        *encoding_table(results),
        "## What the columns mean", "",
        *bulleted(f"*{title}*: {MEANINGS[failure]}" + (f" In legacy encodings: {IN_LEGACY[failure]}" if failure in IN_LEGACY else "")
                  for failure, title in judge.FAILURES.items()),
        *bulleted(f"*{title}*: {meaning}" for title, meaning in OTHER_COLUMNS.items()), "",
        "## The failures, each with its smallest input", "",
        "A bar is a cut. The output is shown as UTF-8; a surrogate is shown as three bytes.", "",
        *failure_sections(results, lambda result: result.unicode, lambda participant: participant.remarks),
        "## The differences in legacy encodings, each with its smallest input", "",
        "For each kind the number of rows, in all and by encoding.", "",
        *failure_sections(results, lambda result: result.legacy, lambda participant: participant.legacy),
        "## The modes, the encodings and the exceptions of each decoder", "",
        *bulleted(offers_of(result, single) for result in results)]) + "\n"


def contradicted(outcome):
    """The rows that name the decoder as a source although it fails. Failures that need empty pieces do not count."""
    return sorted({name for examples in outcome.failed.values() for name, example in examples.items()
                   if SOURCE in example.row["sources"] and b"" not in example.pieces})


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
        outcomes = []
        for legacy, remarks in ((False, participant.remarks), (True, participant.legacy)):
            asked = [row for row in rows if runner.is_legacy(row) == legacy
                     and not any(exclusion.rows(row) for exclusion in participant.excluded)]
            # The rows of legacy encodings hold everybody to the WHATWG's rules.
            promises = participant.promises._replace(maximal=True) if legacy else participant.promises
            outcome = runner.outcome_of(participant.command, asked, promises, participant.whole_only, participant.cuts_matter)
            outcomes.append(outcome)
            found = [failure for failure in judge.FAILURES if outcome.failed[failure]]
            counts = ", ".join(f"{judge.FAILURES[failure]} {len(outcome.failed[failure])}" for failure in found)
            print(f"{participant.name}{', legacy' * legacy}: {len(outcome.rows)} rows, {outcome.runs} runs; "
                  f"{counts or 'no failures'}", flush=True)
            if arguments.names:
                print("\n".join(failures_of(outcome, remarks)))
            unseen = [judge.FAILURES[failure] for failure in found if failure not in remarks]
            if unseen:
                bad.append(f"{participant.name} has failures that nobody has examined by hand: {', '.join(unseen)}")
        if participant.name == SOURCE:
            bad += [f"{name} names {SOURCE} as a source, which gives something else" for name in contradicted(outcomes[1])]
        results.append(Result(participant, runner.version_of(participant.command), *outcomes))
    if not arguments.names:
        arguments.output.parent.mkdir(exist_ok=True)
        arguments.output.write_text(page(results, rows))
        print(f"{arguments.output} is written")
    for complaint in bad:
        print(complaint, file=sys.stderr)
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
