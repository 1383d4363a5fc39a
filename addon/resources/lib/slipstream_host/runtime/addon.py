"""What Kodi tells of the runtime add-on, and how it is installed."""

from __future__ import annotations

import json
import os
import time
from typing import Callable, NamedTuple, Optional

import xbmc
import xbmcvfs

from .. import timing
from ..trouble import Aborted

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

    def comes(self, seconds: float, wait: Callable[[float], bool]) -> Optional[Installed]:
        """The same, but None only when it is not within that time either. @raises Aborted"""
        end = time.monotonic() + seconds
        while True:
            found = self.installed()
            if found is not None or time.monotonic() >= end:
                return found
            if wait(timing.TICK):
                raise Aborted

    def is_updated(self) -> bool:
        """Whether Kodi, which does not know it now, will again: from the begin of an update to its end, all the time
        in which it unpacks the new one, the old one's folder is there."""
        return self.installed() is None and os.path.isdir(os.path.join(self.add_ons_folder(), ID))

    def edition(self) -> str:
        """Kodi's edition for a system that needs a word of its own, in small letters; else empty. Waits for the GUI."""
        return next((name.lower() for name in _EDITIONS if xbmc.getCondVisibility("System.Platform." + name)), "")

    def add_ons_folder(self) -> str:
        return xbmcvfs.translatePath("special://home/addons/")

    def install(self) -> None:
        """Returns when the person has refused Kodi's own question, or when all is over."""
        xbmc.executebuiltin("InstallAddon(%s)" % ID, True)
