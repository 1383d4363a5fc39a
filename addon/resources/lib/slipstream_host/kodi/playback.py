"""Player.play, for calls that have no handle to answer."""

from __future__ import annotations

from typing import Callable, Dict

import xbmc

from ..jsonrpc import Method, Params, at_once
from ..params import mapping, text
from .items import list_item


class Playback:
    """To be made on the main thread, as every Player."""

    def __init__(self, hand_over: Callable[[Callable[[], None]], None]) -> None:
        """hand_over calls what it is given, which gives Kodi the film."""
        self._hand_over = hand_over
        self._player = xbmc.Player()

    def methods(self) -> Dict[str, Method]:
        return {"play": at_once(self._play)}

    def _play(self, params: Params) -> bool:
        url, item = text(mapping(params, "item"), "url"), list_item(params)
        self._hand_over(lambda: self._player.play(url, item))
        return True
