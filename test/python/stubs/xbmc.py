from __future__ import annotations

import json
import threading
import time
from typing import Dict, Optional, Union

from kodi_world import world
from xbmcgui import ListItem

PLAYLIST_VIDEO = 1

LOGDEBUG = 0
LOGINFO = 1
LOGWARNING = 2
LOGERROR = 3


def log(msg: str, level: int = LOGDEBUG) -> None:
    world.log.append((level, msg))
    world.on_log(level)


def executebuiltin(function: str, wait: bool = False) -> None:
    world.call("executebuiltin")
    world.builtins.append(function)
    world.close_dialog(function)
    if function.startswith("InstallAddon("):
        assert wait
        world.on_install()


def getInfoLabel(cLine: str) -> str:
    world.call("getInfoLabel")
    return world.info_label(cLine)


def getLocalizedString(id: int) -> str:
    return "word %d" % id


def executeJSONRPC(jsonrpccommand: str) -> str:
    world.call("executeJSONRPC")
    world.carry_out()
    asked = json.loads(jsonrpccommand)
    if asked["method"] == "XBMC.GetInfoBooleans":
        return json.dumps({"id": 1, "result": {name: getCondVisibility(name) for name in asked["params"]["booleans"]}})
    if asked["method"] == "Settings.GetSettingValue":
        assert asked["params"] == {"setting": "locale.language"}, asked
        return json.dumps({"id": 1, "result": {"value": world.language}})
    if asked["method"] == "Playlist.GetItems":
        limits = asked["params"]["limits"]
        found = world.playlist[limits["start"] : limits["end"]]
        items = [{"file": file, "label": "the film " + file} for file in found]
        return json.dumps({"id": 1, "result": {"items": items} if items else {}})
    if asked["method"] == "Playlist.Remove":
        position = asked["params"]["position"]
        assert position != world.playlist_position, "Kodi refuses that"
        del world.playlist[position]
        world.playlist_position -= position < world.playlist_position
        return '{"id":1,"result":"OK"}'
    if asked["method"] == "Addons.GetAddonDetails":
        found = world.add_ons.get(asked["params"]["addonid"])
        return json.dumps({"id": 1, "error": {"code": -32602}} if found is None else {"id": 1, "result": {"addon": found}})
    return '{"id":1,"jsonrpc":"2.0","result":{"version":{"major":21,"minor":2}}}'


def getCondVisibility(condition: str) -> bool:
    world.call("getCondVisibility")
    return world.conditions.get(condition, False)


class Keyboard:
    def __init__(self, line: str = "", heading: str = "", hidden: bool = False) -> None:
        self._given = (heading, line, hidden)
        self._text: object = None

    def doModal(self, autoclose: int = 0) -> None:
        self._text = world.ask("virtualkeyboard", self._given)

    def isConfirmed(self) -> bool:
        return self._text is not None

    def getText(self) -> str:
        return str(self._text)


class Monitor:
    def __init__(self) -> None:
        world.call("Monitor")
        self.made_on = threading.current_thread()
        world.listeners.append(self)

    def abortRequested(self) -> bool:
        return world.abort.is_set()

    def waitForAbort(self, timeout: float = -1) -> bool:
        world.call("waitForAbort")
        end = time.monotonic() + timeout
        while True:
            world.run_callbacks()
            remaining = end - time.monotonic()
            if world.abort.wait(max(0.0, min(0.01, remaining))):
                return True
            if timeout >= 0 and remaining <= 0:
                return False

    def onSettingsChanged(self) -> None:
        pass

    def onNotification(self, sender: str, method: str, data: str) -> None:
        pass


class Player:
    def __init__(self) -> None:
        world.call("Player")
        self.made_on = threading.current_thread()
        world.listeners.append(self)

    def play(self, item: str = "", listitem: Optional[ListItem] = None) -> None:
        world.call("Player.play")
        if world.refuse_play:
            raise TypeError("Kodi does not take this item")
        world.played.append((item, listitem))

    def isPlaying(self) -> bool:
        return world.playing_file != ""

    def getPlayingFile(self) -> str:
        if not world.playing_file:
            raise RuntimeError("Kodi is not playing any media file")
        return world.playing_file

    def getTime(self) -> float:
        return self._playing(world.playing_time)

    def getTotalTime(self) -> float:
        return self._playing(world.playing_duration)

    def _playing(self, value: float) -> float:
        if not world.playing_file:
            raise RuntimeError("Kodi is not playing any media file")
        return value

    def onPlayBackStarted(self) -> None:
        pass

    def onPlayBackSeek(self, time: int, seekOffset: int) -> None:
        pass

    def onAVStarted(self) -> None:
        pass

    def onPlayBackStopped(self) -> None:
        pass

    def onPlayBackEnded(self) -> None:
        pass

    def onPlayBackError(self) -> None:
        pass


class PlayList:
    def __init__(self, playList: int) -> None:
        assert playList == PLAYLIST_VIDEO

    def getposition(self) -> int:
        return world.playlist_position

    def size(self) -> int:
        return len(world.playlist)

    def add(self, url: str, listitem: Optional[ListItem] = None, index: int = -1) -> None:
        world.call("PlayList.add")
        world.playlist.insert(len(world.playlist) if index < 0 else index, url)
        world.listed.append((url, listitem))

    def clear(self) -> None:
        world.call("PlayList.clear")
        if world.refuse_clear:
            raise RuntimeError("Kodi does not clear this list")
        world.playlist.clear()


class InfoTagVideo:
    def __init__(self) -> None:
        self.values: Dict[str, Union[str, int]] = {}
        self.ids: Dict[str, str] = {}
        self.default_id = ""
        self.resume_point = (0.0, 0.0)

    def setMediaType(self, mediaType: str) -> None:
        self.values["mediatype"] = mediaType

    def setTitle(self, title: str) -> None:
        self.values["title"] = title

    def setOriginalTitle(self, originalTitle: str) -> None:
        self.values["originaltitle"] = originalTitle

    def setTvShowTitle(self, tvshowTitle: str) -> None:
        self.values["tvshowtitle"] = tvshowTitle

    def setPremiered(self, premiered: str) -> None:
        self.values["premiered"] = premiered

    def setPlot(self, plot: str) -> None:
        self.values["plot"] = plot

    def setYear(self, year: int) -> None:
        self.values["year"] = year

    def setSeason(self, season: int) -> None:
        self.values["season"] = season

    def setEpisode(self, episode: int) -> None:
        self.values["episode"] = episode

    def setDuration(self, duration: int) -> None:
        self.values["duration"] = duration

    def setUniqueIDs(self, values: Dict[str, str], defaultuniqueid: str = "") -> None:
        self.ids = dict(values)
        self.default_id = defaultuniqueid

    def setResumePoint(self, time: float, totalTime: float = 0.0) -> None:
        self.resume_point = (time, totalTime)
