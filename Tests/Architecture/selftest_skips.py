"""Runs each script that skips its work where a tool is missing, with a PATH that has nothing but a shell's own tools."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Skips(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = folder.name
        for tool in ("bash", "env", "dirname"):
            (pathlib.Path(self.path) / tool).symlink_to(shutil.which(tool))

    def run_script(self, script, ci):
        # The tools of bootstrap are on the path of the scripts themselves: they run in a copy that has none.
        environment = {key: value for key, value in os.environ.items() if key != "CI"} | {"PATH": self.path}
        with tempfile.TemporaryDirectory() as copy:
            shutil.copytree(ROOT / "script", pathlib.Path(copy) / "script")
            return subprocess.run(
                [pathlib.Path(copy) / "script" / script], env=environment | ({"CI": "true"} if ci else {}),
                capture_output=True, text=True, timeout=60, check=False)

    def test_a_check_without_its_tools_is_skipped_and_fails_in_ci(self):
        scripts = [file.name for file in (ROOT / "script").iterdir() if "exec script/skip " in file.read_text()]
        self.assertGreaterEqual(set(scripts), {"check-operators", "check-study", "check-desk"})
        for script in scripts:
            for ci in (False, True):
                with self.subTest(script=script, ci=ci):
                    result = self.run_script(script, ci)
                    self.assertIn("SKIPPED: ", result.stderr)
                    self.assertEqual(result.returncode, int(ci))

    def test_nothing_else_reports_a_skip(self):
        for file in (ROOT / "script").iterdir():
            text = file.read_text()
            self.assertTrue(file.name == "skip" or "SKIPPED" not in text, file.name)


if __name__ == "__main__":
    unittest.main()
