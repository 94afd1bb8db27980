"""The facts for a placement turn, from rows, and what a placement stores."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from conversations.models import Turn
from tutoring.courses.catalogue import ConceptContent as ConceptValue
from tutoring.courses.catalogue import CourseContent as CourseValue
from tutoring.courses.catalogue import Template
from tutoring.courses.exercises.exercise import Exercise
from tutoring.courses.exercises.generator import make_exercise
from tutoring.dialogue import transitions, turn_undo
from tutoring.dialogue.queries import lesson_facts
from tutoring.dialogue.queries.system_record import describe_record
from tutoring.dialogue.queries.turn_rows import TurnRows, lesson_of
from tutoring.lesson.facts import DiagnosisFacts
from tutoring.lesson.placement import PLACEMENT_KEY, Placement, placement_of
from tutoring.lesson.response_plan import DEFAULT_RESPONSE, PlacementRequest, ResponsePlan
from tutoring.lesson.turn_results import DiagnosticTurn, PlacementOutcome
from tutoring.mastery import placement as rules
from tutoring.mastery.knowledge_tracing import guess_chance, mastery_score
from tutoring.mastery.placement import PlacementAnswer
from tutoring.mastery.prerequisites import all_prerequisites, subgraph
from tutoring.mastery.records import goals, path_planning, progress
from tutoring.mastery.records.evidence import kind_as_answered
from tutoring.mastery.records.lesson_settings import threshold_in
from tutoring.mastery.records.withdrawals import askable_content
from tutoring.models import Attempt, Concept, Course, DiagnosticResult, Goal, KnowledgeGap, Lesson, Mastery, Question

CLAIMED = "claimed"
"""In a turn's payload: the concept that the learner says to know."""
WORTH_PLACING = 4
"""Number of unknown concepts from which questions find the starting point sooner than a lesson does."""
RECORDED = 3
"""Answers from which a concept is not asked about again: its mastery is used as it is."""
MORE_LIKELY_NOT = 0.4
"""Probability (0–1) of knowing, below which a placement has found a gap, and not only missing knowledge."""
PLACEMENT_STATE_KEYS = frozenset(
    {
        PLACEMENT_KEY, "current_topic", "goals", "prerequisite_gaps", "diagnostic_complete", "learner_level",
        "learning_path", "next_topic", "path_reasoning",
    }
)  # fmt: skip
"""Fields of the shared state that a turn starting a placement writes."""


def is_placement_worthwhile(learner_id: int, topic: Concept) -> bool:
    """Tell whether so much below the topic is unknown, or recorded as not known, that a placement is worth it."""
    return has_unknown_foundation(topic.course, topic.slug, path_planning.masteries_in(learner_id, topic.course))


def has_unknown_foundation(course: Course, topic: str, masteries: Mapping[str, Mastery]) -> bool:
    """Tell the same by the learner's masteries in the course."""
    below = all_prerequisites(course.catalogue().requires, [topic])
    met = [masteries[each] for each in below if each in masteries]
    return len(below) - len(met) >= WORTH_PLACING


def has_recorded_gap(course: Course, topic: str, masteries: Mapping[str, Mastery]) -> bool:
    """Tell whether something below the topic is recorded as not known: the path starts with it."""
    below = all_prerequisites(course.catalogue().requires, [topic])
    return any(masteries[each].probability < MORE_LIKELY_NOT for each in below if each in masteries)


def stopped_topic(turn: Turn, lesson: Lesson) -> Concept | None:
    """Return the topic of a placement that the learner has stopped, so that it can go on; None without one."""
    held = placement_of(turn.session.state)
    if held.ended != "stopped" or len(held.answers) >= held.most:
        return None
    return lesson.concept.course.concepts.select_related("course").filter(slug=held.topic).first()


def gather_diagnosis_facts(rows: TurnRows, topic: Concept, served: ResponsePlan = DEFAULT_RESPONSE) -> DiagnosisFacts:
    """Gather a turn's facts; `topic` comes with its course. About eight queries."""
    turn, course = rows.turn, askable_content(topic.course, rows.turn.owner_id)
    attempt = rows.attempt
    before = placement_of(turn.session.state)
    begins = not before.under_way or before.topic != topic.slug
    wants = served.wish
    replaced = _replaced(turn, topic, instead="instead" in served.commands) if begins else []
    # A question left open by a lesson is closed when a placement starts.
    question = attempt.question if attempt else None if begins else rows.question
    placement = _placement(turn, topic, attempt or _left_behind(turn, question), begins=begins)
    masteries = path_planning.masteries_in(turn.owner_id, topic.course)
    graph = _graph(course, topic.slug)
    known = _marginals(graph, placement, masteries, level=_stated_level(turn, masteries))
    ending = _ending(turn, topic, placement, known, graph, masteries, wants=wants, begins=begins)
    placed = rules.starting_probabilities(known, ending="novice" if ending == "novice" else None)
    if not placement.answers:
        placed |= {each: row.probability for each, row in masteries.items() if each in graph}
    threshold = threshold_in(turn.session.state, default=course.threshold)
    return DiagnosisFacts(
        turn_id=str(turn.pk),
        seed=lesson_facts.turn_seed(turn),
        told=rows.told,
        course=course,
        topic=topic.value(),
        placement=replace(placement, ended=ending),
        exercise=None
        if ending or (question and question.is_open)
        else _next_exercise(turn, course, placement, known, masteries, first=_first_asked(turn, topic, masteries)),
        path=path_planning.plan_path(
            turn.owner_id,
            topic.course,
            masteries=masteries,
            placed=placed if placement.answers else None,
            goals=_goals(turn, topic, replaced),
        ),
        probabilities=placed if placement.answers else {},
        level=_topic_level(turn, topic, placement, placed, masteries),
        own_level=rows.lesson.own_level if rows.lesson else "",
        gaps=_supported_gaps(rules.find_gaps(graph, topic.slug, placed, threshold=threshold), placement, masteries),
        recommendations=rules.recommendations(graph, topic.slug, placed) if placement.answers else (),
        asked=lesson_facts.asked_question(rows, question),
        answered=lesson_facts.judged_answer(attempt) if attempt else None,
        unreadable=turn.payload.get("unreadable", ""),
        text=rows.text,
        record=describe_record(rows, served) if rows.text and not begins else (),
        served=served,
        wants=wants,
        begins=begins,
        replaced_goals=tuple(goal.concept.title for goal in replaced),
    )


def _topic_level(
    turn: Turn, topic: Concept, placement: Placement, placed: Mapping[str, float], masteries: Mapping[str, Mastery]
) -> rules.Level:
    """Return the level at which the topic's lesson would start, by its prerequisites and the answers on it."""
    below = [each for each in placed if each != topic.slug]
    answers = len(placement.answers) + sum(each in masteries for each in below)
    general = rules.learner_level([placed[each] for each in below], answers=answers)
    if general == "unknown":
        return general
    own = [bool(each.correct) for each in placement.answers if each.concept == topic.slug and not each.claimed]
    young = getattr(turn.owner, "age_band", "child") == "child"
    return rules.concept_level(
        general, shown=own[-1] if own else None, probability=placed.get(topic.slug, 0.0), young=young
    )


def _left_behind(turn: Turn, question: Question | None) -> Attempt | None:
    """Return the answer that no turn has processed, since its own was stopped; None if none waits."""
    held = placement_of(turn.session.state)
    if question is not None or len(held.templates) <= len(held.answers):
        return None
    attempts = Attempt.objects.filter(question__session=turn.session, question__purpose=Question.Purpose.PLACEMENT)
    last = attempts.select_related("question__concept").order_by("-pk").first()
    return last if last is not None and last.question.template == held.templates[-1] else None


def _placement(turn: Turn, topic: Concept, attempt: Attempt | None, *, begins: bool) -> Placement:
    """Return the placement with this turn's answer."""
    held = placement_of(turn.session.state)
    if begins and held.ended == "stopped" and held.topic == topic.slug:
        held = replace(held, ended="", recorded=len(held.answers))
    elif begins and held.under_way:
        held = replace(held, topic=topic.slug, most=_most_questions(topic))
    elif begins:
        held = Placement(topic=topic.slug, most=_most_questions(topic))
    if claimed := turn.payload.get(CLAIMED):
        return replace(held, answers=(*held.answers, rules.claim_known(claimed)))
    if attempt is None or attempt.question.purpose != Question.Purpose.PLACEMENT:
        return held
    guess = guess_chance(kind_as_answered(attempt.question))
    correct = None if attempt.gave_up else attempt.correct
    answer = PlacementAnswer(concept=attempt.question.concept.slug, correct=correct, guess=guess)
    return replace(held, answers=(*held.answers, answer))


def _most_questions(topic: Concept) -> int:
    return rules.max_questions(len(_graph(topic.course.catalogue(), topic.slug)))


def _supported_gaps(
    gaps: Iterable[rules.Gap], placement: Placement, masteries: Mapping[str, Mastery]
) -> tuple[rules.Gap, ...]:
    """Return the gaps with evidence: without an answer only those on record, and none that is mastered."""
    if placement.answers:
        return tuple(gaps)
    return tuple(each for each in gaps if (row := masteries.get(each.concept)) and not row.is_mastered)


def _graph(course: CourseValue, topic: str) -> Mapping[str, tuple[str, ...]]:
    requires = course.requires
    return subgraph(requires, all_prerequisites(requires, [topic]) | {topic})


def _stated_level(turn: Turn, masteries: Mapping[str, Mastery]) -> str:
    """Return the level that the learner states; unknown once something is on record, because that is more reliable."""
    return "unknown" if masteries else turn.owner.level


def _marginals(
    graph: Mapping[str, tuple[str, ...]], placement: Placement, masteries: Mapping[str, Mastery], *, level: str
) -> dict[str, float]:
    """Return what the answers say about each concept, starting from the record of lessons and placements."""
    recorded = {slug: row.probability for slug, row in masteries.items()}
    return rules.marginals(
        rules.knowledge_pool(graph, level=level), placement.answers[placement.recorded :], recorded=recorded
    )


def _ending(
    turn: Turn,
    topic: Concept,
    placement: Placement,
    known: Mapping[str, float],
    graph: Mapping[str, tuple[str, ...]],
    masteries: Mapping[str, Mastery],
    *,
    wants: PlacementRequest,
    begins: bool,
) -> str:
    """Return how the placement ends in this turn; empty while it goes on."""
    if wants == "stop":
        return "stopped"
    if begins and not placement.answers and not is_placement_worthwhile(turn.owner_id, topic):
        return "settled"
    askable = _guesses(topic.course.catalogue(), masteries, graph)
    over = rules.placement_ending(known, placement.answers, level=_stated_level(turn, masteries), goal=topic.slug)
    return over or ("" if rules.next_concept(known, placement.answers, guesses=askable) else "settled")


def _guesses(course: CourseValue, masteries: Mapping[str, Mastery], concepts: Mapping[str, object]) -> dict[str, float]:
    """Return the concepts that may be asked about, each with the chance to guess its question."""
    unrecorded = [each for each in concepts if each not in masteries or masteries[each].answers < RECORDED]
    banks = {each: _bank(course.concept(each)) for each in unrecorded}
    return {each: guess_chance(_kind(bank[0])) for each, bank in banks.items() if bank}


def _next_exercise(
    turn: Turn,
    course: CourseValue,
    placement: Placement,
    known: Mapping[str, float],
    masteries: Mapping[str, Mastery],
    *,
    first: str,
) -> Exercise | None:
    """Return the most informative question: a template not asked in this placement, the same for the same turn."""
    guesses = _guesses(course, masteries, known)
    concept = rules.next_concept(known, placement.answers, guesses=guesses, first=first)
    if concept is None:
        return None
    bank = _bank(course.concept(concept))
    fresh = [template for template in bank if template.id not in placement.templates] or bank
    return make_exercise(fresh[0], seed=lesson_facts.turn_seed(turn), course=course)


def _first_asked(turn: Turn, topic: Concept, masteries: Mapping[str, Mastery]) -> str:
    """Return the goal, which is asked first; nothing for self-declared beginners, who begin with what is easier."""
    return "" if _stated_level(turn, masteries) == "beginner" else topic.slug


def _bank(concept: ConceptValue) -> list[Template]:
    """Return the templates a placement may ask, in order: answers to construct before answers to choose.

    Things to deal out take a press each, and programs take minutes: they are asked only where there is nothing else.
    """
    judged = [template for template in concept.templates if template.kind not in ("text", "steps")]
    quick = [template for template in judged if template.kind not in ("share", "code")] or judged
    return sorted(quick, key=lambda each: (not each.constructed, each.difficulty != "medium", each.id))


def _kind(template: Template) -> str:
    return f"choice{len(template.choices)}" if template.kind == "choice" else template.kind


def _goals(turn: Turn, topic: Concept, replaced: Iterable[Goal]) -> list[str]:
    """Return the learner's goals with this topic, and without those it replaces."""
    gone = {goal.concept.slug for goal in replaced if goal.concept.course_id == topic.course_id}
    held = (each for each in path_planning.open_goals(turn.owner_id, topic.course) if each not in gone)
    return list(dict.fromkeys((*held, topic.slug)))


def _replaced(turn: Turn, topic: Concept, *, instead: bool) -> list[Goal]:
    """Return the goals that a new topic replaces: those that the conversation is about.

    A mastered goal is not replaced: it is reached.
    """
    lesson = lesson_of(turn.session) if instead else None
    if lesson is None:
        return []
    requires = lesson.concept.course.catalogue().requires
    aims = Goal.objects.open().filter(learner_id=turn.owner_id).exclude(concept=topic)
    aims = aims.select_related("concept__course").defer("concept__course__content")
    on_the_way = [
        goal
        for goal in aims
        if goal.session_id == turn.session_id
        or (
            goal.concept.course_id == lesson.concept.course_id
            and lesson.concept.slug in all_prerequisites(requires, [goal.concept.slug]) | {goal.concept.slug}
        )
    ]
    rows = Mastery.objects.filter(learner_id=turn.owner_id, concept__in=[goal.concept_id for goal in on_the_way])
    rows = rows.select_related("concept__course").defer("concept__course__content")
    mastered = {row.concept_id for row in rows if row.is_mastered}
    return [goal for goal in on_the_way if goal.concept_id not in mastered]


# --- What is kept of it ---


def store_diagnosis(turn: Turn, diagnosed: DiagnosticTurn) -> None:
    """Store the diagnostic's decision: a new topic, the next question, the end; the caller saves the session."""
    if diagnosed.begins and not _begin(turn, diagnosed):
        _restore_position(turn)
        return
    lesson = lesson_of(turn.session)
    if lesson is None:
        return
    topic = lesson.concept
    if new := diagnosed.new_question:
        # A question on a concept that no longer exists was never asked: the next message brings another.
        for concept in topic.course.concepts.filter(slug=new.exercise.concept):
            progress.open_question(
                learner=turn.owner,
                session=turn.session,
                turn=turn,
                concept=concept,
                instance=new.exercise,
                purpose=new.purpose,
                number=new.number,
                total=new.total,
                checks_claim=new.checks_claim,
            )
    if diagnosed.placed is not None:
        transitions.restart_with_tutor(turn)
        _store_result(turn, topic, diagnosed.placed)


def _begin(turn: Turn, diagnosed: DiagnosticTurn) -> bool:
    """Set the conversation's topic and make it a goal; False if it no longer exists."""
    session = turn.session
    rows = Concept.objects.select_related("course").filter(course__slug=diagnosed.course, slug=diagnosed.topic)
    if (topic := rows.first()) is None:
        return False
    if instead_of := _replaced(turn, topic, instead=bool(diagnosed.set_aside)):
        turn.payload[turn_undo.REPLACED_GOALS] = goals.drop_replaced_goals(instead_of)
    lesson = lesson_of(session)
    if lesson is None:
        progress.begin_lesson(turn.owner, topic, session)
        turn.payload[turn_undo.BEGAN_LESSON] = True
    else:
        transitions.switch_concept(turn, lesson, topic)
    goal, is_new = goals.set_goal(turn.owner, topic, words=diagnosed.words, session=session)
    if is_new:
        turn.payload[turn_undo.SET_GOAL] = goal.pk
    turn.save(update_fields=["payload"])
    return True


def _restore_position(turn: Turn) -> None:
    """Restore the conversation to its state before the turn, because the topic no longer exists."""
    before, state = turn.before.get("state", {}), turn.session.state
    for key in PLACEMENT_STATE_KEYS & state.keys():
        if key in before:
            state[key] = before[key]
        else:
            del state[key]


def _store_result(turn: Turn, topic: Concept, found: PlacementOutcome) -> None:
    """Store the result of a finished placement; the turn remembers it and can no longer be edited.

    Earlier lesson answers stand; for the rest, the belief starts from the placement's result.
    """
    rows = {row.slug: row for row in topic.course.concepts.all()}
    gaps = [gap for gap in found.gaps if gap["concept"] in rows]
    threshold = threshold_in(turn.session.state, default=topic.course.catalogue().threshold)
    for slug, probability in found.probabilities.items():
        if slug not in rows:
            continue
        believed = {"probability": probability, "placed": probability}
        row, is_new = Mastery.objects.get_or_create(
            learner_id=turn.owner_id, concept=rows[slug], defaults={**believed, "threshold": threshold}
        )
        if not is_new and not row.answers:
            is_known = probability >= rules.TAKEN_AS_KNOWN
            believed_anew = believed | ({"disowned_at": None} if is_known else {})
            Mastery.objects.filter(pk=row.pk, answers=0).update(**believed_anew)
    DiagnosticResult.objects.create(
        learner_id=turn.owner_id,
        session=turn.session,
        topic=topic,
        prerequisite_gaps=gaps,
        learner_level=found.level,
        recommendations=found.recommendations,
        questions=found.questions,
        ended=found.ended,
    )
    # A concept with even chances is a gap for the path, but not one that was shown.
    seen = [gap for gap in gaps if gap["current"] < mastery_score(MORE_LIKELY_NOT)]
    for gap in seen:
        KnowledgeGap.objects.get_or_create(
            learner_id=turn.owner_id,
            concept=rows[gap["concept"]],
            resolved_at=None,
            defaults={
                "session": turn.session,
                "source": KnowledgeGap.Source.DIAGNOSTIC,
                "current": gap["current"],
                "required": gap["required"],
            },
        )
    turn.payload[turn_undo.PLACED] = True
    turn.save(update_fields=["payload"])
