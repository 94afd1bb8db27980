"""Admin pages of this app. Importing their modules registers them."""

from agents.admin_pages import alerts, flags, ledger, prompts, routing  # noqa: F401
