"""Numba comes without what takes long to load, and nobody who needs that misses it."""

from __future__ import annotations

import subprocess
import sys

QUICKLY = """
import sys
from flip7 import simulate
simulate(["points:25", "hit"], games=2, seed=1)
assert "numba" in sys.modules and not {"coverage", "scipy"} & set(sys.modules), "too much was loaded"

import numba, numpy
assert numba.njit(lambda row: numpy.dot(row, row))(numpy.arange(3.0)) == 5  # takes SciPy
"""


def test_a_simulation_loads_no_linear_algebra_and_who_asks_for_it_gets_it() -> None:
    done = subprocess.run([sys.executable, "-W", "error", "-c", QUICKLY], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
