"""The first lines of the plugin process. Everything that takes time is imported after the guard has spoken."""

from __future__ import annotations

import xbmcgui

from .call import Call
from .guard import Guard, place_in_playlist
from .kodi.resolution import Resolution

HOME_WINDOW = 10000


def enter(argv: list[str]) -> None:
    call = Call(argv)
    guard = Guard(xbmcgui.Window(HOME_WINDOW))
    answer = Resolution(call.handle, guard.hand_over, guard.answer_nothing, guard.release)
    if call.entry == "script" and not _in_add_on():
        from .rerun import rerun_by_id

        rerun_by_id(argv)
        return
    try:
        _enter_guarded(call, guard, answer)
    finally:
        answer.finish()
        guard.release()


def _enter_guarded(call: Call, guard: Guard, answer: Resolution) -> None:
    guarded = call.starts_film or call.handle >= 0
    waited_for = call.starts_film and call.handle >= 0
    if call.starts_film and call.handle < 0 and guard.box_open() and not guard.is_starting():
        from .put_off import waited

        if not waited(guard):
            return
    if (guarded and guard.busy()) or (waited_for and guard.meets_box()):
        _refuse(call, guard, answer)
        return
    if call.starts_film and not guard.claim():
        _refuse(call, guard, answer)
        return
    if call.entry == "action":
        answer.finish()
    from .plugin import run

    # Asked again now that some milliseconds have passed: of two that claimed in the same instant the later one
    # overwrote the earlier, and only that one goes on.
    if call.starts_film and not guard.held():
        _refuse(call, guard, answer)
        return
    run(call, guard, answer)


def _refuse(call: Call, guard: Guard, answer: Resolution) -> None:
    place = place_in_playlist() if call.starts_film and call.handle >= 0 else -1
    if place >= 0:
        guard.pass_over()
    is_put_off = guard.put_off(call.address, call.resumes, place)
    answer.finish()
    from .put_off import see_to_it, tell

    if is_put_off:
        see_to_it(guard)
    else:
        tell(guard)


def _in_add_on() -> bool:
    """False for RunScript(special://.../addon.py): argv looks the same, but Kodi cannot name the add-on."""
    import xbmcaddon

    try:
        xbmcaddon.Addon()
    except RuntimeError:
        return False
    return True
