"""The home window's properties, which all of Kodi's processes share."""

from __future__ import annotations

from typing import Dict

import xbmcgui

from ..jsonrpc import Method, Params, at_once
from ..params import text

HOME_WINDOW = 10000


def _get(params: Params) -> str:
    return xbmcgui.Window(HOME_WINDOW).getProperty(text(params, "name"))


def _set(params: Params) -> bool:
    xbmcgui.Window(HOME_WINDOW).setProperty(text(params, "name"), text(params, "value"))
    return True


def _clear(params: Params) -> bool:
    xbmcgui.Window(HOME_WINDOW).clearProperty(text(params, "name"))
    return True


METHODS: Dict[str, Method] = {
    "property.get": at_once(_get),
    "property.set": at_once(_set),
    "property.clear": at_once(_clear),
}
