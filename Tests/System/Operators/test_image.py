"""The checks of what the image is built from: base images by digest, and versions of dependencies."""
import importlib.machinery
import importlib.util
import json
import pathlib
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]


def script(name):
    loader = importlib.machinery.SourceFileLoader(name.replace("-", "_"), str(ROOT / "script" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


class ImageTests(unittest.TestCase):
    def test_an_image_without_a_digest_is_found(self):
        digest = "a" * 64
        text = (f"FROM swift:6.3@sha256:{digest} AS build\nRUN true\nfrom --platform=linux/amd64 debian:12\n"
                f"FROM build\nFROM scratch\nFROM debian@sha256:{digest[1:]}\n")
        self.assertEqual(
            script("check-images").unpinned(text), [(3, "debian:12"), (6, f"debian@sha256:{digest[1:]}")])

    def test_every_difference_of_versions_is_named(self):
        check = script("check-versions")

        def file(**pins):
            return json.dumps({"pins": [
                {"identity": name, "state": {"version": version, "revision": version * 20}}
                for name, version in pins.items()]})
        listed, built = check.pins(file(a="1", b="2", c="3")), check.pins(file(a="1", b="4", d="5"))
        self.assertEqual([line.split(":")[0] for line in check.differences(listed, built)], ["b", "c", "d"])
        self.assertEqual(check.differences(listed, listed), [])

    def test_the_list_names_what_the_manifest_does(self):
        listed = script("check-versions").pins((ROOT / "deploy/docker/package-versions.json").read_text())
        manifest = (ROOT / "Package.swift").read_text()
        for line in manifest.splitlines():
            if "url:" in line and ".package(" in line:
                name = line.split('url: "')[1].split('"')[0].rsplit("/", 1)[1].lower()
                self.assertIn(name.removesuffix(".git"), listed)


if __name__ == "__main__":
    unittest.main()
