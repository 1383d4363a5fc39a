"""The proxy's listening socket. The host makes it and never accepts: engines inherit it one after the other, so that
a replacement keeps the port, and a connection made in between waits instead of being refused."""

from __future__ import annotations

import socket
from typing import Dict, Optional, Tuple

import xbmcgui

from . import log
from .kodi.properties import HOME_WINDOW
from .platforms import can_inherit_sockets

_BACKLOG = 128
_PORT_PROPERTY = "svc.proxy_port"


class Listener:
    def __init__(self) -> None:
        self._socket: Optional[socket.socket] = None
        if not can_inherit_sockets():
            return
        try:
            self._socket = socket.create_server(("127.0.0.1", 0), backlog=_BACKLOG)
        except OSError as error:
            log.write("warning", "no listening socket of our own: %s" % error)

    def inherited(self) -> Tuple[int, ...]:
        return () if self._socket is None else (self._socket.fileno(),)

    def listen(self) -> Dict[str, int]:
        """Where the engine listens: on our socket, or on the port that its predecessor published."""
        if self._socket is not None:
            return {"fd": self._socket.fileno()}
        published = xbmcgui.Window(HOME_WINDOW).getProperty(_PORT_PROPERTY)
        return {"port": int(published) if published.isdigit() else 0}

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
