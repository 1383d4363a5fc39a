"""Kodi's own words, in the person's language."""

from __future__ import annotations

from typing import Dict, List

import xbmc

from ..jsonrpc import Method, Params, at_once
from ..params import numbers


def _words(params: Params) -> List[str]:
    return [xbmc.getLocalizedString(number) for number in numbers(params, "ids")]


METHODS: Dict[str, Method] = {"words": at_once(_words)}
