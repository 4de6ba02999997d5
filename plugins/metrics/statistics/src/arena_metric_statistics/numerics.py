"""NumPy and SciPy, imported when the first number needs them.

Every run loads its metrics, and one that shows no report computes nothing with them. Importing these two takes longer
than all else that a short run does.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray
    from scipy import optimize, sparse, special

    Floats = NDArray[np.float64]
    Integers = NDArray[np.intp]
    Booleans = NDArray[np.bool_]
else:

    class _LateModule:
        """A module that is imported when something in it is first asked for."""

        def __init__(self, name: str) -> None:
            self._name = name

        def __getattr__(self, name: str) -> Any:
            found = getattr(import_module(self._name), name)
            setattr(self, name, found)  # the next look-up does not come here
            return found

    np = _LateModule("numpy")
    optimize, sparse, special = (_LateModule(f"scipy.{name}") for name in ("optimize", "sparse", "special"))
    ArrayLike = Floats = Integers = Booleans = Any

AT_ONCE: Final = 250_000
"""So many random numbers are drawn at once, since they fit into a processor's cache; it changes none of them."""

__all__ = ["AT_ONCE", "ArrayLike", "Booleans", "Floats", "Integers", "np", "optimize", "sparse", "special"]
