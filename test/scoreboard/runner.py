"""runner.py: asks a driver all questions about the corpus, and collects the failures."""
import contextlib
import itertools
import json
import queue
import subprocess
import threading
from collections import Counter, namedtuple

import judge

PATIENCE = 10  # seconds for one answer
MOST_HANGS = 5  # a driver that hangs or crashes so often is not asked any more

# A failure of a row: the mode, the pieces, and the answer.
Example = namedtuple("Example", "row mode pieces answer")


def rows_of(directory):
    return [json.loads(line) for path in sorted(directory.glob("*.jsonl")) for line in path.read_text().splitlines()]


def is_legacy(row):
    return "sources" in row


def compositions(data):
    """All ways to cut data into pieces that are not empty. The first is a single piece."""
    if not data:
        yield []
        return
    for bits in range(1 << len(data) - 1):
        cut = [data[:1]]
        for i in range(1, len(data)):
            if bits >> i - 1 & 1:
                cut.append(b"")
            cut[-1] += data[i:i + 1]
        yield cut


def cuts_of(row):
    """The cuts of a row, as the corpus's README describes them. The first is a single piece."""
    data = bytes.fromhex(row["input"])
    if row["cuts"] == "every":
        for cut in compositions(data):
            yield cut
        for cut in compositions(data):
            yield [b"", *itertools.chain.from_iterable((piece, b"") for piece in cut)]
        return
    for sizes in row["cuts"]:
        ends = list(itertools.accumulate(sizes))
        yield [data[end - size:end] for size, end in zip(sizes, ends)]


Question = namedtuple("Question", "row mode pieces")


def question_line(question):
    pieces = "".join(piece.hex() + "|" for piece in question.pieces)
    return f"{question.mode} {question.row['from']} {question.row['signature']} {pieces}\n"


class Driver:
    """A running driver. It gets questions as fast as it reads them. answer() returns its answers one by one."""

    def __init__(self, command, questions):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.answers = queue.Queue()
        self.threads = [threading.Thread(target=self.ask, args=(questions,)), threading.Thread(target=self.listen)]
        for thread in self.threads:
            thread.start()

    def ask(self, questions):
        # If the driver has ended, its missing answers show that.
        with contextlib.suppress(BrokenPipeError), self.process.stdin as to:
            to.writelines(question_line(question) for question in questions)

    def listen(self):
        for line in self.process.stdout:
            self.answers.put(line.rstrip("\n"))
        self.answers.put(None)

    def answer(self):
        """The next answer; "hangs" after PATIENCE, "ends" if the driver has ended."""
        try:
            line = self.answers.get(timeout=PATIENCE)
        except queue.Empty:
            return "hangs"
        return "ends" if line is None else line

    def end(self):
        self.process.kill()
        for thread in self.threads:
            thread.join()
        self.process.stdout.close()
        self.process.wait()


def answers_to(command, questions):
    """Yields pairs of a question and its answer, which may be "hangs" or "crashes". A driver that fails is started
    again, with the question after the one at which it failed."""
    left, failed = questions, 0
    while left and failed < MOST_HANGS:
        driver = Driver(command, left)
        try:
            for number, question in enumerate(left):
                line = driver.answer()
                if line in ("hangs", "ends"):
                    break
                yield question, judge.parsed(line)
            else:
                return
        finally:
            driver.end()
        failed += 1
        yield left[number], "hangs" if line == "hangs" else "crashes"
        left = left[number + 1:]


def version_of(command):
    """The driver's answer to "version"."""
    said = subprocess.run(command, input="version\n", capture_output=True, text=True, timeout=60, check=True).stdout
    return said.strip().replace("_", ".")


class Outcome:
    """The results of a decoder."""

    def __init__(self):
        self.rows, self.runs = set(), 0
        self.modes, self.encodings = set(), set()
        self.failed = {failure: {} for failure in judge.FAILURES}  # failure -> its rows, with the simplest example of each
        self.tells_places = False
        self.withholds = set()    # rows whose text before an error does not arrive if both are in one piece
        self.other_marks = set()  # rows with another number of U+FFFD, if the decoder promises no number

    def note(self, failure, example):
        known = self.failed[failure].get(example.row["id"])
        if known is None or len(known.pieces) > len(example.pieces):
            self.failed[failure][example.row["id"]] = example

    def failed_rows(self, failure=None):
        """How many rows of each encoding fail: in this way, or in any way."""
        kinds = [failure] if failure else self.failed
        rows = {name: example.row["from"] for kind in kinds for name, example in self.failed[kind].items()}
        return Counter(rows.values())

    def simplest(self, failure):
        """The example with the shortest input, in the fewest pieces, and if possible without signatures."""
        return min(self.failed[failure].values(), key=lambda example: (
            len(example.row["input"]), len(example.pieces), "signature" in example.row["id"]))


def outcome_of(command, rows, promises=judge.Promises(), whole_only=False, cuts_matter=True, modes=("replace", "strict", "skip")):
    """Asks the driver about all the rows."""
    # Without errors, a decoder of a legacy encoding shows its table already in the other modes.
    questions = [Question(row, mode, pieces) for row in rows for mode in modes for pieces in cuts_of(row)
                 if (not whole_only or len(pieces) <= 1) and (mode != "skip" or row["errors"] or not is_legacy(row))]
    outcome, expected, verdicts, first = Outcome(), {}, {}, {}
    for question, answer in answers_to(command, questions):
        row, mode, name = question.row, question.mode, question.row["id"]
        if answer is None:
            continue
        example = Example(row, mode, question.pieces, answer)
        outcome.rows.add(name)
        outcome.modes.add(mode)
        outcome.encodings.add(row["from"])
        outcome.runs += 1
        if answer in ("hangs", "crashes"):
            outcome.note("hangs", example)
            continue
        if name not in expected:
            expected[name] = judge.Expected(row)
        if (name, mode, answer) not in verdicts:
            verdicts[name, mode, answer] = judge.judged(answer, mode, expected[name], promises)
        verdict = verdicts[name, mode, answer]
        for failure in verdict:
            outcome.note(failure, example)
        outcome.tells_places |= bool(answer.places)
        if mode == "strict" and answer.told and not verdict and answer.output != expected[name].before.encode():
            outcome.withholds.add(name)
        if mode == "replace" and not verdict and answer.output != expected[name].text.encode():
            outcome.other_marks.add(name)
        fixed = judge.what_must_not_depend_on_cuts(answer, mode)
        if cuts_matter and first.setdefault((name, mode), fixed) != fixed:
            outcome.note("cuts", example)
    return outcome
