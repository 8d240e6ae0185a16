"""Plants differences between page and manifest, and looks whether script/check-architecture finds them."""

import importlib.machinery
import importlib.util
import json
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("check", str(ROOT / "script/check-architecture"))
check = importlib.util.module_from_spec(importlib.util.spec_from_loader("check", loader))
loader.exec_module(check)
DUMP = json.dumps(check.dump(with_server=True))
PAGE = (ROOT / "ARCHITECTURE.md").read_text()


def manifest(change=lambda targets: None):
    dump = json.loads(DUMP)
    change({target["name"]: target for target in dump["targets"]})
    return check.Manifest(dump)


def differences(page=PAGE, change=lambda targets: None):
    return list(check.differences(check.table(page), manifest(change)))


class Planted(unittest.TestCase):
    def test_only_the_clock_counts_days(self):
        self.assertEqual(list(check.other_days()), [])
        for text in ["calendar.startOfDay(for: now)", "now / 86_400", "ms / 86400000", "date(x, 'localtime')"]:
            found = self.planted(
                "Sources/SDK/StudyModel/Today/Planted.swift", f"// 86_400 is spoken of\nlet day = {text}\n",
                check.other_days)
            self.assertEqual(len(found), 1, text)
            self.assertIn("Planted.swift:2: ", found[0])

    def test_only_tests_import_with_testable(self):
        self.assertEqual(list(check.testable_imports(manifest())), [])
        for path, count in [("Tests/SimulationSupport/Planted.swift", 1), ("Tests/Server/RoomTests/Planted.swift", 0)]:
            found = self.planted(
                path, "import Tables\n@testable package import Ledger\n",
                lambda root: check.testable_imports(manifest(), root))
            self.assertEqual(len(found), count, path)

    def planted(self, path, text, find):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / path
            file.parent.mkdir(parents=True)
            file.write_text(text)
            return list(find(pathlib.Path(folder)))

    def test_sql_is_in_storage_alone(self):
        self.assertEqual(list(check.sql_elsewhere()), [])
        text = '// SELECT is spoken of\nlet sql = "SELECT name FROM event"\n'
        for folder, count in [("Rules", 1), ("Routes", 1), ("Storage/SQLite", 0)]:
            path = f"Sources/Server/LiveEvents/{folder}/Planted.swift"
            self.assertEqual(len(self.planted(path, text, check.sql_elsewhere)), count, folder)

    def test_rules_know_no_database_and_no_http(self):
        self.assertEqual(list(check.banned_in_rules()), [])
        for module in ["GRDB", "PostgresDriver", "Hummingbird"]:
            found = self.planted(
                "Sources/Server/Boards/Rules/Planted.swift", f"package import {module}\n", check.banned_in_rules)
            self.assertEqual(
                found, [f"Sources/Server/Boards/Rules/Planted.swift: imports {module}, which rules may not"])

    def test_work_is_written_in_workflows_alone(self):
        self.assertEqual(list(check.other_work()), [])
        for text in [
            "KeyCorrection(in: editor)", "ProposalDecisions(review)", "Publisher(folder: a)", "any AdministrationStorage",
            "SQLiteAdministrationStorage()", "users.administration?.set(role)", "app.administration.storage.roles()",
            "x.publish(\n    nowSeconds: 1)", "x.rollback(to: 3)", "x.changeRollout(change)",
        ]:
            for place in ["Apps/CommandLineTool/Planted.swift", "Apps/DeskWeb/Pages/Planted.swift"]:
                with tempfile.TemporaryDirectory() as folder:
                    file = pathlib.Path(folder) / "Sources" / place
                    file.parent.mkdir(parents=True)
                    file.write_text(f"// Publisher is spoken of\nlet it = {text}\n")
                    found = list(check.other_work(pathlib.Path(folder)))
                    self.assertEqual(len(found), 1, text)
                    self.assertIn("Planted.swift:2: ", found[0])

    def test_page_and_manifest_agree(self):
        self.assertEqual(differences(), [])

    def test_a_dependency_that_the_page_lacks(self):
        page = PAGE.replace("| ContentModel, UserData, CDeflate |", "| ContentModel, UserData |")
        self.assertEqual(
            differences(page), ["ServiceAPI depends on CDeflate, which ARCHITECTURE.md does not allow"])

    def test_a_dependency_that_the_manifest_lacks(self):
        def change(targets):
            targets["QuestionEngine"]["dependencies"] = []

        self.assertEqual(
            differences(change=change),
            ["ARCHITECTURE.md says that QuestionEngine depends on ContentModel, and it does not"])

    def test_a_row_that_is_missing(self):
        page = "\n".join(line for line in PAGE.splitlines() if not line.startswith("| `UserData` |"))
        self.assertEqual(
            differences(page), ["UserData is in the manifest and not in the table of ARCHITECTURE.md"])

    def test_a_row_too_many(self):
        page = PAGE.replace("| `CDeflate` |", "| `Nothing` | No target. | – |\n| `CDeflate` |")
        self.assertEqual(
            differences(page), ["Nothing is in the table of ARCHITECTURE.md and not in the manifest"])

    def test_a_page_without_the_table(self):
        page = PAGE.replace("| target |", "| goal |")
        self.assertIn("ARCHITECTURE.md has no table of targets", differences(page))

    def sdk_with(self, change):
        dump = check.dump(with_server=False)
        change(dump, {target["name"]: target for target in dump["targets"]})
        return list(check.too_much_for_apps(check.Manifest(dump)))

    def test_the_sdk_is_alone_without_the_server(self):
        self.assertEqual(self.sdk_with(lambda dump, targets: None), [])
        self.assertIn("Ledger", check.Manifest(json.loads(DUMP)).paths)

    def test_a_server_target_under_the_sdk(self):
        def change(_, targets):
            targets["WebTransfer"]["dependencies"].append({"byName": ["Ledger", None]})
            targets["AppUI"]["path"] = "Sources/Server/AppUI"

        self.assertEqual(self.sdk_with(change), [
            "WebTransfer is in the SDK's manifest and depends on Ledger, which is the server's",
            "AppUI is in the SDK's manifest and is not of it"])

    def test_a_library_that_an_app_does_not_resolve(self):
        def change(dump, _):
            dump["dependencies"].append({"sourceControl": [{"identity": "swift-nio"}]})

        self.assertEqual(self.sdk_with(change), ["an app would resolve swift-nio"])


if __name__ == "__main__":
    unittest.main()
