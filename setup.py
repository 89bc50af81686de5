"""Build the compiled core where that is possible, and the source archive with the links of a
checkout; setup.cfg declares all else.
"""

import os
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.sdist import sdist

#: The links that mypy and editors follow. A list of files cannot name a link to a folder.
LINKS = ("players", "plugins", "reports")

#: The sources of the compiled core. Each module has a twin in Python, so that none is necessary.
SOURCES = Path("arena/core")


class SourceArchive(sdist):
    """A source archive that can be tested like a checkout."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        """Lay out the files of the archive, and the links between them."""
        super().make_release_tree(base_dir, files)
        for name in LINKS:
            (Path(base_dir) / "arena" / name).symlink_to(f"../{name}")


def compiled_core() -> list[Extension]:
    """Return the modules to compile: none without Cython, or with ``ARENA_PURE=1``.

    Where a compiler is missing or fails, the build goes on without them.
    """
    if os.environ.get("ARENA_PURE", "0") not in ("", "0") or sys.byteorder != "little":
        return []
    try:
        from Cython.Build import cythonize
    except ImportError:
        return []
    modules = [
        Extension(
            f"arena.core.{source.stem}",
            [str(source)],
            extra_compile_args=["-O3"],
            extra_link_args=["-s"],
        )
        for source in sorted(SOURCES.glob("*.pyx"))
    ]
    made: list[Extension] = cythonize(modules, build_dir="build/cython", quiet=True)
    for module in made:
        module.optional = True  # which cythonize does not hand on
    return made


setup(cmdclass={"sdist": SourceArchive}, ext_modules=compiled_core())
