"""When a lost engine is replaced, when replacing is given up, and when that is tried again."""

from __future__ import annotations

from typing import List, Optional

from . import timing


class Losses:
    def __init__(self) -> None:
        self._times: List[float] = []

    def record(self, now: float) -> Optional[float]:
        """The pause in seconds before the next start; None: too many within a minute, give up."""
        self._times = [time for time in self._times if now - time < timing.LOSS_WINDOW] + [now]
        count = len(self._times)
        return timing.LOSS_PAUSES[count - 1] if count <= len(timing.LOSS_PAUSES) else None


class Retries:
    """What keeps an engine from running may pass: another program's memory or port, an update of Node.js."""

    def __init__(self) -> None:
        self._pause = timing.RETRY
        self._tried = 0.0

    def record(self, now: float) -> float:
        """The engine was given up. The seconds until the next try."""
        if now - self._tried > timing.RETRY_LATEST:
            self._pause = timing.RETRY
        pause = self._pause
        self._pause = min(2 * pause, timing.RETRY_LATEST)
        self._tried = now + pause
        return pause
