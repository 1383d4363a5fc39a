"""Prepares the runtime add-on's Node.js to run: checks that the binary is complete, executable, and right for this
system."""

from __future__ import annotations

import os
import re
import stat
import time
from typing import Optional, Tuple

from .. import log, messages
from ..errors import NoNode
from ..kodi.main_loop import Wait
from . import verified_copy
from .checked_binaries import CheckedBinaries, file_stamp
from .elf import read_elf
from .manifest import read_manifest
from .node_check import OLDEST_VERSION, NodeCheck, check_node
from .userland import Platform, check_loader

# The folder of our copies, in the data folder.
COPIES = "runtime"
# Seconds; an older unfinished copy was left by a killed process. A slow box takes a minute for a copy.
_ABANDONED = 3600.0


class BundledNode:
    """The add-on's binary, and the path of its copy in the data folder."""

    def __init__(self, folder: str, data_folder: str, checked: CheckedBinaries) -> None:
        self.manifest = read_manifest(folder)
        self.binary = os.path.join(folder, *self.manifest.file.split("/"))
        name = "node-%s%s" % (self.manifest.sha256[:16], os.path.splitext(self.binary)[1])
        self.copy = os.path.join(data_folder, COPIES, name)
        self._checked = checked

    def checked_path(self) -> Optional[str]:
        """The binary or its copy if it ran before and has not changed since."""
        for path in (self.binary, self.copy):
            stamp = self._stamp(path)
            version = None if stamp is None else self._checked.version(path, stamp)
            if version is not None and version >= OLDEST_VERSION:
                return path
        return None

    def store_checked(self, path: str, version: Tuple[int, int]) -> None:
        stamp = self._stamp(path)
        if stamp is not None:
            self._checked.store(path, stamp, version)

    def _stamp(self, path: str) -> Optional[str]:
        """The file's stamp together with the published hash, which the file had when it was checked."""
        stamp = file_stamp(path)
        return None if stamp is None else "%s %s" % (stamp, self.manifest.sha256)


def prepare(node: BundledNode, platform: Platform, wait: Wait) -> str:
    """The path of a binary that was run with success. @raises NoNode, Aborted, OSError"""
    _check_file(node, platform)
    # Windows replaces no running program, so that Kodi could not update the add-on: there only the copy is ever run.
    if platform.system != "win32":
        failure = _check_in_add_on(node, wait)
        if failure is None:
            _remove_copies(node.copy, keep=False)
            return node.binary
        if not isinstance(failure.start_error, PermissionError):
            raise NoNode(_reason(failure))
        log.write("info", "%s may not be run in its folder; a copy is run instead" % node.binary)
    _make_copy(node, wait)
    check = check_node(node.copy, wait)
    version = check.usable_version()
    if version is None:
        is_forbidden = isinstance(check.start_error, PermissionError)
        raise NoNode(messages.NOT_EXECUTABLE % os.path.dirname(node.copy) if is_forbidden else _reason(check))
    node.store_checked(node.copy, version)
    return node.copy


def _check_in_add_on(node: BundledNode, wait: Wait) -> Optional[NodeCheck]:
    """Runs the binary in the add-on's folder. None when it works, else the failed check."""
    if verified_copy.sha256(node.binary, wait) != node.manifest.sha256:
        raise NoNode(messages.RUNTIME_DAMAGED)
    try:
        # Kodi's installer drops the executable bit.
        os.chmod(node.binary, os.stat(node.binary).st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
    except OSError as error:
        log.write("info", "%s cannot be made executable: %s" % (node.binary, error))
    check = check_node(node.binary, wait)
    version = check.usable_version()
    if version is None:
        return check
    node.store_checked(node.binary, version)
    return None


def _make_copy(node: BundledNode, wait: Wait) -> None:
    _remove_copies(node.copy, keep=True)
    try:
        verified_copy.copy_verified(node.binary, node.copy, node.manifest.sha256, wait)
    except OSError as error:
        raise NoNode(messages.NO_COPY % (os.path.dirname(node.copy), error.strerror or error)) from None


def _check_file(node: BundledNode, platform: Platform) -> None:
    """Checks size, processor and loader, for which the whole file need not be read. @raises NoNode"""
    try:
        if os.path.getsize(node.binary) != node.manifest.size:
            raise NoNode(messages.RUNTIME_DAMAGED)
        if platform.system != "linux":
            return
        elf = read_elf(node.binary)
    except OSError:
        raise NoNode(messages.RUNTIME_DAMAGED) from None
    if elf is None:
        raise NoNode(messages.RUNTIME_DAMAGED)
    if (elf.bits, elf.machine) != (64, platform.elf_machine):
        raise NoNode(messages.RUNTIME_OTHER_MACHINE)
    check_loader(elf.loader)


def _reason(check: NodeCheck) -> str:
    old_glibc = re.search(r"version [`']GLIBC(?:XX)?_([\d.]+)' not found", check.error_output)
    if old_glibc:
        return messages.OLD_SYSTEM
    missing = re.search(r"([\w.+-]+\.so[\w.]*): cannot open shared object", check.error_output)
    if missing:
        return messages.NO_LIBRARY % missing.group(1)
    return messages.RUNTIME_FAILS


def _remove_copies(copy: str, keep: bool) -> None:
    """Removes copies of other versions and abandoned unfinished ones; without `keep` this copy as well. Windows does
    not remove a running one; a later call does."""
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
