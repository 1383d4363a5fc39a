"""Kodi's file layer on this machine's own files, with the answers that it was seen to give for what does not open."""

from __future__ import annotations

import os
from typing import BinaryIO, List, Optional, Tuple

from kodi_world import world


def translatePath(path: str) -> str:
    if path.startswith("special://profile/"):
        return world.profile_path
    return world.add_ons_path if path == "special://home/addons/" else path


def listdir(path: str) -> Tuple[List[str], List[str]]:
    """Nothing at all for a folder that is not there."""
    world.call("listdir")
    if path.startswith("smb://"):
        world.server_answers.wait()
    names = os.listdir(path) if os.path.isdir(path) else []
    folders = [name for name in names if os.path.isdir(os.path.join(path, name))]
    return folders, [name for name in names if name not in folders]


def exists(path: str) -> bool:
    """A folder exists only under a name that ends in a slash."""
    return os.path.isdir(path) if path.endswith("/") else os.path.isfile(path)


class Stat:
    """Never fails: for a file that it cannot read it returns what is in its memory, mostly of another file."""

    _memory = 0

    def __init__(self, path: str) -> None:
        if os.path.exists(path):
            Stat._memory = os.stat(path).st_size
        self._size = Stat._memory

    def st_size(self) -> int:
        return self._size


class File:
    def __init__(self, filepath: str, mode: str = "r") -> None:
        world.call("File")
        self._file: Optional[BinaryIO] = None
        if os.path.isfile(filepath):
            self._file = open(filepath, "rb")

    def seek(self, seekBytes: int, iWhence: int = 0) -> int:
        return -1 if self._file is None else self._file.seek(seekBytes, iWhence)

    def readBytes(self, numBytes: int = 0) -> bytearray:
        if self._file is None:
            return bytearray()
        return bytearray(self._file.read(numBytes or -1))

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
