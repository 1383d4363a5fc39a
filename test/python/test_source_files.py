"""The add-on's files: Python 3.8 syntax, imports between the host's folders, addon.xml, the player file."""

from __future__ import annotations

import ast
import json
import os
import re
import unittest
import xml.etree.ElementTree as ElementTree
from typing import Dict, Iterator, Set

from support import ADD_ON

KEYS = (
    "type title englishtitle originaltitle showname year showyear season episode premiered plot poster fanart thumb "
    "imdb tmdb tvdb eptmdb epimdb eptvdb"
).split()

HOST = os.path.join(ADD_ON, "resources", "lib", "slipstream_host")


def python_files() -> Iterator[str]:
    for folder, _, names in os.walk(ADD_ON):
        for name in names:
            if name.endswith(".py"):
                yield os.path.join(folder, name)


# What came with 3.9 and later, by the name under which it is used.
NEW_MODULES = ("zoneinfo", "graphlib", "tomllib")
NEW_NAMES = {"functools": ("cache",), "math": ("lcm", "nextafter", "ulp"), "itertools": ("pairwise", "batched")}
NEW_METHODS = (
    "removeprefix", "removesuffix", "is_relative_to", "with_stem", "readlink", "hardlink_to", "randbytes", "to_thread",
    "waitstatus_to_exitcode", "bit_count",
)
TYPES = ("str", "int", "float", "bool", "bytes", "list", "dict", "set", "tuple", "type", "frozenset")


def is_type(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id in TYPES


def too_new(tree: ast.AST) -> Iterator[str]:
    """What Python 3.8 does not have, outside of annotations, which it does not look at."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(tree, (ast.arg, ast.AnnAssign)) and node is tree.annotation:
            continue
        if isinstance(tree, (ast.FunctionDef, ast.AsyncFunctionDef)) and node is tree.returns:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.partition(".")[0] in NEW_MODULES)
        elif isinstance(node, ast.ImportFrom):
            if node.module in NEW_MODULES:
                yield node.module
            yield from (alias.name for alias in node.names if alias.name in NEW_NAMES.get(node.module or "", ()))
        elif isinstance(node, ast.Attribute):
            owner = node.value.id if isinstance(node.value, ast.Name) else ""
            if node.attr in NEW_METHODS or node.attr in NEW_NAMES.get(owner, ()):
                yield node.attr
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr) and (is_type(node.left) or is_type(node.right)):
            yield "a union of types"
        elif isinstance(node, ast.Subscript) and is_type(node.value):
            yield "a type with parameters"
        yield from too_new(node)


class SourceFiles(unittest.TestCase):
    def test_source_files_parse_as_python_3_8(self) -> None:
        found = list(python_files())
        self.assertGreater(len(found), 20)
        for path in found:
            with open(path, encoding="utf-8") as file:
                ast.parse(file.read(), path, feature_version=(3, 8))

    def test_source_files_use_nothing_that_python_3_8_lacks(self) -> None:
        # Their syntax is old, but they would fail on 3.8 as soon as they ran.
        for path in python_files():
            with open(path, encoding="utf-8") as file:
                self.assertEqual(list(too_new(ast.parse(file.read(), path))), [], path)

    def test_the_check_finds_what_python_3_8_lacks(self) -> None:
        for code in (
            "import zoneinfo", "from graphlib import TopologicalSorter", "from functools import cache", "x.removeprefix('a')",
            "functools.cache(f)", "path.is_relative_to(p)", "x = str | None", "isinstance(x, int | str)", "Alias = list[int]",
        ):
            self.assertNotEqual(list(too_new(ast.parse(code))), [], code)
        for code in ("def f(a: int | None) -> list[int]: ...", "x: dict[str, int] = {}", "x = a | b", "y = x[0]"):
            self.assertEqual(list(too_new(ast.parse(code))), [], code)

    def test_addon_xml_names_files_that_exist(self) -> None:
        root = ElementTree.parse(os.path.join(ADD_ON, "addon.xml")).getroot()
        self.assertEqual(root.get("id"), "plugin.video.slipstream")
        named = [extension.get("library") for extension in root.iter("extension")]
        named += [asset.text for asset in root.iter("icon")] + [asset.text for asset in root.iter("fanart")]
        for name in named:
            if name:
                self.assertTrue(os.path.isfile(os.path.join(ADD_ON, name)), name)


# The host's folders and single modules, each with those that it may import besides itself and the single modules below.
LEAVES = {"errors", "log", "messages", "operating_system", "shared_properties", "timing"}
MAY_IMPORT: Dict[str, Set[str]] = {
    "bridge": set(),
    "kodi": {"bridge"},
    "windows": {"bridge", "kodi"},
    "runtime": {"kodi"},
    "engine": {"bridge", "kodi", "runtime"},
    "playback_lock": set(),
    "plugin": {"bridge", "kodi", "windows", "runtime", "engine", "playback_lock"},
    "service": {"bridge", "kodi", "windows", "runtime", "engine", "playback_lock"},
    "plugin_entry": {"playback_lock", "plugin"},
}


class Imports(unittest.TestCase):
    def test_each_folder_of_the_host_imports_only_those_below_it(self) -> None:
        seen: Set[str] = set()
        for path in python_files():
            parts = os.path.relpath(path, HOST)[: -len(".py")].split(os.sep)
            if parts[0] in (os.pardir, "__init__"):
                continue
            room = parts[0]
            seen.add(room)
            with open(path, encoding="utf-8") as file:
                tree = ast.parse(file.read(), path)
            allowed = LEAVES | MAY_IMPORT.get(room, set()) | {room}
            self.assertEqual(imported_rooms(tree, len(parts) - 1) - allowed, set(), path)
        self.assertEqual(seen, LEAVES | set(MAY_IMPORT))


def imported_rooms(tree: ast.AST, depth: int) -> Set[str]:
    """The folders and single modules of the host that a module imports; `depth`: how many folders it is in."""
    rooms: Set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level == depth + 1:
            names = [node.module] if node.module else [alias.name for alias in node.names if alias.name != "ADDON_ID"]
            rooms.update(name.partition(".")[0] for name in names)
    return rooms


class PlayerFile(unittest.TestCase):
    def setUp(self) -> None:
        path = os.path.join(ADD_ON, "resources", "players", "plugin.video.slipstream.json")
        with open(path, encoding="utf-8") as file:
            self.player = json.load(file)

    def arguments(self, action: str) -> dict[str, str]:
        match = re.match(r"^executebuiltin://RunScript\(plugin\.video\.slipstream,meta_play,(.*)\)$", self.player[action])
        assert match
        return dict(pair.split("=", 1) for pair in match.group(1).split(","))

    def test_the_player_file_passes_the_known_keys_and_no_others(self) -> None:
        movie, episode = self.arguments("play_movie"), self.arguments("play_episode")
        self.assertEqual(set(movie) | set(episode), set(KEYS))
        self.assertEqual((movie["type"], episode["type"]), ("movie", "episode"))

    def test_the_player_file_encodes_every_text_because_commas_split_arguments(self) -> None:
        texts = ("title", "originaltitle", "showname", "plot", "poster", "fanart")
        # Those that TMDbHelper names otherwise than we do.
        english = {"play_movie": "{en_title_url}", "play_episode": "{en_showname_url}"}
        for action in ("play_movie", "play_episode"):
            placeholders = {"thumb": "{thumbnail_url}", "englishtitle": english[action]}
            for key, value in self.arguments(action).items():
                if key in placeholders:
                    self.assertEqual(value, placeholders[key])
                elif key in texts:
                    self.assertEqual(value, "{%s_url}" % key)
                elif key != "type":
                    self.assertEqual(value, "{%s}" % key)
