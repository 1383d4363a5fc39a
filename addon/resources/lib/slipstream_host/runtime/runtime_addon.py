"""Asks Kodi about the runtime add-on, and lets Kodi install it."""

from __future__ import annotations

import json
import os
import time
from typing import NamedTuple, Optional

import xbmc
import xbmcvfs

from .. import timing
from ..errors import Aborted
from ..kodi.main_loop import Wait

RUNTIME_ID = "script.module.slipstream.node"

# Kodi's System.Platform conditions of the systems that run no bundled program.
_EDITIONS = ("Android", "IOS", "TVOS", "UWP", "WebOS")


class Installed(NamedTuple):
    folder: str
    enabled: bool
    version: str


class RuntimeAddon:
    def installed(self) -> Optional[Installed]:
        """None when it is not installed. By JSON-RPC, because xbmcaddon.Addon fails for a disabled add-on."""
        request = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "Addons.GetAddonDetails",
            "params": {"addonid": RUNTIME_ID, "properties": ["path", "enabled", "version"]},
        }
        try:
            found = json.loads(xbmc.executeJSONRPC(json.dumps(request)))["result"]["addon"]
            return Installed(xbmcvfs.translatePath(found["path"]), found["enabled"] is True, str(found["version"]))
        except (ValueError, KeyError, TypeError):
            return None

    def wait_until_installed(self, seconds: float, wait: Wait) -> Optional[Installed]:
        """As installed(), but waits so many seconds before it returns None. @raises Aborted"""
        end = time.monotonic() + seconds
        while True:
            found = self.installed()
            if found is not None or time.monotonic() >= end:
                return found
            if wait(timing.TICK):
                raise Aborted

    def is_updating(self) -> bool:
        """Whether Kodi is updating it: meanwhile Kodi does not know the add-on, but the old version's folder is there
        until the new one is unpacked."""
        return self.installed() is None and os.path.isdir(os.path.join(self.add_ons_folder(), RUNTIME_ID))

    def edition(self) -> str:
        """Kodi's edition where it runs no bundled program, in lower case; else empty. Waits for the GUI."""
        return next((name.lower() for name in _EDITIONS if xbmc.getCondVisibility("System.Platform." + name)), "")

    def add_ons_folder(self) -> str:
        return xbmcvfs.translatePath("special://home/addons/")

    def install(self) -> None:
        """Returns when the person has refused Kodi's own question, or when Kodi has finished."""
        xbmc.executebuiltin("InstallAddon(%s)" % RUNTIME_ID, True)
