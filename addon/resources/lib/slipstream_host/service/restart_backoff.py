"""Pauses before a crashed engine is restarted, and before the next try once restarting was given up."""

from __future__ import annotations

from typing import List, Optional

from .. import timing


class RestartBackoff:
    def __init__(self) -> None:
        self._crashes: List[float] = []

    def next_pause(self, now: float) -> Optional[float]:
        """To be called upon each crash. The pause in seconds before the restart; None after too many crashes within a
        minute: give up."""
        self._crashes = [crash for crash in self._crashes if now - crash < timing.RESTART_WINDOW] + [now]
        count = len(self._crashes)
        return timing.RESTART_PAUSES[count - 1] if count <= len(timing.RESTART_PAUSES) else None


class GiveUpBackoff:
    """Restarting is tried again later, because what crashes the engine may pass: another program's memory or port, or
    an update of Node.js."""

    def __init__(self) -> None:
        self._pause = timing.GIVE_UP_PAUSE
        self._restarted_at = 0.0

    def next_pause(self, now: float) -> float:
        """To be called upon each giving up. The seconds until the next try."""
        if now - self._restarted_at > timing.GIVE_UP_LONGEST:
            self._pause = timing.GIVE_UP_PAUSE
        pause = self._pause
        self._pause = min(2 * pause, timing.GIVE_UP_LONGEST)
        self._restarted_at = now + pause
        return pause
