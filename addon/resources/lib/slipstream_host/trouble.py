"""Why the engine cannot be started."""

from __future__ import annotations


class CannotStart(Exception):
    """Its text is for the person."""


class NoNode(CannotStart):
    """Nothing here can run the engine. Worth another try once node.signs() differ."""


class NoRuntime(NoNode):
    """What the runtime add-on would mend, which is not installed."""


class Aborted(CannotStart):
    """Kodi wanted us gone meanwhile."""
