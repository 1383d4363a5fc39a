"""Plays films within Kodi's video playlist, so that the entries after them still follow.

Player.play with one item makes Kodi forget its position in the playlist, and nothing follows. So this uses Kodi's
builtin Playlist.PlayOffset, which returns at once; the other ways wait until a plugin call is resolved.
"""

from __future__ import annotations

from typing import List, Optional, Tuple

import xbmc
import xbmcgui

from ..bridge.jsonrpc import Params
from . import playlist


class PlaylistPlayer:
    def __init__(self, player: xbmc.Player) -> None:
        self._player = player
        # The position of the replaced film, to be removed once its replacement plays, and the replacement's URL.
        self._replaced: Optional[Tuple[int, str]] = None

    def replace_current(self, url: str, item: xbmcgui.ListItem, following: List[Params]) -> None:
        """Plays a film in the place of the current entry. `following`: entries that were set aside; they come after it
        when the playlist is empty."""
        films = xbmc.PlayList(xbmc.PLAYLIST_VIDEO)
        position = films.getposition()
        if following and films.size() == 0:
            films.add(url, item)
            playlist.append(following)
            _play_offset(0)
        elif position >= 0 and films.size() > 1:
            films.add(url, item, position + 1)
            self._replaced = (position, url)
            # The offset counts from the playing entry.
            _play_offset(1 if self._player.isPlaying() else position + 1)
        else:
            self._player.play(url, item)

    def play_entry(self, url: str, position: int, item: xbmcgui.ListItem) -> bool:
        """Plays that entry of the playlist. Fills the playlist anew, because Kodi never plays an entry again that was
        resolved to nothing. False when another entry is at that position, or when the playlist is too long to be read.
        Waits for the GUI."""
        found = playlist.entries()
        if [entry["file"] for entry in found[position : position + 1]] != [url] or len(found) == playlist.MOST_ENTRIES:
            return False
        films = xbmc.PlayList(xbmc.PLAYLIST_VIDEO)
        films.clear()
        playlist.append(found[:position])
        item.setLabel(str(found[position]["label"]))
        films.add(url, item)
        playlist.append(found[position + 1 :])
        # The offset counts from the playing entry.
        _play_offset(position - max(0, films.getposition()) if self._player.isPlaying() else position)
        return True

    def on_player(self, kind: str) -> None:
        """Handles a player event: removes the replaced film once its replacement plays."""
        if kind != "started" or self._replaced is None:
            return
        (position, url), self._replaced = self._replaced, None
        now = xbmc.PlayList(xbmc.PLAYLIST_VIDEO).getposition()
        if now == position + 1 and [entry["file"] for entry in playlist.entries()[now : now + 1]] == [url]:
            playlist.remove(position)


def _play_offset(offset: int) -> None:
    xbmc.executebuiltin("Playlist.PlayOffset(video,%d)" % offset)
