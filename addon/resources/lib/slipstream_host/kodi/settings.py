"""The add-on's stored settings, as text."""

from __future__ import annotations

import os
import xml.etree.ElementTree as ElementTree
from typing import Dict, List

import xbmcaddon
import xbmcvfs

from .. import ADDON_ID
from ..jsonrpc import INVALID_PARAMS, Method, Params, Refusal, at_once
from ..params import text_mapping, texts


def read(params: Params) -> Dict[str, str]:
    # A new Addon each time: one made earlier keeps the values of then.
    addon = xbmcaddon.Addon(ADDON_ID)
    return {name: addon.getSetting(name) for name in texts(params, "ids")}


def _write(params: Params) -> bool:
    """Kodi takes a text for a setting of any type, but also for one that there is not."""
    values = text_mapping(params, "values")
    addon = xbmcaddon.Addon(ADDON_ID)
    known = ids_of(addon, "setting")
    for name in values:
        if name not in known:
            raise Refusal(INVALID_PARAMS, "no setting %s" % name)
    for name, value in values.items():
        addon.setSetting(name, value)
    return True


def ids_of(addon: xbmcaddon.Addon, element: str) -> List[str]:
    """Of all such elements of settings.xml, in order."""
    folder = xbmcvfs.translatePath(addon.getAddonInfo("path"))
    page = ElementTree.parse(os.path.join(folder, "resources", "settings.xml"))
    return [found.get("id", "") for found in page.iter(element)]


METHODS: Dict[str, Method] = {"settings.read": at_once(read)}
# For the person's own actions alone: the service changes no settings.
CHANGES: Dict[str, Method] = {"settings.write": at_once(_write)}
