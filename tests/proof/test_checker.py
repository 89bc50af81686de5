"""The checker believes nothing: a well-formed certificate that says anything false is refuted."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from arena.errors import UsageError
from arena.proof.certificate_file import parse_certificate
from arena.proof.checker import CertificateError
from tests.conftest import Run
from tests.golden import Wording
from tests.proof.certified import CERTIFIED, Alternates, Json, record
from tests.proof.checking import GAMES, assert_true, check
from tests.samples import few


@pytest.mark.slow
@pytest.mark.parametrize(("player", "game"), few(CERTIFIED, 3))
def test_a_true_certificate_is_accepted_and_its_claims_are_the_truth(
    player: Any, game: str
) -> None:
    facts = record(player, game)
    assert check(facts).has_chances
    assert_true(facts)


def wrong_moves(facts: Json) -> None:
    facts["second"]["moves"]["x________"] = ["2"]


def illegal_move(facts: Json) -> None:
    facts["first"]["moves"]["_________"] = ["10"]


def taken_square(facts: Json) -> None:
    key = next(key for key in facts["second"]["moves"] if key.startswith("x"))
    facts["second"]["moves"][key][0] = "1"


def missing_position(facts: Json) -> None:
    for part in ("moves", "chances"):
        del facts["first"][part]["_________"]


def put(side: str, key: str, moves: list[str]) -> Callable[[Json], None]:
    def change(facts: Json) -> None:
        facts[side]["moves"][key] = moves
        facts[side]["chances"][key] = ["1"]

    return change


def claim(*path: str, to: Any) -> Callable[[Json], None]:
    def change(facts: Json) -> None:
        target = facts
        for name in path[:-1]:
            target = target[name]
        assert target[path[-1]] != to
        target[path[-1]] = to

    return change


def both(*changes: Callable[[Json], None]) -> Callable[[Json], None]:
    def change(facts: Json) -> None:
        for one in changes:
            one(facts)

    return change


def sides_swapped(facts: Json) -> None:
    facts["first"], facts["second"] = facts["second"], facts["first"]


#: What is done to the certificate of a player, and a word of why it is refuted.
REFUTED: dict[str, tuple[Any, Callable[[Json], None], str]] = {
    "a worse move": ("triples", wrong_moves, "no move for"),
    "a square that is not on the board": ("triples", illegal_move, "is not legal"),
    "a text that is not a move": (
        "triples",
        claim("first", "moves", "_________", to=["\x1b[31m"]),
        r"'\x1b[31m' is not legal",
    ),
    "a move in other notation": (
        "triples",
        claim("first", "moves", "_________", to=["05"]),
        "'05'",
    ),
    "a taken square": ("triples", taken_square, "'1' is not legal"),
    "a missing position": ("triples", missing_position, "no move for '_________'"),
    "an unreachable position": ("triples", put("first", "xxxoooxxx", ["1"]), "cannot occur"),
    "a position of the opponent": ("triples", put("second", "_________", ["1"]), "cannot occur"),
    "a finished position": ("tictactoe2", put("second", "xxxoo____", ["6"]), "cannot occur"),
    "a position that is a word": ("triples", put("first", "\x1b]0;x\a", ["1"]), r"\x1b]0;x"),
    "an unreachable line": (Alternates, put("first", "9 9 9", ["1"]), "cannot occur"),
    "too many positions": ("triples", claim("first", "positions", to=156), "156 positions"),
    "a number of positions below 0": ("triples", claim("first", "positions", to=-155), "-155"),
    "a huge number of positions": ("triples", claim("first", "positions", to=10**30), "no loss in"),
    "a false claim for all": ("tictactoe2", claim("never_loses", to=True), "contradicts itself"),
    "a modest claim for all": ("triples", claim("never_loses", to=False), "contradicts itself"),
    "a false claim for a side": (
        "tictactoe2",
        both(
            claim("never_loses", to=True),
            claim("second", "never_loses", to=True),
            claim("second", "losing_line", to=None),
        ),
        "says no loss",
    ),
    "a modest claim for a side": (
        "triples",
        both(claim("never_loses", to=False), claim("first", "never_loses", to=False)),
        "says a loss in",
    ),
    "a false claim beside its line": (
        "tictactoe2",
        both(claim("never_loses", to=True), claim("second", "never_loses", to=True)),
        "says no loss by '1 3 4 7 5 6 9'",
    ),
    "a claim without its line": (
        "tictactoe2",
        claim("second", "losing_line", to=None),
        "a loss in",
    ),
    "a line without its claim": ("triples", claim("first", "losing_line", to=["1"]), "by '1'"),
    "a line that is not lost": (
        "tictactoe2",
        claim("second", "losing_line", to=["1", "3", "4", "7", "5", "6", "8"]),
        "1 3 4 7 5 6 9",
    ),
    "a lost line that cannot occur": (
        "tictactoe2",
        claim("second", "losing_line", to=["1", "4", "2", "5", "3"]),
        "1 3 4 7 5 6 9",
    ),
    "a lost line that is not the first": (
        "monkey",
        claim("second", "losing_line", to=["1", "4", "2", "5", "3"]),
        "1 2 4 3 7",
    ),
    "a lost line that is not the shortest": (
        "monkey",
        claim("second", "losing_line", to=["1", "2", "3", "4", "5", "6", "7"]),
        "1 2 4 3 7",
    ),
    "an empty line": ("tictactoe2", claim("second", "losing_line", to=[]), "by ''"),
    "a wrong score": ("triples", claim("first", "best_reply", to="0"), "best opponent scores 0"),
    "a wrong score of random moves": (
        "monkey",
        claim("first", "best_reply", to="1/2"),
        "that is 1819/1890",
    ),
    "a score above one": ("triples", claim("first", "best_reply", to="7/2"), "scores 7/2"),
    "a wrong exploitability": ("triples", claim("exploitability", to="1/3"), "says that the expl"),
    "other probabilities": (
        "monkey",
        claim("first", "chances", "_________", to=["1/2", "1/16", *["1/16"] * 7]),
        "best opponent scores",
    ),
    "sides swapped": ("triples", sides_swapped, "no move for"),
    "by line instead": ("triples", claim("keyed_by", to="line"), "no move for"),
    "by position instead": (Alternates, claim("keyed_by", to="position"), "no move for"),
    "the moves of another game": ("triples", claim("game", to="tictactoe-squares"), "moving"),
    "the moves of another board": ("triples", claim("game", to="tictactoe-4"), "no move for"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", REFUTED)
def test_a_certificate_is_refuted(name: str, run: Run, tmp_path: Path) -> None:
    player, change, message = REFUTED[name]
    facts = record(player)
    change(facts)
    file = tmp_path / "c.json"
    file.write_text(json.dumps(facts))
    ran = run("certify", "--check", str(file))
    assert (ran.code, ran.out, ran.err.count("\n")) == (1, "", 1)
    assert message in ran.err
    assert "\x1b" not in ran.err


#: What only the player could refute: the moves are others, and what is said of them is true.
def another_player(facts: Json) -> None:
    facts["player"] = "monkey"


def another_players_side(facts: Json) -> None:
    facts["first"] = record("tictactoe2")["first"]


@pytest.mark.parametrize("change", [another_player, another_players_side])
def test_whose_moves_they_are_is_not_said(
    change: Callable[[Json], None], run: Run, tmp_path: Path, wording: Wording
) -> None:
    facts = record("triples")
    change(facts)
    assert_true(facts)
    file = tmp_path / "c.json"
    file.write_text(json.dumps(facts))
    ran = run("certify", "--check", str(file))
    assert (ran.code, ran.err) == (0, "")
    wording(ran.out.splitlines()[0])
    wording(ran.out.splitlines()[-1], repr(facts["player"]))
    assert f"{facts['player']} never" not in ran.out


@pytest.mark.parametrize(
    "name", ["\x1b[31mred", "two\nlines", "\u202egnp", "\ud800", "", "x" * 999]
)
def test_a_name_is_printed_on_one_line_and_escaped(name: str, run: Run, tmp_path: Path) -> None:
    file = tmp_path / "c.json"
    file.write_text(json.dumps({**record("triples"), "player": name}))
    ran = run("certify", "--check", str(file))
    assert (ran.code, ran.err) == (0, "")
    assert all(line.isprintable() for line in ran.out.splitlines())
    assert ran.out.count("\n") == 7
    assert len(ran.out) < 900


@pytest.mark.slow
def test_the_order_of_keys_and_moves_says_nothing() -> None:
    facts = record("monkey")
    turned = dict(reversed(facts.items()))
    for name in ("first", "second"):
        turned[name] = dict(reversed(facts[name].items()))
        for part in ("moves", "chances"):
            lists = reversed(facts[name][part].items())
            turned[name][part] = {key: own[::-1] for key, own in lists}
    assert check(turned) == parse_certificate(facts, GAMES.game)


def as_version_1(facts: Json) -> Json:
    """Return the certificate as arena wrote it before it wrote probabilities."""
    old = copy.deepcopy({**facts, "schema": "arena.certificate/1"})
    for side in ("first", "second"):
        del old[side]["chances"]
    return old


@pytest.mark.slow
def test_the_scores_of_a_file_without_probabilities_are_not_checked(
    run: Run, tmp_path: Path, wording: Wording
) -> None:
    file = tmp_path / "c.json"
    old = as_version_1(record("monkey"))
    file.write_text(json.dumps(old))
    ran = run("certify", "--check", str(file))
    assert (ran.code, ran.err) == (0, "")
    wording(ran.out)
    assert "scores" not in ran.out.partition("not checked")[0]
    wording(ran.out)
    old["exploitability"] = "1/3"
    with wording.raises(CertificateError, match="116101.*241920"):
        check(old)


def test_the_scores_of_certain_moves_are_checked_without_probabilities(wording: Wording) -> None:
    old = as_version_1(record(Alternates))
    assert check(old).has_chances
    old["first"]["best_reply"] = "1/3"
    with wording.raises(CertificateError):
        check(old)


def test_positions_are_limited(run: Run, tmp_path: Path, wording: Wording) -> None:
    file = tmp_path / "c.json"
    file.write_text(json.dumps(record("triples")))
    ran = run("certify", "--check", str(file), "--max-positions", "500")
    assert (ran.code, ran.out) == (2, "")
    wording(ran.err, " 500 ", "tictactoe")
    assert run("certify", "--check", str(file), "--max-positions", "568").code == 0


@pytest.mark.slow
def test_numbers_that_are_too_long_are_not_calculated_with(wording: Wording) -> None:
    facts = record("monkey")
    chances = facts["second"]["chances"]
    for at, (key, own) in enumerate(chances.items()):
        if len(own) == 2:
            small = Fraction(1, 10**900 + at)
            chances[key] = [str(small), str(1 - small)]
    with wording.raises(UsageError):
        check(facts)


@pytest.mark.slow
def test_probabilities_that_are_too_long_are_not_added_up(wording: Wording) -> None:
    facts = record("monkey")
    facts["first"]["chances"]["_________"] = [f"1/{10**900 + n}" for n in range(9)]
    with wording.raises(UsageError):
        check(facts)
