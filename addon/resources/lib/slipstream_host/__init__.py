"""The host: the part of the add-on that Kodi itself can run.

It starts the engine, offers it Kodi's API, and keeps the promises that must hold even when the engine dies. See
docs/bridge.md.

plugin_entry   addon.py's entry: answers a play that must be refused before it imports anything slow
plugin/        the process of one plugin:// call or RunScript
service/       the process that runs for as long as Kodi does
engine/        the engine's process: how it is started, read, written to and ended
bridge/        JSON-RPC between host and engine
kodi/          Kodi's API, as methods that the engine may call and as functions of the host's own
windows/       the windows that the engine opens
runtime/       the Node.js that the engine runs on: found, checked, installed

Each folder uses only those below it; test/python/test_source_files.py holds them to that."""

ADDON_ID = "plugin.video.slipstream"
