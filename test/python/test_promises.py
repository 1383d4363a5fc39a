"""The promises that hold whatever the engine does (docs/bridge.md)."""

from __future__ import annotations

import errno
import os
import runpy
import subprocess
import sys
from typing import List

from support import ADD_ON, RESOLVE, SCRIPT, HostTest, messages, timing, world


class HandleAnswer(HostTest):
    def test_a_handle_is_answered_with_the_engines_item(self) -> None:
        self.run_plugin("resolves")
        self.assert_answer(True)
        item = world.resolved[0][2]
        self.assertEqual(item.path, "http://127.0.0.1:1/stream/s/Sintel.mkv")
        self.assertEqual((item.mime, item.content_lookup, item.label), ("video/x-matroska", False, "Sintel"))
        self.assertEqual(item.properties["original_listitem_url"], "plugin://plugin.video.slipstream/play")
        tag = item.getVideoInfoTag()
        self.assertEqual(
            tag.values, {"mediatype": "movie", "title": "Sintel", "year": 2010, "plot": "A girl and her dragon"}
        )
        self.assertEqual(tag.ids, {"imdb": "tt1727587"})
        self.assertEqual(item.art, {"poster": "http://images.invalid/p.jpg"})
        self.assert_toasts()

    def test_a_handle_is_answered_with_start_position_and_subtitles(self) -> None:
        self.run_plugin("resolves_at_a_position")
        item = world.resolved[0][2]
        tag = item.getVideoInfoTag()
        # For a resolved film and for a played one; Kodi takes no resume point of an unknown length.
        self.assertEqual((tag.resume_point[0], item.properties["StartOffset"]), (62.0, "62"))
        self.assertGreater(tag.resume_point[1], 62.0)
        self.assertEqual(item.subtitles, ["http://127.0.0.1:1/stream/s/sub/0/Sintel.srt"])
        self.assertEqual((tag.values["duration"], tag.default_id), (150, "tmdb"))

    def test_a_handle_is_answered_without_a_mime_type_when_it_is_unknown(self) -> None:
        self.run_plugin("plays_without_a_type", SCRIPT)
        [(url, item)] = world.played
        self.assertEqual((url, item.content_lookup, item.mime), ("smb://nas/films/Sintel.mkv", True, ""))
        self.assertEqual((item.getVideoInfoTag().resume_point, item.properties), ((0.0, 0.0), {}))

    def test_a_handle_is_answered_through_addon_py_itself(self) -> None:
        self.environment("SLIPSTREAM_TEST_SCENARIO", "resolves")
        self.put(sys, "argv", list(RESOLVE))
        self.put(sys, "path", list(sys.path))
        path = os.path.join(ADD_ON, "addon.py")
        with open(path, encoding="utf-8") as file:
            exec(compile(file.read(), path, "exec"), {"__name__": "__main__", "__file__": path})
        self.assert_answer(True)

    def test_a_handle_is_answered_false_when_the_engine_resolves_nothing(self) -> None:
        self.run_plugin("resolves_nothing")
        self.assert_answer(False)
        self.assert_toasts()

    def test_a_handle_is_answered_false_when_kodi_does_not_take_the_menu(self) -> None:
        world.refuse_folder = True
        self.run_plugin("shows_a_refused_menu", ["plugin://plugin.video.slipstream/", "7", "", "resume:false"])
        self.assertEqual(self.told("error"), "-32000")
        self.assert_answer(False)

    def test_a_handle_is_answered_with_a_menu_and_nothing_else(self) -> None:
        self.run_plugin("shows_a_menu", ["plugin://plugin.video.slipstream/", "7", "", "resume:false"])
        [(url, item, is_folder)] = world.folder
        self.assertEqual((url, is_folder), ("plugin://plugin.video.slipstream/search", False))
        self.assertEqual((item.label, item.getVideoInfoTag().values), ("Search", {"plot": "Finds a film"}))
        self.assertEqual(item.art, {"icon": "/icons/search.png", "thumb": "/icons/search.png"})
        self.assertEqual((world.folder_names, len(world.folder_sorts)), ([(7, "Slipstream")], 1))
        self.assertEqual(world.folders_ended, [(7, True)])
        self.assertEqual(self.told("second"), "-32000")
        self.assert_answer()

    def test_a_handle_is_answered_once_when_the_engine_resolves_twice(self) -> None:
        self.run_plugin("resolves_twice")
        self.assert_answer(True)
        self.assertEqual(self.told("second"), "-32000")

    def test_a_handle_is_answered_with_what_a_dying_engine_had_written(self) -> None:
        self.run_plugin("answers_and_dies")
        self.assert_answer(True)

    def test_a_handle_is_answered_false_when_the_engine_exits_without_a_message(self) -> None:
        self.run_plugin("exits_silently")
        self.assert_answer(False)

    def test_a_handle_is_answered_false_when_the_engine_is_killed(self) -> None:
        self.run_plugin("killed")
        self.assert_answer(False)
        self.assert_toasts(messages.ENGINE_FAILED)

    def test_a_handle_is_answered_false_when_the_engine_writes_garbage(self) -> None:
        self.run_plugin("garbage")
        self.assert_answer(False)
        self.assertEqual(self.told("still"), "here")

    def test_a_handle_is_answered_false_when_a_line_never_ends(self) -> None:
        self.run_plugin("floods_without_end")
        self.assert_answer(False)
        self.assertIn("a line of more than 8388608 bytes", world.engine_log())

    def test_a_flood_of_garbage_neither_hides_the_answer_nor_fills_the_log(self) -> None:
        self.run_plugin("floods_garbage_then_resolves")
        self.assert_answer(True)
        self.assertLess(len(world.log), 50)

    def test_a_flood_of_log_lines_does_not_hold_up_the_answer(self) -> None:
        self.run_plugin("floods_log")
        self.assert_answer(True)
        self.assertLess(max(len(text) for _, text in world.log), 9000)
        self.assertIn("[plugin.video.slipstream] line 1999", world.engine_log())
        self.assertIn((1, "[plugin.video.slipstream] no level here"), world.log)

    def test_a_handle_is_answered_false_when_the_engine_never_reads(self) -> None:
        self.run_plugin("never_reads")
        self.assert_answer(False)
        self.assert_toasts(messages.ENGINE_FAILED)

    def test_a_handle_is_answered_false_when_the_engine_closes_its_output_but_stays(self) -> None:
        self.put(timing, "DRAIN", 0.1)
        self.run_plugin("closes_its_end")
        self.assert_answer(False)

    def test_a_handle_is_answered_false_when_the_item_is_invalid(self) -> None:
        self.run_plugin("bad_item")
        self.assert_answer(False)
        self.assertEqual(self.told("error"), "-32602")

    def test_a_handle_is_answered_false_when_kodi_does_not_take_the_item(self) -> None:
        world.refuse_resolved = True
        self.run_plugin("resolves")
        self.assert_answer(False)

    def test_a_handle_is_answered_false_when_the_engine_is_missing(self) -> None:
        os.remove(os.path.join(self.engine_folder, "engine.cjs"))
        self.run_plugin("resolves")
        self.assert_answer(False)
        self.assert_toasts(messages.NO_ENGINE)

    def test_a_handle_is_answered_false_when_there_is_no_node(self) -> None:
        path = os.path.join(self.folder, "absent")
        self.environment("SLIPSTREAM_NODE", path)
        world.on_dialog = lambda: world.answer(True)
        self.run_plugin("resolves")
        self.assert_answer(False)
        text = messages.WRONG_OVERRIDE % ("SLIPSTREAM_NODE", path)
        self.assertEqual(world.dialogs, [("okdialog", (messages.NAME, text))])

    def test_a_handle_is_answered_false_when_the_system_can_start_no_process(self) -> None:
        def no_room(*_: object, **__: object) -> None:
            raise OSError(errno.ENOMEM, "no room")

        self.put(subprocess, "Popen", no_room)
        self.run_plugin("resolves")
        self.assert_answer(False)
        self.assert_toasts(messages.ENGINE_FAILED)

    def test_a_handle_is_answered_false_when_the_host_itself_fails(self) -> None:
        def explode(*_: object) -> None:
            raise OSError("no disk")

        from slipstream_host.plugin import plugin_process

        self.put(plugin_process, "WindowManager", explode)
        with self.assertRaises(OSError):
            self.run_plugin("resolves")
        self.assert_answer(False)
        self.assertNotIn("slipstream.starting", world.properties)


class AbortOfEngine(HostTest):
    def test_an_engine_hears_the_abort_and_may_clean_up(self) -> None:
        self.abort_when("ready")
        self.run_plugin("cleans_up")
        self.assertEqual(self.told("aborted"), "x")
        self.assert_answer(False)
        self.assert_toasts()

    def test_an_abort_answers_kodi_before_the_engine_is_gone(self) -> None:
        self.abort_when("ready")
        answered: List[object] = []
        self.when("aborted", lambda _: answered.extend(world.resolved))
        self.run_plugin("cleans_up")
        self.assertEqual(len(answered), 1)

    def test_an_engine_that_hangs_in_an_abort_is_terminated(self) -> None:
        self.put(timing, "ABORT_GRACE", 0.1)
        self.abort_when("ready")
        self.run_plugin("leaves_on_sigterm")
        self.assertEqual(self.told("terminated"), "x")
        self.assert_answer(False)
        self.assert_toasts()

    def test_an_engine_that_ignores_sigterm_is_killed(self) -> None:
        self.put(timing, "ABORT_GRACE", 0.1)
        self.put(timing, "TERMINATE_GRACE", 0.1)
        self.abort_when("ready")
        self.run_plugin("ignores_abort")
        self.assert_answer(False)

    def test_an_engine_is_ended_when_kodi_switches_to_another_profile(self) -> None:
        self.when("ready", lambda _: setattr(world, "profile_path", os.path.join(self.folder, "another")))
        self.run_plugin("cleans_up")
        self.assertEqual(self.told("aborted"), "x")
        self.assert_answer(False)

    def test_an_abort_ends_the_engine_within_three_seconds(self) -> None:
        as_shipped = runpy.run_path(str(timing.__file__))
        # In their order: seeing the abort, the engine's three ends; then its threads, then our windows.
        engine = ("TICK", "ABORT_GRACE", "TERMINATE_GRACE", "KILL_GRACE")
        rest = ("THREAD_GRACE", "THREAD_GRACE")
        self.assertLess(sum(as_shipped[name] for name in engine), 2.9)
        # Kodi kills us after 5 s. The abort may come while a hung engine is being killed.
        self.assertLess(sum(as_shipped[name] for name in ("KILL_GRACE", *engine, *rest)), 4.5)

    def test_an_abort_closes_windows_before_it_waits_for_the_engine(self) -> None:
        world.windows_outlive_abort = True
        self.abort_when("ready")
        self.run_plugin("leaves_once_its_window_is_closed")
        self.assertEqual(self.told("closed"), "x")
        self.assert_answer(False)
        self.assert_toasts()


class ScriptFailure(HostTest):
    def test_a_script_shows_one_notification_when_the_engine_is_killed(self) -> None:
        self.run_plugin("killed", SCRIPT)
        self.assert_toasts(messages.ENGINE_FAILED)
        self.assert_answer()

    def test_a_script_shows_one_notification_when_the_engine_fails(self) -> None:
        self.run_plugin("fails", SCRIPT)
        self.assert_toasts(messages.ENGINE_FAILED)

    def test_a_script_shows_nothing_when_all_went_well(self) -> None:
        self.run_plugin("plays", SCRIPT)
        self.assert_toasts()
        self.assertEqual([url for url, _ in world.played], ["http://127.0.0.1:1/stream/s/Sintel.mkv"])

    def test_a_script_shows_nothing_when_kodi_ends(self) -> None:
        self.put(timing, "ABORT_GRACE", 0.1)
        self.abort_when("ready")
        self.run_plugin("hangs", SCRIPT)
        self.assert_toasts()
