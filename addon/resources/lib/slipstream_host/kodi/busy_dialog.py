"""Kodi's busy dialog, under which it opens films, also those of other add-ons, which set no property of ours."""

from __future__ import annotations

import xbmc

_IS_UP = "Window.IsActive(busydialog) | Window.IsActive(busydialognocancel)"


def is_busy_dialog_up() -> bool:
    """Whether Kodi may be opening a film. Waits for the GUI to finish its frame."""
    return xbmc.getCondVisibility(_IS_UP)
