"""Finding Node.js."""

from __future__ import annotations

import os

from support import HostTest, timing, world

from slipstream_host import node


class FindingNode(HostTest):
    def find(self) -> object:
        return node.find(world.profile_path, lambda _: False)

    def test_takes_twenty_and_newer_only(self) -> None:
        for version, fits in (("v19.9.0", False), ("v20.0.0", True), ("v100.1.0", True), ("Python 3", False)):
            path = self.fake_node(version)
            self.environment(node.OVERRIDE, path)
            self.assertEqual(self.find(), path if fits else None)

    def test_looks_in_the_path(self) -> None:
        path = self.fake_node("v22.0.0")
        os.rename(path, os.path.join(self.folder, "node"))
        del os.environ[node.OVERRIDE]
        self.environment("PATH", self.folder + os.pathsep + os.environ["PATH"])
        self.assertEqual(self.find(), os.path.join(self.folder, "node"))

    def test_proves_a_binary_once_until_it_changes(self) -> None:
        path = self.fake_node("v20.0.0")
        self.environment(node.OVERRIDE, path)
        self.assertEqual(self.find(), path)
        status = os.stat(path)
        with open(path, "r+", encoding="utf-8") as file:
            text = file.read()
            file.seek(0)
            file.write(text.replace("v20.0.0", "v18.0.0"))
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
        self.assertEqual(self.find(), path)
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + 1))
        self.assertIsNone(self.find())

    def test_survives_a_damaged_memory(self) -> None:
        os.makedirs(world.profile_path)
        for damage in ("", "[1]", "{", '{"x": 1}'):
            with open(os.path.join(world.profile_path, "node.json"), "w", encoding="utf-8") as file:
                file.write(damage)
            self.assertIsNotNone(self.find())

    def test_does_not_wait_for_a_binary_that_hangs(self) -> None:
        path = os.path.join(self.folder, "hanging")
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\nexec sleep 60\n")
        os.chmod(path, 0o700)
        self.environment(node.OVERRIDE, path)
        self.put(timing, "NODE_PROOF", 0.05)
        self.assertIsNone(self.find())
        self.put(timing, "NODE_PROOF", 60)
        self.assertIsNone(node.find(world.profile_path, lambda _: True))
