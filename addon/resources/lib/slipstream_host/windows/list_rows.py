"""Fills a list control of one of our windows, and keeps its focus."""

from __future__ import annotations

from typing import Dict, List, Optional, Tuple

import xbmc
import xbmcgui

from ..bridge.jsonrpc import INVALID_PARAMS, Params, RpcError
from ..bridge.params import text, text_mapping
from ..kodi import gui_thread


class ListRows:
    """The rows that one list control shows.

    Kodi's lists cannot be inserted into: they are emptied and filled anew, which moves the focus to the first row. So
    each time the focused row is selected again, and before it a row that scrolls it back to its place on the screen.
    All of that is queued; Kodi handles its queue between two frames, and on a busy machine within several of them.
    """

    def __init__(self, control_id: int) -> None:
        self._control_id = control_id
        self._items: Dict[str, xbmcgui.ListItem] = {}

    def show(self, control: xbmcgui.ControlList, rows: List[Params], selected: Optional[str] = None) -> None:
        """Shows these rows. The focus goes to the selected row; without one it stays on its row."""
        items = {text(row, "id"): self._item(row) for row in rows}
        # Until Kodi has handled the last show(), the focus may still be on the first row.
        gui_thread.wait_for_queue()
        row, rows_above = focused_row(self._control_id)
        if selected in items:
            row, rows_above = selected, list(items).index(selected)
        elif row not in self._items:
            # A dialog of Kodi's is in front of our window, and focused_row() has read that dialog.
            row, rows_above = self._selected_row(control), 0
        # When the row is gone, the focus goes to the first row. That one is selected explicitly: Kodi keeps an emptied
        # list's scroll position when it draws a frame in between.
        position, rows_above = (list(items).index(row), rows_above) if row in items else (0, 0)
        self._items = items
        control.reset()
        control.addItems(list(items.values()))
        if items:
            # First the last row: then the row that shall be at the top lies above the screen, and Kodi scrolls to it.
            control.selectItem(len(items) - 1)
            control.selectItem(max(0, position - rows_above))
            control.selectItem(position)

    def _selected_row(self, control: xbmcgui.ControlList) -> str:
        position, order = control.getSelectedPosition(), list(self._items)
        return order[position] if 0 <= position < len(order) else ""

    def _item(self, row: Params) -> xbmcgui.ListItem:
        """A new ListItem for a row that has changed: Kodi may be drawing the old one, which must not be changed."""
        if "label" not in row:
            known = self._items.get(text(row, "id"))
            if known is None:
                raise RpcError(INVALID_PARAMS, "the row %s was never sent" % text(row, "id"))
            return known
        made = xbmcgui.ListItem(text(row, "label"), offscreen=True)
        made.setProperty("id", text(row, "id"))
        for name, value in text_mapping(row, "properties").items():
            made.setProperty(name, value)
        return made


def focused_row(control_id: int) -> Tuple[str, int]:
    """The id of the list's focused row, and how many rows are above it on the screen, as Kodi shows it now: what we
    have sent may be a frame ahead. Not by JSON-RPC, which Kodi answers before it handles a frame's keys: selections
    made from such an answer undid 20 of 30 key presses, and none of 300 with this."""
    row = xbmc.getInfoLabel("Container(%d).ListItem.Property(id)" % control_id)
    rows_above = xbmc.getInfoLabel("Container(%d).Position" % control_id)
    return row, int(rows_above) if rows_above.isdigit() else 0
