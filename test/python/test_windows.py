"""The engine's windows and Kodi's dialogs: their threads, their events, their end."""

from __future__ import annotations

import json
import queue
import threading
import time
from typing import Any, Dict, List, Tuple

from support import PATIENCE, HostTest, eventually, messages, timing, world

import xbmc
import xbmcplugin
from slipstream_host.bridge.jsonrpc import Peer, Reply, RpcError
from slipstream_host.kodi.kodi_dialogs import KodiDialogs
from slipstream_host.windows.window_manager import WindowManager

BACK, STOP, CONTEXT_MENU, DOWN, SELECT, MOUSE_MOVE = 92, 13, 117, 4, 7, 107


def asked_before_window() -> List[str]:
    """What Kodi was asked from the end of its busy dialog to the first window of ours."""
    names = world.names()[: world.names().index("doModal")]
    last = len(names) - 1 - names[::-1].index("executebuiltin")
    return [name for name in names[last:] if name in ("executebuiltin", "executeJSONRPC")]


def any_thread(name: str) -> bool:
    return any(thread.name == name for thread in threading.enumerate())


class WindowTest(HostTest):
    def test_a_window_is_made_and_shown_on_a_thread_of_its_own_and_reports_its_events(self) -> None:
        seen = {}

        def click(_: str) -> None:
            dialog = world.windows[0]
            rows = dialog.getControl(50).rows
            seen.update(
                thread=dialog.made_on, properties=dict(dialog.properties), rows=rows, focus=dialog.focus,
                percent=dialog.getControl(20).percent, reader=threading.current_thread(),
            )
            dialog.getControl(50).selectItem(2)
            dialog.click(50)

        self.when("shown", click)
        self.run_plugin("shows_window")
        self.assertNotIn(seen["thread"], (threading.main_thread(), seen["reader"]))
        self.assertEqual(seen["properties"], {"title": "Sintel", "detail": "27 releases"})
        self.assertEqual([row.label for row in seen["rows"]], ["Sintel.2010.1080p"] * 3)
        self.assertEqual((seen["focus"], seen["percent"]), (50, 40))
        self.assertEqual(
            json.loads(self.told("event")), {"window": "w", "kind": "click", "control": 50, "row": "2"}
        )
        self.assertEqual(json.loads(self.told("closed"))["kind"], "closed")
        self.assertEqual(json.loads(self.told("late")), False)
        self.assert_toasts()

    def test_a_window_reports_that_the_context_menu_was_asked_for(self) -> None:
        self.when("shown", lambda _: world.windows[0].press(CONTEXT_MENU))
        self.run_plugin("shows_window")
        self.assertEqual(json.loads(self.told("event")), {"window": "w", "kind": "menu", "control": -1, "row": ""})

    def test_a_window_reports_each_key_that_moves_something(self) -> None:
        def press(_: str) -> None:
            for action in (SELECT, MOUSE_MOVE, DOWN):
                world.windows[0].press(action)

        self.when("shown", press)
        self.run_plugin("shows_window")
        self.assertEqual(json.loads(self.told("event")), {"window": "w", "kind": "moved", "control": -1, "row": ""})

    def test_a_window_is_shown_only_once_kodis_busy_dialog_is_gone(self) -> None:
        # Showing it keeps Python's lock: another play that Kodi opens meanwhile is answered too late, and must not meet
        # that dialog. The first question is answered once it is gone.
        self.when("shown", lambda _: world.windows[0].click(50))
        self.run_plugin("shows_window")
        self.assertEqual(asked_before_window(), ["executebuiltin"] + ["executeJSONRPC"] * 3)
        self.assertIn("Dialog.Close(busydialog,true)", world.builtins)

    def test_a_window_is_shown_only_once_a_back_under_the_busy_dialog_has_taken_effect(self) -> None:
        # At the frame's end, which only what is asked in a later one lies behind.
        asked: List[float] = []
        ask = xbmc.executeJSONRPC

        def note(question: str) -> str:
            if threading.current_thread().name == "slipstream-w":
                asked.append(time.monotonic())
            return ask(question)

        self.put(xbmc, "executeJSONRPC", note)
        self.put(timing, "GUI_FRAME", 0.2)
        self.when("shown", lambda _: world.windows[0].click(50))
        self.run_plugin("shows_window")
        apart = [later - earlier for earlier, later in zip(asked, asked[1:])]
        self.assertGreaterEqual(min(apart[:2]), 0.19)

    def test_a_window_of_a_cancelled_play_is_not_shown(self) -> None:
        # Kodi waits for the answer alone; while it takes that, the window's own wait may end.
        resolve = xbmcplugin.setResolvedUrl

        def resolve_late(*answer: Any) -> None:
            eventually(lambda: "doModal" in world.names() or not any_thread("slipstream-w"))
            resolve(*answer)

        self.put(xbmcplugin, "setResolvedUrl", resolve_late)
        self.put(timing, "GUI_FRAME", 3)
        self.abort_when("opening")
        self.run_plugin("opens_window_and_waits")
        self.assertNotIn("doModal", world.names())
        self.assert_answer(False)

    def test_a_window_that_is_opened_after_the_play_is_refused(self) -> None:
        windows = WindowManager(Peer(), self.folder)
        windows.cancel_pending()
        with self.assertRaises(RpcError):
            windows.methods()["window.open"]({"window": "w", "xml": "w.xml"}, Reply("window.open", lambda _: None))
        self.assertFalse(any_thread("slipstream-w"))

    def test_a_window_leaves_back_to_the_engine(self) -> None:
        self.when("shown", lambda _: world.windows[0].press(BACK))
        self.run_plugin("answers_back")
        self.assertEqual(self.told("back"), "w")
        self.assert_toasts()

    def test_a_window_is_closed_and_the_engine_ended_when_back_goes_unanswered(self) -> None:
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

    def test_back_is_not_ignored_while_the_answer_waits_behind_a_call(self) -> None:
        self.put(timing, "BACK_GRACE", 0.5)
        self.when("shown", lambda _: world.windows[0].press(BACK))
        # Longer than the engine has time for its answer, had it the chance.
        self.when("slow", lambda _: threading.Event().wait(1.5))
        self.run_plugin("answers_back_late")
        self.assertEqual(self.told("back"), "answered")
        self.assert_toasts()

    def test_a_window_that_cannot_be_filled_is_an_error_and_closes(self) -> None:
        self.run_plugin("cannot_fill")
        self.assertEqual(json.loads(self.told("error"))["code"], -32000)
        self.assertEqual(world.windows, [])

    def test_a_window_is_filled_once_though_kodi_reloads_its_skin(self) -> None:
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

    def test_a_window_is_closed_when_the_engine_is_gone(self) -> None:
        self.run_plugin("dies_with_window")
        self.assertEqual(world.windows, [])
        self.assertFalse(world.abort.is_set())

    def test_a_window_that_the_engine_closes_while_it_opens_is_gone(self) -> None:
        self.run_plugin("closes_before_shown")
        self.assertEqual(world.windows, [])
        self.assert_toasts()

    def test_a_window_without_its_xml_is_an_error(self) -> None:
        world.missing_xml = ["slipstream-picker.xml"]
        self.run_plugin("window_without_xml")
        self.assertEqual(json.loads(self.told("error"))["code"], -32000)

    def test_a_window_opens_once_under_a_name(self) -> None:
        self.run_plugin("opens_twice")
        self.assertEqual(self.told("second"), "-32602")


class ChangingList(HostTest):
    def change_with_focus(self, row: int, top: int) -> None:
        """The list changes while this row (by its position) has the focus and that one is at the top of the screen."""

        def scroll(_: str) -> None:
            found = self.the_list()
            found.selectItem(29)
            found.selectItem(top)
            found.selectItem(row)

        self.seen: Dict[str, Tuple[int, str, int]] = {}
        self.when("shown", scroll)
        self.when("grown", lambda _: self.seen.update(grown=self.on_screen()))
        self.when("shrunk", lambda _: self.seen.update(shrunk=self.on_screen()))
        self.run_plugin("changes_list")

    def the_list(self) -> Any:
        return world.windows[0].getControl(50)

    def on_screen(self) -> Tuple[int, str, int]:
        world.carry_out()
        found = self.the_list()
        return len(found.rows), found.focused().properties["id"], found.cursor

    def test_a_changed_list_keeps_the_focused_row_and_its_place_on_the_screen(self) -> None:
        for row, top in ((0, 0), (7, 0), (10, 8), (15, 8), (29, 22), (25, 22)):
            world.reset()
            self.setUp()
            self.change_with_focus(row, top)
            self.assertEqual(self.seen["grown"], (60, str(2 * row), row - top), (row, top))

    def test_a_changed_list_keeps_the_focused_row_that_kodi_has_not_yet_focused_again(self) -> None:
        world.selects_late = True
        self.change_with_focus(15, 8)
        self.assertEqual(self.seen["grown"], (60, "30", 7))

    def test_a_changed_list_keeps_the_focused_row_behind_a_dialog_of_kodis(self) -> None:
        for late in (False, True):
            world.reset()
            self.setUp()
            world.covered, world.selects_late = True, late
            self.change_with_focus(15, 8)
            self.assertEqual(self.seen["grown"][:2], (60, "30"), late)

    def test_a_list_opens_with_the_focus_on_the_selected_row(self) -> None:
        seen: List[Tuple[int, str, int]] = []
        self.when("shown", lambda _: seen.append(self.on_screen()))
        self.run_plugin("opens_list_at_a_row")
        # As far down as it takes to show it.
        self.assertEqual(seen, [(30, "12", 7)])

    def test_a_selected_row_near_the_end_of_a_list_is_as_high_as_it_can_be(self) -> None:
        self.change_with_focus(29, 29 - 7)
        self.assertEqual(self.seen["shrunk"], (2, "7", 0))

    def test_a_list_shows_a_row_that_was_sent_before_and_refuses_one_that_was_not(self) -> None:
        self.change_with_focus(0, 0)
        self.assertEqual(self.told("unknown"), "-32602")


class KodiDialogsTest(HostTest):
    def test_kodis_dialogs_are_answered_one_at_a_time(self) -> None:
        answers = iter([0, "", 1, 0, -1, True])

        def answer(_: str = "") -> None:
            world.answer(next(answers))

        # The first one stays until a second one was refused.
        self.when("second", answer)
        world.on_dialog = lambda: None if world.dialog[0] == "selectdialog" else answer()
        self.run_plugin("asks_with_kodis_dialogs")
        self.assertEqual((self.told("second"), self.told("selected")), ("-32000", "0"))
        # An emptied line is none that was left.
        self.assertEqual(self.told("written"), '""')
        self.assertEqual(self.told("confirmed"), "[true, false, null]")
        self.assertEqual(self.told("read"), "true")
        rows = [("Sintel.2010.1080p", "2.1 GB"), ("Sintel.2010.720p", "")]
        self.assertEqual(
            world.dialogs,
            [
                ("selectdialog", ("Sintel (2010)", rows, True)),
                ("virtualkeyboard", ("A key", "old", True)),
                *[("yesnodialog", ("A test", "Does it play?", "", "It does not", "It plays"))] * 3,
                ("textviewer", ("A report", "All is well")),
            ],
        )

    def test_a_dialog_is_over_once_it_is_answered_though_its_thread_has_not_ended(self) -> None:
        world.on_dialog = lambda: world.answer(1)
        ask = KodiDialogs().methods()["dialog.menu"]
        answers: "queue.Queue[Dict[str, object]]" = queue.Queue()

        def next_one(_: Dict[str, object]) -> None:
            try:
                ask({"rows": ["Second"]}, Reply("dialog.menu", answers.put))
            except RpcError as refusal:
                answers.put({"error": str(refusal)})

        ask({"rows": ["First"]}, Reply("dialog.menu", next_one))
        self.assertEqual(answers.get(timeout=PATIENCE), {"result": 1})
        for thread in threading.enumerate():
            if thread.name == "slipstream-contextmenu":
                thread.join(PATIENCE)

    def test_a_dialog_may_be_a_context_menu(self) -> None:
        world.on_dialog = lambda: world.answer(1)
        self.run_plugin("asks_with_kodis_menu")
        self.assertEqual(self.told("chosen"), "1")
        self.assertEqual(world.dialogs, [("contextmenu", ["Resume from 12:34", "Play from beginning"])])

    def test_a_dialog_is_closed_by_the_engine_also_while_it_comes_up(self) -> None:
        self.put(timing, "DIALOG_CLOSE", 0.01)
        world.deaf_to_close = 2
        self.run_plugin("closes_kodis_dialog")
        self.assertEqual((self.told("selected"), self.told("written")), ("-1", "null"))

    def test_a_dialog_is_closed_when_the_engine_is_gone(self) -> None:
        self.put(timing, "DIALOG_CLOSE", 0.01)
        self.run_plugin("dies_with_a_dialog")
        self.assertEqual(world.dialog, ("", None))

    def test_a_dialog_is_closed_when_kodi_ends(self) -> None:
        self.put(timing, "DIALOG_CLOSE", 0.01)
        world.on_dialog = lambda: world.abort.set()
        self.run_plugin("asks_until_aborted")
        self.assertEqual(world.dialog, ("", None))
