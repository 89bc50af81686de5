"""An exact result is about players that play as their tables say: who may not, has to show it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import arena
from arena.errors import PlayerFault
from arena.player import PlayerInfo
from arena.players import triples
from arena.plugin.catalogue import Catalogue
from arena.plugin.registry import Registry
from tests.golden import Wording
from tests.samples import few
from tests.simple import last, perfect_moves, uniform

if TYPE_CHECKING:
    from tests.conftest import Run

HONEST = "from arena.players.triples import choose\n"
#: Against triples a player is asked for fewer branches than it turns after.
TURNS = """
import sys
from arena.players.triples import choose as perfect

sys.loads = getattr(sys, "loads", 0) + 1


def choose(position, rng):
    return position.legal_moves()[-1] if sys.loads > 100 else perfect(position, rng)
"""


LIAR = PlayerInfo("liar", last, distribution=perfect_moves)
LAZY = PlayerInfo("lazy", last, distribution=uniform)


@pytest.mark.parametrize(
    "order",
    [("liar", "monkey"), pytest.param(("monkey", "liar"), marks=pytest.mark.slow)],
)
def test_a_declared_distribution_that_lies_has_no_exact_result(order: tuple[str, str]) -> None:
    message = rf"^liar .*: .* \d at \S+ .*/{order[1]}/"
    with pytest.raises(PlayerFault, match=message):
        arena.exact(*(LIAR if name == "liar" else name for name in order))


def test_other_frequencies_than_the_declared_ones_have_none_either(wording: Wording) -> None:
    with wording.raises(PlayerFault, match="200"):
        arena.exact(LAZY, "triples")


@pytest.mark.slow
@pytest.mark.parametrize("command", few([(("exact",),), (("fight", "--exact", "-n", "1"),)]))
def test_a_file_that_deviates_late_ends_in_one_line_and_exit_code_4(
    tmp_path: Path, run: Run, command: tuple[str, ...]
) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(TURNS)
    name, *options = command
    ran = run(name, str(bot), "triples", *options, "--isolation", "process")
    assert (ran.code, ran.out, ran.err.count("\n")) == (4, "", 1)
    assert re.search(r"\bbot\.py .* \d at [xo_]{9} .*\btictactoe/", ran.err)


@pytest.mark.slow
@pytest.mark.parametrize("isolation", ["none", "process"])
def test_an_honest_file_has_the_result_of_the_installed_player(
    tmp_path: Path, run: Run, isolation: str
) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(HONEST)
    result = arena.exact(str(bot), "monkey", isolation=isolation)
    known = arena.exact("triples", "monkey")
    assert (result.first, result.second) == (known.first, known.second)
    assert (result.watched, result.declared, result.games) == ((str(bot),), (), 200)
    assert result.as_json()["agreeing_games"] == 200
    assert (known.watched, known.games) == ((), 0)
    assert "agreeing_games" not in known.as_json()


@pytest.mark.slow
def test_an_honest_file_is_watched_from_openings_and_under_symmetries(
    tmp_path: Path,
) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(position, rng):\n    return position.legal_moves()[0]\n")
    opened = arena.exact(str(bot), "triples", openings="all:1")
    assert opened.games == 200
    merged = arena.exact(str(bot), "lines:depth=1", game="mnk-4-3-3")
    assert merged.games == 200


@pytest.mark.slow
def test_the_page_says_whose_account_a_table_is(
    tmp_path: Path, catalogue: Catalogue, wording: Wording
) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(HONEST)
    account = replace(LIAR, name="account", player=triples.choose)
    page = catalogue.reports.get("table")(arena.exact(str(bot), account))
    wording.line(page, f"{bot} ", "account ", " 200 ")
    alone = catalogue.reports.get("table")(arena.exact("triples", "monkey"))
    assert "agree" not in alone


@pytest.mark.slow
def test_a_round_robin_of_everybody_leaves_a_liar_out(
    catalogue_of: Callable[..., Catalogue],
    wording: Wording,
) -> None:
    result = arena.exact_tournament(catalogue=catalogue_of(LIAR, "triples", "monkey"))
    assert {standing.player for standing in result.standings} == {"triples", "monkey"}
    wording(result.left_out["liar"])
    with wording.raises(PlayerFault):
        arena.exact_tournament([LIAR, "triples", "monkey"])


@pytest.fixture
def catalogue_of(catalogue: Catalogue) -> Callable[..., Catalogue]:
    """Return a catalogue with these players and no others."""

    def make(*players: PlayerInfo | str) -> Catalogue:
        registry: Registry[PlayerInfo] = Registry("player")
        for named in players:
            player = catalogue.player(named) if isinstance(named, str) else named
            registry.add(player.name, player, "a test")
        return replace(catalogue, players=registry)

    return make
