from tests import glossary


def test_every_class_of_the_engine_and_the_models_says_what_it_is():
    assert [name for name, _path, text in glossary.public_classes() if not text] == []


def test_glossary_is_up_to_date():
    assert glossary.PAGE.read_text(encoding="utf-8") == glossary.page(), "run python -m tests.glossary"


def test_terms_are_in_order_and_each_has_one_line():
    lines = glossary.TERMS.read_text(encoding="utf-8").splitlines()
    assert lines == sorted(lines)
    assert len(glossary.terms()) == len(lines)
