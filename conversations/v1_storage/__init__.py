"""v1's storage beside v2's: writing both, reading both, comparing them, and importing v1's files.

v2's storage is the tables of turns and messages, which are always written. v1's is the table of captures.
"""
