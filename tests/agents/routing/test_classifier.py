"""The small classifier: fitted on a handful of examples, with the sentence model and without."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from agents.errors import EmbeddingModelMissing
from agents.local_models import embeddings
from agents.routing import calibration
from agents.routing.calibration import Matrix
from agents.routing.classifier import Classifier, load_classifier
from agents.routing.features import ExamplesUnreadable, probabilities, read_examples
from agents.routing.training import are_weights_current, fit_weights, save_weights
from tutoring.mastery.parameter_fitting.prediction_scores import calibration_error

EXAMPLES = {
    "food": ["what is for lunch", "cook some rice", "a recipe with carrots", "I am hungry", "bake a cake", "order pizza",
             "how long do eggs boil", "dinner ideas please"],
    "travel": ["book a train to Rome", "a cheap flight", "which hotel is near the sea", "pack my suitcase",
               "when does the bus leave", "I need a visa", "rent a car for the trip", "a map of Paris"],
    "none": ["asdf jkl", "lol", "what is seven times eight", "who painted this", "my phone is broken", "tell me a joke",
             "is it raining", "sing a song"],
}  # fmt: skip


@pytest.fixture(scope="module")
def with_model() -> Classifier:
    return Classifier(fit_weights(EXAMPLES))


@pytest.mark.parametrize(
    ("text", "label"),
    [("we want to eat soup tonight", "food"), ("fly me to Lisbon", "travel"), ("qwer uiop", None)],
)
def test_the_model_hears_what_shares_no_word(with_model: Classifier, text: str, label: str | None) -> None:
    assert with_model.uses_model
    assert with_model.classify(text).label == label


def test_without_the_model_words_decide() -> None:
    by_words = Classifier(fit_weights(EXAMPLES, with_model=False))
    assert not by_words.uses_model
    assert by_words.classify("a recipe for lunch with rice").label == "food"
    assert by_words.classify("book a hotel in Rome").label == "travel"


def test_where_the_model_is_missing_words_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(texts: object) -> None:
        raise EmbeddingModelMissing

    monkeypatch.setattr(embeddings, "embed", missing)
    assert not Classifier(fit_weights(EXAMPLES)).uses_model


def test_examples_are_surer_than_what_lies_between(with_model: Classifier) -> None:
    clear, mixed = with_model.classify("bake a cake"), with_model.classify("eat on the train")
    assert 0 <= mixed.confidence < clear.confidence <= 1


def test_fitting_twice_gives_the_same(with_model: Classifier) -> None:
    again = Classifier(fit_weights(EXAMPLES))
    assert again.classify("a snack on the plane") == with_model.classify("a snack on the plane")


@pytest.mark.parametrize("text", ["", "\ud800", "\x00", "a" * 10_000, "🍕" * 500])
def test_any_text_has_an_answer(with_model: Classifier, text: str) -> None:
    assert 0 <= with_model.classify(text).confidence <= 1


def test_a_file_of_examples_is_fitted_once(tmp_path: Path) -> None:
    path = tmp_path / "examples.yaml"
    path.write_text("food: [rice, soup]\nnone: [lol, hm]\n")
    assert read_examples(path) == {"food": ("rice", "soup"), "none": ("lol", "hm")}
    assert load_classifier(path, with_model=False) is load_classifier(path, with_model=False)


def test_what_is_kept_says_the_same_until_the_examples_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "examples.yaml"
    path.write_text("food: [rice, soup, cake]\ntravel: [train, hotel, bus]\nnone: [lol, hm, asdf]\n")
    assert not are_weights_current(path)
    fitted = Classifier(fit_weights(read_examples(path))).classify("bread")
    save_weights(path)
    assert are_weights_current(path)
    with monkeypatch.context() as patched:
        patched.setattr("agents.routing.classifier.fit_weights", lambda *_args, **_options: pytest.fail("it was kept"))
        kept = load_classifier(path).classify("bread")
    assert kept.label == fitted.label
    assert kept.confidence == pytest.approx(fitted.confidence, abs=0.01)
    path.write_text("food: [rice]\nnone: [lol]\n")
    assert not are_weights_current(path)


def test_a_damaged_keepsake_is_no_keepsake(tmp_path: Path) -> None:
    path = tmp_path / "examples.yaml"
    path.write_text("food: [rice, soup]\nnone: [lol, hm]\n")
    path.with_suffix(".npz").write_bytes(b"damaged")
    assert not are_weights_current(path)


@pytest.mark.parametrize("text", ["", "- a\n- b", "food: rice", "food: []", "food: [1, 2]"])
def test_another_shape_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "examples.yaml"
    path.write_text(text)
    with pytest.raises(ExamplesUnreadable, match="a mapping from labels"):
        read_examples(path)


def drawn(labels: int, rows: int, *, worth: float, seed: int) -> tuple[Matrix, NDArray[np.intp]]:
    """Return scores and labels drawn by them: a score is worth so much on the logit scale."""
    random = np.random.default_rng(seed)
    scores = random.normal(0.1, 0.06, (rows, labels))
    scores[np.arange(rows), random.integers(0, labels, rows)] += random.uniform(0, 0.6, rows)
    chances = probabilities(scores, np.vstack([worth * np.eye(labels), np.zeros(labels)]))
    return scores, (chances.cumsum(axis=1) > random.random((rows, 1))).argmax(axis=1)


@pytest.mark.parametrize(("labels", "rows"), [(4, 400), (150, 3000), (150, 600)])
def test_confidence_is_calibrated_however_many_labels(labels: int, rows: int) -> None:
    scores, truth = drawn(labels, rows, worth=22, seed=1)
    weights = calibration.fit_calibration(scores, truth, nowhere=None)
    unseen, right = drawn(labels, 2000, worth=22, seed=2)
    likely = probabilities(unseen, weights)
    assert (calibration_error(likely.max(axis=1), likely.argmax(axis=1) == right) or 0.0) < 0.06


def test_what_belongs_nowhere_is_turned_away_from_the_validated_threshold() -> None:
    """Scores that say too little of what belongs nowhere: a half is the wrong place to cut."""
    random = np.random.default_rng(4)
    truth = random.integers(0, 5, 1500)
    scores = random.normal(0.1, 0.1, (1500, 5))
    scores[np.arange(1500), truth] += np.where(truth == 4, 0.02, 0.3)
    scores[:, 4] += 0.15
    cut = calibration.fit_scope_threshold(scores, truth, nowhere=4)
    likely = probabilities(scores, calibration.fit_calibration(scores, truth, nowhere=4))
    elsewhere = likely[:, :4].argmax(axis=1)

    def right(at: float) -> float:
        return float(np.mean(np.where(likely[:, 4] >= at, 4, elsewhere) == truth))

    assert 0 < cut < 1
    assert right(cut) >= max(right(0.5), right(0.3), right(0.7)) - 0.01


@pytest.mark.parametrize("rows", [1, 4])
def test_a_handful_of_examples_has_a_threshold(rows: int) -> None:
    scores = np.eye(2)[np.arange(rows) % 2]
    assert 0 <= calibration.fit_scope_threshold(scores, np.arange(rows) % 2, nowhere=1) <= 1
