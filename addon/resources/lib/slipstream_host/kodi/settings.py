"""Reads and writes the add-on's settings in Kodi, all as text."""

from __future__ import annotations

import os
import xml.etree.ElementTree as ElementTree
from typing import Dict, List

import xbmcaddon
import xbmcvfs

from .. import ADDON_ID
from ..bridge.jsonrpc import INVALID_PARAMS, Method, Params, RpcError, sync_method
from ..bridge.params import text_mapping, texts


def _read(params: Params) -> Dict[str, str]:
    # A new Addon each time: an Addon keeps the values that it had when it was made.
    addon = xbmcaddon.Addon(ADDON_ID)
    return {name: addon.getSetting(name) for name in texts(params, "ids")}


def _write(params: Params) -> bool:
    """Kodi takes a text for a setting of any type. It would take one for an unknown id as well, so that is checked
    here."""
    values = text_mapping(params, "values")
    addon = xbmcaddon.Addon(ADDON_ID)
    known = ids_of(addon, "setting")
    for name in values:
        if name not in known:
            raise RpcError(INVALID_PARAMS, "no setting %s" % name)
    for name, value in values.items():
        addon.setSetting(name, value)
    return True


def ids_of(addon: xbmcaddon.Addon, element: str) -> List[str]:
    """The ids of all such elements of settings.xml, in order."""
    folder = xbmcvfs.translatePath(addon.getAddonInfo("path"))
    page = ElementTree.parse(os.path.join(folder, "resources", "settings.xml"))
    return [found.get("id", "") for found in page.iter(element)]


METHODS: Dict[str, Method] = {"settings.read": sync_method(_read)}
# Only in the plugin process: the service changes no settings.
WRITE_METHODS: Dict[str, Method] = {"settings.write": sync_method(_write)}
