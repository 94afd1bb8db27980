"""Strict JSON parser for untrusted input: no duplicate keys, no NaN, no numbers too large for a float or database."""

import json
import math
from typing import Any, NoReturn


def loads(raw: str | bytes) -> Any:
    """Return the parsed value. Raises ValueError unless it is plain, unambiguous JSON."""
    try:
        return json.loads(
            raw, object_pairs_hook=_object, parse_constant=_constant, parse_float=_float, parse_int=_integer
        )
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except UnicodeDecodeError:
        raise ValueError("not UTF-8") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a name occurs twice")
    return value


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not valid JSON")


def _float(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError("a number is too large")
    return value


def _integer(digits: str) -> int:
    value = int(digits)
    if abs(value) >= 2**63:
        raise ValueError("a number is too large")
    return value
