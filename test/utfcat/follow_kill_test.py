#!/usr/bin/env python3
"""follow_kill_test.py UTFCAT [KILLS [SEED]]: kills `utfcat --follow --state` by SIGKILL again and again, while a writer cuts
its text at every byte, renames the file, and truncates it. With -o no text is lost and none comes twice; on a pipe none is
lost, and each run goes on where the state says. So it is if utfcat guesses the encoding of each file, and with filters. The
expected text is made by Python alone.

The writer waits as a user must. It renames a new file only after utfcat has opened it, or the state names it. It truncates
only after the state tells of all the text."""
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

ENCODINGS = {"utf-8": b"", "utf-8-sig": b"", "utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff", "utf-32-le": b"\xff\xfe\0\0", "utf-32-be": b"\0\0\xfe\xff"}
CHARACTERS = "az09 \n\r\t\u00e4\u03bb\u20ac\ufeff\u0a0a\uffff\U0001f600\U0010ffff"
PATIENCE = 60  # seconds


class Failure(Exception):
    pass


def as_it_is(text):
    return text


def with_lf_without_marks(text):
    """A model of --filter lf,strip-boms."""
    return re.sub("(^|(?<=\n))\ufeff+", "", re.sub("\r\n?", "\n", text))


class Log:
    """The file with its older names, and the text of all that was written."""

    def __init__(self, folder, chance, change):
        self.path, self.state, self.output = folder / "log", folder / "state", folder / "out"
        self.chance = chance
        self.change = change  # of the text of each file
        self.ended, self.text = "", ""
        self.pending = b""  # bytes of the text that are not written yet
        self.truncated = 0  # times since utfcat was started
        self.old = []       # the sizes of the output at which log.1, log.2 ... end
        self.counts = {"bytes": 0, "renamed": 0, "truncated": 0}
        self.create()

    def create(self):
        self.fd = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self.begin()

    def begin(self):
        self.ended = self.expected()
        self.text = ""
        self.codec = self.chance.choice(list(ENCODINGS))
        self.begun = False

    def expected(self):
        return self.ended + self.change(self.text)

    def write(self):
        """Writes a few bytes, wherever that cuts the text."""
        if not self.pending:
            text = "".join(self.chance.choices(CHARACTERS, k=self.chance.randint(1, 30)))
            if not self.begun:
                text = "." + text.replace("\ufeff", "")  # so an initial byte order mark is ours
            self.pending = ENCODINGS[self.codec] * (not self.begun) + text.encode(self.codec if not self.begun else self.codec.removesuffix("-sig"))
            self.text += text
            self.begun = True
        size = self.chance.choice((1, 1, 1, 2, 3, 5, 50))
        os.write(self.fd, self.pending[:size])
        self.counts["bytes"] += len(self.pending[:size])
        self.pending = self.pending[size:]

    def finish(self):
        while self.pending:
            self.write()

    def size(self):
        return len(self.expected().encode())

    def saved(self):
        """The size of the output that the state tells of."""
        found = re.search(r" size (\d+) ", self.state.read_text()) if self.state.exists() else None
        return int(found.group(1)) if found else 0

    def state_time(self):
        """When the state was written; None if there is none."""
        return self.state.stat().st_mtime_ns if self.state.exists() else None

    def is_named(self, path):
        """Whether the state is about this file."""
        status = os.stat(path)
        return f"\nfile {status.st_dev}-{status.st_ino} " in self.state.read_text()

    def rename(self, follower):
        """Renames the file as logrotate does. The writer may write to it a little longer."""
        if not self.begun or not self.state.exists() or "\nfile - " in self.state.read_text():
            return
        while self.old and self.saved() >= self.old[-1] and not self.is_named(oldest := f"{self.path}.{len(self.old)}"):
            os.remove(oldest)
            self.old.pop()
        for number in range(len(self.old), 0, -1):
            os.rename(f"{self.path}.{number}", f"{self.path}.{number + 1}")
        os.rename(self.path, f"{self.path}.1")
        if self.chance.random() < 0.5:
            self.write()
        self.finish()
        os.close(self.fd)
        self.old.insert(0, self.size())
        self.create()
        self.counts["renamed"] += 1
        follower.wait(lambda: follower.has_opened(self.path))

    def truncate(self, follower):
        if not follower.lives() or not self.begun:
            return
        self.finish()
        follower.wait(lambda: self.saved() == self.size())
        os.ftruncate(self.fd, 0)
        self.begin()
        self.counts["truncated"] += 1
        self.truncated += 1
        # A truncation is seen if the file is shorter then.
        follower.wait(lambda: "offset=" not in self.state.read_text())


class Follower:
    def __init__(self, utfcat, log, to_file, options):
        self.utfcat, self.log, self.to_file, self.options = utfcat, log, to_file, options
        self.process, self.received = None, 0

    def start(self):
        self.begun_at = self.log.saved()
        self.out = open(self.log.output.with_suffix(".pipe"), "w+b") if not self.to_file else None
        command = [self.utfcat, "--follow", *self.options, "--state", self.log.state, *(["-o", self.log.output] if self.to_file else []), self.log.path]
        self.process = subprocess.Popen(command, stdout=self.out or subprocess.DEVNULL, stderr=subprocess.PIPE)

    def lives(self):
        return self.process is not None and self.process.poll() is None

    def wait(self, condition):
        """Waits for the condition, as long as utfcat runs."""
        end = time.monotonic() + PATIENCE
        while self.lives() and not condition():
            if time.monotonic() > end:
                raise Failure(f"waited too long; {self.log.saved()} of {self.log.size()} bytes are in the state")
            time.sleep(0.001)

    def has_opened(self, path):
        try:
            wanted, folder = os.stat(path), f"/proc/{self.process.pid}/fd"
            return any(os.path.samestat(os.stat(f"{folder}/{fd}"), wanted) for fd in os.listdir(folder))
        except OSError:
            return False

    def end(self, number):
        """Ends utfcat by a signal, and checks what it has written."""
        self.process.send_signal(number)
        _, said = self.process.communicate()
        if self.process.returncode != (0 if number == signal.SIGTERM else -number):
            raise Failure(f"utfcat ended with {self.process.returncode}: {said.decode()}")
        truncated = f"utfcat: {self.log.path}: truncated, so it is read again from its start\n" * self.log.truncated
        warning = "" if self.to_file else "utfcat: standard output: cannot be cut, so after a crash the text of up to a second comes twice\n"
        if said.decode() not in (warning + truncated, ""):  # it may have been killed before it said anything
            raise Failure(f"utfcat said: {said.decode()}")
        self.log.truncated = 0
        self.process = None
        expected = self.log.expected().encode()
        if self.to_file:
            written = self.log.output.read_bytes() if self.log.output.exists() else b""
            wanted = expected[:len(written)]
        else:
            self.out.seek(0)
            written = self.out.read()
            wanted = expected[self.begun_at:self.begun_at + len(written)]
            self.received = max(self.received, self.begun_at + len(written))
            self.out.close()
            if self.received < self.log.saved():
                raise Failure("the state is ahead of the output")
        if written != wanted:
            at = next((i for i, (a, b) in enumerate(zip(written, wanted)) if a != b), min(len(written), len(wanted)))
            raise Failure(f"the output differs from byte {at}: {written[at:at + 40]} instead of {wanted[at:at + 40]}")
        if self.to_file and len(written) < self.log.saved():
            raise Failure("the state is ahead of the output")


def torture(utfcat, kills, seed, to_file, options, change):
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        log = Log(pathlib.Path(folder), chance, change)
        follower = Follower(utfcat, log, to_file, options)
        for _ in range(kills):
            follower.start()
            end = time.monotonic() + chance.choice((0.002, 0.005, 0.01, 0.02, 0.05, 0.1)) * chance.random() * 2
            event = {0: log.truncate, 1: log.rename, 2: log.rename, 3: log.rename}.get(chance.randrange(25))
            while time.monotonic() < end:
                what = chance.random()
                if what < 0.05 and event:
                    event(follower)
                    event = None
                elif what < 0.8:
                    log.write()
                else:
                    time.sleep(0.001)
            follower.end(signal.SIGKILL)
            for _ in range(chance.choice((0, 0, 3, 100))):
                log.write()
            if chance.random() < 0.05:
                log.rename(follower)
        log.finish()
        before = log.state_time()
        follower.start()
        # Once it has written its first state, utfcat handles signals.
        follower.wait(lambda: log.state_time() != before and log.saved() == log.size())
        follower.end(signal.SIGTERM)
        if to_file and log.output.read_bytes() != log.expected().encode():
            raise Failure("the output is not complete")
        print(f"{'-o' if to_file else 'a pipe'}{' '.join(['', *options])}: {kills} kills,", ", ".join(f"{n} {what}" for what, n in log.counts.items()))


def main():
    utfcat = sys.argv[1]
    kills = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    failed = 0
    guess = ("-f", "guess", "--legacy", "latin1")
    filters = ("--filter", "lf,strip-boms")
    for share, to_file, options, change in ((2, True, (), as_it_is), (2, False, (), as_it_is), (4, True, guess, as_it_is), (4, True, filters, with_lf_without_marks)):
        try:
            torture(utfcat, kills // share, seed, to_file, options, change)
        except Failure as why:
            failed += 1
            print(f"{'-o' if to_file else 'a pipe'}{' '.join(['', *options])}, seed {seed}: {why}")
    print(f"{kills // 2 * 2 + kills // 4 * 2} cases, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
