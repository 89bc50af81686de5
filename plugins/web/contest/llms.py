"""Write ``llms.txt``: what a program that writes players needs to know of a contest.

It is Markdown by the convention of llmstxt.org. It has nothing that an entrant wrote, no seed and
no token.
"""

from __future__ import annotations

import textwrap

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

import arena
from arena.errors import counted
from arena.plugins.web.aside import aside
from arena.plugins.web.contest.entry import HAND_INS
from arena.plugins.web.contest.standings import STANDINGS, Standings
from arena.plugins.web.paths import without_paths
from arena.plugins.web.site import Site
from arena.sandbox.settings import PlayerLimits
from arena.sandbox.words import WASM

#: The address of the page.
LLMS = "/llms.txt"

#: A player that plays every game.
EXAMPLE = '''def choose(position, rng):
    """Return one of the legal moves, drawn at random."""
    return rng.choice(position.legal_moves())
'''

#: The lines about a player, by what its game has.
_FULL = (
    "`position.play(move)` is the position after a move, and `position.outcome()` is None while the"
    " game goes on. `position.to_move` is your side. `str(position)` is the position as text."
)
_PARTIAL = (
    "`position` is what your seat knows: it has no `play`. `str(position)` is that as text, and"
    " `position.seat` is your seat."
)
_MODULE = (
    "A player is a WebAssembly module, `bot.wasm`. `arena new player` does not write one: see"
    " `docs/wasm.md` of arena for the functions that it exports."
)


#: The option of curl that sends the token.
_TOKEN = '-H "Authorization: Bearer $ARENA_TOKEN"'  # noqa: S105 - the name of a variable


class Llms:
    """The page for programs that write players."""

    def __init__(
        self, site: Site, contest: arena.plugin.HostedContest, standings: Standings
    ) -> None:
        self._contest, self._standings = contest, standings
        self._game = arena.get_game(contest.setup.game, site.catalogue)

    def routes(self) -> list[BaseRoute]:
        """Return the route to the page."""
        return [Route(LLMS, self.show)]

    async def show(self, request: Request) -> Response:
        """Send the page, to strangers if the standings are public."""
        self._standings.require_watcher(request)
        status = await aside(self._contest.status)
        url = str(request.base_url).rstrip("/")
        return PlainTextResponse(text(self._contest, self._game, status, url))


def text(
    contest: arena.plugin.HostedContest,
    game: arena.Game,
    status: arena.plugin.ContestStatus,
    url: str,
) -> str:
    """Return the page of a contest whose server has this URL."""
    is_module = contest.setup.isolation.resolved().tier == WASM
    parts = [
        f"# {contest.title}",
        f"> A contest for programs that play {game.name}. Write a player, hand it in, read what"
        " the check of it says, and hand in a better one.",
        *_rules_of_the_owner(contest.setup.description),
        "## The game",
        *_about_game(game),
        "## The player",
        *([_MODULE] if is_module else _about_player(game)),
        "## Limits",
        _bullets(_limits(contest, is_module)),
        "## Hand in",
        *_about_handing(status, url, "bot.wasm" if is_module else "bot.py"),
        "## Findings",
        *_about_findings(game),
        "## Standings",
        *_about_standings(contest, url),
    ]
    return "\n\n".join(parts) + "\n"


def _rules_of_the_owner(rules: str) -> list[str]:
    if not rules:
        return []
    return ["The owner of the contest says:", textwrap.indent(rules, "> ", lambda _: True)]


def _about_game(game: arena.Game) -> list[str]:
    has = f" It has {', '.join(game.features)}." if game.features else ""
    return [
        f"{game.name}.{has}",
        *([game.guide] if game.guide else []),
        "In Python a move is an int. `position.game.format_move(move)` is the text of it, which"
        " may count from 1 where the int counts from 0.",
    ]


def _about_player(game: arena.Game) -> list[str]:
    return [
        "A player is a file `bot.py` with one function. This one plays:",
        f"```python\n{EXAMPLE}```",
        "`position.legal_moves()` is a tuple of ints, and `rng` is the only source of chance that"
        f" is allowed. {_PARTIAL if _has_secrets(game) else _FULL}",
        "Arena executes the file again for every game. To keep something during a game, write a"
        " class with `start(self, game, side, rng)` and `choose(self, position)`. With"
        " `pip install proving-arena` you can try the file before you hand it in:",
        f"```sh\narena check ./bot.py --game {game.name}\n"
        f"arena fight ./bot.py monkey --game {game.name}\n```",
    ]


def _has_secrets(game: arena.Game) -> bool:
    return game.start().has_secrets


def _limits(contest: arena.plugin.HostedContest, is_module: bool) -> list[str]:
    rules, limits = contest.rules, contest.setup.isolation.resolved()
    return [
        *_time_of(limits, is_module),
        f"{rules.size:,} bytes of a hand-in as it comes, {rules.unpacked:,} of its files,"
        f" and {rules.files} files in a zip. A zip has `bot.py` at its top, or in one folder.",
        f"{counted(rules.a_day, 'hand-in')} a day (UTC), and {rules.seconds_a_day} s of a worker a"
        " day for checks and half of the time of games.",
        f"A check takes at most {rules.check_seconds} s, and asks at {rules.positions} positions.",
        "Forbidden: the network, other files than those of the hand-in, other processes, and chance"
        " that does not come from `rng`. The system refuses them with an error."
        " Import the standard library, or modules of the same zip.",
        "An illegal move, an exception, or a move that comes too late loses the game.",
    ]


def _time_of(limits: PlayerLimits, is_module: bool) -> list[str]:
    if is_module:
        return [f"{limits.fuel:,} of fuel for a move, and {limits.game_fuel:,} for a game."]
    memory = f" {limits.memory} MiB of memory." if limits.memory else ""
    if limits.clock:
        return [f"A clock of {limits.clock}, and {limits.import_time:g} s to load.{memory}"]
    return [
        f"{limits.move_time:g} s for a move, {limits.game_time:g} s for all moves of a game, and"
        f" {limits.import_time:g} s to load.{memory}"
    ]


def _about_handing(status: arena.plugin.ContestStatus, url: str, file: str) -> list[str]:
    ask = f'curl -sS {_TOKEN} -H "Accept: application/json"'
    closes = f"Hand-ins close at {status.closes}." if status.closes else "Hand-ins do not close."
    if status.closed:
        closes = f"Hand-ins closed at {status.closes}."
    return [
        f"{closes} The last hand-in that passed its check plays. The owner of the contest gives you"
        " a token: put it into ARENA_TOKEN, and keep it secret.",
        f"```sh\narena hand-in {url} ./{file} --format json\n```",
        "The command waits for the verdict. Its exit code is 0 if the hand-in passed, 1 if not, 2"
        " if it was not taken, 3 if a later one replaced it, and 4 if the server does not answer."
        " The same without arena:",
        f'```sh\n{ask} -H "X-File-Name: {file}" --data-binary @{file} {url}{HAND_INS}\n'
        f"{ask} {url}{HAND_INS}/1\n"
        f"{ask} {url}{HAND_INS}\n```",
        "The first request answers with status 201 and the `number` of the hand-in. Ask the second"
        " one for that number once a second until `state` is neither `waiting` nor `checking`: it"
        " is then `passed`, `refused`, or `replaced` by a later hand-in. The third lists all of"
        " yours. What is not taken has another status, and the reason under `problem`.",
    ]


def _about_findings(game: arena.Game) -> list[str]:
    reads = "parse_observation" if _has_secrets(game) else "parse"
    return [
        "`findings` of a hand-in has what to mend, the worst first. It is empty if nothing is.",
        _bullets(
            [
                "`level`: `fail` for what makes the check fail, `warning` for a weakness.",
                "`check`: the promise that was tested. `fault`: `illegal`, `exception`, `timeout`,"
                " `memory`, `crash` or `import-error`, where a move or the file failed.",
                "`message`: what the player did, where in its code, and the legal moves.",
                "`position`: the position at which it did that, and `moves`, if it was in a game:"
                " those until then.",
                "`remedy`: what to do about it.",
                "`reproduction`: a command that shows it, for a file of the same name.",
            ]
        ),
        f"Read a position in Python: `arena.get_game({game.name!r}).{reads}(text)`.",
    ]


def _about_standings(contest: arena.plugin.HostedContest, url: str) -> list[str]:
    token = "" if contest.rules.public else f"{_TOKEN} "
    ladder = ", ".join(f"`{without_paths(each.name)}`" for each in contest.setup.file_players)
    lines = [
        "`rank`, with `low` and `high`, the ranks that are possible.",
        "`score` per game, `value` where the contest ranks by the mean against each other player,"
        " and `value_low` to `value_high`, its interval.",
        "`hand_in`: the number of the hand-in whose games these are.",
    ]
    if ladder:
        lines.append(
            f"`rung`: the highest of the frozen players ({ladder}) that the entrant is surely"
            " better than, or null."
        )
    if contest.rules.final is not None:
        noun, where = ("block", "table") if contest.setup.seats > 2 else ("pair", "pairing")
        lines.append(
            f"`phase`: `so far` while hand-ins are open. When they have closed, the last hand-ins"
            f" play again with a fresh seed, {counted(contest.rules.final, noun)} in each"
            f" {where}, and `final` is the ranking by these games alone."
        )
    return [
        f"```sh\ncurl -sS {token}{url}{STANDINGS}\n```",
        "`rows` has a row for each player:",
        _bullets(lines),
        "The row of your own entrant is under `standing` of a hand-in, too.",
    ]


def _bullets(lines: list[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)
