"""The main thread's loop. It waits only inside Kodi's waitForAbort, where Kodi's callbacks arrive."""

from __future__ import annotations

import time
from typing import Callable

import xbmc

from .. import timing

# MainLoop.wait: waits for so many seconds. True when Kodi wants us to exit.
Wait = Callable[[float], bool]


class MainLoop:
    def __init__(
        self, monitor: xbmc.Monitor, on_tick: Callable[[], None], tick_interval: Callable[[], float] = lambda: timing.TICK
    ) -> None:
        """on_tick runs after each tick_interval() seconds."""
        self._monitor = monitor
        self._on_tick = on_tick
        self._tick_interval = tick_interval

    def wait(self, seconds: float) -> bool:
        """Runs the loop for so many seconds. True as soon as Kodi wants us to exit, False when the time is over."""
        end = time.monotonic() + seconds
        while True:
            self._on_tick()
            remaining = end - time.monotonic()
            if remaining <= 0:
                return self._monitor.abortRequested()
            if self._monitor.waitForAbort(min(self._tick_interval(), remaining)):
                return True
