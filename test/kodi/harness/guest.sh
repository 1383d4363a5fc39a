#!/bin/sh
# PID 1 of a Kodi's namespace: a screen, a sound card, Kodi. Tells the harness on stdout what it started ("own PID ...",
# "display :N", "kodi PID") and how Kodi ended ("exit STATUS"), then stays until stdin ends, so that the harness can see
# what Kodi left behind. When it goes, everything in the namespace goes.
#   guest.sh PROFILE SIZE [ADDON-ID ...]
profile=$1 size=$2
shift 2
export HOME="$profile" XDG_RUNTIME_DIR=/run/xdg LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER=llvmpipe
# Xvfb has no vertical sync, so Kodi draws as fast as it can while video plays: one raster thread bounds that to a core.
export LP_NUM_THREADS="${LP_NUM_THREADS:-1}"
mkdir -m 700 "$XDG_RUNTIME_DIR"
cd "$profile" || exit 1

# An add-on that is new to Kodi's database would be registered as disabled, and Kodi would open a modal question.
[ $# -eq 0 ] || python3 - "$profile/.kodi/userdata/Database/Addons33.db" "$@" <<'PYTHON' || exit 1
import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
rows = [(addon,) for addon in sys.argv[2:]]
database.executemany("delete from installed where addonID = ?", rows)
database.executemany("insert into installed(addonID, enabled, installDate) values(?, 1, '2020-01-01 00:00:00')", rows)
database.commit()
PYTHON

# Xvfb picks a free display number by itself; it is reached over the abstract socket, which the host's network shares.
Xvfb -displayfd 3 -screen 0 "${size}x24" -nolisten tcp -noreset -ac 3>/run/display >xvfb.log 2>&1 &
screen=$!
# A sink that plays in real time into nothing: without any, Kodi looks for one for 6 s and video stands still.
pulseaudio -n --daemonize=no --exit-idle-time=-1 --use-pid-file=no -L 'module-null-sink sink_name=null' \
  -L 'module-native-protocol-unix socket=/run/xdg/pulse.sock auth-anonymous=1' >pulse.log 2>&1 &
sound=$!
tries=0
until [ -s /run/display ] && [ -S /run/xdg/pulse.sock ]; do
  tries=$((tries + 1))
  [ "$tries" -lt 400 ] || { echo 'the screen or the sound card did not come up' >&2; exit 1; }
  sleep 0.05
done
DISPLAY=:$(cat /run/display) PULSE_SERVER=unix:/run/xdg/pulse.sock
export DISPLAY PULSE_SERVER
echo "own $$ $screen $sound"
echo "display $DISPLAY"

/usr/lib/*/kodi/kodi.bin --standalone --windowing=x11 --audio-backend=pulseaudio >kodi.out 2>&1 </dev/null &
kodi=$!
echo "kodi $kodi"
wait "$kodi"
echo "exit $?"
read -r _
