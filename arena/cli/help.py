"""Lay out the help: commands by what they are for, options by what they are about."""

from __future__ import annotations

import shutil
import textwrap
from argparse import Action, ArgumentParser, HelpFormatter
from collections.abc import Iterable, Iterator, Mapping

from arena import escape
from arena.plugin.commands import Command
from arena.signatures import TOPIC_OVER, TOPIC_PLAYED, TOPIC_SHOWN, TOPICS

#: The title of the commands of plugins.
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
    ("-V, --version", "show the version; with -v also the build"),
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


def overview(commands: Iterable[tuple[str, Command]], purposes: Mapping[str, Iterable[str]]) -> str:
    """Return the list of commands, with the options that stand before one.

    ``purposes`` has the names of arena's commands by what they are for; a plugin's stand below.
    """
    remaining = {name: escape.line(command.summary) for name, command in commands}
    parts = [_OVERVIEW]
    for topic, names in purposes.items():
        rows = [(name, remaining.pop(name)) for name in names if name in remaining]
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


#: The topics of options that no declaration has.
_TOPIC_OF = {
    "--sprt": TOPIC_OVER,
    "--exact": TOPIC_SHOWN,
    "--table": TOPIC_SHOWN,
    "--explain": TOPIC_SHOWN,
    "--format": TOPIC_SHOWN,
    "--color": TOPIC_SHOWN,
    "--output": TOPIC_SHOWN,
    "-v": TOPIC_SHOWN,
    "--log-file": TOPIC_SHOWN,
    "--each": TOPIC_PLAYED,
}


def set_topic(action: Action, topic: str) -> None:
    """Set the title in the help that an option stands under."""
    vars(action)["topic"] = topic


def arrange(parser: ArgumentParser) -> None:
    """Sort the options of a command by topics, if it has many, and shorten its usage."""
    options = parser._optionals
    positional = parser._positionals
    if any(group.title == ISOLATION for group in parser._action_groups):
        parser.add_argument(ALL, action="help", help=f"show the options for {ISOLATION} too")
    topic_of = {action: _topic(action) for action in options._group_actions}
    topical = []
    others = [group for group in parser._action_groups if group not in (options, positional)]
    if len(topic_of) > MIN_TOPIC_OPTIONS:
        options._group_actions = [action for action, topic in topic_of.items() if not topic]
        for title in TOPICS:
            if actions := [action for action, topic in topic_of.items() if topic == title]:
                topical.append(parser.add_argument_group(title))
                topical[-1]._group_actions = actions
        parser._action_groups = [positional, *topical, *others, options]
    parser.usage = " ".join(["%(prog)s [options]", *map(_written, positional._group_actions)])


def _topic(action: Action) -> str:
    """Return the topic of an option, empty without one."""
    topic: str = vars(action).get("topic", "")
    return topic or next((_TOPIC_OF[f] for f in action.option_strings if f in _TOPIC_OF), "")


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
