from __future__ import annotations

import queue
import threading
from typing import TYPE_CHECKING, Callable, Dict, List, Optional

from kodi_world import world

if TYPE_CHECKING:
    from xbmc import InfoTagVideo

NOTIFICATION_INFO = "info"
NOTIFICATION_WARNING = "warning"
NOTIFICATION_ERROR = "error"
DLG_YESNO_NO_BTN = 10
DLG_YESNO_YES_BTN = 11


def getCurrentWindowDialogId() -> int:
    world.call("getCurrentWindowDialogId")
    return world.dialog_id


class ListItem:
    def __init__(self, label: str = "", label2: str = "", path: str = "", offscreen: bool = False) -> None:
        world.call("ListItem(offscreen)" if offscreen else "ListItem")
        self.label, self.label2, self.path = label, label2, path
        self.mime = ""
        self.content_lookup = True
        self.properties: Dict[str, str] = {}
        self.art: Dict[str, str] = {}
        self.subtitles: List[str] = []
        self._tag: Optional[InfoTagVideo] = None

    def setLabel(self, label: str) -> None:
        self.label = label

    def setMimeType(self, mimetype: str) -> None:
        self.mime = mimetype

    def setContentLookup(self, enable: bool) -> None:
        self.content_lookup = enable

    def setProperty(self, key: str, value: str) -> None:
        self.properties[key] = value

    def setSubtitles(self, subtitleFiles: List[str]) -> None:
        self.subtitles = list(subtitleFiles)

    def setArt(self, dictionary: Dict[str, str]) -> None:
        self.art = dict(dictionary)

    def getVideoInfoTag(self) -> InfoTagVideo:
        from xbmc import InfoTagVideo

        if self._tag is None:
            self._tag = InfoTagVideo()
        return self._tag


class DialogProgressBG:
    def create(self, heading: str, message: str = "") -> None:
        world.call("DialogProgressBG")
        self._strip = (heading, message)
        world.strips.append(self._strip)

    def close(self) -> None:
        world.strips.remove(self._strip)


class Window:
    def __init__(self, existingWindowId: int = -1) -> None:
        world.call("Window")

    def getProperty(self, key: str) -> str:
        world.call("getProperty")
        return world.properties.get(key, "")

    def setProperty(self, key: str, value: str) -> None:
        world.call("setProperty")
        world.properties[key] = value
        if key in world.on_property:
            world.on_property[key](value)

    def clearProperty(self, key: str) -> None:
        world.call("clearProperty")
        world.properties.pop(key, None)


class Dialog:
    def notification(
        self, heading: str, message: str, icon: str = "", time: int = 0, sound: bool = True
    ) -> None:
        world.call("notification")
        world.toasts.append((heading, message, icon, time))
        world.on_toast()

    def select(self, heading: str, list: List[ListItem], useDetails: bool = False) -> int:
        rows = [(row.label, row.label2) for row in list]
        chosen = world.ask("selectdialog", (heading, rows, useDetails))
        return chosen if isinstance(chosen, int) else -1

    def yesno(
        self,
        heading: str,
        message: str,
        nolabel: str = "",
        yeslabel: str = "",
        autoclose: int = 0,
        defaultbutton: int = DLG_YESNO_NO_BTN,
    ) -> bool:
        return world.ask("yesnodialog", (heading, message, nolabel, yeslabel, defaultbutton)) is True

    def ok(self, heading: str, message: str) -> bool:
        return world.ask("okdialog", (heading, message)) is True

    def contextmenu(self, list: List[str]) -> int:
        chosen = world.ask("contextmenu", list)
        return chosen if isinstance(chosen, int) else -1

    def yesnocustom(self, heading: str, message: str, customlabel: str, nolabel: str = "", yeslabel: str = "") -> int:
        chosen = world.ask("yesnodialog", (heading, message, customlabel, nolabel, yeslabel))
        return chosen if isinstance(chosen, int) else -1

    def textviewer(self, heading: str, text: str) -> None:
        world.ask("textviewer", (heading, text))


class Action:
    def __init__(self, number: int) -> None:
        self._number = number

    def getId(self) -> int:
        return self._number


class Control:
    pass


class ControlList(Control):
    """Scrolls as Kodi's list does: a row above the screen becomes its first one, a row below it its last one."""

    PAGE = 8

    def __init__(self) -> None:
        self.rows: List[ListItem] = []
        # The row at the top of the screen, and how far below it the focus is.
        self.offset = self.cursor = 0

    def reset(self) -> None:
        self.rows = []
        self.cursor = 0

    def addItems(self, items: List[ListItem]) -> None:
        self.rows += items
        self._select(0)

    def selectItem(self, item: int) -> None:
        """Kodi may carry it out later than what was asked of the list before."""
        if world.selects_late:
            world.queued.append(lambda: self._select(item))
        else:
            self._select(item)

    def _select(self, item: int) -> None:
        self.offset = max(0, min(self.offset, len(self.rows) - self.PAGE))
        if 0 <= item < len(self.rows):
            if item < self.offset:
                self.offset = item
            elif item >= self.offset + self.PAGE:
                self.offset = item - self.PAGE + 1
            self.cursor = item - self.offset

    def getSelectedPosition(self) -> int:
        return self.offset + self.cursor if self.rows else -1

    def focused(self) -> Optional[ListItem]:
        return self.rows[self.offset + self.cursor] if self.rows else None


class ControlProgress(Control):
    percent = 0.0

    def setPercent(self, percent: float) -> None:
        self.percent = percent


class WindowXMLDialog:
    """Control 20 is a progress bar, 50 a list, 404 none, all else plain."""

    def __init__(
        self, xmlFilename: str, scriptPath: str, defaultSkin: str = "Default", defaultRes: str = "720p"
    ) -> None:
        world.call("WindowXMLDialog")
        if xmlFilename in world.missing_xml:
            raise RuntimeError("XML File for Window is missing")
        self.xml = xmlFilename
        self.made_on = threading.current_thread()
        self.shown = self._was_shown = False
        self.closed_by: List[threading.Thread] = []
        self.properties: Dict[str, str] = {}
        self.focus: Optional[int] = None
        self._controls: Dict[int, Control] = {20: ControlProgress(), 50: ControlList()}
        self._open = False
        self._input: queue.Queue[Callable[[], None]] = queue.Queue()

    def doModal(self) -> None:
        if threading.current_thread() is not self.made_on:
            world.violations.append("a window was shown on a thread that did not make it")
        world.call("doModal")
        self._open = self.shown = self._was_shown = True
        world.windows.append(self)
        self.onInit()
        while self._open or world.stubborn_windows:
            if world.abort.is_set() and not world.windows_outlive_abort:
                break
            try:
                self._input.get(timeout=0.005)()
            except queue.Empty:
                pass
        self.shown = False
        world.windows.remove(self)

    def close(self) -> None:
        if not self._was_shown:
            world.violations.append("a window was closed before it was shown")
        self.closed_by.append(threading.current_thread())
        self._open = False

    def setProperty(self, key: str, value: str) -> None:
        self.properties[key] = value

    def getControl(self, iControlId: int) -> Control:
        if not self.shown or iControlId == 404:
            raise RuntimeError("Non-Existent Control %d" % iControlId)
        return self._controls.setdefault(iControlId, Control())

    def setFocusId(self, iControlId: int) -> None:
        self.focus = iControlId

    def onInit(self) -> None:
        pass

    def onAction(self, action: Action) -> None:
        if action.getId() in (10, 92):
            self.close()

    def onClick(self, controlId: int) -> None:
        pass

    def onFocus(self, controlId: int) -> None:
        pass

    # What a person does; carried out on the thread that shows the window.

    def press(self, action: int) -> None:
        self._input.put(lambda: self.onAction(Action(action)))

    def click(self, control: int) -> None:
        self._input.put(lambda: self.onClick(control))

    def move_focus(self, control: int) -> None:
        self._input.put(lambda: self.onFocus(control))
