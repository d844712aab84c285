"""Values as the page reads them in JSON."""

import base64
import math

import numpy as np


def plain(value: object) -> object:
    """Values in a form for JSON: bytes become base64, infinities become texts."""
    if isinstance(value, bytes):
        return {"base64": base64.b64encode(value).decode()}
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [plain(item) for item in value]
    if isinstance(value, float) and math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value.item() if isinstance(value, np.generic) else value
