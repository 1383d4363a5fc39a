"""Starts plays that were refused: because Kodi's failure box was up or might come up, or because the film before the
refused one in a playlist was still being opened.

A call that Kodi waits for cannot wait for that: Kodi would abort itself (playback_lock.py).
"""

from __future__ import annotations

import time
from typing import NamedTuple, Optional, Tuple

import xbmcgui

from .. import messages, timing
from ..kodi import toast
from ..kodi.busy_dialog import is_busy_dialog_up
from ..kodi.events import PlayerEvents
from ..kodi.list_items import mark_resumed
from ..kodi.playlist_player import PlaylistPlayer
from ..shared_properties import (
    BY_SERVICE,
    DEFERRED_PLAY,
    HOME_WINDOW,
    PLAYLIST_REFUSAL,
    STARTING,
    is_live,
    is_opening,
    lease,
    text_after_lease,
)
from .failure_box import FailureBoxWatcher


class _DeferredPlay(NamedTuple):
    address: str
    # In Kodi's playlist; -1: it is played as a single film.
    position: int
    resumes: bool
    since: float


class DeferredPlays:
    def __init__(self, box: FailureBoxWatcher, player: PlayerEvents) -> None:
        self._box = box
        self._player = player
        self._playlist_player = PlaylistPlayer(player)
        self._play: Optional[_DeferredPlay] = None
        # When the last play was deferred.
        self._deferred_at = 0.0
        # The film before it in its playlist is still being opened.
        self._waits_for_opening = False

    def on_started(self) -> None:
        """The player begins with a film: the one before the deferred one, or one that the person has chosen
        meanwhile."""
        if not self._waits_for_opening:
            self._play = None

    def on_queued(self) -> None:
        """The person has chosen another film meanwhile."""
        self._play = None

    def tick(self) -> None:
        now = time.monotonic()
        home = xbmcgui.Window(HOME_WINDOW)
        self._take(now, home)
        if self._play is None:
            return
        starting = home.getProperty(STARTING)
        waits_for_opening = self._waits_for_opening and is_live(starting) and is_opening(starting)
        if waits_for_opening:
            # Kodi gives the film before up, or shows it yet.
            self._play = self._play._replace(since=now)
        elif is_live(starting):
            self._play = None
        elif now - self._play.since > timing.DEFERRED_PLAY_LONGEST:
            self._play = None
            toast.show(messages.BOX_OPEN if self._box.may_be_up() else messages.STILL_STARTING)
        elif not self._box.may_be_up() and not is_busy_dialog_up():
            self._start(self._play, home)
        self._waits_for_opening = waits_for_opening

    def _take(self, now: float, home: xbmcgui.Window) -> None:
        """Takes a play over from the plugin process that was refused."""
        value = home.getProperty(DEFERRED_PLAY)
        if not value:
            return
        position, address = _position_and_address(text_after_lease(value))
        if address:
            # Before the property is cleared: one of the two must refuse what a playlist calls for now.
            self._box.expect()
        home.clearProperty(DEFERRED_PLAY)
        # After a refusal a playlist calls for its next entries; the person chose the first.
        is_first = now - self._deferred_at > timing.DEFERRED_PLAY_APART
        self._deferred_at = now
        if address and is_first:
            self._play = _DeferredPlay(address, position, value.startswith("resume "), now)
            self._waits_for_opening = position >= 0

    def _start(self, play: _DeferredPlay, home: xbmcgui.Window) -> None:
        self._play = None
        address, item = play.address, xbmcgui.ListItem(path=play.address, offscreen=True)
        if play.resumes:
            mark_resumed(item)
        if play.position < 0:
            self._player.play(address, item)
            return
        home.setProperty(PLAYLIST_REFUSAL, "%s %s" % (lease(BY_SERVICE, timing.PLAYLIST_REFUSAL), address))
        if not self._playlist_player.play_entry(address, play.position, item):
            self._player.play(address, item)


def _position_and_address(text: str) -> Tuple[int, str]:
    position, _, address = text.partition(" ")
    try:
        return int(position), address
    except ValueError:
        return -1, ""
