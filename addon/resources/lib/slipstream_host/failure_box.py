"""Keeps slipstream.failure-box true while Kodi's modal box about a failed playback is up: another play during that
time would make Kodi abort itself (guard.py)."""

from __future__ import annotations

import time
from typing import Optional

import xbmc
import xbmcgui

from . import timing
from .guard import FAILURE_BOX, lease
from .kodi.properties import HOME_WINDOW

_BOX_IS_UP = "Window.IsActive(okdialog)"


class FailureBox:
    """Looks at the GUI only between a stop that no picture preceded and the end of the box."""

    def __init__(self, pictured: bool = False) -> None:
        self._pictured = pictured
        # Until when the box may still appear, or close; None: not watching.
        self._until: Optional[float] = None
        self._look_at = 0.0

    def hear(self, kind: str) -> None:
        """A player event."""
        if kind == "started":
            self._pictured = False
        elif kind == "av-started":
            self._pictured = True
        elif not self._pictured:
            self._until = time.monotonic() + timing.BOX_APPEARS
            self._look_at = 0.0
            self._raise()
        if kind in ("stopped", "ended", "error"):
            self._pictured = False

    def tick(self) -> None:
        now = time.monotonic()
        if self._until is None or now < self._look_at:
            return
        self._look_at = now + timing.BOX_POLL
        if xbmc.getCondVisibility(_BOX_IS_UP):
            self._until = now + timing.BOX_CLOSES
            self._raise()
        elif now >= self._until:
            self.clear()

    def clear(self) -> None:
        self._until = None
        xbmcgui.Window(HOME_WINDOW).clearProperty(FAILURE_BOX)

    def _raise(self) -> None:
        xbmcgui.Window(HOME_WINDOW).setProperty(FAILURE_BOX, lease("box", timing.BOX_LEASE))
