"""Pings the service's engine, and tells when it hangs."""

from __future__ import annotations

import time

from .. import timing
from ..bridge.jsonrpc import Peer
from ..kodi.addon_info import kodi_language


class Heartbeat:
    """Counts unanswered pings, and not seconds: a machine that slept, or a Kodi that held up the host itself, must not
    look like a hung engine."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer
        self._ping_at = 0.0
        self._answered = True
        self._missed = 0
        self._allowed = timing.MISSED_PINGS_AT_START
        self._ask_language_at = 0.0
        self._known_language = ""

    def is_hung(self) -> bool:
        """Whether too many pings in a row went unanswered. To be called often: it also sends the pings when they are
        due."""
        now = time.monotonic()
        if now < self._ping_at:
            return False
        self._ping_at = now + timing.PING
        if self._answered:
            self._missed = 0
            self._answered = False
            self._peer.request("ping", {"language": self._language(now)}, self._on_answer)
            return False
        # While the host runs a call of the engine, the answer waits behind that call.
        if not self._peer.busy:
            self._missed += 1
        return self._missed >= self._allowed

    def _language(self, now: float) -> str:
        """Kodi sends no event when a person changes its language, so it is asked for now and then."""
        if now >= self._ask_language_at:
            self._ask_language_at = now + timing.LANGUAGE_CHECK
            self._known_language = kodi_language()
        return self._known_language

    def _on_answer(self) -> None:
        self._answered = True
        self._allowed = timing.MISSED_PINGS
