"""Watches for Kodi's failure box, the modal box about a failed playback.

While it is up, another play would make Kodi abort itself, so FAILURE_BOX is kept set for that time (playback_lock.py).
And Kodi shows it for failures of ours that the person has been told already, or for their own cancel: then it is
closed.
"""

from __future__ import annotations

import time
from typing import Optional

import xbmc
import xbmcgui

from .. import timing
from ..shared_properties import ANSWERED_NOTHING, FAILURE_BOX, HOME_WINDOW, STARTING, is_live, is_preparing, lease
from .own_stream_url import is_own_stream_url

_BOX_IS_UP = "Window.IsActive(okdialog)"
_CLOSE = "Dialog.Close(okdialog,true)"
# The labels of the front window if it is the failure box: controls, whose ids are the same in every skin, and the
# numbers of Kodi's own texts.
_LABELS = (("Control.GetLabel(1)", 16026), ("Control.GetLabel(9)", 16027))


class FailureBoxWatcher:
    """Looks at the GUI only after a stop that no picture preceded, and after we answered "nothing"."""

    def __init__(self, has_picture: bool = False) -> None:
        self._has_picture = has_picture
        # Until when the box may still appear, or close; None: not watching.
        self._until: Optional[float] = None
        self._look_at = 0.0
        # Until when a box that appears is about a failure of ours. Set at the second tick after the failure: before it,
        # Kodi's player events of that play still arrive, which would reset it.
        self._own_until = 0.0
        self._has_failed = False
        self._stream_refused = False
        # The box was in front at the last tick.
        self._found = False
        # While a play of ours is prepared, its answer may come at any moment.
        self._answer_is_near = False

    def on_player(self, kind: str, file: str = "") -> None:
        """Handles a player event."""
        if kind == "started":
            self._has_picture = False
            if file and not is_own_stream_url(file):
                self._has_failed = False
                self.on_other_started()
        elif kind == "av-started":
            self._has_picture = True
        elif not self._has_picture:
            self._expect(timing.BOX_APPEARS)
        if kind in ("stopped", "ended", "error"):
            self._has_picture = False

    def on_stream_refused(self) -> None:
        """The proxy has refused a stream, so a box about that is ours. From any thread."""
        self._stream_refused = True

    def on_other_started(self) -> None:
        """Something that is not ours was started: from now on a box may be about that."""
        self._own_until = 0.0

    def may_be_up(self) -> bool:
        """Whether the box is up or may come up, so that no play of ours may begin."""
        return self._until is not None

    def expect(self) -> None:
        """Another process has seen the box, or expects it."""
        self._expect(timing.BOX_APPEARS)

    def expects_own(self) -> bool:
        return self._has_failed or time.monotonic() < self._own_until

    def tick_interval(self) -> float:
        """Seconds until the next tick."""
        return timing.OWN_BOX_POLL if self._answer_is_near or self.expects_own() else timing.TICK

    def tick(self) -> None:
        now = time.monotonic()
        home = xbmcgui.Window(HOME_WINDOW)
        if not self.expects_own():
            self._answer_is_near = is_preparing(home.getProperty(STARTING))
        if self._has_failed:
            self._own_until = now + timing.OWN_BOX
        self._has_failed = self._take_failure(home)
        if now < self._own_until:
            self._close_own()
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

    def _take_failure(self, home: xbmcgui.Window) -> bool:
        """Whether a play of ours has failed since the last tick, by the notice of its plugin process or by the
        proxy."""
        stream_refused, self._stream_refused = self._stream_refused, False
        notice = home.getProperty(ANSWERED_NOTHING)
        if notice:
            home.clearProperty(ANSWERED_NOTHING)
        return stream_refused or is_live(notice)

    def _close_own(self) -> None:
        """Closes the box at the tick after the one that finds it: an event in between may tell that it is about
        something else. Each look waits for the GUI, so there are few."""
        if self._found:
            xbmc.executebuiltin(_CLOSE)
            self._expect(timing.BOX_CLOSES)
        self._found = not self._found and all(
            xbmc.getInfoLabel(label) == xbmc.getLocalizedString(text) for label, text in _LABELS
        )

    def _expect(self, seconds: float) -> None:
        """The box is up, or may be within that time."""
        now = time.monotonic()
        self._until = max(self._until or 0.0, now + seconds)
        self._look_at = now + timing.BOX_POLL
        xbmcgui.Window(HOME_WINDOW).setProperty(FAILURE_BOX, lease("box", timing.BOX_LEASE))
