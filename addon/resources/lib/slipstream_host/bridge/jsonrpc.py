"""JSON-RPC 2.0 in both directions. The pipes are the caller's: receive() takes a line, `outgoing` holds those to
write."""

from __future__ import annotations

import json
import queue
import threading
from contextlib import contextmanager
from typing import Callable, Dict, Generator, Optional, cast

from .. import log

METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
REFUSED = -32000

# Messages that wait for the engine to read them. With more than these, the engine has stopped reading.
_MAX_OUTGOING = 4096
# How many lines that are no messages are logged: garbage must not fill the disk.
_MAX_SKIPPED_LOGGED = 20


class RpcError(Exception):
    """A method raises it to answer the call with this error."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class Reply:
    """Answers one call, from any thread. Only the first answer is sent, and none for a notification."""

    def __init__(self, method: str, send: Optional[Callable[[Dict[str, object]], None]]) -> None:
        self.method = method
        self._send = send
        self._lock = threading.Lock()

    def result(self, value: object) -> None:
        self._answer({"result": value})

    def error(self, code: int, message: str) -> None:
        self._answer({"error": {"code": code, "message": message}})

    def _answer(self, body: Dict[str, object]) -> None:
        with self._lock:
            send, self._send = self._send, None
        if send is not None:
            send(body)


Params = Dict[str, object]
Method = Callable[[Params, Reply], None]


def sync_method(function: Callable[[Params], object]) -> Method:
    """A method that answers with what `function` returns, on the reader's thread."""

    def method(params: Params, reply: Reply) -> None:
        reply.result(function(params))

    return method


def threaded_method(function: Callable[[Params], object]) -> Method:
    """A method that may block: it runs on a thread of its own, so that other calls do not wait for it."""

    def method(params: Params, reply: Reply) -> None:
        def run() -> None:
            with _errors_answered(reply):
                reply.result(function(params))

        threading.Thread(target=run, name="slipstream-method", daemon=True).start()

    return method


@contextmanager
def _errors_answered(reply: Reply) -> Generator[None, None, None]:
    """Answers the call with the exception that the block raises, which goes no further."""
    try:
        yield
    except RpcError as refusal:
        reply.error(refusal.code, str(refusal))
    except Exception as error:  # Whatever Kodi throws.
        log.write("warning", "%s failed: %r" % (reply.method, error))
        reply.error(REFUSED, str(error))


class Peer:
    def __init__(self) -> None:
        self.outgoing: queue.Queue[Optional[bytes]] = queue.Queue(_MAX_OUTGOING)
        # Set when the engine has stopped reading: nothing more can be sent.
        self.stopped_reading = threading.Event()
        # True while a call of the engine runs; the engine's other lines wait for it.
        self.busy = False
        self._methods: Dict[str, Method] = {}
        self._pending: Dict[int, Callable[[], None]] = {}
        self._lock = threading.Lock()
        self._last_id = 0
        self._skipped = 0

    def serve(self, methods: Dict[str, Method]) -> None:
        self._methods.update(methods)

    def notify(self, method: str, params: Params) -> None:
        self._send({"method": method, "params": params})

    def request(self, method: str, params: Params, on_answer: Callable[[], None]) -> None:
        """Calls the engine. on_answer runs on the reader's thread when an answer comes, also an error."""
        with self._lock:
            self._last_id += 1
            number = self._last_id
            self._pending[number] = on_answer
        self._send({"id": number, "method": method, "params": params})

    def close(self) -> None:
        """Ends the writer's thread, which closes the engine's stdin. A full queue takes no end mark, but then its
        writer has failed already."""
        try:
            self.outgoing.put_nowait(None)
        except queue.Full:
            self.stopped_reading.set()

    def receive(self, line: bytes) -> None:
        """Handles one line from the engine. Never raises."""
        try:
            message: object = json.loads(line.decode("utf-8"))
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict):
            self._skip(line)
            return
        fields = cast(Params, message)
        method, number = fields.get("method"), fields.get("id")
        if isinstance(method, str):
            self._dispatch(method, fields.get("params"), number)
        elif isinstance(number, int):
            with self._lock:
                on_answer = self._pending.pop(number, None)
            if on_answer is not None:
                on_answer()
        else:
            self._skip(line)

    def _dispatch(self, name: str, params: object, number: object) -> None:
        def send(body: Params) -> None:
            self._send(dict(body, id=number))

        reply = Reply(name, None if number is None else send)
        method = self._methods.get(name)
        if method is None:
            reply.error(METHOD_NOT_FOUND, "no method " + name)
            return
        self.busy = True
        try:
            with _errors_answered(reply):
                given: object = {} if params is None else params
                if not isinstance(given, dict):
                    raise RpcError(INVALID_PARAMS, "params is not an object")
                method(cast(Params, given), reply)
        finally:
            self.busy = False

    def _send(self, message: Params) -> None:
        line = json.dumps(dict(message, jsonrpc="2.0")).encode("ascii") + b"\n"
        try:
            self.outgoing.put_nowait(line)
        except queue.Full:
            self.stopped_reading.set()

    def _skip(self, line: bytes) -> None:
        self._skipped += 1
        if self._skipped <= _MAX_SKIPPED_LOGGED:
            log.write("warning", "skipped a line of %d bytes that is no message: %r" % (len(line), line[:40]))
