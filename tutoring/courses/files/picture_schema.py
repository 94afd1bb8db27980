"""The schemas of pictures in course files, by their kind."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BeforeValidator, Discriminator, Field, StringConstraints, Tag

from tutoring.courses.files.schema_types import (
    Amounts,
    Expression,
    FileModel,
    Id,
    Words,
    number_as_text,
    value_shape,
)

Text = Annotated[str, BeforeValidator(number_as_text)]
Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_]\w{0,30}$")]
Place = tuple[Expression, Expression]


class StripEntry(FileModel):
    parts: Amounts
    shaded: Amounts = ()
    label: str = ""


class MarkEntry(FileModel):
    at: Expression
    label: Text = ""


def _mark(value: object) -> object:
    return value if isinstance(value, Mapping) else {"at": value}


class AnyPictureEntry(FileModel):
    """What pictures of all kinds have."""

    kind: Words
    alt: str = ""
    scale: Expression = "1"


class PartsEntry(AnyPictureEntry):
    """A picture of parts, or a number line."""

    parts: Amounts = ()
    shaded: Amounts = ()
    gap: Expression = "0"
    rows: Expression = "0"
    columns: Expression = "0"
    start: Expression = Field(default="0", alias="from")
    end: Expression = Field(default="1", alias="to")
    ticks: Expression = "1"
    width: Expression = "0"
    height: Expression = "0"
    polygons: tuple[tuple[Place, ...], ...] = ()
    marks: tuple[Annotated[MarkEntry, BeforeValidator(_mark)], ...] = ()
    bars: tuple[StripEntry, ...] = ()
    movable: bool = False
    one_pattern: bool = False


class AxisEntry(FileModel):
    start: Expression = Field(alias="from")
    end: Expression = Field(alias="to")
    step: Expression = "1"
    label: Text = ""


class SliderEntry(FileModel):
    name: Name
    start: Expression = Field(alias="from")
    end: Expression = Field(alias="to")
    step: Expression = "1"
    value: Expression = Field(alias="start")
    label: Text = ""


class PointEntry(FileModel):
    x: Expression
    y: Expression
    label: Text = ""


class SegmentEntry(FileModel):
    start: Place = Field(alias="from")
    end: Place = Field(alias="to")
    label: Text = ""
    dashed: bool = False


class CurveEntry(FileModel):
    y: Expression
    start: Expression | None = Field(default=None, alias="from")
    end: Expression | None = Field(default=None, alias="to")
    label: Text = ""
    dashed: bool = False


class PlotBarEntry(FileModel):
    start: Expression = Field(alias="from")
    end: Expression = Field(alias="to")
    height: Expression
    label: Text = ""


class BoxEntry(FileModel):
    at: Expression = "0"
    five: tuple[Expression, Expression, Expression, Expression, Expression]
    label: Text = ""


class ReadoutEntry(FileModel):
    label: Text
    value: Expression


class PlotEntry(AnyPictureEntry):
    kind: Literal["plot"]
    alt: Words
    x: AxisEntry
    y: AxisEntry
    grid: bool = True
    sliders: tuple[SliderEntry, ...] = ()
    points: tuple[PointEntry, ...] = ()
    lines: tuple[SegmentEntry, ...] = ()
    curves: tuple[CurveEntry, ...] = ()
    bars: tuple[PlotBarEntry, ...] = ()
    boxes: tuple[BoxEntry, ...] = ()
    readouts: tuple[ReadoutEntry, ...] = ()


class PanEntry(FileModel):
    x: Expression = "0"
    ones: Expression = "0"


class BalanceEntry(AnyPictureEntry):
    kind: Literal["balance"]
    left: PanEntry
    right: PanEntry


class AreaEntry(AnyPictureEntry):
    kind: Literal["area"]
    rows: tuple[Text, ...]
    columns: tuple[Text, ...]
    cells: tuple[tuple[Text, ...], ...]


class WeightEntry(FileModel):
    layer: Expression
    start: Expression = Field(alias="from")
    end: Expression = Field(alias="to")
    text: Text


class NetworkEntry(AnyPictureEntry):
    kind: Literal["network"]
    layers: tuple[Expression, ...]
    labels: tuple[tuple[Text, ...], ...] = ()
    weights: tuple[WeightEntry, ...] = ()


class DrawingEntry(AnyPictureEntry):
    kind: Literal["svg"]
    alt: Words
    file: Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}\.svg$")]


_KINDS = ("plot", "balance", "area", "network", "svg")


def _kind(value: object) -> str:
    kind = value.get("kind") if isinstance(value, Mapping) else getattr(value, "kind", None)
    return kind if kind in _KINDS else "parts"


PictureEntry = Annotated[
    Annotated[PartsEntry, Tag("parts")]
    | Annotated[PlotEntry, Tag("plot")]
    | Annotated[BalanceEntry, Tag("balance")]
    | Annotated[AreaEntry, Tag("area")]
    | Annotated[NetworkEntry, Tag("network")]
    | Annotated[DrawingEntry, Tag("svg")],
    Discriminator(_kind),
]
PictureOrName = Annotated[
    Annotated[PictureEntry, Tag("table")] | Annotated[Id, Tag("text")], Discriminator(value_shape)
]
