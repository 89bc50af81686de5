"""``arena league WORD``: what the workflows of a league call, each in one step."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import arena
from arena.cli.fields import add_fields, fields_of, options_of, without_defaults
from arena.cli.output import Output, add_output
from arena.cli.playing import interruptible, show
from arena.errors import UnknownName, UsageError
from arena.features.league.options import PlayLeagueOptions
from arena.features.league.playing import is_complete
from arena.plugin.catalogue import Catalogue
from arena.signatures import Option, declared

#: The options of all words, as keywords of the functions. A word refuses those of others.
LEAGUE_OPTIONS = {
    "base": Option(None, "--base REV", "with check: the commit that the pull request would change"),
    "head": Option(
        None, "--head REV", "with check: the commit of the pull request (default: HEAD)"
    ),
    "author": Option(
        None, "--author ACCOUNT", "with check: the account that has made the pull request"
    ),
    "published": Option(
        None, "--published DIR", "with play, compare and site: the folder that was published"
    ),
    "folder": Option(None, "--site DIR", "with site: the new folder to write"),
    "commit": Option(None, "--commit ID", "with site: the commit whose standings these are"),
    **{name: declared(PlayLeagueOptions)[name] for name in ("secret", "file", "workers")},
}


class Word(NamedTuple):
    """A word after ``arena league``, and what it takes."""

    run: Callable[..., int]
    #: The argument that follows it, empty for none.
    target: str = ""
    #: The options that it takes, those that it needs first.
    needed: tuple[str, ...] = ()
    options: tuple[str, ...] = ()


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "word",
        metavar="WORD",
        help="check: a pull request by the rules; play: what is new; compare: a store with the"
        " published one; site: write the pages; seal, archive and open: a season's hidden seed",
    )
    parser.add_argument(
        "target",
        nargs="?",
        metavar="STORE|SEASON|FOLDER",
        help="the store of play, compare, site and archive; the name of a season for seal; its"
        " folder archive/SEASON for open",
    )
    add_fields(parser, without_defaults(fields_of(LEAGUE_OPTIONS)))
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Do what the word says. Return 1 if something is refused, or does not hold."""
    if arguments.word not in LEAGUE_WORDS:
        raise UnknownName("word of arena league", arguments.word, LEAGUE_WORDS)
    word = LEAGUE_WORDS[arguments.word]
    _require(arguments, word)
    targets = [arguments.target] if word.target else []
    output = Output(arguments, catalogue)
    return word.run(output, *targets, catalogue=catalogue, **options_of(arguments))


def _require(arguments: Namespace, word: Word) -> None:
    """Raise UsageError for an argument that the word lacks, or does not take."""
    call = f"arena league {arguments.word}"
    if bool(word.target) != (arguments.target is not None):
        takes = f"needs a {word.target}" if word.target else "takes no argument"
        raise UsageError(f"{call} {takes} (see: arena league --help)")
    given = options_of(arguments)
    for name, option in LEAGUE_OPTIONS.items():
        if name in given and name not in (*word.needed, *word.options, "file"):
            raise UsageError(f"{call} does not take {option.flag} (see: arena league --help)")
        if name not in given and name in word.needed:
            raise UsageError(f"{call} needs {option.flag} (see: arena league --help)")


def _check(output: Output, **options: Any) -> int:
    entry = arena.check_entry(**options)
    output.write(entry)
    return 0 if entry.accepted else 1


def _play(output: Output, target: str, **options: Any) -> int:
    """Play. A player that is withdrawn, or forfeits, keeps no other from being published."""
    with _silent() if "secret" in options else interruptible(output):
        played = arena.play_league(target, **options)
    code = show(output, played)
    return 0 if is_complete(target) else code


@contextmanager
def _silent() -> Iterator[None]:
    """Show nothing of a run that is interrupted: its ids have the hidden seed."""
    try:
        yield
    except arena.Interrupted as interrupted:
        raise interrupted.cause from None


def _compare(output: Output, target: str, **options: Any) -> int:
    comparison = arena.compare_league(target, **options)
    output.write(comparison)
    return 0 if comparison.holds else 1


def _site(output: Output, target: str, **options: Any) -> int:
    site = arena.write_league_site(target, **options)
    output.write(site)
    return 0 if site.written else 1


def _seal(output: Output, target: str, **options: Any) -> int:
    del options["catalogue"]  # a seed is drawn whatever is installed
    output.write(arena.seal_season(target, **options))
    return 0


def _archive(output: Output, target: str, **options: Any) -> int:
    season = arena.archive_season(target, **options)
    output.write(season)
    return 0 if season.holds else 1


def _open(output: Output, target: str, **options: Any) -> int:
    season = arena.open_season(target, options["catalogue"])
    output.write(season)
    return 0 if season.holds else 1


#: The words, in the order in which a league needs them.
LEAGUE_WORDS = {
    "check": Word(_check, needed=("base", "author"), options=("head",)),
    "play": Word(_play, "store", options=("published", "secret", "workers")),
    "compare": Word(_compare, "store", options=("published",)),
    "site": Word(_site, "store", ("folder", "commit"), ("published",)),
    "seal": Word(_seal, "name", ("secret",)),
    "archive": Word(_archive, "store", ("secret",)),
    "open": Word(_open, "folder"),
}
