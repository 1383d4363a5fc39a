"""The runtime add-on's Node.js: checked before it runs, copied where needed, and reported when it does not run."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import stat
import subprocess
from typing import Any, Dict, List, NamedTuple, Optional

from support import HostTest, messages, node_that_says, timing, world

from slipstream_host.errors import Aborted, NoNode, NoRuntime
from slipstream_host.runtime import bundled_node, elf, find_node, runtime_addon, verified_copy
from slipstream_host.runtime.elf import Elf
from slipstream_host.runtime.userland import Platform

SAYS = node_that_says("v24.22.0")


class Disk(NamedTuple):
    total: int
    used: int
    free: int


class RuntimeTest(HostTest):
    def setUp(self) -> None:
        super().setUp()
        del os.environ[find_node.OVERRIDE]
        self.environment("PATH", self.folder)
        self.put(find_node, "_USUAL_PATHS", ())
        self.put(find_node, "platform_of", lambda _: Platform("linux", 62))
        # The fake programs are scripts.
        self.head: Optional[Elf] = Elf(64, 62, "/bin/sh")
        self.put(bundled_node, "read_elf", lambda _: self.head)
        world.add_ons_path = os.path.join(self.folder, "add-ons")
        self.runtime = os.path.join(world.add_ons_path, runtime_addon.RUNTIME_ID)

    @property
    def binary(self) -> str:
        return os.path.join(self.runtime, "bin", "node")

    def install(self, lines: str = SAYS, **fields: object) -> None:
        """As Kodi does it: the executable bit is gone."""
        os.makedirs(os.path.dirname(self.binary), exist_ok=True)
        content = ("#!/bin/sh\n%s\n" % lines).encode()
        with open(self.binary, "wb") as file:
            file.write(content)
        os.chmod(self.binary, 0o644)
        self.describe(
            **{"version": 1, "file": "bin/node", "sha256": hashlib.sha256(content).hexdigest(), "size": len(content), **fields}
        )
        world.add_ons[runtime_addon.RUNTIME_ID] = {"path": self.runtime, "enabled": True, "version": "24.22.0"}

    def describe(self, **fields: object) -> None:
        with open(os.path.join(self.runtime, "runtime.json"), "w", encoding="utf-8") as file:
            json.dump(fields, file)

    def find(self, aborted: bool = False) -> str:
        return find_node.find_node(world.profile_path, runtime_addon.RuntimeAddon(), lambda _: aborted)

    def refusal(self) -> str:
        with self.assertRaises(NoNode) as raised:
            self.find()
        return str(raised.exception)

    def refuse_programs(self, *folders: str) -> None:
        """As a mount without the right to run programs does."""
        real = subprocess.Popen

        def popen(command: List[str], **options: Any) -> Any:
            if command[0].startswith(folders):
                raise PermissionError(errno.EACCES, "Permission denied")
            return real(command, **options)

        self.put(subprocess, "Popen", popen)

    def copies(self) -> List[str]:
        folder = os.path.join(world.profile_path, "runtime")
        return sorted(os.listdir(folder)) if os.path.isdir(folder) else []


class BundledBinary(RuntimeTest):
    def test_the_bundled_node_runs_after_kodis_installer_dropped_its_executable_bit(self) -> None:
        self.install()
        self.assertEqual(self.find(), self.binary)
        self.assertTrue(os.stat(self.binary).st_mode & stat.S_IXUSR)
        self.assertEqual(self.copies(), [])

    def test_the_bundled_node_is_taken_only_without_a_system_node(self) -> None:
        self.install()
        own = self.fake_program("echo v22.0.0", "node")
        self.assertEqual(self.find(), own)
        with open(own, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\necho v18.20.0\n")
        self.assertEqual(self.find(), self.binary)

    def test_the_bundled_node_is_read_and_checked_once_until_it_changes(self) -> None:
        self.install()
        self.find()
        with_real = verified_copy.sha256
        self.put(verified_copy, "sha256", None)
        self.put(subprocess, "Popen", None)
        # Neither are the system and its loader looked at.
        self.put(find_node, "platform_of", None)
        self.assertEqual(self.find(), self.binary)
        self.put(verified_copy, "sha256", with_real)
        os.utime(self.binary, (1, 1))
        with self.assertRaises(TypeError):
            self.find()

    def test_the_bundled_node_is_checked_anew_when_another_hash_is_published(self) -> None:
        self.install()
        self.find()
        self.describe(version=1, file="bin/node", sha256="0" * 64, size=os.path.getsize(self.binary))
        self.assertEqual(self.refusal(), messages.RUNTIME_DAMAGED)

    def test_the_bundled_node_is_not_run_with_a_wrong_hash_or_size(self) -> None:
        ran = os.path.join(self.folder, "ran")
        for wrong in ({"sha256": "0" * 64}, {"size": 7}):
            self.install("touch %s\necho v24.1.0" % ran, **wrong)
            self.assertEqual(self.refusal(), messages.RUNTIME_DAMAGED)
            self.assertFalse(os.path.exists(ran))

    def test_the_runtime_add_on_is_damaged_when_its_manifest_is_invalid(self) -> None:
        sound: Dict[str, object] = {"file": "bin/node", "sha256": "0" * 64, "size": 1}
        wrong: List[Dict[str, object]] = [
            {"file": None}, {"file": "../node"}, {"file": "/bin/node"}, {"file": "bin\\node"}, {"file": ""},
            {"sha256": "0" * 63}, {"sha256": "../" + "0" * 61}, {"sha256": 1},
            {"size": 0}, {"size": -1}, {"size": True}, {"size": "1"}, {"size": 2**40},
        ]
        self.install()
        for fields in wrong:
            self.describe(version=1, **{**sound, **fields})
            self.assertEqual(self.refusal(), messages.RUNTIME_DAMAGED, fields)
        for text in ("", "[]", "{", "7", "\udcff"):
            with open(os.path.join(self.runtime, "runtime.json"), "wb") as file:
                file.write(text.encode("utf-8", "surrogateescape"))
            self.assertEqual(self.refusal(), messages.RUNTIME_DAMAGED, text)
        os.remove(os.path.join(self.runtime, "runtime.json"))
        self.assertEqual(self.refusal(), messages.RUNTIME_DAMAGED)

    def test_a_manifest_of_a_later_version_asks_for_an_update(self) -> None:
        self.install(version=2)
        self.assertEqual(self.refusal(), messages.RUNTIME_OTHER_VERSION)

    def test_the_runtime_add_on_is_damaged_without_its_binary(self) -> None:
        self.install()
        os.remove(self.binary)
        self.assertEqual(self.refusal(), messages.RUNTIME_DAMAGED)

    def test_a_bundled_node_for_another_machine_is_recognised(self) -> None:
        self.install()
        for head in (Elf(64, 183, "/bin/sh"), Elf(32, 62, "/bin/sh")):
            self.head = head
            self.assertEqual(self.refusal(), messages.RUNTIME_OTHER_MACHINE)
        self.head = None
        self.assertEqual(self.refusal(), messages.RUNTIME_DAMAGED)

    def test_the_bundled_node_is_not_run_without_its_loader(self) -> None:
        self.install()
        self.head = Elf(64, 62, os.path.join(self.folder, "ld.so"))
        self.assertIn(self.refusal(), (messages.NO_LOADER % self.head.loader, messages.MUSL))

    def test_a_bundled_node_that_does_not_start_is_reported_with_the_reason(self) -> None:
        glibc = "/lib/libc.so.6: version `GLIBC_2.28' not found (required by node)"
        library = "node: error while loading shared libraries: libatomic.so.1: cannot open shared object file"
        expected = (
            (glibc, messages.OLD_SYSTEM),
            (glibc.replace("GLIBC_2.28", "GLIBCXX_3.4.21"), messages.OLD_SYSTEM),
            (library, messages.NO_LIBRARY % "libatomic.so.1"),
            ("Illegal instruction", messages.RUNTIME_FAILS),
        )
        for output, message in expected:
            self.install('echo "%s" >&2\nexit 1' % output.replace("`", "\\`"))
            self.assertEqual(self.refusal(), message)
            self.assertIn(output, world.engine_log())

    def test_a_missing_and_a_disabled_runtime_add_on_are_reported(self) -> None:
        with self.assertRaises(NoRuntime):
            self.find()
        self.install()
        world.add_ons[runtime_addon.RUNTIME_ID]["enabled"] = False
        self.assertEqual(self.refusal(), messages.RUNTIME_OFF)

    def test_a_runtime_add_on_that_kodi_does_not_install_is_missing(self) -> None:
        self.install()
        world.add_ons.clear()
        self.put(timing, "RUNTIME_UPDATE", 0.05)
        with self.assertRaises(NoRuntime):
            self.find()

    def test_the_runtime_add_on_is_not_offered_where_it_cannot_run(self) -> None:
        def refuse(_: object) -> Platform:
            raise NoNode(messages.ANDROID)

        self.put(find_node, "platform_of", refuse)
        self.assertEqual(self.refusal(), messages.ANDROID)

    def test_the_bundled_node_is_not_tried_when_the_variable_names_a_binary(self) -> None:
        self.install()
        self.environment(find_node.OVERRIDE, os.path.join(self.folder, "absent"))
        self.assertEqual(self.refusal(), messages.WRONG_OVERRIDE % (find_node.OVERRIDE, os.environ[find_node.OVERRIDE]))

    def test_kodis_edition_is_recognised(self) -> None:
        self.assertEqual(runtime_addon.RuntimeAddon().edition(), "")
        world.conditions["System.Platform.TVOS"] = True
        self.assertEqual(runtime_addon.RuntimeAddon().edition(), "tvos")

    def test_an_abort_ends_the_reading_of_the_bundled_node(self) -> None:
        self.install()
        self.put(timing, "TICK", 0)
        with self.assertRaises(Aborted):
            self.find(aborted=True)


class CopiedBinary(RuntimeTest):
    def copy(self) -> str:
        [name] = self.copies()
        return os.path.join(world.profile_path, "runtime", name)

    def test_a_copy_is_run_where_the_add_ons_folder_lets_no_program_run(self) -> None:
        self.install()
        self.refuse_programs(self.runtime)
        self.assertEqual(self.find(), self.copy())
        with open(os.path.join(self.runtime, "runtime.json"), encoding="utf-8") as file:
            self.assertIn(json.load(file)["sha256"][:16], self.copy())

    def test_a_copy_is_checked_once(self) -> None:
        self.install()
        self.refuse_programs(self.runtime)
        path = self.find()
        self.put(verified_copy, "sha256", None)
        self.put(subprocess, "Popen", None)
        self.assertEqual(self.find(), path)

    def test_a_copy_that_may_not_be_run_either_is_reported_with_its_folder(self) -> None:
        self.install()
        self.refuse_programs(self.folder)
        self.assertEqual(self.refusal(), messages.NOT_EXECUTABLE % os.path.join(world.profile_path, "runtime"))

    def test_a_copy_that_does_not_start_is_reported_with_the_reason(self) -> None:
        self.install("echo libatomic.so.1: cannot open shared object file >&2; exit 127")
        self.refuse_programs(self.runtime)
        self.assertEqual(self.refusal(), messages.NO_LIBRARY % "libatomic.so.1")

    def test_windows_runs_only_the_copy(self) -> None:
        self.put(find_node, "platform_of", lambda _: Platform("win32"))
        self.install()
        before = os.stat(self.binary).st_mode
        self.assertEqual(self.find(), self.copy())
        self.assertEqual(os.stat(self.binary).st_mode, before)

    def test_a_copy_is_removed_once_the_next_version_has_one(self) -> None:
        self.put(find_node, "platform_of", lambda _: Platform("win32"))
        self.install()
        first = self.find()
        # Kodi can update the add-on meanwhile.
        shutil.rmtree(self.runtime)
        self.install(SAYS + "\n# newer")
        second = self.find()
        self.assertNotEqual(first, second)
        self.assertEqual(self.copy(), second)

    def test_a_copy_is_removed_once_the_add_ons_binary_may_be_run(self) -> None:
        self.install()
        real = subprocess.Popen
        self.refuse_programs(self.runtime)
        self.find()
        self.put(subprocess, "Popen", real)
        self.install(SAYS + "\n# newer")
        self.assertEqual(self.find(), self.binary)
        self.assertEqual(self.copies(), [])

    def test_a_copy_that_still_runs_stays(self) -> None:
        self.put(find_node, "platform_of", lambda _: Platform("win32"))
        self.install()
        first, real = self.find(), os.remove

        def remove(path: str) -> None:
            if path == first:
                raise PermissionError(errno.EACCES, "in use")
            real(path)

        self.put(os, "remove", remove)
        self.install(SAYS + "\n# newer")
        second = self.find()
        self.assertEqual(self.copies(), sorted(map(os.path.basename, (first, second))))

    def test_a_copy_that_exists_is_not_written_again(self) -> None:
        self.put(find_node, "platform_of", lambda _: Platform("win32"))
        self.install()
        path = self.find()
        os.remove(os.path.join(world.profile_path, "node.json"))
        before = os.stat(path)
        self.assertEqual(self.find(), path)
        self.assertEqual(os.stat(path).st_ino, before.st_ino)
        with open(path, "a", encoding="utf-8") as file:
            file.write("exit 1")
        self.assertEqual(self.find(), path)
        self.assertEqual(os.stat(path).st_size, before.st_size)

    def test_a_copy_is_not_begun_when_the_disk_is_full(self) -> None:
        self.put(find_node, "platform_of", lambda _: Platform("win32"))
        self.put(shutil, "disk_usage", lambda _: Disk(100, 93, 7_000_000))
        self.install()
        self.assertEqual(
            self.refusal(), messages.NO_SPACE % (17, 7, os.path.join(world.profile_path, "runtime"))
        )
        self.assertEqual(self.copies(), [])

    def test_a_copy_that_cannot_be_written_is_reported(self) -> None:
        os.makedirs(os.path.dirname(world.profile_path), exist_ok=True)
        os.makedirs(world.profile_path)
        with open(os.path.join(world.profile_path, "runtime"), "wb"):
            pass
        self.put(find_node, "platform_of", lambda _: Platform("win32"))
        self.install()
        self.assertIn("cannot be copied to %s" % os.path.join(world.profile_path, "runtime"), self.refusal())

    def test_a_copy_with_a_wrong_hash_leaves_no_file(self) -> None:
        self.put(find_node, "platform_of", lambda _: Platform("win32"))
        self.install(sha256="0" * 64)
        self.assertEqual(self.refusal(), messages.RUNTIME_DAMAGED)
        self.assertEqual(self.copies(), [])

    def test_an_aborted_copy_leaves_no_file(self) -> None:
        self.put(find_node, "platform_of", lambda _: Platform("win32"))
        self.put(timing, "TICK", 0)
        self.install()
        with self.assertRaises(Aborted):
            self.find(aborted=True)
        self.assertEqual(self.copies(), [])

    def test_an_unfinished_copy_of_a_killed_process_is_removed(self) -> None:
        self.put(find_node, "platform_of", lambda _: Platform("win32"))
        self.install()
        folder = os.path.join(world.profile_path, "runtime")
        os.makedirs(folder)
        for name, age in (("a.1.part", 7200), ("b.2.part", 10)):
            path = os.path.join(folder, name)
            with open(path, "wb"):
                pass
            moment = os.stat(path).st_mtime - age
            os.utime(path, (moment, moment))
        self.find()
        self.assertNotIn("a.1.part", self.copies())
        self.assertIn("b.2.part", self.copies())
