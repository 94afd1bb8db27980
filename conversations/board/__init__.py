"""The drawing board of a conversation: snapshots, from the page to the tutor."""
