"""Draws addon/icon.png and addon/fanart.png, a play mark with the lines of a slipstream behind it, and the menu's icons.

Run it from anywhere after changing it: python3 tools/art.py
"""

from __future__ import annotations

import math
import os
import struct
import zlib
from typing import Callable, Dict, Tuple

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


Shape = Callable[[float, float], float]


def line(ax: float, ay: float, bx: float, by: float, width: float) -> Shape:
    """A stroke with round ends. Each shape gives how far outside of it a point is; negative inside."""
    dx, dy = bx - ax, by - ay

    def outside(x: float, y: float) -> float:
        share = min(1.0, max(0.0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)))
        return math.hypot(x - ax - share * dx, y - ay - share * dy) - width / 2

    return outside


def ring(cx: float, cy: float, radius: float, width: float) -> Shape:
    return lambda x, y: abs(math.hypot(x - cx, y - cy) - radius) - width / 2


def dot(cx: float, cy: float, radius: float) -> Shape:
    return lambda x, y: math.hypot(x - cx, y - cy) - radius


def frame(half_width: float, half_height: float, width: float) -> Shape:
    """A rectangle's outline with round corners."""

    def outside(x: float, y: float) -> float:
        dx, dy = abs(x) - half_width + 0.05, abs(y) - half_height + 0.05
        edge = math.hypot(max(dx, 0.0), max(dy, 0.0)) + min(max(dx, dy), 0.0) - 0.05
        return abs(edge) - width / 2

    return outside


def both(*shapes: Shape) -> Shape:
    return lambda x, y: min(shape(x, y) for shape in shapes)


def around(count: int, inner: float, outer: float, width: float) -> Shape:
    turns = [2 * math.pi * n / count for n in range(count)]
    teeth = [(math.cos(turn), math.sin(turn)) for turn in turns]
    return both(*(line(inner * c, inner * s, outer * c, outer * s, width) for c, s in teeth))


def strokes(*heights: float) -> Shape:
    return both(*(line(-0.12, y, 0.26, y, 0.05) for y in heights))


PLAY: Shape = lambda x, y: triangle(x / 0.62, y / 0.62) * 0.62
# What is drawn light, and what in the colour of the slipstream.
MENU: Dict[str, Tuple[Shape, Shape]] = {
    "search": (ring(-0.06, -0.06, 0.19, 0.06), line(0.1, 0.1, 0.28, 0.28, 0.07)),
    "failure": (
        both(line(0, -0.27, 0.31, 0.25, 0.06), line(0.31, 0.25, -0.31, 0.25, 0.06), line(-0.31, 0.25, 0, -0.27, 0.06)),
        both(line(0, -0.06, 0, 0.07, 0.06), dot(0, 0.16, 0.035)),
    ),
    "set-up": (both(ring(0, 0, 0.2, 0.07), around(8, 0.22, 0.3, 0.08)), dot(0, 0, 0.07)),
    "phone": (frame(0.17, 0.31, 0.05), both(line(-0.04, -0.24, 0.04, -0.24, 0.03), dot(0, 0.23, 0.03))),
    "test": (ring(0, 0, 0.29, 0.05), both(line(-0.12, 0.01, -0.03, 0.1, 0.06), line(-0.03, 0.1, 0.14, -0.1, 0.06))),
    "indexers": (strokes(-0.18, 0.0, 0.18), both(dot(-0.25, -0.18, 0.04), dot(-0.25, 0, 0.04), dot(-0.25, 0.18, 0.04))),
    "player-file": (frame(0.32, 0.22, 0.05), PLAY),
    "settings": (
        both(*(line(-0.28, y, 0.28, y, 0.04) for y in (-0.18, 0.0, 0.18))),
        both(dot(0.12, -0.18, 0.07), dot(-0.14, 0, 0.07), dot(0.04, 0.18, 0.07)),
    ),
    "report": (frame(0.22, 0.3, 0.05), both(*(line(-0.1, y, 0.1, y, 0.04) for y in (-0.13, 0.0, 0.13)))),
}
# Small files: every install fetches them.
MENU_SIZE = 192


def menu_icon(light: Shape, accent: Shape) -> Callable[[int, int], Color]:
    pixel = 1 / MENU_SIZE

    def paint(x: int, y: int) -> Color:
        u, v = (x + 0.5) * pixel - 0.5, (y + 0.5) * pixel - 0.5
        ground = mix(mix(NIGHT, DEEP, 0.5), FOAM, 0.5 - light(u, v) / pixel)
        return mix(ground, TEAL, 0.5 - accent(u, v) / pixel)

    return paint


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
    for name, shapes in MENU.items():
        write_png("resources/menu/%s.png" % name, MENU_SIZE, MENU_SIZE, menu_icon(*shapes))
