"""Limits the engine's heap, so that a hostile document from the network ends the engine and not the whole machine."""

from __future__ import annotations

import ctypes
import os
from typing import Optional

_MEGABYTE = 1024 * 1024
# Megabytes. The largest NZB seen so far takes 60.
_MIN_MB = 192
_MAX_MB = 512


def heap_limit_mb() -> int:
    """Megabytes for V8's heap: a quarter of the machine's memory, from 192 to 512; 192 if the memory is unknown."""
    total = _physical_memory()
    return _MIN_MB if total is None else max(_MIN_MB, min(_MAX_MB, total // 4 // _MEGABYTE))


def _physical_memory() -> Optional[int]:
    """Bytes; None if unknown."""
    try:
        if os.name == "nt":
            return _physical_memory_on_windows()
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return None


def _physical_memory_on_windows() -> Optional[int]:
    kilobytes = ctypes.c_ulonglong()
    kernel = getattr(ctypes, "windll").kernel32
    known = kernel.GetPhysicallyInstalledSystemMemory(ctypes.byref(kilobytes))
    return kilobytes.value * 1024 if known else None
