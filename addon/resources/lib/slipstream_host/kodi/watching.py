"""Kodi's own events. Both objects must be made on the main thread, where their callbacks then arrive."""

from __future__ import annotations

import json
from typing import Callable, Optional, cast

import xbmc

from ..jsonrpc import Params


class ServiceMonitor(xbmc.Monitor):
    def __init__(
        self, on_settings: Callable[[], None], on_over: Callable[[], None], on_queued: Callable[[], None]
    ) -> None:
        super().__init__()
        self._on_settings = on_settings
        self._on_over = on_over
        self._on_queued = on_queued

    def onSettingsChanged(self) -> None:
        self._on_settings()

    def onNotification(self, sender: str, method: str, data: str) -> None:
        """A film that was read to its end: within a playlist the player's own event comes only with the next film. And
        one that was queued, as is what is chosen in a list."""
        if sender == "xbmc" and method == "Player.OnStop" and _is_end(data):
            self._on_over()
        if sender == "xbmc" and method == "Playlist.OnAdd":
            self._on_queued()


def _is_end(data: str) -> bool:
    try:
        found: object = json.loads(data)
    except ValueError:
        return False
    return isinstance(found, dict) and cast(Params, found).get("end") is True


class PlayerEvents(xbmc.Player):
    """Tells what the player does: the kind of event, what the player holds, and for a seek the second it goes to."""

    def __init__(self, on_event: Callable[[str, str, Optional[float]], None]) -> None:
        super().__init__()
        self._on_event = on_event

    def onPlayBackStarted(self) -> None:
        self._hear("started")

    def onAVStarted(self) -> None:
        self._hear("av-started")

    def onPlayBackStopped(self) -> None:
        self._hear("stopped")

    def onPlayBackEnded(self) -> None:
        self._hear("ended")

    def onPlayBackError(self) -> None:
        self._hear("error")

    def onPlayBackSeek(self, time: int, seekOffset: int) -> None:
        self._on_event("seek", self._file(), time / 1000)

    def state(self) -> Optional[Params]:
        """Where the player stands; None while it plays nothing. Not getPlayingItem: that shares Kodi's own object, and
        reading it while Kodi changed it ended Kodi."""
        try:
            file = self._file()
            return {"file": file, "time": self.getTime(), "duration": self.getTotalTime()} if file else None
        except RuntimeError:  # It ended in between.
            return None

    def present(self) -> Params:
        """The player's state as the event that would have led to it."""
        file = self._file()
        return {"kind": "started" if file else "stopped", "file": file}

    def _hear(self, kind: str) -> None:
        self._on_event(kind, self._file(), None)

    def _file(self) -> str:
        # Asked first, because Kodi logs an error of its own when it holds nothing any more.
        try:
            return self.getPlayingFile() if self.isPlaying() else ""
        except RuntimeError:  # It ended in between.
            return ""
