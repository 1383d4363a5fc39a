"""Finds a Node.js that is new enough, and proves it once."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from typing import Callable, Dict, Iterator, Optional, Tuple, cast

from . import log, timing
from .platforms import no_console

# Major and minor. 20.3 is the first with AbortSignal.any.
OLDEST = (20, 3)
# Names the binary to use, and then only this one is tried.
OVERRIDE = "SLIPSTREAM_NODE"
_CACHE_FILE = "node.json"
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


# The system has no room for another process just now, which says nothing about the binary.
_MOMENTARY = (errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE)


def clean_environment() -> Dict[str, str]:
    """Ours, for Node.js. Options that somebody set for another program could keep it from starting."""
    environment = dict(os.environ)
    environment.pop("NODE_OPTIONS", None)
    return environment


def find(data_folder: str, wait: Callable[[float], bool]) -> Optional[str]:
    """The path of a Node.js that is new enough, or None. `wait` is the pump's; an abort ends the search.
    @raises OSError when no process can be started at the moment."""
    cache = _read_cache(data_folder)
    for path in _candidates():
        stamp = _stamp(path)
        if stamp is None:
            continue
        if cache.get(path) == stamp:
            return path
        version = _version(path, wait)
        if version is None and wait(0):
            return None
        log.write("info", "%s is Node.js %s" % (path, "of no known version" if version is None else "%d.%d" % version))
        if version is not None and version >= OLDEST:
            _write_cache(data_folder, {path: stamp})
            return path
    return None


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


def _stamp(path: str) -> Optional[str]:
    """What changes when the binary does; None when there is none."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return "%d %d" % (status.st_mtime_ns, status.st_size)


def _version(path: str, wait: Callable[[float], bool]) -> Optional[Tuple[int, int]]:
    # Into a file, not a pipe: a wrapper's child that outlives it would keep a pipe open, and us waiting for its end.
    with tempfile.TemporaryFile() as output:
        try:
            process = subprocess.Popen(
                [path, "--version"],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.DEVNULL,
                env=clean_environment(),
                creationflags=no_console(),
            )
        except OSError as error:
            if error.errno in _MOMENTARY:
                raise
            log.write("info", "%s does not start: %s" % (path, error))
            return None
        if not _ends(process, wait):
            return None
        output.seek(0)
        match = re.match(rb"v(\d{1,4})\.(\d{1,4})\.", output.read(64))
    return (int(match.group(1)), int(match.group(2))) if match else None


def _ends(process: subprocess.Popen[bytes], wait: Callable[[float], bool]) -> bool:
    """Whether it ends by itself in time; killed otherwise. Waited for by the pump, so that the guard stays fresh and
    an abort ends it."""
    deadline = time.monotonic() + timing.NODE_PROOF
    while process.poll() is None:
        if time.monotonic() >= deadline or wait(timing.TICK):
            process.kill()
            try:
                process.wait(timing.KILL_GRACE)
            except subprocess.TimeoutExpired:
                log.write("warning", "%s cannot be killed" % process.args)
            return False
    return True


def _read_cache(data_folder: str) -> Dict[str, object]:
    try:
        with open(os.path.join(data_folder, _CACHE_FILE), encoding="utf-8") as file:
            found: object = json.load(file)
    except (OSError, ValueError):
        return {}
    return cast(Dict[str, object], found) if isinstance(found, dict) else {}


def _write_cache(data_folder: str, cache: Dict[str, str]) -> None:
    path = os.path.join(data_folder, _CACHE_FILE)
    part = "%s.%d.part" % (path, os.getpid())
    try:
        os.makedirs(data_folder, exist_ok=True)
        with open(part, "w", encoding="utf-8") as file:
            json.dump(cache, file)
        os.replace(part, path)
    except OSError as error:
        log.write("warning", "the found Node.js is not remembered: %s" % error)
