"""Whether two compilers' results agree."""
import numpy as np

TOLERANCE = {np.dtype(np.float16): 1e-2}


def difference(expected, got):
    """The largest relative to the largest value, in floats; None where other values, shapes, NaNs or infinities differ."""
    worst = 0.0
    for x, y in zip(expected, got, strict=True):
        if x.dtype != y.dtype or x.shape != y.shape:
            return None
        if x.dtype.kind != "f":
            if not np.array_equal(x, y):
                return None
            continue
        finite = np.isfinite(x)
        if not np.array_equal(x[~finite], y[~finite], equal_nan=True) or not np.isfinite(y[finite]).all():
            return None
        if finite.any():
            a, b = x[finite].astype(np.float64), y[finite].astype(np.float64)
            worst = max(worst, np.abs(a - b).max() / (np.abs(a).max() or 1))
    return worst


def agreement(expected, got):
    """What the table says, and whether it is right."""
    off = difference(expected, got)
    if off is None:
        return "NO", False
    right = all(off <= TOLERANCE.get(x.dtype, 1e-4) for x in expected)
    return "exact" if off == 0 else f"{off:.0e}" if right else f"NO: {off:.0e}", right
