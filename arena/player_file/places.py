"""Import modules from the places that another process names.

An isolated player's process sees this Python as it is installed, and nothing of ``PYTHONPATH``,
of the user's own site-packages, or of the folders of editable installations.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from types import ModuleType
from typing import NamedTuple


class ModulePlace(NamedTuple):
    """The place of a module that stands outside of the installed Python."""

    name: str
    #: Its file; empty for a namespace package.
    file: str
    #: The folders of a package; empty for a single file.
    folders: tuple[str, ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        """The files and folders to read."""
        return self.folders or (self.file,)

    @property
    def spec(self) -> ModuleSpec | None:
        """The specification to import it by."""
        folders = list(self.folders) or None
        if self.file:
            return spec_from_file_location(self.name, self.file, submodule_search_locations=folders)
        spec = ModuleSpec(self.name, None, is_package=True)
        spec.submodule_search_locations = folders
        return spec


class _Finder:
    """Finds modules at their places, after all other finders."""

    def __init__(self) -> None:
        self.places: dict[str, ModulePlace] = {}

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the specification of a module, or None if it is not at a known place."""
        place = self.places.get(name)
        return None if place is None else place.spec


_finder = _Finder()


def make_importable(places: Sequence[ModulePlace]) -> None:
    """Import these modules from their places, unless this process finds them itself."""
    if _finder not in sys.meta_path:
        sys.meta_path.append(_finder)
    _finder.places.update((place.name, place) for place in places)
