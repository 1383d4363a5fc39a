"""Keeps the guard up while Kodi opens a film of ours, and shows that the film is on its way.

Kodi opens it under its busy dialog while it goes on taking orders, so another play during that time would end Kodi as
one during the resolve does. The plugin process is gone by then; and of an address of ours that Kodi has kept in the row
of a list, or over a sleep, it tells no add-on at all. So the service watches.
"""

from __future__ import annotations

import math
import time

import xbmcgui

from . import timing
from .guard import OPENING, STARTING, lease, live
from .kodi.opening_sign import OpeningSign
from .kodi.properties import HOME_WINDOW
from .own_stream import is_own_stream


class Opening:
    """Takes the guard for a stream of ours that Kodi opens by itself, and lets that of any film of ours go once Kodi has
    opened it, or has failed to."""

    def __init__(self) -> None:
        self._is_opening = False
        self._is_guarded = False
        # While it opens the guard is renewed, but not for ever: a picture may never come.
        self._renew_at = math.inf
        self._renew_until = 0.0
        self._release_at = math.inf
        self._sign = OpeningSign()

    def hear(self, kind: str, file: str) -> None:
        """A player event. The stop of a film that had its picture is not the end of the next one's opening."""
        if kind == "started":
            self._begin(file)
            return
        if kind == "av-started":
            self._release_at = time.monotonic() + timing.OPENED
        elif self._is_opening:
            # From here on the failure box has a guard of its own.
            self._release_at = time.monotonic()
        self._is_opening = False
        self._sign.close()

    def _begin(self, file: str) -> None:
        self._is_opening = True
        self._renew_at = time.monotonic()
        self._renew_until = self._renew_at + timing.OPENING_LONGEST
        home = xbmcgui.Window(HOME_WINDOW)
        if is_own_stream(file):
            # What is to be let go for the film before is this one's by now.
            self._release_at = math.inf
            if not live(home.getProperty(STARTING)):
                _renew(home)
        # The guard of another play is not taken.
        self._is_guarded = _handed_over(home) and live(home.getProperty(STARTING))
        if self._is_guarded:
            self._sign.show()
        else:
            self._sign.close()

    def tick(self) -> None:
        now = time.monotonic()
        if now >= self._release_at:
            self._release_at = math.inf
            home = xbmcgui.Window(HOME_WINDOW)
            if _handed_over(home):
                home.clearProperty(STARTING)
        elif self._is_opening and now >= self._renew_until:
            self._sign.close()
        elif self._is_opening and self._is_guarded and self._renew_at <= now:
            self._renew_at = now + timing.GUARD_RENEW
            home = xbmcgui.Window(HOME_WINDOW)
            if _handed_over(home):
                _renew(home)

    def close(self) -> None:
        """Kodi ends, or wants us gone."""
        self._sign.close()


def _renew(home: xbmcgui.Window) -> None:
    home.setProperty(STARTING, lease(OPENING, timing.OPENING_LEASE))


def _handed_over(home: xbmcgui.Window) -> bool:
    """False while another play holds the guard, or none does."""
    return home.getProperty(STARTING).startswith(OPENING + " ")
