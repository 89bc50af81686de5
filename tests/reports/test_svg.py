"""Pictures as a format: boards of games, figures of results, and a refusal of the rest."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

import arena
from arena.errors import UsageError
from arena.reports.svg import svg
from tests.conftest import Run
from tests.golden import Wording


def test_a_game_is_its_last_board() -> None:
    replay = arena.replay("tictactoe/monkey/triples/1/1.1")
    position = arena.get_game("tictactoe").start()
    for text in replay.moves:
        move = position.game.parse_move(text)
        position = position.play(move)
    assert svg(replay) == position.svg(last=move)


@pytest.mark.slow
def test_a_result_is_its_usual_figure() -> None:
    fight = arena.fight("<b>&=triples", "monkey", n=3, seed=1)
    drawn = ElementTree.fromstring(svg(fight))
    assert drawn.tag.endswith("svg")
    assert any("<b>&" in text for text in drawn.itertext())


def test_what_has_no_picture_says_so(wording: Wording) -> None:
    with wording.raises(UsageError):
        svg(arena.installed_players())


def test_the_name_of_a_file_chooses_the_picture(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = ("replay", "tictactoe/monkey/triples/1/1.1", "--output", "game.svg")
    code, _, err = run(*arguments, "--format", "html")
    assert code == 2
    wording(err, "'game.svg'", "--format")
    assert run(*arguments).code == 0
    assert Path("game.svg").read_text().startswith("<svg")
