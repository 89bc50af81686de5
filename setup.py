"""Build the source archive with the links that a checkout has; setup.cfg declares all else."""

from pathlib import Path

from setuptools import setup
from setuptools.command.sdist import sdist

#: The links that mypy and editors follow. A list of files cannot name a link to a folder.
LINKS = ("players", "plugins", "reports")


class SourceArchive(sdist):
    """A source archive that can be tested like a checkout."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        """Lay out the files of the archive, and the links between them."""
        super().make_release_tree(base_dir, files)
        for name in LINKS:
            (Path(base_dir) / "arena" / name).symlink_to(f"../{name}")


setup(cmdclass={"sdist": SourceArchive})
