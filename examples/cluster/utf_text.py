"""utf_text: one big text file of any encoding as a Dask collection.

    from dask.distributed import Client
    import utf_text

    client = Client("tcp://scheduler:8786")
    client.upload_file("utf_text.py")                    # the workers need this module, too
    lines = utf_text.read_text("server.log")             # a dask.bag of lines
    table = utf_text.read_csv("export.csv", dtype=...)   # a dask.dataframe
    print(lines.count().compute(), table.price.sum().compute())

Each partition has the lines that begin in a range of the file's bytes: so each line is in one partition, wherever the
file is cut. In the worker, `utfcat --range` reads the range and converts it to UTF-8. So each worker needs utfcat on
its PATH and the file under the same path.

Arguments of both functions:
  path       one regular file, not compressed (dask.bag.concat and dask.dataframe.concat join several files)
  blocksize  bytes of a range, as a number or as "64MiB"; None: the file is one partition
  encoding   a name of `utfcat --list`, or "detect": a byte order mark decides, a file without one is UTF-8
  errors     a policy of `utfcat --on-error`: "strict" (default), "replace", "skip", "escape", "windows-1252"

The text never begins with a byte order mark. If a range cannot be read, the computation fails with a RangeError.
"""
import codecs
import dataclasses
import io
import os
import socket
import subprocess

import dask.bag
import dask.dataframe
import pandas
from dask import delayed
from dask.utils import parse_bytes


class RangeError(Exception):
    """A range of a file could not be read: `path`, `begin`, `end`, `host`, `reason` and `status`.

    status 1: the text is ill-formed. `reason` is utfcat's message, FILE:LINE:COLUMN: byte OFFSET: MESSAGE, with the
    range's first error. LINE counts from the range's first line, OFFSET from the start of the file. Other ranges may
    have errors, too: `utfcat --check` lists all.
    status 2: the file could not be read or has another size than before, or an argument is wrong.
    """

    def __init__(self, path, begin, end, host, reason, status):
        super().__init__(path, begin, end, host, reason, status)  # Dask pickles an exception by its args
        self.path, self.begin, self.end, self.host, self.reason, self.status = self.args

    def __str__(self):
        return f"utfcat --range {self.begin}-{self.end} on {self.host}: {self.reason}"


@dataclasses.dataclass(frozen=True)
class Range:
    """The lines that begin in the bytes from `begin` up to `end` of a file of `size` bytes."""

    path: str
    begin: int
    end: int
    size: int
    encoding: str
    errors: str

    def read(self):
        """The lines, as one text in UTF-8."""
        try:
            ran = subprocess.run(["utfcat", "--range", f"{self.begin}-{self.end}", "--from", self.encoding,
                                  "--on-error", self.errors, self.path],
                                 stdin=subprocess.DEVNULL, capture_output=True, check=False)
            size = os.path.getsize(self.path) if ran.returncode == 0 else self.size
        except OSError as why:
            raise self.error(str(why)) from None
        if ran.returncode < 0:
            raise self.error(f"{self.path}: signal {-ran.returncode} ended utfcat")
        if ran.returncode != 0:
            message = ran.stderr.decode("utf-8", "replace").strip()
            raise self.error(message.removeprefix("utfcat: "), ran.returncode)
        if size != self.size:
            raise self.error(f"{self.path}: the file has {size} bytes, it had {self.size} when it was divided into ranges")
        return ran.stdout.removeprefix(codecs.BOM_UTF8) if self.begin == 0 else ran.stdout

    def error(self, reason, status=2):
        return RangeError(self.path, self.begin, self.end, socket.gethostname(), reason, status)


def read_text(path, blocksize="64MiB", encoding="detect", errors="strict"):
    """A dask.bag of the lines, each with its line end ("\\n" or "\\r\\n"), as dask.bag.read_text gives them."""
    return dask.bag.from_delayed([delayed(_lines)(part) for part in _ranges(path, blocksize, encoding, errors)])


def read_csv(path, blocksize="64MiB", encoding="detect", errors="strict", sample="256KiB", **options):
    """A dask.dataframe of a CSV file; `options` are those of pandas.read_csv.

    The first `sample` bytes decide the columns and their types, so give `dtype` where they may mislead; a range with
    other types fails. A quoted field with a line feed in it may not be cut: give blocksize=None for such a file.
    """
    for name in ("chunksize", "compression", "index_col", "iterator", "nrows", "skipfooter", "skiprows"):
        if name in options:
            raise ValueError(f"utf_text.read_csv: {name} makes no sense for a file that is read in ranges")
    if options.get("header", "infer") not in ("infer", 0, None):
        raise ValueError("utf_text.read_csv: the header can only be the first line of the file, or None")

    parts = _ranges(path, blocksize, encoding, errors)
    head = dataclasses.replace(parts[0], end=min(parse_bytes(sample), parts[0].size)).read()
    # Only the first range has the header; the others get a copy. By pandas' rule, names take the place of a header.
    has_header = options.get("header", "infer" if options.get("names") is None else None) is not None
    header = head[:head.find(b"\n") + 1] if has_header else b""
    # A thousand rows, because the end of the sample may be inside a quoted field.
    meta = pandas.read_csv(io.BytesIO(head), nrows=1000, **options).iloc[:0]
    if header and len(parts) > 1 and not _has_columns(header, meta.columns, options):
        raise ValueError("utf_text.read_csv: the first line is not the header; perhaps blocksize=None can read the file")
    frames = [delayed(_frame)(part, b"" if part.begin == 0 else header, meta, options) for part in parts]
    return dask.dataframe.from_delayed(frames, meta=meta)  # compares the columns and types of each frame with meta


def _ranges(path, blocksize, encoding, errors):
    if errors in ("stop", "keep"):
        raise ValueError(f'utf_text: errors="{errors}" makes no sense here (utfcat --help has the policies)')
    path = os.path.abspath(path)
    size = os.path.getsize(path)
    step = max(size, 1) if blocksize is None else parse_bytes(blocksize)
    if step < 1:
        raise ValueError("utf_text: blocksize must be at least one byte, or None")
    return [Range(path, begin, min(begin + step, size), size, encoding, errors) for begin in range(0, max(size, 1), step)]


def _lines(part):
    return list(io.TextIOWrapper(io.BytesIO(part.read()), "utf-8", newline="\n"))


def _frame(part, header, meta, options):
    text = part.read()
    frame = pandas.read_csv(io.BytesIO(header + text), **options) if text else meta
    return frame if len(frame) else meta  # without rows pandas cannot know the types


def _has_columns(header, columns, options):
    try:
        return pandas.read_csv(io.BytesIO(header), **options).columns.equals(columns)
    except ValueError:  # a line that is empty, a comment, or the beginning of a quoted field
        return False
