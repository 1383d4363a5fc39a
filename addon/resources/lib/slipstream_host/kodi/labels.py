"""Reads info labels of the item that has the focus in Kodi."""

from __future__ import annotations

from typing import Dict

import xbmc

from ..bridge.jsonrpc import INVALID_PARAMS, Method, Params, RpcError, sync_method
from ..bridge.params import texts

# The labels that may be read. Info labels can name far more of Kodi, which the engine has no need of.
_NAMES = frozenset(
    "ListItem." + name
    for name in (
        "Title",
        "OriginalTitle",
        "TVShowTitle",
        "Year",
        "Season",
        "Episode",
        "Duration",
        "PercentPlayed",
        "IMDBNumber",
        "UniqueID(imdb)",
        "UniqueID(tmdb)",
        "UniqueID(tvdb)",
    )
)


def _get(params: Params) -> Dict[str, str]:
    names = texts(params, "names")
    for name in names:
        if name not in _NAMES:
            raise RpcError(INVALID_PARAMS, "this label may not be read")
    return {name: xbmc.getInfoLabel(name) for name in names}


METHODS: Dict[str, Method] = {"labels.get": sync_method(_get)}
