"""Clips in a browser: the player of a question, one clip at a time, its key, and a device without a network."""

import shutil
import unittest

import axe
import browser
import learner
import program
import rules

CLOCK = "metronome.wav"
LOOKS = [("phone", "dark", "ar"), ("narrow", "light", "en"), ("wide", "light", "en")]


def with_clips(folder):
    """A language whose clips this browser plays: it knows no AAC."""
    audio = folder / "languages/en/audio"
    for old in audio.iterdir():
        old.unlink()
    for name in ("first.wav", "second.wav"):
        shutil.copy(folder / "exams/int/measuring/media" / CLOCK, audio / name)


class Clips(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.content = program.Content(with_clips)
        cls.addClassCleanup(cls.content.end)
        shutil.rmtree(cls.content.bundle)
        program.run("bundle", cls.content.bundle, "--release", cls.content.release, "--audio", "en")
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.close)
        cls.app = program.App(cls.content)
        cls.addClassCleanup(cls.app.stop)
        with learner.opened(cls.browser, cls.app) as one:
            cls.path = cls.sounding(one)

    @staticmethod
    def sounding(one):
        """The path of the question with a clip, in a simulated exam of all questions."""
        one.go("/library/int/measuring")
        one.begin("exam")
        session = one.path.rsplit("/", 1)[0]
        for number in range(1, 31):
            one.go(f"{session}/{number}")
            if one.page.locator(".player").count():
                return one.path
        raise AssertionError(f"no question of {session} has a clip")

    def opened(self, **options):
        return learner.opened(self.browser, self.app, **options)

    @staticmethod
    def wait(one, clip, condition):
        """Waits until an element of audio is as it should be."""
        browser.until(one.page, f"({condition})(document.querySelector('{clip}'))")

    def test_a_question_plays_and_pauses_by_its_key_and_never_by_itself(self):
        with self.opened() as one:
            one.go(self.path)
            self.assertEqual(one.page.locator("audio").evaluate("(clip) => clip.paused && !clip.autoplay"), True)
            one.page.locator("h1").click()
            one.page.keyboard.press("p")
            self.wait(one, "#clip", "(clip) => !clip.paused && clip.currentTime > 0")
            one.page.keyboard.press("p")
            self.wait(one, "#clip", "(clip) => clip.paused")
            self.assertEqual(one.page.locator("#clip").evaluate("(clip) => Math.round(clip.duration)"), 4)

    def test_the_key_writes_nothing_but_a_letter_in_a_field(self):
        with self.opened() as one:
            one.go(self.path)
            one.page.locator("#number").focus()
            one.page.keyboard.press("p")
            self.assertEqual(one.page.locator("#number").input_value(), "p")
            self.assertTrue(one.page.locator("#clip").evaluate("(clip) => clip.paused"))

    def test_a_screen_reader_and_the_keyboard_find_the_player_under_its_title(self):
        for size, theme, language in LOOKS:
            with self.subTest(size=size, language=language), \
                    self.opened(size=size, theme=theme, locale=language) as one:
                one.go(self.path)
                self.assertEqual(rules.all_faults(one.page), [])
                self.assertEqual(axe.faults(one.page), [])
                name = one.page.locator("#clip").get_attribute("aria-labelledby")
                self.assertEqual(one.page.locator(f"#{name}").inner_text(), "A metronome")

    def test_starting_a_clip_pauses_the_other(self):
        with self.opened() as one:
            one.go("/library/en")
            clips = one.page.locator("#files audio")
            self.assertEqual(clips.count(), 2)
            clips.nth(0).evaluate("(clip) => clip.play()")
            self.wait(one, "#files li:nth-child(1) audio", "(clip) => !clip.paused")
            clips.nth(1).evaluate("(clip) => clip.play()")
            self.wait(one, "#files li:nth-child(1) audio", "(clip) => clip.paused")
            self.wait(one, "#files li:nth-child(2) audio", "(clip) => !clip.paused")

    def test_it_plays_without_script_by_the_browsers_own_player(self):
        with self.opened(scripts=False) as one:
            one.go(self.path)
            self.assertTrue(one.page.locator("audio#clip[controls]").is_visible())


if __name__ == "__main__":
    unittest.main()
