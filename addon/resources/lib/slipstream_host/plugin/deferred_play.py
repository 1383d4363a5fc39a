"""What a plugin process does after its play was refused.

It waits until the service has taken the play over, or tells the person why the film does not start.

A play is refused while Kodi's failure box is up or may come up, or while the film before it in a playlist is still
being opened. A call that Kodi waits for must not wait for that: it is answered first, and the service starts the play
later (service/deferred_plays.py). Kodi does not wait for a call without a handle, so such a call waits here. Import
this module only after the answer.
"""

from __future__ import annotations

import time

import xbmc

from .. import messages, timing
from ..kodi import toast
from ..kodi.busy_dialog import is_busy_dialog_up
from ..kodi.events import PlayerEvents, ServiceMonitor
from ..playback_lock import PlaybackLock


def wait_until_taken(lock: PlaybackLock) -> None:
    """Returns when the service has taken the deferred play. If it does not, withdraws the play and tells the person."""
    monitor = xbmc.Monitor()
    end = time.monotonic() + timing.DEFERRED_PLAY_TAKEN
    while lock.is_deferred():
        if time.monotonic() >= end:
            lock.withdraw_deferred()
            show_refusal(lock)
        elif monitor.waitForAbort(timing.TICK):
            lock.withdraw_deferred()


def show_refusal(lock: PlaybackLock) -> None:
    """Tells the person why the film does not start."""
    if lock.is_starting():
        toast.show(messages.STILL_STARTING)
    elif lock.is_box_in_front():
        toast.show(messages.BOX_OPEN)
    else:
        toast.show(messages.JUST_FAILED)


def wait_until_failure_box_is_gone(lock: PlaybackLock) -> bool:
    """True once the failure box is gone and cannot come up any more. False when something else was started meanwhile,
    when Kodi ends, or when the box stays up too long, which the person is told."""
    other_starts = _OtherStarts()
    end = time.monotonic() + timing.DEFERRED_PLAY_LONGEST
    while lock.is_failure_box_up() or is_busy_dialog_up():
        if other_starts.wait() or lock.is_starting():
            return False
        if time.monotonic() >= end:
            show_refusal(lock)
            return False
    return True


class _OtherStarts:
    """Notices what the person starts meanwhile. To be made on the main thread."""

    def __init__(self) -> None:
        self._started = False
        self._monitor = ServiceMonitor(lambda: None, lambda: None, self._on_start)
        self._player = PlayerEvents(lambda kind, file, time: self._on_player(kind))

    def wait(self) -> bool:
        """Waits one tick. True when something was started, or when Kodi wants us to exit."""
        return self._monitor.waitForAbort(timing.TICK) or self._started

    def _on_player(self, kind: str) -> None:
        if kind == "started":
            self._on_start()

    def _on_start(self) -> None:
        self._started = True
