"""A bot that draws from a generator that is not its own cannot be reproduced, which is said."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

import numpy
import pytest

import arena
from arena.player_file.code import PlayerCode
from arena.rng import GLOBAL_RANDOM
from tests.samples import few

DRAWS = """
import random


def choose(position, rng):
    return random.choice(position.legal_moves())
"""
NUMPY = """
import numpy


def choose(position, rng):
    return numpy.random.choice(position.legal_moves())
"""
SEEDED = DRAWS.replace("import random", "import random\nrandom.seed(4)")
OWN = DRAWS.replace("random.choice", "random.Random(rng.random()).choice")
LINE = "bot draws from the global random: this result cannot be reproduced (use rng)"


@pytest.mark.slow
@pytest.mark.parametrize("tier", ["none", "process"])
@pytest.mark.parametrize(
    ("bot", "is_named"), few([(DRAWS, True), (OWN, False), (NUMPY, True), (SEEDED, False)], 2)
)
def test_it_is_named_in_every_isolation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bot: str, is_named: bool, tier: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text(bot)
    result = arena.fight("./bot.py", "monkey", n=1, seed=1, workers=1, isolation=tier)
    page = arena.plugin.load_catalogue().reports.get("table")(result)
    assert (LINE in page) is is_named
    assert result.b.remembers == ""


def test_numpy_that_another_imports_is_not_a_draw(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bot.py").write_text(DRAWS.replace("random.choice", "rng.choice"))
    with monkeypatch.context() as patched:
        patched.delitem(sys.modules, "numpy.random", raising=False)
        code = PlayerCode(tmp_path / "bot.py", "bot_beside_numpy")
    numpy.random.seed(1)
    code.execute()
    assert code.remembers == ""
    numpy.random.random()
    code.execute()
    assert code.remembers == GLOBAL_RANDOM


def reseeds(position: Any, rng: random.Random) -> int:
    random.seed(str(position))
    return int(random.choice(position.legal_moves()))


def draws(position: Any, rng: random.Random) -> int:
    return int(random.choice(position.legal_moves()))


class Draws(arena.StatefulPlayer):
    def choose(self, position: Any) -> int:
        return draws(position, random.Random())


@pytest.mark.parametrize(("player", "is_named"), [(draws, True), (Draws, True), (reseeds, False)])
def test_it_is_named_without_a_file(player: Any, is_named: bool) -> None:
    result = arena.fight(player, "monkey", n=2, seed=1, executor="serial")
    assert result.both[0].remembers == (GLOBAL_RANDOM if is_named else "")
    assert result.both[1].remembers == ""
    fought = arena.sprt_fight("monkey", player, n=2, seed=1, executor="serial").fight
    assert bool(fought.both[1].remembers) is is_named
