"""The process is killed at any moment of an answer: what was confirmed is kept, and the session goes on where it was."""

import random
import re
import threading
import unittest

import program
import raw

KILLS = 12
SEED = 20261123


class Kills(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.content = program.Content()
        cls.addClassCleanup(cls.content.end)

    def place(self, one, session):
        """The number of the question that is asked now."""
        return int(one.get(session).field("location").rsplit("/", 1)[1])

    def killed_during_an_answer(self, app, session, delay):
        """The status of an answer while the process is killed after a delay; 0 for none."""
        one = raw.Learner(app)
        number = self.place(one, session)
        page = one.get(f"{session}/{number}").text
        options = re.findall(r'name="option" value="([^"]+)"', page)
        form = one.secret() + "".join(f"&option={each}" for each in (options if "data-ordering" in page else options[:1]))
        killer = threading.Timer(delay, app.kill)
        killer.start()
        try:
            status = one.post(f"{session}/{number}", form).status
        except OSError:
            status = 0
        killer.join()
        return number, status

    def test_no_confirmed_answer_is_lost_and_none_counts_twice(self):
        chance = random.Random(SEED)
        app = program.App(self.content)
        self.addCleanup(app.stop)
        one = raw.Learner(app)
        session = one.post("/session", one.secret() + "&mode=study&bank=int/swift").field("location")
        outcomes = set()
        for kill in range(KILLS):
            delay = chance.choice((0, 0.001, 0.003, 0.01, 0.03, 0.3))
            number, status = self.killed_during_an_answer(app, session, delay)
            app.start()
            one = raw.Learner(app)
            now = self.place(one, session)
            with self.subTest(seed=SEED, kill=kill, delay=delay, status=status):
                self.assertIn(now, (number, number + 1))
                if status == 303:
                    self.assertEqual(now, number + 1)
                self.assertIn(f'href="{session}"', one.get("/").text)
            outcomes.add(status)
        self.assertLessEqual(outcomes, {0, 303})
        self.assertIn(303, outcomes)


if __name__ == "__main__":
    unittest.main()
