"""A contest's desk: numbers, limits, who plays, and that the store has all of it."""

from __future__ import annotations

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

import arena
from arena.clock import timestamp
from arena.features.contest import folders, hand_ins, hosted
from arena.features.contest.hosted import HostedContest
from arena.features.contest.packages import HandInRefused
from arena.features.hand_in.record import CHECKING, PASSED, REFUSED, REPLACED, WAITING, HandIn
from arena.main import main
from arena.player.names import NamedSpec
from arena.store import schema
from tests.features.contest.moments import at
from tests.features.contest.packages import BOT, FIRST, zipped
from tests.golden import Wording

if TYPE_CHECKING:
    from tests.features.contest.conftest import Open


def passes(contest: HostedContest, hand_in: HandIn, seconds: float = 1.0) -> HandIn:
    assert contest.take(hand_in)
    contest.finalize(hand_in, PASSED, {"conforms": True}, "", seconds)
    return hand_in


def states(contest: HostedContest, entrant: str | None = None) -> list[tuple[str, int, str]]:
    return [(own.entrant, own.number, own.state) for own in contest.hand_ins(entrant)]


def test_hand_ins_are_numbered_for_each_entrant(contest: HostedContest) -> None:
    first = contest.hand_in("alice", "my bot.py", BOT)
    assert (first.number, first.state, first.size, first.filename) == (
        1,
        WAITING,
        len(BOT),
        "my bot.py",
    )
    passes(contest, first)
    contest.hand_in("bob", "C:\\Users\\bob\\x.py", BOT)
    contest.hand_in("alice", "../../b\x00\n.zip", zipped({"bot.py": FIRST}))
    assert [own.number for own in contest.hand_ins("alice")] == [2, 1]
    assert contest.hand_ins("bob")[0].filename == "x.py"
    assert contest.hand_ins("alice")[0].filename.isprintable()
    assert {own.entrant for own in contest.hand_ins()} == {"alice", "bob"}
    assert contest.hand_ins("alice")[1].report == {"conforms": True}


def test_a_later_one_takes_the_place_of_one_that_waits(contest: HostedContest) -> None:
    for _ in range(3):
        contest.hand_in("alice", "bot.py", BOT)
    contest.hand_in("bob", "bot.py", BOT)
    assert states(contest, "alice") == [
        ("alice", 3, WAITING),
        ("alice", 2, REPLACED),
        ("alice", 1, REPLACED),
    ]
    [third, _] = sorted(contest.waiting(), key=lambda own: own.entrant)
    assert contest.take(third)
    assert not contest.take(third)
    contest.hand_in("alice", "bot.py", BOT)
    assert states(contest, "alice")[:2] == [("alice", 4, WAITING), ("alice", 3, CHECKING)]


def test_the_last_that_passed_plays(contest: HostedContest) -> None:
    one = passes(contest, contest.hand_in("alice", "a.py", BOT))
    assert {name: own.number for name, own in contest.ranked().items()} == {"alice": 1}
    two = contest.hand_in("alice", "b.py", FIRST)
    contest.take(two)
    contest.finalize(two, REFUSED, None, "it cheats", 0.5)
    assert contest.ranked()["alice"].number == one.number
    three = passes(contest, contest.hand_in("alice", "b.py", FIRST))
    assert contest.ranked()["alice"].number == three.number
    passes(contest, contest.hand_in("alice", "again.py", FIRST))
    assert contest.ranked()["alice"].number == three.number, "the same again is the same player"
    five = passes(contest, contest.hand_in("alice", "a.py", BOT))
    assert contest.ranked()["alice"].number == five.number


def test_who_passed_first_has_the_first_seat(
    contest: HostedContest, monkeypatch: pytest.MonkeyPatch
) -> None:
    for second, name in enumerate(("carol", "alice", "bob", "carol")):
        at(monkeypatch, f"2026-01-31T12:00:0{second}Z")
        passes(contest, contest.hand_in(name, "bot.py", BOT + b"#" * second))
    assert list(contest.wanted().specs) == ["monkey", "carol", "alice", "bob"]
    assert list(contest.ranked()) == ["carol", "alice", "bob"]


def test_an_entrant_that_is_withdrawn_does_not_play(
    contest: HostedContest, wording: Wording
) -> None:
    for name in ("alice", "bob"):
        passes(contest, contest.hand_in(name, "bot.py", BOT))
    contest.withdraw("alice")
    contest.withdraw("alice")
    assert list(contest.ranked()) == ["bob"]
    assert contest.status().withdrawn == ("alice",)
    with wording.raises(HandInRefused):
        contest.hand_in("alice", "bot.py", BOT)
    contest.readmit("alice")
    assert set(contest.ranked()) == {"alice", "bob"}
    for change in (contest.withdraw, contest.readmit):
        with wording.raises(arena.UnknownName, match="'alice'"):
            change("alise")


def test_strangers_do_not_hand_in(contest: HostedContest, wording: Wording) -> None:
    for name in ("owner", "dora", "", "../alice"):
        with wording.raises(arena.UnknownName):
            contest.hand_in(name, "bot.py", BOT)
    assert contest.hand_ins() == []


def test_so_many_a_day_and_no_more(
    opened: Open, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    contest = opened(a_day=3)
    at(monkeypatch, "2026-01-31T23:59:59Z")
    for _ in range(3):
        contest.hand_in("alice", "bot.py", BOT)
    with wording.raises(HandInRefused):
        contest.hand_in("alice", "bot.py", BOT)
    assert contest.hand_in("bob", "bot.py", BOT).number == 1
    at(monkeypatch, "2026-02-01T00:00:00Z")
    assert contest.hand_in("alice", "bot.py", BOT).number == 4


def test_so_much_time_a_day_and_no_more(
    opened: Open, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    contest = opened(seconds_a_day=10)
    at(monkeypatch, "2026-01-31T12:00:00Z")
    passes(contest, contest.hand_in("alice", "bot.py", BOT), seconds=9.0)
    passes(contest, contest.hand_in("alice", "bot.py", BOT), seconds=2.0)
    with wording.raises(HandInRefused, match="11"):
        contest.hand_in("alice", "bot.py", BOT)
    contest.hand_in("bob", "bot.py", BOT)
    at(monkeypatch, "2026-02-01T12:00:00Z")
    contest.hand_in("alice", "bot.py", BOT)


@pytest.mark.slow
def test_games_count_half_for_each_of_both(opened: Open) -> None:
    contest = opened(seconds_a_day=10)
    passes(contest, contest.hand_in("alice", "bot.py", BOT), seconds=0.0)
    played = play(contest)
    seconds = sum(played)
    today = timestamp()[:10]
    for entrant, share in (("alice", seconds / 2), ("bob", 0.0)):
        with contest.file.read() as connection:
            used = hand_ins.use_of(connection, contest.number, "c.toml", entrant, today)
            other = hand_ins.use_of(connection, contest.number, "c.toml", entrant, "2001-01-01")
        assert used.seconds == pytest.approx(share)
        assert other == (0, 0.0)


def play(contest: HostedContest) -> list[float]:
    """Play the contest here, and return the seconds of its games."""
    Path("c.toml").write_text('players = ["monkey"]\npairs = 3\n')
    specs = contest.wanted().specs
    arriving = [f"{name}={spec}" for name, spec in specs.items() if name != "monkey"]
    options = ("--seed=1234567890123456", "--store=c.db", "--isolation=none", "--executor=serial")
    assert main(["tournament", "c.toml", *arriving, *options]) == 0
    assert contest.run == 1
    return games_of(contest)


def games_of(contest: HostedContest) -> list[float]:
    with contest.file.read() as connection:
        return list(connection.execute(select(schema.games.c.seconds)).scalars())


def test_hand_ins_close(opened: Open, monkeypatch: pytest.MonkeyPatch, wording: Wording) -> None:
    contest = opened(closes="2026-02-01T12:00:00Z")
    at(monkeypatch, "2026-02-01T11:59:59Z")
    contest.hand_in("alice", "bot.py", BOT)
    at(monkeypatch, "2026-02-01T12:00:00Z")
    assert contest.status().closed
    with wording.raises(HandInRefused, match="2026.*02.*00"):
        contest.hand_in("alice", "bot.py", BOT)
    contest.close_at("2026-02-01T14:00+01:00")
    assert contest.status().closes == "2026-02-01T13:00:00Z"
    contest.hand_in("alice", "bot.py", BOT)
    contest.close_at(None)
    assert (contest.status().closes, contest.status().closed) == ("", False)
    for wrong in ("tomorrow", "25:00", "9999-12-31T23:59-14:00"):
        with wording.raises(arena.UsageError, match="2026"):
            contest.close_at(wrong)


def test_what_is_not_a_package_leaves_nothing(contest: HostedContest) -> None:
    for content in (b"", b"\x7fELF\xff", zipped({"../bot.py": BOT})):
        with pytest.raises(HandInRefused):
            contest.hand_in("alice", "bot.py", content)
    assert contest.hand_ins() == []


def test_who_may_not_hand_in_has_nothing_unpacked(
    opened: Open, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    contest = opened(a_day=1, closes="2100-01-01T00:00:00Z")
    contest.hand_in("alice", "bot.py", BOT)
    contest.withdraw("bob")
    monkeypatch.setattr(hosted, "unpack", None)
    for entrant in ("alice", "bob"):
        with wording.raises(HandInRefused):
            contest.hand_in(entrant, "bot.py", BOT)
    contest.close_at("2001-01-01T00:00Z")
    with wording.raises(HandInRefused):
        contest.hand_in("carol", "bot.py", BOT)


def test_so_many_packages_are_refused_a_day_and_then_not_looked_at(
    opened: Open, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    contest = opened(a_day=2)
    at(monkeypatch, "2026-01-31T23:59:59Z")
    for _ in range(2):
        with wording.raises(HandInRefused):
            contest.hand_in("alice", "bot.py", b"")
    with wording.raises(HandInRefused):
        contest.hand_in("alice", "bot.py", BOT)
    assert contest.hand_in("bob", "bot.py", BOT).number == 1
    at(monkeypatch, "2026-02-01T00:00:00Z")
    assert contest.hand_in("alice", "bot.py", BOT).number == 1


def test_all_that_lasts_is_in_the_store(opened: Open) -> None:
    contest = opened()
    passes(contest, contest.hand_in("alice", "bot.py", BOT))
    contest.take(contest.hand_in("bob", "bot.py", BOT))
    contest.take(contest.hand_in("carol", "bot.py", BOT))
    contest.hand_in("carol", "bot.py", FIRST)
    contest.start()
    contest.withdraw("bob")
    contest.close_at("2100-01-01T00:00Z")
    before = contest.status()
    again = opened()
    assert again.status() == before
    assert again.hand_ins() == contest.hand_ins()
    again.take_back_checks()
    now = states(again)
    assert ("bob", 1, WAITING) in now
    assert [own for own in now if own[0] == "carol"] == [
        ("carol", 2, WAITING),
        ("carol", 1, REPLACED),
    ]
    again.stop()
    assert not opened().status().started


def test_a_copy_of_the_store_is_the_whole_contest(opened: Open) -> None:
    contest = opened()
    passes(contest, contest.hand_in("alice", "bot.zip", zipped({"bot.py": BOT, "w.json": b"1"})))
    contest.start()
    arena.copy_store("c.db", "backup.db")
    shutil.rmtree(contest.setup.folder, ignore_errors=True)
    backup = opened("backup.db")
    assert backup.hand_ins() == contest.hand_ins()
    assert backup.status() == contest.status()
    result = backup.wanted(fresh=True)
    assert Path(result.specs["alice"]).read_bytes() == BOT
    assert result.data == [f"alice={contest.setup.folder}/alice/1"]


@pytest.mark.slow
def test_a_contest_that_was_moved_plays_no_game_again(opened: Open, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_bytes(FIRST)
    mine = NamedSpec("mine", str(tmp_path / "mine.py"))
    before = opened(file_players=(NamedSpec("monkey", "monkey"), mine))
    passes(before, before.hand_in("alice", "bot.zip", zipped({"bot.py": BOT, "w.json": b"1"})))
    played = play(before)
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    (tmp_path / "mine.py").rename(moved / "mine.py")
    before.setup.folder.rename(moved / "hand-ins")
    mine_moved = (NamedSpec("monkey", "monkey"), NamedSpec("mine", str(moved / "mine.py")))
    contest = opened(file_players=mine_moved, folder=moved / "hand-ins")
    playing = contest.playing()
    assert playing is not None
    assert playing.specs != contest.wanted().specs
    contest.follow_files()
    playing = contest.playing()
    assert playing is not None
    assert playing.specs == contest.wanted().specs
    words = ["resume", "c.db", "--changed-players", "replay", "--executor=serial"]
    assert main(words) == 0
    assert games_of(contest) == played
    (moved / "mine.py").write_bytes(BOT)
    assert main(words) == 0
    assert len(games_of(contest)) > len(played), "other code is another player, wherever it is"


def test_files_are_made_again_from_the_store(contest: HostedContest) -> None:
    content = zipped({"a/bot.py": BOT, "a/data/w.json": b"1"})
    passes(contest, contest.hand_in("alice", "a.zip", content))
    bot = Path(contest.wanted().specs["alice"])
    folder = bot.parent
    assert folder == contest.setup.folder / "alice" / "1"
    assert folder.parent.stat().st_mode & 0o077 == 0
    elsewhere = folder.parent / "elsewhere"
    elsewhere.write_bytes(BOT)

    def spoil(how: str) -> None:
        if how == "changed":
            bot.write_bytes(FIRST)
        elif how == "missing":
            (folder / "data/w.json").unlink()
        elif how == "more":
            (folder / "_helper.py").write_bytes(BOT)
        elif how == "link":
            bot.unlink()
            bot.symlink_to(elsewhere)
        else:
            shutil.rmtree(contest.setup.folder)

    for how in ("changed", "missing", "more", "link", "gone"):
        spoil(how)
        assert contest.wanted(fresh=True).specs["alice"] == str(bot)
        assert bot.read_bytes() == BOT
        assert not bot.is_symlink()
        files = {path.name for path in folder.rglob("*")}
        assert files == {"bot.py", "data", "w.json"}


def test_what_was_taken_plays_on_when_the_limits_are_lowered(
    opened: Open, wording: Wording
) -> None:
    content = zipped({"bot.py": BOT, "data": bytes(10_000)})
    passes(opened(), opened().hand_in("alice", "a.zip", content))
    passes(opened(), opened().hand_in("bob", "bot.py", BOT))
    for lowered in ({"size": len(content) - 1}, {"unpacked": 9_000}, {"files": 1}):
        contest = opened(**lowered)
        shutil.rmtree(contest.setup.folder, ignore_errors=True)
        result = contest.wanted(fresh=True)
        assert list(result.specs) == ["monkey", "alice", "bob"]
        assert Path(result.specs["alice"]).read_bytes() == BOT
        with wording.raises(HandInRefused):
            contest.hand_in("alice", "a.zip", content)


@pytest.mark.slow
def test_many_at_once_are_taken_one_by_one(opened: Open) -> None:
    contest = opened(a_day=1000)
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda n: contest.hand_in("alice", "b.py", BOT + b"#" * n), range(60)))
    assert sorted(own.number for own in made) == [*range(1, 61)]
    assert len(contest.waiting()) == 1
    assert contest.status().waiting == 1


def test_lines_for_the_owner_are_kept_but_not_for_ever(contest: HostedContest) -> None:
    for number in range(1000):
        contest.tell(f"problem {number}")
        contest.tell(f"problem {number}")
    problems = [problem.text for problem in contest.status().problems]
    assert problems == [f"problem {number}" for number in range(900, 1000)]


def test_one_server_conducts(
    contest: HostedContest, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    lock = contest.lock()
    monkeypatch.setattr(folders, "MAX_LOCK_SECONDS", 0.0)
    with wording.raises(arena.UsageError):
        contest.lock()
    os.close(lock)
    os.close(contest.lock())
