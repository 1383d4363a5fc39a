"""files.list and files.read, in both processes."""

from __future__ import annotations

import base64
import json
import os
import threading
from typing import Any

from support import HostTest, world


class FileCalls(HostTest):
    def setUp(self) -> None:
        super().setUp()
        folder = os.path.join(self.folder, "films")
        os.makedirs(os.path.join(folder, "Subs"))
        self.write("films/Sintel.mkv", b"0123456789")
        self.write("films/empty.mkv", b"")
        # Listed, but it cannot be read.
        os.symlink(os.path.join(self.folder, "absent"), os.path.join(folder, "lost.mkv"))
        self.environment("SLIPSTREAM_TEST_FOLDER", folder)
        os.mkdir(os.path.join(self.folder, "many"))
        for number in range(5001):
            self.write("many/%d" % number, b"")

    def write(self, name: str, content: bytes) -> None:
        with open(os.path.join(self.folder, name), "wb") as file:
            file.write(content)

    def check(self) -> None:
        answers: Any = json.loads(self.told("answers"))
        self.assertEqual(
            answers["listed"],
            [
                {"name": "Sintel.mkv", "isFolder": False, "size": 10},
                {"name": "Subs", "isFolder": True},
                {"name": "empty.mkv", "isFolder": False, "size": 0},
                {"name": "lost.mkv", "isFolder": False},
            ],
        )
        self.assertEqual(answers["slashed"], 4)
        # An empty folder is one; an absent one is none, and neither is a file.
        self.assertEqual(answers["nothing"], [[], None, None])
        self.assertIn("more than 5000", answers["many"])
        found = [None if read is None else base64.b64decode(read) for read in answers["read"]]
        self.assertEqual(found, [b"567", b"23456789", b"", b"", None])
        self.assertEqual(answers["refused"], [-32602] * 5)
        self.assertNotIn(threading.main_thread(), world.threads_of("File") + world.threads_of("listdir"))

    def test_files_are_listed_and_read_in_the_plugin_process(self) -> None:
        self.run_plugin("uses_files")
        self.check()

    def test_files_are_listed_and_read_in_the_service(self) -> None:
        self.abort_when("answers")
        self.run_service("service_uses_files")
        self.check()

    def test_a_file_server_that_does_not_answer_holds_up_no_other_call(self) -> None:
        self.when("asked", lambda _: world.server_answers.set())
        self.run_plugin("waits_for_a_server")
        self.assertEqual(self.told("nothing"), "null")
