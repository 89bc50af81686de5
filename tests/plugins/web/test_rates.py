"""How often somebody may do something: a memory that has an end, and no way around it."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.needs("starlette")


class Clock:
    """Time that goes by when the test says so."""

    at = 0.0

    def __call__(self) -> float:
        return self.at


def test_who_waits_may_go_on_and_never_saves_up_more_than_at_once() -> None:
    from arena.plugins.web.contest.entry import Rate

    clock = Clock()
    rate = Rate(at_once=3, a_second=2, clock=clock)
    done = 0
    for tenth in range(101):
        clock.at = tenth / 10
        done += sum(rate.take("anna") for _ in range(10))
    assert done == 3 + 2 * 10
    clock.at = 1e9
    assert sum(rate.take("anna") for _ in range(10)) == 3
    assert not rate.take("anna")
    assert rate.take("ben")


def test_the_memory_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    from arena.plugins.web.contest import entry

    monkeypatch.setattr(entry, "MAX_STRANGERS", 10)
    rate = entry.Rate(at_once=1, a_second=0, clock=Clock())
    assert all(rate.take(number) for number in range(1000))
    assert len(rate._allowances) == 10
    assert not rate.take(999)


@pytest.mark.parametrize(
    ("address", "other", "is_one"),
    [
        ("2001:db8:0:1::1", "2001:db8:0:1:ffff::2", True),
        ("2001:db8:0:1::1", "2001:db8:0:2::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("fe80::1%eth0", "fe80::2%eth1", True),
        ("unknown", "unknown", True),
    ],
)
def test_a_stranger_is_one_whatever_address_of_its_network_it_takes(
    address: str, other: str, is_one: bool
) -> None:
    from arena.plugins.web.contest.entry import stranger

    assert (stranger(address) == stranger(other)) is is_one
