"""Replies as they are read aloud, and messages as they were heard, where there is no page: on the phone."""
