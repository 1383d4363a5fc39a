"""A dialog of the host's own, while the main thread goes on pumping."""

from __future__ import annotations

import threading
import time
from typing import Callable, List, Sequence

import xbmc
import xbmcgui

from . import messages, timing
from .trouble import Aborted

Wait = Callable[[float], bool]


def confirm(text: str, yes: str, no: str, wait: Wait) -> bool:
    """False for no and for Back alike. @raises Aborted"""
    answers: List[bool] = []

    def show() -> None:
        # Kodi's own focus is on the answer that leads nowhere.
        chosen = xbmcgui.Dialog().yesno(messages.NAME, text, no, yes, 0, xbmcgui.DLG_YESNO_YES_BTN)
        answers.append(chosen)

    beside(show, ("yesnodialog",), wait)
    return answers == [True]


def tell(text: str, wait: Wait) -> None:
    """Until it was read. @raises Aborted"""

    def show() -> None:
        xbmcgui.Dialog().ok(messages.NAME, text)

    beside(show, ("okdialog",), wait)
    # A play within its closing animation could abort Kodi: the guard stays up as long.
    wait(timing.BOX_CLOSES)


def beside(work: Callable[[], None], dialogs: Sequence[str], wait: Wait) -> None:
    """Does what blocks on a thread of its own. `dialogs`: Kodi's names of what it may show. @raises Aborted"""
    thread = threading.Thread(target=work, name="slipstream-" + dialogs[0], daemon=True)
    thread.start()
    while thread.is_alive():
        if wait(timing.TICK):
            _dismiss(thread, dialogs)
            raise Aborted


def _dismiss(thread: threading.Thread, dialogs: Sequence[str]) -> None:
    """Said again and again: Kodi forgets what it is told while a dialog is only coming up."""
    deadline = time.monotonic() + timing.THREAD_GRACE
    while thread.is_alive() and time.monotonic() < deadline:
        for name in dialogs:
            xbmc.executebuiltin("Dialog.Close(%s,true)" % name)
        thread.join(timing.DIALOG_CLOSE)
