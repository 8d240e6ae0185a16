"""Copies the study app's built-in texts into the sample's localizations, as keys `study.<key>`.

The sample shows with them that a release replaces the words of the app. Run it from the root of
the project after a change of Sources/Translations; script/generate-sample runs it too.
"""

import json
import pathlib

WORDS = pathlib.Path("Sources/Translations")
LANGUAGES = pathlib.Path("Sample/content/languages")

for words in sorted(WORDS.glob("*.json")):
    target = LANGUAGES / words.stem / "localization.json"
    texts = json.loads(target.read_text(encoding="utf-8"))
    texts = {key: text for key, text in texts.items() if not key.startswith("study.")}
    study = json.loads(words.read_text(encoding="utf-8"))
    texts |= {f"study.{key}": text for key, text in study.items()}
    json_text = json.dumps(
        texts, ensure_ascii=False, indent=2, sort_keys=True, separators=(",", " : "))
    target.write_text(json_text + "\n", encoding="utf-8")
