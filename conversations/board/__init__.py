"""The drawing board beside a conversation: its snapshots, from the page to the tutor."""
