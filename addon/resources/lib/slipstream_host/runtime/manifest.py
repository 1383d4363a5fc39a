"""Reads runtime.json, the runtime add-on's description of its Node.js binary."""

from __future__ import annotations

import json
import os
import re
from typing import Dict, NamedTuple, cast

from .. import messages
from ..errors import NoNode

FILE_NAME = "runtime.json"
VERSION = 1
_MAX_BYTES = 64 * 1024
_BINARY_PATH = re.compile(r"(?:[\w-]+/)*[\w-]+(?:\.exe)?")
_SHA256 = re.compile(r"[0-9a-f]{64}")
# Node.js 24 has 123 MB.
_MAX_BINARY = 1024 * 1024 * 1024


class Manifest(NamedTuple):
    # The binary's path within the add-on, with slashes.
    file: str
    sha256: str
    size: int


def read_manifest(folder: str) -> Manifest:
    """@raises NoNode when it is damaged or of another version"""
    try:
        with open(os.path.join(folder, FILE_NAME), "rb") as file:
            found: object = json.loads(file.read(_MAX_BYTES).decode("utf-8"))
    except (OSError, ValueError):
        raise NoNode(messages.RUNTIME_DAMAGED) from None
    fields = cast(Dict[str, object], found) if isinstance(found, dict) else {}
    if isinstance(fields.get("version"), int) and fields["version"] != VERSION:
        raise NoNode(messages.RUNTIME_OTHER_VERSION)
    name, sha256, size = fields.get("file"), fields.get("sha256"), fields.get("size")
    if (
        isinstance(name, str)
        and _BINARY_PATH.fullmatch(name)
        and isinstance(sha256, str)
        and _SHA256.fullmatch(sha256)
        and type(size) is int
        and 0 < size <= _MAX_BINARY
    ):
        return Manifest(name, sha256, size)
    raise NoNode(messages.RUNTIME_DAMAGED)
