"""What becomes of a play that was refused because of Kodi's box about a failed playback, or because it might come up; or
of one of a playlist, because the film before it was still being opened.

A call that Kodi waits for cannot wait itself: it was answered, and the service starts the play again (again.py). Kodi
waits for no call without a handle, so that one waits here. Nothing of this is imported before an answer was given.
"""

from __future__ import annotations

import time

import xbmc

from . import messages, timing
from .guard import Guard
from .kodi import toast
from .kodi.busy import film_is_opening
from .kodi.watching import PlayerEvents, ServiceMonitor


def see_to_it(guard: Guard) -> None:
    """Until the service has taken over what was left to it. Without one that does, the person is told."""
    monitor = xbmc.Monitor()
    end = time.monotonic() + timing.PUT_OFF
    while guard.is_put_off():
        if time.monotonic() >= end:
            guard.take_back()
            tell(guard)
        elif monitor.waitForAbort(timing.TICK):
            guard.take_back()


def tell(guard: Guard) -> None:
    """Why nothing came of a play."""
    if guard.is_starting():
        toast.show(messages.STILL_STARTING)
    elif guard.meets_box():
        toast.show(messages.BOX_OPEN)
    else:
        toast.show(messages.JUST_FAILED)


def waited(guard: Guard) -> bool:
    """Until the box is gone, or can come up no more. False when the person has started something else by then, when they
    leave the box up, which they are told, or when Kodi ends."""
    others = _Others()
    end = time.monotonic() + timing.AGAIN_LONGEST
    while guard.box_open() or film_is_opening():
        if others.wait() or guard.is_starting():
            return False
        if time.monotonic() >= end:
            tell(guard)
            return False
    return True


class _Others:
    """What the person starts meanwhile. To be made on the main thread."""

    def __init__(self) -> None:
        self._came = False
        self._monitor = ServiceMonitor(lambda: None, lambda: None, self._comes)
        self._player = PlayerEvents(lambda kind, file, time: self._hear(kind))

    def wait(self) -> bool:
        """True when something was started, or Kodi wants us gone."""
        return self._monitor.waitForAbort(timing.TICK) or self._came

    def _hear(self, kind: str) -> None:
        if kind == "started":
            self._comes()

    def _comes(self) -> None:
        self._came = True
