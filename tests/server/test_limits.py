"""Limits on how often a client may do something, by a clock that the test turns."""

from __future__ import annotations

import pytest

from flip7.server.limits import Bucket, Buckets


class Clock:
    """A clock that stands until it is turned."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def taken(bucket: Bucket, times: int) -> list[bool]:
    return [bucket.take() for _ in range(times)]


def test_a_burst_is_allowed_and_then_nothing_until_time_passes(clock: Clock) -> None:
    bucket = Bucket(rate=2, burst=3, clock=clock)
    assert taken(bucket, 4) == [True, True, True, False]
    clock.now += 0.5  # what was refused has cost one, too
    assert taken(bucket, 1) == [False]
    clock.now += 1.5
    assert taken(bucket, 3) == [True, True, False]


def test_it_never_allows_more_than_a_burst_however_long_nobody_came(clock: Clock) -> None:
    bucket = Bucket(rate=2, burst=3, clock=clock)
    clock.now += 1e6
    assert taken(bucket, 4) == [True, True, True, False]


def test_whoever_insists_is_known_and_forgiven_in_the_end(clock: Clock) -> None:
    bucket = Bucket(rate=1, burst=3, clock=clock)
    told = [(bucket.take(), bucket.exhausted) for _ in range(6)]
    assert told == [(True, False)] * 3 + [(False, False)] * 2 + [(False, True)]
    taken(bucket, 100)  # it gets no worse
    clock.now += 4
    assert taken(bucket, 2) == [True, False]


def test_a_large_request_costs_more(clock: Clock) -> None:
    bucket = Bucket(rate=1, burst=10, clock=clock)
    assert bucket.take(8)
    assert not bucket.take(3)


def test_addresses_do_not_share_a_bucket_and_quiet_ones_are_forgotten(clock: Clock) -> None:
    buckets = Buckets(rate=1, burst=2, clock=clock)
    assert [buckets.take("ana") for _ in range(3)] == [True, True, False]
    assert buckets.take("ben")
    clock.now += 1
    buckets.forget()
    assert len(buckets) == 1  # only that of Ana is still being filled
    assert not buckets.take("ana", 2)
    clock.now += 10
    buckets.forget()
    assert len(buckets) == 0
