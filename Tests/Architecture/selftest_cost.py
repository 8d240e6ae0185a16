"""Plants what script/cost-of-change must find: a field in one more file, a capability in one more target, a higher budget."""

import importlib.machinery
import importlib.util
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("cost", str(ROOT / "script/cost-of-change"))
cost = importlib.util.module_from_spec(importlib.util.spec_from_loader("cost", loader))
loader.exec_module(cost)
RANKS = "Sources/Server/LiveEvents/Ranks.swift"


class Planted(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.put(RANKS, 'struct EventRanks { let sql = "SELECT rank FROM event_score" }')

    def put(self, name, text):
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text + "\n")

    def count(self, kind, pattern):
        return cost.House(self.root).count(kind, pattern)

    def test_a_field_in_one_more_file(self):
        self.assertEqual(self.count("field", "frozen_at"), 0)
        self.put(RANKS, "let frozenAt = 1")
        self.put("Sources/Apps/DeskWeb/Page.swift", 'let name = "frozen_at"')
        self.put("Sources/Apps/DeskWeb/Other.swift", "// frozen_at is spoken of\nlet frozenAtAll = 1")
        self.assertEqual(self.count("field", "frozen_at"), 2)

    def test_a_list_of_fields(self):
        fields = "a_b c d e f g h i"
        self.put("Sources/SDK/ServiceAPI/Seven.swift", "let aB, c, d, e, f, g, h = 1")
        self.assertEqual(self.count("spelling", fields), 0)
        self.put("Sources/SDK/ServiceAPI/Eight.swift", "let aB, c, d, e, f, g, h, i = 1")
        self.assertEqual(self.count("spelling", fields), 1)

    def test_a_type_of_a_room_elsewhere(self):
        self.assertEqual(self.count("capability", "Event"), 1)
        self.put("Sources/Server/LiveEvents/More.swift", "enum EventRules {}")
        self.put("Sources/Server/Boards/Score.swift", "let score = EventRanks()")
        self.assertEqual(self.count("capability", "Event"), 1)
        self.put("Sources/Server/Boards/Score.swift", "struct EventStanding {}")
        self.assertEqual(self.count("capability", "Event"), 2)

    def test_a_table_in_one_more_place(self):
        self.assertEqual(self.count("table", "event_score"), 1)
        self.put("Sources/Server/Operations/Copy.swift", 'let tables = """\n    event\n    """\nlet score = "event_score"')
        self.put("Sources/SDK/OfflineStorage/Own.swift", 'let sql = "DELETE FROM event_score"')
        self.assertEqual(self.count("table", "event_score"), 2)

    def test_lines(self):
        self.assertEqual(self.count("lines", "Sources/**/*.swift"), 1)

    def test_counts_that_are_not_the_budget(self):
        self.assertIsNone(cost.verdict("field", 3, 3))
        self.assertIn("over", cost.verdict("field", 4, 3))
        self.assertIn("--lower", cost.verdict("field", 2, 3))
        self.assertIn("nothing", cost.verdict("field", 0, 3))
        self.assertIsNone(cost.verdict("lines", 2, 3))
        self.assertIn("over", cost.verdict("lines", 4, 3))

    def test_a_budget_that_rises(self):
        def budgets(most, **raised):
            return {"field": {"a": ["a", most]}, "raised": raised}

        self.assertEqual(list(cost.raised([budgets(3), budgets(2)], self.root)), [])
        found = list(cost.raised([budgets(3), budgets(2), budgets(3), budgets(1)], self.root))
        self.assertEqual(found, ["field a: the budget rose from 2 to 3 without a decision record"])
        reason = {"field a": [3, RANKS]}
        self.assertEqual(list(cost.raised([budgets(2), budgets(3, **reason)], self.root)), [])
        self.assertTrue(list(cost.raised([budgets(3, **reason), budgets(4, **reason)], self.root)))
        lowered = {"field a": [2, RANKS]}
        self.assertEqual(list(cost.raised([budgets(1), budgets(3, **reason), budgets(2, **lowered)], self.root)), [])
        missing = {"field a": [3, "docs/decisions/none.md"]}
        self.assertTrue(list(cost.raised([budgets(2), budgets(3, **missing)], self.root)))


if __name__ == "__main__":
    unittest.main()
