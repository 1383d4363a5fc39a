"""Makes the runtime add-on's Node.js run: whole, executable, and on this system."""

from __future__ import annotations

import os
import re
import stat
import time
from typing import Callable, Optional, Tuple

from .. import log, messages
from ..proof import OLDEST, Proof, prove
from ..proven import Proven, stamp
from ..trouble import NoNode
from . import contents, elf, manifest
from .manifest import Manifest
from .userland import Platform, check_loader

# Of our copies, in the data folder.
COPIES = "runtime"
# What a killed process left of a copy; a slow box takes a minute for one.
_ABANDONED = 3600.0


class Runtime:
    """The add-on's binary, and where its copy would be."""

    def __init__(self, folder: str, data_folder: str, proven: Proven) -> None:
        self.manifest: Manifest = manifest.read(folder)
        self.binary = os.path.join(folder, *self.manifest.file.split("/"))
        name = "node-%s%s" % (self.manifest.sha256[:16], os.path.splitext(self.binary)[1])
        self.copy = os.path.join(data_folder, COPIES, name)
        self._proven = proven

    def proven(self) -> Optional[str]:
        """What ran before and has not changed since."""
        for path in (self.binary, self.copy):
            mark = self._mark(path)
            version = None if mark is None else self._proven.version(path, mark)
            if version is not None and version >= OLDEST:
                return path
        return None

    def remember(self, path: str, version: Tuple[int, int]) -> None:
        mark = self._mark(path)
        if mark is not None:
            self._proven.remember(path, mark, version)

    def _mark(self, path: str) -> Optional[str]:
        """Of a file that was seen to be whole."""
        found = stamp(path)
        return None if found is None else "%s %s" % (found, self.manifest.sha256)


def ready(runtime: Runtime, platform: Platform, wait: Callable[[float], bool]) -> str:
    """The path of a binary that was just proven. @raises NoNode, Aborted, OSError"""
    _check(runtime, platform)
    # Windows replaces no program that runs, so there Kodi could not update the add-on: only the copy is ever run.
    if platform.system != "win32":
        failed = _in_place(runtime, wait)
        if failed is None:
            _sweep(runtime.copy, keep=False)
            return runtime.binary
        if not isinstance(failed.refusal, PermissionError):
            raise NoNode(_reason(failed))
        log.write("info", "%s may not be run where it lies; a copy is" % runtime.binary)
    _copy(runtime, wait)
    proof = prove(runtime.copy, wait)
    version = proof.fitting()
    if version is None:
        forbidden = isinstance(proof.refusal, PermissionError)
        raise NoNode(messages.NOT_EXECUTABLE % os.path.dirname(runtime.copy) if forbidden else _reason(proof))
    runtime.remember(runtime.copy, version)
    return runtime.copy


def _in_place(runtime: Runtime, wait: Callable[[float], bool]) -> Optional[Proof]:
    """None when it runs where it lies."""
    if contents.sha256(runtime.binary, wait) != runtime.manifest.sha256:
        raise NoNode(messages.RUNTIME_DAMAGED)
    try:
        # Kodi's installer drops the bit.
        os.chmod(runtime.binary, os.stat(runtime.binary).st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
    except OSError as error:
        log.write("info", "%s cannot be made executable: %s" % (runtime.binary, error))
    proof = prove(runtime.binary, wait)
    version = proof.fitting()
    if version is None:
        return proof
    runtime.remember(runtime.binary, version)
    return None


def _copy(runtime: Runtime, wait: Callable[[float], bool]) -> None:
    _sweep(runtime.copy, keep=True)
    try:
        contents.copy_proven(runtime.binary, runtime.copy, runtime.manifest.sha256, wait)
    except OSError as error:
        raise NoNode(messages.NO_COPY % (os.path.dirname(runtime.copy), error.strerror or error)) from None


def _check(runtime: Runtime, platform: Platform) -> None:
    """What can be told without reading all of it."""
    try:
        if os.path.getsize(runtime.binary) != runtime.manifest.size:
            raise NoNode(messages.RUNTIME_DAMAGED)
        if platform.system != "linux":
            return
        head = elf.read(runtime.binary)
    except OSError:
        raise NoNode(messages.RUNTIME_DAMAGED) from None
    if head is None:
        raise NoNode(messages.RUNTIME_DAMAGED)
    if (head.bits, head.machine) != (64, platform.elf_machine):
        raise NoNode(messages.RUNTIME_OTHER_MACHINE)
    check_loader(head.interpreter)


def _reason(proof: Proof) -> str:
    old = re.search(r"version [`']GLIBC(?:XX)?_([\d.]+)' not found", proof.complaint)
    if old:
        return messages.OLD_SYSTEM
    missing = re.search(r"([\w.+-]+\.so[\w.]*): cannot open shared object", proof.complaint)
    if missing:
        return messages.NO_LIBRARY % missing.group(1)
    return messages.RUNTIME_FAILS


def _sweep(copy: str, keep: bool) -> None:
    """Removes what nobody needs any more: earlier copies, or this one too. Windows keeps those that still run; they go
    another time."""
    folder = os.path.dirname(copy)
    try:
        names = os.listdir(folder)
    except OSError:
        return
    for name in names:
        path = os.path.join(folder, name)
        try:
            if not (keep and path == copy) and (not name.endswith(".part") or time.time() - os.path.getmtime(path) > _ABANDONED):
                os.remove(path)
        except OSError as error:
            log.write("info", "%s is still in use: %s" % (path, error))
