"""Starts a play again that was refused: because Kodi's failure box was up, or might have come up, or because the film
before it in a playlist was still being opened.

A call that Kodi waits for cannot wait for that: Kodi would abort itself (guard.py).
"""

from __future__ import annotations

import time

import xbmcgui

from . import messages, timing
from .failure_box import FailureBox
from .guard import AGAIN, BY_SERVICE, OPENING, PASSED_OVER, STARTING, lease, left_again, live
from .kodi import toast
from .kodi.busy import film_is_opening
from .kodi.in_place import InPlace
from .kodi.items import resume
from .kodi.properties import HOME_WINDOW
from .kodi.watching import PlayerEvents


class Again:
    def __init__(self, box: FailureBox, player: PlayerEvents) -> None:
        self._box = box
        self._player = player
        self._place = InPlace(player)
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
        starting = home.getProperty(STARTING)
        if live(starting):
            # Kodi gives up the film before it in a playlist, or shows it yet.
            if starting.startswith(OPENING + " "):
                self._since = now
            else:
                self._address = ""
        elif now - self._since > timing.AGAIN_LONGEST:
            self._address = ""
            toast.show(messages.BOX_OPEN)
        elif not self._box.is_near() and not film_is_opening():
            self._play(home)

    def _take(self, now: float, home: xbmcgui.Window) -> None:
        left = home.getProperty(AGAIN)
        if not left:
            return
        home.clearProperty(AGAIN)
        holder, address = left_again(left)
        if address and now - self._since > timing.AGAIN_APART:
            self._address, self._resumes, self._since = address, holder == "resume", now
            self._box.may_be_up()

    def _play(self, home: xbmcgui.Window) -> None:
        address, item = self._address, xbmcgui.ListItem(path=self._address, offscreen=True)
        if self._resumes:
            resume(item)
        self._address = ""
        home.setProperty(PASSED_OVER, lease(BY_SERVICE, timing.PASSED_OVER))
        if not self._place.play_entry(address, item):
            home.clearProperty(PASSED_OVER)
            self._player.play(address, item)
