"""The moves of a certificate, by position; the player of them; what they prove of a position."""

from __future__ import annotations

import pickle
import random
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.certificates.head import DRAW
from arena.certificates.key_rules import KeyRules, key_rules_of
from arena.certificates.queries import Ask
from arena.certificates.tour import tour
from arena.game import Side
from arena.games.search import solve
from arena.plugins.certified import CertificatePlayer
from arena.proof.limit import Limit
from tests.certificates.files import certificate, unpacked
from tests.golden import Wording
from tests.samples import few


def written(name: str, folder: Path) -> Path:
    file = folder / f"{name}.cert"
    file.write_bytes(certificate(name))
    return file


@pytest.mark.slow
@pytest.mark.parametrize("name", few(["tictactoe", "nim", "connect-3-3-3", "mnk-4-3-3"], 2))
def test_the_player_of_a_certificate_keeps_its_claims(name: str, tmp_path: Path) -> None:
    player = arena.get_player(f"certified:{written(name, tmp_path)}")
    result, game = arena.certify(player, game=name, games=0), arena.get_game(name)
    worth = arena.value(game.start())
    if worth:
        first = (result.first, result.second)[worth < 0]
        assert first.never_loses
        assert first.best_reply == 0
    else:
        assert result.never_loses
    assert pickle.loads(pickle.dumps(player)).player(game.start(), random.Random(0)) == (
        player.player(game.start(), random.Random(0))
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", ["mnk-4-3-3", "connect-4-3-3", "tictactoe-misere"])
def test_many_positions_are_answered_as_one(name: str, tmp_path: Path) -> None:
    file = tmp_path / "file"
    arena.solve(name, certificate=file)
    index, game = arena.plugin.open_certificate(file), arena.get_game(name)
    rules = key_rules_of(game)
    assert rules is not None
    count = 0
    plies = tour(game, rules, Side.SECOND, any_square(rules), Limit(10**6), None).plies
    for ply, (keys, _) in enumerate(plies[:6]):
        squares = index.squares(keys)
        for key, square in zip(keys.tolist(), squares.tolist(), strict=True):
            position = rules.position(key)
            move = index.answer(position)
            after = 0 if move is None else occupied(position.play(move))
            assert square == (after and after ^ occupied(position)), (ply, position)
            count += bool(square)
    assert count > 20


def occupied(position: Any) -> int:
    """Return the bitboard of the taken squares of a position."""
    bits: int = position.first | position.second
    return bits


def any_square(rules: KeyRules) -> Ask:
    """Return a player that may make all moves."""
    return lambda keys: rules.landings(rules.split(keys)[1])


@pytest.mark.slow
def test_an_index_proves_no_more_than_the_truth(tmp_path: Path) -> None:
    index, game = (
        arena.plugin.open_certificate(written("tictactoe", tmp_path)),
        arena.get_game("tictactoe"),
    )
    rng, known = random.Random(1), 0
    assert index.proves(game.start()) == DRAW
    for _ in range(200):
        position = game.start()
        while position.outcome() is None:
            value, truth = index.value(position), solve(position)[0]
            known += value is not None
            assert value is None or value == (truth > 0) - (truth < 0)
            for claim in index.proves(position):
                mine = truth if claim.side == position.to_move else -truth
                assert mine >= 0
            position = position.play(rng.choice(position.legal_moves()))
    assert known


@pytest.mark.slow
def test_a_move_tells_where_it_comes_from(tmp_path: Path) -> None:
    player = CertificatePlayer(str(written("mnk-4-3-3", tmp_path)))
    game = arena.get_game("mnk-4-3-3")
    for text, says in (
        ("_" * 12, "by the certificate"),
        ("xx__oo______", "by the rules"),
        ("xo__________", "by a search"),
    ):
        position = game.parse(text)
        assert player.account(position).startswith(says)
        assert position.is_legal(player(position, random.Random(0)))
        result = arena.move(f"certified:{player.path}", position)
        assert result.account.startswith(says)


def test_a_player_of_a_lie_is_refused(tmp_path: Path, wording: Wording) -> None:
    file = tmp_path / "file"
    file.write_bytes(certificate("tictactoe")[:-1])
    with wording.raises(arena.ArenaError):
        arena.get_player(f"certified:{file}")
    with wording.raises(arena.ArenaError):
        arena.get_player(f"certified,a=b:{file}")


def test_explain_takes_what_a_certificate_proves(tmp_path: Path, wording: Wording) -> None:
    file = written("tictactoe", tmp_path)
    game = "tictactoe/monkey/triples/7/1.1"
    assert arena.explain(game, certificate=file) == arena.explain(game)  # which is small
    other = written("mnk-4-3-3", tmp_path)
    with wording.raises(arena.UsageError):
        arena.explain(game, certificate=other)
    assert unpacked("tictactoe")[0].startswith(b"arena certificate 2\n")
