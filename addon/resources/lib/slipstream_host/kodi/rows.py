"""The rows of a list in one of our windows."""

from __future__ import annotations

from typing import Dict, List, Optional, Tuple

import xbmc
import xbmcgui

from ..jsonrpc import INVALID_PARAMS, Params, Refusal
from ..params import text, text_mapping
from . import gui_thread


class Rows:
    """What one list control shows.

    Kodi's lists are not inserted into: they are emptied and bound anew, which moves the focus to the first row. So each
    time the focused row is selected again, and before it a row that brings it back to where it stood on the screen. All
    of that is queued, and Kodi works its queue off between two frames; where the machine is busy, in several goes.
    """

    def __init__(self, control: int) -> None:
        self._control = control
        self._items: Dict[str, xbmcgui.ListItem] = {}

    def show(self, found: xbmcgui.ControlList, rows: List[Params], wanted: Optional[str] = None) -> None:
        """The focus goes to the wanted row, else it stays with its own."""
        items = {text(row, "id"): self._item(row) for row in rows}
        # Until Kodi has carried out all of what was shown last, the focus may be on the first row, where nobody put it.
        gui_thread.settle()
        row, place = focused(self._control)
        if wanted in items:
            row, place = wanted, list(items).index(wanted)
        elif row not in self._items:
            # A dialog of Kodi's is in front of our window, and the answer is about that one.
            row, place = self._selected(found), 0
        # Of a row that is gone nothing stays: the list starts anew. That is selected as well, for Kodi forgets the place
        # that an emptied list was scrolled to only where no frame is drawn between.
        position, place = (list(items).index(row), place) if row in items else (0, 0)
        self._items = items
        found.reset()
        found.addItems(list(items.values()))
        if items:
            # From the end, so that the row to be at the top lies above the screen and is scrolled to its first place.
            found.selectItem(len(items) - 1)
            found.selectItem(max(0, position - place))
            found.selectItem(position)

    def _selected(self, found: xbmcgui.ControlList) -> str:
        position, order = found.getSelectedPosition(), list(self._items)
        return order[position] if 0 <= position < len(order) else ""

    def _item(self, row: Params) -> xbmcgui.ListItem:
        """A new one for a row that has changed: one that Kodi may be drawing is not to be touched."""
        if "label" not in row:
            known = self._items.get(text(row, "id"))
            if known is None:
                raise Refusal(INVALID_PARAMS, "the row %s was never sent" % text(row, "id"))
            return known
        made = xbmcgui.ListItem(text(row, "label"), offscreen=True)
        made.setProperty("id", text(row, "id"))
        for name, value in text_mapping(row, "properties").items():
            made.setProperty(name, value)
        return made


def focused(control: int) -> Tuple[str, int]:
    """The id of the list's focused row, and how many rows are above it on the screen. As Kodi shows it now: our own
    notion may be a frame ahead. Not by JSON-RPC: that answers right before the keys of a frame, which the selections that
    follow from the answer would then undo (20 of 30 keys of a held one); this answers after them (none of 300)."""
    row = xbmc.getInfoLabel("Container(%d).ListItem.Property(id)" % control)
    place = xbmc.getInfoLabel("Container(%d).Position" % control)
    return row, int(place) if place.isdigit() else 0
