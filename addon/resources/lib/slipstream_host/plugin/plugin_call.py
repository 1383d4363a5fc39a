"""Reads from argv what a call of Kodi wants."""

from __future__ import annotations

# Routes that start a film; each of them needs the playback lock.
_PLAY_PATHS = ("play", "direct_play", "search")
# Routes with this prefix are answered at once and go on without Kodi: it waits for no set-up.
_ACTION_PREFIX = "setup/"


class PluginCall:
    def __init__(self, argv: list[str]) -> None:
        self.argv = list(argv)
        target = argv[0] if argv else ""
        is_plugin = target.startswith("plugin://")
        path = target.partition("://")[2].partition("/")[2].partition("?")[0].strip("/")
        # The handle that Kodi waits for; -1: it waits for nothing.
        self.handle = _handle(argv) if is_plugin else -1
        # As in the `start` message (docs/bridge.md).
        if self.handle >= 0 and not path.startswith(_ACTION_PREFIX):
            self.entry = "resolve"
        else:
            self.entry = "action" if is_plugin else "script"
        # The plugin:// URL that makes this call again; empty for direct_play, whose URL may hold a secret.
        self.address = argv[0] + argv[2] if self.entry == "resolve" and path == "play" and len(argv) > 2 else ""
        self.resumes = "resume:true" in argv[3:]
        self.starts_film = path in _PLAY_PATHS if is_plugin else True


def _handle(argv: list[str]) -> int:
    try:
        return int(argv[1])
    except (IndexError, ValueError):
        return -1
