#!/usr/bin/env python3
"""links_test.py: links.py finds each kind of wrong link in a small project and in a small site, and accepts all others.
"""
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
import links

PAGES = {
    "README.md": "# It\n\n[Pages](doc/README.md), [elsewhere](https://example.org/a.md#b)\n",
    "doc/README.md": "# Pages\n\n| [`A`](a.md) | [B, and\nmore](b.md) |\n",
    "doc/a.md": "# A\n\n## The `a`, *and* b_c\n\n## Twice\n\n## Twice\n\n"
                "[b](b.md#it), [above](#twice), `[no link](nowhere.md)`\n"
                "\n```cpp\n[](int i) { return [i](nowhere.md); }\n```\n<!-- [x](nowhere.md) -->\n",
    "doc/b.md": "# It\n\n[a](a.md#the-a-and-b_c), [again](a.md#twice-1), ![chart](chart.svg), [up](../README.md)\n",
    "doc/chart.svg": "<svg/>\n",
    "src/a.cpp": "// doc/a.md says why.\n",
}
SITE = {
    "index.html": "<h1 id='top'>&lt;</h1><code>`](&lt;tt&gt;</code><a href='#nested-classes'></a><a href='#index_w'></a>"
                  "<a href='a.html'></a><a href='a.html#x'></a><a href='#top'></a><a href='https://a.b/c.html'></a>",
    "a.html": "<a name='x'></a><img src='a.svg'/>",
    "a.svg": "",
    "tree.js": 'var tree = [["A", "a.html#x"], ["B", "index.html"]];',
}
GONE = "doc/" + "gone.md"  # in two parts, because links.py reads this file, too
# A file, its new end, and a part of the expected sentence.
WRONG_PAGES = [
    ("README.md", "[x](doc/c.md)\n", "README.md:4: doc/c.md: there is no such file"),
    ("doc/b.md", "\n[x](a.md#it)\n", "doc/b.md:5: a.md#it: the page has no such heading"),
    ("doc/b.md", "[x](#nothing)\n", "doc/b.md:4: #nothing: the page has no such heading"),
    ("doc/b.md", "[x](a.md#twice-2)\n", "the page has no such heading"),
    ("doc/b.md", "[two\nlines](c.md)\n", "doc/b.md:4: c.md: there is no such file"),
    ("doc/b.md", "![x](c.svg)\n", "c.svg: there is no such file"),
    ("doc/README.md", "[a](a.md)\n", "doc/README.md has 2 links to a.md, and not one"),
    ("doc/n.md", "# New\n", "doc/README.md has 0 links to n.md, and not one"),
    ("src/a.cpp", f"// See {GONE}.\n", f"src/a.cpp:2: {GONE} does not exist"),
]
WRONG_SITE = [
    ("a.html", "<a href='b.html'></a>", "a.html:1: b.html: there is no such file"),
    ("a.html", "\n<a href='index.html#x'></a>", "a.html:2: index.html#x: the page has no such anchor"),
    ("a.html", "<a href='#y'></a>", "#y: the page has no such anchor"),
    ("a.html", "<img src='b.svg'/>", "b.svg: there is no such file"),
    ("a.html", "\n<p>a &lt;tt&gt;b</p>", "a.html:2: the text has '<tt': a <tt>b"),
    ("a.html", "<div class='fragment'><div>`</div>`</div>[x](y)", "a.html:1: the text has '](': [x](y)"),
    ("tree.js", '["C", "c.html"]', "tree.js:1: c.html: there is no such file"),
]


def found_by(check, files):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            file = pathlib.Path(folder) / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        return check(pathlib.Path(folder).resolve())


cases = failed = 0
for check, good, links_of_good, wrong in ((links.check_pages, PAGES, 12, WRONG_PAGES),
                                          (links.check_site, SITE, 8, WRONG_SITE)):
    number, found = found_by(check, good)
    cases += 1
    if found or number != links_of_good:
        failed += 1
        print(f"{number} links, {found}")
    for name, end, sentence in wrong:
        _, found = found_by(check, {**good, name: good.get(name, "") + end})
        cases += 1
        if len(found) != 1 or sentence not in found[0]:
            failed += 1
            print(f"{name} ends with {end!r}: {found}")
print(f"{cases} cases, {failed} failed")
sys.exit(failed != 0)
