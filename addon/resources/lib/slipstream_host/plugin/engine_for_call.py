"""Starts the engine for a plugin process. When it does not start, answers the call and tells the person why; when only
Node.js is missing, offers to install it."""

from __future__ import annotations

from typing import Optional

import xbmc

from .. import log, messages
from ..bridge.jsonrpc import Peer
from ..engine.engine_process import EngineProcess
from ..engine.engine_start import start_engine
from ..errors import Aborted, CannotStart, NoNode, NoRuntime
from ..kodi import host_dialogs, toast
from ..kodi.addon_info import AddonInfo
from ..kodi.main_loop import MainLoop
from ..playback_lock import PlaybackLock
from ..runtime import install_offer
from ..runtime.runtime_addon import RuntimeAddon
from .plugin_call import PluginCall
from .plugin_handle import PluginHandle

# False while a skin lists our menu on its home screen: nobody is to be asked a question for that.
_BROWSES = "Window.IsActive(videos)"


def start_engine_for_call(
    call: PluginCall, lock: PlaybackLock, addon: AddonInfo, main_loop: MainLoop, peer: Peer, handle: PluginHandle
) -> Optional[EngineProcess]:
    """None when it does not start; by then the call is answered and the person is told why."""
    try:
        return _start(call, lock, addon, main_loop, peer)
    except Aborted:
        return None
    except NoNode as error:
        handle.answer_nothing(end_playlist=True)
        _show_missing_node(str(error), call, lock, main_loop)
    except CannotStart as error:
        handle.answer_nothing(end_playlist=True)
        toast.show(str(error), "error")
    except OSError as error:
        log.write("error", "the engine does not start: %s" % error)
        handle.answer_nothing(end_playlist=True)
        toast.show(messages.ENGINE_FAILED, "error")
    return None


def _start(call: PluginCall, lock: PlaybackLock, addon: AddonInfo, main_loop: MainLoop, peer: Peer) -> EngineProcess:
    try:
        return start_engine(addon, main_loop, peer, "plugin")
    except NoRuntime:
        if not _is_persons(call):
            raise
        _claim(lock)
        install_offer.offer_install(RuntimeAddon(), main_loop.wait)
        if not call.starts_film:
            lock.release()
    return start_engine(addon, main_loop, peer, "plugin")


def _show_missing_node(text: str, call: PluginCall, lock: PlaybackLock, main_loop: MainLoop) -> None:
    """Shows the text in a box that stays, because a toast is too short for instructions."""
    log.write("error", text)
    if not _is_persons(call):
        toast.show(text, "error")
        return
    _claim(lock)
    try:
        host_dialogs.show_message(text, main_loop.wait)
    except Aborted:
        pass


def _is_persons(call: PluginCall) -> bool:
    """Whether a person has made the call, and not a skin."""
    return call.starts_film or call.handle < 0 or xbmc.getCondVisibility(_BROWSES)


def _claim(lock: PlaybackLock) -> None:
    """No play may begin while a box of ours is open."""
    if not lock.is_busy():
        lock.claim()
