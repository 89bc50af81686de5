"""A player is walked ply by ply; the walk in arrays and the one by positions agree."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

import arena
from arena.certificates import queries
from arena.certificates.tour import tour
from arena.game import Side
from arena.proof import progress
from tests.certificates.test_lies import in_python
from tests.conftest import Run
from tests.golden import Wording
from tests.samples import few


@pytest.mark.slow
@pytest.mark.parametrize(
    ("player", "game"),
    few(
        [
            ("triples", "tictactoe"),
            ("minimax", "connect-3-3-3"),
            ("lms", "tictactoe"),
            ("tictactoe2", "tictactoe"),
            ("minimax", "tictactoe-misere"),
        ]
    ),
)
def test_both_walks_agree(player: str, game: str) -> None:
    certificate, other = (
        arena.plugin.walk(player, game=game),
        arena.certify(player, game=game, games=0),
    )
    for side, truth in ((certificate.first, other.first), (certificate.second, other.second)):
        assert side.never_loses == truth.never_loses
        if truth.losing_line is None:
            assert side.positions == truth.positions
        else:
            assert side.losing_line is not None
            assert len(side.losing_line) == len(truth.losing_line)


@pytest.mark.slow
def test_a_losing_line_is_a_game_that_the_player_loses() -> None:
    certificate, game = arena.plugin.walk("tictactoe2"), arena.get_game("tictactoe")
    assert certificate.second.losing_line is not None
    position = game.start()
    for text in certificate.second.losing_line:
        move = game.parse_move(text)
        if position.to_move == Side.SECOND:
            assert move in arena.distribution("tictactoe2", position)
        position = position.play(move)
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.winner == Side.FIRST


def test_a_certificate_of_a_player_holds_and_has_its_moves(
    tmp_path: Path, wording: Wording
) -> None:
    file = tmp_path / "triples.cert"
    certificate = arena.plugin.walk("triples", certificate=file)
    assert certificate.never_loses
    assert certificate.certificate == str(file)
    assert in_python(file) == "holds"
    checked = arena.check_certificate(file)
    assert isinstance(checked, arena.records.Theorem)
    assert (checked.value, checked.claims) == ("draw", certificate.claims)
    wording(checked.source)


def first_free(position: arena.Position, rng: object) -> int:
    return position.legal_moves()[0]


def test_no_certificate_of_a_player_that_can_lose(tmp_path: Path) -> None:
    player = arena.PlayerInfo("first", first_free)
    certificate = arena.plugin.walk(player, certificate=tmp_path / "file")
    assert (certificate.claims, certificate.certificate) == ((), None)
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["mnk-4-3-3", "connect-4-3-3"])
def test_a_won_certificate_is_the_certificate_of_its_player(
    name: str, run: Run, tmp_path: Path
) -> None:
    file, again = tmp_path / "one.cert", tmp_path / "two.cert"
    arena.solve(name, certificate=file)
    argv = (f"certified:{file}", "--game", name, "--certificate", str(again), "--format", "json")
    ran = run("certify", *argv)
    assert (ran.code, ran.err) == (1, "")  # moving second it can lose
    record = json.loads(ran.out)
    assert (record["first"]["never_loses"], record["second"]["never_loses"]) == (True, False)
    assert [claim["claim"] for claim in record["claims"]] == ["first wins"]
    assert again.read_bytes() == file.read_bytes()


def plays_as(file: Path) -> arena.PlayerInfo:
    """Return a player that plays the moves of a certificate, and does not say so."""
    player: Any = arena.get_player(f"certified:{file}").player

    def choose(position: arena.Position, rng: Random) -> int:
        return int(player(position, rng))

    return arena.PlayerInfo("winner", choose)


@pytest.mark.slow
def test_one_side_that_wins_has_a_section(tmp_path: Path, wording: Wording) -> None:
    file, again = tmp_path / "one.cert", tmp_path / "two.cert"
    arena.solve("mnk-4-3-3", certificate=file)
    arena.plugin.walk(plays_as(file), game="mnk-4-3-3", certificate=again)
    checked = arena.check_certificate(again)
    assert isinstance(checked, arena.records.Theorem)
    assert checked.value == "win"
    wording(checked.source)


@pytest.mark.slow
def test_a_side_that_is_undecided_leaves_the_other_one_its_section(
    tmp_path: Path, wording: Wording
) -> None:
    file = tmp_path / "one.cert"
    with wording.raises(arena.ArenaError):
        arena.plugin.walk("triples", certificate=file, max_positions=300)
    checked = arena.check_certificate(file)
    assert isinstance(checked, arena.records.Theorem)
    assert [claim.claim for claim in checked.claims] == ["first does not lose"]
    with wording.raises(arena.ArenaError) as caught:
        arena.plugin.walk("triples", max_positions=300)
    assert "proves" not in str(caught.value)


def test_a_loss_is_told_before_the_other_side_is_walked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], wording: Wording
) -> None:
    messages: list[str] = []

    def noted(*words: Any) -> Any:
        messages.append(capsys.readouterr().err)
        return tour(*words)

    monkeypatch.setattr("arena.features.certify.walks.tour", noted)
    with progress.display(on=True):
        certificate = arena.plugin.walk(arena.PlayerInfo("first", first_free))
    assert certificate.first.losing_line is not None
    assert len(messages) == 2
    line = f" {' '.join(certificate.first.losing_line)}\n"
    assert "loses" not in messages[0]
    assert messages[1].endswith(line)
    wording(capsys.readouterr().err.rpartition("\x1b[K")[2])


def test_a_walk_goes_on_from_its_checkpoint(tmp_path: Path, wording: Wording) -> None:
    folder, numbers = tmp_path / "folder", tmp_path / "asked"

    def choose(position: arena.Position, rng: object) -> int:
        with numbers.open("a") as file:
            file.write(".")
        return position.legal_moves()[0]

    player = arena.PlayerInfo("first", choose)
    certificate = arena.plugin.walk(player, checkpoint=folder)
    content = numbers.read_text()
    (folder / "x-2.npz").unlink()
    assert arena.plugin.walk(player, checkpoint=folder) == certificate
    assert 0 < len(numbers.read_text()) - len(content) < len(content) / 2
    with wording.raises(arena.UsageError):
        arena.plugin.walk("triples", checkpoint=folder)


def test_a_game_without_arrays_and_too_many_positions_are_refused(wording: Wording) -> None:
    with wording.raises(arena.UsageError):
        arena.plugin.walk("minimax", game="nim")
    with wording.raises(arena.ArenaError):
        arena.plugin.walk("triples", max_positions=100)


@pytest.mark.slow
def test_a_player_keeps_to_its_own_certificate(tmp_path: Path, wording: Wording) -> None:
    file = tmp_path / "minimax.cert"
    arena.plugin.walk("minimax", game="connect-3-3-3", certificate=file)
    own = arena.check_certificate(file, f"certified:{file}", games=40, seed=1)
    assert isinstance(own, arena.records.Theorem)
    assert own.holds
    assert own.agreement is not None
    assert own.agreement.games == 40
    other = arena.check_certificate(file, "monkey", games=40, seed=1)
    assert not other.holds
    assert other.agreement is not None
    wording(str(other), f"{other.agreement.refutation}")


@pytest.mark.slow
def test_a_drawn_certificate_is_the_certificate_of_its_player(tmp_path: Path) -> None:
    file, again = tmp_path / "one.cert", tmp_path / "two.cert"
    arena.plugin.walk("triples", certificate=file)
    certificate = arena.plugin.walk(f"certified:{file}", certificate=again)
    assert certificate.never_loses
    assert again.read_bytes() == file.read_bytes()


@pytest.mark.slow
def test_a_side_of_which_nothing_is_claimed_may_play_anything(tmp_path: Path) -> None:
    file = tmp_path / "file"
    arena.solve("mnk-4-3-3", certificate=file)
    checked = arena.check_certificate(file, f"certified:{file}", games=40, seed=1)
    assert checked.holds
    index = arena.plugin.open_certificate(file)
    position = arena.get_game("mnk-4-3-3").start().play(0)
    assert index.moves_of(position) == position.legal_moves()


FIRST = "return positions.legal.argmax(axis=1)"
SOME = "return rng.choice(positions.legal)"
ODD = f"if (positions.mine + positions.theirs).sum(axis=1)[0] == 1: {SOME}\n    {FIRST}"


def batch_bot(folder: Path, body: str) -> str:
    """Return a player in a file that offers many moves at once."""
    bot = folder / "bot.py"
    choose = "def choose(position, rng):\n    return rng.choice(position.legal_moves())\n"
    bot.write_text(f"import os\n{choose}def choose_batch(positions, rng):\n    {body}\n")
    return str(bot)


@pytest.mark.parametrize(("body", "alone"), [(FIRST, [0]), (ODD, [6]), (SOME, range(7, 99))])
def test_an_isolated_player_is_asked_for_many_moves_at_once(
    body: str,
    alone: Sequence[int],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    wording: Wording,
) -> None:
    bot, numbers = batch_bot(tmp_path, body), list[int]()

    def noted(player: arena.PlayerInfo, rules: Any, keys: Any) -> Any:
        numbers.append(len(keys))
        return by_position(player, rules, keys)

    by_position = queries._by_position
    here = arena.plugin.walk(bot, game="mnk-3-2-2", isolation="none")
    monkeypatch.setattr(queries, "_by_position", noted)
    certificate = arena.plugin.walk(bot, game="mnk-3-2-2", isolation="process")
    assert (certificate.first, certificate.second) == (here.first, here.second)
    wording(certificate.account, "choose_batch")
    wording(here.account, "choose_batch")
    assert sum(numbers) in alone


@pytest.mark.slow
def test_an_isolated_player_that_wavers_or_breaks_the_rules_is_refused(tmp_path: Path) -> None:
    wavers = batch_bot(tmp_path, "return os.urandom(1)[0] % 6 + 0 * positions.legal[:, 0]")
    with pytest.raises(arena.ArenaError, match=r"differently|legal"):
        arena.plugin.walk(wavers, game="mnk-3-2-2", isolation="process")
    ill = batch_bot(tmp_path, "return 7 + positions.legal[:, 0]")
    with pytest.raises(arena.ArenaError, match="legal"):
        arena.plugin.walk(ill, game="mnk-3-2-2", isolation="process")
