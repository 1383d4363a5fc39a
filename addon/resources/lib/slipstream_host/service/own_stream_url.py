"""Recognises URLs of our own proxy: other add-ons have proxies on 127.0.0.1 as well."""

from __future__ import annotations

import xbmcgui

from ..shared_properties import HOME_WINDOW

PROXY_PORT = "svc.proxy_port"


def is_own_stream_url(url: str) -> bool:
    """Whether our running proxy serves this URL. False also while no proxy of ours is published."""
    port = xbmcgui.Window(HOME_WINDOW).getProperty(PROXY_PORT)
    return port != "" and url.startswith("http://127.0.0.1:%s/" % port)
