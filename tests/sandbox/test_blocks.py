"""Isolated players that are asked for many moves at once: the same games as in arena's process."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import arena
from arena.errors import Forfeited, UsageError, VoidGame, Withdrawn
from arena.fights.pairing import BATCH
from arena.player.batches import BLOCK
from arena.sandbox.blocks import RemoteBatch
from arena.sandbox.queries import MAX_SENDINGS
from arena.sandbox.remote import Remote
from arena.sandbox.wire.blocks import read_moves
from tests.golden import Wording
from tests.needs import tiers
from tests.samples import few

if TYPE_CHECKING:
    from tests.conftest import Run

pytestmark = pytest.mark.usefixtures("in_a_folder_of_its_own")

CHOOSE = """
import os, time
import numpy as np

def choose(position, rng):
    return rng.choice(position.legal_moves())
"""

FREE = """
def choose_batch(positions, rng):
    return rng.choice(positions.legal)
"""

#: It draws once for each square.
WEIGHTED = """
WEIGHTS = np.random.Generator(np.random.PCG64(1)).standard_normal((18, 9)).astype(np.float32)

def choose_batch(positions, rng):
    seen = np.concatenate([positions.mine, positions.theirs], axis=1).astype(np.float32)
    scores = 0.05 * (seen @ WEIGHTS) + np.stack([rng.random() for _ in range(9)], axis=1)
    return np.where(positions.legal, scores, -np.inf).argmax(axis=1)
"""

#: It is asked for a sequence of positions.
IN_SEQUENCE = """
def choose_batch(positions, rng):
    moves = [position.legal_moves() for position in positions]
    drawn = rng.integers([len(own) for own in moves]).tolist()
    return [own[at] for own, at in zip(moves, drawn)]
"""

#: At some positions that draw a small number it does something else.
AT_TIMES = """
def choose_batch(positions, rng):
    moves, drawn = rng.choice(positions.legal), rng.random()
    if (drawn < 0.003).any():
        {what}
    return moves
"""


def fight(code: str, tier: str, pairs: int = 300, **options: Any) -> Any:
    Path("bot.py").write_text(CHOOSE + code)
    limits = {key: options.pop(key) for key in ("move_time", "clock") if key in options}
    isolation = arena.Isolation(tier=tier, **limits)
    options = {"engine": "auto", "seed": 5, "workers": 1, **options}
    return arena.fight("./bot.py", "lms", pairs, isolation=isolation, **options)


def games(found: Any) -> dict[str, Any]:
    """Return all that is said of a fight but the tiers."""
    record: dict[str, Any] = found.as_json()
    for facts in (record, record["a"], record["b"]):
        facts.pop("isolation")
    return record


@pytest.mark.slow
@pytest.mark.parametrize(
    "tier",
    [
        *tiers("process"),
        pytest.param("locked", marks=[pytest.mark.needs("locked"), pytest.mark.slow]),
    ],
)
def test_the_games_are_those_of_arenas_own_process(tier: str) -> None:
    result = fight(WEIGHTED, tier)
    assert result.engine == BATCH
    assert result.a.isolation == tier
    assert result.total.games == 600
    assert games(result) == games(fight(WEIGHTED, "none"))


@pytest.mark.slow
def test_a_game_without_planes_is_asked_in_its_notation() -> None:
    options: Any = {"game": "nim-3-4-5", "engine": BATCH}
    Path("bot.py").write_text(CHOOSE + IN_SEQUENCE)
    one, two = (
        arena.fight("./bot.py", "monkey", 60, seed=5, workers=1, isolation=own, **options)
        for own in (arena.Isolation(tier="none"), arena.Isolation(tier="process"))
    )
    assert games(one) == games(two)


@pytest.mark.slow
@pytest.mark.parametrize(
    "what",
    [
        "raise ValueError('no idea')",
        "moves[drawn < 0.003] = 99",
        "return moves[1:]",
        "return [int(move) << 70 for move in moves]",
    ],
)
def test_a_mistake_costs_the_same_games_as_in_arenas_own_process(what: str) -> None:
    code = AT_TIMES.format(what=what)
    result = fight(code, "process", 120)
    assert result.engine == BATCH
    assert 0 < sum(result.a.forfeits.values()) < 12
    assert games(result) == games(fight(code, "none", 120))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("what", "reason", "options"),
    [
        ("os._exit(3)", "crash", {}),
        ("time.sleep(60)", "timeout", {"move_time": 0.5, "engine": BATCH}),
    ],
)
def test_who_ends_or_hangs_at_a_position_loses_that_game_alone(
    what: str, reason: str, options: dict[str, Any]
) -> None:
    wrong, right = AT_TIMES.format(what=what), AT_TIMES.format(what="raise ValueError('no idea')")
    result = fight(wrong, "process", 60, **options)
    assert result.pairs == 60
    lost = result.a.forfeits
    assert lost.keys() == {reason}
    other = fight(right, "none", 60)
    assert lost[reason] == other.a.forfeits["exception"] > 0
    assert (result.joint, result.b.forfeits) == (other.joint, {})
    first = result.a.first_forfeit
    assert first.game_id == other.a.first_forfeit.game_id
    again = arena.replay(first.game_id, isolation=arena.Isolation(tier="process", move_time=0.5))
    assert again.forfeit is not None


@pytest.mark.slow
def test_a_run_in_a_store_is_resumed_and_its_games_are_replayed() -> None:
    result = fight(WEIGHTED, "process", 40, store="S")
    assert games(arena.show("S")) == games(result)
    assert games(arena.resume("S")) == games(result)
    assert arena.verify("S").divergence is None
    played = "tictactoe/.%2Fbot.py/lms/5/batch/33.2"
    isolation = arena.Isolation(tier="process")
    assert arena.replay(played, isolation=isolation).moves == arena.replay(played, store="S").moves


@pytest.mark.slow
def test_two_workers_come_to_the_same() -> None:
    one, two = (fight(WEIGHTED, "process", workers=workers) for workers in (1, 2))
    assert one.as_json() == two.as_json()


@pytest.mark.slow
def test_a_check_asks_it_for_blocks() -> None:
    Path("bot.py").write_text(CHOOSE + FREE)
    options: Any = {"seed": 1, "positions": 20, "isolation": arena.Isolation(tier="process")}
    findings = [own for own in arena.check("./bot.py", **options).findings if "batch" in own.check]
    assert [own.check for own in findings] == ["batch: legal", "batch: company", "batch: moves"]
    assert {own.level.name for own in findings} == {"PASS"}


@pytest.mark.slow
def test_an_installed_player_in_a_process_of_its_own_plays_by_batches(run: Run) -> None:
    play = ("fight", "lms", "lms:lms.json", "-n", "30", "--seed", "4", "-j", "1")
    Path("lms.json").write_bytes((Path(arena.__file__).parent / "players/lms.json").read_bytes())
    one, two = run(*play), run(*play, "--isolate", "--isolation", "process")
    assert (one.code, two.code) == (0, 0)
    assert "engine batch" in two.out
    isolated = "isolated (process): lms, lms:lms.json\n"
    assert isolated in two.out
    assert two.out.replace(isolated, "") == one.out


@pytest.mark.parametrize("words", few([(("lms", "monkey", "--isolate"),), (("./bot.py", "lms"),)]))
def test_a_player_without_it_is_refused_on_one_line_and_auto_calls_it(
    run: Run, words: tuple[str, ...], wording: Wording
) -> None:
    Path("bot.py").write_text(CHOOSE)
    play = ("fight", *words, "-n", "3", "--isolation", "process", "--seed", "1")
    ran = run(*play, "--engine", "batch")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    without, remedy = (
        ("monkey", "no --isolate") if words[0] == "lms" else ("./bot.py", "--isolation none")
    )
    wording(ran.err, "choose_batch", f"{without}", f"{remedy}")
    assert "engine calls" in run(*play).out


@pytest.mark.slow
def test_moves_that_are_measured_are_asked_for_one_by_one(wording: Wording) -> None:
    assert fight(FREE, "process", 3, move_time=1.0).engine == "calls"
    assert fight(FREE, "process", 3, clock="10").engine == "calls"
    with wording.raises(UsageError):
        fight(FREE, "process", 3, clock="10", engine=BATCH)


@pytest.mark.slow
@pytest.mark.parametrize("tier", ["none", "process"])
def test_who_answers_no_move_at_all_is_told_why_and_the_fight_ends(
    run: Run, tier: str, wording: Wording
) -> None:
    answer = "\ndef choose_batch(positions, rng):\n    return np.full(256, np.nan)\n"
    Path("bot.py").write_text(CHOOSE + answer)
    ran = run("fight", "./bot.py", "lms", "-n", "99", "--isolation", tier, "--seed", "1")
    assert (ran.code, ran.err.count("\n")) == (4, 1)
    wording(ran.err, "./bot.py", "20")
    wording.line(ran.out, "choose_batch", "float64")


def failing(monkeypatch: pytest.MonkeyPatch, error: Exception, after: int, often: int) -> None:
    """Have questions fail after so many that do not."""
    real, count = RemoteBatch._ask, 0

    def ask(self: RemoteBatch, *arguments: Any) -> Any:
        nonlocal count
        count += 1
        if after < count <= after + often:
            raise error
        return real(self, *arguments)

    monkeypatch.setattr(RemoteBatch, "_ask", ask)


@pytest.mark.slow
def test_a_busy_machine_costs_at_most_the_pairs_it_was_too_busy_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = fight(FREE, "process", 30)
    with monkeypatch.context() as patched:
        failing(patched, VoidGame("too busy"), 12, 1)
        assert games(fight(FREE, "process", 30)) == games(whole)
    with monkeypatch.context() as patched:
        failing(patched, VoidGame("too busy"), 12, 2 * MAX_SENDINGS)
        assert games(fight(FREE, "process", 30)) == games(whole)
    failing(monkeypatch, VoidGame("too busy"), 0, 10**9)
    result = fight(FREE, "process", 12)
    assert (result.pairs, result.void) == (0, 24)
    assert {pairs.reason for pairs in result.void_pairs} == {"too busy"}


@pytest.mark.slow
def test_who_cannot_be_started_is_withdrawn_and_who_has_played_forfeits(
    monkeypatch: pytest.MonkeyPatch,
    wording: Wording,
) -> None:
    def refuse(self: Any, fresh: bool = True) -> Any:
        raise Withdrawn("./bot.py", "crash", "no memory")

    real, taken = Remote.take, 0

    def refuse_later(self: Any, fresh: bool = True) -> Any:
        nonlocal taken
        taken += 1
        return real(self, fresh) if taken < 4 else refuse(self)

    with monkeypatch.context() as patched:
        patched.setattr(Remote, "take", refuse)
        result = fight(FREE, "process", 30)
    assert result.pairs == 0
    assert result.a.withdrawn == "no memory"
    monkeypatch.setattr(Remote, "take", refuse_later)
    result = fight(FREE, "process", 8)
    assert (result.pairs, result.a.withdrawn) == (8, None)
    assert result.a.forfeits["crash"] > 8
    wording(result.a.first_forfeit.message)


@pytest.mark.slow
def test_a_player_that_draws_without_end_forfeits(wording: Wording) -> None:
    result = fight(
        "\ndef choose_batch(positions, rng):\n    while True:\n        rng.bits()\n", "process", 3
    )
    assert result.a.forfeits == {"exception": 6}
    wording(result.a.first_forfeit.message, "1,024")


@pytest.mark.parametrize(
    "answer",
    [
        {"moves": [1] * (BLOCK - 1)},
        {"moves": "1" * BLOCK},
        {"moves": [1.0] * BLOCK},
        {"moves": [True] * BLOCK},
        {"moves": [1 << 63] * BLOCK},
        {"needs_draws": 1},
    ],
)
def test_an_answer_that_is_none_is_a_breach_of_the_protocol(answer: dict[str, Any]) -> None:
    with pytest.raises(Forfeited) as refused:
        read_moves(answer)
    assert refused.value.reason == "protocol"
