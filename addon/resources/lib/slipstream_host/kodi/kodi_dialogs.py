"""Kodi's own dialogs for the engine's questions: one at a time, each on a thread of its own, as they block."""

from __future__ import annotations

import threading
import time
from typing import Callable, Dict, Optional

import xbmc
import xbmcgui

from .. import timing
from ..bridge.jsonrpc import REFUSED, Method, Params, Reply, RpcError, sync_method
from ..bridge.params import flag, objects, text, texts


class KodiDialogs:
    def __init__(self) -> None:
        self._thread: Optional[threading.Thread] = None
        # Kodi's name for the dialog that is open.
        self._name = ""
        # From the call to its answer. After the answer the engine may open the next dialog, before the thread has
        # ended.
        self._is_open = False
        self._is_closing = False

    def methods(self) -> Dict[str, Method]:
        return {
            "dialog.select": self._select,
            "dialog.menu": self._menu,
            "dialog.input": self._input,
            "dialog.confirm": self._confirm,
            "dialog.text": self._text,
            "dialog.close": sync_method(self._close),
        }

    def close(self) -> None:
        """Tells Kodi to close the open dialog, and does not wait. tick() repeats that: Kodi ignores it while the dialog
        is only coming up."""
        if self._thread is not None and self._thread.is_alive():
            self._is_closing = True
            xbmc.executebuiltin("Dialog.Close(%s,true)" % self._name)

    def tick(self) -> None:
        if self._is_closing:
            self.close()

    def close_all(self) -> None:
        """Closes the open dialog after the engine's end, and waits until it is gone, for THREAD_GRACE at most."""
        deadline = time.monotonic() + timing.THREAD_GRACE
        while self._thread is not None and self._thread.is_alive() and time.monotonic() < deadline:
            self.close()
            self._thread.join(timing.DIALOG_CLOSE)

    def _select(self, params: Params, reply: Reply) -> None:
        heading = text(params, "heading")
        rows = [_row(row) for row in objects(params, "rows")]
        self._open("selectdialog", lambda: xbmcgui.Dialog().select(heading, rows, useDetails=True), -1, reply)

    def _menu(self, params: Params, reply: Reply) -> None:
        rows = texts(params, "rows")
        self._open("contextmenu", lambda: xbmcgui.Dialog().contextmenu(rows), -1, reply)

    def _input(self, params: Params, reply: Reply) -> None:
        heading, value, hidden = text(params, "heading"), text(params, "value"), flag(params, "hidden")
        self._open("virtualkeyboard", lambda: _typed(heading, value, hidden), None, reply)

    def _confirm(self, params: Params, reply: Reply) -> None:
        heading, message = text(params, "heading"), text(params, "text")
        yes, no = text(params, "yes"), text(params, "no")
        self._open("yesnodialog", lambda: _confirmed(heading, message, yes, no), None, reply)

    def _text(self, params: Params, reply: Reply) -> None:
        heading, message = text(params, "heading"), text(params, "text")

        def show() -> bool:
            xbmcgui.Dialog().textviewer(heading, message)
            return True

        self._open("textviewer", show, True, reply)

    def _close(self, _: Params) -> bool:
        self.close()
        return True

    def _open(self, name: str, show: Callable[[], object], back: object, reply: Reply) -> None:
        """Runs `show` on a thread and answers with its result. `back`: the answer of a dialog that is closed before."""
        if self._is_open:
            raise RpcError(REFUSED, "a dialog is open already")

        def run() -> None:
            try:
                answer = back if self._is_closing else show()
            except Exception as error:  # Whatever Kodi throws; the engine is told.
                self._is_open = False
                reply.error(REFUSED, str(error))
            else:
                self._is_open = False
                reply.result(answer)

        self._name, self._is_open, self._is_closing = name, True, False
        self._thread = threading.Thread(target=run, name="slipstream-" + name, daemon=True)
        self._thread.start()


def _row(params: Params) -> xbmcgui.ListItem:
    return xbmcgui.ListItem(text(params, "label"), text(params, "label2"), offscreen=True)


def _typed(heading: str, value: str, hidden: bool) -> Optional[str]:
    """The typed text; None for Back. Not by Dialog.input, which returns the same for Back and for an emptied line."""
    keyboard = xbmc.Keyboard(value, heading, hidden)
    keyboard.doModal()
    return keyboard.getText() if keyboard.isConfirmed() else None


def _confirmed(heading: str, message: str, yes: str, no: str) -> Optional[bool]:
    """None for Back. Not by Dialog.yesno, which returns the same for Back and for no."""
    chosen = xbmcgui.Dialog().yesnocustom(heading, message, "", no, yes)
    return {0: False, 1: True}.get(chosen)
