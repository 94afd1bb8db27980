"""The tools that go out to the network."""

from agents.tools import Tool
from agents.tools.arxiv import arxiv
from agents.tools.fetch_page import fetch_page
from agents.tools.outside_services import ServicesGetter
from agents.tools.web_search import web_search
from agents.tools.wikipedia import wikipedia


def network_tools(configured: ServicesGetter) -> tuple[Tool, ...]:
    """Return the tools, for the services in force when they are used."""
    return fetch_page(), web_search(configured), wikipedia(configured), arxiv(configured)
