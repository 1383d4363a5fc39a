"""One play at a time.

A second plugin:// open during a first one, or while Kodi's failure box is up, makes Kodi abort itself unless it is
answered within about 100 ms. So the answer comes from home-window properties and from questions to Kodi that wait for
no message, and this module imports nothing that takes time.
"""

from __future__ import annotations

import math
import os
import time

import xbmc
import xbmcgui

from . import timing

# As typing.TYPE_CHECKING, which would take typing's time to load.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable

STARTING = "slipstream.starting"
FAILURE_BOX = "slipstream.failure-box"
# Left right before an answer of ours that is none: what Kodi says of that is ours to close (failure_box.py).
NOTHING = "slipstream.nothing"
# A play that was refused, for the service to start it again (again.py).
AGAIN = "slipstream.again"

# Left right before a playlist's call is refused, upon which Kodi calls for what stands behind it.
PASSED_OVER = "slipstream.passed-over"
# Its holder where the service starts such a call again, whose address follows.
BY_SERVICE = "service"

# Who holds the guard once the film was handed over; the service lets it go (opening.py).
OPENING = "opening"

# Kodi's window for a box with one button; the failure box is one.
_OK_DIALOG = 12002

# A deadline further ahead than any lease is damage, not a lock.
_LONGEST_LEASE = 60.0


def lease(holder: str, seconds: float) -> str:
    """The value of a guarding property: who holds it, and until when on the clock that all of Kodi shares."""
    return "%s %.3f" % (holder, time.monotonic() + seconds)


def live(value: str) -> bool:
    """Whether a guarding property's holder is still alive. Anything unreadable is not."""
    try:
        remaining = float(value.split(" ", 1)[1]) - time.monotonic()
    except (IndexError, ValueError):
        return False
    return 0 < remaining < _LONGEST_LEASE


def behind_lease(value: str) -> str:
    """What follows a lease in a property that holds more; empty when it is over."""
    parts = value.split(" ", 2)
    return parts[2] if len(parts) == 3 and live(" ".join(parts[:2])) else ""


def place_in_playlist() -> int:
    """Of what Kodi calls for, in its playlist of films; -1 where none other stands there. What is chosen among the rows of
    a folder stands there alone."""
    films = xbmc.PlayList(xbmc.PLAYLIST_VIDEO)
    return films.getposition() if films.size() > 1 else -1


def is_being_made_ready(starting: str) -> bool:
    """By the value of slipstream.starting: whether a play has begun whose answer Kodi still waits for."""
    return live(starting) and not starting.startswith(OPENING + " ")


class Guard:
    """Claims and holds slipstream.starting for this process."""

    def __init__(self, home: xbmcgui.Window) -> None:
        self._home = home
        self._nonce = os.urandom(8).hex()
        self._renew_at = math.inf
        self._claimed = False
        self._handed_over = False
        self._met_box = False
        # A film that was handed over, which Kodi opens.
        self._met_opening = False
        # A play that was refused, and is about to be started again.
        self._met_again = False
        # What was left to the service; empty: nothing.
        self._put_off = ""

    def box_open(self) -> bool:
        return self._met_box or live(self._home.getProperty(FAILURE_BOX))

    def meets_box(self) -> bool:
        """Whether a box is in front. The service tells that as well, but a busy machine later than Kodi waits."""
        self._met_box = xbmcgui.getCurrentWindowDialogId() == _OK_DIALOG
        return self._met_box

    def is_starting(self) -> bool:
        """Whether a film is starting, be it the one of this play."""
        return live(self._home.getProperty(STARTING))

    def busy(self) -> bool:
        """Whether another play is starting, or will be again, or Kodi's failure box is up. Reads three properties and
        nothing else."""
        starting = self._home.getProperty(STARTING)
        self._met_opening = live(starting) and starting.startswith(OPENING + " ")
        # Before the box, which the service expects from before it takes over what was left.
        self._met_again = self._is_left()
        return live(starting) or self._met_again or self.box_open()

    def _is_left(self) -> bool:
        return behind_lease(self._home.getProperty(AGAIN)) != ""

    def claim(self) -> bool:
        """Takes the guard; False when another process took it in the same moment."""
        self._write()
        return self.held()

    def held(self) -> bool:
        return self._home.getProperty(STARTING).startswith(self._nonce + " ")

    def lost(self) -> bool:
        """Whether another play took the guard before our film was handed over: of two that claimed in the same
        instant, the slower one was last to write, and only that one goes on."""
        value = self._home.getProperty(STARTING)
        ours = value.startswith(self._nonce + " ")
        # Asked last: a hand-over that the value already shows is remembered by now.
        return self._claimed and not ours and live(value) and not self._handed_over

    def renew(self) -> None:
        """To be called often; keeps a held guard from going stale."""
        if time.monotonic() >= self._renew_at and self.held():
            self._write()

    def hand_over(self, give: Callable[[], None]) -> None:
        """Gives the film to Kodi, which opens it while this process ends: right before, the guard passes to the service.
        It is held again when Kodi does not take the film. @raises what `give` does"""
        if not self.held():
            give()
            return
        self._handed_over = True
        self._home.setProperty(STARTING, lease(OPENING, timing.OPENING_LEASE))
        try:
            give()
        except Exception:
            if self._home.getProperty(STARTING).startswith(OPENING + " "):
                self._write()
            self._handed_over = False
            raise

    def answer_nothing(self) -> None:
        """To be called right before Kodi is told that nothing comes. A box that is in front by then is about something
        else, or is being closed already."""
        if not (self._met_box or self.meets_box()):
            self._home.setProperty(NOTHING, lease("answer", timing.BOX_OURS))

    def pass_over(self) -> None:
        """To be called right before a playlist's call is refused."""
        left = self._home.getProperty(PASSED_OVER)
        if not (left.startswith(BY_SERVICE + " ") and behind_lease(left)):
            self._home.setProperty(PASSED_OVER, lease("refused", timing.PASSED_OVER))

    def put_off(self, address: str, resume: bool, place: int) -> bool:
        """Leaves a play that was refused to the service. To be called right before Kodi is told: upon that its playlist
        calls for what stands behind. False when that would not help: only the box goes by itself, and the opening film of
        a playlist, which Kodi gives up for the refused one.
        @param place In Kodi's playlist; -1 where it stands there alone."""
        is_of_playlist = place >= 0
        if not address or not (is_of_playlist if self._met_opening else self._met_box_alone()):
            return False
        if is_of_playlist and self._is_left():
            # What was chosen is the first.
            return True
        holder = "resume" if resume else "noresume"
        # A box goes by itself, and what it has put off is played as a single film.
        self._put_off = "%s %d %s" % (lease(holder, timing.PUT_OFF), place if self._met_opening else -1, address)
        self._home.setProperty(AGAIN, self._put_off)
        return True

    def _met_box_alone(self) -> bool:
        return (self._met_again or self.box_open()) and not self.is_starting()

    def is_put_off(self) -> bool:
        """Whether the service has not taken over yet what was left to it, nor a later play its place."""
        return self._put_off != "" and self._home.getProperty(AGAIN) == self._put_off

    def take_back(self) -> None:
        """Nobody is to start what was put off any more."""
        if self.is_put_off():
            self._home.clearProperty(AGAIN)

    def release(self) -> None:
        """Nothing comes of this play. Whoever takes the guard from here on takes it from nobody."""
        if self.held():
            self._claimed = False
            self._home.clearProperty(STARTING)

    def _write(self) -> None:
        self._claimed = True
        self._renew_at = time.monotonic() + timing.GUARD_RENEW
        self._home.setProperty(STARTING, lease(self._nonce, timing.GUARD_LEASE))
