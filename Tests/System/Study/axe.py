"""axe on a page: no fault of WCAG 2.2, levels A and AA."""

import axe_playwright_python.sync_playwright

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"]


def faults(page):
    """The violations of a page, one line each with its first element."""
    options = {"runOnly": {"type": "tag", "values": TAGS}, "resultTypes": ["violations"]}
    found = axe_playwright_python.sync_playwright.Axe().run(page, options=options).response["violations"]
    return [f"{each['id']}: {each['help']}: {node['html'][:160]} {node.get('failureSummary', '')[:200]}"
            for each in found for node in each["nodes"]]
