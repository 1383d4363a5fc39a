"""The host: what Kodi itself can run. It starts the engine, lends it Kodi's API, and keeps the promises that must
hold even when the engine dies. See docs/bridge.md."""

ADDON_ID = "plugin.video.slipstream"
