"""The offer to install the runtime add-on, and a service that notices the installed one without a restart."""

from __future__ import annotations

import os
import shutil
from typing import Any, Callable, List

from support import RESOLVE, SCRIPT, later, messages, timing, world
from test_bundled_node import Disk, RuntimeTest

import xbmc  # The stub, which support has made known.
from slipstream_host.runtime import install_offer, runtime_addon

MENU = ["plugin://plugin.video.slipstream/", "7", "", "resume:false"]
WORDS = (messages.NAME, messages.OFFER % (48, 175), messages.OFFER_NO, messages.OFFER_YES)
# The focus is on yes, Kodi's button 11.
QUESTION = ("yesnodialog", (*WORDS, 11))


def box(text: str) -> Any:
    return ("okdialog", (messages.NAME, text))


class PlayWithoutNode(RuntimeTest):
    def setUp(self) -> None:
        super().setUp()
        self.answers: List[object] = []
        world.on_dialog = self.answer

    def answer(self) -> None:
        """A box is read and closed; the questions get what the test has for them."""
        world.answer(True if world.dialog[0] == "okdialog" else self.answers.pop(0))

    def test_a_play_without_node_asks_and_goes_on_with_the_installed_one(self) -> None:
        self.answers = [True]
        world.on_install = self.install
        self.run_plugin("resolves")
        self.assertEqual(world.dialogs, [QUESTION])
        self.assertEqual(world.builtins, ["InstallAddon(%s)" % runtime_addon.RUNTIME_ID])
        self.assert_answer(True)
        self.assert_toasts()

    def test_the_offer_announces_kodis_own_question(self) -> None:
        # It looks like our own question, asked a second time.
        self.answers = [False]
        self.run_plugin("resolves")
        self.assertIn("Kodi then asks the same once more: choose Yes there.", world.dialogs[0][1][1])

    def test_a_play_waits_until_kodi_knows_the_installed_add_on(self) -> None:
        self.put(timing, "RUNTIME_INSTALLED", 30)
        self.answers = [True]
        world.on_install = lambda: later(0.2, self.install)
        self.run_plugin("resolves")
        self.assert_answer(True)

    def test_a_person_who_says_no_is_asked_once(self) -> None:
        self.answers = [False]
        for argv in (RESOLVE, SCRIPT, RESOLVE):
            self.run_plugin("resolves", argv)
        shown = box(messages.NO_RUNTIME)
        self.assertEqual(world.dialogs, [QUESTION, shown, shown, shown])
        self.assertEqual(world.builtins, [])
        self.assert_answer(False, False)
        self.assertNotIn("slipstream.starting", world.properties)

    def test_a_person_is_asked_once_when_kodi_installs_nothing(self) -> None:
        self.answers = [True]
        self.run_plugin("resolves")
        self.run_plugin("resolves")
        self.assertEqual(
            world.dialogs, [QUESTION, box(messages.RUNTIME_NOT_INSTALLED), box(messages.NO_RUNTIME)]
        )

    def test_a_person_is_asked_again_when_an_installed_add_on_is_gone(self) -> None:
        self.answers = [True, True]
        world.on_install = self.install
        self.run_plugin("resolves")
        world.properties.pop("slipstream.starting")
        world.add_ons.clear()
        shutil.rmtree(self.runtime)
        self.run_plugin("resolves")
        self.assertEqual(world.dialogs, [QUESTION, QUESTION])

    def test_a_person_is_not_asked_when_the_disk_is_full(self) -> None:
        self.put(shutil, "disk_usage", lambda _: Disk(10**9, 10**9 - 10**8, 10**8))
        self.run_plugin("resolves")
        self.assertEqual(world.dialogs, [box(messages.NO_SPACE % (175, 100, world.add_ons_path))])
        self.assert_answer(False)

    def test_a_play_shows_what_is_wrong_with_the_installed_add_on(self) -> None:
        self.answers = [True]
        world.on_install = lambda: self.install(sha256="0" * 64)
        self.run_plugin("resolves")
        self.assertEqual(world.dialogs, [QUESTION, box(messages.RUNTIME_DAMAGED)])
        self.assert_answer(False)

    def test_a_play_holds_the_playback_lock_during_question_and_message(self) -> None:
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

    def test_a_play_finds_the_add_on_after_an_update_without_asking(self) -> None:
        self.install()
        known = world.add_ons.pop(runtime_addon.RUNTIME_ID)
        later(0.2, lambda: world.add_ons.update({runtime_addon.RUNTIME_ID: known}))
        self.run_plugin("resolves")
        self.assertEqual(world.dialogs, [])
        self.assert_answer(True)


class MenuListing(RuntimeTest):
    def test_a_skin_that_lists_the_menu_asks_nothing(self) -> None:
        self.run_plugin("shows_a_menu", MENU)
        self.assertEqual(world.dialogs, [])
        self.assert_toasts(messages.NO_RUNTIME)
        self.assert_answer(False)

    def test_a_person_who_opens_the_menu_is_asked(self) -> None:
        world.conditions["Window.IsActive(videos)"] = True
        world.on_dialog = lambda: world.answer(True)
        world.on_install = self.install
        self.run_plugin("shows_a_menu", MENU)
        self.assertEqual(world.dialogs, [QUESTION])
        self.assertEqual(world.folders_ended, [(7, True)])


class AbortDuringOffer(RuntimeTest):
    def end(self, name: str) -> Callable[[], None]:
        """Ends Kodi once that dialog is up; the dialog closes upon the second command."""

        def see() -> None:
            if world.dialog[0] == name:
                world.deaf_to_close = 1
                world.abort.set()
            else:
                world.answer(True)

        return see

    def test_an_abort_closes_the_question_and_installs_nothing(self) -> None:
        world.on_dialog = self.end("yesnodialog")
        self.run_plugin("resolves")
        self.assertEqual(world.builtins.count("Dialog.Close(yesnodialog,true)"), 2)
        self.assertNotIn("InstallAddon(%s)" % runtime_addon.RUNTIME_ID, world.builtins)
        self.assertEqual(world.dialogs, [QUESTION])
        self.assert_answer(False)

    def test_an_abort_closes_kodis_own_question(self) -> None:
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

    def test_an_abort_closes_the_message(self) -> None:
        world.properties[install_offer.ASKED] = "true"
        world.on_dialog = self.end("okdialog")
        self.run_plugin("resolves")
        self.assertEqual(world.builtins, ["Dialog.Close(okdialog,true)"] * 2)

    def test_an_abort_during_the_check_of_the_binary_shows_nothing(self) -> None:
        self.install()
        self.put(timing, "TICK", 0)
        world.abort.set()
        self.run_plugin("resolves")
        self.assertEqual((world.dialogs, world.toasts), ([], []))
        self.assert_answer(False)


class ServiceWithoutNode(RuntimeTest):
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

    def test_a_service_without_node_takes_the_runtime_add_on_once_it_is_installed(self) -> None:
        self.service_finds(self.install)

    def test_a_service_without_node_shows_nothing(self) -> None:
        self.service_finds(self.install)
        self.assert_toasts()
        lines = [level for level, text in world.log if "there is no Node.js yet" in text]
        self.assertEqual(lines, [xbmc.LOGWARNING])
        self.assertEqual([text for level, text in world.log if level >= xbmc.LOGERROR], [])

    def test_a_service_without_node_takes_the_systems_own_once_it_is_there(self) -> None:
        def come() -> None:
            os.rename(self.fake_node("v22.0.0"), os.path.join(self.folder, "node"))

        self.service_finds(come)
        self.assert_toasts()

    def test_a_service_without_node_takes_the_runtime_add_on_once_it_is_enabled(self) -> None:
        self.install()
        world.add_ons[runtime_addon.RUNTIME_ID]["enabled"] = False
        self.service_finds(lambda: world.add_ons[runtime_addon.RUNTIME_ID].update(enabled=True))
        self.assert_toasts(messages.RUNTIME_OFF)

    def test_a_service_without_node_takes_the_runtime_add_on_once_it_is_repaired(self) -> None:
        self.install(sha256="0" * 64)

        def come() -> None:
            self.install()
            world.add_ons[runtime_addon.RUNTIME_ID]["version"] = "24.22.1"

        self.service_finds(come)
        self.assert_toasts(messages.RUNTIME_DAMAGED)

    def test_a_service_without_node_takes_what_a_play_has_checked(self) -> None:
        self.install()
        self.put(shutil, "disk_usage", lambda _: Disk(100, 93, 0))
        self.refuse_programs(self.runtime)

        def come() -> None:
            self.put(shutil, "disk_usage", lambda _: Disk(10**9, 0, 10**9))
            self.find()

        self.service_finds(come)

    def test_a_service_without_node_ends_with_kodi(self) -> None:
        self.when_it_is_told(world.abort.set)
        self.run_service("service_listens")
        self.assertEqual(self.told("ready"), "")
