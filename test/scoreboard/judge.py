"""judge.py: finds the failures in a decoder's answer to a row of the boundary corpus."""
import re
from collections import namedtuple

# The kinds of failure, in the order of the scoreboard's columns.
FAILURES = {
    "hangs": "hangs or crashes",
    "invented": "takes ill-formed bytes as text",
    "refused": "refuses well-formed text",
    "text": "loses text",
    "good byte": "loses text after an error",
    "silent": "error not reported",
    "end": "end dropped",
    "cuts": "depends on cuts",
    "place": "wrong place",
    "marks": "U+FFFD",
    "mapping": "other characters",
    "size": "other sizes of errors",
}

# The kinds that are failures by no rule but the WHATWG's. Only the rows of legacy encodings have them.
ONLY_LEGACY = ("mapping", "size")

MARK = "\uFFFD"
MARK_SIZE = len(MARK.encode())

# A decoder's answer: the bytes of its output, whether it reported an error (`told`), and the places that it reported:
# (offset, size or None).
Answer = namedtuple("Answer", "output told places")

# What a decoder promises. `maximal`: one U+FFFD for each maximal subpart. `tells`: it also reports the errors that it
# repairs.
Promises = namedtuple("Promises", "maximal tells", defaults=(False, False))


def parsed(line):
    """Parses an answer as the drivers write it (driver.hpp). None: the library does not offer this conversion."""
    if line == "n/a":
        return None
    output, errors = line.split("|")
    places = []
    if errors != "told":
        for place in errors.split(",")[:-1]:
            offset, size = place.split(":")
            places.append((int(offset), int(size) if size else None))
    return Answer(bytes.fromhex(output), errors != "", tuple(places))


def collapsed(text):
    """The text with each run of U+FFFD replaced by one: for adjacent errors, decoders may write different numbers."""
    return re.sub(MARK + "+", MARK, text)


class Expected:
    """The answer that a row expects."""

    def __init__(self, row):
        output = bytes.fromhex(row["output"])
        self.errors = row["errors"]
        marks = [error["output_offset"] for error in self.errors]
        self.text = output.decode()
        self.before = output[:marks[0]].decode() if marks else self.text
        self.legacy = "sources" in row
        self.other_sizes = {bytes.fromhex(text).decode() for text in row.get("other_sizes", [])}
        self.only_the_end = [error["kind"] for error in self.errors] == ["incomplete_at_end"]
        self.ends_inside = bool(self.errors) and self.errors[-1]["kind"] == "incomplete_at_end"
        # The text without the errors, and the indices of its characters that directly follow an error.
        self.good, self.after_errors = self.before, set()
        for mark, end in zip(marks, [*marks[1:], len(output)]):
            segment = output[mark + MARK_SIZE:end].decode()
            if segment:
                self.after_errors.add(len(self.good))
            self.good += segment

    def ill_formed_run(self, start):
        """The end of the ill-formed bytes that begin at an error: the error and all errors adjacent to it."""
        for error in self.errors:
            if error["offset"] == start:
                start += error["size"]
        return start


def is_subsequence(part, whole):
    rest = iter(whole)
    return all(character in rest for character in part)


def lacks_only_what_follows_errors(part, expected):
    """Whether `part` is the good text without some runs of characters that begin directly after an error."""
    reached = {(0, False)}  # how much of `part` has been matched, and whether the character before was left out
    for index, character in enumerate(expected.good):
        following = set()
        for matched, left_out in reached:
            if matched < len(part) and part[matched] == character:
                following.add((matched + 1, False))
            if left_out or index in expected.after_errors:
                following.add((matched, True))
        reached = following
    return any(matched == len(part) for matched, _ in reached)


def wrong_text(text, mode, expected, told):
    """The failure of a text that differs from the expected one, judged by its characters other than U+FFFD."""
    rest, good = text.replace(MARK, ""), expected.good.replace(MARK, "")
    if not is_subsequence(rest, good):
        return "invented"
    if not expected.errors:
        return "refused" if told or MARK in text else "text"
    if rest != good:
        ended_at_the_error = mode == "replace" and text == expected.before
        return "good byte" if not ended_at_the_error and lacks_only_what_follows_errors(rest, expected) else "text"
    if told or collapsed(text).count(MARK) >= collapsed(expected.text).count(MARK):
        return "marks"
    return "end" if expected.ends_inside and collapsed(text) == collapsed(expected.text[:-1]) else "silent"


def unreported(expected):
    return "end" if expected.only_the_end else "silent"


def ascii_of(text):
    return [character for character in text if character < "\x80"]


def loses_ascii(text, expected):
    return not is_subsequence(ascii_of(expected.good), ascii_of(text))


def taken_for_text(errors):
    """The failure of a decoder that has characters for these errors: sequences that only its own table assigns, or
    bytes that are ill-formed in every table."""
    return "mapping" if all(error["kind"] == "unassigned" for error in errors) else "invented"


def wrong_characters(text, expected):
    """The failures of a text that has as many characters as the expected one, place by place."""
    failures, offset = set(), 0
    marks = {error["output_offset"]: error for error in expected.errors}
    for right, given in zip(expected.text, text):
        if right != given:
            failures.add("refused" if given == MARK else taken_for_text([marks[offset]]) if offset in marks else "mapping")
        offset += len(right.encode())
    return failures


def wrong_legacy_text(text, mode, expected, told):
    """The failures of a text in a legacy encoding that differs from the expected one."""
    if not expected.errors:
        return {"refused" if told or MARK in text else "mapping"}
    stopped = told and text == expected.before
    if mode == "replace" and expected.ends_inside and text == expected.text[:-1] and not stopped:
        return {"end"}
    others = {collapsed(other) if mode == "replace" else other.replace(MARK, "")
              for other in (expected.text, *expected.other_sizes)}
    if collapsed(text) in others:
        return {"good byte" if loses_ascii(text, expected) else "size"}
    if mode == "replace" and len(text) == len(expected.text):
        return wrong_characters(text, expected)
    rest = text.replace(MARK, "")
    if rest == expected.good:
        return {wrong_text(text, mode, expected, told)}
    if mode == "replace" and stopped:
        return {"text"}
    if not is_subsequence(rest, expected.good):
        return {taken_for_text(expected.errors)}
    return {"good byte" if loses_ascii(text, expected) else "refused"}


def judged_legacy_strict(answer, text, expected):
    """By the WHATWG's rules: the error is at its place, has its size, and all text before it is there."""
    if not answer.told:
        if not expected.errors:
            return set() if text == expected.text else {"mapping"}
        if is_subsequence(text.replace(MARK, ""), expected.good):
            return {unreported(expected)}
        return {taken_for_text(expected.errors)}
    if not expected.errors:
        return {"refused"}
    if not expected.before.startswith(text):
        same_start = text.startswith(expected.before)
        return {taken_for_text(expected.errors[:1]) if same_start else "mapping"}
    if not answer.places:
        return set()
    error, (offset, size) = expected.errors[0], answer.places[0]
    if offset < error["offset"]:
        return {"refused"}
    if wrong_place(answer.places[0], expected):
        return {"place"}
    return {"size"} if size not in (None, error["size"]) else set()


def judged_legacy(answer, text, mode, expected, promises):
    if mode == "strict":
        return judged_legacy_strict(answer, text, expected)
    failures = set()
    if text != (expected.text if mode == "replace" else expected.good):
        failures = wrong_legacy_text(text, mode, expected, answer.told)
    elif promises.tells:
        if bool(expected.errors) != answer.told:
            failures.add(unreported(expected) if expected.errors else "refused")
        elif answer.places and wrong_places(answer.places, expected, promises.maximal):
            failures.add("place" if wrong_places(answer.places, expected, maximal=False) else "size")
    return failures


def wrong_place(place, expected):
    """Whether the first reported error has a wrong offset, or reaches into well-formed text."""
    offset, size = place
    start = expected.errors[0]["offset"]
    return offset != start or (size is not None and offset + size > expected.ill_formed_run(start))


def wrong_places(places, expected, maximal):
    """Whether the reported places do not match the errors. A decoder that does not promise maximal subparts must report
    an error at the start of each maximal subpart, and none outside of them."""
    errors = [(error["offset"], error["size"]) for error in expected.errors]
    if maximal:
        return len(places) != len(errors) or any(
            told != offset or told_size not in (None, size) for (told, told_size), (offset, size) in zip(places, errors))
    inside = {offset + i for offset, size in errors for i in range(size)}
    told = {offset for offset, _ in places}
    return not told <= inside or not {offset for offset, _ in errors} <= told


def judged_strict(answer, text, expected):
    if not expected.errors:
        if answer.told:
            return {"refused"}
        return set() if text == expected.text else {wrong_text(text, "strict", expected, False)}
    if answer.told:
        failures = set() if expected.before.startswith(text) else {"invented"}
        if answer.places and wrong_place(answer.places[0], expected):
            failures.add("place")
        return failures
    if not is_subsequence(text.replace(MARK, ""), expected.good):
        return {"invented"}
    return {unreported(expected)}


def judged(answer, mode, expected, promises):
    """The failures of one answer."""
    try:
        text = answer.output.decode()
    except UnicodeDecodeError:
        return {"invented"}
    if expected.legacy:
        return judged_legacy(answer, text, mode, expected, promises)
    if mode == "strict":
        return judged_strict(answer, text, expected)

    failures = set()
    if mode == "skip":
        if text != expected.good:
            failures.add(wrong_text(text, mode, expected, answer.told))
    elif text != expected.text and (promises.maximal or collapsed(text) != collapsed(expected.text)):
        failures.add(wrong_text(text, mode, expected, answer.told))
    if promises.tells:
        if answer.told and not expected.errors:
            failures.add("refused")
        if not answer.told and expected.errors and "invented" not in failures:
            failures.add(unreported(expected))
        if answer.places and expected.errors and wrong_places(answer.places, expected, promises.maximal):
            failures.add("place")
    return failures


def what_must_not_depend_on_cuts(answer, mode):
    """The part of an answer that all cuts must share: everything except the output before an error in strict mode."""
    return (None if mode == "strict" and answer.told else answer.output, answer.told, answer.places)
