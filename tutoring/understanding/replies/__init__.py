"""Replies to a question: the answer in them, its verdict, references to options and known answers."""
