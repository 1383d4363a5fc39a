"""The windows that the engine opens: window.open, window.update and window.close (docs/bridge.md)."""
