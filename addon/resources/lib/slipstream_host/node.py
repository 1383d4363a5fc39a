"""Finds a Node.js that runs the engine: the system's own, if new enough, else the runtime add-on's."""

from __future__ import annotations

import os
import shutil
from typing import Callable, Iterator, Optional

from . import messages, timing
from .proof import OLDEST, prove
from .proven import FILE, Proven, stamp
from .runtime.addon import RuntimeAddon
from .runtime.use import Runtime, ready
from .runtime.userland import here, platform_of
from .trouble import NoNode, NoRuntime

# Names the binary to use, and then only this one is tried.
OVERRIDE = "SLIPSTREAM_NODE"
# An old version gets no more security fixes unless the system's package manager brings them.
_OLDEST_UNKEPT = (22, 0)
_USUAL_PLACES = (
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


def find(data_folder: str, runtime: RuntimeAddon, wait: Callable[[float], bool]) -> str:
    """The path of a proven Node.js. `wait` is the pump's.
    @raises NoNode, Aborted, OSError when no process can be started at the moment."""
    proven = Proven(data_folder)
    for path in _candidates():
        if _fits(path, proven, wait):
            return path
    override = os.environ.get(OVERRIDE)
    if override:
        raise NoNode(messages.WRONG_OVERRIDE % (OVERRIDE, override))
    return _of_runtime(data_folder, runtime, proven, wait)


def signs(data_folder: str, runtime: RuntimeAddon) -> object:
    """What differs once it may be worth looking for a Node.js again: one came, went or changed, or another process of
    ours has found one."""
    places = [*_candidates(), os.path.join(data_folder, FILE)]
    return runtime.installed(), [(path, stamp(path)) for path in places]


def _of_runtime(data_folder: str, add_on: RuntimeAddon, proven: Proven, wait: Callable[[float], bool]) -> str:
    installed = add_on.comes(timing.RUNTIME_UPDATE if add_on.is_updated() else 0, wait)
    if installed is not None and installed.enabled:
        runtime = Runtime(installed.folder, data_folder, proven)
        # What ran before is not judged again: to ask Kodi about the system waits for the GUI.
        return runtime.proven() or ready(runtime, platform_of(here(add_on.edition())), wait)
    platform_of(here(add_on.edition()))
    raise NoRuntime(messages.NO_RUNTIME) if installed is None else NoNode(messages.RUNTIME_OFF)


def _candidates() -> Iterator[str]:
    """Absolute paths only: what lies in the folder that Kodi happens to run in may be anybody's."""
    return filter(os.path.isabs, _places())


def _places() -> Iterator[str]:
    override = os.environ.get(OVERRIDE)
    if override:
        yield override
        return
    yield from filter(None, map(_in_path, ("node", "nodejs")))
    for place in _USUAL_PLACES:
        yield os.path.expanduser(os.path.expandvars(place))


def _in_path(name: str) -> Optional[str]:
    """The first of this name. Not by `which` alone, which on Windows looks in the current folder first."""
    file = name + ".exe" if os.name == "nt" else name
    folders = filter(os.path.isabs, os.get_exec_path())
    return next(filter(None, (shutil.which(os.path.join(folder, file)) for folder in folders)), None)


def _fits(path: str, proven: Proven, wait: Callable[[float], bool]) -> bool:
    mark: Optional[str] = stamp(path)
    if mark is None:
        return False
    version = proven.version(path, mark)
    if version is None:
        version = prove(path, wait).version
        # What did not even start may start another day, without having changed itself.
        if version is None:
            return False
        proven.remember(path, mark, version)
    is_chosen = path == os.environ.get(OVERRIDE)
    return version >= (OLDEST if is_chosen or _is_kept(path) else _OLDEST_UNKEPT)


def _is_kept(path: str) -> bool:
    """Whether the system's package manager keeps it up to date: /usr without /usr/local is its own (FHS 3.0, 4.1 and 4.9).
    A snap counts as well: its link leads to /usr/bin/snap."""
    real = os.path.realpath(path)
    return real.startswith("/usr/") and not real.startswith("/usr/local/")
