"""`python -m flip7.strategy.training` trains all nets and writes them; the same on every run of one machine."""

import os
from importlib import import_module

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"  # before NumPy is loaded: several threads would take sums in any order

import_module("flip7.strategy.training.train").main()
