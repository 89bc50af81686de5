"""The final of a contest: when it is due, what plays in it, and when it begins again."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import arena
from arena.features.contest.hand_ins import ContestRun
from arena.features.contest.hosted import HostedContest
from arena.features.contest.processes import Process
from arena.features.contest.runner import ContestRunner
from arena.features.contest.setup import FINAL_HEAD, begin_command
from arena.features.contest.tokens import add_tokens
from arena.features.hand_in.record import FINAL, PASSED, SO_FAR
from tests.features.contest.packages import BOT, FIRST
from tests.golden import Wording

if TYPE_CHECKING:
    from tests.features.contest.conftest import Open

LONG_AGO, LONG_AFTER = "2020-01-01T00:00Z", "2099-01-01T00:00Z"


def passes(contest: HostedContest, entrant: str, content: bytes = BOT) -> None:
    hand_in = contest.hand_in(entrant, "bot.py", content)
    contest.take(hand_in)
    contest.finalize(hand_in, PASSED, None, "", 1.0)


def test_a_contest_without_the_key_has_no_final(contest: HostedContest) -> None:
    contest.close_at(LONG_AGO)
    assert contest.setup.final is None
    assert contest.due() is contest.setup
    assert contest.status().phase == ""


def test_it_is_due_when_hand_ins_have_closed_and_all_are_checked(opened: Open) -> None:
    contest = opened(final=5)
    assert contest.due() is contest.setup
    hand_in = contest.hand_in("alice", "bot.py", BOT)
    contest.close_at(LONG_AGO)
    assert contest.due() is contest.setup, "a hand-in waits for its check"
    contest.take(hand_in)
    contest.finalize(hand_in, PASSED, None, "", 1.0)
    assert contest.due() == contest.setup.final
    assert contest.status().phase == SO_FAR, "no game of it was played"
    contest.close_at(LONG_AFTER)
    assert contest.due() is contest.setup


def test_its_command_draws_a_seed_and_has_its_pairs_and_no_early_end(opened: Open) -> None:
    setup = opened(final=7).setup
    final = setup.final
    assert final is not None
    assert (Path(final.file).name, final.name) == ("c.final.toml", "c.final.toml")
    assert final.text == f"{FINAL_HEAD}\n{setup.text}"
    begun, usual = begin_command(final, {}, []), begin_command(setup, {}, [])
    assert begun[begun.index("-n") + 1] == "7"
    assert final.file in begun
    assert "--until" in usual
    assert "--until" not in begun
    assert not any(word.startswith("--seed") for word in begun)


class FakeProcess:
    """A process that does not end."""

    code = None
    complaint = ""

    async def end(self) -> None:
        pass


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Start no process; the list has the commands."""
    commands: list[list[str]] = []

    async def start(command: Sequence[str], *_: Any) -> FakeProcess:
        commands.append([*command[command.index("arena") + 1 :]])
        return FakeProcess()

    monkeypatch.setattr(Process, "start", start)
    return commands


def looked(contest: HostedContest, times: int = 1, plays: str = "") -> None:
    """Have a runner look so often, which has a process already if it ``plays`` a run."""

    async def look() -> None:
        running = ContestRunner(contest, change=0)
        if plays:
            running._player, running._plays = FakeProcess(), plays  # type: ignore[assignment]
        for _ in range(times):
            await running._look(0)

    asyncio.run(look())


@pytest.fixture
def closed(opened: Open) -> HostedContest:
    """Return a contest that is over, with two entrants."""
    contest = opened(final=5)
    passes(contest, "alice")
    passes(contest, "bob", FIRST)
    contest.start()
    contest.close_at(LONG_AGO)
    return contest


def test_it_takes_the_place_of_the_games_so_far(
    closed: HostedContest, begun: list[list[str]]
) -> None:
    looked(closed, plays=closed.setup.name)
    [command] = begun
    assert command[:2] == ["tournament", "c.final.toml"]
    assert Path("c.final.toml").read_text().startswith(FINAL_HEAD)


@pytest.mark.parametrize("over", [True, False])
@pytest.mark.parametrize(
    ("change", "word"),
    [
        ("none", "resume"),
        ("withdrawn", "resume"),
        ("replaced", "tournament"),
        ("added", "tournament"),
    ],
)
def test_it_goes_on_without_an_entrant_and_begins_again_for_another_hand_in(
    closed: HostedContest,
    begun: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    change: str,
    word: str,
    over: bool,
) -> None:
    played = ContestRun(7, dict(closed.wanted().specs), over)
    monkeypatch.setattr(closed, "playing", lambda setup: played)
    if change == "withdrawn":
        closed.withdraw("bob")
    elif change != "none":
        closed.close_at(LONG_AFTER)
        passes(closed, "alice" if change == "replaced" else "carol", BOT + b"# new")
        closed.close_at(LONG_AGO)
    looked(closed)
    if change == "none" and over:
        assert not begun
        assert closed.play == "complete"
    else:
        [command] = begun
        assert command[0] == word
        assert any(each.startswith("--withdraw") for each in command) is (change == "withdrawn")


def test_the_status_is_of_the_final_once_it_has_begun(
    closed: HostedContest, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    from arena.features.contest import hand_ins

    runs = {"c.toml": 1, "c.final.toml": 2}
    monkeypatch.setattr(hand_ins, "run_of", lambda _, file: runs.get(file))
    assert (closed.status().phase, closed.run) == (FINAL, 2)
    for closed.play in ("playing", "complete"):
        wording(closed.status().words)
    closed.close_at(LONG_AFTER)
    assert (closed.status().phase, closed.run) == (SO_FAR, 1)
    wording(closed.status().words)


def test_when_hand_ins_have_closed_no_word_invites_one(opened: Open, wording: Wording) -> None:
    contest = opened()
    contest.start()
    contest.play = "complete"
    wording(contest.status().words)
    contest.close_at("2020-01-01T00:00:00Z")
    wording(contest.status().words)


@pytest.mark.needs("locked")
def test_a_file_of_somebody_elses_is_not_written_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("c.toml").write_text('game = "tictactoe"\nplayers = ["monkey"]\n[hand-ins]\nfinal = 3\n')
    add_tokens(Path("tokens.csv"), ["alice"])
    Path("c.final.toml").write_text("game = 'nim'\n")
    with wording.raises(arena.UsageError):
        arena.plugin.open_contest("c.toml")
    Path("c.final.toml").write_text(f"{FINAL_HEAD}\n")
    assert arena.plugin.open_contest("c.toml").rules.final == 3


@pytest.mark.parametrize("value", ["0", "-1", "true", '"5"', "2.5"])
def test_its_pairs_are_a_number(tmp_path: Path, value: str, wording: Wording) -> None:
    file = tmp_path / "c.toml"
    file.write_text(f"[hand-ins]\nfinal = {value}\n")
    with wording.raises(arena.UsageError):
        arena.read_contest(file)
