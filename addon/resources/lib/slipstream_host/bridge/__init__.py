"""JSON-RPC between host and engine (docs/bridge.md)."""
