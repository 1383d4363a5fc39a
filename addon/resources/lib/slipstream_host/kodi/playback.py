"""Starts playback with Player.play, for calls that have no handle to answer."""

from __future__ import annotations

from typing import Callable, Dict

import xbmc

from ..bridge.jsonrpc import Method, Params, sync_method
from ..bridge.params import mapping, text
from .list_items import list_item


class Playback:
    """To be made on the main thread, as every xbmc.Player."""

    def __init__(self, hand_over: Callable[[Callable[[], None]], None]) -> None:
        """hand_over is given a function that gives Kodi the film, and calls it (PlaybackLock.hand_over)."""
        self._hand_over = hand_over
        self._player = xbmc.Player()

    def methods(self) -> Dict[str, Method]:
        return {"play": sync_method(self._play)}

    def _play(self, params: Params) -> bool:
        url, item = text(mapping(params, "item"), "url"), list_item(params)
        self._hand_over(lambda: self._player.play(url, item))
        return True
