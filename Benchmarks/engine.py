"""The benchmarks of the question engine, each against a package from PyPI or a plain way.

Every figure of a process is processor time of one thread; peers run in the same run, on the same
data, which is made here with a fixed seed.
"""

import json
import math
import os
import random
import subprocess
import sys
import tempfile
import time

from common import table

PROGRAM = os.path.abspath(sys.argv[1])
SECTIONS = sys.argv[2:]
WORK = tempfile.mkdtemp(prefix="underway-engine-")


def ours(*arguments):
    """Runs a section of our program; answers its reports and its peak memory in MB."""
    process = subprocess.Popen([PROGRAM, *arguments], stdout=subprocess.PIPE, text=True)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"EngineBenchmarks {arguments[0]} failed")
    return [json.loads(line) for line in output.splitlines()], usage.ru_maxrss / 1024


def timed(body):
    begin = time.thread_time()
    value = body()
    return time.thread_time() - begin, value


# Scheduling


def section_fsrs():
    import datetime

    import fsrs
    import fsrs_rs_python as rust

    random.seed(7)
    rows = [
        (card, random.choices([1, 2, 3, 4], [0.15, 0.1, 0.6, 0.15])[0], 0 if turn == 0 else random.choice([0, 1, 2, 3, 5, 8, 13, 21, 40]))
        for turn in range(100) for card in range(1000)
    ]
    path = f"{WORK}/reviews.csv"
    with open(path, "w") as file:
        file.writelines(f"{card},{rating},{days}\n" for card, rating, days in rows)
    start = datetime.datetime(2027, 1, 15, tzinfo=datetime.timezone.utc)

    def python():
        scheduler = fsrs.Scheduler(enable_fuzzing=False)
        cards, dates = {}, {}
        for number, rating, days in rows:
            date = dates.get(number, start) + datetime.timedelta(days=days)
            cards[number], _ = scheduler.review_card(
                cards.get(number) or fsrs.Card(card_id=number), fsrs.Rating(rating), date)
            dates[number] = date
        return sum(card.stability for card in cards.values())

    def rust_steps():
        model, memory = rust.FSRS(rust.DEFAULT_PARAMETERS), {}
        for number, rating, days in rows:
            states = model.next_states(memory.get(number), 0.9, days)
            memory[number] = (states.again, states.hard, states.good, states.easy)[rating - 1].memory
        return sum(state.stability for state in memory.values())

    cards = {}
    for number, rating, days in rows:
        cards.setdefault(number, []).append(rust.FSRSReview(rating, days))
    items = [rust.FSRSItem(reviews) for reviews in cards.values()]

    def rust_batch():
        return sum(state.stability for state in rust.FSRS(rust.DEFAULT_PARAMETERS).memory_state_batch(items))

    (mine,), _ = ours("fsrs", path)
    figures = [("underway", mine["seconds"], mine["stability"])]
    for name, body in [
        ("fsrs 6.3.2 (Python)", python), ("fsrs-rs-python 0.9.3, next_states", rust_steps),
        ("fsrs-rs-python 0.9.3, memory_state_batch", rust_batch),
    ]:
        seconds, stability = min(timed(body) for _ in range(3))
        figures.append((name, seconds, stability))
    table(
        "FSRS-6: 100,000 reviews of 1,000 cards, one thread",
        ["", "reviews/s", "ours / theirs", "sum of stabilities"],
        [[n, f"{len(rows) / s:,.0f}", f"{s / mine['seconds']:.1f}", f"{v:.2f}"] for n, s, v in figures])
    section_fit()


def simulated_histories(truth, cards, length, seed):
    import fsrs_rs_python as rust

    chance, model, histories = random.Random(seed), rust.FSRS(truth), []
    for _ in range(cards):
        memory, days, history = None, 0, []
        for _ in range(length):
            if memory is None:
                rating = chance.choice([1, 2, 3, 3, 4])
            else:
                recall = (1 + (0.9 ** (-1 / truth[20]) - 1) * days / memory.stability) ** (-truth[20])
                rating = chance.choices([2, 3, 3, 4])[0] if chance.random() < recall else 1
            history.append((rating, days))
            states = model.next_states(memory, 0.9, days)
            memory = (states.again, states.hard, states.good, states.easy)[rating - 1].memory
            again_today = rating == 1 and chance.random() < 0.5
            days = 0 if again_today else max(1, int(min(memory.stability, 2000) * chance.uniform(0.5, 2)))
        histories.append(history)
    return histories


def log_loss(parameters, histories):
    import fsrs_rs_python as rust

    model, total, count = rust.FSRS(list(parameters)), 0.0, 0
    for history in histories:
        states = model.historical_memory_states(rust.FSRSItem([rust.FSRSReview(*review) for review in history]))
        for index in range(1, len(history)):
            rating, days = history[index]
            if days == 0:
                continue
            recall = (1 + (0.9 ** (-1 / parameters[20]) - 1) * days / states[index - 1].stability) ** (-parameters[20])
            recall = min(max(recall, 1e-9), 1 - 1e-9)
            total -= math.log(recall if rating > 1 else 1 - recall)
            count += 1
    return total / count


def section_fit():
    import fsrs_rs_python as rust

    changes = [
        {}, {0: 0.6, 2: 4.5, 3: 14, 6: 2.2, 8: 1.4, 9: 0.28, 11: 2, 14: 1.1, 20: 0.35},
        {0: 0.1, 1: 0.4, 2: 0.9, 3: 3, 4: 7.5, 8: 1.1, 10: 1.5, 12: 0.1, 13: 0.5, 15: 0.3, 17: 0.9, 20: 0.5},
        {0: 2, 1: 5, 2: 12, 3: 30, 4: 5, 6: 1.2, 8: 2.4, 16: 3, 20: 0.2},
    ]
    rows = []
    for number, change in enumerate(changes):
        truth = [change.get(i, v) for i, v in enumerate(rust.DEFAULT_PARAMETERS)]
        fresh = simulated_histories(truth, 2000, 10, 900 + number)
        for cards, length in ((150, 8), (1500, 14)):
            histories = simulated_histories(truth, cards, length, 10 * number + cards)
            path = f"{WORK}/fit.csv"
            with open(path, "w") as file:
                file.writelines(f"{card},{r},{d}\n" for card, history in enumerate(histories) for r, d in history)
            items = [
                rust.FSRSItem([rust.FSRSReview(*review) for review in history[:end]])
                for history in histories for end in range(2, length + 1) if history[end - 1][1] > 0
            ]
            theirs = rust.FSRS(rust.DEFAULT_PARAMETERS).compute_parameters(items)
            (mine,), _ = ours("fit", path)
            rows.append([f"learner {number + 1}, {cards * length:,} reviews"] + [
                f"{log_loss(p, data):.4f}" for data in (histories, fresh)
                for p in (rust.DEFAULT_PARAMETERS, theirs, mine["parameters"])
            ])
    table(
        "Fitted parameters, log loss: on the reviews fitted to, and on new reviews of the same learner",
        ["", "defaults", "fsrs-rs", "ours", "new: defaults", "new: fsrs-rs", "new: ours"], rows)


# Asking


def section_grading():
    reports, _ = ours("grading")
    table(
        "Grading, answers per second (half right, half wrong; partial credit and feedback)",
        ["", "graded/s", "right or wrong only/s"],
        [[r["type"], f"{r['perSecond']:,.0f}", f"{r['barePerSecond']:,.0f}"] for r in reports])


def section_selection():
    (report,), _ = ours("selection")
    table(
        "65 of 10,000 questions, 500 seen recently", ["", "time"],
        [["underway, weights of five domains", f"{report['milliseconds']:.2f} ms"],
         ["shuffled().prefix(65), no weights", f"{report['plainMilliseconds']:.2f} ms"]])


# Analysis


def numpy_detector(path, items, wrong):
    """The detector's formulas on numpy columns."""
    import numpy

    person, item, response = numpy.fromfile(path, dtype=numpy.int32).reshape(3, -1)
    key = numpy.where(numpy.arange(items) % 20 == 0, 1, 0)
    right = (response == key[item]).astype(float)
    count = numpy.bincount(item, minlength=items)
    facility = numpy.bincount(item, right, items) / count
    p = numpy.clip(facility, 0.02, 0.98)
    people = person.max() + 1
    surplus = numpy.bincount(person, right - p[item], people)
    information = numpy.bincount(person, (p * (1 - p))[item], people)
    theta = (surplus[person] - (right - p[item])) / (1 + information[person] - (p * (1 - p))[item])
    mean = numpy.bincount(item, theta, items) / count
    t = theta - mean[item]
    t /= numpy.sqrt(numpy.bincount(item, t * t, items) / count)[item]
    skew = numpy.bincount(item, t**3, items) / count
    q = t * t - 1 - skew[item] * t
    spread = numpy.sqrt(numpy.bincount(item, q * q, items) / count)
    cell = item * 4 + response
    chosen = numpy.bincount(cell, minlength=items * 4).reshape(items, 4)
    share = chosen / count[:, None]
    scale = numpy.maximum(count[:, None] * numpy.sqrt(share * (1 - share)), 1e-300)
    r = numpy.bincount(cell, t, items * 4).reshape(items, 4) / scale
    c = numpy.bincount(cell, q, items * 4).reshape(items, 4) / scale / spread[:, None]
    rows = numpy.arange(items)
    own = r[rows, key]
    lead = max(0.02, ((own - (r.sum(1) - own) / 3).sum() + 1.25) / (items + 5))
    variance = max(0.002, (((own - own.mean()) ** 2).sum() - (1 / count).sum() + 0.2) / (items + 10))
    above = max(0, ((facility.sum() + 3) / (items + 5) - 0.25) / 0.75)
    root = numpy.sqrt(count)[:, None] / 10
    odds = numpy.log((chosen + 0.5) / (count[:, None] - chosen + 0.5))
    merit = (0.3866 * lead * r / (1 / count[:, None] + variance) + 3.4847 * r * root + 3.8082 * above * odds
             + 1.6849 * c * root)
    others = merit.copy()
    others[rows, key] = -numpy.inf
    top = others.max(1)
    score = (top + numpy.log(numpy.exp(others - top[:, None]).sum(1)) - merit[rows, key]
             - (4.6379 - 3.7064 * facility))
    return int((score >= 0).sum()), float(score.max())


def section_analysis():
    import girth
    import numpy

    path = f"{WORK}/answers.bin"
    ours("analysis", path)
    (mine,), memory = ours("analysis")
    seconds, (found, top) = min(timed(lambda: numpy_detector(path, 5000, 20)) for _ in range(3))
    table(
        "Wrong-key detector: 1,000,000 answers to 5,000 questions",
        ["", "time", "peak memory", "to review", "highest score"],
        [["underway", f"{1000 * mine['seconds']:.0f} ms", f"{memory:.0f} MB", mine["found"], f"{mine['top']:.6f}"],
         ["numpy, the same formulas", f"{1000 * seconds:.0f} ms", "", found, f"{top:.6f}"]])
    random.seed(1)
    truth = [(math.exp(0.3 * random.gauss(0, 1)), random.gauss(0, 1)) for _ in range(50)]
    people = [
        "".join("1" if random.random() < 1 / (1 + math.exp(-a * (t - b))) else "0" for a, b in truth)
        for t in (random.gauss(0, 1) for _ in range(1000))
    ]
    path = f"{WORK}/matrix.txt"
    with open(path, "w") as file:
        file.write("\n".join(people))
    (mine,), _ = ours("calibration", path)
    data = numpy.array([[int(c) for c in row] for row in people]).T
    rows = []
    for name, seconds, slopes, difficulties in [
        ("underway 2PL, with standard errors", mine["seconds"], mine["slopes"], mine["difficulties"]),
        *[(name, s, r["Discrimination"], r["Difficulty"]) for name, (s, r) in [
            ("girth 0.8.0 twopl_mml", timed(lambda: girth.twopl_mml(data)))]],
    ]:
        error = lambda values, index: math.sqrt(sum((v - t[index]) ** 2 for v, t in zip(values, truth)) / 50)
        rows.append([name, f"{1000 * seconds:.0f} ms", f"{error(slopes, 0):.3f}", f"{error(difficulties, 1):.3f}"])
    rows.append(["underway Rasch (conditional)", f"{1000 * mine['raschSeconds']:.0f} ms", "", ""])
    seconds, _ = timed(lambda: girth.rasch_conditional(data))
    rows.append(["girth 0.8.0 rasch_conditional", f"{1000 * seconds:.0f} ms", "", ""])
    table(
        "Calibration of 50 questions on 1,000 people, and the error against the truth",
        ["", "time", "slopes", "difficulties"], rows)
    sparse_calibration(truth, data)


def sparse_calibration(truth, data):
    import girth

    rows = []
    for missing in (0.3, 0.5, 0.7):
        chance = random.Random(16)
        holes = data.copy()
        for answers in holes:
            for person in range(len(answers)):
                if chance.random() < missing:
                    answers[person] = -1
        path = f"{WORK}/sparse.txt"
        with open(path, "w") as file:
            file.write("\n".join("".join(str(v) if v in (0, 1) else "-" for v in row) for row in holes.T))
        (mine,), _ = ours("sparse", path)
        seconds, theirs = timed(lambda: girth.twopl_mml(girth.tag_missing_data(holes, [0, 1])))
        error = lambda values, index: math.sqrt(sum((v - t[index]) ** 2 for v, t in zip(values, truth)) / len(truth))
        apart = max(abs(a - b) for a, b in zip(mine["slopes"], theirs["Discrimination"]))
        for name, time, slopes, difficulties in [
            ("underway", mine["seconds"], mine["slopes"], mine["difficulties"]),
            ("girth 0.8.0 twopl_mml", seconds, theirs["Discrimination"], theirs["Difficulty"]),
        ]:
            rows.append([
                f"{name}, {100 * missing:.0f} % missing", f"{1000 * time:.0f} ms", f"{error(slopes, 0):.3f}",
                f"{error(difficulties, 1):.3f}", f"{apart:.3f}" if name == "underway" else ""])
    table(
        "Calibration with missing answers, and the error against the truth",
        ["", "time", "slopes", "difficulties", "greatest difference of a slope to girth"], rows)


def section_detector():
    # Of the authors of the rule, for their sparse banks with 5 % wrong keys.
    aims = {("good", 0, 1, 50): ".90/.76", ("good", 0, 1, 100): ".97/.82", ("messy", 0, 1, 50): ".89/.68",
            ("messy", 0, 1, 100): ".93/.69", ("good", -1, 1, 100): ".92/.50"}
    sets = [{key(r): r for r in ours("detector", seed)[0]} for seed in ("1000000", "2000000", "3000000")]
    for design in ("even", "sparse"):
        rows = []
        for cell, one in sets[0].items():
            if cell[0] != design:
                continue
            same = [s[cell] for s in sets]
            _, quality, mean, spread, people = cell
            who = "" if (mean, spread) == (0, 1) else f", mean {mean:g}, spread {spread:g}"
            acted = sum(r["acted"] for r in same)
            rows.append(
                [f"{quality}{who}, {people} people"] + [f"{r['precision']:.2f}/{r['recall']:.2f}" for r in same]
                + [f"{sum(r['act'] * r['acted'] for r in same) / max(1, acted):.3f} of {acted:,}",
                   f"{max(r['falseAlarms'] for r in same):.2f}", f"{100 * one['undecided']:.0f} %",
                   f"{one['plainPrecision']:.2f}/{one['plainRecall']:.2f}, {one['plainFalseAlarms']:.1f}",
                   aims.get((quality, mean, spread, people), "") if design == "sparse" else ""])
        table(
            f"Wrong-key detector, {design} design: precision/recall with 5 % wrong keys, three sets of seeds",
            ["", "set 1", "set 2", "set 3", "'.9' is true", "false alarms a hundred right keys", "not enough signal",
             "another option goes better: precision/recall, false alarms", "aim"], rows)


def section_placement():
    rows = []
    for report in ours("placement")[0]:
        options = f"{report['options']} options" if report["options"] else "no guessing"
        rows.append([
            f"{options}, {report['length']}", "1/options" if report["knowsGuessing"] and report["options"] else "none",
            f"{report['questions']:.1f}", f"{report['exact']:.2f}", f"{report['near']:.3f}", f"{report['error']:.2f}",
            f"{report['stated']:.2f}"])
    table(
        "Adaptive placement: 4,000 learners on five levels who guess blindly",
        ["", "guessing in the model", "questions", "exact", "within one level", "true error", "stated error"], rows)


#: Reviews, same-day reviews and repeats of the published table, which was made with other random numbers.
LEARNING = {
    ("20:00 ± 1 h", "learning days"): "3,289, 0", ("20:00 ± 1 h", "learning days with repeats"): "3,178 + 801",
    ("ten minutes sooner each day", "learning days"): "3,316, 0",
    ("ten minutes sooner each day", "learning days with repeats"): "3,147 + 787",
    ("a quarter after midnight", "learning days"): "3,318, 0",
    ("a quarter after midnight", "learning days with repeats"): "3,233 + 819",
}


def section_learning():
    reports, _ = ours("learning")
    table(
        f"Sixty evenings of {reports[0]['learners']} simulated learners, 600 questions, 20 new an evening",
        ["evening", "rule", "reviews", "taken as same-day", "repeats", "empty evenings", "per question", "busiest", "recall",
         "log loss", "published"],
        [[r["habit"], r["rule"], f"{r['reviews']:,.0f}", f"{r['sameDay']:,.0f}", f"{r['repeats']:,.0f}",
          f"{r['emptyDays']:.1f}", f"{r['perCard']:.1f}", f"{r['busiest']:.0f}", f"{r['recall']:.3f}", f"{r['loss']:.3f}",
          LEARNING.get((r["habit"], r["rule"]), "")] for r in reports])


def key(report):
    return tuple(report[name] for name in ("design", "quality", "mean", "spread", "people"))


for section in SECTIONS:
    globals()[f"section_{section}"]()
