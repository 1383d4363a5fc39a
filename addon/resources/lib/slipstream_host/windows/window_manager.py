"""Opens, updates and closes the engine's windows. Each is made and shown on a thread of its own; other threads only
fill it and close it."""

from __future__ import annotations

import re
import threading
import time
from typing import Dict, List

from .. import log, timing
from ..bridge.jsonrpc import INVALID_PARAMS, REFUSED, Method, Params, Peer, Reply, RpcError, sync_method
from ..bridge.params import text
from .open_window import OpenWindow
from .xml_dialog import WindowContent

_XML_NAME = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._-]*\.xml$")


class WindowManager:
    def __init__(self, peer: Peer, folder: str) -> None:
        self._peer = peer
        self._folder = folder
        self._lock = threading.Lock()
        self._open: Dict[str, OpenWindow] = {}
        self._is_closed = False
        self._checked_at = time.monotonic()

    def methods(self) -> Dict[str, Method]:
        return {
            "window.open": self._open_window,
            "window.update": sync_method(self._update),
            "window.close": self._close,
        }

    def is_back_ignored(self) -> bool:
        """Whether the engine has left a Back unanswered for too long. Closes such a window. To be called often."""
        now = time.monotonic()
        # While the host runs a call of the engine, the answer waits behind that call.
        excused = now - self._checked_at if self._peer.busy else 0.0
        self._checked_at = now
        late = [window for window in self._all() if window.is_back_ignored(excused)]
        for window in late:
            window.close()
        return bool(late)

    def cancel_pending(self) -> None:
        """The play is over: windows that are not shown yet will not be shown, and none opens. Asks nothing of Kodi."""
        with self._lock:
            self._is_closed = True
        for window in self._all():
            window.cancel_pending()

    def close(self) -> None:
        """Closes all windows, and does not wait until they are gone."""
        for window in self._all():
            window.close()

    def close_all(self) -> None:
        """Closes all windows after the engine's end, and waits until they are gone, for THREAD_GRACE at most."""
        deadline = time.monotonic() + timing.THREAD_GRACE
        self.close()
        for window in self._all():
            window.thread.join(max(0.0, deadline - time.monotonic()))
            if window.thread.is_alive():
                log.write("warning", "the window %s does not close" % window.name)

    def _open_window(self, params: Params, reply: Reply) -> None:
        name, xml = text(params, "window"), text(params, "xml")
        if not _XML_NAME.match(xml):
            raise RpcError(INVALID_PARAMS, "xml is not a file name")
        window = OpenWindow(name, xml, self._folder, WindowContent(params), reply, self._peer, self._forget)
        with self._lock:
            if self._is_closed:
                raise RpcError(REFUSED, "the play is over")
            if name in self._open:
                raise RpcError(INVALID_PARAMS, "the window %s is open already" % name)
            self._open[name] = window
        window.thread.start()

    def _update(self, params: Params) -> bool:
        """False when the window is gone: it may have closed before this call came."""
        content = WindowContent(params)
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
