"""Whatever is done to a certificate, what is then accepted is true."""

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
from arena.proof.certificate_file import parse_certificate, read_certificate
from arena.proof.checker import CertificateError, check_certificate
from tests.proof.certified import CERTIFIED, Json, record
from tests.proof.checking import GAMES, assert_true, check
from tests.samples import few

VALUES: list[Any] = [
    *(None, True, False, 0, 1, 2, -1, 155, 1.0, 155.9, float("inf"), float("nan"), [], {}),
    *("", "0", "1", "5", "1/2", "0/1", "2/4", "-1/8", "line", "position", "tictactoe", "x________"),
    *(["1"], ["5"], ["1", "9"], ["1/2", "1/2"], {"_________": ["5"]}),
]


#: Words of a certificate that no checker looks at.
UNCHECKED = ("player", "source", "program", "assumes")


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every container in the JSON with every key or index of it."""
    if not isinstance(value, (dict, list)):
        return []
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    return [(value, key) for key in keys] + [p for key in keys for p in places(value[key])]


def pick(rng: random.Random, facts: Json) -> tuple[Any, Any]:
    """Return a place; one of the few beside the moves as often as one of the moves."""
    few = [(part, key) for part in (facts, facts["first"], facts["second"]) for key in part]
    return rng.choice(few if rng.random() < 0.5 else places([facts["first"], facts["second"]]))


def mutate(rng: random.Random, facts: Json, other: Json) -> None:
    """Change the certificate at one place."""
    container, key = pick(rng, facts)
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


def rewrite(rng: random.Random, facts: Json, other: Json) -> None:
    """Change the certificate at one place to one that is as well-formed."""
    name = rng.choice(["first", "second"])
    side, theirs = facts[name], other[name]
    key = rng.choice(list(side["moves"]))
    moves, chances = side["moves"], side["chances"]
    how = rng.choice(
        ["claim", "score", "count", "side", "move", "fewer", "chances", "another", "key"]
    )
    if how == "claim":
        facts["never_loses"] = not facts["never_loses"]
    elif how == "score":
        side["best_reply"] = str(Fraction(rng.randrange(5), 4))
    elif how == "count":
        side["positions"] += rng.choice([-1, 0, 1])
    elif how == "side":
        facts[name] = theirs
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


@pytest.mark.parametrize("change", few([mutate, rewrite]))
@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 8))]
)
def test_whatever_is_accepted_is_true(seed: int, change: Callable[..., None]) -> None:
    rng = random.Random(seed)
    for _ in range(40):
        player, game = rng.choice(CERTIFIED)
        facts = record(player, game)
        for _ in range(rng.choice([1, 1, 2])):
            with suppress(TypeError, KeyError, AttributeError):  # the first left no such place
                change(rng, facts, record(*rng.choice(CERTIFIED)))
        try:
            accepted = check(facts)
        except (UsageError, CertificateError):
            continue
        original = parse_certificate(record(player, game), GAMES.game)
        if [side.moves for side in accepted.sides] == [side.moves for side in original.sides]:
            own = {key: getattr(accepted, key) for key in UNCHECKED}
            assert accepted == replace(original, **own)
        assert_true(facts)


@pytest.mark.slow
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
