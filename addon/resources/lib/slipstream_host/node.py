"""Finds a Node.js that is new enough, and proves it once."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
from typing import Callable, Dict, Iterator, Optional, cast

from . import log, timing
from .platforms import no_console

OLDEST_MAJOR = 20
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


def find(data_folder: str, wait: Callable[[float], bool]) -> Optional[str]:
    """The path of a Node.js of version 20 or newer, or None. `wait` is the pump's; an abort ends the search."""
    cache = _read_cache(data_folder)
    for path in _candidates():
        stamp = _stamp(path)
        if stamp is None:
            continue
        if cache.get(path) == stamp:
            return path
        major = _major(path, wait)
        log.write("info", "%s is Node.js %s" % (path, "of no known version" if major is None else major))
        if major is not None and major >= OLDEST_MAJOR:
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


def _major(path: str, wait: Callable[[float], bool]) -> Optional[int]:
    try:
        process = subprocess.Popen(
            [path, "--version"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            creationflags=no_console(),
        )
    except OSError as error:
        log.write("info", "%s does not start: %s" % (path, error))
        return None
    deadline = time.monotonic() + timing.NODE_PROOF
    # Waited for by the pump, so that the guard stays fresh and an abort ends it.
    while process.poll() is None and time.monotonic() < deadline:
        if wait(timing.TICK):
            break
    if process.poll() is None:
        process.kill()
    output, _ = process.communicate()
    match = re.match(rb"v(\d{1,4})\.", output[:64])
    return int(match.group(1)) if match else None


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
