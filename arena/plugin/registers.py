"""Register things, through the objects that plugins get in hooks.

A hook ``arena_register_X(register)`` is called with one of the ``...Register`` objects below. They
validate at the call, so that the traceback of a mistake points into the plugin.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Generic,
    NoReturn,
    TypedDict,
    TypeVar,
    Unpack,
    cast,
)

from arena.errors import PluginError, quoted
from arena.game import Game
from arena.kinds import ReadText
from arena.player import (
    Distribution,
    MakePlayer,
    NamedOptions,
    PlayerInfo,
    misfit_of_player,
    summary_of,
)
from arena.player.clients import (
    CommandOfFile,
    FilesOfOptions,
    MakeClient,
    MakeFromAddress,
    MakeFromData,
    MakeFromFile,
    PlayerProtocol,
)
from arena.player.names import names_a_file
from arena.plugin.registry import BRACES, ExecutorOffer, GameFamily, ReportText
from arena.schedules.named import ScheduleKind
from arena.signatures import Option, complete, misfit, takes

if TYPE_CHECKING:
    from arena.executors.base import Executor
    from arena.schedules import Schedule

T = TypeVar("T")

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.+-]{0,63}")
#: The place of a text in a template.
_WORD = re.compile(r"[A-Z][A-Z0-9_]{0,15}")
_CLAIM = re.compile(r"never-loses:\S+")


class Register(Generic[T]):
    """The things that one plugin registered through one hook."""

    def __init__(self, plugin: str, package: str, version: str = "") -> None:
        self.plugin, self.package, self.version = plugin, package, version
        self.offers: list[tuple[str, T]] = []

    def _check_name(self, name: object) -> str:
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            self._refuse(
                f"{quoted(str(name))} is not a name: letters, digits, _ . + - from a letter on"
            )
        return name

    def _add(self, name: str, item: T) -> None:
        self.offers.append((name, item))

    def _refuse(self, problem: str) -> NoReturn:
        raise PluginError(f"plugin {self.plugin}: {problem}")

    def _check_callable(self, what: str, value: object, *arguments: str) -> None:
        """Refuse a thing that cannot be called with these arguments."""
        if not callable(value):
            self._refuse(f"{what} must be callable, not {quoted(repr(value))}")
        problem = misfit(value, *arguments)
        if problem:
            self._refuse(f"{what}: {problem}")


class GameRegister(Register[GameFamily]):
    """Given to ``arena_register_games``."""

    def __call__(self, template: str, make: Callable[..., Game], *, summary: str = "") -> None:
        """Add games: after ``register("mnk-{m}-{n}-{k}", mnk_game)`` mnk_game(4, 3, 3) makes
        ``mnk-4-3-3``, and after ``register("lines:FILE", load_lines)`` load_lines("corners.txt")
        makes ``lines:corners.txt``.
        """
        self._check_template(template)
        family = GameFamily(template, make, summary)
        self._check_callable(f"the maker of {template!r}", make, *map(str.lower, family.blanks))
        self._add(template, family)

    def _check_template(self, template: object) -> None:
        """Refuse a template that leaves open which games are of its family."""
        if not isinstance(template, str):
            self._check_name(template)
            return
        before, colon, text = template.partition(":")
        if colon:
            self._check_name(before)
            if not (text.isascii() and text.isidentifier() and text.isupper()):
                self._refuse(f"{template!r} needs a word in capitals after the colon, such as FILE")
            return
        self._check_name(BRACES.sub("0", template))
        numbers = BRACES.findall(template)
        if len(set(numbers)) < len(numbers):
            self._refuse(f"{template!r} has two numbers of one name")
        if "}{" in template:
            self._refuse(f"{template!r} has two numbers with nothing between them")


#: All that a plugin may say of a player besides its name; see PlayerInfo.
Traits = TypedDict(  # noqa: UP013  (annotations of a class would not be evaluated here)
    "Traits",
    {
        "games": Annotated["str | tuple[str, ...]", Option("*")],
        "deterministic": Annotated[bool, Option(False)],
        "stateless": Annotated[bool | None, Option()],
        "claims": Annotated["tuple[str, ...]", Option(())],
        "only_named": Annotated[bool, Option(False)],
        "distribution": Annotated["Distribution | None", Option()],
        "choose_batch": Annotated["Callable[[Any, Any], Any] | None", Option()],
        "summary": Annotated[str | None, Option()],
        "refuses": Annotated["Callable[[Game], str] | None", Option()],
        "options": Annotated["MakePlayer | Mapping[str, ReadText] | None", Option()],
    },
    total=False,
)


class PlayerRegister(Register[PlayerInfo]):
    """Given to ``arena_register_players``."""

    @takes(Traits)
    def __call__(self, name: str, player: Callable[..., Any], **traits: Unpack[Traits]) -> None:
        """Add a player: ``register("monkey", choose)``. See PlayerInfo for the rest.

        A class is taken for a stateful player's factory unless ``stateless`` says otherwise, and
        the first line of the player's docstring is its summary unless another is given.
        ``options={"depth": whole(1, 20)}`` has ``name:depth=3`` call the player with ``depth=3``. A
        function ``options(info, text)`` makes the player of ``name:text`` as it likes, and the
        first line of its docstring shows how they are written.
        """
        values = complete(PlayerRegister.__call__, traits)
        distribution, summary = values["distribution"], values["summary"]
        games, claims = values["games"], values["claims"]
        self._check_name(name)
        if name.endswith(".py"):
            self._refuse(f"player {name!r} would be taken for a file")
        stateless = values["stateless"]
        stateless = not isinstance(player, type) if stateless is None else stateless
        options = self._options(name, player, values["options"])
        self._check_player(name, player, stateless, options)
        if distribution is not None:
            self._check_callable(f"the distribution of {name!r}", distribution, "position")
        choose_batch = values["choose_batch"]
        if choose_batch is not None:
            self._check_batch(name, choose_batch, stateless)
        if values["refuses"] is not None:
            self._check_callable(f"refuses of {name!r}", values["refuses"], "game")
        games = (games,) if isinstance(games, str) else games
        self._check_texts(name, games, claims)
        info = PlayerInfo(
            name=name,
            player=player,
            games=tuple(games),
            version=self.version,
            deterministic=values["deterministic"],
            stateless=stateless,
            claims=tuple(claims),
            only_named=values["only_named"],
            distribution=distribution,
            choose_batch=choose_batch,
            refuses=values["refuses"],
            summary=summary_of(player) if summary is None else summary,
            package=self.package,
            options=options,
        )
        self._add(name, info)

    def _check_batch(self, name: str, choose_batch: object, stateless: bool) -> None:
        """Refuse what cannot be asked for many moves of a player at once."""
        self._check_callable(f"choose_batch of {name!r}", choose_batch, "positions", "rng")
        if not stateless:
            self._refuse(
                f"player {name!r} keeps state, and choose_batch is for players that do not"
            )

    def _options(
        self, name: str, player: object, options: MakePlayer | Mapping[str, ReadText] | None
    ) -> MakePlayer | None:
        """Return what makes the player of ``name:options``."""
        if not isinstance(options, Mapping):
            return options
        for key, kind in options.items():
            if not isinstance(key, str) or not key.isidentifier():
                self._refuse(f"option {quoted(str(key))} of {name!r} must be a parameter's name")
            self._check_callable(f"what reads option {key!r} of {name!r}", kind, "text")
        return NamedOptions(player, dict(options))

    def _check_player(
        self, name: str, player: object, stateless: bool, options: MakePlayer | None
    ) -> None:
        """Refuse a player whose functions cannot be called as the arena calls them."""
        if not callable(player):
            self._refuse(f"player {name!r} must be callable, not {quoted(repr(player))}")
        named = options.kinds if isinstance(options, NamedOptions) else {}
        problem = misfit_of_player(player, stateless, named)
        if problem:
            self._refuse(f"player {name!r}: {problem}")
        if options is not None and not named:
            self._check_callable(f"the options of {name!r}", options, "info", "text")

    def _check_texts(self, name: str, games: object, claims: object) -> None:
        for field, value in (("games", games), ("claims", claims)):
            if not isinstance(value, (tuple, list)) or not all(isinstance(t, str) for t in value):
                self._refuse(
                    f"{field} of {name!r} must be a tuple of texts, not {quoted(repr(value))}"
                )
        for claim in cast("tuple[str, ...]", claims):
            if not _CLAIM.fullmatch(claim):
                self._refuse(f"{claim!r} is not a claim of {name!r}: use 'never-loses:GAME'")


class ProtocolRegister(Register[PlayerProtocol]):
    """Given to ``arena_register_protocols``."""

    def __call__(  # noqa: PLR0913  (of four ways to make players one is given)
        self,
        name: str,
        *,
        client: MakeClient | None = None,
        file: MakeFromFile | None = None,
        files: FilesOfOptions | None = None,
        command: CommandOfFile | None = None,
        data: MakeFromData | None = None,
        address: MakeFromAddress | None = None,
        games: str | tuple[str, ...] = "*",
        summary: str = "",
        takes_observations: bool = False,
        needs_guide: bool = False,
        form: str = "",
    ) -> None:
        """Add a protocol: ``register("uci", client=Uci)`` has ``uci,Hash=16:stockfish`` name a
        program that ``Uci({"Hash": "16"})`` speaks with, one client for each of its processes.
        After ``register("kaggle", file=Agent)`` the player of ``kaggle:./agent.py`` is
        ``Agent("/home/me/agent.py", True)``, a stateful player, made for each game in a process
        of its own. Without isolation the second argument is False. With ``files`` the options in
        ``NAME,OPTION=VALUE:FILE`` are the third argument. The fourth is what ``files(options)``
        returns: the other files that its process may read, by their whole paths. A referee starts
        what ``command("/home/me/agent.py")`` returns, a program and its arguments. A file of data
        is not executed and needs no such process: after ``register("certified", data=make)`` the
        player of ``certified:FILE`` is the PlayerInfo that ``make("certified:FILE",
        "/home/me/FILE", plugins)`` returns. Its game may come from one of the ``plugins``, the
        paths of those in files: ``load_catalogue(plugins)`` has it. A player at an address runs
        already, and arena starts no process for it: after ``register("http", address=make)`` the
        player of ``http://HOST`` is the PlayerInfo that ``make("http://HOST", limits)`` returns.
        Its ``remote`` keeps to the limits. With ``takes_observations`` programs play games with
        luck and secrets too. With ``needs_guide`` they play games that have their rules in
        sentences. The ``form`` says how to name a player: ``uci:COMMAND`` unless it is given.
        """
        self._check_name(name)
        if sum(maker is not None for maker in (client, file, data, address)) != 1:
            self._refuse(f"protocol {name!r} needs a client, or else a file, data or address")
        if client is not None:
            self._check_callable(f"the client of {name!r}", client, "options")
        if file is not None:
            given = ("path", "is_isolated", *(("options", "files") if files else ()))
            self._check_callable(f"the file of {name!r}", file, *given)
        if files is not None:
            self._check_callable(f"the files of {name!r}", files, "options")
        if command is not None:
            self._check_callable(f"the command of {name!r}", command, "path")
        if data is not None:
            self._check_callable(f"the data of {name!r}", data, "name", "path", "plugins")
        if address is not None:
            self._check_callable(f"the address of {name!r}", address, "name", "limits")
        games = (games,) if isinstance(games, str) else games
        if not isinstance(games, tuple) or not all(isinstance(text, str) for text in games):
            self._refuse(f"games of {name!r} must be a tuple of texts, not {quoted(repr(games))}")
        plugin = self.plugin if names_a_file(self.plugin) else ""
        makers = client, file, files, data
        takes = takes_observations, address, needs_guide
        form = form or f"{name}:{'ADDRESS' if address else 'COMMAND' if client else 'FILE'}"
        protocol = PlayerProtocol(name, games, summary, *makers, plugin, *takes, form, command)
        self._add(name, protocol)


class ExecutorRegister(Register[ExecutorOffer]):
    """Given to ``arena_register_executors``."""

    def __call__(self, name: str, make: Callable[..., Executor], *, argument: str = "") -> None:
        """Add an executor: ``make(workers)`` returns one. See arena.executors.base.

        After ``register("dask", make, argument="ADDRESS")`` the executor of ``dask:tcp://host`` is
        ``make(workers, address="tcp://host")``, and that of ``dask`` is ``make(workers,
        address="")``.
        """
        self._check_name(name)
        if argument and not (argument.isidentifier() and argument.isupper()):
            self._refuse(f"the argument of executor {name!r} must be a word in capitals")
        arguments = ("workers", argument.lower()) if argument else ("workers",)
        self._check_callable(f"the maker of executor {name!r}", make, *arguments)
        self._add(name, ExecutorOffer(make, argument))


class ScheduleRegister(Register[ScheduleKind]):
    """Given to ``arena_register_schedules``."""

    def __call__(
        self,
        word: str,
        make: Callable[[str], Schedule],
        *,
        argument: str = "",
        summary: str = "",
    ) -> None:
        """Add a schedule: after ``register("swiss", swiss, argument="R")`` ``swiss("5")`` makes
        the schedule of ``swiss:5``, a function of an :class:`arena.plugin.TournamentState` to the
        next round.

        Without an ``argument`` nothing stands after the word, and ``make`` gets an empty text.
        """
        self._check_name(word)
        if word == "fight":
            self._refuse("'fight' is what results call a fight of two, not a schedule")
        self._check_callable(f"the maker of schedule {word!r}", make, "text")
        if not (argument == "" or (isinstance(argument, str) and _WORD.fullmatch(argument))):
            self._refuse(f"the argument of {word!r} must be a word in capitals, such as R")
        self._add(word, ScheduleKind(word, make, argument, summary, self.plugin))


class ReportRegister(Register[ReportText]):
    """Given to ``arena_register_reports``."""

    def __call__(self, name: str, report: ReportText) -> None:
        """Add a format: ``report(record)`` returns the text for any record of arena.records."""
        self._check_name(name)
        self._check_callable(f"report {name!r}", report, "record")
        self._add(name, report)
