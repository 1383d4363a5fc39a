"""Our windows. Each has its own thread, on which it is made and shown; other threads only fill it and close it."""

from __future__ import annotations

import re
import threading
import time
from typing import Dict, List

from . import log, timing
from .jsonrpc import INVALID_PARAMS, REFUSED, Method, Params, Peer, Refusal, Reply, at_once
from .kodi.dialog import Content
from .open_window import OpenWindow
from .params import text

_XML_NAME = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._-]*\.xml$")


class Windows:
    def __init__(self, peer: Peer, folder: str) -> None:
        self._peer = peer
        self._folder = folder
        self._lock = threading.Lock()
        self._open: Dict[str, OpenWindow] = {}
        self._over = False
        self._looked_at = time.monotonic()

    def methods(self) -> Dict[str, Method]:
        return {
            "window.open": self._open_window,
            "window.update": at_once(self._update),
            "window.close": self._close,
        }

    def ignored(self) -> bool:
        """Whether the engine let a Back go unanswered for too long. Closes that window."""
        now = time.monotonic()
        # While the host carries out a call, the engine's answer waits behind it.
        excused = now - self._looked_at if self._peer.busy else 0.0
        self._looked_at = now
        late = [window for window in self._all() if window.back_ignored(excused)]
        for window in late:
            window.close()
        return bool(late)

    def forgo(self) -> None:
        """The play is over: what is not shown yet is not shown any more, and nothing opens. Asks nothing of Kodi."""
        with self._lock:
            self._over = True
        for window in self._all():
            window.forgo()

    def close(self) -> None:
        """Closes what is open, without waiting until it is gone."""
        for window in self._all():
            window.close()

    def close_all(self) -> None:
        """The engine is gone: closes what is open, and waits a moment until it is."""
        deadline = time.monotonic() + timing.THREAD_GRACE
        self.close()
        for window in self._all():
            window.thread.join(max(0.0, deadline - time.monotonic()))
            if window.thread.is_alive():
                log.write("warning", "the window %s does not close" % window.name)

    def _open_window(self, params: Params, reply: Reply) -> None:
        name, xml = text(params, "window"), text(params, "xml")
        if not _XML_NAME.match(xml):
            raise Refusal(INVALID_PARAMS, "xml is not a file name")
        window = OpenWindow(name, xml, self._folder, Content(params), reply, self._peer, self._forget)
        with self._lock:
            if self._over:
                raise Refusal(REFUSED, "the play is over")
            if name in self._open:
                raise Refusal(INVALID_PARAMS, "the window %s is open already" % name)
            self._open[name] = window
        window.thread.start()

    def _update(self, params: Params) -> bool:
        """False when the window is gone: it may have closed while this call was on its way."""
        content = Content(params)
        with self._lock:
            window = self._open.get(text(params, "window"))
        return window is not None and window.update(content)

    def _close(self, params: Params, reply: Reply) -> None:
        with self._lock:
            window = self._open.get(text(params, "window"))
        if window is None:
            reply.result(True)
        else:
            window.close(reply)

    def _all(self) -> List[OpenWindow]:
        with self._lock:
            return list(self._open.values())

    def _forget(self, window: OpenWindow) -> None:
        with self._lock:
            del self._open[window.name]
