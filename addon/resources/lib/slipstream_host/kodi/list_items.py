"""Makes ListItems of the bridge's items (docs/bridge.md)."""

from __future__ import annotations

from typing import Callable, Dict, List, Tuple

import xbmc
import xbmcgui

from ..bridge.jsonrpc import Params
from ..bridge.params import mapping, number, objects, optional_number, text, text_mapping, texts

_DEFAULT_IDS = ("imdb", "tmdb", "tvdb")
_ANY_DURATION = 1


def list_item(params: Params) -> xbmcgui.ListItem:
    """Of params.item, for Kodi to play. Offscreen, so that it does not wait for the GUI's lock."""
    item = mapping(params, "item")
    url = text(item, "url")
    made = xbmcgui.ListItem(text(item, "label") if "label" in item else "", path=url, offscreen=True)
    if item.get("mime"):
        # With the MIME type known, Kodi needs one request to start; without it, Kodi must probe the stream.
        made.setMimeType(text(item, "mime"))
        made.setContentLookup(False)
    made.setArt(text_mapping(item, "art"))
    for name, value in text_mapping(item, "properties").items():
        made.setProperty(name, value)
    tag = made.getVideoInfoTag()
    _set_info(tag, mapping(item, "info"))
    ids = text_mapping(item, "ids")
    if ids:
        tag.setUniqueIDs(ids, _default_id(ids))
    if item.get("subtitles"):
        made.setSubtitles(texts(item, "subtitles"))
    start = optional_number(item, "startAt")
    if start is not None:
        start_at(made, start)
    return made


def start_at(item: xbmcgui.ListItem, seconds: int) -> None:
    """Kodi reads the resume point of a resolved film, and StartOffset of one that Player.play starts."""
    # Kodi ignores a resume point without a duration, which is unknown yet; any duration will do.
    item.getVideoInfoTag().setResumePoint(float(seconds), float(_ANY_DURATION + seconds))
    item.setProperty("StartOffset", str(seconds))


def mark_resumed(item: xbmcgui.ListItem) -> None:
    """Makes Kodi's plugin call for the item ask to resume it: Kodi's own mark for that is an offset of -1 ms."""
    item.setProperty("StartOffset", "-0.001")


def _default_id(ids: Dict[str, str]) -> str:
    """The name of the id that Kodi returns as ListItem.IMDBNumber."""
    return next((name for name in _DEFAULT_IDS if name in ids), "")


def menu_items(params: Params) -> List[Tuple[str, xbmcgui.ListItem, bool]]:
    """The rows of our menu, as Kodi's directory items; each starts an action of ours."""
    return [(text(row, "url"), _menu_item(row), False) for row in objects(params, "rows")]


def _menu_item(row: Params) -> xbmcgui.ListItem:
    made = xbmcgui.ListItem(text(row, "label"), offscreen=True)
    # Without these the skin draws a film's icon.
    made.setArt({"icon": text(row, "icon"), "thumb": text(row, "icon")})
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
        "duration": tag.setDuration,
        "year": tag.setYear,
        "season": tag.setSeason,
        "episode": tag.setEpisode,
    }
    for name in info:
        if name in texts:
            texts[name](text(info, name))
        elif name in numbers:
            numbers[name](number(info, name))
