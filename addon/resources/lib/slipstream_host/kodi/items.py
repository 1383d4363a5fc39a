"""ListItems out of the bridge's items."""

from __future__ import annotations

from typing import Callable, Dict, List, Tuple

import xbmc
import xbmcgui

from ..jsonrpc import Params
from ..params import mapping, number, objects, text, text_mapping


def list_item(params: Params) -> xbmcgui.ListItem:
    """What Kodi plays, out of params.item. Offscreen: no wait for the GUI's lock."""
    item = mapping(params, "item")
    url = text(item, "url")
    made = xbmcgui.ListItem(text(item, "label") if "label" in item else "", path=url, offscreen=True)
    if item.get("mime"):
        made.setMimeType(text(item, "mime"))
    # With the MIME type known, Kodi needs exactly one request to start.
    made.setContentLookup(False)
    made.setArt(text_mapping(item, "art"))
    for name, value in text_mapping(item, "properties").items():
        made.setProperty(name, value)
    _set_info(made.getVideoInfoTag(), mapping(item, "info"))
    ids = text_mapping(item, "ids")
    if ids:
        made.getVideoInfoTag().setUniqueIDs(ids)
    return made


def menu_items(params: Params) -> List[Tuple[str, xbmcgui.ListItem, bool]]:
    """Rows of a folder, each of which starts an action of ours."""
    return [(text(row, "url"), _menu_item(row), False) for row in objects(params, "rows")]


def _menu_item(row: Params) -> xbmcgui.ListItem:
    made = xbmcgui.ListItem(text(row, "label"), offscreen=True)
    made.getVideoInfoTag().setPlot(text(row, "help"))
    return made


def _set_info(tag: xbmc.InfoTagVideo, info: Params) -> None:
    texts: Dict[str, Callable[[str], None]] = {
        "mediatype": tag.setMediaType,
        "title": tag.setTitle,
        "originaltitle": tag.setOriginalTitle,
        "tvshowtitle": tag.setTvShowTitle,
        "premiered": tag.setPremiered,
        "plot": tag.setPlot,
    }
    numbers: Dict[str, Callable[[int], None]] = {
        "year": tag.setYear,
        "season": tag.setSeason,
        "episode": tag.setEpisode,
    }
    for name in info:
        if name in texts:
            texts[name](text(info, name))
        elif name in numbers:
            numbers[name](number(info, name))
