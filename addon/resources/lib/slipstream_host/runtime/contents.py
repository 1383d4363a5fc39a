"""Reads a file of a hundred megabytes, in slices, so that neither the guard nor an abort waits."""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from typing import BinaryIO, Callable, Optional

from .. import messages, timing
from ..trouble import Aborted, NoNode

_SLICE = 1024 * 1024
_MEGABYTE = 1_000_000
# Left free for everybody else.
_RESERVE = 16 * _MEGABYTE


def sha256(path: str, wait: Callable[[float], bool], copy: Optional[BinaryIO] = None) -> str:
    """The file's hash in hex; writes what it reads into `copy`. @raises Aborted, OSError"""
    digest = hashlib.sha256()
    ticked = time.monotonic()
    with open(path, "rb") as file:
        for piece in iter(lambda: file.read(_SLICE), b""):
            digest.update(piece)
            if copy is not None:
                copy.write(piece)
            if time.monotonic() - ticked >= timing.TICK:
                # The shortest wait in which Kodi's callbacks arrive.
                if wait(0.001):
                    raise Aborted
                ticked = time.monotonic()
    return digest.hexdigest()


def copy_proven(source: str, target: str, expected: str, wait: Callable[[float], bool]) -> None:
    """Whole and of that hash, or not at all. @raises NoNode, Aborted, OSError"""
    # It may be running, and then Windows lets nobody replace it.
    if os.path.isfile(target) and sha256(target, wait) == expected:
        return
    folder = os.path.dirname(target)
    os.makedirs(folder, exist_ok=True)
    check_space(folder, os.path.getsize(source) + _RESERVE)
    part = "%s.%d.part" % (target, os.getpid())
    try:
        with open(part, "wb") as file:
            found = sha256(source, wait, file)
        if found != expected:
            raise NoNode(messages.RUNTIME_DAMAGED)
        os.chmod(part, 0o700)
        os.replace(part, target)
    finally:
        if os.path.exists(part):
            os.remove(part)


def check_space(folder: str, needed: int) -> None:
    """@raises NoNode when the disk has less than these bytes free"""
    try:
        free = shutil.disk_usage(folder).free
    except OSError:
        return  # A file system that does not tell may still have room.
    if free < needed:
        raise NoNode(messages.NO_SPACE % (-(-needed // _MEGABYTE), free // _MEGABYTE, folder))
