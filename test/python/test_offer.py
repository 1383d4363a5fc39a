"""The person is asked for the runtime once, and what comes is noticed by every process without a restart."""

from __future__ import annotations

import os
import shutil
from typing import Any, Callable, List

from support import RESOLVE, SCRIPT, later, messages, timing, world
from test_runtime import Disk, RuntimeTest

import xbmc  # The stub, which support has made known.
from slipstream_host.runtime import install_offer, runtime_addon

MENU = ["plugin://plugin.video.slipstream/", "7", "", "resume:false"]
WORDS = (messages.NAME, messages.OFFER % (48, 175), messages.OFFER_NO, messages.OFFER_YES)
# The focus is on yes, Kodi's button 11.
QUESTION = ("yesnodialog", (*WORDS, 11))


def box(text: str) -> Any:
    return ("okdialog", (messages.NAME, text))


class APlayWithoutNode(RuntimeTest):
    def setUp(self) -> None:
        super().setUp()
        self.answers: List[object] = []
        world.on_dialog = self.answer

    def answer(self) -> None:
        """A box is read and closed; the questions get what the test has for them."""
        world.answer(True if world.dialog[0] == "okdialog" else self.answers.pop(0))

    def test_asks_and_goes_on_with_what_kodi_installed(self) -> None:
        self.answers = [True]
        world.on_install = self.install
        self.run_plugin("resolves")
        self.assertEqual(world.dialogs, [QUESTION])
        self.assertEqual(world.builtins, ["InstallAddon(%s)" % runtime_addon.RUNTIME_ID])
        self.assert_answer(True)
        self.assert_toasts()

    def test_announces_the_question_of_kodis_own(self) -> None:
        # It looks like ours come again, as if nothing had been understood.
        self.answers = [False]
        self.run_plugin("resolves")
        self.assertIn("Kodi then asks the same once more: choose Yes there.", world.dialogs[0][1][1])

    def test_waits_until_kodi_knows_what_it_installed(self) -> None:
        self.put(timing, "RUNTIME_INSTALLED", 30)
        self.answers = [True]
        world.on_install = lambda: later(0.2, self.install)
        self.run_plugin("resolves")
        self.assert_answer(True)

    def test_is_asked_once_when_the_person_says_no(self) -> None:
        self.answers = [False]
        for argv in (RESOLVE, SCRIPT, RESOLVE):
            self.run_plugin("resolves", argv)
        told = box(messages.NO_RUNTIME)
        self.assertEqual(world.dialogs, [QUESTION, told, told, told])
        self.assertEqual(world.builtins, [])
        self.assert_answer(False, False)
        self.assertNotIn("slipstream.starting", world.properties)

    def test_is_asked_once_when_kodi_installs_nothing(self) -> None:
        self.answers = [True]
        self.run_plugin("resolves")
        self.run_plugin("resolves")
        self.assertEqual(
            world.dialogs, [QUESTION, box(messages.RUNTIME_NOT_INSTALLED), box(messages.NO_RUNTIME)]
        )

    def test_is_asked_again_once_it_was_installed_and_is_gone(self) -> None:
        self.answers = [True, True]
        world.on_install = self.install
        self.run_plugin("resolves")
        world.properties.pop("slipstream.starting")
        world.add_ons.clear()
        shutil.rmtree(self.runtime)
        self.run_plugin("resolves")
        self.assertEqual(world.dialogs, [QUESTION, QUESTION])

    def test_is_not_asked_without_room(self) -> None:
        self.put(shutil, "disk_usage", lambda _: Disk(10**9, 10**9 - 10**8, 10**8))
        self.run_plugin("resolves")
        self.assertEqual(world.dialogs, [box(messages.NO_SPACE % (175, 100, world.add_ons_path))])
        self.assert_answer(False)

    def test_is_told_what_is_wrong_with_what_was_installed(self) -> None:
        self.answers = [True]
        world.on_install = lambda: self.install(sha256="0" * 64)
        self.run_plugin("resolves")
        self.assertEqual(world.dialogs, [QUESTION, box(messages.RUNTIME_DAMAGED)])
        self.assert_answer(False)

    def test_holds_the_guard_while_it_asks_and_tells(self) -> None:
        held: List[bool] = []

        def look() -> None:
            held.append("slipstream.starting" in world.properties)
            world.answer(False)

        world.conditions["Window.IsActive(videos)"] = True
        for argv in (RESOLVE, MENU):
            world.on_dialog = look
            self.run_plugin("resolves", argv)
            self.assertNotIn("slipstream.starting", world.properties)
            self.assertIn("plugin.video.slipstream", argv[0])
        self.assertEqual(held, [True] * 3)

    def test_finds_it_again_after_an_update_without_asking(self) -> None:
        self.install()
        known = world.add_ons.pop(runtime_addon.RUNTIME_ID)
        later(0.2, lambda: world.add_ons.update({runtime_addon.RUNTIME_ID: known}))
        self.run_plugin("resolves")
        self.assertEqual(world.dialogs, [])
        self.assert_answer(True)


class AListingByASkin(RuntimeTest):
    def test_asks_nobody(self) -> None:
        self.run_plugin("shows_a_menu", MENU)
        self.assertEqual(world.dialogs, [])
        self.assert_toasts(messages.NO_RUNTIME)
        self.assert_answer(False)

    def test_asks_a_person_who_opened_it(self) -> None:
        world.conditions["Window.IsActive(videos)"] = True
        world.on_dialog = lambda: world.answer(True)
        world.on_install = self.install
        self.run_plugin("shows_a_menu", MENU)
        self.assertEqual(world.dialogs, [QUESTION])
        self.assertEqual(world.folders_ended, [(7, True)])


class AnAbort(RuntimeTest):
    def end(self, name: str) -> Callable[[], None]:
        """Ends Kodi once that dialog is up; the dialog goes when it is told to for the second time."""

        def see() -> None:
            if world.dialog[0] == name:
                world.deaf_to_close = 1
                world.abort.set()
            else:
                world.answer(True)

        return see

    def test_closes_the_question_and_installs_nothing(self) -> None:
        world.on_dialog = self.end("yesnodialog")
        self.run_plugin("resolves")
        self.assertEqual(world.builtins.count("Dialog.Close(yesnodialog,true)"), 2)
        self.assertNotIn("InstallAddon(%s)" % runtime_addon.RUNTIME_ID, world.builtins)
        self.assertEqual(world.dialogs, [QUESTION])
        self.assert_answer(False)

    def test_closes_kodis_own_question(self) -> None:
        def ask() -> None:
            if "InstallAddon(%s)" % runtime_addon.RUNTIME_ID in world.builtins:
                world.abort.set()
            else:
                world.answer(True)

        world.on_dialog = ask
        world.on_install = lambda: (world.ask("yesnodialog", "Kodi's"), None)[1]
        self.run_plugin("resolves")
        self.assertIn("Dialog.Close(yesnodialog,true)", world.builtins)
        self.assert_answer(False)

    def test_closes_the_box(self) -> None:
        world.properties[install_offer.ASKED] = "true"
        world.on_dialog = self.end("okdialog")
        self.run_plugin("resolves")
        self.assertEqual(world.builtins, ["Dialog.Close(okdialog,true)"] * 2)

    def test_while_it_reads_the_binary_shows_nothing(self) -> None:
        self.install()
        self.put(timing, "TICK", 0)
        world.abort.set()
        self.run_plugin("resolves")
        self.assertEqual((world.dialogs, world.toasts), ([], []))
        self.assert_answer(False)


class TheServiceWithoutNode(RuntimeTest):
    def when_it_is_told(self, come: Callable[[], object]) -> None:
        def hear(level: int) -> None:
            if level < xbmc.LOGWARNING:
                return
            world.on_log = lambda level: None
            later(0.1, come)

        world.on_log = hear

    def service_finds(self, come: Callable[[], object]) -> None:
        self.when_it_is_told(come)
        self.abort_when("ready")
        self.run_service("service_listens")
        self.assertEqual(self.told("ready"), "x")
        self.assertEqual(world.dialogs, [])

    def test_takes_the_runtime_when_it_comes(self) -> None:
        self.service_finds(self.install)

    def test_says_nothing_for_the_person_is_asked_by_their_first_call(self) -> None:
        self.service_finds(self.install)
        self.assert_toasts()
        lines = [level for level, text in world.log if "there is no Node.js yet" in text]
        self.assertEqual(lines, [xbmc.LOGWARNING])
        self.assertEqual([text for level, text in world.log if level >= xbmc.LOGERROR], [])

    def test_takes_the_systems_own_when_it_comes(self) -> None:
        def come() -> None:
            os.rename(self.fake_node("v22.0.0"), os.path.join(self.folder, "node"))

        self.service_finds(come)
        self.assert_toasts()

    def test_takes_the_runtime_when_it_is_enabled(self) -> None:
        self.install()
        world.add_ons[runtime_addon.RUNTIME_ID]["enabled"] = False
        self.service_finds(lambda: world.add_ons[runtime_addon.RUNTIME_ID].update(enabled=True))
        self.assert_toasts(messages.RUNTIME_OFF)

    def test_takes_the_runtime_when_it_is_mended(self) -> None:
        self.install(sha256="0" * 64)

        def come() -> None:
            self.install()
            world.add_ons[runtime_addon.RUNTIME_ID]["version"] = "24.22.1"

        self.service_finds(come)
        self.assert_toasts(messages.RUNTIME_DAMAGED)

    def test_takes_what_a_play_has_made_ready(self) -> None:
        self.install()
        self.put(shutil, "disk_usage", lambda _: Disk(100, 93, 0))
        self.refuse_programs(self.runtime)

        def come() -> None:
            self.put(shutil, "disk_usage", lambda _: Disk(10**9, 0, 10**9))
            self.find()

        self.service_finds(come)

    def test_leaves_with_kodi(self) -> None:
        self.when_it_is_told(world.abort.set)
        self.run_service("service_listens")
        self.assertEqual(self.told("ready"), "")
