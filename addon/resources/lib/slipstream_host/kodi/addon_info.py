"""What Kodi tells about our add-on and about itself."""

from __future__ import annotations

import json
from typing import Any, Dict

import xbmc
import xbmcaddon
import xbmcvfs

from .. import ADDON_ID


class AddonInfo:
    def __init__(self) -> None:
        addon = xbmcaddon.Addon(ADDON_ID)
        self.id = ADDON_ID
        self.version = addon.getAddonInfo("version")
        self.path = xbmcvfs.translatePath(addon.getAddonInfo("path"))
        # Our data folder, within the current Kodi profile.
        self._profile = addon.getAddonInfo("profile")
        self.data = xbmcvfs.translatePath(self._profile)
        self.kodi = _kodi_version()

    def has_profile_changed(self) -> bool:
        """Whether Kodi has switched to another of its profiles since: settings and data that we hold are not that
        one's."""
        return xbmcvfs.translatePath(self._profile) != self.data


def kodi_language() -> str:
    """The id of the language add-on that Kodi shows, like "resource.language.en_gb"; empty if unknown."""
    try:
        return str(_json_rpc("Settings.GetSettingValue", {"setting": "locale.language"})["value"])
    except (ValueError, KeyError, TypeError):
        return ""


def _kodi_version() -> str:
    """Like "21.2"; empty if unknown. By JSON-RPC, because an info label waits for the GUI."""
    try:
        version = _json_rpc("Application.GetProperties", {"properties": ["version"]})["version"]
        return "%d.%d" % (version["major"], version["minor"])
    except (ValueError, KeyError, TypeError):
        return ""


def _json_rpc(method: str, params: Dict[str, object]) -> Any:
    request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return json.loads(xbmc.executeJSONRPC(json.dumps(request)))["result"]
