"""What Kodi wants of us, read from argv alone."""

from __future__ import annotations

# Routes that start a film; each of them needs the guard.
_PLAY_PATHS = ("play", "direct_play", "search")
# Begins the routes that are done beside the call: Kodi waits for no set-up.
_ACTIONS = "setup/"


class Call:
    def __init__(self, argv: list[str]) -> None:
        self.argv = list(argv)
        target = argv[0] if argv else ""
        is_plugin = target.startswith("plugin://")
        path = target.partition("://")[2].partition("/")[2].partition("?")[0].strip("/")
        # What Kodi waits for; -1: for nothing.
        self.handle = _handle(argv) if is_plugin else -1
        if self.handle >= 0 and not path.startswith(_ACTIONS):
            self.entry = "resolve"
        else:
            self.entry = "action" if is_plugin else "script"
        # By which it can be called again, unless the address may hold a secret, as one of direct_play may.
        self.address = argv[0] + argv[2] if self.entry == "resolve" and path == "play" and len(argv) > 2 else ""
        self.resumes = "resume:true" in argv[3:]
        self.starts_film = path in _PLAY_PATHS if is_plugin else True


def _handle(argv: list[str]) -> int:
    try:
        return int(argv[1])
    except (IndexError, ValueError):
        return -1
