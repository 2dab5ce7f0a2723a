"""Debounce by time, health of contacts, corners that a matrix without diodes makes up."""

import random

from hypothesis import given
from hypothesis import strategies as st

from sorcel_pi.table.sensing.debouncer import Buttons, Debouncer, Scan

MATRIX = {k: (k // 8, k % 8) for k in range(61)}


def feed(debouncer: Debouncer, times: list[tuple[float, int]]) -> list[tuple[float, int, int]]:
    """Feed (time, closed) scans and return (time, opened, closed) of those that changed."""
    changes = []
    for now, closed in times:
        sensed = debouncer.feed(Scan(now, closed))
        if sensed.opened or sensed.closed:
            changes.append((now, sensed.opened, sensed.closed))
    return changes


def test_the_first_scan_is_taken_as_it_is() -> None:
    sensed = Debouncer().feed(Scan(0.0, 0b101))
    assert (sensed.occupied, sensed.opened, sensed.closed) == (0b101, 0, 0)


def test_a_change_counts_when_it_has_held() -> None:
    debouncer = Debouncer(0.02)
    scans = [(0.0, 0), (0.01, 1), (0.02, 1), (0.03, 1), (0.04, 1)]
    assert feed(debouncer, scans) == [(0.03, 0, 1)]


def test_bounce_starts_the_time_anew_and_a_twitch_is_no_lift() -> None:
    debouncer = Debouncer(0.02)
    scans = [(0.0, 1), (0.01, 0), (0.02, 1), (0.03, 0), (0.04, 0), (0.05, 0)]
    assert feed(debouncer, scans) == [(0.05, 1, 0)]
    debouncer = Debouncer(0.02)
    debouncer.feed(Scan(0.0, 1))
    debouncer.feed(Scan(0.01, 0))
    assert not debouncer.feed(Scan(0.02, 1)).opened


@given(st.lists(st.tuples(st.sampled_from([0.005, 0.01, 0.013]), st.integers(0, 7)), max_size=60))
def test_every_change_has_held_and_none_is_missed(scans: list[tuple[float, int]]) -> None:
    debouncer = Debouncer(0.02)
    now, since = 0.0, dict.fromkeys(range(3), 0.0)
    last = held = debouncer.feed(Scan(now, 0)).occupied
    for gap, closed in scans:
        now += gap
        sensed = debouncer.feed(Scan(now, closed))
        for bit in range(3):
            if (closed ^ last) >> bit & 1:
                since[bit] = now
            differs = (closed ^ held) >> bit & 1
            due = differs and now - since[bit] >= 0.02 - 1e-9
            assert bool((sensed.opened | sensed.closed) >> bit & 1) == bool(due)
        last, held = closed, sensed.occupied
        assert sensed.opened & sensed.closed == 0


def test_next_deadline_is_when_a_change_would_count() -> None:
    debouncer = Debouncer(0.02)
    debouncer.feed(Scan(0.0, 0))
    assert debouncer.next_deadline() is None
    debouncer.feed(Scan(0.01, 1))
    assert debouncer.next_deadline() == 0.03
    debouncer.feed(Scan(0.03, 1))
    assert debouncer.next_deadline() is None


def test_buttons_are_debounced_too() -> None:
    debouncer = Debouncer(0.02)
    debouncer.feed(Scan(0.0, 0))
    debouncer.feed(Scan(0.01, 0, Buttons.DARK))
    assert debouncer.feed(Scan(0.03, 0, Buttons.DARK)).pressed == Buttons.DARK
    debouncer.feed(Scan(0.04, 0))
    sensed = debouncer.feed(Scan(0.06, 0))
    assert sensed.released == Buttons.DARK
    assert sensed.buttons == Buttons.NONE


def test_masked_contacts_read_open() -> None:
    debouncer = Debouncer(masked=0b10)
    assert debouncer.feed(Scan(0.0, 0b11)).occupied == 0b01


def test_a_contact_that_changes_too_often_flickers_and_is_forgiven() -> None:
    debouncer = Debouncer(0.02)
    now = 0.0
    for k in range(20):
        for _ in range(5):
            debouncer.feed(Scan(now, k & 1))
            now += 0.01
    assert debouncer.health.flickering(now) == 1
    assert debouncer.health.hopeless(now) == 0
    assert debouncer.feed(Scan(now + 4, 0)).flickering == 0


def test_lifting_and_putting_down_three_times_is_no_flicker() -> None:
    debouncer = Debouncer(0.02)
    rng = random.Random(1)
    now = 0.0
    debouncer.feed(Scan(now, 1))
    for k in range(1, 7):
        for tick in range(45):
            bounces = tick < 2 and rng.random() < 0.5
            debouncer.feed(Scan(now, (k + bounces) & 1))
            now += 0.01
    assert debouncer.health.flickering(now) == 0


def test_above_twenty_changes_a_second_a_contact_is_hopeless() -> None:
    debouncer = Debouncer(0.02)
    now = 0.0
    for k in range(400):  # each state holds for 30 ms and counts; what is shorter does not
        debouncer.feed(Scan(now, k // 3 & 1))
        now += 0.01
    assert debouncer.health.hopeless(now) == 1
    assert debouncer.health.rate_hz(0, now) > 20
