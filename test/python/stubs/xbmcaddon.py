from __future__ import annotations

from kodi_world import world

ICON = "icon.png"


class Addon:
    def __init__(self, id: str = "") -> None:
        world.call("Addon")
        if not id and not world.in_add_on:
            raise RuntimeError("No valid addon id could be obtained.")

    def getAddonInfo(self, id: str) -> str:
        return {"version": "0.1.0", "path": world.add_on_path, "profile": "special://profile/addon_data/plugin.video.slipstream/", "icon": ICON}[id]

    def getSetting(self, id: str) -> str:
        return world.settings.get(id, "")

    def setSetting(self, id: str, value: str) -> bool:
        world.settings[id] = value
        return True
