"""Kodi starts this file anew for each action: a plugin:// call or a RunScript."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "resources", "lib"))

from slipstream_host.plugin_entry import enter  # noqa: E402

enter(sys.argv)
