"""Home-window properties by which plugin processes and the service tell each other what starts, and leases on them.

The first lines of a plugin process read them within milliseconds, so this module imports nothing slow.
"""

from __future__ import annotations

import time

# Kodi's home window, whose properties all processes share.
HOME_WINDOW = 10000

# The playback lock: a film is starting (playback_lock.py).
STARTING = "slipstream.starting"
# The holder of the playback lock from the hand-over of a film to its first picture; the service releases it
# (service/film_opening.py).
OPENING = "opening"
# Kodi's failure box is up, or may come up (service/failure_box.py).
FAILURE_BOX = "slipstream.failure-box"
# Set right before a call is answered with nothing: a failure box that follows is about this call, and the service
# closes it.
ANSWERED_NOTHING = "slipstream.nothing"
# A refused play, which the service starts later (service/deferred_plays.py).
DEFERRED_PLAY = "slipstream.again"
# Set right before a playlist's call is refused, after which Kodi calls for the next entry.
PLAYLIST_REFUSAL = "slipstream.passed-over"
# The holder of PLAYLIST_REFUSAL where the service starts such a call again; the call's address follows.
BY_SERVICE = "service"

# A deadline further ahead than this is a damaged value: no lease is that long.
_LONGEST_LEASE = 60.0


def lease(holder: str, seconds: float) -> str:
    """A property's value: its holder, and a deadline on the monotonic clock, which all processes share."""
    return "%s %.3f" % (holder, time.monotonic() + seconds)


def is_live(value: str) -> bool:
    """Whether a lease has not expired. An unreadable one has."""
    try:
        remaining = float(value.split(" ", 1)[1]) - time.monotonic()
    except (IndexError, ValueError):
        return False
    return 0 < remaining < _LONGEST_LEASE


def text_after_lease(value: str) -> str:
    """The text that follows the lease in a property; empty when the lease has expired."""
    parts = value.split(" ", 2)
    return parts[2] if len(parts) == 3 and is_live(" ".join(parts[:2])) else ""


def is_opening(starting: str) -> bool:
    """Whether this value of STARTING is a film's that was handed to Kodi; expired or not."""
    return starting.startswith(OPENING + " ")


def is_preparing(starting: str) -> bool:
    """Whether this value of STARTING is a play's whose call Kodi still waits for."""
    return is_live(starting) and not is_opening(starting)
