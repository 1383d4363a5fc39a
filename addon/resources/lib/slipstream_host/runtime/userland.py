"""Whether a bundled Node.js can run here. Judged by the running programs, not by the kernel: a 64-bit kernel may carry
32-bit programs alone, and then has no loader for ours."""

from __future__ import annotations

import glob
import os
import platform
import re
import struct
import sys
from typing import Callable, NamedTuple

from .. import messages
from ..trouble import NoNode

# What Node.js 24 is built against.
OLDEST_GLIBC = (2, 28)

_FORBIDDEN = {
    "android": messages.ANDROID,
    "ios": messages.APPLE_TV,
    "tvos": messages.APPLE_TV,
    "uwp": messages.XBOX,
    "webos": messages.WEBOS,
}
_ALIASES = {"amd64": "x86_64", "arm64": "aarch64"}


class Userland(NamedTuple):
    # Kodi's edition where it forbids bundled programs, else as sys.platform.
    system: str
    # Of this very process, which is Kodi's.
    bits: int
    machine: str
    # Like "glibc 2.36"; empty for another one.
    libc: str


class Platform(NamedTuple):
    """A system that has a runtime."""

    system: str
    # On Linux: as in an ELF head, and the loader that is sure to be needed.
    elf_machine: int = 0
    loader: str = ""


_LINUX = {
    "x86_64": Platform("linux", 62, "/lib64/ld-linux-x86-64.so.2"),
    "aarch64": Platform("linux", 183, "/lib/ld-linux-aarch64.so.1"),
}


def here(edition: str) -> Userland:
    """`edition`: Kodi's own word for a system that it knows better than Python."""
    return Userland(edition or _system(), struct.calcsize("P") * 8, platform.machine(), _libc())


def platform_of(userland: Userland, exists: Callable[[str], bool] = os.path.exists) -> Platform:
    """@raises NoNode when no runtime runs there, with the way out"""
    system = userland.system
    if system in _FORBIDDEN:
        raise NoNode(_FORBIDDEN[system])
    if userland.bits != 64:
        raise NoNode(messages.BITS_32)
    machine = userland.machine.lower()
    if system == "darwin" and _ALIASES.get(machine, machine) == "aarch64":
        raise NoNode(messages.APPLE_CHIP)
    if system in ("win32", "darwin"):
        return Platform(system)
    found = _LINUX.get(_ALIASES.get(machine, machine)) if system == "linux" else None
    if found is None:
        raise NoNode(messages.OTHER_SYSTEM % ("%s, %s" % (system, userland.machine or "unknown")))
    check_loader(found.loader, exists)
    check_glibc(userland.libc)
    return found


def check_loader(loader: str, exists: Callable[[str], bool] = os.path.exists) -> None:
    """@raises NoNode when the system has no such loader, without which Linux calls a program "not found" """
    if loader and not exists(loader):
        raise NoNode(messages.MUSL if _has_musl() else messages.NO_LOADER % loader)


def check_glibc(libc: str) -> None:
    """@raises NoNode when it is known and too old"""
    match = re.match(r"glibc (\d{1,4})\.(\d{1,4})", libc)
    if match and (int(match.group(1)), int(match.group(2))) < OLDEST_GLIBC:
        raise NoNode(messages.OLD_GLIBC % (libc, "%d.%d" % OLDEST_GLIBC))


def _system() -> str:
    # Python on Android calls itself Linux.
    on_android = hasattr(sys, "getandroidapilevel") or "ANDROID_ROOT" in os.environ
    return "android" if on_android else sys.platform


def _has_musl() -> bool:
    return bool(glob.glob("/lib/ld-musl-*.so.1"))


def _libc() -> str:
    try:
        return os.confstr("CS_GNU_LIBC_VERSION") or ""
    except (AttributeError, ValueError, OSError):
        return ""
