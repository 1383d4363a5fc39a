"""Draws addon/icon.png and addon/fanart.png: a play mark with the lines of a slipstream behind it.

Run it from anywhere after changing it: python3 tools/art.py
"""

from __future__ import annotations

import math
import os
import struct
import zlib
from typing import Callable, Tuple

Color = Tuple[float, float, float]
ADD_ON = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "addon")

NIGHT: Color = (11, 18, 32)
DEEP: Color = (16, 58, 82)
FOAM: Color = (236, 247, 250)
TEAL: Color = (45, 190, 190)


def mix(a: Color, b: Color, share: float) -> Color:
    share = min(1.0, max(0.0, share))
    return (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share)


def triangle(x: float, y: float) -> float:
    """How far outside of a play mark with round corners; negative inside."""
    slope, roundness = math.sqrt(3) / 2, 0.018
    sides = (-x, x / 2 + y * slope, x / 2 - y * slope)
    return roundness * math.log(sum(math.exp(side / roundness) for side in sides)) - 0.2


def mark(x: float, y: float, pixel: float, ground: Color) -> Color:
    """The mark around the origin, about 1 wide; `pixel` is one pixel's width, for smooth edges."""
    for row, start, strength in ((-0.17, -0.44, 0.5), (0.0, -0.56, 0.9), (0.17, -0.38, 0.35)):
        line = max(abs(y - row) - 0.022, start - x, x + 0.2)
        fade = strength * (x - start) / (-0.2 - start)
        ground = mix(ground, TEAL, max(0.0, fade) * min(1.0, max(0.0, 0.5 - line / pixel)))
    return mix(ground, FOAM, 0.5 - triangle(x - 0.06, y) / pixel)


def icon(x: int, y: int) -> Color:
    u, v = (x - 255.5) / 512, (y - 255.5) / 512
    return mark(u * 1.2 - 0.04, v * 1.2, 1.2 / 512, mix(NIGHT, DEEP, 0.9 - math.hypot(u + 0.2, v + 0.3)))


def fanart(x: int, y: int) -> Color:
    u, v = x / 1280, y / 720
    ground = mix(NIGHT, DEEP, 0.85 - math.hypot(u - 0.7, (v - 0.4) * 0.7) * 1.3)
    for number in range(7):
        middle = 0.5 + (number - 3) * 0.075 * (1.2 - u) + 0.03 * math.sin(3 * u + number)
        glow = math.exp(-(((v - middle) / 0.004) ** 2)) * 0.35 * u * (1 - abs(number - 3) / 5)
        ground = mix(ground, TEAL, glow)
    return ground


def write_png(name: str, width: int, height: int, paint: Callable[[int, int], Color]) -> None:
    rows = bytearray()
    for y in range(height):
        rows.append(0)
        for x in range(width):
            rows += bytes(int(value + 0.5) for value in paint(x, y))

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    with open(os.path.join(ADD_ON, name), "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header))
        file.write(chunk(b"IDAT", zlib.compress(bytes(rows), 9)) + chunk(b"IEND", b""))


if __name__ == "__main__":
    write_png("icon.png", 512, 512, icon)
    write_png("fanart.png", 1280, 720, fanart)
