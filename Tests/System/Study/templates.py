"""Renders the parts as swift-mustache does, for pages that show them without the program."""

import html
import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[3]
FOLDERS = [pathlib.Path(__file__).parent, ROOT / "Sources/Apps/StudyWeb/Templates", ROOT / "Sources/Apps/PageRendering/Templates"]
TAG = re.compile(r"\{\{\{?(!.*?|[#^/>]?\s*[.\w]+)\}?\}\}", re.DOTALL)
# Tags that stand alone on a line take the line with them.
ALONE = re.compile(r"^[ \t]*(\{\{(?:!.*?|[#^/]\s*[.\w]+)\}\})[ \t]*\n", re.MULTILINE | re.DOTALL)


def page(name, **changes):
    """The page `parts-sheet` of parts.json is the template `parts` with that sample."""
    sample = json.loads(pathlib.Path(__file__).with_name("parts.json").read_text())[name]
    return render(load(name.split("-")[0]), [{"files": "/files"} | sample | changes])


def names():
    return list(json.loads(pathlib.Path(__file__).with_name("parts.json").read_text()))


def load(name):
    for folder in FOLDERS:
        file = folder / f"{name}.mustache"
        if file.exists():
            return ALONE.sub(r"\1", file.read_text())
    raise KeyError(name)


def look_up(name, stack):
    if name == ".":
        return stack[-1]
    first, *rest = name.lstrip(".").split(".")
    value = None
    for context in [stack[-1]] if name.startswith(".") else reversed(stack):
        value = context.get(first) if isinstance(context, dict) else None
        if value is not None:
            break
    for part in rest:
        value = value.get(part) if isinstance(value, dict) else None
    return value


def render(text, stack):
    result, position = [], 0
    while tag := TAG.search(text, position):
        result.append(text[position:tag.start()])
        kind, name = re.fullmatch(r"([#^/>!]?)\s*(.*)", tag[1], re.DOTALL).groups()
        position = tag.end()
        if kind == "":
            value = look_up(name, stack)
            text_of = str if tag[0].startswith("{{{") else lambda value: html.escape(str(value))
            result.append("" if value is None else text_of(value))
        elif kind == ">":
            result.append(render(load(name), stack))
        elif kind in "#^":
            end = closing(text, name, position)
            result.append(section(kind, look_up(name, stack), text[position:end.start()], stack))
            position = end.end()
    return "".join(result) + text[position:]


def closing(text, name, position):
    depth = 1
    for tag in re.finditer(r"\{\{([#^/])" + re.escape(name) + r"\}\}", text[position:]):
        depth += -1 if tag[1] == "/" else 1
        if depth == 0:
            return re.compile(re.escape(tag[0])).search(text, position + tag.start())
    raise ValueError(f"{name} does not close")


def section(kind, value, inside, stack):
    is_there = value is not None and value is not False and value != []
    if kind == "^":
        return "" if is_there else render(inside, stack)
    if not is_there:
        return ""
    if value is True:
        return render(inside, stack)
    return "".join(render(inside, [*stack, each]) for each in (value if isinstance(value, list) else [value]))
