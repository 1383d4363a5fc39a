"""Dialogs that the host itself shows, on a thread of their own while the main loop goes on."""

from __future__ import annotations

import threading
import time
from typing import Callable, List, Sequence

import xbmc
import xbmcgui

from .. import messages, timing
from ..errors import Aborted
from .main_loop import Wait


def confirm(text: str, yes: str, no: str, wait: Wait) -> bool:
    """True for yes, False for no and for Back. @raises Aborted"""
    answers: List[bool] = []

    def show() -> None:
        # By default Kodi focuses "no".
        chosen = xbmcgui.Dialog().yesno(messages.NAME, text, no, yes, 0, xbmcgui.DLG_YESNO_YES_BTN)
        answers.append(chosen)

    run_in_background(show, ("yesnodialog",), wait)
    return answers == [True]


def show_message(text: str, wait: Wait) -> None:
    """Shows a box until the person closes it. @raises Aborted"""

    def show() -> None:
        xbmcgui.Dialog().ok(messages.NAME, text)

    run_in_background(show, ("okdialog",), wait)
    # A play during the closing animation could abort Kodi, so the caller keeps the playback lock for as long.
    wait(timing.BOX_CLOSES)


def run_in_background(work: Callable[[], None], dialogs: Sequence[str], wait: Wait) -> None:
    """Runs a blocking function on a thread of its own. `dialogs`: Kodi's names of the dialogs that it may show; an
    abort closes them. @raises Aborted"""
    thread = threading.Thread(target=work, name="slipstream-" + dialogs[0], daemon=True)
    thread.start()
    while thread.is_alive():
        if wait(timing.TICK):
            _close(thread, dialogs)
            raise Aborted


def _close(thread: threading.Thread, dialogs: Sequence[str]) -> None:
    """Repeats the command: Kodi ignores it while a dialog is only coming up."""
    deadline = time.monotonic() + timing.THREAD_GRACE
    while thread.is_alive() and time.monotonic() < deadline:
        for name in dialogs:
            xbmc.executebuiltin("Dialog.Close(%s,true)" % name)
        thread.join(timing.DIALOG_CLOSE)
