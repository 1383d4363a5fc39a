"""Shows Kodi's notifications (toasts), which close by themselves."""

from __future__ import annotations

from typing import Dict

import xbmcgui

from ..bridge.jsonrpc import INVALID_PARAMS, Method, Params, RpcError, sync_method
from ..bridge.params import number, text
from ..messages import NAME

_ICONS = {
    "info": xbmcgui.NOTIFICATION_INFO,
    "warning": xbmcgui.NOTIFICATION_WARNING,
    "error": xbmcgui.NOTIFICATION_ERROR,
}
_MILLISECONDS = 8000


def show(message: str, icon: str = "info") -> None:
    """Shows a notification of the host's own. `icon`: info, warning or error."""
    xbmcgui.Dialog().notification(NAME, message, _ICONS[icon], _MILLISECONDS)


def _notify(params: Params) -> bool:
    icon = _ICONS.get(text(params, "icon"))
    if icon is None:
        raise RpcError(INVALID_PARAMS, "icon is none of " + ", ".join(_ICONS))
    heading, message = text(params, "heading"), text(params, "message")
    xbmcgui.Dialog().notification(heading, message, icon, number(params, "milliseconds"))
    return True


METHODS: Dict[str, Method] = {"notify": sync_method(_notify)}
