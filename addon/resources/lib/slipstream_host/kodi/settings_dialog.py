"""Opens Kodi's dialog of our settings at one of its pages."""

from __future__ import annotations

import time
from typing import Dict, NamedTuple, Optional

import xbmc
import xbmcaddon

from .. import ADDON_ID, timing
from ..bridge.jsonrpc import Method, Params, Reply
from ..bridge.params import text
from .settings import ids_of

# Kodi's ids of the pages' buttons in that dialog, counted up from here (GUIDialogSettingsBase.cpp).
_FIRST_PAGE = -200


class _Opening(NamedTuple):
    page: int
    deadline: float
    reply: Reply


class SettingsDialog:
    def __init__(self) -> None:
        self._opening: Optional[_Opening] = None

    def methods(self) -> Dict[str, Method]:
        return {"settings.open": self._open}

    def tick(self) -> None:
        """Goes to the page once the dialog shows; Kodi ignores the command before that."""
        opening = self._opening
        if opening is None:
            return
        shown = xbmc.getCondVisibility("Window.IsActive(addonsettings)")
        if not shown and time.monotonic() < opening.deadline:
            return
        self._opening = None
        if shown:
            xbmc.executebuiltin("SetFocus(%d)" % (_FIRST_PAGE + opening.page))
        opening.reply.result(True)

    def _open(self, params: Params, reply: Reply) -> None:
        """Opens the first page when there is no page of that id, or when the skin has no such button."""
        page = text(params, "page")
        pages = ids_of(xbmcaddon.Addon(ADDON_ID), "category")
        # Not waited for: that would take until the person closes the dialog.
        xbmc.executebuiltin("Addon.OpenSettings(%s)" % ADDON_ID)
        if page in pages:
            self._opening = _Opening(pages.index(page), time.monotonic() + timing.SETTINGS_OPEN, reply)
        else:
            reply.result(True)
