"""What Kodi and TMDbHelper read: syntax for Python 3.8, addon.xml, the player file."""

from __future__ import annotations

import ast
import json
import os
import re
import unittest
import xml.etree.ElementTree as ElementTree
from typing import Iterator

from support import ADD_ON

KEYS = (
    "type title originaltitle showname year showyear season episode premiered plot poster fanart "
    "imdb tmdb tvdb eptmdb epimdb eptvdb"
).split()


def python_files() -> Iterator[str]:
    for folder, _, names in os.walk(ADD_ON):
        for name in names:
            if name.endswith(".py"):
                yield os.path.join(folder, name)


class TheFiles(unittest.TestCase):
    def test_are_python_3_8(self) -> None:
        found = list(python_files())
        self.assertGreater(len(found), 20)
        for path in found:
            with open(path, encoding="utf-8") as file:
                ast.parse(file.read(), path, feature_version=(3, 8))

    def test_name_what_exists(self) -> None:
        root = ElementTree.parse(os.path.join(ADD_ON, "addon.xml")).getroot()
        self.assertEqual(root.get("id"), "plugin.video.slipstream")
        named = [extension.get("library") for extension in root.iter("extension")]
        named += [asset.text for asset in root.iter("icon")] + [asset.text for asset in root.iter("fanart")]
        for name in named:
            if name:
                self.assertTrue(os.path.isfile(os.path.join(ADD_ON, name)), name)


class ThePlayerFile(unittest.TestCase):
    def setUp(self) -> None:
        path = os.path.join(ADD_ON, "resources", "players", "plugin.video.slipstream.json")
        with open(path, encoding="utf-8") as file:
            self.player = json.load(file)

    def arguments(self, action: str) -> dict[str, str]:
        match = re.match(r"^executebuiltin://RunScript\(plugin\.video\.slipstream,meta_play,(.*)\)$", self.player[action])
        assert match
        return dict(pair.split("=", 1) for pair in match.group(1).split(","))

    def test_passes_the_known_keys_and_no_others(self) -> None:
        movie, episode = self.arguments("play_movie"), self.arguments("play_episode")
        self.assertEqual(set(movie) | set(episode), set(KEYS))
        self.assertEqual((movie["type"], episode["type"]), ("movie", "episode"))

    def test_encodes_every_text_because_commas_split_arguments(self) -> None:
        texts = ("title", "originaltitle", "showname", "plot", "poster", "fanart")
        for action in ("play_movie", "play_episode"):
            for key, value in self.arguments(action).items():
                if key in texts:
                    self.assertEqual(value, "{%s_url}" % key)
                elif key != "type":
                    self.assertEqual(value, "{%s}" % key)
