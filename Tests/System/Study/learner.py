"""A learner before the study app: opens it, chooses, answers; knows the right answers of the sample."""

import contextlib
import json
import re

import yaml

import program


def answers(*parts):
    """The right answers of a bank, by the question's text and code: texts of options, in order for an ordering."""
    folder = program.SAMPLE.joinpath(*parts)
    blueprint = folder / "blueprint.json"
    questions = (json.loads(blueprint.read_text(encoding="utf-8"))["questions"] if blueprint.exists()
                 else yaml.safe_load((folder / "questions.yaml").read_text(encoding="utf-8")))
    return {plain(each["stem"] + " " + each.get("code", {}).get("text", "")): [plain(str(each["options"][index]["text"])) for index in each["correct"]]
            for each in questions}


def plain(text):
    return re.sub(r"\s+", " ", text.replace("`", "")).strip()


class Learner:
    """One page of the app."""

    def __init__(self, page, app):
        self.page = page
        self.app = app

    @property
    def heading(self):
        return plain(self.page.locator("h1").inner_text())

    @property
    def question(self):
        """The text of the question with its code: several ask what their code prints."""
        code = self.page.locator("pre.code")
        return plain(self.heading + " " + "".join(code.all_inner_texts()))

    @property
    def path(self):
        return self.page.url.removeprefix(self.app.address)

    @property
    def verdict(self):
        return plain(self.page.locator("#verdict").inner_text())

    @property
    def is_asked(self):
        """Whether the page is a question of a session."""
        return re.fullmatch(r"/session/[^/]+/\d+\??", self.path) is not None

    def go(self, path):
        self.page.goto(self.app.address + path, wait_until="load")

    def press(self, name, role="button", exact=True):
        """Presses what has a name, and waits for the page to which it leads."""
        with self.page.expect_navigation(wait_until="load"):
            self.page.get_by_role(role, name=name, exact=exact).first.click()

    def ask_once(self):
        """Switches the repeats of wrong answers off."""
        self.go("/settings/learning")
        self.page.locator("[name=repeats]").uncheck()
        with self.page.expect_navigation(wait_until="load"):
            self.page.locator("#learning button").click()

    def begin(self, mode):
        """Presses the button of a subject's page that begins a session: "study", "exam" or "placement"."""
        with self.page.expect_navigation(wait_until="load"):
            self.page.locator(f"main form:has([name=mode][value={mode}]) button").first.click()

    def next(self):
        """Presses the filled button."""
        with self.page.expect_navigation(wait_until="load"):
            self.page.locator("[data-primary]").click()

    def rows(self):
        return [plain(text) for text in
                self.page.locator(".option .option-body").evaluate_all("rows => rows.map(row => row.lastElementChild.innerText)")]

    def choose(self, texts):
        """Chooses rows by their texts; the rows of an ordering are brought into that order."""
        if self.page.locator("[data-ordering]").count():
            for place, text in enumerate(texts):
                self.bring(text, place)
            return
        for text in texts:
            self.page.locator(".option").nth(self.rows().index(text)).click()

    def bring(self, text, place):
        while (at := self.rows().index(text)) != place:
            self.page.locator(".option").nth(at).locator("[name=move]").nth(0 if at > place else 1).click()

    def choose_wrongly(self, right):
        """Chooses something that is not the right answer."""
        if self.page.locator("[data-ordering]").count():
            self.choose(right[::-1])
            return
        self.choose([next(row for row in self.rows() if row not in right)])


@contextlib.contextmanager
def opened(browser, app, **options):
    """The app in a window of its own, entered by the printed address."""
    with browser.page(app.entrance, **options) as page:
        yield Learner(page, app)
        for reply in page.seen:
            if "csrf=" in reply or "token=" in reply and reply != app.entrance:
                raise AssertionError(f"a secret in an address: {reply}")
