"""Reads the ELF header of a Linux program: its processor, and the loader that it needs."""

from __future__ import annotations

import os
import struct
from typing import BinaryIO, NamedTuple, Optional

_INTERPRETER_SEGMENT = 3
# Real programs have about a dozen.
_MAX_SEGMENTS = 128
_MAX_LOADER_PATH = 4096


class Elf(NamedTuple):
    bits: int
    # As in the ELF specification: 3 x86, 40 ARM, 62 x86-64, 183 ARM64.
    machine: int
    # The loader's path; empty for a program that needs none.
    loader: str


class _Layout(NamedTuple):
    bits: int
    # After the 16 identifying bytes: type, machine, version, entry, program headers' offset, …, their size and count.
    head: str
    segment: str
    # Indexes of the segment's fields.
    offset: int
    size: int


_LAYOUTS = {
    1: _Layout(32, "HHIIIIIHHH", "IIIIIIII", 1, 4),
    2: _Layout(64, "HHIQQQIHHH", "IIQQQQQQ", 2, 5),
}


def read_elf(path: str) -> Optional[Elf]:
    """None for a file that is no ELF program, or a damaged one. @raises OSError when it cannot be read"""
    with open(path, "rb") as file:
        try:
            return _parse(file)
        except (struct.error, UnicodeDecodeError, ValueError):
            return None


def _parse(file: BinaryIO) -> Optional[Elf]:
    identity = file.read(16)
    if len(identity) < 16 or identity[:4] != b"\x7fELF":
        return None
    layout, order = _LAYOUTS.get(identity[4]), {1: "<", 2: ">"}.get(identity[5])
    if layout is None or order is None:
        return None
    head = struct.Struct(order + layout.head)
    fields = head.unpack(file.read(head.size))
    machine, table, size, count = fields[1], fields[4], fields[8], fields[9]
    segment = struct.Struct(order + layout.segment)
    # An offset beyond the file's end may be too large for seek().
    if count > _MAX_SEGMENTS or size < segment.size or table > os.fstat(file.fileno()).st_size:
        return None
    for index in range(count):
        file.seek(table + index * size)
        values = segment.unpack(file.read(segment.size))
        if values[0] == _INTERPRETER_SEGMENT:
            return Elf(layout.bits, machine, _loader(file, values[layout.offset], values[layout.size]))
    return Elf(layout.bits, machine, "")


def _loader(file: BinaryIO, offset: int, size: int) -> str:
    """@raises ValueError"""
    if not 1 < size <= _MAX_LOADER_PATH or offset > os.fstat(file.fileno()).st_size:
        raise ValueError("a loader's name of %d bytes" % size)
    file.seek(offset)
    found = file.read(size)
    if len(found) < size or found[-1:] != b"\0":
        raise ValueError("a loader's name without its end")
    return found[:-1].decode("utf-8")
