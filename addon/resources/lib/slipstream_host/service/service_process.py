"""The service process: keeps one engine running for as long as Kodi runs."""

from __future__ import annotations

import sys
import time
from typing import Optional

import xbmcgui

from .. import log, messages, timing
from ..bridge.jsonrpc import Params, Peer, sync_method
from ..engine.engine_process import EngineProcess
from ..engine.engine_start import start_engine, start_message
from ..errors import Aborted, CannotStart, NoNode, NoRuntime
from ..kodi import files, properties, settings, toast
from ..kodi.addon_info import AddonInfo
from ..kodi.events import PlayerEvents, ServiceMonitor
from ..kodi.main_loop import MainLoop
from ..runtime.find_node import node_fingerprint
from ..runtime.runtime_addon import RuntimeAddon
from ..shared_properties import HOME_WINDOW
from ..windows.window_manager import WindowManager
from .deferred_plays import DeferredPlays
from .failure_box import FailureBoxWatcher
from .film_opening import FilmOpening
from .heartbeat import Heartbeat
from .player_control import PlayerControl
from .proxy_socket import ProxySocket
from .restart_backoff import GiveUpBackoff, RestartBackoff

# The properties that the service's engine publishes. Old values would send other processes to a dead proxy.
PUBLISHED = ("svc.proxy_port", "svc.proxy_token", "svc.active", "svc.stream_url", "svc.playing", "svc.film_open")

# Only logged, never shown.
_NO_RUNTIME = "there is no Node.js yet: the person is asked for it when they open Slipstream"


class ServiceProcess:
    """To be made and run on the main thread, as Monitor and Player must be."""

    def __init__(self) -> None:
        self._monitor = ServiceMonitor(
            lambda: self._notify("settings", {}), lambda: self._notify("film.ended", {}), self._on_queued
        )
        self._player = PlayerEvents(self._on_player)
        self._player_control = PlayerControl(self._player)
        # A film that plays already, as after an update, has had its picture.
        self._box = FailureBoxWatcher(self._player.isPlaying())
        self._deferred_plays = DeferredPlays(self._box, self._player)
        self._opening = FilmOpening()
        self._main_loop = MainLoop(self._monitor, self._tick, lambda: self._box.tick_interval())
        self._addon = AddonInfo()
        self._peer: Optional[Peer] = None
        self._snapshot: object = None
        # node_fingerprint() of the last search for a Node.js, and the failure that was shown.
        self._searched: object = None
        self._shown_failure = ""

    def run(self) -> None:
        """Until Kodi ends. Without an engine, when it had to be given up: the failure box and the playback lock are
        still watched, because without that the next play would abort Kodi."""
        try:
            while self._run_engines() and self._wait_for_node():
                pass
            while not self._main_loop.wait(timing.IDLE):
                pass
        finally:
            self._opening.close()
            self._box.clear()

    def _run_engines(self) -> bool:
        """Until Kodi ends, or until the engine cannot be started, which the person is told. True when it may start once
        another Node.js is there."""
        _clear_published()
        proxy_socket = ProxySocket()
        needs_node, failure, level = False, "", "error"
        # Before the search: a change during the search counts as one after it.
        self._searched = self._node_fingerprint()
        try:
            self._run_and_restart(proxy_socket)
        except NoRuntime:
            # As after every installation on a system without Node.js: nothing is broken, and the person's first call
            # asks them to install it. Before that nothing is shown.
            needs_node, failure, level = True, _NO_RUNTIME, "warning"
        except NoNode as error:
            needs_node, failure = True, str(error)
        except Aborted:
            pass
        except CannotStart as error:
            failure = str(error)
        finally:
            proxy_socket.close()
            _clear_published()
        if failure != self._shown_failure and not self._monitor.abortRequested():
            self._shown_failure = failure
            log.write(level, failure)
            if failure != _NO_RUNTIME:
                toast.show(failure, level)
        return needs_node and not self._monitor.abortRequested()

    def _wait_for_node(self) -> bool:
        """True once another Node.js may be there; False when Kodi ends."""
        while self._node_fingerprint() == self._searched:
            if self._main_loop.wait(timing.NODE_LOOK):
                return False
        return True

    def _node_fingerprint(self) -> object:
        return node_fingerprint(self._addon.data, RuntimeAddon())

    def _run_and_restart(self, proxy_socket: ProxySocket) -> None:
        """Runs engines until Kodi ends. @raises CannotStart"""
        backoff = GiveUpBackoff()
        is_restart = False
        while not self._run_until_given_up(proxy_socket, is_restart):
            is_restart = True
            pause = backoff.next_pause(time.monotonic())
            log.write("error", "the engine crashed too often; the next starts in %d s" % pause)
            toast.show(messages.SERVICE_FAILED % round(pause / 60), "error")
            # No play may wait for a proxy that does not run. And the snapshot may be what crashed the engines.
            _clear_published()
            self._snapshot = None
            if self._main_loop.wait(pause):
                return

    def _run_until_given_up(self, proxy_socket: ProxySocket, is_restart: bool) -> bool:
        """One engine after the other, until they have crashed too often. True when Kodi ends."""
        backoff = RestartBackoff()
        while not self._run_once(proxy_socket, is_restart):
            is_restart = True
            pause = backoff.next_pause(time.monotonic())
            if pause is None:
                return False
            log.write("error", "the engine crashed; the next starts in %d s" % pause)
            if self._main_loop.wait(pause):
                break
        return True

    def _run_once(self, proxy_socket: ProxySocket, is_restart: bool) -> bool:
        """One engine, from its start to its end. True when Kodi ends."""
        peer = Peer()
        windows = WindowManager(peer, self._addon.path)
        self._serve_methods(peer, windows)
        try:
            engine = start_engine(self._addon, self._main_loop, peer, "service", proxy_socket.inherited())
        except OSError as error:
            log.write("error", "the engine does not start: %s" % error)
            return False
        more: Params = {"listen": proxy_socket.listen_address(), "snapshot": self._snapshot}
        peer.notify("start", start_message(self._addon, "service", sys.argv, -1, more))
        if is_restart:
            # Player events since the crash have reached no engine.
            peer.notify("player", self._player.current_event())
        self._peer = peer
        try:
            return self._watch(engine, Heartbeat(peer), windows)
        finally:
            self._peer = None
            engine.close()
            windows.close_all()

    def _serve_methods(self, peer: Peer, windows: WindowManager) -> None:
        for module in (settings, properties, files, toast):
            peer.serve(module.METHODS)
        peer.serve(self._player_control.methods())
        peer.serve(windows.methods())
        peer.serve(
            {"snapshot.save": sync_method(self._save_snapshot), "stream.refused": sync_method(self._on_stream_refused)}
        )

    def _watch(self, engine: EngineProcess, heartbeat: Heartbeat, windows: WindowManager) -> bool:
        """Until the engine has ended. True when Kodi ends."""
        while not engine.has_ended():
            if self._main_loop.wait(timing.TICK):
                engine.send_abort()
                windows.close()
                engine.stop()
                return True
            if heartbeat.is_hung():
                log.write("error", "the engine does not answer; it is killed")
                engine.kill()
            if windows.is_back_ignored():
                log.write("error", "the engine does not answer Back; it is killed")
                engine.kill()
        return False

    def _notify(self, method: str, params: Params) -> None:
        if self._peer is not None:
            self._peer.notify(method, params)

    def _tick(self) -> None:
        self._box.tick()
        self._opening.tick()
        self._deferred_plays.tick()

    def _on_player(self, kind: str, file: str, time: Optional[float]) -> None:
        if time is not None:
            self._notify("player", {"kind": kind, "file": file, "time": time})
            return
        if kind == "started":
            self._deferred_plays.on_started()
        self._box.on_player(kind, file)
        self._opening.on_player(kind, file)
        self._player_control.on_player(kind)
        self._notify("player", {"kind": kind, "file": file})

    def _on_queued(self) -> None:
        self._deferred_plays.on_queued()
        self._box.on_other_started()

    def _on_stream_refused(self, _: Params) -> bool:
        self._box.on_stream_refused()
        return True

    def _save_snapshot(self, params: Params) -> bool:
        self._snapshot = params.get("snapshot")
        return True


def _clear_published() -> None:
    home = xbmcgui.Window(HOME_WINDOW)
    for name in PUBLISHED:
        home.clearProperty(name)
