"""Kodi's playlist during a call, and after an answer without a film."""

from __future__ import annotations

import json
from typing import List

from support import RESOLVE, HostTest, messages, plugin_entry, shared_properties, world

from slipstream_host.playback_lock import PlaybackLock

import xbmcgui  # The stub, which support has made known.

FILMS = ["plugin://plugin.video.slipstream/play?n=%d" % number for number in (1, 2, 3)]


class PlaylistTest(HostTest):
    def setUp(self) -> None:
        super().setUp()
        world.playlist, world.playlist_position = list(FILMS), 1

    def test_the_playlist_is_reported_without_waiting_for_the_gui(self) -> None:
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

    def test_an_empty_playlist_has_no_entries(self) -> None:
        world.playlist = []
        self.run_plugin("looks_at_the_playlist")
        self.assertEqual(json.loads(self.told("answers"))[1]["entries"], [])

    def test_entries_are_prepended_and_the_playlists_position_stays(self) -> None:
        self.run_plugin("prepends_to_the_playlist")
        self.assertEqual((world.playlist, world.playlist_position), (["one", "two"] + FILMS, 1))

    def test_the_playlist_goes_on_after_an_answer_of_nothing(self) -> None:
        self.run_plugin("resolves_nothing")
        self.assert_answer(False)
        self.assertEqual(world.playlist, FILMS)

    def test_the_playlist_may_call_for_its_next_film_while_this_engine_cleans_up(self) -> None:
        seen: List[bool] = []

        def next_film(_: str) -> None:
            following = PlaybackLock(xbmcgui.Window(10000))
            seen.append(following.is_busy())
            following.claim()

        self.when("answered", next_film)
        self.run_plugin("resolves_nothing_and_lingers")
        self.assertEqual(seen, [False])
        # The play before is not ended for it, and does not release its lock.
        self.assertEqual(self.told("cleaned_up"), "x")
        self.assertNotEqual(world.properties.get(shared_properties.STARTING, ""), "")
        self.assert_toasts()

    def test_the_playlist_is_ended_before_the_answer(self) -> None:
        self.run_plugin("ends_the_playlist")
        self.assert_answer(False)
        self.assertEqual(world.playlist, [])
        names = world.names()
        self.assertLess(names.index("PlayList.clear"), names.index("setResolvedUrl"))

    def test_a_playlist_that_cannot_be_ended_leaves_no_call_without_an_answer(self) -> None:
        world.refuse_clear = True
        self.run_plugin("ends_the_playlist")
        self.assert_answer(False)
        self.assertIn("Kodi does not clear this list", world.engine_log())
        # A crashed engine is still reported and leaves no lock behind.
        self.run_plugin("killed")
        self.assert_answer(False, False)
        self.assert_toasts(messages.ENGINE_FAILED)
        self.assertEqual(world.properties.get(shared_properties.STARTING, ""), "")

    def test_a_call_is_answered_though_the_lock_cannot_be_released(self) -> None:
        def refuse(_: PlaybackLock) -> None:
            self.put(PlaybackLock, "release", release)
            raise RuntimeError("Kodi does not take this")

        release = PlaybackLock.release
        self.put(PlaybackLock, "release", refuse)
        self.run_plugin("resolves_nothing")
        self.assert_answer(False)

    def test_a_playlist_that_does_not_play_stays(self) -> None:
        world.playlist_position = -1
        self.run_plugin("ends_the_playlist")
        self.assertEqual(world.playlist, FILMS)

    def test_the_playlist_ends_with_a_crashed_engine_and_with_a_cancel(self) -> None:
        self.run_plugin("killed")
        self.assertEqual(world.playlist, [])
        world.playlist = list(FILMS)
        self.abort_when("ready")
        self.run_plugin("cleans_up")
        self.assertEqual(world.playlist, [])
        self.assert_answer(False, False)

    def test_a_call_learns_that_it_follows_a_refused_one(self) -> None:
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
        self.assertFalse(self.after_refusal())

    def test_the_call_that_the_service_makes_after_a_refusal_learns_that_and_no_other(self) -> None:
        world.playlist_position = 0
        address = RESOLVE[0] + RESOLVE[2]
        for called, expected in ((address + "&year=2010", [False, False]), (address, [True, False])):
            by_service = "%s %s" % (shared_properties.lease(shared_properties.BY_SERVICE, 5), called)
            world.properties[shared_properties.PLAYLIST_REFUSAL] = by_service
            # What is refused meanwhile does not take its place.
            PlaybackLock(xbmcgui.Window(10000)).announce_playlist_refusal()
            self.assertEqual([self.after_refusal(), self.after_refusal()], expected)

    def test_no_refusal_is_announced_for_a_film_alone_or_a_call_that_plays_nothing(self) -> None:
        world.properties[shared_properties.STARTING] = shared_properties.lease("another", 5)
        world.playlist = FILMS[:1]
        plugin_entry.enter(list(RESOLVE))
        world.playlist = list(FILMS)
        plugin_entry.enter(["plugin://plugin.video.slipstream/", "7", ""])
        self.assertNotIn(shared_properties.PLAYLIST_REFUSAL, world.properties)

    def after_refusal(self) -> bool:
        self.run_plugin("looks_at_the_playlist")
        return bool(json.loads(self.told("answers"))[0]["afterRefusal"])

    def test_a_refused_play_leaves_the_playlist_alone(self) -> None:
        world.properties[shared_properties.STARTING] = shared_properties.lease("another", 5)
        plugin_entry.enter(list(RESOLVE))
        self.assert_answer(False)
        self.assertEqual(world.playlist, FILMS)
