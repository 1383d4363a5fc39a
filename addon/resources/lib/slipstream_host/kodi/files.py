"""Lists folders and reads files through Kodi's virtual file system: local ones, smb://, nfs://. A server that does not
answer blocks such a call, so each runs on a thread of its own; Kodi's quit still waits for it."""

from __future__ import annotations

import base64
from typing import Dict, List, Optional

import xbmcvfs

from ..bridge.jsonrpc import REFUSED, Method, Params, RpcError, threaded_method
from ..bridge.params import text, whole_number

_MAX_ENTRIES = 5000
# Bytes; in base64 well below the longest line of the bridge.
_MAX_READ = 1024 * 1024
# The largest whole number that JavaScript keeps exactly.
_MAX_POSITION = 2**53 - 1


def _list(params: Params) -> Optional[List[Params]]:
    folder = text(params, "folder").rstrip("/\\") + "/"
    folders, files = xbmcvfs.listdir(folder)
    if not folders and not files and not xbmcvfs.exists(folder):
        return None
    if len(folders) + len(files) > _MAX_ENTRIES:
        raise RpcError(REFUSED, "the folder has more than %d entries" % _MAX_ENTRIES)
    return [_entry(name, True) for name in folders] + [_file(folder, name) for name in files]


def _file(folder: str, name: str) -> Params:
    entry, path = _entry(name, False), folder + name
    # Without exists(): for a file that it cannot read, Stat reports 0, or the size of another file from its memory.
    return dict(entry, size=xbmcvfs.Stat(path).st_size()) if xbmcvfs.exists(path) else entry


def _entry(name: str, is_folder: bool) -> Params:
    # Some servers end folder names with a slash.
    return {"name": name.rstrip("/"), "isFolder": is_folder}


def _read(params: Params) -> Optional[str]:
    path, start = text(params, "path"), whole_number(params, "from", 0, _MAX_POSITION)
    # To Kodi, a length of 0 means everything.
    length = whole_number(params, "length", 1, _MAX_READ)
    file = xbmcvfs.File(path)
    try:
        # File reports that it did not open only by a failing seek.
        if file.seek(0, 0) < 0:
            return None
        found = file.readBytes(length) if file.seek(start, 0) == start else bytearray()
    finally:
        file.close()
    return base64.b64encode(found).decode("ascii")


METHODS: Dict[str, Method] = {"files.list": threaded_method(_list), "files.read": threaded_method(_read)}
