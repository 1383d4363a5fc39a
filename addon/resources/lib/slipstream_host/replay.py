"""Playing a film again, for the service: from where it broke off, or from where it was when the add-on was updated."""

from __future__ import annotations

from typing import Callable, Dict

import xbmc
import xbmcgui

from . import ADDON_ID
from .guard import Guard
from .jsonrpc import INVALID_PARAMS, REFUSED, Method, Params, Refusal, at_once
from .kodi import playlist
from .kodi.busy import film_is_opening
from .kodi.in_place import InPlace
from .kodi.items import list_item, start_at
from .kodi.properties import HOME_WINDOW
from .kodi.watching import PlayerEvents
from .params import mapping, number, objects, text

_STREAM = "http://127.0.0.1:"
_BUSY = "another film is starting"
_CALL = "plugin://%s/play?" % ADDON_ID
_RECALL = "slipstream.recall"


class Replay:
    def __init__(self, player: PlayerEvents) -> None:
        self._player = player
        self._place = InPlace(player)

    def hear(self, kind: str) -> None:
        """A player event."""
        self._place.hear(kind)

    def methods(self) -> Dict[str, Method]:
        return {
            "player.state": at_once(lambda _: self._player.state()),
            "player.play": at_once(self._play),
            "player.stop": at_once(self._stop),
            "playlist.fill": at_once(_fill),
        }

    def _play(self, params: Params) -> bool:
        url, position, item = text(mapping(params, "item"), "url"), number(params, "position"), list_item(params)
        following = objects(params, "following")
        if not url.startswith((_STREAM, _CALL)):
            raise Refusal(INVALID_PARAMS, "url is none of ours")
        home = xbmcgui.Window(HOME_WINDOW)
        guard = Guard(home)
        if guard.busy() or film_is_opening():
            raise Refusal(REFUSED, _BUSY)
        start_at(item, position)

        def play() -> None:
            self._place.play(url, item, following)

        if url.startswith(_STREAM):
            _play_guarded(play, guard)
        else:
            _play_recalled(play, text(params, "recall"), home)
        return True

    def _stop(self, params: Params) -> bool:
        state = self._player.state()
        if state is not None and state["file"] == text(params, "file"):
            # Not Player.stop, which waits for Kodi.
            xbmc.executebuiltin("PlayerControl(Stop)")
        return True


def _play_guarded(play: Callable[[], None], guard: Guard) -> None:
    if not guard.claim():
        raise Refusal(REFUSED, _BUSY)
    try:
        guard.hand_over(play)
    except Exception:
        guard.release()
        raise


def _play_recalled(play: Callable[[], None], recall: str, home: xbmcgui.Window) -> None:
    """The call takes the guard by itself, and must know that nobody has pressed anything."""
    home.setProperty(_RECALL, recall)
    try:
        play()
    except Exception:
        # Else the next call, a person's, would go unasked.
        home.clearProperty(_RECALL)
        raise


def _fill(params: Params) -> bool:
    entries = objects(params, "entries")
    # A list that the person has made meanwhile stays as it is.
    if xbmc.PlayList(xbmc.PLAYLIST_VIDEO).size() == 0:
        playlist.fill(entries)
    return True
