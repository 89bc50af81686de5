"""Compile the twins where that is possible; pyproject.toml declares all else."""

from setuptools import Extension, setup

try:
    from Cython.Build import cythonize

    fast = Extension("arena_domineering.fast", ["arena_domineering/fast.pyx"])
    modules = cythonize([fast], build_dir="build/cython")
    modules[0].optional = True  # a build without a compiler goes on
except ImportError:
    modules = []

setup(ext_modules=modules)
