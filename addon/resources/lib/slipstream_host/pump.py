"""The main thread's one way to wait: inside Kodi's waitForAbort, where its callbacks arrive."""

from __future__ import annotations

import time
from typing import Callable

import xbmc

from . import timing


class Pump:
    def __init__(
        self, monitor: xbmc.Monitor, on_tick: Callable[[], None], pace: Callable[[], float] = lambda: timing.TICK
    ) -> None:
        """pace gives the seconds until the next tick."""
        self._monitor = monitor
        self._on_tick = on_tick
        self._pace = pace

    def wait(self, seconds: float) -> bool:
        """True as soon as Kodi wants us gone, else False after the time. Ticks all the while."""
        end = time.monotonic() + seconds
        while True:
            self._on_tick()
            remaining = end - time.monotonic()
            if remaining <= 0:
                return self._monitor.abortRequested()
            if self._monitor.waitForAbort(min(self._pace(), remaining)):
                return True
