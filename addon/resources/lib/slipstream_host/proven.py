"""Which binaries were tried, and what came of it: node.json in the data folder."""

from __future__ import annotations

import json
import os
from typing import Dict, List, Optional, Tuple, cast

from . import log

FILE = "node.json"


def stamp(path: str) -> Optional[str]:
    """What changes when the file does; None when there is none."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return "%d %d" % (status.st_mtime_ns, status.st_size)


class Proven:
    def __init__(self, data_folder: str) -> None:
        self._path = os.path.join(data_folder, FILE)
        self._known = _read(self._path)

    def version(self, path: str, mark: str) -> Optional[Tuple[int, int]]:
        """What that binary said it is, as long as it bears that mark; None: not known."""
        found = self._known.get(path)
        if not isinstance(found, list):
            return None
        entry = cast(List[object], found)
        if len(entry) != 3 or entry[0] != mark:
            return None
        major, minor = entry[1:]
        return (major, minor) if isinstance(major, int) and isinstance(minor, int) else None

    def remember(self, path: str, mark: str, version: Tuple[int, int]) -> None:
        # What is gone is forgotten, so that the file stays small.
        kept = {known: entry for known, entry in self._known.items() if os.path.exists(known)}
        self._known = {**kept, path: [mark, *version]}
        part = "%s.%d.part" % (self._path, os.getpid())
        try:
            os.makedirs(os.path.dirname(self._path), exist_ok=True)
            with open(part, "w", encoding="utf-8") as file:
                json.dump(self._known, file)
            os.replace(part, self._path)
        except OSError as error:
            log.write("warning", "what was found of Node.js is not remembered: %s" % error)


def _read(path: str) -> Dict[str, object]:
    try:
        with open(path, encoding="utf-8") as file:
            found: object = json.load(file)
    except (OSError, ValueError):
        return {}
    return cast(Dict[str, object], found) if isinstance(found, dict) else {}
