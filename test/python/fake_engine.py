"""Engines that do one thing each, good or bad. SLIPSTREAM_TEST_SCENARIO names it."""

import json
import os
import signal
import socket
import sys
import time

from talk import Host, die

ITEM = {
    "url": "http://127.0.0.1:1/stream/s/Sintel.mkv",
    "mime": "video/x-matroska",
    "label": "Sintel",
    "info": {"mediatype": "movie", "title": "Sintel", "year": 2010, "plot": "A girl and her dragon"},
    "art": {"poster": "http://images.invalid/p.jpg"},
    "ids": {"imdb": "tt1727587"},
    "properties": {"original_listitem_url": "plugin://plugin.video.slipstream/play"},
}
host = Host()


def window(name="w", **more):
    return dict({"window": name, "xml": "slipstream-picker.xml", "properties": {}, "lists": {}, "focus": None}, **more)


FILM = dict(
    ITEM,
    info={"mediatype": "episode", "title": "Gran Dillama", "duration": 150},
    ids={"tvshow.imdb": "tt0000012", "tvdb": "5", "tmdb": "567"},
    subtitles=["http://127.0.0.1:1/stream/s/sub/0/Sintel.srt"],
    startAt=62,
)

# Good ones


def resolves_at_a_position():
    host.call("resolve", item=FILM)


def plays_without_a_type():
    host.call("play", item={"url": "smb://nas/films/Sintel.mkv"})


def resolves():
    host.call("resolve", item=ITEM)


def resolves_and_lingers():
    resolves()
    host.tell("resolved")
    host.tell("lingered")


def resolves_nothing():
    host.call("resolve", item=None)


def resolves_nothing_and_lingers():
    host.call("resolve", item=None)
    host.tell("answered")
    host.tell("cleaned_up")


def ends_the_playlist():
    host.call("resolve", item=None, endPlaylist=True)


def looks_at_the_playlist():
    answers = [host.call("playlist.state")["result"]]
    answers.append(host.call("playlist.entries")["result"])
    answers.append(host.call("strings.get", ids=[12021, 12022])["result"])
    host.tell("answers", json.dumps(answers))


def prepends_to_the_playlist():
    host.call("playlist.prepend", entries=[{"file": name, "label": name} for name in ("one", "two")])
    host.call("resolve", item=None)


def resolves_twice():
    host.call("resolve", item=ITEM)
    host.tell("second", host.call("resolve", item=ITEM)["error"]["code"])


def shows_a_menu():
    row = {"label": "Search", "help": "Finds a film", "icon": "/icons/search.png", "url": "plugin://plugin.video.slipstream/search"}
    host.call("menu.show", rows=[row])
    host.tell("second", host.call("resolve", item=None)["error"]["code"])


def shows_a_refused_menu():
    host.tell("error", host.call("menu.show", rows=[])["error"]["code"])


def plays_twice():
    host.call("play", item=ITEM)
    host.tell("played")
    host.tell("second", host.call("play", item=ITEM)["error"]["code"])


def plays():
    host.call("play", item=ITEM)


def shows_start():
    start = host.wait_for("start")["params"]
    start["environment"] = {
        name: os.environ.get(name) for name in ("NODE_OPTIONS", "NODE_COMPILE_CACHE", "SLIPSTREAM_TEST_HEAP")
    }
    start["mode"] = sys.argv[1]
    host.tell("start", json.dumps(start))


def reads_settings():
    host.tell("settings", json.dumps(host.call("settings.read", ids=["a", "b"])["result"]))
    host.call("notify", heading="Sintel", message="not found", milliseconds=3000, icon="warning")


def changes_settings():
    answers = [
        host.call("settings.write", values={"a": "new", "b": "true"})["result"],
        host.call("settings.write", values={"a": "newer", "c": "x"})["error"]["code"],
        host.call("settings.open", page="second")["result"],
        host.call("settings.open", page="third")["result"],
    ]
    host.tell("answers", json.dumps(answers))


def looks_for_add_ons():
    names = ("plugin.video.example", "plugin.video.absent")
    host.tell("installed", json.dumps([host.call("addons.installed", id=name)["result"] for name in names]))


def reads_labels():
    host.tell("shown", json.dumps(host.call("labels.get", names=["ListItem.Title", "ListItem.UniqueID(tmdb)"])["result"]))
    foreign = ("ListItem.Path", "Skin.String(x)", "ListItem.UniqueID(tmdb) $INFO[x]", 7)
    host.tell("codes", json.dumps([host.call("labels.get", names=[name])["error"]["code"] for name in foreign]))


def uses_files():
    """Under the folder that SLIPSTREAM_TEST_FOLDER names: lists it, reads in it, and asks for what it may not."""
    folder = os.environ["SLIPSTREAM_TEST_FOLDER"]
    film = folder + "/Sintel.mkv"
    reads = [("Sintel.mkv", 5, 3), ("Sintel.mkv", 2, 99), ("Sintel.mkv", 999, 4), ("empty.mkv", 0, 4), ("absent.mkv", 0, 4)]
    wrong = [(film, -1, 4), (film, 0, 0), (film, 0, 1024 * 1024 + 1), (film, 2**53, 1), (7, 0, 4)]

    def read(path, start, length):
        return host.call("files.read", path=path, length=length, **{"from": start})

    answers = {
        "listed": sorted(host.call("files.list", folder=folder)["result"], key=lambda entry: entry["name"]),
        "slashed": len(host.call("files.list", folder=folder + "/")["result"]),
        "nothing": [host.call("files.list", folder=folder + "/" + name)["result"] for name in ("Subs", "absent", "Sintel.mkv")],
        "many": host.call("files.list", folder=folder + "/../many")["error"]["message"],
        "read": [read(folder + "/" + name, start, length)["result"] for name, start, length in reads],
        "refused": [read(*about)["error"]["code"] for about in wrong],
    }
    host.tell("answers", json.dumps(answers))


def waits_for_a_server():
    """A call that blocks does not hold up the next one."""
    listing = host.ask("files.list", folder="smb://nas/films")
    host.tell("asked", host.call("property.get", name="slipstream.item")["result"])
    host.tell("nothing", json.dumps(host.answer(listing)["result"]))


def service_uses_files():
    serve()
    uses_files()
    host.wait_for("abort")


def makes_mistakes():
    codes = [
        host.call("no.such.method")["error"]["code"],
        host.call("property.get", name=7)["error"]["code"],
        host.call("notify", heading="", message="", milliseconds=True, icon="info")["error"]["code"],
        host.call("window.open", **window(xml="../../secret.xml"))["error"]["code"],
        host.call("play", item=ITEM)["error"]["code"],
    ]
    host.tell("codes", json.dumps(codes))


def waits_then_done():
    host.tell("ready")
    host.wait_for("go")


def cleans_up():
    host.tell("ready")
    host.wait_for("abort")
    host.tell("aborted")


# Bad ones


def exits_silently():
    pass


def fails():
    sys.exit(3)


def killed():
    host.tell("ready")
    die()


def answers_and_dies():
    # The pipe is full of what the host must read first.
    host.write(b"n\n" * 30000)
    host.ask("resolve", item=ITEM)
    die()


def hangs():
    host.tell("ready")
    while True:
        time.sleep(60)


def leaves_on_sigterm():
    def leave(*_):
        host.ask("property.set", name="test.terminated", value="x")
        sys.exit(0)

    signal.signal(signal.SIGTERM, leave)
    hangs()


def ignores_abort():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    hangs()


def garbage():
    host.write(b"Debugger attached.\n\xff\xfe\x00\n[1,2]\n{\"jsonrpc\":\n" + b"[" * 100000 + b"\n42\n")
    host.write(b'{"jsonrpc":"2.0","id":[1],"method":7}\n{"id":99,"result":1}\n{"method":"resolve","params":[]}\n')
    host.tell("still", "here")


def floods_without_end():
    while True:
        host.write(b"x" * 65536)


def floods_garbage_then_resolves():
    host.write(b"noise\n" * 20000)
    resolves()


def floods_log():
    sys.stderr.write("warning: " + "y" * 100000 + "\n")
    for number in range(2000):
        sys.stderr.write("debug: line %d\n" % number)
    sys.stderr.write("no level here\n")
    sys.stderr.flush()
    resolves()


def never_reads():
    while True:
        host.ask("property.get", name="z" * 100)


def closes_its_end():
    host.tell("ready")
    os.close(1)
    time.sleep(60)


def bad_item():
    host.tell("error", host.call("resolve", item={"url": 7})["error"]["code"])


# Windows


def shows_window():
    rows = [{"id": str(n), "label": "Sintel.2010.1080p", "properties": {"rejection": ""}} for n in range(3)]
    host.call("window.open", **window(properties={"title": "Sintel"}, lists={"50": rows}, focus=50))
    host.call("window.update", window="w", percents={"20": 40}, properties={"detail": "27 releases"})
    host.tell("shown")
    host.tell("event", json.dumps(host.wait_for("window.event")["params"]))
    host.call("window.close", window="w")
    host.tell("closed", json.dumps(host.wait_for("window.event")["params"]))
    host.tell("late", json.dumps(host.call("window.update", window="w", percents={"20": 41})["result"]))
    host.call("window.close", window="w")


def opens_list_at_a_row():
    rows = [listed("%d" % n) for n in range(30)]
    host.call("window.open", **window(lists={"50": rows}, selected={"50": "12"}))
    host.tell("shown")
    host.call("window.close", window="w")


def changes_list():
    """From rows 0, 2, 4 … 58 to all of 0 … 59, then what "w" shall show."""
    even = ["%d" % n for n in range(0, 60, 2)]
    host.call("window.open", **window(lists={"50": [listed(name) for name in even]}, focus=50))
    host.tell("shown")
    rows = [listed("%d" % n) if n % 2 else {"id": "%d" % n} for n in range(60)]
    host.call("window.update", window="w", lists={"50": rows})
    host.tell("grown")
    host.call("window.update", window="w", lists={"50": [{"id": "7"}, {"id": "9"}]})
    host.tell("shrunk")
    host.tell("unknown", host.call("window.update", window="w", lists={"50": [{"id": "8"}]})["error"]["code"])
    host.call("window.close", window="w")


def listed(name):
    return {"id": name, "label": "Sintel." + name, "properties": {"size": name + " GB"}}


def asks_with_kodis_dialogs():
    rows = [{"label": "Sintel.2010.1080p", "label2": "2.1 GB"}, {"label": "Sintel.2010.720p", "label2": ""}]
    selecting = host.ask("dialog.select", heading="Sintel (2010)", rows=rows)
    host.tell("second", host.call("dialog.input", heading="too early", value="")["error"]["code"])
    host.tell("selected", json.dumps(host.answer(selecting)["result"]))
    writing = host.call("dialog.input", heading="A key", value="old", hidden=True)
    host.tell("written", json.dumps(writing["result"]))
    confirming = {"heading": "A test", "text": "Does it play?", "yes": "It plays", "no": "It does not"}
    host.tell("confirmed", json.dumps([host.call("dialog.confirm", **confirming)["result"] for _ in range(3)]))
    host.tell("read", json.dumps(host.call("dialog.text", heading="A report", text="All is well")["result"]))


def asks_with_kodis_menu():
    host.tell("chosen", json.dumps(host.call("dialog.menu", rows=["Resume from 12:34", "Play from beginning"])["result"]))


def closes_kodis_dialog():
    selecting = host.ask("dialog.select", heading="Sintel (2010)", rows=[])
    host.tell("asked")
    host.call("dialog.close")
    host.tell("selected", json.dumps(host.answer(selecting)["result"]))
    writing = host.ask("dialog.input", heading="A title", value="")
    host.tell("asked")
    host.call("dialog.close")
    host.tell("written", json.dumps(host.answer(writing)["result"]))


def asks_until_aborted():
    host.ask("dialog.select", heading="Sintel (2010)", rows=[])
    host.wait_for("abort")


def dies_with_a_dialog():
    host.ask("dialog.select", heading="Sintel (2010)", rows=[])
    host.tell("shown")
    die()


def answers_back():
    host.call("window.open", **window())
    host.tell("shown")
    back = host.wait_for("window.back")
    host.send({"id": back["id"], "result": True})
    host.call("window.close", window="w")
    host.tell("back", back["params"]["window"])


def answers_back_late():
    """Behind a call that Kodi takes its time for."""
    host.call("window.open", **window())
    host.tell("shown")
    slow = host.ask("property.set", name="test.slow", value="x")
    back = host.wait_for("window.back")
    while not any(message.get("id") == slow and "method" not in message for message in host.inbox):
        host.inbox.append(host.read())
    host.send({"id": back["id"], "result": True})
    host.call("window.close", window="w")
    host.tell("back", "answered")


def leaves_once_its_window_is_closed():
    host.call("window.open", **window())
    host.tell("ready")
    host.wait_for("abort")
    host.wait_for("window.event")
    host.tell("closed")


def cannot_fill():
    host.tell("error", json.dumps(host.call("window.open", **window(lists={"404": []}))["error"]))
    host.wait_for("window.event")


def ignores_back():
    host.call("window.open", **window())
    hangs()


def opens_window_and_waits():
    host.ask("window.open", **window())
    host.tell("opening")
    host.wait_for("abort")


def dies_with_window():
    host.call("window.open", **window())
    host.tell("shown")
    die()


def window_without_xml():
    host.tell("error", json.dumps(host.call("window.open", **window())["error"]))


def closes_before_shown():
    for number in range(20):
        opening = host.ask("window.open", **window("w%d" % number))
        host.call("window.close", window="w%d" % number)
        answers = [message for message in host.inbox if message.get("id") == opening]
        assert len(answers) == 1, host.inbox


def opens_twice():
    host.call("window.open", **window())
    host.tell("second", host.call("window.open", **window())["error"]["code"])
    host.call("window.close", window="w")


# The service's


def serve(answer_ping=True):
    """A service that greets each connection with its process's number and takes notes of what it hears."""
    start = host.wait_for("start")["params"]
    listener = socket.socket(fileno=start["listen"]["fd"])
    host.call("property.set", name="svc.proxy_port", value=str(listener.getsockname()[1]))
    host.call("property.set", name="svc.proxy_token", value="token")
    return start, listener


def service_counts():
    start, listener = serve()
    count = (start["snapshot"] or 0) + 1
    host.call("snapshot.save", snapshot=count)
    listener.settimeout(20)
    host.tell("engine", count)
    connection, _ = listener.accept()
    connection.sendall(b"%d" % count)
    connection.close()
    die()


def service_dies():
    die()


def service_dies_once():
    start, _ = serve()
    if start["snapshot"] is None:
        host.call("snapshot.save", snapshot="second")
        die()
    listens()


def service_dies_six_times():
    start, _ = serve()
    died = int(host.call("property.get", name="test.died")["result"] or "0")
    if died < 6:
        host.tell("died", str(died + 1))
        host.call("snapshot.save", snapshot=died)
        die()
    player = host.wait_for("player")["params"]["file"]
    host.tell("restarted", json.dumps({"snapshot": start["snapshot"], "player": player}))
    host.wait_for("abort")


def service_hangs_once():
    start, _ = serve()
    if start["snapshot"] is None:
        host.call("snapshot.save", snapshot="second")
        host.send({"id": host.wait_for("ping")["id"], "result": "pong"})
        hangs()
    host.tell("engine", "second")
    host.wait_for("abort")


def service_listens():
    serve()
    listens()


def service_refuses():
    """Tells of a refused stream, and gives the host time to do something about it."""
    serve()
    host.send({"method": "stream.refused", "params": {}})
    host.tell("refused")
    listens()


def service_shows_window():
    """Dies under the first window; the second stays until Kodi ends."""
    start, _ = serve()
    host.call("window.open", **window(properties={"title": "Sintel"}))
    if start["snapshot"] is None:
        host.call("snapshot.save", snapshot="second")
        die()
    listens()


def service_asks_the_player():
    serve()
    host.tell("state", json.dumps(host.call("player.state")["result"]))


def service_stops_the_player():
    serve()
    host.tell("stopped", json.dumps(host.call("player.stop", file=os.environ["SLIPSTREAM_TEST_URL"])["result"]))
    host.wait_for("abort")


def service_plays():
    """What SLIPSTREAM_TEST_URL says, from its 90th second on."""
    serve()
    answer = host.call("player.play", item=dict(ITEM, url=os.environ["SLIPSTREAM_TEST_URL"]), position=90, replayRequest="recalled", following=json.loads(os.environ["SLIPSTREAM_TEST_FOLLOWING"]))
    host.tell("played", json.dumps(answer.get("error", {}).get("code", answer.get("result"))))
    host.wait_for("abort")


def service_fills_the_playlist():
    serve()
    host.call("playlist.fill", entries=[{"file": "two", "label": "Two"}])
    host.tell("filled")
    host.wait_for("abort")


def service_shows_a_window():
    serve()
    host.call("window.open", **window())
    host.tell("shown")
    host.wait_for("abort")


def listens():
    host.tell("ready")
    while True:
        message = host.inbox.pop(0) if host.inbox else host.read()
        if message.get("method") == "ping":
            host.send({"id": message["id"], "result": "pong"})
        elif message.get("method") == "abort":
            host.tell("aborted")
            return
        elif "method" in message:
            host.tell("heard." + message["method"], json.dumps(message["params"]))


def main():
    globals()[os.environ["SLIPSTREAM_TEST_SCENARIO"]]()


main()
