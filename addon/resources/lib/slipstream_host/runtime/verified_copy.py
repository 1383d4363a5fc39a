"""Hashes and copies a file of a hundred megabytes, in slices, between which the main loop runs."""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from typing import BinaryIO, Optional

from .. import messages, timing
from ..errors import Aborted, NoNode
from ..kodi.main_loop import Wait

_SLICE = 1024 * 1024
_MEGABYTE = 1_000_000
# Bytes that stay free for other programs.
_RESERVE = 16 * _MEGABYTE


def sha256(path: str, wait: Wait, copy: Optional[BinaryIO] = None) -> str:
    """The file's hash in hex; writes what it reads into `copy`. @raises Aborted, OSError"""
    digest = hashlib.sha256()
    ticked = time.monotonic()
    with open(path, "rb") as file:
        for piece in iter(lambda: file.read(_SLICE), b""):
            digest.update(piece)
            if copy is not None:
                copy.write(piece)
            if time.monotonic() - ticked >= timing.TICK:
                # The shortest wait in which the main loop runs and Kodi's callbacks arrive.
                if wait(0.001):
                    raise Aborted
                ticked = time.monotonic()
    return digest.hexdigest()


def copy_verified(source: str, target: str, expected: str, wait: Wait) -> None:
    """Copies a file whose hash is `expected`; leaves no file otherwise. @raises NoNode, Aborted, OSError"""
    # A finished copy is kept: it may be running, and Windows does not replace a running program.
    if os.path.isfile(target) and sha256(target, wait) == expected:
        return
    folder = os.path.dirname(target)
    os.makedirs(folder, exist_ok=True)
    require_space(folder, os.path.getsize(source) + _RESERVE)
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


def require_space(folder: str, needed: int) -> None:
    """@raises NoNode when the disk has less than these bytes free"""
    try:
        free = shutil.disk_usage(folder).free
    except OSError:
        return  # Some file systems do not report their free space.
    if free < needed:
        raise NoNode(messages.NO_SPACE % (-(-needed // _MEGABYTE), free // _MEGABYTE, folder))
