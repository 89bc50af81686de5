"""Games of PettingZoo's environments: a move is the number of an action, chance draws the seed."""

from __future__ import annotations

from fractions import Fraction
from functools import cache, cached_property
from typing import Any, NamedTuple, Self

from arena.errors import IllegalMove, MoveError, PluginError, quoted
from arena.game import CHANCE, Observation, Outcome, Payoffs, Position, Side, as_seat, outcome_of
from arena.games.by_moves import PositionByMoves, after_moves
from arena.games.sealed import SealedGame
from arena.match.ranked import shares_beaten
from arena.match.refereed import pays_by_place
from arena.plugins.pettingzoo.library import PETTINGZOO
from arena.plugins.pettingzoo.naming import EnvironmentName, read
from arena.plugins.pettingzoo.observation import EnvironmentObservation, digest_of
from arena.plugins.pettingzoo.stage import Scene, Stage
from arena.plugins.pettingzoo.trial import EnvironmentTraits, traits_of

#: What stands before a seed, which is the move of chance.
_LETTER = "s"


class _EnvironmentFields(NamedTuple):
    # It is a tuple, because a player cannot change one.
    rules: EnvironmentGame
    #: None before chance has drawn the seed.
    scene: Scene | None
    moves: tuple[int, ...]
    #: The digest of what each seat observed and did before it saw what it sees now.
    before: tuple[str, ...]


class EnvironmentPosition(PositionByMoves, _EnvironmentFields):
    """A position of an environment. Subclasses say whether it has luck and whether it is open."""

    __slots__ = ()

    @property
    def game(self) -> EnvironmentGame:
        """The game of this position."""
        return self.rules

    @property
    def to_move(self) -> Side:
        """The seat of the agent that is selected, or chance before the seed is drawn."""
        scene = self.scene
        return CHANCE if scene is None else as_seat(max(scene.seat, 0), self.rules.seats)

    @property
    def observed(self) -> Any:
        """The observation of the selected agent as the environment gave it, None without one."""
        scene = self.scene
        return self.rules.observed(scene.seat, scene.seen) if scene and scene.seen else None

    def legal_moves(self) -> tuple[int, ...]:
        """Return the legal moves, the seeds before one is drawn, or none when the game is over."""
        rules, scene = self.rules, self.scene
        if scene is None:
            return rules.seeds
        return () if len(self.moves) >= rules.max_plies else scene.legal

    def play(self, move: int) -> Self:
        """Return the position after the move."""
        rules, scene, moves, before = self
        if move not in self.legal_moves():
            raise IllegalMove(f"move {quoted(str(move))} is not legal at {quoted(str(self))}")
        if scene is None:
            after = rules.stage.begin(move - rules.traits.actions)
        else:
            seat, after = scene.seat, rules.stage.after(scene, move)
            digest = digest_of(before[seat], scene.seen, move, waits=after.seat != seat)
            before = (*before[:seat], digest, *before[seat + 1 :])
        return self._replace(scene=after, moves=(*moves, move), before=before)

    def payoffs(self) -> tuple[Fraction, ...] | None:
        """Return the sums of the rewards, or by their order the share of others that each beats."""
        if self.legal_moves():
            return None
        assert self.scene is not None
        return self.rules.paid(self.scene.paid)

    def outcome(self) -> Outcome | None:
        """Return who of two was rewarded more, or that the game is over."""
        return outcome_of(self.payoffs())

    def picture(self) -> str:
        """Write the moves, and what was rewarded so far."""
        sums = ", ".join(map(str, self.scene.paid)) if self.scene else "nothing"
        return f"{self}\nrewards: {sums}"


class LuckyEnvironmentPosition(EnvironmentPosition):
    """A position of an environment whose games differ by the seed, which all seats may know."""

    __slots__ = ()

    def chance_moves(self) -> tuple[tuple[int, Fraction], ...]:
        """Return every seed, each as likely as any other."""
        return self.rules.chances


class SecretEnvironmentPosition(EnvironmentPosition):
    """A position of which a seat knows what it observes."""

    __slots__ = ()

    def observation(self, seat: int) -> EnvironmentObservation:
        """Return what the seat knows."""
        rules, scene, _, before = self
        moves = self.legal_moves()
        if scene is None or scene.seat != seat or not moves:
            return EnvironmentObservation(rules, seat, before[seat], "", ())
        return EnvironmentObservation(rules, seat, before[seat], scene.seen, moves)


class LuckySecretEnvironmentPosition(LuckyEnvironmentPosition, SecretEnvironmentPosition):  # type: ignore[misc]  # one tuple
    """A position of an environment with luck, of which a seat knows what it observes."""

    __slots__ = ()


class EnvironmentGame(SealedGame):
    """A game that an environment plays. Get one from :func:`environment_game`."""

    kinds = ("pettingzoo",)
    transposes = False

    def __init__(self, named: EnvironmentName, traits: EnvironmentTraits) -> None:
        self.name, self.version = named.name, PETTINGZOO.version_of_rules()
        self.named, self.traits = named, traits
        self.seats, self.max_plies = traits.seats, named.plies
        self.payoffs = Payoffs(*named.pays, "points", None) if named.pays else self._by_place()
        module, _, function = named.environment.partition(":")
        self.modules = (module,) if function else ()
        actions = traits.actions
        #: The moves of chance: the seeds, behind the numbers of the actions.
        self.seeds = tuple(range(actions, actions + traits.seeds)) if traits.seeds > 1 else ()
        share = Fraction(1, traits.seeds)
        self.chances = tuple((seed, share) for seed in self.seeds)
        self._sealed = True

    @cached_property
    def stage(self) -> Stage:
        """The environment, which is made when the first game begins."""
        return Stage(self.named)

    @property
    def guide(self) -> str:
        """The place where the rules are written."""
        return (
            f"The environment {self.named.environment} of PettingZoo, for {self.seats} players."
            " A move is the number of an action."
        )

    def start(self) -> EnvironmentPosition:
        """Return the position before the first move."""
        kind = {
            (True, True): LuckyEnvironmentPosition,
            (True, False): LuckySecretEnvironmentPosition,
            (False, True): EnvironmentPosition,
            (False, False): SecretEnvironmentPosition,
        }[bool(self.seeds), self.named.is_open]
        scene = None if self.seeds else self.stage.begin(0)
        return kind(self, scene, (), ("",) * self.seats)

    def observed(self, seat: int, text: str) -> Any:
        """Return the observation that a text describes, as the environment gave it."""
        return self.stage.observed(seat, text)

    def paid(self, rewards: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
        """Return the payoffs of sums of rewards. Raises PluginError for one out of the range."""
        if not self.named.pays:
            return shares_beaten([*map(float, rewards)])
        least, most = self.named.pays
        if not all(least <= reward <= most for reward in rewards):
            raise PluginError(
                f"environment {quoted(self.name)} rewards {', '.join(map(str, rewards))}: its name"
                f" says pays={least}..{most}"
            )
        return rewards

    def parse(self, text: str) -> EnvironmentPosition:
        """Return the position after the moves in a text. Raises PositionError with the problem."""
        return after_moves(self.start(), text)

    def parse_observation(self, text: str) -> Observation | Position:
        """Return the observation that a text describes. Raises PositionError with the problem."""
        return self.parse(text) if self.named.is_open else EnvironmentObservation.parse(self, text)

    def format_move(self, move: int) -> str:
        """Return the number of an action, or the seed after an ``s``."""
        actions = self.traits.actions
        return str(move) if move < actions else f"{_LETTER}{move - actions}"

    def parse_move(self, text: str) -> int:
        """Return the move of that number. Raises MoveError for another text."""
        digits = text.removeprefix(_LETTER)
        is_number = digits.isascii() and digits.isdigit() and str(int(digits[:9])) == digits
        actions, seeds = self.traits.actions, len(self.seeds)
        first, count = (0, actions) if digits == text else (actions, seeds)
        if not is_number or int(digits) >= count:
            raise MoveError(f"{quoted(text)} is not a move of {self.name}: write a number")
        return first + int(digits)

    def __reduce__(self) -> tuple[Any, ...]:
        return _environment_game, (self.named, self.traits)

    def _by_place(self) -> Payoffs:
        return type(self).payoffs if self.seats == 2 else pays_by_place(self.seats)


def environment_game(text: str) -> EnvironmentGame:
    """Return the game that ``pettingzoo:TEXT`` names, always the same one.

    Raises UsageError if arena cannot play it.
    """
    named = read(text)
    return _environment_game(named, _traits_of(named))


@cache
def _traits_of(named: EnvironmentName) -> EnvironmentTraits:
    return traits_of(named)


@cache
def _environment_game(named: EnvironmentName, traits: EnvironmentTraits) -> EnvironmentGame:
    return EnvironmentGame(named, traits)
