"""Play by hand at a table of more than two."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import arena
from arena.errors import UsageError
from arena.features.play.dialogue import Dialogue
from arena.features.play.session import Session
from tests.conftest import Run
from tests.golden import Wording

MNK, SNAKES = "mnk-3-3-3-x3", "snakes-3"

#: Plays to the first square, which is taken after the first turn.
STUBBORN = "def choose(position, rng):\n    return 0\n"


def dialogue(*players: str, game: str = MNK, seed: int = 1) -> Dialogue:
    def never(file: str, session: Session, over: bool) -> None:
        raise AssertionError

    return Dialogue(arena.plugin.sit(*players, game=game, seed=seed), never)


def play_on(talk: Dialogue, move: Callable[[Session], str]) -> list[str]:
    """Play a game to its end. Return what is said."""
    messages = [talk.greeting()]
    while talk.session.record is None:
        session = talk.session
        messages.append(talk.answer(move(session)) if session.asks_person else talk.let_play())
    return messages


def first_move(session: Session) -> str:
    return session.game.format_move(session.position.legal_moves()[0])


@pytest.mark.parametrize("game", [MNK, SNAKES])
def test_players_play_the_first_game_of_their_block(game: str, tmp_path: Path) -> None:
    store = str(tmp_path / "games.db")
    arena.table_fight(["monkey", "a=monkey", "b=monkey"], 1, game=game, seed=3, store=store)
    [run] = arena.export(store).as_json()["runs"]
    first = run["fights"][0]["games"][0]
    players = [replace(arena.get_player("monkey"), name=name) for name in ("monkey", "a", "b")]
    session = arena.plugin.sit(*players, game=game, seed=3).session
    while session.record is None:
        session.let_play()
    assert [session.game.format_move(move) for move in session.moves] == first["moves"]
    assert list(map(str, session.record.payoffs or ())) == first["payoffs"]


def test_a_game_between_a_person_and_players(wording: Wording) -> None:
    message = play_on(dialogue("monkey", "person", "monkey"), first_move)
    wording("\n".join(message))


def test_who_resigns_leaves_and_the_others_play_on(wording: Wording) -> None:
    talk = dialogue("person", "person", "person")
    talk.greeting()
    for word in ("1", "2", "3"):
        talk.answer(word)
    wording(talk.answer("resign"))
    assert talk.prompt == "o to move> "
    for word in ("5", "6"):
        talk.answer(word)
    assert talk.prompt == "o to move> "
    wording(talk.answer("8"))
    assert talk.session.record is not None
    assert [*map(str, talk.session.record.payoffs or ())] == ["0", "1", "0"]


def test_undo_takes_back_moves_and_resignations(wording: Wording) -> None:
    talk = dialogue("person", "person", "person")
    states = [(talk.prompt, str(talk.session.position))]
    for word in ("1", "2", "resign", "4", "resign"):
        talk.answer(word)
        states.append((talk.prompt, str(talk.session.position)))
    assert talk.session.record is not None
    for state in states[-2::-1]:
        talk.answer("undo")
        assert (talk.prompt, str(talk.session.position)) == state
    wording(talk.answer("undo"))


def test_a_player_that_forfeits_leaves(tmp_path: Path, wording: Wording) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(STUBBORN)
    talk = dialogue("person", str(bot), "monkey")
    talk.greeting()
    talk.answer("1")
    wording(talk.let_play())
    assert talk.session.record is None
    talk.let_play()
    assert talk.prompt == "x to move> "
    talk.answer("undo")
    assert talk.session.moves == []


def test_a_person_sees_its_own_view_and_passes_the_screen(wording: Wording) -> None:
    talk = dialogue("person", "person", "monkey", game=SNAKES)
    talk.greeting()
    assert talk.answer("up") == ""
    assert talk.must_pass
    wording(talk.prompt)
    shown = talk.answer("")
    assert "up" not in shown
    talk.answer("down")
    talk.let_play()
    assert talk.must_pass


def test_another_game_has_another_first_player_and_a_score(wording: Wording) -> None:
    talk = dialogue("person", "monkey", "monkey")
    play_on(talk, first_move)
    for _ in range(3):
        talk.answer("again")
        play_on(talk, first_move)
    assert sum(talk.sitting.score) == 4
    assert [player.name for player in talk.session.players] == ["person", "monkey", "monkey"]
    wording(talk.sitting.standing())


@pytest.mark.parametrize(
    "words",
    [
        ("monkey", "wary"),
        ("monkey", "monkey", "monkey", "monkey"),
        ("monkey", "--side", "o"),
        ("minimax",),
    ],
)
def test_players_that_do_not_fit_are_refused(
    words: tuple[str, ...], run: Run, wording: Wording
) -> None:
    ran = run("play", *words, "--game", SNAKES)
    assert (ran.code, ran.out) == (2, "")
    wording(ran.err)


def test_too_few_players_of_a_program_are_refused() -> None:
    with pytest.raises(UsageError, match="3 seats, not 2"):
        arena.plugin.sit("monkey", "monkey", game=MNK)


def test_a_game_is_saved_and_shown(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "game.json"
    lines = ["5", "resign"]
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    ran = run("play", "monkey", "--game", MNK, "--seed", "1", "--output", str(file))
    assert ran.code == 0, ran.err
    saved = json.loads(file.read_text())
    assert saved["players"] == ["person", "monkey", "monkey#2"]
    assert saved["forfeits"][0]["reason"] == "resigned"
    shown = run("replay", str(file))
    assert "person forfeits (resigned)" in shown.out


@pytest.mark.slow
def test_a_resignation_comes_again_in_its_order(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(STUBBORN)
    talk = dialogue("person", str(bot), "person")
    talk.answer("1")
    talk.let_play()
    talk.answer("resign")
    assert talk.session.record is not None
    forfeits = [(forfeit.reason, int(forfeit.side)) for forfeit in talk.session.forfeits]
    assert forfeits == [("illegal", 1), ("resigned", 2)]
    again = talk.session.replayed_to(len(talk.session.moves))
    assert again.forfeits == talk.session.forfeits
    assert again.record == talk.session.record


@pytest.mark.parametrize(
    ("players", "lines"),
    [
        (("person", "person", "person"), ["5", "resign"]),
        (("person", "monkey", "person"), ["5", "6", "resign"]),
    ],
)
def test_an_unfinished_game_with_a_resignation_is_saved_and_shown(
    players: tuple[str, ...],
    lines: list[str],
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file = tmp_path / "game.json"
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    ran = run("play", *players, "--game", MNK, "--seed", "3", "--output", str(file))
    assert ran.code == 3, ran.err
    shown = run("replay", str(file))
    assert (shown.code, shown.err) == (0, "")
    assert shown.out.endswith("unfinished\n")
