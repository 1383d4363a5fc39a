"""What Kodi shows of the item that has the focus."""

from __future__ import annotations

from typing import Dict

import xbmc

from ..jsonrpc import INVALID_PARAMS, Method, Params, Refusal, at_once
from ..params import texts

# All that may be read: a label is a small language, which the engine has no need to speak.
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
            raise Refusal(INVALID_PARAMS, "no label to read")
    return {name: xbmc.getInfoLabel(name) for name in names}


METHODS: Dict[str, Method] = {"labels.get": at_once(_get)}
