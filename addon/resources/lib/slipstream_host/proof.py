"""Proves a Node.js by running it."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import tempfile
import time
from typing import Callable, Dict, NamedTuple, Optional, Tuple

from . import log, timing
from .platforms import no_console
from .trouble import Aborted

# Major and minor: the oldest that the engine is tested on.
OLDEST = (20, 19)

# The system has no room for another process just now, which says nothing about the binary.
_MOMENTARY = (errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE)
_LONGEST_COMPLAINT = 4096

# What a network with a certificate authority of its own needs. It only adds to what is trusted.
_KEPT = ("NODE_EXTRA_CA_CERTS",)


class Proof(NamedTuple):
    """What came of `--version`."""

    version: Optional[Tuple[int, int]]
    # The system's, when it did not even start.
    refusal: Optional[OSError] = None
    # What it wrote about its failure, such as the loader's words about a library.
    complaint: str = ""

    def fitting(self) -> Optional[Tuple[int, int]]:
        """Its version, where the engine runs on it."""
        return self.version if self.version is not None and self.version >= OLDEST else None


def prove(path: str, wait: Callable[[float], bool]) -> Proof:
    """Runs it. `wait` is the pump's. @raises Aborted, OSError when no process can be started at the moment."""
    # Into files, not pipes: a wrapper's child that outlives it would keep a pipe open, and us waiting for its end.
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        try:
            process = subprocess.Popen(
                [path, "--version"],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=errors,
                env=clean_environment(),
                creationflags=no_console(),
            )
        except OSError as error:
            if error.errno in _MOMENTARY:
                raise
            log.write("info", "%s does not start: %s" % (path, error))
            return Proof(None, refusal=error)
        ended = _ends(process, wait)
        output.seek(0)
        match = re.match(rb"v(\d{1,4})\.(\d{1,4})\.", output.read(64)) if ended else None
        errors.seek(0)
        complaint = errors.read(_LONGEST_COMPLAINT).decode("utf-8", "replace").strip()
    if match is None:
        log.write("info", "%s is no Node.js; status %s %s" % (path, process.returncode, complaint))
        return Proof(None, complaint=complaint)
    version = (int(match.group(1)), int(match.group(2)))
    log.write("info", "%s is Node.js %d.%d" % (path, *version))
    return Proof(version)


def clean_environment() -> Dict[str, str]:
    """Ours, for Node.js. What somebody set for another program could keep it from starting (NODE_OPTIONS), load other
    code (NODE_PATH), or trust any certificate (NODE_TLS_REJECT_UNAUTHORIZED)."""
    return {name: value for name, value in os.environ.items() if not name.startswith("NODE_") or name in _KEPT}


def _ends(process: subprocess.Popen[bytes], wait: Callable[[float], bool]) -> bool:
    """Whether it ends by itself in time; killed otherwise. Waited for by the pump, so that the guard stays fresh.
    @raises Aborted"""
    deadline = time.monotonic() + timing.NODE_PROOF
    while process.poll() is None:
        aborted = wait(timing.TICK)
        if aborted or time.monotonic() >= deadline:
            process.kill()
            try:
                process.wait(timing.KILL_GRACE)
            except subprocess.TimeoutExpired:
                log.write("warning", "%s cannot be killed" % process.args)
            if aborted:
                raise Aborted
            return False
    return True
