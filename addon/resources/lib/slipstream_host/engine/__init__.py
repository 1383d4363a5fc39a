"""The engine's process, as the host starts it and ends it."""
