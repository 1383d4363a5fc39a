"""What Kodi tells about our add-on and about itself."""

from __future__ import annotations

import json

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


def _kodi_version() -> str:
    """Like "21.2"; empty if unknown. By JSON-RPC, because an info label waits for the GUI."""
    request = {"jsonrpc": "2.0", "id": 1, "method": "Application.GetProperties", "params": {"properties": ["version"]}}
    try:
        version = json.loads(xbmc.executeJSONRPC(json.dumps(request)))["result"]["version"]
        return "%d.%d" % (version["major"], version["minor"])
    except (ValueError, KeyError, TypeError):
        return ""
