"""A person's past conversations: listing, searching, renaming, deleting, exporting."""
