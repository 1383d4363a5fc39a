"""Keeps the guard up between a film's hand-over and its first picture.

Kodi opens the film under its busy dialog while it goes on taking orders, so another play during that time would end
Kodi as one during the resolve does. The plugin process is gone by then: the service watches.
"""

from __future__ import annotations

import math
import time

import xbmcgui

from . import timing
from .guard import OPENING, STARTING, lease
from .kodi.properties import HOME_WINDOW


class Opening:
    """Lets the guard of a handed-over film go once Kodi has opened it, or has failed to."""

    def __init__(self) -> None:
        self._is_opening = False
        # While it opens the guard is renewed, but not for ever: a picture may never come.
        self._renew_at = math.inf
        self._renew_until = 0.0
        self._release_at = math.inf

    def hear(self, kind: str) -> None:
        """A player event. The stop of a film that had its picture is not the end of the next one's opening."""
        if kind == "started":
            self._is_opening = True
            self._renew_at = time.monotonic()
            self._renew_until = self._renew_at + timing.OPENING_LONGEST
        elif kind == "av-started":
            self._release_at = time.monotonic() + timing.OPENED
        elif self._is_opening:
            # From here on the failure box has a guard of its own.
            self._release_at = time.monotonic()
        if kind != "started":
            self._is_opening = False

    def tick(self) -> None:
        now = time.monotonic()
        if now >= self._release_at:
            self._release_at = math.inf
            home = xbmcgui.Window(HOME_WINDOW)
            if _handed_over(home):
                home.clearProperty(STARTING)
        elif self._is_opening and self._renew_at <= now < self._renew_until:
            self._renew_at = now + timing.GUARD_RENEW
            home = xbmcgui.Window(HOME_WINDOW)
            if _handed_over(home):
                home.setProperty(STARTING, lease(OPENING, timing.OPENING_LEASE))


def _handed_over(home: xbmcgui.Window) -> bool:
    """False while another play holds the guard, or none does."""
    return home.getProperty(STARTING).startswith(OPENING + " ")
