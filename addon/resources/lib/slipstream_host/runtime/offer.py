"""Offers to install the runtime add-on. From what a person does alone, never from the service."""

from __future__ import annotations

import sys

import xbmcgui

from .. import asking, messages, timing
from ..asking import Wait
from ..kodi.properties import HOME_WINDOW
from ..trouble import NoNode
from . import contents
from .addon import RuntimeAddon

# Set once the person was asked; lost with Kodi. Whoever said no is not asked again.
ASKED = "slipstream.runtime-asked"

# Of the largest of our runtimes: its zip, which size-budget.json bounds and Kodi keeps, and what is in it.
_DOWNLOAD_MB = 48
_INSTALLED_MB = 127
_MEGABYTE = 1_000_000


def install(runtime: RuntimeAddon, wait: Wait) -> None:
    """Returns once it is installed. @raises NoNode when it is not, Aborted"""
    home = xbmcgui.Window(HOME_WINDOW)
    if home.getProperty(ASKED):
        raise NoNode(messages.NO_RUNTIME)
    # Windows runs a copy (use.py).
    needed = _DOWNLOAD_MB + _INSTALLED_MB * (2 if sys.platform == "win32" else 1)
    contents.check_space(runtime.add_ons_folder(), needed * _MEGABYTE)
    # Before the question, which another call of ours is not to ask at the same time.
    home.setProperty(ASKED, "true")
    question = messages.OFFER % (_DOWNLOAD_MB, needed)
    if not asking.confirm(question, messages.OFFER_YES, messages.OFFER_NO, wait):
        raise NoNode(messages.NO_RUNTIME)
    asking.beside(runtime.install, ("yesnodialog", "progressdialog"), wait)
    if runtime.comes(timing.RUNTIME_COMES, wait) is None:
        raise NoNode(messages.RUNTIME_NOT_INSTALLED)
    home.clearProperty(ASKED)
