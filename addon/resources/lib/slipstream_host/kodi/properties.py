"""Reads and writes properties of Kodi's home window, which all processes share."""

from __future__ import annotations

from typing import Dict

import xbmcgui

from ..bridge.jsonrpc import Method, Params, sync_method
from ..bridge.params import text
from ..shared_properties import HOME_WINDOW


def _get(params: Params) -> str:
    return xbmcgui.Window(HOME_WINDOW).getProperty(text(params, "name"))


def _set(params: Params) -> bool:
    xbmcgui.Window(HOME_WINDOW).setProperty(text(params, "name"), text(params, "value"))
    return True


def _clear(params: Params) -> bool:
    xbmcgui.Window(HOME_WINDOW).clearProperty(text(params, "name"))
    return True


METHODS: Dict[str, Method] = {
    "property.get": sync_method(_get),
    "property.set": sync_method(_set),
    "property.clear": sync_method(_clear),
}
