from __future__ import annotations

from typing import List, Tuple

from kodi_world import world
from xbmcgui import ListItem

SORT_METHOD_UNSORTED = 40


def setResolvedUrl(handle: int, succeeded: bool, listitem: ListItem) -> None:
    world.call("setResolvedUrl")
    if succeeded and world.refuse_resolved:
        raise TypeError("Kodi does not take this item")
    world.resolved.append((handle, succeeded, listitem))


def setPluginCategory(handle: int, category: str) -> None:
    world.folder_names.append((handle, category))


def addSortMethod(handle: int, sortMethod: int) -> None:
    world.folder_sorts.append((handle, sortMethod))


def addDirectoryItems(handle: int, items: List[Tuple[str, ListItem, bool]], totalItems: int = 0) -> bool:
    if world.refuse_folder:
        raise TypeError("Kodi does not take these items")
    world.folder.extend((url, item, is_folder) for url, item, is_folder in items)
    return True


def endOfDirectory(
    handle: int, succeeded: bool = True, updateListing: bool = False, cacheToDisc: bool = True
) -> None:
    world.folders_ended.append((handle, succeeded))
