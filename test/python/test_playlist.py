"""The playlist that a call belongs to, and what a call without a film does to it."""

from __future__ import annotations

import json
from typing import List

from support import RESOLVE, HostTest, messages, plugin_entry, shared_properties, world

from slipstream_host.playback_lock import PlaybackLock

import xbmcgui  # The stub, which support has made known.

FILMS = ["plugin://plugin.video.slipstream/play?n=%d" % number for number in (1, 2, 3)]


class ThePlaylist(HostTest):
    def setUp(self) -> None:
        super().setUp()
        world.playlist, world.playlist_position = list(FILMS), 1

    def test_is_told_of_without_a_wait(self) -> None:
        world.playing_file, world.playing_time, world.playing_duration = "a.mkv", 12.5, 60.0
        world.labels["Player.Filenameandpath"] = FILMS[0]
        self.run_plugin("looks_at_the_playlist")
        state, entries, words = json.loads(self.told("answers"))
        self.assertEqual(
            state,
            {
                "position": 1,
                "playing": {"file": "a.mkv", "time": 12.5, "duration": 60.0},
                "afterRefusal": False,
            },
        )
        listed = [{"file": film, "label": "the film " + film} for film in FILMS]
        self.assertEqual(entries, {"entries": listed, "playing": FILMS[0]})
        self.assertEqual(words, ["word 12021", "word 12022"])

    def test_that_is_empty_has_no_entries(self) -> None:
        world.playlist = []
        self.run_plugin("looks_at_the_playlist")
        self.assertEqual(json.loads(self.told("answers"))[1]["entries"], [])

    def test_gets_entries_in_front_and_keeps_its_position(self) -> None:
        self.run_plugin("prepends_to_the_playlist")
        self.assertEqual((world.playlist, world.playlist_position), (["one", "two"] + FILMS, 1))

    def test_goes_on_after_nothing(self) -> None:
        self.run_plugin("resolves_nothing")
        self.assert_answer(False)
        self.assertEqual(world.playlist, FILMS)

    def test_may_ask_for_its_next_film_while_this_one_is_cleaned_up(self) -> None:
        seen: List[bool] = []

        def next_film(_: str) -> None:
            following = PlaybackLock(xbmcgui.Window(10000))
            seen.append(following.is_busy())
            following.claim()

        self.when("answered", next_film)
        self.run_plugin("resolves_nothing_and_lingers")
        self.assertEqual(seen, [False])
        # The one before is not ended for it, and does not release its guard.
        self.assertEqual(self.told("cleaned_up"), "x")
        self.assertNotEqual(world.properties.get(shared_properties.STARTING, ""), "")
        self.assert_toasts()

    def test_ends_before_the_answer_when_it_is_to_end(self) -> None:
        self.run_plugin("ends_the_playlist")
        self.assert_answer(False)
        self.assertEqual(world.playlist, [])
        names = world.names()
        self.assertLess(names.index("PlayList.clear"), names.index("setResolvedUrl"))

    def test_that_cannot_be_ended_leaves_no_call_without_an_answer(self) -> None:
        world.refuse_clear = True
        self.run_plugin("ends_the_playlist")
        self.assert_answer(False)
        self.assertIn("Kodi does not clear this list", world.engine_log())
        # Nor does a lost engine, which still is told of and leaves no guard up.
        self.run_plugin("killed")
        self.assert_answer(False, False)
        self.assert_toasts(messages.ENGINE_FAILED)
        self.assertEqual(world.properties.get(shared_properties.STARTING, ""), "")

    def test_gets_its_answer_though_the_guard_cannot_be_lowered(self) -> None:
        def refuse(_: PlaybackLock) -> None:
            self.put(PlaybackLock, "release", release)
            raise RuntimeError("Kodi does not take this")

        release = PlaybackLock.release
        self.put(PlaybackLock, "release", refuse)
        self.run_plugin("resolves_nothing")
        self.assert_answer(False)

    def test_stays_when_it_does_not_play(self) -> None:
        world.playlist_position = -1
        self.run_plugin("ends_the_playlist")
        self.assertEqual(world.playlist, FILMS)

    def test_ends_with_a_lost_engine_and_with_a_cancel(self) -> None:
        self.run_plugin("killed")
        self.assertEqual(world.playlist, [])
        world.playlist = list(FILMS)
        self.abort_when("ready")
        self.run_plugin("cleans_up")
        self.assertEqual(world.playlist, [])
        self.assert_answer(False, False)

    def test_tells_of_a_refused_call_that_it_goes_on_from(self) -> None:
        left: List[int] = []
        world.playlist_position = 1
        world.on_property[shared_properties.PLAYLIST_REFUSAL] = lambda _: left.append(world.names().count("setResolvedUrl"))
        world.properties[shared_properties.STARTING] = shared_properties.lease("another", 5)
        plugin_entry.enter(list(RESOLVE))
        self.assert_answer(False)
        # Upon the answer the list goes on within milliseconds.
        self.assertEqual(left, [0])
        del world.properties[shared_properties.STARTING]
        self.run_plugin("looks_at_the_playlist")
        self.assertTrue(json.loads(self.told("answers"))[0]["afterRefusal"])
        # To its first it does not go by itself.
        world.playlist_position = 0
        self.assertFalse(self.passed_over())

    def test_tells_of_the_call_that_the_service_makes_after_a_refusal_and_of_no_other(self) -> None:
        world.playlist_position = 0
        address = RESOLVE[0] + RESOLVE[2]
        for called, told in ((address + "&year=2010", [False, False]), (address, [True, False])):
            by_service = "%s %s" % (shared_properties.lease(shared_properties.BY_SERVICE, 5), called)
            world.properties[shared_properties.PLAYLIST_REFUSAL] = by_service
            # What is refused meanwhile does not take its place.
            PlaybackLock(xbmcgui.Window(10000)).announce_playlist_refusal()
            self.assertEqual([self.passed_over(), self.passed_over()], told)

    def test_is_not_passed_over_where_a_film_stands_alone_or_nothing_was_to_play(self) -> None:
        world.properties[shared_properties.STARTING] = shared_properties.lease("another", 5)
        world.playlist = FILMS[:1]
        plugin_entry.enter(list(RESOLVE))
        world.playlist = list(FILMS)
        plugin_entry.enter(["plugin://plugin.video.slipstream/", "7", ""])
        self.assertNotIn(shared_properties.PLAYLIST_REFUSAL, world.properties)

    def passed_over(self) -> bool:
        self.run_plugin("looks_at_the_playlist")
        return bool(json.loads(self.told("answers"))[0]["afterRefusal"])

    def test_is_left_alone_by_a_play_that_is_refused(self) -> None:
        world.properties[shared_properties.STARTING] = shared_properties.lease("another", 5)
        plugin_entry.enter(list(RESOLVE))
        self.assert_answer(False)
        self.assertEqual(world.playlist, FILMS)
