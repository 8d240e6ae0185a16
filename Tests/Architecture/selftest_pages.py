"""Compares the index of decision records with the records, and tests script/check-pages on small pages."""

import importlib.machinery
import importlib.util
import pathlib
import re
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("pages", str(ROOT / "script/check-pages"))
pages = importlib.util.module_from_spec(importlib.util.spec_from_loader("pages", loader))
loader.exec_module(pages)
RECORDS = ROOT / "docs/decisions"
ROW = re.compile(r"\| \[(\d{4})\]\(([^)]+)\) \| (.+?) \| (.+?) \| (.+?) \|")


def superseded(text):
    """"whole", "part" or "" for an accepted record, and the numbers of the records that supersede it."""
    match = re.search(r"superseded( in part)?\b", text, re.IGNORECASE)
    if not match:
        return "", []
    return "part" if match.group(1) else "whole", re.findall(r"\[(\d{4})\]\(", text)


def mark(record):
    """The mark below the title of a record."""
    match = re.match(r"# .*\n\n\*(Superseded(?:[^*]|\*\*)*)\*", record)
    return superseded(match.group(1) if match else "")


def differences(index, records):
    """What an index and the records, by their file names, do not agree on."""
    rows = {file: (number, title, status) for number, file, title, _, status in ROW.findall(index)}
    for file in rows.keys() - records.keys():
        yield f"{file} is in the index and is no record"
    for file, text in records.items():
        if file not in rows:
            yield f"{file} is missing from the index"
            continue
        number, title, status = rows[file]
        if not text.startswith(f"# {number}: {title}\n") or not file.startswith(number):
            yield f"{file} has another number or title in the index"
        if mark(text) != superseded(status):
            yield f"{file} is marked {mark(text)}, and in the index {superseded(status)}"
        for earlier in re.findall(r"\bSupersedes \[(\d{4})\]\(", text):
            found = [mark(record)[1] for name, record in records.items() if name.startswith(earlier)]
            if not any(number in numbers for numbers in found):
                yield f"{file} supersedes {earlier}, which has no mark of it"


class Index(unittest.TestCase):
    index = (
        "| [0001](0001-a.md) | First | Says a. | superseded in part by [0002](0002-b.md) |\n"
        "| [0002](0002-b.md) | Second | Says b. | accepted |\n")
    records = {
        "0001-a.md": "# 0001: First\n\n*Superseded in part by [0002](0002-b.md): b.*\n\nText.\n",
        "0002-b.md": "# 0002: Second\n\n*One sentence. Supersedes [0001](0001-a.md).*\n"}

    def found(self, index=index, **changed):
        records = self.records | {f"{name[1:5]}-{name[6:]}.md": text for name, text in changed.items()}
        return list(differences(index, records))

    def test_the_index_and_the_records_agree(self):
        records = {file.name: file.read_text() for file in RECORDS.glob("[0-9]*.md")}
        self.assertGreaterEqual(len(records), 50)
        self.assertEqual(list(differences((RECORDS / "README.md").read_text(), records)), [])

    def test_small_records_agree(self):
        self.assertEqual(self.found(), [])

    def test_a_record_that_the_index_lacks(self):
        self.assertEqual(self.found(_0003_c="# 0003: Third\n"), ["0003-c.md is missing from the index"])

    def test_a_row_without_a_record(self):
        row = "| [0009](0009-i.md) | Ninth | Says i. | accepted |\n"
        self.assertEqual(self.found(self.index + row), ["0009-i.md is in the index and is no record"])

    def test_a_mark_that_the_index_lacks(self):
        self.assertEqual(len(self.found(self.index.replace("superseded in part by [0002](0002-b.md)", "accepted"))), 1)
        self.assertEqual(len(self.found(self.index.replace("in part by", "by"))), 1)
        self.assertEqual(len(self.found(self.index.replace("by [0002](0002-b.md)", "by [0003](0003-c.md)"))), 1)

    def test_a_mark_that_the_record_lacks(self):
        found = self.found(_0001_a="# 0001: First\n\nText, *superseded* or not.\n")
        self.assertEqual(found, [
            "0001-a.md is marked ('', []), and in the index ('part', ['0002'])",
            "0002-b.md supersedes 0001, which has no mark of it"])

    def test_another_title(self):
        found = self.found(_0002_b="# 0002: Later\n")
        self.assertEqual(found, ["0002-b.md has another number or title in the index"])


class CheckPages(unittest.TestCase):
    def page(self, text, name="page.md"):
        if not hasattr(self, "folder"):
            folder = tempfile.TemporaryDirectory()
            self.addCleanup(folder.cleanup)
            self.folder = pathlib.Path(folder.name)
        file = self.folder / name
        file.write_text(text)
        return file

    def test_sentences(self):
        for text, expected in [
            ("One. Two! Three?", ["One.", "Two!", "Three?"]),
            ("See No. 5, e.g. a file.", ["See No 5, e.g a file."]),
            ("It took 1.5 s. `sync` ran.", ["It took 1.5 s.", "code ran."]),
            ("A [link to. a page](page.md) is one.", ["A link to. a page is one."]),
            ("*First.* Second.", ["First.", "Second."]),
            ("…", []),
        ]:
            self.assertEqual(list(pages.sentences(text)), expected, text)

    def test_paragraphs_leave_out_code_tables_and_headings(self):
        lines = "# Title\n\nOne\ntwo.\n\n```\ncode\n```\n| a | b |\n- Item\n  more.\n1. Step".split("\n")
        self.assertEqual(list(pages.paragraphs(lines)), [(3, "One two."), (10, "Item more."), (12, "Step")])

    def test_a_long_sentence_and_a_household_word(self):
        lengths, found = pages.measure(self.page("Text.\n\n" + "word " * 36 + "end. The release is mended.\n"))
        self.assertEqual(lengths, [1, 37, 4])
        self.assertEqual([number for number, _ in found], [3, 3])
        self.assertIn("37 words", found[0][1])
        self.assertIn("fixed", found[1][1])

    def test_slug(self):
        for heading, expected in [
            ("A signed release (`script/bench signed`)", "a-signed-release-scriptbench-signed"),
            ("Users' data, on *two* machines", "users-data-on-two-machines"),
            ("See [the page](page.md)", "see-the-page"),
            ("`--data` or not", "--data-or-not"),
        ]:
            self.assertEqual(pages.slug(heading), expected)

    def test_a_heading_twice_has_two_anchors(self):
        file = self.page("# Title\n## Limits\n```\n# no heading\n```\n## Limits\n<a id=\"own\"></a>\n")
        self.assertEqual(pages.anchors(file), {"title", "limits", "limits-1", "own"})

    def test_links(self):
        self.page("# Other\n\n## Known limits\n", "other.md")
        file = self.page(
            "# Page\n[a](other.md) [b](other.md#known-limits) [c](#page) [d](https://example.org/none)\n"
            "`[e](none.md)`\n```\n[f](none.md)\n```\n")
        self.assertEqual(list(pages.links(file)), [])
        file = self.page("[a](none.md) [b](other.md#none) [c](#none) <img src=\"none.png\">\n")
        self.assertEqual(list(pages.links(file)), [
            "none.md leads to no file", "other.md#none leads to no heading", "#none leads to no heading",
            "none.png leads to no file"])


if __name__ == "__main__":
    unittest.main()
