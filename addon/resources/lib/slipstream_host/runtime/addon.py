"""What Kodi tells of the runtime add-on, and how it is installed."""

from __future__ import annotations

import json
from typing import NamedTuple, Optional

import xbmc
import xbmcvfs

ID = "script.module.slipstream.node"

# Kodi's names of the systems that run no bundled program, as conditions.
_EDITIONS = ("Android", "IOS", "TVOS", "UWP", "WebOS")


class Installed(NamedTuple):
    folder: str
    enabled: bool
    version: str


class RuntimeAddon:
    def installed(self) -> Optional[Installed]:
        """None when it is not. By JSON-RPC, because Kodi gives no add-on that is switched off."""
        request = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "Addons.GetAddonDetails",
            "params": {"addonid": ID, "properties": ["path", "enabled", "version"]},
        }
        try:
            found = json.loads(xbmc.executeJSONRPC(json.dumps(request)))["result"]["addon"]
            return Installed(xbmcvfs.translatePath(found["path"]), found["enabled"] is True, str(found["version"]))
        except (ValueError, KeyError, TypeError):
            return None

    def edition(self) -> str:
        """Kodi's edition for a system that needs a word of its own, in small letters; else empty. Waits for the GUI."""
        return next((name.lower() for name in _EDITIONS if xbmc.getCondVisibility("System.Platform." + name)), "")

    def add_ons_folder(self) -> str:
        return xbmcvfs.translatePath("special://home/addons/")

    def install(self) -> None:
        """Returns when the person has refused Kodi's own question, or when all is over."""
        xbmc.executebuiltin("InstallAddon(%s)" % ID, True)
