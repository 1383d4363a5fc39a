"""A script started by its path runs without an add-on: it never hears Kodi's abort, and Kodi then hangs when it
quits. So it starts itself again by id, where all is well, and ends."""

from __future__ import annotations

import xbmc

from . import ADDON_ID


def rerun_by_id(argv: list[str]) -> None:
    arguments = "".join("," + quote(argument) for argument in argv[1:])
    xbmc.executebuiltin("RunScript(%s%s)" % (ADDON_ID, arguments))


def quote(argument: str) -> str:
    """An argument in the quotes of Kodi's builtins, where a backslash escapes a quote or a backslash."""
    return '"%s"' % argument.replace("\\", "\\\\").replace('"', '\\"')
