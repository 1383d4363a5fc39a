"""Kodi's busy dialog, under which it opens films: another add-on's too, which no guard of ours tells."""

from __future__ import annotations

import xbmc

_IS_UP = "Window.IsActive(busydialog) | Window.IsActive(busydialognocancel)"


def film_is_opening() -> bool:
    """Whether one may be on its way. Waits for the GUI to finish its frame."""
    return xbmc.getCondVisibility(_IS_UP)
