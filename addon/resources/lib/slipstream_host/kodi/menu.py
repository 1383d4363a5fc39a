"""The add-on's menu in Kodi's video window: whether it is shown, its focus, and its refresh."""

from __future__ import annotations

from typing import Dict

import xbmc

from ..bridge.jsonrpc import Method, Params, sync_method
from ..bridge.params import text

# Kodi's label of the row to the parent folder; some skins put folders in brackets.
_PARENT = ("..", "[..]")


class Menu:
    def __init__(self, url: str) -> None:
        self._url = url
        self._is_stale = False

    def methods(self) -> Dict[str, Method]:
        return {
            "menu.state": sync_method(self._state),
            "menu.focus": sync_method(self._focus),
            "menu.refresh": sync_method(self._refresh),
            "menu.run": sync_method(self._run),
        }

    def refresh_if_stale(self) -> None:
        """Lets Kodi ask for the menu anew. To be called once the playback lock is released, or that call would be
        refused."""
        if self._is_stale and self._is_shown():
            xbmc.executebuiltin("Container.Refresh")

    def _state(self, _: Params) -> str:
        """Empty when no video window is open, as when a skin lists the menu."""
        if not xbmc.getCondVisibility("Window.IsActive(videos)"):
            return ""
        return "shown" if self._is_shown() else "coming"

    def _is_shown(self) -> bool:
        busy = xbmc.getCondVisibility("Container.IsUpdating")
        return not busy and xbmc.getInfoLabel("Container.FolderPath").rstrip("/") == self._url

    def _focus(self, _: Params) -> bool:
        """Moves the focus from the parent-folder row to the menu's first row."""
        if xbmc.getInfoLabel("System.CurrentControl") in _PARENT:
            xbmc.executebuiltin("SetFocus(%s,1,absolute)" % xbmc.getInfoLabel("System.CurrentControlId"))
        return True

    def _refresh(self, _: Params) -> bool:
        self._is_stale = True
        return True

    def _run(self, params: Params) -> bool:
        xbmc.executebuiltin("RunPlugin(%s)" % text(params, "url"))
        return True
