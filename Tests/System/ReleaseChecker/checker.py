"""Judges a release folder as its clients see it. Shares no code with the publisher.

Three clients read it from a static host that serves compressed files where they stand beside the plain
ones (nginx: gzip_static, brotli_static): one takes no encoding, one gzip, one brotli.
"""

import ctypes
import hashlib
import json
import os
import pathlib
import zlib

SUFFIX = {"plain": "", "gzip": ".gz", "brotli": ".br"}
MANIFEST_BYTES_MAX = 16 * 1024 * 1024


class Brotli:
    """The decoder of libbrotlidec, which Debian installs with curl."""

    def __init__(self):
        self.library = ctypes.CDLL("libbrotlidec.so.1")

    def decode(self, data, bound):
        # What does not fit looks damaged, so a damaged file is tried with each room.
        room = min(bound, 64 * 1024)
        while True:
            size = ctypes.c_size_t(room)
            output = ctypes.create_string_buffer(room)
            if self.library.BrotliDecoderDecompress(
                    ctypes.c_size_t(len(data)), data, ctypes.byref(size), output) == 1:
                return ctypes.string_at(output, size.value)
            if room == bound:
                raise ValueError("it is not brotli, or damaged")
            room = min(bound, room * 16)


BROTLI = Brotli()


def unpack(client, data, bound):
    """What a client makes of a body; ValueError when it can make nothing of it."""
    if client == "plain":
        return data
    if client == "brotli":
        return BROTLI.decode(data, bound)
    decoder = zlib.decompressobj(31)
    try:
        result = decoder.decompress(data, bound)
    except zlib.error as error:
        raise ValueError(str(error)) from error
    if not decoder.eof or decoder.unused_data:
        raise ValueError("it is not one whole gzip member")
    return result


def fetch(root, path, client):
    """The body that a client gets for a path, unpacked; None when there is none."""
    for suffix in dict.fromkeys((SUFFIX[client], "")):
        try:
            data = pathlib.Path(root, path + suffix).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            continue
        return unpack(client if suffix else "plain", data, MANIFEST_BYTES_MAX)
    return None


def object_path(checksum):
    digits = checksum.removeprefix("sha256:")
    return f"objects/{digits[:2]}/{digits}"


def references(manifest):
    """Every readable path of a manifest with its checksum and size."""
    def files(folder, group):
        for file in (group or {}).get("files", []):
            yield f"{folder}/{file['name']}", file

    for language, entry in manifest["languages"].items():
        if "blueprint" in entry:
            yield f"blueprints/{language}.json", entry["blueprint"]
        if "localization" in entry:
            yield f"localizations/{language}.json", entry["localization"]
        yield from files(f"audio/{language}", entry.get("audio"))
    for key, entry in manifest.get("exams", {}).items():
        if "blueprint" in entry:
            yield f"exams/{key}.json", entry["blueprint"]
        yield from files(f"media/{key}", entry.get("media"))
    for path, entry in manifest.get("assets", {}).items():
        yield f"assets/{path}", entry
    if "announcements" in manifest:
        yield "announcements.json", manifest["announcements"]


def temporaries(root):
    """What interrupted writes left behind."""
    found = []
    for folder, _, names in os.walk(root):
        for name in names:
            inside = os.path.relpath(os.path.join(folder, name), root)
            if name.startswith(".underway-") or inside.startswith(".underway/temporary/"):
                found.append(inside)
    return found


class Judge:
    """Remembers what it saw, so that nothing goes back."""

    def __init__(self, root):
        self.root = str(root)
        self.highest = 0

    def manifest_bytes(self):
        try:
            return fetch(self.root, "manifest.json", "plain")
        except OSError:
            return None

    def judge(self, settled=False):
        """All that is wrong, in words; `settled` after a publish that reported success."""
        problems = []
        plain = self.manifest_bytes()
        if plain is None:
            return ["there is no manifest.json"]
        for client in ("gzip", "brotli"):
            try:
                if fetch(self.root, "manifest.json", client) != plain:
                    problems.append(f"the {client} client gets another manifest")
            except ValueError as error:
                problems.append(f"the {client} client cannot read the manifest: {error}")
        manifest = json.loads(plain)
        if manifest["release"] < self.highest:
            problems.append(f"release {self.highest} went back to {manifest['release']}")
        self.highest = max(self.highest, manifest["release"])
        kept = fetch(self.root, f"releases/{manifest['release']}/manifest.json", "plain")
        if kept != plain:
            problems.append("the kept manifest is not the current one")
        for path, entry in references(manifest):
            problems += self.judge_file(path, entry, settled)
        if settled:
            problems += [f"{path} was left behind" for path in temporaries(self.root)]
            for suffix in (".gz", ".br"):
                if not os.path.exists(f"{self.root}/manifest.json{suffix}"):
                    problems.append(f"manifest.json{suffix} is missing")
        return problems

    def judge_file(self, path, entry, settled):
        """An object is right for every client, a readable name at least the same for all of them."""
        problems = []
        inside = object_path(entry["checksum"])
        for client in SUFFIX:
            try:
                data = fetch(self.root, inside, client)
            except ValueError as error:
                problems.append(f"the {client} client cannot read the object of {path}: {error}")
                continue
            if data is None:
                problems.append(f"the object of {path} is gone")
            elif hashlib.sha256(data).hexdigest() != entry["checksum"].removeprefix("sha256:"):
                problems.append(f"the {client} client gets a wrong object of {path}")
            elif "size" in entry and len(data) != entry["size"]:
                problems.append(f"the size of {path} is wrong")
        problems += self.judge_name(path, entry, settled)
        return problems

    def judge_name(self, path, entry, settled):
        problems = []
        plain = fetch(self.root, path, "plain")
        if plain is None:
            return [f"{path} is gone"] if settled else []
        for client in ("gzip", "brotli"):
            try:
                if fetch(self.root, path, client) != plain:
                    problems.append(f"the {client} client gets another {path}")
            except ValueError as error:
                problems.append(f"the {client} client cannot read {path}: {error}")
        digits = entry["checksum"].removeprefix("sha256:")
        if settled and hashlib.sha256(plain).hexdigest() != digits:
            problems.append(f"{path} is not what was published")
        return problems
