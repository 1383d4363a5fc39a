"""Starts a play again that was refused: because Kodi's failure box was up, or might have come up, or because the film
before it in a playlist was still being opened.

A call that Kodi waits for cannot wait for that: Kodi would abort itself (guard.py).
"""

from __future__ import annotations

import time
from typing import NamedTuple, Optional, Tuple

import xbmcgui

from . import messages, timing
from .failure_box import FailureBox
from .guard import AGAIN, BY_SERVICE, OPENING, PASSED_OVER, STARTING, behind_lease, lease, live
from .kodi import toast
from .kodi.busy import film_is_opening
from .kodi.in_place import InPlace
from .kodi.items import resume
from .kodi.properties import HOME_WINDOW
from .kodi.watching import PlayerEvents


class _Play(NamedTuple):
    address: str
    # In Kodi's playlist; -1: it is played as a single film.
    place: int
    resumes: bool
    since: float


class Again:
    def __init__(self, box: FailureBox, player: PlayerEvents) -> None:
        self._box = box
        self._player = player
        self._place = InPlace(player)
        self._waiting: Optional[_Play] = None
        # When a call was left last.
        self._left_at = 0.0
        # The film before it in a playlist is still being opened.
        self._is_behind = False

    def started(self) -> None:
        """The player begins with a film: with the one before it, or the person has chosen something else meanwhile."""
        if not self._is_behind:
            self._waiting = None

    def another_queued(self) -> None:
        """The person has chosen something else meanwhile."""
        self._waiting = None

    def tick(self) -> None:
        now = time.monotonic()
        home = xbmcgui.Window(HOME_WINDOW)
        self._take(now, home)
        if self._waiting is None:
            return
        starting = home.getProperty(STARTING)
        is_behind = self._is_behind and live(starting) and starting.startswith(OPENING + " ")
        if is_behind:
            # Kodi gives it up, or shows it yet.
            self._waiting = self._waiting._replace(since=now)
        elif live(starting):
            self._waiting = None
        elif now - self._waiting.since > timing.AGAIN_LONGEST:
            self._waiting = None
            toast.show(messages.BOX_OPEN if self._box.is_near() else messages.STILL_STARTING)
        elif not self._box.is_near() and not film_is_opening():
            self._play(self._waiting, home)
        self._is_behind = is_behind

    def _take(self, now: float, home: xbmcgui.Window) -> None:
        left = home.getProperty(AGAIN)
        if not left:
            return
        place, address = _place_and_address(behind_lease(left))
        if address:
            # Before it is taken away: one of the two must refuse what a playlist calls for now.
            self._box.may_be_up()
        home.clearProperty(AGAIN)
        # Upon a refusal a playlist calls for what stands behind it; what was chosen is the first.
        is_first = now - self._left_at > timing.AGAIN_APART
        self._left_at = now
        if address and is_first:
            self._waiting = _Play(address, place, left.startswith("resume "), now)
            self._is_behind = self._waiting.place >= 0

    def _play(self, waiting: _Play, home: xbmcgui.Window) -> None:
        self._waiting = None
        address, item = waiting.address, xbmcgui.ListItem(path=waiting.address, offscreen=True)
        if waiting.resumes:
            resume(item)
        if waiting.place < 0:
            self._player.play(address, item)
            return
        home.setProperty(PASSED_OVER, "%s %s" % (lease(BY_SERVICE, timing.PASSED_OVER), address))
        if not self._place.play_entry(address, waiting.place, item):
            self._player.play(address, item)


def _place_and_address(left: str) -> Tuple[int, str]:
    place, _, address = left.partition(" ")
    try:
        return int(place), address
    except ValueError:
        return -1, ""
