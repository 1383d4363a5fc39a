"""The add-on's stored settings, as text."""

from __future__ import annotations

from typing import Dict

import xbmcaddon

from .. import ADDON_ID
from ..jsonrpc import Method, Params, at_once
from ..params import texts


def read(params: Params) -> Dict[str, str]:
    # A new Addon each time: one made earlier keeps the values of then.
    addon = xbmcaddon.Addon(ADDON_ID)
    return {name: addon.getSetting(name) for name in texts(params, "ids")}


METHODS: Dict[str, Method] = {"settings.read": at_once(read)}
