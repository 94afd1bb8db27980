"""`manage.py replay_responses`: a log in, one line of figures out."""

import random
import re
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given, settings
from hypothesis import strategies as st

from tutoring.mastery import knowledge_tracing
from tutoring.mastery.knowledge_tracing import AbilityEstimate, DifficultyOffset
from tutoring.mastery.parameter_fitting import prediction_scores
from tutoring.mastery.parameter_fitting.replay import LOGGED_PARAMETERS, Replay
from tutoring.mastery.parameter_fitting.response_logs import LONGEST_LINE, UnreadableLog, read_responses

HEADER = "user\titem\tskill\tcorrect\ttime\n"


def answers(learners=40, each=12, seed=1):
    """Learners who are right more and more often, on items of three skills."""
    rng = random.Random(seed)
    return [
        (f"u{learner}", f"i{rng.randrange(9)}", f"s{number % 3}", int(rng.random() < 0.3 + 0.05 * number))
        for learner in range(learners)
        for number in range(each)
    ]


def log(rows, *, ends="\n"):
    return HEADER.replace("\n", ends) + "".join("\t".join(map(str, (*row, ""))) + ends for row in rows)


@pytest.fixture
def replay(tmp_path, capsys):
    """Run the command on a log's bytes or text, and return the line that it prints."""

    def run(content, **options):
        path = tmp_path / "answers.tsv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        call_command("replay_responses", path, **options)
        return capsys.readouterr().out.strip()

    return run


def without_time(line):
    return re.sub(r"\S+ µs per update", "", line)


def refused(replay, content, **options):
    with pytest.raises(CommandError) as error:
        replay(content, **options)
    return str(error.value)


def test_line_has_the_shape_that_was_promised(replay):
    line = replay(log(answers()))
    assert re.fullmatch(r"auc 0\.\d{3} rmse 0\.\d{3} ece 0\.\d{3} answers 480 \d+\.\d µs per update", line)


def test_predictions_are_the_estimators_one_step_ahead(replay, tmp_path):
    rows = answers(learners=3)
    replay(log(rows), predictions=tmp_path / "chances")
    abilities, items, beliefs, expected = {}, {}, {}, []
    for user, item, skill, correct in rows:
        ability = abilities.get(user, AbilityEstimate())
        update = knowledge_tracing.observe(
            beliefs.get((user, skill)) or knowledge_tracing.initial_belief(ability, LOGGED_PARAMETERS),
            ability=ability, item=items.get(item, DifficultyOffset()), correct=bool(correct),
            kind="constructed", template=item, assisted=False, skill=LOGGED_PARAMETERS,
        )  # fmt: skip
        beliefs[user, skill], abilities[user], items[item] = update.belief, update.ability, update.item
        expected.append(update.predicted)
    assert [float(line) for line in (tmp_path / "chances").read_text().split()] == pytest.approx(expected, abs=1e-6)


def test_priors_of_logs_are_those_that_were_measured():
    first = knowledge_tracing.predict_answer(
        knowledge_tracing.initial_belief(None, LOGGED_PARAMETERS),
        ability=AbilityEstimate(),
        item=DifficultyOffset(),
        kind="constructed",
        skill=LOGGED_PARAMETERS,
    )
    assert (first.known, first.unknown) == (pytest.approx(0.86), pytest.approx(0.40))
    assert (LOGGED_PARAMETERS.initial, LOGGED_PARAMETERS.learn, LOGGED_PARAMETERS.forget) == (0.5, 0.1, 0.02)


def test_warm_answers_are_learned_from_and_not_scored(replay, tmp_path):
    rows = answers()
    (tmp_path / "warm.tsv").write_text(log(rows[:240]))
    replay(log(rows), predictions=tmp_path / "whole")
    line = replay(log(rows[240:]), warm=tmp_path / "warm.tsv", predictions=tmp_path / "half")
    assert "answers 240 " in line
    assert (tmp_path / "half").read_text().split() == (tmp_path / "whole").read_text().split()[240:]


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + log(answers()).encode(),
        log(answers(), ends="\r\n"),
        log(answers(), ends="\r"),
        log(answers()).replace("\n", "\n\n"),
        log(answers()).replace("\t\n", "\n"),
        log(answers()).replace("\t", ","),
        re.sub(r"u\d+", lambda found: f'"{found[0]}"', log(answers())),
        re.sub(r"i\d", lambda found: f'"{found[0]}, the\t""hard"" one"', log(answers()).replace("\t", ",")),
        re.sub(r"\t([01])\t", r"\t \1.0\t", log(answers())),
        "Correct,note,skill,USER,item\n" + "".join(f"{row[3]},x,{row[2]},{row[0]},{row[1]}\n" for row in answers()),
        log(answers()).encode().replace(b"i1", b"\xe9\xff"),
    ],
    ids=[
        "BOM", "CRLF", "CR", "blank lines", "short lines", "commas", "quotes", "quoted commas", "decimals",
        "other columns", "another encoding",
    ],
)  # fmt: skip
def test_spelling_of_a_log_changes_nothing(replay, content):
    assert without_time(replay(content)) == without_time(replay(log(answers())))


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("u\ti\ts\t2\t", "line 3: correct must be 0 or 1, not '2'"),
        ("u\ti\ts\t\t", "line 3: correct must be 0 or 1, not ''"),
        ("u\ti\ts", "line 3: no correct"),
        ("u\t \ts\t1\t", "line 3: no item"),
        ("u\ti\ts\t1\t\textra", "line 3: 6 values, but the header names 5"),
        ('"u\ti\ts\t1\t', "line 3: unexpected end of data"),
        ("u" * LONGEST_LINE + "\ti\ts\t1\t", "line 3: longer than 131,072 characters"),
    ],
)
def test_bad_line_is_named_and_nothing_is_written(replay, tmp_path, row, reason):
    found = refused(replay, f"{HEADER}u\ti\ts\t1\t\n{row}\nu\ti\ts\t0\t\n", predictions=tmp_path / "chances")
    if row.startswith('"'):  # What is in quotes may hold tabs and ends of lines: it began on line 3.
        reason = "line 3: "
    assert reason in found
    assert sorted(path.name for path in tmp_path.iterdir()) == ["answers.tsv"]


@pytest.mark.parametrize("content", ["", "\n", "user,item,skill\n", "user,user,item,skill,correct\n", "\0\1"])
def test_log_without_its_columns_is_refused(replay, content):
    assert "line 1: each of user, item, skill, correct must be a column exactly once" in refused(replay, content)


def test_log_that_says_too_little_has_no_made_up_figures(replay):
    assert replay(HEADER) == "auc n/a rmse n/a ece n/a answers 0 n/a µs per update"
    assert replay(log([("u", "i", "s", 1)] * 5)).startswith("auc n/a rmse 0.")


def test_missing_file_and_folder_are_named(replay, tmp_path):
    with pytest.raises(CommandError, match=r"nowhere\.tsv: No such file"):
        call_command("replay_responses", tmp_path / "nowhere.tsv")
    assert "No such file" in refused(replay, log(answers()), predictions=tmp_path / "no" / "chances")


def test_a_log_is_never_written_over(replay, tmp_path):
    content = log(answers())
    assert "would be overwritten" in refused(replay, content, predictions=tmp_path / "answers.tsv")
    assert (tmp_path / "answers.tsv").read_text() == content


def test_predictions_go_to_a_device_too(replay):
    assert "answers 480" in replay(log(answers()), predictions=Path("/dev/null"))


@settings(max_examples=30)
@given(st.lists(st.text(alphabet='u01\t,"\r\n \0', max_size=12), max_size=6))
def test_any_text_is_read_or_refused_with_its_line(lines):
    ends = sum(line.count("\n") + line.count("\r") + 1 for line in lines)
    assert 2 <= _end_of(lines) <= 2 + ends


def _end_of(lines):
    """Return the line that no answer is read after."""
    try:
        found = list(read_responses([HEADER, *(f"{line}\n" for line in lines)]))
    except UnreadableLog as error:
        return error.line
    return 2 + len(found)


def test_what_a_log_costs_does_not_grow_with_its_answers():
    """Beliefs are held by learner and skill, never by answer."""
    replay = Replay(otherwise=LOGGED_PARAMETERS)
    for number in range(2_000):
        replay.answer("u", f"i{number % 5}", "s", number % 3 > 0)
    assert [len(held) for held in (replay._abilities, replay._items, replay._beliefs)] == [1, 5, 1]
    assert all(len(belief.templates) == 1 for belief in replay._beliefs.values())


@given(st.lists(st.tuples(st.sampled_from([0.1, 0.25, 0.5, 0.9]), st.booleans()), max_size=30))
@settings(max_examples=40)
def test_auc_is_the_share_of_pairs_in_order(pairs):
    right = [chance for chance, correct in pairs if correct]
    wrong = [chance for chance, correct in pairs if not correct]
    found = prediction_scores.auc([chance for chance, _ in pairs], [correct for _, correct in pairs])
    if not right or not wrong:
        assert found is None
    else:
        ordered = sum((a > b) + (a == b) / 2 for a in right for b in wrong)
        assert found == pytest.approx(ordered / (len(right) * len(wrong)))


def test_figures_are_what_their_names_say():
    chances, answered = [0.8, 0.8, 0.8, 0.8, 0.3], [1, 1, 1, 0, 0]
    assert prediction_scores.calibration_error(chances, answered) == pytest.approx((4 * 0.05 + 0.3) / 5)
    assert prediction_scores.rmse([1.0, 0.5], [1, 0]) == pytest.approx(0.125**0.5)
    assert prediction_scores.log_loss([0.5, 0.25], [1, 0]) == pytest.approx(0.5 * (0.6931471806 + 0.2876820724))
