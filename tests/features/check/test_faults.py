"""What a finding tells a program: the fault, the position, the moves to it, the remedy."""

from __future__ import annotations

from pathlib import Path

import pytest

import arena
from arena.errors import PlayerFault
from arena.features.check.record import Finding, Level
from arena.features.check.remedies import OF_FAULTS
from arena.games.info_state import info_state_of
from tests.golden import Wording

STATELESS = "def choose(position, rng):\n    {answer}\n"
STATEFUL = """
class Bot:
    def start(self, game, side, rng):
        self.turn = 0

    def choose(self, position):
        self.turn += 1
        if self.turn == 2:
            {answer}
        return position.legal_moves()[0]
"""
ANSWERS = {"illegal": "return 99", "exception": "raise ValueError('no idea')"}


def failure(folder: Path, text: str, **options: object) -> Finding:
    """Return the one failure of a player in a file."""
    file = folder / "bot.py"
    file.write_text(text)
    report = arena.check(str(file), seed=3, positions=20, **options)  # type: ignore[arg-type]
    [finding] = report.at(Level.FAIL)
    return finding


@pytest.mark.slow
@pytest.mark.parametrize("fault", ANSWERS)
@pytest.mark.parametrize("game", ["tictactoe", "mnk-3-3-3-x3", "pig-20"])
def test_the_moves_of_a_game_lead_to_the_position_of_the_fault(
    tmp_path: Path, game: str, fault: str
) -> None:
    path = failure(tmp_path, STATEFUL.format(answer=ANSWERS[fault]), game=game)
    assert (path.check, path.fault) == ("legal moves", fault)
    rules = arena.get_game(game)
    position = rules.start()
    for word in path.moves.split():
        position = position.play(rules.parse_move(word))
    assert path.position == str(info_state_of(position))
    assert f"raise {ANSWERS[fault][6:]}" in path.message or fault == "illegal"
    assert OF_FAULTS[fault] in path.remedy


@pytest.mark.slow
@pytest.mark.parametrize("fault", ANSWERS)
def test_a_player_fails_again_at_the_position(tmp_path: Path, fault: str) -> None:
    text = STATELESS.format(answer=f"if position.ply == 3:\n        {ANSWERS[fault]}")
    text += "    return position.legal_moves()[0]\n"
    path = failure(tmp_path, text)
    assert (path.fault, path.moves) == (fault, "")
    assert arena.get_game("tictactoe").parse(path.position).ply == 3
    with pytest.raises(PlayerFault):
        arena.distribution(str(tmp_path / "bot.py"), path.position)


@pytest.mark.slow
def test_a_player_that_does_not_answer_is_told_where(tmp_path: Path) -> None:
    text = "import time\n" + STATELESS.format(answer="time.sleep(9)")
    path = failure(tmp_path, text, patience=1)
    assert (path.fault, path.position) == ("timeout", "_________")
    assert path.remedy == OF_FAULTS["timeout"]


@pytest.mark.slow
def test_the_command_that_shows_a_game_names_the_file(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_text(STATEFUL.format(answer="return 99"))
    report = arena.check(f"anna={file}", seed=3, positions=20)
    [finding] = report.at(Level.FAIL)
    assert finding.reproduction.endswith(f" --player anna={file}")


def test_every_remedy_is_a_sentence_for_the_author(wording: Wording) -> None:
    for remedy in OF_FAULTS.values():
        assert remedy[0].isupper()
        wording(remedy)
