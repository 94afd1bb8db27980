"""What a learner drew, as a turn has to know it."""

from dataclasses import dataclass, field

from conversations.drawing.interpretation import CLEAR_CONFIDENCE


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawingFacts:
    """What the drawing board showed last, as geometry reads it."""

    snapshot: str
    """Its id."""
    description: str
    """In a sentence: "Two rectangles of unequal size"."""
    shares: tuple[float, ...] = ()
    """The parts' shares (0–1) of the whole, where parts of one whole were drawn."""
    count: int = 0
    """Separate shapes, or parts of the one shape."""
    equal: bool | None = None
    """Whether the parts are equal within the tolerance; None where there is nothing to compare."""
    text: str = ""
    """What was read on it."""
    question: str = ""
    """What the learner is to be asked where it is doubtful, or where something was read on it."""
    confidence: float = 0.0
    is_new: bool = True
    """The message is the first that it goes with."""
    seconds_ago: float = 0.0
    picture: bytes = field(default=b"", compare=False, repr=False)
    """It itself, where a model that sees is to look at it: a PNG, of a photo a WebP."""
    photo: bool = False
    """It is no drawing on the board but a picture that was uploaded; `snapshot` is then its document's id."""

    @property
    def is_clear(self) -> bool:
        """Whether it may be spoken of; else the learner is asked to say it in words."""
        return self.confidence >= CLEAR_CONFIDENCE

    @property
    def shows_equal_parts(self) -> bool:
        return self.is_clear and self.equal is True
