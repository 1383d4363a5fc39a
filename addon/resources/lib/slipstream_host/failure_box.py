"""Kodi's modal box about a failed playback.

While it is up, another play would make Kodi abort itself: slipstream.failure-box is kept true for that time (guard.py).
And Kodi shows it for a failure of ours, which was told already or was the person's own cancel: that one is closed.
"""

from __future__ import annotations

import time
from typing import Optional

import xbmc
import xbmcgui

from . import timing
from .guard import FAILURE_BOX, NOTHING, STARTING, is_being_made_ready, lease, live
from .kodi.properties import HOME_WINDOW
from .own_stream import is_own_stream

_BOX_IS_UP = "Window.IsActive(okdialog)"
_CLOSE = "Dialog.Close(okdialog,true)"
# What the window in front says if it is the box: the id of a control, the same in every skin, and of Kodi's text.
_WORDS = (("Control.GetLabel(1)", 16026), ("Control.GetLabel(9)", 16027))


class FailureBox:
    """Looks at the GUI only after a stop that no picture preceded, and after an answer of ours that was none."""

    def __init__(self, pictured: bool = False) -> None:
        self._pictured = pictured
        # Until when the box may still appear, or close; None: not watching.
        self._until: Optional[float] = None
        self._look_at = 0.0
        # Until when a box that appears is about a failure of ours. From the tick on that follows the first one after
        # the failure: Kodi's events of that very play arrive between the two.
        self._ours_until = 0.0
        self._failed = False
        self._refused = False
        # It was in front at the last tick.
        self._found = False
        # While a play of ours is made ready, its answer may come at any moment.
        self._alert = False

    def hear(self, kind: str, file: str = "") -> None:
        """A player event."""
        if kind == "started":
            self._pictured = False
            if file and not is_own_stream(file):
                self._failed = False
                self.another_opened()
        elif kind == "av-started":
            self._pictured = True
        elif not self._pictured:
            self._expect(timing.BOX_APPEARS)
        if kind in ("stopped", "ended", "error"):
            self._pictured = False

    def refused(self) -> None:
        """The proxy has refused a stream, so what Kodi says of it is ours. From any thread."""
        self._refused = True

    def another_opened(self) -> None:
        """From here on a box may be about what somebody else has started."""
        self._ours_until = 0.0

    def is_near(self) -> bool:
        """Whether it is up, or may come up: no play of ours may begin."""
        return self._until is not None

    def may_be_up(self) -> None:
        """Somebody has seen a box."""
        self._expect(timing.BOX_APPEARS)

    def expects_ours(self) -> bool:
        return self._failed or time.monotonic() < self._ours_until

    def pace(self) -> float:
        """Seconds until the next tick."""
        return timing.BOX_LOOK if self._alert or self.expects_ours() else timing.TICK

    def tick(self) -> None:
        now = time.monotonic()
        home = xbmcgui.Window(HOME_WINDOW)
        if not self.expects_ours():
            self._alert = is_being_made_ready(home.getProperty(STARTING))
        if self._failed:
            self._ours_until = now + timing.BOX_OURS
        self._failed = self._has_failed(home)
        if now < self._ours_until:
            self._close_ours()
        else:
            self._found = False
        if self._until is None or now < self._look_at:
            return
        self._look_at = now + timing.BOX_POLL
        if xbmc.getCondVisibility(_BOX_IS_UP):
            self._expect(timing.BOX_CLOSES)
        elif now >= self._until:
            self.clear()

    def clear(self) -> None:
        self._until = None
        xbmcgui.Window(HOME_WINDOW).clearProperty(FAILURE_BOX)

    def _has_failed(self, home: xbmcgui.Window) -> bool:
        """Since the last tick. The plugin process that answered nothing left a notice of it, and is about to end."""
        refused, self._refused = self._refused, False
        notice = home.getProperty(NOTHING)
        if notice:
            home.clearProperty(NOTHING)
        return refused or live(notice)

    def _close_ours(self) -> None:
        """At the tick after the one that finds it: what it is about may be told in between. Each look waits for the GUI,
        so there are few."""
        if self._found:
            xbmc.executebuiltin(_CLOSE)
            self._expect(timing.BOX_CLOSES)
        self._found = not self._found and all(
            xbmc.getInfoLabel(label) == xbmc.getLocalizedString(text) for label, text in _WORDS
        )

    def _expect(self, seconds: float) -> None:
        """It is up, or may be within that time."""
        now = time.monotonic()
        self._until = max(self._until or 0.0, now + seconds)
        self._look_at = now + timing.BOX_POLL
        xbmcgui.Window(HOME_WINDOW).setProperty(FAILURE_BOX, lease("box", timing.BOX_LEASE))
