"""The guard between a film's hand-over and its first picture."""

from __future__ import annotations

from support import HostTest, guard, timing, world

from slipstream_host.opening import Opening

HELD = "slipstream.starting"


class TheGuardOfAnOpeningFilm(HostTest):
    def setUp(self) -> None:
        super().setUp()
        self.put(timing, "OPENED", 0.0)
        world.properties[HELD] = guard.lease("opening", 25)
        self.opening = Opening()

    def hear(self, *kinds: str) -> None:
        for kind in kinds:
            self.opening.hear(kind)
        self.opening.tick()

    def test_is_kept_while_kodi_opens_it(self) -> None:
        self.hear("started")
        self.assertIn(HELD, world.properties)

    def test_goes_with_the_first_picture(self) -> None:
        self.hear("started", "av-started")
        self.assertNotIn(HELD, world.properties)

    def test_is_kept_a_moment_longer_for_the_busy_dialog_to_close(self) -> None:
        self.put(timing, "OPENED", 60.0)
        self.hear("started", "av-started")
        self.assertIn(HELD, world.properties)

    def test_goes_when_the_film_cannot_be_opened(self) -> None:
        for end in ("stopped", "ended", "error"):
            world.properties[HELD] = guard.lease("opening", 25)
            self.hear("started", end)
            self.assertNotIn(HELD, world.properties)

    def test_is_kept_when_the_film_before_it_stops(self) -> None:
        self.hear("stopped")
        self.assertIn(HELD, world.properties)

    def test_leaves_the_guard_of_another_play_alone(self) -> None:
        world.properties[HELD] = guard.lease("another", 5)
        self.hear("started", "av-started")
        self.assertIn(HELD, world.properties)
