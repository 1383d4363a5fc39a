"""Reasons why the engine cannot be started."""

from __future__ import annotations


class CannotStart(Exception):
    """The exception's text is shown to the person."""


class NoNode(CannotStart):
    """No Node.js here can run the engine. Worth another try once find_node.node_fingerprint() changes."""


class NoRuntime(NoNode):
    """There is no Node.js, and the runtime add-on, which has one, is not installed."""


class Aborted(CannotStart):
    """Kodi asked us to exit during the start."""
