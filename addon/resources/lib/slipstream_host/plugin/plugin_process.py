"""The plugin process: runs one engine for one call."""

from __future__ import annotations

from typing import Callable

import xbmc

from .. import log, messages, timing
from ..bridge.jsonrpc import REFUSED, Peer, RpcError
from ..engine.engine_process import EngineProcess
from ..engine.engine_start import start_message
from ..kodi import files, installed_addons, labels, localized_strings, properties, settings, toast
from ..kodi.addon_info import AddonInfo
from ..kodi.kodi_dialogs import KodiDialogs
from ..kodi.main_loop import MainLoop
from ..kodi.menu import Menu
from ..kodi.playback import Playback
from ..kodi.playlist import Playlist
from ..kodi.settings_dialog import SettingsDialog
from ..playback_lock import PlaybackLock
from ..windows.window_manager import WindowManager
from .engine_for_call import start_engine_for_call
from .plugin_call import PluginCall
from .plugin_handle import PluginHandle


def run_plugin(call: PluginCall, lock: PlaybackLock, handle: PluginHandle) -> None:
    """Runs the engine until it ends. Whatever happens, the handle is answered and our windows are closed."""
    _PluginProcess(call, lock, handle).run()


class _PluginProcess:
    """To be made on the main thread: Monitor and Player call back on the thread that made them, and such objects made
    on other threads crashed Kodi."""

    def __init__(self, call: PluginCall, lock: PlaybackLock, handle: PluginHandle) -> None:
        self._call = call
        self._lock = lock
        self._handle = handle
        self._resolves = call.entry == "resolve"
        self._main_loop = MainLoop(xbmc.Monitor(), lock.renew)
        self._addon = AddonInfo()
        self._peer = Peer()
        self._windows = WindowManager(self._peer, self._addon.path)
        self._dialogs = KodiDialogs()
        self._settings_dialog = SettingsDialog()
        self._menu = Menu("plugin://" + self._addon.id)
        self._serve_methods()

    def _serve_methods(self) -> None:
        serve = self._peer.serve
        for module in (settings, properties, files, labels, installed_addons, toast, localized_strings):
            serve(module.METHODS)
        serve(settings.WRITE_METHODS)
        serve(self._settings_dialog.methods())
        serve(self._windows.methods())
        serve(self._dialogs.methods())
        serve(Playlist(self._call.address).methods())
        serve(self._menu.methods())
        serve(self._handle.methods() if self._resolves else Playback(_hand_over_with(self._lock)).methods())

    def run(self) -> None:
        call = self._call
        engine = start_engine_for_call(call, self._lock, self._addon, self._main_loop, self._peer, self._handle)
        if engine is None:
            return
        try:
            handle = call.handle if self._resolves else -1
            self._peer.notify("start", start_message(self._addon, call.entry, call.argv, handle))
            was_wanted = self._watch(engine)
        finally:
            self._windows.cancel_pending()
            self._handle.answer_nothing(end_playlist=True)
            engine.close()
            self._windows.close_all()
            self._dialogs.close_all()
        if not was_wanted and engine.status() != 0:
            toast.show(messages.ENGINE_FAILED, "error")
        self._lock.release()
        self._menu.refresh_if_stale()

    def _watch(self, engine: EngineProcess) -> bool:
        """Until the engine has ended. True when we, Kodi or the person wanted that."""
        while not engine.has_ended():
            # Kodi lets a plugin process run on when it switches profiles.
            is_aborted = self._main_loop.wait(timing.TICK) or self._addon.has_profile_changed()
            if is_aborted or self._lock.is_lost():
                self._abort(engine, is_aborted)
                return True
            self._dialogs.tick()
            self._settings_dialog.tick()
            if self._windows.is_back_ignored():
                log.write("error", "the engine does not answer Back; it is killed")
                engine.kill()
        return False

    def _abort(self, engine: EngineProcess, is_aborted: bool) -> None:
        """Ends the engine because Kodi wants that, or, without `is_aborted`, because another play took the lock."""
        # Kodi waits only for the answer, and the person for the window to close; the engine cleans up after that. The
        # other play may belong to the playlist, which then stays.
        self._windows.cancel_pending()
        self._handle.answer_nothing(end_playlist=is_aborted)
        engine.send_abort()
        self._windows.close()
        self._dialogs.close()
        engine.stop()
        if not is_aborted:
            toast.show(messages.STILL_STARTING)


def _hand_over_with(lock: PlaybackLock) -> Callable[[Callable[[], None]], None]:
    """How an action gives Kodi a film: it holds no lock until it has something to play."""

    def hand_over(give: Callable[[], None]) -> None:
        if not lock.is_held() and (lock.is_busy() or not lock.claim()):
            raise RpcError(REFUSED, "another film is starting")
        lock.hand_over(give)

    return hand_over
