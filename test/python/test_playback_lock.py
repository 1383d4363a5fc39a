"""The playback lock: a second play is refused before Kodi aborts itself (two concurrent busy dialogs)."""

from __future__ import annotations

import json
import os
import runpy
import subprocess
import sys
import time

from support import ADD_ON, HERE, RESOLVE, SCRIPT, SETUP, HostTest, messages, plugin_entry, shared_properties, timing, world

from slipstream_host.playback_lock import PlaybackLock

HELD = "slipstream.starting"


class Action(HostTest):
    def test_an_action_takes_the_playback_lock_only_when_it_plays(self) -> None:
        self.when("played", lambda _: self.assertTrue(shared_properties.is_live(world.properties[HELD])))
        self.run_plugin("plays_twice", SETUP)
        # The first film is still being opened.
        self.assertEqual((len(world.played), self.told("second")), (1, "-32000"))
        self.assertTrue(world.properties[HELD].startswith("opening "))

    def test_an_action_runs_while_a_film_starts_but_plays_none(self) -> None:
        world.properties[HELD] = shared_properties.lease("other", 5)
        self.run_plugin("plays", SETUP)
        self.assertEqual(world.played, [])
        self.assertTrue(world.properties[HELD].startswith("other "))

    def test_an_action_runs_beside_a_call_that_waits_for_an_answer(self) -> None:
        argv = [SETUP[0], "7", SETUP[2]]
        self.when("start", lambda _: self.assert_answer(False))
        self.run_plugin("shows_start", argv)
        start = json.loads(self.told("start"))
        self.assertEqual((start["entry"], start["handle"], start["argv"]), ("action", -1, argv))
        self.assert_answer(False)


class SecondPlay(HostTest):
    def test_a_second_play_is_answered_false_before_anything_that_waits_for_kodi(self) -> None:
        world.properties[HELD] = shared_properties.lease("other", 5)
        self.run_plugin("resolves")
        self.assert_answer(False)
        before = world.names()[: world.names().index("setResolvedUrl")]
        self.assertEqual(
            before,
            [
                "Window",
                "getProperty",
                "getProperty",
                "getProperty",
                "getCurrentWindowDialogId",
                "setProperty",
                "ListItem(offscreen)",
            ],
        )
        self.assert_toasts(messages.STILL_STARTING)
        self.assertTrue(world.properties[HELD].startswith("other "))

    def test_a_second_play_is_refused_on_every_path_with_a_handle(self) -> None:
        world.properties[HELD] = shared_properties.lease("other", 5)
        self.run_plugin("resolves", ["plugin://plugin.video.slipstream/settings", "7", ""])
        self.assert_answer(False)
        self.assertNotIn("Monitor", world.names())

    def test_a_play_is_refused_while_the_failure_box_is_up(self) -> None:
        world.properties["slipstream.failure-box"] = shared_properties.lease("box", 5)
        self.run_plugin("resolves")
        self.assert_answer(False)
        self.assertNotIn("Monitor", world.names()[: world.names().index("setResolvedUrl")])

    def test_a_play_is_refused_under_a_box_that_the_service_has_not_noticed(self) -> None:
        world.dialog_id = 12002
        put_off = []
        world.on_property["slipstream.again"] = put_off.append
        self.run_plugin("resolves")
        self.assert_answer(False)
        self.assertNotIn("Monitor", world.names()[: world.names().index("setResolvedUrl")])
        # The service starts it again.
        self.assertEqual(len(put_off), 1)
        self.assertNotIn(HELD, world.properties)

    def test_a_play_goes_on_under_any_dialog_but_a_box_with_one_button(self) -> None:
        # On a slow machine Kodi's busy dialog is up for this very call.
        world.dialog_id = 10138
        self.run_plugin("resolves")
        self.assert_answer(True)

    def test_a_scripts_play_may_begin_under_a_box_because_kodi_does_not_wait_for_it(self) -> None:
        world.dialog_id = 12002
        self.run_plugin("plays", SCRIPT)
        self.assertEqual(len(world.played), 1)

    def test_a_scripts_second_play_is_refused(self) -> None:
        world.properties[HELD] = shared_properties.lease("other", 5)
        self.run_plugin("plays", SCRIPT)
        self.assertEqual(world.played, [])
        self.assert_toasts(messages.STILL_STARTING)

    def test_a_play_ends_when_another_claims_the_lock_at_the_same_moment(self) -> None:
        def overwritten(_: str) -> None:
            world.properties[HELD] = shared_properties.lease("other", 5)

        world.on_property[HELD] = overwritten
        self.run_plugin("resolves")
        self.assert_answer(False)
        self.assertTrue(world.properties[HELD].startswith("other "))

    def test_a_play_ends_when_another_claims_the_lock_right_after_it(self) -> None:
        real = PlaybackLock.claim

        def claim(self: PlaybackLock) -> bool:
            claimed = real(self)
            world.properties[HELD] = shared_properties.lease("other", 5)
            return claimed

        self.put(PlaybackLock, "claim", claim)
        self.run_plugin("resolves")
        self.assert_answer(False)
        self.assertNotIn("Monitor", world.names())

    def test_a_play_ends_when_another_claims_the_lock_while_its_engine_starts(self) -> None:
        def overwritten(_: str) -> None:
            world.properties[HELD] = shared_properties.lease("other", 5)

        self.when("ready", overwritten)
        self.run_plugin("cleans_up")
        self.assertEqual(self.told("aborted"), "x")
        self.assert_answer(False)
        self.assert_toasts(messages.STILL_STARTING)
        self.assertTrue(world.properties[HELD].startswith("other "))

    def test_a_second_play_takes_nothing_from_a_film_that_was_handed_over(self) -> None:
        def another(_: str) -> None:
            world.properties[HELD] = shared_properties.lease("other", 5)
            time.sleep(0.1)

        self.when("resolved", another)
        self.run_plugin("resolves_and_lingers")
        self.assertEqual(self.told("lingered"), "x")
        self.assert_answer(True)
        self.assert_toasts()

    def test_a_play_goes_on_when_the_holder_of_the_lock_was_killed(self) -> None:
        for stale in (shared_properties.lease("killed", -0.1), "nonsense", "x y", "x nan", "x 1e99", shared_properties.lease("far", 1e6)):
            world.reset()
            self.setUp()
            world.properties[HELD] = stale
            self.run_plugin("resolves")
            self.assert_answer(True)


class UntakenFilm(HostTest):
    def test_a_film_that_kodi_does_not_take_gives_the_lock_back_to_its_play_which_releases_it(self) -> None:
        for call, scenario in ((RESOLVE, "resolves"), (SCRIPT, "plays"), (SETUP, "plays")):
            world.reset()
            self.setUp()
            world.refuse_resolved = world.refuse_play = True
            self.put(timing, "LOCK_RENEWAL", 60.0)
            guards = []
            world.on_property[HELD] = guards.append
            self.run_plugin(scenario, call)
            # Ours, the film's, ours again.
            holders = [value.split()[0] for value in guards]
            self.assertEqual(holders[-2], "opening")
            self.assertEqual({holder for holder in holders if holder != "opening"}, {holders[-1]})
            self.assertNotIn(HELD, world.properties)


class HeldLock(HostTest):
    def test_the_lock_is_held_and_renewed_until_the_engine_ends(self) -> None:
        seen = []

        def watch(_: str) -> None:
            first = world.properties[HELD]
            end = time.monotonic() + 5
            while world.properties[HELD] == first and time.monotonic() < end:
                time.sleep(0.005)
            seen.extend([first, world.properties[HELD]])

        self.when("ready", watch)
        self.run_plugin("killed")
        self.assertNotEqual(seen[0], seen[1])
        self.assertEqual(seen[0].split()[0], seen[1].split()[0])
        self.assertNotIn(HELD, world.properties)

    def test_a_script_holds_the_lock(self) -> None:
        held = []
        self.when("ready", lambda _: held.append(HELD in world.properties))
        self.run_plugin("killed", SCRIPT)
        self.assertEqual(held, [True])
        self.assertNotIn(HELD, world.properties)

    def test_a_path_that_plays_nothing_does_not_take_the_lock(self) -> None:
        held = []
        self.when("ready", lambda _: held.append(HELD in world.properties))
        self.run_plugin("killed", ["plugin://plugin.video.slipstream/", "7", ""])
        self.assertEqual(held, [False])

    def test_direct_play_takes_the_lock(self) -> None:
        held = []
        self.when("ready", lambda _: held.append(HELD in world.properties))
        self.run_plugin("killed", ["plugin://plugin.video.slipstream/direct_play", "7", "?url=x"])
        self.assertEqual(held, [True])

    def test_the_lock_outlives_the_plugin_process_when_a_film_was_handed_over(self) -> None:
        for call, engine in ((RESOLVE, "resolves"), (SCRIPT, "plays")):
            world.reset()
            self.setUp()
            self.run_plugin(engine, call)
            self.assertTrue(world.properties[HELD].startswith("opening "), world.properties)

    def test_the_lock_expires_within_seconds(self) -> None:
        as_shipped = runpy.run_path(str(timing.__file__))
        self.assertLess(as_shipped["LOCK_RENEWAL"] * 2, as_shipped["LOCK_LEASE"])
        self.assertLessEqual(as_shipped["LOCK_LEASE"], 10)


class Refusal(HostTest):
    def test_a_refusal_imports_nothing_slow(self) -> None:
        code = (
            "import sys, json, os; sys.path[:0] = %r\n"
            "from kodi_world import world\n"
            "import xbmcplugin\n"
            "before = set(sys.modules)\n"
            "real = xbmcplugin.setResolvedUrl\n"
            "def answer(*a): print(json.dumps(sorted(set(sys.modules) - before))); real(*a)\n"
            "xbmcplugin.setResolvedUrl = answer\n"
            "import time; world.properties['slipstream.starting'] = 'other %%f' %% (time.monotonic() + 5)\n"
            "from slipstream_host.plugin_entry import enter\n"
            "enter(%r)\n"
        ) % ([os.path.join(HERE, "stubs"), os.path.join(ADD_ON, "resources", "lib")], RESOLVE)
        out = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=True).stdout
        ours = ["playback_lock", "plugin", "plugin.plugin_call", "plugin.plugin_handle", "plugin_entry", "shared_properties", "timing"]
        # Kodi's own modules are part of its Python.
        allowed = {"slipstream_host", "time", "math", "__future__", "xbmc", *("slipstream_host." + name for name in ours)}
        self.assertEqual(set(json.loads(out)) - allowed, set())
