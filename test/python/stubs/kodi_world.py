"""A Kodi in memory behind the stub modules: what the host did to it, on which thread, and what it does to the host.

Faithful to what a real Kodi 21 was seen to do where the host depends on it: callbacks reach an object only on the
thread that made it, while that thread is in waitForAbort; a close() before doModal() is lost, and asks the GUI thread
with Python's lock held; a window's controls exist only while it is shown.
"""

from __future__ import annotations

import collections
import queue
import threading
from typing import Any, Callable, Deque, Dict, List, Tuple


class World:
    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.abort = threading.Event()
        self.lock = threading.RLock()
        self.properties: Dict[str, str] = {}
        # Called with the value, on the thread that sets the property.
        self.on_property: Dict[str, Callable[[str], None]] = {}
        # Each call into Kodi: its name and the thread.
        self.calls: List[Tuple[str, threading.Thread]] = []
        self.log: List[Tuple[int, str]] = []
        self.on_log: Callable[[int], None] = lambda level: None
        self.toasts: List[Tuple[str, str, str, int]] = []
        self.on_toast: Callable[[], None] = lambda: None
        self.resolved: List[Tuple[int, bool, Any]] = []
        self.refuse_resolved = False
        self.refuse_play = False
        self.refuse_folder = False
        self.folder: List[Tuple[str, Any, bool]] = []
        self.folders_ended: List[Tuple[int, bool]] = []
        self.folder_names: List[Tuple[int, str]] = []
        self.folder_sorts: List[Tuple[int, int]] = []
        self.played: List[Tuple[str, Any]] = []
        self.builtins: List[str] = []
        self.windows: List[Any] = []
        # The heading and the text of each strip in the corner of the screen.
        self.strips: List[Tuple[str, str]] = []
        # Kodi's own dialog that is up: its name and what it was given. Its answers come from the test.
        self.dialog: Tuple[str, Any] = ("", None)
        self.dialogs: List[Tuple[str, Any]] = []
        # The window id of the dialog in front; 9999: none.
        self.dialog_id = 9999
        self.on_dialog: Callable[[], None] = lambda: None
        self.deaf_to_close = 0
        self._answers: queue.Queue[object] = queue.Queue()
        # As on a busy machine: the selections that a list is asked for come after its rows, once the GUI thread answers.
        self.selects_late = False
        self.queued: List[Callable[[], None]] = []
        # By a dialog that is none of ours.
        self.covered = False
        # What Kodi shows of the focused item, by label.
        self.labels: Dict[str, str] = {}
        self.missing_xml: List[str] = []
        # What is under "smb://" answers once this is set.
        self.server_answers = threading.Event()
        self.stubborn_windows = False
        # As when a person's Back aborts one script: only Kodi's own end takes its windows away.
        self.windows_outlive_abort = False
        self.violations: List[str] = []
        self.conditions: Dict[str, bool] = {}
        self.settings: Dict[str, str] = {}
        self.playing_file = ""
        self.playing_time = 0.0
        self.playing_duration = 0.0
        # The playlist's files, and which of them plays or is to play; -1: none.
        self.playlist: List[str] = []
        self.playlist_position = -1
        # What was added to it.
        self.listed: List[Any] = []
        self.refuse_clear = False
        self.in_add_on = True
        # What Addons.GetAddonDetails tells, by id.
        self.add_ons: Dict[str, Dict[str, Any]] = {}
        self.language = "resource.language.en_gb"
        self.on_install: Callable[[], None] = lambda: None
        self.add_ons_path = ""
        self.add_on_path = ""
        self.profile_path = ""
        self.listeners: List[Any] = []
        self._events: Deque[Tuple[Any, str, Tuple[Any, ...]]] = collections.deque()

    def call(self, name: str) -> None:
        self.calls.append((name, threading.current_thread()))

    def names(self) -> List[str]:
        return [name for name, _ in self.calls]

    def threads_of(self, name: str) -> List[threading.Thread]:
        return [thread for found, thread in self.calls if found == name]

    def emit(self, method: str, *arguments: Any) -> None:
        """A Monitor or Player callback for every listener that has it."""
        for listener in list(self.listeners):
            if hasattr(listener, method):
                self._events.append((listener, method, arguments))

    def run_callbacks(self) -> None:
        """Delivers what is due on this thread; callbacks of objects made elsewhere never arrive."""
        for _ in range(len(self._events)):
            listener, method, arguments = self._events.popleft()
            if listener.made_on is threading.current_thread():
                getattr(listener, method)(*arguments)

    def carry_out(self) -> None:
        """What the GUI thread was asked for and has not done yet."""
        queued, self.queued = self.queued, []
        for work in queued:
            work()

    def ask(self, name: str, given: object) -> object:
        """Shows a dialog of Kodi's until the test answers or somebody closes it."""
        self.dialog = (name, given)
        self.dialogs.append(self.dialog)
        self.on_dialog()
        try:
            return self._answers.get()
        finally:
            self.dialog = ("", None)

    def answer(self, value: object) -> None:
        self._answers.put(value)

    def close_dialog(self, builtin: str) -> None:
        """A dialog that is only coming up ignores commands."""
        if self.dialog[0] and builtin == "Dialog.Close(%s,true)" % self.dialog[0]:
            self.deaf_to_close -= 1
            if self.deaf_to_close < 0:
                self._answers.put(None)

    def info_label(self, label: str) -> str:
        """Of the focused item, or of the list in our window, unless another one is in front."""
        if label in self.labels:
            return self.labels[label]
        found = self.windows[-1].getControl(50) if self.windows and not self.covered else None
        if found is None or found.focused() is None:
            return ""
        return {
            "Container(50).ListItem.Property(id)": found.focused().properties.get("id", ""),
            "Container(50).Position": str(found.cursor),
        }.get(label, "")

    def engine_log(self) -> str:
        return "\n".join(text for _, text in self.log)


world = World()
