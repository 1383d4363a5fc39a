"""Differences between operating systems in how processes are started."""

from __future__ import annotations

import subprocess
import sys


def no_console() -> int:
    """Popen's creationflags: without this one, Windows opens a console window."""
    if sys.platform == "win32":
        return subprocess.CREATE_NO_WINDOW
    return 0


def can_inherit_sockets() -> bool:
    return sys.platform != "win32"
