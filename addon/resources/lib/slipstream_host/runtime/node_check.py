"""Checks a Node.js by running it with --version."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import tempfile
import time
from typing import Dict, NamedTuple, Optional, Tuple

from .. import log, timing
from ..errors import Aborted
from ..kodi.main_loop import Wait
from ..operating_system import no_console

# Major and minor version: the oldest that the engine is tested on.
OLDEST_VERSION = (20, 19)

# The system cannot start any process at the moment, which says nothing about the binary.
_TEMPORARY = (errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE)
_MAX_ERROR_OUTPUT = 4096

# A network with its own certificate authority needs this one; it only adds trusted certificates.
_KEPT_VARIABLES = ("NODE_EXTRA_CA_CERTS",)


class NodeCheck(NamedTuple):
    """The result of `node --version`."""

    version: Optional[Tuple[int, int]]
    # The system's error when it did not start.
    start_error: Optional[OSError] = None
    # What it wrote about its failure, such as the loader's message about a library.
    error_output: str = ""

    def usable_version(self) -> Optional[Tuple[int, int]]:
        """The version, if the engine runs on it."""
        return self.version if self.version is not None and self.version >= OLDEST_VERSION else None


def check_node(path: str, wait: Wait) -> NodeCheck:
    """Runs `path --version`. @raises Aborted, OSError when no process can be started at the moment"""
    # Output into files, not pipes: a wrapper's child that outlives it would keep a pipe open, and us waiting.
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
            if error.errno in _TEMPORARY:
                raise
            log.write("info", "%s does not start: %s" % (path, error))
            return NodeCheck(None, start_error=error)
        ended = _ends_in_time(process, wait)
        output.seek(0)
        match = re.match(rb"v(\d{1,4})\.(\d{1,4})\.", output.read(64)) if ended else None
        errors.seek(0)
        error_output = errors.read(_MAX_ERROR_OUTPUT).decode("utf-8", "replace").strip()
    if match is None:
        log.write("info", "%s is no Node.js; status %s %s" % (path, process.returncode, error_output))
        return NodeCheck(None, error_output=error_output)
    version = (int(match.group(1)), int(match.group(2)))
    log.write("info", "%s is Node.js %d.%d" % (path, *version))
    return NodeCheck(version)


def clean_environment() -> Dict[str, str]:
    """Our environment without Node.js's own variables. Set for another program, they could keep the engine from
    starting (NODE_OPTIONS), load other code (NODE_PATH), or trust any certificate (NODE_TLS_REJECT_UNAUTHORIZED)."""
    return {name: value for name, value in os.environ.items() if not name.startswith("NODE_") or name in _KEPT_VARIABLES}


def _ends_in_time(process: subprocess.Popen[bytes], wait: Wait) -> bool:
    """Whether the process ends by itself in time; else it is killed. Waits in the main loop, so that the playback lock
    is renewed. @raises Aborted"""
    deadline = time.monotonic() + timing.NODE_CHECK
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
