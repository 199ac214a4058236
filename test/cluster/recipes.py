#!/usr/bin/env python3
"""recipes.py PAGE.md build|run [DIRECTORY]: runs the commands of doc/cluster.md as they stand there.

In the page, <!-- file: NAME --> stands before a block that a reader saves as NAME, <!-- build --> and <!-- run --> before
a block of commands, and <!-- prints --> before the output of the commands above it. `build` runs the block of build.
`run` takes mpi_check from DIRECTORY, then saves the files and runs the other blocks, in the order of the page. The current
directory takes the place of the source directory.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

page, mode = sys.argv[1:3]
source = pathlib.Path(page).resolve().parents[1]
blocks = re.findall(r"<!-- (file: \S+|build|run|prints) -->\n```\w*\n(.*?)```", pathlib.Path(page).read_text(encoding="utf-8"), re.DOTALL)
environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1", "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}

if not os.path.exists("examples"):
    shutil.copytree(source / "examples" / "cluster", "examples/cluster")
if mode == "run":
    shutil.copy(pathlib.Path(sys.argv[3]) / "mpi_check", ".")
cases, failed, output = 0, 0, ""
for kind, text in blocks:
    if kind.startswith("file: "):
        pathlib.Path(kind[6:]).write_text(text, encoding="utf-8")
    elif kind == "prints" and mode == "run":
        cases += 1
        wanted = [line.rstrip() for line in text.splitlines()]
        if [line.rstrip() for line in output.splitlines()] != wanted:
            failed += 1
            print("The page says:", *wanted, "The commands print:", output, sep="\n")
    elif kind == mode:
        cases += 1
        ran = subprocess.run(["bash", "-c", text], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, encoding="utf-8",
                             stderr=open("messages", "w", encoding="utf-8"), check=False, timeout=120)
        output = ran.stdout
        if ran.returncode not in (0, 1):
            failed += 1
            print(f"Status {ran.returncode} of:\n{text}{pathlib.Path('messages').read_text(encoding='utf-8')}")
print(f"recipes.py {mode}: {cases} cases, {failed} failed")
sys.exit(failed != 0 or cases == 0)
