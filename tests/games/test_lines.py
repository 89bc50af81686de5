"""Games of any winning lines, compared with naive rules over words of letters."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import PositionError, UsageError
from arena.game import Outcome, Side
from arena.games.lines import (
    MAX_RULES_BYTES,
    VARIANTS,
    ListedLineGame,
    line_game,
    load_lines,
    variant,
)
from arena.games.mnk import MnkGame, MnkPosition, mnk_game
from arena.plugin.catalogue import Catalogue
from arena.proof.values import value
from arena.testing import check_game
from tests.golden import Wording

#: Squares counted as in the book.
STRAIGHT = "123 456 789 147 258 369"
LINES = {
    "tictactoe-straight": STRAIGHT,
    "tictactoe-corners": f"{STRAIGHT} 159 357 124 236 478 689",
    "tictactoe-squares": f"{STRAIGHT} 159 357 1245 2356 4578 5689",
}


def turned(word: str) -> str:
    """Return the squares of a 3 by 3 board after a quarter turn."""
    return "".join(sorted("369258147"[int(s) - 1] for s in word))


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variants_lines_are_those_of_the_book_in_its_order(name: str) -> None:
    words = [line.split() for line in variant(name).rules.splitlines()[1:]]
    assert ["".join(line) for line in words] == LINES[name].split()


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variant_has_all_symmetries_because_its_lines_have(name: str) -> None:
    words = set(LINES[name].split())
    assert {turned(word) for word in words} == words
    assert len(variant(name).symmetries) == 8


# The rules against naive ones.


def wins(letters: str, mark: str, lines: Sequence[Sequence[int]]) -> bool:
    return any(all(letters[s] == mark for s in line) for line in lines)


def agrees(position: MnkPosition, lines: Sequence[Sequence[int]]) -> None:
    letters = str(position)
    won = [wins(letters, mark, lines) for mark in "xo"]
    over = Outcome.FIRST_WINS if won[0] else Outcome.SECOND_WINS if won[1] else None
    free = [s for s, letter in enumerate(letters) if letter == "_"]
    assert position.outcome() == (over or (None if free else Outcome.DRAW))
    assert list(position.legal_moves()) == ([] if over else free)
    for side, mark in zip(Side, "xo", strict=True):
        results = [s for s in free if wins(letters[:s] + mark + letters[s + 1 :], mark, lines)]
        before = wins(letters, mark, lines)
        assert before or list(position.winning_moves(side)) == results
        open_to = any(all(letters[s] in (mark, "_") for s in line) for line in lines)
        assert position.can_win(side) == open_to
    assert position.is_dead_draw() == all(
        {"x", "o"} <= {letters[s] for s in line} for line in lines
    )


@st.composite
def line_games(draw: st.DrawFn) -> tuple[ListedLineGame, list[list[int]]]:
    columns, rows = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    squares = st.integers(0, columns * rows - 1)
    line = st.lists(squares, min_size=1, max_size=4, unique=True)
    lines = draw(st.lists(line, min_size=1, max_size=6, unique_by=frozenset))
    text = "\n".join(" ".join(str(s + 1) for s in line) for line in lines)
    return line_game("drawn", f"board {columns} {rows}\n{text}"), lines


@pytest.mark.slow
@settings(max_examples=150)
@given(line_games(), st.lists(st.integers(0, 15), max_size=16))
def test_any_lines_are_played_by_naive_rules(
    made: tuple[ListedLineGame, list[list[int]]], moves: list[int]
) -> None:
    game, lines = made
    position = game.start()
    for number in [*moves, 0]:
        agrees(position, lines)
        assert game.parse(str(position)) == position
        legal = position.legal_moves()
        if not legal:
            break
        position = position.play(legal[number % len(legal)])


@pytest.mark.slow
@settings(max_examples=60)
@given(line_games())
def test_symmetries_are_the_boards_that_take_lines_to_lines(
    made: tuple[ListedLineGame, list[list[int]]],
) -> None:
    game, lines = made
    those = {frozenset(line) for line in lines}
    everybody = mnk_game(game.columns, game.rows, 1).symmetries
    keeping = [s for s in everybody if {frozenset(s[q] for q in line) for line in those} == those]
    assert list(game.symmetries) == keeping


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
def test_a_variant_keeps_the_contract_of_games(name: str) -> None:
    report = check_game(name)
    assert report.conforms, report


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
def test_exactly_the_positions_that_occur_can_be_read(name: str) -> None:
    game, lines = variant(name), [[int(s) - 1 for s in word] for word in LINES[name].split()]
    result, waiting = {"_" * 9}, ["_" * 9]
    while waiting:
        text = waiting.pop()
        if not any(wins(text, mark, lines) for mark in "xo"):
            mark = "o" if text.count("x") > text.count("o") else "x"
            after = {text[:s] + mark + text[s + 1 :] for s in range(9) if text[s] == "_"}
            waiting += after - result
            result |= after
    read = set()
    for number in range(3**9):
        text = "".join("xo_"[number // 3**s % 3] for s in range(9))
        try:
            read.add(str(game.parse(text)))
        except PositionError:
            continue
    assert read == result


def plain_value(text: str, lines: Sequence[Sequence[int]], known: dict[str, int]) -> int:
    """1, 0 or -1 for the side to move, by minimax over words."""
    if text not in known:
        mark, other = "xo" if text.count("x") == text.count("o") else "ox"
        if wins(text, other, lines):
            known[text] = -1
        else:
            known[text] = max(
                (
                    -plain_value(text[:s] + mark + text[s + 1 :], lines, known)
                    for s in range(9)
                    if text[s] == "_"
                ),
                default=0,
            )
    return known[text]


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variants_value_is_that_of_minimax_over_words(name: str) -> None:
    lines = [[int(s) - 1 for s in word] for word in LINES[name].split()]
    positions = value(variant(name).start())
    assert (positions > 0) - (positions < 0) == plain_value("_" * 9, lines, {})


# One and the same game.


def test_equal_rules_under_one_name_are_one_game_however_they_are_written() -> None:
    game = line_game("mine", "board 2 2 # small\n\n 2   1\n3 4")
    assert line_game("mine", "board 2 2\n1 2\n3 4\n") is game
    assert line_game("mine", "board 2 2\n1 2") is not game
    position = game.start().play(1)
    for again in (
        pickle.loads(pickle.dumps(position)),
        copy.deepcopy(position),
        line_game(game.name, game.rules).parse(str(position)),
    ):
        assert again == position
        assert again.game is game


def test_the_lines_of_tictactoe_make_tictactoe(tmp_path: Path) -> None:
    words = ["board 3 3", *map(" ".join, f"{STRAIGHT} 159 357".split())]
    game = line_game("mine", "\n".join(words))
    standard = mnk_game(3, 3, 3)
    assert (game.lines, game.symmetries) == (standard.lines, standard.symmetries)
    assert (game.corners, game.centre, game.sides) == ((0, 2, 6, 8), 4, (1, 3, 5, 7))


def test_a_game_cannot_be_changed(wording: Wording) -> None:
    with wording.raises(AttributeError):
        variant("tictactoe-corners").rules = ""


# Files.


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "my.lines"


def refusal(file: Path, text: str | bytes) -> str:
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(UsageError) as caught:
        load_lines("my.lines")
    message = str(caught.value)
    assert message.startswith("game 'lines:my.lines'")
    assert "\n" not in message
    assert len(message) < 250
    return message


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# nothing\n",
        "board 3 3\n",
        "\n1 2 3",
        "board 3",
        "board 21 3\n1 2",
        "board 0 3\n1 2",
        "board -1 3\n1 2",
        "board 3 ٣\n1 2",
        "board 3 3\n1 2 10",
        "board 3 3\n1 2\n0 1",
        "board 3 3\n1,2,3",
        "board 3 3\n" + "9" * 9000,
        "board 3 3\n1 2 1",
        "board 3 3\n1 2\n\n2 1 # again",
        b"board 3 3\n\xff",
        b"#" * (MAX_RULES_BYTES + 1),
    ],
)
def test_a_refusal_names_the_line(file: Path, text: str | bytes, wording: Wording) -> None:
    wording(refusal(file, text))


@pytest.mark.parametrize(
    "name",
    [
        "lines:",
        "lines:none",
        "lines:.",
        "lines:a\nb",
        "lines:a\0b",
        "lines:" + "x" * 5000,
    ],
)
def test_a_file_that_is_none(file: Path, name: str, wording: Wording) -> None:
    with wording.raises(UsageError):
        load_lines(name.removeprefix("lines:"))


@given(st.text(max_size=60) | st.text("board 0123\n#", max_size=60))
def test_any_text_is_a_game_or_is_refused_in_one_line(text: str) -> None:
    message = ""
    try:
        game: MnkGame = line_game("any", text)
    except UsageError as error:
        message = str(error)
    assert "\n" not in message
    assert message or line_game("any", game.rules) is game


def test_changed_lines_are_another_version_and_comments_are_not(file: Path) -> None:
    file.write_text("board 3 3\n1 2 3\n")
    before = load_lines("my.lines")
    file.write_text("# the same\nboard 3 3\n3 2 1\n")
    assert load_lines("my.lines") is before
    file.write_text("board 3 3\n1 2 3\n4 5 6\n")
    after = load_lines("my.lines")
    assert (after.name, after.version != before.version) == (before.name, True)


def test_a_file_is_a_game_by_name(file: Path, catalogue: Catalogue) -> None:
    file.write_text("﻿board 4 1\r\n1 2\r\n", encoding="utf-8")
    game = catalogue.game("lines:my.lines")
    assert (game.name, game.max_plies) == ("lines:my.lines", 4)
    assert json.loads(json.dumps(game.version)) == game.version
