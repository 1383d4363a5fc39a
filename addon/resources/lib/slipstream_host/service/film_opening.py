"""Holds the playback lock while Kodi opens a film of ours, and shows that the film opens.

Kodi opens a film under its busy dialog and goes on taking calls, so that another play during that time would abort Kodi
as one during the resolve does. The plugin process has ended by then. And when Kodi opens a URL of ours that it has kept
in the row of a list, or over a sleep, it calls no add-on at all. So the service watches the player.
"""

from __future__ import annotations

import math
import time

import xbmcgui

from .. import timing
from ..kodi.busy_dialog import is_busy_dialog_up
from ..kodi.opening_indicator import OpeningIndicator
from ..shared_properties import HOME_WINDOW, OPENING, STARTING, is_live, is_opening, lease
from .own_stream_url import is_own_stream_url


class FilmOpening:
    """Takes the playback lock for a stream of ours that Kodi opens by itself, and releases the lock of any film of ours
    once Kodi has opened it, or has failed to."""

    def __init__(self) -> None:
        self._is_opening = False
        self._is_locked = False
        # While the film opens the lock is renewed, but not for ever: a picture may never come.
        self._renew_at = math.inf
        self._renew_until = 0.0
        self._is_over = False
        self._has_picture = False
        self._indicator = OpeningIndicator()

    def on_player(self, kind: str, file: str) -> None:
        """Handles a player event. The stop of a film that had its picture does not end the opening of the next one."""
        if kind == "started":
            self._begin(file)
            return
        if kind == "av-started":
            self._has_picture = self._is_opening and self._is_locked
        elif self._is_opening:
            # From here on FAILURE_BOX keeps other plays from starting.
            self._is_over = True
        self._is_opening = False
        self._indicator.close()
        # Not at the next tick: until then a playlist that goes on would be refused.
        self.tick()

    def _begin(self, file: str) -> None:
        self._is_opening = True
        # A release that was due for the film before would hit this film's lock.
        self._is_over = self._has_picture = False
        self._renew_at = time.monotonic()
        self._renew_until = self._renew_at + timing.OPENING_LONGEST
        home = xbmcgui.Window(HOME_WINDOW)
        if is_own_stream_url(file) and not is_live(home.getProperty(STARTING)):
            _renew(home)
        # The lock of another play stays that play's.
        self._is_locked = is_opening(home.getProperty(STARTING)) and is_live(home.getProperty(STARTING))
        if self._is_locked:
            self._indicator.show()
        else:
            self._indicator.close()

    def tick(self) -> None:
        now = time.monotonic()
        # On a busy machine Kodi closes its busy dialog later than the picture comes.
        if self._is_over or (self._has_picture and not is_busy_dialog_up()):
            self._release()
        elif self._is_opening and now >= self._renew_until:
            self._indicator.close()
        elif self._is_opening and self._is_locked and self._renew_at <= now:
            self._renew_at = now + timing.LOCK_RENEWAL
            home = xbmcgui.Window(HOME_WINDOW)
            if is_opening(home.getProperty(STARTING)):
                _renew(home)

    def _release(self) -> None:
        self._is_over = self._has_picture = False
        home = xbmcgui.Window(HOME_WINDOW)
        if is_opening(home.getProperty(STARTING)):
            home.clearProperty(STARTING)

    def close(self) -> None:
        """To be called when the service ends."""
        self._indicator.close()


def _renew(home: xbmcgui.Window) -> None:
    home.setProperty(STARTING, lease(OPENING, timing.OPENING_LEASE))
