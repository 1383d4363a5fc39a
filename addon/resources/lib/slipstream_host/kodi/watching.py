"""Kodi's own events. Both objects must be made on the main thread, where their callbacks then arrive."""

from __future__ import annotations

from typing import Callable

import xbmc

from ..jsonrpc import Params


class SettingsMonitor(xbmc.Monitor):
    def __init__(self, on_settings: Callable[[], None]) -> None:
        super().__init__()
        self._on_settings = on_settings

    def onSettingsChanged(self) -> None:
        self._on_settings()


class PlayerEvents(xbmc.Player):
    def __init__(self, on_event: Callable[[str, str], None]) -> None:
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

    def present(self) -> Params:
        """The player's state as the event that would have led to it."""
        file = self._file()
        return {"kind": "started" if file else "stopped", "file": file}

    def _hear(self, kind: str) -> None:
        self._on_event(kind, self._file())

    def _file(self) -> str:
        # Asked first, because Kodi logs an error of its own when it holds nothing any more.
        try:
            return self.getPlayingFile() if self.isPlaying() else ""
        except RuntimeError:  # It ended in between.
            return ""
