"""The processes of this machine, as /proc has them."""

import pathlib


def stat(process):
    """The fields of a process after its name: its state, its parent and so on; None without it."""
    try:
        text = pathlib.Path(f"/proc/{process}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return text.rpartition(")")[2].split()


def is_running(process):
    fields = stat(process)
    return fields is not None and fields[0] not in "ZX"


def children_of(parent):
    numbers = [int(path.name) for path in pathlib.Path("/proc").iterdir() if path.name.isdigit()]
    return [number for number in numbers if (stat(number) or ["", ""])[1] == str(parent)]
