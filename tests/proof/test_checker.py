"""The checker believes nothing: a well-formed certificate that says anything false is refuted."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from arena.errors import UsageError
from arena.game import Side
from arena.plugin.manager import load_catalogue
from arena.proof.certificate_file import CertificateFile, parse_certificate, read_certificate
from arena.proof.checker import CertificateError, check_certificate
from tests.conftest import Run
from tests.proof.certified import CERTIFIED, Alternates, Json, record, truth
from tests.samples import few

GAMES = load_catalogue()


def check(found: object) -> CertificateFile:
    certificate = parse_certificate(found, GAMES.game)
    check_certificate(certificate, 10**6)
    return certificate


@pytest.mark.parametrize(("player", "game"), few(CERTIFIED, 3))
def test_a_true_certificate_is_accepted_and_its_claims_are_the_truth(
    player: Any, game: str
) -> None:
    found = record(player, game)
    assert check(found).has_chances
    assert_true(found)


def assert_true(found: Json) -> None:
    """Every claim of a certificate is what recursion over all its lines finds."""
    game = GAMES.game(found["game"])
    truths = [truth(found, side, game) for side in Side]
    for side, true in zip(Side, truths, strict=True):
        said = found[side.name.lower()]
        assert said["never_loses"] is true.never_loses
        assert said["positions"] == true.positions
        assert said["losing_line"] == true.losing_line
        assert said["best_reply"] == str(true.best_reply)
    assert found["never_loses"] is all(true.never_loses for true in truths)
    above = sum(true.best_reply for true in truths) / 2 - Fraction(1, 2)
    assert found["exploitability"] == str(above)


def wrong_moves(found: Json) -> None:
    found["second"]["moves"]["x________"] = ["2"]


def illegal_move(found: Json) -> None:
    found["first"]["moves"]["_________"] = ["10"]


def taken_square(found: Json) -> None:
    key = next(key for key in found["second"]["moves"] if key.startswith("x"))
    found["second"]["moves"][key][0] = "1"


def missing_position(found: Json) -> None:
    for part in ("moves", "chances"):
        del found["first"][part]["_________"]


def put(side: str, key: str, moves: list[str]) -> Callable[[Json], None]:
    def change(found: Json) -> None:
        found[side]["moves"][key] = moves
        found[side]["chances"][key] = ["1"]

    return change


def claim(*path: str, to: Any) -> Callable[[Json], None]:
    def change(found: Json) -> None:
        target = found
        for name in path[:-1]:
            target = target[name]
        assert target[path[-1]] != to
        target[path[-1]] = to

    return change


def both(*changes: Callable[[Json], None]) -> Callable[[Json], None]:
    def change(found: Json) -> None:
        for one in changes:
            one(found)

    return change


def sides_swapped(found: Json) -> None:
    found["first"], found["second"] = found["second"], found["first"]


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
    found = record(player)
    change(found)
    file = tmp_path / "c.json"
    file.write_text(json.dumps(found))
    ran = run("certify", "--check", str(file))
    assert (ran.code, ran.out, ran.err.count("\n")) == (1, "", 1)
    assert message in ran.err
    assert "\x1b" not in ran.err


#: What only the player could refute: the moves are others, and what is said of them is true.
def another_player(found: Json) -> None:
    found["player"] = "monkey"


def another_players_side(found: Json) -> None:
    found["first"] = record("tictactoe2")["first"]


@pytest.mark.parametrize("change", [another_player, another_players_side])
def test_whose_moves_they_are_is_not_said(
    change: Callable[[Json], None], run: Run, tmp_path: Path
) -> None:
    found = record("triples")
    change(found)
    assert_true(found)
    file = tmp_path / "c.json"
    file.write_text(json.dumps(found))
    ran = run("certify", "--check", str(file))
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[0] == "the moves in this file never lose at tictactoe"
    last = f"not checked: whose moves they are (the file names {found['player']!r})"
    assert ran.out.splitlines()[-1] == last
    assert f"{found['player']} never" not in ran.out


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
    found = record("monkey")
    turned = dict(reversed(found.items()))
    for name in ("first", "second"):
        turned[name] = dict(reversed(found[name].items()))
        for part in ("moves", "chances"):
            lists = reversed(found[name][part].items())
            turned[name][part] = {key: own[::-1] for key, own in lists}
    assert check(turned) == parse_certificate(found, GAMES.game)


def as_version_1(found: Json) -> Json:
    """The certificate as arena wrote it before it wrote probabilities."""
    old = copy.deepcopy({**found, "schema": "arena.certificate/1"})
    for side in ("first", "second"):
        del old[side]["chances"]
    return old


@pytest.mark.slow
def test_the_scores_of_a_file_without_probabilities_are_not_checked(
    run: Run, tmp_path: Path
) -> None:
    file = tmp_path / "c.json"
    old = as_version_1(record("monkey"))
    file.write_text(json.dumps(old))
    ran = run("certify", "--check", str(file))
    assert (ran.code, ran.err) == (0, "")
    assert "the moves in this file can lose at tictactoe\n" in ran.out
    assert "scores" not in ran.out.partition("not checked")[0]
    assert "not checked: the scores" in ran.out
    old["exploitability"] = "1/3"
    with pytest.raises(
        CertificateError, match="but its best opponent's scores make it 116101/241920"
    ):
        check(old)


def test_the_scores_of_certain_moves_are_checked_without_probabilities() -> None:
    old = as_version_1(record(Alternates))
    assert check(old).has_chances
    old["first"]["best_reply"] = "1/3"
    with pytest.raises(CertificateError, match="best opponent scores 1/3"):
        check(old)


def test_positions_are_limited(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "c.json"
    file.write_text(json.dumps(record("triples")))
    ran = run("certify", "--check", str(file), "--max-positions", "500")
    problem = "more than 500 positions of tictactoe can occur"
    assert ran == (2, "", f"arena: {problem}\n")
    assert run("certify", "--check", str(file), "--max-positions", "568").code == 0


@pytest.mark.slow
def test_numbers_that_are_too_long_are_not_calculated_with() -> None:
    found = record("monkey")
    chances = found["second"]["chances"]
    for at, (key, own) in enumerate(chances.items()):
        if len(own) == 2:
            small = Fraction(1, 10**900 + at)
            chances[key] = [str(small), str(1 - small)]
    with pytest.raises(UsageError, match="a fraction of over"):
        check(found)


def test_probabilities_that_are_too_long_are_not_added_up() -> None:
    found = record("monkey")
    found["first"]["chances"]["_________"] = [f"1/{10**900 + n}" for n in range(9)]
    with pytest.raises(UsageError, match="a fraction of over"):
        check(found)


# Mutations: whatever is done to a certificate, what is then accepted is true.

VALUES: list[Any] = [
    *(None, True, False, 0, 1, 2, -1, 155, 1.0, 155.9, float("inf"), float("nan"), [], {}),
    *("", "0", "1", "5", "1/2", "0/1", "2/4", "-1/8", "line", "position", "tictactoe", "x________"),
    *(["1"], ["5"], ["1", "9"], ["1/2", "1/2"], {"_________": ["5"]}),
]


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every container in the JSON with every key or index of it."""
    if not isinstance(value, (dict, list)):
        return []
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    return [(value, key) for key in keys] + [p for key in keys for p in places(value[key])]


def pick(rng: random.Random, found: Json) -> tuple[Any, Any]:
    """A place; one of the few beside the moves as often as one of the moves."""
    few = [(part, key) for part in (found, found["first"], found["second"]) for key in part]
    return rng.choice(few if rng.random() < 0.5 else places([found["first"], found["second"]]))


def mutate(rng: random.Random, found: Json, other: Json) -> None:
    """Change the certificate at one place."""
    container, key = pick(rng, found)
    value = container[key]
    how = rng.choice(["drop", "set", "step", "other", "add", "reverse"])
    if how == "drop":
        del container[key]
    elif how == "set":
        container[key] = copy.deepcopy(rng.choice(VALUES))
    elif how == "step":
        container[key] = stepped(rng, value)
    elif how == "other":
        source, name = pick(rng, other)
        container[key] = source[name]
    elif how == "add" and isinstance(container, dict):
        container[rng.choice(["x", "chances", "_________", ""])] = copy.deepcopy(value)
    elif how == "add":
        container.append(copy.deepcopy(value))
    elif isinstance(value, list):
        container[key] = value[::-1]
    elif isinstance(value, dict):
        container[key] = dict(reversed(value.items()))


def stepped(rng: random.Random, value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice([-1, 1, 0.5])
    return value + rng.choice(["0", " ", "/2", "\x00"]) if isinstance(value, str) else value


def rewrite(rng: random.Random, found: Json, other: Json) -> None:
    """Change the certificate at one place to one that is as well-formed."""
    name = rng.choice(["first", "second"])
    side, theirs = found[name], other[name]
    key = rng.choice(list(side["moves"]))
    moves, chances = side["moves"], side["chances"]
    how = rng.choice(
        ["claim", "score", "count", "side", "move", "fewer", "chances", "another", "key"]
    )
    if how == "claim":
        found["never_loses"] = not found["never_loses"]
    elif how == "score":
        side["best_reply"] = str(Fraction(rng.randrange(5), 4))
    elif how == "count":
        side["positions"] += rng.choice([-1, 0, 1])
    elif how == "side":
        found[name] = theirs
    elif how == "move":
        moves[key][rng.randrange(len(moves[key]))] = str(rng.randrange(1, 10))
    elif how == "fewer":
        moves[key] = moves[key][:1]
        chances[key] = ["1"]
    elif how == "chances" and len(chances[key]) > 1:
        rest = Fraction(1, 2 * (len(chances[key]) - 1))
        chances[key] = ["1/2", *[str(rest)] * (len(chances[key]) - 1)]
    elif how == "another":
        twin = rng.choice(list(theirs["moves"]))
        moves[key], chances[key] = theirs["moves"][twin], theirs["chances"][twin]
    elif how == "key":
        moves[f"{key} 1"], chances[f"{key} 1"] = moves.pop(key), chances.pop(key)


@pytest.mark.parametrize("change", [mutate, rewrite])
@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 8))]
)
def test_whatever_is_accepted_is_true(seed: int, change: Callable[..., None]) -> None:
    rng = random.Random(seed)
    for _ in range(40):
        player, game = rng.choice(CERTIFIED)
        found = record(player, game)
        for _ in range(rng.choice([1, 1, 2])):
            with suppress(TypeError, KeyError, AttributeError):  # the first left no such place
                change(rng, found, record(*rng.choice(CERTIFIED)))
        try:
            accepted = check(found)
        except (UsageError, CertificateError):
            continue
        original = parse_certificate(record(player, game), GAMES.game)
        if [side.moves for side in accepted.sides] == [side.moves for side in original.sides]:
            assert accepted == replace(original, player=accepted.player)
        assert_true(found)


@pytest.mark.parametrize("seed", few(range(5), 2))
def test_a_file_with_other_characters_is_refused_or_true(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    file = tmp_path / "c.json"
    for _ in range(40):
        content = json.dumps(record(*rng.choice(CERTIFIED)), indent=1).encode()
        at = rng.randrange(len(content) if rng.random() < 0.5 else 400)
        new = rng.choice([b"", b" ", b'"', b"1", b"0", b"{", b",", b"\\", rng.randbytes(2)])
        file.write_bytes(content[:at] + new + content[at + rng.randrange(4) :])
        try:
            check_certificate(read_certificate(file, GAMES.game), 10**6)
        except (UsageError, CertificateError):
            continue
        assert_true(json.loads(file.read_bytes()))
