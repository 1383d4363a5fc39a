"""Waits for Kodi's GUI thread, before a window is shown.

Kodi 21 can crash or hang when a window is shown at the wrong moment. Showing a WindowXMLDialog keeps Python's global
lock until the GUI thread handles the request. While the GUI thread waits for the answer of a second plugin call, no
Python code can give that answer; after 200 ms under Kodi's busy dialog, Kodi aborts itself. And a Back under that
dialog cancels the call at the end of the frame: the GUI thread then waits for the global lock, and with a window being
shown both threads wait for ever.
"""

from __future__ import annotations

import json
import threading

import xbmc

from .. import timing

# The GUI thread answers it after everything that was queued before, and without the global lock.
_QUESTION = json.dumps(
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "XBMC.GetInfoBooleans",
        "params": {"booleans": ["Window.IsActive(busydialog)"]},
    }
)
# A question that is asked GUI_FRAME after the last answer is most likely answered in a later frame. Asked twice: on a
# busy machine the GUI thread may stand still for longer in the middle of its queue.
_FRAMES = 2


def wait_for_queue() -> None:
    """Returns when the GUI thread has handled everything that was queued before, such as other plays that were
    opened."""
    xbmc.executeJSONRPC(_QUESTION)


def close_busy_dialog(closing: threading.Event) -> None:
    """Closes Kodi's busy dialog, and returns when it is gone and a Back under it has taken effect. To be called right
    before a window is shown: a second plugin call that comes meanwhile is answered late, but under no busy dialog.
    `closing` ends the wait, because the window is not wanted any more."""
    xbmc.executebuiltin("Dialog.Close(busydialog,true)")
    wait_for_queue()
    for _ in range(_FRAMES):
        if closing.wait(timing.GUI_FRAME):
            return
        wait_for_queue()
