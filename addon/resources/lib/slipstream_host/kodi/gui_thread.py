"""Kodi's GUI thread, which showing a window waits for.

Two things seen in Kodi 21 make care necessary. Showing a WindowXMLDialog keeps Python's global lock until the GUI
thread takes it up, so while that thread waits for the answer of a second plugin call, no Python can give that answer.
And when that wait is over 200 ms and Kodi's busy dialog is already up, Kodi aborts itself.
"""

from __future__ import annotations

import json

import xbmc

# Answered by the GUI thread, behind everything that was queued before, and without the global lock.
_QUESTION = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "XBMC.GetInfoBooleans",
    "params": {"booleans": ["Window.IsActive(busydialog)"]},
}


def settle() -> None:
    """Waits until the GUI thread has worked off what was asked of it before: other plays that were opened, above all."""
    xbmc.executeJSONRPC(json.dumps(_QUESTION))


def make_way() -> None:
    """To be called right before a window of ours is shown: takes Kodi's busy dialog away, and waits until it is gone. A
    second plugin call that comes while the window is being shown is answered late, but no longer meets that dialog."""
    xbmc.executebuiltin("Dialog.Close(busydialog,true)")
    settle()
