"""The plugin process: Kodi starts one for each plugin:// call and each RunScript."""
