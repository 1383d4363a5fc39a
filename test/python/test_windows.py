"""Our windows: their thread, their events, their end."""

from __future__ import annotations

import json
import threading

from support import HostTest, messages, timing, world

BACK, STOP = 92, 13


class AWindow(HostTest):
    def test_is_made_and_shown_on_a_thread_of_its_own_and_tells_what_happens(self) -> None:
        seen = {}

        def click(_: str) -> None:
            dialog = world.windows[0]
            rows = dialog.getControl(50).rows
            seen.update(
                thread=dialog.made_on, properties=dict(dialog.properties), rows=rows, focus=dialog.focus,
                percent=dialog.getControl(20).percent, reader=threading.current_thread(),
            )
            dialog.getControl(50).position = 2
            dialog.click(50)

        self.when("shown", click)
        self.run_plugin("shows_window")
        self.assertNotIn(seen["thread"], (threading.main_thread(), seen["reader"]))
        self.assertEqual(seen["properties"], {"title": "Sintel", "detail": "27 releases"})
        self.assertEqual([row.label for row in seen["rows"]], ["Sintel.2010.1080p"] * 3)
        self.assertEqual((seen["focus"], seen["percent"]), (50, 40))
        self.assertEqual(
            json.loads(self.told("event")), {"window": "w", "kind": "click", "control": 50, "index": 2}
        )
        self.assertEqual(json.loads(self.told("closed"))["kind"], "closed")
        self.assertEqual(json.loads(self.told("late")), False)
        self.assert_toasts()

    def test_is_shown_only_once_the_gui_thread_has_settled(self) -> None:
        # Showing it keeps Python's lock: behind another play's open in Kodi's queue that would end Kodi.
        self.when("shown", lambda _: world.windows[0].click(50))
        self.run_plugin("shows_window")
        shown = world.names().index("doModal")
        self.assertEqual(world.names()[shown - 1], "executeJSONRPC")

    def test_takes_the_busy_dialog_away_from_behind_it(self) -> None:
        self.when("shown", lambda _: world.windows[0].click(50))
        self.run_plugin("shows_window")
        self.assertIn("Dialog.Close(busydialog,true)", world.builtins)

    def test_leaves_back_to_the_engine(self) -> None:
        self.when("shown", lambda _: world.windows[0].press(BACK))
        self.run_plugin("answers_back")
        self.assertEqual(self.told("back"), "w")
        self.assert_toasts()

    def test_is_closed_and_the_engine_ended_when_back_goes_unanswered(self) -> None:
        for action in (BACK, STOP):
            world.reset()
            self.setUp()
            self.put(timing, "BACK_GRACE", 0.1)
            self.when("ready", lambda _, action=action: world.windows[0].press(action))
            self.run_plugin("ignores_back")
            self.assertEqual(world.windows, [])
            self.assertFalse(world.abort.is_set())
            self.assert_answer(False)
            self.assert_toasts(messages.ENGINE_FAILED)

    def test_is_not_ignored_while_the_answer_waits_behind_a_call(self) -> None:
        self.put(timing, "BACK_GRACE", 0.5)
        self.when("shown", lambda _: world.windows[0].press(BACK))
        # Longer than the engine has time for its answer, had it the chance.
        self.when("slow", lambda _: threading.Event().wait(1.5))
        self.run_plugin("answers_back_late")
        self.assertEqual(self.told("back"), "answered")
        self.assert_toasts()

    def test_that_cannot_be_filled_is_an_error_and_closes(self) -> None:
        self.run_plugin("cannot_fill")
        self.assertEqual(json.loads(self.told("error"))["code"], -32000)
        self.assertEqual(world.windows, [])

    def test_is_filled_once_though_kodi_reloads_its_skin(self) -> None:
        seen = []

        def reload_skin(_: str) -> None:
            dialog = world.windows[0]
            dialog.setFocusId(20)
            dialog.onInit()
            seen.append(dialog.focus)
            dialog.click(50)

        self.when("shown", reload_skin)
        self.run_plugin("shows_window")
        self.assertEqual(seen, [20])

    def test_is_closed_when_the_engine_is_gone(self) -> None:
        self.run_plugin("dies_with_window")
        self.assertEqual(world.windows, [])
        self.assertFalse(world.abort.is_set())

    def test_that_the_engine_closes_while_it_opens_is_gone_as_well(self) -> None:
        self.run_plugin("closes_before_shown")
        self.assertEqual(world.windows, [])
        self.assert_toasts()

    def test_without_its_xml_is_an_error(self) -> None:
        world.missing_xml = ["slipstream-picker.xml"]
        self.run_plugin("window_without_xml")
        self.assertEqual(json.loads(self.told("error"))["code"], -32000)

    def test_opens_once_under_a_name(self) -> None:
        self.run_plugin("opens_twice")
        self.assertEqual(self.told("second"), "-32602")
