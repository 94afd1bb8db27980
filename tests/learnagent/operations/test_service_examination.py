"""`doctor` on the outside services: whether each answers, and what to do where it does not."""

from collections.abc import Iterator
from typing import Any

import pytest

from agents.tools.outside_services import OutsideServices
from learnagent.operations.doctor import Finding
from learnagent.operations.service_examination import examine_services
from tests.fake_services import FakeServer, Reply, search_services

NAMED = ("SEARXNG_URL", "WIKIPEDIA_URL", "ARXIV_URL")


@pytest.fixture
def outside(settings: Any) -> Iterator[FakeServer]:
    with FakeServer() as server:
        server.answers["/search"] = search_services.searxng([])
        server.answers["/w/api.php"] = search_services.mediawiki([])
        server.answers["/api/query"] = search_services.arxiv([])
        where = OutsideServices(searxng_url=server.url, wikipedia_url=server.url, arxiv_url=server.url)
        settings.AGENTS = settings.AGENTS | {"services": where}
        yield server


@pytest.fixture(autouse=True)
def _unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agents.tools.arxiv.request_pacer.interval_s", 0)


async def found(*named: str) -> dict[str, Finding]:
    return {finding.part: finding async for finding in examine_services(named=named)}


async def test_each_service_that_answers_is_told(outside: FakeServer) -> None:
    findings = await found(*NAMED)
    assert list(findings) == ["tool web_search", "tool wikipedia", "tool arxiv"]
    assert all(finding.works for finding in findings.values())
    assert findings["tool arxiv"].says.startswith(f"127.0.0.1:{outside.port} answers in ")
    assert len(outside.requests) == 3


async def test_service_that_the_operator_named_and_is_away_is_broken(outside: FakeServer) -> None:
    outside.__exit__()
    findings = await found("SEARXNG_URL")
    assert not findings["tool web_search"].works
    assert "The web search cannot be reached right now. (see SEARXNG_URL)" in findings["tool web_search"].says
    wikipedia = findings["tool wikipedia"]
    assert (wikipedia.works, wikipedia.needed) == (False, False)
    assert "Wikipedia cannot be reached" in findings["tool wikipedia"].says


async def test_search_that_gives_no_json_is_told_what_to_set(outside: FakeServer) -> None:
    outside.answers["/search"] = Reply(status=403)
    assert "search.formats" in (await found(*NAMED))["tool web_search"].says


async def test_service_that_is_off_is_not_asked(outside: FakeServer, settings: Any) -> None:
    settings.AGENTS = settings.AGENTS | {"services": OutsideServices()}
    findings = await found(*NAMED)
    assert findings["tool wikipedia"].says == "not offered: WIKIPEDIA_URL is not set"
    assert all(finding.works for finding in findings.values())
    assert outside.requests == []
