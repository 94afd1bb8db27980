"""Display names of tools."""

from django.utils.translation import gettext as _


def tool_label(tool: str) -> str:
    """Return a tool's name for use in a sentence."""
    labels = {
        "library": _("the library"),
        "calculator": _("the calculator"),
        "code_executor": _("a code runner"),
        "fetch_page": _("a web page"),
        "web_search": _("a web search"),
        "wikipedia": _("Wikipedia"),
        "arxiv": _("arXiv"),
        "look_at_board": _("the drawing board"),
        "learning_data": _("the learning data"),
        "learning_needs": _("the list of learning needs"),
        "outside_database": _("the connected database"),
        "crm": _("the contacts"),
        "edit_contacts": _("the contacts"),
        "contract_clauses": _("the contract clauses"),
        "table_write": _("the round table’s store"),
        "table_read": _("the round table’s store"),
        "table_ask": _("a question to another agent"),
    }
    return labels.get(tool, tool.replace("_", " "))
