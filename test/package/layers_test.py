#!/usr/bin/env python3
"""layers_test.py: layers.py finds each kind of forbidden include in a small tree, and accepts all others."""
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
import layers

GOOD = {
    "include/utfilter/config.hpp": "// layer: unicode\n#include <cstddef>\n",
    "include/utfilter/encoding.hpp": "// layer: encodings\n#include <utfilter/config.hpp>\n",
    "include/utfilter/stream.hpp": "// layer: streams\n#include <utfilter/encoding.hpp>\n#include <iosfwd>\n",
    "include/utfilter/filter.hpp": "// layer: filters\n#include <boost/iostreams/categories.hpp>\n#  include <utfilter/encoding.hpp>\n",
    "src/unicode/utf8.hpp": "// #include \"kernels/kernels.hpp\"\n",
    "src/kernels/kernels.hpp": "#include \"unicode/utf8.hpp\"\n#include <immintrin.h>\n",
    "src/encodings/utf8.cpp": "#include \"kernels/kernels.hpp\"\n#include <utfilter/encoding.hpp>\n",
    "include/utfilter/detail/transfer.hpp": "// layer: transfer\n",
    "include/utfilter/detail/source_map.hpp": "// layer: streams\n",
    "src/utfcat/system.hpp": "",
    "src/utfcat/locator.hpp": "#include <utfilter/detail/source_map.hpp>\n",
    "src/utfcat/system.cpp": "// layer: system\n#include \"system.hpp\"\n#include <sys/stat.h>\n",
    "src/utfcat/utfcat.cpp": "#include \"system.hpp\"\n#include <utfilter/filter.hpp>\n#include <boost/any.hpp>\n",
}
# A file, an include that becomes its last line, and a part of the expected sentence.
WRONG = [
    ("src/unicode/utf8.hpp", '"kernels/kernels.hpp"',
     "src/unicode/utf8.hpp:2: layer unicode includes kernels/kernels.hpp of layer kernels; unicode may include unicode, the standard library"),
    ("src/kernels/kernels.hpp", "<utfilter/encoding.hpp>",
     "src/kernels/kernels.hpp:3: layer kernels includes utfilter/encoding.hpp of layer encodings; "
     "kernels may include kernels, unicode, the standard library, immintrin.h, arm_neon.h"),
    ("include/utfilter/stream.hpp", "<utfilter/filter.hpp>", "stream.hpp:4: layer streams includes utfilter/filter.hpp of layer filters; "),
    ("include/utfilter/stream.hpp", "<boost/config.hpp>", "layer streams includes boost/config.hpp of another library; streams may include "),
    ("src/encodings/utf8.cpp", "<unistd.h>", "layer encodings includes unistd.h of another library; "),
    ("src/kernels/kernels.hpp", '"../unicode/utf8.hpp"', "kernels.hpp:3: ../unicode/utf8.hpp goes up by ../; "),
    ("src/encodings/utf8.cpp", '"utf8.hpp"', "there is no src/utf8.hpp; "),
    ("src/utfcat/utfcat.cpp", '"kernels/kernels.hpp"', "there is no src/utfcat/kernels/kernels.hpp; "),
    ("src/utfcat/utfcat.cpp", "<utfilter/detail/transfer.hpp>", "utfilter/detail/transfer.hpp is no public header; "),
    ("src/utfcat/utfcat.cpp", "<unistd.h>", "layer utfcat includes unistd.h of another library; "),
    ("include/utfilter/new.hpp", "<cstddef>", "include/utfilter/new.hpp belongs to no layer; name it in the first lines: // layer: unicode | "),
    ("src/new/new.hpp", "<cstddef>", "src/new/new.hpp belongs to no layer; "),
    ("include/utfilter/detail/transfer.hpp", "<utfilter/filter.hpp>", "transfer.hpp:2: layer transfer includes utfilter/filter.hpp of layer filters; "),
]


def complaints(files):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            file = pathlib.Path(folder) / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        return layers.check(pathlib.Path(folder))


number, found = complaints(GOOD)
cases, failed = 1, int(found != [] or number != 16)
for name, include, sentence in WRONG:
    _, found = complaints({**GOOD, name: GOOD.get(name, "") + f"#include {include}\n"})
    cases += 1
    if len(found) != 1 or sentence not in found[0]:
        failed += 1
        print(f"{name} includes {include}: {found}")
print(f"{cases} cases, {failed} failed")
sys.exit(failed != 0)
