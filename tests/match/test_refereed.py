"""Games that a referee plays as a whole: verdicts, seeds, stores, and the commands that refuse."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import arena
from arena.errors import CannotPlay, GameFault, MoveError, UsageError, VoidGame
from arena.features.check.games import check_game
from arena.fights.pairing import Pairing
from arena.game import Outcome, Side
from arena.inputs.resolve import get_plain_game
from arena.match import play_game
from arena.match.record import GameRecord
from arena.match.refereed import RefereedGame, Verdict
from arena.model.codec import decode
from arena.player import PlayerInfo, stand_in
from arena.plugin.catalogue import Catalogue
from arena.records.refereed import Refereed
from arena.rng import Stream
from tests.golden import Wording

ANNA, BEN = stand_in("anna"), stand_in("ben")


class Dice(RefereedGame):
    """Each player throws a die of the seed; anna throws with two, and ben forfeits at a six."""

    def referee(self, players: tuple[PlayerInfo, ...], seed: int) -> Verdict:
        dice = Random(seed)
        scores = [dice.randint(1, 6) for _ in players]
        for side, player in enumerate(players):
            if player.name == "ben" and scores[side] == 6:
                return Verdict(forfeits=Side(side), reason="a six")
            scores[side] += player.name == "anna"
        return Verdict((scores[0], scores[1]))


DICE = Dice("dice")


def record_of(verdict: object, name: str = "dice/anna/ben/7/1.1") -> GameRecord:
    class Fixed(RefereedGame):
        def referee(self, players: object, seed: int) -> Any:
            return verdict

    return play_game(Fixed("fixed"), (ANNA, BEN), name, (Stream(), Stream()))


@pytest.mark.parametrize(
    ("scores", "outcome"),
    [
        ((3, 2), Outcome.FIRST_WINS),
        ((-2.5, -2.25), Outcome.SECOND_WINS),
        ((0, 0.0), Outcome.DRAW),
    ],
)
def test_the_higher_score_wins(scores: tuple[float, float], outcome: Outcome) -> None:
    record = record_of(Verdict(scores))
    assert (record.outcome, record.forfeit) == (outcome, None)
    assert record.notes.referee is not None
    assert record.notes.referee.scores == scores


@pytest.mark.parametrize("side", Side)
def test_a_forfeit_is_a_loss_in_the_words_of_the_referee(side: Side) -> None:
    record = record_of(Verdict(forfeits=side, reason="too late"))
    assert record.outcome.winner == side.other
    assert record.forfeit is not None
    assert record.forfeit[:3] == (side, "referee", "too late")


@pytest.mark.parametrize(
    "verdict",
    [
        None,
        "1 0",
        Verdict(),
        Verdict((float("nan"), 1)),
        Verdict((float("inf"), 1)),
        Verdict((1, 2, 3)),
        Verdict(("1", 2)),  # type: ignore[arg-type]
        Verdict(forfeits=2),  # type: ignore[arg-type]
    ],
)
def test_another_answer_is_the_fault_of_the_game(verdict: object, wording: Wording) -> None:
    with wording.raises(GameFault, match="'fixed'"):
        record_of(verdict)


def test_a_referee_that_raises_is_at_fault(wording: Wording) -> None:
    class Raises(Dice):
        def referee(self, players: object, seed: int) -> Verdict:
            raise OSError("no dice")

    with wording.raises(GameFault):
        play_game(Raises("raises"), (ANNA, BEN), "raises/1.1", (Stream(), Stream()))


def test_what_arena_itself_raises_in_a_referee_is_raised() -> None:
    class Busy(Dice):
        def referee(self, players: object, seed: int) -> Verdict:
            raise VoidGame("busy")

    with pytest.raises(VoidGame, match="busy"):
        play_game(Busy("busy"), (ANNA, BEN), "busy/1.1", (Stream(), Stream()))


def test_both_games_of_a_pair_have_one_seed_and_no_other_pair_has_it() -> None:
    names = [f"dice/anna/ben/7/{pair}.{half}" for pair in range(1, 101) for half in (1, 2)]
    results = [record_of(Verdict((1, 0)), name).notes.referee for name in names]
    seeds = [notes.seed for notes in results if notes is not None]
    assert seeds[::2] == seeds[1::2]
    assert len(set(seeds)) == 100
    assert max(seeds) < 2**31 < 100 * max(seeds)


def test_the_position_keeps_the_contract_of_games(wording: Wording) -> None:
    assert check_game(DICE, 1, "DICE").conforms
    for move in DICE.start().legal_moves():
        ended = DICE.start().play(move)
        assert DICE.parse(str(ended)) == ended
        assert DICE.parse_move(DICE.format_move(move)) == move
    assert DICE.max_plies == 1
    with wording.raises(MoveError, match="'2-0'"):
        DICE.parse_move("2-0")
    with wording.raises(UsageError, match="'2-0'"):
        DICE.parse("2-0")


def test_a_fight_is_the_same_for_any_number_of_workers() -> None:
    one = arena.fight(ANNA, BEN, 20, game=DICE, seed=7, executor="serial")
    assert one == arena.fight(ANNA, BEN, 20, game=DICE, seed=7, workers=2)
    assert one.b.forfeits["referee"] > 0
    assert one.distinct_games == 40


@pytest.mark.slow
def test_a_store_keeps_what_the_referee_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, catalogue: Catalogue
) -> None:
    monkeypatch.setattr(type(catalogue), "untried_game", lambda self, name: DICE)
    file = tmp_path / "games.db"
    played = arena.fight(
        ANNA, BEN, 9, game=DICE, seed=7, store=file, executor="serial", catalogue=catalogue
    )
    assert arena.verify(file, catalogue).holds
    assert arena.show(file, catalogue=catalogue) == played
    row = next(row for row in arena.browse(file, catalogue=catalogue).rows if not row["reason"])
    shown = arena.replay(row["game"], store=file, catalogue=catalogue)
    assert shown.referee is not None
    scores = shown.referee.scores
    assert scores is not None
    assert (scores[0] > scores[1]) == (shown.winner == shown.players[0])
    saved = tmp_path / "game.json"
    saved.write_text(json.dumps(shown.as_json()))
    assert arena.replay(str(saved), catalogue=catalogue) == shown


@pytest.mark.parametrize(
    "noted", [{"seed": 1}, {"seed": "1", "scores": None}, 3, {"seed": 1, "scores": [1]}]
)
def test_a_note_that_no_referee_made_is_refused(noted: object) -> None:
    with pytest.raises(UsageError):
        decode(Refereed, noted)


REFUSING: dict[str, Callable[[], object]] = {
    "exact": lambda: arena.exact(ANNA, BEN, game=DICE),
    "certify": lambda: arena.certify(ANNA, game=DICE),
    "move": lambda: arena.move(ANNA, "", game=DICE),
    "value": lambda: arena.value("", game=DICE),
    "check": lambda: arena.check(ANNA, game=DICE),
    "check game": lambda: arena.check_game(DICE),
    "checked fight": lambda: arena.checked_fight(ANNA, BEN, game=DICE),
    "regress": lambda: arena.regress(game=DICE),
    "play": lambda: get_plain_game(DICE, "arena play"),
}


@pytest.mark.parametrize("command", REFUSING)
def test_what_needs_rules_says_that_a_referee_plays(command: str, wording: Wording) -> None:
    with wording.raises(UsageError, match="'dice'"):
        REFUSING[command]()


@pytest.mark.parametrize(
    "options",
    [
        {"engine": "table"},
        {"openings": "random:1"},
        {"adjudicate": "draws"},
    ],
)
def test_options_about_moves_are_refused(options: Any, wording: Wording) -> None:
    with wording.raises(UsageError):
        arena.fight(ANNA, BEN, 1, game=DICE, **options)


def test_players_are_programs_in_a_tier_that_lets_programs_start_others(wording: Wording) -> None:
    assert arena.plugin.load_catalogue().players_of(DICE) == []
    with wording.raises(CannotPlay):
        arena.fight("monkey", BEN, 1, game=DICE)
    locked = stand_in("locked", isolation="locked")
    with wording.raises(CannotPlay):
        Pairing(DICE, locked, BEN, 1, 7)
    clocked = stand_in("clocked", limits=(("clock", "60+1"),))
    with wording.raises(CannotPlay):
        Pairing(DICE, clocked, BEN, 1, 7)
