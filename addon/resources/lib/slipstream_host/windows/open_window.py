"""One window of the engine's, from window.open to its closed event."""

from __future__ import annotations

import math
import threading
import time
from typing import Callable, List, Optional

from .. import log, timing
from ..bridge.jsonrpc import REFUSED, Peer, Reply
from ..kodi import gui_thread
from .xml_dialog import WindowContent, XmlDialog

# Kodi finds our XML in resources/skins/Default/1080i.
_SKIN = "Default"
_RESOLUTION = "1080i"


class OpenWindow:
    def __init__(
        self,
        name: str,
        xml: str,
        folder: str,
        content: WindowContent,
        opened: Reply,
        peer: Peer,
        forget: Callable[[OpenWindow], None],
    ) -> None:
        self.name = name
        # A window is made and shown on one thread.
        self.thread = threading.Thread(target=self._run, name="slipstream-" + name, daemon=True)
        self._xml = xml
        self._folder = folder
        self._content = content
        self._opened = opened
        self._peer = peer
        self._forget = forget
        self._lock = threading.Lock()
        self._dialog: Optional[XmlDialog] = None
        # From then on an unanswered Back counts as ignored.
        self._back_deadline = math.inf
        self._shown = False
        self._closing = threading.Event()
        self._gone = False
        self._closers: List[Reply] = []

    def update(self, content: WindowContent) -> bool:
        """False when the window is closing or gone."""
        dialog = self._dialog
        if dialog is None or self._closing.is_set():
            return False
        content.set_properties(dialog)
        content.fill_controls(dialog)
        return True

    def cancel_pending(self) -> None:
        """A window that is not shown yet will not be shown. Asks nothing of Kodi."""
        self._closing.set()

    def close(self, reply: Optional[Reply] = None) -> None:
        """Closes the window, and replies once it is gone. A window that is being shown closes after that: Kodi closes
        it on its GUI thread, and keeps Python's global lock meanwhile (kodi/gui_thread.py)."""
        with self._lock:
            self._closing.set()
            if reply is not None and not self._gone:
                self._closers.append(reply)
                reply = None
            dialog = self._dialog if self._shown else None
        if reply is not None:
            reply.result(True)
        if dialog is not None:
            dialog.close()

    def on_shown(self) -> None:
        with self._lock:
            dialog, was_shown, self._shown = self._dialog, self._shown, True
        if dialog is None:
            return
        if self._closing.is_set():
            dialog.close()
            return
        # Kodi calls onInit again when it reloads the skin; that must not undo the engine's updates.
        if was_shown:
            return
        try:
            self._content.fill_controls(dialog)
        except Exception as error:  # Kodi would only log it; the window would stay open and the engine would wait.
            log.write("warning", "the window %s cannot be filled: %r" % (self.name, error))
            self._opened.error(REFUSED, str(error))
            self.close()
            return
        self._opened.result(True)

    def on_event(self, kind: str, control: int, row: str) -> None:
        params = {"window": self.name, "kind": kind, "control": control, "row": row}
        self._peer.notify("window.event", dict(params))

    def on_back(self) -> None:
        with self._lock:
            if self._back_deadline != math.inf or self._closing.is_set():
                return
            self._back_deadline = time.monotonic() + timing.BACK_GRACE
        self._peer.request("window.back", {"window": self.name}, self._back_answered)

    def is_back_ignored(self, excused: float) -> bool:
        """Whether the engine has left a Back unanswered for too long, not counting the excused seconds."""
        with self._lock:
            self._back_deadline += excused
            return self._back_deadline < time.monotonic()

    def _back_answered(self) -> None:
        with self._lock:
            self._back_deadline = math.inf

    def _run(self) -> None:
        try:
            self._show()
        except Exception as error:  # A missing or broken XML, or a refusal; the engine is told.
            log.write("warning", "the window %s failed: %r" % (self.name, error))
            self._opened.error(REFUSED, str(error))
        finally:
            with self._lock:
                self._dialog = None
                self._gone = True
                closers, self._closers = self._closers, []
            self._forget(self)
            self._opened.error(REFUSED, "the window closed before it was shown")
            self.on_event("closed", -1, "")
            for reply in closers:
                reply.result(True)

    def _show(self) -> None:
        dialog = XmlDialog(self._xml, self._folder, _SKIN, _RESOLUTION)
        dialog.listener = self
        dialog.rows = {}
        self._content.set_properties(dialog)
        with self._lock:
            self._dialog = dialog
        if not self._closing.is_set():
            gui_thread.close_busy_dialog(self._closing)
        if not self._closing.is_set():
            dialog.doModal()
