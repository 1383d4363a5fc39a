"""The proxy's listening socket. The host makes it and never accepts: engines inherit it one after the other, so that
a replacement keeps the port, and a connection made in between waits instead of being refused.

The service of the add-on's next version, or of another profile, listens on the same port again: Kodi keeps our
addresses in the rows of its lists, and one that nobody answers is a failure without a reason.
"""

from __future__ import annotations

import socket
from typing import Dict, Optional, Tuple

import xbmcgui

from . import log
from .kodi.properties import HOME_WINDOW
from .own_stream import PROXY_PORT
from .platforms import can_inherit_sockets

_BACKLOG = 128
_LOOPBACK = "127.0.0.1"
# The port that was published last in this Kodi.
KEPT_PORT = "slipstream.port"


class Listener:
    def __init__(self) -> None:
        # Where an engine listens that cannot inherit a socket.
        self._port = _port(KEPT_PORT)
        self._socket = _listen(self._port)
        if self._socket is None and self._port != 0:
            # It is somebody else's by now.
            self._port = 0
            self._socket = _listen(0)
        if self._socket is not None and not can_inherit_sockets():
            self._socket.close()
            self._socket = None

    def inherited(self) -> Tuple[int, ...]:
        return () if self._socket is None else (self._socket.fileno(),)

    def listen(self) -> Dict[str, int]:
        """Where the engine listens: on our socket, or on the port that its predecessor published."""
        if self._socket is not None:
            return {"fd": self._socket.fileno()}
        return {"port": _port(PROXY_PORT) or self._port}

    def close(self) -> None:
        """To be called while the port is still published, if it was."""
        published = _port(PROXY_PORT)
        if published != 0:
            xbmcgui.Window(HOME_WINDOW).setProperty(KEPT_PORT, str(published))
        if self._socket is not None:
            self._socket.close()


def _port(name: str) -> int:
    """0: none is told there. Every add-on can write a property."""
    text = xbmcgui.Window(HOME_WINDOW).getProperty(name)
    is_number = text.isascii() and text.isdigit() and len(text) <= 5
    return int(text) if is_number and int(text) <= 65535 else 0


def _listen(port: int) -> Optional[socket.socket]:
    """0: on any port that is free."""
    try:
        return socket.create_server((_LOOPBACK, port), backlog=_BACKLOG)
    except OSError as error:
        log.write("warning", "no listening socket of our own on port %d: %s" % (port, error))
        return None
