"""The tools that use the network."""

from agents.tools import Tool
from agents.tools.arxiv import arxiv
from agents.tools.fetch_page import fetch_page
from agents.tools.outside_services import ServicesGetter
from agents.tools.web_search import web_search
from agents.tools.wikipedia import wikipedia


def network_tools(configured: ServicesGetter) -> tuple[Tool, ...]:
    """Return the tools; they use the services configured at the time of use."""
    return fetch_page(), web_search(configured), wikipedia(configured), arxiv(configured)
