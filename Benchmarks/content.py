"""Content that benchmarks publish."""

import json
import os
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SAMPLE = os.path.join(ROOT, "Sample", "content")


def make_content(folder, count):
    """A content folder of placement tests of about 24 kB each, made from the sample's."""
    bases = []
    for language in sorted(os.listdir(f"{SAMPLE}/languages")):
        with open(f"{SAMPLE}/languages/{language}/blueprint.json") as file:
            bases.append(json.load(file))
    os.makedirs(folder)
    with open(f"{folder}/underway.yaml", "w") as file:
        file.write("name: Benchmark\n")
    for number in range(count):
        blueprint = dict(bases[number % len(bases)])
        blueprint["id"] = f"x{number:05d}"
        os.makedirs(f"{folder}/languages/{blueprint['id']}")
        with open(f"{folder}/languages/{blueprint['id']}/blueprint.json", "w") as file:
            json.dump(blueprint, file, ensure_ascii=False, indent=2)
    # A source is trusted once it is older than the publish that read it.
    time.sleep(2.1)


def edit(folder, number, mark):
    """One letter of one stem."""
    path = f"{folder}/languages/x{number:05d}/blueprint.json"
    with open(path) as file:
        blueprint = json.load(file)
    blueprint["questions"][0]["stem"] = f"Which of these means “{mark}”?"
    with open(path, "w") as file:
        json.dump(blueprint, file, ensure_ascii=False, indent=2)
