"""Kodi's own dialogs, which wait for the person: one at a time, each on a thread of its own."""

from __future__ import annotations

import threading
import time
from typing import Callable, Dict, Optional

import xbmc
import xbmcgui

from . import timing
from .jsonrpc import REFUSED, Method, Params, Refusal, Reply, at_once
from .params import flag, objects, text, texts


class Dialogs:
    def __init__(self) -> None:
        self._thread: Optional[threading.Thread] = None
        # Kodi's name for the dialog that is up.
        self._name = ""
        # From the question to its answer: upon that the engine may ask the next at once, before the thread has ended.
        self._is_open = False
        self._unwanted = False

    def methods(self) -> Dict[str, Method]:
        return {
            "dialog.select": self._select,
            "dialog.menu": self._menu,
            "dialog.input": self._input,
            "dialog.confirm": self._confirm,
            "dialog.text": self._text,
            "dialog.close": at_once(self._close),
        }

    def close(self) -> None:
        """Closes what is open, without waiting until it is gone. Called again and again: Kodi forgets what it is told
        while the dialog is only coming up."""
        if self._thread is not None and self._thread.is_alive():
            self._unwanted = True
            xbmc.executebuiltin("Dialog.Close(%s,true)" % self._name)

    def tick(self) -> None:
        if self._unwanted:
            self.close()

    def close_all(self) -> None:
        """The engine is gone: closes what is open, and waits a moment until it is."""
        deadline = time.monotonic() + timing.THREAD_GRACE
        while self._thread is not None and self._thread.is_alive() and time.monotonic() < deadline:
            self.close()
            self._thread.join(timing.DIALOG_CLOSE)

    def _select(self, params: Params, reply: Reply) -> None:
        heading = text(params, "heading")
        rows = [_row(row) for row in objects(params, "rows")]
        self._ask("selectdialog", lambda: xbmcgui.Dialog().select(heading, rows, useDetails=True), -1, reply)

    def _menu(self, params: Params, reply: Reply) -> None:
        rows = texts(params, "rows")
        self._ask("contextmenu", lambda: xbmcgui.Dialog().contextmenu(rows), -1, reply)

    def _input(self, params: Params, reply: Reply) -> None:
        heading, value, hidden = text(params, "heading"), text(params, "value"), flag(params, "hidden")
        self._ask("virtualkeyboard", lambda: _typed(heading, value, hidden), None, reply)

    def _confirm(self, params: Params, reply: Reply) -> None:
        heading, words = text(params, "heading"), text(params, "text")
        yes, no = text(params, "yes"), text(params, "no")
        self._ask("yesnodialog", lambda: _confirmed(heading, words, yes, no), None, reply)

    def _text(self, params: Params, reply: Reply) -> None:
        heading, words = text(params, "heading"), text(params, "text")

        def show() -> bool:
            xbmcgui.Dialog().textviewer(heading, words)
            return True

        self._ask("textviewer", show, True, reply)

    def _close(self, _: Params) -> bool:
        self.close()
        return True

    def _ask(self, name: str, show: Callable[[], object], nothing: object, reply: Reply) -> None:
        if self._is_open:
            raise Refusal(REFUSED, "a dialog is open already")

        def run() -> None:
            try:
                answer = nothing if self._unwanted else show()
            except Exception as error:  # The engine's to know.
                self._is_open = False
                reply.error(REFUSED, str(error))
            else:
                self._is_open = False
                reply.result(answer)

        self._name, self._is_open, self._unwanted = name, True, False
        self._thread = threading.Thread(target=run, name="slipstream-" + name, daemon=True)
        self._thread.start()


def _row(params: Params) -> xbmcgui.ListItem:
    return xbmcgui.ListItem(text(params, "label"), text(params, "label2"), offscreen=True)


def _typed(heading: str, value: str, hidden: bool) -> Optional[str]:
    """None for Back. Not Dialog.input, which gives the same for Back and for an emptied line."""
    keyboard = xbmc.Keyboard(value, heading, hidden)
    keyboard.doModal()
    return keyboard.getText() if keyboard.isConfirmed() else None


def _confirmed(heading: str, words: str, yes: str, no: str) -> Optional[bool]:
    """None for Back. Not yesno, which gives the same for Back and for no."""
    chosen = xbmcgui.Dialog().yesnocustom(heading, words, "", no, yes)
    return {0: False, 1: True}.get(chosen)
