"""Restarts a script that was started by its path: it runs without an add-on, so that it never hears Kodi's abort, and
Kodi hangs when it quits. Started by the add-on's id, the script hears it."""

from __future__ import annotations

import xbmc

from .. import ADDON_ID


def restart_by_id(argv: list[str]) -> None:
    """Starts the script anew, with the same arguments. The caller then ends."""
    arguments = "".join("," + quote(argument) for argument in argv[1:])
    xbmc.executebuiltin("RunScript(%s%s)" % (ADDON_ID, arguments))


def quote(argument: str) -> str:
    """An argument in the quotes of Kodi's builtins, where a backslash escapes a quote or a backslash."""
    return '"%s"' % argument.replace("\\", "\\\\").replace('"', '\\"')
