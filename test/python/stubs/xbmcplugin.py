from __future__ import annotations

from kodi_world import world
from xbmcgui import ListItem


def setResolvedUrl(handle: int, succeeded: bool, listitem: ListItem) -> None:
    world.call("setResolvedUrl")
    if succeeded and world.refuse_resolved:
        raise TypeError("Kodi does not take this item")
    world.resolved.append((handle, succeeded, listitem))
