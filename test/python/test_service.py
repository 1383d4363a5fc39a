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

    def test_tells_when_a_film_is_over(self) -> None:
        def play(_: str) -> None:
            for data in ("", "[]", '{"end":false}', '{"end":1}'):
                world.emit("onNotification", "xbmc", "Player.OnStop", data)
            world.emit("onNotification", "another", "Player.OnStop", '{"end":true}')
            world.emit("onNotification", "xbmc", "Player.OnPlay", '{"end":true}')
            world.emit("onSettingsChanged")

        def end(_: str) -> None:
            self.assertEqual(self.told("heard.over"), "")
            world.emit("onNotification", "xbmc", "Player.OnStop", '{"end":true,"item":{}}')

        self.when("ready", play)
        self.when("heard.settings", end)
        self.abort_when("heard.over")
        self.run_service("service_listens")
        self.assertEqual(json.loads(self.told("heard.over")), {})

    def test_tells_where_a_seek_goes(self) -> None:
        world.playing_file = "http://127.0.0.1:1/stream/s/Sintel.mkv"
        self.when("ready", lambda _: world.emit("onPlayBackSeek", 90500, 500))
        self.abort_when("heard.player")
        self.run_service("service_listens")
        self.assertEqual(
            json.loads(self.told("heard.player")), {"kind": "seek", "file": world.playing_file, "time": 90.5}
        )

    def test_notifies_once_when_the_engine_cannot_start(self) -> None:
        path = self.fake_node("v18.20.0")
        self.environment("SLIPSTREAM_NODE", path)
        world.on_toast = lambda: later(0.1, world.abort.set)
        self.run_service("service_listens")
        self.assert_toasts(messages.WRONG_OVERRIDE % ("SLIPSTREAM_NODE", path))

    def test_does_not_complain_of_a_search_for_node_that_an_abort_ended(self) -> None:
        self.environment("SLIPSTREAM_NODE", self.fake_program("sleep 60"))
        later(0.2, world.abort.set)
        self.run_service("service_listens")
        self.assert_toasts()


class TheServicesPlayer(HostTest):
    STREAM = "http://127.0.0.1:1/stream/s/Sintel.mkv"
    CALL = "plugin://plugin.video.slipstream/play?type=movie&title=Sintel"

    def play(self, url: str) -> object:
        self.environment("SLIPSTREAM_TEST_URL", url)
        self.abort_when("played")
        self.run_service("service_plays")
        return json.loads(self.told("played"))

    def test_says_where_it_stands(self) -> None:
        world.playing_file, world.playing_time, world.playing_duration = self.STREAM, 12.5, 888.0
        self.abort_when("state")
        self.run_service("service_asks_the_player")
        self.assertEqual(json.loads(self.told("state")), {"file": self.STREAM, "time": 12.5, "duration": 888.0})

    def test_says_that_it_plays_nothing(self) -> None:
        self.abort_when("state")
        self.run_service("service_asks_the_player")
        self.assertEqual(json.loads(self.told("state")), None)

    def test_plays_a_stream_from_a_position_under_the_guard_of_a_film_that_opens(self) -> None:
        guards: List[str] = []
        world.on_property["slipstream.starting"] = guards.append
        self.assertEqual(self.play(self.STREAM), True)
        [(url, item)] = world.played
        self.assertEqual((url, item.properties["StartOffset"], item.label), (self.STREAM, "90", "Sintel"))
        self.assertTrue(guards[-1].startswith("opening "))

    def test_leaves_the_guard_to_the_plugin_call_that_it_plays(self) -> None:
        self.assertEqual(self.play(self.CALL), True)
        self.assertEqual([url for url, _ in world.played], [self.CALL])
        self.assertNotIn("slipstream.starting", world.properties)

    def test_refuses_while_another_film_starts(self) -> None:
        for url in (self.STREAM, self.CALL):
            for name in ("slipstream.starting", BOX):
                world.reset()
                self.setUp()
                world.properties[name] = guard.lease("other", 25)
                self.assertEqual(self.play(url), -32000)
                self.assertEqual(world.played, [])
        world.reset()
        self.setUp()
        world.conditions["Window.IsActive(busydialog)"] = True
        self.assertEqual(self.play(self.STREAM), -32000)

    def test_plays_nothing_that_is_not_ours(self) -> None:
        for url in ("http://192.0.2.1/a.mkv", "plugin://plugin.video.other/play?", "/etc/passwd"):
            world.reset()
            self.setUp()
            self.assertEqual(self.play(url), -32602)
            self.assertEqual(world.played, [])


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

    def test_is_not_looked_for_after_a_film_that_played_before_the_service_did(self) -> None:
        world.playing_file = "http://127.0.0.1:1/stream/s/Sintel.mkv"
        self.when("ready", lambda _: world.emit("onPlayBackEnded"))
        raised: List[str] = []
        world.on_property[BOX] = raised.append
        self.abort_when("heard.player")
        self.run_service("service_listens")
        self.assertEqual(raised, [])

    def ticked_away(self, box: FailureBox) -> bool:
        for _ in range(1000):
            box.tick()
            if BOX not in world.properties:
                return True
            threading.Event().wait(0.002)
        return False
