"""The face of Kodi that the engine may use: a module for each group of methods (docs/bridge.md)."""
