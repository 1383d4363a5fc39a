"""Shows Kodi's background progress in a corner of the screen while a film opens. It takes no key, so that Back and Stop
reach Kodi."""

from __future__ import annotations

from typing import Optional

import xbmcgui

from ..messages import NAME, OPENING


class OpeningIndicator:
    def __init__(self) -> None:
        self._progress: Optional[xbmcgui.DialogProgressBG] = None

    def show(self) -> None:
        if self._progress is None:
            self._progress = xbmcgui.DialogProgressBG()
            self._progress.create(NAME, OPENING)

    def close(self) -> None:
        if self._progress is not None:
            self._progress.close()
            self._progress = None
