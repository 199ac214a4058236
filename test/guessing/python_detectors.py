#!/usr/bin/python3
"""For confusion.py: asks Debian's chardet and charset-normalizer about samples, which come and go as those of guesses.cpp: a line
for each with both names, between a tab; no name is empty."""
import logging
import sys

import chardet
import charset_normalizer

logging.disable()
for line in sys.stdin.buffer:
    sample = sys.stdin.buffer.read(int(line))
    best = charset_normalizer.from_bytes(sample).best()
    print(chardet.detect(sample)["encoding"] or "", best.encoding if best else "", sep="\t")
