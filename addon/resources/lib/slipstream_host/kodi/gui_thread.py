"""Kodi's GUI thread, which showing a window waits for.

Three things seen in Kodi 21 make care necessary. Showing a WindowXMLDialog keeps Python's global lock until the GUI
thread takes it up, so while that thread waits for the answer of a second plugin call, no Python can give that answer.
When that wait is over 200 ms and Kodi's busy dialog is already up, Kodi aborts itself. And a Back under that dialog
cancels the call at the end of the frame: the GUI thread then asks for the global lock, and when a window is being shown
both wait for ever.
"""

from __future__ import annotations

import json
import threading

import xbmc

from .. import timing

_BUSY_DIALOG = "Window.IsActive(busydialog)"
# Answered by the GUI thread, behind everything that was queued before, and without the global lock.
_QUESTION = json.dumps(
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "XBMC.GetInfoBooleans",
        "params": {"booleans": [_BUSY_DIALOG]},
    }
)


def settle() -> None:
    """Waits until the GUI thread has worked off what was asked of it before: other plays that were opened, above all."""
    xbmc.executeJSONRPC(_QUESTION)


def _busy_dialog_is_up() -> bool:
    answer = json.loads(xbmc.executeJSONRPC(_QUESTION))
    # While Kodi ends there is none.
    result = answer.get("result")
    return bool(result and result.get(_BUSY_DIALOG))


def make_way(closing: threading.Event) -> None:
    """To be called right before a window of ours is shown: takes Kodi's busy dialog away, and waits until it is gone and
    a Back under it has taken effect. A second plugin call that comes while the window is being shown is answered late,
    but no longer meets that dialog. `closing` ends the wait: the window is not wanted any more."""
    was_up = _busy_dialog_is_up()
    xbmc.executebuiltin("Dialog.Close(busydialog,true)")
    settle()
    if was_up:
        # What is asked once the GUI thread draws is answered behind the frame's end.
        closing.wait(timing.QUEUE)
        settle()
