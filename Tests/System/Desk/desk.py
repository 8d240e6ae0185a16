"""A server with a desk, its people, and a browser that is signed in."""

import contextlib
import json
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[3]
for folder in ("Tests/System/Study", "Tests/System/Operators", "Tests/OtherLanguages"):
    sys.path.insert(0, str(ROOT / folder))

import browser  # noqa: E402
from world import TOOL, await_true, free_port  # noqa: E402

PASSWORD = "a long password"
PICTURES = ROOT / ".build/desk-pictures"


class Desk:
    """`underway serve --desk` on a content folder of its own; close it at the end."""

    def __init__(self, content=None, questions=None, approval=False, repository=False):
        self.here = pathlib.Path(tempfile.mkdtemp(prefix="underway-desk-"))
        self.content, self.release = self.here / "content", self.here / "release"
        if content:
            shutil.copytree(content, self.content)
        else:
            exam = self.content / "exams/int/made"
            exam.mkdir(parents=True)
            self.content.joinpath("underway.yaml").write_text("name: Made\n")
            exam.joinpath("exam.yaml").write_text('title: Made\nversion: "1.0.0"\n')
            exam.joinpath("questions.yaml").write_text(questions)
        if repository:
            for words in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "start"]):
                subprocess.run(["git", "-C", self.content, *words], check=True)
        self.tool("publish")
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.process = subprocess.Popen(
            [TOOL, "serve", "--release", self.release, "--data", "users", "--port", str(self.port), "--behind-proxy",
             "--quiet", "--desk", self.content, *(["--desk-approval"] if approval else [])],
            cwd=self.here, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        await_true(self.is_live, "the server", seconds=60)

    def is_live(self):
        try:
            return urllib.request.urlopen(self.address + "/health/live").status == 200
        except OSError:
            return False

    def close(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()
        shutil.rmtree(self.here)

    def tool(self, *words):
        done = subprocess.run([TOOL, *words], cwd=self.here, capture_output=True, text=True)
        if done.returncode:
            raise AssertionError(f"{words}: {done.stderr}")
        return done.stdout

    def call(self, path, body, token=None):
        headers = {"Content-Type": "application/json"} | ({"Authorization": "Bearer " + token} if token else {})
        request = urllib.request.Request(
            self.address + path, method="POST", data=json.dumps(body).encode(), headers=headers)
        return json.loads(urllib.request.urlopen(request).read() or b"null")

    def person(self, email, *roles):
        """An account with an email, a password and roles."""
        tokens = self.call("/api/accounts/v1/anonymous", {})
        self.call("/api/accounts/v1/upgrade", {"email": email, "password": PASSWORD}, tokens["access_token"])
        for role in roles:
            self.tool("role", "grant", tokens["user"], role, "--data", "users")
        return email


class DeskBrowser(browser.Browser):
    @contextlib.contextmanager
    def signed_in(self, desk, email, path="/desk", size="wide", theme="light", scripts=True, **more):
        """A page of the desk after signing in by its form."""
        with self.page(desk.address + "/desk/sign-in", size, theme, scripts, **more) as page:
            page.fill("#email", email)
            page.fill("#password", PASSWORD)
            with page.expect_navigation(wait_until="load"):
                page.keyboard.press("Enter")
            self.go(page, desk, path)
            yield page

    @staticmethod
    def go(page, desk, path):
        reply = page.goto(desk.address + path, wait_until="load")
        page.size = len(reply.body())
