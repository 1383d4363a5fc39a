"""The service process: keeps one engine running for as long as Kodi runs."""

from __future__ import annotations

import sys
import time
from typing import Optional

import xbmcgui

from . import launcher, log, messages, node, timing
from .again import Again
from .engine import Engine
from .failure_box import FailureBox
from .jsonrpc import Params, Peer, at_once
from .kodi import files, properties, settings, toast
from .kodi.addon import AddonFacts
from .kodi.watching import PlayerEvents, ServiceMonitor
from .listener import Listener
from .losses import Losses, Retries
from .opening import Opening
from .pulse import Pulse
from .pump import Pump
from .replay import Replay
from .runtime.addon import RuntimeAddon
from .trouble import Aborted, CannotStart, NoNode, NoRuntime
from .windows import Windows

# Everything that other processes see of the service; stale values would send them to a dead proxy.
PUBLISHED = ("svc.proxy_port", "svc.proxy_token", "svc.active", "svc.stream_url", "svc.playing", "svc.film_open")

# For the log alone.
_NO_RUNTIME = "there is no Node.js yet: the person is asked for it when they open Slipstream"


class Service:
    """To be made and run on the main thread: Monitor and Player live there."""

    def __init__(self) -> None:
        self._monitor = ServiceMonitor(
            lambda: self._tell("settings", {}), lambda: self._tell("over", {}), self._on_queued
        )
        self._player = PlayerEvents(self._on_player)
        self._replay = Replay(self._player)
        # What plays already, as after an update, has had its picture.
        self._box = FailureBox(self._player.isPlaying())
        self._again = Again(self._box, self._player)
        self._opening = Opening()
        self._pump = Pump(self._monitor, self._tick, lambda: self._box.pace())
        self._addon = AddonFacts()
        self._peer: Optional[Peer] = None
        self._snapshot: object = None
        # Of the last search for a Node.js: what there was, and what was told.
        self._signs: object = None
        self._told = ""

    def run(self) -> None:
        """Until Kodi ends. Without an engine, when it had to be given up: the guards need none, and without them the
        next play would end Kodi."""
        try:
            while self._run_engines() and self._node_may_be_there():
                pass
            while not self._pump.wait(timing.IDLE):
                pass
        finally:
            self._opening.close()
            self._box.clear()

    def _run_engines(self) -> bool:
        """Until Kodi ends, or until the engine is given up, which is told. True when another Node.js would do."""
        _withdraw()
        listener = Listener()
        curable, trouble, level = False, "", "error"
        # Before the search, so that what comes during it counts.
        self._signs = self._look()
        try:
            self._keep_running(listener)
        except NoRuntime:
            # As after every installation on a system without Node.js: nothing is broken, and the person is asked by
            # the first call of theirs, before which nothing is said.
            curable, trouble, level = True, _NO_RUNTIME, "warning"
        except NoNode as error:
            curable, trouble = True, str(error)
        except Aborted:
            pass
        except CannotStart as error:
            trouble = str(error)
        finally:
            listener.close()
            _withdraw()
        if trouble != self._told and not self._monitor.abortRequested():
            self._told = trouble
            log.write(level, trouble)
            if trouble != _NO_RUNTIME:
                toast.show(trouble, level)
        return curable and not self._monitor.abortRequested()

    def _node_may_be_there(self) -> bool:
        """Waits until there is something new to try; False when Kodi ends."""
        while self._look() == self._signs:
            if self._pump.wait(timing.NODE_LOOK):
                return False
        return True

    def _look(self) -> object:
        return node.signs(self._addon.data, RuntimeAddon())

    def _keep_running(self, listener: Listener) -> None:
        """Until Kodi wants the end."""
        retries = Retries()
        replacing = False
        while not self._run_replaced(listener, replacing):
            replacing = True
            pause = retries.record(time.monotonic())
            log.write("error", "the engine was lost too often; the next starts in %d s" % pause)
            toast.show(messages.SERVICE_FAILED % round(pause / 60), "error")
            # No play may wait for what is not there; and what the lost ones had may be what they died of.
            _withdraw()
            self._snapshot = None
            if self._pump.wait(pause):
                return

    def _run_replaced(self, listener: Listener, replacing: bool) -> bool:
        """One engine after the other, until they are lost too often. True when Kodi wanted the end."""
        losses = Losses()
        while not self._run_once(listener, replacing):
            replacing = True
            pause = losses.record(time.monotonic())
            if pause is None:
                return False
            log.write("error", "the engine was lost; the next starts in %d s" % pause)
            if self._pump.wait(pause):
                break
        return True

    def _run_once(self, listener: Listener, replacing: bool) -> bool:
        """One engine, from its start to its end. True when Kodi wanted the end."""
        peer = Peer()
        peer.serve(settings.METHODS)
        peer.serve(properties.METHODS)
        peer.serve(files.METHODS)
        peer.serve(toast.METHODS)
        peer.serve(self._replay.methods())
        windows = Windows(peer, self._addon.path)
        peer.serve(windows.methods())
        peer.serve({"snapshot.save": at_once(self._save), "stream.refused": at_once(self._on_refused)})
        try:
            engine = launcher.launch(self._addon, self._pump, peer, "service", listener.inherited())
        except OSError as error:
            log.write("error", "the engine does not start: %s" % error)
            return False
        more: Params = {"listen": listener.listen(), "snapshot": self._snapshot}
        peer.notify("start", launcher.start_message(self._addon, "service", sys.argv, -1, more))
        if replacing:
            # Nobody heard what the player did since the loss.
            peer.notify("player", self._player.present())
        self._peer = peer
        try:
            return self._watch(engine, Pulse(peer), windows)
        finally:
            self._peer = None
            engine.close()
            windows.close_all()

    def _watch(self, engine: Engine, pulse: Pulse, windows: Windows) -> bool:
        while not engine.over():
            if self._pump.wait(timing.TICK):
                engine.tell_abort()
                windows.close()
                engine.stop()
                return True
            if pulse.hung():
                log.write("error", "the engine does not answer; it is killed")
                engine.kill()
            if windows.ignored():
                log.write("error", "the engine does not answer Back; it is killed")
                engine.kill()
        return False

    def _tell(self, method: str, params: Params) -> None:
        if self._peer is not None:
            self._peer.notify(method, params)

    def _tick(self) -> None:
        self._box.tick()
        self._opening.tick()
        self._again.tick()

    def _on_player(self, kind: str, file: str, time: Optional[float]) -> None:
        if time is not None:
            self._tell("player", {"kind": kind, "file": file, "time": time})
            return
        if kind == "started":
            self._again.started()
        self._box.hear(kind, file)
        self._opening.hear(kind, file)
        self._replay.hear(kind)
        self._tell("player", {"kind": kind, "file": file})

    def _on_queued(self) -> None:
        self._again.another_queued()
        self._box.another_opened()

    def _on_refused(self, _: Params) -> bool:
        self._box.refused()
        return True

    def _save(self, params: Params) -> bool:
        self._snapshot = params.get("snapshot")
        return True


def _withdraw() -> None:
    home = xbmcgui.Window(properties.HOME_WINDOW)
    for name in PUBLISHED:
        home.clearProperty(name)
