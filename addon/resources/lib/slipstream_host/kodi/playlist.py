"""Kodi's playlist of films, as far as a call must know of it: does it go on by itself, and shall it."""

from __future__ import annotations

import json
from typing import Dict

import xbmc

from ..jsonrpc import Method, Params, at_once
from ..params import number
from .watching import PlayerEvents


class Playlist:
    """To be made on the main thread, as every Player. Nothing of it waits for the GUI but `entry`."""

    def __init__(self) -> None:
        self._player = PlayerEvents(lambda kind, file, time: None)
        self._list = xbmc.PlayList(xbmc.PLAYLIST_VIDEO)

    def methods(self) -> Dict[str, Method]:
        return {"playlist.state": at_once(self._state), "playlist.entry": at_once(_entry)}

    def _state(self, _: Params) -> Params:
        return {"position": self._list.getposition(), "playing": self._player.state()}


def end() -> None:
    """Nothing follows any more; what plays plays on."""
    films = xbmc.PlayList(xbmc.PLAYLIST_VIDEO)
    # A list that does not play is the person's, and stays.
    if films.getposition() >= 0:
        films.clear()


def _entry(params: Params) -> Params:
    """What stands at that place, and what plays, both by their names before they were resolved."""
    return {"file": _file_at(number(params, "position")), "playing": xbmc.getInfoLabel("Player.Filenameandpath")}


def _file_at(position: int) -> str:
    """Not by indexing the list: that shares Kodi's own item, which Kodi may be changing."""
    request = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "Playlist.GetItems",
        "params": {"playlistid": 1, "properties": ["file"], "limits": {"start": position, "end": position + 1}},
    }
    try:
        return str(json.loads(xbmc.executeJSONRPC(json.dumps(request)))["result"]["items"][0]["file"])
    except (ValueError, LookupError, TypeError):
        return ""
