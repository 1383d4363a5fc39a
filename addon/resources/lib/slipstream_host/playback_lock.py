"""The playback lock: one play at a time.

A second plugin:// open during a first one, or while Kodi's failure box is up, makes Kodi abort itself unless it is
answered within about 100 ms. So the answer comes from home-window properties and from questions to Kodi that wait for
no message, and this module imports nothing slow.
"""

from __future__ import annotations

import math
import os
import time

import xbmc
import xbmcgui

from . import timing
from .shared_properties import (
    ANSWERED_NOTHING,
    BY_SERVICE,
    DEFERRED_PLAY,
    FAILURE_BOX,
    OPENING,
    PLAYLIST_REFUSAL,
    STARTING,
    is_live,
    is_opening,
    lease,
    text_after_lease,
)

# As typing.TYPE_CHECKING, which would take typing's time to load.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable

# Kodi's window for a box with one button; the failure box is one.
_OK_DIALOG = 12002


def position_in_playlist() -> int:
    """The position in Kodi's video playlist of the entry that Kodi calls for; -1 when no other entry is there. A row
    that is chosen in a folder is the only entry."""
    films = xbmc.PlayList(xbmc.PLAYLIST_VIDEO)
    return films.getposition() if films.size() > 1 else -1


class PlaybackLock:
    """Takes and holds slipstream.starting for this process."""

    def __init__(self, home: xbmcgui.Window) -> None:
        self._home = home
        self._nonce = os.urandom(8).hex()
        self._renew_at = math.inf
        self._claimed = False
        self._handed_over = False
        # Why this play is refused: a box is in front, ...
        self._found_box = False
        # ... Kodi opens a film that was handed over, ...
        self._found_opening = False
        # ... or the service is about to start a deferred play.
        self._found_deferred = False
        # The value of DEFERRED_PLAY that this process has set; empty: none.
        self._deferred = ""

    def is_failure_box_up(self) -> bool:
        """Whether the failure box is up or may come up, as the service has told or as is_box_in_front() has found."""
        return self._found_box or is_live(self._home.getProperty(FAILURE_BOX))

    def is_box_in_front(self) -> bool:
        """Whether a box with one button is the front dialog. The service tells that as well, but on a busy machine too
        late for a call that Kodi waits for."""
        self._found_box = xbmcgui.getCurrentWindowDialogId() == _OK_DIALOG
        return self._found_box

    def is_starting(self) -> bool:
        """Whether a film is starting, be it this play's."""
        return is_live(self._home.getProperty(STARTING))

    def is_busy(self) -> bool:
        """Whether another play is starting, a deferred play is about to start, or the failure box is up. Reads three
        properties and nothing else."""
        starting = self._home.getProperty(STARTING)
        self._found_opening = is_live(starting) and is_opening(starting)
        # Read before the failure box: the service sets that one before it takes a deferred play.
        self._found_deferred = self._is_play_deferred()
        return is_live(starting) or self._found_deferred or self.is_failure_box_up()

    def _is_play_deferred(self) -> bool:
        return text_after_lease(self._home.getProperty(DEFERRED_PLAY)) != ""

    def claim(self) -> bool:
        """Takes the lock. False when another process took it at the same moment."""
        self._write()
        return self.is_held()

    def is_held(self) -> bool:
        return self._home.getProperty(STARTING).startswith(self._nonce + " ")

    def is_lost(self) -> bool:
        """Whether another play took the lock before our film was handed over: of two that claimed it at the same moment
        only the one that wrote last goes on."""
        value = self._home.getProperty(STARTING)
        ours = value.startswith(self._nonce + " ")
        # _handed_over is read last: hand_over() sets it before it changes the property.
        return self._claimed and not ours and is_live(value) and not self._handed_over

    def renew(self) -> None:
        """Renews a held lock before it expires. To be called often."""
        if time.monotonic() >= self._renew_at and self.is_held():
            self._write()

    def hand_over(self, give: Callable[[], None]) -> None:
        """Calls `give`, which gives Kodi the film. Right before, the lock passes to the service, because this process
        ends while Kodi opens the film. Takes the lock back when Kodi does not take the film. @raises what `give`
        raises"""
        if not self.is_held():
            give()
            return
        self._handed_over = True
        self._home.setProperty(STARTING, lease(OPENING, timing.OPENING_LEASE))
        try:
            give()
        except Exception:
            if is_opening(self._home.getProperty(STARTING)):
                self._write()
            self._handed_over = False
            raise

    def announce_nothing(self) -> None:
        """To be called right before a call is answered with nothing. A box that is in front by then is about something
        else, or is being closed already."""
        if not (self._found_box or self.is_box_in_front()):
            self._home.setProperty(ANSWERED_NOTHING, lease("answer", timing.OWN_BOX))

    def announce_playlist_refusal(self) -> None:
        """To be called right before a playlist's call is refused."""
        value = self._home.getProperty(PLAYLIST_REFUSAL)
        if not (value.startswith(BY_SERVICE + " ") and text_after_lease(value)):
            self._home.setProperty(PLAYLIST_REFUSAL, lease("refused", timing.PLAYLIST_REFUSAL))

    def defer(self, address: str, resume: bool, position: int) -> bool:
        """Leaves a refused play to the service, which starts it later. To be called right before the answer, after
        which Kodi's playlist calls for its next entry.
        @param position in Kodi's playlist; -1 when no other entry is there.
        @returns False when the play cannot start later: only the failure box goes by itself, and an opening film that
        is in the same playlist, which Kodi gives up for the refused one."""
        is_of_playlist = position >= 0
        if not address or not (is_of_playlist if self._found_opening else self._is_only_box_in_the_way()):
            return False
        if is_of_playlist and self._is_play_deferred():
            # The person chose the first one; Kodi called for this one by itself.
            return True
        holder = "resume" if resume else "noresume"
        # A play that the box has deferred is started as a single film.
        position = position if self._found_opening else -1
        self._deferred = "%s %d %s" % (lease(holder, timing.DEFERRED_PLAY_TAKEN), position, address)
        self._home.setProperty(DEFERRED_PLAY, self._deferred)
        return True

    def _is_only_box_in_the_way(self) -> bool:
        return (self._found_deferred or self.is_failure_box_up()) and not self.is_starting()

    def is_deferred(self) -> bool:
        """Whether our deferred play still waits for the service, and no later one has replaced it."""
        return self._deferred != "" and self._home.getProperty(DEFERRED_PLAY) == self._deferred

    def withdraw_deferred(self) -> None:
        if self.is_deferred():
            self._home.clearProperty(DEFERRED_PLAY)

    def release(self) -> None:
        """Gives the lock up: nothing comes of this play. From now on is_lost() is False, also when another play takes
        it."""
        if self.is_held():
            self._claimed = False
            self._home.clearProperty(STARTING)

    def _write(self) -> None:
        self._claimed = True
        self._renew_at = time.monotonic() + timing.LOCK_RENEWAL
        self._home.setProperty(STARTING, lease(self._nonce, timing.LOCK_LEASE))
