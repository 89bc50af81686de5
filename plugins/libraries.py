"""Import an optional library, or say in one line which command installs it."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NamedTuple

from arena.errors import UsageError


class Library(NamedTuple):
    """An optional library whose games the tests have played from one release on."""

    #: What needs it, its distribution and its module, and the extra of arena that has it.
    what: str
    distribution: str
    module: str
    extra: str
    oldest: tuple[int, ...]
    #: The command that installs it, if no extra does.
    command: str = ""

    @property
    def install(self) -> str:
        """The command that installs it."""
        return self.command or f"pip install 'proving-arena[{self.extra}]'"

    def release(self) -> tuple[int, ...] | None:
        """Return the numbers of the release that is installed, None if none is."""
        try:
            text = version(self.distribution)
        except PackageNotFoundError:
            return None
        return tuple(int(number) for number in text.split(".")[:3] if number.isdigit())

    def version_of_rules(self) -> int:
        """Return a number of the release: results of another release are of other rules.

        Release 2.0.2 has 20002.
        """
        major, minor, patch = (*(self.release() or ()), 0, 0, 0)[:3]
        return (major * 100 + minor) * 100 + patch

    def require(self) -> None:
        """Raise UsageError, with the command that installs it, if it is missing or too old."""
        name, release = self.distribution, self.release()
        if release is None:
            raise UsageError(f"{self.what} need {name}, which is not installed: {self.install}")
        if release < self.oldest:
            installed, needed = (".".join(map(str, each)) for each in (release, self.oldest))
            raise UsageError(
                f"{self.what} need {name} {needed} or newer, not {installed}: {self.install}"
            )

    def load(self) -> Any:
        """Return the module. Raises UsageError with the command that installs it."""
        self.require()
        try:
            return import_module(self.module)
        except ImportError as error:
            raise UsageError(
                f"{self.distribution} cannot be imported ({error}): {self.install}"
            ) from error
