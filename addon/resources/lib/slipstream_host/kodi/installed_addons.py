"""Tells the engine which other add-ons are installed."""

from __future__ import annotations

import json
from typing import Dict

import xbmc

from ..bridge.jsonrpc import Method, Params, sync_method
from ..bridge.params import text


def _installed(params: Params) -> bool:
    """True for a disabled add-on as well. Not by a condition, which waits for the GUI."""
    request = {"jsonrpc": "2.0", "id": 1, "method": "Addons.GetAddonDetails", "params": {"addonid": text(params, "id")}}
    return "result" in json.loads(xbmc.executeJSONRPC(json.dumps(request)))


METHODS: Dict[str, Method] = {"addons.installed": sync_method(_installed)}
