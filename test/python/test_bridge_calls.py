"""Calls of the engine to the host, and the start message."""

from __future__ import annotations

import json
import os

from support import RESOLVE, SCRIPT, SETUP, HostTest, world

from slipstream_host.engine import heap_limit


class BridgeCalls(HostTest):
    def test_the_engine_learns_why_it_was_started(self) -> None:
        self.environment("NODE_OPTIONS", "--inspect")
        self.run_plugin("shows_start")
        start = json.loads(self.told("start"))
        self.assertEqual((start["entry"], start["argv"], start["handle"]), ("resolve", RESOLVE, 7))
        self.assertEqual(
            start["addon"], {"id": "plugin.video.slipstream", "version": "0.1.0", "path": world.add_on_path}
        )
        self.assertEqual((start["data"], start["kodi"], start["mode"]), (world.profile_path, "21.2", "plugin"))
        self.assertEqual(start["language"], "resource.language.en_gb")
        self.assertEqual(
            start["environment"],
            {
                "NODE_OPTIONS": None,
                "NODE_COMPILE_CACHE": os.path.join(world.profile_path, "compile-cache"),
                "SLIPSTREAM_TEST_HEAP": str(heap_limit.heap_limit_mb()),
            },
        )

    def test_the_engines_heap_is_a_quarter_of_the_memory_within_bounds(self) -> None:
        gigabyte = 1024**3
        for total, megabytes in (
            (None, 192),
            (gigabyte // 2, 192),
            (gigabyte, 256),
            (gigabyte + gigabyte // 2, 384),
            (2 * gigabyte, 512),
            (64 * gigabyte, 512),
        ):
            self.put(heap_limit, "_physical_memory", lambda total=total: total)
            self.assertEqual(heap_limit.heap_limit_mb(), megabytes)

    def test_the_physical_memory_is_known(self) -> None:
        self.assertGreater(heap_limit._physical_memory() or 0, 64 * 1024**2)

    def test_the_engine_learns_each_kind_of_entry(self) -> None:
        for argv, entry in ((SCRIPT, "script"), (["plugin://plugin.video.slipstream/x", "-1", ""], "action")):
            self.run_plugin("shows_start", argv)
            start = json.loads(self.told("start"))
            self.assertEqual((start["entry"], start["handle"]), (entry, -1))

    def test_the_engine_reads_settings_and_notifies(self) -> None:
        world.settings = {"a": "1"}
        self.run_plugin("reads_settings", SCRIPT)
        self.assertEqual(json.loads(self.told("settings")), {"a": "1", "b": ""})
        self.assertEqual(world.toasts, [("Sintel", "not found", "warning", 3000)])

    def test_the_engine_changes_existing_settings_and_opens_them_at_a_page(self) -> None:
        page = '<category id="%s"><group id="1"><setting id="%s" type="string"/></group></category>'
        with open(os.path.join(world.add_on_path, "resources", "settings.xml"), "w", encoding="utf-8") as file:
            pages = page % ("first", "a") + page % ("second", "b")
            file.write('<settings version="1"><section id="x">%s</section></settings>' % pages)
        world.settings = {"a": "old", "z": "stays"}
        world.conditions["Window.IsActive(addonsettings)"] = True
        self.run_plugin("changes_settings", SETUP)
        self.assertEqual(json.loads(self.told("answers")), [True, -32602, True, True])
        self.assertEqual(world.settings, {"a": "new", "b": "true", "z": "stays"})
        opened = "Addon.OpenSettings(plugin.video.slipstream)"
        self.assertEqual(world.builtins, [opened, "SetFocus(-199)", opened])

    def test_the_engine_learns_which_add_ons_are_installed(self) -> None:
        world.add_ons["plugin.video.example"] = {"enabled": False}
        self.run_plugin("looks_for_add_ons", SETUP)
        self.assertEqual(json.loads(self.told("installed")), [True, False])

    def test_the_engine_reads_labels_of_the_focused_item_and_no_others(self) -> None:
        world.labels = {"ListItem.Title": "Sintel", "ListItem.UniqueID(tmdb)": "45745", "ListItem.Path": "smb://nas"}
        self.run_plugin("reads_labels")
        self.assertEqual(
            json.loads(self.told("shown")), {"ListItem.Title": "Sintel", "ListItem.UniqueID(tmdb)": "45745"}
        )
        self.assertEqual(json.loads(self.told("codes")), [-32602] * 4)

    def test_the_engine_gets_an_error_for_each_wrong_call(self) -> None:
        self.run_plugin("makes_mistakes")
        self.assertEqual(json.loads(self.told("codes")), [-32601, -32602, -32602, -32602, -32601])
