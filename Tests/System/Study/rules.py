"""The checks for every page, as functions of a loaded page: each returns the faults it found."""

BYTES_MAX = 100_000

STRUCTURE = """() => {
  const faults = [];
  const count = (selector) => document.querySelectorAll(selector).length;
  const seen = (element) => element.checkVisibility({ visibilityProperty: true });
  if (count("h1") !== 1) faults.push(`${count("h1")} h1`);
  if (count("main") !== 1) faults.push(`${count("main")} main`);
  for (const nav of document.querySelectorAll("nav")) {
    const name = nav.getAttribute("aria-label") || nav.getAttribute("aria-labelledby");
    if (!name) faults.push("a nav without a name");
  }
  const rail = document.querySelector("nav.nav");
  if (rail && !rail.querySelector("[aria-current]")) faults.push("nothing is current in the nav");
  const skip = document.querySelector("a[href]");
  if (!skip?.hash || !document.getElementById(skip.hash.slice(1))?.matches("main")) {
    faults.push("the first link does not skip to main");
  }
  const root = document.documentElement;
  if (!root.lang) faults.push("no lang");
  if (!["ltr", "rtl"].includes(root.dir)) faults.push("no dir");
  const heading = document.querySelector("h1")?.innerText.replace(/\\s+/g, " ").trim();
  if (document.title.trim() !== heading) faults.push(`title ${document.title}, heading ${heading}`);
  if (count("[style], style")) faults.push(`${count("[style], style")} inline styles`);
  const handlers = [...document.querySelectorAll("*")].filter((element) =>
    element.getAttributeNames().some((name) => name.startsWith("on")));
  if (handlers.length) faults.push(`${handlers.length} inline handlers`);
  const dialog = document.querySelector("dialog[open]");
  const filled = [...(dialog ?? document).querySelectorAll(".button.filled")].filter(seen);
  if (filled.length > 1) faults.push(`${filled.length} filled buttons`);
  // Enter in a field presses the first submit button of its form: it must be the main one.
  for (const form of document.forms) {
    const submits = [...form.elements].filter((element) =>
      element.matches("button:not([type=button], [type=reset]), input[type=submit], input[type=image]"));
    const takesEnter = [...form.elements].some((element) => element.matches("input:not([type=hidden])"));
    if (!takesEnter || submits.length < 2) continue;
    const does = (button) => [button.name, button.value, button.formAction].join(" ");
    const main = submits.filter((button) => button.matches("[data-primary]") && !button.matches("[data-default]"));
    const isMain = main.length ? main.some((button) => does(button) === does(submits[0]))
      : submits[0].matches(".filled, [data-default]");
    const isSeen = submits.slice(1).some((button) => does(button) === does(submits[0]));
    if (!isMain || submits[0].matches("[data-default]") && !isSeen) {
      faults.push(`Enter presses ${submits[0].outerHTML.slice(0, 160)}`);
    }
  }
  return faults;
}"""

WIDTH = """() => {
  if (document.documentElement.scrollWidth <= innerWidth) return [];
  const wide = [...document.querySelectorAll("body *")].filter((element) => {
    const box = element.getBoundingClientRect();
    return box.width > 1 && (box.right > innerWidth + 1 || box.left < -1);
  });
  const names = wide.slice(0, 5).map((element) => `${element.tagName}.${element.getAttribute("class") ?? ""}`);
  return [`${document.documentElement.scrollWidth} px wide in ${innerWidth}: ${names.join(", ")}`];
}"""

TARGETS = """(least) => {
  const area = (element) => {
    const label = element.closest("label") ?? element.labels?.[0];
    return (element.matches("input[type=radio], input[type=checkbox]") && label ? label : element)
      .getBoundingClientRect();
  };
  const isInLine = (element) => getComputedStyle(element).display === "inline";
  return [...document.querySelectorAll("a[href], button, summary, select, textarea, input:not([type=hidden])")]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest(".skip, [data-default]"))
    .flatMap((element) => {
      const box = area(element);
      const need = isInLine(element) ? 24 : least;
      const isSmall = box.height < need - 0.5 || (!isInLine(element) && box.width < need - 0.5);
      const name = element.getAttribute("aria-label") ?? element.textContent.trim().slice(0, 40);
      return isSmall ? [`a target of ${Math.round(box.width)} × ${Math.round(box.height)}: ${name}`] : [];
    });
}"""

# WCAG 2.2, 1.4.12: text spacing. The policy forbids inline styles, not those of the debugger.
SPACING = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("* { line-height: 1.5 !important; letter-spacing: .12em !important; "
    + "word-spacing: .16em !important; } p { margin-block-end: 2em !important; }");
  document.adoptedStyleSheets.push(sheet);
}"""

LARGE = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("html { font-size: 200% !important; }");
  document.adoptedStyleSheets.push(sheet);
}"""

# Text that its own element cuts; regions that scroll by themselves are meant to.
CUT = """() => [...document.querySelectorAll("h1, h2, p, a, button, td, th, label, span")]
  .filter((element) => element.checkVisibility() && !element.closest(".hidden, .code, .skip, select")
    && getComputedStyle(element).overflow === "hidden" && element.scrollWidth > element.clientWidth + 1)
  .map((element) => `cut: ${element.textContent.trim().slice(0, 40)}`)"""

# The focused element, if a bar at an edge of the window covers its middle.
OBSCURED = """() => {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const shown = element.closest("label") ?? element;
  const box = shown.getBoundingClientRect();
  if (box.width < 2 || box.height < 2) return null;
  const top = document.elementFromPoint(box.left + box.width / 2, box.top + Math.min(box.height / 2, 20));
  const name = element.getAttribute("aria-label") ?? element.textContent.trim().slice(0, 40);
  const isSeen = top && (shown.contains(top) || top.contains(shown));
  const style = getComputedStyle(element);
  const ring = element.closest("label.option") ? getComputedStyle(element.closest("label.option")) : style;
  if (!isSeen) return `obscured in focus: ${name}`;
  const isMarked = ring.outlineStyle !== "none" && parseFloat(ring.outlineWidth) >= 2;
  return isMarked ? null : `no focus ring: ${name}`;
}"""


def structure(page):
    """One h1, one main, named nav, skip link, lang, dir, title = heading, one filled button, no inline style."""
    return page.evaluate(STRUCTURE)


def width(page):
    """Nothing is wider than the window."""
    return page.evaluate(WIDTH)


def targets(page, least=44):
    """What can be pressed is 44 px each way (desk: 36), links in lines 24 px high."""
    return page.evaluate(TARGETS, least)


def shift(page):
    """Nothing moved since the page began."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    moved = page.evaluate("window.underwayShift")
    return [f"layout shift {moved}", *page.evaluate("window.underwayMoved")] if moved > 0 else []


def size(page):
    """The page itself is under 100 kB."""
    return [f"{page.size} bytes"] if page.size >= BYTES_MAX else []


def focus(page, steps=60):
    """Tab order: each element that takes the focus shows it and is not under a bar."""
    faults = []
    for _ in range(steps):
        page.keyboard.press("Tab")
        fault = page.evaluate(OBSCURED)
        if fault and fault not in faults:
            faults.append(fault)
    return faults


def stretched(page):
    """Nothing is cut with text spacing of WCAG 1.4.12, nor at 200 %. Changes the page: ask this last."""
    faults = []
    for change in (SPACING, LARGE):
        page.evaluate(change)
        faults += page.evaluate(WIDTH) + page.evaluate(CUT)
    return faults


def all_faults(page, least=44):
    """All of the above but `focus` and `stretched`."""
    return structure(page) + width(page) + targets(page, least) + shift(page) + size(page)
