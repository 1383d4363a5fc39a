"""The guard between a film's hand-over and its first picture."""

from __future__ import annotations

import time
from typing import List

from support import BUSY, HostTest, later, messages, shared_properties, timing, world

from slipstream_host.service.film_opening import FilmOpening

HELD = "slipstream.starting"
# A film that was handed over may be at any address.
FOREIGN = "smb://nas/films/Sintel.mkv"
STREAM = "http://127.0.0.1:7007/stream/s/Sintel.mkv"


class TheGuardOfAnOpeningFilm(HostTest):
    def setUp(self) -> None:
        super().setUp()
        world.properties[HELD] = shared_properties.lease("opening", 25)
        self.opening = FilmOpening()

    def on_player(self, *kinds: str) -> None:
        for kind in kinds:
            self.opening.on_player(kind, FOREIGN)
        self.opening.tick()

    def test_is_kept_while_kodi_opens_it(self) -> None:
        self.on_player("started")
        self.assertIn(HELD, world.properties)

    def test_is_renewed_while_kodi_opens_it_however_long_that_takes(self) -> None:
        self.put(timing, "LOCK_RENEWAL", 0.0)
        self.on_player("started")
        for _ in range(2):
            world.properties[HELD] = shared_properties.lease("opening", 0.001)
            self.opening.tick()
            self.assertGreater(self.remaining(), 20)

    def test_is_renewed_no_longer_than_a_film_can_take(self) -> None:
        self.put(timing, "LOCK_RENEWAL", 0.0)
        self.put(timing, "OPENING_LONGEST", 0.0)
        self.opening.on_player("started", FOREIGN)
        world.properties[HELD] = shared_properties.lease("opening", 1)
        self.opening.tick()
        self.assertLess(self.remaining(), 2)

    def test_is_not_taken_back_once_it_is_gone_or_anothers(self) -> None:
        self.put(timing, "LOCK_RENEWAL", 0.0)
        self.on_player("started")
        for value in ("", shared_properties.lease("another", 5)):
            world.properties[HELD] = value
            self.opening.tick()
            self.assertEqual(world.properties[HELD], value)

    def remaining(self) -> float:
        return float(world.properties[HELD].split()[1]) - time.monotonic()

    def test_goes_with_the_first_picture(self) -> None:
        self.on_player("started", "av-started")
        self.assertNotIn(HELD, world.properties)

    def test_is_kept_until_the_busy_dialog_is_gone(self) -> None:
        world.conditions[BUSY] = True
        self.on_player("started", "av-started")
        self.assertIn(HELD, world.properties)
        world.conditions[BUSY] = False
        self.opening.tick()
        self.assertNotIn(HELD, world.properties)

    def test_goes_when_the_film_cannot_be_opened(self) -> None:
        for end in ("stopped", "ended", "error"):
            world.properties[HELD] = shared_properties.lease("opening", 25)
            self.on_player("started", end)
            self.assertNotIn(HELD, world.properties)

    def test_is_kept_when_the_film_before_it_stops(self) -> None:
        self.on_player("stopped")
        self.assertIn(HELD, world.properties)

    def test_leaves_the_guard_of_another_play_alone(self) -> None:
        world.properties[HELD] = shared_properties.lease("another", 5)
        self.on_player("started", "av-started")
        self.assertIn(HELD, world.properties)


class AStreamThatKodiOpensByItself(HostTest):
    """Without a call of ours: its address stands in the row of a list, or was kept over a sleep."""

    SIGN = [(messages.NAME, messages.OPENING)]

    def setUp(self) -> None:
        super().setUp()
        world.properties["svc.proxy_port"] = "7007"
        self.opening = FilmOpening()

    def test_takes_the_guard_and_shows_that_it_opens_until_it_has(self) -> None:
        for end in ("av-started", "stopped", "ended", "error"):
            self.opening.on_player("started", STREAM)
            self.opening.tick()
            self.assertTrue(world.properties[HELD].startswith("opening "))
            self.assertTrue(shared_properties.is_live(world.properties[HELD]))
            self.assertEqual(world.strips, self.SIGN)
            self.opening.on_player(end, "")
            self.opening.tick()
            self.assertNotIn(HELD, world.properties)
            self.assertEqual(world.strips, [])

    def test_takes_a_guard_whose_holder_is_gone(self) -> None:
        for stale in (shared_properties.lease("killed", -0.1), shared_properties.lease("opening", -0.1), "nonsense"):
            world.properties[HELD] = stale
            self.opening.on_player("started", STREAM)
            self.assertTrue(shared_properties.is_live(world.properties[HELD]))
            self.assertTrue(world.properties[HELD].startswith("opening "))

    def test_takes_none_from_another_play(self) -> None:
        held = world.properties[HELD] = shared_properties.lease("another", 5)
        self.opening.on_player("started", STREAM)
        self.assertEqual((world.properties[HELD], world.strips), (held, []))

    def test_is_none_of_another_proxy(self) -> None:
        for file in ("http://127.0.0.1:70071/a.mkv", "http://127.0.0.1:7008/stream/s/a.mkv", FOREIGN, ""):
            self.opening.on_player("started", file)
            self.assertEqual((world.properties.get(HELD), world.strips), (None, []))
        del world.properties["svc.proxy_port"]
        self.opening.on_player("started", "http://127.0.0.1:/a.mkv")
        self.assertEqual((world.properties.get(HELD), world.strips), (None, []))

    def test_keeps_the_guard_that_was_to_go_with_the_film_before(self) -> None:
        self.opening.on_player("started", STREAM)
        self.opening.on_player("av-started", STREAM)
        self.opening.on_player("started", STREAM)
        self.opening.tick()
        self.assertTrue(shared_properties.is_live(world.properties[HELD]))

    def test_refuses_a_play_of_ours_meanwhile(self) -> None:
        self.opening.on_player("started", STREAM)
        self.run_plugin("resolves")
        self.assert_answer(False)
        self.assert_toasts(messages.STILL_STARTING)

    def test_is_watched_by_the_service(self) -> None:
        def start(_: str) -> None:
            world.playing_file = "http://127.0.0.1:%s/stream/s/Sintel.mkv" % world.properties["svc.proxy_port"]
            world.emit("onPlayBackStarted")

        held: List[str] = []

        def take(value: str) -> None:
            held.append(value)
            world.abort.set()

        self.when("ready", start)
        world.on_property[HELD] = take
        self.run_service("service_listens")
        self.assertTrue(held[0].startswith("opening "))


class TheSignOfAnOpeningFilm(HostTest):
    SIGN = [(messages.NAME, messages.OPENING)]

    def setUp(self) -> None:
        super().setUp()
        world.properties[HELD] = shared_properties.lease("opening", 25)
        self.opening = FilmOpening()

    def test_is_up_until_the_first_picture_or_the_failure(self) -> None:
        for end in ("av-started", "stopped", "ended", "error"):
            self.opening.on_player("started", FOREIGN)
            self.assertEqual(world.strips, self.SIGN)
            self.opening.on_player(end, "")
            self.assertEqual(world.strips, [])
            world.properties[HELD] = shared_properties.lease("opening", 25)

    def test_is_one_when_kodi_starts_twice(self) -> None:
        self.opening.on_player("started", FOREIGN)
        self.opening.on_player("started", FOREIGN)
        self.assertEqual(world.strips, self.SIGN)

    def test_goes_when_a_film_that_is_none_of_ours_starts(self) -> None:
        self.opening.on_player("started", FOREIGN)
        del world.properties[HELD]
        self.opening.on_player("started", FOREIGN)
        self.assertEqual(world.strips, [])

    def test_is_not_of_a_film_that_starts_long_after_one_was_handed_over(self) -> None:
        world.properties[HELD] = shared_properties.lease("opening", -0.1)
        self.opening.on_player("started", FOREIGN)
        self.assertEqual(world.strips, [])

    def test_stays_no_longer_than_a_film_can_take(self) -> None:
        self.put(timing, "OPENING_LONGEST", 0.0)
        self.opening.on_player("started", FOREIGN)
        self.opening.tick()
        self.assertEqual(world.strips, [])

    def test_goes_with_the_service(self) -> None:
        def start(_: str) -> None:
            world.emit("onPlayBackStarted")
            later(0.3, world.abort.set)

        seen = []
        self.when("heard.player", lambda _: seen.extend(world.strips))
        self.when("ready", start)
        self.run_service("service_listens")
        self.assertEqual((seen, world.strips), (self.SIGN, []))
