"""Files of strategies: what they prove, and that no changed one proves it."""

from __future__ import annotations

import json
import os
import random
import runpy
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import arena
from arena.certificates.equilibrium import check_strategies
from arena.certificates.strategies import (
    StrategyHead,
    is_strategies,
    read_strategies,
    write_strategies,
)
from arena.errors import ArenaError, UsageError
from arena.game import Game
from arena.games.kuhn import kuhn_game
from arena.proof.checker import CertificateError
from tests.golden import Wording
from tests.trees.random_games import (
    RandomGame,
    number_of_pure,
    paid,
    pure_strategies,
    random_strategy,
)

SEALED = Path(__file__).parents[2] / "examples" / "checkers" / "sealed.py"

PASS, BET = 0, 1

#: How often each seat bets, by what it knows. Kuhn found these, for a bluff of one third.
BETS = (
    {"K": "1", "Q": "0", "J": "1/3", "K pass bet": "1", "Q pass bet": "2/3", "J pass bet": "0"},
    {"K pass": "1", "Q pass": "0", "J pass": "1/3", "K bet": "1", "Q bet": "1/3", "J bet": "0"},
)

HEAD = StrategyHead("kuhn", 1, "Kuhn", "by hand", low=Fraction(-1, 18), high=Fraction(-1, 18))


def kuhn_strategies() -> list[dict[Any, dict[int, Fraction]]]:
    results = []
    for seat, bets in enumerate(BETS):
        own = {}
        for words, text in bets.items():
            if (seat, words) == (0, "K pass bet"):
                continue  # with the king it bets at once
            seen = kuhn_game().parse_observation(f"{seat}: {words} | pass bet")
            shares = {PASS: 1 - Fraction(text), BET: Fraction(text)}
            own[seen] = {move: share for move, share in shares.items() if share}
        results.append(own)
    return results


@pytest.fixture
def kuhn(tmp_path: Path) -> Path:
    path = tmp_path / "kuhn.jsonl"
    write_strategies(path, kuhn_game(), HEAD, kuhn_strategies())
    return path


def checked(path: Path, game: Game | None = None) -> tuple[Fraction, Fraction]:
    return check_strategies(read_strategies(path, lambda name: game or arena.get_game(name)), 10**6)


def sealed(path: Path, capsys: pytest.CaptureFixture[str]) -> int:
    """Run the checker that has the standard library alone, in this process."""
    before = sys.argv
    sys.argv = [str(SEALED), str(path)]
    try:
        with pytest.raises(SystemExit) as exit_info:
            runpy.run_path(str(SEALED), run_name="__main__")
    finally:
        sys.argv = before
    capsys.readouterr()
    return int(exit_info.value.code is not None)


def test_what_kuhn_found_is_verified(kuhn: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert is_strategies(kuhn)
    assert checked(kuhn) == (Fraction(-1, 18), Fraction(-1, 18))
    assert sealed(kuhn, capsys) == 0


def test_the_checker_for_others_is_short_and_has_the_standard_library_alone() -> None:
    lines = SEALED.read_text().splitlines()
    assert len(lines) <= 150
    imports = {line.split()[1] for line in lines if line.startswith(("import ", "from "))}
    assert imports <= set(sys.stdlib_module_names)


def _with_end(lines: list[bytes]) -> bytes:
    """Return the lines with an end that fits them, as a liar would write it."""
    content = b"".join(lines)
    end = {"sets": len(lines) - 1, "digest": blake2b(content, digest_size=16).hexdigest()}
    return content + json.dumps(end, separators=(",", ":")).encode() + b"\n"


def _changed(line: bytes, **changes: object) -> bytes:
    content = json.loads(line) | changes
    return json.dumps(content, separators=(",", ":")).encode() + b"\n"


def _lies(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield changes of each number and each line, with an end that fits."""
    *lines, _ = content.splitlines(keepends=True)
    head, *sets = lines
    for key in ("low", "high"):
        for value in ("-1/19", "0", "-2/36", "-0.0555"):
            yield (
                f"{key} {value}",
                _with_end([_changed(head, **{key: value}), *sets]),
            )
    yield "game", _with_end([_changed(head, game="leduc"), *sets])
    yield "version", _with_end([_changed(head, game_version=2), *sets])
    yield "schema", _with_end([_changed(head, schema="x"), *sets])
    yield "no head", _with_end(sets)
    for i, line in enumerate(sets):
        before, after = sets[:i], sets[i + 1 :]
        yield f"without {i}", _with_end([head, *before, *after])
        yield f"twice {i}", _with_end([head, *before, line, *sets[i:]])
        for seat in (1 - json.loads(line)["seat"], -1, 2, "0"):
            changed = _changed(line, seat=seat)
            yield f"seat {i}", _with_end([head, *before, changed, *after])
        for moves in _other_moves(json.loads(line)["moves"]):
            changed = _changed(line, moves=moves)
            yield f"{i} {moves}", _with_end([head, *before, changed, *after])


def _other_moves(moves: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Yield other probabilities of a set, with which the file does not prove what it says."""
    yield {}
    yield {"raise": "1"}
    yield {"pass": "1/2", "bet": "1/3"}
    yield {"pass": "2", "bet": "-1"}
    yield {"pass": "1", "bet": "0"}
    yield {"pass": 0.5, "bet": 0.5}
    yield {"bet": "1/7", "pass": "6/7"}
    yield {"pass": "2/4", "bet": "2/4"}
    yield {"pass": "1/0"}
    yield {"pass": "1/7", "bet": "6/7"}


@pytest.mark.slow
def test_no_lie_is_verified(kuhn: Path, capsys: pytest.CaptureFixture[str]) -> None:
    accepted = []
    lies = list(_lies(kuhn.read_bytes()))
    assert len(lies) > 130
    for name, content in lies:
        kuhn.write_bytes(content)
        try:
            checked(kuhn)
            accepted.append(name)
        except (CertificateError, UsageError):
            pass
        if not sealed(kuhn, capsys):
            accepted.append(f"by sealed.py: {name}")
    assert accepted == []


@pytest.mark.slow
def test_no_damaged_file_is_verified(kuhn: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Bytes all over the file are changed, and it is cut there."""
    content = kuhn.read_bytes()
    for i in range(0, len(content), 5):
        for damaged in (content[:i], content[:i] + bytes([content[i] ^ 1]) + content[i + 1 :]):
            kuhn.write_bytes(damaged)
            with pytest.raises((CertificateError, UsageError)):
                checked(kuhn)
    for i in range(0, len(content), 17):
        kuhn.write_bytes(content[:i] + bytes([content[i] ^ 1]) + content[i + 1 :])
        assert sealed(kuhn, capsys) == 1
    for more in (b"\n", b"{}\n", content):
        kuhn.write_bytes(content + more)
        with pytest.raises(UsageError, match=r"follows|ends"):
            checked(kuhn)
        assert sealed(kuhn, capsys) == 1


GAMES = st.builds(RandomGame, st.integers(0, 10**6), st.booleans())


@pytest.mark.slow
@given(game=GAMES, seed=st.integers(0, 99))
def test_a_file_proves_what_all_answers_leave(
    game: RandomGame, seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    assume(max(number_of_pure(game, seat) for seat in (0, 1)) <= 200)
    rng = random.Random(seed)
    first, second = (random_strategy(game, seat, rng) for seat in (0, 1))
    low = min(paid(game.start(), (first, answer)) for answer in pure_strategies(game, 1))
    high = max(paid(game.start(), (answer, second)) for answer in pure_strategies(game, 0))
    head = StrategyHead(game.name, game.version, "chance", "test", low=low, high=high)
    path = tmp_path_factory.mktemp("random") / "game.jsonl"
    write_strategies(path, game, head, (_reached(game, first, 0), _reached(game, second, 1)))
    assert checked(path, game) == (low, high)
    write_strategies(path, game, replace(head, low=low + 1), (first, second))
    with pytest.raises(ArenaError):
        checked(path, game)


def _reached(game: RandomGame, own: Mapping[Any, Any], seat: int) -> dict[Any, Any]:
    """Return the sets that the seat does not avoid itself."""
    results, waiting = {}, [game.start()]
    while waiting:
        position = waiting.pop()
        moves = position.legal_moves()
        if moves and position.to_move == seat:
            seen = position.observation(seat)
            results[seen] = own[seen]
            moves = tuple(own[seen])
        waiting += [position.play(move) for move in moves]
    return results


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", None),
        (b"{}\n", None),
        (b"[" * 10_000, "JSON|not as arena|nested"),
        (b'{"schema":"arena.strategies/1"}\n', None),
        (b"x" * 300_000, "256 KiB"),
        (b"\xff\n", "JSON|UTF-8"),
    ],
)
def test_other_files_are_refused_in_a_sentence(
    content: bytes, problem: str | None, tmp_path: Path, wording: Wording
) -> None:
    path = tmp_path / "other.jsonl"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=problem) as refused:
        checked(path)
    if problem is None:  # what the others say depends on Python
        wording(refused.value)


def test_a_file_that_is_not_there(tmp_path: Path, wording: Wording) -> None:
    with wording.raises(UsageError):
        is_strategies(tmp_path / "nothing.jsonl")
    with wording.raises(UsageError):
        checked(tmp_path / "nothing.jsonl")


def test_a_large_game_is_refused(kuhn: Path) -> None:
    with pytest.raises(UsageError, match="more than 10 histories"):
        check_strategies(read_strategies(kuhn, lambda _: kuhn_game()), 10)


def test_a_pipe_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_strategies(pipe, kuhn_game(), HEAD, kuhn_strategies())
    assert pipe.is_fifo()
    assert os.read(reader, 1 << 16).startswith(b'{"schema":"arena.strategies/1"')
    os.close(reader)


def test_fractions_that_nobody_can_write_are_refused_in_a_sentence(kuhn: Path) -> None:
    """Each number of the file may be written, and what follows from them may not."""
    head, *sets, _ = kuhn.read_bytes().splitlines(keepends=True)
    longest = 10**2500 + 1
    moves = {"pass": f"{longest // 2}/{longest}", "bet": f"{longest - longest // 2}/{longest}"}
    other = {"pass": f"1/{longest + 2}", "bet": f"{longest + 1}/{longest + 2}"}
    changed = [_changed(line, moves=moves if i % 2 else other) for i, line in enumerate(sets)]
    kuhn.write_bytes(_with_end([head, *changed]))
    with pytest.raises((CertificateError, UsageError)) as error:
        checked(kuhn)
    assert len(str(error.value)) < 500
