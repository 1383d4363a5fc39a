"""Playing a film again, for the service: from where it broke off, or from where it was when the add-on was updated."""

from __future__ import annotations

from typing import Dict

import xbmc
import xbmcgui

from . import ADDON_ID
from .guard import Guard
from .jsonrpc import INVALID_PARAMS, REFUSED, Method, Params, Refusal, at_once
from .kodi.items import list_item, start_at
from .kodi.properties import HOME_WINDOW
from .kodi.watching import PlayerEvents
from .params import mapping, number, text

# Another add-on's film may be on its way too, which no guard of ours tells.
_IS_OPENING = "Window.IsActive(busydialog)"
_STREAM = "http://127.0.0.1:"
_BUSY = "another film is starting"
_CALL = "plugin://%s/play?" % ADDON_ID


class Replay:
    def __init__(self, player: PlayerEvents) -> None:
        self._player = player

    def methods(self) -> Dict[str, Method]:
        return {"player.state": at_once(lambda _: self._player.state()), "player.play": at_once(self._play)}

    def _play(self, params: Params) -> bool:
        url, position, item = text(mapping(params, "item"), "url"), number(params, "position"), list_item(params)
        if not url.startswith((_STREAM, _CALL)):
            raise Refusal(INVALID_PARAMS, "url is none of ours")
        guard = Guard(xbmcgui.Window(HOME_WINDOW))
        if guard.busy() or xbmc.getCondVisibility(_IS_OPENING):
            raise Refusal(REFUSED, _BUSY)
        # A plugin call takes the guard by itself.
        if url.startswith(_STREAM):
            if not guard.claim():
                raise Refusal(REFUSED, _BUSY)
            guard.hand_over()
        start_at(item, position)
        self._player.play(url, item)
        return True
