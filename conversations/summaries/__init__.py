"""Summaries of conversations: facts from the records, and a few sentences made from them."""
