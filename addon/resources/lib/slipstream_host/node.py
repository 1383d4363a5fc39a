"""Finds a Node.js that runs the engine: the system's own, if new enough, else the runtime add-on's."""

from __future__ import annotations

import os
import shutil
from typing import Callable, Iterator, Optional

from . import messages, timing
from .proof import prove
from .proven import FILE, Proven, stamp
from .runtime.addon import RuntimeAddon
from .runtime.use import Runtime, ready
from .runtime.userland import here, platform_of
from .trouble import NoNode, NoRuntime

# Names the binary to use, and then only this one is tried.
OVERRIDE = "SLIPSTREAM_NODE"
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
    override = os.environ.get(OVERRIDE)
    if override:
        yield override
        return
    for name in ("node", "nodejs"):
        found = shutil.which(name)
        if found:
            yield found
    for place in _USUAL_PLACES:
        yield os.path.expanduser(os.path.expandvars(place))


def _fits(path: str, proven: Proven, wait: Callable[[float], bool]) -> bool:
    mark: Optional[str] = stamp(path)
    if mark is None:
        return False
    verdict = proven.verdict(path, mark)
    if verdict is None:
        proof = prove(path, wait)
        verdict = proof.fits()
        # What did not even start may start another day, without having changed itself.
        if proof.version is not None:
            proven.remember(path, mark, verdict)
    return verdict
