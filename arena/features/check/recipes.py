"""Show how to reproduce a finding about a player: a command, or a line of Python."""

from __future__ import annotations

from typing import Any

from arena.features.check.questions import AtPosition, Questionnaire, TrialQuestion
from arena.game import Game
from arena.model.defaults import DEFAULT_GAME
from arena.player import PlayerInfo
from arena.records.commands import command_line, limit_options
from arena.rng import SEED_LIMIT
from arena.sandbox.settings import Isolation


def has_a_name(player: PlayerInfo) -> bool:
    """Return whether the command line finds the player: it is installed, a file, or a program."""
    return bool(player.package or player.file or player.remote)


def recipe_to_ask(exam: Questionnaire, question: TrialQuestion, times: int = 1) -> str:
    """Return a command that asks the same question, perhaps several times."""
    player, game = exam.player, exam.game
    if isinstance(question, AtPosition):
        if not has_a_name(player):
            rng = f"arena.rng.named_stream({question.stream_name(exam.seed)!r})"
            return f"{_python(player)}({position_in_python(game, question)}, {rng})"
        seed = str((exam.seed + question.draw) % SEED_LIMIT)
        repeat = ["--repeat", str(times)] if times > 1 else []
        words = ["move", player.as_named, str(question), "--seed", seed, *repeat]
        return command_line(*words, options=_options(player, game))
    if has_a_name(player):
        game_id = question.pairing(player, exam.seed).game_id(question.pair, question.half)
        named = ["--player", player.as_named] if player.as_named != player.name else []
        return command_line("replay", game_id, options=[*named, *_limits(player)])
    players = ", ".join([_python(player), *["'monkey'"] * (game.seats - 1)])
    fight = f"arena.fight({players}" if game.seats == 2 else f"arena.table_fight([{players}]"
    return f"{fight}, n={question.pair}, game={game.name!r}, seed={exam.seed})"


def _options(player: PlayerInfo, game: Game) -> list[str]:
    """Return the options that say the game and the isolation, where they are not the usual ones."""
    return [*(["--game", game.name] if game.name != DEFAULT_GAME else []), *_limits(player)]


def _limits(player: PlayerInfo) -> list[str]:
    """Return the options of its isolation during the check."""
    return limit_options({player.name: _isolation(player)})


def _isolation(player: PlayerInfo) -> dict[str, Any]:
    """Return how the user isolates it, but for the tier: the strongest will do."""
    settings = Isolation.from_limits(dict(player.limits)).resolved().unusual()
    return {name: value for name, value in settings.items() if name != "tier"}


def recipe_to_move(exam: Questionnaire, position: str) -> str:
    """Return a command that shows the exact distribution at a position, or why it has none."""
    player, game = exam.player, exam.game
    if not has_a_name(player):
        return f"arena.distribution({_python(player)}, {position!r}, game={game.name!r})"
    return command_line("move", player.as_named, position, options=_options(player, game))


def recipe_to_check(exam: Questionnaire) -> str:
    """Return a command for the whole check, for what a single question does not show."""
    player, game, seed = exam.player, exam.game, exam.seed
    if not has_a_name(player):
        return f"arena.check({_python(player)}, game={game.name!r}, seed={seed})"
    options = ["--seed", str(seed), *_options(player, game)]
    options += [] if exam.most is None else ["--positions", str(exam.most)]
    options += ["--isolation", "none"] if player.is_unisolated else []
    return command_line("check", player.as_named, options=options)


def recipe_to_certify(player: PlayerInfo, game: Game) -> str:
    """Return a command that proves that the player never loses, or shows how it does."""
    if not has_a_name(player):
        return f"arena.certify({_python(player)}, game={game.name!r})"
    return command_line("certify", player.as_named, options=_options(player, game))


def position_in_python(game: Game, position: object) -> str:
    """Return an expression for a position."""
    reads = "parse_observation" if game.features else "parse"
    return f"arena.get_game({game.name!r}).{reads}({str(position)!r})"


def _python(player: PlayerInfo) -> str:
    """Return an expression for a player without a name, which is the caller's own function."""
    return str(getattr(player.player, "__name__", player.name))
