"""What is set of an isolation, and the limits that it comes to."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import arena
from arena.plugin.catalogue import Catalogue
from arena.sandbox.settings import LIMITS, Isolation, PlayerLimits
from tests.golden import Wording

SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        "tier": st.sampled_from(("auto", "none", "process")),
        "installed": st.booleans(),
        "move_time": st.floats(0.001, 1000),
        "game_time": st.floats(0.001, 1000),
        "memory": st.integers(16, 1000),
        "readable": st.lists(st.sampled_from(("/a", "/b"))).map(tuple),
    },
)


def test_limits_are_what_can_be_set() -> None:
    assert [own.name for own in fields(Isolation)] == [*LIMITS, "players"]


@given(SETTINGS)
def test_what_is_not_set_is_usual(settings: dict[str, Any]) -> None:
    isolation = Isolation(**settings)
    assert isolation.settings == settings
    assert isolation.resolved() == replace(PlayerLimits(), **settings)


@pytest.mark.slow
@given(SETTINGS, SETTINGS, SETTINGS)
def test_the_last_that_sets_a_limit_decides(
    one: dict[str, Any], two: dict[str, Any], three: dict[str, Any]
) -> None:
    first, second, third = (Isolation(**settings) for settings in (one, two, three))
    assert first.updated(second).updated(third) == first.updated(second.updated(third))
    assert first.updated(second).settings == one | two


@given(SETTINGS, SETTINGS)
def test_what_is_set_for_one_player_is_set_for_no_other(
    base: dict[str, Any], own: dict[str, Any]
) -> None:
    isolation = Isolation(**base, players={"anna": Isolation(**own)})
    assert isolation.limits("anna") == Isolation(**(base | own)).resolved()
    assert isolation.limits("bert") == Isolation(**base).resolved()


@given(SETTINGS, st.sampled_from((None, "60+0.5", "40/60")))
def test_limits_that_were_recorded_are_the_same_limits(
    settings: dict[str, Any], clock: str | None
) -> None:
    limits = Isolation(**settings, clock=clock).resolved()
    assert Isolation.from_limits(dict(limits.as_pairs())).resolved() == limits
    assert Isolation.from_limits(limits.unusual()).resolved() == limits


def test_a_catalogue_is_not_changed_by_who_isolates_its_players(catalogue: Catalogue) -> None:
    before = catalogue.isolation
    isolated = catalogue.isolated(Isolation(tier="process", installed=True))
    assert isolated.player("monkey").remote is not None
    assert catalogue.isolation is before
    assert catalogue.player("monkey").remote is None
    with pytest.raises(AttributeError):
        catalogue.isolation = Isolation()  # type: ignore[misc]


@pytest.mark.slow
def test_limits_of_one_player_from_python(tmp_path: Any) -> None:
    slow = tmp_path / "slow.py"
    slow.write_text(
        "import time\ndef choose(position, rng):\n"
        "    time.sleep(0.3)\n    return position.legal_moves()[0]\n"
    )
    hurried = Isolation(
        tier="process", move_time=60, players={str(slow): Isolation(move_time=0.05)}
    )
    fight = arena.fight(str(slow), "monkey", 1, seed=1, isolation=hurried)
    assert fight.a.forfeits == {"timeout": 2}


@pytest.mark.parametrize(
    ("memory", "given"),
    [(10**5000, "a number of 16610 bits"), (-1, "-1"), ("x" * 999, "'xxx")],
    ids=["huge", "negative", "text"],
)
def test_a_wrong_limit_is_one_line(memory: Any, given: str, wording: Wording) -> None:
    with wording.raises(arena.UsageError, match="memory") as refused:
        Isolation(memory=memory)
    message = str(refused.value).partition(", not ")[2]
    assert message.startswith(given)
    assert len(message) < 300


def test_a_tier_that_is_not_a_text_is_refused(wording: Wording) -> None:
    with wording.raises(arena.UsageError, match="'5'"):
        Isolation.from_limits({"tier": 5})
