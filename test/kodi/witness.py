"""Put before an add-on's own program by a test: what it answers Kodi, and what it tells the person, is written down."""

import os

import xbmcgui
import xbmcplugin

_RECORD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "witness.jsonl")
# Of one call of the add-on: Kodi gives a handle's number again.
_CALL = os.urandom(8).hex()
_set_resolved_url = xbmcplugin.setResolvedUrl


def _note(**what):
    import json

    line = json.dumps({"call": _CALL, **what}) + "\n"
    with open(_RECORD, "a", encoding="utf-8") as record:
        record.write(line)


def _resolved(handle, succeeded, listitem):
    _set_resolved_url(handle, succeeded, listitem)
    _note(answer=succeeded)


class _Dialog(xbmcgui.Dialog):
    def notification(self, heading, message, *rest):
        super().notification(heading, message, *rest)
        _note(notification=heading, message=message)

    def ok(self, heading, message):
        _note(box=heading, message=message)
        return super().ok(heading, message)


xbmcplugin.setResolvedUrl = _resolved
xbmcgui.Dialog = _Dialog
