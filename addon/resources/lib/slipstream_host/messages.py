"""What the host itself says to people. All else is said by the engine."""

NAME = "Slipstream"
STILL_STARTING = "Another film is still starting. Wait a moment, then try again."
BOX_OPEN = "Close the message about the failed playback first, then try again."
ENGINE_FAILED = "Slipstream stopped unexpectedly. Try again; Kodi's log says more."
SERVICE_FAILED = "Slipstream's background service keeps failing. Restart Kodi; its log says more."
NO_ENGINE = "Slipstream is not complete. Install it again."

# Node.js: none that fits, or none that runs. Each with the way out.
WRONG_OVERRIDE = "%s names %s, which is no Node.js 20.3 or newer. Correct it, or remove it."
NO_RUNTIME = (
    "Slipstream cannot work without its runtime. Install “Slipstream runtime” under Add-ons → Install from repository → "
    "Slipstream, or Node.js 20.3 or newer. Both are noticed without a restart."
)
SERVICE_NO_RUNTIME = "Slipstream lacks its runtime. Open Slipstream: it offers to install it."
RUNTIME_OFF = (
    "Slipstream's runtime is switched off. Enable “Slipstream runtime” under Settings → Add-ons → My add-ons → Disabled."
)
RUNTIME_NOT_INSTALLED = (
    "Kodi has not installed Slipstream's runtime. See that this machine is online and that Slipstream's repository is "
    "installed. Then install “Slipstream runtime” under Add-ons → Install from repository → Slipstream."
)
RUNTIME_DAMAGED = (
    "Slipstream's runtime is damaged: its files are not those that were published. Uninstall “Slipstream runtime”, "
    "then open Slipstream: it offers to install it anew."
)
RUNTIME_OTHER_VERSION = "Slipstream's runtime does not fit this Slipstream. Update both in Kodi."
RUNTIME_OTHER_MACHINE = (
    "Slipstream's runtime is one for another kind of machine. Uninstall “Slipstream runtime”, then open Slipstream: "
    "it offers to install the right one."
)
RUNTIME_FAILS = (
    "Slipstream's runtime does not start on this machine; Kodi's log says why. Install Node.js 20.3 or newer from your "
    "system's packages instead."
)
NOT_EXECUTABLE = (
    "This system lets no program run from Kodi's folders, %s among them (a “noexec” mount). Allow it there, or install "
    "Node.js 20.3 or newer from your system's packages."
)
NO_COPY = "Slipstream's runtime cannot be copied to %s: %s. Make that folder writable for Kodi, then try again."
NO_SPACE = "Slipstream's runtime needs %d MB, but only %d MB are free at %s. Make room there, then try again."

# Systems on which the runtime cannot run.
ANDROID = (
    "Android lets no add-on start a program of its own, which Slipstream needs. It runs in Kodi on LibreELEC or CoreELEC "
    "(64-bit), other Linux, Windows and macOS."
)
APPLE_TV = "iOS and tvOS let no add-on start a program of its own, which Slipstream needs. It runs in Kodi on macOS."
XBOX = (
    "Kodi from Microsoft's store, as on the Xbox, may not start programs, which Slipstream needs. On a PC, install Kodi "
    "from kodi.tv instead."
)
WEBOS = "webOS lets no add-on start a program of its own, which Slipstream needs. Use Kodi on a box or a PC."
BITS_32 = (
    "This Kodi is a 32-bit program, whatever the kernel is; Slipstream's runtime is a 64-bit one. Use your system's 64-bit "
    "edition (LibreELEC, CoreELEC and Windows have one), or install Node.js 20.3 or newer from your system's packages."
)
OTHER_SYSTEM = (
    "There is no runtime of Slipstream's for this system (%s). Install Node.js 20.3 or newer from your system's packages."
)
NO_LOADER = (
    "This system cannot run Slipstream's runtime: it has no %s. Install Node.js 20.3 or newer from your system's packages."
)
MUSL = (
    "This system is built on musl, Slipstream's runtime on glibc. Install Node.js 20.3 or newer from your system's "
    "packages (Alpine: apk add nodejs)."
)
OLD_GLIBC = (
    "This system is too old for Slipstream's runtime: it has %s, and glibc %s is needed. Update the system, or install "
    "Node.js 20.3 or newer from its packages."
)
OLD_SYSTEM = (
    "This system's C library is too old for Slipstream's runtime; Kodi's log says which it wants. Update the system, or "
    "install Node.js 20.3 or newer from its packages."
)
NO_LIBRARY = (
    "This system lacks %s, which Slipstream's runtime needs. Install it, or Node.js 20.3 or newer, from your system's "
    "packages."
)

# The question before Kodi's own.
OFFER = (
    "Slipstream runs on Node.js, which this system does not have. Shall Kodi install it as an add-on of its own? "
    "About %d MB are downloaded, and it takes %d MB of disk. Kodi asks once more."
)
OFFER_YES = "Install"
OFFER_NO = "Not now"
