"""The service: restarts of its engine, the proxy's socket, Kodi's events, and playback for the engine."""

from __future__ import annotations

import errno
import json
import socket
import subprocess
import threading
from typing import Any, Callable, Dict, List, Sequence

from support import BUSY, HostTest, later, messages, shared_properties, timing, world

from slipstream_host.bridge.jsonrpc import Peer
from slipstream_host.service import proxy_socket
from slipstream_host.service.failure_box import FailureBoxWatcher
from slipstream_host.service.heartbeat import Heartbeat
from slipstream_host.service.proxy_socket import LAST_PORT
from slipstream_host.service.restart_backoff import GiveUpBackoff, RestartBackoff
from slipstream_host.service.service_process import PUBLISHED

BOX = "slipstream.failure-box"


class CrashedEngine(HostTest):
    def test_a_crashed_engine_is_replaced_on_the_same_socket_with_the_snapshot_while_connections_wait(self) -> None:
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

    def test_an_engine_that_hangs_is_replaced(self) -> None:
        self.put(timing, "MISSED_PINGS", 3)
        self.when("engine", lambda _: world.abort.set())
        self.run_service("service_hangs_once")
        self.assertEqual(self.told("engine"), "second")

    def test_windows_close_with_a_crashed_engine_and_with_kodi(self) -> None:
        seen: List[int] = []

        def end(_: str) -> None:
            seen.append(len(world.windows))
            world.abort.set()

        # The first one's is gone by then.
        self.when("ready", end)
        self.run_service("service_shows_window")
        self.assertEqual(seen, [1])
        self.assertEqual(world.windows, [])

    def test_an_engine_that_crashes_too_often_is_given_up_with_one_notification(self) -> None:
        cleared = world.properties
        cleared.update({name: "stale" for name in PUBLISHED})
        world.on_toast = lambda: later(0.1, world.abort.set)
        self.run_service("service_dies")
        self.assert_toasts(messages.SERVICE_FAILED % 5)
        self.assertEqual(len([line for _, line in world.log if "crashed; the next" in line]), 5)
        self.assertEqual([name for name in PUBLISHED if name in world.properties], [])

    def test_an_engine_that_was_given_up_is_tried_again_without_the_snapshot(self) -> None:
        self.put(timing, "GIVE_UP_PAUSE", 0.2)
        world.playing_file = "http://127.0.0.1:1/stream/s/Sintel.mkv"
        self.abort_when("restarted")
        self.run_service("service_dies_six_times")
        self.assertEqual(json.loads(self.told("restarted")), {"snapshot": None, "player": world.playing_file})
        self.assert_toasts(messages.SERVICE_FAILED % 0)

    def test_lock_and_failure_box_are_watched_after_the_engine_was_given_up(self) -> None:
        for scenario, node in (("service_dies", "v20.19.0"), ("service_listens", "v18.20.0")):
            world.reset()
            self.setUp()
            self.environment("SLIPSTREAM_NODE", self.fake_node(node))
            world.properties.update({"slipstream.starting": shared_properties.lease("opening", 25), **dict.fromkeys(PUBLISHED, "x")})
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

    def test_a_replacement_learns_what_the_player_does(self) -> None:
        for file, kind in (("", "stopped"), ("http://127.0.0.1:1/stream/s/Sintel.mkv", "started")):
            world.reset()
            self.setUp()
            world.playing_file = file
            self.abort_when("heard.player")
            self.run_service("service_dies_once")
            self.assertEqual(json.loads(self.told("heard.player")), {"kind": kind, "file": file})

    def test_a_start_that_the_system_refuses_counts_as_a_crash(self) -> None:
        self.put(subprocess, "Popen", no_room)
        world.on_toast = world.abort.set
        self.run_service("service_listens")
        self.assert_toasts(messages.SERVICE_FAILED % 5)


class ProxyPort(HostTest):
    def published(self) -> int:
        """Where a service listens, from its start to its end."""
        found: List[int] = []

        def look(_: str) -> None:
            found.append(int(world.properties["svc.proxy_port"]))
            world.abort.set()

        self.when("ready", look)
        self.run_service("service_listens")
        world.abort.clear()
        return found[0]

    def test_the_proxys_port_is_that_of_the_service_before(self) -> None:
        port = self.published()
        self.assertNotIn("svc.proxy_port", world.properties)
        self.assertEqual([self.published(), self.published()], [port, port])

    def test_the_proxys_port_is_another_one_when_it_is_taken(self) -> None:
        port = self.published()
        with socket.create_server(("127.0.0.1", port)):
            other = self.published()
        self.assertNotEqual(other, port)
        self.assertEqual(self.published(), other)

    def test_the_proxys_port_is_any_free_one_when_none_is_known(self) -> None:
        for kept in ("", "x", "-1", "65536", "999999999999", "²", "1.5"):
            world.properties[LAST_PORT] = kept
            self.assertGreater(self.published(), 1023)

    def test_the_proxys_port_is_given_to_an_engine_that_inherits_no_socket(self) -> None:
        self.put(proxy_socket, "can_inherit_sockets", lambda: False)
        port = self.published_by_itself(0)
        self.assertEqual(self.published_by_itself(port), port)
        with socket.create_server(("127.0.0.1", port)):
            self.published_by_itself(0)

    def published_by_itself(self, wanted: int) -> int:
        """As an engine on Windows, which gets that port in its start message."""
        made = proxy_socket.ProxySocket()
        self.assertEqual((made.listen_address(), made.inherited()), ({"port": wanted}, ()))
        port = wanted or free_port()
        world.properties["svc.proxy_port"] = str(port)
        # The next engine of this service.
        self.assertEqual(made.listen_address(), {"port": port})
        made.close()
        del world.properties["svc.proxy_port"]
        return port


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def no_room(*_: object, **__: object) -> None:
    raise BlockingIOError(errno.EAGAIN, "no room")


class ServiceTest(HostTest):
    def test_the_service_clears_its_published_properties_at_start_and_end(self) -> None:
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

    def test_the_service_sends_the_engine_an_abort(self) -> None:
        self.abort_when("ready")
        self.run_service("service_listens")
        self.assertEqual(self.told("aborted"), "x")

    def test_the_service_passes_kodis_events_on_from_its_main_thread(self) -> None:
        world.playing_file = "http://127.0.0.1:1/stream/s/Sintel.mkv"
        self.when("ready", lambda _: world.emit("onAVStarted"))
        self.when("heard.player", lambda _: world.emit("onSettingsChanged"))
        self.abort_when("heard.settings")
        self.run_service("service_listens")
        self.assertEqual(
            json.loads(self.told("heard.player")), {"kind": "av-started", "file": world.playing_file}
        )
        self.assertEqual(json.loads(self.told("heard.settings")), {})

    def test_the_service_reports_that_a_film_has_ended(self) -> None:
        def play(_: str) -> None:
            for data in ("", "[]", '{"end":false}', '{"end":1}'):
                world.emit("onNotification", "xbmc", "Player.OnStop", data)
            world.emit("onNotification", "another", "Player.OnStop", '{"end":true}')
            world.emit("onNotification", "xbmc", "Player.OnPlay", '{"end":true}')
            world.emit("onSettingsChanged")

        def end(_: str) -> None:
            self.assertEqual(self.told("heard.film.ended"), "")
            world.emit("onNotification", "xbmc", "Player.OnStop", '{"end":true,"item":{}}')

        self.when("ready", play)
        self.when("heard.settings", end)
        self.abort_when("heard.film.ended")
        self.run_service("service_listens")
        self.assertEqual(json.loads(self.told("heard.film.ended")), {})

    def test_the_service_reports_where_a_seek_goes(self) -> None:
        world.playing_file = "http://127.0.0.1:1/stream/s/Sintel.mkv"
        self.when("ready", lambda _: world.emit("onPlayBackSeek", 90500, 500))
        self.abort_when("heard.player")
        self.run_service("service_listens")
        self.assertEqual(
            json.loads(self.told("heard.player")), {"kind": "seek", "file": world.playing_file, "time": 90.5}
        )

    def test_the_service_notifies_once_when_the_engine_cannot_start(self) -> None:
        path = self.fake_node("v18.20.0")
        self.environment("SLIPSTREAM_NODE", path)
        world.on_toast = lambda: later(0.1, world.abort.set)
        self.run_service("service_listens")
        self.assert_toasts(messages.WRONG_OVERRIDE % ("SLIPSTREAM_NODE", path))

    def test_a_search_for_node_that_an_abort_ended_shows_no_message(self) -> None:
        self.environment("SLIPSTREAM_NODE", self.fake_program("sleep 60"))
        later(0.2, world.abort.set)
        self.run_service("service_listens")
        self.assert_toasts()


class ServicePlays(HostTest):
    STREAM = "http://127.0.0.1:1/stream/s/Sintel.mkv"
    CALL = "plugin://plugin.video.slipstream/play?type=movie&title=Sintel"

    def play(self, url: str, following: Sequence[Dict[str, str]] = ()) -> object:
        self.environment("SLIPSTREAM_TEST_URL", url)
        self.environment("SLIPSTREAM_TEST_FOLLOWING", json.dumps(following))
        self.abort_when("played")
        self.run_service("service_plays")
        return json.loads(self.told("played"))


class ServiceWindow(HostTest):
    def test_a_window_of_the_service_closes_with_kodi_and_with_its_engine(self) -> None:
        self.abort_when("shown")
        self.run_service("service_shows_a_window")
        self.assertEqual(world.windows, [])


class PlayerControlTest(ServicePlays):
    def test_player_stop_ends_the_named_film_and_no_other(self) -> None:
        for playing, builtins in ((self.STREAM, ["PlayerControl(Stop)"]), ("other", [])):
            world.playing_file = playing
            world.builtins.clear()
            self.environment("SLIPSTREAM_TEST_URL", self.STREAM)
            self.abort_when("stopped")
            self.run_service("service_stops_the_player")
            self.assertEqual([each for each in world.builtins if each.startswith("PlayerControl")], builtins)

    def test_player_state_reports_file_time_and_duration(self) -> None:
        world.playing_file, world.playing_time, world.playing_duration = self.STREAM, 12.5, 888.0
        self.abort_when("state")
        self.run_service("service_asks_the_player")
        self.assertEqual(json.loads(self.told("state")), {"file": self.STREAM, "time": 12.5, "duration": 888.0})

    def test_player_state_is_empty_while_nothing_plays(self) -> None:
        self.abort_when("state")
        self.run_service("service_asks_the_player")
        self.assertEqual(json.loads(self.told("state")), None)

    def test_player_play_plays_a_stream_from_a_position_under_the_playback_lock(self) -> None:
        guards: List[str] = []
        world.on_property["slipstream.starting"] = guards.append
        self.assertEqual(self.play(self.STREAM), True)
        [(url, item)] = world.played
        self.assertEqual((url, item.properties["StartOffset"], item.label), (self.STREAM, "90", "Sintel"))
        self.assertTrue(guards[-1].startswith("opening "))

    def test_player_play_leaves_the_lock_to_the_plugin_call_that_it_plays(self) -> None:
        self.assertEqual(self.play(self.CALL), True)
        self.assertEqual([url for url, _ in world.played], [self.CALL])
        self.assertNotIn("slipstream.starting", world.properties)

    def test_player_play_leaves_a_replay_request_for_a_plugin_call_and_for_no_stream(self) -> None:
        for url, request in ((self.CALL, "recalled"), (self.STREAM, None)):
            world.reset()
            self.setUp()
            self.play(url)
            self.assertEqual(world.properties.get("slipstream.recall"), request)

    def test_player_play_is_refused_while_another_film_starts(self) -> None:
        for url in (self.STREAM, self.CALL):
            for name in ("slipstream.starting", BOX):
                world.reset()
                self.setUp()
                world.properties[name] = shared_properties.lease("other", 25)
                self.assertEqual(self.play(url), -32000)
                self.assertEqual(world.played, [])
                # Else the person's own call would go unasked.
                self.assertNotIn("slipstream.recall", world.properties)
        world.reset()
        self.setUp()
        world.conditions[BUSY] = True
        self.assertEqual(self.play(self.STREAM), -32000)

    def test_player_play_leaves_no_lock_and_no_request_when_kodi_does_not_take_the_film(self) -> None:
        for url in (self.STREAM, self.CALL):
            world.reset()
            self.setUp()
            world.refuse_play = True
            self.assertEqual(self.play(url), -32000)
            self.assertNotIn("slipstream.starting", world.properties)
            # Else the person's own call would go unasked.
            self.assertNotIn("slipstream.recall", world.properties)

    def test_player_play_refuses_urls_that_are_not_ours(self) -> None:
        for url in ("http://192.0.2.1/a.mkv", "plugin://plugin.video.other/play?", "/etc/passwd"):
            world.reset()
            self.setUp()
            self.assertEqual(self.play(url), -32602)
            self.assertEqual(world.played, [])


class PlaylistReplay(ServicePlays):
    NEXT = "plugin://plugin.video.slipstream/play?type=episode&episode=2"

    def test_a_replayed_film_takes_the_old_ones_place_in_the_playlist_which_goes_once_it_plays(self) -> None:
        world.playlist, world.playlist_position, world.playing_file = ["a", "b", self.NEXT], 1, "b"

        def starts(_: str) -> None:
            self.assertEqual(world.playlist, ["a", "b", self.STREAM, self.NEXT])
            self.assertEqual(world.builtins, ["Playlist.PlayOffset(video,1)"])
            world.playlist_position, world.playing_file = 2, self.STREAM
            world.emit("onPlayBackStarted")
            later(0.3, world.abort.set)

        self.environment("SLIPSTREAM_TEST_URL", self.STREAM)
        self.environment("SLIPSTREAM_TEST_FOLLOWING", "[]")
        self.when("played", starts)
        self.run_service("service_plays")
        self.assertEqual((world.playlist, world.playlist_position), (["a", self.STREAM, self.NEXT], 1))
        [(_, item)] = world.listed
        self.assertEqual((item.label, item.properties["StartOffset"]), ("Sintel", "90"))
        self.assertEqual(world.played, [])

    def test_a_replayed_film_leaves_the_playlist_alone_when_something_else_has_started(self) -> None:
        world.playlist, world.playlist_position, world.playing_file = ["a", "b"], 0, "a"

        def starts(_: str) -> None:
            world.playlist, world.playlist_position = ["other", "another"], 0
            world.emit("onPlayBackStarted")
            later(0.3, world.abort.set)

        self.environment("SLIPSTREAM_TEST_URL", self.STREAM)
        self.environment("SLIPSTREAM_TEST_FOLLOWING", "[]")
        self.when("played", starts)
        self.run_service("service_plays")
        self.assertEqual(world.playlist, ["other", "another"])

    def test_a_replayed_film_is_followed_by_what_was_set_aside(self) -> None:
        for url in (self.STREAM, self.CALL):
            world.reset()
            self.setUp()
            self.assertEqual(self.play(url, [{"file": self.NEXT, "label": "Two"}]), True)
            self.assertEqual(world.playlist, [url, self.NEXT])
            self.assertEqual([item.label for _, item in world.listed], ["Sintel", "Two"])
            self.assertEqual(world.builtins, ["Playlist.PlayOffset(video,0)"])

    def test_playlist_fill_gives_back_what_was_set_aside(self) -> None:
        for before, after in (([], ["two"]), (["other"], ["other"])):
            world.reset()
            self.setUp()
            world.playlist = list(before)
            self.abort_when("filled")
            self.run_service("service_fills_the_playlist")
            self.assertEqual((world.playlist, world.played, world.builtins), (after, [], []))

    def test_a_replayed_film_is_played_alone_when_the_person_has_made_another_playlist(self) -> None:
        world.playlist = ["other"]
        self.play(self.STREAM, [{"file": self.NEXT, "label": "Two"}])
        self.assertEqual((world.playlist, [url for url, _ in world.played]), (["other"], [self.STREAM]))


class RestartBackoffTest(HostTest):
    def test_restarts_are_instant_then_slower_then_given_up(self) -> None:
        backoff = RestartBackoff()
        self.assertEqual([backoff.next_pause(0) for _ in range(6)], [*timing.RESTART_PAUSES, None])

    def test_restarts_are_instant_again_after_a_minute(self) -> None:
        backoff = RestartBackoff()
        self.assertEqual(backoff.next_pause(0), timing.RESTART_PAUSES[0])
        self.assertEqual(backoff.next_pause(59), timing.RESTART_PAUSES[1])
        self.assertEqual(backoff.next_pause(119), timing.RESTART_PAUSES[0])


class GiveUpBackoffTest(HostTest):
    def test_tries_after_giving_up_come_later_each_time_and_within_an_hour(self) -> None:
        backoff = GiveUpBackoff()
        now, pauses = 0.0, []
        for _ in range(6):
            pauses.append(backoff.next_pause(now))
            now += pauses[-1] + 20
        self.assertEqual(pauses, [300, 600, 1200, 2400, 3600, 3600])

    def test_tries_after_giving_up_start_anew_after_an_engine_that_ran_for_long(self) -> None:
        backoff = GiveUpBackoff()
        self.assertEqual([backoff.next_pause(0), backoff.next_pause(320)], [300, 600])
        self.assertEqual(backoff.next_pause(320 + 600 + 3601), 300)


class HeartbeatTest(HostTest):
    def beat(self, heartbeat: Heartbeat) -> bool:
        heartbeat.__dict__["_ping_at"] = 0.0
        return heartbeat.is_hung()

    def test_an_engine_is_hung_after_three_unanswered_pings(self) -> None:
        self.put(timing, "MISSED_PINGS", 3)
        peer = Peer()
        heartbeat = Heartbeat(peer)
        self.beat(heartbeat)
        peer.receive(b'{"id":1,"result":"pong"}')
        self.assertEqual([self.beat(heartbeat) for _ in range(4)], [False, False, False, True])

    def test_pings_carry_kodis_language_and_follow_a_change(self) -> None:
        peer = Peer()
        sent: List[Any] = []
        self.put(peer, "request", lambda method, params, on_answer: (sent.append(params["language"]), on_answer()))
        heartbeat = Heartbeat(peer)
        self.beat(heartbeat)
        world.language = "resource.language.de_de"
        self.beat(heartbeat)
        self.put(timing, "LANGUAGE_CHECK", 0.0)
        heartbeat.__dict__["_ask_language_at"] = 0.0
        self.beat(heartbeat)
        english, german = "resource.language.en_gb", "resource.language.de_de"
        self.assertEqual(sent, [english, english, german])

    def test_a_starting_engine_may_leave_more_pings_unanswered(self) -> None:
        heartbeat = Heartbeat(Peer())
        self.assertEqual([self.beat(heartbeat) for _ in range(4)], [False] * 4)

    def test_a_ping_does_not_count_while_the_host_itself_is_busy(self) -> None:
        self.put(timing, "MISSED_PINGS", 3)
        peer = Peer()
        heartbeat = Heartbeat(peer)
        self.beat(heartbeat)
        peer.receive(b'{"id":1,"result":"pong"}')
        peer.busy = True
        self.assertEqual([self.beat(heartbeat) for _ in range(9)], [False] * 9)


class FailureBoxTest(HostTest):
    def test_the_failure_box_is_published_after_a_failed_open_until_it_is_gone(self) -> None:
        box = FailureBoxWatcher()
        box.on_player("started")
        box.on_player("stopped")
        self.assertTrue(shared_properties.is_live(world.properties[BOX]))
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

    def test_the_failure_box_is_not_published_when_none_appears(self) -> None:
        box = FailureBoxWatcher()
        box.on_player("started")
        box.on_player("stopped")
        self.assertTrue(self.ticked_away(box))

    def test_the_failure_box_is_not_looked_for_after_a_film_that_had_a_picture(self) -> None:
        box = FailureBoxWatcher()
        for kind in ("started", "av-started", "stopped"):
            box.on_player(kind)
            box.tick()
        self.assertNotIn(BOX, world.properties)
        self.assertNotIn("getCondVisibility", world.names())

    def test_the_failure_box_is_not_looked_for_after_a_film_that_played_before_the_service_started(self) -> None:
        world.playing_file = "http://127.0.0.1:1/stream/s/Sintel.mkv"
        self.when("ready", lambda _: world.emit("onPlayBackEnded"))
        raised: List[str] = []
        world.on_property[BOX] = raised.append
        self.abort_when("heard.player")
        self.run_service("service_listens")
        self.assertEqual(raised, [])

    def ticked_away(self, box: FailureBoxWatcher) -> bool:
        for _ in range(1000):
            box.tick()
            if BOX not in world.properties:
                return True
            threading.Event().wait(0.002)
        return False
