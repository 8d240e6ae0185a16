"""The recorded history: one event a line of JSON, in one order for all threads."""

import collections
import json
import threading


class History:
    """Records what was asked, acknowledged and seen; the checker reads nothing else."""

    def __init__(self, path):
        self._file = open(path, "w", encoding="utf-8")
        self._lock = threading.Lock()
        self.counts = collections.Counter()

    def note(self, kind, **members):
        with self._lock:
            self._file.write(json.dumps({"kind": kind, **members}) + "\n")

    def count(self, name, by=1):
        with self._lock:
            self.counts[name] += by

    def raise_to(self, name, value):
        """Notes the greatest of some values."""
        with self._lock:
            self.counts[name] = max(self.counts[name], value)

    def close(self):
        with self._lock:
            self._file.close()


def read(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]
