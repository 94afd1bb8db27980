"""Fixed replies to a learner who may be in danger or asks for something unsafe, by kind and age.

No model rewords them, and they repeat none of the learner's words.
"""

from collections.abc import Callable, Sequence
from typing import Final, Literal, cast

from django.utils.translation import gettext as _

from tutoring.understanding.message_analysis import ConcernKind

type Age = Literal["child", "teen", "adult"]

AGES: Final[tuple[Age, ...]] = ("child", "teen", "adult")


def age_of(person: object) -> Age:
    """Return the age band of a person's account; without an account a child's, whose words fit everybody."""
    band = getattr(person, "age_band", "child")
    return cast("Age", band) if band in AGES else "child"


def concern_words(kind: ConcernKind, age: Age, *, told: bool, contacts: Sequence[tuple[str, str]]) -> list[str]:
    """Return the paragraphs of the reply; `contacts` are classes by name, with the contact that their teachers gave."""
    said = [*_said[kind](age)]
    if told:
        said.append(_("Your teacher will be told that you may need help, but not what you wrote."))
    if kind != "unsafe_request":
        said += _contacts(contacts)
    return [*said, _on()]


def asking_words(age: Age, *, contacts: Sequence[tuple[str, str]]) -> list[str]:
    """Return the paragraphs if it is not clear that something is wrong: one kind question, and who to talk to."""
    return [
        _("Thank you for telling me that. I’m not sure I understood you. Are you okay?"),
        _("I’m a learning program. If something is wrong, a real person can help you better than I can.")
        + " "
        + _talk_to(age),
        _("If you or someone else is in danger, call 112 or 911, or your local emergency number."),
        *_contacts(contacts),
        _("If everything is fine, we can continue the lesson."),
    ]


def _contacts(contacts: Sequence[tuple[str, str]]) -> list[str]:
    return [
        _("Who you can talk to in %(classroom)s: %(contact)s") % {"classroom": name, "contact": contact}
        for name, contact in contacts
    ]


def _to_self(age: Age) -> list[str]:
    return [
        _("Thank you for telling me this. I take it seriously, and nobody should blame you for it."),
        f"{_no_person()} {_trusted(age)}",
        f"{_call_if()} {_also_for_others()}",
    ]


def _by_others(age: Age) -> list[str]:
    return [
        _(
            "Thank you for telling me this. I take it seriously. Nobody is allowed to hurt you, and it’s not your "
            "fault."
        ),
        f"{_no_person()} {_trusted(age)} " + _("If the first person doesn’t listen, tell someone else."),
        f"{_call_if()} {_also_for_others()}",
    ]


def _danger(age: Age) -> list[str]:
    away = {
        "child": _("If you can, go to a grown-up near you, or to a place with other people."),
        "teen": _("If you can, go to an adult near you, or to a place with other people."),
        "adult": _("If you can, go to a place with other people, and tell someone near you."),
    }
    return [
        _("If you or someone else is in danger, call 112 or 911 now, or your local emergency number."),
        away[age],
        _("I take this seriously. I’m a learning program, so I can’t call anyone or come to you."),
    ]


def _unsafe(age: Age) -> list[str]:
    ask = {
        "child": _("If something is worrying you, talk to a grown-up you trust."),
        "teen": _("If something is worrying you, talk to an adult you trust."),
        "adult": _("If something is worrying you, talk to someone you trust."),
    }
    return [_("I can’t help with that, because someone could get hurt."), ask[age]]


_said: Final[dict[ConcernKind, Callable[[Age], list[str]]]] = {
    "danger_now": _danger,
    "harm_to_self": _to_self,
    "harm_by_others": _by_others,
    "unsafe_request": _unsafe,
}


def _no_person() -> str:
    return _("I’m a learning program. A real person can help you better.")


def _trusted(age: Age) -> str:
    match age:
        case "child":
            return _("Please tell a grown-up you trust today: someone at home or school, or a doctor.")
        case "teen":
            return _("Please tell an adult you trust today: someone at home or school, a doctor, or a friend’s parent.")
        case _:
            return _("Please tell someone you trust today, such as a person close to you or a doctor.")


def _talk_to(age: Age) -> str:
    match age:
        case "child":
            return _("You can talk to a grown-up you trust: someone at home or school, or a doctor.")
        case "teen":
            return _("You can talk to an adult you trust: someone at home or school, a doctor, or a friend’s parent.")
        case _:
            return _("You can talk to someone you trust, such as a person close to you or a doctor.")


def _call_if() -> str:
    return _("If you need help right now, call 112 or 911, or your local emergency number.")


def _also_for_others() -> str:
    return _("If someone else needs help, do the same for them.")


def _on() -> str:
    return _("The lesson will wait for you. If I misunderstood you, you can continue right away.")
