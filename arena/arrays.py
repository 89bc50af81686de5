"""Name the types of the NumPy arrays that several rooms pass to each other."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

#: Keys of positions, of 64 bits each.
Keys = NDArray[np.uint64]

#: The moves of a side at positions of one ply, by their keys.
KeyStrategy: TypeAlias = Callable[[int, Keys], NDArray[np.uint64]]
