"""Games in files: what is written is read again, and what the rules forbid is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import arena
from arena.errors import UsageError
from arena.fights.replays import PlayedGame, read_replay, report_of
from arena.game import WIN_FOR, Side
from arena.match.record import Forfeit
from arena.plugin.catalogue import Catalogue
from tests.golden import Wording

Edit = Callable[[dict[str, Any]], object]

FORFEIT = {"player": "a", "reason": "illegal", "message": "x"}


def written(folder: Path, record: object) -> Path:
    file = folder / "game.json"
    file.write_text(json.dumps(record))
    return file


@pytest.mark.slow
@settings(max_examples=40)
@given(data=st.data(), game=st.sampled_from(["tictactoe", "mnk-4-3-3", "connect4"]))
def test_any_game_is_read_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, catalogue: Catalogue, data: st.DataObject, game: str
) -> None:
    rules = catalogue.game(game)
    position, moves = rules.start(), []
    for _ in range(data.draw(st.integers(0, rules.max_plies))):
        if position.outcome() is not None:
            break
        moves.append(data.draw(st.sampled_from(position.legal_moves())))
        position = position.play(moves[-1])
    outcome, forfeit = position.outcome(), None
    if outcome is None and data.draw(st.booleans()):
        side = data.draw(st.sampled_from(Side))
        forfeit, outcome = Forfeit(side, "resigned", "resigned"), WIN_FOR[side.other]
    report = report_of(
        rules,
        ("ann", "bob"),
        PlayedGame(moves, outcome, [forfeit] if forfeit else []),
        game_id=None,
        seed=7,
    )
    file = written(tmp_path_factory.mktemp("game"), report.as_json())
    assert read_replay(file, catalogue) == report
    assert len(report.pictures) == len(moves) + 1


def test_a_game_of_a_fight_is_replayed_from_its_id_and_from_its_file(tmp_path: Path) -> None:
    played = arena.replay("tictactoe/triples/monkey/7/1.2")
    assert arena.replay(str(written(tmp_path, played.as_json()))) == played


@pytest.mark.parametrize(
    "edit",
    [
        lambda game: game.pop("schema"),
        lambda game: game.update(schema=["x"]),
        lambda game: game.update(game="draughts"),
        lambda game: game.update(game=3),
        lambda game: game.update(game_version=2),
        lambda game: game.update(players="ab"),
        lambda game: game.update(players=["a"]),
        lambda game: game.update(moves=[1]),
        lambda game: game["moves"].insert(1, "1"),
        lambda game: game["moves"].insert(1, "ten"),
        lambda game: game["moves"].append("9"),
        lambda game: game["moves"].pop(),
        lambda game: game.update(outcome="draw"),
        lambda game: game.update(outcome=None),
        lambda game: game.update(outcome=["first"] * 99),
        lambda game: game.update(outcome="not over"),
        lambda game: game.update(forfeit=1),
        lambda game: game.update(forfeit={"player": "c"}),
        lambda game: game.update(forfeit={"player": "a"}),
    ],
)
def test_what_is_no_game_is_refused_in_one_line(
    tmp_path: Path, catalogue: Catalogue, edit: Edit, wording: Wording
) -> None:
    moves = [0, 3, 1, 4, 2]
    outcome = WIN_FOR[0]
    game = catalogue.game("tictactoe")
    report = report_of(game, ("a", "b"), PlayedGame(moves, outcome), game_id=None, seed=None)
    record = report.as_json()
    edit(record)
    with pytest.raises(UsageError) as raised:
        read_replay(written(tmp_path, record), catalogue)
    wording(str(raised.value))
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("text", ["", "x", "[]", "[" * 100_000, "\ud800", '{"a":1,"a":2}'])
def test_what_is_no_json_is_refused_in_one_line(
    tmp_path: Path, catalogue: Catalogue, text: str
) -> None:
    file = tmp_path / "game.json"
    file.write_text(text, errors="surrogatepass")
    with pytest.raises(UsageError, match=r"^game '"):
        read_replay(file, catalogue)
