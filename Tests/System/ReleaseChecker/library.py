"""A small content folder whose every edit carries a mark, and the program that publishes it."""

import os
import pathlib
import signal
import subprocess
import time

LANGUAGES = ["da", "de", "en", "es"]

BLUEPRINT = """kind: placement
id: {language}
title: Test of {language}
version: "1.0.0"
scoring: {{ cuts: [{{ level: A1, from: 0 }}, {{ level: A2, from: 2 }}] }}
questions:
"""

QUESTION = """{indent}- id: {id}
{indent}  type: single-choice
{indent}  difficulty: {difficulty}
{indent}  stem: "{stem}"
{indent}  options: [{{ id: a, text: first }}, {{ id: b, text: other }}, {{ id: c, text: third }}]
{indent}  correct: [0]
"""


def question(name, difficulty, stem, indent="", more=""):
    text = QUESTION.format(id=name, difficulty=difficulty, stem=stem, indent=indent)
    return text + more


class Library:
    """Content, release and program."""

    def __init__(self, folder, program):
        self.folder = pathlib.Path(os.path.realpath(folder))
        self.program = str(program)
        self.release = self.folder / "release"
        self.write("underway.yaml", "name: Checked\n")
        for language in LANGUAGES:
            self.edit([language], "begin")
            self.write(f"languages/{language}/localization.json", '{"start": "begin %s"}' % language)
        self.write("languages/es/audio/hello.m4a", "a clip, which nobody compresses")
        self.write("exams/int/demo/exam.yaml", "title: Exam\ndomains: [{ id: net, title: Net }]\n")
        self.write("exams/int/demo/questions.yaml", question(
            "q1", 1, "An image?", more="  domain: net\n  image: one.svg\n"))
        self.write("exams/int/demo/media/one.svg", '<svg xmlns="http://www.w3.org/2000/svg"/>' + " " * 99)
        self.write("assets/links.json", '{"link": "https://example.org"}')

    def write(self, path, text):
        file = self.folder / "content" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        temporary = file.with_name("." + file.name)
        temporary.write_text(text)
        temporary.rename(file)

    def edit(self, languages, mark):
        """Gives placement tests a mark that is found again in what is published."""
        for language in languages:
            text = BLUEPRINT.format(language=language)
            text += question(f"{language}-1", 1, f"<{mark}> of {language}?", "  ")
            text += question(f"{language}-2", 3, "Two?", "  ") + question(f"{language}-3", 5, "Three?", "  ")
            self.write(f"languages/{language}/blueprint.yaml", text)

    def command(self, *arguments):
        return [
            self.program, *arguments, "--content", str(self.folder / "content"), "--release", str(self.release)]

    def run(self, *arguments, environment=None, killed_after=None):
        """Runs the program; its exit code (negative for a signal) and all that it said."""
        process = subprocess.Popen(
            self.command(*arguments), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True,
            env={**os.environ, "SWIFT_BACKTRACE": "enable=no", **(environment or {})})
        if killed_after is not None:
            time.sleep(killed_after)
            process.send_signal(signal.SIGKILL)
        try:
            said, _ = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            said, _ = process.communicate()
            return -99, said
        return process.returncode, said
