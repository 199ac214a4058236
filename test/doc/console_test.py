"""The commands of a page print what the page shows.

console_test.py UTFCAT PAGE: runs the blocks of the page that are marked `console` in an empty folder, in their order. A
line that begins with $ is a command; the lines up to the next one are what it prints, first on standard output.
"""

import os
import re
import subprocess
import sys
import tempfile

UTFCAT, PAGE = map(os.path.abspath, sys.argv[1:3])
with open(PAGE, encoding="utf-8") as page:
    blocks = re.findall(r"^```console\n(.*?)^```$", page.read(), re.M | re.S)
cases = 0
with tempfile.TemporaryDirectory() as folder:
    environment = {**os.environ, "PATH": os.path.dirname(UTFCAT) + os.pathsep + os.environ["PATH"], "LC_ALL": "C"}
    for block in blocks:
        for command, wanted in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.M):
            done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, capture_output=True, check=False)
            got = (done.stdout + done.stderr).decode()
            cases += 1
            assert got == wanted, f"{command}\n  prints   {got!r}\n  the page {wanted!r}"
assert cases != 0, "the page has no commands"
print(f"{cases} cases, 0 failed")
