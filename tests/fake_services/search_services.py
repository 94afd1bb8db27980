"""Stand-ins for the services that tools ask, in their own formats: a SearXNG, a MediaWiki, arXiv."""

import json
import re
from collections.abc import Sequence
from html import escape

from tests.fake_services import Answering, Reply, Request

ATOM = "application/atom+xml; charset=utf-8"


def in_json(value: object, *, status: int = 200) -> Reply:
    return Reply(status=status, body=json.dumps(value).encode(), headers={"content-type": "application/json"})


def searxng(results: Sequence[dict[str, object]]) -> Answering:
    """A SearXNG whose settings allow JSON; it answers in HTML otherwise, and without words not at all."""

    def answer(request: Request) -> Reply:
        if not request.query.get("q"):
            return Reply(status=400, headers={"content-type": "text/plain"})
        if request.query.get("format") != "json":
            return Reply(body=b"<p>results", headers={"content-type": "text/html"})
        found = [
            {"engine": "stand-in", "category": "general", "score": 1.0, "template": "default.html"} | each
            for each in results
        ]
        rest = {"answers": [], "corrections": [], "infoboxes": [], "suggestions": [], "unresponsive_engines": []}
        return in_json({"query": request.query["q"], "number_of_results": 0, "results": found} | rest)

    return answer


def mediawiki(articles: Sequence[dict[str, object]]) -> Answering:
    """A MediaWiki's `api.php` with these articles (pageid, title, extract, pageprops): those that have all the words."""

    def answer(request: Request) -> Reply:
        query = request.query
        if query.get("action") != "query" or query.get("generator") != "search" or query.get("formatversion") != "2":
            return in_json({"error": {"code": "badvalue", "info": "Unrecognized value", "docref": "See api.php"}})
        words = query["gsrsearch"].lower().split()
        fits = [
            each for each in articles if all(word in f"{each['title']} {each['extract']}".lower() for word in words)
        ]
        fits = fits[: int(query["gsrlimit"])]
        if not fits:
            return in_json({"batchcomplete": True})
        asked = set(query["prop"].split("|"))
        pages = []
        for index, each in enumerate(fits, 1):
            url = f"https://en.wikipedia.org/wiki/{str(each['title']).replace(' ', '_')}"
            found = {"pageid": each["pageid"], "ns": 0, "title": each["title"], "index": index}
            if "info" in asked and query.get("inprop") == "url":
                found |= {
                    "contentmodel": "wikitext",
                    "fullurl": url,
                    "editurl": url + "?action=edit",
                    "canonicalurl": url,
                }
            if "extracts" in asked and query.get("explaintext"):
                found["extract"] = each["extract"]
            if "pageprops" in asked and "pageprops" in each:
                found["pageprops"] = each["pageprops"]
            pages.append(found)
        # It gives them by their ids, not by how well they fit.
        pages.sort(key=lambda page: page["pageid"])
        return in_json({"batchcomplete": True, "query": {"pages": pages}})

    return answer


def arxiv(papers: Sequence[dict[str, str]]) -> Answering:
    """An arXiv with these papers (id, title, summary, author): those that have one of the words asked for."""

    def answer(request: Request) -> Reply:
        query = request.query.get("search_query", "")
        if not re.fullmatch(r"all:\w+( AND all:\w+)*", query):
            fault = "<id>http://arxiv.org/api/errors#incorrect_query</id><title>Error</title><summary>bad</summary>"
            return feed(f"<entry>{fault}</entry>", status=400)
        words = [word.removeprefix("all:").lower() for word in query.split(" AND ")]
        fits = [each for each in papers if all(word in f"{each['title']} {each['summary']}".lower() for word in words)]
        return feed("".join(entry(each) for each in fits[: int(request.query.get("max_results", "10"))]))

    return answer


def feed(entries: str, *, status: int = 200) -> Reply:
    body = f"""<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom"
 xmlns="http://www.w3.org/2005/Atom"><id>https://arxiv.org/api/x</id><title>arXiv Query</title>
<updated>2026-11-22T00:00:00Z</updated><opensearch:totalResults>1</opensearch:totalResults>{entries}</feed>"""
    return Reply(status=status, body=body.encode(), headers={"content-type": ATOM})


def entry(paper: dict[str, str]) -> str:
    authors = "".join(f"<author><name>{escape(name)}</name></author>" for name in paper["author"].split(", "))
    return f"""<entry><id>http://arxiv.org/abs/{paper["id"]}</id><title>{escape(paper["title"])}</title>
<updated>2026-03-22T17:59:58Z</updated><published>2026-03-21T17:59:58Z</published>
<link href="https://arxiv.org/abs/{paper["id"]}" rel="alternate" type="text/html"/>
<summary>  {escape(paper["summary"])}
</summary>{authors}<category term="math.NT" scheme="http://arxiv.org/schemas/atom"/></entry>"""
