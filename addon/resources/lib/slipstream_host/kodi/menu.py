"""Our menu, where Kodi shows it."""

from __future__ import annotations

from typing import Dict

import xbmc

from ..jsonrpc import Method, Params, at_once
from ..params import text

# Kodi's name of the row that leads out of a folder; some skins put folders in brackets.
_PARENT = ("..", "[..]")


class Menu:
    def __init__(self, url: str) -> None:
        self._url = url
        self._is_stale = False

    def methods(self) -> Dict[str, Method]:
        return {
            "menu.look": at_once(self._look),
            "menu.enter": at_once(self._enter),
            "menu.renew": at_once(self._renew),
            "menu.start": at_once(self._start),
        }

    def finish(self) -> None:
        """Kodi asks for the menu anew, which a call of ours that still holds the guard would refuse."""
        if self._is_stale and self._is_shown():
            xbmc.executebuiltin("Container.Refresh")

    def _look(self, _: Params) -> str:
        """Empty: it is not browsed at all, as when a skin lists it."""
        if not xbmc.getCondVisibility("Window.IsActive(videos)"):
            return ""
        return "shown" if self._is_shown() else "coming"

    def _is_shown(self) -> bool:
        busy = xbmc.getCondVisibility("Container.IsUpdating")
        return not busy and xbmc.getInfoLabel("Container.FolderPath").rstrip("/") == self._url

    def _enter(self, _: Params) -> bool:
        """From the row that leads out of the menu to its first own one."""
        if xbmc.getInfoLabel("System.CurrentControl") in _PARENT:
            xbmc.executebuiltin("SetFocus(%s,1,absolute)" % xbmc.getInfoLabel("System.CurrentControlId"))
        return True

    def _renew(self, _: Params) -> bool:
        self._is_stale = True
        return True

    def _start(self, params: Params) -> bool:
        xbmc.executebuiltin("RunPlugin(%s)" % text(params, "url"))
        return True
