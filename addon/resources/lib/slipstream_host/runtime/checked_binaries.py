"""Stores which Node.js binaries were checked, and their versions: node.json in the data folder."""

from __future__ import annotations

import json
import os
from typing import Dict, List, Optional, Tuple, cast

from .. import log

FILE_NAME = "node.json"


def file_stamp(path: str) -> Optional[str]:
    """A text that changes when the file changes; None when there is no file."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return "%d %d" % (status.st_mtime_ns, status.st_size)


class CheckedBinaries:
    def __init__(self, data_folder: str) -> None:
        self._path = os.path.join(data_folder, FILE_NAME)
        self._entries = _read(self._path)

    def version(self, path: str, stamp: str) -> Optional[Tuple[int, int]]:
        """The stored version of that binary; None when there is none for this stamp."""
        found = self._entries.get(path)
        if not isinstance(found, list):
            return None
        entry = cast(List[object], found)
        if len(entry) != 3 or entry[0] != stamp:
            return None
        major, minor = entry[1:]
        return (major, minor) if isinstance(major, int) and isinstance(minor, int) else None

    def store(self, path: str, stamp: str, version: Tuple[int, int]) -> None:
        # Entries of binaries that are gone are dropped, so that the file stays small.
        kept = {stored: entry for stored, entry in self._entries.items() if os.path.exists(stored)}
        self._entries = {**kept, path: [stamp, *version]}
        part = "%s.%d.part" % (self._path, os.getpid())
        try:
            os.makedirs(os.path.dirname(self._path), exist_ok=True)
            with open(part, "w", encoding="utf-8") as file:
                json.dump(self._entries, file)
            os.replace(part, self._path)
        except OSError as error:
            log.write("warning", "the checked Node.js is not stored: %s" % error)


def _read(path: str) -> Dict[str, object]:
    try:
        with open(path, encoding="utf-8") as file:
            found: object = json.load(file)
    except (OSError, ValueError):
        return {}
    return cast(Dict[str, object], found) if isinstance(found, dict) else {}
