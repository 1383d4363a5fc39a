"""Finds a Node.js that runs the engine: the system's own if it is new enough, else the runtime add-on's."""

from __future__ import annotations

import os
import shutil
from typing import Iterator, Optional

from .. import messages, timing
from ..errors import NoNode, NoRuntime
from ..kodi.main_loop import Wait
from .bundled_node import BundledNode, prepare
from .checked_binaries import FILE_NAME, CheckedBinaries, file_stamp
from .node_check import OLDEST_VERSION, check_node
from .runtime_addon import RuntimeAddon
from .userland import current_userland, platform_of

# The environment variable that names the binary to use; then only this one is tried.
OVERRIDE = "SLIPSTREAM_NODE"
# Older versions get security fixes only from a system's package manager.
_OLDEST_UNMANAGED = (22, 0)
_USUAL_PATHS = (
    "/usr/local/bin/node",
    "/usr/bin/node",
    "/opt/bin/node",
    "/opt/homebrew/bin/node",
    "/storage/.opt/bin/node",
    "/snap/bin/node",
    "~/.local/bin/node",
    "~/.volta/bin/node",
    "%ProgramFiles%\\nodejs\\node.exe",
)


def find_node(data_folder: str, runtime: RuntimeAddon, wait: Wait) -> str:
    """The path of a Node.js that was run with success.
    @raises NoNode, Aborted, OSError when no process can be started at the moment"""
    checked = CheckedBinaries(data_folder)
    for path in _candidates():
        if _is_usable(path, checked, wait):
            return path
    override = os.environ.get(OVERRIDE)
    if override:
        raise NoNode(messages.WRONG_OVERRIDE % (OVERRIDE, override))
    return _find_bundled(data_folder, runtime, checked, wait)


def node_fingerprint(data_folder: str, runtime: RuntimeAddon) -> object:
    """A value that changes when another search may find a Node.js: a binary came, went or changed, or another process
    of ours has found one."""
    paths = [*_candidates(), os.path.join(data_folder, FILE_NAME)]
    return runtime.installed(), [(path, file_stamp(path)) for path in paths]


def _find_bundled(data_folder: str, add_on: RuntimeAddon, checked: CheckedBinaries, wait: Wait) -> str:
    installed = add_on.wait_until_installed(timing.RUNTIME_UPDATE if add_on.is_updating() else 0, wait)
    if installed is not None and installed.enabled:
        bundled = BundledNode(installed.folder, data_folder, checked)
        # A binary that ran before needs no check of the system, for which Kodi waits for the GUI.
        return bundled.checked_path() or prepare(bundled, platform_of(current_userland(add_on.edition())), wait)
    platform_of(current_userland(add_on.edition()))
    raise NoRuntime(messages.NO_RUNTIME) if installed is None else NoNode(messages.RUNTIME_OFF)


def _candidates() -> Iterator[str]:
    """Absolute paths only: a program in Kodi's current folder may be anybody's."""
    return filter(os.path.isabs, _paths())


def _paths() -> Iterator[str]:
    override = os.environ.get(OVERRIDE)
    if override:
        yield override
        return
    yield from filter(None, map(_in_path, ("node", "nodejs")))
    for path in _USUAL_PATHS:
        yield os.path.expanduser(os.path.expandvars(path))


def _in_path(name: str) -> Optional[str]:
    """The first program of this name. Not by shutil.which alone, which on Windows looks in the current folder first."""
    file = name + ".exe" if os.name == "nt" else name
    folders = filter(os.path.isabs, os.get_exec_path())
    return next(filter(None, (shutil.which(os.path.join(folder, file)) for folder in folders)), None)


def _is_usable(path: str, checked: CheckedBinaries, wait: Wait) -> bool:
    stamp: Optional[str] = file_stamp(path)
    if stamp is None:
        return False
    version = checked.version(path, stamp)
    if version is None:
        version = check_node(path, wait).version
        # A binary that did not start is not stored: it may start another day, without a change of its file.
        if version is None:
            return False
        checked.store(path, stamp, version)
    is_override = path == os.environ.get(OVERRIDE)
    return version >= (OLDEST_VERSION if is_override or _is_managed(path) else _OLDEST_UNMANAGED)


def _is_managed(path: str) -> bool:
    """Whether the system's package manager keeps it up to date: /usr without /usr/local is its own (FHS 3.0, 4.1 and
    4.9). A snap counts as well: its link leads to /usr/bin/snap."""
    real = os.path.realpath(path)
    return real.startswith("/usr/") and not real.startswith("/usr/local/")
