"""When a lost engine is replaced, and when replacing is given up."""

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
