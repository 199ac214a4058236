"""utfcat.py PROGRAM: the command utfcat, whole files. driver.hpp describes questions and answers."""
import re
import subprocess
import sys

PLACE = re.compile(r"byte (\d+): .*?: ((?:[0-9A-F]{2} ?)+)(?: \(|$)")


def answer(program, mode, encoding, signature, data):
    def run(*arguments):
        return subprocess.run([program, "-f", encoding, "-b", signature, *arguments], input=data, capture_output=True, check=False)

    done = run("-e", mode)
    if done.returncode == 2:
        return "n/a"
    if done.returncode not in (0, 1):
        sys.exit(f"utfcat: exit status {done.returncode}")
    # If it repairs, it says nothing about errors. A check names them all.
    told = done.stderr if mode == "strict" else run("--check").stdout
    errors = [found for line in told.decode().splitlines() if (found := PLACE.search(line))]  # the others are warnings
    return done.stdout.hex() + "|" + "".join(f"{found[1]}:{len(found[2].split())}," for found in errors)


for question in sys.stdin:
    words = question.rstrip("\n").split(" ")
    if words == ["version"]:
        print("of this tree", flush=True)
    else:
        print(answer(sys.argv[1], *words[:3], bytes.fromhex(words[3].replace("|", ""))), flush=True)
