"""How much memory the engine may fill: what a stranger's document makes of it ends the engine, not the machine."""

from __future__ import annotations

import ctypes
import os
from typing import Optional

_MEGABYTE = 1024 * 1024
# Megabytes. The largest NZB that is met takes 60.
_LEAST = 192
_MOST = 512


def heap_limit() -> int:
    """Megabytes for V8's heap: a quarter of the machine's memory, within bounds. The least where it is not known."""
    total = _machine()
    return _LEAST if total is None else max(_LEAST, min(_MOST, total // 4 // _MEGABYTE))


def _machine() -> Optional[int]:
    """Bytes."""
    try:
        if os.name == "nt":
            return _windows()
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return None


def _windows() -> Optional[int]:
    kilobytes = ctypes.c_ulonglong()
    kernel = getattr(ctypes, "windll").kernel32
    known = kernel.GetPhysicallyInstalledSystemMemory(ctypes.byref(kilobytes))
    return kilobytes.value * 1024 if known else None
