"""The other add-ons."""

from __future__ import annotations

import json
from typing import Dict

import xbmc

from ..jsonrpc import Method, Params, at_once
from ..params import text


def _installed(params: Params) -> bool:
    """Also when it is switched off. Not by a condition, which waits for the GUI."""
    request = {"jsonrpc": "2.0", "id": 1, "method": "Addons.GetAddonDetails", "params": {"addonid": text(params, "id")}}
    return "result" in json.loads(xbmc.executeJSONRPC(json.dumps(request)))


METHODS: Dict[str, Method] = {"addons.installed": at_once(_installed)}
