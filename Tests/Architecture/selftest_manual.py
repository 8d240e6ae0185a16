"""Feeds script/manual a small description of a program, and reads the pages as roff shows them."""

import importlib.machinery
import importlib.util
import json
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "script/manual"
LOADER = importlib.machinery.SourceFileLoader("manual", str(SCRIPT))
MANUAL = importlib.util.module_from_spec(importlib.util.spec_from_loader("manual", LOADER))
LOADER.exec_module(MANUAL)

FLAG = {"kind": "flag", "names": [{"kind": "long", "name": "dry-run"}], "abstract": "Don't write.", "isOptional": True}
OPTION = {
    "kind": "option", "names": [{"kind": "long", "name": "output"}, {"kind": "short", "name": "o"}], "valueName": "file",
    "abstract": "'Quoted' at first.", "defaultValue": "a.b", "isOptional": True}
HELP = {"kind": "flag", "names": [{"kind": "short", "name": "h"}, {"kind": "long", "name": "help"}], "isOptional": True}
HIDDEN = {"kind": "flag", "names": [{"kind": "long", "name": "secret"}], "shouldDisplay": False}
FILES = {"kind": "positional", "valueName": "file", "abstract": "The files … to read.", "isRepeating": True}
DUMP = {"command": {
    "commandName": "tool", "abstract": "Do work.", "arguments": [HELP],
    "discussion": "Exit codes: 0 done; 2 a thing, or two, failed; 64 wrong usage.",
    "subcommands": [
        {"commandName": "write", "abstract": "Write files.", "arguments": [FLAG, OPTION, HIDDEN, FILES, HELP],
         "discussion": ".hidden files too.\n\nC:\\new is a path.\n\nEXAMPLE: tool write a \\\n  --dry-run\nEXAMPLE: tool write b"},
        {"commandName": "db", "abstract": "Keep data.", "subcommands": [
            {"commandName": "check", "abstract": "Check data.", "discussion": "EXAMPLE: tool db check"}]},
        {"commandName": "help", "abstract": "Show help."}]}}


class Manual(unittest.TestCase):
    def setUp(self):
        self.pages = MANUAL.pages(DUMP)

    def shown(self, name):
        """A page as a reader sees it."""
        if not shutil.which("groff"):
            self.skipTest("groff is not installed")
        result = subprocess.run(
            ["groff", "-man", "-Tutf8", "-ww", "-P-cbou"], input=self.pages[name], capture_output=True, text=True, check=True)
        self.assertEqual(result.stderr, "")
        return " ".join(result.stdout.split())

    def test_each_command_has_a_page_and_help_has_none(self):
        self.assertEqual(set(self.pages), {"tool.1", "tool-write.1", "tool-db.1"})

    def test_every_line_is_text_or_a_macro(self):
        macros = {".TH", ".SH", ".PP", ".TP", ".EX", ".EE", ".SS"}
        for name, page in self.pages.items():
            self.assertTrue(page.startswith(".TH ") and page.isascii(), name)
            for line in page.splitlines():
                self.assertFalse(line.startswith("'"), line)
                if line.startswith("."):
                    self.assertIn(line.split()[0], macros, line)

    def test_the_first_page_lists_commands_and_exit_codes(self):
        text = self.shown("tool.1")
        for part in ("tool - Do work.", "tool-write(1) Write files.", "EXIT STATUS 0 done 2 a thing, or two, failed 64 wrong usage"):
            self.assertIn(part, text)
        self.assertNotIn("Exit codes", text)

    def test_a_page_shows_its_text_as_it_is(self):
        text = self.shown("tool-write.1")
        for part in (
                "tool write [options] file...", ".hidden files too.", "C:\\new is a path.", "--dry-run Don't write.",
                "-o, --output file 'Quoted' at first. (default: a.b)", "The files … to read.",
                "EXAMPLES tool write a \\ --dry-run tool write b"):
            self.assertIn(part, text)
        for part in ("--secret", "--help", "EXAMPLE:"):
            self.assertNotIn(part, text)

    def test_a_page_has_the_commands_below(self):
        text = self.shown("tool-db.1")
        self.assertIn("tool db check Check data.", text)
        self.assertIn("Example: tool db check", text)

    def test_the_pages_are_written_from_a_dump(self):
        with tempfile.TemporaryDirectory() as folder:
            dump = pathlib.Path(folder) / "dump.json"
            dump.write_text(json.dumps(DUMP))
            subprocess.run([SCRIPT, "--dump", dump, "--into", folder + "/man"], check=True, capture_output=True, timeout=60)
            self.assertEqual((pathlib.Path(folder) / "man/tool.1").read_text(), self.pages["tool.1"])


if __name__ == "__main__":
    unittest.main()
