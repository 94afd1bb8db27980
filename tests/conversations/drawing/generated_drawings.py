"""Wobbly drawings whose meaning is known: outlines with gaps, dividing lines that stop short or go beyond, hatching."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from math import cos, dist, pi, sin
from random import Random

from conversations.drawing.interpretation import CLEAR_CONFIDENCE
from conversations.drawing.results import DrawingReading
from conversations.drawing.schema import HEIGHT, WIDTH, Board, Pen, thin_out

type Point = tuple[float, float]
EQUAL = 0.85
"""The rule: two parts are equal where the smaller is at least this much of the larger (15 %)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    name: str
    board: Board
    kinds: tuple[str, ...]
    """What its shapes may be called."""
    shapes: int = 1
    parts: int = 1
    """Of each shape."""
    equal: bool | None = None
    shaded: int = 0
    gaps: bool = False
    borderline: bool = False
    """So near to the 15 % that a question is as good."""


@dataclass(slots=True)
class Hand:
    """Draws as hands do: never straight, never quite there."""

    random: Random
    gap: float = 0.0
    """Of an outline's length."""
    wobble: float = 2.0
    strokes: list[Pen] = field(default_factory=list)

    def stroke(self, points: list[Point], colour: str = "ink") -> None:
        drawn = tuple(
            (min(max(x, 0.0), float(WIDTH)), min(max(y, 0.0), float(HEIGHT))) for x, y in self._wobbling(points)
        )
        self.strokes.append(Pen.model_validate({"kind": "pen", "points": drawn, "colour": colour}))

    def _wobbling(self, points: list[Point]) -> Iterator[Point]:
        waves = [(self.random.uniform(70, 220), self.random.uniform(0, 2 * pi), self.random.random()) for _ in range(6)]
        along = 0.0
        for point, after in zip(points, points[1:] + points[-1:], strict=True):
            dx, dy = (
                self.wobble * sum(how * sin(2 * pi * along / long + phase) for long, phase, how in half) / 1.2
                for half in (waves[:3], waves[3:])
            )
            yield point[0] + dx + self.random.gauss(0, 0.5), point[1] + dy + self.random.gauss(0, 0.5)
            along += dist(point, after)

    def outline(self, corners: list[Point]) -> None:
        """Draw round the corners: in one go, side by side, or in two goes; one gap, or several small ones."""
        whole = even([*corners, corners[0]])
        way = (
            self.random.choice(["one", "one", "sides", "two"])
            if len(corners) <= 4
            else self.random.choice(["one", "one", "two"])
        )
        if way == "sides":
            short = self.gap / len(corners) / 2 * len(whole) * 6
            for a, b in zip(corners, [*corners[1:], corners[0]], strict=True):
                over = self.random.uniform(-12, 4) if not self.gap else short
                self.stroke(even(list(shortened(a, b, over, over))))
            return
        start = self.random.randrange(len(whole))
        round_ = whole[start:] + whole[1 : start + 1]
        over = round_[: self.random.randrange(0, 4)] if not self.gap else []
        kept = round_[: round(len(round_) * (1 - self.gap))] + over
        if way == "one":
            self.stroke(kept)
        else:
            cut = self.random.randrange(len(kept) // 3, 2 * len(kept) // 3)
            self.stroke(kept[: cut + 1])
            self.stroke(kept[cut - self.random.randrange(0, 2) :])

    def divider(self, a: Point, b: Point, *, from_middle: bool = False) -> None:
        """Draw from edge to edge: up to 25 short of it, or up to 20 beyond."""
        ends = [self.random.choice([0.0, self.random.uniform(4, 25), -self.random.uniform(3, 20)]) for _ in "ab"]
        if from_middle:
            ends[0] = self.random.uniform(-6, 6)
        limit = 0.16 * dist(a, b)
        self.stroke(even(list(shortened(a, b, *(max(-limit, min(limit, end)) for end in ends)))))

    def hatching(self, corners: list[Point]) -> None:
        """Hatch a box (two opposite corners), by a zigzag, or by single lines."""
        (left, top), (right, bottom) = corners
        left, right, top, bottom = left + 8, right - 8, top + 8, bottom - 8
        apart = self.random.uniform(9, 16)
        rows = [top + apart * row for row in range(int((bottom - top) / apart) + 1)]
        lines = [[(left, row), (right, row)] for row in rows]
        colour = self.random.choice(["ink", "blue", "red"])
        if self.random.random() < 0.5:
            self.stroke(
                even([point for place, line in enumerate(lines) for point in line[:: 1 - 2 * (place % 2)]]), colour
            )
        else:
            for line in lines:
                self.stroke(even(line), colour)

    def board(self) -> Board:
        return thin_out(Board(items=tuple(self.strokes)))


def even(points: list[Point], step: float = 6.0) -> list[Point]:
    """Return points all along a way."""
    found = []
    for a, b in pairwise(points):
        count = max(1, round(dist(a, b) / step))
        found += [(a[0] + (b[0] - a[0]) * k / count, a[1] + (b[1] - a[1]) * k / count) for k in range(count)]
    return [*found, points[-1]]


def shortened(a: Point, b: Point, at_a: float, at_b: float) -> tuple[Point, Point]:
    far = dist(a, b)
    ux, uy = (b[0] - a[0]) / far, (b[1] - a[1]) / far
    return (a[0] + ux * at_a, a[1] + uy * at_a), (b[0] - ux * at_b, b[1] - uy * at_b)


def box(random: Random, *, least: float = 160.0) -> tuple[float, float, float, float]:
    w, h = random.uniform(max(220.0, least), 520), random.uniform(160, 360)
    return random.uniform(30, WIDTH - w - 30), random.uniform(30, HEIGHT - h - 30), w, h


def corners_of(x: float, y: float, w: float, h: float) -> list[Point]:
    return [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]


def circle(x: float, y: float, r: float) -> list[Point]:
    return [(x + r * cos(2 * pi * k / 60), y + r * sin(2 * pi * k / 60)) for k in range(60)]


RECTANGLES, ROUND = ("rectangle", "square"), ("circle", "ellipse")


def strips(hand: Hand, shares: list[float], shade: int = 0, bar: bool = False) -> None:
    """Draw a rectangle cut across, part by part."""
    random = hand.random
    x, y, w, h = box(random, least=90 * len(shares))
    if bar:
        w, h = random.uniform(max(450.0, 70 * len(shares)), 900), random.uniform(90, 160)
        x, y = random.uniform(20, WIDTH - w - 20), random.uniform(30, HEIGHT - h - 30)
    hand.outline(corners_of(x, y, w, h))
    upright = bar or random.random() < 0.6
    at = 0.0
    for place, share in enumerate(shares):
        if place < shade:
            hand.hatching(
                [(x + w * at, y), (x + w * (at + share), y + h)]
                if upright
                else [(x, y + h * at), (x + w, y + h * (at + share))]
            )
        at += share
        if place < len(shares) - 1:
            off = at + random.uniform(-0.016, 0.016) * min(shares)
            hand.divider(
                *(((x + w * off, y), (x + w * off, y + h)) if upright else ((x, y + h * off), (x + w, y + h * off)))
            )


def sectors(hand: Hand, parts: int) -> None:
    random = hand.random
    r = random.uniform(110, 280)
    x, y = random.uniform(r + 20, WIDTH - r - 20), random.uniform(r + 20, HEIGHT - r - 20)
    hand.outline(circle(x, y, r))
    turn = random.uniform(0, 2 * pi)
    ends = [(x + r * cos(turn + 2 * pi * k / parts), y + r * sin(turn + 2 * pi * k / parts)) for k in range(parts)]
    if parts % 2:
        for end in ends:
            hand.divider((x, y), end, from_middle=True)
    else:
        for k in range(parts // 2):
            hand.divider(ends[k], ends[k + parts // 2])


def chord(hand: Hand, off: float) -> None:
    """Draw a circle cut beside its middle, by `off` of its radius."""
    random = hand.random
    r = random.uniform(130, 280)
    x, y = random.uniform(r + 20, WIDTH - r - 20), random.uniform(r + 20, HEIGHT - r - 20)
    hand.outline(circle(x, y, r))
    half = r * (1 - off**2) ** 0.5
    hand.divider((x + off * r, y - half), (x + off * r, y + half))


def side_by_side(hand: Hand, sizes: list[float], *, round_: bool = False) -> None:
    """Draw separate shapes whose areas are as these numbers."""
    room = (WIDTH - 40) / len(sizes)
    height = hand.random.uniform(150, 300)
    for place, size in enumerate(sizes):
        w = size / max(sizes) * (room - 60)
        x = 40 + place * room
        if round_:
            r = (size / max(sizes)) ** 0.5 * min(room - 60, 400) / 2
            hand.outline(circle(x + r, 350, r))
        else:
            y = hand.random.uniform(40, HEIGHT - height - 40)
            hand.outline(corners_of(x, y, w, height))


def triangle(hand: Hand) -> list[Point]:
    random = hand.random
    x, y, w, h = box(random)
    top = (x + w * random.uniform(0.3, 0.7), y)
    corners = [top, (x + w, y + h), (x, y + h)]
    hand.outline(corners)
    return corners


def quarters(hand: Hand, shade: int = 0) -> None:
    x, y, w, h = box(hand.random)
    hand.outline(corners_of(x, y, w, h))
    if shade:
        hand.hatching([(x, y), (x + w / 2, y + h / 2)])
    hand.divider((x + w / 2, y), (x + w / 2, y + h))
    hand.divider((x, y + h / 2), (x + w, y + h / 2))


def cut(hand: Hand, low: float, high: float) -> float:
    """Draw a rectangle cut in two; return the smaller part's share."""
    share = hand.random.uniform(low, high)
    strips(hand, [share, 1 - share] if hand.random.random() < 0.5 else [1 - share, share])
    return share


def diagonal(hand: Hand) -> None:
    corners = corners_of(*box(hand.random))
    hand.outline(corners)
    hand.divider(corners[0], corners[2])


def halved_triangle(hand: Hand) -> None:
    a, b, c = triangle(hand)
    hand.divider(a, ((b[0] + c[0]) / 2, (b[1] + c[1]) / 2))


def borderline(hand: Hand) -> dict[str, object]:
    share = cut(hand, 0.42, 0.48)
    return {"equal": share / (1 - share) >= EQUAL}


def bar_of(hand: Hand, shade: int = 0) -> dict[str, object]:
    parts = hand.random.choice([5, 6, 8])
    strips(hand, [1 / parts] * parts, bar=True, shade=shade)
    return {"parts": parts}


def unequal_sizes(hand: Hand) -> list[float]:
    return hand.random.sample([1.0, hand.random.uniform(1.5, 3.0)], 2)


KINDS: dict[str, tuple[Callable[[Hand], object], dict[str, object]]] = {
    "a rectangle": (lambda hand: strips(hand, [1.0]), {}),
    "a rectangle in halves": (lambda hand: strips(hand, [0.5, 0.5]), {"parts": 2, "equal": True}),
    "a rectangle in halves, corner to corner": (diagonal, {"parts": 2, "equal": True}),
    "a rectangle cut at 25-42 %": (lambda hand: cut(hand, 0.25, 0.42) and None, {"parts": 2, "equal": False}),
    "a rectangle cut at 42-48 %": (borderline, {"parts": 2, "borderline": True}),
    "a rectangle in thirds": (lambda hand: strips(hand, [1 / 3] * 3), {"parts": 3, "equal": True}),
    "a rectangle in 3 unequal parts": (lambda hand: strips(hand, [0.25, 0.5, 0.25]), {"parts": 3, "equal": False}),
    "a rectangle in quarters, crosswise": (quarters, {"parts": 4, "equal": True}),
    "a rectangle in quarters, strips": (lambda hand: strips(hand, [0.25] * 4), {"parts": 4, "equal": True}),
    "a rectangle in quarters, 1 shaded": (
        lambda hand: quarters(hand, shade=1),
        {"parts": 4, "equal": True, "shaded": 1},
    ),
    "a rectangle in thirds, 2 shaded": (
        lambda hand: strips(hand, [1 / 3] * 3, shade=2),
        {"parts": 3, "equal": True, "shaded": 2},
    ),
    "a bar in 5, 6 or 8": (bar_of, {"equal": True}),
    "a bar in 5, 6 or 8, 3 shaded": (lambda hand: bar_of(hand, shade=3), {"equal": True, "shaded": 3}),
    "a circle": (lambda hand: hand.outline(circle(500, 350, hand.random.uniform(80, 300))), {"kinds": ROUND}),
    "a circle in halves": (lambda hand: sectors(hand, 2), {"kinds": ROUND, "parts": 2, "equal": True}),
    "a circle in thirds": (lambda hand: sectors(hand, 3), {"kinds": ROUND, "parts": 3, "equal": True}),
    "a circle in quarters": (lambda hand: sectors(hand, 4), {"kinds": ROUND, "parts": 4, "equal": True}),
    "a circle cut beside its middle": (
        lambda hand: chord(hand, hand.random.uniform(0.25, 0.6)),
        {"kinds": ROUND, "parts": 2, "equal": False},
    ),
    "a triangle": (lambda hand: triangle(hand) and None, {"kinds": ("triangle",)}),
    "a triangle in halves": (halved_triangle, {"kinds": ("triangle",), "parts": 2, "equal": True}),
    "2 equal rectangles": (lambda hand: side_by_side(hand, [1.0, 1.0]), {"shapes": 2, "equal": True}),
    "2 unequal rectangles": (lambda hand: side_by_side(hand, unequal_sizes(hand)), {"shapes": 2, "equal": False}),
    "3 equal rectangles": (lambda hand: side_by_side(hand, [1.0, 1.0, 1.0]), {"shapes": 3, "equal": True}),
    "2 equal circles": (
        lambda hand: side_by_side(hand, [1.0, 1.0], round_=True),
        {"kinds": ROUND, "shapes": 2, "equal": True},
    ),
    "2 unequal circles": (
        lambda hand: side_by_side(hand, unequal_sizes(hand), round_=True),
        {"kinds": ROUND, "shapes": 2, "equal": False},
    ),
}


def cases(count: int, *, seed: str) -> Iterator[Case]:
    """Yield so many drawings, the kinds in turn; every second round has gaps of 5 to 15 % in its outlines."""
    names = list(KINDS)
    for number in range(count):
        name = names[number % len(names)]
        yield case(name, gaps=number // len(names) % 2 == 1, random=Random(f"{seed} {number}"))


def case(name: str, *, gaps: bool, random: Random) -> Case:
    draw, truth = KINDS[name]
    hand = Hand(random, gap=random.uniform(0.05, 0.15) if gaps else 0.0, wobble=random.uniform(0.8, 3.5))
    drawn = draw(hand)
    more = drawn if isinstance(drawn, dict) else {}
    told = {"kinds": RECTANGLES, **truth, **more}
    return Case(name=name, board=hand.board(), gaps=gaps, **told)  # type: ignore[arg-type]


def verdict(case: Case, reading: DrawingReading) -> str:
    """Return `right`, `asked` or `wrong`."""
    if reading.question and reading.confidence < CLEAR_CONFIDENCE:
        return "asked"
    shapes = reading.shapes
    is_right = (
        len(shapes) == case.shapes
        and all(shape.kind in case.kinds and len(shape.shares) == case.parts for shape in shapes)
        and sum(shape.shaded for shape in shapes) == case.shaded
        and reading.equal == case.equal
    )
    return "right" if is_right else "wrong"
