"""Whether the service's engine still answers."""

from __future__ import annotations

import time

from . import timing
from .jsonrpc import Peer


class Pulse:
    """Counts unanswered pings instead of seconds: a machine that slept, or a Kodi that held up the host itself, must
    not look like a hung engine."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer
        self._ping_at = 0.0
        self._answered = True
        self._missed = 0
        self._allowed = timing.MISSED_PINGS_AT_START

    def hung(self) -> bool:
        """To be asked often; pings when it is time to."""
        now = time.monotonic()
        if now < self._ping_at:
            return False
        self._ping_at = now + timing.PING
        if self._answered:
            self._missed = 0
            self._answered = False
            self._peer.request("ping", {}, self._on_answer)
            return False
        # While the host carries out a call, the engine's answer waits behind it.
        if not self._peer.busy:
            self._missed += 1
        return self._missed >= self._allowed

    def _on_answer(self) -> None:
        self._answered = True
        self._allowed = timing.MISSED_PINGS
