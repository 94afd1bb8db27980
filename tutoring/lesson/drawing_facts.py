"""What a learner drew, as a turn has to know it."""

from dataclasses import dataclass, field

from conversations.drawing.interpretation import CLEAR_CONFIDENCE


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawingFacts:
    """The latest drawing, as geometry reads it."""

    snapshot: str
    """Its id."""
    description: str
    """In a sentence: "Two rectangles of different sizes"."""
    shares: tuple[float, ...] = ()
    """The parts' shares (0–1) of the whole, if parts of one whole were drawn."""
    count: int = 0
    """Separate shapes, or parts of the one shape."""
    equal: bool | None = None
    """Whether the parts are equal within the tolerance; None if there is nothing to compare."""
    text: str = ""
    """What was read on it."""
    question: str = ""
    """What to ask the learner if the reading is doubtful, or if text was read on it."""
    confidence: float = 0.0
    is_new: bool = True
    """Whether this is the first message with this drawing."""
    seconds_ago: float = 0.0
    picture: bytes = field(default=b"", compare=False, repr=False)
    """The image, if a model with vision is to look at it: a PNG, of a photo a WebP."""
    photo: bool = False
    """Whether it is an uploaded picture and not a drawing; `snapshot` is then its document's id."""

    @property
    def is_clear(self) -> bool:
        """Whether it may be described; otherwise the learner is asked to say it in words."""
        return self.confidence >= CLEAR_CONFIDENCE

    @property
    def shows_equal_parts(self) -> bool:
        return self.is_clear and self.equal is True
