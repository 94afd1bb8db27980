"""Buttons with what may be said next."""

from tutoring.pages.cards.rendering import replies_html


def test_code_of_a_button_is_shown_as_code_and_nothing_else_is_markup() -> None:
    html = replies_html([{"id": "c1", "options": ["`x == 1 or 2` compares *both* <b>"]}], None, None)["c1"]
    assert 'value="`x == 1 or 2` compares *both* &lt;b&gt;"' in html
    assert "><code>x == 1 or 2</code> compares *both* &lt;b&gt;</button>" in html


def test_button_shows_its_label_and_says_its_option() -> None:
    card = {
        "id": "c1",
        "options": ["I want to learn: One half", "I want to learn: Wholes"],
        "labels": ["One half", "Wholes"],
    }
    html = replies_html([card], None, None)["c1"]
    assert 'value="I want to learn: One half"' in html
    assert ">One half</button>" in html
