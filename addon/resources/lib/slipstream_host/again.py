"""Starts a play again that was refused because Kodi's failure box was up, or might have come up.

A call that Kodi waits for cannot wait for that: Kodi would abort itself (guard.py).
"""

from __future__ import annotations

import time

import xbmc
import xbmcgui

from . import messages, timing
from .failure_box import FailureBox
from .guard import AGAIN, STARTING, live
from .kodi import toast
from .kodi.items import resume
from .kodi.properties import HOME_WINDOW
from .kodi.watching import PlayerEvents

_IS_OPENING = "Window.IsActive(busydialog) | Window.IsActive(busydialognocancel)"


def film_is_opening() -> bool:
    """Whether one may be on its way, of another add-on too, which no guard of ours tells."""
    return xbmc.getCondVisibility(_IS_OPENING)


class Again:
    def __init__(self, box: FailureBox, player: PlayerEvents) -> None:
        self._box = box
        self._player = player
        # Empty: nothing waits.
        self._address = ""
        self._resumes = False
        self._since = 0.0

    def another_started(self) -> None:
        """The person has chosen something else meanwhile."""
        self._address = ""

    def tick(self) -> None:
        now = time.monotonic()
        home = xbmcgui.Window(HOME_WINDOW)
        self._take(now, home)
        if not self._address:
            return
        if live(home.getProperty(STARTING)):
            self._address = ""
        elif now - self._since > timing.AGAIN_LONGEST:
            self._address = ""
            toast.show(messages.BOX_OPEN)
        elif not self._box.is_near() and not film_is_opening():
            self._play()

    def _take(self, now: float, home: xbmcgui.Window) -> None:
        holder, _, rest = home.getProperty(AGAIN).partition(" ")
        deadline, _, address = rest.partition(" ")
        if not address:
            return
        home.clearProperty(AGAIN)
        if live("%s %s" % (holder, deadline)) and now - self._since > timing.AGAIN_APART:
            self._address, self._resumes, self._since = address, holder == "resume", now
            self._box.may_be_up()

    def _play(self) -> None:
        item = xbmcgui.ListItem(path=self._address, offscreen=True)
        if self._resumes:
            resume(item)
        self._player.play(self._address, item)
        self._address = ""
