"""Lay out the help: commands by what they are for, options by what they are about."""

from __future__ import annotations

import shutil
import textwrap
from argparse import Action, ArgumentParser, HelpFormatter
from collections.abc import Iterable, Iterator

from arena import escape
from arena.plugin.commands import Command

#: Arena's commands by what they are for; a plugin's stand below.
COMMANDS_BY_PURPOSE = {
    "Play": "fight tournament resume play hand-in train",
    "Judge": "regress check rate plan sprt history",
    "Prove": "exact certify solve",
    "Look at games": "move replay explain debug browse report serve",
    "Keep results": "runs show export import copy verify",
    "See what is here": "players games plugins doctor completion new",
}
_OTHERS = "From plugins"

#: With fewer options a help has no topics.
MIN_TOPIC_OPTIONS = 12

#: The group of options that ``--help`` only names.
ISOLATION = "untrusted players"

#: Shows all options.
ALL = "--help-all"

_OVERVIEW = """\
usage: arena COMMAND ...

Find out whether one game AI is stronger than another.
"""

_OPTIONS = (
    ("-h, --help", "show this; arena COMMAND --help, or arena help COMMAND, tells more"),
    ("-V, --version", "show the version"),
    (
        "-p PLUGIN",
        "before the command: ./corner.py loads a plugin from a file, no:NAME leaves out the one"
        " that arena plugins lists under the name; may be given again",
    ),
)


class Formatter(HelpFormatter):
    """Break lines between words only: an option with a hyphen stays whole."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(" ".join(text.split()), width, break_on_hyphens=False)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return textwrap.fill(
            " ".join(text.split()),
            width,
            initial_indent=indent,
            subsequent_indent=indent,
            break_on_hyphens=False,
        )


def overview(commands: Iterable[tuple[str, Command]]) -> str:
    """Return the list of commands, with the options that stand before one."""
    remaining = {name: escape.line(command.summary) for name, command in commands}
    parts = [_OVERVIEW]
    for topic, names in COMMANDS_BY_PURPOSE.items():
        rows = [(name, remaining.pop(name)) for name in names.split() if name in remaining]
        parts += _listed(topic, rows) if rows else ()
    if remaining:
        parts += _listed(_OTHERS, remaining.items())
    return "\n".join([*parts, *_listed("Options", _OPTIONS)])


def _listed(title: str, rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield a title and rows below it, as wide as the terminal is."""
    yield f"{title}:"
    width = max(40, shutil.get_terminal_size().columns - 2)
    for name, summary in rows:
        lines = textwrap.wrap(summary, width - 16) or [""]
        head = f"  {name:<13} "
        if len(head) > 16:
            yield head.rstrip()
            head = " " * 16
        yield (head + lines[0]).rstrip()
        yield from (" " * 16 + line for line in lines[1:])
    yield ""


def arrange(parser: ArgumentParser) -> None:
    """Sort the options of a command by topics, if it has many, and shorten its usage."""
    options = parser._optionals
    positional = parser._positionals
    if any(group.title == ISOLATION for group in parser._action_groups):
        parser.add_argument(ALL, action="help", help=f"show the options for {ISOLATION} too")
    titles, topics = _topics()
    topic_of = {action: _topic(action, topics) for action in options._group_actions}
    topical = []
    others = [group for group in parser._action_groups if group not in (options, positional)]
    if len(topic_of) > MIN_TOPIC_OPTIONS:
        options._group_actions = [action for action, topic in topic_of.items() if not topic]
        for topic in titles:
            if actions := [action for action, its in topic_of.items() if its == topic]:
                topical.append(parser.add_argument_group(topic))
                topical[-1]._group_actions = actions
        parser._action_groups = [positional, *topical, *others, options]
    parser.usage = " ".join(["%(prog)s [options]", *map(_written, positional._group_actions)])


def _topics() -> tuple[tuple[str, ...], dict[str, str]]:
    """Return the titles for options in their order, and the title of each flag that has one.

    A shared option declares its title. All other flags stand under "options".
    """
    from arena.inputs.options import (  # no overview needs them
        SHARED,
        TOPIC_HOW,
        TOPIC_KEPT,
        TOPIC_OVER,
        TOPIC_PLAYED,
        TOPIC_SHOWN,
    )

    flags = {
        TOPIC_OVER: "--sprt --elo0 --elo1 --beta --model",
        TOPIC_SHOWN: "--exact --table --explain --format --color --output -v --log-file",
    }
    topics = {flag: topic for topic, of_commands in flags.items() for flag in of_commands.split()}
    topics |= {option.flag: option.topic for option in SHARED.values()}
    return (TOPIC_PLAYED, TOPIC_OVER, TOPIC_HOW, TOPIC_KEPT, TOPIC_SHOWN), topics


def _topic(action: Action, topics: dict[str, str]) -> str:
    return next((topics[flag] for flag in action.option_strings if flag in topics), "")


def _written(action: Action) -> str:
    """Return a positional argument as a usage shows it."""
    name = str(action.metavar or action.dest).replace("%", "%%")
    forms = {"?": f"[{name}]", "*": f"[{name} ...]", "+": f"{name} [{name} ...]"}
    return forms.get(str(action.nargs), name)


def brief(parser: ArgumentParser) -> None:
    """Leave the options about isolation out of the help, and name them below it."""
    for group in parser._action_groups:
        if group.title == ISOLATION:
            flags = [action.option_strings[-1] for action in group._group_actions]
            line = f"{', '.join(flags)}: {parser.prog} {ALL}"
            parser.epilog = f"{ISOLATION}, limits and clocks: {line}"
    parser._action_groups = [group for group in parser._action_groups if group.title != ISOLATION]
