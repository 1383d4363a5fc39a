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

# Answered by the GUI thread, behind everything that was queued before, and without the global lock.
_QUESTION = json.dumps(
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "XBMC.GetInfoBooleans",
        "params": {"booleans": ["Window.IsActive(busydialog)"]},
    }
)
# What is asked QUEUE after the last answer is most likely answered in a later frame. Twice, for the GUI thread of a busy
# machine may stand still for longer in the middle of its queue.
_FRAMES = 2


def settle() -> None:
    """Waits until the GUI thread has worked off what was asked of it before: other plays that were opened, above all."""
    xbmc.executeJSONRPC(_QUESTION)


def make_way(closing: threading.Event) -> None:
    """To be called right before a window of ours is shown: takes Kodi's busy dialog away, and waits until it is gone and
    a Back under it has taken effect. A second plugin call that comes while the window is being shown is answered late,
    but no longer meets that dialog. `closing` ends the wait: the window is not wanted any more."""
    xbmc.executebuiltin("Dialog.Close(busydialog,true)")
    settle()
    for _ in range(_FRAMES):
        if closing.wait(timing.QUEUE):
            return
        settle()
