"""Answers a plugin:// call. Imported before the playback lock is read, so it imports nothing slow."""

from __future__ import annotations

import _thread

import xbmcgui
import xbmcplugin

# As typing.TYPE_CHECKING, which would take typing's time to load.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable

    from ..bridge.jsonrpc import Method, Params


class PluginHandle:
    """Gives a handle exactly one answer. Any thread may give it; the first counts."""

    def __init__(
        self,
        handle: int,
        hand_over: Callable[[Callable[[], None]], None],
        before_nothing: Callable[[], None],
        before_next: Callable[[], None],
    ) -> None:
        self._handle = handle
        # Is given a function that gives Kodi the film, and calls it (PlaybackLock.hand_over).
        self._hand_over = hand_over
        # Called before the answer "nothing".
        self._before_nothing = before_nothing
        # Called before an answer after which Kodi may call for a playlist's next film.
        self._before_next = before_next
        self._lock = _thread.allocate_lock()
        self._open = handle >= 0

    def methods(self) -> dict[str, Method]:
        from ..bridge.jsonrpc import sync_method

        return {"resolve": sync_method(self._resolve), "menu.show": sync_method(self._show_menu)}

    def answer_nothing(self, end_playlist: bool = False) -> None:
        """Answers "nothing", unless the handle was answered before."""
        if self._take_turn():
            self._set_nothing(end_playlist)

    def _resolve(self, params: Params) -> bool:
        from ..bridge.jsonrpc import REFUSED, RpcError
        from ..bridge.params import flag
        from ..kodi.list_items import list_item

        end_playlist = flag(params, "endPlaylist")
        item = None if params.get("item") is None else list_item(params)
        if not self._take_turn():
            raise RpcError(REFUSED, "the handle was answered before")
        if item is None:
            try:
                if not end_playlist:
                    self._before_next()
            finally:
                self._set_nothing(end_playlist)
            return True
        try:
            self._hand_over(lambda: self._set(True, item))
        except Exception:
            # Kodi has not taken the answer and still waits for one.
            self._open = True
            raise
        return True

    def _show_menu(self, params: Params) -> bool:
        from ..bridge.jsonrpc import REFUSED, RpcError
        from ..messages import NAME
        from ..kodi.list_items import menu_items

        items = menu_items(params)
        if not self._take_turn():
            raise RpcError(REFUSED, "the handle was answered before")
        try:
            # Without these the skin calls it "Videos", and sorts it by a date that no row has.
            xbmcplugin.setPluginCategory(self._handle, NAME)
            xbmcplugin.addSortMethod(self._handle, xbmcplugin.SORT_METHOD_UNSORTED)
            xbmcplugin.addDirectoryItems(self._handle, items, len(items))
            xbmcplugin.endOfDirectory(self._handle, cacheToDisc=False)
        except Exception:
            # Kodi has not taken the answer and still waits for one.
            self._open = True
            raise
        return True

    def _set_nothing(self, end_playlist: bool) -> None:
        try:
            # Before the answer: within milliseconds of it Kodi calls for the next film.
            if end_playlist:
                _end_playlist()
            self._before_nothing()
        finally:
            self._set(False, xbmcgui.ListItem(offscreen=True))

    def _take_turn(self) -> bool:
        """True for the one caller who may answer."""
        with self._lock:
            was_open, self._open = self._open, False
        return was_open

    def _set(self, succeeded: bool, item: xbmcgui.ListItem) -> None:
        xbmcplugin.setResolvedUrl(self._handle, succeeded, item)


def _end_playlist() -> None:
    """Logs a failure instead of raising it: the handle must be answered all the same."""
    from .. import log
    from ..kodi import playlist

    try:
        playlist.clear_if_playing()
    except Exception as error:  # Whatever Kodi throws.
        log.write("warning", "the playlist could not be ended: %r" % error)
