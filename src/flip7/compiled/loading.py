"""Numba and NumPy, as quickly as they can be had, or a clear word on what to install."""

from __future__ import annotations

import sys

from flip7.extras import advice

# Numba asks for the coverage tool, which takes a fifth of a second to load. It is only of use where it already runs.
_unasked = sys.modules.setdefault("coverage", None) is None  # type: ignore[arg-type]
try:
    import numba as numba
    import numpy as numpy
    from numba.core.errors import NumbaError as NumbaError
except ImportError as error:  # pragma: no cover - exercised in a subprocess
    raise ImportError(
        f"the compiled rules need NumPy and Numba ({error}); install them with: {advice('sim')}"
    ) from None
finally:
    if _unasked:
        del sys.modules["coverage"]
