"""The page of the self-test of the isolation."""

from __future__ import annotations

import pytest

from arena.features.doctor.record import Attempt, Diagnosis
from arena.reports.tables import plain
from tests.golden import Wording

NOTHING_TO_DO = "nothing is to be done: they do so by default"


def diagnosed(*available: str) -> str:
    """Return the page of a machine where these tiers keep their promises; others cannot start."""
    attempts = [
        Attempt(tier, "play at all", tier in available, "answered", "", promised=True)
        for tier in ("process", "locked", "bwrap")
    ]
    attempts += [
        Attempt(tier, "send by udp", tier != "process", "as it was", "", promised=tier != "process")
        for tier in available
    ]
    return plain(Diagnosis(tuple(attempts), available))


def test_a_machine_on_which_every_tier_works_needs_nothing() -> None:
    shown = diagnosed("process", "locked", "bwrap").splitlines()
    assert f"{NOTHING_TO_DO}; --require-isolation bwrap insists" in shown


@pytest.mark.parametrize("strongest", ["locked", "bwrap"])
def test_beside_an_error_it_does_not_say_that_nothing_is_to_be_done(
    strongest: str, wording: Wording
) -> None:
    shown = diagnosed("process", strongest).splitlines()
    wording(shown[0], f"{strongest}")
    assert any(f"--require-isolation {strongest}" in line for line in shown)
    assert NOTHING_TO_DO not in "\n".join(shown)


def test_a_machine_without_one_is_not_said_to_be_safe(wording: Wording) -> None:
    shown = diagnosed("process")
    wording(shown)
    assert NOTHING_TO_DO not in shown


def test_what_a_tier_does_not_promise_is_not_stopped_and_not_a_failure() -> None:
    shown = diagnosed("process", "locked", "bwrap").splitlines()
    (row,) = (line for line in shown if " udp " in line)
    assert row.split()[3:] == ["not", "stopped", "ok", "ok"]
    assert not [line for line in shown if "FAILS" in line]
