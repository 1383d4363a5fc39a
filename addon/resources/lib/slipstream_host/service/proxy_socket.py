"""The proxy's listening socket. The host opens it and never accepts on it. Engines inherit it one after the other, so
that a replacement keeps the port, and a connection that comes in between waits instead of being refused.

The service of the add-on's next version, or of another profile, listens on the same port again: Kodi keeps our stream
URLs in the rows of its lists, and a URL on a closed port fails without a reason that the person could read.
"""

from __future__ import annotations

import socket
from typing import Dict, Optional, Tuple

import xbmcgui

from .. import log
from ..operating_system import can_inherit_sockets
from ..shared_properties import HOME_WINDOW
from .own_stream_url import PROXY_PORT

_BACKLOG = 128
_LOOPBACK = "127.0.0.1"
# The property with the port that was published last in this Kodi.
LAST_PORT = "slipstream.port"


class ProxySocket:
    def __init__(self) -> None:
        # The port for an engine that cannot inherit a socket; 0: any.
        self._port = _read_port(LAST_PORT)
        self._socket = _open_socket(self._port)
        if self._socket is None and self._port != 0:
            # Another program has taken the port.
            self._port = 0
            self._socket = _open_socket(0)
        if self._socket is not None and not can_inherit_sockets():
            self._socket.close()
            self._socket = None

    def inherited(self) -> Tuple[int, ...]:
        """The file descriptors that the engine inherits."""
        return () if self._socket is None else (self._socket.fileno(),)

    def listen_address(self) -> Dict[str, int]:
        """Where the engine listens, for `start`: on our socket, or on the port that its predecessor published."""
        if self._socket is not None:
            return {"fd": self._socket.fileno()}
        return {"port": _read_port(PROXY_PORT) or self._port}

    def close(self) -> None:
        """Keeps the port for the next service. To be called before the published port is cleared."""
        published = _read_port(PROXY_PORT)
        if published != 0:
            xbmcgui.Window(HOME_WINDOW).setProperty(LAST_PORT, str(published))
        if self._socket is not None:
            self._socket.close()


def _read_port(name: str) -> int:
    """The port in a property; 0 when there is none, or a text that is no port: any add-on can write a property."""
    text = xbmcgui.Window(HOME_WINDOW).getProperty(name)
    is_number = text.isascii() and text.isdigit() and len(text) <= 5
    return int(text) if is_number and int(text) <= 65535 else 0


def _open_socket(port: int) -> Optional[socket.socket]:
    """A listening socket on that port; 0: on any free one. None when it cannot be opened."""
    try:
        return socket.create_server((_LOOPBACK, port), backlog=_BACKLOG)
    except OSError as error:
        log.write("warning", "no listening socket of our own on port %d: %s" % (port, error))
        return None
