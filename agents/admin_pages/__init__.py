"""The admin's pages on calls, alerts and prompts."""
