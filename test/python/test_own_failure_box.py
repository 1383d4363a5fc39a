"""Kodi's failure box about a failure of ours is closed, and no other."""

from __future__ import annotations

from typing import Callable, List

from support import HostTest, eventually, later, messages, shared_properties, timing, world

from slipstream_host.service.failure_box import FailureBoxWatcher

ANSWERED_NOTHING = "slipstream.nothing"
OKDIALOG = "Window.IsActive(okdialog)"
CLOSE = "Dialog.Close(okdialog,true)"
STREAM = "http://127.0.0.1:1/stream/s/Sintel.mkv"


class AnnouncedFailure(HostTest):
    def test_an_answer_of_nothing_is_announced_right_before_it_is_given(self) -> None:
        for scenario in ("resolves_nothing", "ends_the_playlist", "killed"):
            world.reset()
            self.setUp()
            self.run_plugin(scenario)
            self.assert_answer(False)
            self.assertTrue(shared_properties.is_live(world.properties[ANSWERED_NOTHING]), scenario)

    def test_a_refusal_is_announced_right_before_it_is_given(self) -> None:
        world.properties["slipstream.starting"] = shared_properties.lease("other", 5)
        self.run_plugin("resolves")
        self.assert_toasts(messages.STILL_STARTING)
        self.assertTrue(shared_properties.is_live(world.properties[ANSWERED_NOTHING]))

    def test_nothing_is_announced_under_a_box_about_something_else(self) -> None:
        def comes(_: str = "") -> None:
            world.dialog_id = 12002

        meets: List[Callable[[], object]] = [
            comes,
            lambda: (comes(), world.properties.update({"slipstream.starting": shared_properties.lease("other", 5)})),
            lambda: self.when("ready", comes),
        ]
        for meet in meets:
            world.reset()
            self.setUp()
            meet()
            self.run_plugin("killed")
            self.assert_answer(False)
            self.assertNotIn(ANSWERED_NOTHING, world.properties)

    def test_an_answer_with_a_film_is_not_announced(self) -> None:
        self.run_plugin("resolves")
        self.assert_answer(True)
        self.assertNotIn(ANSWERED_NOTHING, world.properties)


class OwnFailureBox(HostTest):
    def setUp(self) -> None:
        super().setUp()
        world.properties["svc.proxy_port"] = "1"
        self.box = FailureBoxWatcher()

    def answer(self, ago: float = 0.0) -> None:
        """As a plugin process leaves it."""
        world.properties[ANSWERED_NOTHING] = shared_properties.lease("answer", timing.OWN_BOX - ago)

    def show(self, heading: str = "word 16026", text: str = "word 16027") -> None:
        world.conditions[OKDIALOG] = True
        world.labels.update({"Control.GetLabel(1)": heading, "Control.GetLabel(9)": text})

    def closed(self) -> bool:
        for _ in range(4):
            self.box.tick()
        return CLOSE in world.builtins

    def test_the_failure_box_is_closed_after_an_answer_of_nothing(self) -> None:
        self.answer()
        self.show()
        self.assertTrue(self.closed())
        self.assertNotIn(ANSWERED_NOTHING, world.properties)
        self.assertTrue(shared_properties.is_live(world.properties["slipstream.failure-box"]), "no play may begin yet")

    def test_the_failure_box_is_closed_after_a_refused_stream(self) -> None:
        world.playing_file = STREAM
        self.box.on_stream_refused()
        self.box.on_player("started", STREAM)
        self.box.on_player("stopped")
        self.show()
        self.assertTrue(self.closed())

    def test_the_failure_box_stays_without_a_failure_of_ours(self) -> None:
        self.box.on_player("started", STREAM)
        self.box.on_player("stopped")
        self.show()
        self.assertFalse(self.closed())

    def test_the_failure_box_stays_when_the_answer_was_too_long_ago(self) -> None:
        self.answer(ago=timing.OWN_BOX + 0.1)
        self.show()
        self.assertFalse(self.closed())
        self.put(timing, "OWN_BOX", 0.0)
        self.box.on_stream_refused()
        self.assertFalse(self.closed())

    def test_the_failure_box_stays_when_something_else_was_started_in_between(self) -> None:
        starts: List[Callable[[FailureBoxWatcher], None]] = [
            lambda box: box.on_player("started", "http://192.0.2.1/a.mkv"),
            # Another add-on's proxy.
            lambda box: box.on_player("started", "http://127.0.0.1:11/a.mkv"),
            lambda box: box.on_other_started(),
        ]
        for start in starts:
            world.reset()
            self.setUp()
            self.answer()
            self.box.tick()
            self.box.tick()
            start(self.box)
            self.show()
            self.assertFalse(self.closed())

    def test_the_failure_box_stays_when_a_start_is_heard_between_two_looks(self) -> None:
        self.answer()
        self.show()
        self.box.tick()
        self.box.tick()
        self.assertEqual(world.builtins, [])
        self.box.on_player("started", "http://192.0.2.1/a.mkv")
        self.assertFalse(self.closed())

    def test_the_failure_box_is_closed_though_the_events_of_its_play_come_late(self) -> None:
        self.answer()
        self.box.on_stream_refused()
        self.box.tick()
        self.box.on_other_started()
        self.box.on_player("started", "")
        self.show()
        self.assertTrue(self.closed())

    def test_a_box_with_another_text_stays(self) -> None:
        for words in (("Rows", "word 16027"), ("word 16026", "Words of another add-on.")):
            self.answer()
            self.show(*words)
            self.assertFalse(self.closed())

    def test_the_failure_box_is_looked_for_only_after_a_failure_of_ours(self) -> None:
        for _ in range(3):
            self.box.tick()
        self.assertNotIn("getCondVisibility", world.names())
        self.assertNotIn("getInfoLabel", world.names())
        self.assertEqual(self.box.tick_interval(), timing.TICK)

    def test_the_failure_box_is_looked_for_more_often_while_an_answer_may_come(self) -> None:
        self.put(timing, "OWN_BOX_POLL", 0.001)
        for starting, pace in ((shared_properties.lease("other", 5), 0.001), (shared_properties.lease("opening", 5), timing.TICK)):
            world.properties["slipstream.starting"] = starting
            self.box.tick()
            self.assertEqual(self.box.tick_interval(), pace)
        del world.properties["slipstream.starting"]
        self.answer()
        self.box.tick()
        self.assertEqual(self.box.tick_interval(), 0.001)


class ServiceFailureBox(HostTest):
    def setUp(self) -> None:
        super().setUp()
        world.labels.update({"Control.GetLabel(1)": "word 16026", "Control.GetLabel(9)": "word 16027"})

    def abort_when_closed(self, _: str) -> None:
        def wait() -> None:
            eventually(lambda: CLOSE in world.builtins)
            world.abort.set()

        later(0, wait)

    def test_the_service_closes_the_failure_box_after_an_answer_of_nothing(self) -> None:
        world.properties[ANSWERED_NOTHING] = shared_properties.lease("answer", 30)
        self.when("ready", self.abort_when_closed)
        self.run_service("service_listens")
        self.assertIn(CLOSE, world.builtins)

    def test_the_service_closes_the_failure_box_after_a_refused_stream(self) -> None:
        self.when("refused", self.abort_when_closed)
        self.run_service("service_refuses")
        self.assertIn(CLOSE, world.builtins)

    def test_the_service_leaves_the_failure_box_when_something_was_queued_since(self) -> None:
        box, world.labels = world.labels, {}

        def queue() -> None:
            eventually(lambda: ANSWERED_NOTHING not in world.properties)
            self.ticks(3)
            world.emit("onNotification", "xbmc", "Playlist.OnAdd", "{}")
            self.ticks(2)
            world.labels = box
            self.ticks(10)
            world.abort.set()

        world.properties[ANSWERED_NOTHING] = shared_properties.lease("answer", 30)
        self.when("ready", lambda _: later(0, queue))
        self.run_service("service_listens")
        self.assertNotIn(CLOSE, world.builtins)

    def ticks(self, count: int) -> None:
        """Lets the service's main thread go round so often."""
        end = world.names().count("waitForAbort") + count
        eventually(lambda: world.names().count("waitForAbort") >= end)
