"""generated.py: writes the files that the scripts beside it generate, or checks them."""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def write_or_check(script, usage, wanted, present):
    """Writes the files: their contents, by their paths from the root. With the argument --check it writes nothing, and fails
    if a file differs. A file of `present` that is not wanted is a failure, too. Returns the exit status."""
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(usage)
    checks = bool(sys.argv[1:])
    stale = []
    for path, text in wanted.items():
        file = ROOT / path
        if file.is_file() and file.read_bytes() == text.encode("utf-8"):
            continue
        stale.append(path)
        if not checks:
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(text.encode("utf-8"))
    extra = [path for path in (file.relative_to(ROOT).as_posix() for file in present) if path not in wanted]
    for path in extra:
        print(f"{path} is none of the files of {script}: remove it")
    if checks and stale:
        print(f"{', '.join(stale)}: not as {script} writes it; run it, and commit what it writes")
    if checks:
        print(f"{len(wanted)} cases, {len(stale) + len(extra)} failed")
    return 1 if extra or (checks and stale) else 0
