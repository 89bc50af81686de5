"""Show how to reproduce a finding about a player: a command, or a line of Python."""

from __future__ import annotations

import shlex
from typing import Any

from arena.conformance.questions import AtPosition, Exam, Question
from arena.game import Game
from arena.player import PlayerInfo
from arena.records.commands import command_line
from arena.sandbox.settings import Isolation


def has_a_name(player: PlayerInfo) -> bool:
    """Return whether the command line finds the player: it is installed, a file, or a program."""
    return bool(player.package or player.file or player.remote)


def ask_again(exam: Exam, question: Question) -> str:
    """Return a command that asks the same question."""
    player, game = exam.player, exam.game
    if isinstance(question, AtPosition):
        rng = f"arena.rng.named_stream({question.stream_name(exam.seed)!r})"
        code = f"{_python(player)}({position_in_python(game, question)}, {rng})"
        if has_a_name(player):
            return _in_a_shell(f"import arena.player_file, arena.rng; print({code})")
        return code
    if has_a_name(player):
        path = question.pairing(player, exam.seed).path
        game_id = f"{path}/{question.pair}.{question.swapped + 1}"
        return command_line("replay", game_id, options=_limits(player))
    return (
        f"arena.fight({_python(player)}, 'monkey', n={question.pair}, game={game.name!r},"
        f" seed={exam.seed})"
    )


def _limits(player: PlayerInfo) -> list[str]:
    """Return the options of its isolation during the check."""
    words = []
    for name, value in _said(player).items():
        if name == "everybody":
            words.append("--isolate")
        else:
            option = f"--{name.replace('_', '-')}"
            for text in value if name == "readable" else [f"{value:g}"]:
                words += [option, text]
    return words


def _said(player: PlayerInfo) -> dict[str, Any]:
    """Return how the user isolates it, but for the tier: the strongest will do."""
    said = Isolation.from_limits(dict(player.limits)).resolved().unusual()
    return {name: value for name, value in said.items() if name != "tier"}


def _in_a_shell(code: str) -> str:
    """Return a shell command that runs the code, in double quotes if the shell leaves it alone."""
    if not set(code) & set('"$`\\!'):
        return f'python -c "{code}"'
    return shlex.join(["python", "-c", code])


def move_at(exam: Exam, position: str) -> str:
    """Return a command that shows the exact distribution at a position, or why it has none."""
    player, game = exam.player, exam.game
    if not has_a_name(player):
        return f"arena.distribution({_python(player)}, {position!r}, game={game.name!r})"
    return command_line("move", player.as_named, position, game=game.name, options=_limits(player))


def check_again(exam: Exam) -> str:
    """Return a command for the whole check, for what a single question does not show."""
    player, game, seed = exam.player, exam.game, exam.seed
    if not has_a_name(player):
        return f"arena.check({_python(player)}, game={game.name!r}, seed={seed})"
    options = ["--seed", str(seed), *_limits(player)]
    return command_line("check", player.as_named, game=game.name, options=options)


def certify_again(player: PlayerInfo, game: Game) -> str:
    """Return a command that proves that the player never loses, or shows how it does."""
    if not has_a_name(player):
        return f"arena.certify({_python(player)}, game={game.name!r})"
    return command_line("certify", player.as_named, game=game.name, options=_limits(player))


def position_in_python(game: Game, position: object) -> str:
    """Return an expression for a position."""
    return f"arena.get_game({game.name!r}).parse({str(position)!r})"


def _python(player: PlayerInfo) -> str:
    """Return an expression for the player, isolated if it was."""
    if player.remote is not None:
        said = "".join(f", {name}={value!r}" for name, value in _said(player).items())
        isolation = f", isolation=arena.Isolation({said[2:]})" if said else ""
        return f"arena.get_player({player.as_named!r}{isolation}).player"
    if player.file:  # get_player would isolate it and give it another generator
        return f"arena.player_file.load_file_player({player.spec or player.name!r}).player"
    if player.package:
        return f"arena.get_player({player.as_named!r}).player"
    return str(getattr(player.player, "__name__", player.name))
