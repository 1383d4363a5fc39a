"""What the host itself says to people. All else is said by the engine."""

NAME = "Slipstream"
STILL_STARTING = "Another film is still starting. Wait a moment, then try again."
BOX_OPEN = "Close the message about the failed playback first, then try again."
ENGINE_FAILED = "Slipstream stopped unexpectedly. Try again; Kodi's log says more."
SERVICE_FAILED = "Slipstream's background service keeps failing. Restart Kodi; its log says more."
NO_NODE = "Node.js 20 or newer was not found. Install it, then restart Kodi."
NO_ENGINE = "Slipstream is not complete. Install it again."
