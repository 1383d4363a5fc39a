"""One play at a time.

A second plugin:// open during a first one, or while Kodi's failure box is up, makes Kodi abort itself unless it is
answered within about 100 ms. So the answer comes from home-window properties alone, and this module imports nothing
that takes time.
"""

from __future__ import annotations

import math
import os
import time

import xbmcgui

from . import timing

STARTING = "slipstream.starting"
FAILURE_BOX = "slipstream.failure-box"

# Who holds the guard once the film was handed over; the service lets it go (opening.py).
OPENING = "opening"

# A deadline further ahead than any lease is damage, not a lock.
_LONGEST_LEASE = 60.0


def lease(holder: str, seconds: float) -> str:
    """The value of a guarding property: who holds it, and until when on the clock that all of Kodi shares."""
    return "%s %.3f" % (holder, time.monotonic() + seconds)


def live(value: str) -> bool:
    """Whether a guarding property's holder is still alive. Anything unreadable is not."""
    try:
        remaining = float(value.split(" ", 1)[1]) - time.monotonic()
    except (IndexError, ValueError):
        return False
    return 0 < remaining < _LONGEST_LEASE


class Guard:
    """Claims and holds slipstream.starting for this process."""

    def __init__(self, home: xbmcgui.Window) -> None:
        self._home = home
        self._nonce = os.urandom(8).hex()
        self._renew_at = math.inf
        self._claimed = False
        self._handed_over = False

    def box_open(self) -> bool:
        return live(self._home.getProperty(FAILURE_BOX))

    def busy(self) -> bool:
        """Whether another play is starting, or Kodi's failure box is up. Reads two properties and nothing else."""
        return live(self._home.getProperty(STARTING)) or self.box_open()

    def claim(self) -> bool:
        """Takes the guard; False when another process took it in the same moment."""
        self._write()
        return self.held()

    def held(self) -> bool:
        return self._home.getProperty(STARTING).startswith(self._nonce + " ")

    def lost(self) -> bool:
        """Whether another play took the guard before our film was handed over: of two that claimed in the same
        instant, the slower one was last to write, and only that one goes on."""
        value = self._home.getProperty(STARTING)
        ours = value.startswith(self._nonce + " ")
        # Asked last: a hand-over that the value already shows is remembered by now.
        return self._claimed and not ours and live(value) and not self._handed_over

    def renew(self) -> None:
        """To be called often; keeps a held guard from going stale."""
        if time.monotonic() >= self._renew_at and self.held():
            self._write()

    def hand_over(self) -> None:
        """To be called right before the film is given to Kodi, which opens it while this process ends."""
        if self.held():
            self._handed_over = True
            self._home.setProperty(STARTING, lease(OPENING, timing.OPENING_LEASE))

    def release(self) -> None:
        """Nothing comes of this play. Whoever takes the guard from here on takes it from nobody."""
        if self.held():
            self._claimed = False
            self._home.clearProperty(STARTING)

    def _write(self) -> None:
        self._claimed = True
        self._renew_at = time.monotonic() + timing.GUARD_RENEW
        self._home.setProperty(STARTING, lease(self._nonce, timing.GUARD_LEASE))
