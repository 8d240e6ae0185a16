"""Chromium without a window, and what it may not see: console messages, failed and foreign requests."""

import contextlib
import time
import urllib.parse

import playwright.sync_api

PROGRAM = "/usr/bin/chromium-headless-shell"
SIZES = {"narrow": (320, 640), "phone": (390, 844), "wide": (1280, 860)}
THEMES = ("light", "dark")

# What moves is summed before the first script of the page runs, but for the parts of the browser's own player of a clip:
# they have no node, and move inside of it when it begins to know its file.
SHIFTS = """
window.underwayShift = 0;
window.underwayMoved = [];
const isOfPlayer = ({ node, currentRect: part }) => !node && [...document.querySelectorAll("audio")].some((audio) => {
  const whole = audio.getBoundingClientRect();
  return part.left >= whole.left && part.right <= whole.right && part.top >= whole.top && part.bottom <= whole.bottom;
});
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    if (entry.sources.length && entry.sources.every(isOfPlayer)) continue;
    window.underwayShift += entry.value;
    for (const { node, previousRect: from, currentRect: to } of entry.sources) {
      const name = `${node?.nodeName}.${node?.className?.baseVal ?? node?.className}`;
      window.underwayMoved.push(`${name} ${from.x},${from.y} ${from.width}×${from.height} to `
        + `${to.x},${to.y} ${to.width}×${to.height}`);
    }
  }
}).observe({ type: "layout-shift", buffered: true });
"""


class Browser:
    """One browser for a class of tests; close it at the end."""

    def __init__(self):
        self.playwright = playwright.sync_api.sync_playwright().start()
        self.browser = self.playwright.chromium.launch(executable_path=PROGRAM, args=["--no-sandbox"])

    def close(self):
        self.browser.close()
        self.playwright.stop()

    @contextlib.contextmanager
    def page(self, address, size="wide", theme="light", scripts=True, may_fail=False, **options):
        """A page of the address at its end of loading. What it did wrong fails the test when the block ends;
        `may_fail` is for tests that end the server."""
        width, height = SIZES[size]
        context = self.browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=theme, java_script_enabled=scripts,
            reduced_motion="reduce", has_touch=size != "wide", **options)
        context.set_default_timeout(20_000)
        try:
            page = context.new_page()
            if scripts:
                page.add_init_script(SHIFTS)
            page.faults = watch(page, urllib.parse.urlsplit(address).netloc)
            page.seen = []
            page.on("framenavigated", lambda frame: page.seen.append(frame.url))
            reply = page.goto(address, wait_until="load")
            page.size = len(reply.body())
            yield page
            if page.faults and not may_fail:
                raise AssertionError(f"{address}: " + "; ".join(page.faults))
        finally:
            context.close()


def until(page, expression):
    """Waits until an expression of a page is true.

    `wait_for_function` does that only where it is true at once: later it has the page evaluate text, which the pages forbid
    (Content-Security-Policy).
    """
    end = time.monotonic() + 30
    while not page.evaluate(expression):
        if time.monotonic() > end:
            raise AssertionError(f"it never was: {expression}")
        page.wait_for_timeout(20)


def watch(page, host):
    """Collects what is wrong with a page, from its first request on."""
    faults = []

    def requested(request):
        address = urllib.parse.urlsplit(request.url)
        if address.scheme != "data" and address.netloc != host:
            faults.append(f"a foreign request: {request.url}")

    def answered(reply):
        if reply.status >= 400:
            faults.append(f"{reply.status} for {reply.url}")

    def said(message):
        # A test that presses Tab before the page has given the focus away is told so.
        if "Autofocus processing was blocked" not in message.text:
            faults.append(f"console: {message.text}")

    def failed(request):
        # The browser ends what a script still fetches when the page is left.
        if request.resource_type != "fetch" or request.failure != "net::ERR_ABORTED":
            faults.append(f"failed: {request.url}: {request.failure}")

    page.on("console", said)
    page.on("pageerror", lambda error: faults.append(f"script: {error}"))
    page.on("request", requested)
    page.on("requestfailed", failed)
    page.on("response", answered)
    return faults
