"""The admin's pages of this app: importing their modules registers them."""

from agents.admin_pages import alerts, flags, ledger, prompts  # noqa: F401
