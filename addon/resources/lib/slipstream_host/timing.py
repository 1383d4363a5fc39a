"""Every wait of the host, in seconds unless a name says otherwise. Always read as timing.NAME: tests shorten them."""

# How long one look at Kodi's abort lasts; bounds how late the engine's end is noticed.
TICK = 0.1

# After abort: the engine cleans up, then SIGTERM, then SIGKILL. Together below the 3 s that are promised; with the
# rest of our end (THREAD_GRACE for threads and for windows) below the 5 s after which Kodi kills a script.
ABORT_GRACE = 2.0
TERMINATE_GRACE = 0.4
KILL_GRACE = 0.3

# Between the end of the engine's process and the end of its pipes, in either order.
DRAIN = 1.0
# For our own threads, once the engine and its windows are gone.
THREAD_GRACE = 0.5
# How often a dialog of Kodi's that should go is told so.
DIALOG_CLOSE = 0.1

# Our settings show within that time, or not at all.
SETTINGS_OPEN = 3.0

# By then Kodi's GUI thread is most likely behind the queue in which it has answered a question, and draws its frame.
QUEUE = 0.03

# The engine's time to answer Back before the host closes the window and ends the engine.
BACK_GRACE = 1.0

# A guard is renewed each GUARD_RENEW and goes stale GUARD_LEASE after the last time: its holder was killed.
GUARD_LEASE = 5.0
GUARD_RENEW = 1.0

# A film that was handed over begins to open within OPENING_LEASE (Kodi gives up on an answer's head after 20 s). From
# then on its guard is renewed, because a slow source may take minutes, but for OPENING_LONGEST at most.
OPENING_LEASE = 25.0
OPENING_LONGEST = 180.0

# Kodi's failure box appears within BOX_APPEARS after a failed open; while it is up we look each BOX_POLL.
# A play within BOX_CLOSES after its end still met its closing animation, and aborted Kodi.
BOX_APPEARS = 1.5
BOX_CLOSES = 1.5
BOX_POLL = 0.25
BOX_LEASE = 3.0
# Within BOX_OURS after an answer of ours that was none, or after a stream that the proxy refused, the box is about that.
# We look for it each BOX_LOOK then: it is to be gone within 0.1 s.
BOX_OURS = 2.0
BOX_LOOK = 0.02

# A play that was put off waits so long for the service, whose main thread the GUI may hold up.
PUT_OFF = 10.0
# It is given up after AGAIN_LONGEST. Within AGAIN_APART after each refusal a playlist calls for its next film; what was
# chosen is the first.
AGAIN_LONGEST = 60.0
AGAIN_APART = 1.0

# What a playlist calls for within PASSED_OVER after a refusal, the start of a slow box included, it calls for by itself.
PASSED_OVER = 15.0

# The service's engine is pinged each PING. Three unanswered pings in a row (3 s) mean that it hangs; a starting
# engine may need longer, because a slow box reads and compiles it first.
PING = 1.0
MISSED_PINGS = 3
MISSED_PINGS_AT_START = 15

# The pause before each replacement within LOSS_WINDOW; one loss more, and replacing is given up.
LOSS_WINDOW = 60.0
LOSS_PAUSES = (0.0, 1.0, 2.0, 4.0, 8.0)
# A service that was given up is tried again after RETRY, later each time, at the latest after RETRY_LATEST. One that ran
# for longer than that counts as well.
RETRY = 300.0
RETRY_LATEST = 3600.0

# How long one wait lasts when there is nothing to do but to tick.
IDLE = 60.0

# `node --version` on a slow box with a cold disk.
NODE_PROOF = 10.0

# How often a service without Node.js looks whether there is one now: a few file stamps, and one question to Kodi.
NODE_LOOK = 2.0

# Between the end of Kodi's installation and the moment when it knows the add-on.
RUNTIME_COMES = 3.0
# How long Kodi does not know the runtime while it updates it: 0.8 s on a PC, but a slow box unpacks 120 MB.
RUNTIME_UPDATE = 30.0
