"""Kodi's events. Both classes must be made on the main thread, where their callbacks then arrive."""

from __future__ import annotations

import json
from typing import Callable, Optional, cast

import xbmc

from ..bridge.jsonrpc import Params


class ServiceMonitor(xbmc.Monitor):
    def __init__(
        self, on_settings: Callable[[], None], on_film_end: Callable[[], None], on_queued: Callable[[], None]
    ) -> None:
        super().__init__()
        self._on_settings = on_settings
        self._on_film_end = on_film_end
        self._on_queued = on_queued

    def onSettingsChanged(self) -> None:
        self._on_settings()

    def onNotification(self, sender: str, method: str, data: str) -> None:
        """Hears of a film that was read to its end, for which the player's own event comes only with the next film of a
        playlist; and of an item that was added to a playlist, as each item is that a person chooses in a list."""
        if sender == "xbmc" and method == "Player.OnStop" and _is_end(data):
            self._on_film_end()
        if sender == "xbmc" and method == "Playlist.OnAdd":
            self._on_queued()


def _is_end(data: str) -> bool:
    try:
        found: object = json.loads(data)
    except ValueError:
        return False
    return isinstance(found, dict) and cast(Params, found).get("end") is True


class PlayerEvents(xbmc.Player):
    """Calls on_event with the kind of a player event, the file that the player holds, and for a seek its target in
    seconds."""

    def __init__(self, on_event: Callable[[str, str, Optional[float]], None]) -> None:
        super().__init__()
        self._on_event = on_event

    def onPlayBackStarted(self) -> None:
        self._on_kind("started")

    def onAVStarted(self) -> None:
        self._on_kind("av-started")

    def onPlayBackStopped(self) -> None:
        self._on_kind("stopped")

    def onPlayBackEnded(self) -> None:
        self._on_kind("ended")

    def onPlayBackError(self) -> None:
        self._on_kind("error")

    def onPlayBackSeek(self, time: int, seekOffset: int) -> None:
        self._on_event("seek", self._file(), time / 1000)

    def state(self) -> Optional[Params]:
        """The file, the time and the duration in seconds; None while nothing plays. Not by getPlayingItem, which shares
        Kodi's own object: reading it while Kodi changed it crashed Kodi."""
        try:
            file = self._file()
            return {"file": file, "time": self.getTime(), "duration": self.getTotalTime()} if file else None
        except RuntimeError:  # Playback ended in between.
            return None

    def current_event(self) -> Params:
        """The player's state, as the event that leads to it."""
        file = self._file()
        return {"kind": "started" if file else "stopped", "file": file}

    def _on_kind(self, kind: str) -> None:
        self._on_event(kind, self._file(), None)

    def _file(self) -> str:
        # Without isPlaying() first, Kodi logs an error when nothing plays.
        try:
            return self.getPlayingFile() if self.isPlaying() else ""
        except RuntimeError:  # Playback ended in between.
            return ""
