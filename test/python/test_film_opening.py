"""The playback lock and the opening indicator between a film's hand-over and its first picture."""

from __future__ import annotations

import time
from typing import List

from support import BUSY, HostTest, later, messages, shared_properties, timing, world

from slipstream_host.service.film_opening import FilmOpening

HELD = "slipstream.starting"
# A film that was handed over may be at any address.
FOREIGN = "smb://nas/films/Sintel.mkv"
STREAM = "http://127.0.0.1:7007/stream/s/Sintel.mkv"


class LockOfOpeningFilm(HostTest):
    def setUp(self) -> None:
        super().setUp()
        world.properties[HELD] = shared_properties.lease("opening", 25)
        self.opening = FilmOpening()

    def on_player(self, *kinds: str) -> None:
        for kind in kinds:
            self.opening.on_player(kind, FOREIGN)
        self.opening.tick()

    def test_the_lock_of_a_film_is_kept_while_kodi_opens_it(self) -> None:
        self.on_player("started")
        self.assertIn(HELD, world.properties)

    def test_the_lock_of_a_film_is_renewed_however_long_kodi_opens_it(self) -> None:
        self.put(timing, "LOCK_RENEWAL", 0.0)
        self.on_player("started")
        for _ in range(2):
            world.properties[HELD] = shared_properties.lease("opening", 0.001)
            self.opening.tick()
            self.assertGreater(self.remaining(), 20)

    def test_the_lock_of_a_film_is_not_renewed_beyond_the_limit(self) -> None:
        self.put(timing, "LOCK_RENEWAL", 0.0)
        self.put(timing, "OPENING_LONGEST", 0.0)
        self.opening.on_player("started", FOREIGN)
        world.properties[HELD] = shared_properties.lease("opening", 1)
        self.opening.tick()
        self.assertLess(self.remaining(), 2)

    def test_the_lock_of_a_film_is_not_renewed_once_it_is_gone_or_another_plays(self) -> None:
        self.put(timing, "LOCK_RENEWAL", 0.0)
        self.on_player("started")
        for value in ("", shared_properties.lease("another", 5)):
            world.properties[HELD] = value
            self.opening.tick()
            self.assertEqual(world.properties[HELD], value)

    def remaining(self) -> float:
        return float(world.properties[HELD].split()[1]) - time.monotonic()

    def test_the_lock_of_a_film_is_released_with_the_first_picture(self) -> None:
        self.on_player("started", "av-started")
        self.assertNotIn(HELD, world.properties)

    def test_the_lock_of_a_film_is_kept_until_the_busy_dialog_is_closed(self) -> None:
        world.conditions[BUSY] = True
        self.on_player("started", "av-started")
        self.assertIn(HELD, world.properties)
        world.conditions[BUSY] = False
        self.opening.tick()
        self.assertNotIn(HELD, world.properties)

    def test_the_lock_of_a_film_is_released_when_the_film_cannot_be_opened(self) -> None:
        for end in ("stopped", "ended", "error"):
            world.properties[HELD] = shared_properties.lease("opening", 25)
            self.on_player("started", end)
            self.assertNotIn(HELD, world.properties)

    def test_the_lock_of_a_film_is_kept_when_the_film_before_it_stops(self) -> None:
        self.on_player("stopped")
        self.assertIn(HELD, world.properties)

    def test_the_lock_of_another_play_is_left_alone(self) -> None:
        world.properties[HELD] = shared_properties.lease("another", 5)
        self.on_player("started", "av-started")
        self.assertIn(HELD, world.properties)


class StreamOpenedByKodi(HostTest):
    """Without a call of ours: its address stands in the row of a list, or was kept over a sleep."""

    SIGN = [(messages.NAME, messages.OPENING)]

    def setUp(self) -> None:
        super().setUp()
        world.properties["svc.proxy_port"] = "7007"
        self.opening = FilmOpening()

    def test_a_stream_that_kodi_opens_by_itself_takes_the_lock_and_is_shown_until_it_is_open(self) -> None:
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

    def test_a_stream_that_kodi_opens_by_itself_takes_an_expired_lock(self) -> None:
        for stale in (shared_properties.lease("killed", -0.1), shared_properties.lease("opening", -0.1), "nonsense"):
            world.properties[HELD] = stale
            self.opening.on_player("started", STREAM)
            self.assertTrue(shared_properties.is_live(world.properties[HELD]))
            self.assertTrue(world.properties[HELD].startswith("opening "))

    def test_a_stream_that_kodi_opens_by_itself_takes_no_lock_from_another_play(self) -> None:
        held = world.properties[HELD] = shared_properties.lease("another", 5)
        self.opening.on_player("started", STREAM)
        self.assertEqual((world.properties[HELD], world.strips), (held, []))

    def test_a_stream_of_another_proxy_takes_no_lock(self) -> None:
        for file in ("http://127.0.0.1:70071/a.mkv", "http://127.0.0.1:7008/stream/s/a.mkv", FOREIGN, ""):
            self.opening.on_player("started", file)
            self.assertEqual((world.properties.get(HELD), world.strips), (None, []))
        del world.properties["svc.proxy_port"]
        self.opening.on_player("started", "http://127.0.0.1:/a.mkv")
        self.assertEqual((world.properties.get(HELD), world.strips), (None, []))

    def test_a_stream_that_kodi_opens_by_itself_keeps_the_lock_that_the_film_before_would_release(self) -> None:
        self.opening.on_player("started", STREAM)
        self.opening.on_player("av-started", STREAM)
        self.opening.on_player("started", STREAM)
        self.opening.tick()
        self.assertTrue(shared_properties.is_live(world.properties[HELD]))

    def test_while_kodi_opens_a_stream_by_itself_a_play_is_refused(self) -> None:
        self.opening.on_player("started", STREAM)
        self.run_plugin("resolves")
        self.assert_answer(False)
        self.assert_toasts(messages.STILL_STARTING)

    def test_the_service_watches_streams_that_kodi_opens_by_itself(self) -> None:
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


class OpeningIndicatorTest(HostTest):
    SIGN = [(messages.NAME, messages.OPENING)]

    def setUp(self) -> None:
        super().setUp()
        world.properties[HELD] = shared_properties.lease("opening", 25)
        self.opening = FilmOpening()

    def test_the_opening_indicator_is_shown_until_the_first_picture_or_the_failure(self) -> None:
        for end in ("av-started", "stopped", "ended", "error"):
            self.opening.on_player("started", FOREIGN)
            self.assertEqual(world.strips, self.SIGN)
            self.opening.on_player(end, "")
            self.assertEqual(world.strips, [])
            world.properties[HELD] = shared_properties.lease("opening", 25)

    def test_the_opening_indicator_is_shown_once_when_kodi_starts_twice(self) -> None:
        self.opening.on_player("started", FOREIGN)
        self.opening.on_player("started", FOREIGN)
        self.assertEqual(world.strips, self.SIGN)

    def test_the_opening_indicator_closes_when_a_film_that_is_not_ours_starts(self) -> None:
        self.opening.on_player("started", FOREIGN)
        del world.properties[HELD]
        self.opening.on_player("started", FOREIGN)
        self.assertEqual(world.strips, [])

    def test_the_opening_indicator_is_not_shown_for_a_film_that_starts_long_after_a_hand_over(self) -> None:
        world.properties[HELD] = shared_properties.lease("opening", -0.1)
        self.opening.on_player("started", FOREIGN)
        self.assertEqual(world.strips, [])

    def test_the_opening_indicator_closes_when_a_film_takes_too_long(self) -> None:
        self.put(timing, "OPENING_LONGEST", 0.0)
        self.opening.on_player("started", FOREIGN)
        self.opening.tick()
        self.assertEqual(world.strips, [])

    def test_the_opening_indicator_closes_with_the_service(self) -> None:
        def start(_: str) -> None:
            world.emit("onPlayBackStarted")
            later(0.3, world.abort.set)

        seen = []
        self.when("heard.player", lambda _: seen.extend(world.strips))
        self.when("ready", start)
        self.run_service("service_listens")
        self.assertEqual((seen, world.strips), (self.SIGN, []))
