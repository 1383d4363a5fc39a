"""Runs the real add-on files against the Kodi in memory and a fake engine."""

from __future__ import annotations

import os
import shutil
import stat
import sys
import tempfile
import threading
import time
import unittest
from typing import Any, Callable, List

HERE = os.path.dirname(os.path.abspath(__file__))
ADD_ON = os.path.join(os.path.dirname(os.path.dirname(HERE)), "addon")
sys.path[:0] = [os.path.join(HERE, "stubs"), os.path.join(ADD_ON, "resources", "lib")]

from kodi_world import world  # noqa: E402
from slipstream_host import messages, plugin_entry, shared_properties, timing  # noqa: E402
from slipstream_host.runtime import find_node  # noqa: E402
from slipstream_host.service.service_process import ServiceProcess  # noqa: E402

RESOLVE = ["plugin://plugin.video.slipstream/play", "7", "?type=movie&title=Sintel", "resume:false"]
SETUP = ["plugin://plugin.video.slipstream/setup/first-run", "-1", "?back=connection"]
# The condition by which the host asks for Kodi's busy dialog.
BUSY = "Window.IsActive(busydialog) | Window.IsActive(busydialognocancel)"
SCRIPT = ["addon.py", "meta_play", "type=movie", "title=Sintel"]

# The host's own waits, shortened where each test goes through them, and lengthened where only a slow machine would
# reach them; a test of such a limit shortens it itself.
SCALE = {
    "TICK": 0.01,
    "LOCK_RENEWAL": 0.05,
    "BOX_APPEARS": 0.1,
    "BOX_CLOSES": 0.1,
    "BOX_POLL": 0.01,
    "DEFERRED_PLAY_TAKEN": 0.1,
    "PING": 0.1,
    "MISSED_PINGS": 50,
    "MISSED_PINGS_AT_START": 100,
    "ABORT_GRACE": 10,
    "TERMINATE_GRACE": 10,
    "KILL_GRACE": 10,
    "DRAIN": 10,
    "THREAD_GRACE": 10,
    "BACK_GRACE": 10,
    "NODE_LOOK": 0.02,
    "RUNTIME_INSTALLED": 0.1,
    "RESTART_PAUSES": (0.0, 0.01, 0.01, 0.01, 0.01),
}
# A test that waits longer than this has failed.
PATIENCE = 40.0


def node_that_says(version: str) -> str:
    """A "Node.js", as a shell script, of this version, which runs Python, and tells it the limit of its heap."""
    return """if [ "$1" = --version ]; then echo %s; exit; fi
case "$1" in --max-old-space-size=*) SLIPSTREAM_TEST_HEAP="${1#*=}"; export SLIPSTREAM_TEST_HEAP; shift;; esac
exec "%s" -S -E "$@\"""" % (version, sys.executable)


class HostTest(unittest.TestCase):
    def setUp(self) -> None:
        world.reset()
        self.folder = tempfile.mkdtemp(prefix="slipstream-")
        self.addCleanup(shutil.rmtree, self.folder, True)
        world.add_on_path = os.path.join(self.folder, "add-on")
        world.profile_path = os.path.join(self.folder, "profile")
        self.engine_folder = os.path.join(world.add_on_path, "resources", "engine")
        os.makedirs(self.engine_folder)
        shutil.copy(os.path.join(HERE, "talk.py"), self.engine_folder)
        shutil.copy(os.path.join(HERE, "fake_engine.py"), os.path.join(self.engine_folder, "engine.cjs"))
        for name, value in SCALE.items():
            self.put(timing, name, value)
        self.environment(find_node.OVERRIDE, self.fake_node("v20.19.0"))
        # The guardian: a test that hangs is aborted instead, and then fails.
        self.ran_out = threading.Event()
        guardian = threading.Timer(PATIENCE, lambda: (self.ran_out.set(), world.abort.set()))
        guardian.daemon = True
        guardian.start()
        self.addCleanup(guardian.cancel)

    def tearDown(self) -> None:
        self.assertFalse(self.ran_out.is_set(), "nothing happened for %d s" % PATIENCE)
        self.assertEqual(world.violations, [])
        for name in ("Monitor", "Player"):
            for thread in world.threads_of(name):
                self.assertIs(thread, threading.main_thread(), "%s was made on %s" % (name, thread.name))
        left = [thread.name for thread in threading.enumerate() if thread.name.startswith("slipstream-")]
        self.assertEqual(left, [], "Kodi would wait for these threads")

    def fake_node(self, version: str) -> str:
        return self.fake_program(node_that_says(version), "node-" + version)

    def fake_program(self, lines: str, name: str = "program") -> str:
        """A shell script."""
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n%s\n" % lines)
        os.chmod(path, stat.S_IRWXU)
        return path

    def put(self, module: Any, name: str, value: object) -> None:
        self.addCleanup(setattr, module, name, getattr(module, name))
        setattr(module, name, value)

    def environment(self, name: str, value: str) -> None:
        before = os.environ.get(name)
        os.environ[name] = value
        if before is None:
            self.addCleanup(os.environ.pop, name, None)
        else:
            self.addCleanup(os.environ.__setitem__, name, before)

    def run_plugin(self, scenario: str, argv: List[str] = RESOLVE) -> None:
        """One call of addon.py, on this thread as in Kodi."""
        self.environment("SLIPSTREAM_TEST_SCENARIO", scenario)
        plugin_entry.enter(list(argv))

    def run_service(self, scenario: str) -> None:
        self.environment("SLIPSTREAM_TEST_SCENARIO", scenario)
        ServiceProcess().run()

    def when(self, told: str, do: Callable[[str], Any]) -> None:
        """What happens in Kodi once the engine has reported this."""
        world.on_property["test." + told] = do

    def abort_when(self, told: str) -> None:
        self.when(told, lambda _: world.abort.set())

    def told(self, name: str) -> str:
        return world.properties.get("test." + name, "")

    def assert_answer(self, *succeeded: bool) -> None:
        """Exactly these setResolvedUrl, for our handle."""
        self.assertEqual([(7, ok) for ok in succeeded], [(handle, ok) for handle, ok, _ in world.resolved])

    def assert_toasts(self, *texts: str) -> None:
        self.assertEqual(list(texts), [toast[1] for toast in world.toasts])


def later(seconds: float, do: Callable[[], Any]) -> None:
    timer = threading.Timer(seconds, do)
    timer.daemon = True
    timer.start()


def eventually(condition: Callable[[], bool]) -> bool:
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True


__all__ = ["ADD_ON", "RESOLVE", "HERE", "SCRIPT", "SETUP", "HostTest", "eventually", "later", "messages", "plugin_entry", "shared_properties", "timing", "world"]
