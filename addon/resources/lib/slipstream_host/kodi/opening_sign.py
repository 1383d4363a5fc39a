"""A strip in the corner of the screen while Kodi opens a film. It takes no key, so Back and Stop reach Kodi."""

from __future__ import annotations

from typing import Optional

import xbmcgui

from ..messages import NAME, OPENING


class OpeningSign:
    def __init__(self) -> None:
        self._strip: Optional[xbmcgui.DialogProgressBG] = None

    def show(self) -> None:
        if self._strip is None:
            self._strip = xbmcgui.DialogProgressBG()
            self._strip.create(NAME, OPENING)

    def close(self) -> None:
        if self._strip is not None:
            self._strip.close()
            self._strip = None
