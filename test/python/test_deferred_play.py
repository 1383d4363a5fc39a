"""Plays that are refused because of Kodi's failure box or of a film that opens, and that start later."""

from __future__ import annotations

import time
from typing import Callable, List, Tuple

from support import BUSY, RESOLVE, SCRIPT, HostTest, eventually, later, messages, shared_properties, timing, world

from slipstream_host.kodi.events import PlayerEvents
from slipstream_host.service.deferred_plays import DeferredPlays
from slipstream_host.service.failure_box import FailureBoxWatcher

BOX = "slipstream.failure-box"
STARTING = "slipstream.starting"
DEFERRED_PLAY = "slipstream.again"
ADDRESS = "plugin://plugin.video.slipstream/play?type=movie&title=Sintel"
PLAYS = (ADDRESS, "")


def played() -> List[Tuple[str, str]]:
    """What the host let Kodi play, and its start offset."""
    return [(url, item.properties.get("StartOffset", "")) for url, item in world.played]


class RefusedPlay(HostTest):
    def setUp(self) -> None:
        super().setUp()
        # As a service that takes what is left to it.
        self.left: List[str] = []
        world.on_property[DEFERRED_PLAY] = self.take

    def take(self, value: str) -> None:
        self.left.append(value)
        later(0.02, lambda: world.properties.pop(DEFERRED_PLAY, None))

    def test_a_refused_play_is_left_to_the_service_and_shows_no_message(self) -> None:
        for resume in ("resume:true", "resume:false"):
            world.reset()
            self.setUp()
            self.put(timing, "DEFERRED_PLAY_TAKEN", 30.0)
            world.properties[BOX] = shared_properties.lease("box", 5)
            self.run_plugin("resolves", [*RESOLVE[:3], resume])
            self.assert_answer(False)
            self.assert_toasts()
            [value] = self.left
            holder, deadline, place, address = value.split(" ")
            self.assertEqual(
                (holder, place, address), ({"true": "resume", "false": "noresume"}[resume[7:]], "-1", ADDRESS)
            )
            # For as long as the call sees to it.
            self.assertGreater(float(deadline), time.monotonic() + 20)

    def test_a_refused_play_shows_a_message_when_no_service_takes_it(self) -> None:
        for dialog, message in ((12002, messages.BOX_OPEN), (9999, messages.JUST_FAILED)):
            world.reset()
            self.setUp()
            world.on_property.clear()
            world.dialog_id = dialog
            world.properties[BOX] = shared_properties.lease("box", 5)
            self.run_plugin("resolves")
            self.assert_answer(False)
            self.assert_toasts(message)
            self.assertNotIn(DEFERRED_PLAY, world.properties)

    def test_a_refused_play_shows_no_message_when_a_later_one_has_replaced_it(self) -> None:
        world.on_property[DEFERRED_PLAY] = lambda _: later(0.02, lambda: world.properties.update({DEFERRED_PLAY: "later"}))
        world.properties[BOX] = shared_properties.lease("box", 5)
        self.put(timing, "DEFERRED_PLAY_TAKEN", 30.0)
        self.run_plugin("resolves")
        self.assert_toasts()
        self.assertEqual(world.properties[DEFERRED_PLAY], "later")

    def test_a_refused_play_ends_with_kodi(self) -> None:
        world.on_property[DEFERRED_PLAY] = lambda _: later(0.02, world.abort.set)
        world.properties[BOX] = shared_properties.lease("box", 5)
        self.put(timing, "DEFERRED_PLAY_TAKEN", 30.0)
        self.run_plugin("resolves")
        self.assert_toasts()

    def test_a_refused_play_that_cannot_be_started_later_shows_a_message(self) -> None:
        direct = ["plugin://plugin.video.slipstream/direct_play", "7", "?url=http://a:b@c/d"]
        for dialog, message in ((12002, messages.BOX_OPEN), (9999, messages.JUST_FAILED)):
            world.reset()
            self.setUp()
            world.dialog_id = dialog
            world.properties[BOX] = shared_properties.lease("box", 5)
            self.run_plugin("resolves", direct)
            self.assert_toasts(message)
            self.assertEqual(self.left, [])

    def test_a_refused_play_shows_a_message_while_another_film_starts(self) -> None:
        world.properties[BOX] = shared_properties.lease("box", 5)
        for holder in ("other", shared_properties.OPENING):
            world.toasts.clear()
            world.properties[STARTING] = shared_properties.lease(holder, 5)
            self.run_plugin("resolves")
            self.assert_toasts(messages.STILL_STARTING)
            self.assertEqual(self.left, [])

    def test_a_refused_entry_of_a_playlist_is_left_to_the_service_while_the_film_before_opens(self) -> None:
        world.playlist, world.playlist_position = ["one", ADDRESS], 1
        world.properties[STARTING] = shared_properties.lease(shared_properties.OPENING, 5)
        # Upon the answer Kodi calls for what stands behind it, from another place.
        answers: List[int] = []

        def take(value: str) -> None:
            answers.append(len(world.resolved))
            self.take(value)

        world.on_property[DEFERRED_PLAY] = take
        self.run_plugin("resolves")
        self.assert_answer(False)
        self.assert_toasts()
        self.assertEqual(([value.split(" ", 2)[2] for value in self.left], answers), (["1 " + ADDRESS], [0]))
        # Kodi gives up no film of that playlist for it.
        world.properties[STARTING] = shared_properties.lease("other", 5)
        self.run_plugin("resolves")
        self.assert_toasts(messages.STILL_STARTING)

    def test_entries_after_a_refused_one_do_not_start_and_show_no_message(self) -> None:
        left = "%s 0 %s" % (shared_properties.lease("noresume", 5), ADDRESS)
        for holder in ("", shared_properties.OPENING):
            world.reset()
            self.setUp()
            world.properties[DEFERRED_PLAY] = left
            world.playlist, world.playlist_position = [ADDRESS, "two"], 1
            world.properties[STARTING] = shared_properties.lease(holder, 5) if holder else ""
            self.run_plugin("resolves", [*RESOLVE[:2], "?type=movie&title=Two", "resume:false"])
            self.assert_answer(False)
            self.assertEqual((world.properties[DEFERRED_PLAY], self.left), (left, []))
            self.assert_toasts()

    def test_a_refused_entry_of_a_playlist_is_replaced_by_a_later_play_outside_of_it(self) -> None:
        world.properties[DEFERRED_PLAY] = "%s 0 %s" % (shared_properties.lease("noresume", 5), "plugin://earlier")
        self.run_plugin("resolves")
        self.assert_toasts()
        self.assertEqual([value.split(" ", 2)[2] for value in self.left], ["-1 " + ADDRESS])


class ScriptPlay(HostTest):
    """Nobody waits for its answer, so that it can wait itself."""

    ACTION = ["plugin://plugin.video.slipstream/play", "-1", "?type=movie&title=Sintel"]

    def setUp(self) -> None:
        super().setUp()
        world.properties[BOX] = shared_properties.lease("box", 30)

    def runs(self, meanwhile: Callable[[], object], call: List[str] = SCRIPT) -> None:
        """`meanwhile`: what happens once it has begun to wait."""

        def wait() -> None:
            eventually(lambda: "waitForAbort" in world.names())
            self.assertEqual((world.played, world.toasts), ([], []))
            meanwhile()

        later(0, wait)
        self.run_plugin("plays", call)

    def test_a_scripts_play_waits_until_no_failure_box_can_appear(self) -> None:
        for call in (SCRIPT, self.ACTION):
            world.reset()
            self.setUp()
            self.runs(lambda: world.properties.pop(BOX), call)
            self.assertEqual(len(world.played), 1)
            self.assert_toasts()

    def test_a_scripts_play_waits_until_kodis_busy_dialog_is_closed(self) -> None:
        world.properties.pop(BOX)
        world.conditions[BUSY] = True
        self.run_plugin("plays", SCRIPT)
        self.assertEqual(len(world.played), 1, "there was no box")

        world.reset()
        self.setUp()
        world.conditions[BUSY] = True

        def box_goes() -> None:
            world.properties.pop(BOX)
            time.sleep(0.1)
            self.assertEqual(world.played, [])
            world.conditions[BUSY] = False

        self.runs(box_goes)
        self.assertEqual(len(world.played), 1)

    def test_a_scripts_play_is_dropped_when_the_person_starts_something_else(self) -> None:
        starts: List[Callable[[], None]] = [
            lambda: world.emit("onPlayBackStarted"),
            lambda: world.emit("onNotification", "xbmc", "Playlist.OnAdd", "{}"),
            lambda: world.properties.update({STARTING: shared_properties.lease("other", 5)}),
        ]
        for start in starts:
            world.reset()
            self.setUp()
            self.runs(start)
            self.assertEqual((world.played, world.toasts), ([], []))

    def test_a_scripts_play_that_waits_ends_with_kodi(self) -> None:
        self.runs(world.abort.set)
        self.assertEqual((world.played, world.toasts), ([], []))

    def test_a_scripts_play_shows_a_message_when_the_failure_box_stays_up(self) -> None:
        self.put(timing, "DEFERRED_PLAY_LONGEST", 0.0)
        world.dialog_id = 12002
        self.run_plugin("plays", SCRIPT)
        self.assertEqual(world.played, [])
        self.assert_toasts(messages.BOX_OPEN)

    def test_a_scripts_play_is_refused_at_once_while_another_film_starts(self) -> None:
        world.properties[STARTING] = shared_properties.lease("other", 5)
        self.run_plugin("plays", SCRIPT)
        self.assertNotIn("waitForAbort", world.names())
        self.assertEqual(world.played, [])
        self.assert_toasts(messages.STILL_STARTING)


class DeferredPlay(HostTest):
    def setUp(self) -> None:
        super().setUp()
        self.box = FailureBoxWatcher()
        self.plays = DeferredPlays(self.box, PlayerEvents(lambda kind, file, time: None))
        self.box.on_player("stopped")

    def refuse(
        self, address: str = ADDRESS, seconds: float = 2.0, holder: str = "noresume", place: int = -1
    ) -> None:
        """As the plugin process leaves it."""
        world.properties["slipstream.nothing"] = shared_properties.lease("answer", 2)
        world.properties[DEFERRED_PLAY] = "%s %d %s" % (shared_properties.lease(holder, seconds), place, address)
        self.box.tick()
        self.plays.tick()

    def played(self) -> List[Tuple[str, str]]:
        """What is started once the box's time is over."""
        self.put(timing, "BOX_POLL", 0.0)
        later(0.2, world.abort.set)
        while not world.abort.wait(0.002):
            self.box.tick()
            self.plays.tick()
        return played()

    def test_a_deferred_play_starts_once_no_failure_box_can_appear(self) -> None:
        self.put(timing, "BOX_APPEARS", 60.0)
        self.box.on_player("stopped")
        self.refuse()
        for _ in range(5):
            self.box.tick()
            self.plays.tick()
        self.assertEqual(played(), [])
        self.box.clear()
        self.assertEqual(self.played(), [PLAYS])
        self.assertNotIn(DEFERRED_PLAY, world.properties)

    def test_a_deferred_play_waits_for_a_box_that_only_the_refused_call_has_seen(self) -> None:
        self.box.clear()
        self.refuse()
        self.assertTrue(self.box.may_be_up())
        self.assertEqual(played(), [])
        self.assertEqual(self.played(), [PLAYS])

    def test_a_deferred_play_is_taken_however_long_the_service_was_held_up(self) -> None:
        # The notice of its answer is stale by then; or there was none, for the box was another one's.
        world.properties[DEFERRED_PLAY] = "%s -1 %s" % (shared_properties.lease("noresume", 1.0), ADDRESS)
        self.plays.tick()
        self.assertTrue(self.box.may_be_up())
        self.assertEqual(self.played(), [PLAYS])

    def test_a_deferred_play_resumes_if_the_person_wanted_that(self) -> None:
        self.refuse(holder="resume")
        self.assertEqual(self.played(), [(ADDRESS, "-0.001")])

    def test_a_deferred_play_waits_until_kodis_busy_dialog_is_closed(self) -> None:
        self.refuse()
        world.conditions[BUSY] = True
        self.assertEqual(self.played(), [])
        world.conditions[BUSY] = False
        self.plays.tick()
        self.assertEqual(played(), [PLAYS])

    def refuse_behind(self, playlist: List[str], place: int, position: int = -1, playing: str = "") -> None:
        """While the film before it opens."""
        world.playlist, world.playlist_position, world.playing_file = list(playlist), position, playing
        world.properties[STARTING] = shared_properties.lease(shared_properties.OPENING, 5)
        self.refuse(place=place)

    def test_a_deferred_playlist_entry_waits_for_the_film_before_it(self) -> None:
        self.refuse_behind(["one", ADDRESS], 1)
        # Of the film before, which was handed over a moment ago.
        self.plays.on_started()
        self.assertEqual((self.played(), world.builtins), ([], []))
        world.abort.clear()
        del world.properties[STARTING]
        self.played()
        self.assertEqual(world.builtins, ["Playlist.PlayOffset(video,1)"])

    def test_a_deferred_playlist_entry_is_dropped_when_another_film_starts_later(self) -> None:
        self.refuse_behind(["one", ADDRESS], 1)
        del world.properties[STARTING]
        self.plays.tick()
        self.plays.on_started()
        self.assertEqual((self.played(), world.builtins), ([], []))

    def test_of_deferred_playlist_entries_the_last_one_chosen_is_played(self) -> None:
        now, ahead = time.monotonic, [0.0]
        self.put(time, "monotonic", lambda: now() + ahead[0])
        films = ["one", ADDRESS + "&episode=2", ADDRESS]
        # What the playlist calls for upon the refusals, however many there are; and a person's choice after a pause.
        called = [(0.7, "one", 0), (0.7, "one", 0)]
        for refused, place in ((called, 2), ([*called, (1.5, films[1], 1)], 1)):
            world.reset()
            self.setUp()
            self.refuse_behind(films, 2)
            for seconds, address, at in refused:
                ahead[0] += seconds
                self.refuse(address, place=at)
            del world.properties[STARTING]
            self.played()
            self.assertEqual(world.builtins, ["Playlist.PlayOffset(video,%d)" % place])

    def test_a_deferred_playlist_entry_is_played_at_its_position_and_asks_nothing(self) -> None:
        # One stands there twice. Kodi's position is what plays; without a film it says nothing.
        films = ["one", ADDRESS, ADDRESS, "three"]
        for playing, position, offset in (("", -1, 2), ("", 3, 2), ("a.mkv", 0, 2), ("a.mkv", 3, -1)):
            world.reset()
            self.setUp()
            self.refuse_behind(films, 2, position, playing)
            del world.properties[STARTING]
            self.assertEqual(self.played(), [])
            self.assertEqual(world.builtins, ["Playlist.PlayOffset(video,%d)" % offset])
            # The playlist is filled anew: Kodi does not play an entry again that was resolved to nothing.
            self.assertEqual(([url for url, _ in world.listed], world.playlist), (films, films))
            self.assertEqual([item.label for _, item in world.listed], ["the film " + film for film in films])
            by_service = world.properties[shared_properties.PLAYLIST_REFUSAL]
            self.assertEqual(shared_properties.text_after_lease(by_service), ADDRESS)
            self.assertTrue(by_service.startswith(shared_properties.BY_SERVICE + " "))

    def test_a_deferred_playlist_entry_is_played_alone_when_the_playlist_has_changed(self) -> None:
        for films in (["one", "two"], [ADDRESS, "two"], [], ["one", *[ADDRESS] * 499]):
            world.reset()
            self.setUp()
            self.refuse_behind(films, 1)
            del world.properties[STARTING]
            self.assertEqual((self.played(), world.playlist), ([PLAYS], films))

    def test_a_playlist_entry_that_the_box_has_deferred_is_played_alone_as_a_persons_call(self) -> None:
        world.playlist = ["one", ADDRESS]
        self.refuse()
        self.assertEqual((self.played(), world.playlist), ([PLAYS], ["one", ADDRESS]))
        self.assertNotIn(shared_properties.PLAYLIST_REFUSAL, world.properties)

    def test_a_damaged_deferred_play_starts_nothing(self) -> None:
        world.properties[DEFERRED_PLAY] = "%s nowhere plugin://a b" % shared_properties.lease("noresume", 5)
        self.assertEqual(self.played(), [])

    def test_a_deferred_play_is_dropped_when_the_person_starts_something_else(self) -> None:
        starts: List[Callable[[], None]] = [
            self.plays.on_started,
            self.plays.on_queued,
            lambda: world.properties.update({STARTING: shared_properties.lease("other", 5)}),
        ]
        for start in starts:
            self.refuse()
            start()
            self.assertEqual(self.played(), [])

    def test_a_deferred_play_is_dropped_with_a_message_when_the_box_stays_up(self) -> None:
        self.put(timing, "DEFERRED_PLAY_LONGEST", 0.0)
        self.refuse()
        self.plays.tick()
        self.assertEqual(self.played(), [])
        self.assert_toasts(messages.BOX_OPEN)

    def test_a_deferred_play_is_dropped_with_a_message_when_kodi_opens_another_film_for_too_long(self) -> None:
        self.refuse()
        world.conditions[BUSY] = True
        self.played()
        world.abort.clear()
        self.put(timing, "DEFERRED_PLAY_LONGEST", 0.0)
        self.assertEqual(self.played(), [])
        self.assert_toasts(messages.STILL_STARTING)

    def test_an_expired_deferred_play_is_dropped(self) -> None:
        self.refuse(seconds=-0.1)
        self.assertEqual(self.played(), [])

    def test_the_chosen_entry_is_deferred_and_not_those_that_follow_it_in_a_playlist(self) -> None:
        self.refuse()
        self.refuse(ADDRESS + "&episode=2")
        self.assertEqual(self.played(), [PLAYS])

    def test_of_deferred_plays_the_last_one_chosen_is_played(self) -> None:
        self.put(timing, "DEFERRED_PLAY_APART", 0.0)
        self.refuse(ADDRESS + "&year=2010")
        self.refuse()
        self.assertEqual(self.played(), [PLAYS])

    def test_the_service_drops_a_deferred_play_upon_kodis_events(self) -> None:
        tells: List[Callable[[], None]] = [
            lambda: world.emit("onPlayBackStarted"),
            lambda: world.emit("onNotification", "xbmc", "Playlist.OnAdd", "{}"),
            lambda: None,
        ]
        for tell, wanted in zip(tells, ([], [], [PLAYS])):
            world.reset()
            self.setUp()
            self.put(timing, "BOX_APPEARS", 0.5)

            def start(tell: Callable[[], None] = tell) -> None:
                eventually(lambda: DEFERRED_PLAY not in world.properties)
                tell()
                eventually(lambda: BOX not in world.properties)
                time.sleep(0.1)
                world.abort.set()

            def refuse(_: str, start: Callable[[], None] = start) -> None:
                world.emit("onPlayBackStopped")
                world.properties["slipstream.nothing"] = shared_properties.lease("answer", 30)
                world.properties[DEFERRED_PLAY] = "%s -1 %s" % (shared_properties.lease("noresume", 30), ADDRESS)
                later(0, start)

            self.when("ready", refuse)
            self.run_service("service_listens")
            self.assertEqual(played(), wanted)
