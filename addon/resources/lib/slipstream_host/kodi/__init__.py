"""Kodi's API: methods that the engine may call, a module for each group (docs/bridge.md), and what the host itself
uses."""
