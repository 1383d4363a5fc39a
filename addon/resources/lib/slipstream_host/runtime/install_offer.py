"""Offers to install the runtime add-on. Only upon a person's own call, never from the service."""

from __future__ import annotations

import sys

import xbmcgui

from .. import messages, timing
from ..errors import NoNode
from ..kodi import host_dialogs
from ..kodi.main_loop import Wait
from ..shared_properties import HOME_WINDOW
from . import verified_copy
from .runtime_addon import RuntimeAddon

# Set once the person was asked, until Kodi ends: after a "no" they are not asked again.
ASKED = "slipstream.runtime-asked"

# Of the largest runtime: its zip, which size-budget.json bounds and Kodi keeps, and its unpacked files.
_DOWNLOAD_MB = 48
_INSTALLED_MB = 127
_MEGABYTE = 1_000_000


def offer_install(runtime: RuntimeAddon, wait: Wait) -> None:
    """Asks the person and lets Kodi install the add-on. Returns once it is installed. @raises NoNode when it is not,
    Aborted"""
    home = xbmcgui.Window(HOME_WINDOW)
    if home.getProperty(ASKED):
        raise NoNode(messages.NO_RUNTIME)
    # Windows runs a copy (bundled_node.py).
    needed = _DOWNLOAD_MB + _INSTALLED_MB * (2 if sys.platform == "win32" else 1)
    verified_copy.require_space(runtime.add_ons_folder(), needed * _MEGABYTE)
    # Before the question, so that no other call asks it at the same time.
    home.setProperty(ASKED, "true")
    question = messages.OFFER % (_DOWNLOAD_MB, needed)
    if not host_dialogs.confirm(question, messages.OFFER_YES, messages.OFFER_NO, wait):
        raise NoNode(messages.NO_RUNTIME)
    host_dialogs.run_in_background(runtime.install, ("yesnodialog", "progressdialog"), wait)
    if runtime.wait_until_installed(timing.RUNTIME_INSTALLED, wait) is None:
        raise NoNode(messages.RUNTIME_NOT_INSTALLED)
    home.clearProperty(ASKED)
