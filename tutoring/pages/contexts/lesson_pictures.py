"""The picture that stands for a concept."""

from tutoring.courses.catalogue import ConceptContent
from tutoring.courses.pictures import Picture


def first_picture(concept: ConceptContent) -> Picture | None:
    """Return the picture that first explains a concept; None if it has none."""
    blocks = (block for pieces in concept.pieces.values() for piece in pieces for block in piece.blocks)
    return next((block for block in blocks if isinstance(block, Picture)), None)
