"""Numba and NumPy, as quickly as they can be had, or a clear word on what to install."""

from __future__ import annotations

import sys
from importlib import import_module

from flip7.extras import advice

# Numba loads what it could do more with, a quarter of a second each: the coverage tool, which is only of use where it
# already runs, and SciPy, which it asks for again wherever code needs linear algebra.
_unasked = [name for name in ("coverage", "scipy") if sys.modules.setdefault(name, None) is None]  # type: ignore[arg-type]
try:
    import numba as numba
    import numpy as numpy
    from numba.core.errors import NumbaError as NumbaError

    import_module("numba.np.arraymath")
except ImportError as error:  # pragma: no cover - exercised in a subprocess
    raise ImportError(
        f"the compiled rules need NumPy and Numba ({error}); install them with: {advice('sim')}"
    ) from None
finally:
    for name in _unasked:
        del sys.modules[name]
