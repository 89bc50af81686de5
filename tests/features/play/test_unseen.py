"""Play by hand where chance moves, or where a side does not see all."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import arena
from arena.errors import UsageError
from arena.features.play.dialogue import Dialogue
from arena.features.play.session import Session
from tests.conftest import Run
from tests.golden import Wording


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def dialogue(*players: str, game: str, seed: int = 1) -> Dialogue:
    def never(file: str, session: Session, over: bool) -> None:
        raise AssertionError

    return Dialogue(arena.plugin.sit(*players, game=game, seed=seed), never)


def passes(talk: Dialogue) -> bool:
    return talk.must_pass


@pytest.mark.parametrize("game", ["pig-20", "kuhn", "phantom-tictactoe"])
def test_two_players_play_the_first_game_of_their_fight(game: str, tmp_path: Path) -> None:
    store = str(tmp_path / "games.db")
    arena.fight("monkey", "monkey", 1, game=game, seed=3, store=store)
    [run] = arena.export(store).as_json()["runs"]
    [first, _] = [each for fight in run["fights"] for each in fight["games"]]
    sitting = arena.plugin.sit("monkey", "monkey", game=game, seed=3)
    while sitting.session.record is None:
        sitting.let_play()
    played = [sitting.session.game.format_move(move) for move in sitting.session.moves]
    assert played == first["moves"]


@pytest.mark.parametrize("seed", range(12))
def test_a_human_never_sees_the_card_of_the_other_side_before_the_end(seed: int) -> None:
    talk = dialogue("person", "monkey", game="kuhn", seed=seed)
    shown = [talk.greeting()]
    session = talk.session
    cards = [session.game.format_move(move) for move in session.moves[:2]]
    while session.record is None:
        shown.append(talk.answer("pass") if session.asks_person else talk.let_play())
    assert f" {cards[0]} " in shown[0]
    assert not any(f" {cards[1]}" in text for text in shown[:-1])
    assert " ".join(cards) in shown[-1]
    assert "chips: you (x)" in shown[-1]


def test_a_move_that_is_hidden_is_not_told() -> None:
    talk = dialogue("monkey", "person", game="rock-paper-scissors-2")
    talk.greeting()
    message = talk.let_play()
    assert "has moved" in message
    assert not any(f"plays {word}" in message for word in ("rock", "paper", "scissors"))
    assert message.strip().splitlines()[-1] == "1: | rock paper scissors"


def test_two_humans_pass_the_screen_and_neither_sees_the_other_side(wording: Wording) -> None:
    talk = dialogue("person", "person", game="phantom-tictactoe")
    talk.greeting()
    assert not passes(talk)
    assert talk.answer("5") == ""
    assert passes(talk)
    wording(talk.prompt)
    wording(talk.answer("board"))  # Enter, whatever is typed
    wording(talk.answer("5"))
    wording(talk.answer("undo"))  # it is still the second side's turn
    talk.answer("5")
    assert talk.answer("1") == ""
    wording(talk.answer(""))
    talk.answer("undo")
    assert passes(talk)  # the move of the second side is taken back: its screen
    talk.answer("quit")
    assert talk.has_left


@pytest.mark.parametrize("game", ["pig-20", "leduc"])
def test_a_game_is_taken_up_with_the_same_luck(game: str, wording: Wording) -> None:
    sitting = arena.plugin.sit("person", "monkey", game=game, seed=2)
    for _ in range(4):
        session = sitting.session
        if session.record is None:
            sitting.make(session.position.legal_moves()[-1]) if session.asks_person else (
                sitting.let_play()
            )
    session = sitting.session
    words = [session.game.format_move(move) for move in session.moves]
    again = arena.plugin.sit("person", "monkey", game=game, seed=2, moves=words)
    assert again.session.moves == session.moves
    assert again.session.position == session.position
    if game == "pig-20":
        faces = {"1", "2", "3", "4", "5", "6"}
        place = next(i for i, word in enumerate(words) if word in faces)
        words[place] = "2" if words[place] != "2" else "3"
        with wording.raises(UsageError):
            arena.plugin.sit("person", "monkey", game=game, seed=2, moves=words)


def test_an_undo_keeps_the_luck() -> None:
    talk = dialogue("person", "monkey", game="pig-30")
    talk.greeting()
    first = talk.answer("roll")
    talk.answer("undo")
    assert talk.answer("roll") == first


def test_hints_are_of_games_without_luck_and_secrets(
    run: Run, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    wording(dialogue("person", "monkey", game="pig").answer("hint"))
    typed(monkeypatch, "roll", "hold", "quit")
    ran = run("play", "monkey", "--game", "pig-20", "--seed", "1")
    assert ran.code == 3
    assert "chance: " in ran.out


def test_no_hint_is_offered_where_there_is_none() -> None:
    talk = dialogue("person", "monkey", game="kuhn")
    assert "hint" not in talk.answer("help")
    assert "hint" in dialogue("person", "monkey", game="tictactoe").answer("help")


def test_a_game_with_secrets_is_saved_when_it_is_over(tmp_path: Path, wording: Wording) -> None:
    written: list[str] = []
    sitting = arena.plugin.sit("person", "monkey", game="kuhn", seed=1)
    talk = Dialogue(sitting, lambda file, session, over: written.append(file))
    wording(talk.answer("save game.json"))
    assert not written
    while talk.session.record is None:
        talk.answer("pass") if talk.session.asks_person else talk.let_play()
    assert "saved" in talk.answer("save game.json")
    assert written == ["game.json"]


#: A game whose observations cannot be drawn.
UNDRAWN = """
import arena
from arena.games.kuhn import Kuhn, KuhnPosition
from arena.plugin import View

class Undrawn(View):
    def picture(self):
        raise RuntimeError("no picture")

class Hand(KuhnPosition):
    def observation(self, seat):
        return Undrawn(*super().observation(seat))

class Rules(Kuhn):
    def start(self):
        return Hand(self)

@arena.hookimpl
def arena_register_games(register):
    register("undrawn", Rules)
"""


def test_an_observation_that_cannot_be_drawn_is_a_fault_of_its_game(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    plugin = tmp_path / "undrawn.py"
    plugin.write_text(UNDRAWN)
    typed(monkeypatch, "pass")
    ran = run("-p", str(plugin), "play", "monkey", "--game", "undrawn", "--seed", "1")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    wording(ran.err, "picture()")
