"""Writes to Kodi's log, each line with the add-on's id."""

from __future__ import annotations

import xbmc

from . import ADDON_ID

LEVELS = {
    "debug": xbmc.LOGDEBUG,
    "info": xbmc.LOGINFO,
    "warning": xbmc.LOGWARNING,
    "error": xbmc.LOGERROR,
}


def write(level: str, text: str) -> None:
    xbmc.log("[%s] %s" % (ADDON_ID, text), LEVELS[level])


def write_engine_line(line: str) -> None:
    """Logs one line of the engine's stderr: "level: text", or any other line as info."""
    level, colon, text = line.partition(": ")
    if colon and level in LEVELS:
        write(level, text)
    elif line.strip():
        write("info", line)
