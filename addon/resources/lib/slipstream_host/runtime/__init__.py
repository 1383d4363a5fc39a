"""The Node.js that the engine runs on: the system's own, or the one of the runtime add-on
script.module.slipstream.node."""
