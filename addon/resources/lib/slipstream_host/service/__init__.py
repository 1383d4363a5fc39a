"""The service process: Kodi starts it with itself and keeps it running."""
