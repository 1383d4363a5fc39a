"""Decides whether a bundled Node.js can run on this system. The userland counts, not the kernel: a 64-bit kernel may
run a 32-bit userland, which has no loader for our 64-bit program."""

from __future__ import annotations

import glob
import os
import platform
import re
import struct
import sys
from typing import Callable, NamedTuple

from .. import messages
from ..errors import NoNode

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
    # Kodi's edition where it runs no bundled program, else sys.platform.
    system: str
    # Of this process, which is Kodi's.
    bits: int
    machine: str
    # Like "glibc 2.36"; empty for another C library.
    libc: str


class Platform(NamedTuple):
    """A system for which there is a runtime add-on."""

    system: str
    # On Linux: the machine as in an ELF header, and the loader that the program needs.
    elf_machine: int = 0
    loader: str = ""


_LINUX = {
    "x86_64": Platform("linux", 62, "/lib64/ld-linux-x86-64.so.2"),
    "aarch64": Platform("linux", 183, "/lib/ld-linux-aarch64.so.1"),
}


def current_userland(edition: str) -> Userland:
    """`edition`: RuntimeAddon.edition()."""
    return Userland(edition or _system(), struct.calcsize("P") * 8, platform.machine(), _libc())


def platform_of(userland: Userland, exists: Callable[[str], bool] = os.path.exists) -> Platform:
    """@raises NoNode when no runtime runs there; its text says what to do"""
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
    """Without its loader Linux reports a program as "not found". @raises NoNode when the system has no such loader"""
    if loader and not exists(loader):
        raise NoNode(messages.MUSL if _has_musl() else messages.NO_LOADER % loader)


def check_glibc(libc: str) -> None:
    """@raises NoNode when the C library is a glibc that is too old"""
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
