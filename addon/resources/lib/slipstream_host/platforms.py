"""Where the systems differ."""

from __future__ import annotations

import subprocess
import sys


def no_console() -> int:
    """Popen's creationflags: Windows would open a black window for a console program."""
    if sys.platform == "win32":
        return subprocess.CREATE_NO_WINDOW
    return 0


def can_inherit_sockets() -> bool:
    return sys.platform != "win32"
