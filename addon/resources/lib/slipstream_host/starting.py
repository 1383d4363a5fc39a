"""The start of a plugin process's engine. When only a Node.js is missing, the person is asked, and told."""

from __future__ import annotations

from typing import Optional

import xbmc

from . import asking, launcher, log, messages
from .call import Call
from .engine import Engine
from .guard import Guard
from .jsonrpc import Peer
from .kodi import toast
from .kodi.addon import AddonFacts
from .kodi.resolution import Resolution
from .pump import Pump
from .runtime import offer
from .runtime.addon import RuntimeAddon
from .trouble import Aborted, CannotStart, NoNode, NoRuntime

# The skins list our menu as well, and nobody is to be asked for that.
_BROWSES = "Window.IsActive(videos)"


def start(call: Call, guard: Guard, addon: AddonFacts, pump: Pump, peer: Peer, answer: Resolution) -> Optional[Engine]:
    """None once the call was answered, and the person was told why."""
    try:
        return _launch(call, guard, addon, pump, peer)
    except Aborted:
        return None
    except NoNode as error:
        answer.finish(end_playlist=True)
        _tell(str(error), call, guard, pump)
    except CannotStart as error:
        answer.finish(end_playlist=True)
        toast.show(str(error), "error")
    except OSError as error:
        log.write("error", "the engine does not start: %s" % error)
        answer.finish(end_playlist=True)
        toast.show(messages.ENGINE_FAILED, "error")
    return None


def _launch(call: Call, guard: Guard, addon: AddonFacts, pump: Pump, peer: Peer) -> Engine:
    try:
        return launcher.launch(addon, pump, peer, "plugin")
    except NoRuntime:
        if not _by_person(call):
            raise
        _claim(guard)
        offer.install(RuntimeAddon(), pump.wait)
        if not call.starts_film:
            guard.release()
    return launcher.launch(addon, pump, peer, "plugin")


def _tell(text: str, call: Call, guard: Guard, pump: Pump) -> None:
    """In a box that stays: a toast is too short for a way out."""
    log.write("error", text)
    if not _by_person(call):
        toast.show(text, "error")
        return
    _claim(guard)
    try:
        asking.tell(text, pump.wait)
    except Aborted:
        pass


def _by_person(call: Call) -> bool:
    return call.starts_film or call.handle < 0 or xbmc.getCondVisibility(_BROWSES)


def _claim(guard: Guard) -> None:
    """No play may begin under a box of ours."""
    if not guard.busy():
        guard.claim()
