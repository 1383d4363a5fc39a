"""A WindowXMLDialog that reports its events, and the content that the engine puts into it."""

from __future__ import annotations

from typing import Dict, List, Protocol

import xbmcgui

from ..bridge.jsonrpc import Params
from ..bridge.params import control_id, mapping, number, objects, optional_number, text_mapping
from .list_rows import ListRows, focused_row

# Parent folder, previous menu, stop, back.
_BACK_ACTIONS = (9, 10, 13, 92)
# The context menu, by its key, a long OK, a right click or a long touch.
_MENU_ACTION = 117
# Actions that move no row: select and mouse clicks, which have an event of their own, and mouse moves.
_IGNORED_ACTIONS = (7, 100, 101, 107)


class DialogListener(Protocol):
    """Receives a dialog's events, always on the thread that shows the dialog."""

    def on_shown(self) -> None: ...

    def on_event(self, kind: str, control: int, row: str) -> None: ...

    def on_back(self) -> None: ...


class XmlDialog(xbmcgui.WindowXMLDialog):
    listener: DialogListener
    rows: Dict[int, ListRows]

    def onInit(self) -> None:
        self.listener.on_shown()

    def onClick(self, controlId: int) -> None:
        row = focused_row(controlId)[0] if controlId in self.rows else ""
        self.listener.on_event("click", controlId, row)

    def onFocus(self, controlId: int) -> None:
        self.listener.on_event("focus", controlId, "")

    def onAction(self, action: xbmcgui.Action) -> None:
        # The base class would close the window on Back; here the engine decides that.
        if action.getId() in _BACK_ACTIONS:
            self.listener.on_back()
        elif action.getId() == _MENU_ACTION:
            self.listener.on_event("menu", -1, "")
        elif action.getId() not in _IGNORED_ACTIONS:
            self.listener.on_event("moved", -1, "")


class WindowContent:
    """The parts of a window that window.open or window.update sets, checked when the call arrives."""

    def __init__(self, params: Params) -> None:
        self._properties = text_mapping(params, "properties")
        lists = mapping(params, "lists")
        self._lists: Dict[int, List[Params]] = {control_id(name): objects(lists, name) for name in lists}
        selected = text_mapping(params, "selected")
        self._selected = {control_id(name): row for name, row in selected.items()}
        percents = mapping(params, "percents")
        self._percents = {control_id(name): number(percents, name) for name in percents}
        self._focus = optional_number(params, "focus")

    def set_properties(self, dialog: XmlDialog) -> None:
        """To be called also before the window is shown, so that its first frame is right."""
        for name, value in self._properties.items():
            dialog.setProperty(name, value)

    def fill_controls(self, dialog: XmlDialog) -> None:
        """To be called only once the window is shown: before that it has no controls."""
        for control, rows in self._lists.items():
            found = dialog.getControl(control)
            if isinstance(found, xbmcgui.ControlList):
                dialog.rows.setdefault(control, ListRows(control)).show(found, rows, self._selected.get(control))
        for control, percent in self._percents.items():
            found = dialog.getControl(control)
            if isinstance(found, xbmcgui.ControlProgress):
                found.setPercent(percent)
        if self._focus is not None:
            dialog.setFocusId(self._focus)
