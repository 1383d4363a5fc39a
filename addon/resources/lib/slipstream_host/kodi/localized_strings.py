"""Reads Kodi's own strings, in the person's language."""

from __future__ import annotations

from typing import Dict, List

import xbmc

from ..bridge.jsonrpc import Method, Params, sync_method
from ..bridge.params import numbers


def _get(params: Params) -> List[str]:
    return [xbmc.getLocalizedString(number) for number in numbers(params, "ids")]


METHODS: Dict[str, Method] = {"strings.get": sync_method(_get)}
