"""The plugin process: one engine for one action."""

from __future__ import annotations

from typing import Callable

import xbmc

from . import launcher, log, messages, starting, timing
from .call import Call
from .dialogs import Dialogs
from .engine import Engine
from .guard import Guard
from .jsonrpc import REFUSED, Peer, Refusal
from .kodi import files, labels, other_addons, properties, settings, toast, words
from .kodi.addon import AddonFacts
from .kodi.menu import Menu
from .kodi.playback import Playback
from .kodi.playlist import Playlist
from .kodi.resolution import Resolution
from .kodi.settings_dialog import SettingsDialog
from .pump import Pump
from .windows import Windows


def run(call: Call, guard: Guard, answer: Resolution) -> None:
    """Runs the engine until it ends. Whatever happens, the handle is answered and our windows are closed."""
    # Made here and only here, as the Player: callbacks arrive on the thread that made the object, and objects of
    # other threads crashed Kodi.
    monitor = xbmc.Monitor()
    addon = AddonFacts()
    peer = Peer()
    windows, dialogs, settings_dialog = Windows(peer, addon.path), Dialogs(), SettingsDialog()
    for offers in (settings, properties, files, labels, other_addons, toast, words):
        peer.serve(offers.METHODS)
    peer.serve(settings.CHANGES)
    peer.serve(settings_dialog.methods())
    peer.serve(windows.methods())
    peer.serve(dialogs.methods())
    peer.serve(Playlist(call.address).methods())
    menu = Menu("plugin://" + addon.id)
    peer.serve(menu.methods())
    resolves = call.entry == "resolve"
    peer.serve(answer.methods() if resolves else Playback(_taking(guard)).methods())
    pump = Pump(monitor, guard.renew)
    engine = starting.start(call, guard, addon, pump, peer, answer)
    if engine is None:
        return
    try:
        peer.notify("start", launcher.start_message(addon, call.entry, call.argv, call.handle if resolves else -1))
        wanted = _watch(engine, pump, guard, addon, windows, dialogs, settings_dialog, answer)
    finally:
        windows.forgo()
        answer.finish(end_playlist=True)
        engine.close()
        windows.close_all()
        dialogs.close_all()
    if not wanted and engine.status() != 0:
        toast.show(messages.ENGINE_FAILED, "error")
    guard.release()
    menu.finish()


def _taking(guard: Guard) -> Callable[[Callable[[], None]], None]:
    """How a film is handed over. An action has no guard: it takes it when there is something to play."""

    def hand_over(give: Callable[[], None]) -> None:
        if not guard.held() and (guard.busy() or not guard.claim()):
            raise Refusal(REFUSED, "another film is starting")
        guard.hand_over(give)

    return hand_over


def _watch(
    engine: Engine,
    pump: Pump,
    guard: Guard,
    addon: AddonFacts,
    windows: Windows,
    dialogs: Dialogs,
    settings_dialog: SettingsDialog,
    answer: Resolution,
) -> bool:
    """Until the engine has ended. True when we, Kodi or the person wanted that."""
    while not engine.over():
        # Kodi does not end us when it switches profiles.
        aborted = pump.wait(timing.TICK) or addon.is_elsewhere()
        if aborted or guard.lost():
            # Kodi waits for the answer alone, and the person for the window to go; the engine may use its grace to
            # clean up. A play that took over may belong to the playlist.
            windows.forgo()
            answer.finish(end_playlist=aborted)
            engine.tell_abort()
            windows.close()
            dialogs.close()
            engine.stop()
            if not aborted:
                toast.show(messages.STILL_STARTING)
            return True
        dialogs.tick()
        settings_dialog.tick()
        if windows.ignored():
            log.write("error", "the engine does not answer Back; it is ended")
            engine.kill()
    return False
