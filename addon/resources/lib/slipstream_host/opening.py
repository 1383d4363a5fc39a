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
from .kodi.busy import film_is_opening
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
        self._is_over = False
        self._has_picture = False
        self._sign = OpeningSign()

    def hear(self, kind: str, file: str) -> None:
        """A player event. The stop of a film that had its picture is not the end of the next one's opening."""
        if kind == "started":
            self._begin(file)
            return
        if kind == "av-started":
            self._has_picture = self._is_opening and self._is_guarded
        elif self._is_opening:
            # From here on the failure box has a guard of its own.
            self._is_over = True
        self._is_opening = False
        self._sign.close()
        # Not at the next tick: until then a playlist that goes on would be refused.
        self.tick()

    def _begin(self, file: str) -> None:
        self._is_opening = True
        # What was to be let go for the film before is this one's by now.
        self._is_over = self._has_picture = False
        self._renew_at = time.monotonic()
        self._renew_until = self._renew_at + timing.OPENING_LONGEST
        home = xbmcgui.Window(HOME_WINDOW)
        if is_own_stream(file) and not live(home.getProperty(STARTING)):
            _renew(home)
        # The guard of another play is not taken.
        self._is_guarded = _handed_over(home) and live(home.getProperty(STARTING))
        if self._is_guarded:
            self._sign.show()
        else:
            self._sign.close()

    def tick(self) -> None:
        now = time.monotonic()
        # A busy machine takes the dialog of the opening away later than the picture comes.
        if self._is_over or (self._has_picture and not film_is_opening()):
            self._let_go()
        elif self._is_opening and now >= self._renew_until:
            self._sign.close()
        elif self._is_opening and self._is_guarded and self._renew_at <= now:
            self._renew_at = now + timing.GUARD_RENEW
            home = xbmcgui.Window(HOME_WINDOW)
            if _handed_over(home):
                _renew(home)

    def _let_go(self) -> None:
        self._is_over = self._has_picture = False
        home = xbmcgui.Window(HOME_WINDOW)
        if _handed_over(home):
            home.clearProperty(STARTING)

    def close(self) -> None:
        """Kodi ends, or wants us gone."""
        self._sign.close()


def _renew(home: xbmcgui.Window) -> None:
    home.setProperty(STARTING, lease(OPENING, timing.OPENING_LEASE))


def _handed_over(home: xbmcgui.Window) -> bool:
    """False while another play holds the guard, or none does."""
    return home.getProperty(STARTING).startswith(OPENING + " ")
