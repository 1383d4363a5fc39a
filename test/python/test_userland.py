"""Which systems a bundled Node.js runs on, and what an ELF header says."""

from __future__ import annotations

import os
import struct
import sys
import unittest
from typing import Optional

from support import HostTest, messages

from slipstream_host.errors import NoNode
from slipstream_host.runtime import elf, userland
from slipstream_host.runtime.elf import Elf
from slipstream_host.runtime.userland import Platform, Userland, platform_of

LOADER = "/lib/ld-linux-aarch64.so.1"


def program(bits: int = 64, order: str = "<", machine: int = 183, loader: Optional[bytes] = LOADER.encode() + b"\0") -> bytes:
    """A program with a segment of code and, unless it is static, one that names its loader."""
    wide = bits == 64
    head_size, segment = (64, "IIQQQQQQ") if wide else (52, "IIIIIIII")
    size = struct.calcsize(order + segment)
    segments = [(1, 0, 0)]
    if loader is not None:
        segments.append((3, head_size + 2 * size, len(loader)))
    identity = b"\x7fELF" + bytes([2 if wide else 1, 1 if order == "<" else 2, 1]) + bytes(9)
    layout = "HHIQQQIHHHHHH" if wide else "HHIIIIIHHHHHH"
    made = identity + struct.pack(order + layout, 3, machine, 1, 0, head_size, 0, 0, head_size, size, len(segments), 0, 0, 0)
    for kind, offset, length in segments:
        fields = (kind, 4, offset, 0, 0, length, length, 0) if wide else (kind, offset, 0, 0, length, length, 4, 0)
        made += struct.pack(order + segment, *fields)
    return made.ljust(head_size + 2 * size, b"\0") + (loader or b"")


class ElfHeader(HostTest):
    def read(self, content: bytes) -> Optional[Elf]:
        path = os.path.join(self.folder, "program")
        with open(path, "wb") as file:
            file.write(content)
        return elf.read_elf(path)

    def test_an_elf_header_names_its_processor_and_its_loader(self) -> None:
        for bits in (32, 64):
            for order in ("<", ">"):
                self.assertEqual(self.read(program(bits, order)), Elf(bits, 183, LOADER))
        self.assertEqual(self.read(program(loader=None)), Elf(64, 183, ""))

    def test_a_cut_or_damaged_elf_header_is_refused(self) -> None:
        whole = program()
        for length in range(len(whole)):
            self.assertIsNone(self.read(whole[:length]), length)
        for loader in (b"", b"\0", b"/lib/ld.so", b"\xff\xfe\0", b"x" * 5000 + b"\0"):
            self.assertIsNone(self.read(program(loader=loader)), loader)

    def test_an_elf_header_with_wild_offsets_is_refused(self) -> None:
        whole = bytearray(program())
        # The table's offset, the size and count of its entries, and the loader's offset and length.
        for at, layout in ((32, "<Q"), (54, "<H"), (56, "<H"), (64 + 56 + 8, "<Q"), (64 + 56 + 32, "<Q")):
            damaged = bytearray(whole)
            struct.pack_into(layout, damaged, at, 2 ** (8 * struct.calcsize(layout)) - 1)
            self.assertIsNone(self.read(bytes(damaged)), at)

    def test_a_file_that_is_no_program_never_raises(self) -> None:
        whole = program()
        for at in range(len(whole)):
            for value in (0, 1, 127, 255):
                self.read(whole[:at] + bytes([value]) + whole[at + 1 :])
        for content in (b"", b"#!/bin/sh\n", b"MZ" + bytes(200), b"\x7fELF"):
            self.assertIsNone(self.read(content))

    @unittest.skipUnless(sys.platform == "linux", "Linux has such programs")
    def test_the_elf_header_of_a_real_program_is_read(self) -> None:
        found = elf.read_elf(os.path.realpath(sys.executable))
        assert found is not None
        self.assertEqual(found.bits, struct.calcsize("P") * 8)
        self.assertTrue(os.path.exists(found.loader))


class SystemCheck(unittest.TestCase):
    def refusal(self, where: Userland, loader: bool = True) -> str:
        with self.assertRaises(NoNode) as raised:
            platform_of(where, lambda _: loader)
        return str(raised.exception)

    def test_systems_with_a_runtime_are_recognised(self) -> None:
        arm = Platform("linux", 183, LOADER)
        for machine, libc in (("aarch64", "glibc 2.28"), ("arm64", "glibc 3.0"), ("aarch64", ""), ("aarch64", "bionic")):
            self.assertEqual(platform_of(Userland("linux", 64, machine, libc), lambda path: path == LOADER), arm)
        for machine in ("x86_64", "AMD64"):
            self.assertEqual(platform_of(Userland("linux", 64, machine, ""), lambda _: True).elf_machine, 62)
        self.assertEqual(platform_of(Userland("win32", 64, "AMD64", "")), Platform("win32"))
        self.assertEqual(platform_of(Userland("darwin", 64, "x86_64", "")), Platform("darwin"))

    def test_systems_that_run_no_bundled_program_are_refused(self) -> None:
        named = {
            "android": messages.ANDROID,
            "ios": messages.APPLE_TV,
            "tvos": messages.APPLE_TV,
            "uwp": messages.XBOX,
            "webos": messages.WEBOS,
        }
        for system, message in named.items():
            self.assertEqual(self.refusal(Userland(system, 64, "aarch64", "")), message)

    def test_macs_with_an_apple_chip_are_refused(self) -> None:
        for machine in ("arm64", "aarch64"):
            self.assertEqual(self.refusal(Userland("darwin", 64, machine, "")), messages.APPLE_CHIP)

    def test_a_32_bit_userland_on_a_64_bit_kernel_is_refused(self) -> None:
        for system, machine in (("linux", "aarch64"), ("linux", "x86_64"), ("linux", "armv7l"), ("win32", "AMD64")):
            self.assertEqual(self.refusal(Userland(system, 32, machine, "glibc 2.36")), messages.BITS_32)

    def test_a_system_without_the_loader_is_refused(self) -> None:
        where = Userland("linux", 64, "aarch64", "")
        self.assertIn(self.refusal(where, loader=False), (messages.NO_LOADER % LOADER, messages.MUSL))

    def test_a_system_with_musl_is_refused(self) -> None:
        known = userland.__dict__["_has_musl"]
        self.addCleanup(setattr, userland, "_has_musl", known)
        setattr(userland, "_has_musl", lambda: True)
        self.assertEqual(self.refusal(Userland("linux", 64, "x86_64", ""), loader=False), messages.MUSL)

    def test_a_system_with_an_old_glibc_is_refused(self) -> None:
        for libc in ("glibc 2.27", "glibc 1.99"):
            self.assertEqual(
                self.refusal(Userland("linux", 64, "x86_64", libc)), messages.OLD_GLIBC % (libc, "2.28")
            )

    def test_an_unknown_system_is_refused(self) -> None:
        for system, machine in (("linux", "riscv64"), ("linux", ""), ("freebsd14", "amd64")):
            self.assertIn(machine or "unknown", self.refusal(Userland(system, 64, machine, "")))

    def test_this_system_is_recognised(self) -> None:
        self.assertEqual(userland.current_userland("tvos").system, "tvos")
        self.assertEqual(userland.current_userland("").bits, struct.calcsize("P") * 8)

    def test_android_is_recognised_though_python_reports_linux(self) -> None:
        os.environ["ANDROID_ROOT"] = "/system"
        self.addCleanup(os.environ.pop, "ANDROID_ROOT")
        self.assertEqual(userland.current_userland("").system, "android")
