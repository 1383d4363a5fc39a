"""Controls Kodi's player for the service: its state, playing a film again from a position, and stopping a film."""

from __future__ import annotations

from typing import Callable, Dict

import xbmc
import xbmcgui

from .. import ADDON_ID
from ..bridge.jsonrpc import INVALID_PARAMS, REFUSED, Method, Params, RpcError, sync_method
from ..bridge.params import mapping, number, objects, text
from ..kodi import playlist
from ..kodi.busy_dialog import is_busy_dialog_up
from ..kodi.events import PlayerEvents
from ..kodi.list_items import list_item, start_at
from ..kodi.playlist_player import PlaylistPlayer
from ..playback_lock import PlaybackLock
from ..shared_properties import HOME_WINDOW

_STREAM = "http://127.0.0.1:"
_PLAY_CALL = "plugin://%s/play?" % ADDON_ID
_REPLAY_REQUEST = "slipstream.recall"
_BUSY = "another film is starting"


class PlayerControl:
    def __init__(self, player: PlayerEvents) -> None:
        self._player = player
        self._playlist_player = PlaylistPlayer(player)

    def on_player(self, kind: str) -> None:
        """Handles a player event."""
        self._playlist_player.on_player(kind)

    def methods(self) -> Dict[str, Method]:
        return {
            "player.state": sync_method(lambda _: self._player.state()),
            "player.play": sync_method(self._play),
            "player.stop": sync_method(self._stop),
            "playlist.fill": sync_method(_fill),
        }

    def _play(self, params: Params) -> bool:
        url, position, item = text(mapping(params, "item"), "url"), number(params, "position"), list_item(params)
        following = objects(params, "following")
        if not url.startswith((_STREAM, _PLAY_CALL)):
            raise RpcError(INVALID_PARAMS, "url is none of ours")
        home = xbmcgui.Window(HOME_WINDOW)
        lock = PlaybackLock(home)
        if lock.is_busy() or is_busy_dialog_up():
            raise RpcError(REFUSED, _BUSY)
        start_at(item, position)

        def play() -> None:
            self._playlist_player.replace_current(url, item, following)

        if url.startswith(_STREAM):
            _play_stream(play, lock)
        else:
            _play_call(play, text(params, "replayRequest"), home)
        return True

    def _stop(self, params: Params) -> bool:
        state = self._player.state()
        if state is not None and state["file"] == text(params, "file"):
            # Not Player.stop, which waits for Kodi.
            xbmc.executebuiltin("PlayerControl(Stop)")
        return True


def _play_stream(play: Callable[[], None], lock: PlaybackLock) -> None:
    if not lock.claim():
        raise RpcError(REFUSED, _BUSY)
    try:
        lock.hand_over(play)
    except Exception:
        lock.release()
        raise


def _play_call(play: Callable[[], None], replay_request: str, home: xbmcgui.Window) -> None:
    """Plays a plugin:// URL of ours. Its call takes the playback lock itself, and learns from the request that no
    person has made it."""
    home.setProperty(_REPLAY_REQUEST, replay_request)
    try:
        play()
    except Exception:
        # Else the next call, which a person makes, would take the request.
        home.clearProperty(_REPLAY_REQUEST)
        raise


def _fill(params: Params) -> bool:
    entries = objects(params, "entries")
    # A playlist that the person has made meanwhile stays as it is.
    if xbmc.PlayList(xbmc.PLAYLIST_VIDEO).size() == 0:
        playlist.append(entries)
    return True
