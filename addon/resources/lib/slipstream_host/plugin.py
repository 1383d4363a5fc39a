"""The plugin process: one engine for one action."""

from __future__ import annotations

from typing import Dict

import xbmc

from . import launcher, log, messages, timing
from .call import Call
from .engine import Engine
from .guard import Guard
from .jsonrpc import Method, Params, Peer, at_once
from .kodi import properties, settings, toast
from .kodi.addon import AddonFacts
from .kodi.playback import Playback
from .kodi.resolution import Resolution
from .pump import Pump
from .windows import Windows


def run(call: Call, guard: Guard, answer: Resolution) -> None:
    """Runs the engine until it ends. Whatever happens, the handle is answered and our windows are closed."""
    # Made here and only here, as the Player: callbacks arrive on the thread that made the object, and objects of
    # other threads crashed Kodi.
    monitor = xbmc.Monitor()
    addon = AddonFacts()
    peer = Peer()
    windows = Windows(peer, addon.path)
    engine_end = _EngineEnd()
    for methods in (settings.METHODS, properties.METHODS, toast.METHODS, windows.methods(), engine_end.methods()):
        peer.serve(methods)
    peer.serve(answer.methods() if call.handle >= 0 else Playback().methods())
    pump = Pump(monitor, guard.renew)
    try:
        engine = launcher.launch(addon, pump, peer, "plugin")
    except launcher.CannotStart as error:
        if not monitor.abortRequested():
            answer.finish()
            toast.show(str(error), "error")
        return
    try:
        peer.notify("start", launcher.start_message(addon, call.entry, call.argv, call.handle))
        aborted = _watch(engine, pump, windows, answer)
    finally:
        answer.finish()
        windows.close_all()
        engine.close()
    if not aborted and not engine_end.announced:
        toast.show(messages.ENGINE_FAILED, "error")


def _watch(engine: Engine, pump: Pump, windows: Windows, answer: Resolution) -> bool:
    """Until the engine has ended. True when that was Kodi's or the person's wish."""
    while not engine.over():
        if pump.wait(timing.TICK):
            # Kodi waits for the answer alone; the engine may use its grace to clean up.
            answer.finish()
            engine.stop()
            return True
        if windows.ignored():
            log.write("error", "the engine does not answer Back; it is ended")
            engine.kill()
    return False


class _EngineEnd:
    """Whether the engine said that its work is done. Its exit status cannot tell: Kodi ignores SIGCHLD, and then the
    system forgets how a child ended."""

    def __init__(self) -> None:
        self.announced = False

    def methods(self) -> Dict[str, Method]:
        return {"done": at_once(self._done)}

    def _done(self, params: Params) -> bool:
        self.announced = True
        return True
