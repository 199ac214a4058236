#!/usr/bin/env python3
"""utfcat_jobs_faults_test.py UTFCAT IN_PIECES: utfcat --jobs N fails as utfcat does, with the same text before it, when a
disk is full, a block cannot be read or memory is short. It waits for no input that it does not need, takes little
memory, and all its threads work.

IN_PIECES is a utfcat that reads as many bytes at once as the environment variable UTFCAT_PIECE says.
"""
import contextlib
import ctypes
import gzip
import mmap
import os
import resource
import select
import signal
import subprocess
import time

from utfcat_cases import OTHER as IN_PIECES, UTFCAT, check, content, run_tests, write

PATIENCE = 60  # seconds
MIB = 1 << 20

TEXT = "".join(f"{i} \u20AC \u0434\n" for i in range(60000))  # about 800 KB


def start(words, piece=None, **more):
    program = IN_PIECES if piece else UTFCAT
    return subprocess.Popen([program] + words, env={**os.environ, "UTFCAT_PIECE": str(piece)}, stderr=subprocess.PIPE, **more)


def limited(**limits):
    """For a child process: sets limits such as AS=100000."""
    def set_limits():
        for name, value in limits.items():
            resource.setrlimit(getattr(resource, "RLIMIT_" + name), (value, value))
    return set_limits


def outcome(words, piece=None, out="text", **more):
    """Status, text and messages of a run whose text goes to a file."""
    with open(out, "wb") as file:
        process = start(words, piece, stdout=file, **more)
        errors = process.communicate(timeout=PATIENCE)[1]
    return process.returncode, content(out) if os.path.isfile(out) else None, errors, sorted(os.listdir("."))


def test_a_full_disk():
    write(TEXT.encode("utf-16-le"), "in")
    for options in ([], ["-t", "utf-16"], ["-t", "koi8-r", "-e", "escape"], ["-o", "named"]):
        words = options + ["-f", "utf-16le", "in"]
        for size in (0, 1, 65536, 300001, 700000):
            full = limited(FSIZE=size)
            expected = outcome(words, preexec_fn=full)
            check((words, size, "status"), expected[0], 2)
            for piece in (1000, 100000, MIB):
                check((words, size, piece), outcome(["--jobs", "3"] + words, piece, preexec_fn=full), expected)
        if "-o" not in options:
            check((words, "/dev/full"), outcome(["--jobs", "3"] + words, 1000, "/dev/full"), outcome(words, None, "/dev/full"))


def test_a_block_that_cannot_be_read():
    # Reading the memory of a process fails where nothing is mapped.
    library = ctypes.CDLL(None, use_errno=True)
    library.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    size = 64 * mmap.PAGESIZE
    area = mmap.mmap(-1, size + mmap.PAGESIZE)
    address = ctypes.addressof(ctypes.c_char.from_buffer(area))
    check("munmap", library.munmap(address + size, mmap.PAGESIZE), 0)
    with open("/proc/self/mem", "rb", buffering=0) as memory:
        for encoding in ("utf-8", "utf-16-le"):
            for shift in range(4):  # so the block begins inside characters, too
                ctypes.memmove(address, b"a\0" * shift + TEXT.encode(encoding)[:size - 2 * shift], size)
                for start_of_text in (0, size - 100, size - 1):
                    for more in (["-e", "replace"], ["-c"], ["-s", "--summary", "-e", "skip"]):
                        words = ["-f", encoding.replace("-le", "le")] + more + ["-"]
                        outcomes = []
                        for jobs, piece in ((1, 1), (2, 1 if start_of_text else 4000), (3, 50), (2, 70000)):
                            os.lseek(memory.fileno(), address + start_of_text, os.SEEK_SET)
                            outcomes.append(outcome(["--jobs", str(jobs)] + words, piece, stdin=memory))
                        check((words, "told"), b"Input/output error" in outcomes[0][2], True)
                        for other in outcomes[1:]:
                            check((words, shift, start_of_text), other, outcomes[0])


def test_a_pipe_gets_each_line_before_the_next_is_sent():
    for piece, before in ((1, 100), (64, 1000), (None, 600000)):
        process = start(["--jobs", "2", "-f", "utf-16le", "-t", "utf-8"], piece, stdin=subprocess.PIPE,
                        stdout=subprocess.PIPE)

        def send(text, cut=None):
            data = text.encode("utf-16-le")
            for part in (data[:cut], data[cut:] if cut else b""):
                process.stdin.write(part)
                process.stdin.flush()

        def receive(size):
            text = b""
            while len(text) < size:
                assert select.select([process.stdout], [], [], PATIENCE)[0], "a line does not come"
                text += os.read(process.stdout.fileno(), size - len(text))
            return text

        for sent in range(0, before, 100):
            send("0" * 99 + "\n")
            receive(100)
        for line in ("one\n", "\u20AC\n", "\U0001F600\n", "\n"):
            for cut in (None, 1, len(line.encode("utf-16-le")) - 1):
                send(line, cut)
                check((piece, cut), receive(len(line.encode())), line.encode())
        check((piece, "the end"), process.communicate(timeout=PATIENCE), (b"", b""))


def test_it_ends_without_waiting_for_input():
    start_of_text = b"a" * 500000
    for words, end, out in ((["-t", "utf-8"], b"\xFF", subprocess.PIPE), (["-t", "latin1"], b"\xE2\x82\xAC", subprocess.PIPE),
                            ([], b"a" * 500000, None)):
        with open("/dev/full", "wb") as full:
            process = start(["--jobs", "2"] + words, stdin=subprocess.PIPE, stdout=out or full)
        reader = subprocess.Popen(["cat"], stdin=process.stdout, stdout=subprocess.DEVNULL) if out else None
        with contextlib.suppress(BrokenPipeError):  # it has ended already
            process.stdin.write(start_of_text + end + b"a")
            process.stdin.flush()
        check(words, process.wait(PATIENCE), 1 if out else 2)
        process.stderr.close()
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        if reader:
            process.stdout.close()
            reader.wait(PATIENCE)


def test_too_little_memory():
    write(TEXT.encode("utf-16-le"), "in")
    whole = TEXT.encode()
    statuses = set()
    for mib in list(range(8, 40, 4)) + [50, 80, 120, 200, 300, 500]:
        status, text, errors, _ = outcome(["--jobs", "4", "-f", "utf-16le", "in"], 50000, preexec_fn=limited(AS=mib * MIB))
        statuses.add(status)
        if status == 0:
            check((mib, "MiB"), (text, errors), (whole, b""))
        elif b"utfcat: " in errors:  # otherwise the program could not be loaded
            check((mib, "MiB"), (status, errors), (2, b"utfcat: out of memory\n"))
            check((mib, "MiB, the text before"), whole.startswith(text), True)
    check("memory that is enough", 0 in statuses, True)


def test_no_threads():
    # A thread's stack would be larger than the memory that the process may have.
    write(TEXT.encode("utf-16-le"), "in")
    for jobs in ("2", "7"):
        got = outcome(["--jobs", jobs, "-f", "utf-16le", "in"], 1000, preexec_fn=limited(STACK=900 * MIB, AS=800 * MIB))
        check(jobs, got[:3], (0, TEXT.encode(), b""))


def test_no_threads_for_many_files():
    names = [f"{i}" for i in range(20)]
    for i, name in enumerate(names):
        write(b"a" * i + b"\xff\n", name)
    expected = outcome(["-c"] + names)[:3]
    check("reports", expected[1].count(b"\n"), 20)
    got = outcome(["--jobs", "4", "-c"] + names, preexec_fn=limited(STACK=900 * MIB, AS=800 * MIB))
    check("the same", got[:3], expected)


def test_the_threads_share_the_work_on_each_file():
    text = "\u4E2D\u6587\n".encode("utf-16-le") * 2000000
    write(text, "in")
    with gzip.open("in.gz", "wb", compresslevel=1) as file:
        file.write(text)
    for words, source in ((["in"], None), (["-d", "in.gz"], None), (["-"], ["cat", "in"])):
        producer = subprocess.Popen(source, stdout=subprocess.PIPE) if source else None
        # Escapes make the conversion slow.
        process = start(["--jobs", "3", "-f", "utf-16le", "-t", "koi8-r", "-e", "escape"] + words,
                        stdin=producer.stdout if producer else None, stdout=subprocess.PIPE)
        tasks = f"/proc/{process.pid}/task"
        try:
            process.stdout.read(MIB)  # the text of the start, which one thread converts
            # Nobody reads more, so each thread converts a portion, which may be short, and waits.
            deadline = time.monotonic() + PATIENCE
            times = []
            while time.monotonic() < deadline:
                time.sleep(0.05)
                before, times = times, [int(content(f"{tasks}/{task}/schedstat").split()[0])
                                        for task in os.listdir(tasks) if task != str(process.pid)]
                # A thread that uses no time waits, or a busy processor has not come to it yet.
                if len(times) == 3 and times == before and sorted(times)[1] > sum(times) / 10:
                    break
            check((words, "threads"), len(times), 3)
            check(f"{times} ns of the threads, {words}", sorted(times)[1] > sum(times) / 10, True)
        finally:
            process.kill()
            process.communicate()
            if producer:
                producer.stdout.close()
                producer.kill()
                producer.wait()


def test_memory_does_not_grow_with_the_file():
    def memory(words, size):
        with open("in", "wb") as file:
            file.truncate(size)
        with open(os.devnull, "wb") as null:
            process = start(words + ["in"], stdout=null)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        process.stderr.close()
        return usage.ru_maxrss * 1024

    for words in (["-f", "utf-16le"], ["-f", "latin1", "-t", "utf-32"]):
        alone = memory(words, 256 * MIB)
        for jobs in (2, 4):
            # Each thread has a piece, its text and its encoded text.
            piece = MIB * (1 + 3 if words == ["-f", "utf-16le"] else 1 + 3 + 9)
            used = memory(["--jobs", str(jobs)] + words, 256 * MIB)
            check((words, jobs, used, alone), used < alone + jobs * piece + 8 * MIB, True)


def test_a_signal_removes_the_temporary_file():
    with open("in", "wb") as file:
        file.truncate(4 << 30)
    process = start(["--jobs", "2", "-f", "utf-16le", "-o", "out", "in"], preexec_fn=limited(FSIZE=1 << 30))
    deadline = time.monotonic() + PATIENCE
    while len(os.listdir(".")) < 2 and time.monotonic() < deadline:
        time.sleep(0.001)
    time.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=PATIENCE)
    check("status", process.returncode, -signal.SIGTERM)
    check("files", os.listdir("."), ["in"])


run_tests(globals())
