"""The search for a Node.js that runs the engine."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import time
from typing import Any, Optional

from support import HostTest, timing, world

from slipstream_host.errors import CannotStart
from slipstream_host.runtime import find_node
from slipstream_host.runtime.node_check import clean_environment
from slipstream_host.runtime.runtime_addon import RuntimeAddon


class FindNode(HostTest):
    def find(self, aborted: bool = False) -> Optional[str]:
        """None when there is none, or when it was aborted."""
        try:
            return find_node.find_node(world.profile_path, RuntimeAddon(), lambda _: aborted)
        except CannotStart:
            return None

    def test_only_the_binary_that_the_variable_names_is_taken_if_it_is_new_enough(self) -> None:
        known = (("v19.9.0", False), ("v20.18.9", False), ("v20.19.0", True), ("v21.0.0", True), ("v100.1.0", True))
        for version, fits in (*known, ("Python 3", False), ("v20", False)):
            path = self.fake_node(version)
            self.environment(find_node.OVERRIDE, path)
            self.assertEqual(self.find(), path if fits else None)

    def test_an_old_version_is_taken_only_where_a_package_manager_updates_it(self) -> None:
        path = os.path.join(self.folder, "node")
        del os.environ[find_node.OVERRIDE]
        self.put(find_node, "_USUAL_PATHS", (path,))
        self.environment("PATH", "/nowhere")
        for version, unkept, kept in (("v20.18.9", False, False), ("v20.19.0", False, True), ("v22.0.0", True, True)):
            os.rename(self.fake_node(version), path)
            for is_kept, fits in ((False, unkept), (True, kept)):
                self.put(find_node, "_is_managed", lambda _, is_kept=is_kept: is_kept)
                self.assertEqual(self.find(), path if fits else None, (version, is_kept))

    def test_paths_of_a_package_manager_are_recognised(self) -> None:
        known = {"/usr/bin/nodejs": True, "/usr/local/bin/node": False, "/opt/bin/node": False, "/usrs/node": False}
        self.assertEqual({path: find_node._is_managed(path) for path in known}, known)
        link = os.path.join(self.folder, "link")
        os.symlink("/usr/bin/no-such-node", link)
        self.assertTrue(find_node._is_managed(link))

    def test_node_is_found_in_path(self) -> None:
        path = self.fake_node("v22.0.0")
        os.rename(path, os.path.join(self.folder, "node"))
        del os.environ[find_node.OVERRIDE]
        self.environment("PATH", self.folder + os.pathsep + os.environ["PATH"])
        self.assertEqual(self.find(), os.path.join(self.folder, "node"))

    def test_node_is_looked_for_at_absolute_paths_only(self) -> None:
        os.rename(self.fake_node("v22.0.0"), os.path.join(self.folder, "node"))
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(self.folder)
        self.put(find_node, "_USUAL_PATHS", ("node", "~", "%ProgramFiles%"))
        for override in ("node", os.path.join(os.curdir, "node")):
            self.environment(find_node.OVERRIDE, override)
            self.assertIsNone(self.find())
        del os.environ[find_node.OVERRIDE]
        for path in ("", os.curdir, os.pathsep, os.path.relpath(self.folder, os.path.dirname(self.folder))):
            self.environment("PATH", path)
            self.assertIsNone(self.find())
        self.environment("PATH", os.pathsep.join(("", os.curdir, self.folder)))
        self.assertEqual(self.find(), os.path.join(self.folder, "node"))

    def test_a_binary_is_checked_once_until_it_changes(self) -> None:
        path = self.fake_node("v20.19.0")
        self.environment(find_node.OVERRIDE, path)
        self.assertEqual(self.find(), path)
        status = os.stat(path)
        with open(path, "r+", encoding="utf-8") as file:
            text = file.read()
            file.seek(0)
            file.write(text.replace("v20.19.0", "v18.3.0"))
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
        self.assertEqual(self.find(), path)
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + 1))
        self.assertIsNone(self.find())

    def test_a_binary_that_is_too_old_is_checked_once_until_it_changes(self) -> None:
        path = self.fake_node("v18.20.0")
        self.environment(find_node.OVERRIDE, path)
        self.assertIsNone(self.find())
        self.put(subprocess, "Popen", None)
        self.assertIsNone(self.find())

    def test_a_damaged_store_of_checked_binaries_is_ignored(self) -> None:
        os.makedirs(world.profile_path)
        path = os.environ[find_node.OVERRIDE]
        for damage in ("", "[1]", "{", '{"x": 1}', json.dumps({path: ["1 2"]}), json.dumps({path: [None, "yes"]})):
            with open(os.path.join(world.profile_path, "node.json"), "w", encoding="utf-8") as file:
                file.write(damage)
            self.assertIsNotNone(self.find())

    def test_a_binary_that_hangs_is_not_waited_for(self) -> None:
        # Without exec its child outlives it, and holds its output open.
        for lines in ("exec sleep 60", "sleep 60"):
            self.environment(find_node.OVERRIDE, self.fake_program(lines))
            self.put(timing, "NODE_CHECK", 0.05)
            began = time.monotonic()
            self.assertIsNone(self.find())
            self.put(timing, "NODE_CHECK", 60)
            self.assertIsNone(self.find(aborted=True))
            self.assertLess(time.monotonic() - began, 30)

    def test_child_processes_of_a_binary_are_not_waited_for(self) -> None:
        path = self.fake_program("sleep 60 &\necho v20.19.0")
        self.environment(find_node.OVERRIDE, path)
        began = time.monotonic()
        self.assertEqual(self.find(), path)
        self.assertLess(time.monotonic() - began, 30)

    def test_a_binary_is_checked_without_options_meant_for_other_programs(self) -> None:
        path = self.fake_program('if [ -n "$NODE_OPTIONS" ]; then exit 9; fi\necho v20.19.0')
        self.environment(find_node.OVERRIDE, path)
        self.environment("NODE_OPTIONS", "--no-such-option")
        self.assertEqual(self.find(), path)

    def test_the_engine_gets_no_options_meant_for_other_programs(self) -> None:
        kept = {"NODE_EXTRA_CA_CERTS": "/own-authority.pem", "OPENSSL_CONF": "/own.cnf", "NODES": "3"}
        dropped = ("NODE_OPTIONS", "NODE_PATH", "NODE_TLS_REJECT_UNAUTHORIZED", "NODE_DEBUG", "NODE_V8_COVERAGE")
        for name, value in {**kept, **dict.fromkeys(dropped, "0")}.items():
            self.environment(name, value)
        environment = clean_environment()
        self.assertEqual({name: environment.get(name) for name in kept}, kept)
        self.assertEqual([name for name in dropped if name in environment], [])

    def test_after_an_abort_no_other_binary_is_tried(self) -> None:
        for name in ("node", "nodejs"):
            os.rename(self.fake_program("sleep 60"), os.path.join(self.folder, name))
        del os.environ[find_node.OVERRIDE]
        self.environment("PATH", self.folder + os.pathsep + os.environ["PATH"])
        tried = []
        real = subprocess.Popen

        def popen(command: Any, **options: Any) -> Any:
            tried.append(command[0])
            return real(command, **options)

        self.put(subprocess, "Popen", popen)
        self.assertIsNone(self.find(aborted=True))
        self.assertEqual(len(tried), 1)

    def test_a_binary_is_not_blamed_when_the_system_can_start_no_process(self) -> None:
        def no_room(*_: object, **__: object) -> None:
            raise OSError(errno.ENOMEM, "no room")

        self.put(subprocess, "Popen", no_room)
        with self.assertRaises(OSError):
            self.find()
