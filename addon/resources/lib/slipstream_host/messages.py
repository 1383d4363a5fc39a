"""What the host itself says to people. All else is said by the engine."""

NAME = "Slipstream"
OPENING = "Kodi opens the film."
STILL_STARTING = "Another film is still starting. Wait a moment, then try again."
BOX_OPEN = "Close the message about the failed playback first, then try again."
JUST_FAILED = "A playback has just failed. Wait a moment, then try again."
ENGINE_FAILED = "Slipstream stopped unexpectedly. Try again; Kodi's log says more."
SERVICE_FAILED = "Slipstream's background service keeps failing. It tries again in %d minutes; Kodi's log says more."
NO_ENGINE = "Slipstream is not complete. Install it again."

# Node.js: none that fits, or none that runs. Each with the way out.
WRONG_OVERRIDE = "%s names %s, which is no Node.js 20.19 or newer. Correct it, or remove it."
NO_RUNTIME = (
    "Slipstream cannot work without Node.js. Restart Kodi and open Slipstream, which then offers it again; or install "
    "Node.js 22 or newer, which needs no restart."
)
RUNTIME_NOT_INSTALLED = (
    "Kodi has not installed “Node.js for Slipstream”. See that this machine is online and that the Slipstream repository "
    "is installed. Then restart Kodi and open Slipstream, which offers it again."
)
# Kodi lists what other add-ons need under "Manage dependencies" alone.
RUNTIME_OFF = (
    "“Node.js for Slipstream” is switched off. Enable it under Settings → System → Add-ons → Manage dependencies."
)
RUNTIME_DAMAGED = (
    "“Node.js for Slipstream” is damaged: its files are not those that were published. Uninstall it under Settings → "
    "System → Add-ons → Manage dependencies, then open Slipstream, which offers it anew."
)
RUNTIME_OTHER_VERSION = "“Node.js for Slipstream” does not fit this Slipstream. Let Kodi update both."
RUNTIME_OTHER_MACHINE = (
    "“Node.js for Slipstream” is one for another kind of machine. Uninstall it under Settings → System → Add-ons → Manage "
    "dependencies, then open Slipstream, which offers the right one."
)
RUNTIME_FAILS = (
    "“Node.js for Slipstream” does not start on this machine; Kodi's log says why. Install Node.js 22 or newer "
    "yourself instead."
)
NOT_EXECUTABLE = (
    "This system lets no program run from Kodi's folders, %s among them (a “noexec” mount). Allow it there, or install "
    "Node.js 22 or newer elsewhere on this system."
)
NO_COPY = "“Node.js for Slipstream” cannot be copied to %s: %s. Make that folder writable for Kodi, then try again."
NO_SPACE = "Node.js for Slipstream needs %d MB, but only %d MB are free at %s. Make room there, then try again."

# Systems on which the runtime cannot run.
ANDROID = (
    "Android lets no add-on start a program of its own, which Slipstream needs. It runs in Kodi on LibreELEC or CoreELEC "
    "(64-bit), other Linux, Windows and macOS."
)
APPLE_TV = "iOS and tvOS let no add-on start a program of its own, which Slipstream needs. It runs in Kodi on macOS."
XBOX = (
    "This edition of Kodi, the one for the Xbox, may start no program of its own, which Slipstream needs. On a PC, install "
    "the desktop edition from kodi.tv instead."
)
WEBOS = "webOS lets no add-on start a program of its own, which Slipstream needs. Use Kodi on a box or a PC."
BITS_32 = (
    "This Kodi is a 32-bit program, whatever the kernel is; “Node.js for Slipstream” is a 64-bit one. Use your system's 64-bit "
    "edition (LibreELEC, CoreELEC and Windows have one), or install Node.js 22 or newer yourself."
)
APPLE_CHIP = (
    "There is no “Node.js for Slipstream” for Macs with an Apple chip, as no up-to-date one exists. Install Node.js 22 or "
    "newer (nodejs.org, or brew install node), which needs no restart."
)
OTHER_SYSTEM = (
    "There is no “Node.js for Slipstream” for this system (%s). Install Node.js 22 or newer yourself."
)
NO_LOADER = (
    "This system cannot run “Node.js for Slipstream”: it has no %s. Install Node.js 20.19 or newer from your system's "
    "packages."
)
MUSL = (
    "This system is built on musl, “Node.js for Slipstream” on glibc. Install Node.js 20.19 or newer from your system's "
    "packages (Alpine: apk add nodejs)."
)
OLD_GLIBC = (
    "This system is too old for “Node.js for Slipstream”: it has %s, and glibc %s is needed. Update the system, or install "
    "Node.js 20.19 or newer from its packages."
)
OLD_SYSTEM = (
    "This system's C library is too old for “Node.js for Slipstream”; Kodi's log says which it wants. Update the system, or "
    "install Node.js 20.19 or newer from its packages."
)
NO_LIBRARY = (
    "This system lacks %s, which “Node.js for Slipstream” needs. Install it, or Node.js 20.19 or newer, from your system's "
    "packages."
)

# The question before Kodi's own.
OFFER = (
    "Slipstream runs on Node.js, a free program that this system lacks, or has in too old a version. Shall Kodi install it as "
    "an add-on of its own? About %d MB are downloaded, and it takes %d MB of disk. Kodi then asks the same once more: "
    "choose Yes there."
)
OFFER_YES = "Install"
OFFER_NO = "Not now"
