"""The guard between a film's hand-over and its first picture."""

from __future__ import annotations

import time

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

    def test_is_renewed_while_kodi_opens_it_however_long_that_takes(self) -> None:
        self.put(timing, "GUARD_RENEW", 0.0)
        self.hear("started")
        for _ in range(2):
            world.properties[HELD] = guard.lease("opening", 0.001)
            self.opening.tick()
            self.assertGreater(self.remaining(), 20)

    def test_is_renewed_no_longer_than_a_film_can_take(self) -> None:
        self.put(timing, "GUARD_RENEW", 0.0)
        self.put(timing, "OPENING_LONGEST", 0.0)
        self.opening.hear("started")
        world.properties[HELD] = guard.lease("opening", 1)
        self.opening.tick()
        self.assertLess(self.remaining(), 2)

    def test_is_not_taken_back_once_it_is_gone_or_anothers(self) -> None:
        self.put(timing, "GUARD_RENEW", 0.0)
        self.hear("started")
        for value in ("", guard.lease("another", 5)):
            world.properties[HELD] = value
            self.opening.tick()
            self.assertEqual(world.properties[HELD], value)

    def remaining(self) -> float:
        return float(world.properties[HELD].split()[1]) - time.monotonic()

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
