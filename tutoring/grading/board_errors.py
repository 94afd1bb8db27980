"""The error of boards that cannot be drawn."""


class BoardError(ValueError):
    """A board that cannot be drawn; the text says why, in words for the course's author."""


def require(holds: bool, reason: str) -> None:
    """Raise BoardError with the reason if it does not hold."""
    if not holds:
        raise BoardError(reason)
