"""A stock client of The Update Framework, PyPI's tuf, against a release directory that `underway` has signed.

Usage: tuf_client.py PROGRAM. It follows edits, a refresh, a rollout and a rotation of each role from the first root, takes the
manifest each time, compares it and each object with what was published, and refuses a forged one and an older host. The
directory is served by Python's own web server on the loopback.
"""

import functools
import hashlib
import http.server
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading

from tuf.api.exceptions import DownloadError, RepositoryError
from tuf.ngclient import Updater, UpdaterConfig

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = pathlib.Path(sys.argv[1]).resolve()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        release = folder / "release"

        def run(*words):
            subprocess.run([PROGRAM, *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)

        def edit(mark):
            path = folder / "content/languages/es/blueprint.json"
            bank = json.loads(path.read_text())
            bank["questions"][0]["stem"] += mark
            path.write_text(json.dumps(bank, ensure_ascii=False))

        def taken(device, host=release):
            """What the client takes from a host, after it has compared the objects too."""
            handler = functools.partial(Quiet, directory=host)
            with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
                threading.Thread(target=server.serve_forever, daemon=True).start()
                url = f"http://127.0.0.1:{server.server_port}"
                state, files = folder / device, folder / f"{device}-files"
                files.mkdir(exist_ok=True)
                try:
                    updater = Updater(
                        metadata_dir=str(state), metadata_base_url=f"{url}/metadata/", target_dir=str(files),
                        target_base_url=f"{url}/targets/", bootstrap=first,
                        config=UpdaterConfig(prefix_targets_with_hash=True))
                    updater.refresh()
                    info = updater.get_targetinfo("manifest.json")
                    manifest = pathlib.Path(updater.download_target(info)).read_bytes()
                finally:
                    server.shutdown()
            for entry in json.loads(manifest)["languages"].values():
                digest = entry["blueprint"]["checksum"].removeprefix("sha256:")
                bytes_ = (host / "objects" / digest[:2] / digest).read_bytes()
                assert hashlib.sha256(bytes_).hexdigest() == digest
            return manifest

        def expect(device, what):
            assert taken(device) == (release / "manifest.json").read_bytes(), what
            steps.append(what)

        steps = []
        shutil.copytree(ROOT / "Sample/content/languages", folder / "content/languages")
        (folder / "content/underway.yaml").write_text("name: Test\n")
        run("publish")
        run("trust", "init", "--keys", "keys", "--authors", "2", "--threshold", "2")
        first = (release / "metadata/1.root.json").read_bytes()
        expect("device", "the first release, two of two authors")
        older = folder / "older"
        shutil.copytree(release, older)
        edit("!")
        run("publish", "--keys", "keys")
        expect("device", "an edit")
        run("trust", "refresh", "--keys", "keys")
        expect("device", "a refresh")
        edit("?")
        run("publish", "--keys", "keys", "--rollout", "10")
        expect("device", "a rollout")
        # A role with several keys is given one more.
        for role, more in (("timestamp", []), ("snapshot", []), ("targets", ["--add"]), ("root", ["--add"])):
            run("trust", "rotate", role, "--keys", "keys", *more)
            expect("device", f"a rotation of {role}")
        expect("new device", "a new device, from the first root through all")
        try:
            taken("device", older)
            raise SystemExit("tuf_client: a host that went back was believed")
        except (RepositoryError, DownloadError):
            steps.append("a host that went back is refused")
        forged = folder / "forged"
        shutil.copytree(release, forged)
        for path in (forged / "targets").iterdir():
            path.chmod(0o644)
            path.write_bytes(path.read_bytes().replace(b'"release":', b'"release":9'))
        try:
            taken("third device", forged)
            raise SystemExit("tuf_client: a forged manifest was believed")
        except (RepositoryError, DownloadError):
            steps.append("a forged manifest is refused")
        print(f"tuf_client: PyPI's tuf agrees in {len(steps)} steps: {'; '.join(steps)}")


main()
