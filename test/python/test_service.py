"""The service: one engine after the other, one socket, one end."""

from __future__ import annotations

import errno
import json
import socket
import subprocess
import threading
from typing import Callable, List

from support import HostTest, guard, later, messages, timing, world

from slipstream_host.failure_box import FailureBox
from slipstream_host.jsonrpc import Peer
from slipstream_host.losses import Losses
from slipstream_host.pulse import Pulse
from slipstream_host.service import PUBLISHED

BOX = "slipstream.failure-box"


class ALostEngine(HostTest):
    def test_is_replaced_on_the_same_socket_with_the_snapshot_while_connections_wait(self) -> None:
        greetings: List[bytes] = []
        asked: List[int] = []

        def connect(_: str) -> None:
            port = int(world.properties["svc.proxy_port"])

            def visit() -> None:
                # Two at once: the second waits in the socket's queue while the engine is replaced.
                visitors = [socket.create_connection(("127.0.0.1", port), 10) for _ in range(2)]
                for visitor in visitors:
                    greetings.append(visitor.recv(9))
                    visitor.close()
                world.abort.set()

            if not greetings and not asked:
                asked.append(port)
                later(0, visit)

        self.when("engine", connect)
        self.run_service("service_counts")
        self.assertEqual(greetings, [b"1", b"2"])

    def test_is_replaced_when_it_hangs(self) -> None:
        self.put(timing, "MISSED_PINGS", 3)
        self.when("engine", lambda _: world.abort.set())
        self.run_service("service_hangs_once")
        self.assertEqual(self.told("engine"), "second")

    def test_is_given_up_with_one_notification(self) -> None:
        cleared = world.properties
        cleared.update({name: "stale" for name in PUBLISHED})
        world.on_toast = lambda: later(0.1, world.abort.set)
        self.run_service("service_dies")
        self.assert_toasts(messages.SERVICE_FAILED)
        self.assertEqual(len([line for _, line in world.log if "was lost; the next" in line]), 5)
        self.assertEqual([name for name in PUBLISHED if name in world.properties], [])


    def test_that_is_given_up_takes_neither_guard_with_it(self) -> None:
        for scenario, node in (("service_dies", "v20.3.0"), ("service_listens", "v18.20.0")):
            world.reset()
            self.setUp()
            self.environment("SLIPSTREAM_NODE", self.fake_node(node))
            world.properties.update({"slipstream.starting": guard.lease("opening", 25), **dict.fromkeys(PUBLISHED, "x")})
            world.on_toast = lambda: later(0.1, lambda: (world.emit("onPlayBackStarted"), world.emit("onPlayBackStopped")))
            self.when_box_is_raised(world.abort.set)
            self.run_service(scenario)
            self.assertTrue(self.raised, scenario)
            self.assertEqual([name for name in PUBLISHED if name in world.properties], [])
            self.assertNotIn("slipstream.starting", world.properties)
            self.assertNotIn(BOX, world.properties)

    def when_box_is_raised(self, do: Callable[[], None]) -> None:
        self.raised = False

        def hear(_: str) -> None:
            self.raised = True
            later(0.1, do)

        world.on_property[BOX] = hear

    def test_leaves_its_replacement_to_learn_what_the_player_does_now(self) -> None:
        for file, kind in (("", "stopped"), ("http://127.0.0.1:1/stream/s/Sintel.mkv", "started")):
            world.reset()
            self.setUp()
            world.playing_file = file
            self.abort_when("heard.player")
            self.run_service("service_dies_once")
            self.assertEqual(json.loads(self.told("heard.player")), {"kind": kind, "file": file})

    def test_counts_when_the_system_has_no_room_for_a_process(self) -> None:
        self.put(subprocess, "Popen", no_room)
        world.on_toast = world.abort.set
        self.run_service("service_listens")
        self.assert_toasts(messages.SERVICE_FAILED)


def no_room(*_: object, **__: object) -> None:
    raise BlockingIOError(errno.EAGAIN, "no room")


class TheService(HostTest):
    def test_clears_what_it_published_at_its_start_and_at_its_end(self) -> None:
        world.properties.update({name: "stale" for name in PUBLISHED})
        during = {}

        def look(_: str) -> None:
            during.update(world.properties)
            world.abort.set()

        self.when("ready", look)
        self.run_service("service_listens")
        self.assertEqual([name for name in PUBLISHED if during.get(name) == "stale"], [])
        self.assertEqual(during["svc.proxy_token"], "token")
        self.assertEqual([name for name in PUBLISHED if name in world.properties], [])

    def test_tells_the_engine_to_leave(self) -> None:
        self.abort_when("ready")
        self.run_service("service_listens")
        self.assertEqual(self.told("aborted"), "x")

    def test_passes_on_what_kodi_tells_on_its_main_thread(self) -> None:
        world.playing_file = "http://127.0.0.1:1/stream/s/Sintel.mkv"
        self.when("ready", lambda _: world.emit("onAVStarted"))
        self.when("heard.player", lambda _: world.emit("onSettingsChanged"))
        self.abort_when("heard.settings")
        self.run_service("service_listens")
        self.assertEqual(
            json.loads(self.told("heard.player")), {"kind": "av-started", "file": world.playing_file}
        )
        self.assertEqual(json.loads(self.told("heard.settings")), {})

    def test_notifies_once_when_the_engine_cannot_start(self) -> None:
        self.environment("SLIPSTREAM_NODE", self.fake_node("v18.20.0"))
        world.on_toast = lambda: later(0.1, world.abort.set)
        self.run_service("service_listens")
        self.assert_toasts(messages.NO_NODE)

    def test_does_not_complain_of_a_search_for_node_that_an_abort_ended(self) -> None:
        self.environment("SLIPSTREAM_NODE", self.fake_program("sleep 60"))
        later(0.2, world.abort.set)
        self.run_service("service_listens")
        self.assert_toasts()


class Replacing(HostTest):
    def test_is_instant_then_slower_then_given_up(self) -> None:
        losses = Losses()
        self.assertEqual([losses.record(0) for _ in range(6)], [*timing.LOSS_PAUSES, None])

    def test_begins_anew_after_a_minute(self) -> None:
        losses = Losses()
        self.assertEqual(losses.record(0), timing.LOSS_PAUSES[0])
        self.assertEqual(losses.record(59), timing.LOSS_PAUSES[1])
        self.assertEqual(losses.record(119), timing.LOSS_PAUSES[0])


class APulse(HostTest):
    def beat(self, pulse: Pulse) -> bool:
        pulse.__dict__["_ping_at"] = 0.0
        return pulse.hung()

    def test_stops_after_three_unanswered_pings(self) -> None:
        self.put(timing, "MISSED_PINGS", 3)
        peer = Peer()
        pulse = Pulse(peer)
        self.beat(pulse)
        peer.receive(b'{"id":1,"result":"pong"}')
        self.assertEqual([self.beat(pulse) for _ in range(4)], [False, False, False, True])

    def test_is_more_patient_at_the_start(self) -> None:
        pulse = Pulse(Peer())
        self.assertEqual([self.beat(pulse) for _ in range(4)], [False] * 4)

    def test_does_not_count_while_the_host_itself_is_busy(self) -> None:
        self.put(timing, "MISSED_PINGS", 3)
        peer = Peer()
        pulse = Pulse(peer)
        self.beat(pulse)
        peer.receive(b'{"id":1,"result":"pong"}')
        peer.busy = True
        self.assertEqual([self.beat(pulse) for _ in range(9)], [False] * 9)


class TheFailureBox(HostTest):
    def test_is_published_after_a_failed_open_until_it_is_gone(self) -> None:
        box = FailureBox()
        box.hear("started")
        box.hear("stopped")
        self.assertTrue(guard.live(world.properties[BOX]))
        world.conditions["Window.IsActive(okdialog)"] = True
        box.tick()
        self.put(timing, "BOX_POLL", 0)
        self.put(timing, "BOX_APPEARS", 0)
        box.tick()
        self.assertIn(BOX, world.properties)
        world.conditions.clear()
        box.tick()
        self.assertIn(BOX, world.properties, "the box is still closing")
        self.assertTrue(self.ticked_away(box))

    def test_is_forgotten_when_none_appears(self) -> None:
        box = FailureBox()
        box.hear("started")
        box.hear("stopped")
        self.assertTrue(self.ticked_away(box))

    def test_is_not_looked_for_after_a_film_that_was_seen(self) -> None:
        box = FailureBox()
        for kind in ("started", "av-started", "stopped"):
            box.hear(kind)
            box.tick()
        self.assertNotIn(BOX, world.properties)
        self.assertNotIn("getCondVisibility", world.names())

    def ticked_away(self, box: FailureBox) -> bool:
        for _ in range(1000):
            box.tick()
            if BOX not in world.properties:
                return True
            threading.Event().wait(0.002)
        return False
