"""Starts the engine: finds its script and a Node.js, and sets its environment and its heap limit."""

from __future__ import annotations

import os
from typing import Dict, Optional, Sequence

from .. import messages
from ..bridge.jsonrpc import Peer
from ..errors import CannotStart
from ..kodi.addon_info import AddonInfo, kodi_language
from ..kodi.main_loop import MainLoop
from ..runtime.find_node import find_node
from ..runtime.node_check import clean_environment
from ..runtime.runtime_addon import RuntimeAddon
from .engine_process import EngineProcess
from .heap_limit import heap_limit_mb


def start_engine(
    addon: AddonInfo, main_loop: MainLoop, peer: Peer, mode: str, inherited: Sequence[int] = ()
) -> EngineProcess:
    """`mode` is the engine's first argument: plugin or service. `inherited`: file descriptors that the engine inherits.
    @raises CannotStart, OSError when the system cannot start a process at the moment"""
    script = os.path.join(addon.path, "resources", "engine", "engine.cjs")
    if not os.path.isfile(script):
        raise CannotStart(messages.NO_ENGINE)
    binary = find_node(addon.data, RuntimeAddon(), main_loop.wait)
    environment = clean_environment()
    # Node.js 22 and newer keep compiled code there; older ones ignore the variable.
    environment["NODE_COMPILE_CACHE"] = os.path.join(addon.data, "compile-cache")
    limit = "--max-old-space-size=%d" % heap_limit_mb()
    return EngineProcess([binary, limit, script, mode], environment, peer, inherited)


def start_message(
    addon: AddonInfo, entry: str, argv: Sequence[str], handle: int, more: Optional[Dict[str, object]] = None
) -> Dict[str, object]:
    """The params of `start`, the first line that the engine reads."""
    message: Dict[str, object] = {
        "entry": entry,
        "argv": list(argv),
        "handle": handle,
        "addon": {"id": addon.id, "version": addon.version, "path": addon.path},
        "data": addon.data,
        "kodi": addon.kodi,
        "language": kodi_language(),
    }
    message.update(more or {})
    return message
