"""Chart cards: what is drawn, the table beside it, and both in words."""

import uuid
from typing import Any
from xml.etree import ElementTree

import pytest
from django.utils.html import escape
from hypothesis import given
from hypothesis import strategies as st

from conversations.cards import cards_html, cards_speech, cards_text
from conversations.charts.cards import chart_card, render_chart
from conversations.charts.drawing import MOST_BARS, WIDTH, chart_drawing, highest_value
from conversations.charts.figures import ChartCard, ChartPoint, chart_words

SCORES = ChartCard(
    title="Mastery of equal parts",
    columns=["Learner", "Score"],
    rows=[["Tom", 31], ["Mira | *x*", 82.5], ["Ada", None], ["Ben", 90], ["Zoe", 95]],
    notes=["Scores are estimates."],
    shape="bar",
    unit="%",
    points=[ChartPoint(label="Tom", value=31), ChartPoint(label="<b>Mira</b>", value=82.5)],
)
WEEKS = SCORES.model_copy(
    update={
        "shape": "line",
        "unit": "minutes",
        "points": [ChartPoint(label=f"{day} Nov", value=day) for day in (2, 9, 16)],
    }
)
ALONE = ChartCard(title="Reviews", columns=["Concept"], rows=[])


def wire(figures: ChartCard) -> dict[str, Any]:
    return chart_card(figures, turn_id=str(uuid.UUID(int=1)), name="scores").as_wire()


def test_card_is_registered_and_keeps_its_id_when_its_turn_runs_again() -> None:
    card = wire(SCORES)
    assert card == wire(SCORES)
    for shown in (cards_html, cards_text, cards_speech):
        assert shown([card], None).keys() == {card["id"]}  # type: ignore[operator]  # Their keywords differ.


def test_bars_are_as_long_as_their_figures_and_the_table_has_every_row() -> None:
    bars = chart_drawing(SCORES)["bars"]
    assert [bar["width"] for bar in bars] == [round(260 * 0.31), round(260 * 0.825)]
    html = render_chart(SCORES)
    assert html.count("<rect") == 2
    assert '<th scope="row">Mira | *x*</th><td>82.5</td>' in html
    assert '<th scope="row">Ada</th><td>–</td>' in html


def test_drawing_has_its_words_and_nothing_in_it_is_taken_for_markup() -> None:
    html = render_chart(SCORES)
    words = "Lowest: Tom, 31%. Highest: <b>Mira</b>, 82.5%."
    assert chart_words(SCORES) == words
    assert f'role="img" aria-label="Mastery of equal parts. {escape(words)}"' in html
    assert "<b>" not in html
    assert "style=" not in html


def test_line_goes_from_the_first_week_to_the_last() -> None:
    drawing = chart_drawing(WEEKS)
    assert drawing["line"].count("L") == 2
    assert drawing["last"]["value"] == "16 minutes"
    assert chart_words(WEEKS) == "From 2 minutes (2 Nov) to 16 minutes (16 Nov)."
    assert '<path class="chart-line"' in render_chart(WEEKS)


def test_text_is_a_table_in_markdown_in_which_no_cell_breaks_the_row() -> None:
    (text,) = cards_text([wire(SCORES)], None).values()
    assert "| Learner | Score |\n| --- | --- |\n| Tom | 31 |" in text
    assert "| Mira \\| \\*x\\* | 82.5 |" in text
    assert text.endswith("Scores are estimates.")


def test_voice_reads_three_rows_and_counts_the_others() -> None:
    (speech,) = cards_speech([wire(SCORES)], None).values()
    assert "Tom. Score: 31." in speech
    assert "2 more rows are on the page." in speech
    assert "Zoe" not in speech


def test_table_without_rows_says_so_and_draws_nothing() -> None:
    assert chart_drawing(ALONE) == {}
    assert chart_words(ALONE) == ""
    html = render_chart(ALONE)
    assert "There are no figures for this yet." in html
    assert "<svg" not in html


def test_bars_too_many_to_compare_are_left_to_the_table() -> None:
    many = SCORES.model_copy(
        update={"points": [ChartPoint(label=str(number), value=number) for number in range(MOST_BARS + 3)]}
    )
    html = render_chart(many)
    assert html.count("<rect") == MOST_BARS
    assert "3 more rows are shown only in the table." in html


@given(
    st.lists(
        st.builds(ChartPoint, label=st.text(max_size=40), value=st.floats(0, 1e6, allow_nan=False)),
        min_size=1,
        max_size=80,
    ),
    st.sampled_from(["bar", "line"]),
    st.sampled_from(["", "%", "minutes"]),
)
def test_whatever_the_figures_the_drawing_stays_within_its_frame(points: Any, shape: Any, unit: str) -> None:
    drawing = chart_drawing(SCORES.model_copy(update={"points": points, "shape": shape, "unit": unit}))
    for bar in drawing.get("bars", ()):
        assert 0 <= bar["x"] + bar["width"] <= WIDTH
        assert 0 <= bar["y"] < drawing["height"]
    for spot in drawing.get("line", "").removeprefix("M").split("L") if shape == "line" else ():
        x, y = map(int, spot.split())
        assert 0 <= x <= WIDTH
        assert 0 <= y <= drawing["height"]


@pytest.mark.parametrize(
    ("most", "unit", "top"), [(31, "%", 100), (0, "", 1), (7, "", 10), (12, "minutes", 20), (200, "", 200)]
)
def test_axis_ends_at_a_round_figure(most: float, unit: str, top: float) -> None:
    assert highest_value(most, unit) == top


def test_svg_is_well_formed() -> None:
    for each in (SCORES, WEEKS):
        html = render_chart(each)
        svg = html[html.index("<svg") : html.index("</svg>") + len("</svg>")]
        assert ElementTree.fromstring(svg).tag == "svg"
