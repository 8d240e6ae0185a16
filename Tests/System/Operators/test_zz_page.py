"""The page itself: what it shows is what is shipped, and every command on it was run."""

import unittest

from world import BLOCKS, PAGE, ROOT, RUN


class Page(unittest.TestCase):
    def test_the_page_shows_the_files_that_are_shipped(self):
        shipped = {str(p.relative_to(ROOT)) for p in (ROOT / "deploy").rglob("*") if p.is_file()}
        # Too long to be read there.
        linked = {name for name in shipped if name.split("/")[1] in ("grafana", "haproxy", "docker")}
        for name in linked:
            self.assertIn(f"(../{name})", PAGE)
        shipped -= linked
        self.assertEqual(shipped, {name for name in BLOCKS if name.startswith("deploy/")})
        for name in shipped:
            self.assertEqual(BLOCKS[name], (ROOT / name).read_text(), name)

    def test_every_command_of_the_page_was_run(self):
        """Last, by the name of this file."""
        self.assertEqual({name for name in BLOCKS if not name.startswith("deploy/")}, RUN)


if __name__ == "__main__":
    unittest.main()
