"""Every wait of the host, in seconds unless a name says otherwise. Always read as timing.NAME: tests shorten them."""

# How long one wait in Kodi's waitForAbort lasts, and so how late the engine's end is noticed.
TICK = 0.1

# After abort: the engine cleans up, then SIGTERM, then SIGKILL. Together below the 3 s that docs/bridge.md promises;
# with THREAD_GRACE for threads and for windows below the 5 s after which Kodi kills a script.
ABORT_GRACE = 2.0
TERMINATE_GRACE = 0.4
KILL_GRACE = 0.3

# Between the end of the engine's process and the end of its pipes, in either order.
DRAIN = 1.0
# For our own threads to end, once the engine and its windows are gone.
THREAD_GRACE = 0.5
# How often Kodi is told to close a dialog of its own.
DIALOG_CLOSE = 0.1

# Kodi's dialog of our settings shows within that time, or not at all.
SETTINGS_OPEN = 3.0

# Between two questions to Kodi's GUI thread: by then it has most likely drawn the frame after the first answer.
GUI_FRAME = 0.03

# The engine's time to answer Back before the host closes the window and ends the engine.
BACK_GRACE = 1.0

# A held playback lock is renewed each LOCK_RENEWAL. LOCK_LEASE after the last renewal it expires: its holder was
# killed.
LOCK_LEASE = 5.0
LOCK_RENEWAL = 1.0

# A film that was handed over begins to open within OPENING_LEASE (Kodi gives up on an answer's head after 20 s). From
# then on its lock is renewed, because a slow source may take minutes, but for OPENING_LONGEST at most.
OPENING_LEASE = 25.0
OPENING_LONGEST = 180.0

# Kodi's failure box appears within BOX_APPEARS after a failed open; while it is up we look each BOX_POLL.
# A play within BOX_CLOSES after its end still met its closing animation, and aborted Kodi.
BOX_APPEARS = 1.5
BOX_CLOSES = 1.5
BOX_POLL = 0.25
BOX_LEASE = 3.0
# A failure box within OWN_BOX after we answered nothing, or after the proxy refused a stream, is about that failure. We
# look for it each OWN_BOX_POLL then: it is to be gone within 0.1 s.
OWN_BOX = 2.0
OWN_BOX_POLL = 0.02

# A deferred play waits so long until the service takes it: Kodi's GUI may hold up the service's main thread.
DEFERRED_PLAY_TAKEN = 10.0
# A deferred play that cannot start for so long is given up.
DEFERRED_PLAY_LONGEST = 60.0
# After each refusal a playlist calls for its next entry within this time; a later call is a person's.
DEFERRED_PLAY_APART = 1.0

# Calls of a playlist within this time after a refusal, the start of a slow box included, are the playlist's own.
PLAYLIST_REFUSAL = 15.0

# The service's engine is pinged each PING. Three unanswered pings in a row (3 s) mean that it hangs; a starting
# engine may need longer, because a slow box reads and compiles it first.
PING = 1.0
MISSED_PINGS = 3
MISSED_PINGS_AT_START = 15
# The pings carry Kodi's language, which is asked for this often.
LANGUAGE_CHECK = 5.0

# The pause before each restart of a crashed engine; after one crash more within RESTART_WINDOW, restarting is given up.
RESTART_WINDOW = 60.0
RESTART_PAUSES = (0.0, 1.0, 2.0, 4.0, 8.0)
# After giving up, the next engine starts after GIVE_UP_PAUSE, later each time, at the latest after GIVE_UP_LONGEST. An
# engine that ran for longer than that resets the pause.
GIVE_UP_PAUSE = 300.0
GIVE_UP_LONGEST = 3600.0

# How long one wait lasts when there is nothing to do but to tick.
IDLE = 60.0

# `node --version` on a slow box with a cold disk.
NODE_CHECK = 10.0

# How often a service without Node.js looks for one: a few file stamps, and one question to Kodi.
NODE_LOOK = 2.0

# Between the end of Kodi's installation and the moment when it knows the add-on.
RUNTIME_INSTALLED = 3.0
# How long Kodi does not know the runtime while it updates it: 0.8 s on a PC, but a slow box unpacks 120 MB.
RUNTIME_UPDATE = 30.0
