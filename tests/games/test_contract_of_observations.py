"""Games whose observations break the contract: one line, exit code 2, and no player is charged."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Run
from tests.samples import few

#: Each gets a card, and the higher one wins: the first seat says how much is at stake.
RULES = """
from collections import namedtuple
from fractions import Fraction

import arena
from arena.plugin import CHANCE, Payoffs, View, outcome_of

class Cards(namedtuple("Fields", "game moves"), arena.Position):
    ply = property(lambda self: len(self.moves))
    to_move = property(lambda self: CHANCE if self.ply < 2 else arena.Side(0))

    def chance_moves(self):
        cards = [card for card in (0, 1, 2) if card not in self.moves]
        return tuple((card, Fraction(1, len(cards))) for card in cards)

    def legal_moves(self):
        if self.ply < 2:
            return tuple(card for card, _ in self.chance_moves())
        return (3, 4) if self.ply == 2 else ()

    def play(self, move):
        if move not in self.legal_moves():
            raise arena.IllegalMove(f"there is no move {{move!r}} at {{self}}")
        return Cards(self.game, (*self.moves, move))

    def payoffs(self):
        if self.ply < 3:
            return None
        stake = (self.moves[2] - 2) * (1 if self.moves[0] > self.moves[1] else -1)
        return Fraction(stake), Fraction(-stake)

    def outcome(self):
        return outcome_of(self.payoffs())

    def observation(self, seat):
        seen = tuple(str(move) for move in (*self.moves[:2][seat : seat + 1], *self.moves[2:]))
        moves = self.legal_moves() if self.to_move == seat else ()
        {observation}

    def picture(self):
        return str(self)

    def __str__(self):
        return " ".join(map(str, self.moves)) or "start"

class Higher(arena.Game):
    name, max_plies, payoffs = "higher", 3, Payoffs(-2, 2, "chips", 0)

    def start(self):
        return Cards(self, ())

    def parse(self, text):
        moves = () if text == "start" else tuple(map(int, text.split()))
        return Cards(self, moves)

    def parse_observation(self, text):
        {parsed}

    def format_move(self, move):
        return str(move)

    def parse_move(self, text):
        return int(text)

@arena.hookimpl
def arena_register_games(register):
    register("higher", Higher)
"""

SOUND = "return View(self.game, seat, seen, moves)"
READ = "return View.parse(self, text)"

#: What a game returns instead, and what the message says.
BROKEN = {
    "nothing": ("return None", "observation(0) at 'start': returned 'None'"),
    "text": ("return ' '.join(seen)", "observation(0) at 'start': returned"),
    "unhashable": (
        "return View(self.game, seat, list(seen), moves)",
        "hash(observation(0)) at 'start': raised TypeError: unhashable type",
    ),
    "of another seat": (
        "return View(self.game, 0, seen, moves)",
        "observation(1) at 'start': returned what seat '0' knows",
    ),
    "moves of another": (
        "return View(self.game, seat, seen, self.legal_moves())",
        "observation(0) at 'start': has the moves '(0, 1, 2)', and the seat may make '()'",
    ),
    "raises": ("return self.cards[seat]", "observation(0) at 'start': raised AttributeError"),
}


def written(folder: Path, observation: str = SOUND, parsed: str = READ) -> str:
    path = folder / "higher.py"
    path.write_text(RULES.format(observation=observation, parsed=parsed))
    return str(path)


@pytest.mark.parametrize("what", BROKEN)
def test_no_game_is_played_whose_observations_break_the_contract(
    what: str, run: Run, tmp_path: Path
) -> None:
    observation, problem = BROKEN[what]
    plugin = written(tmp_path, observation)
    ran = run("-p", plugin, "fight", "cfr", "monkey", "--game", "higher", "-n", "5")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("arena: game 'higher' ")
    assert problem in ran.err
    assert ran.err.count("\n") == 1


def test_a_fault_off_the_first_moves_is_charged_to_the_game(run: Run, tmp_path: Path) -> None:
    late = "return View(self.game, seat, list(seen) if '2' in seen else seen, moves)"
    plugin = written(tmp_path, late)
    ran = run("-p", plugin, "fight", "cfr", "monkey", "--game", "higher", "-n", "20", "--seed", "1")
    assert ran.code == 2
    assert "unhashable type: 'list'" in ran.err
    assert "forfeited" not in ran.out + ran.err


@pytest.mark.slow
@pytest.mark.parametrize("parsed", ["raise KeyError(text)", f"{READ}._replace(events=())"])
@pytest.mark.parametrize("isolation", few(["process", "none"]))
def test_no_isolated_player_gets_an_observation_that_does_not_come_back(
    parsed: str, isolation: str, run: Run, tmp_path: Path
) -> None:
    plugin = written(tmp_path, parsed=parsed)
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(position, rng):\n    return position.legal_moves()[0]\n")
    words = ("--game", "higher", "-n", "5", "--isolation", isolation)
    ran = run("-p", plugin, "fight", str(bot), "monkey", *words)
    if isolation == "none":
        assert ran.code == 0
    else:
        assert ran.code == 2
        assert "arena: game 'higher' " in ran.err


@pytest.mark.slow
def test_a_sound_game_is_played(run: Run, tmp_path: Path) -> None:
    assert run("-p", written(tmp_path), "fight", "cfr", "monkey", "--game", "higher").code == 0
