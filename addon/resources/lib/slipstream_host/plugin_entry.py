"""The first lines of the plugin process. They refuse a play that must be refused before they import anything slow."""

from __future__ import annotations

import xbmcgui

from .playback_lock import PlaybackLock, position_in_playlist
from .plugin.plugin_call import PluginCall
from .plugin.plugin_handle import PluginHandle
from .shared_properties import HOME_WINDOW


def enter(argv: list[str]) -> None:
    """Runs addon.py for one call of Kodi, whose argv this is."""
    call = PluginCall(argv)
    lock = PlaybackLock(xbmcgui.Window(HOME_WINDOW))
    handle = PluginHandle(call.handle, lock.hand_over, lock.announce_nothing, lock.release)
    if call.entry == "script" and not _runs_as_add_on():
        from .plugin.script_restart import restart_by_id

        restart_by_id(argv)
        return
    try:
        _run_or_refuse(call, lock, handle)
    finally:
        handle.answer_nothing()
        lock.release()


def _run_or_refuse(call: PluginCall, lock: PlaybackLock, handle: PluginHandle) -> None:
    needs_idle = call.starts_film or call.handle >= 0
    kodi_waits = call.starts_film and call.handle >= 0
    if call.starts_film and call.handle < 0 and lock.is_failure_box_up() and not lock.is_starting():
        from .plugin.deferred_play import wait_until_failure_box_is_gone

        if not wait_until_failure_box_is_gone(lock):
            return
    if (needs_idle and lock.is_busy()) or (kodi_waits and lock.is_box_in_front()):
        _refuse(call, lock, handle)
        return
    if call.starts_film and not lock.claim():
        _refuse(call, lock, handle)
        return
    if call.entry == "action":
        handle.answer_nothing()
    from .plugin.plugin_process import run_plugin

    # Asked again now that some milliseconds have passed: of two that claimed at the same moment the later one overwrote
    # the earlier, and only that one goes on.
    if call.starts_film and not lock.is_held():
        _refuse(call, lock, handle)
        return
    run_plugin(call, lock, handle)


def _refuse(call: PluginCall, lock: PlaybackLock, handle: PluginHandle) -> None:
    position = position_in_playlist() if call.starts_film and call.handle >= 0 else -1
    if position >= 0:
        lock.announce_playlist_refusal()
    is_deferred = lock.defer(call.address, call.resumes, position)
    handle.answer_nothing()
    from .plugin.deferred_play import show_refusal, wait_until_taken

    if is_deferred:
        wait_until_taken(lock)
    else:
        show_refusal(lock)


def _runs_as_add_on() -> bool:
    """False for RunScript(special://.../addon.py): argv looks the same, but Kodi cannot name the add-on."""
    import xbmcaddon

    try:
        xbmcaddon.Addon()
    except RuntimeError:
        return False
    return True
