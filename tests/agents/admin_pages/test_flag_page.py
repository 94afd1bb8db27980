"""A flag's page: steps, warnings, the kill switch, plans, who is in, and what another open page is told."""

from collections.abc import Callable
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from agents.admin_pages.flag_figures import FEWEST_WITH, gates_of, stages_of, step_began
from agents.admin_pages.flag_page import describe_change
from agents.models import Flag, FlagChange, PlannedChange
from agents.rollout import guards
from agents.rollout.comparison import ComparedMetric, DaySeries, Metric
from agents.rollout.flags import change_flag, get_or_make_flag, is_enabled, make_flag
from agents.rollout.known_flags import STORAGE
from agents.rollout.ratio_test import RatioSums
from agents.rollout.rule import RolloutRule
from tests import people

pytestmark = [pytest.mark.db, pytest.mark.django_db]
NOW = datetime.fromisoformat("2026-03-04T12:00:00+00:00")


@pytest.fixture(autouse=True)
def _nothing_cached() -> None:
    cache.clear()


@pytest.fixture
def admin(client: Client, root: Any) -> Client:
    client.force_login(root)
    return client


def url(place: str = "", name: str = "multi_agent") -> str:
    return f"/admin/agents/flag/{get_or_make_flag(name).pk}/{place}"


def flag(name: str = "multi_agent") -> Flag:
    return get_or_make_flag(name)


def send(admin: Client, place: str, name: str = "multi_agent", **data: Any) -> Any:
    return admin.post(url(place, name), {"version": flag(name).version, **data})


# --- Steps ---


def test_the_page_shows_the_flag_as_a_setting_and_its_steps(admin: Client) -> None:
    change_flag("multi_agent", percent=Decimal(25))
    page = admin.get(url()).content.decode()
    assert "V2_TRAFFIC_PERCENTAGE = 25" in page
    assert "on for 25%" in page
    assert "Go to 50" in page


@pytest.mark.parametrize("percent", ["5", "25", "50", "75", "100"])
def test_a_step_is_one_click(admin: Client, percent: str, root: Any) -> None:
    change_flag("multi_agent", percent=Decimal(0))
    assert send(admin, "step/", percent=percent).status_code == 302
    assert flag().percent == Decimal(percent)
    assert FlagChange.objects.latest("pk").by == root


def test_a_step_up_that_looks_unwise_is_asked_back_about(admin: Client) -> None:
    change_flag("multi_agent", percent=Decimal(5))
    response = send(admin, "step/", percent="25")
    assert response.status_code == 200
    asked = response.content.decode()
    assert "Moving to 25 percent is not recommended yet" in asked
    assert "There are figures of only 0 people with it." in asked
    assert flag().percent == 5
    assert send(admin, "step/", percent="25", is_sure="on").status_code == 302
    assert flag().percent == 25


def test_a_step_down_is_never_asked_back_about(admin: Client) -> None:
    change_flag("multi_agent", percent=Decimal(50))
    assert send(admin, "step/", percent="5").status_code == 302
    assert flag().percent == 5


@pytest.mark.parametrize("percent", ["-1", "101", "abc", "0.001", ""])
def test_a_wrong_percentage_changes_nothing(admin: Client, percent: str) -> None:
    """R7, B7."""
    response = send(admin, "step/", percent=percent)
    assert response.status_code == 422
    assert "Enter a percentage from 0 to 100." in response.content.decode()
    assert flag().version == 1


@pytest.mark.parametrize(("place", "data"), [("step/", {"percent": "5"}), ("release/", {})])
def test_the_second_of_two_admins_is_told_of_the_first(admin: Client, place: str, data: dict[str, str]) -> None:
    """R7."""
    seen = flag().version
    change_flag("multi_agent", percent=Decimal(50), killed=True)
    response = send(admin, place, **data, version=seen)
    assert response.status_code == 409
    assert "Someone else changed this flag" in response.content.decode()
    assert (flag().percent, flag().killed) == (50, True)


def test_a_guard_says_on_the_page_why_a_step_is_refused(admin: Client) -> None:
    def guard(before: RolloutRule, after: RolloutRule) -> str:
        return "The two stores differ in 7 places."

    guards.register_guard(STORAGE, guard)
    try:
        refused = [send(admin, "mode/", STORAGE, mode="dual"), send(admin, "step/", STORAGE, percent="0")]
        form = {
            "percent": "0",
            "mode": "v1",
            "allowed": "",
            "class_percents": "",
            "version_read": 1,
            "is_sure": "on",
        } | {f"changes-{name}": 0 for name in ("TOTAL_FORMS", "INITIAL_FORMS", "MIN_NUM_FORMS", "MAX_NUM_FORMS")}
        refused.append(admin.post(url("change/", STORAGE), form))
    finally:
        guards.unregister_guard(STORAGE, guard)
    for response in refused:
        assert response.status_code == 422
        assert "differ in 7 places" in response.content.decode()
    assert flag(STORAGE).version == 1
    assert admin.post(url("change/", STORAGE), form).status_code == 302
    assert (flag(STORAGE).percent, flag(STORAGE).mode) == (0, "v1")


def test_the_read_mode_is_chosen_on_the_page(admin: Client) -> None:
    assert send(admin, "mode/", STORAGE, mode="dual").status_code == 302
    assert flag(STORAGE).mode == "dual"
    assert send(admin, "mode/", STORAGE, mode="v3").status_code == 422
    assert send(admin, "mode/", mode="v1").status_code == 422
    assert (flag(STORAGE).mode, flag().mode) == ("dual", "")


# --- The kill switch ---


def test_the_kill_switch_asks_once_more(admin: Client, ada: Any) -> None:
    asked = send(admin, "stop/")
    assert asked.status_code == 200
    assert "Really switch it off for everyone?" in asked.content.decode()
    assert is_enabled("multi_agent", ada)
    assert send(admin, "stop/", is_sure="on").status_code == 302
    assert not is_enabled("multi_agent", ada)
    assert send(admin, "release/").status_code == 302
    assert is_enabled("multi_agent", ada)


def test_the_kill_switch_works_whatever_others_have_changed(admin: Client, ada: Any) -> None:
    change_flag("multi_agent", percent=Decimal(50))
    assert send(admin, "stop/", is_sure="on", version=1).status_code == 302
    assert not is_enabled("multi_agent", ada)


def test_an_open_page_is_told_of_a_change_and_of_nothing_else(admin: Client, root: Any) -> None:
    seen = flag().version
    assert admin.get(url("live/"), {"version": seen}).status_code == 204
    change_flag("multi_agent", by=root, killed=True)
    told = admin.get(url("live/"), {"version": seen})
    news = told.content.decode()
    assert told.status_code == 200
    for words in (
        "Switched off for everyone.",
        "Root changed this flag",
        "Release the switch",
        "ENABLE_MULTI_AGENT = False",
    ):
        assert words in news
    assert f"version={seen + 1}" in news
    assert admin.get(url("live/"), {"version": seen + 1}).status_code == 204
    assert admin.get(url("live/"), {"version": "x\x00"}).status_code == 200


def test_figures_are_sent_when_they_change(admin: Client) -> None:
    first = admin.get(url("comparison/"))
    assert first.status_code == 200
    assert admin.get(url("comparison/"), {"seen": first.context["seen"]}).status_code == 204
    change_flag("multi_agent", percent=Decimal(5))
    assert admin.get(url("comparison/"), {"seen": first.context["seen"]}).status_code == 200


# --- Who is in ---


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"killed": True}, "switched off for everyone"),
        ({"percent": Decimal(0), "allowed": ["ada"]}, "“ada” is on the “Always on for” list"),
        ({"percent": Decimal(0)}, "They will be included when the share, now 0%, is raised above"),
        ({"percent": Decimal(100)}, "below the 100% that applies to them"),
    ],
)
def test_a_person_is_in_or_out_for_a_reason(admin: Client, ada: Any, changes: dict[str, Any], words: str) -> None:
    change_flag("multi_agent", **changes)
    assert words in admin.get(url(), {"person": "ada"}).content.decode()


@pytest.mark.parametrize("name", ["nobody", "Ada", "x" * 200, "a\x00b", "<script>"])
def test_a_name_that_nobody_has_is_said_to_be_one(admin: Client, ada: Any, name: str) -> None:
    page = admin.get(url(), {"person": name})
    assert page.status_code == 200
    assert "<script>" not in page.content.decode()
    assert "Nobody has the username" in page.content.decode() or len(name) > 150 or "\x00" in name


@pytest.mark.parametrize(
    ("never", "words"),
    [
        ({"ada": ""}, "“ada” is on the “Never on for” list."),
        ({"person:ada": "2099-09-21"}, "“person:ada” is on the “Never on for” list until 21 September 2099."),
        ({"4B": ""}, "their class “4B” is on the “Never on for” list."),
        ({"4b": "2099-09-21"}, "their class “4b” is on the “Never on for” list until 21 September 2099."),
    ],
)
def test_the_look_up_says_who_never_has_it_and_until_when(
    admin: Client, ada: Any, monkeypatch: pytest.MonkeyPatch, never: dict[str, str], words: str
) -> None:
    monkeypatch.setattr("agents.people._sources", [lambda person: ["class:4b"]])
    change_flag("multi_agent", never=never, allowed=["ben"])
    page = " ".join(admin.get(url(), {"person": "ada"}).content.decode().split())
    assert words in page


def test_the_page_lists_who_is_always_and_who_is_never_in(admin: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    change_flag("multi_agent", allowed=["4b"], never={"9c": "2099-09-21", "eve": ""})
    page = admin.get(url()).content.decode()
    assert "<b>Always in:</b> 4b. <b>Never:</b> 9c (until 21 September 2099), eve." in page
    assert "“Always on for” changed, “Never on for” changed" in page
    monkeypatch.setattr("agents.models.flags.site_today", lambda: date(2099, 9, 21))
    assert "<b>Never:</b> eve." in admin.get(url()).content.decode()


def test_people_who_are_never_in_are_not_counted(admin: Client, ada: Any, ben: Any) -> None:
    change_flag("multi_agent", percent=Decimal(100), never={"ada": ""})
    counts = {each.role: (each.inside, each.of) for each in admin.get(url()).context["counts"]}
    assert counts["learner"] == (1, 2)


def test_people_are_counted_by_role(admin: Client, ada: Any, ben: Any, grace: Any) -> None:
    change_flag("multi_agent", percent=Decimal(0), allowed=["ada", "grace"])
    counts = {each.role: (each.inside, each.of) for each in admin.get(url()).context["counts"]}
    assert counts == {"learner": (1, 2), "teacher": (1, 1), "admin": (0, 1)}


# --- Plans ---


def test_a_change_is_planned_and_cancelled(admin: Client, root: Any) -> None:
    at = timezone.now() + timedelta(days=2)
    assert send(admin, "plan/", due_at=at.strftime("%Y-%m-%dT%H:%M"), percent="50").status_code == 302
    planned = PlannedChange.objects.get()
    assert (planned.by, planned.percent) == (root, 50)
    assert planned.due_at == at.replace(second=0, microsecond=0)
    assert "to 50%" in admin.get(url()).content.decode()
    assert send(admin, f"plans/{planned.pk}/cancel/").status_code == 302
    assert send(admin, f"plans/{planned.pk}/cancel/").status_code == 409
    planned.refresh_from_db()
    assert (planned.status, planned.cancelled_by) == (PlannedChange.Status.CANCELLED, root)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"due_at": "2020-01-01T10:00", "percent": "5"}, "Choose a time in the future."),
        ({"due_at": "soon", "percent": "5"}, "Enter a valid date/time."),
        ({"due_at": "9999-12-31T23:59", "percent": "7"}, "Select a valid choice."),
    ],
)
def test_a_wrong_plan_is_refused_beside_its_field(admin: Client, data: dict[str, str], words: str) -> None:
    response = send(admin, "plan/", **data)
    assert response.status_code == 422
    assert words in response.content.decode()
    assert data["due_at"] in response.content.decode()
    assert not PlannedChange.objects.exists()


def test_a_plan_on_an_old_version_is_a_conflict_that_loses_nothing(admin: Client) -> None:
    change_flag("multi_agent", percent=Decimal(5))
    response = send(admin, "plan/", due_at="2099-01-01T10:00", percent="25", version=1)
    assert response.status_code == 409
    assert "2099-01-01T10:00" in response.content.decode()
    assert not PlannedChange.objects.exists()


def test_a_plan_is_cancelled_at_its_own_flag(admin: Client) -> None:
    """A1."""
    send(admin, "plan/", due_at="2099-01-01T10:00", percent="25")
    pk = PlannedChange.objects.get().pk
    assert send(admin, f"plans/{pk}/cancel/", "affect").status_code == 404
    assert send(admin, f"plans/{10**12}/cancel/").status_code == 404


# --- Doors, and addresses that name nothing ---


@pytest.mark.parametrize("place", ["", "live/", "comparison/", "table/"])
def test_pages_are_for_admins(client: Client, grace: Any, place: str) -> None:
    """A1."""
    client.force_login(grace)
    assert client.get(url(place)).status_code == 404


@pytest.mark.parametrize("pk", [10**6, 10**30])
def test_a_flag_that_there_is_not_is_not_found(admin: Client, pk: int) -> None:
    assert admin.get(f"/admin/agents/flag/{pk}/").status_code == 404
    assert admin.post(f"/admin/agents/flag/{pk}/stop/", {"is_sure": "on"}).status_code == 404


def test_a_flag_that_the_program_does_not_know_has_a_page_too(admin: Client) -> None:
    make_flag("gallery")
    page = admin.get(url("", "gallery"))
    assert page.status_code == 200
    assert "gallery" in page.content.decode()
    assert "cannot be compared" in page.content.decode()


def test_the_figures_are_also_a_table(admin: Client) -> None:
    page = admin.get(url("table/"))
    assert page.status_code == 200
    assert "Failed turns" in page.content.decode()


# --- What is shown, as values ---


@pytest.fixture
def history() -> Callable[[], list[FlagChange]]:
    return lambda: list(FlagChange.objects.order_by("-pk"))


def changed(at: datetime, **changes: Any) -> None:
    change_flag("multi_agent", **changes)
    FlagChange.objects.filter(pk=FlagChange.objects.latest("pk").pk).update(at=at)


def test_steps_tell_when_they_were_reached_last(history: Callable[[], list[FlagChange]]) -> None:
    for days, percent in ((20, 0), (15, 25), (12, 0), (9, 5), (6, 50)):
        changed(NOW - timedelta(days=days), percent=Decimal(percent))
    changed(NOW - timedelta(days=1), allowed=["ada"])
    stages = stages_of(flag(), history())
    reached = {each.label: each.reached_at and (NOW - each.reached_at).days for each in stages}
    assert reached == {"off": 12, "5": 9, "25": 6, "50": 6, "75": None, "100": None} | {"off": reached["off"]}
    assert [each.label for each in stages if each.is_now] == ["50"]
    assert step_began(flag(), history()) == NOW - timedelta(days=6)


def test_a_percentage_between_the_steps_is_a_step_of_its_own() -> None:
    change_flag("multi_agent", percent=Decimal("12.5"))
    assert [each.label for each in stages_of(flag(), [])] == ["off", "5", "12.5", "25", "50", "75", "100"]


def test_changes_are_told_in_words(history: Callable[[], list[FlagChange]]) -> None:
    make_flag("gallery")
    changed(NOW, percent=Decimal("12.5"), allowed=["ada"])
    changed(NOW, killed=True)
    changed(NOW, killed=False, class_percents={"4b": "50"})
    change_flag(STORAGE, mode="dual")
    assert [describe_change(each) for each in history()] == [
        "reads from dual",
        "kill switch released, class percentages changed",
        "switched off for everyone",
        "100% → 12.5%, “Always on for” changed",
        "created",
    ]


def metric_with(inside: float, outside: float, *, people_each: int = FEWEST_WITH) -> ComparedMetric:
    """Two groups whose people all have the same ratio: any difference is certain."""
    metric = Metric(
        name="m",
        title="Cost",
        unit="",
        better="less",
        value="v",
        of="o",
        observations=lambda window: Flag.objects.none(),
    )

    def sums(ratio: float) -> RatioSums:
        n = people_each
        return RatioSums(people=n, value=ratio * n, of=n, value_squares=ratio**2 * n, of_squares=n, products=ratio * n)

    return ComparedMetric(
        metric=metric,
        sums={"in": sums(inside), "out": sums(outside)},
        series={"in": DaySeries(), "out": DaySeries()},
    )


@pytest.mark.parametrize(
    ("compared", "days", "unmet"),
    [
        (metric_with(1, 1), 8, []),
        (metric_with(1, 2), 8, []),
        (metric_with(2, 1), 8, ["Cost: 2.0 with the flag, 1.0 without it."]),
        (metric_with(1, 1), 6, ["The flag has been at this step for less than 7 full days."]),
        (metric_with(1, 1, people_each=100), 8, ["There are figures of only 100 people with it."]),
        (
            metric_with(1, 1, people_each=1),
            8,
            ["Cost: there is too little data to tell.", "There are figures of only 1 person with it."],
        ),
    ],
)
def test_what_speaks_against_a_step_up(compared: ComparedMetric, days: int, unmet: list[str]) -> None:
    change_flag("multi_agent", percent=Decimal(5))
    gates = gates_of(flag(), [compared], began=NOW - timedelta(days=days), now=NOW)
    assert [gate.problem for gate in gates if not gate.is_met] == unmet


def test_nothing_speaks_against_the_first_step() -> None:
    change_flag("multi_agent", percent=Decimal(0))
    assert gates_of(flag(), [metric_with(2, 1)], began=NOW, now=NOW) == []


def test_a_page_asks_the_database_little_whatever_the_number_of_people(
    admin: Client, django_assert_max_num_queries: Any
) -> None:
    for number in range(30):
        people.make_person(f"p{number}")
    admin.get(url())
    cache.clear()
    with django_assert_max_num_queries(45):
        admin.get(url())
