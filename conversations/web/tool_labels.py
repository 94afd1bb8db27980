"""Tools as people read of them."""

from django.utils.translation import gettext as _


def tool_label(tool: str) -> str:
    """Return what a tool is called in a sentence."""
    labels = {
        "library": _("the library"),
        "calculator": _("the calculator"),
        "code_executor": _("a place to run programs"),
        "fetch_page": _("a web page"),
        "web_search": _("a web search"),
        "wikipedia": _("Wikipedia"),
        "arxiv": _("arXiv"),
        "look_at_board": _("the drawing board"),
    }
    return labels.get(tool, tool.replace("_", " "))
