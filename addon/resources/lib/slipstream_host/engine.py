"""The engine's process: its three pipes, a thread for each, and its end."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from typing import Dict, Iterator, Optional, Sequence

from . import log, timing
from .jsonrpc import Peer
from .platforms import no_console

_READ_SIZE = 65536
_MAX_MESSAGE = 8 * 1024 * 1024
_MAX_LOG_LINE = 8192


class Engine:
    """Started by its construction. @raises OSError when the system refuses."""

    def __init__(
        self, command: Sequence[str], environment: Dict[str, str], peer: Peer, inherited: Sequence[int] = ()
    ) -> None:
        self.peer = peer
        # No preexec_fn: a sub-interpreter refuses it.
        self._process = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env=environment,
            pass_fds=tuple(inherited),
            creationflags=no_console(),
        )
        self._half_over_since: Optional[float] = None
        self._threads = [
            threading.Thread(target=work, name="slipstream-" + name, daemon=True)
            for name, work in (("read", self._read), ("write", self._write), ("log", self._log))
        ]
        self._reader = self._threads[0]
        for thread in self._threads:
            thread.start()

    def over(self) -> bool:
        """True once the process has ended and all that it said was carried out. An engine that stopped reading, or
        that closed its end without leaving, is killed here."""
        if self.peer.clogged.is_set():
            log.write("error", "the engine no longer reads; it is ended")
            self.peer.clogged.clear()
            self.kill()
        ended = self._process.poll() is not None
        drained = not self._reader.is_alive()
        if ended and drained:
            return True
        if not (ended or drained) or self.peer.busy:
            self._half_over_since = None
            return False
        now = time.monotonic()
        self._half_over_since = self._half_over_since or now
        if now - self._half_over_since < timing.DRAIN:
            return False
        self.kill()
        return True

    def status(self) -> Optional[int]:
        """The exit status; negative for a signal; None before the end."""
        return self._process.returncode

    def tell_abort(self) -> None:
        self.peer.notify("abort", {})

    def stop(self) -> None:
        """After tell_abort(): gives it time, then terminates it; close() kills it. All within 3 s."""
        if not self._gone_within(timing.ABORT_GRACE):
            log.write("warning", "the engine ignores the abort; it is terminated")
            self._process.terminate()
            self._gone_within(timing.TERMINATE_GRACE)

    def kill(self) -> None:
        self._process.kill()
        self._gone_within(timing.KILL_GRACE)

    def close(self) -> None:
        """After the end: lets the threads end, because Kodi waits for them. Kills what is still alive."""
        if self._process.poll() is None:
            self.kill()
        self.peer.hang_up()
        deadline = time.monotonic() + timing.THREAD_GRACE
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))
            if thread.is_alive():
                log.write("warning", "%s is still busy" % thread.name)
        log.write("debug" if self.status() == 0 else "warning", "the engine ended with status %s" % self.status())

    def _gone_within(self, seconds: float) -> bool:
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as pipe:
            try:
                for line in _lines(pipe.fileno(), _MAX_MESSAGE):
                    self.peer.receive(line)
            except _LineTooLong:
                log.write("error", "the engine wrote a line of more than %d bytes; it is ended" % _MAX_MESSAGE)
                self._process.kill()

    def _log(self) -> None:
        assert self._process.stderr is not None
        with self._process.stderr as pipe:
            for line in _lines(pipe.fileno(), _MAX_LOG_LINE, chop=True):
                log.write_engine_line(line.decode("utf-8", "replace"))

    def _write(self) -> None:
        assert self._process.stdin is not None
        # Leaving closes the pipe: the engine's sign to leave as well.
        with self._process.stdin as pipe:
            for line in iter(self.peer.outgoing.get, None):
                try:
                    _write_all(pipe.fileno(), line)
                except OSError:
                    return  # The engine is gone, which others notice.


class _LineTooLong(Exception):
    pass


def _lines(descriptor: int, limit: int, chop: bool = False) -> Iterator[bytes]:
    """Lines as they arrive. One above the limit is cut into pieces (chop) or raises. An unfinished last line is
    given too: what a killed process left of it is no message, and is skipped as such."""
    pending = bytearray()
    while True:
        try:
            chunk = os.read(descriptor, _READ_SIZE)
        except OSError:
            break
        if not chunk:
            break
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            pending += end
            yield from _cut(pending, limit, chop)
            yield bytes(pending)
            pending.clear()
        pending += rest
        yield from _cut(pending, limit, chop)
    if pending:
        yield bytes(pending)


def _cut(pending: bytearray, limit: int, chop: bool) -> Iterator[bytes]:
    """Takes pieces off a line that is too long."""
    while len(pending) > limit:
        if not chop:
            raise _LineTooLong()
        yield bytes(pending[:limit])
        del pending[:limit]


def _write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
