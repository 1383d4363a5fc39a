"""The answer to a plugin:// call. Imported before the guard has spoken, so it is small."""

from __future__ import annotations

import _thread

import xbmcgui
import xbmcplugin

# As typing.TYPE_CHECKING, which would take typing's time to load.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable

    from ..jsonrpc import Method, Params


class Resolution:
    """Gives a handle exactly one setResolvedUrl. Any thread may answer; the first wins."""

    def __init__(
        self,
        handle: int,
        hand_over: Callable[[Callable[[], None]], None],
        before_nothing: Callable[[], None],
        before_next: Callable[[], None],
    ) -> None:
        self._handle = handle
        # Calls what it is given, which gives Kodi the film.
        self._hand_over = hand_over
        self._before_nothing = before_nothing
        # Called before an answer upon which Kodi may ask for a playlist's next film.
        self._before_next = before_next
        self._lock = _thread.allocate_lock()
        self._open = handle >= 0

    def methods(self) -> dict[str, Method]:
        from ..jsonrpc import at_once

        return {"resolve": at_once(self._resolve), "menu.show": at_once(self._show_menu)}

    def finish(self, end_playlist: bool = False) -> None:
        """Answers "nothing", unless an answer was given."""
        if self._take():
            self._answer_nothing(end_playlist)

    def _resolve(self, params: Params) -> bool:
        from ..jsonrpc import REFUSED, Refusal
        from ..params import flag
        from .items import list_item

        end_playlist = flag(params, "endPlaylist")
        item = None if params.get("item") is None else list_item(params)
        if not self._take():
            raise Refusal(REFUSED, "the handle was answered before")
        if item is None:
            try:
                if not end_playlist:
                    self._before_next()
            finally:
                self._answer_nothing(end_playlist)
            return True
        try:
            self._hand_over(lambda: self._set(True, item))
        except Exception:
            # Kodi took nothing, so it still waits for an answer.
            self._open = True
            raise
        return True

    def _show_menu(self, params: Params) -> bool:
        from ..jsonrpc import REFUSED, Refusal
        from ..messages import NAME
        from .items import menu_items

        items = menu_items(params)
        if not self._take():
            raise Refusal(REFUSED, "the handle was answered before")
        try:
            # Else the skin calls it "Videos", and sorts it by a date that no row has.
            xbmcplugin.setPluginCategory(self._handle, NAME)
            xbmcplugin.addSortMethod(self._handle, xbmcplugin.SORT_METHOD_UNSORTED)
            xbmcplugin.addDirectoryItems(self._handle, items, len(items))
            xbmcplugin.endOfDirectory(self._handle, cacheToDisc=False)
        except Exception:
            # Kodi took nothing, so it still waits for an answer.
            self._open = True
            raise
        return True

    def _answer_nothing(self, end_playlist: bool) -> None:
        try:
            # Before the answer: with it Kodi asks for the next film within milliseconds.
            if end_playlist:
                _end_playlist()
            self._before_nothing()
        finally:
            self._set(False, xbmcgui.ListItem(offscreen=True))

    def _take(self) -> bool:
        with self._lock:
            was_open, self._open = self._open, False
        return was_open

    def _set(self, succeeded: bool, item: xbmcgui.ListItem) -> None:
        xbmcplugin.setResolvedUrl(self._handle, succeeded, item)


def _end_playlist() -> None:
    """A list that goes on is a nuisance, and no reason to skip what is cleaned up after the answer."""
    from .. import log
    from . import playlist

    try:
        playlist.end()
    except Exception as error:  # Whatever Kodi throws.
        log.write("warning", "the playlist could not be ended: %r" % error)
