"""Notifications: a toast that goes away by itself."""

from __future__ import annotations

from typing import Dict

import xbmcgui

from ..jsonrpc import INVALID_PARAMS, Method, Params, Refusal, at_once
from ..messages import NAME
from ..params import number, text

_ICONS = {
    "info": xbmcgui.NOTIFICATION_INFO,
    "warning": xbmcgui.NOTIFICATION_WARNING,
    "error": xbmcgui.NOTIFICATION_ERROR,
}
_MILLISECONDS = 8000


def show(message: str, icon: str = "info") -> None:
    """The host's own."""
    xbmcgui.Dialog().notification(NAME, message, _ICONS[icon], _MILLISECONDS)


def _notify(params: Params) -> bool:
    icon = _ICONS.get(text(params, "icon"))
    if icon is None:
        raise Refusal(INVALID_PARAMS, "icon is none of " + ", ".join(_ICONS))
    heading, message = text(params, "heading"), text(params, "message")
    xbmcgui.Dialog().notification(heading, message, icon, number(params, "milliseconds"))
    return True


METHODS: Dict[str, Method] = {"notify": at_once(_notify)}
