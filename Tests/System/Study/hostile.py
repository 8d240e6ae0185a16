"""Texts that would be markup or script, what a page may be made of, and content that has the texts everywhere."""

import json

import yaml

# After U+0600 and before U+0301 a mark is a part of a longer character for Swift, but not for a browser.
CORPUS = [
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "\"><svg onload=alert(1)>", "' onfocus=alert(1) autofocus x='",
    "\u0600<img src=x onerror=alert(1)>", "\"\u0301 onfocus=alert(1) autofocus x=\"", "\U000110bd<svg onload=alert(1)>",
    "</title><script>alert(1)</script>", "</textarea></style><iframe srcdoc='<script>alert(1)</script>'>",
    "<a href=javascript:alert(1)>x</a>", "{{t.app.name}}{{{csrf}}}{{> part_csrf}}", "`<b>code</b>`", "&lt;i&gt;&#60;u>",
    "<!--", "]]><![CDATA[", "<base href=//evil.example>", "<meta http-equiv=refresh content='0;url=//evil.example'>",
    "<style>*{display:none}</style>", "<form action=//evil.example>", "${alert(1)}", "\u202e<u>rtl</u>\u2066",
    "<math><mi xlink:href=javascript:alert(1)>", "<details open ontoggle=alert(1)>", "\r\n<input autofocus onfocus=alert(1)>",
]
ALL = " ".join(CORPUS)

# What pages have of their own; anything else came from a text.
STRANGE = """() => {
  const own = new Set(["HTML", "HEAD", "META", "TITLE", "LINK", "SCRIPT", "BODY", "A", "DIV", "NAV", "UL", "OL", "LI", "P",
    "SPAN", "MAIN", "HEADER", "SECTION", "H1", "H2", "H3", "FORM", "INPUT", "BUTTON", "LABEL", "PROGRESS", "FIELDSET", "LEGEND",
    "PRE", "CODE", "KBD", "DL", "DT", "DD", "DIALOG", "DETAILS", "SUMMARY", "svg", "use", "path", "TABLE", "CAPTION", "THEAD",
    "TBODY", "TFOOT", "TR", "TH", "TD", "TIME", "DEL", "INS", "AUDIO", "SELECT", "OPTION", "TEXTAREA", "IMG", "BDI", "g",
    "rect", "line", "circle", "text", "polyline", "title", "desc", "OUTPUT", "NOSCRIPT", "STRONG", "SMALL", "BR", "defs", "clipPath"]);
  const faults = [];
  for (const element of document.querySelectorAll("*")) {
    if (!own.has(element.nodeName)) faults.push(`an element ${element.nodeName}`);
    for (const { name, value } of element.attributes) {
      // Drawings have places.
      if (name === "x" && element.namespaceURI === "http://www.w3.org/2000/svg") continue;
      if (/^on|^style$|^srcdoc$|^x$|[^ -~]/.test(name)) faults.push(`an attribute ${name}`);
      if (["href", "src", "action", "formaction", "xlink:href"].includes(name) && !/^(\\/|#|data:,?$|\\?)/.test(value)) {
        faults.push(`an address ${value}`);
      }
    }
    if (element.matches("script") && !/^\\/files\\//.test(element.getAttribute("src") ?? "")) faults.push("a script");
    if (element.matches("meta[http-equiv], base, [action^='//'], [formaction^='//'], [href^='//'], [src^='//']")) faults.push(element.outerHTML);
  }
  return faults;
}"""


def change(folder):
    """Puts the corpus into every text of an exam, a language, an announcement and the words of the app."""
    # Numeric entries and feedback are newer than the first version of the app that the sample supports.
    settings = folder / "underway.yaml"
    kept = [line for line in settings.read_text(encoding="utf-8").splitlines() if not line.startswith("supports:")]
    settings.write_text("\n".join(kept) + "\n", encoding="utf-8")
    exam = folder / "exams/int/swift"
    head = yaml.safe_load((exam / "exam.yaml").read_text(encoding="utf-8"))
    head["title"] = "Hostile " + ALL
    head["levels"] = {level: f"{level} {CORPUS[4]}" for level in head["levels"]}
    for domain in head["domains"]:
        domain["title"] = ALL
    (exam / "exam.yaml").write_text(yaml.safe_dump(head, allow_unicode=True), encoding="utf-8")
    questions = yaml.safe_load((exam / "questions.yaml").read_text(encoding="utf-8"))
    for number, question in enumerate(questions):
        mark = CORPUS[number % len(CORPUS)]
        question["stem"] = f"{number} {ALL}"
        question["explanation"] = ALL
        question["tags"] = [mark]
        if "code" in question:
            question["code"]["text"] = f"// {number} {ALL}\nlet a = \"{mark}\""
        for place, option in enumerate(question["options"]):
            option["text"] = f"{place} {ALL}"
            option["feedback"] = ALL
    (exam / "questions.yaml").write_text(yaml.safe_dump(questions, allow_unicode=True), encoding="utf-8")
    numbers = [{"id": f"number-{index}", "type": "numeric-entry", "domain": "values", "difficulty": 1,
                "stem": f"A number {index} {ALL}", "explanation": ALL,
                "number": {"value": 9.81, "tolerance": 0.01, "unit": CORPUS[index % len(CORPUS)][:40]}} for index in range(30)]
    other = folder / "exams/int/numbers"
    other.mkdir()
    (other / "exam.yaml").write_text(yaml.safe_dump(head, allow_unicode=True), encoding="utf-8")
    (other / "questions.yaml").write_text(yaml.safe_dump(numbers, allow_unicode=True), encoding="utf-8")
    language = folder / "languages/es/blueprint.json"
    blueprint = json.loads(language.read_text(encoding="utf-8"))
    blueprint["title"] = ALL
    for question in blueprint["questions"]:
        question["stem"] = f"{question['id']} {ALL}"
        question["explanation"] = ALL
    language.write_text(json.dumps(blueprint, ensure_ascii=False), encoding="utf-8")
    words = folder / "languages/en/localization.json"
    texts = json.loads(words.read_text(encoding="utf-8"))
    for index, key in enumerate(sorted(key for key in texts if key.startswith("study."))):
        texts[key] += " " + CORPUS[index % len(CORPUS)]
    words.write_text(json.dumps(texts, ensure_ascii=False), encoding="utf-8")
    for file in (folder / "announcements").glob("*.yaml"):
        announcement = yaml.safe_load(file.read_text(encoding="utf-8"))
        for text in announcement["texts"].values():
            text["title"], text["content"] = CORPUS[4], ALL
            text["buttons"] = {name: CORPUS[1] for name in text.get("buttons", {})}
            if "imageLabel" in text:
                text["imageLabel"] = ALL
        file.write_text(yaml.safe_dump(announcement, allow_unicode=True), encoding="utf-8")


def faults(page, texts):
    """What is strange in pages that came as texts; nothing of them is run."""
    return page.evaluate(f"""(texts) => texts.flatMap((text) => {{
      const document = new DOMParser().parseFromString(text, "text/html");
      return ({STRANGE})();
    }})""", texts)
