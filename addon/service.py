"""Kodi starts this file with itself and keeps it running."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "resources", "lib"))

from slipstream_host.service.service_process import ServiceProcess  # noqa: E402

ServiceProcess().run()
