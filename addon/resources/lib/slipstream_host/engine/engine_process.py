"""Runs the engine's process: reads its three pipes, on a thread for each, and ends it."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from typing import Dict, Iterator, Optional, Sequence

from .. import log, timing
from ..bridge.jsonrpc import Peer
from ..operating_system import no_console

_READ_SIZE = 65536
_MAX_MESSAGE = 8 * 1024 * 1024
_MAX_LOG_LINE = 8192


class EngineProcess:
    """The constructor starts the process. @raises OSError when the system refuses."""

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
        # Since when only one of the two has ended: the process, or its output.
        self._half_ended_since: Optional[float] = None
        self._threads = [
            threading.Thread(target=work, name="slipstream-" + name, daemon=True)
            for name, work in (("read", self._read), ("write", self._write), ("log", self._log))
        ]
        self._reader = self._threads[0]
        for thread in self._threads:
            thread.start()

    def has_ended(self) -> bool:
        """True once the process has ended and every line of its output was handled. Kills an engine that has stopped
        reading, or that has closed its output and runs on."""
        if self.peer.stopped_reading.is_set():
            log.write("error", "the engine has stopped reading; it is killed")
            self.peer.stopped_reading.clear()
            self.kill()
        ended = self._process.poll() is not None
        drained = not self._reader.is_alive()
        if ended and drained:
            return True
        if not (ended or drained) or self.peer.busy:
            self._half_ended_since = None
            return False
        now = time.monotonic()
        self._half_ended_since = self._half_ended_since or now
        if now - self._half_ended_since < timing.DRAIN:
            return False
        self.kill()
        return True

    def status(self) -> Optional[int]:
        """The exit status: negative for a signal, None while the process runs."""
        return self._process.returncode

    def send_abort(self) -> None:
        self.peer.notify("abort", {})

    def stop(self) -> None:
        """After send_abort(): waits for the engine to exit, then terminates it. With close(), which kills it, at most 3
        s."""
        if not self._exits_within(timing.ABORT_GRACE):
            log.write("warning", "the engine ignores the abort; it is terminated")
            self._process.terminate()
            self._exits_within(timing.TERMINATE_GRACE)

    def kill(self) -> None:
        self._process.kill()
        self._exits_within(timing.KILL_GRACE)

    def close(self) -> None:
        """Ends the pipes' threads, which Kodi would wait for. Kills the process if it still runs."""
        if self._process.poll() is None:
            self.kill()
        self.peer.close()
        deadline = time.monotonic() + timing.THREAD_GRACE
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))
            if thread.is_alive():
                log.write("warning", "the thread %s does not end" % thread.name)
        log.write("debug" if self.status() == 0 else "warning", "the engine ended with status %s" % self.status())

    def _exits_within(self, seconds: float) -> bool:
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
                log.write("error", "the engine wrote a line of more than %d bytes; it is killed" % _MAX_MESSAGE)
                self._process.kill()

    def _log(self) -> None:
        assert self._process.stderr is not None
        with self._process.stderr as pipe:
            for line in _lines(pipe.fileno(), _MAX_LOG_LINE, chop=True):
                log.write_engine_line(line.decode("utf-8", "replace"))

    def _write(self) -> None:
        assert self._process.stdin is not None
        # The closed pipe tells the engine to exit, too.
        with self._process.stdin as pipe:
            for line in iter(self.peer.outgoing.get, None):
                try:
                    _write_all(pipe.fileno(), line)
                except OSError:
                    return  # The engine has exited; has_ended() tells the main thread.


class _LineTooLong(Exception):
    pass


def _lines(descriptor: int, limit: int, chop: bool = False) -> Iterator[bytes]:
    """Lines as they arrive, also an unfinished last one, which the peer skips. A line above the limit is cut into
    pieces (chop) or raises _LineTooLong."""
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
    """Takes pieces of `limit` bytes off a line that is longer. @raises _LineTooLong without `chop`"""
    while len(pending) > limit:
        if not chop:
            raise _LineTooLong()
        yield bytes(pending[:limit])
        del pending[:limit]


def _write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
