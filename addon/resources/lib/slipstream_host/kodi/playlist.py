"""Reads and changes Kodi's video playlist."""

from __future__ import annotations

import json
from typing import Dict, List, Tuple, cast

import xbmc
import xbmcgui

from ..bridge.jsonrpc import Method, Params, sync_method
from ..bridge.params import objects, text
from ..shared_properties import BY_SERVICE, HOME_WINDOW, PLAYLIST_REFUSAL, is_live, text_after_lease
from .events import PlayerEvents

# A longer list is not read to its end.
MOST_ENTRIES = 500


class Playlist:
    """To be made on the main thread, as every xbmc.Player. Of its methods only playlist.entries waits for the GUI."""

    def __init__(self, address: str) -> None:
        """address: PluginCall.address of this process."""
        self._player = PlayerEvents(lambda kind, file, time: None)
        self._list = xbmc.PlayList(xbmc.PLAYLIST_VIDEO)
        self._is_by_service = _take_service_mark(address)

    def methods(self) -> Dict[str, Method]:
        return {
            "playlist.state": sync_method(self._state),
            "playlist.entries": sync_method(_entries),
            "playlist.prepend": sync_method(_prepend),
        }

    def _state(self, _: Params) -> Params:
        position = self._list.getposition()
        # A playlist that goes on by itself never goes to its first entry; the service may start that one.
        follows_refusal = position > 0 and is_live(xbmcgui.Window(HOME_WINDOW).getProperty(PLAYLIST_REFUSAL))
        return {
            "position": position,
            "playing": self._player.state(),
            "afterRefusal": self._is_by_service or follows_refusal,
        }


def _take_service_mark(address: str) -> bool:
    """Whether the service has made this call. Clears the property, so that the next call of this address is a
    person's."""
    home = xbmcgui.Window(HOME_WINDOW)
    value = home.getProperty(PLAYLIST_REFUSAL)
    is_by_service = value.startswith(BY_SERVICE + " ") and address != "" and text_after_lease(value) == address
    if is_by_service:
        home.clearProperty(PLAYLIST_REFUSAL)
    return is_by_service


def append(entries: List[Params]) -> None:
    """Adds entries at the end of the playlist."""
    films = xbmc.PlayList(xbmc.PLAYLIST_VIDEO)
    for name, item in map(_list_item, entries):
        films.add(name, item)


def _prepend(params: Params) -> bool:
    """Adds entries at the start of the playlist. PlayList.add leaves Kodi's position number as it is."""
    films = xbmc.PlayList(xbmc.PLAYLIST_VIDEO)
    for index, (name, item) in enumerate(map(_list_item, objects(params, "entries"))):
        films.add(name, item, index)
    return True


def _list_item(entry: Params) -> Tuple[str, xbmcgui.ListItem]:
    name = text(entry, "file")
    return name, xbmcgui.ListItem(text(entry, "label"), path=name, offscreen=True)


def clear_if_playing() -> None:
    """Ends the playlist: what plays goes on, and nothing follows it."""
    films = xbmc.PlayList(xbmc.PLAYLIST_VIDEO)
    # A playlist that does not play is one that the person has filled; it stays.
    if films.getposition() >= 0:
        films.clear()


def _entries(_: Params) -> Params:
    """All entries, and the URL of the playing one before it was resolved."""
    return {"entries": entries(), "playing": xbmc.getInfoLabel("Player.Filenameandpath")}


def entries() -> List[Params]:
    """All entries, MOST_ENTRIES at the most. Not by indexing the PlayList, which shares Kodi's own items while Kodi may
    change them."""
    limits = {"start": 0, "end": MOST_ENTRIES}
    found = _call_kodi("Playlist.GetItems", {"playlistid": 1, "properties": ["file"], "limits": limits})
    try:
        items = cast(List[Dict[str, object]], cast(Params, found["result"])["items"])
        return [{"file": str(item["file"]), "label": str(item["label"])} for item in items]
    except (LookupError, TypeError):
        return []


def remove(position: int) -> None:
    """Removes an entry; Kodi refuses the playing one. Corrects the position of what plays, as PlayList.remove does
    not."""
    _call_kodi("Playlist.Remove", {"playlistid": 1, "position": position})


def _call_kodi(method: str, params: Params) -> Params:
    request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    try:
        answer: object = json.loads(xbmc.executeJSONRPC(json.dumps(request)))
    except ValueError:
        return {}
    return cast(Params, answer) if isinstance(answer, dict) else {}
