"""A script that was started by its path restarts itself by the add-on's id."""

from __future__ import annotations

import itertools
from typing import List

from support import HostTest, world

from slipstream_host.plugin.script_restart import quote, restart_by_id


def kodi_splits(text: str) -> List[str]:
    """How Kodi takes a builtin's parameters apart: commas outside of quotes separate; a backslash escapes a quote or a
    backslash; the quotes around a parameter go."""
    found, current, quoted, position = [], "", False, 0
    while position < len(text):
        here = text[position]
        if here == "\\" and text[position + 1 : position + 2] in ('"', "\\"):
            current += text[position + 1]
            position += 2
            continue
        if here == '"':
            quoted = not quoted
        if here == "," and not quoted:
            found.append(current)
            current = ""
        else:
            current += here
        position += 1
    found.append(current)
    return [one[1:-1] if len(one) > 1 and one[0] == one[-1] == '"' else one for one in found]


class ScriptRestart(HostTest):
    def test_a_script_started_by_path_restarts_itself_by_id_and_does_nothing_else(self) -> None:
        world.in_add_on = False
        self.run_plugin("plays", ["addon.py", "meta_play", "title=Rock, Paper"])
        self.assertEqual(
            world.builtins, ['RunScript(plugin.video.slipstream,"meta_play","title=Rock, Paper")']
        )
        self.assertEqual(world.played, [])
        self.assertNotIn("setProperty", world.names())

    def test_a_script_started_by_path_without_arguments_restarts_itself(self) -> None:
        restart_by_id(["addon.py"])
        self.assertEqual(world.builtins, ["RunScript(plugin.video.slipstream)"])

    def test_a_restarted_script_gets_every_argument_unchanged(self) -> None:
        for pieces in itertools.product(["a", '"', "\\", ",", ")", "(", " "], repeat=4):
            argument = "".join(pieces)
            self.assertEqual(kodi_splits("id,%s,%s" % (quote(argument), quote("b"))), ["id", argument, "b"])

    def test_a_script_started_by_id_does_not_restart_itself(self) -> None:
        self.run_plugin("plays", ["addon.py", "meta_play"])
        self.assertEqual(world.builtins, [])
        self.assertEqual(len(world.played), 1)
