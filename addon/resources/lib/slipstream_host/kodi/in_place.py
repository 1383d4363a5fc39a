"""Playing a film in the place of another one in Kodi's playlist, so that what follows there still follows.

Player.play with one item makes Kodi forget which of its list plays, and nothing follows any more. Kodi's own command is
used because it waits for nothing: the others wait until a plugin call is resolved.
"""

from __future__ import annotations

from typing import List, Optional, Tuple

import xbmc
import xbmcgui

from ..jsonrpc import Params
from . import playlist


class InPlace:
    def __init__(self, player: xbmc.Player) -> None:
        self._player = player
        # The place of the film before, which goes once its successor, by this name, plays.
        self._left: Optional[Tuple[int, str]] = None

    def play(self, url: str, item: xbmcgui.ListItem, following: List[Params]) -> None:
        """`following` is what was set aside when Kodi called for it; else Kodi's list itself tells."""
        films = xbmc.PlayList(xbmc.PLAYLIST_VIDEO)
        position = films.getposition()
        if following and films.size() == 0:
            films.add(url, item)
            playlist.fill(following)
            _play_offset(0)
        elif position >= 0 and films.size() > 1:
            films.add(url, item, position + 1)
            self._left = (position, url)
            # Counted from what plays.
            _play_offset(1 if self._player.isPlaying() else position + 1)
        else:
            self._player.play(url, item)

    def play_entry(self, url: str, place: int, item: xbmcgui.ListItem) -> bool:
        """Plays that entry of Kodi's list. All of it is put there anew, because Kodi never plays again what brought
        nothing. False when another stands there, or when the list is too long to be read. Waits for the GUI."""
        found = playlist.entries()
        if [entry["file"] for entry in found[place : place + 1]] != [url] or len(found) == playlist.MOST_ENTRIES:
            return False
        films = xbmc.PlayList(xbmc.PLAYLIST_VIDEO)
        films.clear()
        playlist.fill(found[:place])
        item.setLabel(str(found[place]["label"]))
        films.add(url, item)
        playlist.fill(found[place + 1 :])
        # Counted from what plays.
        _play_offset(place - max(0, films.getposition()) if self._player.isPlaying() else place)
        return True

    def hear(self, kind: str) -> None:
        """A player event."""
        if kind != "started" or self._left is None:
            return
        (position, name), self._left = self._left, None
        now = xbmc.PlayList(xbmc.PLAYLIST_VIDEO).getposition()
        if now == position + 1 and [entry["file"] for entry in playlist.entries()[now : now + 1]] == [name]:
            playlist.remove(position)


def _play_offset(offset: int) -> None:
    xbmc.executebuiltin("Playlist.PlayOffset(video,%d)" % offset)
