"""Complete a command line: commands, options, players, games, formats and stores.

Without a candidate, a shell completes the names of all files.
"""

from __future__ import annotations

import os
import shlex
from argparse import Action, ArgumentParser
from collections.abc import Iterable, Iterator, Sequence

from arena.cli.parser import parser_of, take_plugins
from arena.errors import ArenaError
from arena.plugin.catalogue import Catalogue
from arena.plugin.commands import Command
from arena.plugin.registry import Registry

#: The arguments that stand for players, by what the help calls them.
PLAYERS = ("A", "B", "PLAYER", "PLAYERS", "LEARNER")

#: The script of each shell; the words come from ``arena completion words``.
SCRIPTS = {
    "bash": """\
# arena completion bash >> ~/.bashrc
_arena() {
    local line=${COMP_LINE:0:COMP_POINT} word
    local last=${line##*[[:space:]]} part=${COMP_WORDS[COMP_CWORD]}
    local before=${last%"$part"}  # bash begins a new word at a colon
    COMPREPLY=()
    while IFS= read -r word; do
        COMPREPLY+=("${word#"$before"}")
    done < <(printf '%s\\n' "$line" | arena completion words 2>/dev/null)
    [[ ${COMPREPLY[0]-} == *[-=:/] ]] && compopt -o nospace
}
complete -o default -F _arena arena
""",
    "zsh": """\
# arena completion zsh >> ~/.zshrc
_arena() {
    local -a found
    found=("${(@f)$(print -r -- "${LBUFFER}" | arena completion words 2>/dev/null)}")
    if [[ ${found[1]} == *[-=:/] ]]; then
        compadd -U -S '' -- "${found[@]}"
    elif [[ -n ${found[1]} ]]; then
        compadd -U -- "${found[@]}"
    else
        _files
    fi
}
compdef _arena arena
""",
    "fish": """\
# arena completion fish > ~/.config/fish/completions/arena.fish
function __arena_words
    set -l found (commandline -cp | arena completion words 2>/dev/null)
    if set -q found[1]
        printf '%s\\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c arena -f -a '(__arena_words)'
""",
}


def completions(line: str, commands: Registry[Command], catalogue: Catalogue) -> list[str]:
    """Return the candidates for the last word of a command line, sorted.

    Return none for a line that makes no sense.
    """
    words = line.rstrip("\n").split(" ")
    last, before = words[-1], [word for word in words[1:-1] if word]
    try:
        _, arguments = take_plugins(before)
        if arguments[:1] in ([], ["help"]):
            candidates: Iterable[str] = ["help", *(name for name, _ in commands)]
        else:
            parser = parser_of(commands.get(arguments[0]))
            candidates = _candidates(parser, arguments[1:], last, catalogue)
    except ArenaError:
        return []
    return sorted({word for word in candidates if word.startswith(last)})


def _candidates(
    parser: ArgumentParser, before: Sequence[str], last: str, catalogue: Catalogue
) -> Iterable[str]:
    options = {flag: action for action in parser._actions for flag in action.option_strings}
    awaited, positional = None, 0
    for word in before:
        if awaited is not None:
            awaited = None
        elif word in options:
            awaited = options[word] if options[word].nargs is None else None
        else:
            positional += 1
    if awaited is not None:
        return _values(awaited, last, catalogue)
    if last.startswith("-"):
        return options
    places = parser._positionals._group_actions
    return _values(places[min(positional, len(places) - 1)], last, catalogue) if places else ()


def _values(action: Action, last: str, catalogue: Catalogue) -> Iterable[str]:
    """Return the values that an argument can have, as far as there is a list of them."""
    if action.choices is not None:
        return map(str, action.choices)
    if "--executor" in action.option_strings:
        return (name for name, _ in catalogue.executors)
    if "--schedule" in action.option_strings:
        return (name for name, _ in catalogue.schedules)
    if action.metavar in PLAYERS:
        return (name for name, _ in catalogue.players)
    if action.metavar == "GAME":
        return (name.partition("{")[0] for name, _ in catalogue.families)
    if action.metavar == "PLUGIN":
        return (plugin.name for plugin in catalogue.plugins)
    if action.metavar == "FORMAT":
        return (name for name, _ in catalogue.reports)
    return _files(str(action.metavar), last)


def _files(metavar: str, last: str) -> Iterable[str]:
    """Return the folders, and the files of the kinds that an argument stands for, such as stores.

    Return nothing if there is no such file, or if a shell has to quote a name: the shell then
    completes all files.
    """
    parts = (part.removeprefix("STORE") or ".db" for part in metavar.split("|"))
    endings = tuple(os.path.splitext(f"x{part}")[1] for part in parts if "." in part)
    folder = os.path.dirname(last)
    try:
        paths = [*_paths_in(folder, endings)] if endings else []
    except OSError:
        return ()
    return () if any(shlex.quote(path) != path for path in paths) else paths


def _paths_in(folder: str, endings: tuple[str, ...]) -> Iterator[str]:
    with os.scandir(folder or ".") as entries:
        for entry in entries:
            if entry.name.startswith("."):
                continue
            name = os.path.join(folder, entry.name)
            if entry.is_dir():
                yield os.path.join(name, "")
            elif entry.name.endswith(endings):
                yield name
