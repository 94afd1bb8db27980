"""What people put in: how it is taken, kept, read, shared and deleted."""
