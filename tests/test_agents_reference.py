from tests import agents_reference


def test_reference_is_up_to_date():
    assert agents_reference.PAGE.read_text(encoding="utf-8") == agents_reference.page(), (
        "run python -m tests.agents_reference"
    )
