"""Complete a command line: commands, options, players, games and formats.

Where there is nothing to say, a shell completes the names of files, stores among them.
"""

from __future__ import annotations

from argparse import Action, ArgumentParser
from collections.abc import Iterable, Sequence

from arena.cli.common.parser import parser_of, take_plugins
from arena.errors import ArenaError
from arena.plugin.catalogue import Catalogue
from arena.plugin.commands import Command
from arena.plugin.registry import Registry

#: What arguments stand for players, by what the help calls them.
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
    [[ ${COMPREPLY[0]-} == *[-=:] ]] && compopt -o nospace
}
complete -o default -F _arena arena
""",
    "zsh": """\
# arena completion zsh >> ~/.zshrc
_arena() {
    local -a found
    found=("${(@f)$(print -r -- "${LBUFFER}" | arena completion words 2>/dev/null)}")
    if [[ -n ${found[1]} ]]; then
        compadd -U -- "${found[@]}"
    else
        _files
    fi
}
compdef _arena arena
""",
    "fish": """\
# arena completion fish > ~/.config/fish/completions/arena.fish
complete -c arena -a '(commandline -cp | arena completion words 2>/dev/null)'
""",
}


def completions(line: str, commands: Registry[Command], catalogue: Catalogue) -> list[str]:
    """Return what the last word of a command line may be, sorted.

    Nothing for a line that makes no sense.
    """
    words = line.rstrip("\n").split(" ")
    last, before = words[-1], [word for word in words[1:-1] if word]
    try:
        _, given = take_plugins(before)
        if given[:1] in ([], ["help"]):
            found: Iterable[str] = ["help", *(name for name, _ in commands)]
        else:
            parser = parser_of(commands.get(given[0]))
            found = _of_command(parser, given[1:], last, catalogue)
    except ArenaError:
        return []
    return sorted({word for word in found if word.startswith(last)})


def _of_command(
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
        return _values(awaited, catalogue)
    if last.startswith("-"):
        return options
    places = parser._positionals._group_actions
    return _values(places[min(positional, len(places) - 1)], catalogue) if places else ()


def _values(action: Action, catalogue: Catalogue) -> Iterable[str]:
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
    return ()
