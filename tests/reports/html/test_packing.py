"""Games that are packed into a page lead to the boards that were played."""

from __future__ import annotations

import base64
import gzip
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

import arena
from arena.errors import GameFault
from arena.game import Game, Position
from arena.records.exports import ExportedGame
from arena.records.thoughts import Thought, move_thoughts
from arena.reports.html.packing import packed, packed_run
from arena.reports.single_games import stored_game
from tests.games.extra_turns import BOXES_GAME, Board, Boxes
from tests.golden import Wording

GAMES = ("tictactoe", "connect4", "othello-6", "hex-5", "nim", "chess")


def played(game: Game, seed: int, most: int = 30) -> tuple[ExportedGame, list[Position]]:
    rng, positions = random.Random(seed), [game.start()]
    moves: list[str] = []
    while positions[-1].outcome() is None and len(moves) < most:
        move = rng.choice(positions[-1].legal_moves())
        moves.append(game.format_move(move))
        positions.append(positions[-1].play(move))
    outcome = positions[-1].outcome()
    game_id, ended = f"a/b/c/1/{seed}.1", outcome and outcome.value
    return ExportedGame(seed, game_id, None, ("a", "b"), tuple(moves), ended), positions


def run_of(game: Game, records: Sequence[ExportedGame]) -> dict[str, Any]:
    """Return a run with one fight."""
    games = [stored_game(game, record) for record in records]
    return packed_run(game, [(("a", "b"), games)])


def unpacked(text: str) -> list[dict[str, Any]]:
    runs: list[dict[str, Any]] = json.loads(gzip.decompress(base64.b64decode(text)))["runs"]
    return runs


def boards(run: dict[str, Any], game: list[Any]) -> list[str]:
    """Unfold a game as the script of a page does."""
    cells = list(run["begins"][game[2]])
    results = ["".join(cells)]
    for change in game[4].split(" ") if game[4] else []:
        for part in filter(None, change.partition("@")[0].split(",")):
            cells[int(part[:-1])] = part[-1]
        results.append("".join(cells))
    return results


@pytest.mark.parametrize("name", GAMES)
def test_games_unfold_to_their_boards(name: str) -> None:
    game = arena.get_game(name)
    every = [played(game, seed) for seed in range(5)]
    [run] = unpacked(packed([run_of(game, [record for record, _ in every])]))
    assert run["fights"][0]["players"] == ["a", "b"]
    for result, (record, positions) in zip(run["fights"][0]["games"], every, strict=True):
        diagrams = [position.diagram() for position in positions]
        assert boards(run, result) == ["".join(d.cells) for d in diagrams if d is not None]
        assert result[3].split() == list(record.moves)
        last = diagrams[-1]
        assert last is not None
        assert result[5] == [list(line) for line in last.lines]
    assert len(run["middle"]) == len(run["begins"][0])


def test_a_game_may_begin_from_an_opening() -> None:
    game = arena.get_game("tictactoe")
    record = replace(played(game, 1)[0], opening="x___o____", moves=("9",))
    run = run_of(game, [record])
    assert boards(run, run["fights"][0]["games"][0]) == ["x___o____", "x___o___x"]


def test_a_game_without_a_board_has_its_pictures_once() -> None:
    records = [played(BOXES_GAME, 1)[0], played(BOXES_GAME, 1)[0]]
    run = run_of(BOXES_GAME, records)
    first, second = run["fights"][0]["games"]
    assert first[4] == second[4]
    assert run["pictures"][first[4][-1]] == str(played(BOXES_GAME, 1)[1][-1])
    assert len(run["pictures"]) == len(first[4]) + 1


def test_a_game_with_secrets_has_a_picture_for_each_seat_and_says_who_moved() -> None:
    game = arena.get_game("kuhn")
    record, positions = played(game, 1)
    run = run_of(game, [record])
    [result] = run["fights"][0]["games"]
    movers, views = result[9], result[10]
    assert movers == "".join("01c"[position.to_move] for position in positions[:-1])
    assert [[run["pictures"][at] for at in seat] for seat in views] == [
        [position.observation(seat).svg() for position in positions] for seat in (0, 1)
    ]


def test_a_game_without_secrets_has_no_pictures_of_seats() -> None:
    pig = run_of(arena.get_game("pig-10"), [played(arena.get_game("pig-10"), 1)[0]])
    assert "c" in pig["fights"][0]["games"][0][9]
    plain = run_of(arena.get_game("tictactoe"), [played(arena.get_game("tictactoe"), 1)[0]])
    assert [run["fights"][0]["games"][0][10] for run in (pig, plain)] == [[], []]
    assert plain["fights"][0]["games"][0][9] == ""


class _Own(Board):
    __slots__ = ()

    def play(self, move: int) -> _Own:
        return _Own(*super().play(move))

    def svg(self, last: int | None = None, marks: Mapping[int, object] | None = None) -> str:
        return f"<svg>{self} {last}</svg>"


class _OwnGame(Boxes):
    def start(self) -> Board:
        return _Own("_" * 7, "__", "x")


def test_a_game_that_draws_its_own_boards_has_these() -> None:
    record = replace(played(BOXES_GAME, 1)[0], moves=("d",))
    run = run_of(_OwnGame(), [record])
    assert run["drawn"]
    assert run["pictures"] == ["<svg>_______/__/x None</svg>", "<svg>___#___/__/o 3</svg>"]


class _Vanishing(Board):
    __slots__ = ()

    def play(self, move: int) -> _Vanishing:
        return _Vanishing(*super().play(move))

    def diagram(self) -> arena.plugin.Diagram | None:
        return None if self.ply else arena.plugin.Diagram(7, 1, self.edges)


class _VanishingGame(Boxes):
    def start(self) -> Board:
        return _Vanishing("_" * 7, "__", "x")


def test_a_board_that_vanishes_is_the_fault_of_the_game(wording: Wording) -> None:
    record = played(BOXES_GAME, 1)[0]
    with wording.raises(GameFault, match="'boxes'"):
        run_of(_VanishingGame(), [record])


def test_forfeits_and_thoughts_are_kept() -> None:
    game = arena.get_game("tictactoe")
    thoughts = move_thoughts([(0, Thought(score=13, depth=12))])
    record = replace(played(game, 1)[0], thoughts=thoughts, forfeit_side=1)
    record = replace(record, reason="timeout", message="late")
    [result] = run_of(game, [record])["fights"][0]["games"]
    assert result[6:8] == [["timeout", "late", 1], [[0, "+0.13/12"]]]


def test_a_thought_on_a_move_that_was_not_made_spoils_no_page() -> None:
    game = arena.get_game("tictactoe")
    record = replace(played(game, 1)[0], moves=("5",), outcome="first", forfeit_side=1)
    record = replace(record, reason="timeout", message="late")
    record = replace(record, thoughts=move_thoughts([(1, Thought(score=13))]))
    assert stored_game(game, record).notes.thoughts == ((1, Thought(score=13)),)
    assert len(run_of(game, [record])["fights"][0]["games"]) == 1


def test_moves_of_small_games_have_their_worths(wording: Wording) -> None:
    game = arena.get_game("tictactoe")
    record = replace(played(game, 1)[0], moves=("1", "2", "5", "9"))
    run = run_of(game, [record])
    [result] = run["fights"][0]["games"]
    wording([run["worths"][int(at)] for at in result[8].split(" ")], " 5", " 4")


def test_a_game_that_is_too_large_has_no_worths() -> None:
    game = arena.get_game("connect4")
    run = run_of(game, [played(game, 1)[0]])
    assert run["worths"] == []
    assert run["fights"][0]["games"][0][8] == ""


@pytest.mark.slow
def test_a_thousand_games_are_small() -> None:
    game = arena.get_game("tictactoe")
    records = [played(game, seed)[0] for seed in range(1000)]
    assert len(packed([run_of(game, records)])) < 40_000
