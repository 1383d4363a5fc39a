"""Starts the engine: from where, on which Node.js, and with what environment."""

from __future__ import annotations

import os
from typing import Dict, Optional, Sequence

from . import messages, node
from .engine import Engine
from .jsonrpc import Peer
from .kodi.addon import AddonFacts
from .memory import heap_limit
from .proof import clean_environment
from .pump import Pump
from .runtime.addon import RuntimeAddon
from .trouble import CannotStart


def launch(
    addon: AddonFacts, pump: Pump, peer: Peer, mode: str, inherited: Sequence[int] = ()
) -> Engine:
    """@raises CannotStart for good, or until a Node.js comes; OSError when the system refuses at the moment."""
    script = os.path.join(addon.path, "resources", "engine", "engine.cjs")
    if not os.path.isfile(script):
        raise CannotStart(messages.NO_ENGINE)
    binary = node.find(addon.data, RuntimeAddon(), pump.wait)
    environment = clean_environment()
    # Node.js 22 and newer keep compiled code there; older ones do not look.
    environment["NODE_COMPILE_CACHE"] = os.path.join(addon.data, "compile-cache")
    limit = "--max-old-space-size=%d" % heap_limit()
    return Engine([binary, limit, script, mode], environment, peer, inherited)


def start_message(
    addon: AddonFacts, entry: str, argv: Sequence[str], handle: int, more: Optional[Dict[str, object]] = None
) -> Dict[str, object]:
    """The params of `start`, the first line that the engine reads."""
    message: Dict[str, object] = {
        "entry": entry,
        "argv": list(argv),
        "handle": handle,
        "addon": {"id": addon.id, "version": addon.version, "path": addon.path},
        "data": addon.data,
        "kodi": addon.kodi,
    }
    message.update(more or {})
    return message
