"""The add-on's stored settings, as text."""

from __future__ import annotations

import os
import time
import xml.etree.ElementTree as ElementTree
from typing import Dict, List

import xbmc
import xbmcaddon
import xbmcvfs

from .. import ADDON_ID, timing
from ..jsonrpc import INVALID_PARAMS, Method, Params, Refusal, aside, at_once
from ..params import text, text_mapping, texts

# Kodi's ids of the pages' buttons in its settings dialog, counted up from here (GUIDialogSettingsBase.cpp).
_FIRST_PAGE = -200


def read(params: Params) -> Dict[str, str]:
    # A new Addon each time: one made earlier keeps the values of then.
    addon = xbmcaddon.Addon(ADDON_ID)
    return {name: addon.getSetting(name) for name in texts(params, "ids")}


def _write(params: Params) -> bool:
    """Kodi takes a text for a setting of any type, but also for one that there is not."""
    values = text_mapping(params, "values")
    addon = xbmcaddon.Addon(ADDON_ID)
    known = _ids(addon, "setting")
    for name in values:
        if name not in known:
            raise Refusal(INVALID_PARAMS, "no setting %s" % name)
    for name, value in values.items():
        addon.setSetting(name, value)
    return True


def _open(params: Params) -> bool:
    """At its first page, where there is no such one or the skin has no such button."""
    page = text(params, "page")
    pages = _ids(xbmcaddon.Addon(ADDON_ID), "category")
    # Not waited for: that would be until the person closes them.
    xbmc.executebuiltin("Addon.OpenSettings(%s)" % ADDON_ID)
    if page in pages and _are_shown():
        xbmc.executebuiltin("SetFocus(%d)" % (_FIRST_PAGE + pages.index(page)))
    return True


def _are_shown() -> bool:
    """Waits until they are: what is told to a dialog that is only coming up gets lost."""
    deadline = time.monotonic() + timing.SETTINGS_OPEN
    while time.monotonic() < deadline:
        if xbmc.getCondVisibility("Window.IsActive(addonsettings)"):
            return True
        time.sleep(timing.SETTINGS_POLL)
    return False


def _ids(addon: xbmcaddon.Addon, element: str) -> List[str]:
    """Of all such elements of settings.xml, in order."""
    folder = xbmcvfs.translatePath(addon.getAddonInfo("path"))
    page = ElementTree.parse(os.path.join(folder, "resources", "settings.xml"))
    return [found.get("id", "") for found in page.iter(element)]


METHODS: Dict[str, Method] = {"settings.read": at_once(read)}
# For the person's own actions alone: the service changes no settings.
CHANGES: Dict[str, Method] = {"settings.write": at_once(_write), "settings.open": aside(_open)}
