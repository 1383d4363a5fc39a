"""Kodi's playlist of films, as far as a call must know of it: does it go on by itself, and shall it."""

from __future__ import annotations

import json
from typing import Dict, List, Tuple, cast

import xbmc
import xbmcgui

from ..guard import BY_SERVICE, PASSED_OVER, behind_lease, live
from ..jsonrpc import Method, Params, at_once
from ..params import objects, text
from .properties import HOME_WINDOW
from .watching import PlayerEvents


# Nobody sees the end of a longer list.
MOST_ENTRIES = 500


class Playlist:
    """To be made on the main thread, as every Player. Nothing of it waits for the GUI but `entries`."""

    def __init__(self, address: str) -> None:
        """address: of this process's call; empty for one that has none."""
        self._player = PlayerEvents(lambda kind, file, time: None)
        self._list = xbmc.PlayList(xbmc.PLAYLIST_VIDEO)
        self._by_service = _take_by_service(address)

    def methods(self) -> Dict[str, Method]:
        return {
            "playlist.state": at_once(self._state),
            "playlist.entries": at_once(_entries),
            "playlist.precede": at_once(_precede),
        }

    def _state(self, _: Params) -> Params:
        position = self._list.getposition()
        # A list that goes on by itself does not go to its first; the service may.
        went_on = position > 0 and live(xbmcgui.Window(HOME_WINDOW).getProperty(PASSED_OVER))
        return {
            "position": position,
            "playing": self._player.state(),
            "passedOver": self._by_service or went_on,
        }


def _take_by_service(address: str) -> bool:
    """Whether the service has made this call. The next one of that address is a person's again."""
    home = xbmcgui.Window(HOME_WINDOW)
    passed_over = home.getProperty(PASSED_OVER)
    is_ours = passed_over.startswith(BY_SERVICE + " ") and address != "" and behind_lease(passed_over) == address
    if is_ours:
        home.clearProperty(PASSED_OVER)
    return is_ours


def fill(entries: List[Params]) -> None:
    """Puts these behind whatever the list holds."""
    films = xbmc.PlayList(xbmc.PLAYLIST_VIDEO)
    for name, item in map(_listed, entries):
        films.add(name, item)


def _precede(params: Params) -> bool:
    """Puts these in front of whatever the list holds. By PlayList.add, for which Kodi's position stays what it is."""
    films = xbmc.PlayList(xbmc.PLAYLIST_VIDEO)
    for index, (name, item) in enumerate(map(_listed, objects(params, "entries"))):
        films.add(name, item, index)
    return True


def _listed(entry: Params) -> Tuple[str, xbmcgui.ListItem]:
    name = text(entry, "file")
    return name, xbmcgui.ListItem(text(entry, "label"), path=name, offscreen=True)


def end() -> None:
    """Nothing follows any more; what plays plays on."""
    films = xbmc.PlayList(xbmc.PLAYLIST_VIDEO)
    # A list that does not play is the person's, and stays.
    if films.getposition() >= 0:
        films.clear()


def _entries(_: Params) -> Params:
    """All that stands there, and what plays by its name before it was resolved."""
    return {"entries": entries(), "playing": xbmc.getInfoLabel("Player.Filenameandpath")}


def entries() -> List[Params]:
    """Not by indexing the list: that shares Kodi's own items, which Kodi may be changing."""
    limits = {"start": 0, "end": MOST_ENTRIES}
    found = _ask("Playlist.GetItems", {"playlistid": 1, "properties": ["file"], "limits": limits})
    try:
        items = cast(List[Dict[str, object]], cast(Params, found["result"])["items"])
        return [{"file": str(item["file"]), "label": str(item["label"])} for item in items]
    except (LookupError, TypeError):
        return []


def remove(position: int) -> None:
    """Refused for what plays; the position of that stays right, as it does not by PlayList.remove."""
    _ask("Playlist.Remove", {"playlistid": 1, "position": position})


def _ask(method: str, params: Params) -> Params:
    request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    try:
        answer: object = json.loads(xbmc.executeJSONRPC(json.dumps(request)))
    except ValueError:
        return {}
    return cast(Params, answer) if isinstance(answer, dict) else {}
