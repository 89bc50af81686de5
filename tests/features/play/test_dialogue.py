"""The conversation: what every line does, and what is said."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import UsageError, VoidGame
from arena.features.play.dialogue import Dialogue
from arena.features.play.session import Session
from arena.features.play.sitting import Sitting
from arena.fights.replays import read_replay
from arena.game import Game, Outcome, Position
from arena.games.connect4 import CONNECT4
from arena.games.mnk import mnk_game
from arena.player import PlayerInfo, RemoteFactory
from arena.player.human import HUMAN
from arena.plugin.catalogue import Catalogue
from tests.golden import Wording
from tests.simple import lowest

TICTACTOE = mnk_game(3, 3, 3)


def refuses(_position: Position, _rng: object) -> int:
    raise ValueError("no idea")


LOWEST = PlayerInfo("lowest", lowest, deterministic=True)


def dialogue(
    *players: PlayerInfo, game: Game = TICTACTOE, hints: bool = False, verbose: bool = False
) -> Dialogue:
    first, second = players

    def save(file: str, session: Session, over: bool) -> None:
        if not over and Path(file).exists() and file != "/full":
            raise FileExistsError(file)
        if file == "/full":
            raise OSError(28, "No space left on device")
        if file == "/no/such":
            raise UsageError("output folder '/no' does not exist")
        Path(file).write_text(str(session.moves))

    return Dialogue(Sitting(game, (first, second), 7), save, hints=hints, verbose=verbose)


def talk(told: Dialogue, *lines: str) -> str:
    """Return what the last line is answered with."""
    message = ""
    for line in lines:
        while told.session.record is None and not told.session.asks_person:
            told.let_play()
        message = told.answer(line)
    return message


@pytest.mark.parametrize(
    "line",
    [
        "",
        "five",
        "10",
        "0",
        "-1",
        "1 2",
        "\u0661",
        "5",
        "udno",
        "QUITE",
        "undo 3",
        "save",
        "save /full",
        "save /no/such",
    ],
)
def test_what_cannot_be_done_is_answered_kindly_and_changes_nothing(
    line: str, wording: Wording
) -> None:
    conversation = dialogue(HUMAN, HUMAN)
    conversation.answer("5")
    wording(conversation.answer(line))
    assert conversation.session.moves == [4]
    assert conversation.session.asks_person


def test_a_line_of_any_length_gets_a_short_answer() -> None:
    conversation = dialogue(HUMAN, HUMAN)
    assert len(conversation.answer("9" * 10_000)) < 200
    assert len(conversation.answer("save " + "x" * 10_000)) < 11_000


def test_lines_are_read_whatever_is_around_them() -> None:
    conversation = dialogue(HUMAN, HUMAN)
    for line in ("\ufeff5\r\n", "  1 \t\n", "UNDO\n", "Undo"):
        conversation.answer(line)
    assert conversation.session.moves == []


def test_many_free_squares_are_not_all_listed(wording: Wording) -> None:
    conversation = dialogue(HUMAN, HUMAN, game=mnk_game(20, 20, 5))
    lines = conversation.answer("x").splitlines()
    assert max(map(len, lines)) <= 80
    wording(" ".join(map(str.strip, lines)), "380")


def test_a_whole_game_against_a_player(wording: Wording) -> None:
    conversation = dialogue(HUMAN, LOWEST)
    wording(conversation.greeting().splitlines()[:2], "lowest (o), seed 7")
    assert conversation.prompt == "x to move> "
    assert conversation.answer("5") == ""
    assert conversation.let_play() == (
        "lowest (o) plays 1\n\n(o)| 2 | 3\n---+---+---\n 4 | x | 6\n---+---+---\n 7 | 8 | 9\n"
    )
    assert talk(conversation, "3", "7").splitlines()[-1] == "You win."
    wording(conversation.prompt)
    wording(conversation.answer("1"))
    wording(conversation.answer("hint"))
    wording(conversation.answer("resign"))
    conversation.answer("undo")
    assert conversation.prompt == "x to move> "
    assert talk(conversation, "7").splitlines()[-1] == "You win."
    assert (conversation.answer(""), conversation.has_left, conversation.closing()) == (
        "",
        True,
        "",
    )


def test_short_words_mean_commands_unless_they_are_moves() -> None:
    conversation = dialogue(HUMAN, HUMAN)
    for typed, meant in (("h", "hint"), ("?", "help"), ("b", "board"), ("SAV", "save")):
        assert conversation.answer(typed) == conversation.answer(meant)
    conversation.answer("5")
    conversation.answer("u")
    assert conversation.session.moves == []
    conversation.answer("q")
    assert conversation.has_left


def test_a_letter_that_is_a_move_is_not_a_command() -> None:
    class Lettered(type(TICTACTOE.start())):  # type: ignore[misc]
        __slots__ = ()

        def read_move(self, text: str) -> int:
            return {"q": 4}.get(text) or super().read_move(text)

    conversation = dialogue(HUMAN, HUMAN)
    conversation.session.position = Lettered(TICTACTOE, 0, 0)
    conversation.answer("q")
    assert (conversation.session.moves, conversation.has_left) == ([4], False)


def test_the_sides_swap_in_another_game_and_the_score_is_kept(wording: Wording) -> None:
    conversation = dialogue(HUMAN, LOWEST)
    wording(conversation.answer("again"))
    assert talk(conversation, "5", "3", "7").splitlines()[-1] == "You win."
    wording(conversation.answer("again"))
    wording(talk(conversation, "resign"), "lowest (x)", "lowest 1")
    conversation.answer("undo")
    assert conversation.sitting.score == (1, 0, 0)
    talk(conversation, "resign", "again", "5", "3", "7")
    assert conversation.sitting.score == (2, 1, 0)


def test_saving_asks_before_it_overwrites(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    conversation, file = dialogue(HUMAN, HUMAN), Path("game")
    conversation.answer("save game")
    conversation.answer("5")
    prompt = "'game' "
    for refusal, message in (
        ("no", "not saved"),
        ("", "not saved"),
        ("help", conversation.answer("help")),
    ):
        assert conversation.answer("save game") == ""
        assert conversation.prompt.startswith(prompt)
        assert conversation.answer(refusal) == message
        assert file.read_text() == "[]"
    conversation.answer("save game")
    assert conversation.answer("Y").startswith("saved; ")
    assert file.read_text() == "[4]"


@pytest.mark.parametrize(
    ("players", "lines"),
    [
        ((HUMAN, HUMAN), "1 4 2 5 3"),
        ((HUMAN, HUMAN), "1 4 2 5 9 6"),
        ((HUMAN, HUMAN), "5 1 3 7 4 6 8 2 9"),
        ((HUMAN, HUMAN), "resign"),
        ((HUMAN, HUMAN), "1 resign"),
        ((HUMAN, LOWEST), "resign"),
        ((LOWEST, HUMAN), "resign"),
        ((HUMAN, LOWEST), "9 8 4"),
        ((LOWEST, HUMAN), "5 3 7"),
    ],
)
def test_the_end_is_recognised(
    players: tuple[PlayerInfo, PlayerInfo], lines: str, wording: Wording
) -> None:
    conversation = dialogue(*players)
    message = talk(conversation, *lines.split())
    if conversation.session.record is None:
        message = conversation.let_play()
    wording(message.splitlines()[-1])


def test_a_player_that_fails_ends_the_game_with_its_verdict(wording: Wording) -> None:
    conversation = dialogue(HUMAN, PlayerInfo("bot", refuses))
    conversation.answer("5")
    wording(conversation.let_play().splitlines()[-1], "ValueError")


@pytest.mark.parametrize("times", [1, 2, 3])
def test_a_turn_that_the_machine_spoilt_is_played_again(times: int) -> None:
    remaining = [times]

    class Unlucky:
        def start(self, *_: object) -> None:
            pass

        def choose(self, position: Position) -> int:
            if position.ply == 3 and remaining[0]:
                remaining[0] -= 1
                raise VoidGame("the machine is busy")
            return position.legal_moves()[0]

        def observe(self, move: int) -> None:
            pass

        def finish(self, outcome: Outcome) -> None:
            pass

    unlucky = PlayerInfo("unlucky", Unlucky, stateless=False)
    conversation = dialogue(
        HUMAN, replace(unlucky, remote=cast("RemoteFactory", lambda _: Unlucky()))
    )
    talk(conversation, "5", "3")
    if times == 3:
        with pytest.raises(VoidGame):
            conversation.let_play()
        return
    assert conversation.let_play().startswith("unlucky (o) plays 2\n")
    assert talk(conversation, "7").splitlines()[-1] == "You win."


def test_hints_are_the_values_of_the_moves_the_best_first(wording: Wording) -> None:
    conversation = dialogue(HUMAN, HUMAN)
    assert conversation.answer("hint") == "draw: 1 2 3 4 5 6 7 8 9"
    conversation.answer("1")
    assert conversation.answer("hint") == "draw: 5\nloss in 6: 2 3 4 6 7 8 9"
    for move in "258":
        conversation.answer(move)
    wording(conversation.answer("hint"))


def test_hints_may_come_by_themselves() -> None:
    conversation = dialogue(HUMAN, HUMAN, hints=True)
    assert conversation.greeting().endswith("draw: 1 2 3 4 5 6 7 8 9")
    assert conversation.answer("1").endswith("\ndraw: 5\nloss in 6: 2 3 4 6 7 8 9")


@pytest.mark.slow
def test_a_hint_on_a_large_board_says_what_is_known(
    monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setattr("arena.features.play.hints.MAX_HINT_POSITIONS", 2000)
    conversation = dialogue(HUMAN, HUMAN, game=CONNECT4)
    wording(conversation.answer("hint"), "12")
    for move in "41424":
        conversation.answer(move)
    wording(conversation.answer("hint"), ": 4\n", " 2: 1 2 3 5 6 7\n", " 4: ", " 13 ")
    conversation.answer("3")
    assert conversation.answer("hint").splitlines()[0] == "win in 1: 4"


def test_what_a_player_thinks(catalogue: Catalogue) -> None:
    conversation = dialogue(HUMAN, catalogue.player("tictactoe3"), verbose=True)
    assert "\nposition _________\n" in conversation.greeting()
    conversation.answer("5")
    chances, messages, position, *_ = conversation.let_play().splitlines()
    assert chances == "chance 1/4, draw: 1 3 7 9"
    assert messages.startswith("tictactoe3 (o) plays ")
    assert messages.endswith(" s")
    assert position == f"position {conversation.session.position}"


def test_what_a_player_thinks_may_not_be_known(wording: Wording) -> None:
    conversation = dialogue(
        HUMAN, PlayerInfo("floats", lambda p, rng: int(rng.random())), verbose=True
    )
    conversation.answer("5")
    message = conversation.let_play()
    wording.line(message, "____x____")
    assert max(map(len, message.splitlines())) < 80


def test_watching_goes_on_with_enter_and_back_with_undo(wording: Wording) -> None:
    conversation = dialogue(LOWEST, LOWEST)
    wording(conversation.prompt)
    assert conversation.answer("").startswith("lowest (x) plays 1\n")
    assert conversation.answer("").startswith("lowest (o) plays 2\n")
    conversation.answer("undo")
    assert conversation.session.moves == [0]
    wording(conversation.answer("5"), "'5'")
    wording(conversation.answer("resign"))
    assert "a move" not in conversation.answer("help")
    conversation.answer("quit")
    assert conversation.has_left
    wording(conversation.closing())


def test_help_tells_every_command_within_80_columns() -> None:
    conversation = dialogue(HUMAN, HUMAN)
    lines = conversation.answer("help").splitlines()
    assert [line.split()[0] for line in lines[1:]] == list(conversation._commands)
    assert max(map(len, lines)) < 80


LINES = st.one_of(
    st.sampled_from(["undo", "hint", "board", "resign", "help", "", "save", "Quit", "undo 1"]),
    st.integers(0, 17).map(str),
    st.text(max_size=5),
)


@pytest.mark.slow
@settings(max_examples=80)
@given(
    lines=st.lists(LINES, max_size=25),
    sides=st.sampled_from([(HUMAN, HUMAN), (HUMAN, LOWEST), (LOWEST, HUMAN), (LOWEST, LOWEST)]),
    game=st.sampled_from([TICTACTOE, mnk_game(4, 4, 4), CONNECT4]),
)
def test_whatever_is_typed_the_game_obeys_the_rules(
    tmp_path_factory: pytest.TempPathFactory,
    catalogue: Catalogue,
    lines: list[str],
    sides: tuple[PlayerInfo, PlayerInfo],
    game: Game,
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("arena.features.play.hints.MAX_HINT_POSITIONS", 50)
        conversation = dialogue(*sides, game=game)
        talk(conversation, *(line for line in lines if not line.startswith("save ")))
    report = conversation.session.report()
    file = tmp_path_factory.mktemp("game") / "game.json"
    file.write_text(json.dumps(report.as_json()))
    assert read_replay(file, catalogue) == report


def test_saving_names_the_command_that_shows_the_game(tmp_path: Path, wording: Wording) -> None:
    conversation = dialogue(HUMAN, HUMAN)
    conversation.answer("5")
    file = tmp_path / "my game"
    wording(conversation.answer(f"save {file}"), f"{file}")
    assert file.read_text() == "[4]"


@pytest.mark.parametrize("typed", ["e²", "½", "x"])
def test_an_exception_of_a_games_parser_does_not_end_a_humans_game(
    typed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    conversation = dialogue(HUMAN, LOWEST)
    monkeypatch.setattr(type(TICTACTOE), "parse_move", lambda _, text: int(text))
    answer = " ".join(talk(conversation, typed).split())
    assert all(fact in answer for fact in (f"'{typed}' ", "'tictactoe' ", "read_move()"))
    assert "ValueError: invalid literal for int()" in answer
    assert "Legal: 1" in answer
    talk(conversation, "4")
    assert conversation.session.moves == [4]
